:- module('$fd_distances',
          [ post_distance/4,
            run_unlike/3,
            run_far/3
          ]).

:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                remove/4,
                restrict/4,
                soft_restrict/4,
                wait_inst/2,
                wait_bounds/2,
                idle/1,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/linear),
              [ post_linear/3,
                post_linear/5
              ]).

/*  Distances that are compared to a number: abs(X-Y) #\= 3, abs(X-Y) #>= 3.

        unlike(State, X, Y, C)    abs(X-Y) is not C
        far(State, X, Y, C)       abs(X-Y) is at least C

    C > 0. There is no variable for the distance, so a board of queens is one of inequalities.
*/

%!  post_distance(+Relation, +Terms, +C0, +C) is semidet.
%
%   The absolute value of the sum of Terms and C0 is not C (ne), is at least C (ge).

post_distance(_, Ts, _, C) :-
    C < 0,
    !,
    with_attributes(Ts).
post_distance(ne, Ts, C0, C) :-
    Up is C-C0,
    Down is -C-C0,
    (   C > 0,
        C0 =:= 0,
        is_difference(Ts, X, Y)
    ->  P = unlike(0, X, Y, C),
        wait_inst(X, P),
        wait_inst(Y, P)
    ;   post_linear(ne, Ts, Up),
        (   C =:= 0
        ->  true
        ;   Ts = [X-K],
            integer(X)
        ->  K*X =\= Down
        ;   post_linear(ne, Ts, Down)
        )
    ).
post_distance(ge, Ts, C0, C) :-
    (   C =:= 0
    ->  with_attributes(Ts)
    ;   Ts == []
    ->  abs(C0) >= C
    ;   C0 =:= 0,
        is_difference(Ts, X, Y)
    ->  P = far(1, X, Y, C),
        wait_bounds(X, P),
        wait_bounds(Y, P),
        start_all([P|Q]-Q)
    ;   sum_variable(Ts, C0, X, D),
        Below is -C-D,
        Above is C-D,
        restrict(X, [inf-Below,Above-sup], Q, End),
        start_all(Q-End)
    ).

%   sum_variable(+Terms, +C0, -X, -D): their sum is X+D.

sum_variable(Ts, C0, X, D) :-
    (   Ts = [X-1]
    ->  fd_attribute(X, _),
        D = C0
    ;   D = 0,
        append(Ts, [X-(-1)], Ts1),
        C is -C0,
        fd_attribute(X, _),
        post_linear(eq, Ts1, C)
    ).

is_difference([X-K,Y-L], X, Y) :-
    abs(K) =:= 1,
    K+L =:= 0.

with_attributes([]).
with_attributes([X-_|Ts]) :-
    fd_attribute(X, _),
    with_attributes(Ts).

%!  run_unlike(+Propagator, Q0, Q) is semidet.

run_unlike(unlike(_, X, Y, C), Q0, Q) :-
    (   integer(X)
    ->  unlike_number(X, Y, C, Q0, Q)
    ;   integer(Y)
    ->  unlike_number(Y, X, C, Q0, Q)
    ;   Q = Q0
    ).

unlike_number(X, Y, C, Q0, Q) :-
    Down is X-C,
    remove(Y, Down, Q0, Q1),
    Up is X+C,
    remove(Y, Up, Q1, Q).

%!  run_far(+Propagator, Q0, Q) is semidet.

run_far(P, Q0, Q) :-
    P = far(_, X, Y, C),
    (   integer(X)
    ->  kill(P),
        far_from(X, X, C, Y, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        far_from(Y, Y, C, X, Q0, Q)
    ;   X \== Y,
        bounds(X, LX, HX),
        bounds(Y, LY, HY),
        (   integer(HX),
            integer(LY),
            HX-LY < C
        ->  kill(P),
            D is -C,
            post_linear(le, [X-1,Y-(-1)], D, Q0, Q)
        ;   integer(HY),
            integer(LX),
            HY-LX < C
        ->  kill(P),
            D is -C,
            post_linear(le, [Y-1,X-(-1)], D, Q0, Q)
        ;   idle(P),
            far_from(LY, HY, C, X, Q0, Q1),
            far_from(LX, HX, C, Y, Q1, Q)
        )
    ).

%   There is a number between L and H from which Y is at least C away.

far_from(L, H, C, Y, Q0, Q) :-
    (   integer(L),
        integer(H),
        Below is H-C,
        Above is L+C,
        Below+1 < Above
    ->  soft_restrict(Y, [inf-Below,Above-sup], Q0, Q)
    ;   Q = Q0
    ).
