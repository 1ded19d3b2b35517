:- module(sicstus_lists,
          [ substitute/4, nth/3, nth/4, no_doubles/1, rev/2, non_member/2, sublist/2, suffix/2, remove_duplicates/2, same_length/3, max_member/2, min_member/2, sumlist/2
          ]).

/*  SICStus Prolog's library(lists), version 3: what library(lists) does not have, or has otherwise. The other predicates of lists are found where they are.  */

%!  substitute(+Old, +List, +New, -Substituted) is det.

substitute(_, [], _, []).
substitute(Old, [X0|Xs0], New, [X|Xs]) :-
    ( X0 == Old -> X = New ; X = X0 ),
    substitute(Old, Xs0, New, Xs).

%!  nth(?N, ?List, ?Element) is nondet.
%!  nth(?N, ?List, ?Element, ?Rest) is nondet.
%
%   From 1 on.

nth(N, List, Element) :- nth1(N, List, Element).
nth(N, List, Element, Rest) :- nth1(N, List, Element, Rest).

%!  no_doubles(+List) is semidet.

no_doubles(List) :-
    length(List, N),
    sort(List, Sorted),
    length(Sorted, N).

%!  rev(+List, -Reversed) is det.

rev(List, Reversed) :- reverse(List, Reversed).

%!  non_member(@Element, +List) is semidet.

non_member(Element, List) :- \+ memberchk(Element, List).

%!  sublist(?Sub, +List) is nondet.
%
%   Some elements of List in their order, the most first.

sublist([], []).
sublist([X|Sub], [X|List]) :- sublist(Sub, List).
sublist(Sub, [_|List]) :- sublist(Sub, List).

%!  suffix(?Suffix, ?List) is nondet.

suffix(Suffix, Suffix).
suffix(Suffix, [_|List]) :- suffix(Suffix, List).

%!  remove_duplicates(+List, -Set) is det.

remove_duplicates(List, Set) :- list_to_set(List, Set).

%!  same_length(?A, ?B, ?Length) is nondet.

same_length(A, B, Length) :-
    same_length(A, B),
    length(A, Length).

%!  max_member(-Max, +List) is semidet.
%!  min_member(-Min, +List) is semidet.

max_member(Max, List) :- lists:max_member(Max, List).
min_member(Min, List) :- lists:min_member(Min, List).

%!  sumlist(+List, -Sum) is det.

sumlist(List, Sum) :- sum_list(List, Sum).
