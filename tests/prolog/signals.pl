% Signals between threads that are looked at, removed and blocked; and handlers of the system's signals. As in SWI-Prolog, but for what is said so.

:- dynamic(sgn_note/1).

sgn_note_it(X) :- assertz(sgn_note(X)).
sgn_notes(L) :- findall(X, retract(sgn_note(X)), L).

sgn_me(Goal) :- thread_self(Me), thread_signal(Me, Goal).

sgn_caught(Name) :- assertz(sgn_note(caught(Name))).

% Sends a signal of the system to this process and waits until its handler has run.
sgn_kill(Name) :-
    current_prolog_flag(pid, Pid),
    format(atom(Command), 'kill -~w ~w', [Name, Pid]),
    shell(Command).

sgn_until(Goal, N) :-
    (   call(Goal) -> true
    ;   N > 0, sleep(0.01), M is N - 1, sgn_until(Goal, M)
    ).

t(pending_none, sig_pending(L), [L], answers([[[]]])).
t(pending, ( sig_atomic(( sgn_me(foo(1)), sgn_me(user:bar), sig_pending(L), sig_remove(_, _) )) ), [L], answers([[[foo(1), bar]]])).
t(pending_in_order, ( sig_atomic(( forall(between(1, 5, I), sgn_me(a(I))), sig_pending(L), sig_remove(_, _) )) ), [L], answers([[[a(1), a(2), a(3), a(4), a(5)]]])).
t(remove, ( sig_atomic(( sgn_me(a(1)), sgn_me(b), sgn_me(a(2)), sig_remove(a(_), L), sig_pending(M), sig_remove(_, N) )) ), [L, M, N], answers([[[a(1), a(2)], [b], [b]]])).
t(remove_variables, ( sig_atomic(( sgn_me(a(X, X)), sig_remove(a(1, 2), L), sig_remove(a(1, _), M) )) ), [L, M, X], answers([[[], [a(Y, Y)], _]])).
t(remove_none, sig_remove(_, L), [L], answers([[[]]])).
t(removed_does_not_run, ( sig_atomic(( sgn_me(sgn_note_it(1)), sgn_me(sgn_note_it(2)), sig_remove(sgn_note_it(1), _) )), true, sgn_notes(L) ), [L], answers([[[2]]])).
t(atomic_waits, ( sig_atomic(( sgn_me(sgn_note_it(s)), sgn_note_it(a) )), true, sgn_notes(L) ), [L], answers([[[a, s]]])).
t(block, ( sig_block(sgn_note_it(b(_))), sgn_me(sgn_note_it(b(1))), sgn_me(sgn_note_it(c)), true, sgn_notes(L), sig_pending(P), sig_unblock(sgn_note_it(_)), true, sgn_notes(M) ), [L, P, M],
  answers([[[c], [sgn_note_it(b(1))], [b(1)]]])).
t(block_all, ( sig_block(_), sgn_me(sgn_note_it(1)), sgn_me(sgn_note_it(2)), true, sgn_notes(L), sig_unblock(_), true, sgn_notes(M) ), [L, M], answers([[[], [1, 2]]])).
t(unblock_less, ( sig_block(sgn_note_it(_)), sig_unblock(sgn_note_it(1)), sgn_me(sgn_note_it(1)), true, sgn_notes(L), sig_unblock(_), true, sgn_notes(M) ), [L, M], answers([[[], [1]]])).
t(unblock_none, sig_unblock(foo), [], answers([[]])).
t(block_in_module, ( sig_block(sgn_m:foo(_)), sgn_me(sgn_m:foo(1)), sgn_me(foo(1)), catch(true, _, true), sig_pending(L), sig_remove(_, _), sig_unblock(_) ), [L], throws(existence_error(procedure, foo/1))).
t(block_tidy, ( sig_remove(_, L), sig_unblock(_) ), [L], answers([[[sgn_m:foo(1)]]])).
t(blocked_does_not_end_wait, ( sig_block(sgn_note_it(_)), thread_self(Me), sgn_me(sgn_note_it(x)), \+ thread_get_message(Me, sgn_never, [timeout(0.02)]), sgn_notes(L), sig_unblock(_), true, sgn_notes(M) ), [L, M], answers([[[], [x]]])).
% Differs from SWI-Prolog, where they are no signals between threads: time limits and alarms are not blocked, seen or removed.
t(block_no_time_limit, ( sig_block(_), catch(call_with_time_limit(0.05, (repeat, fail)), E, true), sig_unblock(_) ), [E], answers([[time_limit_exceeded]])).
t(remove_no_time_limit, ( catch(call_with_time_limit(0.02, ( sig_atomic(( sleep(0.05), sig_pending(P), sig_remove(_, R), nb_setval(sgn_seen, P-R) )), repeat, fail )), E, true), nb_getval(sgn_seen, L) ), [L, E], answers([[[]-[], time_limit_exceeded]])).
t(time_limit_of_what_is_long, ( catch(call_with_time_limit(0.05, ( X is 7**100000000, X > 0 )), E, true) ), [E], answers([[time_limit_exceeded]])).
t(block_is_own, ( sig_block(_), thread_create(( thread_self(Me), thread_signal(Me, thread_exit(ran)), repeat, fail ), T), thread_join(T, S), sig_unblock(_) ), [S], answers([[exited(ran)]])).
t(blocked_from_outside, ( thread_self(Me), thread_create(( sig_block(sgn_note_it(_)), thread_send_message(Me, ready), thread_get_message(go), sgn_notes(L), thread_send_message(Me, seen(L)), thread_get_message(on), sig_unblock(_) ), T),
    thread_get_message(ready), thread_signal(T, sgn_note_it(out)), thread_send_message(T, go), thread_get_message(seen(Before)), thread_send_message(T, on), thread_join(T, S), sgn_notes(After) ), [Before, After, S], answers([[[], [out], true]])).

% What thread_signal/2 sends that is a number is a signal of the system.
t(number_none, sgn_me(32), [], throws(domain_error(signal, 32))).
t(number_zero, sgn_me(0), [], throws(domain_error(signal, 0))).
t(number_handled, ( on_signal(usr2, O, sgn_caught), sgn_me(12), true, sgn_notes(L), on_signal(usr2, P, O) ), [O, L, P], answers([[default, [caught(usr2)], sgn_caught]])).

t(handler, ( on_signal(usr1, O, sgn_caught), sgn_kill('USR1'), sgn_until(sgn_note(_), 500), sgn_notes(L), on_signal(usr1, P, default) ), [O, L, P], native(answers([[default, [caught(usr1)], sgn_caught]]))).
t(handler_throws, ( on_signal(10, _, throw), catch(( sgn_kill('USR1'), sleep(5) ), error(E, _), true), on_signal(sigusr1, P, default) ), [E, P], native(answers([[signal(usr1, 10), throw]]))).
t(handler_ignores, ( on_signal(usr1, _, ignore), sgn_kill('USR1'), on_signal(usr1, P, default) ), [P], native(answers([[ignore]]))).
t(handler_in_module, ( on_signal(usr1, _, sgn_m:h), assertz((sgn_m:h(S) :- assertz(user:sgn_note(m(S))))), sgn_kill('USR1'), sgn_until(sgn_note(_), 500), sgn_notes(L), on_signal(usr1, P, default) ), [L, P], native(answers([[[m(usr1)], sgn_m:h]]))).
t(handler_asked, ( on_signal(usr1, O, O) ), [O], answers([[default]])).
t(handler_asked_int, on_signal(int, O, O), [O], answers([[default]])).
t(signal_unbound, on_signal(_, O, O), [O], throws(instantiation_error)).
t(signal_unknown, on_signal(foo, _, default), [], throws(domain_error(signal, foo))).
t(signal_number, on_signal(100, _, default), [], throws(type_error(signal, 100))).
t(handler_integer, on_signal(usr1, _, 1), [], throws(type_error(signal_handler, 1))).
t(handler_compound, on_signal(usr1, _, throw(foo)), [], throws(type_error(signal_handler, throw(foo)))).
t(handler_unbound, on_signal(usr1, _, _), [], throws(instantiation_error)).
% A handler's steps come between those of what it interrupts; nothing is lost, and nothing of the system's is locked meanwhile.
t(flags_in_handlers, ( flag(sgn_f, _, 0), thread_self(Me), thread_create(sgn_count(2000, Me), T), thread_get_message(begun), forall(between(1, 200, _), thread_signal(T, flag(sgn_f, N, N+1))), thread_send_message(T, go), thread_join(T, S), flag(sgn_f, V, V) ), [S, V], answers([[true, 2200]])).
sgn_count(0, _) :- !, thread_get_message(go), sig_atomic(true).
sgn_count(N, To) :- ( N =:= 1990 -> thread_send_message(To, begun) ; true ), flag(sgn_f, V, V+1), M is N-1, sgn_count(M, To).

% The system lets nobody handle it.
t(handler_kill, on_signal(kill, _, sgn_caught), [], throws(permission_error(handle, signal, kill))).
t(alert, ( prolog_alert_signal(A, usr1), prolog_alert_signal(B, 0), prolog_alert_signal(C, A), prolog_alert_signal(D, D), ( A == D -> true ) ), [B, C], answers([[usr1, 0]])).
t(alert_unknown, prolog_alert_signal(_, foo), [], throws(domain_error(signal, foo))).
t(alert_number, prolog_alert_signal(_, 100), [], throws(domain_error(signal, 100))).
t(alert_compound, prolog_alert_signal(_, a(1)), [], throws(type_error(signal, a(1)))).

% What comes together with a time limit is not lost.
t(beside_a_time_limit, ( member(G, [throw(stop), assertz(sg_beside), sg_abort]), sg_beside_limit(G, R), write(R), write(' '), fail ; sg_beside, retractall(sg_beside), write(noted) ), [],
    output("stop over stop noted")).
:- dynamic sg_beside/0.
sg_abort :- throw(stop).
sg_beside_limit(G, R) :-
    thread_self(Me),
    catch(( catch(call_with_time_limit(0.1, ( sig_atomic(( thread_signal(Me, G), sleep(0.2) )), sg_steps(100) )), time_limit_exceeded, true), sg_steps(1000), R = over ), R, true).
sg_steps(0) :- !.
sg_steps(N) :- N1 is N-1, sg_steps(N1).

% A time limit that was there before waits for the end of a signal's goal; one that the goal sets itself does not.
sgn_spin(0) :- !.
sgn_spin(N) :- N1 is N-1, sgn_spin(N1).
t(limit_waits_for_goal, ( catch(call_with_time_limit(0.05, ( thread_self(Me), thread_signal(Me, ( write(begin), sleep(0.1), sgn_spin(1000), write(end) )), repeat, fail )), E, ( write(' '), print(E) )) ), [],
    output("beginend time_limit_exceeded")).
t(limit_of_goal, ( catch(call_with_time_limit(5, ( sgn_me(catch(call_with_time_limit(0.02, ( repeat, fail )), E, print(E))), write(' out') )), E2, print(E2)) ), [], output("time_limit_exceeded out")).

%   What is sent arrives, though time limits end a long operation again and again: throw(killed), and the limit around those limits.
t(kill_beside_time_limits, sgn_beside_limits(Seen), [Seen], answers([[[exception(killed)]]])).
t(limit_around_time_limits, sgn_around_limits(Seen), [Seen], answers([[[exited(outer)]]])).

sgn_beside_limits(Seen) :-
    findall(Id, ( between(1, 40, _), thread_create(sgn_limited(3000), Id) ), Ids),
    forall(member(Id, Ids), ( sleep(0.003), thread_signal(Id, throw(killed)) )),
    setof(S, Id^( member(Id, Ids), thread_join(Id, S) ), Seen).

sgn_around_limits(Seen) :-
    Goal = catch(call_with_time_limit(0.01, sgn_limited(3000), outer), time_limit_exceeded(outer), thread_exit(outer)),
    findall(Id, ( between(1, 60, _), thread_create(Goal, Id) ), Ids),
    setof(S, Id^( member(Id, Ids), thread_join(Id, S) ), Seen).

sgn_limited(0) :- thread_exit(lost).
sgn_limited(N) :-
    catch(call_with_time_limit(0.001, ( X is 3**300000, Y is X*X, Y > 0 )), time_limit_exceeded, true),
    M is N-1,
    sgn_limited(M).

%   An exception that was sent is on its way, past many catches, when a limit that is left on that way is over.
t(kill_on_its_way_beside_limits, sgn_on_its_way(Seen), [Seen], answers([[[exception(killed)]]])).

sgn_on_its_way(Seen) :-
    findall(S, ( between(1, 12, K), thread_create(sgn_deep_limited(40), Id), Wait is 0.01+K*0.003, sleep(Wait), thread_signal(Id, throw(killed)), thread_join(Id, S) ), All),
    sort(All, Seen).

sgn_deep_limited(0) :- thread_exit(lost).
sgn_deep_limited(N) :-
    catch(call_with_time_limit(0.01, sgn_deep(5000)), time_limit_exceeded, true),
    M is N-1,
    sgn_deep_limited(M).

sgn_deep(0) :- repeat, fail.
sgn_deep(N) :- M is N-1, catch(sgn_deep(M), nothing, true), true.

%   The way of an exception is as long as its handlers take.
t(limit_waits_for_the_way_of_a_ball, sgn_long_way(S), [S], answers([[exception(killed)]])).
sgn_long_way(S) :-
    Way = setup_call_cleanup(true, setup_call_cleanup(true, ( repeat, fail ), sgn_nap(0.4)), sgn_nap(1.2)),
    thread_create(catch(call_with_time_limit(0.2, Way), time_limit_exceeded, true), Id),
    sleep(0.1),
    thread_signal(Id, throw(killed)),
    thread_join(Id, S).
sgn_nap(Time) :- get_time(A), B is A+Time, repeat, get_time(C), C >= B, !.
