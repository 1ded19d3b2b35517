% Goals that are called at events: prolog_listen/2,3, prolog_unlisten/2. Order, arguments and what becomes of a change whose listener fails or raises an
% exception are as in SWI-Prolog 9.

:- dynamic([tls_d/1, tls_e/2, tls_seen/1, tls_answer/1]).
:- thread_local(tls_local/1).

tls_reset :-
    forall(member(P, [tls_d/1, tls_e/2, tls_local/1, tls_new/1, tls_m:tls_d/1]), forall(member(C, [tls_note, tls_other(_), tls_say, tls_fill, tls_none]), prolog_unlisten(P, C))),
    retractall(tls_d(_)), retractall(tls_e(_, _)), retractall(tls_local(_)), retractall(tls_seen(_)), retractall(tls_answer(_)).

% What was told, in its order.
tls_told(L) :- findall(X, tls_seen(X), L).

tls_clause(Ref, C) :- blob(Ref, clause), !, ( clause(H, B, Ref) -> C = (H :- B) ; C = gone ).
tls_clause(C, C).

tls_note(Action, Ref) :- tls_clause(Ref, C), assertz(tls_seen(Action-C)).
tls_other(N, Action, _) :- assertz(tls_seen(N-Action)).
% As tls_answer/1 says of an action.
tls_say(Action, _) :- \+ tls_answer(Action-_), !.
tls_say(Action, _) :- tls_answer(Action-A), !, assertz(tls_seen(A)), call(A).
tls_fill(assertz, Ref) :- clause(tls_d(X), true, Ref), X < 3, !, Y is X+1, assertz(tls_d(Y)).
tls_fill(_, _).
tls_all(L) :- findall(X, tls_d(X), L).

% Order and arguments

t(adds, ( tls_reset, prolog_listen(tls_d/1, tls_note), assertz(tls_d(1)), asserta(tls_d(0)), assertz((tls_d(X) :- X = 2, true)), assert(tls_d(3)), tls_told(L) ), [L],
    answers([[[assertz-(tls_d(1) :- true), asserta-(tls_d(0) :- true), assertz-(tls_d(Y) :- Y = 2, true), assertz-(tls_d(3) :- true)]]])).
t(head, ( tls_reset, prolog_listen(tls_d(_), tls_note), assertz(tls_d(1)), tls_told(L) ), [L], answers([[[assertz-(tls_d(1) :- true)]]])).
t(non_terminal, ( tls_reset, prolog_listen(tls_e//0, tls_note), assertz(tls_e(1, 2)), tls_told(L) ), [L], answers([[[assertz-(tls_e(1, 2) :- true)]]])).
t(is_there_when_added, ( tls_reset, prolog_listen(tls_d/1, tls_fill), assertz(tls_d(0)), tls_all(L) ), [L], answers([[[0, 1, 2, 3]]])).
t(names, ( tls_reset, prolog_listen(tls_d/1, tls_note), assertz(tls_d(1), R), clause(H, _, R), asserta(tls_d(0), S), clause(G, _, S), tls_told(L) ), [H, G, L],
    answers([[tls_d(1), tls_d(0), [assertz-(tls_d(1) :- true), asserta-(tls_d(0) :- true)]]])).
t(retract, ( tls_reset, assertz(tls_d(1)), assertz(tls_d(2)), prolog_listen(tls_d/1, tls_note), retract(tls_d(2)), tls_told(L), tls_all(M) ), [L, M],
    answers([[[retract-(tls_d(2) :- true)], [1]]])).
t(retract_each, ( tls_reset, assertz(tls_d(1)), assertz(tls_d(2)), prolog_listen(tls_d/1, tls_note), findall(X, retract(tls_d(X)), L), tls_told(M), tls_all(N) ), [L, M, N],
    answers([[[1, 2], [retract-(tls_d(1) :- true), retract-(tls_d(2) :- true)], []]])).
t(retract_rule, ( tls_reset, assertz((tls_d(X) :- tls_e(X, _))), prolog_listen(tls_d/1, tls_note), retract((tls_d(a) :- B)), tls_told(L) ), [B, L],
    answers([[tls_e(a, _), [retract-(tls_d(Y) :- tls_e(Y, _))]]])).
t(retract_none, ( tls_reset, prolog_listen(tls_d/1, tls_note), retract(tls_d(_)) ), [], fails).
t(erase, ( tls_reset, assertz(tls_d(1), R), prolog_listen(tls_d/1, tls_note), erase(R), tls_told(L), tls_all(M), ( catch(erase(R), _, fail) -> A = yes ; A = no ) ), [L, M, A],
    answers([[[retract-(tls_d(1) :- true)], [], no]])).
t(retractall, ( tls_reset, assertz(tls_e(1, a)), assertz(tls_e(2, b)), assertz(tls_e(1, c)), prolog_listen(tls_e/2, tls_note), retractall(tls_e(1, _)), tls_told(L), findall(X, tls_e(X, _), M) ), [L, M],
    answers([[[retractall-start(user:tls_e(1, _)), retract-(tls_e(1, a) :- true), retract-(tls_e(1, c) :- true), retractall-end(user:tls_e(1, _))], [2]]])).
t(retractall_none, ( tls_reset, prolog_listen(tls_d/1, tls_note), retractall(tls_d(_)), tls_told(L) ), [L], answers([[[retractall-start(user:tls_d(_)), retractall-end(user:tls_d(_))]]])).
t(abolish, ( tls_reset, dynamic(tls_new/1), assertz(tls_new(1)), prolog_listen(tls_new/1, tls_note), abolish(tls_new/1), assertz(tls_new(2)), tls_told(L), abolish(tls_new/1) ), [L],
    answers([[[assertz-(tls_new(2) :- true)]]])).
t(undefined_yet, ( tls_reset, abolish(tls_new/1), prolog_listen(tls_new/1, tls_note), assertz(tls_new(1)), tls_told(L), abolish(tls_new/1) ), [L], answers([[[assertz-(tls_new(1) :- true)]]])).
t(local, ( tls_reset, prolog_listen(tls_local/1, tls_note), assertz(tls_local(1), R), erase(R), assertz(tls_local(2)), retract(tls_local(2)), tls_told(L) ), [L],
    answers([[[assertz-(tls_local(1) :- true), retract-(tls_local(1) :- true), assertz-(tls_local(2) :- true), retract-(tls_local(2) :- true)]]])).
t(local_of_thread, ( tls_reset, prolog_listen(tls_local/1, tls_note), thread_create(( assertz(tls_local(1), R), erase(R) ), T), thread_join(T, S), tls_told(L) ), [S, L],
    answers([[true, [assertz-(tls_local(1) :- true), retract-(tls_local(1) :- true)]]])).
t(module, ( tls_reset, prolog_listen(tls_m:tls_d/1, tls_other(m)), assertz(tls_m:tls_d(1)), assertz(tls_d(1)), tls_m:assertz(tls_d(2)), retractall(tls_m:tls_d(_)), tls_told(L) ), [L],
    answers([[[m-assertz, m-assertz, m-retractall, m-retract, m-retract, m-retractall]]])).
t(in_the_thread_that_changes, ( tls_reset, prolog_listen(tls_d/1, [_, _]>>( thread_self(Me), assertz(tls_seen(Me)) )), thread_create(assertz(tls_d(1)), T), thread_join(T), tls_told([X]),
    ( X == T -> A = yes ; A = no ), prolog_unlisten(tls_d/1, [_, _]>>_) ), [A], answers([[yes]])).

% Who listens

t(first_is_last, ( tls_reset, forall(member(N, [1, 2, 3]), prolog_listen(tls_d/1, tls_other(N))), assertz(tls_d(1)), tls_told(L) ), [L], answers([[[3-assertz, 2-assertz, 1-assertz]]])).
t(as, ( tls_reset, prolog_listen(tls_d/1, tls_other(1), [as(last)]), prolog_listen(tls_d/1, tls_other(2), [as(last)]), prolog_listen(tls_d/1, tls_other(3), [as(first)]), assertz(tls_d(1)), tls_told(L) ), [L],
    answers([[[3-assertz, 1-assertz, 2-assertz]]])).
t(name, ( tls_reset, prolog_listen(tls_d/1, tls_other(1), [name(a)]), prolog_listen(tls_d/1, tls_other(2)), prolog_listen(tls_d/1, tls_other(3), [name(a), as(first)]), assertz(tls_d(1)), tls_told(L) ), [L],
    answers([[[2-assertz, 3-assertz]]])).
t(unlisten, ( tls_reset, forall(member(N, [1, 2, 3, 2]), prolog_listen(tls_d/1, tls_other(N))), prolog_unlisten(tls_d/1, tls_other(2)), assertz(tls_d(1)), tls_told(L) ), [L], answers([[[3-assertz, 1-assertz]]])).
t(unlisten_all, ( tls_reset, forall(member(N, [1, 2, 3]), prolog_listen(tls_d/1, tls_other(N))), prolog_unlisten(tls_d/1, tls_other(X)), assertz(tls_d(1)), tls_told(L), var(X) ), [L], answers([[[]]])).
t(unlisten_none, prolog_unlisten(tls_d/1, tls_nobody), [], answers([[]])).
t(once, ( tls_reset, prolog_listen(tls_d/1, [_, _]>>member(_, [1, 2])), findall(x, assertz(tls_d(1)), L), prolog_unlisten(tls_d/1, [_, _]>>_) ), [L], answers([[[x]]])).
t(listens_while_told, ( tls_reset, prolog_listen(tls_d/1, [_, _]>>prolog_listen(tls_d/1, tls_other(n))), assertz(tls_d(1)), tls_told(L), prolog_unlisten(tls_d/1, [_, _]>>_), assertz(tls_d(2)), tls_told(M) ), [L, M],
    answers([[[], [n-assertz]]])).

% Listeners that fail, or raise an exception

tls_with(Action, Answer) :- tls_reset, forall(member(X, [1, 2]), assertz(tls_d(X))), assertz(tls_answer(Action-Answer)), prolog_listen(tls_d/1, tls_say), prolog_listen(tls_d/1, tls_other(o), [as(last)]).

t(add_fails, ( tls_with(assertz, fail), ( assertz(tls_d(3)) -> A = yes ; A = no ), tls_all(L), tls_told(M) ), [A, L, M], answers([[no, [1, 2], [fail]]])).
t(add_raises, ( tls_with(asserta, throw(x)), catch(asserta(tls_d(3), _), E, true), tls_all(L), tls_told(M) ), [E, L, M], answers([[x, [1, 2], [throw(x)]]])).
t(retract_fails, ( tls_with(retract, fail), ( retract(tls_d(1)) -> A = yes ; A = no ), tls_all(L) ), [A, L], answers([[no, [1, 2]]])).
t(retract_fails_each, ( tls_with(retract, fail), ( retract(tls_d(_)) -> A = yes ; A = no ), tls_all(L), tls_told(M) ), [A, L, M], answers([[no, [1, 2], [fail, fail]]])).
t(retract_raises, ( tls_with(retract, throw(x)), catch(retract(tls_d(_)), E, true), tls_all(L), tls_told(M) ), [E, L, M], answers([[x, [1, 2], [throw(x)]]])).
t(erase_fails, ( tls_with(retract, fail), clause(tls_d(1), true, R), ( erase(R) -> A = yes ; A = no ), tls_all(L) ), [A, L], answers([[no, [1, 2]]])).
t(retractall_fails, ( tls_with(retractall, fail), ( retractall(tls_d(_)) -> A = yes ; A = no ), tls_all(L) ), [A, L], answers([[no, [1, 2]]])).
t(retractall_keeps, ( tls_with(retract, fail), retractall(tls_d(_)), tls_all(L) ), [L], answers([[[1, 2]]])).
% SWI-Prolog 9.0.4 goes on and prints the exception.
t(retractall_raises, ( tls_with(retract, throw(x)), catch(retractall(tls_d(_)), E, true), tls_all(L), tls_told(M) ), [E, L, M], answers([[x, [1, 2], [o-retractall, throw(x), o-retractall]]])).
t(undefined, ( tls_reset, prolog_listen(tls_d/1, tls_none), catch(assertz(tls_d(1)), error(E, _), true), tls_all(L) ), [E, L], answers([[existence_error(procedure, tls_none/2), []]])).
t(erased_by_listener, ( tls_reset, prolog_listen(tls_d/1, [A, R]>>( A == assertz -> erase(R) ; true )), assertz(tls_d(1)), tls_all(L), prolog_unlisten(tls_d/1, [_, _]>>_) ), [L], answers([[[]]])).
t(retracted_by_listener, ( tls_reset, assertz(tls_d(1)), prolog_listen(tls_d/1, tls_once_more), ( retract(tls_d(1)) -> A = yes ; A = no ), prolog_unlisten(tls_d/1, tls_once_more), tls_all(L) ), [A, L], answers([[no, []]])).
tls_once_more(retract, R) :- prolog_unlisten(tls_d/1, tls_once_more), erase(R).

% Threads change it together: each change is told once, and each clause taken by one.

tls_count(A, _) :- tls_counter(A, C), flag(C, N, N + 1).
tls_counter(assertz, tls_added).
tls_counter(retract, tls_retracted).
tls_many(N, G) :- findall(T, ( between(1, 4, I), thread_create(forall(between(1, N, J), ( K is I * 10000 + J, call(G, K) )), T) ), Ts), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, [true]).
t(threads, ( tls_reset, forall(tls_counter(_, C), flag(C, _, 0)), prolog_listen(tls_d/1, tls_count),
    tls_many(300, [K]>>assertz(tls_d(K))), aggregate_all(count, tls_d(_), Added),
    flag(tls_taken, _, 0), tls_many(300, [_]>>( retract(tls_d(_)) -> flag(tls_taken, T, T + 1) ; true )), prolog_unlisten(tls_d/1, tls_count),
    flag(tls_added, A, A), flag(tls_retracted, B, B), flag(tls_taken, Taken, Taken), aggregate_all(count, tls_d(_), Left), ( B >= Taken, Taken + Left =:= Added -> R = sum ; R = B-Taken-Left ) ), [Added, A, R],
    answers([[1200, 1200, sum]])).

% Channels that are no predicates

tls_thread(N, T) :- assertz(tls_seen(N-T)).
tls_gone(N) :- assertz(tls_seen(N)).
t(thread_start, ( tls_reset, prolog_listen(thread_start, tls_thread(s)), thread_create(assertz(tls_seen(in)), T), thread_join(T), prolog_unlisten(thread_start, tls_thread(_)), tls_told(L0),
    ( L0 = [s-T, in] -> A = yes ; A = L0 ) ), [A], answers([[yes]])).
t(thread_exit, ( tls_reset, prolog_listen(thread_exit, tls_thread(e)), thread_create(assertz(tls_seen(in)), T, [at_exit(assertz(tls_seen(at)))]), thread_join(T), prolog_unlisten(thread_exit, tls_thread(_)), tls_told(L0),
    ( L0 = [in, at, e-T] -> A = yes ; A = L0 ) ), [A], answers([[yes]])).
t(thread_exit_raises, ( tls_reset, prolog_listen(thread_exit, [_]>>throw(x)), thread_create(true, T), thread_join(T, S), prolog_unlisten(thread_exit, [_]>>_) ), [S], answers([[true]])).
t(thread_start_raises, ( prolog_listen(thread_start, [_]>>throw(x)), thread_create(true, T), thread_join(T, S), prolog_unlisten(thread_start, [_]>>_) ), [S], answers([[exception(x)]])).
t(thread_start_fails, ( prolog_listen(thread_start, [_]>>fail), thread_create(true, T), thread_join(T, S), prolog_unlisten(thread_start, [_]>>_) ), [S], answers([[true]])).
t(this_thread_exit, ( tls_reset, thread_create(( prolog_listen(this_thread_exit, tls_gone(a)), prolog_listen(this_thread_exit, tls_gone(b)), prolog_listen(this_thread_exit, tls_gone(c), [as(last)]),
    prolog_unlisten(this_thread_exit, tls_gone(a)) ), T), thread_join(T), tls_told(L) ), [L], answers([[[b, c]]])).
t(erase_record, ( tls_reset, prolog_listen(erase, tls_record), recordz(tls_k, x, R), erase(R), prolog_unlisten(erase, tls_record), recordz(tls_k, y, S), erase(S), tls_told(L), findall(X, recorded(tls_k, X), M) ), [L, M], answers([[[x], []]])).
tls_record(R) :- ( instance(R, T) -> assertz(tls_seen(T)) ; true ).
t(erase_record_fails, ( prolog_listen(erase, [_]>>fail), recordz(tls_k, x, R), erase(R), prolog_unlisten(erase, [_]>>_), findall(X, recorded(tls_k, X), L) ), [L], answers([[[]]])).
t(erase_record_raises, ( prolog_listen(erase, [_]>>throw(x)), recordz(tls_k, x, R), catch(erase(R), E, true), prolog_unlisten(erase, [_]>>_), findall(X, recorded(tls_k, X), L) ), [E, L], answers([[x, []]])).

% Errors

t(unbound, prolog_listen(_, foo), [], throws(instantiation_error)).
t(number, prolog_listen(1, foo), [], throws(type_error(callable, 1))).
t(string, prolog_listen("abc", foo), [], throws(type_error(callable, "abc"))).
t(no_channel, prolog_listen(nope, foo), [], throws(domain_error(event, nope))).
t(break, prolog_listen(break, foo), [], throws(domain_error(event, break))).
t(frame_finished, prolog_listen(frame_finished, foo), [], throws(domain_error(event, frame_finished))).
t(negative, prolog_listen(tls_d/(-1), foo), [], throws(domain_error(not_less_than_zero, -1))).
t(arity, prolog_listen(tls_d/a, foo), [], throws(type_error(integer, a))).
t(closure_unbound, prolog_listen(tls_d/1, _), [], throws(instantiation_error)).
t(closure_number, prolog_listen(tls_d/1, 1), [], throws(type_error(callable, 1))).
t(options_unbound, prolog_listen(tls_d/1, foo, _), [], throws(instantiation_error)).
t(options_atom, prolog_listen(tls_d/1, foo, bar), [], throws(type_error(list, bar))).
t(as_other, prolog_listen(tls_d/1, foo, [as(foo)]), [], throws(domain_error(as, foo))).
t(as_unbound, prolog_listen(tls_d/1, foo, [as(_)]), [], throws(instantiation_error)).
t(name_number, prolog_listen(tls_d/1, foo, [name(1)]), [], throws(type_error(atom, 1))).
t(unlisten_unbound, prolog_unlisten(_, foo), [], throws(instantiation_error)).
t(unlisten_no_channel, prolog_unlisten(nope, foo), [], throws(domain_error(event, nope))).
t(tidy, tls_reset, [], answers([[]])).
