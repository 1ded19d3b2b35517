:- module(hprolog,
          [ substitute_eq/4,
            memberchk_eq/2,
            intersect_eq/3,
            list_difference_eq/3,
            take/3,
            drop/3,
            split_at/4,
            max_go_list/2,
            or_list/2,
            sublist/2,
            bounded_sublist/3,
            chr_delete/3,
            init_store/2,
            get_store/2,
            update_store/2,
            make_init_store_goal/3,
            make_get_store_goal/3,
            make_get_store_goal_no_error/3,
            make_update_store_goal/3,
            empty_ds/1,
            ds_to_list/2,
            get_ds/3,
            put_ds/4,
            time/3
          ]).

/*  What programs written for hProlog call, with the predicates of SWI-Prolog's library(dialect/hprolog). Elements are compared by ==.  */

:- meta_predicate(time(0, -, -)).

%!  substitute_eq(+Old, +List, +New, -Substituted) is det.

substitute_eq(_, [], _, []).
substitute_eq(Old, [X0|Xs0], New, [X|Xs]) :-
    ( X0 == Old -> X = New ; X = X0 ),
    substitute_eq(Old, Xs0, New, Xs).

%!  memberchk_eq(+Element, +List) is semidet.

memberchk_eq(X, [Y|Ys]) :-
    (   X == Y
    ->  true
    ;   memberchk_eq(X, Ys)
    ).

%!  intersect_eq(+List1, +List2, -Both) is det.
%
%   The elements of List1 that are in List2.

intersect_eq([], _, []).
intersect_eq([X|Xs], Ys, Both) :-
    ( memberchk_eq(X, Ys) -> Both = [X|Both1] ; Both = Both1 ),
    intersect_eq(Xs, Ys, Both1).

%!  list_difference_eq(+List1, +List2, -Rest) is det.
%
%   The elements of List1 that are not in List2.

list_difference_eq([], _, []).
list_difference_eq([X|Xs], Ys, Rest) :-
    ( memberchk_eq(X, Ys) -> Rest = Rest1 ; Rest = [X|Rest1] ),
    list_difference_eq(Xs, Ys, Rest1).

%!  take(+N, +List, -Front) is semidet.
%
%   The first N elements. Fails if there are fewer.

take(N, List, Front) :-
    split_at(N, List, Front, _).

%!  drop(+N, +List, -Back) is semidet.
%
%   What is behind the first N elements.

drop(N, List, Back) :-
    split_at(N, List, _, Back).

%!  split_at(+N, +List, -Front, -Back) is semidet.

split_at(N, List, Front, Back) :-
    (   N =:= 0
    ->  Front = [],
        Back = List
    ;   N > 0,
        List = [X|List1],
        Front = [X|Front1],
        N1 is N-1,
        split_at(N1, List1, Front1, Back)
    ).

%!  max_go_list(+Numbers, -Max) is semidet.

max_go_list([X|Xs], Max) :-
    foldl(larger, Xs, X, Max).

larger(X, Max0, Max) :-
    ( X =< Max0 -> Max = Max0 ; Max = X ).

%!  or_list(+Integers, -Bits) is det.

or_list(Integers, Bits) :-
    foldl(or, Integers, 0, Bits).

or(X, Bits0, Bits) :-
    Bits is Bits0 \/ X.

%!  sublist(?Sublist, +List) is nondet.
%
%   Sublist has some of the elements of List, in their order: all of them first.

sublist(List, List).
sublist(Sublist, [X|Xs]) :-
    shorter(Xs, X, Sublist).

shorter(Xs, _, Xs).
shorter([Y|Ys], _, Sublist) :-
    shorter(Ys, Y, Sublist).
shorter([Y|Ys], X, [X|Sublist]) :-
    shorter(Ys, Y, Sublist).

%!  bounded_sublist(?Sublist, +List, +Bound) is nondet.
%
%   The same with at most Bound elements, the fewest first.

bounded_sublist([], _, _).
bounded_sublist(Sublist, [X|Xs], Bound) :-
    Bound > 0,
    (   Sublist = [X|Sublist1],
        Bound1 is Bound-1,
        bounded_sublist(Sublist1, Xs, Bound1)
    ;   bounded_sublist(Sublist, Xs, Bound)
    ).

%!  chr_delete(+List, +Element, -Rest) is det.

chr_delete([], _, []).
chr_delete([X|Xs], Element, Rest) :-
    ( X == Element -> Rest = Rest1 ; Rest = [X|Rest1] ),
    chr_delete(Xs, Element, Rest1).

%!  init_store(+Name, +Value) is det.
%
%   A global variable, which update_store/2 changes until backtracking.

init_store(Name, Value) :- nb_setval(Name, Value).

%!  get_store(+Name, -Value) is det.

get_store(Name, Value) :- nb_getval(Name, Value).

%!  update_store(+Name, +Value) is det.

update_store(Name, Value) :- b_setval(Name, Value).

%!  make_init_store_goal(+Name, +Value, -Goal) is det.
%!  make_get_store_goal(+Name, +Value, -Goal) is det.
%!  make_get_store_goal_no_error(+Name, +Value, -Goal) is det.
%!  make_update_store_goal(+Name, +Value, -Goal) is det.
%
%   Goals that do it.

make_init_store_goal(Name, Value, nb_setval(Name, Value)).
make_get_store_goal(Name, Value, nb_getval(Name, Value)).
make_get_store_goal_no_error(Name, Value, nb_current(Name, Value)).
make_update_store_goal(Name, Value, b_setval(Name, Value)).

%!  empty_ds(-Store) is det.
%!  ds_to_list(+Store, -Pairs) is det.
%!  get_ds(+Key, +Store, -Value) is semidet.
%!  put_ds(+Key, +Store0, +Value, -Store) is det.
%
%   Values by keys: trees of library(assoc).

empty_ds(Store) :- empty_assoc(Store).
ds_to_list(Store, Pairs) :- assoc_to_list(Store, Pairs).
get_ds(Key, Store, Value) :- get_assoc(Key, Store, Value).
put_ds(Key, Store0, Value, Store) :- put_assoc(Key, Store0, Value, Store).

%!  time(:Goal, -CPU, -Wall) is nondet.
%
%   The seconds that Goal has taken.

time(Goal, CPU, Wall) :-
    get_time(Wall0),
    statistics(cputime, CPU0),
    call(Goal),
    statistics(cputime, CPU1),
    get_time(Wall1),
    CPU is CPU1-CPU0,
    Wall is Wall1-Wall0.
