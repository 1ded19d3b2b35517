:- module('$fd_products',
          [ run_times/3,
            run_power/3
          ]).

:- use_module(library(clpfd/variables),
              [ bounds/3,
                contains/2,
                at_least/4,
                at_most/4,
                soft_at_least/4,
                soft_at_most/4,
                becomes/4,
                remove/4,
                restrict/4,
                soft_restrict/4,
                idle/1,
                kill/1
              ]).
:- use_module(library(clpfd/intervals),
              [ limit_less/2
              ]).
:- use_module(library(clpfd/limits),
              [ between_bounds/5,
                limit_sign/2,
                limit_minus/2,
                products/6,
                least_of_four/5,
                greatest_of_four/5,
                abs_bounds/4
              ]).
:- use_module(library(clpfd/pairs),
              [ post_pair/7
              ]).
:- use_module(library(clpfd/arithmetic),
              [ post_operation/4,
                integer_power/3
              ]).

/*  Products and powers; see arithmetic.pl.
*/

%   --- X*Y = Z ---

%!  run_times(+Propagator, Q0, Q) is semidet.

run_times(P, Q0, Q) :-
    P = times(_, X, Y, Z),
    (   integer(X)
    ->  times_number(X, Y, Z, P, Q0, Q)
    ;   integer(Y)
    ->  times_number(Y, X, Z, P, Q0, Q)
    ;   X == Y
    ->  kill(P),
        post_operation(power(X, 2), Z, Q0, Q)
    ;   is_own_product(X, Y, Z, One)
    ->  kill(P),
        becomes(One, 1, Q0, Q)
    ;   idle(P),
        bounds(X, LX, HX),
        bounds(Y, LY, HY),
        products(LX, HX, LY, HY, L, H),
        between_bounds(Z, L, H, Q0, Q1),
        factor(X, Y, Z, Q1, Q2),
        factor(Y, X, Z, Q2, Q)
    ).

%   One factor is the product, and not 0: the other one, One, is 1.

is_own_product(X, Y, Z, One) :-
    (   X == Z
    ->  One = Y
    ;   Y == Z,
        One = X
    ),
    \+ contains(Z, 0).

times_number(N, Y, Z, P, Q0, Q) :-
    (   integer(Y)
    ->  kill(P),
        V is N*Y,
        becomes(Z, V, Q0, Q)
    ;   N =:= 0
    ->  kill(P),
        becomes(Z, 0, Q0, Q)
    ;   integer(Z)
    ->  kill(P),
        Z mod N =:= 0,
        V is Z // N,
        becomes(Y, V, Q0, Q)
    ;   kill(P),
        post_pair(N, Y, -1, Z, 0, Q0, Q)
    ).

%   factor(X, Y, Z, Q0, Q): X is Z divided by Y.

factor(X, Y, Z, Q0, Q) :-
    bounds(Y, LY, HY),
    bounds(Z, LZ, HZ),
    (   contains(Z, 0)
    ->  Q1 = Q0,
        Nonzero = false
    ;   remove(X, 0, Q0, Q1),
        Nonzero = true
    ),
    (   ( limit_less(0, LY) ; limit_less(HY, 0) )
    ->  quotients(LZ, HZ, LY, HY, L, H),
        between_bounds(X, L, H, Q1, Q)
    ;   ( Nonzero == true ; \+ contains(Y, 0) )
    ->  abs_bounds(LZ, HZ, Least, H),
        abs_bounds(LY, HY, _, MostY),
        limit_minus(H, L),
        between_bounds(X, L, H, Q1, Q2),
        (   integer(MostY),
            integer(Least)
        ->  Away is -((-Least) div MostY),
            away_from_zero(X, Away, Q2, Q)
        ;   Q = Q2
        )
    ;   Q = Q1
    ).

%   abs(X) is at least N.

away_from_zero(X, N, Q0, Q) :-
    bounds(X, L, H),
    Down is -N,
    (   N =< 1
    ->  Q = Q0
    ;   limit_less(Down, L)
    ->  soft_at_least(X, N, Q0, Q)
    ;   limit_less(H, N)
    ->  soft_at_most(X, Down, Q0, Q)
    ;   Q = Q0
    ).

%   The integers between the least and the greatest quotient; the divisor is not 0.

quotients(LZ, HZ, LY, HY, L, H) :-
    quotient_limits(LZ, LY, A1, A2),
    quotient_limits(LZ, HY, B1, B2),
    quotient_limits(HZ, LY, C1, C2),
    quotient_limits(HZ, HY, D1, D2),
    least_of_four(A1, B1, C1, D1, L),
    greatest_of_four(A2, B2, C2, D2, H).

%   Rounded up, rounded down.

quotient_limits(A, B, Up, Down) :-
    (   integer(A),
        integer(B)
    ->  Up is -((-A) div B),
        Down is A div B
    ;   integer(A)
    ->  limit_sign(A, SA),
        limit_sign(B, SB),
        (   SA =:= 0
        ->  Up = 0, Down = 0
        ;   SA =:= SB
        ->  Up = 1, Down = 0
        ;   Up = 0, Down = -1
        )
    ;   limit_sign(A, SA),
        limit_sign(B, SB),
        ( SA =:= SB -> Up = sup ; Up = inf ),
        Down = Up
    ).

%   --- X^Y = Z ---

%!  run_power(+Propagator, Q0, Q) is semidet.

run_power(P, Q0, Q) :-
    P = power(_, X, Y, Z),
    (   integer(Y)
    ->  (   integer(X)
        ->  kill(P),
            integer_power(X, Y, V),
            becomes(Z, V, Q0, Q)
        ;   Y > 0
        ->  power_number(Y, X, Z, P, Q0, Q)
        ;   Y =:= 0
        ->  kill(P),
            becomes(Z, 1, Q0, Q)
        ;   idle(P),
            restrict(X, [-1-(-1),1-1], Q0, Q1),
            restrict(Z, [-1-(-1),1-1], Q1, Q2),
            (   Y mod 2 =:= 0
            ->  becomes(Z, 1, Q2, Q)
            ;   between_bounds_of(X, Z, Q2, Q)
            )
        )
    ;   idle(P),
        bounds(X, LX, HX),
        bounds(Y, LY, _),
        (   LX == HX
        ->  power_of_number(LX, Y, Z, Q0, Q)
        ;   limit_less(-2, LX),
            limit_less(LX, 2)
        ->  Q = Q0
        ;   integer(LX),
            LX >= 2
        ->  at_least(Y, 0, Q0, Q1),
            bounds(Y, LY1, HY1),
            power_limit(LX, LY1, L),
            power_limit(HX, HY1, H),
            between_bounds(Z, L, H, Q1, Q2),
            exponent(LX, Y, Z, Q2, Q3),
            (   integer(LY1),
                LY1 >= 1
            ->  bounds(Z, _, HZ),
                ( integer(HZ), HZ >= 0 -> root_down(HZ, LY1, R), at_most(X, R, Q3, Q) ; Q = Q3 )
            ;   Q = Q3
            )
        ;   integer(LY),
            LY > 0,
            \+ contains(Z, 0)
        ->  remove(X, 0, Q0, Q)
        ;   Q = Q0
        )
    ).

between_bounds_of(X, Z, Q0, Q) :-
    (   integer(X)
    ->  becomes(Z, X, Q0, Q)
    ;   integer(Z)
    ->  becomes(X, Z, Q0, Q)
    ;   Q = Q0
    ).

%   As long as the result is no giant.

power_limit(A, B, C) :-
    (   integer(A),
        integer(B),
        B*msb(max(1, abs(A))) < 100000
    ->  C is A**B
    ;   C = sup
    ).

%   N^Y = Z

power_of_number(N, Y, Z, Q0, Q) :-
    (   N =:= 1
    ->  becomes(Z, 1, Q0, Q)
    ;   N =:= 0
    ->  at_least(Y, 0, Q0, Q1),
        restrict(Z, [0-1], Q1, Q2),
        (   integer(Z)
        ->  (   Z =:= 1
            ->  becomes(Y, 0, Q2, Q)
            ;   at_least(Y, 1, Q2, Q)
            )
        ;   contains(Y, 0)
        ->  Q = Q2
        ;   becomes(Z, 0, Q2, Q)
        )
    ;   N =:= -1
    ->  restrict(Z, [-1-(-1),1-1], Q0, Q)
    ;   at_least(Y, 0, Q0, Q1),
        remove(Z, 0, Q1, Q2),
        (   N > 1
        ->  bounds(Y, LY, HY),
            power_limit(N, LY, L),
            power_limit(N, HY, H),
            ( integer(L) -> L1 = L ; L1 = 1 ),
            between_bounds(Z, L1, H, Q2, Q3),
            exponent(N, Y, Z, Q3, Q4)
        ;   bounds(Y, _, HY),
            A is -N,
            power_limit(A, HY, H),
            limit_minus(H, L),
            between_bounds(Z, L, H, Q2, Q4)
        ),
        exponent_of_value(Z, N, Y, Q4, Q)
    ).

%   Y is at most the logarithm of Z's greatest value, by the base N, and, where N is the base, at least that of its least.

exponent(N, Y, Z, Q0, Q) :-
    bounds(Z, _, HZ),
    (   integer(HZ)
    ->  HZ >= 1,
        logarithm(HZ, N, 0, E),
        soft_at_most(Y, E, Q0, Q)
    ;   Q = Q0
    ).

exponent_of_value(Z, N, Y, Q0, Q) :-
    (   integer(Z)
    ->  A is abs(Z),
        B is abs(N),
        logarithm(A, B, 0, E),
        Z =:= N**E,
        becomes(Y, E, Q0, Q)
    ;   N > 1,
        bounds(Z, LZ, _),
        integer(LZ),
        LZ > 1
    ->  LZ1 is LZ-1,
        logarithm(LZ1, N, 0, E0),
        E is E0+1,
        soft_at_least(Y, E, Q0, Q)
    ;   Q = Q0
    ).

logarithm(V, N, E0, E) :-
    (   V < N
    ->  E = E0
    ;   V1 is V // N,
        E1 is E0+1,
        logarithm(V1, N, E1, E)
    ).

%   X^N = Z, N > 0

power_number(N, X, Z, P, Q0, Q) :-
    (   integer(Z)
    ->  kill(P),
        (   N mod 2 =:= 0
        ->  Z >= 0,
            root_down(Z, N, R),
            Z =:= R**N,
            M is -R,
            ( R =:= 0 -> becomes(X, 0, Q0, Q) ; restrict(X, [M-M,R-R], Q0, Q) )
        ;   A is abs(Z),
            root_down(A, N, R),
            A =:= R**N,
            V is sign(Z)*R,
            becomes(X, V, Q0, Q)
        )
    ;   idle(P),
        bounds(X, LX, HX),
        (   N mod 2 =:= 0
        ->  abs_bounds(LX, HX, L, H),
            power_end(L, N, LZ),
            power_end(H, N, HZ),
            between_bounds(Z, LZ, HZ, Q0, Q1),
            bounds(Z, LZ1, HZ1),
            (   integer(HZ1)
            ->  root_down(HZ1, N, R),
                M is -R,
                between_bounds(X, M, R, Q1, Q2)
            ;   Q2 = Q1
            ),
            (   integer(LZ1),
                LZ1 > 0
            ->  LZ2 is LZ1-1,
                root_down(LZ2, N, R2),
                Up is R2+1,
                Down is -Up,
                not_inside(X, Down, Up, Q2, Q)
            ;   Q = Q2
            )
        ;   power_end(LX, N, LZ),
            power_end(HX, N, HZ),
            between_bounds(Z, LZ, HZ, Q0, Q1),
            bounds(Z, LZ1, HZ1),
            root_end_up(LZ1, N, L1),
            root_end_down(HZ1, N, H1),
            between_bounds(X, L1, H1, Q1, Q)
        )
    ).

not_inside(X, Down, Up, Q0, Q) :-
    (   Up =:= 1
    ->  remove(X, 0, Q0, Q)
    ;   bounds(X, L, H),
        (   \+ limit_less(Down, L)
        ->  (   \+ limit_less(H, Up)
            ->  soft_restrict(X, [inf-Down,Up-sup], Q0, Q)
            ;   soft_at_most(X, Down, Q0, Q)
            )
        ;   soft_at_least(X, Up, Q0, Q)
        )
    ).

power_end(A, N, B) :-
    ( integer(A) -> B is A**N ; B = A ).

root_end_down(A, N, B) :-
    (   integer(A)
    ->  (   A >= 0
        ->  root_down(A, N, B)
        ;   M is -A,
            root_up(M, N, R),
            B is -R
        )
    ;   B = A
    ).

root_end_up(A, N, B) :-
    (   integer(A)
    ->  (   A >= 0
        ->  root_up(A, N, B)
        ;   M is -A,
            root_down(M, N, R),
            B is -R
        )
    ;   B = A
    ).

root_up(A, N, R) :-
    root_down(A, N, R0),
    ( A =:= R0**N -> R = R0 ; R is R0+1 ).

%   The greatest R with R^N =< A; A >= 0. Newton's method, from above.

root_down(A, N, R) :-
    (   N =:= 1
    ->  R = A
    ;   A < 2
    ->  R = A
    ;   R0 is 1 << (msb(A)//N+1),
        newton(A, N, R0, R)
    ).

newton(A, N, R0, R) :-
    R1 is ((N-1)*R0+A//R0**(N-1))//N,
    (   R1 >= R0
    ->  R = R0
    ;   newton(A, N, R1, R)
    ).
