:- module(oset,
          [ oset_is/1,
            oset_union/3,
            oset_int/3,
            oset_diff/3,
            oset_dunion/2,
            oset_dint/2,
            oset_addel/3,
            oset_delel/3,
            oset_power/2
          ]).

/*  Ordered sets under the names of SWI-Prolog's library(oset). */

%!  oset_is(@Term) is semidet.

oset_is(Set) :-
    is_ordset(Set).

%!  oset_union(+A, +B, -Union) is det.

oset_union(A, B, Union) :-
    ord_union(A, B, Union).

%!  oset_int(+A, +B, -Intersection) is det.

oset_int(A, B, Intersection) :-
    ord_intersection(A, B, Intersection).

%!  oset_diff(+A, +B, -Difference) is det.

oset_diff(A, B, Difference) :-
    ord_subtract(A, B, Difference).

%!  oset_dunion(+Sets, -Union) is det.

oset_dunion(Sets, Union) :-
    ord_union(Sets, Union).

%!  oset_dint(+Sets, -Intersection) is det.

oset_dint(Sets, Intersection) :-
    (   Sets = [Set|Rest]
    ->  foldl([X, A, B]>>ord_intersection(X, A, B), Rest, Set, Intersection)
    ;   Intersection = []
    ).

%!  oset_addel(+Set, +Element, -Set2) is det.

oset_addel(Set, Element, Set2) :-
    ord_union(Set, [Element], Set2).

%!  oset_delel(+Set, +Element, -Set2) is det.

oset_delel(Set, Element, Set2) :-
    ord_subtract(Set, [Element], Set2).

%!  oset_power(+Set, -Power) is det.
%
%   Power is the ordered set of the subsets of Set.

oset_power(Set, Power) :-
    must_be(list, Set),
    oset_subsets(Set, Subsets),
    sort(Subsets, Power).

%   The subsets share the elements: no findall/3, which would copy their variables.
oset_subsets([], [[]]).
oset_subsets([X|Xs], Subsets) :-
    oset_subsets(Xs, Without),
    oset_with(Without, X, Subsets, Without).

oset_with([], _, Subsets, Subsets).
oset_with([S|Ss], X, [[X|S]|Subsets], Tail) :-
    oset_with(Ss, X, Subsets, Tail).
