:- module(lists,
          [ append/3,
            append/2,
            prefix/2,
            select/3,
            selectchk/3,
            select/4,
            selectchk/4,
            subtract/3,
            permutation/2,
            subseq/3,
            member/2,
            memberchk/2,
            delete/3,
            nextto/3,
            nth0/3,
            nth1/3,
            nth0/4,
            nth1/4,
            last/2,
            proper_length/2,
            same_length/2,
            reverse/2,
            flatten/2,
            clumped/2,
            max_member/2,
            min_member/2,
            max_member/3,
            min_member/3,
            list_to_set/2,
            is_set/1,
            intersection/3,
            union/3,
            subset/2,
            sum_list/2,
            sumlist/2,
            max_list/2,
            min_list/2,
            numlist/3
          ]).
:- use_module(library(error), [instantiation_error/1, must_be/2, type_error/2]).

/*  Relations on lists.

    As SWI-Prolog's library(lists).

    Differs from it in: predicates that need a proper list say so with an
    instantiation error or type_error(list, X), where SWI-Prolog reports that
    no rule matches.

    Every recursion is on the first argument, which tells [] from [_|_], so
    that a list bound in that argument leaves no choice point behind.
*/

:- meta_predicate
    max_member(2, -, +),
    min_member(2, -, +).

%!  append(?Front, ?Back, ?List) is nondet.
%
%   List is Front followed by Back.

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

%!  append(+Lists, ?List) is nondet.
%
%   List is the concatenation of the lists in the list Lists.

append(Lists, List) :-
    must_be(list, Lists),
    concatenation(Lists, List).

concatenation([], []).
concatenation([Xs|Xss], List) :-
    append(Xs, Rest, List),
    concatenation(Xss, Rest).

%!  prefix(?Front, ?List) is nondet.
%
%   List starts with the elements of Front.

prefix([], _).
prefix([X|Xs], [X|Ys]) :-
    prefix(Xs, Ys).

%!  select(?Elem, ?List, ?Rest) is nondet.
%
%   Rest is List without one occurrence of Elem.

select(X, [Y|Ys], Rest) :-
    select_(Ys, X, Y, Rest).

select_(Ys, X, X, Ys).
select_([Z|Zs], X, Y, [Y|Rest]) :-
    select_(Zs, X, Z, Rest).

%!  selectchk(+Elem, +List, -Rest) is semidet.
%
%   Rest is List without the first element that unifies with Elem.

selectchk(X, List, Rest) :-
    select(X, List, Rest0),
    !,
    Rest = Rest0.

%!  select(?X, ?Xs, ?Y, ?Ys) is nondet.
%
%   Ys is Xs with one occurrence of X replaced by Y.

select(X, Xs, Y, Ys) :-
    replace(Xs, X, Y, Ys).

replace([X|Xs], X, Y, [Y|Xs]).
replace([Z|Xs], X, Y, [Z|Ys]) :-
    replace(Xs, X, Y, Ys).

%!  selectchk(+X, +Xs, ?Y, ?Ys) is semidet.
%
%   Ys is Xs with the first possible replacement of X by Y.

selectchk(X, Xs, Y, Ys) :-
    replace(Xs, X, Y, Ys),
    !.

%!  subtract(+Set, +Delete, -Rest) is det.
%
%   Rest is the list of elements of Set that unify with none in Delete.

subtract(Set, Delete, Rest) :-
    must_be(list, Set),
    subtract_(Set, Delete, Rest).

subtract_([], _, []).
subtract_([X|Xs], Delete, Rest) :-
    (   memberchk(X, Delete)
    ->  subtract_(Xs, Delete, Rest)
    ;   Rest = [X|Rest1],
        subtract_(Xs, Delete, Rest1)
    ).

%!  permutation(?Xs, ?Ys) is nondet.
%
%   Ys has the elements of Xs in any order.

permutation(Xs, Ys) :-
    list_end(Xs, XEnd),
    list_end(Ys, YEnd),
    (   XEnd == []
    ->  list_or_open(YEnd, Ys),
        same_length(Xs, Ys)
    ;   nonvar(XEnd)
    ->  type_error(list, Xs)
    ;   YEnd == []
    ->  same_length(Ys, Xs)
    ;   var(YEnd)
    ->  length(Xs, N),
        length(Ys, N)
    ;   instantiation_error(Xs)
    ),
    permute(Xs, Ys).

permute([], []).
permute([X|Xs], [Y|Ys]) :-
    select(Y, [X|Xs], Rest),
    permute(Rest, Ys).

%   list_end(+List, -End): End is what comes after the last pair of List.

list_end(List, End) :-
    (   nonvar(List),
        List = [_|Tail]
    ->  list_end(Tail, End)
    ;   End = List
    ).

list_or_open(End, List) :-
    (   var(End)
    ->  true
    ;   End == []
    ->  true
    ;   type_error(list, List)
    ).

%!  subseq(+List, -Sub, -Rest) is nondet.
%
%   Sub has some elements of List and Rest the others, both in their order.

subseq([], [], []).
subseq([X|Xs], Sub, Rest) :-
    subseq_(Sub, Rest, X, Xs).

subseq_(Sub, [X|Rest], X, Xs) :-
    subseq(Xs, Sub, Rest).
subseq_([X|Sub], Rest, X, Xs) :-
    subseq(Xs, Sub, Rest).

%!  member(?Elem, ?List) is nondet.
%
%   Elem is an element of List.

member(X, [Y|Ys]) :-
    member_(Ys, X, Y).

member_(_, X, X).
member_([Y|Ys], X, _) :-
    member_(Ys, X, Y).

%!  delete(+List, @Elem, -Rest) is det.
%
%   Rest has the elements of List that do not unify with Elem.

delete([], _, []).
delete([X|Xs], Elem, Rest) :-
    (   X \= Elem
    ->  Rest = [X|Rest1],
        delete(Xs, Elem, Rest1)
    ;   delete(Xs, Elem, Rest)
    ).

%!  nextto(?X, ?Y, ?List) is nondet.
%
%   Y follows X immediately in List.

nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|Zs]) :-
    nextto(X, Y, Zs).

%!  nth0(?Index, ?List, ?Elem) is nondet.
%
%   Elem is the element of List at Index, counted from 0.

nth0(Index, List, Elem) :-
    (   var(Index)
    ->  List = [X|Xs],
        find_nth(Xs, X, Elem, 0, Index)
    ;   must_be(integer, Index),
        Index >= 0,
        get_nth(Index, List, Elem)
    ).

%!  nth1(?Index, ?List, ?Elem) is nondet.
%
%   Elem is the element of List at Index, counted from 1.

nth1(Index, List, Elem) :-
    (   var(Index)
    ->  List = [X|Xs],
        find_nth(Xs, X, Elem, 1, Index)
    ;   must_be(integer, Index),
        Index >= 1,
        Index0 is Index-1,
        get_nth(Index0, List, Elem)
    ).

get_nth(N, List, Elem) :-
    '$drop'(N, List, Rest, Left),
    (   Left =:= 0
    ->  Rest = [Elem|_]
    ;   Rest = [_|Rest1],
        N1 is Left-1,
        get_nth(N1, Rest1, Elem)
    ).

find_nth(_, Elem, Elem, N, N).
find_nth([X|Xs], _, Elem, N0, N) :-
    N1 is N0+1,
    find_nth(Xs, X, Elem, N1, N).

%!  nth0(?Index, ?List, ?Elem, ?Rest) is nondet.
%
%   Rest is List without the element Elem at Index, counted from 0.

nth0(Index, List, Elem, Rest) :-
    (   var(Index)
    ->  find_del_nth(List, Elem, Rest, 0, Index)
    ;   must_be(nonneg, Index),
        del_nth(Index, List, Elem, Rest)
    ).

%!  nth1(?Index, ?List, ?Elem, ?Rest) is nondet.
%
%   Rest is List without the element Elem at Index, counted from 1.

nth1(Index, List, Elem, Rest) :-
    (   var(Index)
    ->  find_del_nth(List, Elem, Rest, 1, Index)
    ;   must_be(positive_integer, Index),
        Index0 is Index-1,
        del_nth(Index0, List, Elem, Rest)
    ).

del_nth(N, List, Elem, Rest) :-
    (   N =:= 0
    ->  List = [Elem|Rest]
    ;   N1 is N-1,
        List = [X|Xs],
        Rest = [X|Rest1],
        del_nth(N1, Xs, Elem, Rest1)
    ).

find_del_nth([Elem|Rest], Elem, Rest, N, N).
find_del_nth([X|Xs], Elem, [X|Rest], N0, N) :-
    N1 is N0+1,
    find_del_nth(Xs, Elem, Rest, N1, N).

%!  last(?List, ?Elem) is nondet.
%
%   Elem is the last element of List. A cyclic list has none.

last([X|Xs], Last) :-
    '$skip_list'(_, Xs, Tail),
    ( var(Tail) -> true ; Tail = [] ),
    last_(Xs, X, Last).

last_([], Last, Last).
last_([X|Xs], _, Last) :-
    last_(Xs, X, Last).

%!  proper_length(@List, -Length) is semidet.
%
%   List is a proper list of Length elements.

proper_length(List, Length) :-
    is_list(List),
    length(List, N),
    Length = N.

%!  same_length(?Xs, ?Ys) is nondet.
%
%   Xs and Ys have as many elements.

same_length(Xs, Ys) :-
    (   nonvar(Xs)
    ->  same_length_(Xs, Ys)
    ;   same_length_(Ys, Xs)
    ).

same_length_([], []).
same_length_([_|Xs], [_|Ys]) :-
    (   nonvar(Xs)
    ->  same_length_(Xs, Ys)
    ;   same_length_(Ys, Xs)
    ).

%!  reverse(?Xs, ?Ys) is nondet.
%
%   Ys has the elements of Xs in opposite order.

reverse(Xs, Ys) :-
    (   is_list(Xs)
    ->  true
    ;   same_length(Xs, Ys)
    ),
    reverse_(Xs, [], Ys).

reverse_([], Ys, Ys).
reverse_([X|Xs], Acc, Ys) :-
    reverse_(Xs, [X|Acc], Ys).

%!  flatten(+Nested, -Flat) is det.
%
%   Flat has the elements of the lists in Nested at any depth; a term that is
%   no list counts as a list of one.

flatten(Nested, Flat) :-
    flatten_(Nested, Flat0, []),
    !,
    Flat = Flat0.

flatten_(X, Flat, Rest) :-
    (   var(X)
    ->  Flat = [X|Rest]
    ;   flatten_bound(X, Flat, Rest)
    ).

flatten_bound([], Rest, Rest) :-
    !.
flatten_bound([X|Xs], Flat, Rest) :-
    !,
    flatten_(X, Flat, Flat1),
    flatten_(Xs, Flat1, Rest).
flatten_bound(X, [X|Rest], Rest).

%!  clumped(+Items, -Counts) is det.
%
%   Counts has a pair Item-N for every run of N equal items in Items.

clumped([], []).
clumped([X|Xs], [X-N|Counts]) :-
    clump(Xs, X, 1, N, Rest),
    clumped(Rest, Counts).

clump([], _, N, N, []).
clump([Y|Ys], X, N0, N, Rest) :-
    (   X == Y
    ->  N1 is N0+1,
        clump(Ys, X, N1, N, Rest)
    ;   N = N0,
        Rest = [Y|Ys]
    ).

%!  max_member(-Max, +List) is semidet.
%
%   Max is the largest element of List in the standard order.

max_member(Max, List) :-
    must_be(list, List),
    List = [X|Xs],
    max_member_(Xs, X, Max).

max_member_([], Max, Max).
max_member_([X|Xs], Max0, Max) :-
    (   X @=< Max0
    ->  max_member_(Xs, Max0, Max)
    ;   max_member_(Xs, X, Max)
    ).

%!  min_member(-Min, +List) is semidet.
%
%   Min is the smallest element of List in the standard order.

min_member(Min, List) :-
    must_be(list, List),
    List = [X|Xs],
    min_member_(Xs, X, Min).

min_member_([], Min, Min).
min_member_([X|Xs], Min0, Min) :-
    (   X @>= Min0
    ->  min_member_(Xs, Min0, Min)
    ;   min_member_(Xs, X, Min)
    ).

%!  max_member(:Less, -Max, +List) is semidet.
%
%   Max is the largest element of List, where call(Less, X, Y) says that X is
%   at most Y; of equals, the first.

max_member(Less, Max, List) :-
    must_be(list, List),
    List = [X|Xs],
    max_member_(Xs, Less, X, Max).

max_member_([], _, Max, Max).
max_member_([X|Xs], Less, Max0, Max) :-
    (   call(Less, X, Max0)
    ->  max_member_(Xs, Less, Max0, Max)
    ;   max_member_(Xs, Less, X, Max)
    ).

%!  min_member(:Less, -Min, +List) is semidet.
%
%   Min is the smallest element of List, where call(Less, X, Y) says that X is
%   at most Y; of equals, the first.

min_member(Less, Min, List) :-
    must_be(list, List),
    List = [X|Xs],
    min_member_(Xs, Less, X, Min).

min_member_([], _, Min, Min).
min_member_([X|Xs], Less, Min0, Min) :-
    (   call(Less, Min0, X)
    ->  min_member_(Xs, Less, Min0, Min)
    ;   min_member_(Xs, Less, X, Min)
    ).

%!  list_to_set(+List, -Set) is det.
%
%   Set has the elements of List in their order, only the first of those that
%   are equal by ==/2.

list_to_set(List, Set) :-
    must_be(list, List),
    places(List, Pairs, Places),
    keysort(Pairs, Sorted),
    drop_repeats(Sorted),
    keep_places(Places, Set).

%   Places has a place(Keep, Elem) for every element; Keep is bound to 'no'
%   for those that repeat an earlier one. Sorting is stable, so in every run
%   of equal keys the first is the one to keep.

places([], [], []).
places([X|Xs], [X-Keep|Pairs], [place(Keep,X)|Places]) :-
    places(Xs, Pairs, Places).

drop_repeats([]).
drop_repeats([X-_|Pairs]) :-
    drop_repeats(Pairs, X).

drop_repeats([], _).
drop_repeats([Y-Keep|Pairs], X) :-
    (   X == Y
    ->  Keep = no
    ;   true
    ),
    drop_repeats(Pairs, Y).

keep_places([], []).
keep_places([place(Keep,X)|Places], Set) :-
    (   var(Keep)
    ->  Set = [X|Set1],
        keep_places(Places, Set1)
    ;   keep_places(Places, Set)
    ).

%!  is_set(@Set) is semidet.
%
%   Set is a proper list without elements that are equal by ==/2.

is_set(Set) :-
    is_list(Set),
    length(Set, N),
    sort(Set, Sorted),
    length(Sorted, N).

%!  intersection(+Xs, +Ys, -Set) is det.
%
%   Set has the elements of Xs that unify with one of Ys.

intersection(Xs, Ys, Set) :-
    must_be(list, Xs),
    intersection_(Xs, Ys, Set).

intersection_([], _, []).
intersection_([X|Xs], Ys, Set) :-
    (   memberchk(X, Ys)
    ->  Set = [X|Set1],
        intersection_(Xs, Ys, Set1)
    ;   intersection_(Xs, Ys, Set)
    ).

%!  union(+Xs, +Ys, -Set) is det.
%
%   Set has the elements of Xs that unify with none of Ys, followed by Ys.

union(Xs, Ys, Set) :-
    must_be(list, Xs),
    union_(Xs, Ys, Set).

union_([], Ys, Ys).
union_([X|Xs], Ys, Set) :-
    (   memberchk(X, Ys)
    ->  union_(Xs, Ys, Set)
    ;   Set = [X|Set1],
        union_(Xs, Ys, Set1)
    ).

%!  subset(+Sub, +Set) is semidet.
%
%   Every element of Sub unifies with one of Set.

subset(Sub, Set) :-
    must_be(list, Sub),
    subset_(Sub, Set).

subset_([], _).
subset_([X|Xs], Set) :-
    memberchk(X, Set),
    subset_(Xs, Set).

%!  sum_list(+Numbers, -Sum) is det.
%
%   Sum is the sum of Numbers, 0 if there are none.

sum_list(Numbers, Sum) :-
    must_be(list, Numbers),
    sum_list_(Numbers, 0, Sum).

sum_list_([], Sum, Sum).
sum_list_([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0+X,
    sum_list_(Xs, Sum1, Sum).

%!  sumlist(+Numbers, -Sum) is det.
%
%   The old name of sum_list/2.

sumlist(Numbers, Sum) :-
    sum_list(Numbers, Sum).

%!  max_list(+Numbers, -Max) is semidet.
%
%   Max is the largest of Numbers; fails if there are none.

max_list(Numbers, Max) :-
    must_be(list, Numbers),
    Numbers = [X|Xs],
    max_list_(Xs, X, Max).

max_list_([], Max, Max).
max_list_([X|Xs], Max0, Max) :-
    Max1 is max(X, Max0),
    max_list_(Xs, Max1, Max).

%!  min_list(+Numbers, -Min) is semidet.
%
%   Min is the smallest of Numbers; fails if there are none.

min_list(Numbers, Min) :-
    must_be(list, Numbers),
    Numbers = [X|Xs],
    min_list_(Xs, X, Min).

min_list_([], Min, Min).
min_list_([X|Xs], Min0, Min) :-
    Min1 is min(X, Min0),
    min_list_(Xs, Min1, Min).

%!  numlist(+Low, +High, -Numbers) is semidet.
%
%   Numbers are the integers from Low to High; fails if High is below Low.

numlist(Low, High, Numbers) :-
    must_be(integer, Low),
    must_be(integer, High),
    Low =< High,
    numlist_(Low, High, Numbers).

numlist_(N, High, [N|Ns]) :-
    (   N < High
    ->  N1 is N+1,
        numlist_(N1, High, Ns)
    ;   Ns = []
    ).
