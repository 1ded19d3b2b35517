:- module(increval,
          [ incr_directly_depends/2,
            incr_trans_depends/2,
            incr_invalid_subgoals/1,
            incr_is_invalid/1,
            incr_invalidate_call/1,
            incr_invalidate_calls/1,
            incr_propagate_calls/1,
            incr_table_update/0,
            is_incremental_subgoal/1,
            incr_assert/1,
            incr_asserta/1,
            incr_assertz/1,
            incr_retract/1,
            incr_retractall/1
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2]).

/*  Looking at what incremental tables of this thread depend on, and making them anew, as XSB and SWI-Prolog's library(increval).

    A table that is invalid is made anew when it is called. Nodes of the graph are tables and calls of dynamic predicates ('$graph_nodes'/2,
    engine/tabling/graph.rs).  */

:- meta_predicate(incr_directly_depends(:, :)).
:- meta_predicate(incr_trans_depends(:, :)).
:- meta_predicate(incr_is_invalid(:)).
:- meta_predicate(incr_invalidate_call(:)).
:- meta_predicate(incr_invalidate_calls(:)).
:- meta_predicate(incr_propagate_calls(:)).
:- meta_predicate(is_incremental_subgoal(:)).
:- meta_predicate(incr_assert(:)).
:- meta_predicate(incr_asserta(:)).
:- meta_predicate(incr_assertz(:)).
:- meta_predicate(incr_retract(:)).
:- meta_predicate(incr_retractall(:)).

%   node(:Goal, -N) is nondet: a node whose goal unifies with Goal.
node(Goal, N) :-
    called(Goal, M:Head),
    '$graph_nodes'(of(M:Head), Nodes),
    member(N, Nodes),
    '$graph_goal'(N, M:Head).

called(Goal, M:Head) :-
    strip_module(Goal, M0, Head),
    must_be(callable, Head),
    (   predicate_property(M0:Head, imported_from(M1))
    ->  M = M1
    ;   M = M0
    ).

%   shown(+Node, :As): As is its goal, without the module if that is the one that As has.
shown(N, M0:As) :-
    '$graph_goal'(N, M:Goal),
    (   nonvar(As), As = M1:As1
    ->  M1 = M, As1 = Goal
    ;   M == M0
    ->  As = Goal
    ;   As = M:Goal
    ).

%!  incr_directly_depends(:Table, :On) is nondet.
%   The last evaluation of Table has used On, a table or a call of a dynamic predicate. One of both must be bound.
incr_directly_depends(Table, On) :-
    depends(Table, On, uses, users).

%!  incr_trans_depends(:Table, :On) is nondet.
%   The same, directly or over other tables.
incr_trans_depends(Table, On) :-
    depends(Table, On, trans(uses), trans(users)).

depends(Table, On, Uses, Users) :-
    strip_module(Table, MT, T),
    strip_module(On, MO, O),
    (   nonvar(T)
    ->  node(Table, N),
        reached(Uses, N, Used),
        shown(Used, MO:O)
    ;   nonvar(O)
    ->  node(On, N),
        reached(Users, N, User),
        shown(User, MT:T)
    ;   must_be(callable, T)
    ).

reached(trans(How), N, M) :- !,
    reachable([N], How, [], Ms),
    member(M, Ms).
reached(How, N, M) :-
    Which =.. [How, N],
    '$graph_nodes'(Which, Ms),
    member(M, Ms).

%   reachable(+Nodes, +How, +Found0, -Found)
reachable([], _, Found, Found).
reachable([N|Ns], How, Found0, Found) :-
    Which =.. [How, N],
    '$graph_nodes'(Which, Ms),
    new_ones(Ms, Found0, New),
    '$append'(New, Found0, Found1),
    '$append'(New, Ns, Ns1),
    reachable(Ns1, How, Found1, Found).

new_ones([], _, []).
new_ones([M|Ms], Found, New) :-
    (   memberchk(M, Found)
    ->  New = New1
    ;   New = [M|New1]
    ),
    new_ones(Ms, [M|Found], New1).

%!  incr_invalid_subgoals(-Goals) is det.
%   The calls whose tables are made anew when they are called, or may be.
incr_invalid_subgoals(Goals) :-
    '$graph_nodes'(invalid, Nodes),
    findall(Goal, ( member(N, Nodes), '$graph_goal'(N, Goal) ), Goals).

%!  incr_is_invalid(:Goal) is semidet.
%   A variant of Goal has a table that is invalid.
incr_is_invalid(Goal) :-
    variant_node(Goal, N),
    '$graph_is_invalid'(N).

variant_node(Goal, N) :-
    called(Goal, M:Head),
    copy_term(Head, Copy),
    '$graph_nodes'(of(M:Copy), Nodes),
    member(N, Nodes),
    '$graph_goal'(N, M:Of),
    Of =@= Copy, !.

%!  is_incremental_subgoal(:Goal) is semidet.
%   A variant of Goal has a table that is incremental.
is_incremental_subgoal(Goal) :- variant_node(Goal, _).

%!  incr_invalidate_call(:Goal) is det.
%   The table of a variant of Goal, if there is one, is invalid from now on, and so are those that depend on it.
incr_invalidate_call(Goal) :-
    (   variant_node(Goal, N)
    ->  '$graph_invalidate'(N)
    ;   true
    ).

%!  incr_invalidate_calls(:Goal) is det.
%   The same for the tables of all calls that unify with Goal.
incr_invalidate_calls(Goal) :-
    forall(node(Goal, N), '$graph_invalidate'(N)).

%!  incr_propagate_calls(:Answer) is det.
%   What depends on tables that Answer is an answer of is invalid, as if it had come.
incr_propagate_calls(Answer) :- incr_invalidate_calls(Answer).

%!  incr_table_update is det.
%   Makes all tables anew that are invalid.
incr_table_update :-
    incr_invalid_subgoals(Goals),
    forall(member(Goal, Goals), ( call(Goal) -> true ; true )).

%!  incr_assert(:Clause) is det.
%!  incr_asserta(:Clause) is det.
%!  incr_assertz(:Clause) is det.
%!  incr_retract(:Clause) is nondet.
%!  incr_retractall(:Head) is det.
%   As the predicates without `incr_`, under XSB's names.
incr_assert(Clause) :- assertz(Clause).
incr_asserta(Clause) :- asserta(Clause).
incr_assertz(Clause) :- assertz(Clause).
incr_retract(Clause) :- retract(Clause).
incr_retractall(Head) :- retractall(Head).
