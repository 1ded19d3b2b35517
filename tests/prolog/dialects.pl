% Programs written for SICStus Prolog and YAP: library(dialect/sicstus), library(dialect/sicstus4), library(dialect/yap).

:- use_module(dialects/sicstus3).
:- use_module(dialects/sicstus4).
:- use_module(dialects/yap).
:- use_module(library(clpfd), [op(_, _, _)]).

t(block, ( dia_merge(X, Y, Z), X = [1, 3], var(Z), Y = [2] ), [Z], prefix([[[1, 2, 3]]])).
t(block_known, findall(Z, dia_merge([1], [2], Z), L), [L], answers([[[[1, 2]]]])).
t(block_result, ( dia_merge(X, Y, [1]), X = [], Y = [1] ), [], prefix([[]])).
t(block_waits, ( dia_wait(X, Y), var(Y), X = 1 ), [Y], answers([[got(1)]])).
t(block_goal, ( dia_wait(X, _), frozen(X, G), G \== true ), [], answers([[]])).
t(block_is_directive, dia_sicstus3:block(a), [], throws(context_error(nodirective, block(a)))).
t(if, ( dia_first([a], X), dia_first([], Y) ), [X, Y], answers([[a, none]])).
t(time_out, dia_times(R), [R], answers([[time_out]])).
t(print_without_quotes, ( with_output_to(string(S), print(['A b', "c d"])), format(string(T), "~p", ['A b']), with_output_to(string(U), print_message_lines(current_output, '', ['~p'-['A b'], nl])) ), [S, T, U], answers([["[A b,c d]", "A b", "A b\n"]])).
t(blackboard, dia_board(L), [L], answers([[[f(a), 2, 2, gone]]])).
t(mutable, dia_mutable(L), [L], answers([[[_, 1, 3]]])).
t(lines, dia_line("ab\nc", L), [L], answers([[[[0'a, 0'b], [0'c], end_of_file]]])).
t(lists, dia_lists(L), [L], answers([[[[x, b, x], yes, [2, 1]]]])).
t(system, dia_system(L), [L], answers([[[yes, yes]]])).
t(four, dia_four(L), [L], answers([[[success, yes, [1, 2]]]])).
t(arrays, dia_arrays(L), [L], answers([[[none, x, [], array, [0-y, 3-x]]]])).
t(command, dia_command(L), [L], answers([[[hi, exit(3), ho]]])).
t(select, dia_select(L), [L], answers([[[[], '127.0.0.1', hello]]])).
t(block_rule, ( phrase(dia_count(N), [x, x], R), var(R), N = s(s(0)) ), [R], prefix([[[]]])).
t(sublist, findall(S, dia_sicstus3:sublist(S, [a, b]), L), [L], answers([[[[a, b], [a], [b], []]]])).
t(keys_and_values, dia_is(L, keys_and_values), [L], answers([[[[a, b]-[1, 2]]]])).
t(loop, dia_is(L, loop), [L], answers([[[6]]])).
t(shorter_list, dia_is(L, shorter), [L], answers([[[[_], [_, _]]]])).
t(append_length, dia_is(L, append_length), [L], answers([[[0-[a, b], 1-[b], 2-[]]]])).
t(append_length_of_partial, dia_is(L, append_length(1)), [L], answers([[[S-[_|S]]]])).
t(append_length_negative, dia_is(_, append_length(-1)), [], throws(domain_error(not_less_than_zero, -1))).
t(append_length_type, dia_is(_, append_length(a)), [], throws(type_error(integer, a))).
t(prefix_length, dia_is(L, prefix_length), [L], answers([[[[]-0, [a]-1, [a, b]-2]]])).
t(proper_prefix_length, dia_is(L, proper_prefix_length), [L], answers([[[[]-0, [a]-1]]])).
t(suffix_length, dia_is(L, suffix_length), [L], answers([[[[a, b]-2, [b]-1, []-0]]])).
t(suffix_length_known, dia_is(L, suffix_length(1)), [L], answers([[[[b]]]])).
t(suffix_length_beyond, dia_is(L, suffix_length(3)), [L], answers([[[]]])).
t(proper_suffix_length, dia_is(L, proper_suffix_length), [L], answers([[[[b]-1, []-0]]])).
t(sublist4, dia_is(L, sublist), [L], answers([[[[]-[0, 0, 2], [a]-[0, 1, 1], [a, b]-[0, 2, 0], []-[1, 0, 1], [b]-[1, 1, 0], []-[2, 0, 0]]]])).
t(sublist_before_one, dia_is(L, sublist(1)), [L], answers([[[[a, b], [b], []]]])).
t(last3, dia_is(L, last), [L], answers([[[[a, b]-c]]])).
t(cons, dia_is(L, cons), [L], answers([[[[[a, b], a, [b], [b, a]]]]])).
t(prefix4, dia_is(L, prefix), [L], answers([[[[], [a], [a, b]]]])).
t(proper_prefix, dia_is(L, proper_prefix), [L], answers([[[[], [a]]]])).
t(suffix4, dia_is(L, suffix), [L], answers([[[[a, b], [b], []]]])).
t(proper_suffix, dia_is(L, proper_suffix), [L], answers([[[[b], []]]])).
t(remove_dups, dia_is(L, remove_dups), [L], answers([[[[b, a, c]]]])).
t(subseq, dia_is(L, subseq), [L], answers([[[[[]-[a, b], [a]-[b], [a, b]-[], [b]-[a]]]]])).
t(subseq0, dia_is(L, subseq0), [L], answers([[[[[], [a], [a, b], [b]]]]])).
t(subseq1, dia_is(L, subseq1), [L], answers([[[[[], [a], [b]]]]])).
t(scanlist, dia_is(L, scanlist), [L], answers([[[6]]])).
t(scanlist2, dia_is(L, scanlist2), [L], answers([[[11]]])).
t(partition5, dia_is(L, partition), [L], answers([[[[[1], [2, 2], [3]]]]])).
t(transpose_beside_clpfd, dia_is(L, transpose), [L], answers([[[[[1, 3], [2, 4]]]]])).
t(numlist2, dia_is(L, numlist), [L], answers([[[[1, 2, 3]]]])).
t(gen_int, dia_is(L, gen_int(2)), [L], answers([[[0, 1, -1, 2, -2]]])).
t(gen_nat, dia_is(L, gen_nat(2)), [L], answers([[[0, 1, 2]]])).
t(samsort, dia_is(L, samsort), [L], answers([[[[a, a, b, c]]]])).
t(samsort_by, dia_is(L, samsort_by), [L], answers([[[[30, 21, 11, 12, 2]]]])).
t(merge, dia_is(L, merge), [L], answers([[[[a, b, c, c, d]]]])).
t(sets, dia_is(L, sets), [L], answers([[[[[a, b], [b], [a, c], [a, c, b, d]]]]])).
t(disjoint, dia_is(L, disjoint), [L], answers([[[[a, b, c]]]])).
t(set_order, ( dia_is(A, set_order([a], [b, a])), dia_is(B, set_order([a, b], [b, a])), dia_is(C, set_order([a, b], [a])), dia_is(D, set_order([a], [b])) ), [A, B, C, D], answers([[[<], [=], [>], []]])).
t(seteq, dia_is(L, seteq), [L], answers([[[x]]])).
t(must_be4, dia_is(L, must_be), [L], answers([[[x]]])).
t(illarg_type, dia_is(L, illarg(type(integer))), [L], answers([[[type_error(integer, a)]]])).
t(illarg_domain, dia_is(L, illarg(domain(atom, colour))), [L], answers([[[domain_error(colour, a)]]])).
t(illarg_domain_type, dia_is(L, illarg(domain(integer, even))), [L], answers([[[type_error(integer, a)]]])).
t(illarg_existence, dia_is(L, illarg(existence(file, x, 0))), [L], answers([[[existence_error(file, x)]]])).
t(illarg_permission, dia_is(L, illarg(permission(modify, static, 0))), [L], answers([[[permission_error(modify, static, a)]]])).
t(terms4, dia_is(L, terms), [L], answers([[[<]]])).
t(ordsets4, dia_is(L, ordsets), [L], answers([[[x]]])).
t(datime, dia_is(L, datime), [L], answers([[[datime(2001, 9, 9, 1, 46, 40)]]])).
t(environ3, dia_is(L, environ), [L], answers([[[x]]])).
t(domain, dia_is(L, domain), [L], answers([[[2..3]]])).
t(table, dia_is(L, table), [L], answers([[[3]]])).
t(table_options, dia_is(L, table_options), [L], answers([[[3]]])).
t(reified, dia_is(L, reified), [L], answers([[[0]]])).
t(implied, dia_is(L, implied), [L], answers([[[4..5]]])).
t(set_of_integers, dia_is(L, set_of_integers), [L], answers([[[1\/3\/5]]])).
t(solved, dia_is(L, solved), [L], answers([[[1-2, 2-1]]])).
t(file_systems, dia_files(L), [L], answers([[[[sub], ['a.txt'], 2, [existence_error, existence_error, permission_error]]]])).
t(sockets4, dia_server(L), [L], answers([[[ip(127, 0, 0, 1), hello, []]]])).
t(yap, findall(A, dia_yap([A, yes, _, none]), L), [L], answers([[[1, 2]]])).
t(over, ( prolog_load_context(dialect, D) ; D = swi ), [D], prefix([[swi]])).
t(operators_stay, current_op(_, _, block), [], fails).
t(none, expects_dialect(dia_none), [], throws(domain_error(dialect, dia_none))).
