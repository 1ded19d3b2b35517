:- module('$fd_division',
          [ run_division/3,
            run_modulo/3
          ]).

:- use_module(library(clpfd/variables),
              [ bounds/3,
                domain_of/2,
                size_of/2,
                contains/2,
                bits_of/4,
                keep_bits/5,
                soft_at_least/4,
                soft_at_most/4,
                becomes/4,
                restrict/4,
                idle/1,
                kill/1
              ]).
:- use_module(library(clpfd/intervals),
              [ limit_less/2,
                greater_of/3,
                smaller_of/3,
                numbers_of/2,
                points/2
              ]).
:- use_module(library(clpfd/limits),
              [ between_bounds/5,
                limit_sign/2,
                limit_plus/3,
                limit_minus/2,
                products/6,
                least_of_four/5,
                greatest_of_four/5,
                abs_bounds/4
              ]).
:- use_module(library(clpfd/holes),
              [ hand_on/6
              ]).
:- use_module(library(clpfd/arithmetic),
              [ operation_value/2
              ]).

/*  Quotients and rests; see arithmetic.pl.
*/

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
        divisor_bounds(Name, X, Y, Z, Q2, Q3),
        (   integer(Y)
        ->  S is sign(Y),
            hand_on(X, quotients(Name, Y), S, Z, Q3, Q4),
            hand_on(Z, dividends(Name, Y), S, X, Q4, Q)
        ;   Q = Q3
        )
    ).

quotients(Name, Y, LX, HX, L, H) :-
    ( Y > 0 -> L0 = LX, H0 = HX ; L0 = HX, H0 = LX ),
    limit_division(Name, L0, Y, L),
    limit_division(Name, H0, Y, H).

dividends(Name, Y, LZ, HZ, L, H) :-
    dividend_limits(Name, LZ, HZ, Y, Y, L, H).

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

%   Where the quotient is not 0: its sign and that of X are that of Y, which is at most X by Z, and X is less than Z+1 times
%   Y, signs aside. So it is of div, where X and Y are not negative.

divisor_bounds(Name, X, Y, Z, Q0, Q) :-
    bounds(X, LX, HX),
    bounds(Y, LY, _),
    bounds(Z, LZ, HZ),
    (   integer(Y)
    ->  Q = Q0
    ;   integer(LX),
        LX >= 0,
        integer(LY),
        LY >= 0
    ->  divisor_limits(1, LX, HX, LZ, HZ, Y, Q0, Q)
    ;   Name == quotient,
        strict_sign(LX, HX, SX),
        strict_sign(LZ, HZ, SZ)
    ->  abs_bounds(LX, HX, LX1, HX1),
        abs_bounds(LZ, HZ, LZ1, HZ1),
        S is SX*SZ,
        divisor_limits(S, LX1, HX1, LZ1, HZ1, Y, Q0, Q)
    ;   Q = Q0
    ).

strict_sign(L, H, S) :-
    (   limit_less(0, L)
    ->  S = 1
    ;   limit_less(H, 0),
        S = -1
    ).

divisor_limits(S, LX, HX, LZ, HZ, Y, Q0, Q) :-
    (   integer(HX),
        integer(LZ),
        LZ >= 1
    ->  Most is HX // LZ,
        signed_at_most(S, Y, Most, Q0, Q1)
    ;   Q1 = Q0
    ),
    (   integer(HZ)
    ->  HZ >= 0,
        Least is LX // (HZ+1)+1,
        signed_at_least(S, Y, Least, Q1, Q)
    ;   signed_at_least(S, Y, 1, Q1, Q)
    ).

signed_at_most(1, Y, V, Q0, Q) :-
    soft_at_most(Y, V, Q0, Q).
signed_at_most(-1, Y, V, Q0, Q) :-
    W is -V,
    soft_at_least(Y, W, Q0, Q).

signed_at_least(1, Y, V, Q0, Q) :-
    soft_at_least(Y, V, Q0, Q).
signed_at_least(-1, Y, V, Q0, Q) :-
    W is -V,
    soft_at_most(Y, W, Q0, Q).

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
            is_periodic(Name, X, Y)
        ->  K is abs(Y),
            periodic(X, K, Z, Q5, Q)
        ;   integer(Y),
            size_of(X, N),
            integer(N),
            N =< 24
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

%   The rests come again and again: mod of a number, rem of one where X is not negative.

is_periodic(Name, X, Y) :-
    bounds(X, L, H),
    integer(L),
    integer(H),
    H-L < 4096,
    ( Name == mod -> Y > 0 ; L >= 0 ),
    abs(Y) < 4096.

%   periodic(?X, +K, ?Z, Q0, Q): the rests of X are those that Z has, and Z is one of them.

periodic(X, K, Z, Q0, Q) :-
    bits_of(X, BitsX, L, _),
    Shift is L mod K,
    Bits is BitsX << Shift,
    folded(Bits, K, Rests),
    (   integer(Z)
    ->  (Rests >> Z) /\ 1 =:= 1,
        Q1 = Q0
    ;   bounds(Z, LZ, HZ),
        integer(LZ),
        integer(HZ),
        LZ >= 0
    ->  keep_bits(Z, Rests, 0, Q0, Q1)
    ;   Q1 = Q0
    ),
    bounds(Z, LZ1, HZ1),
    (   integer(LZ1),
        integer(HZ1),
        LZ1 >= 0,
        bits_of(Z, BitsZ, _, _),
        Possible is BitsZ << LZ1,
        Rests /\ \Possible =\= 0
    ->  Width is msb(BitsX)+1+Shift,
        repeated(Possible, K, Width, Pattern),
        Fit is Pattern >> Shift,
        keep_bits(X, Fit, L, Q1, Q)
    ;   Q = Q1
    ).

%   Periods one above the other, halves first.

folded(Bits, K, Rests) :-
    Top is msb(Bits),
    (   Top < K
    ->  Rests = Bits
    ;   Half is (Top//K+2)//2*K,
        Bits1 is (Bits >> Half) \/ (Bits /\ ((1 << Half)-1)),
        folded(Bits1, K, Rests)
    ).

repeated(Bits, K, Width, Pattern) :-
    (   K >= Width
    ->  Pattern = Bits
    ;   Bits1 is Bits \/ (Bits << K),
        K1 is 2*K,
        repeated(Bits1, K1, Width, Pattern)
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
