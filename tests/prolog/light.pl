% Light threads: thread_create/3 with kind(light). Whatever takes a thread takes one of any kind, so the tests here are about what is theirs alone: where they
% wait, who runs them, in which order. (All other tests run in a light thread once more: the mode `light` of the suite.)

lt_status(Goal, Status) :- lt_status(Goal, [], Status).
lt_status(Goal, Options, Status) :-
    thread_create(Goal, T, [kind(light)|Options]),
    thread_join(T, Status).

lt_all(N, Goal, Ts) :- findall(T, ( between(1, N, _), thread_create(Goal, T, [kind(light)]) ), Ts).

lt_until(Goal) :- between(1, 2000, _), ( once(Goal) -> true ; sleep(0.005), fail ), !.

lt_waits(T) :- lt_until(( thread_property(T, status(running)), thread_statistics(T, cputime, C), C > 0, sleep(0.005), thread_statistics(T, cputime, D), C =:= D )).

lt_loop :- lt_loop.

t(kind, lt_status(true, S), [S], answers([[true]])).
t(kind_property, ( thread_create(thread_get_message(x), T, [kind(light)]), thread_property(T, kind(K)), thread_send_message(T, x), thread_join(T) ), [K], answers([[light]])).
t(kind_native, ( thread_create(thread_get_message(x), T, [kind(native)]), thread_property(T, kind(K)), thread_send_message(T, x), thread_join(T) ), [K], answers([[native]])).
t(kind_main, thread_property(main, kind(K)), [K], answers([[native]])).
t(kind_no_system_id, lt_status(( thread_self(Me), \+ thread_property(Me, system_thread_id(_)) ), S), [S], answers([[true]])).
t(kind_bad, thread_create(true, _, [kind(heavy)]), [], throws(domain_error(thread_kind, heavy))).
t(kind_type, thread_create(true, _, [kind(1)]), [], throws(type_error(atom, 1))).
t(kind_unbound, thread_create(true, _, [kind(_)]), [], throws(instantiation_error)).
t(kind_flag, ( current_prolog_flag(thread_kind, Before), set_prolog_flag(thread_kind, light),
               thread_create(thread_get_message(x), T), thread_property(T, kind(K)), thread_send_message(T, x), thread_join(T),
               thread_create(thread_get_message(x), U, [kind(native)]), thread_property(U, kind(L)), thread_send_message(U, x), thread_join(U),
               set_prolog_flag(thread_kind, Before) ), [K, L], answers([[light, native]])).
t(kind_flag_bad, set_prolog_flag(thread_kind, heavy), [], throws(domain_error(thread_kind, heavy))).
t(affinity, thread_create(true, _, [kind(light), affinity([0])]), [], throws(permission_error(affinity, thread_kind, light))).
t(c_stack, thread_create(true, _, [kind(light), c_stack(2000000)]), [], throws(permission_error(c_stack, thread_kind, light))).
t(needs_an_os_thread, ( current_prolog_flag(thread_kind, Before), set_prolog_flag(thread_kind, light),
                        thread_create(thread_get_message(x), T, [c_stack(2000000)]), thread_property(T, kind(K)), thread_send_message(T, x), thread_join(T),
                        set_prolog_flag(thread_kind, Before) ), [K], answers([[native]])).
t(priority_native, thread_create(true, _, [kind(native), priority(1)]), [], throws(permission_error(priority, thread_kind, native))).
t(priority_type, thread_create(true, _, [kind(light), priority(a)]), [], throws(type_error(integer, a))).
t(priority_big, ( X is 1<<80, thread_create(true, _, [kind(light), priority(X)]) ), [], throws(domain_error(priority, 1208925819614629174706176))).
t(priority, ( thread_create(thread_get_message(x), T, [kind(light), priority(3)]), thread_property(T, priority(P)), set_thread(T, priority(-1)), thread_property(T, priority(Q)), thread_send_message(T, x), thread_join(T) ), [P, Q],
  answers([[3, -1]])).
t(priority_of_main, set_thread(main, priority(1)), [], throws(permission_error(priority, native_thread, main))).
t(affinity_of, ( thread_create(thread_get_message(x), T, [kind(light)]), catch(thread_affinity(T, _, [0]), error(E, _), true),
                 thread_send_message(T, x), thread_join(T), E = permission_error(A, B, _) ), [A, B], answers([[affinity, light_thread]])).

% How they end.
t(fails, lt_status(fail, S), [S], answers([[false]])).
t(throws, lt_status(throw(x), S), [S], answers([[exception(x)]])).
t(exits, lt_status(thread_exit(f(_)), S), [S], answers([[exited(f(_))]])).
t(at_exit, ( thread_self(Me), lt_status(thread_at_exit(thread_send_message(Me, left)), S), thread_get_message(left) ), [S], answers([[true]])).
t(at_exit_option, ( thread_self(Me), lt_status(true, [at_exit(thread_send_message(Me, left))], S), thread_get_message(left) ), [S], answers([[true]])).
t(at_exit_waits, ( thread_self(Me), thread_create(true, T, [kind(light), at_exit(( thread_send_message(Me, in), thread_get_message(go) ))]), thread_get_message(in),
                   thread_send_message(T, go), thread_join(T, S) ), [S], answers([[true]])).
t(detached, ( thread_self(Me), thread_create(thread_send_message(Me, ran), _, [kind(light), detached(true)]), thread_get_message(ran) ), [], answers([[]])).
t(detached_is_gone, ( thread_create(true, T, [kind(light), detached(true)]), lt_until(\+ is_thread(T)) ), [], answers([[]])).
t(alias, ( thread_create(thread_get_message(x), _, [kind(light), alias(lt_named)]), thread_send_message(lt_named, x), thread_join(lt_named, S) ), [S], answers([[true]])).
t(linked, ( lt_status(( thread_create(thread_get_message(never), T, [kind(light), linked(true)]), thread_exit(T) ), exited(T)), thread_join(T, S) ), [S], answers([[exception('$aborted')]])).
t(memory_limit, lt_status(( length(L, 1000000), L = [_|_] ), [stack_limit(1000000)], exception(error(E, _))), [E], answers([[resource_error(memory)]])).
t(memory_of_the_next, ( lt_status(( length(L, 1000000), L = [_|_] ), [stack_limit(1000000)], _), lt_status(( length(L, 1000), L = [_|_] ), S) ), [S], answers([[true]])).

% Where they wait: each is woken, and signals and time limits end each wait.
t(waits_for_message, ( thread_create(( thread_get_message(a(X)), thread_exit(X) ), T, [kind(light)]), lt_waits(T), thread_send_message(T, b), thread_send_message(T, a(1)), thread_join(T, S) ), [S],
  answers([[exited(1)]])).
t(waits_for_room, ( message_queue_create(Q, [max_size(1)]), thread_send_message(Q, 1), thread_create(thread_send_message(Q, 2), T, [kind(light)]), lt_waits(T),
                    thread_get_message(Q, A), thread_join(T, S), thread_get_message(Q, B), message_queue_destroy(Q) ), [A, S, B], answers([[1, true, 2]])).
t(waits_for_mutex, ( mutex_create(M), mutex_lock(M), thread_create(with_mutex(M, true), T, [kind(light)]), lt_waits(T), mutex_unlock(M), thread_join(T, S),
                     mutex_property(M, status(P)), mutex_destroy(M) ), [S, P], answers([[true, unlocked]])).
t(waits_for_thread, ( thread_create(thread_get_message(x), T, [kind(light)]), thread_create(( thread_join(T, S), thread_exit(S) ), U, [kind(light)]), lt_waits(U),
                      thread_send_message(T, x), thread_join(U, R) ), [R], answers([[exited(true)]])).
t(sleeps, ( get_time(T0), lt_status(sleep(0.05), S), get_time(T1), T1-T0 >= 0.05 ), [S], answers([[true]])).
t(waits_until, lt_status(( thread_self(Me), thread_get_message(Me, x, [timeout(0.02)]) ), S), [S], answers([[false]])).
t(waits_for_room_until, ( message_queue_create(Q, [max_size(1)]), thread_send_message(Q, 1), lt_status(thread_send_message(Q, 2, [timeout(0.02)]), S),
                          message_queue_property(Q, size(N)), message_queue_destroy(Q) ), [S, N], answers([[false, 1]])).
t(queue_destroyed, ( message_queue_create(Q, [alias(lt_queue)]), thread_create(thread_get_message(Q, _), T, [kind(light)]), lt_waits(T), message_queue_destroy(Q), thread_join(T, S), S = exception(error(E, _)) ), [E],
  answers([[existence_error(message_queue, lt_queue)]])).
t(waits_at_a_queue_not_a_name, ( message_queue_create(_, [alias(lt_queue)]), thread_create(thread_get_message(lt_queue, _), T, [kind(light)]), lt_waits(T),
                                 message_queue_destroy(lt_queue), message_queue_create(_, [alias(lt_queue)]), thread_send_message(lt_queue, new), thread_join(T, S), thread_peek_message(lt_queue, new), message_queue_destroy(lt_queue),
                                 S = exception(error(E, _)) ), [E], answers([[existence_error(message_queue, lt_queue)]])).
t(waits_for_change, ( thread_create(thread_wait(lt_fact(1), [wait_preds([lt_fact/1])]), T, [kind(light)]), lt_waits(T), assertz(lt_fact(1)), thread_join(T, S), retractall(lt_fact(_)) ), [S],
  answers([[true]])).
:- dynamic(lt_fact/1).
t(waits_for_pipe, ( lt_pipe('sleep 0.05; echo x.', F), lt_status(( setup_call_cleanup(open(F, read, In), read(In, X), close(In)), thread_exit(X) ), S), delete_file(F) ), [S], answers([[exited(x)]])).
% What a command of the shell writes.
lt_pipe(Command, File) :-
    tmp_file(lt, File),
    format(atom(Make), 'mkfifo ~w; ((~w) > ~w) > /dev/null 2>&1 &', [File, Command, File]),
    shell(Make, 0).
t(engine_waits, lt_status(( engine_create(X, ( thread_get_message(go), X = 1 ), E), thread_create(( sleep(0.02), thread_send_message(E, go) ), _, [kind(light), detached(true)]),
                            engine_next(E, R), engine_destroy(E), R == 1 ), S), [S], answers([[true]])).

lt_in(message, thread_get_message(lt_never)).
lt_in(room, ( message_queue_create(Q, [max_size(1)]), thread_send_message(Q, 1), thread_send_message(Q, 2) )).
lt_in(mutex, mutex_lock(lt_mutex)).
lt_in(join, ( thread_create(thread_get_message(lt_never), T, [kind(light), linked(true)]), thread_join(T, _) )).
lt_in(sleep, sleep(1000)).
lt_in(timeout, ( thread_self(Me), thread_get_message(Me, lt_never, [timeout(1000)]) )).
lt_in(change, thread_wait(fail, [])).
lt_in(pipe, ( lt_pipe('exec sleep 5', F), setup_call_cleanup(open(F, read, In), ( delete_file(F), read(In, _) ), close(In)) )).
lt_in(engine, ( engine_create(x, thread_get_message(lt_never), E), engine_next(E, _) )).
lt_in(computing, lt_loop).

lt_ended(Where, How, S) :-
    lt_in(Where, Goal),
    mutex_lock(lt_mutex),
    thread_create(Goal, T, [kind(light)]),
    (   Where == computing -> sleep(0.01) ; lt_waits(T) ),
    thread_signal(T, How),
    thread_join(T, S),
    mutex_unlock(lt_mutex).

t(signalled, findall(W-S, ( lt_in(W, _), lt_ended(W, throw(lt_stop), S) ), L), [L],
  answers([[[message-exception(lt_stop), room-exception(lt_stop), mutex-exception(lt_stop), join-exception(lt_stop), sleep-exception(lt_stop), timeout-exception(lt_stop),
             change-exception(lt_stop), pipe-exception(lt_stop), engine-exception(lt_stop), computing-exception(lt_stop)]]])).
t(aborted, findall(W-S, ( lt_in(W, _), lt_ended(W, abort, S) ), L), [L],
  answers([[[message-exception('$aborted'), room-exception('$aborted'), mutex-exception('$aborted'), join-exception('$aborted'), sleep-exception('$aborted'), timeout-exception('$aborted'),
             change-exception('$aborted'), pipe-exception('$aborted'), engine-exception('$aborted'), computing-exception('$aborted')]]])).
t(timed_out, findall(W, ( lt_in(W, G), mutex_lock(lt_mutex), lt_status(catch(call_with_time_limit(0.02, G), E, thread_exit(E)), exited(time_limit_exceeded)), mutex_unlock(lt_mutex) ), L), [L],
  answers([[[message, room, mutex, join, sleep, timeout, change, pipe, engine, computing]]])).
t(waits_on_after_a_signal, ( thread_self(Me), thread_create(( thread_get_message(a), thread_send_message(Me, got_a) ), T, [kind(light)]), lt_waits(T),
                             thread_signal(T, thread_send_message(Me, handled)), thread_get_message(handled), thread_send_message(T, a), thread_get_message(got_a), thread_join(T, S) ), [S],
  answers([[true]])).
t(handler_waits_elsewhere, ( thread_self(Me), thread_create(( thread_get_message(a), thread_send_message(Me, got_a) ), T, [kind(light)]), lt_waits(T),
                             thread_signal(T, thread_get_message(b)), thread_send_message(T, b), thread_send_message(T, a), thread_get_message(got_a), thread_join(T, S) ), [S],
  answers([[true]])).
% One who gives up its place passes on what it was woken for.
t(place_passed_on, ( message_queue_create(Q), findall(T, ( between(1, 20, _), thread_create(catch(thread_get_message(Q, x), lt_stop, true), T, [kind(light)]) ), Ts), forall(member(T, Ts), lt_waits(T)),
                     forall(nth1(I, Ts, T), ( I mod 2 =:= 0 -> thread_send_message(Q, x), catch(thread_signal(T, throw(lt_stop)), error(existence_error(thread, _), _), true) ; true )),
                     lt_until(( message_queue_property(Q, size(N)) , N =< 10 )), forall(between(1, 20, _), thread_send_message(Q, x)), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, Set), message_queue_destroy(Q) ), [Set],
  answers([[[true]]])).
t(deadlock, ( current_prolog_flag(detect_deadlocks, Before), set_prolog_flag(detect_deadlocks, true), mutex_create(A), mutex_create(B), thread_self(Me),
              thread_create(( mutex_lock(A), thread_send_message(Me, has_a), thread_get_message(go), mutex_lock(B) ), T, [kind(light)]),
              thread_create(( mutex_lock(B), thread_send_message(Me, has_b), thread_get_message(go), sleep(0.02), mutex_lock(A) ), U, [kind(light)]),
              thread_get_message(has_a), thread_get_message(has_b), thread_send_message(T, go), thread_send_message(U, go),
              lt_until(( member(X, [T, U]), thread_property(X, status(exception(error(E, _)))) )), E = permission_error(P, Q, _),
              forall(member(Y, [T, U]), ( catch(thread_signal(Y, throw(end)), _, true), thread_join(Y, _) )),
              set_prolog_flag(detect_deadlocks, Before) ), [P, Q], answers([[lock, mutex]])).

% Who runs them.
t(workers, ( current_prolog_flag(workers, N), integer(N), N >= 1 ), [], answers([[]])).
t(workers_set, ( current_prolog_flag(workers, N), set_prolog_flag(workers, 1), lt_all(50, true, Ts), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L), current_prolog_flag(workers, M), set_prolog_flag(workers, N) ), [L, M],
  answers([[[true], 1]])).
t(workers_none, set_prolog_flag(workers, 0), [], throws(domain_error(not_less_than_one, 0))).
t(workers_type, set_prolog_flag(workers, a), [], throws(type_error(integer, a))).
t(one_worker_is_shared, ( current_prolog_flag(workers, N), set_prolog_flag(workers, 1), thread_create(lt_loop, A, [kind(light)]), thread_create(lt_loop, B, [kind(light)]), lt_status(true, S),
                          forall(member(T, [A, B]), ( thread_signal(T, throw(stop)), thread_join(T, _) )), set_prolog_flag(workers, N) ), [S], answers([[true]])).
t(who_blocks_is_replaced, ( current_prolog_flag(workers, N), set_prolog_flag(workers, 1),
                            findall(T, ( between(1, 5, _), lt_pipe('sleep 0.1; echo y.', F), thread_create(setup_call_cleanup(open(F, read, In), ( delete_file(F), read(In, _) ), close(In)), T, [kind(light)]) ), Ts),
                            lt_status(true, S), forall(member(T, Ts), ( thread_join(T, _) )), set_prolog_flag(workers, N) ), [S], answers([[true]])).
t(yields, ( current_prolog_flag(workers, N), set_prolog_flag(workers, 1), thread_self(Me), thread_create(( thread_get_message(go), lt_yields ), T, [kind(light)]),
            thread_create(( thread_send_message(T, go), thread_yield, thread_send_message(Me, first) ), U, [kind(light)]), thread_get_message(first), thread_send_message(T, end), thread_join(U), thread_join(T, S), set_prolog_flag(workers, N) ), [S],
  answers([[true]])).
lt_yields :- thread_self(Me), ( thread_peek_message(Me, end) -> true ; thread_yield, lt_yields ).
t(higher_first, ( current_prolog_flag(workers, N), set_prolog_flag(workers, 1), lt_order([1, 3, 2], Ps), set_prolog_flag(workers, N) ), [Ps], answers([[[3, 2, 1]]])).
% In which order threads of these priorities run. Who has waited for a tenth of a second goes first, whatever its priority: where that is over before all are
% there and have run, as on a busy machine, they are looked at once more.
lt_order(Given, Order) :-
    repeat,
    thread_self(Me), thread_create(lt_busy(Me), B, [kind(light), priority(10)]), thread_get_message(busy), get_time(Since),
    forall(member(P, Given), thread_create(thread_send_message(Me, ran(P)), _, [kind(light), priority(P), detached(true)])), thread_send_message(B, end),
    findall(P, ( member(_, Given), thread_get_message(ran(P)) ), Found), get_time(Now), thread_join(B),
    Now-Since < 0.09, !,
    Order = Found.
lt_busy(Me) :- thread_send_message(Me, busy), lt_busy_until_told.
lt_busy_until_told :- thread_self(Me), ( thread_peek_message(Me, end) -> true ; lt_busy_until_told ).
t(none_starves, ( current_prolog_flag(workers, N), set_prolog_flag(workers, 1), thread_create(lt_loop, B, [kind(light), priority(10)]), lt_status(true, [priority(-5)], S), thread_signal(B, throw(stop)), thread_join(B, _), set_prolog_flag(workers, N) ), [S],
  answers([[true]])).

% What is theirs alone.
:- thread_local(lt_local/1).
:- table lt_fib/2.
lt_fib(0, 0).
lt_fib(1, 1).
lt_fib(N, F) :- N > 1, A is N-1, B is N-2, lt_fib(A, X), lt_fib(B, Y), F is X+Y.
t(local, ( assertz(lt_local(main)), lt_status(( \+ lt_local(_), assertz(lt_local(1)), sleep(0.005), findall(X, lt_local(X), L), thread_exit(L) ), S), findall(X, lt_local(X), M), retractall(lt_local(_)) ), [S, M],
  answers([[exited([1]), [main]]])).
t(globals, ( findall(T, ( between(1, 20, I), thread_create(( b_setval(lt_v, I), nb_setval(lt_w, f(I)), sleep(0.005), b_getval(lt_v, J), nb_getval(lt_w, f(K)), I == J, I == K ), T, [kind(light)]) ), Ts),
             findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L) ), [L], answers([[[true]]])).
t(tables, ( findall(T, ( between(1, 20, I), thread_create(( N is 50+I, lt_fib(N, F), sleep(0.002), lt_fib(N, G), F == G ), T, [kind(light)]) ), Ts), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L) ), [L], answers([[[true]]])).
t(backtracks_after_a_wait, lt_status(( findall(X, ( member(X, [1, 2, 3]), sleep(0.002) ), L), thread_exit(L) ), S), [S], answers([[exited([1, 2, 3])]])).
t(binds_after_a_wait, lt_status(( length(L, 1000), sleep(0.002), ( maplist(=(x), L), fail ; true ), sleep(0.002), maplist(var, L), garbage_collect, sleep(0.002), maplist(=(y), L), sort(L, M), thread_exit(M) ), S), [S],
  answers([[exited([y])]])).
t(catches_after_a_wait, lt_status(( catch(( sleep(0.002), throw(a) ), X, ( sleep(0.002), Y = X )), thread_exit(Y) ), S), [S], answers([[exited(a)]])).
t(cleans_up_after_a_wait, ( thread_self(Me), lt_status(setup_call_cleanup(sleep(0.002), sleep(0.002), ( sleep(0.002), thread_send_message(Me, cleaned) )), S), thread_get_message(cleaned) ), [S], answers([[true]])).
t(output_to_memory, lt_status(( with_output_to(string(X), ( write(a), sleep(0.005), write(b) )), thread_exit(X) ), S), [S], answers([[exited("ab")]])).
t(cputime, lt_status(( statistics(cputime, A), sleep(0.05), statistics(cputime, B), B-A < 0.04 ), S), [S], answers([[true]])).
t(concurrent, ( current_prolog_flag(thread_kind, Before), set_prolog_flag(thread_kind, light), numlist(1, 50, L), concurrent_maplist([X, Y]>>( sleep(0.001), Y is X*X ), L, M), sum_list(M, S),
                first_solution(F, [( sleep(10), F = slow ), F = quick], []), set_prolog_flag(thread_kind, Before) ), [S, F], answers([[42925, quick]])).

% Many.
t(thousands, ( thread_self(Me), length(L, 5000), maplist([T]>>thread_create(( thread_get_message(go(N)), thread_send_message(Me, N) ), T, [kind(light)]), L),
               foldl([T, I, J]>>( J is I+1, thread_send_message(T, go(I)) ), L, 1, _), findall(X, ( between(1, 5000, _), thread_get_message(X), integer(X) ), Xs), sum_list(Xs, S), maplist(thread_join, L) ), [S], answers([[12502500]])).
t(ring, ( thread_self(Me), lt_ring(100, Me, First), thread_send_message(First, 5000), thread_get_message(done(N)) ), [N], answers([[0]])).
lt_ring(N, Main, First) :- thread_create(( thread_get_message(next(T)), lt_node(T, Main) ), First, [kind(light), detached(true)]), lt_chain(N, Main, First, Last), thread_send_message(First, next(Last)).
lt_chain(1, _, T, T) :- !.
lt_chain(N, Main, Next, Last) :- thread_create(lt_node(Next, Main), T, [kind(light), detached(true)]), M is N-1, lt_chain(M, Main, T, Last).
lt_node(Next, Main) :-
    thread_get_message(N),
    (   N == stop -> catch(thread_send_message(Next, stop), _, true)
    ;   N =:= 0 -> thread_send_message(Main, done(0)), thread_send_message(Next, stop)
    ;   M is N-1, thread_send_message(Next, M), lt_node(Next, Main)
    ).

% What is atomic in an engine that it asks is run to its end, whoever waits for the carrier.
:- dynamic lt_note/1.
lt_work(0) :- !.
lt_work(N) :- M is N-1, lt_work(M).
lt_busy :- repeat, lt_work(1000), thread_peek_message(over), !.
% (The limit may be over before the engine has begun: then once more.)
lt_asks(G, L) :-
    repeat,
    retractall(lt_note(_)), engine_create(x, G, E), catch(call_with_time_limit(0.02, engine_next(E, _)), time_limit_exceeded, true), engine_destroy(E),
    findall(X, lt_note(X), L), L \== [], !.
lt_long :- assertz(lt_note(a)), run_size(2000000, N), lt_work(N), assertz(lt_note(b)).
t(engine_in_the_midst, ( lt_all(4, lt_busy, Ts), findall(L, ( member(G, [sig_atomic(lt_long), setup_call_cleanup(lt_long, true, true), setup_call_cleanup(true, true, lt_long)]), lt_status(( lt_asks(G, L0), thread_exit(L0) ), exited(L)) ), Ls),
                         forall(member(T, Ts), thread_send_message(T, over)), forall(member(T, Ts), thread_join(T, _)) ), [Ls], answers([[[[a, b], [a, b], [a, b]]]])).

% Whoever is stopped in the midst of a number hears what it is told, though its slice is over at that moment.
t(signal_in_long_arithmetic, ( findall(T, ( between(1, 3, _), thread_create(powers(600000), T, [kind(light)]) ), Ts), sleep(0.1), forall(member(T, Ts), thread_signal(T, throw(stop))),
    forall(member(T, Ts), ( thread_join(T, S), print(S) )) ), [], output("exception(stop)exception(stop)exception(stop)")).
powers(N) :- X is 7**N, X > 0, powers(N).

%   The goal of a signal that comes when the thread has been called back, and is not at its queue yet, has nothing to do with that queue.
t(signal_at_a_full_queue, lgt_at_full(R), [R], answers([[0-2000-2000]])).

lgt_at_full(Wrong-Sent-Arrived) :-
    message_queue_create(Full, [max_size(1)]),
    message_queue_create(Other),
    thread_create(forall(between(1, 20000, I), thread_send_message(Full, x(I))), Sender, [kind(light)]),
    thread_create(lgt_drain(Full, 20000, 0), Drain, [kind(light)]),
    forall(between(1, 2000, I), ( catch(thread_signal(Sender, thread_send_message(Other, y(I))), _, thread_send_message(Other, y(I))), ( I mod 8 =:= 0 -> sleep(0.0001) ; true ) )),
    thread_join(Sender, true),
    thread_join(Drain, exited(Wrong)),
    message_queue_property(Other, size(Arrived)),
    Sent = 2000.

lgt_drain(_, 0, Wrong) :- !, thread_exit(Wrong).
lgt_drain(Full, N, Wrong0) :-
    thread_get_message(Full, M),
    ( M = x(_) -> Wrong = Wrong0, N1 is N-1 ; Wrong is Wrong0+1, N1 = N ),
    lgt_drain(Full, N1, Wrong).
