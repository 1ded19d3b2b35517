% Waiting for a message with a time limit, time limits and alarms.
% As in SWI-Prolog.  Apart from threads.pl because SWI-Prolog 9.0.4 may wait for
% ever here once its thread for garbage collection has run: give this file a
% process of its own.

tmo_with_queue(Queue, Goal) :-
    message_queue_create(Queue),
    call_cleanup(once(Goal), message_queue_destroy(Queue)).

t(empty, tmo_with_queue(Q, thread_get_message(Q, _, [timeout(0.01)])), [], fails).
t(zero, tmo_with_queue(Q, thread_get_message(Q, _, [timeout(0)])), [], fails).
t(integer, tmo_with_queue(Q, ( thread_send_message(Q, a), thread_get_message(Q, X, [timeout(1)]) )), [X],
  answers([[a]])).
t(no_match, tmo_with_queue(Q, ( thread_send_message(Q, a), thread_get_message(Q, b, [timeout(0.01)]) )), [], fails).
t(no_match_keeps, tmo_with_queue(Q, ( thread_send_message(Q, a), \+ thread_get_message(Q, b, [timeout(0.01)]), thread_get_message(Q, X) )), [X],
  answers([[a]])).
t(negative, tmo_with_queue(Q, thread_get_message(Q, _, [timeout(-1)])), [], fails).
t(own_queue, ( thread_self(Me), thread_get_message(Me, tmo_never, [timeout(0.01)]) ), [], fails).
t(sent_meanwhile, tmo_with_queue(Q, ( thread_create(( sleep(0.02), thread_send_message(Q, late) ), Id), thread_get_message(Q, X, [timeout(1.5)]), thread_join(Id, S) )), [X, S],
  answers([[late, true]])).
t(limit_message, ( catch(call_with_time_limit(0.01, (repeat, fail)), E, true), tmo_message(E, L) ), [E, L],
  answers([[time_limit_exceeded, ['Time limit exceeded']]])).

tmo_message(E, L) :- '$messages':translate_message(E, L, []).

% Alarms. Who waits for one waits for its message.

tmo_rings(Message) :- thread_self(Me), thread_send_message(Me, Message).

tmo_wait(Message) :- thread_self(Me), thread_get_message(Me, Message).

tmo_states(States) :- findall(G-S, current_alarm(_, G, _, S), States), forall(current_alarm(_, _, A, _), remove_alarm(A)).

t(limit_no_number, ( N is nan, call_with_time_limit(N, true) ), [], throws_ball(time_limit_exceeded)).
t(alarm_rings, ( alarm(0.01, tmo_rings(a), A), tmo_wait(a), tmo_states(L), nonvar(A) ), [L], answers([[[tmo_rings(a)-done]]])).
t(alarm_at_rings, ( get_time(Now), alarm_at(Now, tmo_rings(a), A), tmo_wait(a), tmo_states(L), nonvar(A) ), [L], answers([[[tmo_rings(a)-done]]])).
t(alarm_removed_then, ( alarm(0.01, tmo_rings(a), A, [remove(true)]), tmo_wait(a), tmo_states(L), remove_alarm(A) ), [L], answers([[[]]])).
t(alarm_order, ( alarm(50, a, _), alarm(60, b, _), alarm(40, c, _), tmo_states(L) ), [L], answers([[[c-scheduled, a-scheduled, b-scheduled]]])).
t(alarm_not_installed, ( alarm(0, tmo_rings(a), A, [install(false)]), alarm(0.01, tmo_rings(b), _), tmo_wait(X), findall(G, current_alarm(_, G, _, _), Gs), install_alarm(A), tmo_wait(Y), tmo_states(L) ), [X, Gs, Y, L],
  answers([[b, [tmo_rings(b)], a, [tmo_rings(a)-done, tmo_rings(b)-done]]])).
t(alarm_installed_later, ( alarm(50, tmo_rings(a), A, [install(false)]), install_alarm(A, 0.01), tmo_wait(a), uninstall_alarm(A), install_alarm(A, 0.01), tmo_wait(a), tmo_states(L) ), [L],
  answers([[[tmo_rings(a)-done]]])).
t(alarm_uninstalled, ( alarm(0.01, tmo_rings(a), A), alarm(0.02, tmo_rings(b), _), uninstall_alarm(A), tmo_wait(X), tmo_states(L), remove_alarm(A) ), [X, L], answers([[b, [tmo_rings(b)-done]]])).
t(alarm_installed_twice, ( alarm(50, true, A), call_cleanup(catch(install_alarm(A), error(E, _), true), remove_alarm(A)), E = permission_error(install, alarm, B), A == B ), [], answers([[]])).
t(alarm_of_module, ( alarm(50, tmo_m:a, _), findall(G, current_alarm(_, G, _, _), L), findall(G, current_alarm(_, tmo_m:G, _, _), M), forall(current_alarm(_, tmo_m:_, A, _), remove_alarm(A)) ), [L, M], answers([[[], [a]]])).
t(alarms_are_own, ( thread_self(Me), alarm(50, a, _), thread_create(( alarm(50, b, B), thread_send_message(Me, B), findall(G, current_alarm(_, G, _, _), L), thread_send_message(Me, L) ), T),
    tmo_wait(B0), tmo_wait(Theirs), thread_join(T), remove_alarm(B0), tmo_states(L0) ), [Theirs, L0], answers([[[b], [a-scheduled]]])).
t(alarm_removed_elsewhere, ( alarm(0, tmo_rings(a), A, [install(false)]), thread_create(remove_alarm(A), T), thread_join(T), tmo_states(L0), alarm(50, b, B), thread_create(remove_alarm(B), U), thread_join(U), tmo_states(L) ), [L0, L],
  answers([[[], []]])).
t(alarm_never, ( X is inf, alarm(X, true, _), tmo_states(L) ), [L], answers([[[true-scheduled]]])).
t(alarm_no_number, ( X is nan, catch(alarm(X, true, _), error(type_error(T, _), _), true) ), [T], answers([[number]])).
t(alarm_atom, alarm(inf, true, _), [], throws(type_error(number, inf))).
t(alarm_unbound, alarm(_, true, _), [], throws(instantiation_error)).
t(alarm_bound, alarm(1, true, x), [], throws(type_error(unbound, x))).
t(alarm_options, alarm(1, true, _, foo), [], throws(type_error(list, foo))).
t(alarm_remove, alarm(1, true, _, [remove(x)]), [], throws(type_error(bool, x))).
t(alarm_install, alarm(1, true, _, [install(x)]), [], throws(type_error(bool, x))).
t(remove_alarm_unbound, remove_alarm(_), [], throws(instantiation_error)).
t(remove_alarm_none, remove_alarm(foo), [], throws(type_error(alarm, foo))).
t(install_alarm_none, install_alarm(foo), [], throws(type_error(alarm, foo))).
t(install_alarm_removed, ( alarm(50, true, A), remove_alarm(A), catch(install_alarm(A), error(E, _), true), E = existence_error(alarm, B), A == B ), [], answers([[]])).
t(uninstall_alarm_unbound, uninstall_alarm(_), [], throws(instantiation_error)).
t(current_alarm_none, current_alarm(_, _, foo, _), [], throws(type_error(alarm, foo))).

% What is read from what never blocks is long, and may have no end.
t(endless_input, ( member(G, [skip(S, 0'a), read_string(S, _, _), read_term(S, _, []), ( open_null_stream(O), copy_stream_data(S, O) )]), tmo_endless(S, G, E) ), [E],
    answers([[time_limit_exceeded], [time_limit_exceeded], [time_limit_exceeded], [time_limit_exceeded]])).
tmo_endless(S, G, E) :-
    setup_call_cleanup(open('/dev/zero', read, S, [encoding(octet)]), catch(call_with_time_limit(0.05, G), E, true), close(S)).
