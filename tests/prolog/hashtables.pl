% library(hashtable): tables that grow and are undone on backtracking.

t(ht_empty, ( use_module(library(hashtable)), ht_new(T), ht_size(T, N), \+ ht_get(T, a, _), \+ ht_del(T, a, _) ), [N], answers([[0]])).
t(ht_put, ( ht_new(T), ht_put(T, a, 1), ht_put(T, b, 2), ht_put(T, a, 3), ht_get(T, a, X), ht_size(T, N) ), [X, N], answers([[3, 2]])).
t(ht_many, ( ht_new(T), forall(between(1, 3, _), true), numlist(1, 1000, L), ht_put_all(L, T), ht_size(T, N), ht_get(T, 777, X),
             ht_keys(T, Ks), sort(Ks, L) ), [N, X], answers([[1000, v(777)]])).
t(ht_undone, ( ht_new(T), ( ht_put(T, a, 1), fail ; true ), ht_size(T, N) ), [N], answers([[0]])).
t(ht_put5, ( ht_new(T), ht_put(T, k, [a|R0], [], R0), ht_put(T, k, [b|R1], [], R1), ht_get(T, k, L) ), [L], answers([[[b, a]]])).
t(ht_put_new, ( ht_new(T), ht_put_new(T, a, 1), \+ ht_put_new(T, a, 2), ht_get(T, a, X) ), [X], answers([[1]])).
t(ht_update, ( ht_pairs(T, [a-1]), ht_update(T, a, Old, New), New is Old+1, ht_get(T, a, X), \+ ht_update(T, b, _, _) ), [X], answers([[2]])).
t(ht_del, ( ht_pairs(T, [a-1, b-2]), ht_del(T, a, V), ht_pairs(T, L) ), [V, L], answers([[1, [b-2]]])).
t(ht_compound_key, ( ht_pairs(T, [f(x)-1, "s"-2, 1.5-3]), ht_get(T, f(x), A), ht_get(T, "s", B), ht_get(T, 1.5, C) ), [A, B, C],
  answers([[1, 2, 3]])).
t(ht_unbound_key, ( ht_new(T), ht_get(T, _, _) ), [], fails).

ht_put_all([], _).
ht_put_all([K|Ks], T) :- ht_put(T, K, v(K)), ht_put_all(Ks, T).
