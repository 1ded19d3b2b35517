:- module(wfs,
          [ call_delays/2, delays_residual_program/2, call_residual_program/2, answer_residual/2,
            '$conjunction_of_delays'/3, '$residual_program'/3,
            op(900, fy, tnot)
          ]).


/*  What an answer that is undefined in the well-founded semantics depends on: delays, and the program that is left.

    A delay list is one of the machine's terms ('$delays'/1, engine/tabling/negation.rs); conditions are conjunctions of goals, `tnot(Goal)` if they are
    negative, without the module that asks for them.
*/

:- autoload(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- autoload(library(lists), [append/3, list_to_set/2, member/2]).

:- meta_predicate call_delays(0, :), delays_residual_program(:, :), call_residual_program(0, :), answer_residual(:, :).

%!  call_delays(:Goal, -Conditions) is nondet.
%   Goal is true if Conditions are, a conjunction of tabled goals that are undefined; `true`: it is true.
call_delays(Goal, Conditions0) :-
    of_module(Conditions0, M, Conditions),
    delays_of(Goal, Delays),
    '$conjunction_of_delays'(Delays, M, Conditions).

%   Who asks from `user` does not say so.
of_module(Qualified, M, Plain) :- nonvar(Qualified), Qualified = M0:Plain0, !, M = M0, Plain = Plain0.
of_module(Plain, user, Plain).

%   Those of the caller stay, behind those of Goal.
delays_of(Goal, Delays) :-
    '$delays'(Before),
    '$set_delays'([]),
    call(Goal),
    '$delays'(Delays),
    append(Delays, Before, All),
    '$set_delays'(All).

%!  delays_residual_program(:Conditions, -Program) is det.
%   Program has, for each goal of Conditions and whatever these depend on, a clause for each way in which it may be true.
delays_residual_program(Conditions0, Program0) :-
    of_module(Conditions0, M, Conditions),
    of_module(Program0, _, Program),
    ( var(Conditions) -> throw(error(instantiation_error, _)) ; true ),
    literals(Conditions, M, Literals, []),
    '$residual_program'(Literals, M, Program).

%!  call_residual_program(:Goal, -Program) is nondet.
%   Goal is true, or would be if Program made it so.
call_residual_program(Goal, Program0) :-
    of_module(Program0, M, Program),
    delays_of(Goal, Delays),
    '$residual_program'(Delays, M, Program).

%!  answer_residual(:Goal, -Conditions) is nondet.
%   The table for Goal has an answer, to which Goal is bound, that holds under Conditions.
answer_residual(Goal0, Conditions0) :-
    of_module(Goal0, N, Goal),
    of_module(Conditions0, M, Conditions),
    (   '$is_tabled_goal'(N:Goal)
    ->  true
    ;   throw(error(permission_error(answer_residual, non_tabled_procedure, N:Goal), _))
    ),
    delays_of(N:Goal, Delays),
    residual_of(Delays, M, Conditions).

residual_of([], _, true).
residual_of([Literal|_], M, Conditions) :-
    '$delay_lists'(Literal, Lists),
    findall(List, member(_-List, Lists), All),
    disjunction(All, M, Conditions).

disjunction([List], M, Conditions) :- !, '$conjunction_of_delays'(List, M, Conditions).
disjunction([List|Lists], M, (Conditions;Others)) :-
    '$conjunction_of_delays'(List, M, Conditions),
    disjunction(Lists, M, Others).

%   '$conjunction_of_delays'(+Delays, +Module, -Conditions)
'$conjunction_of_delays'([], _, true).
'$conjunction_of_delays'([L|Ls], M, Conditions) :-
    plain(L, M, Goal),
    (   Ls == [] -> Conditions = Goal
    ;   Conditions = (Goal, Others),
        '$conjunction_of_delays'(Ls, M, Others)
    ).

plain(Literal, M, Goal) :- '$delayed_goal'(Literal, Goal0), !, without_module(Goal0, M, Goal).
plain(_, _, undefined).

without_module(tnot(M:G), M, tnot(G)) :- !.
without_module(M:G, M, G) :- !.
without_module(G, _, G).

%   The literals of a conjunction of goals: those of the tables that there are.
literals((A, B), M) --> !, literals(A, M), literals(B, M).
literals(true, _) --> !.
literals(tnot(G0), M) --> !,
    { goal_of(G0, M, N, G), '$conditional_answers'(N:G, All) },
    of_goal(All, N:G).
literals(G0, M) -->
    { goal_of(G0, M, N, G), '$conditional_answers'(N:G, All) },
    of_goal(All, N:G).

goal_of(G0, _, N, G) :- nonvar(G0), G0 = N0:G1, !, N = N0, G = G1.
goal_of(G, M, M, G).

of_goal([], _) --> [].
of_goal([L|Ls], Goal) -->
    ( { '$delayed_goal'(L, G), G =@= Goal } -> [L] ; [] ),
    of_goal(Ls, Goal).

%   '$residual_program'(+Literals, +Module, -Program): the clauses of what literals are about and depend on, those of each answer once.
'$residual_program'(Literals, M, Program) :-
    % (Tables of different calls may share answers.)
    empty_assoc(Done),
    residual(Literals, M, Done, Clauses),
    list_to_set(Clauses, Program).

residual([], _, _, []).
residual([L|Ls], M, Done0, Program) :-
    (   get_assoc(L, Done0, _)
    ->  residual(Ls, M, Done0, Program)
    ;   '$delay_lists'(L, All),
        without(All, Done0, Lists),
        known(Lists, Done0, Done),
        clauses(Lists, M, Program, Rest, Next, Ls),
        residual(Next, M, Done, Rest)
    ).

%   Without those of answers that have had their clauses, and of undefined/0.
without([], _, []).
without([Head-List|All], Done, Lists) :-
    (   ( get_assoc(Head, Done, _) ; '$delayed_goal'(Head, system:undefined) )
    ->  Lists = Lists1
    ;   Lists = [Head-List|Lists1]
    ),
    without(All, Done, Lists1).

known([], Done, Done).
known([L-_|Lists], Done0, Done) :-
    put_assoc(L, Done0, true, Done1),
    known(Lists, Done1, Done).

clauses([], _, Rest, Rest, Next, Next).
clauses([Head-List|Lists], M, [(H:-Body)|Program], Rest, Literals, Next) :-
    plain(Head, M, H0),
    '$conjunction_of_delays'(List, M, Body0),
    without_system(H0, H),
    without_system(Body0, Body),
    append(List, Literals1, Literals),
    clauses(Lists, M, Program, Rest, Literals1, Next).

without_system((A0, B0), (A, B)) :- !, without_system(A0, A), without_system(B0, B).
without_system(tnot(G0), tnot(G)) :- !, without_system(G0, G).
without_system(system:G, G) :- !.
without_system(G, G).
