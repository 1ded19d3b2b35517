:- module('$fd_holes',
          [ hand_on/6
          ]).

:- use_module(library(clpfd/variables),
              [ domain_of/2,
                soft_restrict/4
              ]).
:- use_module(library(clpfd/intervals),
              [ smaller_of/3,
                greater_of/3
              ]).

/*  What is missing in the domain of one variable is missing in that of another one, its image.
*/

:- meta_predicate hand_on(?, 4, +, ?, ?, ?).

%   How many intervals are looked at; with more of them it is left to the bounds.

many(250).

%!  hand_on(?X, :Image, +Sign, ?Y, Q0, Q) is semidet.
%
%   If X is between L and H, call(Image, L, H, L1, H1) says between which limits Y is. Y grows with X where Sign is 1, falls where it is
%   -1. L1 > H1 says that there is none.

hand_on(X, Image, Sign, Y, Q0, Q) :-
    (   get_attr(X, '$clpfd', A),
        has_some_holes(A)
    ->  domain_of(X, Is),
        (   Sign =:= 1
        ->  reverse(Is, Is1)
        ;   Is1 = Is
        ),
        images(Is1, Image, [], Js),
        soft_restrict(Y, Js, Q0, Q)
    ;   Q = Q0
    ).

has_some_holes(A) :-
    arg(3, A, D),
    many(Many),
    (   integer(D)
    ->  popcount(D xor (D << 1)) =< 2*Many
    ;   D = [_|Is],
        at_most_that_many(Is, Many)
    ).

at_most_that_many([], _).
at_most_that_many([_|Is], N) :-
    N > 0,
    N1 is N-1,
    at_most_that_many(Is, N1).

%   From the last image to the first; those that touch are one.

images([], _, Js, Js).
images([L-H|Is], Image, Js0, Js) :-
    call(Image, L, H, L1, H1),
    (   integer(L1),
        integer(H1),
        L1 > H1
    ->  images(Is, Image, Js0, Js)
    ;   Js0 = [L2-H2|Js1],
        (   H1 == sup
        ->  true
        ;   L2 == inf
        ->  true
        ;   L2 =< H1+1
        )
    ->  joined(L1, H1, L2, H2, J),
        images(Is, Image, [J|Js1], Js)
    ;   images(Is, Image, [L1-H1|Js0], Js)
    ).

joined(L1, H1, L2, H2, L-H) :-
    smaller_of(L1, L2, L),
    greater_of(H1, H2, H).
