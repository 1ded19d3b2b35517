:- module(apply,
          [ maplist/2,
            maplist/3,
            maplist/4,
            maplist/5,
            maplist/6,
            maplist/7,
            include/3,
            exclude/3,
            partition/4,
            partition/5,
            convlist/3,
            foldl/4,
            foldl/5,
            foldl/6,
            foldl/7,
            foldr/4,
            scanl/4,
            scanl/5,
            scanl/6,
            scanl/7
          ]).
:- use_module(library(error), [must_be/2]).

/*  Calling a closure for every element of a list.

    As SWI-Prolog's library(apply).

    The closure comes last in the helpers, the list that drives the loop
    first, so that clause indexing tells [] from [_|_]. Where that list may
    be unbound and another is not, the loop follows the bound one.
*/

:- meta_predicate
    maplist(1, ?),
    maplist(2, ?, ?),
    maplist(3, ?, ?, ?),
    maplist(4, ?, ?, ?, ?),
    maplist(5, ?, ?, ?, ?, ?),
    maplist(6, ?, ?, ?, ?, ?, ?),
    include(1, +, -),
    exclude(1, +, -),
    partition(1, +, -, -),
    partition(2, +, -, -, -),
    convlist(2, +, -),
    foldl(3, +, +, -),
    foldl(4, +, +, +, -),
    foldl(5, +, +, +, +, -),
    foldl(6, +, +, +, +, +, -),
    foldr(3, +, +, -),
    scanl(3, +, +, -),
    scanl(4, +, +, +, -),
    scanl(5, +, +, +, +, -),
    scanl(6, +, +, +, +, +, -).

%!  maplist(:Goal, ?Xs) is nondet.
%
%   Goal is true of every element of Xs.

maplist(Goal, Xs) :-
    maplist_(Xs, Goal).

maplist_([], _).
maplist_([X|Xs], Goal) :-
    call(Goal, X),
    maplist_(Xs, Goal).

%!  maplist(:Goal, ?Xs, ?Ys) is nondet.
%
%   Goal is true of the elements of Xs and Ys, taken together in order.

maplist(Goal, Xs, Ys) :-
    (   nonvar(Xs)
    ->  maplist_(Xs, Ys, Goal)
    ;   maplist_back(Ys, Xs, Goal)
    ).

maplist_([], [], _).
maplist_([X|Xs], [Y|Ys], Goal) :-
    call(Goal, X, Y),
    (   nonvar(Xs)
    ->  maplist_(Xs, Ys, Goal)
    ;   maplist_back(Ys, Xs, Goal)
    ).

maplist_back([], [], _).
maplist_back([Y|Ys], [X|Xs], Goal) :-
    call(Goal, X, Y),
    (   nonvar(Xs)
    ->  maplist_(Xs, Ys, Goal)
    ;   maplist_back(Ys, Xs, Goal)
    ).

%!  maplist(:Goal, ?Xs, ?Ys, ?Zs) is nondet.
%
%   As maplist/3 for three lists.

maplist(Goal, Xs, Ys, Zs) :-
    (   var(Xs)
    ->  shape(Ys, Xs),
        shape(Zs, Xs)
    ;   true
    ),
    maplist_(Xs, Ys, Zs, Goal).

maplist_([], [], [], _).
maplist_([X|Xs], [Y|Ys], [Z|Zs], Goal) :-
    call(Goal, X, Y, Z),
    maplist_(Xs, Ys, Zs, Goal).

%!  maplist(:Goal, ?Xs, ?Ys, ?Zs, ?Us) is nondet.
%
%   As maplist/3 for four lists.

maplist(Goal, Xs, Ys, Zs, Us) :-
    (   var(Xs)
    ->  shape(Ys, Xs),
        shape(Zs, Xs),
        shape(Us, Xs)
    ;   true
    ),
    maplist_(Xs, Ys, Zs, Us, Goal).

maplist_([], [], [], [], _).
maplist_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], Goal) :-
    call(Goal, X, Y, Z, U),
    maplist_(Xs, Ys, Zs, Us, Goal).

%!  maplist(:Goal, ?Xs, ?Ys, ?Zs, ?Us, ?Vs) is nondet.
%
%   As maplist/3 for five lists.

maplist(Goal, Xs, Ys, Zs, Us, Vs) :-
    (   var(Xs)
    ->  shape(Ys, Xs),
        shape(Zs, Xs),
        shape(Us, Xs),
        shape(Vs, Xs)
    ;   true
    ),
    maplist_(Xs, Ys, Zs, Us, Vs, Goal).

maplist_([], [], [], [], [], _).
maplist_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], [V|Vs], Goal) :-
    call(Goal, X, Y, Z, U, V),
    maplist_(Xs, Ys, Zs, Us, Vs, Goal).

%!  maplist(:Goal, ?Xs, ?Ys, ?Zs, ?Us, ?Vs, ?Ws) is nondet.
%
%   As maplist/3 for six lists.

maplist(Goal, Xs, Ys, Zs, Us, Vs, Ws) :-
    (   var(Xs)
    ->  shape(Ys, Xs),
        shape(Zs, Xs),
        shape(Us, Xs),
        shape(Vs, Xs),
        shape(Ws, Xs)
    ;   true
    ),
    maplist_(Xs, Ys, Zs, Us, Vs, Ws, Goal).

maplist_([], [], [], [], [], [], _).
maplist_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], [V|Vs], [W|Ws], Goal) :-
    call(Goal, X, Y, Z, U, V, W),
    maplist_(Xs, Ys, Zs, Us, Vs, Ws, Goal).

%   shape(?List, ?Copy): if Copy is unbound, give it the pairs that List has,
%   and its end if that is [].

shape(List, Copy) :-
    (   var(Copy)
    ->  shape_(List, Copy)
    ;   true
    ).

shape_(List, Copy) :-
    (   var(List)
    ->  true
    ;   List = [_|Xs]
    ->  Copy = [_|Ys],
        shape_(Xs, Ys)
    ;   List == []
    ->  Copy = []
    ;   true
    ).

%!  include(:Goal, +List, -Included) is det.
%
%   Included has the elements of List of which Goal is true.

include(Goal, List, Included) :-
    include_(List, Goal, Included).

include_([], _, []).
include_([X|Xs], Goal, Included) :-
    (   call(Goal, X)
    ->  Included = [X|Included1],
        include_(Xs, Goal, Included1)
    ;   include_(Xs, Goal, Included)
    ).

%!  exclude(:Goal, +List, -Included) is det.
%
%   Included has the elements of List of which Goal is not true.

exclude(Goal, List, Included) :-
    exclude_(List, Goal, Included).

exclude_([], _, []).
exclude_([X|Xs], Goal, Included) :-
    (   call(Goal, X)
    ->  exclude_(Xs, Goal, Included)
    ;   Included = [X|Included1],
        exclude_(Xs, Goal, Included1)
    ).

%!  partition(:Goal, +List, -Included, -Excluded) is det.
%
%   Included has the elements of List of which Goal is true, Excluded the
%   others.

partition(Goal, List, Included, Excluded) :-
    partition_(List, Goal, Included, Excluded).

partition_([], _, [], []).
partition_([X|Xs], Goal, Included, Excluded) :-
    (   call(Goal, X)
    ->  Included = [X|Included1],
        partition_(Xs, Goal, Included1, Excluded)
    ;   Excluded = [X|Excluded1],
        partition_(Xs, Goal, Included, Excluded1)
    ).

%!  partition(:Goal, +List, -Less, -Equal, -Greater) is semidet.
%
%   Divide List by the order =|<|=, =|=|= or =|>|= that call(Goal, X, Order)
%   gives for each element.

partition(Goal, List, Less, Equal, Greater) :-
    partition_(List, Goal, Less, Equal, Greater).

partition_([], _, [], [], []).
partition_([X|Xs], Goal, Less, Equal, Greater) :-
    call(Goal, X, Order),
    partition_(Order, X, Xs, Goal, Less, Equal, Greater).

partition_(Order, X, Xs, Goal, Less, Equal, Greater) :-
    must_be(oneof([<,=,>]), Order),
    place(Order, X, Less, Less1, Equal, Equal1, Greater, Greater1),
    partition_(Xs, Goal, Less1, Equal1, Greater1).

place(<, X, [X|L], L, E, E, G, G).
place(=, X, L, L, [X|E], E, G, G).
place(>, X, L, L, E, E, [X|G], G).

%!  convlist(:Goal, +Xs, -Ys) is det.
%
%   Ys has the Y of call(Goal, X, Y) for the elements X of Xs for which it
%   succeeds.

convlist(Goal, Xs, Ys) :-
    convlist_(Xs, Goal, Ys).

convlist_([], _, []).
convlist_([X|Xs], Goal, Ys) :-
    (   call(Goal, X, Y)
    ->  Ys = [Y|Ys1],
        convlist_(Xs, Goal, Ys1)
    ;   convlist_(Xs, Goal, Ys)
    ).

%!  foldl(:Goal, +Xs, +V0, -V) is nondet.
%
%   Take V0 to V by call(Goal, X, Vi, Vj) for the elements of Xs in order.

foldl(Goal, Xs, V0, V) :-
    foldl_(Xs, Goal, V0, V).

foldl_([], _, V, V).
foldl_([X|Xs], Goal, V0, V) :-
    call(Goal, X, V0, V1),
    foldl_(Xs, Goal, V1, V).

%!  foldl(:Goal, +Xs, +Ys, +V0, -V) is nondet.
%
%   As foldl/4 for two lists.

foldl(Goal, Xs, Ys, V0, V) :-
    foldl_(Xs, Ys, Goal, V0, V).

foldl_([], [], _, V, V).
foldl_([X|Xs], [Y|Ys], Goal, V0, V) :-
    call(Goal, X, Y, V0, V1),
    foldl_(Xs, Ys, Goal, V1, V).

%!  foldl(:Goal, +Xs, +Ys, +Zs, +V0, -V) is nondet.
%
%   As foldl/4 for three lists.

foldl(Goal, Xs, Ys, Zs, V0, V) :-
    foldl_(Xs, Ys, Zs, Goal, V0, V).

foldl_([], [], [], _, V, V).
foldl_([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, V) :-
    call(Goal, X, Y, Z, V0, V1),
    foldl_(Xs, Ys, Zs, Goal, V1, V).

%!  foldl(:Goal, +Xs, +Ys, +Zs, +Us, +V0, -V) is nondet.
%
%   As foldl/4 for four lists.

foldl(Goal, Xs, Ys, Zs, Us, V0, V) :-
    foldl_(Xs, Ys, Zs, Us, Goal, V0, V).

foldl_([], [], [], [], _, V, V).
foldl_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], Goal, V0, V) :-
    call(Goal, X, Y, Z, U, V0, V1),
    foldl_(Xs, Ys, Zs, Us, Goal, V1, V).

%!  foldr(:Goal, +Xs, +V0, -V) is nondet.
%
%   Take V0 to V by call(Goal, X, Vi, Vj) for the elements of Xs from the last
%   to the first.

foldr(Goal, Xs, V0, V) :-
    foldr_(Xs, Goal, V0, V).

foldr_([], _, V, V).
foldr_([X|Xs], Goal, V0, V) :-
    foldr_(Xs, Goal, V0, V1),
    call(Goal, X, V1, V).

%!  scanl(:Goal, +Xs, +V0, -Values) is nondet.
%
%   Values are V0 and the values that foldl/4 passes through.

scanl(Goal, Xs, V0, [V0|Vs]) :-
    scanl_(Xs, Goal, V0, Vs).

scanl_([], _, _, []).
scanl_([X|Xs], Goal, V0, [V|Vs]) :-
    call(Goal, X, V0, V),
    scanl_(Xs, Goal, V, Vs).

%!  scanl(:Goal, +Xs, +Ys, +V0, -Values) is nondet.
%
%   As scanl/4 for two lists.

scanl(Goal, Xs, Ys, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, Goal, V0, Vs).

scanl_([], [], _, _, []).
scanl_([X|Xs], [Y|Ys], Goal, V0, [V|Vs]) :-
    call(Goal, X, Y, V0, V),
    scanl_(Xs, Ys, Goal, V, Vs).

%!  scanl(:Goal, +Xs, +Ys, +Zs, +V0, -Values) is nondet.
%
%   As scanl/4 for three lists.

scanl(Goal, Xs, Ys, Zs, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, Zs, Goal, V0, Vs).

scanl_([], [], [], _, _, []).
scanl_([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, [V|Vs]) :-
    call(Goal, X, Y, Z, V0, V),
    scanl_(Xs, Ys, Zs, Goal, V, Vs).

%!  scanl(:Goal, +Xs, +Ys, +Zs, +Us, +V0, -Values) is nondet.
%
%   As scanl/4 for four lists.

scanl(Goal, Xs, Ys, Zs, Us, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, Zs, Us, Goal, V0, Vs).

scanl_([], [], [], [], _, _, []).
scanl_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], Goal, V0, [V|Vs]) :-
    call(Goal, X, Y, Z, U, V0, V),
    scanl_(Xs, Ys, Zs, Us, Goal, V, Vs).
