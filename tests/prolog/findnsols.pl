% findnsols/4,5: solutions in chunks, and what is undone between them.
% As in SWI-Prolog.

t(limit_none, solution_sequences:limit(inf, member(X, [a, b])), [X], answers([[a], [b]])).
t(findnsols_chunks, findnsols(2, X, member(X, [1, 2, 3, 4, 5]), L), [L], answers([[[1, 2]], [[3, 4]], [[5]]])).
t(findnsols_exact, findnsols(2, X, member(X, [1, 2, 3, 4]), L), [L], answers([[[1, 2]], [[3, 4]]])).
t(findnsols_exact_open, findnsols(2, X, ( member(X, [1, 2, 3]), X < 3 ), L), [L], answers([[[1, 2]], [[]]])).
t(findnsols_none, findnsols(2, X, member(X, []), L), [L], answers([[[]]])).
t(findnsols_zero, findnsols(0, X, member(X, [1, 2]), L), [L], answers([[[]]])).
t(findnsols_all, findnsols(10, X, member(X, [1, 2, 3]), L), [L], answers([[[1, 2, 3]]])).
t(findnsols_tail, findnsols(2, X, member(X, [1, 2, 3]), L, T), [L, T], answers([[[1, 2|T1], T1], [[3|T2], T2]])).
t(findnsols_bound, findnsols(2, X, member(X, [1, 2, 3]), [1, 2]), [], answers([[]])).
t(findnsols_copies, findnsols(2, X-_, member(X, [1, 2]), L), [L], answers([[[1-_, 2-_]]])).
t(findnsols_nested, findnsols(2, L, findnsols(1, X, member(X, [1, 2, 3]), L), Ls), [Ls], answers([[[[1], [2]]], [[[3]]]])).
t(findnsols_many, ( findnsols(50, X, between(1, 200, X), L), last(L, 200), length(L, N) ), [N], answers([[50]])).
t(findnsols_undoes, ( b_setval(cmp_v, 0), T = t(_), findnsols(2, x, ( b_setval(cmp_v, 1), setarg(1, T, 1) ), L), b_getval(cmp_v, V) ), [L, V, T], answers([[[x], 0, t(_)]])).
t(findnsols_undoes_last, findall(L-V, ( b_setval(cmp_v, 0), findnsols(2, X, ( member(X, [1, 2, 3, 4]), b_setval(cmp_v, X) ), L), b_getval(cmp_v, V) ), R), [R], answers([[[[1, 2]-2, [3, 4]-0]]])).
t(findnsols_undoes_ground, ( T = t(0), findnsols(2, x, setarg(1, T, 1), L) ), [L, T], answers([[[x], t(0)]])).
t(findnsols_negative, findnsols(-1, _, true, _), [], throws(domain_error(not_less_than_zero, -1))).
t(findnsols_atom, findnsols(a, _, true, _), [], throws(type_error(integer, a))).
t(findnsols_unbound, findnsols(_, _, true, _), [], throws(instantiation_error)).
