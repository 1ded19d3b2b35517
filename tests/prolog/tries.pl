% Tries: trie_insert/3, trie_gen/3 and their relatives.

map(Pairs, T) :- trie_new(T), forall(member(K-V, Pairs), trie_insert(T, K, V)).

set(Keys, T) :- trie_new(T), forall(member(K, Keys), trie_insert(T, K)).

keys(T, Pattern, L) :- findall(Pattern, trie_gen(T, Pattern), L0), msort(L0, L).

pairs(T, L) :- findall(K-V, trie_gen(T, K, V), L0), msort(L0, L).

gone(T) :- trie_new(T), trie_destroy(T).

count(T, N) :- trie_property(T, value_count(N)).

% Keys and values

t(new, ( trie_new(T), is_trie(T), blob(T, B) ), [B], answers([[trie]])).
t(new_bound, trie_new(t), [], fails).
t(is_trie_no, ( is_trie(_) ; is_trie(t) ; is_trie(1) ; gone(T), is_trie(T) ), [], fails).
t(insert_lookup, ( map([a-1], T), trie_lookup(T, a, V) ), [V], answers([[1]])).
t(insert_same, ( map([a-1], T), trie_insert(T, a, 1) ), [], fails).
t(insert_same_empty, ( map([a-[]], T), trie_insert(T, a, []) ), [], fails).
t(insert_other, ( map([a-1], T), catch(trie_insert(T, a, 2), error(E, _), true), trie_lookup(T, a, V) ), [E, V], answers([[permission_error(modify, trie_key, a), 1]])).
t(insert_same_compound, ( map([a-f(x)], T), catch(trie_insert(T, a, f(x)), error(E, _), true) ), [E], answers([[permission_error(modify, trie_key, a)]])).
t(insert_same_string, ( map([a-"s"], T), catch(trie_insert(T, a, "s"), error(E, _), true) ), [E], answers([[permission_error(modify, trie_key, a)]])).
t(insert_same_variable, ( map([a-_], T), catch(trie_insert(T, a, _), error(E, _), true) ), [E], answers([[permission_error(modify, trie_key, a)]])).
t(update, ( map([a-1], T), trie_update(T, a, 2), trie_update(T, b, f(X, X)), trie_update(T, a, g(_)), pairs(T, L) ), [L], answers([[[a-g(_), b-f(A, A)]]])).
t(value_copied, ( trie_new(T), trie_insert(T, k, f(X, Y, X)), X = 1, Y = 2, trie_lookup(T, k, V) ), [V], answers([[f(A, _, A)]])).
t(value_not_of_key, ( trie_new(T), trie_insert(T, k(X), X), trie_lookup(T, k(_), V), var(V), trie_gen(T, k(1), W), var(W) ), [], answers([[]])).
t(value_cyclic, ( X = f(X), map([a-X], T), trie_lookup(T, a, V), V = f(W), V == W ), [], answers([[]])).
t(value_attributed, ( freeze(X, true), map([a-f(X)], T), trie_lookup(T, a, f(Y)), frozen(Y, G) ), [G, Y], answers([[freeze(A, user:true), A]])).
t(value_unified, ( map([a-f(1)], T), trie_lookup(T, a, f(X)), \+ trie_lookup(T, a, g(_)) ), [X], answers([[1]])).
t(keys_of_all_kinds, ( set([1, 1.0, 1r3, "s", s, [], '[]', [a|b], f(_), 12345678901234567890123, -1, _{a: 1}, -0.0, 0.0], T), count(T, N) ), [N], answers([[14]])).
t(keys_found, ( member(K, [1, 1.0, 1r3, "s", s, [], '[]', [a|b], 12345678901234567890123, -1, "a longer string than that", -0.0, 0.0, 9007199254740993]), set([K], T), findall(X, trie_gen(T, X), [Y]), K == Y, trie_gen(T, K), trie_lookup(T, K, _), fail ; true ), [], answers([[]])).
t(keys_variants, ( map([f(_, _)-1, f(X, X)-2], T), trie_lookup(T, f(_, _), A), trie_lookup(T, f(Y, Y), B), \+ trie_lookup(T, f(1, _), _), \+ trie_lookup(T, _, _) ), [A, B], answers([[1, 2]])).
t(key_variable, ( map([_-v], T), trie_lookup(T, _, V), \+ trie_lookup(T, a, _), trie_gen(T, a, W) ), [V, W], answers([[v, v]])).
t(key_shared, ( numlist(1, 12, L), foldl([_, X, f(X, X)]>>true, L, a, K), set([K], T), trie_gen(T, G), G == K ), [], answers([[]])).
t(key_long, ( numlist(1, 20000, L), map([L-1, [0|L]-2], T), trie_lookup(T, L, A), trie_gen(T, [0|M], B), M == L ), [A, B], answers([[1, 2]])).
t(key_deep, ( length(L, 5000), foldl([_, X, f(X)]>>true, L, a, K), set([K], T), trie_gen(T, G), G == K ), [], answers([[]])).
t(key_huge, ( length(L, 200), foldl([_, X, f(X, X)]>>true, L, a, K), trie_new(T), trie_insert(T, K) ), [], throws(resource_error(memory))).
t(key_huge_value, ( length(L, 60), foldl([_, X, f(X, X)]>>true, L, a, V), map([a-V], T), trie_lookup(T, a, f(A, B)), same_term(A, B) ), [], answers([[]])).
t(key_huge_pattern, ( length(L, 200), foldl([_, X, f(X, X)]>>true, L, a, K), set([f(_, _), f(a, b)], T), keys(T, K, Ks), length(Ks, N) ), [N], answers([[1]])).
t(key_cyclic, ( X = f(X), trie_new(T), catch(trie_insert(T, X, 1), error(type_error(K, Y), _), true), Y == X, \+ trie_gen(T, _), \+ trie_lookup(T, X, _), \+ trie_delete(T, X, _) ), [K], answers([[acyclic_term]])).
t(key_cyclic_pattern, ( X = f(X), map([f(_)-1, a-2, _-3], T), findall(V, trie_gen(T, X, V), L0), msort(L0, L) ), [L], answers([[[1, 3]]])).
t(key_attributed, ( freeze(X, true), trie_new(T), catch(trie_insert(T, f(X), 1), error(type_error(K, _), _), true), \+ trie_lookup(T, f(X), _) ), [K], answers([[free_of_attvar]])).
t(key_attributed_variable, ( freeze(X, true), trie_new(T), trie_insert(T, X, 1) ), [], throws(instantiation_error)).
t(key_attributed_update, ( freeze(X, true), trie_new(T), trie_update(T, f(X), 1) ), [], throws(type_error(free_of_attvar, f(_)))).
t(pattern_wakes, ( map([f(1)-a, f(2)-b], T), freeze(X, X > 1), findall(X-V, trie_gen(T, f(X), V), L) ), [L], answers([[[2-b]]])).

% Sets

t(set, ( set([a, f(X, X)], T), \+ trie_insert(T, a), trie_lookup(T, a, V), blob(V, B), '$tbl_trienode'(W), V == W, keys(T, _, L) ), [B, L], answers([[reserved_symbol, [a, f(A, A)]]])).
t(set_value, ( set([a], T), trie_lookup(T, a, V), format(atom(A), "~w ~q", [V, V]) ), [A], answers([['trienode C\'trienode\'']])).
t(set_is_no_map, ( set([a], T), trie_delete(T, a, _), trie_insert(T, b, 1) ), [], throws(permission_error(insert, trie, _))).
t(set_is_no_map_insert_4, ( set([a], T), trie_insert(T, b, 1, _) ), [], throws(permission_error(insert, trie, _))).
t(set_is_no_map_update, ( set([a], T), trie_update(T, b, 1) ), [], throws(permission_error(insert, trie, _))).
t(map_is_no_set, ( map([a-1], T), trie_insert(T, b) ), [], throws(permission_error(insert, trie, _))).
t(looking_decides_nothing, ( trie_new(T), \+ trie_delete(T, a, _), \+ trie_lookup(T, a, _), trie_insert(T, a) ), [], answers([[]])).

% Deleting

t(delete, ( map([a-1, b-2, c-3], T), trie_delete(T, b, V), \+ trie_delete(T, b, _), pairs(T, L) ), [V, L], answers([[2, [a-1, c-3]]])).
t(delete_other_value, ( map([a-1], T), \+ trie_delete(T, a, 2), pairs(T, L) ), [L], answers([[[a-1]]])).
t(delete_variant_only, ( map([f(_)-1, f(1)-2], T), \+ trie_delete(T, f(2), _), trie_delete(T, f(_), V), pairs(T, L) ), [V, L], answers([[1, [f(1)-2]]])).
t(delete_binds, ( map([a-f(X, X)], T), trie_delete(T, a, f(1, Y)), pairs(T, L) ), [Y, L], answers([[1, []]])).

% Nodes

t(node, ( trie_new(T), trie_insert(T, f(X, b, X), v, N), integer(N), trie_term(N, K), pairs(T, L) ), [K, L], answers([[f(A, b, A), [f(B, b, B)-v]]])).
t(node_same, ( map([a-1], T), trie_insert(T, a, 1, _) ), [], fails).
t(node_other, ( map([a-1], T), trie_insert(T, a, 2, _) ), [], throws(permission_error(modify, trie_key, a))).
t(node_bound, ( trie_new(T), \+ trie_insert(T, a, 1, x), trie_lookup(T, a, V) ), [V], answers([[1]])).
t(node_updated, ( trie_new(T), trie_insert(T, a, 1, N), trie_update(T, a, 2), trie_term(N, K) ), [K], answers([[a]])).
t(node_deleted, ( trie_new(T), trie_insert(T, a, 1, N), trie_delete(T, a, _), trie_insert(T, a, 1), catch(trie_term(N, _), error(E, _), true), E == existence_error(trie_node, N) ), [], answers([[]])).
t(node_of_destroyed, ( trie_new(T), trie_insert(T, a, 1, N), trie_destroy(T), catch(trie_term(N, _), error(E, _), true), E == existence_error(trie_node, N) ), [], answers([[]])).
t(node_none, trie_term(0, _), [], throws(existence_error(trie_node, 0))).
t(node_atom, trie_term(foo, _), [], throws(type_error(address, foo))).
t(node_unbound, trie_term(_, _), [], throws(instantiation_error)).
t(node_big, trie_term(12345678901234567890123, _), [], throws(type_error(address, 12345678901234567890123))).
t(insert_new, ( trie_new(T), trie_insert_new(T, a, N), trie_term(N, K), \+ trie_insert_new(T, a, _), trie_lookup(T, a, V) ), [K, V], answers([[a, []]])).

% Generating

t(gen_all, ( map([a-1, f(b)-2, "s"-3], T), pairs(T, L) ), [L], answers([[["s"-3, a-1, f(b)-2]]])).
t(gen_none, ( trie_new(T), ( trie_gen(T, _) ; trie_gen(T, _, _) ; trie_gen_compiled(T, _) ) ), [], fails).
t(gen_prefix, ( set([f(a, 1), f(a, 2), f(b, 1), g(a, 1), f(_, 3)], T), keys(T, f(a, _), L) ), [L], answers([[[f(a, 1), f(a, 2), f(a, 3)]]])).
t(gen_second, ( set([f(a, 1), f(a, 2), f(b, 1), f(_, 1), f(_, 2)], T), findall(X, trie_gen(T, f(X, 1)), L0), msort(L0, L) ), [L], answers([[[_, a, b]]])).
t(gen_stored_variables, ( set([f(_, 1), f(a, 2), f(b, 3)], T), findall(Y, trie_gen(T, f(_, Y)), A0), findall(Y, trie_gen(T, f(a, Y)), B0), findall(Y, trie_gen(T, f(c, Y)), C), msort(A0, A), msort(B0, B) ), [A, B, C], answers([[[1, 2, 3], [1, 2], [1]]])).
t(gen_shared_variables, ( set([f(a, b), f(c, c), f(_, d), f(X, X)], T), findall(Z, trie_gen(T, f(Z, Z)), L0), msort(L0, L) ), [L], answers([[[_, c, d]]])).
t(gen_bound_value, ( map([a-1, b-2, c-1], T), findall(K, trie_gen(T, K, 1), L) ), [L], answers([[[a, c]]])).
t(gen_compiled, ( map([f(a, b)-2, f(X, X)-4], T), findall(Y-V, trie_gen_compiled(T, f(a, Y), V), L0), msort(L0, L), findall(Y, trie_gen_compiled(T, f(Y, _)), M0), msort(M0, M) ), [L, M], answers([[[a-4, b-2], [_, a]]])).
t(gen_last_is_det, ( map([f(a)-1, f(b)-2, g(a)-3], T), findall(D, call_cleanup(trie_gen(T, f(_), _), D = yes), L) ), [L], answers([[[_, yes]]])).
t(gen_one_is_det, ( map([f(a)-1, f(b)-2, g(a)-3], T), call_cleanup(trie_gen(T, f(a), V), D = yes) ), [V, D], answers([[1, yes]])).
t(gen_numbers, ( numlist(-300, 300, L0), findall(k(X, Y), ( member(X, L0), Y is X mod 7 ), Ks), set(Ks, T), findall(X, trie_gen(T, k(X, 3)), L1), msort(L1, L), findall(X, ( member(X, L0), X mod 7 =:= 3 ), M), L == M ), [], answers([[]])).
t(gen_many, ( scattered(500, Is), trie_new(T), forall(member(I, Is), ( J is I mod 7, trie_insert(T, k(J, I), v(I, _, "s")) )), forall(between(0, 6, J), ( findall(I-V, trie_gen(T, k(J, I), V), L0), findall(I-v(I, _, "s"), ( between(1, 500, I), I mod 7 =:= J ), L), msort(L0, L1), L1 =@= L )), findall(x, trie_gen(T, _, _), Xs), length(Xs, N) ), [N], answers([[500]])).
t(gen_several_at_once, ( numlist(1, 100, L0), set(L0, T), findall(X-Y, ( trie_gen(T, X), X mod 25 =:= 0, trie_gen(T, Y), Y mod 25 =:= 0 ), L), length(L, N), sort(L, S), length(S, M) ), [N, M], answers([[16, 16]])).
t(gen_left_early, ( numlist(1, 100, L0), set(L0, T), findall(X, ( between(1, 50, _), once(trie_gen(T, X)) ), L), sort(L, S) ), [S], answers([[[1]]])).
t(gen_large_values, ( trie_new(T), forall(between(1, 40, I), ( N is 10*(I mod 5), length(V, N), trie_insert(T, k(I), V) )), findall(I-N, ( trie_gen(T, k(I), V), length(V, N), garbage_collect ), L), findall(I-N, ( between(1, 40, I), N is 10*(I mod 5) ), M), L == M ), [], answers([[]])).
t(gen_handles, ( trie_new(T), forall(between(1, 30, I), ( message_queue_create(Q), thread_send_message(Q, I), trie_insert(T, k(I, Q), v(Q)) )), findall(I, ( trie_gen(T, k(I, Q), v(R)), garbage_collect, Q == R, thread_get_message(R, J), I == J ), L), length(L, N) ), [N], answers([[30]])).
t(gen_ground, ( map([f(a)-1, f(b)-2], T), findall(V, trie_gen(T, f(b), V), A), trie_insert(T, f(_), 3), findall(V, trie_gen(T, f(b), V), B0), msort(B0, B), trie_delete(T, f(_), _), findall(V, trie_gen(T, f(b), V), C) ), [A, B, C], answers([[[2], [2, 3], [2]]])).
t(gen_shared_many, ( trie_new(T), forall(( between(1, 40, I), between(1, 40, J) ), trie_insert(T, f(I, J))), findall(X, trie_gen(T, f(X, X)), L), numlist(1, 40, M), L == M ), [], answers([[]])).
t(gen_wakes_many, ( numlist(1, 100, L0), set(L0, T), freeze(X, X mod 10 =:= 0), findall(X, trie_gen(T, X), L), length(L, N) ), [N], answers([[10]])).
t(gen_as_a_model, forall(model(_), true), [], answers([[]])).

% Each pattern finds what unifies with it, once.
model(Pattern) :-
    findall(K, key(K), Ks0), nonvariants(Ks0, Ks), set(Ks, T), length(Ks, N), count(T, N),
    key(Pattern),
    findall(K, ( member(K, Ks), \+ Pattern \= K ), Expected0), length(Expected0, Count),
    findall(Pattern, trie_gen(T, Pattern), Found), length(Found, Count0),
    ( Count == Count0 -> true ; throw(differs(Pattern, Count, Count0)) ).

key(K) :- K = _ ; leaf(K) ; leaf(X), leaf(Y), member(K, [f(X), g(X, Y), [X|Y], g(f(X), [Y])]).
key(g(X, X)).
key(g(X, f(X))).

leaf(_). leaf(a). leaf(-1). leaf(7). leaf(1.5). leaf("text"). leaf([]).

scattered(N, L) :- findall(J, ( between(1, N, I), J is (I*263) mod (N+3), J =< N, J > 0 ), L0), sort(L0, S), numlist(1, N, All), findall(J, ( member(J, All), \+ memberchk(J, S) ), Rest), append(Rest, L0, L1), list_to_set(L1, L).

nonvariants([], []).
nonvariants([K|Ks], L) :- ( member(J, Ks), J =@= K -> L = L1 ; L = [K|L1] ), nonvariants(Ks, L1).

% What changes while it is gone over

t(inserts_while_generating, ( set([1, 2], T), findall(X, ( trie_gen(T, X), Y is X+10, trie_insert(T, Y), Z is X-10, trie_insert(T, Z) ), L), keys(T, _, M) ), [L, M], answers([[[1, 2], [-9, -8, 1, 2, 11, 12]]])).
t(deletes_while_generating, ( numlist(1, 20, L0), set(L0, T), findall(X, ( trie_gen(T, X), trie_delete(T, X, _) ), L), keys(T, _, M), L == L0 ), [M], answers([[[]]])).
t(deletes_ahead, ( map([1-a, 2-b, 3-c, 4-d], T), findall(X-V, ( trie_gen(T, X, V), ( X == 1 -> trie_delete(T, 2, _), trie_delete(T, 4, _), trie_update(T, 3, e) ; true ) ), L) ), [L], answers([[[1-a, 3-e]]])).
t(replaced_is_young, ( set([1, 2, 3], T), findall(X, ( trie_gen(T, X), ( X == 1 -> trie_delete(T, 3, _), trie_insert(T, 3) ; true ) ), L), keys(T, _, M) ), [L, M], answers([[[1, 2], [1, 2, 3]]])).
t(updates_ahead_many, ( numlist(1, 100, L0), trie_new(T), forall(member(I, L0), trie_insert(T, I, old(I))), findall(I-V, ( trie_gen(T, I, V), J is I+1, ( J =< 100 -> trie_update(T, J, new(J)) ; true ) ), L), findall(I-V, ( member(I, L0), ( I =:= 1 -> V = old(1) ; V = new(I) ) ), M), L == M ), [], answers([[]])).
t(deletes_far_ahead, ( numlist(1, 200, L0), set(L0, T), findall(I, ( trie_gen(T, I), J is 201-I, ( J > I -> trie_delete(T, J, _) ; true ) ), L), numlist(1, 100, M), L == M ), [], answers([[]])).
t(changes_at_times, ( numlist(1, 400, L0), set(L0, T), findall(I, ( trie_gen(T, I), ( I mod 50 =:= 3 -> J is I+20, trie_delete(T, J, _), K is -I, trie_insert(T, K), trie_insert(T, new(I)) ; true ) ), L), findall(I, ( member(I, L0), I mod 50 =\= 23 ), M), L == M ), [], answers([[]])).
t(destroys_while_generating, ( set([1, 2, 3], T), findall(X, ( trie_gen(T, X), trie_destroy(T) ), L) ), [L], answers([[[1]]])).
t(collects_while_generating, ( numlist(1, 50, L0), findall(k(I, J), ( member(I, L0), J is I mod 3 ), Ks), set(Ks, T), findall(I, ( trie_gen(T, k(I, _)), garbage_collect ), L), L == L0 ), [], answers([[]])).

% Properties

t(properties, ( map([a-1, f(a, b)-2, f(a, c)-3, f(X, X)-4, g("s")-5], T), findall(P, ( trie_property(T, P), P \= size(_) ), L), trie_property(T, size(S)), integer(S) ), [L], answers([[[node_count(10), value_count(5), hashed(3)]]])).
t(property_none, ( trie_new(T), ( trie_property(T, foo) ; trie_property(T, 1) ; trie_property(foo, _) ; trie_property(T, value_count(x)) ; gone(U), trie_property(U, _) ) ), [], fails).
t(property_of_all, ( set([a, b, c], T), findall(U, ( trie_property(U, value_count(3)), U == T ), L), length(L, N) ), [N], answers([[1]])).
t(current, ( trie_new(T), findall(x, ( current_trie(U), U == T ), L), current_trie(T), gone(V), \+ current_trie(V), \+ current_trie(a) ), [L], answers([[[x]]])).

% Errors

t(unbound, ( member(G, [trie_insert(_, a), trie_insert(_, a, b), trie_insert(_, a, b, _), trie_update(_, a, b), trie_lookup(_, a, _), trie_delete(_, a, _), trie_gen(_, _), trie_gen(_, _, _), trie_gen_compiled(_, _), trie_destroy(_)]), catch(G, error(E, _), true), E \== instantiation_error ), [], fails).
t(no_trie, ( member(G, [trie_insert(t, a), trie_insert(t, a, b), trie_insert(t, a, b, _), trie_update(t, a, b), trie_lookup(t, a, _), trie_delete(t, a, _), trie_gen(t, _), trie_gen(t, _, _), trie_gen_compiled(t, _), trie_destroy(t)]), catch(G, error(E, _), true), E \== type_error(trie, t) ), [], fails).
t(no_trie_stream, trie_insert(user_input, a), [], throws(type_error(trie, user_input))).
t(no_trie_handle, ( mutex_create(M), catch(trie_insert(M, a), error(type_error(T, N), _), true), M == N ), [T], answers([[trie]])).
t(no_trie_number, trie_insert(0, a), [], throws(type_error(trie, 0))).
t(destroyed, ( gone(T), member(G, [trie_insert(T, a), trie_insert(T, a, b), trie_insert(T, a, b, _), trie_update(T, a, b), trie_lookup(T, a, _), trie_delete(T, a, _), trie_gen(T, _), trie_gen(T, _, _), trie_gen_compiled(T, _), trie_destroy(T)]), catch(G, error(E, _), true), E \== existence_error(trie, T) ), [], fails).
t(forged_table, ( catch(trie_gen('$delay'(8, 0, 0), _), error(E, _), true), E = existence_error(K, _) ), [K], answers([[trie]])).

% What is kept, and what goes

churn :- churn(40), garbage_collect, garbage_collect.
churn(N) :- forall(between(1, N, _), ( trie_new(T), trie_insert(T, a, b), message_queue_create(_) )).

t(kept_by_value, ( trie_new(T), trie_insert(T, k, f(x)), lives(value, U), trie_insert(T, j, U), churn, trie_lookup(T, j, V), trie_lookup(V, inner, W) ), [W], answers([[here]])).
t(kept_by_record, ( kept(K), churn, recorded(K, f(T), R), erase(R), churn, trie_lookup(T, inner, W) ), [W], answers([[here]])).
t(kept_by_key, ( trie_new(T), in_key(T), churn, trie_gen(T, k(U, _)), churn, trie_lookup(U, inner, W) ), [W], answers([[here]])).
t(kept_by_tries, ( trie_new(T), nested(40, T), churn, inner(40, T, U), churn, trie_lookup(U, inner, W) ), [W], answers([[here]])).
t(kept_by_message, ( message_queue_create(Q), lives(value, T0), thread_send_message(Q, m(T0)), churn, thread_get_message(Q, m(T)), trie_lookup(T, inner, W) ), [W], answers([[here]])).
t(kept_by_queue_in_trie, ( trie_new(T), queue_in(T), churn, trie_lookup(T, q, Q), thread_get_message(Q, M) ), [M], answers([[m]])).
t(kept_by_updated_key, ( trie_new(T), in_key(T), forall(trie_gen(T, K, V), trie_update(T, K, g(V))), churn, trie_gen(T, k(U, _), g(_)), trie_lookup(U, inner, W) ), [W], answers([[here]])).
t(kept_by_walk, ( findall(X, ( unnamed(T), trie_gen(T, X), churn, T = _ ), L) ), [L], answers([[[1, 2, 3]]])).
t(kept_by_table, ( tabled_trie(_), churn, tabled_trie(T), trie_lookup(T, inner, W), abolish_all_tables ), [W], answers([[here]])).
t(go, ( number_of_tries(N0), churn(400), garbage_collect, garbage_collect, number_of_tries(N1), N is N1-N0, ( N < 100 -> A = few ; A = N ) ), [A], answers([[few]])).
t(go_nested, ( number_of_tries(N0), forall(between(1, 20, _), ( trie_new(T), nested(20, T) )), garbage_collect, garbage_collect, number_of_tries(N1), N is N1-N0, ( N < 100 -> A = few ; A = N ) ), [A], answers([[few]])).
t(go_from_keys, ( trie_new(T), forall(between(1, 200, I), ( trie_new(U), trie_insert(T, k(U, I), v), trie_delete(T, k(U, I), _) )), garbage_collect, garbage_collect, number_of_tries(N1), forall(between(1, 200, I), ( trie_new(U), trie_insert(T, k(U, I), v) )), number_of_tries(N2), trie_destroy(T), garbage_collect, garbage_collect, number_of_tries(N3), ( N2 >= N1+150, N3 < N1+100 -> A = yes ; A = no(N1, N2, N3) ) ), [A], answers([[yes]])).
t(go_with_their_memory, ( run_size(2000, Size), forall(between(1, 300, _), ( trie_new(T), numlist(1, Size, L), forall(between(1, 20, I), trie_insert(T, I, L)) )) ), [], answers([[]])).

number_of_tries(N) :- findall(x, current_trie(_), L), length(L, N).

unnamed(T) :- set([1, 2, 3], T).

lives(_, U) :- trie_new(U), trie_insert(U, inner, here).

kept(tries_kept) :- lives(value, U), recordz(tries_kept, f(U)).

in_key(T) :- lives(value, U), trie_insert(T, k(U, 1), U-x).

queue_in(T) :- message_queue_create(Q), thread_send_message(Q, m), trie_insert(T, q, Q).

nested(0, T) :- !, trie_insert(T, inner, here).
nested(N, T) :- trie_new(U), trie_insert(T, next, U), N1 is N-1, nested(N1, U).

inner(0, T, T) :- !.
inner(N, T, U) :- trie_lookup(T, next, V), N1 is N-1, inner(N1, V, U).

:- table tabled_trie/1.
tabled_trie(T) :- lives(value, T).

% Tables

:- table edge_path/2.
edge_path(X, Y) :- edge(X, Y).
edge_path(X, Y) :- edge_path(X, Z), edge(Z, Y).

edge(1, 2). edge(2, 3). edge(3, f(_)).

:- table longest(_, max).
longest(a, 1). longest(a, 3). longest(b, 2).

:- table truth/0.
truth.

evaluated(G, T) :- abolish_all_tables, forall(G, true), current_table(G, T).

t(table, ( evaluated(edge_path(1, _), T), is_trie(T), findall(K, trie_gen(T, K), L0), msort(L0, L), trie_property(T, value_count(N)) ), [L, N], answers([[[ret(2), ret(3), ret(f(_))], 3]])).
t(table_value, ( evaluated(edge_path(1, _), T), '$tbl_trienode'(R), findall(X, trie_gen(T, ret(X), R), L0), msort(L0, L), trie_lookup(T, ret(2), V), V == R, \+ trie_lookup(T, ret(1), _), \+ trie_lookup(T, a, _), \+ trie_lookup(T, ret, _), trie_lookup(T, ret(f(_)), _) ), [L], answers([[[2, 3, f(_)]]])).
t(table_det, ( evaluated(edge_path(2, _), T), trie_gen(T, ret(3)), call_cleanup(trie_gen(T, ret(f(a))), D = yes) ), [D], answers([[yes]])).
t(table_without_variables, ( evaluated(truth, T), findall(K, trie_gen(T, K), L), trie_lookup(T, ret, _) ), [L], answers([[[ret]]])).
t(table_joined, ( evaluated(longest(_, _), T), findall(K, trie_gen(T, K), L0), msort(L0, L) ), [L], answers([[[ret(a), ret(b)]]])).
t(table_status, ( evaluated(edge_path(1, _), T), '$tbl_table_status'(T, S, M:G, R), trie_gen(T, R), G = edge_path(1, 3), '$tbl_table_status'(T, S) ), [S, M, R], answers([[complete, user, ret(3)]])).
t(table_status_of_trie, ( trie_new(T), '$tbl_table_status'(T, _, _, _) ), [], fails).
t(table_status_error, '$tbl_table_status'(x, _, _, _), [], throws(type_error(trie, x))).
t(table_any_module, ( abolish_all_tables, truth, findall(M:G, current_table(M:G, _), L) ), [L], answers([[[user:truth]]])).
t(table_not_changed, ( evaluated(truth, T), member(G, [trie_insert(T, a), trie_insert(T, a, b), trie_update(T, a, b), trie_delete(T, ret, _), trie_destroy(T)]), catch(G, error(E, _), true), E \= permission_error(_, trie, T) ), [], fails).
t(table_abolished, ( evaluated(truth, T), abolish_all_tables, \+ is_trie(T), catch(trie_gen(T, _), error(E, _), true), E = existence_error(K, _) ), [K], answers([[trie]])).
t(table_abolished_meanwhile, ( evaluated(edge_path(1, _), T), findall(x, ( trie_gen(T, _), abolish_all_tables ), L), length(L, N), ( N >= 1, N =< 3 -> A = yes ; A = N ) ), [A], answers([[yes]])).

t(table_growing, ( abolish_all_tables, nb_setval(tries_seen, []), forall(grows(_), true), nb_getval(tries_seen, S), current_table(grows(_), T), keys(T, _, L) ), [S, L], answers([[[[ret(1)], [ret(1), ret(2)]], [ret(1), ret(2), ret(f(_)), ret(g(_, _))]]])).
t(table_growing_walk, ( abolish_all_tables, nb_setval(tries_seen, []), forall(walks(_), true), nb_getval(tries_seen, S) ), [S], answers([[[ret(1), ret(2), ret(f(_))]]])).
t(table_given_up, ( abolish_all_tables, catch(gives_up(_), given_up(T), true), catch(trie_gen(T, _), error(E, _), true), \+ is_trie(T), E = existence_error(K, _) ), [K], answers([[trie]])).
t(table_given_up_beside_others, ( abolish_all_tables, truth, catch(gives_up(_), given_up(T), true), \+ is_trie(T), current_table(truth, U), is_trie(U) ), [], answers([[]])).
t(table_incremental, ( abolish_all_tables, retractall(changes(_)), assertz(changes(1)), forall(depends(_), true), current_table(depends(_), T), findall(X, ( trie_gen(T, ret(X)), assertz(changes(2)), forall(depends(_), true) ), L), current_table(depends(_), U), keys(U, _, M) ), [L, M], answers([[[1], [ret(1), ret(2)]]])).

:- table grows/1.
grows(1).
grows(2) :- see(grows(_)).
grows(f(_)) :- see(grows(_)).
grows(g(_, _)).

see(G) :- current_table(G, T), keys(T, _, L), nb_getval(tries_seen, S0), append(S0, [L], S), nb_setval(tries_seen, S).

:- table walks/1.
walks(1).
walks(2).
walks(X) :-
    current_table(walks(_), T),
    findall(K, ( trie_gen(T, K), K = ret(Y), ( Y == 2 -> X = f(_) ; fail ) ), [_]), X = f(_).
walks(_) :- current_table(walks(_), T), keys(T, _, L), nb_setval(tries_seen, L), fail.

:- table gives_up/1.
gives_up(1).
gives_up(_) :- current_table(gives_up(_), T), throw(given_up(T)).

:- table depends/1 as incremental.
:- dynamic changes/1 as incremental.
depends(X) :- changes(X).

% Threads

t(threads_insert, ( trie_new(T), threads(4, insert(T)), count(T, N), findall(K, ( trie_gen(T, k(K, _), v(K2, _)), K \== K2 ), L) ), [N, L], answers([[800, []]])).
t(threads_compete, ( trie_new(T), message_queue_create(Q), threads(4, first(T, Q)), count(T, N), message_queue_property(Q, size(M)) ), [N, M], answers([[200, 200]])).
t(threads_delete, ( numlist(1, 200, L), set(L, T), message_queue_create(Q), threads(4, deletes(T, Q)), count(T, N), message_queue_property(Q, size(M)) ), [N, M], answers([[0, 200]])).
t(threads_generate, ( numlist(1, 100, L), set(L, T), thread_create(adds(T), A), threads(3, sees(T)), thread_signal(A, throw(stop)), thread_join(A, S) ), [S], answers([[exception(stop)]])).
t(threads_destroy, ( findall(x, ( between(1, 20, _), numlist(1, 50, L), set(L, T), thread_create(goes_over(T), A), thread_create(goes_over(T), B), trie_destroy(T), thread_join(A, true), thread_join(B, true) ), Xs), length(Xs, N) ), [N], answers([[20]])).
t(threads_die, ( trie_new(T), forall(between(1, 20, I), ( thread_create(( between(1, inf, J), trie_update(T, k(I, J mod 10), f(J)), fail ), A), thread_create(( repeat, trie_gen(T, _, _), fail ), B), thread_signal(A, throw(stop)), thread_signal(B, throw(stop)), thread_join(A, _), thread_join(B, _) )), trie_insert(T, end, 1), trie_lookup(T, end, V) ), [V], answers([[1]])).
t(threads_values, ( trie_new(T), forall(between(1, 300, I), trie_insert(T, k(I), v(I, 0))), thread_create(changes_values(T), A), threads(3, sees_values(T)), thread_signal(A, throw(stop)), thread_join(A, S) ), [S], answers([[exception(stop)]])).
t(threads_atoms, ( trie_new(T), thread_create(changes_atoms(T), A), threads(2, sees_atoms(T)), thread_signal(A, throw(stop)), thread_join(A, S) ), [S], answers([[exception(stop)]])).
t(threads_table_is_of_one, ( evaluated(truth, T), thread_create(( catch(trie_gen(T, _), error(E, _), true), ( E = existence_error(trie, _) -> true ; fail ) ), Id), thread_join(Id, S) ), [S], answers([[true]])).

threads(N, G) :-
    findall(Id, ( between(1, N, I), thread_create(call(G, I), Id) ), Ids),
    forall(member(Id, Ids), ( thread_join(Id, S), ( S == true -> true ; throw(status(S)) ) )).

insert(T, I) :- forall(between(1, 200, J), trie_insert(T, k(I, J), v(I, J))).

first(T, Q, I) :- forall(between(1, 200, J), ( catch(trie_insert(T, J, I), error(permission_error(_, _, _), _), fail) -> thread_send_message(Q, J) ; true )).

deletes(T, Q, _) :- forall(between(1, 200, J), ( trie_delete(T, J, _) -> thread_send_message(Q, J) ; true )).

adds(T) :- between(101, inf, I), J is 101+I mod 1000, ( trie_delete(T, J, _) -> true ; trie_insert(T, J) ), fail.

%   Those that stay are all there, and none comes twice.
sees(T, _) :-
    forall(between(1, 20, _), (
        findall(X, trie_gen(T, X), L), sort(L, S), length(L, N), length(S, N),
        findall(X, ( member(X, S), X =< 100 ), Old), length(Old, 100) )).

changes_values(T) :- between(1, inf, I), J is 1+I mod 300, trie_update(T, k(J), v(J, I)), fail.

sees_values(T, _) :-
    forall(between(1, 20, _), (
        findall(X, ( trie_gen(T, k(X), v(Y, _)), ( X == Y -> true ; throw(differs(X, Y)) ) ), L), numlist(1, 300, L) )).

%   Keys and values of atoms that come and go.
changes_atoms(T) :-
    between(1, inf, I), J is I mod 50, atom_concat(tries_atom_, I, A),
    (   trie_gen(T, k(J, B), v(B)) -> trie_delete(T, k(J, B), _) ; true ),
    trie_insert(T, k(J, A), v(A)), ( I mod 200 =:= 0 -> garbage_collect_atoms ; true ), fail.

sees_atoms(T, _) :-
    forall(between(1, 60, _), forall(trie_gen(T, k(_, A), v(B)), ( A == B, sub_atom(A, 0, _, _, tries_atom_) -> true ; throw(differs(A, B)) ))).

goes_over(T) :- catch(forall(trie_gen(T, X), integer(X)), error(existence_error(trie, _), _), true).

%   A key that is there with another value: nothing else is looked for.
t(gen_other_value, ( trie_new(T), trie_insert(T, a, 1), \+ trie_gen(T, a, 2), trie_gen(T, a, V) ), [V], answers([[1]])).
%   The last keys with variables go while a walk is at one of them.
t(gen_beside_variables, ( trie_new(T), trie_insert(T, k(_, 0)), trie_insert(T, k(_, 1)), forall(between(0, 2000, I), trie_insert(T, k(I, z))), trie_insert(T, k(a, b)),
                          findall(X, ( trie_gen(T, k(a, X)), forall(member(V, [0, 1]), ignore(trie_delete(T, k(_, V), _))) ), L) ), [L], answers([[[0, b]]])).
