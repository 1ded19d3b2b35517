:- module('$fd_arithmetic',
          [ post_operation/2,
            post_operation/4,
            operation_value/2,
            integer_power/3,
            run_absolute/3,
            run_extreme/3,
            run_bits/3
          ]).

:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                domain_of/2,
                at_least/4,
                at_most/4,
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
                clipped/4,
                limit_less/2,
                greater_of/3,
                smaller_of/3
              ]).
:- use_module(library(clpfd/linear),
              [ with_attribute/2
              ]).
:- use_module(library(clpfd/limits),
              [ between_bounds/5,
                limit_minus/2
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
    ;   simpler(Op, Op1)
    ->  post_operation(Op1, Z, Q0, Q)
    ;   value_of_same(Op, Y, V)
    ->  fd_attribute_if_variable(Z),
        fd_attribute(Y, _),
        remove(Y, 0, Q0, Q1),
        becomes(Z, V, Q1, Q)
    ;   Op = power(X, Y),
        Y == 1
    ->  with_attribute(X, Z),
        Q0 = [same(1, X, Z)|Q]
    ;   Op =.. [Name|As],
        append(As, [Z], Vs),
        P =.. [Name,1|Vs],
        (   looks_at_holes(Name)
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

looks_at_holes(abs).
looks_at_holes(times).
looks_at_holes(quotient).
looks_at_holes(div).
looks_at_holes(mod).
looks_at_holes(rem).
looks_at_holes(min).
looks_at_holes(max).

simpler(times(X, Y), power(X, 2)) :-
    X == Y.

value_of_same(quotient(X, Y), Y, 1) :- X == Y.
value_of_same(div(X, Y), Y, 1) :- X == Y.
value_of_same(mod(X, Y), Y, 0) :- X == Y.
value_of_same(rem(X, Y), Y, 0) :- X == Y.

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

%!  integer_power(+X, +Y, -V) is semidet.

integer_power(X, Y, V) :-
    (   Y >= 0
    ->  V is X**Y
    ;   X =:= 1
    ->  V = 1
    ;   X =:= -1,
        V is 1-2*(Y mod 2)
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
    ;   integer(Z)
    ->  kill(P),
        Z >= 0,
        M is -Z,
        (   Z =:= 0
        ->  becomes(X, 0, Q0, Q)
        ;   restrict(X, [M-M,Z-Z], Q0, Q)
        )
    ;   absolute(X, Z, Q0, Q),
        idle(P)
    ).

%   What X leaves of Z, then what that leaves of X: nothing is left to do after that, so what is done here need not wake
%   the propagator.

absolute(X, Z, Q0, Q) :-
    at_least(Z, 0, Q0, Q1),
    domain_of(X, IsX),
    (   IsX = [L-_],
        integer(L),
        L >= 0
    ->  IsZ = IsX
    ;   clipped(IsX, 0, sup, Right),
        clipped(IsX, inf, 0, Left),
        mirrored(Left, [], Left1),
        union_of(Right, Left1, IsZ)
    ),
    soft_restrict(Z, IsZ, Q1, Q2),
    domain_of(Z, IsZ1),
    mirrored(IsZ1, [], MsZ),
    union_of(IsZ1, MsZ, IsX1),
    soft_restrict(X, IsX1, Q2, Q).

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
            ->  between_bounds(Y, LZ, HZ, Q3, Q4)
            ;   limit_less(HY, LZ)
            ->  between_bounds(X, LZ, HZ, Q3, Q4)
            ;   Q4 = Q3
            ),
            beyond(X, Z, inf, HY, Q4, Q5),
            beyond(Y, Z, inf, HX, Q5, Q)
        ;   smaller_of(LX, LY, L),
            smaller_of(HX, HY, H),
            between_bounds(Z, L, H, Q0, Q1),
            bounds(Z, LZ, HZ),
            between_bounds(X, LZ, sup, Q1, Q2),
            between_bounds(Y, LZ, sup, Q2, Q3),
            (   limit_less(HZ, LX)
            ->  between_bounds(Y, LZ, HZ, Q3, Q4)
            ;   limit_less(HZ, LY)
            ->  between_bounds(X, LZ, HZ, Q3, Q4)
            ;   Q4 = Q3
            ),
            beyond(X, Z, LY, sup, Q4, Q5),
            beyond(Y, Z, LX, sup, Q5, Q)
        )
    ).

%   beyond(?X, ?Z, +L, +H, Q0, Q): if one of X and Z is not between L and H, it is the other one.

beyond(X, Z, L, H, Q0, Q) :-
    (   has_holes(X)
    ->  same_beyond(X, Z, L, H, Q0, Q1)
    ;   Q1 = Q0
    ),
    (   has_holes(Z)
    ->  same_beyond(Z, X, L, H, Q1, Q)
    ;   Q = Q1
    ).

has_holes(X) :-
    get_attr(X, '$clpfd', A),
    arg(3, A, D),
    D \== i.

same_beyond(X, Z, L, H, Q0, Q) :-
    domain_of(X, Is),
    union_of(Is, [L-H], Js),
    soft_restrict(Z, Js, Q0, Q).

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
