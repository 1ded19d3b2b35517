% Programs written for SICStus Prolog and YAP: library(dialect/sicstus), library(dialect/sicstus4), library(dialect/yap).

:- use_module(dialects/sicstus3).
:- use_module(dialects/sicstus4).
:- use_module(dialects/yap).

t(block, ( dia_merge(X, Y, Z), X = [1, 3], var(Z), Y = [2] ), [Z], prefix([[[1, 2, 3]]])).
t(block_known, findall(Z, dia_merge([1], [2], Z), L), [L], answers([[[[1, 2]]]])).
t(block_result, ( dia_merge(X, Y, [1]), X = [], Y = [1] ), [], prefix([[]])).
t(block_waits, ( dia_wait(X, Y), var(Y), X = 1 ), [Y], answers([[got(1)]])).
t(block_goal, ( dia_wait(X, _), frozen(X, G), G \== true ), [], answers([[]])).
t(block_is_directive, dia_sicstus3:block(a), [], throws(context_error(nodirective, block(a)))).
t(if, ( dia_first([a], X), dia_first([], Y) ), [X, Y], answers([[a, none]])).
t(time_out, dia_times(R), [R], answers([[time_out]])).
t(blackboard, dia_board(L), [L], answers([[[f(a), 2, 2, gone]]])).
t(mutable, dia_mutable(L), [L], answers([[[_, 1, 3]]])).
t(lines, dia_line("ab\nc", L), [L], answers([[[[0'a, 0'b], [0'c], end_of_file]]])).
t(lists, dia_lists(L), [L], answers([[[[x, b, x], yes, [2, 1]]]])).
t(system, dia_system(L), [L], answers([[[yes, yes]]])).
t(four, dia_four(L), [L], answers([[[success, yes, [1, 2]]]])).
t(yap, findall(A, dia_yap([A, yes, _, none]), L), [L], answers([[[1, 2]]])).
t(over, ( prolog_load_context(dialect, D) ; D = swi ), [D], prefix([[swi]])).
t(operators_stay, current_op(_, _, block), [], fails).
t(none, expects_dialect(dia_none), [], throws(domain_error(dialect, dia_none))).
