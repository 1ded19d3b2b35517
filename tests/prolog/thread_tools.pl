% What is built on threads: pools, locks for reading and writing, goals run by other threads; and what can be set of threads and seen of them.
% As in SWI-Prolog; what differs is said.

:- use_module(library(thread)).
:- use_module(library(threadutil)).
:- dynamic(tt_note/1).
:- dynamic(tt_count/1).

tt_note_it(X) :- assertz(tt_note(X)).
tt_notes(L) :- findall(X, retract(tt_note(X)), L).

% Goal once there is a thread that does what it is told.
tt_with_thread(T, Options, Goal) :-
    thread_self(Me),
    setup_call_cleanup(
        thread_create(( thread_send_message(Me, tt_started), repeat, thread_get_message(X), X == stop, ! ), T, Options),
        ( thread_get_message(tt_started), Goal ),
        ( thread_send_message(T, stop), thread_join(T) )).

% Pools

tt_pool(Pool, Size, Options, Goal) :-
    setup_call_cleanup(thread_pool_create(Pool, Size, Options), Goal, thread_pool_destroy(Pool)).

tt_until(Goal) :- ( call(Goal) -> true ; sleep(0.005), tt_until(Goal) ).

t(pool_runs, tt_pool(tt_p, 2, [], ( thread_create_in_pool(tt_p, true, T, []), thread_join(T, S) )), [S], answers([[true]])).
t(pool_properties, tt_pool(tt_p, 2, [stack_limit(1000000)], ( thread_create_in_pool(tt_p, thread_get_message(go), T, []), findall(P, ( thread_pool_property(tt_p, P), P \= members(_) ), L), thread_pool_property(tt_p, members(Ms)), ( Ms == [T] -> true ),
    thread_send_message(T, go), thread_join(T), findall(P, thread_pool_property(tt_p, P), M) )), [L, M],
  answers([[[options([stack_limit(1000000)]), backlog(0), free(1), size(2), running(1)], [options([stack_limit(1000000)]), backlog(0), free(2), size(2), running(0), members([])]]])).
t(pool_full, tt_pool(tt_p, 1, [], ( thread_create_in_pool(tt_p, thread_get_message(go), T, []), catch(thread_create_in_pool(tt_p, true, _, [wait(false)]), error(E, _), true), thread_send_message(T, go), thread_join(T) )), [E], answers([[resource_error(threads_in_pool(tt_p))]])).
t(pool_no_backlog, tt_pool(tt_p, 1, [backlog(0)], ( thread_create_in_pool(tt_p, thread_get_message(go), T, []), catch(thread_create_in_pool(tt_p, true, _, []), error(E, _), true), thread_send_message(T, go), thread_join(T) )), [E], answers([[resource_error(threads_in_pool(tt_p))]])).
t(pool_waits, tt_pool(tt_p, 1, [], ( thread_create_in_pool(tt_p, thread_get_message(go), T, []), thread_create(( thread_create_in_pool(tt_p, thread_exit(second), U, []), thread_join(U, S), thread_exit(S) ), W),
    tt_until(thread_pool_property(tt_p, backlog(1))), thread_send_message(T, go), thread_join(T), thread_join(W, E) )), [E], answers([[exited(exited(second))]])).
t(pool_wait_given_up, tt_pool(tt_p, 1, [], ( thread_create_in_pool(tt_p, thread_get_message(go), T, []), catch(call_with_time_limit(0.05, thread_create_in_pool(tt_p, true, _, [])), E, true), thread_pool_property(tt_p, backlog(B)), thread_send_message(T, go), thread_join(T), thread_pool_property(tt_p, free(F)) )), [E, B, F],
  answers([[time_limit_exceeded, 0, 1]])).
t(pool_many, tt_pool(tt_p, 3, [], ( findall(T, ( between(1, 60, I), thread_create_in_pool(tt_p, tt_crowd(I), T, []) ), Ts), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L), thread_pool_property(tt_p, free(F)) )), [L, F], answers([[[true], 3]])).
tt_crowd(_) :- thread_pool_property(tt_p, running(N)), N =< 3.
t(pool_of_the_killed, tt_pool(tt_p, 1, [], ( thread_create_in_pool(tt_p, ( repeat, fail ), T, []), thread_signal(T, throw(x)), thread_join(T, S), thread_pool_property(tt_p, free(F)) )), [S, F], answers([[exception(x), 1]])).
t(pool_of_the_refused, tt_pool(tt_p, 1, [], ( catch(thread_create_in_pool(tt_p, true, _, [alias(main)]), error(E, _), true), thread_pool_property(tt_p, free(F)) )), [E, F], answers([[permission_error(create, thread, main), 1]])).
t(pool_destroyed_while_waited_for, ( thread_pool_create(tt_p, 1, []), thread_create_in_pool(tt_p, thread_get_message(go), T, []), thread_create(catch(thread_create_in_pool(tt_p, true, _, []), error(E, _), thread_exit(E)), W), tt_until(thread_pool_property(tt_p, backlog(1))),
    thread_pool_destroy(tt_p), thread_join(W, S), thread_send_message(T, go), thread_join(T) ), [S], answers([[exited(existence_error(thread_pool, tt_p))]])).
t(pool_made_on_demand, ( assertz((thread_pool:create_pool(tt_q) :- thread_pool_create(tt_q, 1, []))), thread_create_in_pool(tt_q, true, T, []), thread_join(T, S), thread_pool_destroy(tt_q), retractall(thread_pool:create_pool(_)) ), [S], answers([[true]])).
t(pool_twice, tt_pool(tt_p, 1, [], thread_pool_create(tt_p, 1, [])), [], throws(permission_error(create, thread_pool, tt_p))).
t(pool_none, thread_create_in_pool(tt_none, true, _, []), [], throws(existence_error(thread_pool, tt_none))).
t(pool_none_destroyed, thread_pool_destroy(tt_none), [], throws(existence_error(thread_pool, tt_none))).
t(pool_none_property, thread_pool_property(tt_none, _), [], throws(existence_error(thread_pool, tt_none))).
t(pool_current, tt_pool(tt_p, 1, [], current_thread_pool(tt_p)), [], answers([[]])).
% SWI-Prolog 9.0.4 takes what is neither name nor number.
t(pool_unbound, thread_pool_create(_, 1, []), [], throws(instantiation_error)).
t(pool_size, thread_pool_create(tt_p, a, []), [], throws(type_error(positive_integer, a))).
t(pool_size_zero, thread_pool_create(tt_p, 0, []), [], throws(type_error(positive_integer, 0))).

% Locks

tt_add(0) :- !.
tt_add(N) :- with_rwlock(tt_l, ( retract(tt_count(V)), V1 is V + 1, assertz(tt_count(V1)) ), write), with_rwlock(tt_l, tt_count(_), read), M is N - 1, tt_add(M).
t(rwlock_excludes, ( assertz(tt_count(0)), findall(T, ( between(1, 4, _), thread_create(tt_add(100), T) ), Ts), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L), retract(tt_count(N)) ), [L, N], answers([[[true], 400]])).
t(rwlock_readers_together, ( thread_self(Me), findall(T, ( between(1, 3, _), thread_create(with_rwlock(tt_l, ( thread_send_message(Me, in), thread_get_message(go) ), read), T) ), Ts), forall(between(1, 3, _), thread_get_message(in)), forall(member(T, Ts), ( thread_send_message(T, go), thread_join(T) )) ), [], answers([[]])).
t(rwlock_timeout, ( thread_self(Me), thread_create(with_rwlock(tt_l, ( thread_send_message(Me, in), thread_get_message(go) ), write), T), thread_get_message(in), ( with_rwlock(tt_l, true, read, [timeout(0.02)]) -> R = yes ; R = no ), ( with_rwlock(tt_l, true, write, [timeout(0)]) -> W = yes ; W = no ), thread_send_message(T, go), thread_join(T), with_rwlock(tt_l, true, write) ), [R, W], answers([[no, no]])).
t(rwlock_order, ( thread_self(Me), thread_create(with_rwlock(tt_l, ( thread_send_message(Me, in), thread_get_message(go) ), write), T), thread_get_message(in),
    tt_queue_up(1, thread_send_message(Me, r), read, A), tt_queue_up(2, thread_send_message(Me, w), write, B), tt_queue_up(3, thread_send_message(Me, p), read(200), C), thread_send_message(T, go), findall(X, ( between(1, 3, _), thread_get_message(X) ), L), forall(member(J, [T, A, B, C]), thread_join(J)) ), [L], answers([[[p, w, r]]])).
tt_queue_up(N, Goal, Mode, T) :- thread_create(with_rwlock(tt_l, Goal, Mode), T), tt_until(( rwlocks:'$rwlock'(tt_l, _, Ws), length(Ws, N) )).
t(rwlock_again, with_rwlock(tt_l, with_rwlock(tt_l, with_rwlock(tt_l, X = 1, read), write), write), [X], answers([[1]])).
t(rwlock_once, with_rwlock(tt_l, member(X, [1, 2]), read), [X], answers([[1]])).
t(rwlock_fails, with_rwlock(tt_l, fail, read), [], fails).
t(rwlock_throws, with_rwlock(tt_l, throw(x), write), [], throws_ball(x)).
t(rwlock_of_the_killed, ( thread_self(Me), thread_create(with_rwlock(tt_l, ( thread_send_message(Me, in), repeat, fail ), write), T), thread_get_message(in), thread_signal(T, throw(x)), with_rwlock(tt_l, true, write), thread_join(T, S) ), [S], answers([[exception(x)]])).
t(rwlock_nothing_left, rwlocks:'$rwlock'(_, _, _), [], fails).
t(rwlock_unbound, with_rwlock(_, true, read), [], throws(instantiation_error)).
t(rwlock_mode, with_rwlock(tt_l, true, foo), [], throws(domain_error(rwlock_mode, foo))).

% Goals run by other threads

t(call_in, tt_with_thread(T, [], ( call_in_thread(T, ( thread_self(S), X = 1 )), ( S == T -> true ) )), [X], answers([[1]])).
t(call_in_once, tt_with_thread(T, [], call_in_thread(T, member(X, [1, 2]))), [X], answers([[1]])).
t(call_in_fails, tt_with_thread(T, [], call_in_thread(T, fail)), [], fails).
t(call_in_throws, tt_with_thread(T, [], call_in_thread(T, throw(foo))), [], throws_ball(foo)).
t(call_in_error, tt_with_thread(T, [], call_in_thread(T, atom_length(_, _))), [], throws(instantiation_error)).
t(call_in_self, ( thread_self(Me), call_in_thread(Me, X = 1) ), [X], answers([[1]])).
t(call_in_late, tt_with_thread(T, [], call_in_thread(T, ( repeat, fail ), [timeout(0.03)])), [], throws_ball(time_limit_exceeded)).
t(call_in_late_goal, tt_with_thread(T, [], call_in_thread(T, ( repeat, fail ), [timeout(0.03), on_timeout(X = late)])), [X], answers([[late]])).
t(call_in_late_is_over, tt_with_thread(T, [], ( catch(call_in_thread(T, ( repeat, fail ), [timeout(0.03)]), time_limit_exceeded, true), call_in_thread(T, X = 2) )), [X], answers([[2]])).
t(call_in_none, call_in_thread(tt_none, true), [], throws(existence_error(thread, tt_none))).
t(call_in_unbound, tt_with_thread(T, [], call_in_thread(T, _)), [], throws(instantiation_error)).

t(first_solution, first_solution(X, [( repeat, fail ), X = 1], []), [X], answers([[1]])).
t(first_solution_fails, first_solution(_, [( repeat, fail ), fail], []), [], fails).
t(first_solution_fails_on, first_solution(X, [fail, ( sleep(0.02), X = 1 )], [on_fail(continue)]), [X], answers([[1]])).
t(first_solution_throws, first_solution(_, [( repeat, fail ), throw(a)], []), [], throws_ball(a)).
t(first_solution_throws_on, first_solution(X, [throw(a), ( sleep(0.02), X = 1 )], [on_error(continue)]), [X], answers([[1]])).

% Deadlocks, which SWI-Prolog waits in. The thread that would complete one hears of it, and only that.

tt_detecting(Goal) :- setup_call_cleanup(set_prolog_flag(detect_deadlocks, true), Goal, set_prolog_flag(detect_deadlocks, false)).

tt_lock(Mine, Theirs, Main) :- with_mutex(Mine, ( thread_send_message(Main, has(Mine)), thread_get_message(go), with_mutex(Theirs, true) )).

tt_crossing(Ss) :-
    thread_self(Me),
    thread_create(tt_lock(tt_m1, tt_m2, Me), A), thread_create(tt_lock(tt_m2, tt_m1, Me), B),
    thread_get_message(has(tt_m1)), thread_get_message(has(tt_m2)),
    thread_send_message(A, go), thread_send_message(B, go),
    thread_join(A, S), thread_join(B, T),
    msort([S, T], Ss).

t(deadlock_of_mutexes, ( tt_detecting(tt_crossing(Ss)), Ss = [true, exception(error(E, _))], E =.. [F, X, Y, M], ( memberchk(M, [tt_m1, tt_m2]) -> true ) ), [F, X, Y], answers([[permission_error, lock, mutex]])).
t(deadlock_of_mutexes_often, tt_detecting(forall(between(1, 30, _), ( tt_crossing(Ss), Ss = [true, exception(error(permission_error(lock, mutex, _), _))] ))), [], answers([[]])).
t(deadlock_of_joins, tt_detecting(( thread_self(Me), thread_create(( thread_get_message(join(U)), catch(thread_join(U, _), error(E, _), true), thread_send_message(Me, a(E)) ), A), thread_create(( catch(thread_join(A, _), error(E, _), true), thread_send_message(Me, b(E)) ), B),
    thread_send_message(A, join(B)), thread_get_message(a(EA)), thread_get_message(b(EB)), forall(member(T, [A, B]), catch(thread_join(T, _), error(existence_error(_, _), _), true)), findall(F-X, ( member(E0, [EA, EB]), nonvar(E0), functor(E0, F, _), arg(1, E0, X) ), L), length(L, N) )), [N], answers([[1]])).
t(deadlock_of_join_and_mutex, tt_detecting(( thread_self(Me), with_mutex(tt_m1, ( thread_create(( thread_send_message(Me, here), catch(with_mutex(tt_m1, true), error(E, _), thread_exit(E)) ), T), thread_get_message(here), catch(thread_join(T, S0), error(E0, _), true) )), ( nonvar(E0) -> thread_join(T, true), R = E0 ; S0 = exited(R) ), R =.. [F, W|_], memberchk(W, [lock, join]) )), [F], answers([[permission_error]])).
t(deadlock_none, tt_detecting(( thread_self(Me), findall(T, ( between(1, 8, _), thread_create(forall(between(1, 200, _), with_mutex(tt_m1, with_mutex(tt_m2, true))), T) ), Ts), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L), nonvar(Me) )), [L], answers([[[true]]])).
% As far as the owner has ended when it is asked for; the end of a thread wakes nobody.
t(deadlock_of_who_has_ended, tt_detecting(( mutex_create(M), thread_create(mutex_lock(M), T), thread_join(T), catch(mutex_lock(M), error(E, _), true), E = permission_error(A, B, C), ( C == M -> true ) )), [A, B], answers([[lock, mutex]])).
t(deadlock_given_up, tt_detecting(( thread_self(Me), thread_create(with_mutex(tt_m1, ( thread_send_message(Me, has), thread_get_message(go) )), T), thread_get_message(has), catch(call_with_time_limit(0.02, with_mutex(tt_m1, true)), E, true), thread_send_message(T, go), thread_join(T, S) )), [E, S], answers([[time_limit_exceeded, true]])).

% What is set

t(set_alias, tt_with_thread(T, [], ( set_thread(T, alias(tt_named)), thread_property(T, alias(A)), thread_property(tt_named, system_thread_id(N)), format(atom(F), '/proc/self/task/~w/comm', [N]), read_file_to_string(F, S, []) )), [A, S], native(answers([[tt_named, "tt_named\n"]]))).
t(set_alias_again, tt_with_thread(T, [alias(tt_named)], set_thread(T, alias(tt_other))), [], throws(permission_error('re-alias', thread, tt_named))).
t(set_debug, tt_with_thread(T, [], ( thread_property(T, debug(A)), set_thread(T, debug(false)), thread_property(T, debug(B)) )), [A, B], answers([[true, false]])).
t(set_class, tt_with_thread(T, [class(one)], ( thread_property(T, class(A)), set_thread(T, class(two)), thread_property(T, class(B)) )), [A, B], answers([[one, two]])).
t(set_debug_atom, set_thread(main, debug(x)), [], throws(type_error(bool, x))).
t(set_unknown, set_thread(main, foo(1)), [], throws(domain_error(thread_property, foo(1)))).
t(set_atom, set_thread(main, foo), [], throws(type_error(property, foo))).
t(set_unbound, set_thread(main, _), [], throws(instantiation_error)).
t(create_debug, tt_with_thread(T, [debug(false)], thread_property(T, debug(A))), [A], answers([[false]])).
t(create_debug_atom, thread_create(true, _, [debug(x)]), [], throws(type_error(bool, x))).
t(create_class_integer, thread_create(true, _, [class(1)]), [], throws(type_error(atom, 1))).
t(property_size, tt_with_thread(T, [], ( thread_property(T, size(A)), thread_property(main, size(B)), A > 0, B > 0 )), [], answers([[]])).
t(property_main, ( thread_property(main, system_thread_id(N)), current_prolog_flag(pid, P), ( N == P -> true ) ), [], answers([[]])).
t(property_engine, thread_property(main, engine(E)), [E], answers([[false]])).

t(affinity, tt_with_thread(T, [], ( thread_affinity(T, A, A), A = [C|_], thread_affinity(T, A, [C]), thread_affinity(T, B, B), ( B == [C] -> true ) )), [], native(answers([[]]))).
t(affinity_given_back, ( thread_affinity(main, Old, Old), Old = [C|_], thread_affinity(main, _, [C]), thread_affinity(main, _, Old), thread_affinity(main, Now, Now),
                         ( Now == Old -> true ) ), [], answers([[]])).
t(affinity_partial, thread_affinity(main, _, [0|_]), [], throws(instantiation_error)).
t(affinity_tail, thread_affinity(main, _, [0|foo]), [], throws(type_error(list, foo))).
t(affinity_negative, thread_affinity(main, _, [-1]), [], throws(domain_error(not_less_than_zero, -1))).
t(affinity_huge, thread_affinity(main, _, [99999999999999999999]), [], throws(representation_error(int))).
t(affinity_old, thread_affinity(main, foo, [0]), [], throws(type_error(list, foo))).
t(affinity_unbound, thread_affinity(main, _, _), [], throws(instantiation_error)).
t(affinity_none, thread_affinity(main, _, []), [], throws(domain_error(cpu_affinity, []))).
t(affinity_no_cpu, thread_affinity(main, _, [1000]), [], throws(existence_error(cpu, 1000))).
t(affinity_atom, thread_affinity(main, _, foo), [], throws(type_error(list, foo))).
t(affinity_no_thread, thread_affinity(tt_none, _, [0]), [], throws(existence_error(thread, tt_none))).

t(idle, thread_idle(member(X, [1, 2]), long), [X], answers([[1]])).
t(idle_short, thread_idle(X = 1, short), [X], answers([[1]])).
t(idle_fails, thread_idle(fail, short), [], fails).
% SWI-Prolog takes any word for `long`.
t(idle_word, thread_idle(true, foo), [], throws(domain_error(thread_idle_duration, foo))).

% An option of our own: a thread that ends with its creator.
t(linked, ( thread_self(Me), thread_create(( thread_create(( thread_self(U), thread_send_message(Me, is(U)), repeat, fail ), _, [linked(true)]), thread_get_message(go) ), T), thread_get_message(is(U1)), thread_send_message(T, go), thread_join(T), thread_join(U1, S) ), [S], answers([[exception('$aborted')]])).
t(linked_waits, ( thread_self(Me), thread_create(( thread_create(( thread_self(U), thread_send_message(Me, is(U)), thread_get_message(never) ), _, [linked(true)]), thread_get_message(go) ), T), thread_get_message(is(U1)), thread_send_message(T, go), thread_join(T), thread_join(U1, S) ), [S], answers([[exception('$aborted')]])).
t(not_linked, ( thread_self(Me), thread_create(( thread_create(( thread_self(U), thread_send_message(Me, is(U)), thread_get_message(go) ), _, [linked(false)]) ), T), thread_get_message(is(U1)), thread_join(T), thread_send_message(U1, go), thread_join(U1, S) ), [S], answers([[true]])).
t(linked_ended_before, ( thread_create(( thread_create(true, U, [linked(true)]), thread_join(U, S), thread_exit(S) ), T), thread_join(T, E) ), [E], answers([[exited(true)]])).

% What is seen

t(statistics_ended, ( thread_create(true, T), tt_until(\+ thread_property(T, status(running))), call_cleanup(thread_statistics(T, cputime, _), thread_join(T)) ), [], throws(permission_error(statistics, thread, _))).
t(statistics_created, ( statistics(threads_created, A), thread_create(true, T), thread_join(T), statistics(threads_created, B), C is B - A, statistics(threads_peak, P), P >= 2 ), [C], answers([[1]])).
t(mutex_statistics, ( mutex_create(M, [alias(tt_m)]), with_mutex(M, true), with_mutex(M, true), with_output_to(string(S), mutex_statistics), split_string(S, "\n", "", Ls), member(L, Ls), sub_string(L, 0, _, _, "tt_m "), split_string(L, " ", " ", Ws0), exclude(==(""), Ws0, Ws), mutex_destroy(M) ), [Ws], answers([[["tt_m", "2", "0"]]])).

tt_inner(T) :- thread_get_message(T, tt_go, []), true.
tt_outer(T) :- tt_inner(T), true.
t(goals_of_another, ( thread_create(( thread_self(Me), tt_outer(Me) ), T), tt_until(message_queue_property(T, waiting(1))), threadutil:told([T], 50, [_-Ps]), thread_send_message(T, tt_go), thread_join(T), findall(N, ( member(P, Ps), ( P = goal(_:G) -> functor(G, N, _) ; P = in(_:N/_, _, _) ) ), L) ), [L], answers([[[thread_get_message, tt_inner, tt_outer]]])).
t(goals_of_one_that_runs, ( thread_create(( repeat, fail ), T), threadutil:told([T], 50, L), thread_signal(T, throw(x)), thread_join(T, _), L = [U-_], ( U == T -> true ) ), [], answers([[]])).
t(goals_of_one_that_does_not_listen, ( thread_self(Me), thread_create(sig_atomic(( thread_send_message(Me, in), thread_get_message(go) )), T), thread_get_message(in), threadutil:told([T], 0.02, L), thread_send_message(T, go), thread_join(T) ), [L], answers([[[]]])).
t(backtrace_none, tbacktrace(tt_none), [], throws(existence_error(thread, tt_none))).
t(backtrace_unbound, tbacktrace(_), [], throws(instantiation_error)).

% These stay as long as the program runs: last.
t(initialization, ( thread_initialization(tt_note_it(init)), tt_notes(A), thread_create(tt_note_it(in), T), thread_join(T), tt_notes(B) ), [A, B], answers([[[init], [init, in]]])).
t(initialization_fails, thread_initialization(fail), [], fails).
t(initialization_unbound, thread_initialization(_), [], throws(instantiation_error)).
t(initialization_integer, thread_initialization(1), [], throws(type_error(callable, 1))).
t(initialization_throws, ( nb_setval(tt_main, true), thread_initialization(( nb_current(tt_main, true) -> true ; throw(no) )), thread_create(tt_note_it(in), T), thread_join(T, S), tt_notes(L), retractall(system:'$thread_init_goal'(_)) ), [S, L], answers([[exception(no), [init]]])).

% What is there for who asks for it only.
t(mt_is_not_loaded_by_name, catch(spawn(true), error(E, _), true), [E], answers([[existence_error(procedure, spawn/1)]])).
