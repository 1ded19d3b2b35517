% Lists, sorting and the list library.
% ISO 13211-1 corrigendum 2 (sort/2, keysort/2); length/2, sort/4,
% predsort/3, library(lists), library(apply) and library(pairs) as in
% SWI-Prolog.

lst_gt(X, Y) :- X > Y.

lst_double(X, Y) :- Y is X * 2.

lst_even(X) :- 0 is X mod 2.

lst_add(X, A0, A) :- A is A0 + X.

lst_reverse_order(O, A, B) :- compare(O, B, A).

lst_by_key(O, K1-_, K2-_) :- compare(O, K1, K2).

% Many terms of all kinds that begin alike, in no order; the same sorted by @=</2 alone.
lst_alike(L) :- findall(T, ( member(B, [a, b, abcdef, abcdefg, '', [], 'a\x0\', "a", "abcdefgh", 1, 1.0, -1, 2097153, 36028797018963969, 36028797018963969.0, 1r3]), lst_around(B, T) ), L0), lst_shuffled(0, L0, L).
lst_around(B, B).
lst_around(B, T) :- atom(B), ( T =.. [B, x] ; T =.. [B, x, y] ; T =.. [B, [x, B], 1] ).
lst_around(B, T) :- ( T = f(B) ; T = f(B, 1) ; T = [B, 2] ; T = [B|x] ; T = g(h(B), 3) ; T = tree(node(B), nil, 4) ; T = f(_, B) ).
lst_without_ratio(L) :- lst_alike(L0), exclude([T]>>( sub_term(R, T), rational(R), \+ integer(R) ), L0, L).
lst_shuffled(_, [], []) :- !.
lst_shuffled(S0, L, [X|Xs]) :- S is (S0 * 1103515245 + 12345) mod 2147483648, length(L, N), I is (S >> 8) mod N, nth0(I, L, X, Rest), lst_shuffled(S, Rest, Xs).
lst_inserted([], []).
lst_inserted([X|Xs], L) :- lst_inserted(Xs, L0), lst_insert(L0, X, L).
lst_insert([Y|Ys], X, [Y|Zs]) :- Y @< X, !, lst_insert(Ys, X, Zs).
lst_insert(Ys, X, [X|Ys]).

% length/2

t(length, length([a, b, c], N), [N], answers([[3]])).
t(length_empty, length([], N), [N], answers([[0]])).
t(length_make, length(L, 2), [L], answers([[[_, _]]])).
t(length_enumerates, ( length([a|T], N), ( N >= 3 -> ! ; fail ) ), [N, T], answers([[3, [_, _]]])).
t(length_enumerates_all, findall(N-L, ( length(L, N), ( N =:= 2 -> ! ; true ) ), Ls), [Ls], answers([[[0-[], 1-[_], 2-[_, _]]]])).
t(length_enumerates_of_itself, ( length(L, L) ; length([a|L], L) ), [], fails).
% Each list is made of the one before.
t(length_enumerates_many, ( run_size(300000, M), length(L, N), N >= M, !, last(L, x) ), [], answers([[]])).
% The tail says how long the list may be.
t(length_of_awaited, ( freeze(T, T = []), findall(N, length([a|T], N), Ns) ), [Ns], answers([[[1]]])).
t(length_of_refused, ( freeze(T, fail), length([a|T], _) ), [], fails).
t(length_of_grown, ( when(nonvar(T), T = [_]), findall(N, length([a|T], N), Ns) ), [Ns], answers([[[2]]])).
t(length_zero, length(L, 0), [L], answers([[[]]])).
t(length_check, length([a, b], 2), [], answers([[]])).
t(length_check_no, length([a, b], 3), [], fails).
t(length_enumerates, length(L, N), [L, N], prefix([[[], 0], [[_], 1], [[_, _], 2]])).
t(length_partial, length([a|T], N), [T, N], prefix([[[], 1], [[_], 2], [[_, _], 3]])).
t(length_partial_known, length([a|T], 3), [T], answers([[[_, _]]])).
t(length_partial_short, length([a, b|_], 1), [], fails).
t(length_negative, length(_, -1), [], throws(domain_error(not_less_than_zero, -1))).
t(length_negative_list, length([a], -1), [], throws(domain_error(not_less_than_zero, -1))).
t(length_improper, length([a|b], _), [], throws(type_error(list, [a|b]))).
t(length_improper_known, length([a|b], 2), [], throws(type_error(list, [a|b]))).
t(length_not_list, length(a, _), [], throws(type_error(list, a))).
t(length_bad_length, length(_, a), [], throws(type_error(integer, a))).
t(length_float, length([a], 1.0), [], throws(type_error(integer, 1.0))).
t(length_long, ( numlist(1, 100000, L), length(L, N) ), [N], answers([[100000]])).

% sort/2, msort/2, sort/4, predsort/3, keysort/2

t(sort, sort([c, a, b, a], L), [L], answers([[[a, b, c]]])).
t(sort_empty, sort([], L), [L], answers([[[]]])).
t(sort_mixed, sort([f(1), b, 2, a, 1.0, "s", 1], L), [L], answers([[[1.0, 1, 2, "s", a, b, f(1)]]])).
t(sort_variables, ( sort([X, X, a], L), L = [V|_], V == X ), [L], answers([[[_, a]]])).
t(sort_compounds, sort([f(2), f(1), g(0), f(1, 0), a], L), [L], answers([[[a, f(1), f(2), g(0), f(1, 0)]]])).
t(sort_check, sort([b, a], [a, b]), [], answers([[]])).
t(sort_dedup_variants_kept, ( sort([f(_), f(_)], L), length(L, N) ), [N], answers([[2]])).
t(sort_int_float, sort([1, 1.0], L), [L], answers([[[1.0, 1]]])).
t(sort_partial, sort([a|_], _), [], throws(instantiation_error)).
t(sort_unbound, sort(_, _), [], throws(instantiation_error)).
t(sort_improper, sort([a|b], _), [], throws(type_error(list, [a|b]))).
t(sort_not_list, sort(foo, _), [], throws(type_error(list, foo))).
t(msort, msort([c, a, b, a], L), [L], answers([[[a, a, b, c]]])).
t(msort_stable, msort([1, 1.0, 1], L), [L], answers([[[1.0, 1, 1]]])).
t(msort_all_kinds, ( lst_alike(L0), msort(L0, L), lst_inserted(L0, M), ( L == M -> R = same ; R = L-M ) ), [R], answers([[same]])).
t(msort_prefixes, ( lst_without_ratio(L0), msort(L0, L), lst_inserted(L0, M), ( L == M -> R = same ; R = L-M ) ), [R], answers([[same]])).
t(sort4_prefixes_descending, ( lst_without_ratio(L0), sort(0, @>, L0, L), sort(L0, M0), reverse(M0, M), ( L == M -> R = same ; R = L-M ) ), [R], answers([[same]])).
t(sort_prefixes_doubles, ( lst_without_ratio(L0), append([L0, L0, L0], L1), sort(L1, L), sort(L0, M), msort(L1, N), length(N, A), length(M, B), ( L == M, A =:= 3 * B -> R = same ; R = L-M ) ), [R], answers([[same]])).
t(keysort_prefixes_stable, ( lst_without_ratio(L0), append(L0, L0, L1), findall(K-I, nth0(I, L1, K), P0), keysort(P0, P), forall(nextto(_-I, _-J, P), I \== J), \+ ( nextto(K-I, L-J, P), ( K @> L ; K == L, I > J ) ) ), [], answers([[]])).
t(sort4_ascending, sort(0, @<, [c, a, b, a], L), [L], answers([[[a, b, c]]])).
t(sort4_ascending_dups, sort(0, @=<, [c, a, b, a], L), [L], answers([[[a, a, b, c]]])).
t(sort4_descending, sort(0, @>, [c, a, b, a], L), [L], answers([[[c, b, a]]])).
t(sort4_descending_dups, sort(0, @>=, [c, a, b, a], L), [L], answers([[[c, b, a, a]]])).
t(sort4_key, sort(1, @<, [f(2, a), f(1, b), f(2, c)], L), [L], answers([[[f(1, b), f(2, a)]]])).
t(sort4_key_dups, sort(1, @=<, [f(2, a), f(1, b), f(2, c)], L), [L], answers([[[f(1, b), f(2, a), f(2, c)]]])).
t(sort4_key_desc, sort(1, @>=, [f(2, a), f(1, b), f(2, c)], L), [L], answers([[[f(2, a), f(2, c), f(1, b)]]])).
t(sort4_key_desc_dedup, sort(1, @>, [f(2, a), f(1, b), f(2, c)], L), [L], answers([[[f(2, a), f(1, b)]]])).
t(sort4_second_key, sort(2, @<, [f(1, b), f(2, a)], L), [L], answers([[[f(2, a), f(1, b)]]])).
t(sort4_key_atom, sort(1, @<, [a, b], _), [], throws(type_error(compound, a))).
t(sort4_unbound_key, sort(_, @<, [f(a)], _), [], throws(instantiation_error)).
t(sort4_unbound_order, sort(0, _, [f(a)], _), [], throws(instantiation_error)).
t(predsort, predsort(lst_reverse_order, [b, a, c, a], L), [L], answers([[[c, b, a]]])).
t(predsort_drops_equal, predsort(lst_by_key, [1-b, 2-a, 1-c], L), [L], answers([[[1-b, 2-a]]])).
t(predsort_empty, predsort(lst_reverse_order, [], L), [L], answers([[[]]])).
t(predsort_fails, predsort([_, _, _]>>fail, [a, b], _), [], fails).
t(keysort, keysort([b-1, a-2, c-3], L), [L], answers([[[a-2, b-1, c-3]]])).
t(keysort_stable, keysort([b-1, a-2, b-0, a-1], L), [L], answers([[[a-2, a-1, b-1, b-0]]])).
t(keysort_dups_kept, keysort([a-1, a-1], L), [L], answers([[[a-1, a-1]]])).
t(keysort_numbers, keysort([2-a, 1.0-b, 1-c], L), [L], answers([[[1.0-b, 1-c, 2-a]]])).
t(keysort_unbound, keysort(_, _), [], throws(instantiation_error)).
t(keysort_partial, keysort([a-1|_], _), [], throws(instantiation_error)).
t(keysort_not_pair, keysort([a], _), [], throws(type_error(pair, a))).
t(keysort_unbound_elem, keysort([_], _), [], throws(instantiation_error)).
t(keysort_improper, keysort([a-1|b], _), [], throws(type_error(list, [a-1|b]))).
t(list_to_set, list_to_set([b, a, b, 1, 1.0, a], L), [L], answers([[[b, a, 1, 1.0]]])).
t(list_to_set_vars, ( list_to_set([X, Y, X], L), L == [X, Y] ), [], answers([[]])).
t(sort_large, ( numlist(1, 20000, L), reverse(L, R), sort(R, S), S == L ), [], answers([[]])).

% append, member, select, reverse and friends

t(append, append([1, 2], [3], L), [L], answers([[[1, 2, 3]]])).
t(append_split, append(X, Y, [1, 2]), [X, Y], answers([[[], [1, 2]], [[1], [2]], [[1, 2], []]])).
t(append_prefix, append([1], X, [1, 2, 3]), [X], answers([[[2, 3]]])).
t(append_suffix, append(X, [3], [1, 2, 3]), [X], answers([[[1, 2]]])).
t(append_open, append([1], X, L), [X, L], answers([[P, [1|P]]])).
t(append_2, append([[1], [2, 3], []], L), [L], answers([[[1, 2, 3]]])).
t(member, member(X, [a, b]), [X], answers([[a], [b]])).
t(member_check, member(b, [a, b, b]), [], answers([[], []])).
t(member_open, member(a, L), [L], prefix([[[a|_]], [[_, a|_]]])).
t(member_unify, member(f(X), [f(1), g(2), f(3)]), [X], answers([[1], [3]])).
t(member_empty, member(_, []), [], fails).
t(memberchk, memberchk(X, [a, b]), [X], answers([[a]])).
t(memberchk_no, memberchk(c, [a, b]), [], fails).
t(memberchk_open, memberchk(a, L), [L], answers([[[a|_]]])).
t(memberchk_struct, memberchk(k-V, [a-1, k-2, k-3]), [V], answers([[2]])).
t(reverse, reverse([1, 2, 3], L), [L], answers([[[3, 2, 1]]])).
t(reverse_empty, reverse([], L), [L], answers([[[]]])).
t(nth0, nth0(1, [a, b, c], X), [X], answers([[b]])).
t(nth1, nth1(1, [a, b, c], X), [X], answers([[a]])).
t(nth0_enumerates, nth0(I, [a, b], X), [I, X], answers([[0, a], [1, b]])).
t(nth1_find, nth1(I, [a, b, a], a), [I], answers([[1], [3]])).
t(nth0_out, nth0(3, [a], _), [], fails).
t(nth0_rest, nth0(1, [a, b, c], X, R), [X, R], answers([[b, [a, c]]])).
t(nth1_insert, nth1(2, L, x, [a, b]), [L], answers([[[a, x, b]]])).
t(nth0_bad, nth0(a, [a], _), [], throws(type_error(integer, a))).
t(nth0_partial, nth0(2, [a|T], x), [T], answers([[[_, x|_]]])).
t(nth1_partial_last, nth1(2, [a, b|_], X), [X], answers([[b]])).
t(nth0_far, ( numlist(1, 10000, L), nth0(9999, L, X), \+ nth0(10000, L, _), nth1(10000, L, Y) ), [X, Y], answers([[10000, 10000]])).
t(nth0_no_list, nth0(2, [a, b|c], _), [], fails).
t(nth0_cyclic, ( L = [a, b, c|L], nth0(100001, L, X) ), [X], answers([[c]])).
t(nth0_negative, nth0(-1, [a], _), [], fails).
t(last, last([1, 2, 3], X), [X], answers([[3]])).
t(last_empty, last([], _), [], fails).
t(select, select(X, [a, b, c], R), [X, R], answers([[a, [b, c]], [b, [a, c]], [c, [a, b]]])).
t(select_one, select(b, [a, b, c], R), [R], answers([[[a, c]]])).
t(select_insert, select(x, L, [a, b]), [L], answers([[[x, a, b]], [[a, x, b]], [[a, b, x]]])).
t(selectchk, selectchk(a, [a, b, a], R), [R], answers([[[b, a]]])).
t(select_4, select(b, [a, b, c], x, L), [L], answers([[[a, x, c]]])).
t(exclude_one, exclude(==(a), [a, b, a], L), [L], answers([[[b]]])).
t(subtract, subtract([1, 2, 3, 2], [2], L), [L], answers([[[1, 3]]])).
t(intersection, intersection([1, 2, 3], [3, 1], L), [L], answers([[[1, 3]]])).
t(union, union([1, 2], [2, 3], L), [L], answers([[[1, 2, 3]]])).
t(permutation, permutation([1, 2, 3], L), [L],
  answers([[[1, 2, 3]], [[1, 3, 2]], [[2, 1, 3]], [[2, 3, 1]], [[3, 1, 2]], [[3, 2, 1]]])).
t(flatten, flatten([a, [b, [c, []], d]], L), [L], answers([[[a, b, c, d]]])).
t(flatten_atom, flatten(a, L), [L], answers([[[a]]])).
t(flatten_var, flatten([X, [Y]], L), [X, Y, L], answers([[P, Q, [P, Q]]])).
t(delete, delete([a, b, a, c], a, L), [L], answers([[[b, c]]])).
t(exclude, exclude(lst_even, [1, 2, 3, 4], L), [L], answers([[[1, 3]]])).
t(include, include(lst_even, [1, 2, 3, 4], L), [L], answers([[[2, 4]]])).
t(partition, partition(lst_even, [1, 2, 3, 4], I, O), [I, O], answers([[[2, 4], [1, 3]]])).
t(sumlist, sum_list([1, 2, 3], X), [X], answers([[6]])).
t(max_member, max_member(X, [1, a, f(x)]), [X], answers([[f(x)]])).
t(min_member, min_member(X, [b, 1, a]), [X], answers([[1]])).
t(sumlist_empty, sumlist([], X), [X], answers([[0]])).
t(pairs_keys_values, pairs_keys_values(P, [a, b], [1, 2]), [P], answers([[[a-1, b-2]]])).
t(pairs_keys, pairs_keys([a-1, b-2], L), [L], answers([[[a, b]]])).
t(pairs_values, pairs_values([a-1, b-2], L), [L], answers([[[1, 2]]])).
t(pairs_back, pairs_keys_values([a-1, b-2], K, V), [K, V], answers([[[a, b], [1, 2]]])).
t(exclude_none, exclude([_]>>fail, [a], L), [L], answers([[[a]]])).
t(subset, subset([a], [b, a]), [], answers([[]])).
t(sort_then_last, ( sort([3, 1, 2], L), last(L, X) ), [X], answers([[3]])).
t(aggregate_length, ( findall(X, between(1, 5, X), L), length(L, N) ), [N], answers([[5]])).
t(sumlist_float, sum_list([0.5, 0.25], X), [X], answers([[0.75]])).
t(same_length, same_length([a, b], L), [L], answers([[[_, _]]])).
t(prefix_append, append(P, _, [a, b]), [P], answers([[[]], [[a]], [[a, b]]])).
t(list_partial_tail, ( L = [a|T], T = [b], length(L, N) ), [N], answers([[2]])).

% maplist, foldl

t(maplist_2, maplist(atom, [a, b]), [], answers([[]])).
t(maplist_2_no, maplist(atom, [a, 1]), [], fails).
t(maplist_2_empty, maplist(lst_undefined, []), [], answers([[]])).
t(maplist_3, maplist(lst_double, [1, 2, 3], L), [L], answers([[[2, 4, 6]]])).
t(maplist_3_lengths, maplist(=, [a, b], [_]), [], fails).
t(maplist_3_backward, maplist(succ, L, [1, 2]), [L], answers([[[0, 1]]])).
t(maplist_nondet, maplist(member, [X, Y], [[1, 2], [3]]), [X, Y], answers([[1, 3], [2, 3]])).
t(maplist_4, maplist(plus, [1, 2], [10, 20], L), [L], answers([[[11, 22]]])).
t(maplist_closure, maplist(plus(1), [1, 2], L), [L], answers([[[2, 3]]])).
t(maplist_lambda, maplist([X, Y]>>(Y is X * X), [1, 2, 3], L), [L], answers([[[1, 4, 9]]])).
t(maplist_unknown, maplist(lst_undefined, [a]), [], throws(existence_error(procedure, lst_undefined/1))).
t(maplist_unbound_lists, maplist(=(x), L), [L], prefix([[[]], [[x]]])).
t(foldl, foldl(lst_add, [1, 2, 3], 0, S), [S], answers([[6]])).
t(foldl_empty, foldl(lst_add, [], 7, S), [S], answers([[7]])).
t(lambda_shared, ( N = 5, maplist([X, Y]>>(Y is X + N), [1, 2], L) ), [L], answers([[[6, 7]]])).
t(lambda_free, ( F = 3, maplist({F}/[X, Y]>>(Y is X * F), [1, 2], L) ), [L], answers([[[3, 6]]])).
t(lambda_copy, ( maplist([X]>>(X = Z), [1, 2]) ), [Z], answers([[_]])).

% Association lists

t(assoc_put_get, ( empty_assoc(A0), put_assoc(k, A0, v, A), get_assoc(k, A, V) ), [V], answers([[v]])).
t(assoc_missing, ( list_to_assoc([a-1], A), get_assoc(b, A, _) ), [], fails).
t(assoc_list, ( list_to_assoc([b-2, a-1], A), assoc_to_list(A, L) ), [L], answers([[[a-1, b-2]]])).
t(assoc_keys_values, ( list_to_assoc([b-2, a-1], A), assoc_to_keys(A, K), assoc_to_values(A, V) ), [K, V],
  answers([[[a, b], [1, 2]]])).
t(assoc_duplicate, list_to_assoc([a-1, a-2], _), [], throws(domain_error(unique_key_pairs, [a-1, a-2]))).
t(assoc_replace, ( list_to_assoc([a-1], A0), put_assoc(a, A0, 2, A), get_assoc(a, A, V) ), [V], answers([[2]])).
t(assoc_large, ( numlist(1, 1000, L), foldl([K, B0, B]>>put_assoc(K, B0, K, B), L, t, A), get_assoc(777, A, V) ), [V],
  answers([[777]])).
t(ord_union, ord_union([a, c], [b, c], L), [L], answers([[[a, b, c]]])).
t(ord_subtract, ord_subtract([a, b, c], [b], L), [L], answers([[[a, c]]])).
t(ord_memberchk, ord_memberchk(b, [a, b]), [], answers([[]])).
