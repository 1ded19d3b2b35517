% library(process) and library(unix).

:- use_module(library(process)).

prc_run(Program, Args, Options, Text) :-
    process_create(path(Program), Args, [stdout(pipe(Out)), process(Pid)|Options]),
    call_cleanup(read_string(Out, _, Text), close(Out)),
    process_wait(Pid, exit(0)).

prc_sh(Command, Options) :- process_create(path(sh), ['-c', Command], Options).

t(prc_output, prc_run(echo, [a, "b c", 1, 2.5], [], T), [T], answers([["a b c 1 2.5\n"]])).
t(prc_arguments, prc_run(printf, ['%s|', [], '', [a, file(b), '$X'], 'é', '*'], [], T), [T], answers([["[]||ab$X|é|*|"]])).
t(prc_input, ( process_create(path(cat), [], [stdin(pipe(In)), stdout(pipe(Out)), process(P)]), write(In, hello), close(In), read_string(Out, _, T), close(Out), process_wait(P, S) ), [T, S],
  answers([["hello", exit(0)]])).
t(prc_error_output, ( prc_sh('echo oops >&2', [stderr(pipe(E)), process(P)]), read_string(E, _, T), close(E), process_wait(P, S) ), [T, S], answers([["oops\n", exit(0)]])).
t(prc_null, ( prc_sh('cat; echo x', [stdin(null), stdout(null), process(P)]), process_wait(P, S) ), [S], answers([[exit(0)]])).
t(prc_binary, ( prc_sh('printf "\\377"', [stdout(pipe(O, [type(binary)])), process(P)]), get_byte(O, B), close(O), process_wait(P, _) ), [B], answers([[255]])).
t(prc_encoding, ( prc_sh('printf "\\351"', [stdout(pipe(O, [encoding(iso_latin_1)])), process(P)]), get_char(O, C), close(O), process_wait(P, _) ), [C], answers([[é]])).
t(prc_waits, prc_sh('exit 0', []), [], answers([[]])).
t(prc_status_is_error, catch(prc_sh('exit 3', []), error(process_error(_, S), _), true), [S], answers([[exit(3)]])).
t(prc_killed_is_error, catch(prc_sh('kill -9 $$', []), error(process_error(_, S), _), true), [S], answers([[killed(9)]])).
t(prc_last_pipe_waits, ( prc_sh('cat; exit 0', [stdin(pipe(I)), stdout(pipe(O))]), close(I), read_string(O, _, T), close(O) ), [T], answers([[""]])).
t(prc_status, ( prc_sh('exit 7', [process(P)]), process_wait(P, S) ), [S], answers([[exit(7)]])).
t(prc_kill, ( prc_sh('exec sleep 100', [process(P)]), process_kill(P), process_wait(P, S) ), [S], answers([[killed(15)]])).
t(prc_kill_by_name, ( prc_sh('exec sleep 100', [process(P)]), process_kill(P, kill), process_wait(P, S) ), [S], answers([[killed(9)]])).
t(prc_kill_group, ( prc_sh('sleep 100 & wait', [process(P), detached(true)]), process_group_kill(P, 9), process_wait(P, S) ), [S], answers([[killed(9)]])).
t(prc_kill_what, process_kill(a), [], throws(type_error(integer, a))).
t(prc_kill_signal, process_kill(1, nope), [], throws(domain_error(signal, nope))).
t(prc_kill_nobody, process_kill(0), [], throws(existence_error(process, 0))).
t(prc_not_yet, ( prc_sh('exec sleep 100', [process(P)]), process_wait(P, S0, [timeout(0)]), process_wait(P, S1, [timeout(0.05)]), process_kill(P, 9), process_wait(P, S2, [timeout(10)]) ), [S0, S1, S2],
  answers([[timeout, timeout, killed(9)]])).
t(prc_wait_again, ( prc_sh(true, [process(P)]), process_wait(P, _), catch(process_wait(P, _), error(existence_error(process, P), _), true) ), [], answers([[]])).
t(prc_release, ( prc_sh(true, [process(P)]), process_wait(P, S, [release(true)]), catch(process_wait(P, _), error(existence_error(process, _), _), true) ), [S], answers([[release]])).
t(prc_wait_ends_in_time, ( prc_sh('exec sleep 100', [process(P)]), catch(call_with_time_limit(0.05, process_wait(P, _)), E, true), process_kill(P, 9), process_wait(P, S) ), [E, S],
  answers([[time_limit_exceeded, killed(9)]])).
t(prc_read_ends_in_time, ( prc_sh('exec sleep 100', [stdout(pipe(O)), process(P)]), catch(call_with_time_limit(0.05, get_char(O, _)), E, true), process_kill(P, 9), process_wait(P, _), close(O) ), [E],
  answers([[time_limit_exceeded]])).
t(prc_other_threads_run, ( prc_sh('exec sleep 100', [process(P)]), thread_create(process_wait(P, killed(9)), T), process_wait_begun(P), process_kill(P, 9), thread_join(T, S) ), [S], answers([[true]])).
process_wait_begun(P) :- catch(( process_wait(P, S, [timeout(0)]), S == timeout, sleep(0.005), process_wait_begun(P) ), error(existence_error(_, _), _), true).
t(prc_directory, ( prc_run(pwd, [], [cwd('/')], T) ), [T], answers([["/\n"]])).
t(prc_no_directory, prc_run(pwd, [], [cwd('/no such')], _), [], throws(existence_error(directory, _))).
t(prc_variables_added, prc_run(sh, ['-c', 'echo $PRC_A $PRC_B'], [environment(['PRC_A'=a, 'PRC_B'=1])], T), [T], answers([["a 1\n"]])).
t(prc_variables, ( getenv('PATH', Path), prc_run(env, [], [env(['PATH'=Path])], T0), sub_string(T0, 0, 5, _, T) ), [T], answers([["PATH="]])).
t(prc_variables_of_program, setup_call_cleanup(setenv(prc_v, x), prc_run(sh, ['-c', 'echo $prc_v'], [], T), unsetenv(prc_v)), [T], answers([["x\n"]])).
t(prc_no_program, process_create(path('no such program'), [], []), [], throws(existence_error(source_sink, path('no such program')))).
t(prc_unbound_program, process_create(_, [], []), [], throws(instantiation_error)).
t(prc_bad_argument, process_create(path(true), [f(x)], []), [], throws(type_error(atomic, f(x)))).
t(prc_partial_arguments, process_create(path(true), [a|_], []), [], throws(instantiation_error)).
t(prc_bad_stream, process_create(path(true), [], [stdout(foo)]), [], throws(domain_error(process_stream, foo))).
t(prc_bound_stream, process_create(path(true), [], [stdout(pipe(foo))]), [], throws(uninstantiation_error(foo))).
t(prc_nul, process_create(path(echo), ['a\x0\b'], []), [], throws(type_error(text, _))).
t(prc_much, ( process_create(path(cat), [], [stdin(pipe(I)), stdout(pipe(O)), process(P)]),
              thread_create(( forall(between(1, 20000, N), format(I, "~d~n", [N])), close(I) ), T),
              read_string(O, _, S), close(O), thread_join(T), process_wait(P, _), string_length(S, L) ), [L], answers([[108894]])).
t(prc_is_process, ( is_process(1), \+ is_process(a), \+ is_process(0), process_id(N), integer(N), process_id(7, M) ), [M], answers([[7]])).

t(prc_shell, setup_call_cleanup(( ( getenv('SHELL', S0) -> true ; S0 = '/bin/sh' ), setenv('SHELL', true) ), ( shell, setenv('SHELL', false), \+ shell ), setenv('SHELL', S0)), [], answers([[]])).

% --- library(unix) ---

t(prc_pipe, ( unix:pipe(R, W), format(W, "a(~d).~n", [1]), close(W), read(R, T), read(R, E), close(R) ), [T, E], answers([[a(1), end_of_file]])).
t(prc_pipe_binary, ( unix:pipe(R, W, [type(binary)]), put_byte(W, 255), close(W), get_byte(R, B), get_byte(R, E), close(R) ), [B, E], answers([[255, -1]])).
t(prc_unix_kill, ( prc_sh('exec sleep 100', [process(P)]), unix:kill(P, term), process_wait(P, S) ), [S], answers([[killed(15)]])).
t(option_unknown, process_create(path(true), [], [zork(1)]), [], throws(domain_error(process_option, zork(1)))).
t(option_unbound, process_create(path(true), [], [_]), [], throws(instantiation_error)).
t(prc_close_tells, findall(R, ( member(C-Ps, [(exit(3))-[stdout(pipe(A))], (exit(0))-[stdout(pipe(A))], 'kill -9 $$'-[stdout(pipe(A))], (exit(4))-[stdin(pipe(A))], (exit(5))-[stderr(pipe(A))]]), ( C = exit(N) -> format(atom(T), 'exit ~w', [N]) ; T = C ),
    prc_sh(T, Ps), catch(( close(A), R = ended ), error(E, _), ( E = process_error(P, S), file_base_name(P, B), R = B-S )) ), L), [L], answers([[[sh-exit(3), ended, sh-killed(9), sh-exit(4), sh-exit(5)]]])).
t(prc_close_tells_at_last, ( prc_sh('exit 6', [stdin(pipe(A)), stdout(pipe(B))]), close(A), catch(close(B), error(E, _), true), E = process_error(_, S) ), [S], answers([[exit(6)]])).
t(prc_close_by_force, ( prc_sh('exit 6', [stdout(pipe(A))]), close(A, [force(true)]) ), [], answers([[]])).
