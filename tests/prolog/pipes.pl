% Streams from and to commands: open(pipe(Command), Mode, Stream). As in SWI-Prolog; what differs is in docs/compatibility.md.

pp_read(Command, Text) :- setup_call_cleanup(open(pipe(Command), read, S), read_string(S, _, Text), close(S)).
pp_write(Command, Text) :- setup_call_cleanup(open(pipe(Command), write, S), write(S, Text), close(S)).
pp_limited(Goal, E) :- catch(( call_with_time_limit(0.1, Goal), E = none ), E, true).
pp_file(F, Goal) :- tmp_file(pp, F), call_cleanup(Goal, catch(delete_file(F), _, true)).
pp_seconds(Goal, T) :- get_time(T0), ( catch(Goal, _, true) -> true ; true ), get_time(T1), T is T1-T0.
pp_descriptors(N) :- directory_files('/proc/self/fd', Fs), length(Fs, N).
% Children of this process that have ended, and that nobody has asked about.
pp_dead(N) :-
    current_prolog_flag(pid, Me),
    findall(P, ( directory_files('/proc', Fs), member(F, Fs), atom_number(F, P), pp_dead(P, Me) ), Ps),
    length(Ps, N).
pp_dead(P, Me) :-
    format(atom(F), '/proc/~d/stat', [P]),
    catch(setup_call_cleanup(open(F, read, S), read_string(S, _, T), close(S)), _, fail),
    split_string(T, " ", "", [_, _, "Z", Parent|_]), number_string(Me, Parent).

t(reads, pp_read('echo hello; echo b', T), [T], answers([["hello\nb\n"]])).
t(reads_string, pp_read("printf 'a b'", T), [T], answers([["a b"]])).
t(reads_terms, ( open(pipe('echo "foo(X). bar."'), read, S), read(S, A), read(S, B), read(S, C), close(S) ), [A, B, C], answers([[foo(_), bar, end_of_file]])).
t(reads_nothing, pp_read('', T), [T], answers([[""]])).
t(writes, pp_file(F, ( format(atom(C), 'tr a-z A-Z > ~w', [F]), pp_write(C, hello), read_file_to_string(F, T, []) )), [T], answers([["HELLO"]])).
t(close_waits, pp_file(F, ( format(atom(C), 'cat > /dev/null; sleep 0.1; echo x > ~w', [F]), pp_write(C, hello), read_file_to_string(F, T, []) )), [T], answers([["x\n"]])).
t(close_waits_for_who_is_silent, ( pp_seconds(pp_read('exec 1>&-; exec sleep 0.1', _), T), T >= 0.1 ), [], answers([[]])).
t(close_of_what_writes, ( open(pipe('exec yes'), read, S), read_line_to_string(S, L), close(S) ), [L], answers([["y"]])).
t(status_is_nobodys, ( pp_read('exit 3', A), pp_read('kill -9 $$', B), pp_write('cat > /dev/null; exit 4', x) ), [A, B], answers([["", ""]])).
t(no_command, pp_read('exec 2> /dev/null; no_such_command_pp', T), [T], answers([[""]])).
t(gone_before_it_reads, ( open(pipe('exit 5'), write, S), sleep(0.1), write(S, hello), catch(close(S), error(E, _), true), functor(E, N, _), ( is_stream(S) -> O = open ; O = closed ) ), [N, O], answers([[io_error, closed]])).
t(encoding, ( open(pipe("printf '\\303\\251'"), read, S, [encoding(iso_latin_1)]), read_string(S, _, T), close(S), string_length(T, N) ), [N], answers([[2]])).
t(binary, ( open(pipe("printf '\\377'"), read, S, [type(binary)]), get_byte(S, B), get_byte(S, C), close(S) ), [B, C], answers([[255, -1]])).
t(alias, ( open(pipe('echo x'), read, _, [alias(pp_alias)]), get_char(pp_alias, C), close(pp_alias) ), [C], answers([[x]])).
t(properties, ( open(pipe('echo x'), read, S), findall(P, ( member(P, [mode(_), reposition(_), file_name(_), buffer(_)]), stream_property(S, P) ), Ps), close(S) ), [Ps], answers([[[mode(read), reposition(false), buffer(full)]]])).
t(environment, ( setenv(pp_variable, value), pp_read('echo $pp_variable', T), unsetenv(pp_variable) ), [T], answers([["value\n"]])).
t(sees_what_was_written, pp_file(F, ( open(F, write, S), write(S, hello), format(atom(C), 'cat ~w', [F]), pp_read(C, T), close(S) )), [T], answers([["hello"]])).
t(current, ( open(pipe('echo foo.'), read, S), current_input(Old), set_input(S), read(X), set_input(Old), close(S) ), [X], answers([[foo]])).
t(told, pp_file(F, ( format(atom(C), 'cat > ~w', [F]), open(pipe(C), write, S), tell(S), write(hello), told, read_file_to_string(F, T, []) )), [T], answers([["hello"]])).
t(pair, pp_file(F, ( format(atom(C), 'sleep 0.05; cat > ~w', [F]), open(pipe(C), write, O), open(pipe('echo x'), read, I), stream_pair(P, I, O), write(P, hello), get_char(P, X), close(P), read_file_to_string(F, T, []) )), [X, T], answers([[x, "hello"]])).
t(unbound, open(pipe(_), read, _), [], throws(instantiation_error)).
t(no_text, open(pipe(f(x)), read, _), [], throws(type_error(atom, f(x)))).
t(number, open(pipe(1), read, _), [], throws(type_error(atom, 1))).
t(append, open(pipe(cat), append, _), [], throws(existence_error(source_sink, pipe(cat)))).
t(update, open(pipe(cat), update, _), [], throws(existence_error(source_sink, pipe(cat)))).
t(mode, open(pipe(cat), foo, _), [], throws(domain_error(io_mode, foo))).
t(bound, open(pipe(cat), read, foo), [], throws(uninstantiation_error(foo))).
t(no_options, open(pipe(cat), read, _, foo), [], throws(type_error(list, foo))).
t(null, open(pipe('a\0\b'), read, _), [], throws(type_error(text, 'a\0\b'))).
t(closed_twice, ( open(pipe('echo x'), read, S), close(S), close(S) ), [], throws(existence_error(stream, _))).
t(nothing_stays, ( ( pp_descriptors(N0), forall(between(1, 20, _), pp_read('echo x', _)), pp_descriptors(N), pp_dead(D) ), N =< N0+2 ), [D], answers([[0]])).

% Events, while it is read from, written to, or waited for.
t(limit_in_read, pp_limited(pp_read('exec sleep 0.5', _), E), [E], answers([[time_limit_exceeded]])).
t(limit_in_write, ( open(pipe('exec sleep 0.5'), write, S), pp_limited(forall(repeat, write(S, hellohello)), E), close(S, [force(true)]) ), [E], answers([[time_limit_exceeded]])).
t(limit_in_close, ( ( open(pipe('exec 1>&-; exec sleep 0.5'), read, S), pp_limited(close(S), E), pp_seconds(close(S), T), ( is_stream(S) -> O = open ; O = closed ) ), T > 0.2 ), [E, O], answers([[time_limit_exceeded, closed]])).
t(hung_up, ( open(pipe('cat > /dev/null; exec sleep 0.3'), write, S), pp_limited(close(S), E), catch(write(S, x), error(F, _), true), functor(F, N, _), close(S) ), [E, N], answers([[time_limit_exceeded, existence_error]])).
t(signal_in_close, ( thread_self(Me), thread_create(( open(pipe('exec 1>&-; exec sleep 0.3'), read, S), thread_send_message(Me, pp_in), close(S), thread_send_message(Me, pp_closed) ), T),
                     thread_get_message(pp_in), sleep(0.05), thread_signal(T, thread_send_message(Me, pp_handled)), thread_get_message(X), thread_get_message(Y), thread_join(T, R) ), [X, Y, R], answers([[pp_handled, pp_closed, true]])).
t(killed_in_close, ( thread_self(Me), thread_create(( open(pipe('exec 1>&-; exec sleep 0.5'), read, S), thread_send_message(Me, pp_in), close(S) ), T),
                     thread_get_message(pp_in), sleep(0.05), get_time(T0), thread_signal(T, throw(pp_stop)), thread_join(T, R), get_time(T1), ( T1-T0 < 0.3 -> W = soon ; W = late ) ), [R, W], answers([[exception(pp_stop), soon]])).

% Light threads that wait keep nobody from running, and no OS thread each.
pp_all(Goal, Statuses, Most) :-
    findall(T, ( between(1, 40, _), thread_create(Goal, T, [kind(light)]) ), Ts),
    sleep(0.1),
    directory_files('/proc/self/task', Fs), length(Fs, Most),
    findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, Statuses).
t(light_readers, ( pp_all(( open(pipe('sleep 0.5; echo x'), read, S), get_char(S, x), close(S) ), L, N), N < 30 ), [L], answers([[[true]]])).
t(light_closers, ( pp_all(( open(pipe('exec 1>&-; exec sleep 0.5'), read, S), close(S) ), L, N), N < 30 ), [L], answers([[[true]]])).
t(two_close, ( open(pipe('exec 1>&-; exec sleep 0.2'), read, S), findall(T, ( member(K, [native, light, light]), thread_create(catch(close(S), error(existence_error(stream, _), _), true), T, [kind(K)]) ), Ts),
               findall(R, ( member(T, Ts), thread_join(T, R) ), Rs) ), [Rs], answers([[[true, true, true]]])).
