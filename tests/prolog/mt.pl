% library(mt): SICStus MT's threads (Eskilson, Carlsson, section 6).

:- use_module(library(mt)).

mt_echo(To) :- receive(T), send(To, echo(T)), mt_echo(To).

mt_joinable(Goal, T) :- self(Self), spawn(mt_wrapped(Goal, Self), T).
mt_wrapped(Goal, Parent) :-
    self(Self),
    (   catch(Goal, E, ( send(Parent, ( Self -> exception(E) )), throw(mt_seen) ))
    ->  send(Parent, ( Self -> success(Goal) ))
    ;   send(Parent, ( Self -> fail ))
    ).
mt_join(T, Result) :- receive(( T -> Result )).

mt_until(Goal) :- between(1, 2000, _), ( once(Goal) -> true ; sleep(0.005), fail ), !.
mt_gone(T) :- mt_until(\+ is_thread(T)).
mt_dead(T) :- \+ catch(thread_property(T, status(running)), _, fail).

t(spawn_0, ( self(Me), spawn(send(Me, ran)), receive(ran) ), [], answers([[]])).
t(spawn_kind, ( spawn(receive(_), T), thread_property(T, kind(K)), thread_property(T, detached(D)), send(T, x) ), [K, D], answers([[light, true]])).
t(spawn_not_callable, spawn(1, _), [], throws(type_error(callable, 1))).
t(spawn_priority, ( spawn(receive(_), T, [priority(4)]), priority(T, P), priority(T, -2), priority(T, Q), send(T, x) ), [P, Q], answers([[4, -2]])).
t(priority_type, ( spawn(receive(_), T), catch(priority(T, a), error(E, _), true), send(T, x) ), [E], answers([[type_error(integer, a)]])).
t(echo, ( self(Me), spawn(mt_echo(Me), T), send(T, 1), send(T, f(_)), receive(echo(1)), receive(echo(X)), kill(T) ), [X], answers([[f(_)]])).
t(renamed, ( self(Me), send(Me, f(X, X, _)), receive(Y), Y = f(A, B, C), A == B, A \== C, A \== X ), [], answers([[]])).
t(order, ( self(Me), send(Me, a(1)), send(Me, b(1)), send(Me, a(2)), send(Me, b(2)), receive(b(W)), receive(b(X)), receive(a(Y)), receive(a(Z)) ), [W, X, Y, Z], answers([[1, 2, 1, 2]])).
t(receive_nothing, ( get_time(T0), \+ receive(mt_never, 20), get_time(T1), T1-T0 >= 0.02 ), [], answers([[]])).
t(receive_in_time, ( self(Me), spawn(( wait(5), send(Me, mt_now) )), receive(mt_now, 5000) ), [], answers([[]])).
t(receive_type, receive(_, a), [], throws(type_error(nonneg, a))).
t(wait, ( get_time(T0), wait(20), get_time(T1), T1-T0 >= 0.02 ), [], answers([[]])).
t(wait_negative, wait(-1), [], throws(type_error(nonneg, -1))).
t(send_unbound, send(_, x), [], throws(instantiation_error)).
t(send_no_thread, send(mt_nobody, x), [], throws(domain_error(thread, mt_nobody))).
t(send_ended, ( spawn(true, T), mt_gone(T), send(T, x) ), [], answers([[]])).
t(kill_waits, ( self(Me), spawn(setup_call_cleanup(true, ( send(Me, in), receive(mt_never) ), send(Me, cleaned)), T), receive(in), kill(T), mt_dead(T), receive(cleaned, 0) ), [], answers([[]])).
t(kill_computing, ( spawn(( repeat, fail ), T), kill(T), mt_dead(T) ), [], answers([[]])).
t(kill_ended, ( spawn(true, T), mt_gone(T), kill(T), kill(T) ), [], answers([[]])).
t(kill_at_any_time, forall(between(1, 200, I), ( spawn(( J is I*7 mod 50, mt_count(J) ), T), ( I mod 3 =:= 0 -> wait(1) ; true ), kill(T), mt_dead(T) )), [], answers([[]])).
mt_count(0) :- !.
mt_count(N) :- M is N-1, mt_count(M).
t(kill_no_thread, kill(mt_nobody), [], throws(domain_error(thread, mt_nobody))).
t(kill_unbound, kill(_), [], throws(instantiation_error)).
t(kill_self, ( thread_create(( self(Me), kill(Me) ), T), thread_join(T, S) ), [S], answers([[exception('$aborted')]])).
t(kill_each_other, ( spawn(( receive(T), kill(T) ), A), spawn(( receive(T), kill(T) ), B), send(A, B), send(B, A), mt_gone(A), mt_gone(B) ), [], answers([[]])).
t(join_success, ( mt_joinable(member(_, [1, 2]), T), mt_join(T, R) ), [R], answers([[success(member(1, [1, 2]))]])).
t(join_fail, ( mt_joinable(fail, T), mt_join(T, R) ), [R], answers([[fail]])).
t(self, ( self(X), thread_self(X) ), [], answers([[]])).
