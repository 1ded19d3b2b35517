:- module('$goal_expansion', ['$expand_bodies'/3, '$expand_goal'/4, expand_goal/4, expand_term/4, var_property/2]).

/*  Goal expansion: the goals of clauses and directives, and goals among their arguments, are rewritten by goal_expansion/2 (and /4) of the modules
    that take part (Hooks, see '$expansion_modules'/2), until no hook changes them.

    As in SWI-Prolog, but that all predicates of libraries are known to have goals among their arguments, not only those that are loaded.

    Functional notation (`Data.Function`, a term '.'(Data, Function)) becomes a call of '.'/3 before the goal that it stands in, after the hooks have
    seen that; what stands in a head is called before the body.

    Hooks may ask whether a variable can have got a value before the goal that they are given (var_property/2). For this the backtrackable global variable
    `$goals_before` has the terms in which such variables occur: the head, and what goals before this one have been expanded to.
*/

%   '$expand_bodies'(+Clauses, +Hooks, -Expanded): one clause or directive, or a list of them.
'$expand_bodies'(X, _, X) :- var(X), !.
'$expand_bodies'([], _, []) :- !.
'$expand_bodies'([C|Cs], Hooks, [E|Es]) :- !,
    '$expand_bodies'(C, Hooks, E),
    '$expand_bodies'(Cs, Hooks, Es).
'$expand_bodies'(C0, Hooks, C) :-
    '$has_functions'(C0),
    definition(C0, C1), !,
    '$expand_bodies'(C1, Hooks, C).
'$expand_bodies'((Head0 :- Body), Hooks, (Head :- Expanded)) :- !,
    body([Head0], Body, Hooks, Body1),
    head(Head0, Body1, Head, Expanded).
'$expand_bodies'((Left0 => Body), Hooks, (Left => Expanded)) :- !, rule(Left0, Body, Hooks, Left, Expanded).
'$expand_bodies'(?=>(Left0, Body), Hooks, ?=>(Left, Expanded)) :- !, rule(Left0, Body, Hooks, Left, Expanded).
'$expand_bodies'((:- Goal), Hooks, (:- Expanded)) :- !, body([], Goal, Hooks, Expanded).
'$expand_bodies'((?- Goal), Hooks, (?- Expanded)) :- !, body([], Goal, Hooks, Expanded).
'$expand_bodies'(C0, _, C) :-
    functions(C0, Eval, Head),
    ( Eval == true -> C = C0 ; C = (Head :- Eval) ).

%   A guard may stand before the neck.
rule(Left, Body, Hooks, (Head, Guard), Expanded) :-
    nonvar(Left),
    Left = (Head0, Guard0),
    !,
    body([Head0], Guard0, Hooks, Guard),
    body([Head0, Guard0], Body, Hooks, Body1),
    head(Head0, Body1, Head, Expanded).
rule(Head0, Body, Hooks, Head, Expanded) :-
    body([Head0], Body, Hooks, Body1),
    head(Head0, Body1, Head, Expanded).

%   head(+Head0, +Body0, -Head, -Body): the functions in a head are called before the body.
head(Head0, Body0, Head, Body) :-
    functions(Head0, Eval, Head),
    ( Eval == true -> Body = Body0 ; Body = (Eval, Body0) ).

%   definition(+Definition, -Clause) is semidet: Dict.Function := Value, maybe with a body, defines a function in the module that is its dicts' tag:
%   a predicate with two arguments more, the dict and the value.
definition(M:D, M:C) :- nonvar(D), definition(D, C).
definition((Function := Value), (Head :- Eval)) :-
    function_head(Function, Result, Head),
    functions(Value, Eval, Result).
definition(((Function := Value) :- Body), (Head :- Body, Eval)) :-
    function_head(Function, Result, Head),
    functions(Value, Eval, Result).

function_head(M:Function, Result, M:Head) :- !,
    nonvar(Function),
    function_head(Function, Result, Head).
function_head(Term, Result, Head) :-
    nonvar(Term),
    Term = '.'(Dict, Function),
    callable(Function),
    compound_name_arguments(Function, Name, Args0),
    '$append'(Args0, [Dict, Result], Args),
    compound_name_arguments(Head, Name, Args).

%   body(+Before, +Body, +Hooks, -Expanded)
body(Before, Body, Hooks, Expanded) :-
    '$source_module'(M),
    goals_before(Outer),
    b_setval('$goals_before', Before),
    expand(Body, M, Hooks, [], Expanded),
    b_setval('$goals_before', Outer).

%   '$expand_goal'(+Goal, +Module, +Hooks, -Expanded)
'$expand_goal'(Goal, M, Hooks, Expanded) :-
    goals_before(Before),
    expand(Goal, M, Hooks, [], Expanded),
    b_setval('$goals_before', Before).

goals_before(Before) :- nb_current('$goals_before', Goals), !, Before = Goals.
goals_before([]).

%   goes_before(+Goal): what comes now comes after it.
goes_before(Goal) :-
    goals_before(Before),
    b_setval('$goals_before', [Goal|Before]).

%!  var_property(+Variable, ?Property) is nondet.
%
%   What is known of a variable of the clause that is being expanded: fresh(Fresh), where Fresh is true if no goal before can have given it a value, that is
%   if it occurs neither in the head nor in such a goal, but for negations and other branches; singleton(Singleton), where Singleton is true if it occurs
%   once in the term that has been read; name(Name) if it was read by a name.

var_property(Variable, fresh(Fresh)) :-
    goals_before(Before),
    term_variables(Before, Variables),
    ( '$memberchk_eq'(Variable, Variables) -> Fresh = false ; Fresh = true ).
var_property(Variable, singleton(Singleton)) :-
    prolog_load_context(term, Term),
    term_singletons(Term, Singletons),
    ( '$memberchk_eq'(Variable, Singletons) -> Singleton = true ; Singleton = false ).
var_property(Variable, name(Name)) :-
    prolog_load_context(variable_names, Names),
    '$member'(Name0=Named, Names),
    Named == Variable, !,
    Name = Name0.

%!  expand_goal(+Goal, ?Layout0, -Expanded, -Layout) is det.
%
%   Layouts are not known.

expand_goal(Goal, Layout, Expanded, Layout) :- expand_goal(Goal, Expanded).

%!  expand_term(+Term, ?Layout0, -Expanded, -Layout) is det.

expand_term(Term, Layout, Expanded, Layout) :- expand_term(Term, Expanded).

%   expand(+Goal, +Module, +Hooks, +Done, -Expanded): Done are the goals that have been rewritten to what this one is part of. They are not
%   rewritten again.
expand(G, _, _, _, G) :- var(G), !, goes_before(G).
%   (Whoever names it, it is for the hooks of its own module.)
expand(M:G0, _, _, Done, M:G) :- atom(M), !,
    '$source_module'(Outer),
    setup_call_cleanup('$set_source_module'(M), in_source_module(G0, M, Done, G), '$set_source_module'(Outer)).
expand(G0, M, Hooks, Done, G) :-
    \+ '$memberchk_eq'(G0, Done),
    rewritten(Hooks, G0, G1), !,
    expand(G1, M, Hooks, [G0|Done], G).
expand((A0, B0), M, Hooks, Done, (A, B)) :- !, expand(A0, M, Hooks, Done, A), expand(B0, M, Hooks, Done, B).
expand((A0 ; B0), M, Hooks, Done, (A ; B)) :- !,
    goals_before(Before),
    expand(A0, M, Hooks, Done, A1),
    ( is_condition(A1), \+ is_condition(A0) -> A = (A1, true) ; A = A1 ),
    b_setval('$goals_before', Before),
    expand(B0, M, Hooks, Done, B),
    b_setval('$goals_before', [A, B|Before]).
expand((A0 -> B0), M, Hooks, Done, (A -> B)) :- !, expand(A0, M, Hooks, Done, A), expand(B0, M, Hooks, Done, B).
expand((A0 *-> B0), M, Hooks, Done, (A *-> B)) :- !, expand(A0, M, Hooks, Done, A), expand(B0, M, Hooks, Done, B).
expand(\+ A0, M, Hooks, Done, \+ A) :- !,
    goals_before(Before),
    expand(A0, M, Hooks, Done, A),
    b_setval('$goals_before', Before).
expand(G0, M, Hooks, Done, G) :-
    compound(G0),
    '$goal_arguments'(M:G0, Specs), !,
    compound_name_arguments(G0, Name, As0),
    goals_before(Before),
    % (When its goals are called, and in which order, is its own business.)
    ( G0 = call(_) -> Before1 = Before ; Before1 = [G0|Before] ),
    b_setval('$goals_before', Before1),
    arguments(Specs, As0, M, Hooks, Done, As, Eval),
    compound_name_arguments(G1, Name, As),
    both(Eval, G1, G),
    b_setval('$goals_before', [G|Before1]).
expand(G0, _, _, _, G) :-
    functions(G0, Eval, G1),
    (   Eval == true -> G = G0
    ;   var(G1) -> both(Eval, call(G1), G)
    ;   both(Eval, G1, G)
    ),
    goes_before(G).

%   is_condition(?Goal) is semidet: to the left of a disjunction it makes that an if-then-else, which nobody has meant where it comes from a hook.
is_condition(G) :- nonvar(G), ( G = (_ -> _) ; G = (_ *-> _) ), !.

%   functions(+Term0, -Eval, -Term): Term is Term0 with variables in place of functional notation, for whose values Eval calls, or true.
functions(T0, Eval, T) :-
    (   '$has_functions'(T0), acyclic_term(T0)
    ->  replaced(T0, Eval, T)
    ;   Eval = true, T = T0
    ).

replaced(T, Eval, T1) :- \+ '$has_functions'(T), !, Eval = true, T1 = T.
replaced('.'(Data0, Function0), Eval, Value) :- !,
    replaced(Data0, Eval1, Data),
    replaced(Function0, Eval2, Function),
    both(Eval1, Eval2, Eval3),
    both(Eval3, '.'(Data, Function, Value), Eval).
replaced(T0, Eval, T) :-
    compound_name_arguments(T0, Name, As0),
    replaced_all(As0, Eval, As),
    compound_name_arguments(T, Name, As).

replaced_all([], true, []).
replaced_all([A0|As0], Eval, [A|As]) :-
    replaced(A0, Eval1, A),
    replaced_all(As0, Eval2, As),
    both(Eval1, Eval2, Eval).

both(A, B, B) :- A == true, !.
both(A, B, A) :- B == true, !.
both(A, B, (A, B)).

in_source_module(G0, M, Done, G) :-
    (   '$expansion_modules'(G0, _, Hooks), Hooks \== []
    ->  expand(G0, M, Hooks, Done, G)
    ;   '$has_functions'(G0)
    ->  expand(G0, M, [], Done, G)
    ;   G = G0
    ).

rewritten(Hooks, G0, G) :-
    '$member'(M-Arities, Hooks),
    '$member'(Arity, Arities),
    hook(Arity, M, G0, G),
    G \== G0, !.

hook(0, _, G0, G) :- optimised(G0, G).
hook(2, M, G0, G) :- M:goal_expansion(G0, G).
hook(4, M, G0, G) :- M:goal_expansion(G0, _, G, _).

%   optimised(?Goal, -Without): what is left of goals that are there for finding mistakes.
optimised(debug(_, _, _), true).
optimised(debugging(_), fail).
optimised(assertion(_), true).

arguments([], [], _, _, _, [], true).
arguments([S|Ss], [A0|As0], M, Hooks, Done, [A|As], Eval) :-
    (   is_outside(S, A0)
    ->  functions(A0, Eval1, A),
        ( is_changed(S, A0, A) -> throw(error(context_error(function, meta_arg(S)), _)) ; true )
    ;   Eval1 = true,
        argument(S, A0, M, Hooks, Done, A)
    ),
    arguments(Ss, As0, M, Hooks, Done, As, Eval2),
    both(Eval1, Eval2, Eval).

%   is_outside(+Spec, ?Argument) is semidet: functions in it are called before the goal: it is no goal itself.
is_outside(S, A) :- '$has_functions'(A), S \== 0, S \== (^).

%   is_changed(+Spec, +Closure0, ?Closure) is semidet: a closure of which it is not known what it calls.
is_changed(S, A0, A) :- ( integer(S) ; S == (:) ; S == / ), \+ ( compound(A), functor(A0, N, K), functor(A, N, K) ).

argument(_, A, _, _, _, A) :- var(A), !.
argument(N, A0, M, Hooks, Done, A) :-
    integer(N), lambda_body(A0, N, B0, K, A, B), '$library_loaded'(yall), !,
    argument(K, B0, M, Hooks, Done, B).
argument(0, A0, M, Hooks, Done, A) :- !, expand(A0, M, Hooks, Done, A).
argument(^, V^A0, M, Hooks, Done, V^A) :- !, argument(^, A0, M, Hooks, Done, A).
argument(^, A0, M, Hooks, Done, A) :- !,
    expand(A0, M, Hooks, Done, A1),
    (   '$has_functions'(A0), new_variables(A0, A1, New) -> A = New^A1 ; A = A1 ).
argument(N, A0, M, Hooks, Done, A) :-
    integer(N), callable(A0), A0 \= _:_, !,
    length(Extra, N),
    extended(A0, Extra, G0),
    expand(G0, M, Hooks, Done, G),
    (   G == G0 -> A = A0
    ;   extended(A1, Extra, G), term_variables(A1, Vs), \+ ( '$member'(X, Extra), '$memberchk_eq'(X, Vs) ) -> A = A1
    ;   as_predicate(G, A0, Extra, M, A)
    ).
argument(_, A, _, _, _, A).

%   new_variables(+Goal0, +Goal, -Term) is semidet: the variables that are in Goal only; whoever collects solutions does not look at them.
new_variables(G0, G, T) :-
    term_variables(G0, Vs0),
    term_variables(G, Vs),
    others(Vs, Vs0, New),
    New \== [],
    T =.. [v|New].

others([], _, []).
others([V|Vs], Known, Others) :-
    ( '$memberchk_eq'(V, Known) -> Others = Others1 ; Others = [V|Others1] ),
    others(Vs, Known, Others1).

%   lambda_body(+Lambda0, +N, -Body0, -K, -Lambda, ?Body) is semidet: what is called with N arguments is a lambda expression of library(yall), which calls
%   its body with K more. Lambda has Body in place of Body0.
lambda_body(Ps>>B0, N, B0, K, Ps>>B, B) :-
    nonvar(Ps),
    ( Ps = _/List -> true ; List = Ps ),
    '$skip_list'(Count, List, Tail),
    Tail == [],
    K is max(0, N-Count).
lambda_body(Free/B0, N, B0, N, Free/B, B) :- nonvar(Free), Free = {_}.
lambda_body(\X^B0, N, B0, K, \X^B, B) :- N > 0, K is N-1.
lambda_body(X^B0, N, B0, K, X^B, B) :- N > 0, K is N-1.

%   extended(?Closure, +Extra, ?Goal)
extended(A, Extra, G) :- callable(A), !,
    A =.. L0,
    '$append'(L0, Extra, L),
    G =.. L.
extended(A, Extra, G) :-
    callable(G), G \= _:_,
    G =.. [Name|As],
    length(As, N), length(Extra, K), N >= K,
    N0 is N-K, length(Before, N0),
    '$append'(Before, Last, As), Last == Extra, !,
    A =.. [Name|Before].

%   A closure that does what a goal does in which the extra arguments are not the last ones: a predicate of its own, named by what it does and by the
%   file that it is in, which defines it once in a load.
as_predicate(Body, A0, Extra, M, A) :-
    term_variables(A0, Vs),
    '$append'(Vs, Extra, As),
    ( '$load_state'(File, Session, _) -> true ; File = user ),
    findall(N, ( numbervars(As-Body, 0, _), format(atom(N), '__aux_wrapper ~a ~W', [File, As-Body, [quoted(true), ignore_ops(true), numbervars(true)]]) ), [Name]),
    Head =.. [Name|As],
    (   catch(clause(M:Head, _), error(_, _), fail) -> true
    ;   var(Session) -> assertz(M:(Head :- Body))
    ;   '$add_clause'((Head :- Body), '$source'(File, Session), 0), '$commit_load'(all)
    ),
    A =.. [Name|Vs].
