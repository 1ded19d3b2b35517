:- module('$lambdas', ['$compile_lambdas'/4, '$compiled_lambdas'/4]).

/*  Lambda expressions that clauses of files call become predicates.

    Params>>Body and Free/Params>>Body of library(yall) copy themselves each time that they are called, and translate their body. Where a clause hands
    one to a predicate that calls it with as many arguments as Params are, its place is taken by a closure of an auxiliary predicate that does the same,
    so that nobody sees a difference but by looking at the term:

        p(L0, L, N) :- maplist([X, Y]>>(Y is X+N), L0, L).

        p(L0, L, N) :- maplist(aux(N), L0, L).
        aux(N0, X0, Y0) :- '$copy_nat'(N0, N), X0 = X, Y0 = Y, Y is X+N.         (X and Y stand in the head, as long as nothing tells that apart)

    Variables that occur in such lambda expressions only, and are not free in them, are unbound whenever one is called: the copy of one is a new variable,
    as a local variable of the auxiliary predicate is. All others are handed over: the free ones are shared, the others are copied, together, before the
    parameters are unified. Parameters are unified one after the other, since goals may wait for them, and these goals are not cut.

    What is not known to be the same stays as it is: bodies in which a goal is still a variable (it may become a cut), or is none (the error is raised when the
    lambda is called), more or fewer parameters than arguments, a `>>` that is not that of library(yall), goals of other modules, and goals behind `^`, whose
    variables somebody counts.

    The name of an auxiliary predicate says what it does, and for which file; so a file that is loaded again defines the same ones. Those that it defines no
    longer stay until it is unloaded: calls that are still in the old version find what they have found. (So each edit of a lambda expression costs a predicate.)
*/

%   '$compile_lambdas'(+Clause0, +Source, +Line, -Clause): Clause does what Clause0 does; the auxiliary predicates that it calls are added to the file.
'$compile_lambdas'(Clause0, Source, Line, Clause) :-
    '$source_module'(M),
    % (What a hook has made may have attributed variables, which a name cannot tell of.)
    (   term_attvars(Clause0, []), without_lambdas(Clause0, M, Source, Line, Clause1) -> Clause = Clause1 ; Clause = Clause0 ).

%   '$compiled_lambdas'(+Clause0, +Module, +File, -Clause) is semidet: what has been made of a clause of a file with lambda expressions, if it was read in Module.
'$compiled_lambdas'(Clause0, M, File, Clause) :-
    '$has_lambdas'(Clause0),
    without_lambdas(Clause0, M, '$source'(File, []), 0, Clause).

%   without_lambdas(+Clause0, +Module, +Source, +Line, -Clause) is semidet. Source is '$source'(File, Session); nothing is added where Session is [].
without_lambdas(Clause0, M, Source, Line, Clause) :-
    clause_goals(Clause0, M, Of, Clause, Lambdas, []), !,
    Lambdas \== [],
    free_terms(Lambdas, Frees),
    term_variables(Clause-Frees, Outside),
    insides(Lambdas, Insides),
    % (Marked in a copy, since there may be many: which of them occur outside, too.)
    copy_term_nat(Outside-Insides, Marks-Marked),
    marks(Marks),
    compiled(Lambdas, Insides, Marked, Of, Source, Line).

insides([], []).
insides([lambda(_, _, Params, Body)|Ls], [Inside|Is]) :-
    term_variables(Params-Body, Inside),
    insides(Ls, Is).

marks([]).
marks([outside|Ms]) :- marks(Ms).

%   clause_goals(+Clause0, +Module, -Of, -Clause, -Lambdas, ?Rest) is semidet: Clause has variables in place of Lambdas, each of which is
%   lambda(Variable, Free, Params, Body). Of is the module that its body runs in.
clause_goals(M:Clause0, _, Of, M:Clause, Ls0, Ls) :- atom(M), nonvar(Clause0), clause_goals(Clause0, M, Of, Clause, Ls0, Ls).
clause_goals((Head :- Body0), M, M, (Head :- Body), Ls0, Ls) :- goals(Body0, M, Body, Ls0, Ls).
clause_goals((Left0 => Body0), M, M, (Left => Body), Ls0, Ls) :- rule_goals(Left0, Body0, M, Left, Body, Ls0, Ls).
clause_goals(?=>(Left0, Body0), M, M, ?=>(Left, Body), Ls0, Ls) :- rule_goals(Left0, Body0, M, Left, Body, Ls0, Ls).

rule_goals(Left0, Body0, M, Left, Body, Ls0, Ls) :-
    (   nonvar(Left0), Left0 = (Head, Guard0)
    ->  Left = (Head, Guard),
        goals(Guard0, M, Guard, Ls0, Ls1)
    ;   Left = Left0, Ls0 = Ls1
    ),
    goals(Body0, M, Body, Ls1, Ls).

goals(G, _, G, Ls, Ls) :- \+ compound(G), !.
goals((A0, B0), M, (A, B), Ls0, Ls) :- !, goals(A0, M, A, Ls0, Ls1), goals(B0, M, B, Ls1, Ls).
goals((A0 ; B0), M, (A ; B), Ls0, Ls) :- !, goals(A0, M, A, Ls0, Ls1), goals(B0, M, B, Ls1, Ls).
goals((A0 -> B0), M, (A -> B), Ls0, Ls) :- !, goals(A0, M, A, Ls0, Ls1), goals(B0, M, B, Ls1, Ls).
goals((A0 *-> B0), M, (A *-> B), Ls0, Ls) :- !, goals(A0, M, A, Ls0, Ls1), goals(B0, M, B, Ls1, Ls).
goals(\+ A0, M, \+ A, Ls0, Ls) :- !, goals(A0, M, A, Ls0, Ls).
goals(M0:G0, M, M0:G, Ls0, Ls) :- !, ( M0 == M -> goals(G0, M, G, Ls0, Ls) ; G = G0, Ls0 = Ls ).
goals(G0, M, G, Ls0, Ls) :-
    '$has_lambdas'(G0),
    '$goal_arguments'(M:G0, Specs), !,
    compound_name_arguments(G0, Name, As0),
    arguments(Specs, As0, M, As, Ls0, Ls),
    compound_name_arguments(G, Name, As).
goals(G, _, G, Ls, Ls).

arguments([], [], _, [], Ls, Ls).
arguments([S|Ss], [A0|As0], M, [A|As], Ls0, Ls) :-
    argument(S, A0, M, A, Ls0, Ls1),
    arguments(Ss, As0, M, As, Ls1, Ls).

argument(0, G0, M, G, Ls0, Ls) :- !, goals(G0, M, G, Ls0, Ls).
argument(N, A, M, V, [lambda(V, Free, Params, Body)|Ls], Ls) :-
    integer(N),
    lambda(A, Free, Params, Body),
    '$skip_list'(N, Params, Tail), Tail == [],
    is_body(Body),
    is_of_yall(N, M), !.
argument(_, A, _, A, Ls, Ls).

%   lambda(?Term, -Free, -Params, -Body) is semidet.
lambda(Lambda, Free, Params, Body) :-
    nonvar(Lambda),
    Lambda = Left>>Body,
    nonvar(Left),
    (   Left = Free0/Params0
    ->  nonvar(Free0), ( Free0 = {_} -> true ; Free0 == {} ),
        Free = Free0, Params = Params0
    ;   Free = {}, Params = Left
    ).

%   is_body(?Body) is semidet: which goals there are is known.
is_body(G) :- \+ callable(G), !, fail.
is_body((A, B)) :- !, is_body(A), is_body(B).
is_body((A ; B)) :- !, is_body(A), is_body(B).
is_body('|'(A, B)) :- !, is_body(A), is_body(B).
is_body((A -> B)) :- !, is_body(A), is_body(B).
is_body((A *-> B)) :- !, is_body(A), is_body(B).
is_body(\+ A) :- !, is_body(A).
is_body(M:A) :- !, atom(M), is_body(A).
is_body(_).

%   is_of_yall(+N, +Module) is semidet: who calls `>>` with N arguments more in Module calls that of library(yall), which has been imported.
is_of_yall(N, M) :-
    Arity is N+2,
    functor(G, >>, Arity),
    ( '$has_meaning'(M:G) -> true ; '$has_meaning'(user:G) ),
    predicate_property(M:G, imported_from(yall)), !.

free_terms([], []).
free_terms([lambda(_, Free, _, _)|Ls], [Free|Fs]) :- free_terms(Ls, Fs).

compiled([], [], [], _, _, _).
compiled([lambda(Closure, Free, Params, Body)|Ls], [Inside|Is], [Marked|Ms], M, Source, Line) :-
    term_variables(Free, Shared),
    copied(Inside, Marked, Shared, Copied),
    auxiliary(Copied, Shared, Params, Body, Outer, Args, AuxBody),
    '$append'(Outer, Args, HeadArgs),
    length(Params, N),
    Source = '$source'(File, Session),
    variant_sha1(v(File, HeadArgs, AuxBody), Hash),
    atomic_list_concat(['__aux_yall_', N, +, Hash], Name),
    Head =.. [Name|HeadArgs],
    ( ( Session == [] ; '$read_in_load'(M:Head) ) -> true ; added((Head :- AuxBody), M, Source, Line) ),
    '$append'(Shared, Copied, ClosureArgs),
    Closure =.. [Name|ClosureArgs],
    compiled(Ls, Is, Ms, M, Source, Line).

%   (Lambda expressions within it are compiled as those of any other clause.)
added(Clause0, M, Source, Line) :-
    ( without_lambdas(Clause0, M, Source, Line, Clause1) -> Clause = Clause1 ; Clause = Clause0 ),
    '$add_clause'(M:Clause, Source, Line).

%   copied(+Inside, +Marked, +Shared, -Copied): the variables that may have got values, and are not free. Marked has a mark for each that occurs outside.
copied([], [], _, []).
copied([V|Vs], [Mark|Ms], Shared, Copied) :-
    (   nonvar(Mark), \+ '$memberchk_eq'(V, Shared)
    ->  Copied = [V|Copied1]
    ;   Copied = Copied1
    ),
    copied(Vs, Ms, Shared, Copied1).

%   auxiliary(+Copied, +Shared, +Params, +Body, -Outer, -Args, -AuxBody): the predicate that is called with Outer, which stand for the variables Shared and
%   Copied, and Args, which stand for Params.
auxiliary([], Shared, Params, Body0, Shared, Args, AuxBody) :- !,
    own_cuts(Body0, Params, Shared, Body),
    parameters(Params, Shared, head, Args, Body, AuxBody).
auxiliary(Copied, Shared, Params, Body0, Outer, Args, ( Copy, AuxBody )) :-
    length(Copied, N),
    length(Originals, N),
    '$append'(Shared, Originals, Outer),
    '$append'(Shared, Copied, Inner),
    (   Outer = [Original], Inner = [Variable]
    ->  Copy = '$copy_nat'(Original, Variable)
    ;   Term0 =.. [v|Outer],
        Term =.. [v|Inner],
        Copy = '$copy_nat'(Term0, Term)
    ),
    own_cuts(Body0, Params, Inner, Body),
    parameters(Params, Inner, body, Args, Body, AuxBody).

%   own_cuts(+Body0, +Params, +Known, -Body): a cut leaves the goals alone that the unification of a parameter wakes.
own_cuts(Body0, Params, Known, Body) :-
    ( has_cut(Body0), \+ are_new(Params, Known) -> Body = call(Body0) ; Body = Body0 ).

has_cut(!) :- !.
has_cut(_:A) :- !, has_cut(A).
has_cut(G) :- compound(G), compound_name_arguments(G, Name, [A, B]), '$memberchk_eq'(Name, [',', ;, '|', ->, *->]), ( has_cut(A) ; has_cut(B) ), !.

%   are_new(+Params, +Known) is semidet: variables, each once, and none of Known.
are_new([], _).
are_new([P|Ps], Known) :- var(P), \+ '$memberchk_eq'(P, Known), are_new(Ps, [P|Known]).

%   parameters(+Params, +Known, +Where, -Args, +Body, -AuxBody): a new variable is an argument of the head, and so is the first other parameter, if it may
%   be unified in the head; the others are unified before Body.
parameters([], _, _, [], Body, Body).
parameters([P|Ps], Known, Where, [A|As], Body, AuxBody) :-
    (   var(P), \+ '$memberchk_eq'(P, Known)
    ->  A = P, Where1 = Where, AuxBody = AuxBody1
    ;   Where == head
    ->  A = P, Where1 = body, AuxBody = AuxBody1
    ;   Where1 = Where, AuxBody = ( A = P, AuxBody1 )
    ),
    term_variables(P-Known, Known1),
    parameters(Ps, Known1, Where1, As, Body, AuxBody1).
