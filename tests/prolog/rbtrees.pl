% library(rbtrees): red-black trees.

rb_from_list(L, T) :- list_to_rbtree(L, T).

t(rb_empty, ( rb_new(T), rb_empty(T), is_rbtree(T), rb_size(T, N) ), [N], answers([[0]])).
t(rb_insert, ( rb_new(T0), rb_insert(T0, a, 1, T1), rb_insert(T1, a, 2, T2), rb_lookup(a, V, T2), rb_lookup(a, W, T1) ), [V, W], answers([[2, 1]])).
t(rb_lookup_absent, ( rb_from_list([a-1], T), rb_lookup(b, _, T) ), [], fails).
t(rb_lookup_other, ( rb_from_list([a-1], T), rb_lookup(a, 2, T) ), [], fails).
t(rb_insert_new, ( rb_new(T0), rb_insert_new(T0, a, 1, T1), rb_insert_new(T1, b, 2, T), rb_visit(T, P) ), [P], answers([[[a-1, b-2]]])).
t(rb_insert_new_there, ( rb_new(T0), rb_insert_new(T0, a, 1, T), rb_insert_new(T, a, 2, _) ), [], fails).
t(rb_update, ( rb_from_list([a-1, b-2], T0), rb_update(T0, a, 5, T), rb_visit(T, P) ), [P], answers([[[a-5, b-2]]])).
t(rb_update_absent, ( rb_from_list([a-1], T), rb_update(T, c, 5, _) ), [], fails).
t(rb_update_old, ( rb_from_list([a-1], T0), rb_update(T0, a, Old, 5, T), rb_lookup(a, V, T) ), [Old, V], answers([[1, 5]])).
t(rb_apply, ( rb_from_list([a-1, b-2], T0), rb_apply(T0, a, succ, T), rb_visit(T, P) ), [P], answers([[[a-2, b-2]]])).
t(rb_in, ( rb_from_list([b-2, a-1], T), rb_in(K, V, T) ), [K, V], answers([[a, 1], [b, 2]])).
t(rb_in_bound, ( rb_from_list([b-2, a-1], T), rb_in(b, V, T) ), [V], answers([[2]])).
t(rb_min_max, ( rb_from_list([b-2, a-1, c-3], T), rb_min(T, K, V), rb_max(T, L, W) ), [K, V, L, W], answers([[a, 1, c, 3]])).
t(rb_min_of_none, ( rb_new(T), rb_min(T, _, _) ), [], fails).
t(rb_next, ( numlist(1, 20, L), findall(N-N, member(N, L), P), rb_from_list(P, T), findall(A-B, ( member(A, L), rb_next(T, A, B, _) ), Bs), findall(A-B, ( between(1, 19, A), B is A + 1 ), Bs) ), [],
  answers([[]])).
t(rb_previous, ( numlist(1, 20, L), findall(N-N, member(N, L), P), rb_from_list(P, T), findall(A-B, ( member(A, L), rb_previous(T, A, B, _) ), Bs), findall(A-B, ( between(2, 20, A), B is A - 1 ), Bs) ), [],
  answers([[]])).
t(rb_del_min, ( ord_list_to_rbtree([a-1, b-2], T0), rb_del_min(T0, K, V, T), rb_keys(T, Ks) ), [K, V, Ks], answers([[a, 1, [b]]])).
t(rb_del_max, ( ord_list_to_rbtree([a-1, b-2], T0), rb_del_max(T0, K, V, T), rb_keys(T, Ks) ), [K, V, Ks], answers([[b, 2, [a]]])).
t(rb_delete_absent, ( rb_from_list([a-1], T), rb_delete(T, c, _) ), [], fails).
t(rb_map, ( rb_from_list([a-1, b-2], T0), rb_map(T0, succ, T), rb_visit(T, P) ), [P], answers([[[a-2, b-3]]])).
t(rb_map_test, ( rb_from_list([a-1, b-2], T), rb_map(T, integer) ), [], answers([[]])).
t(rb_fold, ( rb_from_list([a-1, b-2], T), rb_fold([K-V, S0, S]>>( S = [K, V|S0] ), T, [], L) ), [L], answers([[[b, 2, a, 1]]])).
t(rb_clone, ( rb_from_list([a-1, b-2], T0), rb_clone(T0, T, P), P = [a-x, b-y], rb_visit(T, Q) ), [Q], answers([[[a-x, b-y]]])).
t(rb_not_a_tree, is_rbtree(x), [], fails).

% All the invariants, in trees that grow and shrink in many orders.
rb_rb_grow(Seed, N, T) :-
    rb_new(T0),
    findall(K, ( between(1, N, I), K is (I * Seed) mod 211 ), Keys),
    foldl([K, A, B]>>rb_insert(A, K, K, B), Keys, T0, T).

rb_rb_shrink([], T) :- rb_empty(T).
rb_rb_shrink([K|Ks], T0) :-
    rb_delete(T0, K, V, T),
    V == K,
    is_rbtree(T),
    \+ rb_lookup(K, _, T),
    rb_rb_shrink(Ks, T).

t(rb_grown, forall(( member(S, [1, 17, 210, 97]), between(1, 40, N) ), ( rb_rb_grow(S, N, T), is_rbtree(T), rb_size(T, N) )), [], answers([[]])).
t(rb_shrunk, forall(( member(S, [1, 17, 97]), member(R, [1, 5, 210]) ), ( rb_rb_grow(S, 60, T), rb_keys(T, L0), findall(X-K, ( member(K, L0), X is (K * R) mod 211 ), P0), msort(P0, P), pairs_values(P, L), rb_rb_shrink(L, T) )), [],
  answers([[]])).
t(rb_built, forall(between(0, 70, N), ( findall(I-I, between(1, N, I), P), ord_list_to_rbtree(P, T), is_rbtree(T), rb_visit(T, P) )), [], answers([[]])).
t(rb_unbound, rb_visit(_, _), [], throws(existence_error(matching_rule, rbtrees:rb_visit(_, _)))).
t(rb_min_unbound, rb_min(_, _, _), [], throws(existence_error(matching_rule, _))).
t(rb_in_unbound, rb_in(_, _, _), [], throws(existence_error(matching_rule, _))).
t(rb_lookup_no_tree, rb_lookup(a, _, t), [], throws(existence_error(matching_rule, _))).
t(rb_insert_no_tree, rb_insert(t, a, 1, _), [], throws(existence_error(matching_rule, _))).
t(rb_delete_unbound, rb_delete(_, a, _), [], throws(existence_error(matching_rule, _))).
t(rb_list_equal_keys, ( rb_from_list([b-1, a-2, b-3, 1-x, 1.0-y, a-4], T), is_rbtree(T), rb_visit(T, P) ), [P], answers([[[1.0-y, 1-x, a-4, b-3]]])).
t(rb_list_unbound, list_to_rbtree(_, _), [], throws(instantiation_error)).
t(rb_partial_map, ( list_to_rbtree([a-1, b-2, c-3, d-4], T), rb_partial_map(T, [a, c], succ, T1), rb_visit(T1, L) ), [L],
  answers([[[a-2, b-2, c-4, d-4]]])).
t(rb_partial_map_all, ( numlist(1, 40, Ks), findall(K-K, member(K, Ks), Ps), list_to_rbtree(Ps, T), rb_partial_map(T, Ks, succ, T1),
                        rb_visit(T1, L), forall(member(K-V, L), V =:= K+1), length(L, N) ), [N], answers([[40]])).
t(rb_partial_map_none, ( list_to_rbtree([a-1], T), rb_partial_map(T, [], succ, T1), rb_visit(T1, L) ), [L], answers([[[a-1]]])).
t(rb_partial_map_unordered, ( list_to_rbtree([a-1, b-2, c-3], T), rb_partial_map(T, [c, a], succ, _) ), [], fails).
t(rb_partial_map_absent, ( list_to_rbtree([a-1, c-3], T), rb_partial_map(T, [b], succ, _) ), [], fails).
t(rb_map_nondet, ( list_to_rbtree([a-1, b-2], T), rb_map(T, rb_either, T1), rb_visit(T1, L) ), [L],
  answers([[[a-1, b-2]], [[a-1, b- -2]], [[a- -1, b-2]], [[a- -1, b- -2]]])).

rb_either(X, X).
rb_either(X, Y) :- Y is -X.

t(rb_no_pairs, ( catch(list_to_rbtree([a, b], _), error(_, _), true), catch(ord_list_to_rbtree([a, b], _), error(_, _), true) ), [], answers([[]])).
t(rb_partial_list, list_to_rbtree([a-1|_], _), [], throws(instantiation_error)).
t(rb_partial_ordered, ord_list_to_rbtree([a-1|_], _), [], throws(instantiation_error)).
t(rb_no_tree, rb_lookup(a, _, _), [], throws(existence_error(matching_rule, _))).

% library(nb_rbtrees)

:- use_module(library(nb_rbtrees)).

rbt_filled(Keys, T) :- rb_new(T), ( member(K, Keys), nb_rb_insert(T, K, v(K)), fail ; true ).

t(nb_insert, ( rbt_filled([b, a, c], T), rb_keys(T, Ks), rb_lookup(a, V, T) ), [Ks, V], answers([[[a, b, c], v(a)]])).
t(nb_valid, forall(member(Order, [up, down, mixed]), ( findall(K, ( between(1, 300, I), ( Order == up -> K = I ; Order == down -> K is -I ; K is I*7919 mod 1009 ) ), Ks), rbt_filled(Ks, T), is_rbtree(T), rb_size(T, 300) )), [], answers([[]])).
t(nb_copies, ( rb_new(T), X = f(_), \+ \+ ( nb_rb_insert(T, k, X), X = f(1) ), rb_lookup(k, V, T), nb_rb_get_node(T, k, N), nb_rb_node_value(N, W) ), [V, W], answers([[f(Y), f(Y)]])).
t(nb_set, ( rbt_filled([1, 2, 3, 4, 5], T), ( nb_rb_get_node(T, 4, N), nb_rb_set_node_value(N, new), fail ; true ), rb_visit(T, L) ), [L], answers([[[1-v(1), 2-v(2), 3-v(3), 4-new, 5-v(5)]]])).
t(nb_twice, ( rbt_filled([a, a], T), rb_keys(T, L) ), [L], answers([[[a, a]]])).
t(nb_no_node, ( rbt_filled([a], T), nb_rb_get_node(T, b, _) ), [], fails).
t(nb_no_tree, nb_rb_insert(foo, a, 1), [], throws(type_error(rbtree, foo))).
t(nb_unbound, nb_rb_insert(_, a, 1), [], throws(instantiation_error)).
