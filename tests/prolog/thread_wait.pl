% Waiting for the database: thread_wait/2 and thread_update/2. As in SWI-Prolog; what differs is said.

:- dynamic(twt_d/1).
:- dynamic(twt_e/1).
:- dynamic(twt_seen/1).
:- thread_local(twt_local/1).

twt_reset :- retractall(twt_d(_)), retractall(twt_e(_)), retractall(twt_seen(_)).

% Goal in another thread, as soon as this one has looked in vain.
twt_after(Goal, Wait) :-
    twt_reset,
    thread_self(Me),
    thread_create(( thread_get_message(looked), call(Goal) ), T),
    nb_setval(twt_told, false),
    call(Wait, T, Me),
    thread_join(T).

twt_look(T) :- ( nb_getval(twt_told, false) -> nb_setval(twt_told, true), thread_send_message(T, looked) ; true ).

% The time is that to be sure: it wakes by what has happened, and not by it.
twt_wait(Goal, Options, T, _) :- thread_wait(( Goal -> true ; twt_look(T), fail ), [retry_every(1000), timeout(500)|Options]).

t(true_at_once, thread_wait(X = 1, []), [X], answers([[1]])).
t(once, thread_wait(member(X, [1, 2]), []), [X], answers([[1]])).
t(times_out, thread_wait(fail, [timeout(0.02)]), [], fails).
t(late_already, thread_wait(fail, [timeout(-1)]), [], fails).
t(deadline, ( get_time(T), D is T + 0.02, thread_wait(fail, [deadline(D)]) ), [], fails).
t(retries, ( twt_reset, thread_wait(( assertz(twt_seen(x)), aggregate_all(count, twt_seen(_), N), N >= 3 ), [db(false), retry_every(0.005)]) ), [N], answers([[3]])).
t(exception, thread_wait(throw(z), []), [], throws_ball(z)).
t(wakes_by_assert, twt_after(assertz(twt_d(1)), twt_wait(twt_d(X), [wait_preds([twt_d/1])])), [X], answers([[1]])).
t(wakes_by_asserta, twt_after(asserta(twt_d(1)), twt_wait(twt_d(X), [wait_preds([+(twt_d/1)])])), [X], answers([[1]])).
t(wakes_by_retract, twt_after(retract(twt_d(1)), twt_wait(( twt_seen(_) -> \+ twt_d(_) ; assertz(twt_d(1)), assertz(twt_seen(x)), fail ), [wait_preds([-(twt_d/1)])])), [], answers([[]])).
t(wakes_by_retractall, twt_after(retractall(twt_d(_)), twt_wait(( twt_seen(_) -> \+ twt_d(_) ; assertz(twt_d(1)), assertz(twt_d(2)), assertz(twt_seen(x)), fail ), [wait_preds([-(twt_d/1)])])), [], answers([[]])).
t(wakes_by_abolish, twt_after(abolish(twt_e/1), twt_wait(( twt_seen(_) -> \+ catch(twt_e(_), _, fail) ; assertz(twt_e(1)), assertz(twt_seen(x)), fail ), [wait_preds([-(twt_e/1)])])), [], answers([[]])).
t(dynamic_again, dynamic(twt_e/1), [], answers([[]])).
t(wakes_by_erase, twt_after(( clause(twt_d(_), true, R), erase(R) ), twt_wait(( twt_seen(_) -> \+ twt_d(_) ; assertz(twt_d(1)), assertz(twt_seen(x)), fail ), [wait_preds([-(twt_d/1)])])), [], answers([[]])).
t(wakes_by_any, twt_after(assertz(twt_d(1)), twt_wait(twt_d(X), [])), [X], answers([[1]])).
t(told, twt_after(( run_self(Me), thread_update(thread_send_message(Me, twt_told), []) ), twt_wait(thread_peek_message(twt_told), [db(false)])), [], answers([[]])).
t(told_tidy, thread_get_message(twt_told), [], answers([[]])).
t(modified, twt_after(( assertz(twt_d(1)), assertz(twt_d(2)) ), twt_wait(M = [_|_], [wait_preds([twt_d/1, twt_e/1]), modified(M)])), [M], answers([[[twt_d/1]]])).
t(modified_at_first, thread_wait(M == [], [wait_preds([twt_d/1]), modified(M)]), [M], answers([[[]]])).
t(only_what_is_watched, ( twt_reset, thread_self(Me), thread_create(( thread_get_message(looked), assertz(twt_e(1)), assertz(twt_d(1)) ), T), nb_setval(twt_told, false),
    thread_wait(( M = [_|_] -> true ; twt_look(T), fail ), [wait_preds([twt_d/1]), modified(M), retry_every(1000)]), thread_join(T), nonvar(Me) ), [M], answers([[[twt_d/1]]])).
t(many_wait, ( twt_reset, findall(T, ( between(1, 20, _), thread_create(thread_wait(twt_d(_), [wait_preds([twt_d/1]), retry_every(1000)]), T) ), Ts), assertz(twt_d(1)), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L) ), [L], answers([[[true]]])).
% One hands over to the next: nothing but the change wakes it.
twt_chain(I, N) :- thread_wait(twt_d(I), [wait_preds([twt_d/1]), retry_every(1000)]), ( I < N -> J is I + 1, assertz(twt_d(J)) ; true ).
t(chain, ( twt_reset, N = 200, findall(T, ( between(1, N, I), thread_create(twt_chain(I, N), T) ), Ts), assertz(twt_d(1)), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L) ), [L], answers([[[true]]])).
t(signal_is_handled, ( twt_reset, thread_self(Me), thread_create(( thread_send_message(Me, in), thread_wait(fail, [retry_every(1000)]) ), T), thread_get_message(in), thread_signal(T, throw(out)), thread_join(T, S) ), [S], answers([[exception(out)]])).
t(signal_and_on, ( twt_reset, thread_self(Me), thread_create(( thread_send_message(Me, in), thread_wait(twt_d(_), [wait_preds([twt_d/1]), retry_every(1000)]) ), T), thread_get_message(in), thread_signal(T, thread_send_message(Me, handled)), thread_get_message(handled), assertz(twt_d(1)), thread_join(T, S) ), [S], answers([[true]])).
% SWI-Prolog 9.0.4 waits for ever.
t(time_limit, catch(call_with_time_limit(0.05, thread_wait(fail, [retry_every(1000)])), E, true), [E], answers([[time_limit_exceeded]])).
t(signals_wait, ( thread_self(Me), thread_signal(Me, true), thread_wait(fail, [signals(false), timeout(0.02)]) ), [], fails).
t(within, thread_wait(thread_wait(true, []), []), [], throws(permission_error(thread, wait, _))).
t(afterwards, ( thread_wait(true, []), thread_wait(true, []), catch(thread_wait(throw(x), []), x, true), thread_wait(true, []) ), [], answers([[]])).
t(in_cleanup, ( twt_reset, catch(call_with_time_limit(0.02, setup_call_cleanup(true, thread_wait(fail, [retry_every(1000)]), assertz(twt_seen(done)))), _, true), twt_seen(X) ), [X], answers([[done]])).

t(goal_unbound, thread_wait(_, []), [], throws(instantiation_error)).
t(goal_integer, thread_wait(1, []), [], throws(type_error(callable, 1))).
t(options_atom, thread_wait(true, foo), [], throws(type_error(list, foo))).
t(timeout_atom, thread_wait(fail, [timeout(a)]), [], throws(type_error(float, a))).
t(deadline_atom, thread_wait(fail, [deadline(a)]), [], throws(type_error(float, a))).
t(retry_atom, thread_wait(fail, [timeout(0.1), retry_every(x)]), [], throws(type_error(float, x))).
t(modified_bound, thread_wait(fail, [wait_preds([twt_d/1]), modified(x)]), [], throws(uninstantiation_error(x))).
t(preds_atom, thread_wait(fail, [wait_preds(foo)]), [], throws(type_error(list, foo))).
t(preds_no_indicator, thread_wait(fail, [wait_preds([foo])]), [], throws(type_error(predicate_indicator, foo))).
t(preds_local, thread_wait(fail, [wait_preds([twt_local/1])]), [], throws(permission_error(thread_wait, thread_local, twt_local/1))).
t(preds_builtin, thread_wait(fail, [wait_preds([atom_length/2])]), [], throws(permission_error(thread_wait, external_procedure, atom_length/2))).
t(update, thread_update(X = 1, []), [X], answers([[1]])).
t(update_fails, thread_update(fail, []), [], fails).
t(update_throws, thread_update(throw(x), []), [], throws_ball(x)).
t(update_unbound, thread_update(_, []), [], throws(instantiation_error)).
t(update_options, thread_update(true, foo), [], throws(type_error(list, foo))).
t(update_notify, thread_update(true, [notify(foo)]), [], throws(domain_error(notify_option, foo))).
t(update_notify_signal, thread_update(true, [notify(signal)]), [], answers([[]])).
