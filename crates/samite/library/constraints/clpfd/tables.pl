:- module('$fd_tables',
          [ post_element/3,
            post_tuples/2,
            post_automaton/3,
            post_automaton/8,
            run_element/3,
            run_tuple/3,
            run_rows/3,
            rows_of_columns/3
          ]).

:- use_module(library(clpfd/intervals),
              [ intersection_of/3,
                union_of/3,
                numbers_of/2,
                points/2
              ]).
:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                contains/2,
                bounds/3,
                bits_of/4,
                keep_bits/5,
                domain_of/2,
                restrict/4,
                wait_any/2,
                idle/1,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/expressions),
              [ value_of/2
              ]).

/*  Constraints that are said by listing what is allowed.

        element(State, I, Xs, V)            V is the I-th argument of the term Xs
        tuple(State, Vars, Columns, Rows)   Vars are a row of a table
        rows(State, Vars, Rows)             the same of a large table

    A table is kept by columns: for each one a list of Value-Mask, whose bits are the rows that have
    the value there; Rows are those that are left (Demeulenaere et al., "Compact-table", CP 2016; without
    its reversible sparse sets: Rows is an integer, changed in place).

    That is as many bits as there are rows for each value. A table with many rows where a column has many values is kept as the
    list of the rows that are left, as terms r(V1,...): a run sorts them by each column and goes along its variable's domain beside them, so
    it costs as much as the rows that there are (Ullmann, "Partition search for non-binary constraint satisfaction", 2007).
*/

%!  post_element(?I, +Variables, ?V) is semidet.

post_element(I, Xs0, V) :-
    length(Xs0, N),
    N > 0,
    Xs =.. [e|Xs0],
    with_attribute([I,V|Xs0]),
    restrict(I, [1-N], Q, Q1),
    P = element(1, I, Xs, V),
    wait_any(I, P),
    wait_any(V, P),
    wait_any_on(Xs0, P),
    Q1 = [P|End],
    start_all(Q-End).

with_attribute([]).
with_attribute([X|Xs]) :-
    ( integer(X) -> true ; fd_attribute(X, _) ),
    with_attribute(Xs).

wait_any_on([], _).
wait_any_on([X|Xs], P) :-
    wait_any(X, P),
    wait_any_on(Xs, P).

%!  run_element(+Propagator, Q0, Q) is semidet.

run_element(P, Q0, Q) :-
    P = element(_, I, Xs, V),
    (   integer(I)
    ->  kill(P),
        arg(I, Xs, X),
        Q0 = [same(1, X, V)|Q]
    ;   idle(P),
        domain_of(I, IsI),
        domain_of(V, IsV),
        numbers_of(IsI, Is),
        possible(Is, Xs, IsV, Possible, [], IsV1),
        (   Possible == Is
        ->  Q1 = Q0
        ;   points(Possible, IsI1),
            restrict(I, IsI1, Q0, Q1)
        ),
        restrict(V, IsV1, Q1, Q)
    ).

%   possible(+Indices, +Xs, +Domain, -Possible, +Values0, -Values)

possible([], _, _, [], Vs, Vs).
possible([I|Is], Xs, D, Possible, Vs0, Vs) :-
    arg(I, Xs, X),
    domain_of(X, IsX),
    intersection_of(IsX, D, Both),
    (   Both == []
    ->  Possible = Possible1,
        Vs1 = Vs0
    ;   Possible = [I|Possible1],
        union_of(Both, Vs0, Vs1)
    ),
    possible(Is, Xs, D, Possible1, Vs1, Vs).

%!  post_tuples(+Tuples, +Relation) is semidet.

post_tuples(Ts, Relation) :-
    each_tuple(Ts, Relation).

each_tuple([], _).
each_tuple([T|Ts], Relation) :-
    post_tuple(T, Relation),
    each_tuple(Ts, Relation).

post_tuple(T, Relation) :-
    with_attribute(T),
    length(T, N),
    rows_like(Relation, T, N, Rows0),
    sort(Rows0, Rows),
    length(Rows, M),
    (   T == []
    ->  Rows \== []
    ;   is_wide(M, N, Rows)
    ->  as_terms(Rows, Terms),
        P = rows(1, T, Terms),
        wait_any_on(T, P),
        start_all([P|Q]-Q)
    ;   fitting_rows(Rows, T, Fitting),
        length(Fitting, F),
        columns_of(T, Fitting, Columns),
        All is (1 << F)-1,
        P = tuple(1, T, Columns, All),
        wait_any_on(T, P),
        start_all([P|Q]-Q)
    ).

%   rows_like(+Relation, +T, +N, -Rows): that unify with T, whose variables may be the same.

rows_like([], _, _, []).
rows_like([R|Rs], T, N, Like) :-
    (   length(R, N),
        copy_term_nat(T, R)
    ->  Like = [R|Like1]
    ;   Like = Like1
    ),
    rows_like(Rs, T, N, Like1).

%   is_wide(+M, +N, +Rows): of the M rows of N columns there are too many values in one for a mask each.

wide_from(2000).

is_wide(M, N, Rows) :-
    wide_from(Many),
    M > Many,
    between(1, N, I),
    values_of_column(Rows, I, Vs),
    length(Vs, Distinct),
    Distinct > Many,
    !.

values_of_column(Rows, I, Vs) :-
    nth_each(Rows, I, Vs0),
    sort(Vs0, Vs).

nth_each([], _, []).
nth_each([R|Rs], I, [V|Vs]) :-
    nth1(I, R, V),
    nth_each(Rs, I, Vs).

as_terms([], []).
as_terms([R|Rs], [T|Ts]) :-
    T =.. [r|R],
    as_terms(Rs, Ts).

fitting_rows([], _, []).
fitting_rows([R|Rs], T, Fit) :-
    (   fits_row(T, R)
    ->  Fit = [R|Fit1]
    ;   Fit = Fit1
    ),
    fitting_rows(Rs, T, Fit1).

fits_row([], []).
fits_row([X|Xs], [V|Vs]) :-
    contains(X, V),
    fits_row(Xs, Vs).

columns_of([], _, []).
columns_of([_|Xs], Rows, [Column|Columns]) :-
    heads(Rows, 0, Keyed, Rests),
    keysort(Keyed, Sorted),
    masks(Sorted, Column),
    columns_of(Xs, Rests, Columns).

heads([], _, [], []).
heads([[V|R]|Rows], I, [V-I|Keyed], [R|Rests]) :-
    I1 is I+1,
    heads(Rows, I1, Keyed, Rests).

masks([], []).
masks([V-I|Ks], [V-Mask|Ms]) :-
    Mask0 is 1 << I,
    same_value(Ks, V, Mask0, Mask, Rest),
    masks(Rest, Ms).

same_value(Ks, V, Mask0, Mask, Rest) :-
    (   Ks = [V1-I|Ks1],
        V1 =:= V
    ->  Mask1 is Mask0 \/ (1 << I),
        same_value(Ks1, V, Mask1, Mask, Rest)
    ;   Mask = Mask0,
        Rest = Ks
    ).

%!  run_tuple(+Propagator, Q0, Q) is semidet.

run_tuple(P, Q0, Q) :-
    P = tuple(_, Xs, Columns, Rows0),
    ( ground(Xs) -> kill(P) ; true ),
    rows_left(Xs, Columns, Rows0, Rows),
    Rows =\= 0,
    ( Rows =:= Rows0 -> true ; setarg(4, P, Rows) ),
    supported(Xs, Columns, Rows, Q0, Q),
    (   arg(1, P, 2)
    ->  true
    ;   ground(Xs)
    ->  kill(P),
        rows_left(Xs, Columns, Rows, Rows1),
        Rows1 =\= 0
    ;   idle(P)
    ).

rows_left([], [], Rows, Rows).
rows_left([X|Xs], [Column|Columns], Rows0, Rows) :-
    (   integer(X)
    ->  rows_of_value(Column, X, Mask)
    ;   is_narrow(X)
    ->  bits_of(X, Bits, L, _),
        rows_of_bits(Column, Bits, L, 0, Mask)
    ;   rows_with(Column, X, 0, Mask)
    ),
    Rows1 is Rows0 /\ Mask,
    rows_left(Xs, Columns, Rows1, Rows).

%   Whose domain is better looked at as bits.

is_narrow(X) :-
    bounds(X, L, H),
    integer(L),
    integer(H),
    H-L < 10000.

rows_of_value([V-M|Column], X, Mask) :-
    (   V =:= X
    ->  Mask = M
    ;   V < X,
        rows_of_value(Column, X, Mask)
    ).

rows_of_bits([], _, _, Mask, Mask).
rows_of_bits([V-M|Column], Bits, L, Mask0, Mask) :-
    (   V >= L,
        (Bits >> (V-L)) /\ 1 =:= 1
    ->  Mask1 is Mask0 \/ M
    ;   Mask1 = Mask0
    ),
    rows_of_bits(Column, Bits, L, Mask1, Mask).

rows_with([], _, Mask, Mask).
rows_with([V-M|Column], X, Mask0, Mask) :-
    (   contains(X, V)
    ->  Mask1 is Mask0 \/ M
    ;   Mask1 = Mask0
    ),
    rows_with(Column, X, Mask1, Mask).

supported([], [], _, Q, Q).
supported([X|Xs], [Column|Columns], Rows, Q0, Q) :-
    (   integer(X)
    ->  Q1 = Q0
    ;   is_narrow(X)
    ->  bounds(X, L, _),
        bits_in(Column, Rows, L, 0, Bits),
        keep_bits(X, Bits, L, Q0, Q1)
    ;   values_in(Column, Rows, Vs),
        points(Vs, Is),
        restrict(X, Is, Q0, Q1)
    ),
    supported(Xs, Columns, Rows, Q1, Q).

bits_in([], _, _, Bits, Bits).
bits_in([V-M|Column], Rows, L, Bits0, Bits) :-
    (   M /\ Rows =\= 0,
        V >= L
    ->  Bits1 is Bits0 \/ (1 << (V-L))
    ;   Bits1 = Bits0
    ),
    bits_in(Column, Rows, L, Bits1, Bits).

values_in([], _, []).
values_in([V-M|Column], Rows, Vs) :-
    (   M /\ Rows =:= 0
    ->  Vs = Vs1
    ;   Vs = [V|Vs1]
    ),
    values_in(Column, Rows, Vs1).

%!  run_rows(+Propagator, Q0, Q) is semidet.

run_rows(P, Q0, Q) :-
    P = rows(_, Xs, Rows0),
    ( ground(Xs) -> kill(P) ; true ),
    rows_within(Xs, 1, Rows0, Rows),
    Rows \== [],
    setarg(3, P, Rows),
    rows_support(Xs, 1, Rows, Q0, Q),
    (   arg(1, P, 2)
    ->  true
    ;   ground(Xs)
    ->  kill(P),
        rows_within(Xs, 1, Rows, [_|_])
    ;   idle(P)
    ).

%   rows_within(+Vars, +I, +Rows0, -Rows): whose arguments from I on are in the domains of Vars.

rows_within([], _, Rows, Rows).
rows_within([X|Xs], I, Rows0, Rows) :-
    domain_of(X, Is),
    (   Is == [inf-sup]
    ->  Rows1 = Rows0
    ;   by_column(Rows0, I, Keyed),
        keysort(Keyed, Sorted),
        rows_along(Sorted, Is, Rows1)
    ),
    I1 is I+1,
    rows_within(Xs, I1, Rows1, Rows).

by_column([], _, []).
by_column([R|Rs], I, [V-R|Keyed]) :-
    arg(I, R, V),
    by_column(Rs, I, Keyed).

%   rows_along(+Keyed, +Intervals, -Rows): both are in order.

rows_along([], _, []).
rows_along([V-R|Keyed], Is, Rows) :-
    (   Is = [_-H|Is1]
    ->  (   integer(H),
            H < V
        ->  rows_along([V-R|Keyed], Is1, Rows)
        ;   Is = [L-_|_],
            integer(L),
            V < L
        ->  rows_along(Keyed, Is, Rows)
        ;   Rows = [R|Rows1],
            rows_along(Keyed, Is, Rows1)
        )
    ;   Rows = []
    ).

rows_support([], _, _, Q, Q).
rows_support([X|Xs], I, Rows, Q0, Q) :-
    (   integer(X)
    ->  Q1 = Q0
    ;   arguments_of(Rows, I, Vs0),
        sort(Vs0, Vs),
        points(Vs, Is),
        restrict(X, Is, Q0, Q1)
    ),
    I1 is I+1,
    rows_support(Xs, I1, Rows, Q1, Q).

arguments_of([], _, []).
arguments_of([R|Rs], I, [V|Vs]) :-
    arg(I, R, V),
    arguments_of(Rs, I, Vs).

%!  rows_of_columns(+Columns, +Rows, -Table) is det.
%
%   The rows as lists.

rows_of_columns(Columns, Rows, Table) :-
    (   Rows =:= 0
    ->  Table = []
    ;   I is lsb(Rows),
        row_of(Columns, I, Row),
        Rest is Rows /\ (Rows-1),
        Table = [Row|Table1],
        rows_of_columns(Columns, Rest, Table1)
    ).

row_of([], _, []).
row_of([Column|Columns], I, [V|Vs]) :-
    value_in_row(Column, I, V),
    row_of(Columns, I, Vs).

value_in_row([V0-Mask|Column], I, V) :-
    (   (Mask >> I) /\ 1 =:= 1
    ->  V = V0
    ;   value_in_row(Column, I, V)
    ).

%!  post_automaton(+Sequence, +Nodes, +Arcs) is semidet.
%
%   A table of state, symbol, next state for each of the sequence (Beldiceanu, Carlsson, Petit, "Deriving filtering
%   algorithms from constraint checkers", CP 2004).

post_automaton(Xs, Nodes, Arcs) :-
    post_automaton(Xs, Xs, Xs, Nodes, Arcs, [], [], []).

%!  post_automaton(+Sequence, ?Template, +Signature, +Nodes, +Arcs, +Counters, ?Initials, ?Finals) is semidet.

post_automaton(Sequence, Template, Signature, Nodes, Arcs0, Counters, Initials, Finals) :-
    with_counters(Arcs0, Counters, Arcs),
    states(Nodes, Arcs, States),
    numbered_nodes(Nodes, source, States, Sources),
    numbered_nodes(Nodes, sink, States, Sinks),
    numbered_arcs(Arcs, States, 1, Rows),
    value_in(First, Sources),
    arcs_updates(Arcs, Updates),
    (   Counters == []
    ->  plain_rows(Rows, Plain),
        walk(Signature, First, Plain, Last)
    ;   walk_counting(Signature, Sequence, Template, First, Rows, Counters, Updates, Initials, Finals, Last)
    ),
    value_in(Last, Sinks).

value_in(X, Vs) :-
    sort(Vs, Sorted),
    points(Sorted, Is),
    ( integer(X) -> true ; fd_attribute(X, _) ),
    restrict(X, Is, Q, End),
    start_all(Q-End).

with_counters([], _, []).
with_counters([A0|As0], Counters, [A|As]) :-
    (   A0 = arc(_, _, _, _)
    ->  A = A0
    ;   A0 = arc(S, L, T)
    ->  A = arc(S, L, T, Counters)
    ;   throw(error(domain_error(arc, A0), _))
    ),
    with_counters(As0, Counters, As).

states(Nodes, Arcs, States) :-
    names(Nodes, Names, Names1),
    arc_states(Arcs, Names1),
    sort(Names, Sorted),
    number_from(Sorted, 0, States).

names([], Ns, Ns).
names([Node|Nodes], [N|Ns], Rest) :-
    (   ( Node = source(N) ; Node = sink(N) )
    ->  true
    ;   throw(error(domain_error(node, Node), _))
    ),
    names(Nodes, Ns, Rest).

arc_states([], []).
arc_states([arc(S, _, T, _)|As], [S,T|Ns]) :-
    arc_states(As, Ns).

number_from([], _, []).
number_from([N|Ns], I, [N-I|States]) :-
    I1 is I+1,
    number_from(Ns, I1, States).

numbered_nodes([], _, _, []).
numbered_nodes([Node|Nodes], Kind, States, Is) :-
    arg(1, Node, N),
    (   functor(Node, Kind, 1)
    ->  state_number(States, N, I),
        Is = [I|Is1]
    ;   Is = Is1
    ),
    numbered_nodes(Nodes, Kind, States, Is1).

state_number([M-J|States], N, I) :-
    ( M == N -> I = J ; state_number(States, N, I) ).

numbered_arcs([], _, _, []).
numbered_arcs([arc(S0, L, T0, _)|As], States, I, [[S,L,T,I]|Rows]) :-
    state_number(States, S0, S),
    state_number(States, T0, T),
    I1 is I+1,
    numbered_arcs(As, States, I1, Rows).

arcs_updates([], []).
arcs_updates([arc(_, _, _, Us)|As], [Us|Uss]) :-
    arcs_updates(As, Uss).

plain_rows([], []).
plain_rows([[S,L,T,_]|Rows0], [[S,L,T]|Rows]) :-
    plain_rows(Rows0, Rows).

walk([], S, _, S).
walk([X|Xs], S0, Rows, S) :-
    post_tuple([S0,X,S1], Rows),
    walk(Xs, S1, Rows, S).

%   Which arc is taken is a variable; each counter's next value is the element of it in those that the arcs give.

walk_counting([], _, _, S, _, _, _, Cs, Cs, S).
walk_counting([L|Ls], [X|Xs], Template, S0, Rows, Counters, Updates, Cs0, Cs, S) :-
    post_tuple([S0,L,S1,A], Rows),
    updated(Updates, Template-Counters, X-Cs0, Columns0),
    update_columns(Counters, Columns0, Columns),
    next_counters(Columns, A, Cs1),
    walk_counting(Ls, Xs, Template, S1, Rows, Counters, Updates, Cs1, Cs, S).

updated([], _, _, []).
updated([Us|Uss], Names, Values, [Vs|Vss]) :-
    copy_term(Names-Us, Values-Es),
    values_each(Es, Vs),
    updated(Uss, Names, Values, Vss).

values_each([], []).
values_each([E|Es], [V|Vs]) :-
    value_of(E, V),
    values_each(Es, Vs).

update_columns([], _, []).
update_columns([_|Cs], Rows, [Column|Columns]) :-
    firsts_of(Rows, Column, Rests),
    update_columns(Cs, Rests, Columns).

firsts_of([], [], []).
firsts_of([[V|R]|Rows], [V|Vs], [R|Rs]) :-
    firsts_of(Rows, Vs, Rs).

next_counters([], _, []).
next_counters([Column|Columns], A, [C|Cs]) :-
    post_element(A, Column, C),
    next_counters(Columns, A, Cs).
