:- module(basics,
          [ ith/3,
            log_ith/3, log_ith_bound/3, log_ith_new/3, log_ith_to_list/2,
            for/3,
            comma_to_list/2, comma_member/2, comma_memberchk/2, comma_length/2, comma_append/3,
            abscomma_memberchk/2
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [nth1/3]).

/*  What XSB's module basics exports beside what library(lists) does.  */

%!  ith(?Index, +List, ?Element) is nondet.
%   Counted from 1.
ith(I, L, X) :- nth1(I, L, X).

%   A "log list" [T1,T2,...] has complete binary trees of depth 0, 1, 2...: element I is found in O(log I).

%!  log_ith(?Index, ?LogList, ?Element) is nondet.
%   The list is extended as needed.
log_ith(I, L, X) :- nonvar(I), !, log_bound(I, L, X, open).
log_ith(I, L, X) :- log_element(L, 0, 1, I, X).

%!  log_ith_bound(?Index, +LogList, ?Element) is nondet.
%   As log_ith/3, but fails where there is nothing.
log_ith_bound(I, L, X) :- nonvar(I), !, log_bound(I, L, X, closed).
log_ith_bound(I, L, X) :- log_element(L, 0, 1, I, X), nonvar(X).

%!  log_ith_new(?Index, +LogList, +Element) is det.
%   Makes Element the first one that there is not yet.
log_ith_new(I, L, X) :- first_free(1, L, I), log_bound(I, L, X, open).

first_free(N, L, I) :-
    (   log_bound(N, L, X, closed), nonvar(X)
    ->  N1 is N+1,
        first_free(N1, L, I)
    ;   I = N
    ).

log_bound(I, L, X, How) :-
    must_be(positive_integer, I),
    Depth is msb(I),
    Offset is I-(1<<Depth),
    tree_at(Depth, L, How, Tree),
    in_tree(Depth, Offset, Tree, How, X).

tree_at(_, L, closed, _) :- var(L), !, fail.
tree_at(0, [T|_], _, T) :- !.
tree_at(D, [_|Ts], How, T) :- D1 is D-1, tree_at(D1, Ts, How, T).

in_tree(0, _, X, _, X) :- !.
in_tree(_, _, T, closed, _) :- var(T), !, fail.
in_tree(D, Offset, [A|B], How, X) :-
    D1 is D-1,
    Half is 1<<D1,
    (   Offset < Half
    ->  in_tree(D1, Offset, A, How, X)
    ;   Offset1 is Offset-Half,
        in_tree(D1, Offset1, B, How, X)
    ).

log_element(L, _, _, _, _) :- var(L), !, fail.
log_element([T|Ts], D, First, I, X) :-
    (   tree_element(D, T, First, I, X)
    ;   D1 is D+1,
        First1 is First*2,
        log_element(Ts, D1, First1, I, X)
    ).

tree_element(_, T, _, _, _) :- var(T), !, fail.
tree_element(0, X, I, I, X) :- !.
tree_element(D, [A|B], First, I, X) :-
    D1 is D-1,
    (   tree_element(D1, A, First, I, X)
    ;   Next is First+(1<<D1),
        tree_element(D1, B, Next, I, X)
    ).

%!  log_ith_to_list(+LogList, -List) is det.
log_ith_to_list(L, List) :- findall(X, ( log_element(L, 0, 1, _, X) ), List).

%!  for(-I, +From, +To) is nondet.
%   All integers from From to To, down if From is greater.
for(I, From, To) :-
    must_be(integer, From),
    must_be(integer, To),
    (   From =< To
    ->  between(From, To, I)
    ;   Steps is From-To,
        between(0, Steps, N),
        I is From-N
    ).

%!  comma_to_list(+Conjunction, -List) is det.
comma_to_list(C, L) :- comma_list(C, L, []).

comma_list(C, [C|L], L) :- var(C), !.
comma_list((A, B), L, Rest) :- !, comma_list(A, L, L1), comma_list(B, L1, Rest).
comma_list(C, [C|L], L).

%!  comma_member(?Goal, +Conjunction) is nondet.
comma_member(A, C) :- nonvar(C), C = (B, D), !, ( comma_member(A, B) ; comma_member(A, D) ).
comma_member(A, A).

%!  comma_memberchk(?Goal, +Conjunction) is semidet.
comma_memberchk(A, C) :- comma_member(A, C), !.

%!  abscomma_memberchk(@Goal, +Conjunction) is semidet.
abscomma_memberchk(A, C) :- comma_member(B, C), A == B, !.

%!  comma_length(+Conjunction, -Length) is det.
comma_length(C, N) :- comma_to_list(C, L), length(L, N).

%!  comma_append(?C1, ?C2, ?C3) is nondet.
comma_append(C, D, E) :- nonvar(C), C = (A, B), !, E = (A, E1), comma_append(B, D, E1).
comma_append(A, B, (A, B)).
