:- module(nb_rbtrees,
          [ nb_rb_insert/3,
            nb_rb_get_node/3,
            nb_rb_node_value/2,
            nb_rb_set_node_value/2
          ]).

/*  Trees of library(rbtrees) that are changed in place, and stay so on backtracking: as SWI-Prolog's library(nb_rbtrees).

    A new node is put at its leaf. Upwards from there, where a black node has a red child with a red child, the three are put right as by Okasaki (see rbtrees.pl), and what is below them is copied, since
    nb_setarg/3 copies. Of the nodes of a height that happens to every second of the height below at most, so an insertion copies O(log n) nodes on average.
*/

%!  nb_rb_insert(!Tree, +Key, +Value) is det.
%
%   Adds a copy of Key and Value. If the key is there already it stands twice, behind the other.

nb_rb_insert(Tree, Key, Value) :-
    must_be(nonvar, Tree),
    ( Tree = rbtree(_) -> true ; type_error(rbtree, Tree) ),
    insert(1, Tree, Key, Value),
    arg(1, Tree, Root),
    ( Root = r(L, K, V, R) -> nb_setarg(1, Tree, b(L, K, V, R)) ; true ).

%   insert(+I, !Parent, +Key, +Value): into the tree that is argument I of Parent.
insert(I, Parent, Key, Value) :-
    arg(I, Parent, Node),
    (   Node == nil
    ->  nb_setarg(I, Parent, r(nil, Key, Value, nil))
    ;   arg(2, Node, K),
        ( Key @< K -> J = 1 ; J = 4 ),
        insert(J, Node, Key, Value),
        (   repaired(J, Node, New) -> nb_setarg(I, Parent, New)
        ;   true
        )
    ).

%   repaired(+J, +Node, -New) is semidet: two red nodes follow each other in argument J of a black one.
repaired(1, b(r(r(A, X, XV, B), Y, YV, C), Z, ZV, D), r(b(A, X, XV, B), Y, YV, b(C, Z, ZV, D))) :- !.
repaired(1, b(r(A, X, XV, r(B, Y, YV, C)), Z, ZV, D), r(b(A, X, XV, B), Y, YV, b(C, Z, ZV, D))).
repaired(4, b(A, X, XV, r(r(B, Y, YV, C), Z, ZV, D)), r(b(A, X, XV, B), Y, YV, b(C, Z, ZV, D))) :- !.
repaired(4, b(A, X, XV, r(B, Y, YV, r(C, Z, ZV, D))), r(b(A, X, XV, B), Y, YV, b(C, Z, ZV, D))).

%!  nb_rb_get_node(+Tree, +Key, -Node) is semidet.
%
%   Node is that of Key, for nb_rb_node_value/2 and nb_rb_set_node_value/2. It is good until the next insertion, which may put a copy in its place.

nb_rb_get_node(rbtree(Root), Key, Node) :-
    node(Root, Key, Node).

node(Node0, Key, Node) :-
    Node0 \== nil,
    arg(2, Node0, K),
    compare(Order, Key, K),
    (   Order = (=) -> Node = Node0
    ;   ( Order = (<) -> I = 1 ; I = 4 ),
        arg(I, Node0, Next),
        node(Next, Key, Node)
    ).

%!  nb_rb_node_value(+Node, -Value) is det.

nb_rb_node_value(Node, Value) :-
    arg(3, Node, Value).

%!  nb_rb_set_node_value(!Node, +Value) is det.
%
%   The node has a copy of Value from now on.

nb_rb_set_node_value(Node, Value) :-
    nb_setarg(3, Node, Value).
