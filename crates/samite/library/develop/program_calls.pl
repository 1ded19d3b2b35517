:- module('$program_calls', [ '$program_clause'/3, '$called_in'/3 ]).

/*  What the clauses of a program call, as they are loaded: for library(check).  */

%!  '$program_clause'(+Classes, -Clause, -Body) is nondet.
%
%   Clause, clause(Module, Head, Reference), is one of a predicate that a module of Classes defines.

'$program_clause'(Classes, clause(Module, Head, Ref), Body) :-
    findall(M, ( current_module(M), module_property(M, class(Class)), '$memberchk_eq'(Class, Classes) ), Modules),
    '$member'(Module, Modules),
    findall(Head0, ( current_predicate(Module:Name/Arity), functor(Head0, Name, Arity), has_clauses(Module:Head0) ), Heads0),
    sort(Heads0, Heads),
    '$member'(Head, Heads),
    catch(clause(Module:Head, Body, Ref), error(_, _), fail).

has_clauses(Predicate) :-
    \+ predicate_property(Predicate, imported_from(_)),
    predicate_property(Predicate, number_of_clauses(N)),
    N > 0.

%!  '$called_in'(+Body, +Module, -Goal) is nondet.
%
%   Body, of Module, has the call Goal, M:Plain: also within control structures and what is called of meta-arguments, with N more arguments for those that add N.

'$called_in'(Body, Module, Goal) :-
    strip_module(Module:Body, M, Plain),
    atom(M),
    callable(Plain),
    called(Plain, M, Goal).

called(Body, M, Goal) :-
    control(Body, Parts), !,
    '$member'(Part, Parts),
    '$called_in'(Part, M, Goal).
called(Plain, M, M:Plain).
called(Plain, M, Goal) :-
    compound(Plain),
    meta_arguments(Plain, M, Meta),
    arg(I, Meta, Spec),
    arg(I, Plain, Arg),
    nonvar(Arg),
    argument_goal(Spec, Arg, Inner),
    '$called_in'(Inner, M, Goal).

control((A, B), [A, B]).
control((A ; B), [A, B]).
control((A -> B), [A, B]).
control((A *-> B), [A, B]).
control(\+ A, [A]).
control(!, []).
control(true, []).

%   (What is in a library is bound to no name of the program's for it.)
meta_arguments(Plain, M, Meta) :-
    functor(Plain, Name, Arity),
    (   '$found_in_library'(M:Name/Arity, _)
    ->  predicate_property(system:Plain, meta_predicate(Meta))
    ;   predicate_property(M:Plain, meta_predicate(Meta))
    ).

argument_goal(0, Goal, Goal) :- !.
argument_goal(^, Arg, Goal) :- !,
    without_carets(Arg, Goal).
argument_goal(//, Arg, Goal) :- !,
    callable(Arg),
    catch(dcg_translate_rule((x --> Arg), (_ :- Goal)), error(_, _), fail).
argument_goal(N, Arg, Goal) :-
    integer(N),
    with_arguments(Arg, N, Goal).

%   with_arguments(+Goal0, +N, -Goal) is semidet: N arguments are added; parameters of a lambda take some.
with_arguments(Goal0, _, _) :- var(Goal0), !, fail.
with_arguments(M:Goal0, N, M:Goal) :- !,
    with_arguments(Goal0, N, Goal).
with_arguments(_/Lambda, N, Goal) :- !,
    nonvar(Lambda),
    Lambda = (_ >> _),
    with_arguments(Lambda, N, Goal).
with_arguments(Parameters >> Body, N, Goal) :- !,
    is_list(Parameters),
    length(Parameters, Taken),
    More is N-Taken,
    More >= 0,
    with_arguments(Body, More, Goal).
with_arguments(Goal, 0, Goal) :- !.
with_arguments(Goal0, N, Goal) :-
    callable(Goal0),
    length(More, N),
    Goal0 =.. List0,
    '$append'(List0, More, List),
    Goal =.. List.

without_carets(Arg, _) :- var(Arg), !, fail.
without_carets(_^Arg, Goal) :- !,
    without_carets(Arg, Goal).
without_carets(Goal, Goal).
