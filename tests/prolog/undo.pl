% undo/1: goals that run when backtracking goes back over the call.

:- dynamic(und_seen/1).
und_note(X) :- assertz(und_seen(X)).
und_noted(L) :- findall(X, retract(und_seen(X)), L).
und_q(X) :- undo(und_note(X)).
und_p(1). und_p(2).
:- table und_path/2.
und_edge(1, 2).
und_edge(2, 3).
und_edge(3, 1).
und_path(X, Y) :- und_edge(X, Y).
und_path(X, Z) :- undo(und_note(a)), und_path(X, Y), undo(und_note(b)), und_edge(Y, Z).
und_two(X) :- undo(und_note(X)), fail.
und_two(_) :- und_note(second).
und_loop(0) :- !.
und_loop(N) :- M is N-1, und_loop(M).

t(disjunction, ( ( und_q(a), und_note(b), fail ; und_noted(L) ) ), [L], answers([[[b, a]]])).
t(clauses, ( und_two(a), und_noted(L) ), [L], answers([[[a, second]]])).
t(cut, ( ( once(( und_q(a), ! )), und_note(b), fail ; true ), und_noted(L) ), [L], answers([[[b, a]]])).
t(newest_first, ( ( und_q(a), und_q(b), fail ; true ), und_noted(L) ), [L], answers([[[b, a]]])).
t(not_yet, ( und_q(a), und_loop(100), und_noted(L) ), [L], answers([[[]]])).
t(exception, ( und_noted(_), catch(( und_q(a), throw(x) ), x, und_note(caught)), und_noted(L) ), [L], answers([[[a, caught]]])).
t(negation, ( \+ \+ und_q(a), und_note(b), und_noted(L) ), [L], answers([[[a, b]]])).
t(findall, ( findall(X, ( und_p(X), und_q(X) ), Xs), und_noted(L) ), [Xs, L], answers([[[1, 2], [1, 2]]])).
t(forall, ( forall(und_p(X), und_q(X)), und_noted(L) ), [L], answers([[[1, 2]]])).
t(bindings, ( ( X = 1, undo(und_note(X)), X == 1, fail ; true ), und_noted(L), var(X) ), [L], answers([[[1]]])).
t(later_bindings, ( ( undo(und_note(Y)), Y = 2, fail ; true ), und_noted([Z]), var(Z) ), [], answers([[]])).
t(binds_nothing, ( undo(X = 1), fail ; var(X) ), [], answers([[]])).
t(failure, ( undo(fail), fail ; true ), [], answers([[]])).
t(once, ( ( undo(( und_p(X), und_note(X) )), fail ; true ), und_noted(L) ), [L], answers([[[1]]])).
t(throws, ( undo(throw(und)), fail ; true ), [], throws_ball(und)).
t(throws_after_others, ( catch(( und_q(a), undo(throw(und)), und_q(b), fail ; true ), und, true), und_noted(L) ), [L], answers([[[b, a]]])).
t(unknown, ( undo(und_missing), fail ; true ), [], throws(existence_error(procedure, und_missing/0))).
t(global_variable, ( undo(nb_setval(und_k, 1)), fail ; nb_getval(und_k, X) ), [X], answers([[1]])).
t(before_cleanup, ( ( setup_call_cleanup(true, ( und_q(a), fail ), und_note(b)) ; true ), und_noted(L) ), [L], answers([[[a, b]]])).
t(collected, ( ( und_q(a), garbage_collect, und_loop(1000), length(X, 10000), X \== [], garbage_collect, fail ; true ), und_noted(L) ), [L], answers([[[a]]])).
t(tabled, ( abolish_all_tables, und_noted(_), findall(Y, und_path(1, Y), Ys0), sort(Ys0, Ys), und_noted(L), msort(L, S) ), [Ys, S], answers([[[1, 2, 3], [a, b, b, b]]])).
t(within, ( ( undo(undo(und_note(a))), fail ; true ), und_noted(L) ), [L], answers([[[]]])).
t(many, ( und_noted(_), ( once(( between(1, 1000, X), undo(und_note(X)), X >= 1000 )), fail ; true ), und_noted(L), length(L, N) ), [N], answers([[1000]])).
t(thread, ( thread_create(( und_q(a), fail ; true ), T), thread_join(T, S), und_noted(L) ), [S, L], answers([[true, [a]]])).
t(engine, ( engine_create(X, ( und_p(X), und_q(X) ), E), engine_next(E, 1), engine_next(E, 2), und_noted(L), engine_destroy(E) ), [L], answers([[[1]]])).
