:- module(sets,
          [ add_element/3, del_element/3, disjoint/2, disjoint_union/3, intersect/2, list_to_set/2, set_order/3, seteq/2, union/4 ]).
:- use_module(library(lists), [append/3, memberchk/2, member/2, subset/2, subtract/3, union/3]).

/*  SICStus Prolog's library(sets), version 4: what library(lists) does not have. Sets are lists in any order; elements are compared by unification, as there.  */

%!  add_element(+Element, +Set, -With) is det.
%!  del_element(+Element, +Set, -Without) is det.

add_element(Element, Set, With) :-
    ( memberchk(Element, Set) -> With = Set ; With = [Element|Set] ).

del_element(Element, Set, Without) :-
    ( lists:selectchk(Element, Set, Without0) -> Without = Without0 ; Without = Set ).

%!  disjoint(+A, +B) is semidet.
%!  intersect(+A, +B) is semidet.

disjoint(A, B) :-
    \+ intersect(A, B).

intersect(A, B) :-
    member(X, A),
    memberchk(X, B), !.

%!  disjoint_union(+A, +B, -Union) is semidet.
%
%   Fails if they have an element in common.

disjoint_union(A, B, Union) :-
    disjoint(A, B),
    append(A, B, Union).

%!  list_to_set(+List, -Set) is det.
%
%   The last ones of those that unify.

list_to_set([], []).
list_to_set([X|Xs], Set) :-
    ( memberchk(X, Xs) -> Set = Set1 ; Set = [X|Set1] ),
    list_to_set(Xs, Set1).

%!  set_order(+A, +B, -Order) is semidet.
%
%   Order is <, = or >: A is a subset of B, has the same elements, or B is a subset of A.

set_order(A, B, Order) :-
    (   subset(A, B)
    ->  ( subset(B, A) -> Order = (=) ; Order = (<) )
    ;   subset(B, A),
        Order = (>)
    ).

%!  seteq(+A, +B) is semidet.

seteq(A, B) :-
    subset(A, B),
    subset(B, A).

%!  union(+A, +B, -Union, -Difference) is det.
%
%   Difference are the elements of A that are not in B.

union(A, B, Union, Difference) :-
    subtract(A, B, Difference),
    append(Difference, B, Union).
