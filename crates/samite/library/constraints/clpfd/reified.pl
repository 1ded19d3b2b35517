:- module('$fd_reified',
          [ post_true/1,
            run_reified/3,
            run_reified_in/3,
            run_bool/3,
            run_guarded/3
          ]).

:- use_module(library(clpfd/intervals),
              [ domain_intervals/2,
                complement_of/2,
                shifted/3,
                intersection_of/3
              ]).
:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                contains/2,
                domain_of/2,
                becomes/4,
                restrict/4,
                wait_inst/2,
                wait_bounds/2,
                wait_any/2,
                idle/1,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/linear),
              [ post_linear/5,
                linear_terms/2,
                sums/9,
                without_values/4
              ]).
:- use_module(library(clpfd/arithmetic),
              [ post_operation/4
              ]).
:- use_module(library(clpfd/expressions),
              [ post_comparison/3,
                linear_expression/3,
                value_of/2
              ]).

/*  The truth of constraints as a variable: 0 or 1.

        reified(State, Relation, B, Terms, C)    B is 1 if the sum of Terms is in Relation (eq, ne, le) to C, else 0
        reified_in(State, B, X, Intervals)       the same of X in Intervals
        bool(State, Op, A, B, C)                 C is the truth of Op (and, or, imp, eqv, xor) of A and B
        guarded(State, B, Op, Z)                 if B is 1, Z is the value of the operation

    A constraint whose expression has no value, X // 0 #= 1, is not true: each operation
    that may have none gets a variable that says whether it has one (Frisch and Stuckey, "The
    proper treatment of undefinedness in constraint languages", 2009: the relational semantics).
*/

%!  post_true(+Constraint) is semidet.

post_true(E) :-
    (   acyclic_term(E)
    ->  true
    ;   throw(error(domain_error(clpfd_reifiable_expression, E), _))
    ),
    (   nonvar(E),
        post_true_(E)
    ->  true
    ;   nonvar(E),
        is_connective(E)
    ->  fail
    ;   truth(E, 1)
    ).

is_connective(#\(_)).
is_connective(#/\(_, _)).
is_connective(#\/(_, _)).
is_connective(#\(_, _)).
is_connective(#==>(_, _)).
is_connective(#<==(_, _)).
is_connective(#<==>(_, _)).

post_true_(#\(A)) :-
    truth(A, 0).
post_true_(#/\(A, B)) :-
    truth(A, 1),
    truth(B, 1).
post_true_(#\/(A, B)) :-
    connect(or, A, B, 1).
post_true_(#\(A, B)) :-
    connect(xor, A, B, 1).
post_true_(#==>(A, B)) :-
    connect(imp, A, B, 1).
post_true_(#<==(A, B)) :-
    connect(imp, B, A, 1).
post_true_(#<==>(A, B)) :-
    (   var(A)
    ->  truth(B, X),
        truth(A, X)
    ;   truth(A, X),
        truth(B, X)
    ).

connect(Op, A, B, C) :-
    truth(A, X),
    truth(B, Y),
    post_bool(Op, X, Y, C).

%!  truth(?Constraint, ?B) is semidet.
%
%   @error domain_error(clpfd_reifiable_expression, Constraint)

truth(E, B) :-
    (   var(E)
    ->  truth_value(E),
        E = B
    ;   integer(E)
    ->  (   ( E =:= 0 ; E =:= 1 )
        ->  B = E
        ;   throw(error(domain_error(clpfd_reifiable_expression, E), _))
        )
    ;   comparison(E, Relation, L, R)
    ->  compared(Relation, L, R, B)
    ;   E = in(X, D)
    ->  domain_intervals(D, Is),
        fd_attribute_of(X),
        truth_value(B),
        P = reified_in(1, B, X, Is),
        wait_inst(B, P),
        wait_any(X, P),
        start_all([P|Q]-Q)
    ;   E = #\(A)
    ->  (   B == 1
        ->  truth(A, 0)
        ;   B == 0
        ->  truth(A, 1)
        ;   truth(A, X),
            negation(X, B)
        )
    ;   connective(E, Op, A1, A2)
    ->  truth_value(B),
        connect(Op, A1, A2, B)
    ;   throw(error(domain_error(clpfd_reifiable_expression, E), _))
    ).

fd_attribute_of(X) :-
    ( integer(X) -> true ; fd_attribute(X, _) ).

truth_value(B) :-
    (   integer(B)
    ->  ( B =:= 0 ; B =:= 1 ),
        !
    ;   fd_attribute(B, _),
        restrict(B, [0-1], Q, End),
        start_all(Q-End)
    ).

negation(X, B) :-
    (   integer(X)
    ->  B is 1-X
    ;   truth_value(B),
        post_bool(xor, X, B, 1)
    ).

comparison(#=(L, R), eq, L, R).
comparison(#\=(L, R), ne, L, R).
comparison(#=<(L, R), le, L, R).
comparison(#>=(L, R), le, R, L).
comparison(#<(L, R), lt, L, R).
comparison(#>(L, R), lt, R, L).

connective(#/\(A, B), and, A, B).
connective(#\/(A, B), or, A, B).
connective(#\(A, B), xor, A, B).
connective(#==>(A, B), imp, A, B).
connective(#<==(A, B), imp, B, A).
connective(#<==>(A, B), eqv, A, B).

%   --- comparisons ---

compared(Relation, L, R, B) :-
    (   B == 1
    ->  post_comparison(Relation, L, R)
    ;   total(L, L1, [], Ds1),
        total(R, R1, Ds1, Ds),
        truth_value(B),
        (   Ds == []
        ->  linear_truth(Relation, L1, R1, B)
        ;   linear_truth(Relation, L1, R1, B1),
            conjunction([B1|Ds], B)
        )
    ).

linear_truth(Relation, L, R, B) :-
    linear_expression(L-R, Ts, C0),
    (   Relation == lt
    ->  C is -C0-1,
        post_reified(le, Ts, C, B)
    ;   C is -C0,
        post_reified(Relation, Ts, C, B)
    ).

post_reified(Relation, Ts, C, B) :-
    truth_value(B),
    (   integer(B)
    ->  post_as(B, Relation, Ts, C, Q, End),
        start_all(Q-End)
    ;   linear_terms(Ts, Terms),
        P = reified(1, Relation, B, Terms, C),
        wait_inst(B, P),
        (   Relation \== le,
            ( Ts = [_] ; Ts = [_,_] )
        ->  wait_each(Ts, any, P)
        ;   wait_each(Ts, bounds, P)
        ),
        start_all([P|Q]-Q)
    ).

wait_each([], _, _).
wait_each([X-_|Ts], Event, P) :-
    (   Event == any
    ->  wait_any(X, P)
    ;   wait_bounds(X, P)
    ),
    wait_each(Ts, Event, P).

%   What holds if B is 1, and if it is 0.

post_as(1, Relation, Ts, C, Q0, Q) :-
    post_linear(Relation, Ts, C, Q0, Q).
post_as(0, Relation, Ts, C, Q0, Q) :-
    (   Relation == eq
    ->  post_linear(ne, Ts, C, Q0, Q)
    ;   Relation == ne
    ->  post_linear(eq, Ts, C, Q0, Q)
    ;   opposite(Ts, Ts1),
        C1 is -C-1,
        post_linear(le, Ts1, C1, Q0, Q)
    ).

opposite([], []).
opposite([X-K0|Ts0], [X-K|Ts]) :-
    K is -K0,
    opposite(Ts0, Ts).

%!  run_reified(+Propagator, Q0, Q) is semidet.

run_reified(P, Q0, Q) :-
    P = reified(_, Relation, B, Ts, C),
    (   integer(B)
    ->  kill(P),
        without_values(Ts, C, Ts1, C1),
        pairs_of(Ts1, Pairs),
        post_as(B, Relation, Pairs, C1, Q0, Q)
    ;   decided(Relation, Ts, C, V)
    ->  kill(P),
        becomes(B, V, Q0, Q)
    ;   idle(P),
        Q = Q0
    ).

pairs_of(end, []).
pairs_of(t(K, X, Ts), [X-K|Pairs]) :-
    pairs_of(Ts, Pairs).

%   decided(+Relation, +Terms, +C, -V): fails if it is not.

decided(le, Ts, C, V) :-
    (   sums(Ts, 0, 0, 0, Min, Max, 0, _, _)
    ->  (   Max =< C
        ->  V = 1
        ;   Min > C,
            V = 0
        )
    ;   half_sum(Ts, 1, 0, Max),
        Max =< C
    ->  V = 1
    ;   half_sum(Ts, -1, 0, Least),
        -Least > C,
        V = 0
    ).
decided(eq, Ts, C, V) :-
    equal(Ts, C, V).
decided(ne, Ts, C, V) :-
    equal(Ts, C, V0),
    V is 1-V0.

%   half_sum(+Terms, +Sign, +S0, -S): the greatest value of the sum, or of its opposite; fails where there is none.

half_sum(end, _, S, S).
half_sum(t(K0, X, Ts), Sign, S0, S) :-
    K is K0*Sign,
    bounds(X, L, H),
    ( K > 0 -> integer(H), S1 is S0+K*H ; integer(L), S1 is S0+K*L ),
    half_sum(Ts, Sign, S1, S).

equal(Ts0, C0, V) :-
    without_values(Ts0, C0, Ts, C),
    (   Ts == end
    ->  ( C =:= 0 -> V = 1 ; V = 0 )
    ;   Ts = t(K, X, end)
    ->  (   C mod K =:= 0,
            N is C // K,
            contains(X, N)
        ->  fail
        ;   V = 0
        )
    ;   Ts = t(K, X, t(K1, Y, end)),
        K+K1 =:= 0,
        ( K =:= 1 ; K =:= -1 )
    ->  D is C*K,
        (   X == Y
        ->  ( D =:= 0 -> V = 1 ; V = 0 )
        ;   domain_of(X, IsX),
            domain_of(Y, IsY0),
            shifted(IsY0, D, IsY),
            intersection_of(IsX, IsY, []),
            V = 0
        )
    ;   sums(Ts, 0, 0, 0, Min, Max, 0, _, _)
    ->  ( C < Min ; C > Max ),
        !,
        V = 0
    ;   half_sum(Ts, 1, 0, Max),
        Max < C
    ->  V = 0
    ;   half_sum(Ts, -1, 0, Least),
        -Least > C,
        V = 0
    ).

%!  run_reified_in(+Propagator, Q0, Q) is semidet.

run_reified_in(P, Q0, Q) :-
    P = reified_in(_, B, X, Is),
    (   integer(B)
    ->  kill(P),
        (   B =:= 1
        ->  restrict(X, Is, Q0, Q)
        ;   complement_of(Is, Out),
            restrict(X, Out, Q0, Q)
        )
    ;   domain_of(X, D),
        intersection_of(D, Is, Both),
        (   Both == []
        ->  kill(P),
            becomes(B, 0, Q0, Q)
        ;   Both == D
        ->  kill(P),
            becomes(B, 1, Q0, Q)
        ;   idle(P),
            Q = Q0
        )
    ).

%   --- operations that may have no value ---

%   total(+Expression, -Total, +Ds0, -Ds): Total has variables in the places of such operations, whose truths are among
%   Ds.

total(E, E1, Ds0, Ds) :-
    (   var(E)
    ->  E1 = E,
        Ds = Ds0
    ;   atomic(E)
    ->  E1 = E,
        Ds = Ds0
    ;   partial(E, A, B, Name)
    ->  total(A, A1, Ds0, Ds1),
        total(B, B1, Ds1, Ds2),
        value_of(A1, X),
        value_of(B1, Y),
        guarded_operation(Name, X, Y, E1, Ds2, Ds)
    ;   compound_name_arguments(E, Name, As),
        total_each(As, As1, Ds0, Ds),
        compound_name_arguments(E1, Name, As1)
    ).

total_each([], [], Ds, Ds).
total_each([A|As], [A1|As1], Ds0, Ds) :-
    total(A, A1, Ds0, Ds1),
    total_each(As, As1, Ds1, Ds).

partial(A//B, A, B, quotient).
partial(A div B, A, B, div).
partial(A mod B, A, B, mod).
partial(A rem B, A, B, rem).
partial(A^B, A, B, power).
partial(A>>B, A, 2^B, div).
partial(A<<B, A, 2^B, times).
partial(msb(A), A, 0, msb).

guarded_operation(Name, X, Y, Z, Ds0, Ds) :-
    ( Name == msb -> Op = msb(X) ; Op =.. [Name,X,Y] ),
    (   never_undefined(Name, Y)
    ->  D = 1
    ;   Name == power
    ->  truth(#\/(#>=(Y, 0), #\/(#=(X, 1), #=(X, -1))), D)
    ;   Name == msb
    ->  truth(#>(X, 0), D)
    ;   truth(#\=(Y, 0), D)
    ),
    (   D == 1
    ->  Ds = Ds0,
        post_operation(Op, Z, Q, End),
        start_all(Q-End)
    ;   Ds = [D|Ds0],
        fd_attribute(Z, _),
        P = guarded(1, D, Op, Z),
        wait_inst(D, P),
        start_all([P|Q]-Q)
    ).

never_undefined(times, _).
never_undefined(power, Y) :-
    integer(Y),
    Y >= 0.

%!  run_guarded(+Propagator, Q0, Q) is semidet.

run_guarded(P, Q0, Q) :-
    P = guarded(_, D, Op, Z),
    (   D == 1
    ->  kill(P),
        post_operation(Op, Z, Q0, Q)
    ;   D == 0
    ->  kill(P),
        Q = Q0
    ;   idle(P),
        Q = Q0
    ).

conjunction([B], B0) :-
    !,
    B0 = B.
conjunction([B1,B2|Bs], B) :-
    (   Bs == []
    ->  post_bool(and, B1, B2, B)
    ;   truth_value(B3),
        post_bool(and, B1, B2, B3),
        conjunction([B3|Bs], B)
    ).

%   --- truth tables ---

post_bool(Op, A, B, C) :-
    P = bool(1, Op, A, B, C),
    wait_inst(A, P),
    wait_inst(B, P),
    wait_inst(C, P),
    start_all([P|Q]-Q).

%!  run_bool(+Propagator, Q0, Q) is semidet.

run_bool(P, Q0, Q) :-
    P = bool(_, Op, A, B, C),
    rows(Op, Rows0),
    fitting_rows(Rows0, A, B, C, Rows),
    Rows = [r(X, Y, Z)|More],
    same_column(More, 1, X, X1),
    same_column(More, 2, Y, Y1),
    same_column(More, 3, Z, Z1),
    (   More == []
    ->  kill(P)
    ;   entailed(A, B, C, More)
    ->  kill(P)
    ;   idle(P)
    ),
    becomes_if(X1, A, Q0, Q1),
    becomes_if(Y1, B, Q1, Q2),
    becomes_if(Z1, C, Q2, Q).

%   All rows that the variables may have are there.

entailed(A, B, C, More) :-
    variables_among([A,B,C], 1, N),
    length(More, M),
    N =:= M+1.

variables_among([], N, N).
variables_among([X|Xs], N0, N) :-
    ( integer(X) -> N1 = N0 ; N1 is 2*N0 ),
    variables_among(Xs, N1, N).

rows(and, [r(0, 0, 0),r(0, 1, 0),r(1, 0, 0),r(1, 1, 1)]).
rows(or,  [r(0, 0, 0),r(0, 1, 1),r(1, 0, 1),r(1, 1, 1)]).
rows(imp, [r(0, 0, 1),r(0, 1, 1),r(1, 0, 0),r(1, 1, 1)]).
rows(eqv, [r(0, 0, 1),r(0, 1, 0),r(1, 0, 0),r(1, 1, 1)]).
rows(xor, [r(0, 0, 0),r(0, 1, 1),r(1, 0, 1),r(1, 1, 0)]).

fitting_rows([], _, _, _, []).
fitting_rows([R|Rs], A, B, C, Fit) :-
    R = r(X, Y, Z),
    (   may_be(A, X),
        may_be(B, Y),
        may_be(C, Z),
        ( A == B -> X =:= Y ; true ),
        ( A == C -> X =:= Z ; true ),
        ( B == C -> Y =:= Z ; true )
    ->  Fit = [R|Fit1]
    ;   Fit = Fit1
    ),
    fitting_rows(Rs, A, B, C, Fit1).

may_be(A, X) :-
    ( integer(A) -> A =:= X ; true ).

same_column([], _, X, X).
same_column([R|Rs], I, X0, X) :-
    (   arg(I, R, X0)
    ->  same_column(Rs, I, X0, X)
    ;   X = any
    ).

becomes_if(V, A, Q0, Q) :-
    (   V == any
    ->  Q = Q0
    ;   becomes(A, V, Q0, Q)
    ).
