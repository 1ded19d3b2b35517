:- module(basics,
          [ ith/3,
            log_ith/3, log_ith_bound/3, log_ith_new/3, log_ith_to_list/2,
            logk_ith/4,
            for/3,
            comma_to_list/2, comma_member/2, comma_memberchk/2, comma_length/2, comma_append/3,
            abscomma_memberchk/2
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [nth1/3]).

/*  What XSB's module basics exports beside what library(lists) does.

    A "log list" is an open list of trees; tree D has 2**D leaves, the elements, under pairs [Left|Right], so that element I, counted from 0, is found in
    O(log I). What is not there yet is unbound, and becomes a tree or an element where it is asked for.

    A "comma list" is A, (A,B), (A,(B,C))...: what is left of a comma is one element, whatever it is; `true` where the last one would be is none.  */

%!  ith(?Index, +List, ?Element) is nondet.
%   Counted from 1.
ith(I, L, X) :- nth1(I, L, X).

%!  log_ith(?Index, ?LogList, ?Element) is nondet.
%   The list is extended as needed: if Index is unbound there is always one more.
log_ith(I, L, X) :- var(I), !, any_tree(L, 0, D, T), any_leaf(D, T, X, Offset), I is (1<<D)-1+Offset.
log_ith(I, L, X) :- place(I, D, Offset), tree_at(D, L, T), leaf_at(D, Offset, T, X).

%!  log_ith_bound(?Index, +LogList, ?Element) is nondet.
%   Only elements that are bound.
log_ith_bound(I, L, X) :- var(I), !, bound_tree(L, 0, D, T), bound_leaf(D, T, X, Offset), I is (1<<D)-1+Offset.
log_ith_bound(I, L, X) :- place(I, D, Offset), bound_tree_at(D, L, T), bound_leaf_at(D, Offset, T, X).

%   place(+Index, -Depth, -Offset): which tree, and which leaf of it.
place(I, D, Offset) :-
    must_be(integer, I),
    I >= 0,
    D is msb(I+1),
    Offset is I+1-(1<<D).

tree_at(0, [T|_], T) :- !.
tree_at(D, [_|Ts], T) :- D1 is D-1, tree_at(D1, Ts, T).

bound_tree_at(_, L, _) :- var(L), !, fail.
bound_tree_at(0, [T|_], T) :- !.
bound_tree_at(D, [_|Ts], T) :- D1 is D-1, bound_tree_at(D1, Ts, T).

leaf_at(0, _, X, X) :- !.
leaf_at(D, Offset, [A|B], X) :-
    D1 is D-1,
    Half is 1<<D1,
    (   Offset < Half
    ->  leaf_at(D1, Offset, A, X)
    ;   Offset1 is Offset-Half,
        leaf_at(D1, Offset1, B, X)
    ).

bound_leaf_at(_, _, T, _) :- var(T), !, fail.
bound_leaf_at(0, _, X, X) :- !.
bound_leaf_at(D, Offset, [A|B], X) :-
    D1 is D-1,
    Half is 1<<D1,
    (   Offset < Half
    ->  bound_leaf_at(D1, Offset, A, X)
    ;   Offset1 is Offset-Half,
        bound_leaf_at(D1, Offset1, B, X)
    ).

any_tree([T|Ts], D0, D, Tree) :-
    (   D = D0, Tree = T
    ;   D1 is D0+1,
        any_tree(Ts, D1, D, Tree)
    ).

any_leaf(0, X, X, 0) :- !.
any_leaf(D, [A|B], X, Offset) :-
    D1 is D-1,
    (   any_leaf(D1, A, X, Offset)
    ;   any_leaf(D1, B, X, Offset1),
        Offset is Offset1+(1<<D1)
    ).

bound_tree(L, _, _, _) :- var(L), !, fail.
bound_tree([T|Ts], D0, D, Tree) :-
    (   D = D0, Tree = T
    ;   D1 is D0+1,
        bound_tree(Ts, D1, D, Tree)
    ).

bound_leaf(_, T, _, _) :- var(T), !, fail.
bound_leaf(0, X, X, 0) :- !.
bound_leaf(D, [A|B], X, Offset) :-
    D1 is D-1,
    (   bound_leaf(D1, A, X, Offset)
    ;   bound_leaf(D1, B, X, Offset1),
        Offset is Offset1+(1<<D1)
    ).

%!  log_ith_new(?Index, ?LogList, ?Element) is semidet.
%   Puts Element behind the last one that there is; Index is where. The trees behind and right of it are not there yet, which says where it is:
%   O(log(Index)**2).
log_ith_new(I, L, X) :- var(L), !, L = [X|_], I = 0.
log_ith_new(I, L, X) :- put_last(L, 0, X, I).

put_last([T|Ts], D, X, I) :-
    (   var(Ts),
        put_right(D, T, X, Offset)
    ->  I is (1<<D)-1+Offset
    ;   D1 is D+1,
        (   var(Ts)
        ->  Ts = [T1|_],
            put_right(D1, T1, X, Offset),
            I is (1<<D1)-1+Offset
        ;   put_last(Ts, D1, X, I)
        )
    ).

%   Fails if the tree is full.
put_right(0, T, X, 0) :- !, var(T), T = X.
put_right(D, [A|B], X, Offset) :-
    D1 is D-1,
    (   var(B),
        put_right(D1, A, X, Offset1)
    ->  Offset = Offset1
    ;   put_right(D1, B, X, Offset1),
        Offset is Offset1+(1<<D1)
    ).

%!  log_ith_to_list(+LogList, -List) is semidet.
%   The elements that are bound.
log_ith_to_list(L, List) :- list_trees(L, 0, List0, []), List = List0.

list_trees(L, _, Xs, Xs) :- var(L), !.
list_trees([T|Ts], D, Xs, Rest) :-
    list_leaves(D, T, Xs, Xs1),
    D1 is D+1,
    list_trees(Ts, D1, Xs1, Rest).

list_leaves(_, T, Xs, Xs) :- var(T), !.
list_leaves(0, X, [X|Xs], Xs) :- !.
list_leaves(D, [A|B], Xs, Rest) :-
    D1 is D-1,
    list_leaves(D1, A, Xs, Xs1),
    list_leaves(D1, B, Xs1, Rest).

%!  logk_ith(+Base, +Index, ?LogkList, ?Element) is semidet.
%   As log_ith/3, of terms with Base arguments in place of pairs: the first tree has Base leaves, each one Base times those of the one before it. Base is from
%   2 to 255.
logk_ith(K, I, L, X) :-
    must_be(between(2, 255), K),
    must_be(integer, I),
    I >= 0,
    logk_tree(K, I, K, L, X).

logk_tree(K, I, Size, [T|Ts], X) :-
    (   I < Size
    ->  logk_leaf(K, I, Size, T, X)
    ;   I1 is I-Size,
        Size1 is Size*K,
        logk_tree(K, I1, Size1, Ts, X)
    ).

logk_leaf(_, _, 1, T, X) :- !, T = X.
logk_leaf(K, I, Size, T, X) :-
    functor(T, n, K),
    Size1 is Size//K,
    N is I//Size1+1,
    I1 is I rem Size1,
    arg(N, T, T1),
    logk_leaf(K, I1, Size1, T1, X).

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

%!  comma_to_list(+CommaList, -List) is det.
comma_to_list(C, L) :- nonvar(C), C = (A, B), !, L = [A|L1], comma_to_list(B, L1).
comma_to_list(C, [C]).

%!  comma_member(?Element, ?CommaList) is nondet.
%   What is unbound becomes a comma list with the element.
comma_member(A, C) :-
    (   C = (B, D)
    ->  (   A = B
        ;   comma_member(A, D)
        )
    ;   A = C
    ).

%!  comma_memberchk(?Element, ?CommaList) is semidet.
comma_memberchk(A, C) :- comma_member(A, C), !.

%!  abscomma_memberchk(@CommaList, @Element) is semidet.
%   That Element, or what is identical to it, is in CommaList, or is all of it or of what is right of a comma.
abscomma_memberchk(C, A) :- C == A, !.
abscomma_memberchk(C, A) :-
    nonvar(C),
    C = (B, D),
    (   A == B
    ->  true
    ;   abscomma_memberchk(D, A)
    ).

%!  comma_length(+CommaList, -Length) is det.
comma_length(C, N) :- comma_count(C, 0, N0), N = N0.

comma_count(C, N0, N) :- nonvar(C), C = (_, B), !, N1 is N0+1, comma_count(B, N1, N).
comma_count(C, N, N) :- C == true, !.
comma_count(_, N0, N) :- N is N0+1.

%!  comma_append(+CommaList1, +CommaList2, -CommaList) is det.
comma_append(C, D, E) :- nonvar(C), C = (A, B), !, E = (A, E1), comma_append(B, D, E1).
comma_append(C, D, E) :- C == true, !, E = D.
comma_append(C, D, E) :- D == true, !, E = C.
comma_append(C, D, (C, D)).
