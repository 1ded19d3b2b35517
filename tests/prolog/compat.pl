% What SWI-Prolog programs use beside the core: findnsols/4, open_string/2, copies of terms, goals as terms, old names.

% findnsols

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

% open_string

t(open_string, ( open_string("hello. f(X).", S), read(S, A), read(S, B), read(S, C), close(S) ), [A, B, C], answers([[hello, f(_), end_of_file]])).
t(open_string_atom, ( open_string('caf\u00e9', S), read_string(S, _, T), close(S) ), [T], answers([["caf\u00e9"]])).
t(open_string_codes, ( open_string([0'a, 0'b], S), get_char(S, A), get_char(S, B), get_char(S, C), close(S) ), [A, B, C], answers([[a, b, end_of_file]])).
t(open_string_lines, ( open_string("a\nb\n", S), read_line_to_string(S, A), read_line_to_string(S, B), line_count(S, N), close(S) ), [A, B, N], answers([["a", "b", 3]])).
t(open_string_unbound, open_string(_, _), [], throws(instantiation_error)).
t(open_string_compound, open_string(f(x), _), [], throws(type_error(text, f(x)))).
t(open_string_number, open_string(12, _), [], throws(type_error(text, 12))).
t(open_string_bound, open_string(a, b), [], throws(uninstantiation_error(b))).

% Copies and variables

t(copy_term_goals, copy_term(f(X, Y, X), Z, G), [f(X, Y), Z, G], answers([[f(_, _), f(A, _, A), []]])).
t(copy_term_some, copy_term(X+Y, f(X, Y, Z), A, B), [X, Y, Z, A, B], answers([[_, _, W, P+Q, f(P, Q, W)]])).
t(copy_term_one, copy_term(X, f(X, Y), A, B), [X, Y, A, B], answers([[_, V, P, f(P, V)]])).
t(copy_term_none, copy_term(_, f(Y), _, B), [Y, B], answers([[V, f(V)]])).
t(copy_term_nat, copy_term_nat(f(X, Y, X), Z), [X, Y, Z], answers([[_, _, f(A, _, A)]])).
t(term_singletons, term_singletons(f(X, Y, X, Z), L), [X, Y, Z, L], answers([[_, A, B, [A, B]]])).
t(term_singletons_deep, term_singletons([f(X, g(X)), h(Y)|Z], L), [X, Y, Z, L], answers([[_, A, B, [A, B]]])).
t(term_singletons_none, term_singletons(f(X, g(X), a), L), [L], answers([[[]]])).
t(term_singletons_long, ( length(L, 300), term_singletons(L, S), length(S, N) ), [N], answers([[300]])).
t(same_term_atom, same_term(a, a), [], answers([[]])).
t(same_term_variable, same_term(X, X), [], answers([[]])).
t(same_term_place, ( X = f(_), same_term(X, X) ), [], answers([[]])).
t(same_term_equal, ( atom_codes(A, "x"), X = f(A), copy_term(g(A, _), g(B, _)), Y =.. [f, B], same_term(X, Y) ), [], fails).
t(nb_delete, ( nb_setval(compat_key, 1), nb_delete(compat_key), nb_current(compat_key, _) ), [], fails).
% What b_setval/2 undoes is what it did: not what nb_setval/2 and nb_delete/1 did after it.
t(nb_after_b, ( nb_setval(gv1, 0), \+ \+ ( b_setval(gv1, 1), nb_setval(gv1, 2) ), nb_getval(gv1, X) ), [X], answers([[2]])).
t(nb_after_b_first, ( ( b_setval(gv2, 1), nb_setval(gv2, 2), fail ; true ), nb_getval(gv2, X) ), [X], answers([[2]])).
t(b_after_nb_after_b, ( nb_setval(gv3, 0), ( b_setval(gv3, 1), nb_setval(gv3, 2), b_setval(gv3, 3), fail ; true ), nb_getval(gv3, X) ), [X], answers([[2]])).
t(nb_after_b_thrown, ( nb_setval(gv4, 0), catch(( b_setval(gv4, a), nb_setval(gv4, f(c)), throw(x) ), x, true), garbage_collect, nb_getval(gv4, X) ), [X], answers([[f(c)]])).
t(deleted_after_b, ( nb_setval(gv5, 0), ( b_setval(gv5, 1), nb_delete(gv5), fail ; true ), nb_current(gv5, _) ), [], fails).
t(b_alone, ( nb_setval(gv6, 0), ( b_setval(gv6, 1), fail ; true ), nb_getval(gv6, X) ), [X], answers([[0]])).
t(nb_delete_none, nb_delete(compat_no_key), [], answers([[]])).

% term_factorized

t(factorized_none, term_factorized(f(a, b), S, L), [S, L], answers([[f(a, b), []]])).
t(factorized_equal, term_factorized(f(g(a), g(a)), S, L), [S, L], answers([[f(V, V), [V=g(a)]]])).
t(factorized_in_another, term_factorized(f(h(g(a)), h(g(a)), g(a)), S, L), [S, L], answers([[f(H, H, G), [G=g(a), H=h(G)]]])).
t(factorized_variables, term_factorized(f(g(X), g(X), g(Y)), S, L), [X, Y, S, L], answers([[A, B, f(V, V, g(B)), [V=g(A)]]])).
t(factorized_many_variables, ( length(L, 100), T = f(L, L), term_factorized(T, f(A, B), S), A == B, S = [V=M|_], V == A, M = [X|_], L = [Y|_], X == Y, length(S, N) ), [N], answers([[1]])).
t(copy_term_some_long, ( length(L, 100), append(A, B, L), length(A, 50), copy_term(A, L, _, C), append(D, E, C), length(D, 50), E == B, term_variables(A/D, Vs), length(Vs, N) ), [N], answers([[100]])).
t(factorized_cyclic, ( T = g(T), term_factorized(T, S, L) ), [S, L], answers([[V, [V=g(V)]]])).
t(factorized_cyclic_list, ( T = [a|T], term_factorized(f(T), S, L) ), [S, L], answers([[f(V), [V=[a|V]]]])).
t(factorized_atomic, term_factorized(a, S, L), [S, L], answers([[a, []]])).
t(factorized_long, ( numlist(1, 100, N), term_factorized(N, S, L), S == N ), [L], answers([[[]]])).

% library(prolog_code)

:- use_module(library(prolog_code)).

t(comma_list, comma_list((a, b, c), L), [L], answers([[[a, b, c]]])).
t(comma_list_left, comma_list(((a, b), c), L), [L], answers([[[a, b, c]]])).
t(comma_list_back, comma_list(C, [a, b, c]), [C], answers([[(a, b, c)]])).
t(comma_list_empty, comma_list(_, []), [], fails).
t(semicolon_list, semicolon_list((a ; b), L), [L], answers([[[a, b]]])).
t(semicolon_list_back, semicolon_list(C, [a, b, c]), [C], answers([[(a ; b ; c)]])).
t(semicolon_list_empty, semicolon_list(_, []), [], fails).
t(mkconj, ( mkconj(true, a, X), mkconj(a, true, Y), mkconj(a, b, Z) ), [X, Y, Z], answers([[a, a, (a, b)]])).
t(mkdisj, ( mkdisj(false, a, X), mkdisj(a, false, Y), mkdisj(a, b, Z) ), [X, Y, Z], answers([[a, a, (a ; b)]])).
t(pi_head, ( pi_head(X, foo(_, _)), pi_head(m:a/2, Y), pi_head(a//1, Z) ), [X, Y, Z], answers([[foo/2, m:a(_, _), a(_, _, _)]])).
t(pi_head_unbound, pi_head(_, _), [], throws(instantiation_error)).
t(most_general_goal, ( most_general_goal(m:f(a), X), most_general_goal(g, Y) ), [X, Y], answers([[m:f(_), g]])).
t(is_predicate_indicator, is_predicate_indicator(m:a/2), [], answers([[]])).
t(is_predicate_indicator_not, is_predicate_indicator(a/b), [], fails).

% library(backcomp) and library(oset)

:- use_module(library(backcomp)).
:- use_module(library(oset)).

t(concat_atom, ( concat_atom([a, b, 1], X), concat_atom([a, b], '-', Y), concat_atom(Z, '-', 'a-b') ), [X, Y, Z], answers([[ab1, 'a-b', [a, b]]])).
t(concat, concat(a, 1, X), [X], answers([[a1]])).
t(c_3, 'C'([a, b], X, R), [X, R], answers([[a, [b]]])).
t(checklist, checklist(atom, [a, b]), [], answers([[]])).
t(sublist, sublist(atom, [a, 1, b], L), [L], answers([[[a, b]]])).
t(write_ln, write_ln(a), [], output("a\n")).
t(proper_list, proper_list([a|_]), [], fails).
t(free_variables, free_variables(f(X, Y, X), L), [X, Y, L], answers([[A, B, [A, B]]])).
t(merge, merge([a, c], [b, c], L), [L], answers([[[a, b, c, c]]])).
t(merge_set, merge_set([a, c], [b, c], L), [L], answers([[[a, b, c]]])).
t(oset, ( oset_union([a, c], [b], U), oset_int([a, b], [b, c], I), oset_diff([a, b], [b], D), oset_addel([a], b, A), oset_delel([a, b], a, R) ), [U, I, D, A, R], answers([[[a, b, c], [b], [a], [a, b], [b]]])).
t(oset_distributed, ( oset_dunion([[a], [b]], U), oset_dint([[a, b], [b, c]], I) ), [U, I], answers([[[a, b], [b]]])).
