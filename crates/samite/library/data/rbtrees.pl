% Red-black trees: association trees with insertion and deletion in logarithmic time.
%
% The predicates of SWI-Prolog's library(rbtrees). Insertion is that of Okasaki (Red-black trees in a functional setting,
% 1999), deletion that of Kahrs (Red-black trees with types, 2001).
%
% A tree is rbtree(Node); a node is nil, b(Left, Key, Value, Right) or r(Left, Key, Value, Right). Keys are in standard
% order; no red node has a red child; every path from the root to nil has the same number of black nodes.

:- module(rbtrees, [
       rb_new/1, rb_empty/1, is_rbtree/1, rb_size/2,
       rb_lookup/3, rb_in/3, rb_min/3, rb_max/3, rb_next/4, rb_previous/4,
       rb_insert/4, rb_insert_new/4, rb_update/4, rb_update/5, rb_apply/4,
       rb_delete/3, rb_delete/4, rb_del_min/4, rb_del_max/4,
       rb_visit/2, rb_keys/2, rb_map/2, rb_map/3, rb_partial_map/4, rb_fold/4, rb_clone/3,
       list_to_rbtree/2, ord_list_to_rbtree/2
   ]).

:- meta_predicate(rb_apply(+, +, 2, -)).
:- meta_predicate(rb_map(+, 1)).
:- meta_predicate(rb_map(+, 2, -)).
:- meta_predicate(rb_partial_map(+, +, 2, -)).
:- meta_predicate(rb_fold(3, +, +, -)).

%!  rb_new(-Tree) is det.
%!  rb_empty(?Tree) is semidet.
%
%   Tree is the empty tree.

rb_new(rbtree(nil)).

rb_empty(rbtree(nil)).

%!  is_rbtree(@Term) is semidet.
%
%   Whether Term is a tree with all its invariants.

is_rbtree(Term) :-
    nonvar(Term),
    Term = rbtree(Node),
    rb_valid(Node, black, _, [], _).

%   rb_valid(+Node, +ColourAbove, -BlackHeight, +Before, -Last): Before and Last are [] or [Key].
rb_valid(Node, _, _, _, _) :-
    var(Node), !,
    fail.
rb_valid(nil, _, 0, Last, Last).
rb_valid(b(L, K, _, R), _, Height, Last0, Last) :-
    rb_valid(L, black, H, Last0, Last1),
    rb_later(Last1, K),
    rb_valid(R, black, H, [K], Last),
    Height is H + 1.
rb_valid(r(L, K, _, R), black, H, Last0, Last) :-
    rb_valid(L, red, H, Last0, Last1),
    rb_later(Last1, K),
    rb_valid(R, red, H, [K], Last).

rb_later([], _).
rb_later([Before], K) :-
    Before @< K.

%   The root of a tree; for anything else, also a variable, no rule of the predicate called matches.
rb_root(Tree, Node, Goal) :-
    (   nonvar(Tree),
        Tree = rbtree(Node0)
    ->  Node = Node0
    ;   functor(Goal, Name, Arity),
        throw(error(existence_error(matching_rule, rbtrees:Goal), context(rbtrees:Name/Arity, _)))
    ).

rb_node(b(L, K, V, R), L, K, V, R).
rb_node(r(L, K, V, R), L, K, V, R).

%   The same node with other contents.
rb_like(b(_, _, _, _), L, K, V, R, b(L, K, V, R)).
rb_like(r(_, _, _, _), L, K, V, R, r(L, K, V, R)).

%!  rb_size(+Tree, -Size) is det.

rb_size(Tree, Size) :-
    rb_root(Tree, Node, rb_size(Tree, Size)),
    rb_count(Node, 0, Size).

rb_count(nil, N, N) :- !.
rb_count(Node, N0, N) :-
    rb_node(Node, L, _, _, R),
    rb_count(L, N0, N1),
    N2 is N1 + 1,
    rb_count(R, N2, N).

%!  rb_lookup(+Key, ?Value, +Tree) is semidet.

rb_lookup(Key, Value, Tree) :-
    rb_root(Tree, Node, rb_lookup(Key, Value, Tree)),
    rb_find(Node, Key, Value).

rb_find(Node, Key, Value) :-
    rb_node(Node, L, K, V, R),
    compare(Order, Key, K),
    rb_find(Order, Key, Value, L, V, R).

rb_find(=, _, V, _, V, _).
rb_find(<, Key, Value, L, _, _) :-
    rb_find(L, Key, Value).
rb_find(>, Key, Value, _, _, R) :-
    rb_find(R, Key, Value).

%!  rb_in(?Key, ?Value, +Tree) is nondet.
%
%   The pairs of the tree in the order of keys; a lookup if Key is ground.

rb_in(Key, Value, Tree) :-
    ground(Key), !,
    rb_lookup(Key, Value, Tree).
rb_in(Key, Value, Tree) :-
    rb_root(Tree, Node, rb_in(Key, Value, Tree)),
    rb_enumerate(Node, Key, Value).

rb_enumerate(Node, Key, Value) :-
    rb_node(Node, L, K, V, R), !,
    (   rb_enumerate(L, Key, Value)
    ;   Key = K,
        Value = V
    ;   rb_enumerate(R, Key, Value)
    ).

%!  rb_min(+Tree, -Key, -Value) is semidet.
%!  rb_max(+Tree, -Key, -Value) is semidet.

rb_min(Tree, Key, Value) :-
    rb_root(Tree, Node, rb_min(Tree, Key, Value)),
    rb_leftmost(Node, Key, Value).

rb_leftmost(Node, Key, Value) :-
    rb_node(Node, L, K, V, _), !,
    (   L == nil
    ->  Key = K,
        Value = V
    ;   rb_leftmost(L, Key, Value)
    ).

rb_max(Tree, Key, Value) :-
    rb_root(Tree, Node, rb_max(Tree, Key, Value)),
    rb_rightmost(Node, Key, Value).

rb_rightmost(Node, Key, Value) :-
    rb_node(Node, _, K, V, R), !,
    (   R == nil
    ->  Key = K,
        Value = V
    ;   rb_rightmost(R, Key, Value)
    ).

%!  rb_next(+Tree, +Key, -Next, -Value) is semidet.
%!  rb_previous(+Tree, +Key, -Previous, -Value) is semidet.
%
%   The pair that follows or precedes that of Key, which must be in the tree.

rb_next(Tree, Key, Next, Value) :-
    rb_root(Tree, Node, rb_next(Tree, Key, Next, Value)),
    rb_after(Node, Key, none, pair(Next, Value)).

rb_after(Node, Key, Candidate, Next) :-
    rb_node(Node, L, K, V, R),
    compare(Order, Key, K),
    rb_after(Order, Key, L, K, V, R, Candidate, Next).

rb_after(<, Key, L, K, V, _, _, Next) :-
    rb_after(L, Key, pair(K, V), Next).
rb_after(>, Key, _, _, _, R, Candidate, Next) :-
    rb_after(R, Key, Candidate, Next).
rb_after(=, _, _, _, _, R, Candidate, Next) :-
    (   R == nil
    ->  Next = Candidate
    ;   rb_leftmost(R, K, V),
        Next = pair(K, V)
    ).

rb_previous(Tree, Key, Previous, Value) :-
    rb_root(Tree, Node, rb_previous(Tree, Key, Previous, Value)),
    rb_before(Node, Key, none, pair(Previous, Value)).

rb_before(Node, Key, Candidate, Previous) :-
    rb_node(Node, L, K, V, R),
    compare(Order, Key, K),
    rb_before(Order, Key, L, K, V, R, Candidate, Previous).

rb_before(<, Key, L, _, _, _, Candidate, Previous) :-
    rb_before(L, Key, Candidate, Previous).
rb_before(>, Key, _, K, V, R, _, Previous) :-
    rb_before(R, Key, pair(K, V), Previous).
rb_before(=, _, L, _, _, _, Candidate, Previous) :-
    (   L == nil
    ->  Previous = Candidate
    ;   rb_rightmost(L, K, V),
        Previous = pair(K, V)
    ).

%!  rb_insert(+Tree, +Key, +Value, -New) is det.
%
%   New is Tree with Value for Key, whether or not Key was there.

rb_insert(Tree, Key, Value, rbtree(Node)) :-
    rb_root(Tree, Node0, rb_insert(Tree, Key, Value, _)),
    rb_add(Node0, Key, Value, replace, Node1),
    rb_blacken(Node1, Node).

%!  rb_insert_new(+Tree, +Key, +Value, -New) is semidet.
%
%   As rb_insert/4; fails if Key is in the tree.

rb_insert_new(Tree, Key, Value, rbtree(Node)) :-
    rb_root(Tree, Node0, rb_insert_new(Tree, Key, Value, _)),
    rb_add(Node0, Key, Value, new, Node1),
    rb_blacken(Node1, Node).

rb_blacken(r(L, K, V, R), b(L, K, V, R)) :- !.
rb_blacken(Node, Node).

rb_add(nil, Key, Value, _, New) :- !,
    New = r(nil, Key, Value, nil).
rb_add(Node, Key, Value, How, New) :-
    rb_node(Node, L, K, V, R), !,
    compare(Order, Key, K),
    rb_add(Order, Key, Value, How, L, K, V, R, Node, New).

rb_add(=, Key, Value, replace, L, _, _, R, Node, New) :-
    rb_like(Node, L, Key, Value, R, New).
rb_add(<, Key, Value, How, L0, K, V, R, Node, New) :-
    rb_add(L0, Key, Value, How, L),
    rb_rebuild(Node, L, K, V, R, New).
rb_add(>, Key, Value, How, L, K, V, R0, Node, New) :-
    rb_add(R0, Key, Value, How, R),
    rb_rebuild(Node, L, K, V, R, New).

rb_rebuild(r(_, _, _, _), L, K, V, R, r(L, K, V, R)).
rb_rebuild(b(_, _, _, _), L, K, V, R, New) :-
    rb_balance(L, K, V, R, New).

%   A black node of which one child may be red with a red child.
rb_balance(r(A, XK, XV, B), YK, YV, r(C, ZK, ZV, D), New) :- !,
    New = r(b(A, XK, XV, B), YK, YV, b(C, ZK, ZV, D)).
rb_balance(r(r(A, XK, XV, B), YK, YV, C), ZK, ZV, D, New) :- !,
    New = r(b(A, XK, XV, B), YK, YV, b(C, ZK, ZV, D)).
rb_balance(r(A, XK, XV, r(B, YK, YV, C)), ZK, ZV, D, New) :- !,
    New = r(b(A, XK, XV, B), YK, YV, b(C, ZK, ZV, D)).
rb_balance(A, XK, XV, r(B, YK, YV, r(C, ZK, ZV, D)), New) :- !,
    New = r(b(A, XK, XV, B), YK, YV, b(C, ZK, ZV, D)).
rb_balance(A, XK, XV, r(r(B, YK, YV, C), ZK, ZV, D), New) :- !,
    New = r(b(A, XK, XV, B), YK, YV, b(C, ZK, ZV, D)).
rb_balance(L, K, V, R, b(L, K, V, R)).

%!  rb_update(+Tree, +Key, +Value, -New) is semidet.
%!  rb_update(+Tree, +Key, ?Old, +Value, -New) is semidet.
%
%   New is Tree with Value instead of Old for Key, which must be there.

rb_update(Tree, Key, Value, New) :-
    rb_update(Tree, Key, _, Value, New).

rb_update(Tree, Key, Old, Value, rbtree(Node)) :-
    rb_root(Tree, Node0, rb_update(Tree, Key, Old, Value, _)),
    rb_replace(Node0, Key, Old, Value, Node).

rb_replace(Node, Key, Old, Value, New) :-
    rb_node(Node, L, K, V, R),
    compare(Order, Key, K),
    rb_replace(Order, Key, Old, Value, L, K, V, R, L1, V1, R1), !,
    rb_like(Node, L1, K, V1, R1, New).

rb_replace(=, _, Old, Value, L, _, Old, R, L, Value, R).
rb_replace(<, Key, Old, Value, L0, _, V, R, L, V, R) :-
    rb_replace(L0, Key, Old, Value, L).
rb_replace(>, Key, Old, Value, L, _, V, R0, L, V, R) :-
    rb_replace(R0, Key, Old, Value, R).

%!  rb_apply(+Tree, +Key, :Goal, -New) is semidet.
%
%   New is Tree with, for Key, what call(Goal, Old, Value) gives.

rb_apply(Tree, Key, Goal, New) :-
    rb_lookup(Key, Old, Tree),
    call(Goal, Old, Value), !,
    rb_update(Tree, Key, Value, New).

%!  rb_delete(+Tree, +Key, -New) is semidet.
%!  rb_delete(+Tree, +Key, -Value, -New) is semidet.
%
%   New is Tree without Key, which must be there.

rb_delete(Tree, Key, New) :-
    rb_delete(Tree, Key, _, New).

rb_delete(Tree, Key, Value, rbtree(Node)) :-
    rb_root(Tree, Node0, rb_delete(Tree, Key, Value, _)),
    rb_remove(Node0, Key, Value, Node1),
    rb_blacken(Node1, Node).

%!  rb_del_min(+Tree, -Key, -Value, -New) is semidet.
%!  rb_del_max(+Tree, -Key, -Value, -New) is semidet.

rb_del_min(Tree, Key, Value, New) :-
    rb_min(Tree, Key, Value),
    rb_delete(Tree, Key, New).

rb_del_max(Tree, Key, Value, New) :-
    rb_max(Tree, Key, Value),
    rb_delete(Tree, Key, New).

rb_remove(Node, Key, Value, New) :-
    rb_node(Node, L, K, V, R),
    compare(Order, Key, K),
    rb_remove(Order, Key, Value, L, K, V, R, New), !.

rb_remove(=, _, V, L, _, V, R, New) :-
    rb_join(L, R, New).
rb_remove(<, Key, Value, L0, K, V, R, New) :-
    rb_remove(L0, Key, Value, L),
    ( L0 = b(_, _, _, _) -> rb_short_left(L, K, V, R, New) ; New = r(L, K, V, R) ).
rb_remove(>, Key, Value, L, K, V, R0, New) :-
    rb_remove(R0, Key, Value, R),
    ( R0 = b(_, _, _, _) -> rb_short_right(L, K, V, R, New) ; New = r(L, K, V, R) ).

%   A node whose left (right) child has one black node less on its paths than the other.
rb_short_left(r(A, XK, XV, B), YK, YV, C, New) :- !,
    New = r(b(A, XK, XV, B), YK, YV, C).
rb_short_left(L, XK, XV, b(A, YK, YV, B), New) :- !,
    rb_balance(L, XK, XV, r(A, YK, YV, B), New).
rb_short_left(L, XK, XV, r(b(A, YK, YV, B), ZK, ZV, b(CL, CK, CV, CR)), r(b(L, XK, XV, A), YK, YV, Right)) :-
    rb_balance(B, ZK, ZV, r(CL, CK, CV, CR), Right).

rb_short_right(A, XK, XV, r(B, YK, YV, C), New) :- !,
    New = r(A, XK, XV, b(B, YK, YV, C)).
rb_short_right(b(A, XK, XV, B), YK, YV, R, New) :- !,
    rb_balance(r(A, XK, XV, B), YK, YV, R, New).
rb_short_right(r(b(AL, AK, AV, AR), XK, XV, b(B, YK, YV, C)), ZK, ZV, R, r(Left, YK, YV, b(C, ZK, ZV, R))) :-
    rb_balance(r(AL, AK, AV, AR), XK, XV, B, Left).

%   One tree of two, all keys of the first before those of the second.
rb_join(nil, Node, New) :- !,
    New = Node.
rb_join(Node, nil, New) :- !,
    New = Node.
rb_join(r(A, XK, XV, B), r(C, YK, YV, D), New) :- !,
    rb_join(B, C, BC),
    (   BC = r(B1, ZK, ZV, C1)
    ->  New = r(r(A, XK, XV, B1), ZK, ZV, r(C1, YK, YV, D))
    ;   New = r(A, XK, XV, r(BC, YK, YV, D))
    ).
rb_join(b(A, XK, XV, B), b(C, YK, YV, D), New) :- !,
    rb_join(B, C, BC),
    (   BC = r(B1, ZK, ZV, C1)
    ->  New = r(b(A, XK, XV, B1), ZK, ZV, b(C1, YK, YV, D))
    ;   rb_short_left(A, XK, XV, b(BC, YK, YV, D), New)
    ).
rb_join(A, r(B, XK, XV, C), New) :- !,
    New = r(AB, XK, XV, C),
    rb_join(A, B, AB).
rb_join(r(A, XK, XV, B), C, r(A, XK, XV, BC)) :-
    rb_join(B, C, BC).

%!  rb_visit(+Tree, -Pairs) is det.
%!  rb_keys(+Tree, -Keys) is det.
%
%   The pairs Key-Value, or the keys, in order.

rb_visit(Tree, Pairs) :-
    rb_root(Tree, Node, rb_visit(Tree, Pairs)),
    rb_pairs(Node, Pairs, []).

rb_pairs(nil, Pairs, Pairs) :- !.
rb_pairs(Node, Pairs0, Pairs) :-
    rb_node(Node, L, K, V, R),
    rb_pairs(L, Pairs0, [K-V|Pairs1]),
    rb_pairs(R, Pairs1, Pairs).

rb_keys(Tree, Keys) :-
    rb_visit(Tree, Pairs),
    pairs_keys(Pairs, Keys).

%!  rb_map(+Tree, :Goal) is semidet.
%!  rb_map(+Tree, :Goal, -New) is semidet.
%
%   call(Goal, Value) or call(Goal, Value, NewValue) for every value, in the order of keys.

rb_map(Tree, Goal) :-
    rb_visit(Tree, Pairs),
    rb_values_hold(Pairs, Goal).

rb_values_hold([], _).
rb_values_hold([_-V|Pairs], Goal) :-
    call(Goal, V), !,
    rb_values_hold(Pairs, Goal).

rb_map(Tree, Goal, rbtree(Node)) :-
    rb_root(Tree, Node0, rb_map(Tree, Goal, _)),
    rb_mapped(Node0, Goal, Node).

rb_mapped(nil, _, New) :- !,
    New = nil.
rb_mapped(Node, Goal, New) :-
    rb_node(Node, L0, K, V0, R0), !,
    rb_mapped(L0, Goal, L),
    call(Goal, V0, V),
    rb_mapped(R0, Goal, R),
    rb_like(Node, L, K, V, R, New).

%!  rb_partial_map(+Tree, +Keys, :Goal, -New) is nondet.
%
%   call(Goal, Value, NewValue) for the values of Keys, which are in order; the others stay. Fails if a key is not there.

rb_partial_map(Tree, Keys, Goal, rbtree(Node)) :-
    rb_root(Tree, Node0, rb_partial_map(Tree, Keys, Goal, _)),
    rb_partly_mapped(Node0, Keys, [], Goal, Node).

rb_partly_mapped(Node, Keys, Keys, _, Node) :-
    Keys == [], !.
rb_partly_mapped(Node0, Keys0, Keys, Goal, Node) :-
    rb_node(Node0, L0, K, V0, R0), !,
    Keys0 = [First|_],
    (   First @< K
    ->  rb_partly_mapped(L0, Keys0, Keys1, Goal, L)
    ;   L = L0,
        Keys1 = Keys0
    ),
    (   Keys1 = [K1|Keys2],
        K1 == K
    ->  call(Goal, V0, V)
    ;   V = V0,
        Keys2 = Keys1
    ),
    (   Keys2 = [K2|_],
        K2 @> K
    ->  rb_partly_mapped(R0, Keys2, Keys, Goal, R)
    ;   R = R0,
        Keys = Keys2
    ),
    rb_like(Node0, L, K, V, R, Node).
rb_partly_mapped(nil, Keys, Keys, _, nil).

%!  rb_fold(:Goal, +Tree, +State0, -State) is semidet.
%
%   call(Goal, Key-Value, State0, State1) from pair to pair, in order.

rb_fold(Goal, Tree, State0, State) :-
    rb_visit(Tree, Pairs),
    rb_folded(Pairs, Goal, State0, State).

rb_folded([], _, State, State).
rb_folded([Pair|Pairs], Goal, State0, State) :-
    call(Goal, Pair, State0, State1), !,
    rb_folded(Pairs, Goal, State1, State).

%!  rb_clone(+Tree, -New, -Pairs) is det.
%
%   New has the keys of Tree with new variables as values; Pairs are its pairs.

rb_clone(Tree, rbtree(Node), Pairs) :-
    rb_root(Tree, Node0, rb_clone(Tree, _, Pairs)),
    rb_cloned(Node0, Node, Pairs, []).

rb_cloned(nil, nil, Pairs, Pairs) :- !.
rb_cloned(Node, New, Pairs0, Pairs) :-
    rb_node(Node, L0, K, _, R0),
    rb_cloned(L0, L, Pairs0, [K-V|Pairs1]),
    rb_cloned(R0, R, Pairs1, Pairs),
    rb_like(Node, L, K, V, R, New).

%!  list_to_rbtree(+Pairs, -Tree) is det.
%
%   Of equal keys the last one counts.

list_to_rbtree(Pairs, Tree) :-
    must_be(list(pair), Pairs),
    keysort(Pairs, Sorted),
    last_of_key(Sorted, Ordered),
    ord_list_to_rbtree(Ordered, Tree).

last_of_key([], []).
last_of_key([P|Ps], Ordered) :-
    last_of_key(Ps, P, Ordered).

last_of_key([], P, [P]).
last_of_key([P|Ps], P0, Ordered) :-
    P = K-_,
    P0 = K0-_,
    (   K == K0
    ->  Ordered = Ordered1
    ;   Ordered = [P0|Ordered1]
    ),
    last_of_key(Ps, P, Ordered1).

%!  ord_list_to_rbtree(+Pairs, -Tree) is det.
%
%   Pairs are in the order of their keys, which differ. Linear: the middle goes to the root, and the nodes of the
%   incomplete last row are red.

ord_list_to_rbtree(Pairs, rbtree(Node)) :-
    must_be(list(pair), Pairs),
    length(Pairs, N),
    Rows is msb(N + 1),
    rb_build(N, Rows, Pairs, [], Node).

%   A tree of N nodes with Rows rows of black nodes.
rb_build(0, _, Pairs, Pairs, Node) :- !,
    Node = nil.
rb_build(1, 0, [K-V|Pairs], Pairs, Node) :- !,
    Node = r(nil, K, V, nil).
rb_build(N, Rows, Pairs0, Pairs, b(L, K, V, R)) :-
    Left is (N - 1) // 2,
    Right is N - 1 - Left,
    Rows1 is Rows - 1,
    rb_build(Left, Rows1, Pairs0, [K-V|Pairs1], L),
    rb_build(Right, Rows1, Pairs1, Pairs, R).
