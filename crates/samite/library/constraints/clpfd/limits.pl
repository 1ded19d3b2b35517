:- module('$fd_limits',
          [ between_bounds/5,
            limit_sign/2,
            limit_plus/3,
            limit_minus/2,
            products/6,
            least_of_four/5,
            greatest_of_four/5,
            abs_bounds/4
          ]).

:- use_module(library(clpfd/variables),
              [ soft_at_least/4,
                soft_at_most/4
              ]).
:- use_module(library(clpfd/intervals),
              [ limit_less/2,
                greater_of/3,
                smaller_of/3
              ]).

/*  Arithmetic with bounds, which may be inf and sup.
*/

%!  between_bounds(?X, +L, +H, Q0, Q) is semidet.
%
%   X is between L and H, one of which may be inf or sup.

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

%!  limit_times(+A, +B, -C) is det.

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

%!  limit_sign(+A, -Sign) is det.

limit_sign(A, S) :-
    (   integer(A)
    ->  S is sign(A)
    ;   A == sup
    ->  S = 1
    ;   S = -1
    ).

%!  limit_plus(+A, +B, -C) is det.

limit_plus(A, B, C) :-
    (   integer(A)
    ->  ( integer(B) -> C is A+B ; C = B )
    ;   C = A
    ).

%!  limit_minus(+A, -B) is det.

limit_minus(A, B) :-
    (   integer(A)
    ->  B is -A
    ;   A == inf
    ->  B = sup
    ;   B = inf
    ).

%!  products(+L1, +H1, +L2, +H2, -L, -H) is det.

products(L1, H1, L2, H2, L, H) :-
    limit_times(L1, L2, A),
    limit_times(L1, H2, B),
    limit_times(H1, L2, C),
    limit_times(H1, H2, D),
    least_of_four(A, B, C, D, L),
    greatest_of_four(A, B, C, D, H).

%!  least_of_four(+A, +B, +C, +D, -Least) is det.

least_of_four(A, B, C, D, L) :-
    smaller_of(A, B, E),
    smaller_of(C, D, F),
    smaller_of(E, F, L).

%!  greatest_of_four(+A, +B, +C, +D, -Greatest) is det.

greatest_of_four(A, B, C, D, H) :-
    greater_of(A, B, E),
    greater_of(C, D, F),
    greater_of(E, F, H).

%!  abs_bounds(+L, +H, -Least, -Greatest) is det.
%
%   Of the absolute values.

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
