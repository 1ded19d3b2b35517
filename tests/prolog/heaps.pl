% library(heaps): priority queues, whose order of equals is that of SWI-Prolog.

:- use_module(library(heaps)).

t(heap_equal_1, ( list_to_heap([a-1, a-2, a-3], H), heap_to_list(H, L) ), [L], answers([[[a-3, a-2, a-1]]])).
t(heap_equal_2, ( findall(P-I, ( between(1, 12, I), P is I * 7 mod 3 ), Ps), list_to_heap(Ps, H), heap_to_list(H, L) ), [L],
  answers([[[0-12, 0-9, 0-6, 0-3, 1-1, 1-4, 1-7, 1-10, 2-11, 2-8, 2-2, 2-5]]])).
t(heap_equal_3, ( list_to_heap([2-a, 1-b, 2-c, 1-d, 1-e, 2-f], H), get_from_heap(H, P, K, H1), add_to_heap(H1, 1, z, H2), min_of_heap(H2, Q, L), heap_to_list(H2, R) ),
  [P, K, Q, L, R], answers([[1, e, 1, z, [1-z, 1-d, 1-b, 2-a, 2-c, 2-f]]])).
t(heap_merge_equal, ( list_to_heap([1-a, 1-b], H1), list_to_heap([1-c, 2-d], H2), merge_heaps(H1, H2, H), heap_to_list(H, L) ), [L],
  answers([[[1-c, 1-b, 1-a, 2-d]]])).
t(heap_delete_any, ( list_to_heap([b-2, a-1, a-3], H), delete_from_heap(H, P, K, H1), heap_to_list(H1, L) ), [P, K, L], answers([[a, 3, [a-1, b-2]]])).
t(heap_delete_least, ( list_to_heap([c-x, a-x, b-y], H), delete_from_heap(H, P, x, H1), heap_to_list(H1, L) ), [P, L], answers([[a, [b-y, c-x]]])).
t(heap_delete_priority, ( list_to_heap([c-x, a-x, b-y], H), delete_from_heap(H, c, K, H1), heap_to_list(H1, L) ), [K, L], answers([[x, [a-x, b-y]]])).
t(heap_delete_none, ( list_to_heap([c-x, a-x], H), delete_from_heap(H, _, z, _) ), [], fails).
