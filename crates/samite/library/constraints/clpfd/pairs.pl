:- module('$fd_pairs',
          [ post_pair/7,
            run_offset/3,
            run_mirror/3,
            run_line/3
          ]).

:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                at_least/4,
                at_most/4,
                becomes/4,
                bits_of/4,
                keep_bits/5,
                wait_any/2,
                idle/1,
                kill/1
              ]).
:- use_module(library(clpfd/intervals),
              [ reversed_bits/3
              ]).
:- use_module(library(clpfd/limits),
              [ between_bounds/5
              ]).
:- use_module(library(clpfd/holes),
              [ hand_on/6
              ]).

/*  Two variables and a constant: whole domains, not only their bounds.

        offset(State, X, Y, C)        X = Y+C
        mirror(State, X, Y, C)        X+Y = C
        line(State, A, X, B, Y, C)    A*X+B*Y = C

    That is what programs write, Y #= X+3, and what is left of longer sums when all others have values. An
    inequality of the sum of two variables, Z #= X-Y, Z #\= 3, so reaches Y as soon as X is known.

    Of the first two, domains are made consistent, at once where they are bits; of the last one, as far as an interval is
    an interval of multiples.
*/

%!  post_pair(+A, ?X, +B, ?Y, +C, Q0, Q) is det.
%
%   A*X+B*Y = C. A and B have no common divisor.

post_pair(A, X, B, Y, C, Q0, Q) :-
    pair(A, X, B, Y, C, P),
    wait_any(X, P),
    wait_any(Y, P),
    Q0 = [P|Q].

pair(A, X, B, Y, C, P) :-
    (   abs(A) =\= 1
    ->  P = line(1, A, X, B, Y, C)
    ;   A+B =:= 0
    ->  D is A*C,
        P = offset(1, X, Y, D)
    ;   A =:= B
    ->  D is A*C,
        P = mirror(1, X, Y, D)
    ;   P = line(1, A, X, B, Y, C)
    ).

%   are_bits(+LX, +HX, +LY, +HY, +Apart): domains of these spans, which begin so far apart, are seen as bits.

are_bits(LX, HX, LY, HY, Apart) :-
    HX-LX < 4096,
    HY-LY < 4096,
    abs(Apart) < 4096.

%   --- X = Y+C ---

%!  run_offset(+Propagator, Q0, Q) is semidet.

run_offset(P, Q0, Q) :-
    P = offset(_, X, Y, C),
    (   integer(X)
    ->  kill(P),
        V is X-C,
        becomes(Y, V, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        V is Y+C,
        becomes(X, V, Q0, Q)
    ;   X == Y
    ->  C =:= 0,
        kill(P),
        Q = Q0
    ;   fd_attribute(X, AX),
        fd_attribute(Y, AY),
        AX = fd(LX, HX, DX, _, _, _, _, _),
        AY = fd(LY, HY, DY, _, _, _, _, _),
        integer(LX),
        integer(HX),
        integer(LY),
        integer(HY)
    ->  (   DX == i,
            DY == i
        ->  L1 is LX-C,
            H1 is HX-C,
            L2 is LY+C,
            H2 is HY+C,
            at_least(Y, L1, Q0, Q1),
            at_most(Y, H1, Q1, Q2),
            at_least(X, L2, Q2, Q3),
            at_most(X, H2, Q3, Q),
            idle(P)
        ;   Apart is LX-C-LY,
            are_bits(LX, HX, LY, HY, Apart)
        ->  bits_of(X, BX, _, _),
            bits_of(Y, BY, _, _),
            Base is min(LX-C, LY),
            Both is (BX << (LX-C-Base)) /\ (BY << (LY-Base)),
            keep_bits(Y, Both, Base, Q0, Q1),
            BaseX is Base+C,
            keep_bits(X, Both, BaseX, Q1, Q),
            idle(P)
        ;   idle(P),
            narrow_line(1, X, -1, Y, C, Q0, Q)
        )
    ;   idle(P),
        narrow_line(1, X, -1, Y, C, Q0, Q)
    ).

%   --- X+Y = C ---

%!  run_mirror(+Propagator, Q0, Q) is semidet.

run_mirror(P, Q0, Q) :-
    P = mirror(_, X, Y, C),
    (   integer(X)
    ->  kill(P),
        V is C-X,
        becomes(Y, V, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        V is C-Y,
        becomes(X, V, Q0, Q)
    ;   X == Y
    ->  kill(P),
        C mod 2 =:= 0,
        V is C // 2,
        becomes(X, V, Q0, Q)
    ;   fd_attribute(X, AX),
        fd_attribute(Y, AY),
        AX = fd(LX, HX, DX, _, _, _, _, _),
        AY = fd(LY, HY, DY, _, _, _, _, _),
        integer(LX),
        integer(HX),
        integer(LY),
        integer(HY)
    ->  (   DX == i,
            DY == i
        ->  L1 is C-HX,
            H1 is C-LX,
            L2 is C-HY,
            H2 is C-LY,
            at_least(Y, L1, Q0, Q1),
            at_most(Y, H1, Q1, Q2),
            at_least(X, L2, Q2, Q3),
            at_most(X, H2, Q3, Q),
            idle(P)
        ;   Apart is C-HX-LY,
            are_bits(LX, HX, LY, HY, Apart)
        ->  mirror_bits(X, LX, HX, Y, LY, C, Q0, Q),
            idle(P)
        ;   idle(P),
            narrow_line(1, X, 1, Y, C, Q0, Q)
        )
    ;   idle(P),
        narrow_line(1, X, 1, Y, C, Q0, Q)
    ).

%   What X is seen from Y, and back if that is too much.

mirror_bits(X, LX, HX, Y, LY, C, Q0, Q) :-
    bits_of(X, BX, _, _),
    bits_of(Y, BY, _, _),
    Base is min(C-HX, LY),
    Width is HX-LX+1,
    reversed_bits(BX, Width, RX),
    Image is RX << (C-HX-Base),
    Both is Image /\ (BY << (LY-Base)),
    keep_bits(Y, Both, Base, Q0, Q1),
    (   Both =:= Image
    ->  Q = Q1
    ;   WidthY is msb(Both)+1,
        reversed_bits(Both, WidthY, RY),
        L is C-Base-WidthY+1,
        BaseX is min(L, LX),
        Back is RY << (L-BaseX),
        keep_bits(X, Back, BaseX, Q1, Q)
    ).

%   --- A*X+B*Y = C ---

%!  run_line(+Propagator, Q0, Q) is semidet.

run_line(P, Q0, Q) :-
    P = line(_, A, X, B, Y, C),
    (   integer(X)
    ->  kill(P),
        R is C-A*X,
        multiple_of(Y, B, R, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        R is C-B*Y,
        multiple_of(X, A, R, Q0, Q)
    ;   X == Y
    ->  kill(P),
        AB is A+B,
        (   AB =:= 0
        ->  C =:= 0,
            Q = Q0
        ;   multiple_of(X, AB, C, Q0, Q)
        )
    ;   idle(P),
        narrow_line(A, X, B, Y, C, Q0, Q)
    ).

%   N*X = V

multiple_of(X, N, V, Q0, Q) :-
    V mod N =:= 0,
    W is V // N,
    becomes(X, W, Q0, Q).

%   The bounds, then what lies between. The propagator is woken by what it does itself, until nothing changes.

narrow_line(A, X, B, Y, C, Q0, Q) :-
    bounds(X, LX, HX),
    line_limits(A, B, C, LX, HX, LY, HY),
    between_bounds(Y, LY, HY, Q0, Q1),
    bounds(Y, LY1, HY1),
    line_limits(B, A, C, LY1, HY1, LX1, HX1),
    between_bounds(X, LX1, HX1, Q1, Q2),
    S is -sign(A)*sign(B),
    hand_on(X, line_limits(A, B, C), S, Y, Q2, Q3),
    hand_on(Y, line_limits(B, A, C), S, X, Q3, Q).

%   line_limits(+A, +B, +C, +L, +H, -Lo, -Hi): Y with A*X+B*Y = C, X in L..H, is in Lo..Hi.

line_limits(A, B, C, L, H, Lo, Hi) :-
    (   sign(A) =:= sign(B)
    ->  line_end(H, A, C, inf, Down),
        line_end(L, A, C, sup, Up)
    ;   line_end(L, A, C, inf, Down),
        line_end(H, A, C, sup, Up)
    ),
    ( integer(Down) -> Lo is -((-Down) div B) ; Lo = Down ),
    ( integer(Up) -> Hi is Up div B ; Hi = Up ).

line_end(N, A, C, Else, End) :-
    ( integer(N) -> End is C-A*N ; End = Else ).
