:- module('$table_declarations', ['$argument_modes'/3]).

/*  The arguments of a table declaration that are modes.  */

%   '$argument_modes'(+Arguments, +Module, -Modes): as '$table_modes'/2 wants them.
'$argument_modes'([], _, []).
'$argument_modes'([A|As], M, [Mode|Modes]) :-
    (   '$argument_mode'(A, M, Mode0) -> Mode = Mode0
    ;   throw(error(domain_error(tabled_mode, A), context(system:(table)/1, _)))
    ),
    '$argument_modes'(As, M, Modes).

'$argument_mode'(A, _, index) :- var(A), !.
'$argument_mode'(index, _, index).
'$argument_mode'(+, _, index).
'$argument_mode'(-, _, first).
'$argument_mode'(first, _, first).
'$argument_mode'(last, _, last).
'$argument_mode'(min, _, min).
'$argument_mode'(max, _, max).
'$argument_mode'(sum, _, sum).
'$argument_mode'(lattice(PI), M, lattice(Goal)) :- '$join_goal'(PI, M, 3, lattice_arity, Goal).
'$argument_mode'(po(PI), M, po(Goal)) :- '$join_goal'(PI, M, 2, po_arity, Goal).

%   Name, Name/Arity or a term with that many arguments, possibly qualified.
'$join_goal'(PI, _, _, _, _) :- var(PI), !, throw(error(instantiation_error, context(system:(table)/1, _))).
'$join_goal'(M:PI, _, Arity, Error, Goal) :- !, '$join_goal'(PI, M, Arity, Error, Goal).
'$join_goal'(Name/A, M, Arity, Error, M:Name) :- !,
    ( A == Arity -> true ; throw(error(domain_error(Error, A), context(system:(table)/1, _))) ).
'$join_goal'(Name, M, _, _, M:Name) :- atom(Name), !.
'$join_goal'(Head, M, Arity, Error, M:Name) :-
    callable(Head),
    functor(Head, Name, A),
    ( A == Arity -> true ; throw(error(domain_error(Error, A), context(system:(table)/1, _))) ).
