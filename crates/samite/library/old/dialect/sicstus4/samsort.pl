:- module(samsort, [ samsort/2, samsort/3, samkeysort/2, merge/3, merge/4 ]).

/*  SICStus Prolog's library(samsort), version 4: sorting that keeps what is the same, in its order.  */

:- meta_predicate samsort(2, +, -), merge(2, +, +, -).

%!  samsort(+List, -Sorted) is det.
%!  samsort(:Order, +List, -Sorted) is det.
%
%   By the standard order, or by call(Order, A, B), which is true if A may stand before B.

samsort(List, Sorted) :-
    msort(List, Sorted).

samsort(Order, List, Sorted) :-
    length(List, N),
    sorted(N, Order, Sorted, List, []).

%   sorted(+N, :Order, -Sorted, +List, -Rest): the first N elements of List.
sorted(0, _, [], List, List) :- !.
sorted(1, _, [X], [X|Rest], Rest) :- !.
sorted(N, Order, Sorted, List, Rest) :-
    Left is N//2,
    Right is N-Left,
    sorted(Left, Order, A, List, Rest1),
    sorted(Right, Order, B, Rest1, Rest),
    merge(Order, A, B, Sorted).

%!  merge(+A, +B, -Merged) is det.
%!  merge(:Order, +A, +B, -Merged) is det.
%
%   All elements of two sorted lists.

merge(A, B, Merged) :-
    merge(@=<, A, B, Merged).

merge(Order, A, B, Merged) :-
    merged(A, B, Order, Merged).

merged([], Ys, _, Ys).
merged([X|Xs], Ys, Order, Merged) :-
    merged(Ys, X, Xs, Order, Merged).

merged([], X, Xs, _, [X|Xs]).
merged([Y|Ys], X, Xs, Order, Merged) :-
    (   call(Order, X, Y)
    ->  Merged = [X|Merged1],
        merged(Xs, [Y|Ys], Order, Merged1)
    ;   Merged = [Y|Merged1],
        merged(Ys, X, Xs, Order, Merged1)
    ).

%!  samkeysort(+Pairs, -Sorted) is det.

samkeysort(Pairs, Sorted) :-
    keysort(Pairs, Sorted).
