% library(dialect/hprolog).

:- use_module(library(dialect/hprolog)).

t(hpr_substitute, substitute_eq(X, [a, X, Y], b, L), [X, Y, L], answers([[_, Y, [a, b, Y]]])).
t(hpr_member, ( memberchk_eq(X, [_, X]), \+ memberchk_eq(_, [X]) ), [X], answers([[_]])).
t(hpr_sets, ( intersect_eq([a, X, b], [X, a], I), list_difference_eq([a, X, b], [X, a], D) ), [X, I, D], answers([[X, [a, X], [b]]])).
t(hpr_take, ( take(2, [a, b, c], A), drop(2, [a, b, c], B), split_at(1, [a, b, c], C, D) ), [A, B, C, D], answers([[[a, b], [c], [a], [b, c]]])).
t(hpr_take_more, take(2, [a], _), [], fails).
t(hpr_numbers, ( max_go_list([1, 3, 2], M), or_list([1, 4], O) ), [M, O], answers([[3, 5]])).
t(hpr_sublist, findall(S, sublist(S, [a, b]), L), [L], answers([[[[a, b], [b], [], [a]]]])).
t(hpr_bounded, findall(S, bounded_sublist(S, [a, b], 1), L), [L], answers([[[[], [a], [], [b], []]]])).
t(hpr_delete, chr_delete([a, X, b, X], X, L), [L], answers([[[a, b]]])).
t(hpr_store, ( init_store(hpr, 1), ( update_store(hpr, 2), get_store(hpr, A), nb_setval(hpr_a, A), fail ; true ), get_store(hpr, B), nb_getval(hpr_a, A) ), [A, B], answers([[2, 1]])).
t(hpr_goals, ( make_init_store_goal(a, 1, A), make_get_store_goal(a, X, B), make_update_store_goal(a, 2, C), make_get_store_goal_no_error(a, X, D) ), [A, B, C, D, X],
  answers([[nb_setval(a, 1), nb_getval(a, X), b_setval(a, 2), nb_current(a, X), X]])).
t(hpr_trees, ( empty_ds(E), put_ds(k, E, v, D), get_ds(k, D, V), ds_to_list(D, L) ), [V, L], answers([[v, [k-v]]])).
t(hpr_time, ( time(member(X, [1, 2]), C, W), number(C), number(W) ), [X], answers([[1], [2]])).
