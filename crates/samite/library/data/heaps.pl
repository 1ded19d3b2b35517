:- module(heaps,
          [ empty_heap/1,
            singleton_heap/3,
            is_heap/1,
            list_to_heap/2,
            heap_to_list/2,
            heap_size/2,
            add_to_heap/4,
            delete_from_heap/4,
            get_from_heap/4,
            min_of_heap/3,
            min_of_heap/5,
            merge_heaps/3
          ]).
:- use_module(library(error), [must_be/2, type_error/2]).

/*  Priority queues as pairing heaps.

    After M.L. Fredman, R. Sedgewick, D.D. Sleator and R.E. Tarjan, "The pairing
    heap", Algorithmica 1, 1986. The interface is that of SWI-Prolog's
    library(heaps).

    A heap is heap(Tree, Size); a Tree is nil or t(Key, Priority, Trees), where
    no priority in Trees is before Priority in the standard order. Of equal
    priorities the one that came to the heap later is above; after that the order
    is the structure's.
*/

%!  empty_heap(?Heap) is semidet.
%
%   Heap has no elements.

empty_heap(heap(nil,0)).

%!  singleton_heap(?Heap, ?Priority, ?Key) is semidet.
%
%   Heap has the one element Key, with Priority.

singleton_heap(heap(t(Key,Priority,[]),1), Priority, Key).

%!  is_heap(@Term) is semidet.
%
%   Term has the form of a heap and its order.

is_heap(Heap) :-
    nonvar(Heap),
    Heap = heap(Tree,Size),
    integer(Size),
    nonvar(Tree),
    (   Tree == nil
    ->  Size =:= 0
    ;   Size > 0,
        Tree = t(_,Priority,Trees),
        are_trees(Trees, Priority)
    ).

are_trees(Trees, Above) :-
    is_list(Trees),
    trees_below(Trees, Above).

trees_below([], _).
trees_below([Tree|Trees], Above) :-
    nonvar(Tree),
    Tree = t(_,Priority,Below),
    Above @=< Priority,
    are_trees(Below, Priority),
    trees_below(Trees, Above).

%!  heap_size(+Heap, -Size) is det.
%
%   Size is the number of elements of Heap.

heap_size(Heap, Size) :-
    check(Heap),
    Heap = heap(_,Size).

check(Heap) :-
    must_be(nonvar, Heap),
    (   Heap = heap(_,_)
    ->  true
    ;   type_error(heap, Heap)
    ).

%!  add_to_heap(+Heap, +Priority, ?Key, -Heap2) is semidet.
%
%   Heap2 is Heap with Key added, with Priority.

add_to_heap(Heap, Priority, Key, Heap2) :-
    check(Heap),
    Heap = heap(Tree,Size),
    meld(Tree, t(Key,Priority,[]), Tree2),
    Size2 is Size+1,
    Heap2 = heap(Tree2,Size2).

meld(nil, Tree, Tree).
meld(t(K1,P1,Ts1), Tree2, Tree) :-
    meld(Tree2, K1, P1, Ts1, Tree).

meld(nil, K1, P1, Ts1, t(K1,P1,Ts1)).
meld(t(K2,P2,Ts2), K1, P1, Ts1, Tree) :-
    (   P1 @< P2
    ->  Tree = t(K1,P1,[t(K2,P2,Ts2)|Ts1])
    ;   Tree = t(K2,P2,[t(K1,P1,Ts1)|Ts2])
    ).

%!  get_from_heap(+Heap, ?Priority, ?Key, -Heap2) is semidet.
%
%   Key has the smallest Priority of Heap; Heap2 is Heap without it.

get_from_heap(Heap, Priority, Key, Heap2) :-
    check(Heap),
    Heap = heap(t(Key,Priority,Trees),Size),
    meld_pairs(Trees, Tree2),
    Size2 is Size-1,
    Heap2 = heap(Tree2,Size2).

%   meld_pairs(+Trees, -Tree): meld neighbours from the left, then what comes
%   out from the right.

meld_pairs(Trees, Tree) :-
    pairs(Trees, [], Melded),
    meld_all(Melded, nil, Tree).

pairs([], Melded, Melded).
pairs([Tree|Trees], Melded0, Melded) :-
    pairs(Trees, Tree, Melded0, Melded).

pairs([], Tree, Melded, [Tree|Melded]).
pairs([Tree2|Trees], Tree1, Melded0, Melded) :-
    meld(Tree1, Tree2, Tree),
    pairs(Trees, [Tree|Melded0], Melded).

meld_all([], Tree, Tree).
meld_all([Tree1|Trees], Tree0, Tree) :-
    meld(Tree1, Tree0, Tree2),
    meld_all(Trees, Tree2, Tree).

%!  delete_from_heap(+Heap, ?Priority, ?Key, -Heap2) is semidet.
%
%   Heap2 is Heap without the element with the smallest priority that unifies with
%   Key and Priority.

delete_from_heap(Heap, Priority, Key, Heap2) :-
    get_from_heap(Heap, Priority0, Key0, Heap1),
    (   Priority-Key = Priority0-Key0
    ->  Heap2 = Heap1
    ;   delete_from_heap(Heap1, Priority, Key, Heap3),
        add_to_heap(Heap3, Priority0, Key0, Heap2)
    ).

%!  min_of_heap(+Heap, ?Priority, ?Key) is semidet.
%
%   Key has the smallest Priority of Heap.

min_of_heap(Heap, Priority, Key) :-
    check(Heap),
    Heap = heap(t(Key,Priority,_),_).

%!  min_of_heap(+Heap, -Priority1, -Key1, -Priority2, -Key2) is semidet.
%
%   Key1 and Key2 have the two smallest priorities of Heap.

min_of_heap(Heap, Priority1, Key1, Priority2, Key2) :-
    get_from_heap(Heap, Priority1, Key1, Heap2),
    min_of_heap(Heap2, Priority2, Key2).

%!  merge_heaps(+Heap1, +Heap2, -Heap) is det.
%
%   Heap has the elements of both heaps.

merge_heaps(Heap1, Heap2, Heap) :-
    check(Heap1),
    check(Heap2),
    Heap1 = heap(Tree1,Size1),
    Heap2 = heap(Tree2,Size2),
    meld(Tree1, Tree2, Tree),
    Size is Size1+Size2,
    Heap = heap(Tree,Size).

%!  list_to_heap(+Pairs, -Heap) is det.
%
%   Heap has the elements of the list Pairs of Priority-Key.

list_to_heap(Pairs, Heap) :-
    must_be(list(pair), Pairs),
    length(Pairs, Size),
    meld_elements(Pairs, nil, Tree),
    Heap = heap(Tree,Size).

meld_elements([], Tree, Tree).
meld_elements([P-K|Pairs], Tree0, Tree) :-
    meld(Tree0, t(K,P,[]), Tree1),
    meld_elements(Pairs, Tree1, Tree).

%!  heap_to_list(+Heap, -Pairs) is det.
%
%   Pairs has Priority-Key for the elements of Heap in order of priority.

heap_to_list(Heap, Pairs) :-
    check(Heap),
    Heap = heap(Tree,_),
    tree_to_list(Tree, Pairs).

tree_to_list(nil, []).
tree_to_list(t(K,P,Trees), [P-K|Pairs]) :-
    meld_pairs(Trees, Tree),
    tree_to_list(Tree, Pairs).
