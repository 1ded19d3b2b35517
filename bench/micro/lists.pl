% Lists, sorting, and what collects solutions.

pairs(N, Ps) :- random_numbers(N, 1000, Ks), numlist(1, N, Vs), pairs_keys_values(Ps, Ks, Vs).

atoms(N, As) :- random_numbers(N, 100000, Is), findall(A, ( member(I, Is), atom_concat(atom_, I, A) ), As).

operation(msort_ints, 45000).
prepare(msort_ints, N, L) :- random_numbers(N, 1000000, L).
work(msort_ints, _, L, X) :- msort(L, S), nth1(10, S, X) -> true ; X = none.

operation(sort_ints, 40000).
prepare(sort_ints, N, L) :- random_numbers(N, 10000, L).
work(sort_ints, _, L, X) :- sort(L, S), length(S, X).

operation(sort_sorted, 450000).
prepare(sort_sorted, N, L) :- numlist(1, N, L).
work(sort_sorted, _, L, X) :- sort(L, S), length(S, X).

operation(sort_atoms, 35000).
prepare(sort_atoms, N, L) :- atoms(N, L).
work(sort_atoms, _, L, X) :- sort(L, S), length(S, X).

operation(sort_strings, 30000).
prepare(sort_strings, N, L) :- atoms(N, As), findall(S, ( member(A, As), atom_string(A, S) ), L).
work(sort_strings, _, L, X) :- sort(L, S), length(S, X).

operation(sort_floats, 50000).
prepare(sort_floats, N, L) :- random_numbers(N, 100000, Is), findall(F, ( member(I, Is), F is I*0.5 ), L).
work(sort_floats, _, L, X) :- sort(L, S), length(S, X).

operation(sort_bigs, 30000).
prepare(sort_bigs, N, L) :- random_numbers(N, 100000, Is), findall(F, ( member(I, Is), F is I+(1<<100) ), L).
work(sort_bigs, _, L, X) :- sort(L, S), length(S, X).

operation(sort_structures, 20000).
prepare(sort_structures, N, L) :- random_numbers(N, 100000, Is), findall(f(a, I, g(I)), member(I, Is), L).
work(sort_structures, _, L, X) :- sort(L, S), length(S, X).

operation(sort_key_descending, 50000).
prepare(sort_key_descending, N, L) :- random_numbers(N, 100000, Is), findall(f(a, I, g(I)), member(I, Is), L).
work(sort_key_descending, _, L, X) :- sort(2, @>=, L, [f(_, X, _)|_]).

operation(sort_ends, 60000).
prepare(sort_ends, N, T) :- numlist(1, N, L), ends(L, T).
work(sort_ends, _, T, X) :- msort(T, S), length(S, X).

ends([], []).
ends([X|Xs], [[X|Xs]|Es]) :- ends(Xs, Es).

operation(sort_variables, 750000).
prepare(sort_variables, N, L) :- length(L, N).
work(sort_variables, _, L, X) :- sort(L, S), length(S, X).

operation(keysort, 50000).
prepare(keysort, N, L) :- pairs(N, L).
work(keysort, _, L, X) :- keysort(L, [_-X|_]).

operation(predsort, 5000).
prepare(predsort, N, L) :- random_numbers(N, 1000000, L).
work(predsort, _, L, X) :- predsort(compare, L, S), length(S, X).

operation(length, 1500000).
prepare(length, N, L) :- numlist(1, N, L).
work(length, _, L, X) :- length(L, X0), length(L, X0), length(L, X).

operation(length_enumerate, 60000).
work(length_enumerate, N, _, X) :- length(L, X), X >= N, !, L = [_|_].

operation(append, 350000).
prepare(append, N, L) :- numlist(1, N, L).
work(append, _, L, X) :- append(L, [end], M), last(M, X).

operation(append_split, 50000).
prepare(append_split, N, L) :- numlist(1, N, L).
work(append_split, _, L, C) :- aggregate_all(count, append(_, _, L), C).

operation(append_lists, 100000).
prepare(append_lists, N, L) :- findall([I, a, b], between(1, N, I), L).
work(append_lists, _, L, C) :- append(L, M), length(M, C).

operation(reverse, 250000).
prepare(reverse, N, L) :- numlist(1, N, L).
work(reverse, _, L, X) :- reverse(L, [X|_]).

operation(nth1, 25000).
prepare(nth1, N, L) :- numlist(1, N, L).
work(nth1, N, L, X) :- repeated(200, nth1(N, L, _)), nth1(N, L, X).

operation(nth0_enumerate, 70000).
prepare(nth0_enumerate, N, L) :- numlist(1, N, L).
work(nth0_enumerate, _, L, S) :- aggregate_all(sum(I), nth0(I, L, _), S).

operation(member_all, 100000).
prepare(member_all, N, L) :- numlist(1, N, L).
work(member_all, _, L, S) :- aggregate_all(sum(X), member(X, L), S).

operation(memberchk, 2000).
prepare(memberchk, N, L) :- numlist(1, N, L).
work(memberchk, N, L, X) :- repeated(500, memberchk(N, L)), X = N.

operation(memberchk_structures, 2000).
prepare(memberchk_structures, N, L) :- findall(I-a, between(1, N, I), L).
work(memberchk_structures, N, L, X) :- repeated(200, memberchk(N-_, L)), memberchk(N-X, L).

operation(select, 250000).
prepare(select, N, L) :- numlist(1, N, L).
work(select, N, L, C) :- select(N, L, R), length(R, C).

operation(exclude_include, 35000).
prepare(exclude_include, N, L) :- numlist(1, N, L).
work(exclude_include, _, L, C) :- include(even, L, E), exclude(even, L, O), length(E, C1), length(O, C2), C is C1-C2.

even(X) :- 0 is X mod 2.

operation(partition, 100000).
prepare(partition, N, L) :- numlist(1, N, L).
work(partition, _, L, C) :- partition(even, L, E, _), length(E, C).

operation(maplist_2, 100000).
prepare(maplist_2, N, L) :- numlist(1, N, L).
work(maplist_2, _, L, X) :- maplist(double, L, M), last(M, X).

double(X, Y) :- Y is X*2.

operation(maplist_succ, 100000).
prepare(maplist_succ, N, L) :- numlist(1, N, L).
work(maplist_succ, _, L, X) :- maplist(succ, L, M), last(M, X).

operation(foldl, 150000).
prepare(foldl, N, L) :- numlist(1, N, L).
work(foldl, _, L, X) :- foldl(plus, L, 0, X).

operation(numlist_sum, 100000).
work(numlist_sum, N, _, X) :- numlist(1, N, L), sum_list(L, S), max_list(L, M), X is S+M.

operation(list_to_set, 25000).
prepare(list_to_set, N, L) :- random_numbers(N, 5000, L).
work(list_to_set, _, L, X) :- list_to_set(L, S), length(S, X).

operation(sumlist_last, 250000).
prepare(sumlist_last, N, L) :- numlist(1, N, L).
work(sumlist_last, _, L, X) :- last(L, A), sum_list(L, B), X is A+B.

operation(ord_union, 20000).
prepare(ord_union, N, A-B) :- numlist(1, N, A), findall(X, ( between(1, N, I), X is I*2 ), B).
work(ord_union, _, A-B, X) :- ord_union(A, B, U), ord_subtract(U, B, D), length(D, X).

operation(subtract, 2500).
prepare(subtract, N, A-B) :- numlist(1, N, A), random_numbers(300, N, B).
work(subtract, _, A-B, X) :- subtract(A, B, U), length(U, X).

operation(permutation, 25).
prepare(permutation, N, L) :- M is 3+integer(log(N)/log(2)), numlist(1, M, L).
work(permutation, _, L, X) :- aggregate_all(count, permutation(L, _), X).

operation(exclude_one_delete, 200000).
prepare(exclude_one_delete, N, L) :- random_numbers(N, 10, L).
work(exclude_one_delete, _, L, X) :- delete(L, 3, D), length(D, X).

operation(pairs_group, 30000).
prepare(pairs_group, N, L) :- pairs(N, L).
work(pairs_group, _, L, X) :- keysort(L, S), group_pairs_by_key(S, G), length(G, X).

operation(transpose_pairs, 200000).
prepare(transpose_pairs, N, L) :- pairs(N, L).
work(transpose_pairs, _, L, X) :- transpose_pairs(L, [_-X|_]).

% solutions
operation(findall_ints, 100000).
work(findall_ints, N, _, X) :- findall(I, between(1, N, I), L), length(L, X).

operation(findall_structures, 50000).
work(findall_structures, N, _, X) :- findall(f(I, [a, I], _), between(1, N, I), L), length(L, X).

operation(findall_short, 20000).
work(findall_short, N, _, X) :- repeated(N, findall(Y, ( Y = 1 ; Y = 2 ), _)), findall(Y, member(Y, [a, b]), X).

operation(findall_4, 95000).
work(findall_4, N, _, X) :- findall(I, between(1, N, I), L, [end]), length(L, X).

operation(bagof_free, 15000).
prepare(bagof_free, N, L) :- pairs(N, L).
work(bagof_free, _, L, X) :- findall(K-C, ( bagof(V, member(K-V, L), Vs), length(Vs, C) ), Ks), length(Ks, X).

operation(bagof_quantified, 65000).
prepare(bagof_quantified, N, L) :- pairs(N, L).
work(bagof_quantified, _, L, X) :- bagof(V, K^member(K-V, L), Vs), length(Vs, X).

operation(setof_plain, 35000).
prepare(setof_plain, N, L) :- random_numbers(N, 10000, L).
work(setof_plain, _, L, X) :- setof(V, member(V, L), Vs), length(Vs, X).

operation(setof_short, 10000).
work(setof_short, N, _, X) :- repeated(N, setof(Y, member(Y, [c, a, b]), _)), setof(Y, member(Y, [b, a]), X).

operation(aggregate_count, 100000).
work(aggregate_count, N, _, X) :- aggregate_all(count, between(1, N, _), X).

operation(aggregate_sum, 100000).
work(aggregate_sum, N, _, X) :- aggregate_all(sum(I), between(1, N, I), X).

operation(aggregate_max, 100000).
work(aggregate_max, N, _, X) :- aggregate_all(max(I), between(1, N, I), X).

operation(aggregate_min, 100000).
work(aggregate_min, N, _, X) :- aggregate_all(min(I), between(1, N, I), X).

operation(aggregate_max_witness, 50000).
work(aggregate_max_witness, N, _, X) :- aggregate_all(max(I, w(I)), between(1, N, I), X).

operation(aggregate_bag, 95000).
work(aggregate_bag, N, _, X) :- aggregate_all(bag(I), between(1, N, I), L), length(L, X).

operation(aggregate_several, 20000).
work(aggregate_several, N, _, X) :- aggregate_all(r(count, max(I), sum(I)), between(1, N, I), X).

operation(aggregate_short, 20000).
work(aggregate_short, N, _, X) :- repeated(N, aggregate_all(max(Y), member(Y, [3, 1, 2]), _)), aggregate_all(max(Y), member(Y, [3, 4]), X).

operation(forall, 100000).
prepare(forall, N, L) :- numlist(1, N, L).
work(forall, _, L, X) :- forall(member(Y, L), Y > 0), X = yes.

operation(findnsols, 70000).
work(findnsols, N, _, X) :- aggregate_all(count, findnsols(10, I, between(1, N, I), _), X).

operation(limit, 15000).
work(limit, N, _, X) :- repeated(N, forall(limit(3, between(1, inf, _)), true)), findall(Y, limit(2, member(Y, [a, b, c])), X).

operation(order_by, 10000).
prepare(order_by, N, L) :- random_numbers(N, 100000, L).
work(order_by, _, L, X) :- aggregate_all(count, order_by([asc(Y)], member(Y, L)), X).

operation(distinct, 15000).
prepare(distinct, N, L) :- random_numbers(N, 1000, L).
work(distinct, _, L, X) :- aggregate_all(count, distinct(Y, member(Y, L)), X).
