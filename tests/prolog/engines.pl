% Engines: as in SWI-Prolog 9.0.4, but for what is said so.

:- dynamic((eng_note/1, eng_fact/1)).
:- thread_local(eng_local/1).

eng_note_it(X) :- assertz(eng_note(X)).
eng_notes(L) :- findall(X, retract(eng_note(X)), L).
eng_streams(N) :- findall(S, stream_property(S, mode(_)), L), length(L, N).

:- table eng_resumed/1, eng_outer/1.
eng_resumed(1).
eng_resumed(X) :- eng_resumed(Y), Y < 5, X is Y + 1, ( X == 3 -> engine_yield(y) ; true ).
eng_outer(1).
eng_outer(X) :- eng_outer(Y), eng_resumed(Z), X is Y + Z, X < 4.

% So many answers of an engine, reified.
eng_replies(0, _, []) :- !.
eng_replies(N, E, [R|Rs]) :- engine_next_reified(E, R0), eng_short(R0, R), M is N - 1, eng_replies(M, E, Rs).
eng_short(exception(error(F, _)), error(G)) :- !, ( F = existence_error(engine, _) -> G = gone ; G = F ).
eng_short(R, R).

eng_facts(N) :- retractall(eng_fact(_)), forall(between(1, N, I), assertz(eng_fact(I))).

% Engines in engines, so many.
eng_nested(0, X) :- !, X = bottom.
eng_nested(N, X) :- M is N - 1, engine_create(Y, eng_nested(M, Y), E), engine_next(E, X), engine_destroy(E).

eng_count(E, N) :- eng_count(E, 0, N).
eng_count(E, N0, N) :- ( engine_next(E, _) -> N1 is N0 + 1, eng_count(E, N1, N) ; N = N0 ).

% A list in one engine, summed by another that is posted its elements.
eng_sum(S) :- engine_fetch(X), eng_sum(X, 0, S).
eng_sum(end, S, S) :- !.
eng_sum(X, S0, S) :- S1 is S0 + X, engine_yield(S1), engine_fetch(Y), eng_sum(Y, S1, S).

eng_loop(X) :- eng_loop(0, X).
eng_loop(N, X) :- M is N + 1, ( nb_getval(eng_stop, M) -> X = M ; eng_loop(M, X) ).

t(answers, ( engine_create(X, member(X, [a, b]), E), eng_replies(4, E, L) ), [L], answers([[[the(a), the(b), no, error(gone)]]])).
t(answers_then_fails, ( engine_create(X, ( X = 1 ; X = 2 ; fail ), E), eng_replies(4, E, L) ), [L], answers([[[the(1), the(2), no, error(gone)]]])).
t(fails, ( engine_create(_, fail, E), eng_replies(2, E, L) ), [L], answers([[[no, error(gone)]]])).
t(throws, ( engine_create(X, ( X = 1 ; throw(oops(_)) ), E), eng_replies(3, E, L) ), [L], answers([[[the(1), exception(oops(_)), error(gone)]]])).
t(throws_on, ( engine_create(_, throw(oops), E), engine_next(E, _) ), [], throws_ball(oops)).
t(no_procedure, ( engine_create(_, eng_no_such, E), engine_next(E, _) ), [], throws(existence_error(procedure, eng_no_such/0))).
t(no_goal, ( engine_create(_, 1, E), engine_next(E, _) ), [], throws(type_error(callable, 1))).
t(unbound_goal, ( engine_create(_, _, E), engine_next(E, _) ), [], throws(instantiation_error)).
t(answer_does_not_unify, ( engine_create(X, member(X, [1, 2, 3]), E), \+ engine_next(E, no), engine_next(E, Y) ), [Y], answers([[2]])).
t(next_is_det, ( engine_create(X, member(X, [1, 2, 3]), E), engine_next(E, Y) ), [Y], answers([[1]])).
t(copies, ( engine_create(f(X, Y, Z), ( X = g(Y, Z) ), E), Y = 1, engine_next(E, T) ), [T, Y], answers([[f(g(A, B), A, B), 1]])).
t(binds_nothing_outside, ( engine_create(X, X = 1, E), engine_next(E, Y) ), [X, Y], answers([[_, 1]])).
t(cut_in_goal, ( engine_create(X, ( member(X, [1, 2]), ! ), E), eng_replies(2, E, L) ), [L], answers([[[the(1), no]]])).
t(findall, ( engine_create(X, between(1, inf, X), E), findall(Y, ( between(1, 5, _), engine_next(E, Y) ), L), engine_destroy(E) ), [L], answers([[[1, 2, 3, 4, 5]]])).
t(backtracking_does_not_undo, ( engine_create(X, between(1, 9, X), E), ( engine_next(E, _), fail ; engine_next(E, Y) ) ), [Y], answers([[2]])).
t(two_together, ( engine_create(X, member(X, [a, b, c]), E), engine_create(Y, member(Y, [1, 2, 3]), F), findall(A-B, ( between(1, 3, _), engine_next(E, A), engine_next(F, B) ), L) ), [L], answers([[[a-1, b-2, c-3]]])).
t(large_answer, ( engine_create(L, numlist(1, 30000, L), E), engine_next(E, M), length(M, N) ), [N], answers([[30000]])).
t(many_answers, ( engine_create(X, between(1, 3000, X), E), eng_count(E, N) ), [N], answers([[3000]])).
t(garbage_inside, ( engine_create(N, ( between(1, 3, I), numlist(1, 20000, L), length(L, M), N is M + I ), E), eng_replies(4, E, Rs) ), [Rs], answers([[[the(20001), the(20002), the(20003), no]]])).

t(yield, ( engine_create(X, ( engine_yield(a), engine_yield(b), X = c ), E), eng_replies(4, E, L) ), [L], answers([[[the(a), the(b), the(c), no]]])).
t(yield_then_backtracks, ( engine_create(X, ( engine_yield(a) ; X = b ), E), eng_replies(4, E, L) ), [L], answers([[[the(a), the(_), the(b), no]]])).
t(yield_in_findall, ( engine_create(X, findall(Z, ( member(Z, [1, 2]), engine_yield(y(Z)) ), X), E), eng_replies(4, E, L) ), [L], answers([[[the(y(1)), the(y(2)), the([1, 2]), no]]])).
t(yield_in_catch, ( engine_create(X, catch(( engine_yield(a), throw(b) ), X, true), E), eng_replies(3, E, L) ), [L], answers([[[the(a), the(b), no]]])).
t(yield_in_forall, ( engine_create(X, ( member(X, [1, 2]), forall(member(Y, [p, q]), engine_yield(Y)) ), E), eng_replies(7, E, L) ), [L], answers([[[the(p), the(q), the(1), the(p), the(q), the(2), no]]])).
t(yield_outside, engine_yield(a), [], throws(permission_error(execute, vmi, 'I_YIELD'))).
t(yield_many, ( engine_create(X, ( forall(between(1, 2000, I), engine_yield(I)), X = end ), E), eng_count(E, N) ), [N], answers([[2001]])).

t(post, ( engine_create(X, engine_fetch(X), E), engine_post(E, f(A, A, _)), engine_next(E, Y) ), [Y], answers([[f(B, B, _)]])).
t(post_and_next, ( engine_create(S, eng_sum(S), E), engine_post(E, 1, A), engine_post(E, 2, B), engine_post(E, 39, C), engine_post(E, end, D) ), [A, B, C, D], answers([[1, 3, 42, 42]])).
t(post_twice, ( engine_create(X, engine_fetch(X), E), engine_post(E, 1), catch(engine_post(E, 2), error(Er, _), true), arg(1, Er, P), engine_next(E, Y) ), [P, Y], answers([[post_to, 1]])).
t(post_to_ended, ( engine_create(_, fail, E), \+ engine_next(E, _), catch(engine_post(E, 1), error(existence_error(K, _), _), true) ), [K], answers([[engine]])).
t(fetch_nothing, ( engine_create(X, engine_fetch(X), E), catch(engine_next(E, _), error(Er, _), true), functor(Er, N, A), arg(2, Er, W) ), [N, A, W], answers([[existence_error, 3, delivery]])).
t(fetch_outside, catch(engine_fetch(_), error(E, _), true), [E], native(answers([[existence_error(term, delivery, main)]]))).
t(fetch_takes, ( engine_create(X, ( \+ engine_fetch(a), catch(engine_fetch(X), error(E0, _), ( arg(1, E0, X) )) ), E), engine_post(E, b), engine_next(E, Y) ), [Y], answers([[term]])).
% In SWI-Prolog the engine waits for itself.
t(post_to_self, ( engine_create(X, ( engine_self(Me), engine_post(Me, a), engine_fetch(X) ), E), engine_next(E, Y) ), [Y], answers([[a]])).

t(self, ( engine_create(X, engine_self(X), E), engine_next(E, Y), ( Y == E -> S = same ; S = other ) ), [S], answers([[same]])).
t(self_is_thread, ( engine_create(X, thread_self(X), E), engine_next(E, Y), ( Y == E -> S = same ; S = other ) ), [S], answers([[same]])).
t(self_outside, engine_self(_), [], fails).
t(self_alias, ( engine_create(X, engine_self(X), E, [alias(eng_1)]), engine_next(E, Y), engine_destroy(eng_1) ), [E, Y], answers([[eng_1, eng_1]])).
t(alias_by_name, ( engine_create(X, member(X, [1, 2]), eng_2), engine_next(eng_2, Y), engine_destroy(eng_2) ), [Y], answers([[1]])).
t(alias_taken, ( engine_create(_, true, _, [alias(eng_3)]), catch(engine_create(_, true, _, [alias(eng_3)]), error(E, _), true), engine_destroy(eng_3) ), [E], answers([[permission_error(create, engine, eng_3)]])).
t(alias_taken_when_ended, ( engine_create(_, true, _, [alias(eng_4)]), engine_next(eng_4, _), \+ engine_next(eng_4, _), catch(engine_create(_, true, _, [alias(eng_4)]), error(E, _), true), engine_destroy(eng_4), engine_create(_, true, F, [alias(eng_4)]), engine_destroy(F) ), [E], answers([[permission_error(create, engine, eng_4)]])).
t(alias_of_thread, engine_create(_, true, _, [alias(main)]), [], throws(permission_error(create, engine, main))).
t(alias_for_thread, ( engine_create(_, true, _, [alias(eng_5)]), catch(thread_create(true, _, [alias(eng_5)]), error(E, _), true), engine_destroy(eng_5) ), [E], answers([[permission_error(create, thread, eng_5)]])).
t(alias_differs, engine_create(_, true, eng_6, [alias(eng_7)]), [], throws(uninstantiation_error(eng_6))).
t(bound, engine_create(_, true, f(x)), [], throws(uninstantiation_error(f(x)))).
t(options_partial, engine_create(_, true, _, [alias(eng_8)|_]), [], throws(instantiation_error)).
t(options_none, engine_create(_, true, _, foo), [], throws(type_error(list, foo))).
t(alias_unbound, engine_create(_, true, _, [alias(_)]), [], throws(instantiation_error)).
t(alias_number, engine_create(_, true, _, [alias(1)]), [], throws(type_error(atom, 1))).
t(options_unknown, ( engine_create(X, X = 1, E, [eng_option(2)]), engine_next(E, Y) ), [Y], answers([[1]])).

t(is_engine, ( engine_create(_, true, E), is_engine(E), \+ is_engine(_), \+ is_engine(main), \+ is_engine(1), engine_destroy(E), \+ is_engine(E) ), [], answers([[]])).
t(is_engine_when_ended, ( engine_create(_, true, E), engine_next(E, _), is_engine(E), \+ engine_next(E, _), is_engine(E), engine_destroy(E), \+ is_engine(E) ), [], answers([[]])).
t(current, ( engine_create(_, true, E), findall(x, ( current_engine(F), F == E ), L), engine_next(E, _), findall(x, ( current_engine(F), F == E ), M) ), [L, M], answers([[[x], []]])).
t(current_inside, ( engine_create(x, ( engine_self(Me), current_engine(F), F == Me ), E), engine_next(E, X) ), [X], answers([[x]])).

t(next_unbound, engine_next(_, _), [], throws(instantiation_error)).
t(next_unknown, engine_next(eng_foo, _), [], throws(existence_error(engine, eng_foo))).
t(next_number, engine_next(1, _), [], throws(type_error(engine, 1))).
t(next_thread, engine_next(main, _), [], throws(type_error(engine, main))).
t(next_reified_unbound, ( engine_next_reified(_, R), R = exception(error(E, _)) ), [E], answers([[instantiation_error]])).
t(post_unknown, engine_post(eng_foo, a), [], throws(existence_error(engine, eng_foo))).
t(post3_unknown, engine_post(eng_foo, a, _), [], throws(existence_error(engine, eng_foo))).
t(destroy_unbound, engine_destroy(_), [], throws(instantiation_error)).
t(destroy_unknown, engine_destroy(eng_foo), [], throws(existence_error(engine, eng_foo))).
t(destroy_thread, engine_destroy(main), [], throws(type_error(engine, main))).
t(destroy_twice, ( engine_create(_, true, E), engine_destroy(E), catch(engine_destroy(E), error(existence_error(K, _), _), true) ), [K], answers([[engine]])).
t(destroy_ended, ( engine_create(_, fail, E), \+ engine_next(E, _), engine_destroy(E), \+ is_engine(E) ), [], answers([[]])).
% SWI-Prolog waits for ever, or crashes.
t(next_of_itself, ( engine_create(X, ( engine_self(Me), catch(engine_next(Me, _), error(E0, _), true), arg(1, E0, X) ), E), engine_next(E, Y) ), [Y], answers([[resume]])).
t(destroy_itself, ( engine_create(X, ( engine_self(Me), catch(engine_destroy(Me), error(E0, _), true), arg(1, E0, X) ), E), engine_next(E, Y) ), [Y], answers([[destroy]])).
t(next_of_outer, ( engine_create(X, ( engine_self(Me), engine_create(Y, ( catch(engine_next(Me, _), error(E0, _), true), arg(1, E0, Y) ), F), engine_next(F, X) ), E), engine_next(E, Z) ), [Z], answers([[resume]])).
t(next_of_inner_from_outside, ( engine_create(F-X, ( engine_create(Y, member(Y, [1, 2, 3]), F), engine_next(F, X) ), E), engine_next(E, G-A), engine_next(G, B) ), [A, B], answers([[1, 2]])).

t(cleanup_at_destroy, ( engine_create(X, setup_call_catcher_cleanup(true, member(X, [1, 2]), C, eng_note_it(C)), E), engine_next(E, Y), engine_destroy(E), eng_notes(L) ), [Y, L], answers([[1, [!]]])).
t(cleanups_at_destroy, ( engine_create(X, setup_call_cleanup(true, setup_call_cleanup(true, member(X, [1, 2]), eng_note_it(inner)), eng_note_it(outer)), E), engine_next(E, _), engine_destroy(E), eng_notes(L) ), [L], answers([[[inner, outer]]])).
t(cleanup_at_destroy_throws, ( engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), throw(oops)), E), engine_next(E, _), engine_destroy(E), \+ is_engine(E) ), [], answers([[]])).
t(cleanup_at_destroy_sees_itself, ( engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), ( thread_self(S), engine_self(S), eng_note_it(here) )), E), engine_next(E, _), engine_destroy(E), eng_notes(L) ), [L], answers([[[here]]])).
t(cleanup_of_yield, ( engine_create(_, setup_call_cleanup(true, engine_yield(a), eng_note_it(c)), E), engine_next(E, X), engine_destroy(E), eng_notes(L) ), [X, L], answers([[a, [c]]])).
t(cleanup_at_last_answer, ( engine_create(X, setup_call_cleanup(true, member(X, [1]), eng_note_it(c)), E), engine_next(E, Y), eng_notes(L) ), [Y, L], answers([[1, [c]]])).
t(cleanup_destroys_another, ( engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), eng_note_it(f)), F), engine_next(F, _), engine_create(Y, setup_call_cleanup(true, member(Y, [1, 2]), ( engine_destroy(F), eng_note_it(e) )), E), engine_next(E, _), engine_destroy(E), eng_notes(L) ), [L], answers([[[f, e]]])).
t(catch_does_not_see_destroy, ( engine_create(X, catch(member(X, [1, 2]), B, eng_note_it(B)), E), engine_next(E, _), engine_destroy(E), eng_notes(L) ), [L], answers([[[]]])).
t(exit_goals, ( engine_create(X, ( thread_at_exit(eng_note_it(a)), thread_at_exit(eng_note_it(b)), member(X, [1, 2]) ), E), engine_next(E, _), engine_destroy(E), eng_notes(L) ), [L], answers([[[b, a]]])).
t(exit_goals_at_last_answer, ( engine_create(X, ( thread_at_exit(eng_note_it(a)), X = 1 ), E), engine_next(E, Y), eng_notes(L) ), [Y, L], answers([[1, [a]]])).
t(destroy_before_start, ( engine_create(_, eng_note_it(ran), E), engine_destroy(E), eng_notes(L) ), [L], answers([[[]]])).
t(no_thread_exit, ( engine_create(_, thread_exit(3), E), catch(engine_next(E, _), error(permission_error(A, B, _), _), true) ), [A, B], answers([[exit, thread]])).

t(own_globals, ( b_setval(eng_v, 1), nb_setval(eng_w, 1), engine_create(X, catch(nb_getval(eng_w, X), error(X, _), true), E), engine_next(E, Y) ), [Y], answers([[existence_error(variable, eng_w)]])).
t(globals_stay, ( engine_create(X, ( nb_setval(eng_v, 7), engine_yield(a), nb_getval(eng_v, X) ), E), engine_next(E, _), engine_next(E, Y) ), [Y], answers([[7]])).
t(own_local_facts, ( assertz(eng_local(main)), engine_create(L, ( assertz(eng_local(engine)), findall(X, eng_local(X), L) ), E), engine_next(E, L1), findall(X, retract(eng_local(X)), L2) ), [L1, L2], answers([[[engine], [main]]])).
t(inherits_flags, ( current_prolog_flag(float_zero_div, Old), set_prolog_flag(float_zero_div, infinity), engine_create(X, current_prolog_flag(float_zero_div, X), E), set_prolog_flag(float_zero_div, Old), engine_next(E, Y) ), [Y], answers([[infinity]])).
t(inherits_output, ( with_output_to(string(S), ( engine_create(_, write(inside), E), engine_next(E, _) )) ), [S], answers([["inside"]])).
t(own_queue, ( thread_self(Me), engine_create(X, thread_get_message(X), E), thread_send_message(Me, eng_mine), thread_send_message(E, eng_yours), engine_next(E, Y), thread_get_message(eng_mine) ), [Y], answers([[eng_yours]])).
t(properties, ( engine_create(S, ( thread_self(Me), thread_property(Me, status(S)) ; S = x ), E), thread_property(E, status(S0)), engine_next(E, S1), thread_property(E, status(S2)), thread_property(E, engine(B)), thread_property(E, detached(D)), is_thread(E) ), [S0, S1, S2, B, D], answers([[suspended, running, suspended, true, true]])).
t(no_thread_when_ended, ( engine_create(_, true, E), engine_next(E, _), \+ is_thread(E) ), [], answers([[]])).
t(statistics, ( statistics(engines, N0), statistics(threads, T0), engine_create(_, true, E), statistics(engines, N1), statistics(threads, T1), engine_destroy(E), statistics(engines, N2), A is N1 - N0, B is N2 - N0, C is T1 - T0 ), [A, B, C], answers([[1, 0, 0]])).
t(signal, ( engine_create(X, member(X, [1, 2]), E), engine_next(E, _), thread_signal(E, eng_note_it(signalled)), eng_notes(L), engine_next(E, Y), eng_notes(M) ), [L, Y, M], answers([[[], 2, [signalled]]])).
t(signal_throws, ( engine_create(X, ( member(X, [1, 2]), true ), E), engine_next(E, _), thread_signal(E, throw(oops)), engine_next(E, _) ), [], throws_ball(oops)).
% SWI-Prolog waits for ever.
t(join, ( engine_create(_, true, E), catch(thread_join(E, _), error(permission_error(A, B, _), _), true) ), [A, B], answers([[join, thread]])).

t(database_view, ( eng_facts(3), engine_create(X, eng_fact(X), E), engine_next(E, A), retractall(eng_fact(_)), assertz(eng_fact(9)), eng_replies(3, E, L) ), [A, L], answers([[1, [the(2), the(3), no]]])).
t(retracts, ( eng_facts(4), engine_create(X, retract(eng_fact(X)), E), engine_next(E, A), engine_next(E, B), engine_destroy(E), findall(X, eng_fact(X), L) ), [A, B, L], answers([[1, 2, [3, 4]]])).
t(erased_while_it_sleeps, ( eng_facts(20), engine_create(X, eng_fact(X), E), engine_next(E, _), forall(between(1, 300, _), eng_facts(20)), garbage_collect_clauses, findall(Y, ( between(1, 19, _), engine_next(E, Y) ), L), sum_list(L, S), engine_destroy(E) ), [S], answers([[209]])).

t(nested, eng_nested(20, X), [X], answers([[bottom]])).
t(nested_deep, eng_nested(300, X), [X], answers([[bottom]])).
t(nested_throws, ( engine_create(X, ( engine_create(_, throw(inner), F), catch(engine_next(F, _), X, true) ), E), engine_next(E, Y) ), [Y], answers([[inner]])).
t(nested_yields_of_its_own, ( engine_create(X, ( engine_create(_, ( engine_yield(in), fail ), F), engine_next(F, Y), engine_yield(out(Y)), X = end ), E), eng_replies(3, E, L) ), [L], answers([[[the(out(in)), the(end), no]]])).
t(chain, ( engine_create(X, between(1, 100, X), E), engine_create(Y, ( repeat, ( engine_next(E, A) -> Y is A * 2 ; !, fail ) ), F), engine_create(Z, ( repeat, ( engine_next(F, B) -> Z is B + 1 ; !, fail ) ), G), eng_count(G, N) ), [N], answers([[100]])).

t(other_thread, ( engine_create(X, member(X, [1, 2, 3]), E), engine_next(E, A), thread_create(( engine_next(E, B), thread_exit(B) ), T), thread_join(T, S), engine_next(E, C) ), [A, S, C], answers([[1, exited(2), 3]])).
t(creator_is_gone, ( thread_self(Me), thread_create(( engine_create(X, member(X, [1, 2]), E), engine_next(E, _), thread_send_message(Me, eng_is(E)) ), T), thread_join(T, true), thread_get_message(eng_is(F)), engine_next(F, Y) ), [Y], answers([[2]])).
t(shared_by_threads, ( engine_create(X, between(1, 100, X), E), findall(T, ( between(1, 3, _), thread_create(( findall(Y, ( repeat, ( engine_next_reified(E, the(Y)) -> true ; !, fail ) ), L), thread_exit(L) ), T) ), Ts), findall(Y, ( member(T, Ts), thread_join(T, exited(L)), member(Y, L) ), All), sort(All, Sorted), length(All, N), length(Sorted, M) ), [N, M], answers([[100, 100]])).
t(waits_for_its_turn, ( thread_self(Me), engine_create(X, ( thread_send_message(Me, eng_begun), thread_get_message(eng_go), member(X, [1, 2]) ), E), thread_create(( engine_next(E, A), thread_exit(A) ), T), thread_get_message(eng_begun), thread_create(( engine_next(E, B), thread_exit(B) ), U), thread_send_message(E, eng_go), thread_join(T, S1), thread_join(U, S2), msort([S1, S2], L) ), [L], answers([[[exited(1), exited(2)]]])).

% A time limit of who asks ends what it waits for, and the engine goes on when it is asked again. SWI-Prolog waits for ever.
t(time_limit, ( engine_create(X, ( repeat, nb_current(eng_stop, yes), X = done ), E), catch(call_with_time_limit(0.05, engine_next(E, _)), B, true), thread_signal(E, nb_setval(eng_stop, yes)), engine_next(E, Y) ), [B, Y], answers([[time_limit_exceeded, done]])).
t(time_limit_twice, ( engine_create(_, ( repeat, fail ), E), catch(call_with_time_limit(0.03, engine_next(E, _)), A, true), catch(call_with_time_limit(0.03, engine_next(E, _)), B, true), engine_destroy(E) ), [A, B], answers([[time_limit_exceeded, time_limit_exceeded]])).
t(time_limit_of_what_waits, ( engine_create(X, thread_get_message(X), E), catch(call_with_time_limit(0.05, engine_next(E, _)), B, true), thread_send_message(E, now), engine_next(E, Y) ), [B, Y], answers([[time_limit_exceeded, now]])).
t(time_limit_nested, ( engine_create(X, ( engine_create(Y, thread_get_message(Y), F), engine_yield(F), engine_next(F, X) ), E), engine_next(E, F1), catch(call_with_time_limit(0.05, engine_next(E, _)), B, true), thread_send_message(F1, now), engine_next(E, Z) ), [B, Z], answers([[time_limit_exceeded, now]])).
t(time_limit_inside, ( engine_create(X, catch(call_with_time_limit(0.05, ( repeat, fail )), X, true), E), engine_next(E, Y) ), [Y], answers([[time_limit_exceeded]])).
t(time_limit_inside_is_not_outside, ( engine_create(X, ( catch(call_with_time_limit(10, ( engine_yield(a), repeat, nb_current(eng_stop, yes), X = done )), X, true) ), E), engine_next(E, _), catch(call_with_time_limit(0.05, engine_next(E, _)), B, true), thread_signal(E, nb_setval(eng_stop, yes)), engine_next(E, Y) ), [B, Y], answers([[time_limit_exceeded, done]])).
t(signal_of_who_asks, ( thread_self(Me), thread_create(( engine_create(X, ( thread_send_message(Me, eng_begun), repeat, nb_current(eng_stop, yes), X = done ), E), nb_setval(eng_e, E), engine_next(E, Y), thread_exit(Y) ), T), thread_get_message(eng_begun), thread_signal(T, ( nb_getval(eng_e, E), thread_signal(E, nb_setval(eng_stop, yes)) )), thread_join(T, S) ), [S], answers([[exited(done)]])).
t(signal_of_who_asks_throws, ( thread_self(Me), thread_create(( engine_create(_, ( thread_send_message(Me, eng_begun), repeat, fail ), E), engine_next(E, _) ), T), thread_get_message(eng_begun), thread_signal(T, throw(oops)), thread_join(T, S) ), [S], answers([[exception(oops)]])).
t(signal_in_the_middle, ( thread_self(Me), engine_create(X, ( engine_create(Y, ( thread_send_message(Me, eng_begun), thread_get_message(Y) ), F), engine_yield(F), catch(engine_next(F, X), X, true) ), E), engine_next(E, F1), thread_create(( engine_next(E, Z), thread_exit(Z) ), T), thread_get_message(eng_begun), thread_signal(E, throw(middle)), thread_join(T, S), thread_send_message(F1, x), engine_next(F1, W) ), [S, W], answers([[exited(middle), x]])).
t(cleanup_is_atomic, ( engine_create(_, setup_call_cleanup(true, true, ( sleep(0.1), eng_note_it(c) )), E), catch(call_with_time_limit(0.02, engine_next(E, _)), B, true), eng_notes(L) ), [B, L], answers([[time_limit_exceeded, [c]]])).
t(destroy_is_atomic, ( engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), ( sleep(0.1), eng_note_it(c) )), E), engine_next(E, _), catch(call_with_time_limit(0.02, engine_destroy(E)), B, true), eng_notes(L), ( is_engine(E) -> I = there ; I = gone ) ), [B, L, I], answers([[time_limit_exceeded, [c], gone]])).

% Destroyed in the midst of a table, of output that is redirected, of results that are collected: all of it ends, handlers further out run.
t(destroyed_in_table, ( engine_create(_, setup_call_cleanup(true, eng_resumed(_), eng_note_it(c)), E), engine_next(E, A), engine_destroy(E), eng_notes(L), engine_create(X, eng_resumed(X), F), eng_replies(7, F, R), msort(R, S) ), [A, L, S], answers([[y, [c], [no, the(1), the(2), the(3), the(4), the(5), the(y)]]])).
t(destroyed_in_table_unlocks, ( mutex_create(M), engine_create(_, with_mutex(M, findall(X, eng_resumed(X), _)), E), engine_next(E, A), engine_destroy(E), mutex_property(M, status(S)), mutex_destroy(M) ), [A, S], answers([[y, unlocked]])).
t(destroyed_in_table_of_table, ( engine_create(_, setup_call_cleanup(true, eng_outer(_), eng_note_it(c)), E), engine_next(E, A), engine_destroy(E), eng_notes(L) ), [A, L], answers([[y, [c]]])).
t(destroyed_handlers_throw, ( engine_create(_, catch(setup_call_catcher_cleanup(true, setup_call_cleanup(true, eng_resumed(_), throw(lost)), C, eng_note_it(C)), B, eng_note_it(caught(B))), E), engine_next(E, A), engine_destroy(E), eng_notes(L) ), [A, L], answers([[y, [!]]])).
t(destroyed_in_output, ( eng_streams(N0), forall(member(G, [with_output_to(atom(_), engine_yield(y)), with_output_to(string(_), with_output_to(codes(_), engine_yield(y))), format(atom(_), "~@", [engine_yield(y)]), findall(X, ( member(X, [1, 2]), with_output_to(atom(_), engine_yield(y)) ), _)]), ( engine_create(_, G, E), engine_next(E, y), engine_destroy(E) )), eng_streams(N1), N is N1 - N0 ), [N], answers([[0]])).
t(destroyed_in_output_handler, ( engine_create(_, setup_call_cleanup(true, with_output_to(atom(_), engine_yield(y)), ( current_output(S), eng_note_it(S) )), E), engine_next(E, _), engine_destroy(E), eng_notes([T]), current_output(O), ( T == O -> R = same ; R = other ) ), [R], answers([[same]])).

% A time limit of who asks ends an operation of the engine that cannot be gone on with: the engine ends, and who asks again hears that, whatever the
% engine has to do meanwhile.
t(ended_in_long_operation, ( engine_create(_, ( catch(X is 7 ** 30000000, _, ( between(1, 20000, _), fail ; true )), X > 0 ), E), catch(call_with_time_limit(0.05, engine_next(E, _)), A, true), catch(engine_next(E, _), error(existence_error(B, _), _), true) ), [A, B], answers([[time_limit_exceeded, engine]])).
t(ended_in_long_operation_cleanup, ( engine_create(_, setup_call_cleanup(true, ( X is 7 ** 30000000, X > 0 ), ( between(1, 20000, _), fail ; eng_note_it(c) )), E), catch(call_with_time_limit(0.05, engine_next(E, _)), A, true), catch(engine_next(E, _), error(existence_error(B, _), _), true), eng_notes(L) ), [A, B, L], answers([[time_limit_exceeded, engine, [c]]])).

% Nobody can name them: they go, and what they have to run is run.
eng_soon(Goal) :- between(1, 3000, _), ( call(Goal) -> true ; sleep(0.01), fail ), !.
t(unnamed, ( statistics(engines, N0), forall(between(1, 200, _), ( engine_create(X, member(X, [1, 2]), E), engine_next(E, _) )), garbage_collect, eng_soon(( statistics(engines, N1), N1 - N0 < 100 )) ), [], answers([[]])).
t(unnamed_cleanup, ( \+ \+ ( engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), eng_note_it(gone)), E), engine_next(E, _) ), garbage_collect, eng_soon(eng_note(_)), eng_notes(L) ), [L], answers([[[gone]]])).
t(unnamed_in_output, ( eng_streams(N0), forall(between(1, 20, _), \+ \+ ( engine_create(_, with_output_to(atom(_), engine_yield(y)), E), engine_next(E, _) )), garbage_collect, ( eng_soon(( eng_streams(N1), N1 - N0 < 10 )) -> true ; eng_streams(N1) ), ( N1 - N0 < 10 -> R = few ; R = N1-N0 ) ), [R], answers([[few]])).
t(named_by_record, ( engine_create(X, member(X, [1, 2]), E), assertz(eng_note(E)), garbage_collect, eng_notes([F]), engine_next(F, Y) ), [Y], answers([[1]])).
% Who comes too late to destroy an engine does not take away a new one of its alias.
eng_alias_round :- engine_create(x, setup_call_cleanup(true, member(_, [1, 2]), ( between(1, 1000, _), fail ; true )), _, [alias(eng_10)]), engine_next(eng_10, _), findall(T, ( between(1, 2, _), thread_create(catch(engine_destroy(eng_10), _, true), T) ), Ts), eng_alias_again, forall(member(T, Ts), thread_join(T, _)), ( is_engine(eng_10) -> engine_destroy(eng_10) ; true ).
eng_alias_again :- repeat, catch(engine_create(y, member(_, [1, 2]), _, [alias(eng_10)]), error(permission_error(_, _, _), _), fail), !.
t(destroyed_twice_by_alias, ( forall(between(1, 200, _), eng_alias_round), engine_create(X, X = 1, _, [alias(eng_10)]), engine_next(eng_10, Y), engine_destroy(eng_10) ), [Y], answers([[1]])).
t(named_by_alias, ( \+ \+ engine_create(X, member(X, [1, 2]), _, [alias(eng_9)]), garbage_collect, engine_next(eng_9, Y), engine_destroy(eng_9) ), [Y], answers([[1]])).

% Destroyed in the midst of loading a file, an engine leaves it as not loaded, as an exception does.
eng_file(F) :- tmp_file_stream(F, S, [extension(pl)]), format(S, "eng_in(1).~n:- catch(engine_yield(half), _, true).~neng_in(2).~n", []), close(S).
eng_all_in(L) :- findall(X, catch(call(user:eng_in, X), _, fail), L).
t(destroyed_in_load, ( eng_file(F), engine_create(x, load_files(user:F, [if(not_loaded)]), E), engine_next(E, A), engine_destroy(E), load_files(user:F, [if(not_loaded)]), eng_all_in(L),
                       unload_file(F), delete_file(F) ), [A, L], answers([[half, [1, 2]]])).
t(collected_in_load, ( eng_file(F), \+ \+ ( engine_create(x, ensure_loaded(user:F), E), engine_next(E, _) ), garbage_collect, ensure_loaded(user:F), eng_all_in(L), unload_file(F), delete_file(F) ), [L],
  answers([[[1, 2]]])).

% A signal that comes while engines that nobody can name are destroyed is thrown, and all of them are destroyed. (Those of the tests before may be
% counted at the beginning, and be gone at the end.)
:- dynamic eng_gone/1.
eng_leaves(0) :- !.
eng_leaves(N) :- engine_create(x, setup_call_cleanup(true, member(_, [1, 2]), assertz(eng_gone(N))), E), engine_next(E, _), M is N-1, eng_leaves(M), E \== a.
eng_turns(0) :- !.
eng_turns(N) :- M is N-1, eng_turns(M).
eng_round(N) :-
    retractall(eng_gone(_)), thread_create(eng_leaves(3), T), thread_join(T, _),
    catch(( '$signal_at_safe_point'(N, throw(stop)), engine_create(x, true, E), engine_destroy(E), eng_turns(100) ), X, true), X == stop,
    garbage_collect, eng_soon(( garbage_collect, aggregate_all(count, eng_gone(_), 3) )).
t(unnamed_and_a_signal, ( catch(member(_, [1]), _, true), aggregate_all(count, true, _), statistics(engines, N0), forall(between(1, 40, N), eng_round(N)), eng_soon(( statistics(engines, N1), N1 =< N0 )) ), [], answers([[]])).

% Their handlers may wait for what whoever finds them holds.
t(unnamed_waits_for_a_mutex, ( mutex_create(M), \+ \+ ( engine_create(x, setup_call_cleanup(true, member(_, [1, 2]), with_mutex(M, eng_note_it(locked))), E), engine_next(E, _) ),
                               with_mutex(M, ( garbage_collect, garbage_collect )), eng_soon(eng_note(_)), eng_notes(L), mutex_destroy(M) ), [L], answers([[[locked]]])).
t(unnamed_waits_for_room, ( message_queue_create(Q, [max_size(1)]), thread_send_message(Q, first), \+ \+ ( engine_create(x, setup_call_cleanup(true, member(_, [1, 2]), thread_send_message(Q, second)), E), engine_next(E, _) ),
                            garbage_collect, garbage_collect, thread_get_message(Q, A), thread_get_message(Q, B), message_queue_destroy(Q) ), [A, B], answers([[first, second]])).

% Who destroys them may be stopped, and is none of the program's threads: later ones are destroyed all the same.
:- dynamic eng_starts_badly/0.
eng_begins :- eng_starts_badly -> throw(no) ; true.
t(unnamed_and_bad_beginnings, ( retractall(eng_gone(_)), thread_initialization(eng_begins), \+ \+ eng_leaves(3), assertz(eng_starts_badly), garbage_collect,
                                ( eng_soon(( garbage_collect, aggregate_all(count, eng_gone(_), 3) )) -> R = all ; aggregate_all(count, eng_gone(_), R) ), retractall(eng_starts_badly) ), [R], answers([[all]])).
t(unnamed_and_aborts, ( retractall(eng_gone(_)), thread_self(Me),
                        forall(between(1, 100, N), ( eng_leaves_one(N), garbage_collect, forall(( thread_property(T, detached(true)), T \== Me, T \== main ), catch(thread_signal(T, abort), _, true)) )),
                        ( eng_soon(( garbage_collect, aggregate_all(count, eng_gone(_), 100) )) -> R = all ; aggregate_all(count, eng_gone(_), R) ) ), [R], answers([[all]])).
eng_leaves_one(N) :- engine_create(x, setup_call_cleanup(true, member(_, [1, 2]), assertz(eng_gone(N))), E), engine_next(E, _), E \== a.

% Named by clauses that are erased, they go with these.
t(named_by_erased_clauses, ( statistics(engines, N0), forall(between(1, 50, _), ( engine_create(X, member(X, [1, 2]), E), engine_next(E, _), assertz(eng_note(E)) )), eng_notes(L), length(L, Len), statistics(engines, N1),
                             ( Len == 50, N1 >= N0+50 -> true ; throw(few(Len, N0, N1)) ) ), [], answers([[]])).
t(named_by_erased_clauses_no_more, ( garbage_collect, garbage_collect_clauses, eng_soon(( garbage_collect, garbage_collect_clauses, statistics(engines, N), N < 20 )) ), [], answers([[]])).

% Whoever ends was the last to name an engine that others wait for, directly or through another engine: it is ended, whatever the main thread does.
eng_holds(M) :- engine_create(x, with_mutex(M, ( engine_yield(z), true )), E), engine_next(E, _), E \== a.
eng_holds_behind(M) :- engine_create(x, with_mutex(M, ( engine_yield(z), true )), E), engine_next(E, _), engine_create(E, member(_, [1, 2]), F), engine_next(F, _), F \== a.
eng_waits(Goal, R) :- mutex_create(M), thread_create(call(Goal, M), T), sig_atomic(( thread_join(T, _), thread_create(with_mutex(M, true), W), thread_join(W, R) )), mutex_destroy(M).
t(last_named_by_a_thread, eng_waits(eng_holds, R), [R], answers([[true]])).
t(last_named_by_an_engine, eng_waits(eng_holds_behind, R), [R], answers([[true]])).
