% Light threads that wait are folded (docs/internals/light-threads.md): what is alive of their heap, choicepoints and trail is put away, and comes to lie
% elsewhere. Each goal here waits in the midst of something, several times and in several threads at once, and has the solutions that it has without waiting.

fo_waits :- sleep(0.001).

fo_same(Goal, Template) :-
    findall(Template, Goal, Solutions),
    fo_thread(Goal, Template, T1), fo_thread(Goal, Template, T2), fo_thread(Goal, Template, T3),
    forall(member(T, [T1, T2, T3]), ( thread_join(T, S), ( S = exited(S1), S1 =@= Solutions -> true ; print_message(error, format("~q", [S-Solutions])), fail ) )).

fo_thread(Goal, Template, T) :- thread_create(( findall(Template, Goal, All), thread_exit(All) ), T, [kind(light)]).

:- dynamic fo_fact/1, fo_gone/2.
fo_fact(1). fo_fact(2). fo_fact(3).

fo_length([], 0) :- fo_waits.
fo_length([_|T], N) :- fo_length(T, M), N is M+1.

fo_count(N, N) :- !.
fo_count(I, N) :- J is I+1, ( I mod 7 =:= 0 -> fo_waits ; true ), fo_count(J, N).

:- table fo_path/2.
fo_path(X, Y) :- fo_edge(X, Y).
fo_path(X, Y) :- fo_path(X, Z), fo_waits, fo_edge(Z, Y).
fo_edge(1, 2). fo_edge(2, 3). fo_edge(3, 1).

fo_test(1, X) :- fo_waits, X = a.
fo_test(2, X) :- fo_waits, X = b.
fo_test(3, c) :- fo_waits.

fo_copies(T, Cs) :- findall(T, ( member(_, [1, 2]), fo_waits ), Cs).

fo_writes(Goal, Text) :- with_output_to(string(Text), forall(Goal, fo_waits)).

t(choicepoints, fo_same(( member(X, [1, 2, 3]), fo_waits, member(Y, [a, b]), fo_waits ), X-Y), [], answers([[]])).
t(bindings_undone, fo_same(( T = f(A, B, C), member(A, [1, 2]), fo_waits, ( B = x, fo_waits, C = y ; C = z ), fo_waits ), T), [], answers([[]])).
t(cut, fo_same(( member(X, [1, 2, 3]), fo_waits, X >= 2, !, fo_waits ), X), [], answers([[]])).
t(condition, fo_same(( member(X, [1, 2, 3]), ( X =:= 2, fo_waits -> Y = two ; fo_waits, Y = X ) ), Y), [], answers([[]])).
t(soft_condition, fo_same(( ( member(X, [1, 2]), fo_waits *-> true ; X = 0 ), fo_waits ), X), [], answers([[]])).
t(negation, fo_same(( member(X, [1, 2, 3]), \+ ( fo_waits, X =:= 2 ) ), X), [], answers([[]])).
t(clauses, fo_same(( member(N, [3, 1, 2, 4]), fo_test(N, X) ), N-X), [], answers([[]])).
t(catch, fo_same(( catch(( member(X, [1, 2, 3]), fo_waits, X >= 3, throw(found(X)) ), found(Y), fo_waits ) ), Y), [], answers([[]])).
t(catch_nested, fo_same(catch(catch(( fo_waits, throw(a) ), b, true), a, ( fo_waits, X = out )), X), [], answers([[]])).
t(catch_backtracked_into, fo_same(( catch(member(X, [1, 2, 3]), _, true), fo_waits ), X), [], answers([[]])).
t(recursion, ( numlist(1, 60, L), fo_same(fo_length(L, N), N) ), [], answers([[]])).
t(recursion_of_some_thousands, ( numlist(1, 5000, L), fo_same(fo_length(L, N), N) ), [], answers([[]])).
t(loop, fo_same(( fo_count(1, 50), X = done ), X), [], answers([[]])).
t(numbers, fo_same(( A is 2**200, B is 1r3, C is 1.5, fo_waits, D is A+B, E is C*2, fo_waits, F is A-7 ), [A, B, C, D, E, F]), [], answers([[]])).
t(texts, fo_same(( string_concat("abc", "def", S), atom_concat(x, y, A), fo_waits, string_concat(S, A, R), fo_waits ), [S, A, R]), [], answers([[]])).
t(cyclic, fo_same(( X = f(X, Y), fo_waits, Y = 1, fo_waits, X = f(Z, _), Z == X ), Y), [], answers([[]])).
t(shared, fo_same(( X = g(V), Y = [X, X|T], fo_waits, T = [V], V = 3, fo_waits ), Y), [], answers([[]])).
t(setarg, fo_same(( T = f(a, b), ( setarg(1, T, c), fo_waits, setarg(2, T, d(_)), fo_waits ; fo_waits ) ), T), [], answers([[]])).
t(nb_setarg, fo_same(( T = f(0), ( member(X, [1, 2, 3]), fo_waits, nb_setarg(1, T, g(X)), fail ; fo_waits ) ), T), [], answers([[]])).
t(global_variables, fo_same(( nb_setval(fo_g, f(1)), fo_waits, nb_getval(fo_g, X), b_setval(fo_h, X), fo_waits, b_getval(fo_h, Y) ), X-Y), [], answers([[]])).
t(global_undone, fo_same(( b_setval(fo_i, f(A)), ( member(X, [1, 2]), b_setval(fo_i, X), fo_waits, X >= 2 ; fo_waits ), b_getval(fo_i, V), fo_waits, A = 1 ), X-V-A), [], answers([[]])).
t(global_shared, fo_same(( b_setval(fo_j, g(Y)), fo_waits, b_getval(fo_j, g(Z)), fo_waits, Z = 3 ), Y), [], answers([[]])).
t(global_overwritten, fo_same(( nb_setval(fo_k, [0]), ( member(X, [1, 2, 3]), fo_waits, nb_getval(fo_k, L), nb_setval(fo_k, [X|L]), fo_waits, fail ; fo_waits, nb_getval(fo_k, R) ) ), R), [], answers([[]])).
t(global_both, fo_same(( nb_setval(fo_l, a), ( b_setval(fo_l, b), fo_waits, nb_setval(fo_l, c), fo_waits, fail ; fo_waits, nb_getval(fo_l, R) ) ), R), [], answers([[]])).
t(limits, fo_same(( call_with_time_limit(100, ( fo_waits, call_with_time_limit(50, fo_waits), X = 1 )), fo_waits ), X), [], answers([[]])).
t(limit_over, fo_same(catch(call_with_time_limit(0.05, ( repeat, fo_waits, fail )), E, fo_waits), E), [], answers([[]])).
t(findall, fo_same(( findall(X-Z, ( member(X, [1, 2, 3]), fo_waits ), L), Z = 1 ), L), [], answers([[]])).
t(findall_variables, fo_same(fo_copies(f(_, _), Cs), Cs), [], answers([[]])).
t(bagof, fo_same(bagof(X, ( member(X-Y, [1-a, 2-b, 3-a]), fo_waits ), L), Y-L), [], answers([[]])).
t(aggregate, fo_same(aggregate_all(max(X), ( member(X, [3, 7, 2]), fo_waits ), M), M), [], answers([[]])).
t(between, fo_same(( between(1, 5, X), fo_waits ), X), [], answers([[]])).
t(text_solutions, fo_same(( sub_atom(abc, B, 1, _, S), fo_waits ), B-S), [], answers([[]])).
t(dynamic_walk, fo_same(( fo_fact(X), fo_waits ), X), [], answers([[]])).
t(clause_walk, fo_same(( clause(fo_fact(X), true), fo_waits ), X), [], answers([[]])).
t(logical_view, ( retractall(fo_gone(_, _)), forall(between(1, 4, I), assertz(fo_gone(k, I))),
                  thread_self(Me), thread_create(( findall(X, ( fo_gone(k, X), thread_send_message(Me, at(X)), fo_waits, thread_get_message(go) ), L), thread_exit(L) ), T, [kind(light)]),
                  thread_get_message(at(1)), retractall(fo_gone(k, 3)), assertz(fo_gone(k, 5)), garbage_collect_clauses,
                  forall(between(1, 4, _), thread_send_message(T, go)), thread_join(T, exited(Xs)), forall(member(X, [2, 3, 4, 5]), ( thread_peek_message(at(X)) -> thread_get_message(at(X)) ; true )) ), [Xs], answers([[[1, 2, 3, 4]]])).
t(cleanup, fo_same(( setup_call_cleanup(fo_waits, member(X, [1, 2]), fo_waits), fo_waits ), X), [], answers([[]])).
t(cleanup_at_cut, fo_same(( setup_call_cleanup(true, member(X, [1, 2]), nb_setval(fo_c, X)), fo_waits, !, nb_getval(fo_c, Y) ), X-Y), [], answers([[]])).
t(cleanup_that_waits_for_an_exception, fo_same(catch(setup_call_cleanup(true, ( fo_waits, throw(f(_, a)) ), ( fo_waits, fo_waits )), f(_, B), fo_waits), B), [], answers([[]])).
t(tables, ( abolish_all_tables, fo_same(fo_path(1, X), X) ), [], answers([[]])).
t(output_redirected, fo_same(fo_writes(( member(X, [a, b, c]), write(X) ), S), S), [], answers([[]])).
t(order_of_variables, fo_same(( length(L, 5), sort(L, M), fo_waits, sort(M, N), fo_waits, ( M == N -> R = same ; R = other ) ), R), [], answers([[]])).
t(continuation, fo_same(( reset(( fo_waits, shift(ball(X)), fo_waits, Y is X+1 ), ball(Z), Cont), Z = 4, fo_waits, call(Cont) ), Y), [], answers([[]])).
t(engine, fo_same(( engine_create(X, ( member(X, [1, 2, 3]), fo_waits ), E), engine_next(E, A), fo_waits, engine_next(E, B), engine_destroy(E) ), A-B), [], answers([[]])).
t(mutex_nobody_names, fo_same(( mutex_create(M), fo_waits, garbage_collect, with_mutex(M, fo_waits), mutex_destroy(M), X = ok ), X), [], answers([[]])).
t(queue_nobody_names, fo_same(( message_queue_create(Q), fo_waits, thread_send_message(Q, f(V, V)), garbage_collect, fo_waits, thread_get_message(Q, T), message_queue_destroy(Q) ), T), [], answers([[]])).
t(time_limit, fo_same(catch(call_with_time_limit(0.01, ( repeat, fo_waits, fail )), E, ( fo_waits, X = E )), X), [], answers([[]])).
t(signals, ( thread_create(( repeat, fo_waits, thread_peek_message(over), !, findall(X, thread_get_message(got(X)), _) ; true ), T, [kind(light)]),
             forall(between(1, 20, I), thread_signal(T, ( fo_waits, thread_self(Me), thread_send_message(Me, got(I)) ))), thread_send_message(T, over),
             sleep(0.01), thread_signal(T, throw(enough)), thread_join(T, S) ), [S], answers([[exception(enough)]])).
t(strings_of_some_size, ( numlist(1, 400, L), atomic_list_concat(L, ',', A), fo_same(( atom_string(A, S), fo_waits, string_length(S, N), fo_waits, sub_string(S, 0, 5, _, P) ), N-P) ), [], answers([[]])).
t(reloaded_code, ( fo_text(1, F), load_files(F, [silent(true)]), thread_create(( call(fo_loaded, X), thread_exit(X) ), T, [kind(light)]), thread_get_message(fo_in),
                   fo_text(2, F), load_files(F, [silent(true)]), garbage_collect_clauses, forall(between(1, 20, _), ( assertz(fo_gone(a, b)), retract(fo_gone(a, b)) )),
                   thread_send_message(T, go), thread_join(T, S), call(fo_loaded, Y), unload_file(F), delete_file(F) ), [S, Y], answers([[exited(old), new]])).

fo_text(N, F) :-
    ( N =:= 1 -> tmp_file_stream(F0, S0, [extension(pl)]), close(S0), nb_setval(fo_file, F0) ; nb_getval(fo_file, F0) ),
    F = F0,
    thread_self(Me), retractall(fo_gone(me, _)), assertz(fo_gone(me, Me)),
    open(F, write, S),
    ( N =:= 1
    -> format(S, "fo_loaded(X) :- fo_gone(me, Me), thread_send_message(Me, fo_in), thread_get_message(go), fo_last(X).~nfo_last(old).~n", [])
    ;  format(S, "fo_loaded(new).~nfo_last(old).~n", [])
    ),
    close(S).

% An argument that was its own variable is one again after backtracking, wherever it has come to lie meanwhile.
% (Each thread has facts of its own: one that takes another's leaves it without.)
:- dynamic fo_kept/2.
fo_keeps(R) :- V = k(X), ( setarg(1, V, a), fo_waits, fo_waits, fail ; fo_waits, fo_waits, thread_self(Me), assertz(fo_kept(Me, V)), once(retract(fo_kept(Me, R))) ), fo_is(X), fo_waits.
fo_is(_).
t(setarg_of_a_variable, fo_same(fo_keeps(T), T), [], answers([[]])).
