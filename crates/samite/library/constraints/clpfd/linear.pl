:- module('$fd_linear',
          [ post_linear/3,
            post_linear/5,
            with_attribute/2,
            sums/9,
            without_values/4,
            linear_terms/2,
            run_plus/3,
            run_linear_eq/3,
            run_linear_le/3,
            run_linear_ne/3,
            run_order/3,
            run_different/3,
            run_others/3,
            merge_terms/3
          ]).

:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                at_least/4,
                at_most/4,
                soft_at_least/4,
                soft_at_most/4,
                becomes/4,
                remove/4,
                wait_inst/2,
                wait_bounds/2,
                idle/1,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/pairs),
              [ post_pair/7
              ]).

/*  Linear constraints: sums of variables with coefficients beside a constant.

    Bounds are made consistent, as in Harvey and Schimpf, "Bounds consistency
    techniques for long linear constraints" (2002). Equations of two variables are in pairs.pl: a sum
    becomes one of those when X+Y or X-Y is left of it, but for those of sum/3, where such pairs cost more than they find.

        plus(State, Terms, C)       the sum of Terms is C
        lin_eq(State, Terms, C)     the same, on bounds alone
        lin_le(State, Terms, C)     it is at most C
        lin_ne(State, Terms, C)     it is not C
        order(State, X, Y, C)       X =< Y+C
        ne(State, X, Y, C)          X is not Y+C
        others(State, X, Ys, Group) X is none of Ys; it waits for X alone

    Terms is t(K, X, Terms), K =\= 0, or end. Those that have got values are taken
    off when the propagator runs.
*/

%!  post_linear(+Relation, +Terms, +C) is semidet.
%!  post_linear(+Relation, +Terms, +C, Q0, Q) is semidet.
%
%   The sum of Terms, a list of X-K, is in relation eq, le or ne to C; sum is eq of which only bounds matter. No variable
%   occurs twice, and no number.

post_linear(Relation, Terms, C) :-
    post_linear(Relation, Terms, C, Q, End),
    start_all(Q-End).

post_linear(Relation, Terms, C, Q0, Q) :-
    (   Terms == []
    ->  holds(Relation, 0, C),
        Q = Q0
    ;   Terms = [X-K]
    ->  fd_attribute(X, _),
        post_one(Relation, K, X, C, Q0, Q)
    ;   divided(Relation, Terms, C, Terms1, C1)
    ->  post_several(Relation, Terms1, C1, Q0, Q)
    ;   Relation == ne,
        Q = Q0
    ).

holds(eq, A, C) :- A =:= C.
holds(sum, A, C) :- A =:= C.
holds(le, A, C) :- A =< C.
holds(ne, A, C) :- A =\= C.

%   By the greatest common divisor; fails if no integers are solutions.

divided(Relation, Terms, C, Terms1, C1) :-
    coefficients_gcd(Terms, 0, G),
    (   G =:= 1
    ->  Terms1 = Terms,
        C1 = C
    ;   Relation == le
    ->  C1 is C div G,
        divide_terms(Terms, G, Terms1)
    ;   C mod G =:= 0,
        C1 is C // G,
        divide_terms(Terms, G, Terms1)
    ).

coefficients_gcd([], G, G).
coefficients_gcd([_-K|Ts], G0, G) :-
    (   G0 =:= 1
    ->  G = 1
    ;   G1 is gcd(K, G0),
        coefficients_gcd(Ts, G1, G)
    ).

divide_terms([], _, []).
divide_terms([X-K0|Ts0], G, [X-K|Ts]) :-
    K is K0 // G,
    divide_terms(Ts0, G, Ts).

post_one(eq, K, X, C, Q0, Q) :-
    C mod K =:= 0,
    V is C // K,
    becomes(X, V, Q0, Q).
post_one(sum, K, X, C, Q0, Q) :-
    post_one(eq, K, X, C, Q0, Q).
post_one(le, K, X, C, Q0, Q) :-
    (   K > 0
    ->  V is C div K,
        at_most(X, V, Q0, Q)
    ;   V is -(C div -K),
        at_least(X, V, Q0, Q)
    ).
post_one(ne, K, X, C, Q0, Q) :-
    (   C mod K =:= 0
    ->  V is C // K,
        remove(X, V, Q0, Q)
    ;   Q = Q0
    ).

post_several(Relation, [X-KX,Y-KY], C, Q0, Q) :-
    KX+KY =:= 0,
    Relation \== sum,
    !,
    (   KX =:= 1
    ->  post_two(Relation, X, Y, C, Q0, Q)
    ;   Relation == le
    ->  post_two(le, Y, X, C, Q0, Q)
    ;   C1 is -C,
        post_two(Relation, X, Y, C1, Q0, Q)
    ).
post_several(eq, [X-KX,Y-KY], C, Q0, Q) :-
    !,
    post_pair(KX, X, KY, Y, C, Q0, Q).
post_several(eq, Ts, C, Q0, Q) :-
    linear_terms(Ts, Terms),
    post_sum(plus(1, Terms, C), Ts, Q0, Q).
post_several(sum, Ts, C, Q0, Q) :-
    (   Ts = [_,_]
    ->  post_several(eq, Ts, C, Q0, Q)
    ;   linear_terms(Ts, Terms),
        post_sum(lin_eq(1, Terms, C), Ts, Q0, Q)
    ).
post_several(le, Ts, C, Q0, Q) :-
    linear_terms(Ts, Terms),
    post_sum(lin_le(1, Terms, C), Ts, Q0, Q).
post_several(ne, Ts, C, Q0, Q) :-
    linear_terms(Ts, Terms),
    P = lin_ne(1, Terms, C),
    wait_each_inst(Ts, P),
    Q0 = [P|Q].

%   X is Y+C, is not, is at most.

post_two(eq, X, Y, C, Q0, Q) :-
    (   C =:= 0
    ->  with_attribute(X, Y),
        Q0 = [same(1, X, Y)|Q]
    ;   post_pair(1, X, -1, Y, C, Q0, Q)
    ).
post_two(le, X, Y, C, Q0, Q) :-
    P = order(1, X, Y, C),
    wait_bounds(X, P),
    wait_bounds(Y, P),
    Q0 = [P|Q].
post_two(ne, X, Y, C, Q, Q) :-
    P = ne(0, X, Y, C),
    wait_inst(X, P),
    wait_inst(Y, P).

%!  with_attribute(?X, ?Y) is det.
%
%   When X and Y have become one, it is a variable with a domain.

with_attribute(X, Y) :-
    (   get_attr(Y, '$clpfd', _)
    ->  true
    ;   fd_attribute(X, _)
    ).

post_sum(P, Ts, Q0, Q) :-
    wait_each_bounds(Ts, P),
    Q0 = [P|Q].

%!  linear_terms(+Pairs, -Terms) is det.

linear_terms([], end).
linear_terms([X-K|Ts], t(K, X, Terms)) :-
    linear_terms(Ts, Terms).

wait_each_bounds([], _).
wait_each_bounds([X-_|Ts], P) :-
    wait_bounds(X, P),
    wait_each_bounds(Ts, P).

wait_each_inst([], _).
wait_each_inst([X-_|Ts], P) :-
    wait_inst(X, P),
    wait_each_inst(Ts, P).

%!  merge_terms(+Terms0, -Terms, -C) is det.
%
%   Variables once each, numbers in C.

merge_terms(Terms0, Terms, C) :-
    merge_terms(Terms0, end, Terms, 0, C).

merge_terms(end, Ts, Ts, C, C).
merge_terms(t(K, X, Rest), Ts0, Ts, C0, C) :-
    (   integer(X)
    ->  C1 is C0+K*X,
        merge_terms(Rest, Ts0, Ts, C1, C)
    ;   add_term(Ts0, K, X, Ts1),
        merge_terms(Rest, Ts1, Ts, C0, C)
    ).

add_term(end, K, X, t(K, X, end)).
add_term(t(K0, Y, Rest), K, X, Ts) :-
    (   X == Y
    ->  K1 is K0+K,
        ( K1 =:= 0 -> Ts = Rest ; Ts = t(K1, X, Rest) )
    ;   Ts = t(K0, Y, Ts1),
        add_term(Rest, K, X, Ts1)
    ).

%   --- X is not Y+C ---

%!  run_different(+Propagator, Q0, Q) is semidet.

run_different(P, Q0, Q) :-
    P = ne(_, X, Y, C),
    (   integer(X)
    ->  (   integer(Y)
        ->  X =\= Y+C,
            Q = Q0
        ;   V is X-C,
            remove(Y, V, Q0, Q)
        )
    ;   integer(Y)
    ->  V is Y+C,
        remove(X, V, Q0, Q)
    ;   X == Y
    ->  C =\= 0,
        Q = Q0
    ;   Q = Q0
    ).

%!  run_others(+Propagator, Q0, Q) is semidet.

run_others(others(_, X, Ys, _), Q0, Q) :-
    (   integer(X)
    ->  remove_from_each(Ys, X, Q0, Q)
    ;   none_is(Ys, X),
        Q = Q0
    ).

remove_from_each([], _, Q, Q).
remove_from_each([Y|Ys], V, Q0, Q) :-
    (   integer(Y)
    ->  Y =\= V,
        remove_from_each(Ys, V, Q0, Q)
    ;   remove(Y, V, Q0, Q1),
        remove_from_each(Ys, V, Q1, Q)
    ).

none_is([], _).
none_is([Y|Ys], X) :-
    X \== Y,
    none_is(Ys, X).

%   --- X =< Y+C ---

%!  run_order(+Propagator, Q0, Q) is semidet.

run_order(P, Q0, Q) :-
    P = order(_, X, Y, C),
    (   integer(X)
    ->  kill(P),
        V is X-C,
        at_least(Y, V, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        V is Y+C,
        at_most(X, V, Q0, Q)
    ;   bounds(X, LX, HX),
        bounds(Y, LY, HY),
        (   integer(HX),
            integer(LY),
            HX =< LY+C
        ->  kill(P),
            Q = Q0
        ;   X == Y
        ->  C >= 0,
            kill(P),
            Q = Q0
        ;   integer(HY)
        ->  V is HY+C,
            soft_at_most(X, V, Q0, Q1),
            order_from(LX, Y, C, Q1, Q),
            still_waits(P)
        ;   order_from(LX, Y, C, Q0, Q),
            still_waits(P)
        )
    ).

order_from(LX, Y, C, Q0, Q) :-
    (   integer(LX)
    ->  V is LX-C,
        soft_at_least(Y, V, Q0, Q)
    ;   Q = Q0
    ).

still_waits(P) :-
    setarg(1, P, 0).

%   --- sums ---

%!  run_plus(+Propagator, Q0, Q) is semidet.

run_plus(P, Q0, Q) :-
    P = plus(_, Ts, C),
    (   pair_left(Ts, C, K, X, L, Y, C1)
    ->  kill(P),
        post_pair(K, X, L, Y, C1, Q0, Q)
    ;   run_linear_eq(P, Q0, Q)
    ).

%   pair_left(+Terms, +C0, -K, -X, -L, -Y, -C): K*X+L*Y = C is what is left. With other coefficients than 1 and -1 holes of one domain are
%   seldom holes of the other one.

pair_left(t(K0, X0, Ts), C0, K, X, L, Y, C) :-
    (   integer(X0)
    ->  C1 is C0-K0*X0,
        pair_left(Ts, C1, K, X, L, Y, C)
    ;   K = K0,
        X = X0,
        abs(K) =:= 1,
        one_left(Ts, C0, L, Y, C)
    ).

one_left(t(L0, Y0, Ts), C0, L, Y, C) :-
    (   integer(Y0)
    ->  C1 is C0-L0*Y0,
        one_left(Ts, C1, L, Y, C)
    ;   L = L0,
        Y = Y0,
        abs(L) =:= 1,
        none_left(Ts, C0, C)
    ).

none_left(end, C, C).
none_left(t(K, X, Ts), C0, C) :-
    integer(X),
    C1 is C0-K*X,
    none_left(Ts, C1, C).

%!  run_linear_eq(+Propagator, Q0, Q) is semidet.

run_linear_eq(P, Q0, Q) :-
    arg(2, P, Ts),
    arg(3, P, C),
    (   sums(Ts, 0, 0, 0, Min, Max, 0, Fixed, Widest)
    ->  R is C-Min,
        S is Max-C,
        R >= 0,
        S >= 0,
        (   Widest =< R,
            Widest =< S
        ->  Q = Q0,
            (   Fixed =:= 0
            ->  idle(P)
            ;   Widest =:= 0
            ->  kill(P)
            ;   take_off(P, Ts, C),
                idle(P)
            )
        ;   prune_eq(Ts, R, S, Q0, Q1),
            ( Fixed =:= 0 -> true ; take_off(P, Ts, C) ),
            run_again(P, Q1, Q)
        )
    ;   rough_sums(Ts, 0, 0, 0, 0, Min, NMin, Max, NMax, Steps0),
        ( NMin =:= 0 -> Min =< C ; true ),
        ( NMax =:= 0 -> Max >= C ; true ),
        (   NMin > 1,
            NMax > 1
        ->  Q = Q0,
            idle(P)
        ;   prune_rough(Ts, C, Min, NMin, Max, NMax, Q0, Q1),
            (   bounds_of_all(Ts, Steps1),
                Steps0 == Steps1
            ->  Q = Q1,
                idle(P)
            ;   run_again(P, Q1, Q)
            )
        )
    ).

%   What was pruned may have got a value.

run_again(P, Q0, Q) :-
    (   P = plus(_, _, _)
    ->  run_plus(P, Q0, Q)
    ;   run_linear_eq(P, Q0, Q)
    ).

%!  sums(+Terms, +Min0, +Max0, +Widest0, -Min, -Max, +Fixed0, -Fixed, -Widest) is semidet.
%
%   The sums of
%   least and greatest values, how many terms have one value only, and the greatest difference of
%   a term's values. Fails where a domain has no end.

sums(end, Min, Max, W, Min, Max, F, F, W).
sums(t(K, X, Ts), Min0, Max0, W0, Min, Max, F0, F, W) :-
    (   integer(X)
    ->  KX is K*X,
        Min1 is Min0+KX,
        Max1 is Max0+KX,
        F1 is F0+1,
        sums(Ts, Min1, Max1, W0, Min, Max, F1, F, W)
    ;   get_attr(X, '$clpfd', A),
        arg(1, A, L),
        arg(2, A, H),
        integer(L),
        integer(H),
        (   K =:= 1
        ->  Min1 is Min0+L,
            Max1 is Max0+H,
            W1 is max(W0, H-L)
        ;   K > 0
        ->  KL is K*L,
            KH is K*H,
            Min1 is Min0+KL,
            Max1 is Max0+KH,
            W1 is max(W0, KH-KL)
        ;   KL is K*L,
            KH is K*H,
            Min1 is Min0+KH,
            Max1 is Max0+KL,
            W1 is max(W0, KL-KH)
        ),
        sums(Ts, Min1, Max1, W1, Min, Max, F0, F, W)
    ).

%   Each term may be R above its least value and S below its greatest.

prune_eq(end, _, _, Q, Q).
prune_eq(t(K, X, Ts), R, S, Q0, Q) :-
    (   integer(X)
    ->  prune_eq(Ts, R, S, Q0, Q)
    ;   get_attr(X, '$clpfd', A),
        arg(1, A, L),
        arg(2, A, H),
        (   K =:= 1
        ->  HL is H-L,
            (   HL > R
            ->  V is L+R,
                at_most(X, V, Q0, Q1)
            ;   Q1 = Q0
            ),
            (   HL > S
            ->  W is H-S,
                at_least(X, W, Q1, Q2)
            ;   Q2 = Q1
            )
        ;   K > 0
        ->  HL is (H-L)*K,
            (   HL > R
            ->  V is L+R//K,
                at_most(X, V, Q0, Q1)
            ;   Q1 = Q0
            ),
            (   HL > S
            ->  W is H-S//K,
                at_least(X, W, Q1, Q2)
            ;   Q2 = Q1
            )
        ;   HL is (L-H)*K,
            (   HL > R
            ->  V is H+R//K,
                at_least(X, V, Q0, Q1)
            ;   Q1 = Q0
            ),
            (   HL > S
            ->  W is L-S//K,
                at_most(X, W, Q1, Q2)
            ;   Q2 = Q1
            )
        ),
        prune_eq(Ts, R, S, Q2, Q)
    ).

%   The terms that have values leave the propagator.

take_off(P, Ts, C) :-
    without_values(Ts, C, Ts1, C1),
    setarg(2, P, Ts1),
    setarg(3, P, C1).

%!  without_values(+Terms0, +C0, -Terms, -C) is det.

without_values(end, C, end, C).
without_values(t(K, X, Ts0), C0, Ts, C) :-
    (   integer(X)
    ->  C1 is C0-K*X,
        without_values(Ts0, C1, Ts, C)
    ;   Ts = t(K, X, Ts1),
        without_values(Ts0, C0, Ts1, C)
    ).

%   rough_sums(+Terms, +Min0, +NMin0, +Max0, +NMax0, -Min, -NMin, -Max, -NMax, -Bounds): the sums of what is finite, and how
%   many terms have no least, no greatest value.

rough_sums(end, Min, NMin, Max, NMax, Min, NMin, Max, NMax, []).
rough_sums(t(K, X, Ts), Min0, NMin0, Max0, NMax0, Min, NMin, Max, NMax, [L-H|Bs]) :-
    bounds(X, L, H),
    term_ends(K, L, H, Least, Most),
    (   integer(Least)
    ->  Min1 is Min0+Least,
        NMin1 = NMin0
    ;   Min1 = Min0,
        NMin1 is NMin0+1
    ),
    (   integer(Most)
    ->  Max1 is Max0+Most,
        NMax1 = NMax0
    ;   Max1 = Max0,
        NMax1 is NMax0+1
    ),
    rough_sums(Ts, Min1, NMin1, Max1, NMax1, Min, NMin, Max, NMax, Bs).

term_ends(K, L, H, Least, Most) :-
    (   K > 0
    ->  ( integer(L) -> Least is K*L ; Least = inf ),
        ( integer(H) -> Most is K*H ; Most = sup )
    ;   ( integer(H) -> Least is K*H ; Least = inf ),
        ( integer(L) -> Most is K*L ; Most = sup )
    ).

bounds_of_all(end, []).
bounds_of_all(t(_, X, Ts), [L-H|Bs]) :-
    bounds(X, L, H),
    bounds_of_all(Ts, Bs).

prune_rough(end, _, _, _, _, _, Q, Q).
prune_rough(t(K, X, Ts), C, Min, NMin, Max, NMax, Q0, Q) :-
    (   integer(X)
    ->  Q2 = Q0
    ;   bounds(X, L, H),
        term_ends(K, L, H, Least, Most),
        (   rest_sum(Min, NMin, Least, RestMin)
        ->  Up is C-RestMin,
            times_at_most(K, X, Up, Q0, Q1)
        ;   Q1 = Q0
        ),
        (   rest_sum(Max, NMax, Most, RestMax)
        ->  Down is C-RestMax,
            times_at_least(K, X, Down, Q1, Q2)
        ;   Q2 = Q1
        )
    ),
    prune_rough(Ts, C, Min, NMin, Max, NMax, Q2, Q).

%   The sum of the other terms' ends, if all of these are finite.

rest_sum(Sum, N, End, Rest) :-
    (   N =:= 0
    ->  Rest is Sum-End
    ;   N =:= 1,
        \+ integer(End),
        Rest = Sum
    ).

times_at_most(K, X, Up, Q0, Q) :-
    (   K > 0
    ->  V is Up div K,
        soft_at_most(X, V, Q0, Q)
    ;   V is -(Up div -K),
        soft_at_least(X, V, Q0, Q)
    ).

times_at_least(K, X, Down, Q0, Q) :-
    (   K > 0
    ->  V is -(-Down div K),
        soft_at_least(X, V, Q0, Q)
    ;   V is -Down div -K,
        soft_at_most(X, V, Q0, Q)
    ).

%!  run_linear_le(+Propagator, Q0, Q) is semidet.
%
%   The sum is at most C.

run_linear_le(P, Q0, Q) :-
    P = lin_le(_, Ts, C),
    (   sums(Ts, 0, 0, 0, Min, Max, 0, Fixed, Widest)
    ->  R is C-Min,
        R >= 0,
        (   Max =< C
        ->  kill(P),
            Q = Q0
        ;   ( Fixed =:= 0 -> true ; take_off(P, Ts, C) ),
            (   Widest =< R
            ->  Q = Q0
            ;   prune_le(Ts, R, Q0, Q)
            ),
            idle(P)
        )
    ;   rough_sums(Ts, 0, 0, 0, 0, Min, NMin, Max, NMax, _),
        ( NMin =:= 0 -> Min =< C ; true ),
        (   NMax =:= 0,
            Max =< C
        ->  kill(P),
            Q = Q0
        ;   prune_rough(Ts, C, Min, NMin, 0, 2, Q0, Q),
            ( one_variable(Ts, 0) -> kill(P) ; idle(P) )
        )
    ).

one_variable(end, _).
one_variable(t(_, X, Ts), N) :-
    (   integer(X)
    ->  one_variable(Ts, N)
    ;   N =:= 0,
        one_variable(Ts, 1)
    ).

prune_le(end, _, Q, Q).
prune_le(t(K, X, Ts), R, Q0, Q) :-
    (   integer(X)
    ->  Q1 = Q0
    ;   get_attr(X, '$clpfd', A),
        arg(1, A, L),
        arg(2, A, H),
        (   K > 0
        ->  (   (H-L)*K > R
            ->  V is L+R//K,
                at_most(X, V, Q0, Q1)
            ;   Q1 = Q0
            )
        ;   (   (L-H)*K > R
            ->  V is H+R//K,
                at_least(X, V, Q0, Q1)
            ;   Q1 = Q0
            )
        )
    ),
    prune_le(Ts, R, Q1, Q).

%!  run_linear_ne(+Propagator, Q0, Q) is semidet.
%
%   The sum is not C: decided when one variable is left.

run_linear_ne(P, Q0, Q) :-
    P = lin_ne(_, Ts0, C0),
    without_values(Ts0, C0, Ts, C),
    (   Ts == end
    ->  C =\= 0,
        kill(P),
        Q = Q0
    ;   Ts = t(K, X, end)
    ->  kill(P),
        (   C mod K =:= 0
        ->  V is C // K,
            remove(X, V, Q0, Q)
        ;   Q = Q0
        )
    ;   setarg(2, P, Ts),
        setarg(3, P, C),
        idle(P),
        Q = Q0
    ).
