:- module(ordsets,
          [ is_ordset/1,
            ord_empty/1,
            list_to_ord_set/2,
            ord_memberchk/2,
            ord_add_element/3,
            ord_del_element/3,
            ord_selectchk/3,
            ord_intersect/2,
            ord_disjoint/2,
            ord_intersect/3,
            ord_intersection/2,
            ord_intersection/3,
            ord_intersection/4,
            ord_seteq/2,
            ord_subset/2,
            ord_subtract/3,
            ord_symdiff/3,
            ord_union/2,
            ord_union/3,
            ord_union/4
          ]).
:- use_module(library(error), [must_be/2]).

/*  Sets as lists ordered by the standard order of terms, without repeats.

    As SWI-Prolog's library(ordsets). All binary operations walk the two lists
    once, side by side; each helper has one list as its first argument and the
    head of the other taken apart, so the walk leaves no choice points.
*/

%!  is_ordset(@Set) is semidet.
%
%   Set is a list in strictly ascending order.

is_ordset(Set) :-
    is_list(Set),
    ascends(Set).

ascends([]).
ascends([X|Xs]) :-
    ascends(Xs, X).

ascends([], _).
ascends([Y|Ys], X) :-
    X @< Y,
    ascends(Ys, Y).

%!  ord_empty(?Set) is semidet.
%
%   Set has no elements.

ord_empty([]).

%!  list_to_ord_set(+List, -Set) is det.
%
%   Set has the elements of List.

list_to_ord_set(List, Set) :-
    sort(List, Set).

%!  ord_memberchk(@Elem, +Set) is semidet.
%
%   Elem is, by ==/2, an element of Set.

ord_memberchk(X, Set) :-
    must_be(list, Set),
    memberchk_in(Set, X).

memberchk_in([Y|Ys], X) :-
    compare(Order, X, Y),
    (   Order == (>)
    ->  memberchk_in(Ys, X)
    ;   Order == (=)
    ).

%!  ord_add_element(+Set, @Elem, -Set2) is det.
%
%   Set2 is Set with Elem.

ord_add_element(Set, X, Set2) :-
    must_be(list, Set),
    add(Set, X, Set2).

add([], X, [X]).
add([Y|Ys], X, Zs) :-
    compare(Order, X, Y),
    (   Order == (>)
    ->  Zs = [Y|Zs1],
        add(Ys, X, Zs1)
    ;   Order == (<)
    ->  Zs = [X,Y|Ys]
    ;   Zs = [Y|Ys]
    ).

%!  ord_del_element(+Set, @Elem, -Set2) is det.
%
%   Set2 is Set without Elem.

ord_del_element(Set, X, Set2) :-
    must_be(list, Set),
    del(Set, X, Set2).

del([], _, []).
del([Y|Ys], X, Zs) :-
    compare(Order, X, Y),
    (   Order == (>)
    ->  Zs = [Y|Zs1],
        del(Ys, X, Zs1)
    ;   Order == (<)
    ->  Zs = [Y|Ys]
    ;   Zs = Ys
    ).

%!  ord_selectchk(@Elem, ?Set, ?Rest) is semidet.
%
%   Elem is in Set and Rest is Set without it; one of Set and Rest must be
%   known.

ord_selectchk(X, Set, Rest) :-
    (   nonvar(Set)
    ->  selectchk_in(Set, X, Rest)
    ;   must_be(list, Rest),
        \+ memberchk_in(Rest, X),
        add(Rest, X, Set)
    ).

selectchk_in([Y|Ys], X, Rest) :-
    compare(Order, X, Y),
    (   Order == (>)
    ->  Rest = [Y|Rest1],
        selectchk_in(Ys, X, Rest1)
    ;   Order == (=),
        Rest = Ys
    ).

%!  ord_intersect(+Set1, +Set2) is semidet.
%
%   The two sets have an element in common.

ord_intersect(Xs, Ys) :-
    must_be(list, Xs),
    must_be(list, Ys),
    \+ disjoint(Xs, Ys).

%!  ord_disjoint(+Set1, +Set2) is semidet.
%
%   The two sets have no element in common.

ord_disjoint(Xs, Ys) :-
    must_be(list, Xs),
    must_be(list, Ys),
    disjoint(Xs, Ys).

disjoint([], _).
disjoint([X|Xs], Ys) :-
    disjoint(Ys, X, Xs).

disjoint([], _, _).
disjoint([Y|Ys], X, Xs) :-
    compare(Order, X, Y),
    (   Order == (<)
    ->  disjoint(Xs, Y, Ys)
    ;   Order == (>),
        disjoint(Ys, X, Xs)
    ).

%!  ord_intersect(+Set1, +Set2, -Set) is det.
%
%   The old name of ord_intersection/3.

ord_intersect(Xs, Ys, Zs) :-
    ord_intersection(Xs, Ys, Zs).

%!  ord_intersection(+Sets, -Set) is semidet.
%
%   Set has the elements that are in all of Sets, of which there must be one.

ord_intersection(Sets, Set) :-
    must_be(list, Sets),
    Sets = [Set1|Rest],
    intersect_all(Rest, Set1, Set).

intersect_all([], Set, Set).
intersect_all([Set2|Sets], Set1, Set) :-
    ord_intersection(Set1, Set2, Set3),
    intersect_all(Sets, Set3, Set).

%!  ord_intersection(+Set1, +Set2, -Set) is det.
%
%   Set has the elements that are in both sets.

ord_intersection(Xs, Ys, Zs) :-
    must_be(list, Xs),
    must_be(list, Ys),
    meet(Xs, Ys, Zs).

meet([], _, []).
meet([X|Xs], Ys, Zs) :-
    meet(Ys, X, Xs, Zs).

meet([], _, _, []).
meet([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    (   Order == (<)
    ->  meet(Xs, Y, Ys, Zs)
    ;   Order == (>)
    ->  meet(Ys, X, Xs, Zs)
    ;   Zs = [X|Zs1],
        meet(Xs, Ys, Zs1)
    ).

%!  ord_intersection(+Set1, +Set2, -Set, -Only2) is det.
%
%   Set has the elements that are in both sets, Only2 those only in Set2.

ord_intersection(Xs, Ys, Zs, Only) :-
    must_be(list, Xs),
    must_be(list, Ys),
    meet_only(Ys, Xs, Zs, Only).

meet_only([], _, [], []).
meet_only([Y|Ys], Xs, Zs, Only) :-
    meet_only(Xs, Y, Ys, Zs, Only).

meet_only([], Y, Ys, [], [Y|Ys]).
meet_only([X|Xs], Y, Ys, Zs, Only) :-
    compare(Order, X, Y),
    (   Order == (<)
    ->  meet_only(Xs, Y, Ys, Zs, Only)
    ;   Order == (>)
    ->  Only = [Y|Only1],
        meet_only(Ys, [X|Xs], Zs, Only1)
    ;   Zs = [X|Zs1],
        meet_only(Ys, Xs, Zs1, Only)
    ).

%!  ord_seteq(+Set1, +Set2) is semidet.
%
%   The two sets have the same elements.

ord_seteq(Set1, Set2) :-
    Set1 == Set2.

%!  ord_subset(+Sub, +Set) is semidet.
%
%   All elements of Sub are in Set.

ord_subset(Xs, Ys) :-
    must_be(list, Xs),
    must_be(list, Ys),
    subset_of(Xs, Ys).

subset_of([], _).
subset_of([X|Xs], Ys) :-
    subset_of(Ys, X, Xs).

subset_of([Y|Ys], X, Xs) :-
    compare(Order, X, Y),
    (   Order == (>)
    ->  subset_of(Ys, X, Xs)
    ;   Order == (=),
        subset_of(Xs, Ys)
    ).

%!  ord_subtract(+Set1, +Set2, -Set) is det.
%
%   Set has the elements of Set1 that are not in Set2.

ord_subtract(Xs, Ys, Zs) :-
    must_be(list, Xs),
    must_be(list, Ys),
    minus(Xs, Ys, Zs).

minus([], _, []).
minus([X|Xs], Ys, Zs) :-
    minus(Ys, X, Xs, Zs).

minus([], X, Xs, [X|Xs]).
minus([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    (   Order == (<)
    ->  Zs = [X|Zs1],
        minus(Xs, [Y|Ys], Zs1)
    ;   Order == (>)
    ->  minus(Ys, X, Xs, Zs)
    ;   minus(Xs, Ys, Zs)
    ).

%!  ord_symdiff(+Set1, +Set2, -Set) is det.
%
%   Set has the elements that are in one of the sets only.

ord_symdiff(Xs, Ys, Zs) :-
    must_be(list, Xs),
    must_be(list, Ys),
    symdiff(Xs, Ys, Zs).

symdiff([], Ys, Ys).
symdiff([X|Xs], Ys, Zs) :-
    symdiff(Ys, X, Xs, Zs).

symdiff([], X, Xs, [X|Xs]).
symdiff([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    (   Order == (<)
    ->  Zs = [X|Zs1],
        symdiff(Xs, Y, Ys, Zs1)
    ;   Order == (>)
    ->  Zs = [Y|Zs1],
        symdiff(Ys, X, Xs, Zs1)
    ;   symdiff(Xs, Ys, Zs)
    ).

%!  ord_union(+Sets, -Set) is det.
%
%   Set has the elements of all of Sets.

ord_union(Sets, Set) :-
    must_be(list, Sets),
    all_elements(Sets, Elements),
    sort(Elements, Set).

all_elements([], []).
all_elements([Set|Sets], Elements) :-
    must_be(list, Set),
    elements_before(Set, Elements, Elements1),
    all_elements(Sets, Elements1).

elements_before([], Elements, Elements).
elements_before([X|Xs], [X|Elements], Rest) :-
    elements_before(Xs, Elements, Rest).

%!  ord_union(+Set1, +Set2, -Set) is det.
%
%   Set has the elements of both sets.

ord_union(Xs, Ys, Zs) :-
    must_be(list, Xs),
    must_be(list, Ys),
    join(Xs, Ys, Zs).

join([], Ys, Ys).
join([X|Xs], Ys, Zs) :-
    join(Ys, X, Xs, Zs).

join([], X, Xs, [X|Xs]).
join([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    (   Order == (<)
    ->  Zs = [X|Zs1],
        join(Xs, Y, Ys, Zs1)
    ;   Order == (>)
    ->  Zs = [Y|Zs1],
        join(Ys, X, Xs, Zs1)
    ;   Zs = [X|Zs1],
        join(Xs, Ys, Zs1)
    ).

%!  ord_union(+Set1, +Set2, -Set, -New) is det.
%
%   Set has the elements of both sets, New those of Set2 that are not in Set1.

ord_union(Xs, Ys, Zs, New) :-
    must_be(list, Xs),
    must_be(list, Ys),
    join_new(Ys, Xs, Zs, New).

join_new([], Xs, Xs, []).
join_new([Y|Ys], Xs, Zs, New) :-
    join_new(Xs, Y, Ys, Zs, New).

join_new([], Y, Ys, [Y|Ys], [Y|Ys]).
join_new([X|Xs], Y, Ys, [Z|Zs], New) :-
    compare(Order, X, Y),
    (   Order == (<)
    ->  Z = X,
        join_new(Xs, Y, Ys, Zs, New)
    ;   Order == (>)
    ->  Z = Y,
        New = [Y|New1],
        join_new(Ys, [X|Xs], Zs, New1)
    ;   Z = X,
        join_new(Ys, Xs, Zs, New)
    ).
