:- module('$fd_arithmetic',
          [ post_operation/2,
            post_operation/4,
            operation_value/2,
            numbers_of/2,
            points/2,
            run_times/3,
            run_power/3,
            run_division/3,
            run_modulo/3,
            run_absolute/3,
            run_extreme/3,
            run_bits/3
          ]).

:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                domain_of/2,
                size_of/2,
                contains/2,
                at_least/4,
                at_most/4,
                soft_at_least/4,
                soft_at_most/4,
                becomes/4,
                remove/4,
                restrict/4,
                soft_restrict/4,
                wait_bounds/2,
                wait_any/2,
                idle/1,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/intervals),
              [ union_of/3,
                limit_less/2,
                greater_of/3,
                smaller_of/3
              ]).

/*  Operations that are no sums: bounds are reasoned with, by the rules of interval arithmetic on
    integers (Apt and Zoeteweij, "An analysis of arithmetic constraints on integer intervals",
    2007), with inf and sup among the bounds.

        times(State, X, Y, Z)      X*Y = Z
        power(State, X, Y, Z)      X^Y = Z
        quotient(State, X, Y, Z)   X//Y = Z, and so div, mod, rem, min, max, and, or, xor
        abs(State, X, Z)           abs(X) = Z, and so msb
*/

%!  post_operation(+Operation, ?Z) is semidet.
%!  post_operation(+Operation, ?Z, Q0, Q) is semidet.
%
%   Operation on variables and integers, times(X, Y), has the value Z, a variable or an integer.

post_operation(Op, Z) :-
    (   ground(Op)
    ->  operation_value(Op, V),
        Z = V
    ;   post_operation(Op, Z, Q, End),
        start_all(Q-End)
    ).

post_operation(Op, Z, Q0, Q) :-
    (   ground(Op)
    ->  operation_value(Op, V),
        fd_attribute_if_variable(Z),
        becomes(Z, V, Q0, Q)
    ;   same_factor(Op, X)
    ->  post_operation(power(X, 2), Z, Q0, Q)
    ;   Op =.. [Name|As],
        append(As, [Z], Vs),
        P =.. [Name,1|Vs],
        (   Name == abs
        ->  wait_each_any(Vs, P)
        ;   wait_each_bounds_of(Vs, P)
        ),
        (   divisor(Op, Y)
        ->  remove(Y, 0, Q0, Q1)
        ;   Q1 = Q0
        ),
        fd_attribute_if_variable(Z),
        Q1 = [P|Q]
    ).

fd_attribute_if_variable(Z) :-
    ( integer(Z) -> true ; fd_attribute(Z, _) ).

same_factor(times(X, Y), X) :-
    X == Y.

wait_each_any([], _).
wait_each_any([X|Xs], P) :-
    wait_any(X, P),
    wait_each_any(Xs, P).

wait_each_bounds_of([], _).
wait_each_bounds_of([X|Xs], P) :-
    wait_bounds(X, P),
    wait_each_bounds_of(Xs, P).

%   None is 0 from the beginning.

divisor(quotient(_, Y), Y).
divisor(div(_, Y), Y).
divisor(mod(_, Y), Y).
divisor(rem(_, Y), Y).

%!  operation_value(+Operation, -V) is semidet.
%
%   Fails where there is no integer that is its value.

operation_value(times(X, Y), V) :- V is X*Y.
operation_value(power(X, Y), V) :- integer_power(X, Y, V).
operation_value(quotient(X, Y), V) :- Y =\= 0, V is X // Y.
operation_value(div(X, Y), V) :- Y =\= 0, V is X div Y.
operation_value(mod(X, Y), V) :- Y =\= 0, V is X mod Y.
operation_value(rem(X, Y), V) :- Y =\= 0, V is X rem Y.
operation_value(abs(X), V) :- V is abs(X).
operation_value(min(X, Y), V) :- V is min(X, Y).
operation_value(max(X, Y), V) :- V is max(X, Y).
operation_value(msb(X), V) :- X > 0, V is msb(X).
operation_value(and(X, Y), V) :- V is X /\ Y.
operation_value(or(X, Y), V) :- V is X \/ Y.
operation_value(xor(X, Y), V) :- V is X xor Y.

integer_power(X, Y, V) :-
    (   Y >= 0
    ->  V is X**Y
    ;   X =:= 1
    ->  V = 1
    ;   X =:= -1,
        V is 1-2*(Y mod 2)
    ).

%   Both are bounds; narrowed by what may have no end.

between_bounds(X, L, H, Q0, Q) :-
    (   integer(X)
    ->  \+ limit_less(X, L),
        \+ limit_less(H, X),
        Q = Q0
    ;   soft_at_least_or_inf(X, L, Q0, Q1),
        soft_at_most_or_sup(X, H, Q1, Q)
    ).

soft_at_least_or_inf(X, L, Q0, Q) :-
    (   integer(L)
    ->  soft_at_least(X, L, Q0, Q)
    ;   L == inf,
        Q = Q0
    ).

soft_at_most_or_sup(X, H, Q0, Q) :-
    (   integer(H)
    ->  soft_at_most(X, H, Q0, Q)
    ;   H == sup,
        Q = Q0
    ).

%   --- arithmetic with inf and sup ---

limit_times(A, B, C) :-
    (   integer(A),
        integer(B)
    ->  C is A*B
    ;   A == 0
    ->  C = 0
    ;   B == 0
    ->  C = 0
    ;   limit_sign(A, SA),
        limit_sign(B, SB),
        ( SA =:= SB -> C = sup ; C = inf )
    ).

limit_sign(A, S) :-
    (   integer(A)
    ->  S is sign(A)
    ;   A == sup
    ->  S = 1
    ;   S = -1
    ).

limit_plus(A, B, C) :-
    (   integer(A)
    ->  ( integer(B) -> C is A+B ; C = B )
    ;   C = A
    ).

limit_minus(A, B) :-
    (   integer(A)
    ->  B is -A
    ;   A == inf
    ->  B = sup
    ;   B = inf
    ).

products(L1, H1, L2, H2, L, H) :-
    limit_times(L1, L2, A),
    limit_times(L1, H2, B),
    limit_times(H1, L2, C),
    limit_times(H1, H2, D),
    least_of_four(A, B, C, D, L),
    greatest_of_four(A, B, C, D, H).

least_of_four(A, B, C, D, L) :-
    smaller_of(A, B, E),
    smaller_of(C, D, F),
    smaller_of(E, F, L).

greatest_of_four(A, B, C, D, H) :-
    greater_of(A, B, E),
    greater_of(C, D, F),
    greater_of(E, F, H).

%   abs_bounds(+L, +H, -Least, -Greatest): of the absolute values.

abs_bounds(L, H, Least, Greatest) :-
    (   \+ limit_less(L, 0)
    ->  Least = L,
        Greatest = H
    ;   \+ limit_less(0, H)
    ->  limit_minus(H, Least),
        limit_minus(L, Greatest)
    ;   Least = 0,
        limit_minus(L, ML),
        greater_of(ML, H, Greatest)
    ).

%   --- X*Y = Z ---

%!  run_times(+Propagator, Q0, Q) is semidet.

run_times(P, Q0, Q) :-
    P = times(_, X, Y, Z),
    (   integer(X)
    ->  times_number(X, Y, Z, P, Q0, Q)
    ;   integer(Y)
    ->  times_number(Y, X, Z, P, Q0, Q)
    ;   idle(P),
        bounds(X, LX, HX),
        bounds(Y, LY, HY),
        products(LX, HX, LY, HY, L0, H0),
        ( X == Y -> greater_of(L0, 0, L), H = H0 ; L = L0, H = H0 ),
        between_bounds(Z, L, H, Q0, Q1),
        factor(X, Y, Z, Q1, Q2),
        factor(Y, X, Z, Q2, Q)
    ).

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
    ;   idle(P),
        bounds(Y, LY, HY),
        products(N, N, LY, HY, L, H),
        between_bounds(Z, L, H, Q0, Q1),
        factor(Y, N, Z, Q1, Q)
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
    ;   Nonzero == true
    ->  abs_bounds(LZ, HZ, Least, H),
        abs_bounds(LY, HY, _, MostY),
        limit_minus(H, L),
        between_bounds(X, L, H, Q1, Q2),
        (   integer(MostY),
            integer(Least)
        ->  Away is -((-Least) // MostY),
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

%   --- X//Y = Z, X div Y = Z ---

%!  run_division(+Propagator, Q0, Q) is semidet.

run_division(P, Q0, Q) :-
    functor(P, Name, _),
    arg(2, P, X),
    arg(3, P, Y),
    arg(4, P, Z),
    (   integer(X),
        integer(Y)
    ->  kill(P),
        Op =.. [Name,X,Y],
        operation_value(Op, V),
        becomes(Z, V, Q0, Q)
    ;   idle(P),
        bounds(X, LX, HX),
        bounds(Y, LY, HY),
        (   ( limit_less(0, LY) ; limit_less(HY, 0) )
        ->  division_limits(Name, LX, HX, LY, HY, L, H),
            between_bounds(Z, L, H, Q0, Q1)
        ;   abs_bounds(LX, HX, _, Most),
            limit_minus(Most, Least),
            between_bounds(Z, Least, Most, Q0, Q1)
        ),
        bounds(Z, LZ, HZ),
        dividend_limits(Name, LZ, HZ, LY, HY, LX1, HX1),
        between_bounds(X, LX1, HX1, Q1, Q2),
        divisor_bounds(X, Y, Z, Q2, Q)
    ).

division_limits(Name, LX, HX, LY, HY, L, H) :-
    limit_division(Name, LX, LY, A),
    limit_division(Name, LX, HY, B),
    limit_division(Name, HX, LY, C),
    limit_division(Name, HX, HY, D),
    least_of_four(A, B, C, D, L),
    greatest_of_four(A, B, C, D, H).

limit_division(Name, A, B, C) :-
    (   integer(A),
        integer(B)
    ->  (   Name == quotient
        ->  C is A // B
        ;   C is A div B
        )
    ;   integer(A)
    ->  limit_sign(A, SA),
        limit_sign(B, SB),
        (   Name == div,
            SA*SB < 0
        ->  C = -1
        ;   C = 0
        )
    ;   limit_sign(A, SA),
        limit_sign(B, SB),
        ( SA =:= SB -> C = sup ; C = inf )
    ).

%   X is Z*Y and a rest that is nearer to 0 than Y: of the sign of X (quotient) or of Y (div).

dividend_limits(quotient, LZ, HZ, LY, HY, L, H) :-
    products(LZ, HZ, LY, HY, L0, H0),
    abs_bounds(LY, HY, _, Most),
    limit_plus(Most, -1, Rest),
    (   limit_less(0, L0)
    ->  L = L0
    ;   limit_minus(Rest, M),
        limit_plus(L0, M, L)
    ),
    (   limit_less(H0, 0)
    ->  H = H0
    ;   limit_plus(H0, Rest, H)
    ).
dividend_limits(div, LZ, HZ, LY, HY, L, H) :-
    products(LZ, HZ, LY, HY, L0, H0),
    (   limit_less(HY, 0)
    ->  limit_plus(LY, 1, Least),
        limit_plus(L0, Least, L),
        H = H0
    ;   limit_less(0, LY)
    ->  limit_plus(HY, -1, Rest),
        L = L0,
        limit_plus(H0, Rest, H)
    ;   abs_bounds(LY, HY, _, Most),
        limit_plus(Most, -1, Rest),
        limit_minus(Rest, M),
        limit_plus(L0, M, L),
        limit_plus(H0, Rest, H)
    ).

%   Where X and Y are not negative: Y is at most X by Z, and X is less than Z+1 times Y.

divisor_bounds(X, Y, Z, Q0, Q) :-
    bounds(X, LX, HX),
    bounds(Y, LY, _),
    bounds(Z, LZ, HZ),
    (   integer(Y)
    ->  Q = Q0
    ;   integer(LX),
        LX >= 0,
        integer(LY),
        LY >= 0
    ->  (   integer(HX),
            integer(LZ),
            LZ >= 1
        ->  Most is HX // LZ,
            soft_at_most(Y, Most, Q0, Q1)
        ;   Q1 = Q0
        ),
        (   integer(HZ)
        ->  HZ >= 0,
            Least is LX // (HZ+1)+1,
            soft_at_least(Y, Least, Q1, Q)
        ;   Q = Q1
        )
    ;   Q = Q0
    ).

%   --- X mod Y = Z, X rem Y = Z ---

%!  run_modulo(+Propagator, Q0, Q) is semidet.

run_modulo(P, Q0, Q) :-
    functor(P, Name, _),
    arg(2, P, X),
    arg(3, P, Y),
    arg(4, P, Z),
    (   integer(X),
        integer(Y)
    ->  kill(P),
        Op =.. [Name,X,Y],
        operation_value(Op, V),
        becomes(Z, V, Q0, Q)
    ;   idle(P),
        bounds(X, LX, HX),
        bounds(Y, LY, HY),
        abs_bounds(LY, HY, _, MostY),
        limit_plus(MostY, -1, Rest),
        limit_minus(Rest, MRest),
        (   Name == mod
        ->  ( limit_less(0, LY) -> L = 0 ; L = MRest ),
            ( limit_less(HY, 0) -> H = 0 ; H = Rest )
        ;   abs_bounds(LX, HX, _, MostX),
            limit_minus(MostX, MMostX),
            ( limit_less(LX, 0) -> greater_of(MRest, MMostX, L) ; L = 0 ),
            ( limit_less(0, HX) -> smaller_of(Rest, MostX, H) ; H = 0 )
        ),
        between_bounds(Z, L, H, Q0, Q1),
        bounds(Z, LZ, HZ),
        (   integer(LX),
            LX >= 0,
            limit_less(0, LY)
        ->  between_bounds(Z, 0, HX, Q1, Q2),
            (   limit_less(HX, LY)
            ->  between_bounds(Z, LX, HX, Q2, Q3),
                bounds(Z, LZ1, HZ1),
                between_bounds(X, LZ1, HZ1, Q3, Q4)
            ;   integer(LZ),
                soft_at_least(X, LZ, Q2, Q4)
            ),
            Least is LZ+1,
            soft_at_least(Y, Least, Q4, Q5)
        ;   larger_than_rest(Name, Y, LY, HY, LZ, HZ, Q1, Q5)
        ),
        (   integer(Y),
            size_of(X, N),
            integer(N),
            N =< 128
        ->  rests_of(Name, X, Y, Z, Q5, Q)
        ;   integer(Y),
            integer(Z)
        ->  ends_by_rest(Name, X, Y, Z, Q5, Q)
        ;   Q = Q5
        )
    ).

larger_than_rest(mod, Y, LY, HY, LZ, HZ, Q0, Q) :-
    (   integer(LZ),
        LZ > 0
    ->  Least is LZ+1,
        soft_at_least(Y, Least, Q0, Q)
    ;   integer(HZ),
        HZ < 0
    ->  Most is HZ-1,
        soft_at_most(Y, Most, Q0, Q)
    ;   limit_less(0, LY),
        integer(LZ)
    ->  Least is LZ+1,
        soft_at_least(Y, Least, Q0, Q)
    ;   limit_less(HY, 0),
        integer(HZ)
    ->  Most is HZ-1,
        soft_at_most(Y, Most, Q0, Q)
    ;   Q = Q0
    ).
larger_than_rest(rem, Y, LY, HY, LZ, HZ, Q0, Q) :-
    abs_bounds(LZ, HZ, Least, _),
    (   integer(Least),
        Least > 0
    ->  Least1 is Least+1,
        (   limit_less(0, LY)
        ->  soft_at_least(Y, Least1, Q0, Q)
        ;   limit_less(HY, 0)
        ->  Most is -Least1,
            soft_at_most(Y, Most, Q0, Q)
        ;   Q = Q0
        )
    ;   Q = Q0
    ).

%   Few values: those of X whose rest Z may have, and their rests.

rests_of(Name, X, Y, Z, Q0, Q) :-
    domain_of(X, Is),
    numbers_of(Is, Ns),
    fitting(Ns, Name, Y, Z, Fit, Rests0),
    sort(Rests0, Rests),
    points(Fit, FitIs),
    points(Rests, RestIs),
    restrict(X, FitIs, Q0, Q1),
    restrict(Z, RestIs, Q1, Q).

fitting([], _, _, _, [], []).
fitting([N|Ns], Name, Y, Z, Fit, Rests) :-
    ( Name == mod -> R is N mod Y ; R is N rem Y ),
    (   contains(Z, R)
    ->  Fit = [N|Fit1],
        Rests = [R|Rests1]
    ;   Fit = Fit1,
        Rests = Rests1
    ),
    fitting(Ns, Name, Y, Z, Fit1, Rests1).

%!  numbers_of(+Intervals, -Integers) is det.

numbers_of([], []).
numbers_of([L-H|Is], Ns) :-
    numbers_from(L, H, Ns, Ns1),
    numbers_of(Is, Ns1).

numbers_from(L, H, Ns, Rest) :-
    (   L > H
    ->  Ns = Rest
    ;   Ns = [L|Ns1],
        L1 is L+1,
        numbers_from(L1, H, Ns1, Rest)
    ).

%!  points(+Integers, -Intervals) is det.
%
%   points(+Numbers, -Intervals): in order.

points([], []).
points([N|Ns], [N-H|Is]) :-
    points_from(Ns, N, H, Is).

points_from(Ns, H0, H, Is) :-
    (   Ns = [N|Ns1],
        N =:= H0+1
    ->  points_from(Ns1, N, H, Is)
    ;   H = H0,
        points(Ns, Is)
    ).

%   The ends of X have the rest Z.

ends_by_rest(Name, X, Y, Z, Q0, Q) :-
    bounds(X, L, H),
    (   Name == rem,
        \+ ( integer(L), L >= 0 )
    ->  Q = Q0
    ;   A is abs(Y),
        (   integer(L)
        ->  L1 is L+(Z-L) mod A,
            soft_at_least(X, L1, Q0, Q1)
        ;   Q1 = Q0
        ),
        (   integer(H)
        ->  H1 is H-(H-Z) mod A,
            soft_at_most(X, H1, Q1, Q)
        ;   Q = Q1
        )
    ).

%   --- abs(X) = Z, msb(X) = Z ---

%!  run_absolute(+Propagator, Q0, Q) is semidet.

run_absolute(P, Q0, Q) :-
    functor(P, Name, _),
    arg(2, P, X),
    arg(3, P, Z),
    (   integer(X)
    ->  kill(P),
        Op =.. [Name,X],
        operation_value(Op, V),
        becomes(Z, V, Q0, Q)
    ;   Name == msb
    ->  idle(P),
        at_least(X, 1, Q0, Q1),
        bounds(X, LX, HX),
        L is msb(LX),
        ( integer(HX) -> H is msb(HX) ; H = sup ),
        between_bounds(Z, L, H, Q1, Q2),
        bounds(Z, LZ, HZ),
        (   LZ < 100000
        ->  LX1 is 1 << LZ,
            at_least(X, LX1, Q2, Q3)
        ;   Q3 = Q2
        ),
        (   integer(HZ),
            HZ < 100000
        ->  HX1 is (2 << HZ)-1,
            at_most(X, HX1, Q3, Q)
        ;   Q = Q3
        )
    ;   idle(P),
        at_least(Z, 0, Q0, Q1),
        domain_of(Z, IsZ),
        mirrored(IsZ, [], MsZ),
        union_of(IsZ, MsZ, IsX),
        soft_restrict(X, IsX, Q1, Q2),
        domain_of(X, IsX1),
        mirrored(IsX1, [], MsX),
        union_of(IsX1, MsX, IsZ1),
        soft_restrict(Z, IsZ1, Q2, Q)
    ).

mirrored([], Is, Is).
mirrored([L-H|Is0], Acc, Is) :-
    limit_minus(L, H1),
    limit_minus(H, L1),
    mirrored(Is0, [L1-H1|Acc], Is).

%   --- min(X, Y) = Z, max(X, Y) = Z ---

%!  run_extreme(+Propagator, Q0, Q) is semidet.

run_extreme(P, Q0, Q) :-
    functor(P, Name, _),
    arg(2, P, X),
    arg(3, P, Y),
    arg(4, P, Z),
    (   integer(X),
        integer(Y)
    ->  kill(P),
        Op =.. [Name,X,Y],
        operation_value(Op, V),
        becomes(Z, V, Q0, Q)
    ;   idle(P),
        bounds(X, LX, HX),
        bounds(Y, LY, HY),
        (   Name == max
        ->  greater_of(LX, LY, L),
            greater_of(HX, HY, H),
            between_bounds(Z, L, H, Q0, Q1),
            bounds(Z, LZ, HZ),
            between_bounds(X, inf, HZ, Q1, Q2),
            between_bounds(Y, inf, HZ, Q2, Q3),
            (   limit_less(HX, LZ)
            ->  between_bounds(Y, LZ, HZ, Q3, Q)
            ;   limit_less(HY, LZ)
            ->  between_bounds(X, LZ, HZ, Q3, Q)
            ;   Q = Q3
            )
        ;   smaller_of(LX, LY, L),
            smaller_of(HX, HY, H),
            between_bounds(Z, L, H, Q0, Q1),
            bounds(Z, LZ, HZ),
            between_bounds(X, LZ, sup, Q1, Q2),
            between_bounds(Y, LZ, sup, Q2, Q3),
            (   limit_less(HZ, LX)
            ->  between_bounds(Y, LZ, HZ, Q3, Q)
            ;   limit_less(HZ, LY)
            ->  between_bounds(X, LZ, HZ, Q3, Q)
            ;   Q = Q3
            )
        )
    ).

%   --- bits ---

%!  run_bits(+Propagator, Q0, Q) is semidet.

run_bits(P, Q0, Q) :-
    functor(P, Name, _),
    arg(2, P, X),
    arg(3, P, Y),
    arg(4, P, Z),
    (   integer(X),
        integer(Y)
    ->  kill(P),
        Op =.. [Name,X,Y],
        operation_value(Op, V),
        becomes(Z, V, Q0, Q)
    ;   Name == xor,
        integer(Z),
        ( integer(X) -> Known = X, Other = Y ; integer(Y), Known = Y, Other = X )
    ->  kill(P),
        V is Known xor Z,
        becomes(Other, V, Q0, Q)
    ;   idle(P),
        bounds(X, LX, HX),
        bounds(Y, LY, HY),
        (   integer(LX), LX >= 0,
            integer(LY), LY >= 0
        ->  bits_limits(Name, LX, HX, LY, HY, L, H),
            between_bounds(Z, L, H, Q0, Q)
        ;   Name == and,
            ( integer(LX), LX >= 0 -> H = HX ; integer(LY), LY >= 0, H = HY )
        ->  between_bounds(Z, 0, H, Q0, Q)
        ;   Q = Q0
        )
    ).

bits_limits(and, _, HX, _, HY, 0, H) :-
    smaller_of(HX, HY, H).
bits_limits(or, LX, HX, LY, HY, L, H) :-
    greater_of(LX, LY, L),
    greater_of(HX, HY, H0),
    ones_to(H0, H).
bits_limits(xor, _, HX, _, HY, 0, H) :-
    greater_of(HX, HY, H0),
    ones_to(H0, H).

ones_to(H0, H) :-
    (   integer(H0)
    ->  ( H0 =:= 0 -> H = 0 ; H is (2 << msb(H0))-1 )
    ;   H = sup
    ).
