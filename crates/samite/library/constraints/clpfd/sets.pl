:- module('$fd_sets',
          [ fd_set_of/2,
            restrict_to_set/2,
            is_set_of_integers/1,
            set_of_range/2,
            set_range/2,
            set_interval/3,
            set_parts/4,
            set_limits/3,
            set_size/2,
            set_of_list/2,
            set_list/2,
            set_member/2,
            set_with/3,
            set_without/3,
            set_union/2
          ]).

:- use_module(library(clpfd/intervals),
              [ domain_intervals/2,
                intervals_domain/2,
                intersection_of/3,
                union_of/3,
                complement_of/2,
                intervals_size/2,
                in_intervals/2,
                limit_less/2,
                numbers_of/2,
                points/2
              ]).
:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                domain_of/2,
                restrict/4,
                start_all/1
              ]).

/*  Sets of integers as values: lists of intervals L-H, which programs take as they are given.

    A list without an end is no set: it is looked for wherever one is walked.
*/

%!  fd_set_of(?X, -Set) is det.

fd_set_of(X, Set) :-
    ( integer(X) -> true ; fd_attribute(X, _) ),
    domain_of(X, Set).

%!  restrict_to_set(?X, +Set) is semidet.

restrict_to_set(X, Set) :-
    ( integer(X) -> true ; fd_attribute(X, _) ),
    is_set_of_integers(Set),
    restrict(X, Set, Q, End),
    start_all(Q-End).

%!  is_set_of_integers(@Term) is semidet.

is_set_of_integers(Set) :-
    is_list(Set),
    in_order(Set, inf).

in_order([], _).
in_order([I|Is], From) :-
    nonvar(I),
    I = L-H,
    ( integer(L) -> true ; L == inf, From == inf ),
    ( integer(H) -> true ; H == sup, Is == [] ),
    ( From == inf -> true ; L > From ),
    \+ limit_less(H, L),
    ( integer(H) -> From1 is H+1, in_order(Is, From1) ; true ).

%!  set_of_range(+Range, -Set) is det.

set_of_range(Range, Set) :-
    domain_intervals(Range, Set).

%!  set_range(+Set, -Range) is det.

set_range(Set, Range) :-
    acyclic_term(Set),
    (   Set = [N-M],
        N == M
    ->  Range = N
    ;   intervals_domain(Set, Range)
    ).

%!  set_interval(?Set, ?Min, ?Max) is semidet.

set_interval([Min-Max], Min, Max) :-
    ( integer(Min) -> true ; Min == inf ),
    ( integer(Max) -> true ; Max == sup ),
    \+ limit_less(Max, Min).

%!  set_parts(?Set, ?Min, ?Max, ?Rest) is semidet.
%
%   The first interval, and the others.

set_parts([Min-Max|Rest], Min, Max, Rest) :-
    is_set_of_integers([Min-Max|Rest]).

%!  set_limits(+Set, -Min, -Max) is semidet.

set_limits(Set, Min, Max) :-
    acyclic_term(Set),
    Set = [Min-_|_],
    last(Set, _-Max).

%!  set_size(+Set, -Size) is det.

set_size(Set, Size) :-
    acyclic_term(Set),
    intervals_size(Set, Size).

%!  set_of_list(+Integers, -Set) is det.

set_of_list(Ns, Set) :-
    must_be(list(integer), Ns),
    sort(Ns, Sorted),
    points(Sorted, Set).

%!  set_list(+Set, -Integers) is semidet.

set_list(Set, Ns) :-
    acyclic_term(Set),
    intervals_size(Set, Size),
    integer(Size),
    numbers_of(Set, Ns).

%!  set_member(?Integer, +Set) is nondet.

set_member(N, Set) :-
    acyclic_term(Set),
    (   integer(N)
    ->  in_intervals(Set, N)
    ;   member(L-H, Set),
        member_between(L, H, N)
    ).

member_between(L, H, N) :-
    (   integer(L)
    ->  ( integer(H) -> between(L, H, N) ; between(L, inf, N) )
    ;   throw(error(instantiation_error, _))
    ).

%!  set_with(+Set, +Integer, -Set) is det.

set_with(Set0, N, Set) :-
    acyclic_term(Set0),
    must_be(integer, N),
    union_of(Set0, [N-N], Set).

%!  set_without(+Set, +Removed, -Set) is det.

set_without(Set0, Removed, Set) :-
    acyclic_term(Set0-Removed),
    complement_of(Removed, Others),
    intersection_of(Set0, Others, Set).

%!  set_union(+Sets, -Set) is det.

set_union(Sets, Set) :-
    acyclic_term(Sets),
    united(Sets, Set).

united([], []).
united([S|Ss], Set) :-
    united(Ss, Set0),
    union_of(S, Set0, Set).
