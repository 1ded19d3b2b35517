% What a program asks about its surroundings, and changes of them: flags, operators, predicates, files, the time; messages and mutexes within one thread.

operation(flag_set, 60000).
work(flag_set, N, _, X) :- repeated(N, set_prolog_flag(double_quotes, codes)), current_prolog_flag(double_quotes, X).

operation(flag_read, 100000).
work(flag_read, N, _, X) :- repeated(N, current_prolog_flag(bounded, _)), current_prolog_flag(bounded, X).

operation(operator_set, 60000).
work(operator_set, N, _, X) :- repeated(N, op(700, xfx, ===>)), current_op(X, xfx, ===>).

operation(predicate_there, 60000).
work(predicate_there, N, _, X) :- repeated(N, current_predicate(operation/2)), ( current_predicate(operation/7) -> X = yes ; X = no ).

operation(predicate_qualified, 40000).
prepare(predicate_qualified, _, none) :- append([], [], _).
work(predicate_qualified, N, _, X) :- repeated(N, current_predicate(lists:append/3)), ( current_predicate(lists:append/7) -> X = yes ; X = no ).

operation(predicate_of_name, 4000).
work(predicate_of_name, N, _, X) :- repeated(N, \+ \+ current_predicate(operation/_)), current_predicate(operation/X).

operation(predicate_clauses, 40000).
work(predicate_clauses, N, _, X) :-
    repeated(N, predicate_property(operation(_, _), number_of_clauses(_))),
    ( predicate_property(operation(_, _), number_of_clauses(C)), C > 10 -> X = many ; X = few ).

operation(predicate_dynamic, 40000).
work(predicate_dynamic, N, _, X) :-
    repeated(N, predicate_property(prepare(_, _, _), dynamic)),
    ( predicate_property(operation(_, _), dynamic) -> X = yes ; X = no ).

operation(file_missing, 25000).
work(file_missing, N, _, X) :- repeated(N, \+ exists_file('no file of this name')), ( exists_directory('.') -> X = yes ; X = no ).

operation(time_format, 15000).
work(time_format, N, _, X) :-
    forall(between(1, N, I), format_time(atom(_), '%F %T', I)),
    D = date(2024, 2, 29, 12, 30, 15.0, 0, 'UTC', -),
    format_time(atom(X), '%a, %d %b %Y %T %Z', D).

operation(time_of_stamp, 70000).
work(time_of_stamp, N, _, D) :- forall(between(1, N, I), stamp_date_time(I, _, 'UTC')), stamp_date_time(N, D, 'UTC').

operation(time_to_stamp, 80000).
work(time_to_stamp, N, _, S) :- D = date(2024, 2, 29, 12, 30, 15.0, 0, 'UTC', -), repeated(N, date_time_stamp(D, _)), date_time_stamp(D, S).

operation(mutex_held, 80000).
work(mutex_held, N, _, X) :- repeated(N, with_mutex(micro, true)), X = N.

operation(mutex_locked, 50000).
work(mutex_locked, N, _, X) :- mutex_create(M), repeated(N, ( mutex_lock(M), mutex_unlock(M) )), mutex_destroy(M), X = N.

operation(message_to_self, 40000).
work(message_to_self, N, _, X) :- thread_self(Me), forall(between(1, N, I), ( thread_send_message(Me, m(I)), thread_get_message(m(_)) )), X = N.

operation(message_queue, 30000).
work(message_queue, N, _, X) :-
    message_queue_create(Q),
    forall(between(1, N, I), thread_send_message(Q, m(I))),
    forall(between(1, N, I), thread_get_message(Q, m(I))),
    message_queue_destroy(Q),
    X = N.

operation(stream_mode, 50000).
work(stream_mode, N, _, X) :- repeated(N, stream_property(user_error, mode(_))), stream_property(user_error, mode(X)).

operation(stream_to_nowhere, 100000).
work(stream_to_nowhere, N, _, X) :- open_null_stream(S), repeated(N, nl(S)), line_count(S, X0), close(S), ( X0 > N -> X = all ; X = X0 ).

operation(set_position, 20000).
prepare(set_position, _, File) :-
    tmp_file(position, File),
    open(File, write, Out),
    forall(between(1, 1000, I), format(Out, "~d~n", [I])),
    close(Out).
work(set_position, N, File, X) :-
    open(File, read, In),
    stream_property(In, position(Start)),
    repeated(N, ( get_char(In, _), set_stream_position(In, Start) )),
    get_char(In, X),
    close(In),
    delete_file(File).
