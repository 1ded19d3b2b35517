% Threads, message queues and mutexes, first cut.
% As in SWI-Prolog, whose error terms these are (after the draft technical
% report of ISO 13211-5).

:- dynamic(thr_fact/1).
:- dynamic(thr_shared/2).
:- thread_local(thr_local/1).

thr_p(1).
thr_p(2).
thr_p(3).

% The status of Goal run in a thread of its own.
thr_status(Goal, Status) :-
    thread_create(Goal, Id),
    thread_join(Id, Status).

thr_with_queue(Queue, Goal) :-
    message_queue_create(Queue),
    call_cleanup(once(Goal), message_queue_destroy(Queue)).

thr_with_mutex(Mutex, Goal) :-
    mutex_create(Mutex),
    call_cleanup(once(Goal), mutex_destroy(Mutex)).

thr_count(0) :- !.
thr_count(N) :- M is N - 1, thr_count(M).

thr_send_all(_, []).
thr_send_all(Q, [X|Xs]) :- thread_send_message(Q, X), thr_send_all(Q, Xs).

thr_receive(_, 0, []) :- !.
thr_receive(Q, N, [X|Xs]) :- thread_get_message(Q, X), M is N - 1, thr_receive(Q, M, Xs).

thr_echo(In, Out) :-
    thread_get_message(In, X),
    (   X == done
    ->  true
    ;   thread_send_message(Out, echo(X)),
        thr_echo(In, Out)
    ).

thr_add(Key, 0) :- !, with_mutex(thr_lock, thr_shared(Key, _)).   % not between retract and assertz of another
thr_add(Key, N) :-
    with_mutex(thr_lock, ( retract(thr_shared(Key, V0)), V is V0 + 1, assertz(thr_shared(Key, V)) )),
    M is N - 1,
    thr_add(Key, M).

% Creating and joining

t(true, thr_status(true, S), [S], answers([[true]])).
t(false, thr_status(fail, S), [S], answers([[false]])).
t(exception, thr_status(throw(thr_ball), S), [S], answers([[exception(thr_ball)]])).
t(exception_error, ( thr_status(atom_length(_, _), exception(error(E, _))) ), [E], answers([[instantiation_error]])).
t(exception_unknown, ( thr_status(thr_no_such, exception(error(E, _))) ), [E],
  answers([[existence_error(procedure, thr_no_such/0)]])).
t(exception_term, thr_status(throw(f(X, X, _)), S), [S, X], answers([[exception(f(P, P, _)), _]])).
t(first_solution_only, thr_status(thr_p(_), S), [S], answers([[true]])).
t(first_solution_cleans_up, ( message_queue_create(Q), thr_status(setup_call_cleanup(true, thr_p(X), thread_send_message(Q, X)), S), thread_peek_message(Q, R), message_queue_destroy(Q) ),
  [S, R], answers([[true, 1]])).
t(first_solution_catcher, ( message_queue_create(Q), thr_status(setup_call_catcher_cleanup(true, thr_p(_), C, thread_send_message(Q, C)), S), thread_peek_message(Q, R), message_queue_destroy(Q) ),
  [S, R], answers([[true, !]])).
t(first_solution_cleanups_in_order, ( message_queue_create(Q),
    thr_status(( call_cleanup(thr_p(_), thread_send_message(Q, outer)), call_cleanup(thr_p(_), thread_send_message(Q, inner)) ), true),
    thr_receive(Q, 2, L), message_queue_destroy(Q) ), [L], answers([[[inner, outer]]])).
t(first_solution_cleanup_throws, thr_status(call_cleanup(thr_p(_), throw(thr_ball)), S), [S], answers([[exception(thr_ball)]])).
t(first_solution_unlocks, ( mutex_create(M), thr_status(with_mutex(M, call_cleanup(thr_p(_), true)), S), mutex_trylock(M), mutex_unlock(M), mutex_destroy(M) ), [S], answers([[true]])).
t(at_exit_cleans_up, ( message_queue_create(Q), thread_create(true, Id, [at_exit(call_cleanup(thr_p(_), thread_send_message(Q, cleaned)))]), thread_join(Id),
    thread_peek_message(Q, R), message_queue_destroy(Q) ), [R], answers([[cleaned]])).
t(bindings_stay_inside, ( thread_create(X = 1, Id), thread_join(Id, S) ), [X, S], answers([[_, true]])).
t(goal_is_copied, ( X = f(Y), thread_create(thread_self(_), Id), Y = 1, thread_join(Id, S) ), [X, S],
  answers([[f(1), true]])).
t(work, thr_status(thr_count(10000), S), [S], answers([[true]])).
t(conjunction, thr_status(( X = 1, X == 1 ), S), [S], answers([[true]])).
t(create_3, ( thread_create(true, Id, []), thread_join(Id, S) ), [S], answers([[true]])).
t(join_1, ( thread_create(true, Id), thread_join(Id) ), [], answers([[]])).
t(join_1_false, ( thread_create(fail, Id), catch(thread_join(Id), error(thread_error(_, E), _), true) ), [E],
  answers([[false]])).
t(join_1_exception, ( thread_create(throw(b), Id), catch(thread_join(Id), error(thread_error(_, E), _), true) ), [E],
  answers([[exception(b)]])).
t(join_status_check, ( thread_create(true, Id), thread_join(Id, true) ), [], answers([[]])).
t(join_status_check_no, ( thread_create(true, Id), thread_join(Id, false) ), [], fails).
t(alias, ( thread_create(true, Id, [alias(thr_alias)]), thread_join(thr_alias, S), Id == thr_alias ), [S],
  answers([[true]])).
t(alias_reused, ( thread_create(true, _, [alias(thr_alias)]), thread_join(thr_alias, _), thread_create(fail, _, [alias(thr_alias)]), thread_join(thr_alias, S) ), [S],
  answers([[false]])).
t(alias_in_use, ( thread_create(thread_get_message(stop), _, [alias(thr_busy)]), call_cleanup(thread_create(true, _, [alias(thr_busy)]), ( thread_send_message(thr_busy, stop), thread_join(thr_busy, _) )) ), [],
  throws(permission_error(create, thread, thr_busy))).
t(many, ( findall(Id, ( between(1, 50, _), thread_create(true, Id) ), Ids), findall(S, ( member(Id, Ids), thread_join(Id, S) ), Ss), sort(Ss, L), length(Ss, N) ), [L, N],
  answers([[[true], 50]])).
t(nested, ( thr_status(( thread_create(true, Id), thread_join(Id, true) ), S) ), [S], answers([[true]])).
t(detached, ( message_queue_create(Q), thread_create(thread_send_message(Q, hello), _, [detached(true)]), thread_get_message(Q, X), message_queue_destroy(Q) ), [X],
  answers([[hello]])).
t(at_exit, ( message_queue_create(Q), thread_create(true, Id, [at_exit(thread_send_message(Q, bye))]), thread_join(Id, _), thread_get_message(Q, X), message_queue_destroy(Q) ), [X],
  answers([[bye]])).
t(at_exit_on_throw, ( message_queue_create(Q), thread_create(throw(x), Id, [at_exit(thread_send_message(Q, bye))]), thread_join(Id, S), thread_get_message(Q, X), message_queue_destroy(Q) ), [S, X],
  answers([[exception(x), bye]])).
t(self_main, thread_self(X), [X], native(answers([[main]]))).
t(self_in_thread, ( thread_self(M), thread_create(( thread_self(S), thread_send_message(M, self(S)) ), Id), thread_join(Id, _), thread_get_message(self(T)), T == Id ), [],
  answers([[]])).
t(self_alias, ( thread_self(M), thread_create(( thread_self(S), thread_send_message(M, self(S)) ), _, [alias(thr_named)]), thread_join(thr_named, _), thread_get_message(self(T)) ), [T],
  answers([[thr_named]])).
t(is_thread_main, is_thread(main), [], answers([[]])).
t(is_thread_no, is_thread(thr_no_such_thread), [], fails).
t(cleanup_runs, ( message_queue_create(Q), thread_create(setup_call_cleanup(true, throw(x), thread_send_message(Q, cleaned)), Id), thread_join(Id, S), thread_get_message(Q, X), message_queue_destroy(Q) ), [S, X],
  answers([[exception(x), cleaned]])).
t(output_in_thread, thr_status(( with_output_to(string(S0), write(a)), S0 == "a" ), S), [S], answers([[true]])).

t(create_bound_id, thread_create(true, thr_id), [], throws(uninstantiation_error(thr_id))).
t(create_options_unbound, thread_create(true, _, _), [], throws(instantiation_error)).
t(create_options_partial, thread_create(true, _, [alias(thr_x)|_]), [], throws(instantiation_error)).
t(create_options_not_list, thread_create(true, _, foo), [], throws(type_error(list, foo))).
t(create_alias_number, thread_create(true, _, [alias(1)]), [], throws(type_error(atom, 1))).
t(create_detached_bad, thread_create(true, _, [detached(thr_maybe)]), [], throws(type_error(bool, thr_maybe))).
t(create_at_exit_bad, thread_create(true, _, [at_exit(3)]), [], throws(type_error(callable, 3))).
t(create_alias_main, thread_create(true, _, [alias(main)]), [], throws(permission_error(create, thread, main))).
t(join_unbound, thread_join(_, _), [], throws(instantiation_error)).
t(join_unknown, thread_join(thr_no_such_thread, _), [], throws(existence_error(thread, thr_no_such_thread))).
t(join_compound, thread_join(f(x), _), [], throws(type_error(thread, f(x)))).
t(join_twice, ( thread_create(true, _, [alias(thr_gone)]), thread_join(thr_gone, _), thread_join(thr_gone, _) ), [],
  throws(existence_error(thread, thr_gone))).
t(detach_unknown, thread_detach(thr_no_such_thread), [], throws(existence_error(thread, thr_no_such_thread))).

% Messages

t(own_queue, ( thread_self(Me), thread_send_message(Me, hello), thread_get_message(X) ), [X], answers([[hello]])).
t(order, thr_with_queue(Q, ( thr_send_all(Q, [a, b, c]), thr_receive(Q, 3, L) )), [L], answers([[[a, b, c]]])).
t(matching_skips, thr_with_queue(Q, ( thr_send_all(Q, [a(1), b(2), a(3)]), thread_get_message(Q, b(X)), thr_receive(Q, 2, L) )), [X, L],
  answers([[2, [a(1), a(3)]]])).
t(matching_first, thr_with_queue(Q, ( thr_send_all(Q, [k-1, k-2]), thread_get_message(Q, k-X) )), [X], answers([[1]])).
t(matching_shared, thr_with_queue(Q, ( thr_send_all(Q, [p(1, 2), p(3, 3)]), thread_get_message(Q, p(X, X)) )), [X],
  answers([[3]])).
t(message_copied, thr_with_queue(Q, ( thread_send_message(Q, f(X, Y, X)), X = 1, Y = 2, thread_get_message(Q, M) )), [M],
  answers([[f(P, _, P)]])).
t(message_kinds, thr_with_queue(Q, ( thr_send_all(Q, ["s", 1.5, 100000000000000000000, 1r3, [a|b], 'A b']), thr_receive(Q, 6, L) )), [L],
  answers([[["s", 1.5, 100000000000000000000, 1r3, [a|b], 'A b']]])).
t(message_large, ( numlist(1, 500, L), thr_with_queue(Q, ( thread_send_message(Q, L), thread_get_message(Q, M), M == L )) ), [],
  answers([[]])).
t(peek, thr_with_queue(Q, ( thr_send_all(Q, [a(1), a(2)]), thread_peek_message(Q, a(X)), thread_peek_message(Q, a(Y)), thread_get_message(Q, a(Z)) )), [X, Y, Z],
  answers([[1, 1, 1]])).
t(peek_empty, thr_with_queue(Q, thread_peek_message(Q, _)), [], fails).
t(peek_no_match, thr_with_queue(Q, ( thread_send_message(Q, a), thread_peek_message(Q, b) )), [], fails).
t(peek_own_empty, thread_peek_message(thr_never_sent), [], fails).
t(peek_own, ( thread_self(Me), thread_send_message(Me, thr_sent), thread_peek_message(thr_sent), thread_get_message(thr_sent) ), [],
  answers([[]])).
t(get_is_det, thr_with_queue(Q, ( thr_send_all(Q, [a, a]), findall(X, thread_get_message(Q, X), L) )), [L],
  answers([[[a]]])).
t(queue_alias, ( message_queue_create(Q, [alias(thr_queue)]), thread_send_message(thr_queue, a), thread_get_message(thr_queue, X), message_queue_destroy(thr_queue), Q == thr_queue ), [X],
  answers([[a]])).
t(queue_alias_create_1, ( message_queue_create(thr_queue_1), thread_send_message(thr_queue_1, a), thread_get_message(thr_queue_1, X), message_queue_destroy(thr_queue_1) ), [X],
  answers([[a]])).
t(queue_max_size, ( message_queue_create(Q, [max_size(2)]), thread_create(forall(between(1, 20, I), thread_send_message(Q, I)), Id), thr_receive(Q, 20, L), thread_join(Id, S), message_queue_destroy(Q), sum_list(L, N) ), [N, S],
  answers([[210, true]])).
t(to_thread, ( thread_self(Me), thread_create(( thread_get_message(go(X)), Y is X * 2, thread_send_message(Me, done(Y)) ), Id), thread_send_message(Id, go(21)), thread_get_message(done(Z)), thread_join(Id, S) ), [Z, S],
  answers([[42, true]])).
t(message_before_receive, ( thread_self(Me), thread_create(( thread_get_message(second(X)), thread_get_message(first(Y)), thread_send_message(Me, got(X, Y)) ), Id), thread_send_message(Id, first(1)), thread_send_message(Id, second(2)), thread_get_message(got(A, B)), thread_join(Id, S) ), [A, B, S],
  answers([[2, 1, true]])).
t(echo_thread, ( message_queue_create(In), message_queue_create(Out), thread_create(thr_echo(In, Out), Id), thr_send_all(In, [a, b, c, done]), thread_join(Id, S), thr_receive(Out, 3, L), message_queue_destroy(In), message_queue_destroy(Out) ), [L, S],
  answers([[[echo(a), echo(b), echo(c)], true]])).
t(two_producers, thr_with_queue(Q, ( findall(Id, ( member(K, [a, b]), thread_create(forall(between(1, 100, I), thread_send_message(Q, K-I)), Id) ), Ids), thr_receive(Q, 200, L), forall(member(Id, Ids), thread_join(Id, true)), findall(I, member(a-I, L), As), findall(I, member(b-I, L), Bs), numlist(1, 100, Ns), ( As == Ns, Bs == Ns -> R = in_order ; R = out_of_order ) )), [R],
  answers([[in_order]])).
t(property_size, thr_with_queue(Q, ( thr_send_all(Q, [a, b]), message_queue_property(Q, size(N)) )), [N],
  answers([[2]])).

t(send_unbound, thread_send_message(_, a), [], throws(instantiation_error)).
t(send_unknown, thread_send_message(thr_no_queue, a), [], throws(existence_error(message_queue, thr_no_queue))).
t(send_number, thread_send_message(1.5, a), [], throws(_)).
t(get_unknown, thread_get_message(thr_no_queue, _), [], throws(existence_error(message_queue, thr_no_queue))).
t(get_unbound, thread_get_message(_, _), [], throws(instantiation_error)).
t(peek_unknown, thread_peek_message(thr_no_queue, _), [], throws(existence_error(message_queue, thr_no_queue))).
t(destroy_unbound, message_queue_destroy(_), [], throws(instantiation_error)).
t(destroy_unknown, message_queue_destroy(thr_no_queue), [], throws(existence_error(message_queue, thr_no_queue))).
t(destroy_twice, ( message_queue_create(Q), message_queue_destroy(Q), message_queue_destroy(Q) ), [],
  throws(existence_error(message_queue, _))).
t(send_destroyed, ( message_queue_create(Q), message_queue_destroy(Q), thread_send_message(Q, a) ), [],
  throws(existence_error(message_queue, _))).
t(get_destroyed, ( message_queue_create(Q), message_queue_destroy(Q), thread_get_message(Q, _) ), [],
  throws(existence_error(message_queue, _))).
t(destroy_thread_queue, ( thread_self(Me), message_queue_destroy(Me) ), [],
  throws(permission_error(destroy, message_queue, _))).
t(create_queue_alias_taken, ( message_queue_create(_, [alias(thr_taken)]), call_cleanup(message_queue_create(_, [alias(thr_taken)]), message_queue_destroy(thr_taken)) ), [],
  throws(permission_error(create, message_queue, thr_taken))).
t(create_queue_bad_options, message_queue_create(_, foo), [], throws(type_error(list, foo))).
t(create_queue_bad_size, message_queue_create(_, [max_size(a)]), [], throws(type_error(integer, a))).
t(get_options_not_list, thr_with_queue(Q, ( thread_get_message(Q, _, foo) )), [], throws(type_error(list, foo))).
t(get_bad_timeout, thr_with_queue(Q, ( thread_get_message(Q, _, [timeout(a)]) )), [], throws(type_error(float, a))).
t(destroyed_while_waiting, ( message_queue_create(Q), thread_create(catch(thread_get_message(Q, _), error(E, _), ( E =.. [N|_], throw(N) )), Id), sleep(0.05), message_queue_destroy(Q), thread_join(Id, S) ), [S],
  answers([[exception(existence_error)]])).


% Limits in bytes, which SWI-Prolog does not have: who sends too much gets an error, and does not wait.

thr_of_bytes(Max, Q, Goal) :- setup_call_cleanup(message_queue_create(Q, [max_bytes(Max)]), once(Goal), message_queue_destroy(Q)).

t(bytes_large, ( numlist(1, 1000, L), thr_of_bytes(4000, Q, ( thread_send_message(Q, small), catch(thread_send_message(Q, L), error(E, _), true), thread_get_message(Q, X), message_queue_property(Q, size(N)) )) ), [E, X, N], answers([[resource_error(message_queue_bytes), small, 0]])).
t(bytes_many, thr_of_bytes(4000, Q, ( catch(forall(between(1, 1000, I), thread_send_message(Q, I)), error(E, _), true), message_queue_property(Q, size(N)), message_queue_property(Q, bytes(B)), N > 0, B =< 4000, thread_get_message(Q, _), thread_send_message(Q, again) )), [E], answers([[resource_error(message_queue_bytes)]])).
t(bytes_property, thr_of_bytes(4000, Q, ( message_queue_property(Q, max_bytes(A)), message_queue_property(Q, bytes(B)), message_queue_set(Q, max_bytes(0)), findall(C, message_queue_property(Q, max_bytes(C)), Cs), numlist(1, 1000, L), thread_send_message(Q, L) )), [A, B, Cs], answers([[4000, 0, []]])).
t(bytes_of_thread, ( numlist(1, 1000, L), thread_create(thread_get_message(stop), T, [queue_max_bytes(4000)]), catch(thread_send_message(T, L), error(E, _), true), thread_send_message(T, stop), thread_join(T, S) ), [E, S], answers([[resource_error(message_queue_bytes), true]])).
t(bytes_negative, message_queue_create(_, [max_bytes(-1)]), [], throws(domain_error(not_less_than_zero, -1))).
t(bytes_atom, thread_create(true, _, [queue_max_bytes(a)]), [], throws(type_error(integer, a))).

% Mutexes

t(with_mutex, with_mutex(thr_m, X = 1), [X], answers([[1]])).
t(with_mutex_once, with_mutex(thr_m, thr_p(X)), [X], answers([[1]])).
t(with_mutex_fail, with_mutex(thr_m, fail), [], fails).
t(with_mutex_throw, with_mutex(thr_m, throw(b)), [], throws_ball(b)).
t(with_mutex_released, ( catch(with_mutex(thr_m, throw(b)), b, true), thr_status(with_mutex(thr_m, true), S) ), [S],
  answers([[true]])).
t(with_mutex_recursive, with_mutex(thr_m, with_mutex(thr_m, X = 1)), [X], answers([[1]])).
t(with_mutex_anonymous, thr_with_mutex(M, with_mutex(M, X = 1)), [X], answers([[1]])).
t(mutex_create_alias, ( mutex_create(M, [alias(thr_mutex)]), with_mutex(thr_mutex, true), mutex_destroy(thr_mutex), M == thr_mutex ), [],
  answers([[]])).
t(lock_unlock, thr_with_mutex(M, ( mutex_lock(M), mutex_unlock(M) )), [], answers([[]])).
t(lock_twice, thr_with_mutex(M, ( mutex_lock(M), mutex_lock(M), mutex_unlock(M), mutex_unlock(M) )), [], answers([[]])).
t(trylock, thr_with_mutex(M, ( mutex_trylock(M), mutex_unlock(M) )), [], answers([[]])).
t(trylock_held, thr_with_mutex(M, ( mutex_lock(M), thr_status(mutex_trylock(M), S), mutex_unlock(M) )), [S],
  answers([[false]])).
t(mutual_exclusion, ( retractall(thr_shared(_, _)), assertz(thr_shared(k, 0)), findall(Id, ( between(1, 4, _), thread_create(thr_add(k, 200), Id) ), Ids), forall(member(Id, Ids), thread_join(Id, true)), thr_shared(k, V), retractall(thr_shared(_, _)) ), [V],
  answers([[800]])).
t(unlock_not_locked, thr_with_mutex(M, mutex_unlock(M)), [], throws(permission_error(unlock, mutex, _))).
t(unlock_unknown, mutex_unlock(thr_no_mutex), [], throws(existence_error(mutex, thr_no_mutex))).
t(mutex_unbound, mutex_lock(_), [], throws(instantiation_error)).
t(with_mutex_unbound, with_mutex(_, true), [], throws(instantiation_error)).
t(with_mutex_goal_unbound, with_mutex(thr_m, _), [], throws(instantiation_error)).
% The first attributed variable of a thread comes in a message that it does not take.
thr_taken(Q, T) :- ( T = d(_, _, _), thread_get_message(Q, T, [timeout(0)]) -> true ; T = none ).
thr_all(Q, L) :- thr_taken(Q, T), ( T = d(S, _, _), S == stop -> L = [] ; L = [T|R], thr_all(Q, R) ).
t(first_attributed_not_taken, ( message_queue_create(Q), forall(member(F, [a, d, a, a, d]), ( put_attr(P, thr_attribute, F), M =.. [F, 1, 2, P], thread_send_message(Q, M) )), thread_send_message(Q, d(stop, 1, _)), thread_self(Me),
       thread_create(( thr_all(Q, L), findall(A, ( member(d(_, _, V), L), get_attr(V, thr_attribute, A) ), As), thread_send_message(Me, attributes(As)) ), T), thread_join(T, S), thread_get_message(attributes(As1)), message_queue_destroy(Q) ), [S, As1],
    answers([[true, [d, d]]])).
t(mutex_used_last_is_gone, ( mutex_create(_, [alias(thr_again)]), with_mutex(thr_again, true), mutex_destroy(thr_again), with_mutex(thr_again, true), catch(mutex_unlock(thr_again), error(E, _), true), mutex_destroy(thr_again) ), [E],
    answers([[permission_error(unlock, mutex, thr_again)]])).
t(mutex_alias_taken, ( mutex_create(_, [alias(thr_mtaken)]), call_cleanup(mutex_create(_, [alias(thr_mtaken)]), mutex_destroy(thr_mtaken)) ), [],
  throws(permission_error(create, mutex, thr_mtaken))).
t(mutex_destroy_unknown, mutex_destroy(thr_no_mutex_2), [], throws(existence_error(mutex, thr_no_mutex_2))).
t(mutex_number, mutex_lock(1.5), [], throws(type_error(mutex, 1.5))).

% The database seen by threads

t(shared_facts, ( retractall(thr_fact(_)), thr_status(assertz(thr_fact(a)), S), findall(X, thr_fact(X), L), retractall(thr_fact(_)) ), [S, L],
  answers([[true, [a]]])).
t(shared_read, ( retractall(thr_fact(_)), assertz(thr_fact(b)), thr_status(thr_fact(b), S), retractall(thr_fact(_)) ), [S],
  answers([[true]])).
t(concurrent_asserts, ( retractall(thr_fact(_)), findall(Id, ( between(1, 4, K), thread_create(forall(between(1, 250, I), assertz(thr_fact(K-I))), Id) ), Ids), forall(member(Id, Ids), thread_join(Id, true)), findall(X, thr_fact(X), L), retractall(thr_fact(_)), length(L, N), sort(L, S), length(S, M) ), [N, M],
  answers([[1000, 1000]])).
t(local_is_empty_in_thread, ( retractall(thr_local(_)), assertz(thr_local(main)), thr_status(thr_local(_), S), findall(X, thr_local(X), L), retractall(thr_local(_)) ), [S, L],
  answers([[false, [main]]])).
t(local_in_thread, ( retractall(thr_local(_)), thr_status(( assertz(thr_local(x)), thr_local(x) ), S), findall(X, thr_local(X), L) ), [S, L],
  answers([[true, []]])).
t(local_property, predicate_property(thr_local(_), thread_local), [], answers([[]])).
t(global_variables_are_private, ( nb_setval(thr_var, main), thr_status(( nb_setval(thr_var, x), nb_getval(thr_var, x) ), S), nb_getval(thr_var, V) ), [S, V],
  answers([[true, main]])).
t(findall_in_threads, ( findall(Id, ( between(1, 4, _), thread_create(( findall(X, between(1, 1000, X), L), length(L, 1000) ), Id) ), Ids), findall(S, ( member(Id, Ids), thread_join(Id, S) ), Ss) ), [Ss],
  answers([[[true, true, true, true]]])).
t(concurrent, concurrent(2, [X = 1, Y = 2, Z = 3], []), [X, Y, Z], answers([[1, 2, 3]])).
t(concurrent_maplist, concurrent_maplist([X, Y]>>(Y is X * X), [1, 2, 3], L), [L], answers([[[1, 4, 9]]])).
t(concurrent_forall, concurrent_forall(member(X, [1, 2, 3]), X > 0), [], answers([[]])).

% Options of thread_create/3

thr_option(Option) :-
    thread_create(true, Id, [Option]),
    thread_join(Id, true).

t(option_stack_limit_atom, thr_option(stack_limit(foo)), [], throws(type_error(integer, foo))).
t(option_stack_limit_negative, thr_option(stack_limit(-1)), [], throws(domain_error(not_less_than_zero, -1))).
t(option_queue_max_size_negative, thr_option(queue_max_size(-1)), [], throws(domain_error(not_less_than_zero, -1))).
t(option_inherit_from_none, thr_option(inherit_from(thr_no_such)), [], throws(existence_error(thread, thr_no_such))).
t(option_inherit_from_main, thr_option(inherit_from(main)), [], answers([[]])).
t(option_inherit_flags, ( thread_self(Me), thread_create(( set_prolog_flag(double_quotes, atom), thread_send_message(Me, set), thread_get_message(stop) ), T, []), thread_get_message(set), thread_create(( term_to_atom(X, '"abc"'), ( atom(X) -> true ) ), Id, [inherit_from(T)]), thread_join(Id, S), thread_send_message(T, stop), thread_join(T, _) ), [S],
  answers([[true]])).
t(option_c_stack_atom, thr_option(c_stack(foo)), [], throws(type_error(integer, foo))).
t(option_c_stack, thr_option(c_stack(4000000)), [], answers([[]])).
t(option_affinity_no_list, thr_option(affinity(0)), [], throws(type_error(list, 0))).
t(option_affinity_no_integer, thr_option(affinity([foo])), [], throws(type_error(integer, foo))).
t(option_affinity_none, thr_option(affinity([])), [], throws(domain_error(cpu_affinity, []))).
t(option_affinity_no_such, thr_option(affinity([100000])), [], throws(existence_error(cpu, 100000))).
t(option_affinity, thr_option(affinity([0])), [], answers([[]])).
t(option_atom, thr_option(foo), [], throws(type_error(option, foo))).
t(option_two_arguments, thr_option(foo(1, 2)), [], throws(type_error(option, foo(1, 2)))).
t(option_integer, thr_option(1), [], throws(type_error(option, 1))).
t(option_unknown, thr_option(foo(1)), [], answers([[]])).

% What has no alias is called by a handle: it leaves no name, and refers to nothing once its object is gone

thr_unnamed :-
    mutex_create(M), with_mutex(M, true), mutex_destroy(M),
    message_queue_create(Q), message_queue_destroy(Q),
    thread_create(true, T), thread_join(T, true).

t(unnamed_leave_no_atoms, ( thr_unnamed, statistics(atoms, Before), forall(between(1, 20, _), thr_unnamed), statistics(atoms, After), Made is After - Before, ( Made < 20 -> true ; print(Made) ) ), [], answers([[]])).
t(unnamed_kinds, ( mutex_create(M), blob(M, A), mutex_destroy(M), message_queue_create(Q), blob(Q, B), message_queue_destroy(Q), thread_create(true, T), blob(T, C), thread_join(T, _) ), [A, B, C],
  answers([[mutex, message_queue, thread]])).
t(unnamed_gone_mutex, ( mutex_create(M), mutex_destroy(M), mutex_create(_), catch(mutex_lock(M), error(E, _), true), E =.. [F, K, C], ( C == M -> true ) ), [F, K], answers([[existence_error, mutex]])).
t(unnamed_gone_queue, ( message_queue_create(Q), message_queue_destroy(Q), message_queue_create(_), catch(thread_send_message(Q, x), error(E, _), true), E =.. [F, K, C], ( C == Q -> true ) ), [F, K], answers([[existence_error, message_queue]])).
t(unnamed_gone_thread, ( thread_create(true, T), thread_join(T, _), thread_create(true, U), catch(thread_join(T, _), error(E, _), true), thread_join(U, _), E =.. [F, K, C], ( C == T -> true ) ), [F, K], answers([[existence_error, thread]])).
t(unnamed_other_kind, ( mutex_create(M), message_queue_create(Q), catch(mutex_lock(Q), error(type_error(A, _), _), true), catch(thread_join(M, _), error(type_error(B, _), _), true), catch(thread_send_message(M, x), error(existence_error(C, _), _), true), mutex_destroy(M), message_queue_destroy(Q) ), [A, B, C],
  answers([[mutex, thread, message_queue]])).
t(time_limit_while_masked, ( catch(call_with_time_limit(0.05, setup_call_cleanup(sleep(0.2), true, true)), E, true), true, true ), [E], answers([[time_limit_exceeded]])).
t(time_limit_in_time, ( catch(call_with_time_limit(5, true), E, true), sleep(0.01) ), [E], answers([[_]])).

% A thread begins with the current streams of its creator.
t(thread_output, with_output_to(string(S), ( thread_create(write(x), T), thread_join(T), write(y) )), [S], answers([["xy"]])).
t(thread_output_of_its_own, with_output_to(string(S), ( thread_create(( set_output(user_error), with_output_to(string(_), write(z)) ), T), thread_join(T), write(y) )), [S], answers([["y"]])).
t(thread_output_nested, with_output_to(string(S), ( thread_create(( write(1), with_output_to(string(Q), ( thread_create(write(2), U), thread_join(U) )), write(Q) ), T), thread_join(T) )), [S], answers([["12"]])).
t(thread_output_to_stream, ( tmp_file(thr, F), open(F, write, O), current_output(C), set_output(O), thread_create(write(x), T), thread_join(T), set_output(C), close(O), read_file_to_string(F, S, []), delete_file(F) ), [S], answers([["x"]])).
t(thread_input, ( tmp_file(thr, F), tell(F), write('a. b.'), told, see(F), read(A), thread_create(( read(X), thread_exit(X) ), T), thread_join(T, E), seen, delete_file(F) ), [A, E], answers([[a, exited(b)]])).
% What has been closed when the thread comes to it is no more current there.
t(thread_output_outlived, ( message_queue_create(Q), with_output_to(string(S), ( write(a), thread_create(( thread_get_message(Q, go), ( catch(( current_output(O), O \== S0 ), error(_, _), true) -> R = other ; R = same ), thread_send_message(Q, done(R)) ), T), current_output(S0) )),
  thread_send_message(Q, go), thread_get_message(Q, done(R1)), thread_join(T), message_queue_destroy(Q) ), [S, R1], answers([["a", other]])).
t(thread_output_concurrent, with_output_to(string(S), concurrent_forall(member(_, [1, 2, 3]), write(x))), [S], answers([["xxx"]])).

% Processor time is the calling thread's; that of the process is all threads'. How much there is of it nobody knows: a thread that works until the
% process has used a tenth of a second more has used some of that itself, and who waits for it has not.

thr_work(Until) :- statistics(process_runtime, [T|_]), ( T > Until -> true ; thr_work(Until) ).

thr_worker(Work, Mine, Theirs) :-
    statistics(process_cputime, P0), statistics(process_runtime, [M0|_]), statistics(cputime, C0), statistics(runtime, [R0|_]),
    Until is M0 + Work,
    thread_create(thr_work(Until), Id),
    thread_join(Id, _),
    statistics(cputime, C1), statistics(runtime, [R1|_]), statistics(process_cputime, P1),
    Mine is C1 - C0, Theirs is P1 - P0 - Mine,
    R is R1 - R0, R =< Mine * 1000 + 2.

t(cputime_is_own, ( thr_worker(100, Mine, Theirs), Mine < Theirs ), [], answers([[]])).
t(cputime_of_process, ( statistics(process_cputime, P), X is cputime, statistics(process_cputime, Q), P =< X, X =< Q ), [], answers([[]])).
t(cputime_of_another, ( thread_self(Me), statistics(cputime, C0), thread_create(( statistics(process_runtime, [P|_]), Until is P + 100, thr_work(Until), thread_send_message(Me, ready), thread_get_message(end) ), Id), thread_get_message(ready),
    thread_statistics(Id, cputime, T), statistics(cputime, C1), thread_send_message(Id, end), thread_join(Id), T > 0, C0 =< C1 ), [], answers([[]])).

% A hook of messages of a thread's own.
t(thread_message_hook, ( asserta((user:thread_message_hook(th_told(X), Kind, _) :- nb_setval(th_heard, Kind-X))), print_message(error, th_told(1)),
    thread_create(\+ clause(user:thread_message_hook(th_told(_), _, _), _), Id), thread_join(Id, Status), nb_getval(th_heard, Heard),
    retractall(user:thread_message_hook(th_told(_), _, _)) ), [Heard, Status], answers([[error-1, true]])).

%   Goals that wait for variables of a pattern decide which message is taken.
constrained(Ms, Q) :- message_queue_create(Q), forall(member(M, Ms), thread_send_message(Q, M)).
queued(Q, Ms) :- thread_peek_message(Q, M), !, thread_get_message(Q, M), Ms = [M|Ms1], queued(Q, Ms1).
queued(Q, []) :- message_queue_destroy(Q).
even(N) :- integer(N), N mod 2 =:= 0.
t(constrained, ( constrained([1, 3, f(4), 6, 8], Q), freeze(X, even(X)), thread_get_message(Q, X), queued(Q, Left) ), [X, Left], answers([[6, [1, 3, f(4), 8]]])).
t(constrained_within, ( constrained([f(1), g(2), f(2)], Q), freeze(X, even(X)), thread_get_message(Q, f(X)), queued(Q, Left) ), [X, Left], answers([[2, [f(1), g(2)]]])).
t(constrained_dif, ( constrained([1, 2, 3], Q), dif(X, 1), dif(X, 2), thread_get_message(Q, X), queued(Q, Left) ), [X, Left], answers([[3, [1, 2]]])).
t(constrained_peek, ( constrained([1, 2], Q), freeze(X, even(X)), thread_peek_message(Q, X), queued(Q, Left) ), [X, Left], answers([[2, [1, 2]]])).
t(constrained_none, ( constrained([1, 3], Q), freeze(X, even(X)), ( thread_peek_message(Q, X) -> R = X ; R = none ),
                      ( thread_get_message(Q, X, [timeout(0.01)]) -> L = X ; L = late ), queued(Q, Left) ), [R, L, Left], answers([[none, late, [1, 3]]])).
t(constrained_own, ( thread_self(Me), thread_send_message(Me, own(1)), thread_send_message(Me, own(2)), freeze(X, even(X)),
                     thread_get_message(own(X)), thread_get_message(own(Y)) ), [X, Y], answers([[2, 1]])).
t(constrained_wait, ( constrained([1], Q), thread_create(( sleep(0.02), thread_send_message(Q, 3), thread_send_message(Q, 4) ), T),
                      freeze(X, even(X)), thread_get_message(Q, X), thread_join(T), queued(Q, Left) ), [X, Left], answers([[4, [1, 3]]])).
t(constrained_error, ( constrained([1], Q), freeze(X, throw(oops(X))), catch(thread_get_message(Q, X), E, true), queued(Q, Left) ), [E, Left], answers([[oops(1), [1]]])).
t(constrained_limit, ( constrained([1], Q), freeze(X, even(X)), catch(call_with_time_limit(0.05, thread_get_message(Q, X)), E, true), queued(Q, Left) ), [E, Left],
  answers([[time_limit_exceeded, [1]]])).
t(constrained_destroyed, ( constrained([1], Q), freeze(X, even(X)), thread_create(( sleep(0.02), message_queue_destroy(Q) ), T),
                           catch(thread_get_message(Q, X), error(E, _), true), thread_join(T), E = existence_error(message_queue, _) ), [], answers([[]])).
%   Each of several receivers takes one of what is for it; nobody's message is lost.
receive_of(Q, R, N) :- forall(between(1, N, _), ( freeze(X, X mod 3 =:= R), thread_get_message(Q, X) )).
t(constrained_by_several, ( constrained([], Q), findall(T, ( member(R, [0, 1, 2]), thread_create(receive_of(Q, R, 50), T) ), Ts),
                            forall(between(1, 150, I), thread_send_message(Q, I)), forall(member(T, Ts), thread_join(T, true)), queued(Q, Left) ), [Left], answers([[[]]])).
%   A name that has been sent to means something else, or nothing, later.
renamed_error(Goal, E) :- catch(( Goal -> E = true ; E = false ), error(E, _), true).
t(name_means_another, ( forall(member(M, [1, 2]), ( message_queue_create(renamed), thread_send_message(renamed, M), thread_get_message(renamed, N), N == M, message_queue_destroy(renamed) )),
                        renamed_error(thread_send_message(renamed, 3), E),
                        thread_create(( thread_get_message(X), thread_get_message(back(X)) ), T, [alias(renamed)]), thread_send_message(renamed, x), thread_send_message(renamed, back(x)), thread_join(T, S),
                        renamed_error(thread_send_message(renamed, 4), E2) ), [E, S, E2], answers([[existence_error(message_queue, renamed), true, existence_error(message_queue, renamed)]])).
t(name_of_ended, ( thread_create(thread_get_message(x), T), thread_send_message(T, x), repeat, renamed_error(message_queue_property(T, size(_)), E0), E0 \== true, !, E0 = existence_error(thread, T0), T0 == T,
                    renamed_error(thread_send_message(T, x), existence_error(thread, T1)), T1 == T ), [], answers([[]])).
%   Messages of one kind among many others, from both ends.
t(kinds_among_many, ( message_queue_create(Q), forall(between(1, 100, I), ( thread_send_message(Q, other(I)), thread_send_message(Q, I) )), thread_send_message(Q, kind(1)), thread_send_message(Q, _), thread_send_message(Q, kind(2)),
                      thread_get_message(Q, kind(A)), thread_get_message(Q, kind(B)), thread_get_message(Q, kind(C)), thread_get_message(Q, 50), thread_get_message(Q, F),
                      thread_peek_message(Q, other(100)), \+ thread_peek_message(Q, kind(_)), message_queue_property(Q, size(Size)), message_queue_destroy(Q), ( var(B) -> B = open ; true ) ), [A, B, C, F, Size], answers([[1, open, 2, other(1), 198]])).
%   What a thread has been bound to, or has been, is not the next one's.
t(bound_is_its_own, ( thread_create(( thread_self(T0), thread_affinity(T0, P0, P0), thread_exit(P0) ), Z, [kind(native)]), thread_join(Z, exited(All)), All = [First|_],
                      thread_create(( thread_self(T1), thread_affinity(T1, _, [First]) ), A, [kind(native)]), thread_join(A),
                      findall(Ps, ( between(1, 5, _), thread_create(( thread_self(T2), thread_affinity(T2, Own, Own), thread_exit(Own) ), B, [kind(native)]), thread_join(B, exited(Ps)) ), Found),
                      sort(Found, [All]) ), [], answers([[]])).
t(ended_has_no_processors, ( thread_create(true, A, [kind(native)]), repeat, thread_property(A, status(true)), !, thread_create(thread_get_message(_), B, [kind(native)]),
                             ( between(1, 100, _), renamed_error(thread_affinity(A, _, [0]), E), E \== true -> true ; true ), thread_send_message(B, x), thread_join(A), thread_join(B) ), [], answers([[]])).
