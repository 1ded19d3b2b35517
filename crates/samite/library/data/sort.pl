:- module(sort,
          [ predsort/3,
            locale_sort/2
          ]).
:- use_module(library(error), [must_be/2]).

/*  Sorting by an order that the program gives.

    As SWI-Prolog's library(sort). A merge sort that halves the list by
    counting, so it makes no copies on the way down.
*/

:- meta_predicate predsort(3, +, -).

%!  predsort(:Compare, +List, -Sorted) is semidet.
%
%   Sort List by call(Compare, Order, X, Y) with Order one of <, = and >; of
%   two elements that compare as = the later is dropped.

predsort(Compare, List, Sorted) :-
    must_be(list, List),
    length(List, N),
    predsort(N, Compare, List, _, Sorted0),
    !,
    Sorted = Sorted0.

predsort(N, Compare, List, Rest, Sorted) :-
    (   N > 2
    ->  N1 is N >> 1,
        N2 is N-N1,
        predsort(N1, Compare, List, List1, Sorted1),
        predsort(N2, Compare, List1, Rest, Sorted2),
        predmerge(Sorted1, Sorted2, Compare, Sorted)
    ;   N =:= 2
    ->  List = [X,Y|Rest],
        call(Compare, Order, X, Y),
        pair_in_order(Order, X, Y, Sorted)
    ;   N =:= 1
    ->  List = [X|Rest],
        Sorted = [X]
    ;   Rest = List,
        Sorted = []
    ).

pair_in_order(<, X, Y, [X,Y]).
pair_in_order(=, X, _, [X]).
pair_in_order(>, X, Y, [Y,X]).

predmerge([], Ys, _, Ys).
predmerge([X|Xs], Ys, Compare, Zs) :-
    predmerge(Ys, X, Xs, Compare, Zs).

predmerge([], X, Xs, _, [X|Xs]).
predmerge([Y|Ys], X, Xs, Compare, Zs) :-
    call(Compare, Order, X, Y),
    predmerge(Order, X, Xs, Y, Ys, Compare, Zs).

predmerge(<, X, Xs, Y, Ys, Compare, [X|Zs]) :-
    predmerge_left(Xs, Y, Ys, Compare, Zs).
predmerge(=, X, Xs, _, Ys, Compare, [X|Zs]) :-
    predmerge(Xs, Ys, Compare, Zs).
predmerge(>, X, Xs, Y, Ys, Compare, [Y|Zs]) :-
    predmerge(Ys, X, Xs, Compare, Zs).

predmerge_left([], Y, Ys, _, [Y|Ys]).
predmerge_left([X|Xs], Y, Ys, Compare, Zs) :-
    call(Compare, Order, X, Y),
    predmerge(Order, X, Xs, Y, Ys, Compare, Zs).

%!  locale_sort(+List, -Sorted) is det.
%
%   Sort a list of texts alphabetically, by collation_key/2.

locale_sort(List, Sorted) :-
    must_be(list, List),
    collation_pairs(List, Pairs),
    keysort(Pairs, SortedPairs),
    keyed_values(SortedPairs, Sorted).

collation_pairs([], []).
collation_pairs([X|Xs], [Key-X|Pairs]) :-
    collation_key(X, Key),
    collation_pairs(Xs, Pairs).

keyed_values([], []).
keyed_values([_-X|Pairs], [X|Xs]) :-
    keyed_values(Pairs, Xs).
