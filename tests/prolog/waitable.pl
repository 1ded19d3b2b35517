% Waiting for what others send: wait_for_input/3, how long a stream waits (set_stream/2, timeout), and threads that wait for sockets without keeping
% an OS thread each. In this file everything is on this machine.

:- use_module(library(socket)).
:- use_module(library(readutil)).

% Near and Far are both ends of a connection.
wt_both(Near, Far, Goal) :-
    setup_call_cleanup(wt_listen(Port, Server),
        setup_call_cleanup(tcp_connect(ip(127, 0, 0, 1):Port, Near, []),
            ( tcp_accept(Server, Socket, _), tcp_open_socket(Socket, Far), call(Goal) ),
            ( wt_close(Near), wt_close(Far) )),
        catch(tcp_close_socket(Server), _, true)).

wt_listen(Port, Server) :- tcp_socket(Server), tcp_bind(Server, ip(127, 0, 0, 1):Port), tcp_listen(Server, 400).

wt_close(S) :- ( nonvar(S), is_stream(S) -> catch(close(S, [force(true)]), _, true) ; true ).
wt_say(S, Text) :- write(S, Text), flush_output(S).
wt_in(S, In) :- stream_pair(S, In, _).
wt_out(S, Out) :- stream_pair(S, _, Out).
wt_soon(Goal) :- between(1, 1000, _), ( call(Goal) -> true ; sleep(0.01), fail ), !.
wt_light(Goal, T) :- thread_create(Goal, T, [kind(light)]).
wt_waits(_) :- sleep(0.03).
wt_join(T, S) :- thread_join(T, S).

% OS threads of this process.
wt_os_threads(N) :- directory_files('/proc/self/task', Fs), length(Fs, M), N is M-2.

% --- wait_for_input/3 ---
t(silent, wt_both(N, _, wait_for_input([N], R, 0)), [R], answers([[[]]])).
t(silent_for_a_while, wt_both(N, _, ( get_time(T0), wait_for_input([N], R, 0.05), get_time(T1), ( T1-T0 >= 0.05 -> B = late ; B = early ) )), [R, B], answers([[[], late]])).
t(there, wt_both(N, F, ( wt_say(F, x), wait_for_input([N], [R], infinite), ( R == N -> A = it ; A = R ) )), [A], answers([[it]])).
t(one_of_two, wt_both(N, F, ( wt_say(F, x), wait_for_input([F, N], Rs, infinite), ( Rs == [N] -> A = it ; A = Rs ) )), [A], answers([[it]])).
t(in_its_order, wt_both(N, F, ( wt_say(F, x), wt_say(N, x), sleep(0.05), wait_for_input([F, N], Rs, 1), ( Rs == [F, N] -> A = both ; A = Rs ) )), [A], answers([[both]])).
t(twice_the_same, wt_both(N, F, ( wt_say(F, x), sleep(0.02), wait_for_input([N, N], Rs, -1), ( Rs == [N, N] -> A = both ; A = Rs ) )), [A], answers([[both]])).
t(twice_the_same_silent, wt_both(N, _, wait_for_input([N, N], Rs, 0.01)), [Rs], answers([[[]]])).
t(in_the_buffer, wt_both(N, F, ( wt_say(F, xy), get_char(N, _), wait_for_input([N], Rs, infinite), length(Rs, L) )), [L], answers([[1]])).
t(at_its_end, wt_both(N, F, ( close(F), wait_for_input([N], Rs, infinite), length(Rs, L), get_char(N, C) )), [L, C], answers([[1, end_of_file]])).
t(later, wt_both(N, F, ( thread_create(( sleep(0.05), wt_say(F, x) ), T), wait_for_input([N], Rs, 10), length(Rs, L), thread_join(T, _) )), [L], answers([[1]])).
t(a_file, ( tmp_file_stream(F, S, []), close(S), open(F, read, I), wait_for_input([I], Rs, 0), length(Rs, L), close(I), delete_file(F) ), [L], answers([[1]])).
t(none_for_no_time, wait_for_input([], R, 0), [R], answers([[[]]])).
t(room_to_write, wt_both(N, _, ( wt_out(N, O), wait_for_input([O], Rs, infinite), length(Rs, L) )), [L], answers([[1]])).
t(no_list, wait_for_input(foo, _, 0), [], throws(type_error(list, foo))).
t(half_a_list, wait_for_input([user_input|_], _, 0), [], throws(instantiation_error)).
t(no_stream, wait_for_input([foo], _, 0), [], throws(existence_error(stream, foo))).
t(an_unknown_stream, wait_for_input([_], _, 0), [], throws(instantiation_error)).
t(no_time, wt_both(N, _, wait_for_input([N], _, foo)), [], throws(type_error(float, foo))).
t(unknown_time, wt_both(N, _, wait_for_input([N], _, _)), [], throws(instantiation_error)).
t(in_memory, ( open_string("abc", S), catch(wait_for_input([S], _, 0), error(E, _), true), close(S), E =.. [F, A|_] ), [F, A], answers([[domain_error, waitable_stream]])).
t(waiting_under_a_limit, wt_both(N, _, catch(call_with_time_limit(0.05, wait_for_input([N], _, infinite)), X, true)), [X], answers([[time_limit_exceeded]])).
t(waiting_and_a_signal, wt_both(N, F, ( thread_self(Me), thread_create(( sleep(0.05), thread_signal(Me, nb_setval(wt_signal, came)), sleep(0.05), wt_say(F, x) ), T),
                                       nb_setval(wt_signal, no), wait_for_input([N], Rs, 20), nb_getval(wt_signal, V), length(Rs, L), thread_join(T, _) )), [V, L], answers([[came, 1]])).
t(a_signal_takes_no_time, wt_both(N, _, ( thread_self(Me), thread_create(forall(between(1, 6, _), ( sleep(0.02), thread_signal(Me, true) )), T),
                                         get_time(T0), wait_for_input([N], Rs, 0.1), get_time(T1), ( T1-T0 < 5 -> A = soon ; A = late ), thread_join(T, _) )), [Rs, A], answers([[[], soon]])).

% --- how long a stream waits ---
t(timeout, wt_both(N, _, ( wt_in(N, I), set_stream(I, timeout(0.02)), catch(read(I, _), error(E, _), true), ( E = timeout_error(A, S), S == I -> true ; A = E ) )), [A], answers([[read]])).
t(timeout_takes_nothing, wt_both(N, F, ( set_stream(N, timeout(0.02)), wt_say(F, 'foo(a, '), catch(read(N, _), error(E, _), true), functor(E, K, _), wt_say(F, 'b). c.\n'), read(N, A), read(N, B) )), [K, A, B],
  answers([[timeout_error, foo(a, b), c]])).
t(timeout_of_each_wait, wt_both(N, F, ( set_stream(N, timeout(0.4)), thread_create(forall(member(X, [a, b, c, '.\n']), ( sleep(0.15), wt_say(F, X) )), T), read(N, A), thread_join(T, _) )), [A], answers([[abc]])).
t(timeout_in_time, wt_both(N, F, ( set_stream(N, timeout(10)), wt_say(F, 'a. '), read(N, A) )), [A], answers([[a]])).
t(timeout_none, wt_both(N, F, ( set_stream(N, timeout(0)), catch(get_char(N, _), error(timeout_error(A, _), _), true), wt_say(F, x), sleep(0.05), get_char(N, C) )), [A, C], answers([[read, x]])).
t(timeout_and_signals, wt_both(N, _, ( set_stream(N, timeout(0.1)), thread_self(Me), thread_create(forall(between(1, 8, _), ( sleep(0.03), thread_signal(Me, true) )), T),
                                       catch(get_char(N, _), error(timeout_error(A, _), _), true), thread_join(T, _) )), [A], answers([[read]])).
t(timeout_property, wt_both(N, _, ( wt_in(N, I), stream_property(I, timeout(A)), set_stream(I, timeout(2)), stream_property(I, timeout(B)), set_stream(I, timeout(-1)), stream_property(I, timeout(C)),
                                    set_stream(I, timeout(infinite)), stream_property(I, timeout(D)) )), [A, B, C, D], answers([[infinite, 2.0, 0.0, infinite]])).
t(timeout_foo, wt_both(N, _, set_stream(N, timeout(foo))), [], throws(type_error(float, foo))).
t(timeout_in_writing, wt_both(N, _, ( wt_out(N, O), set_stream(O, timeout(0.05)), length(L, 100000), maplist(=(0'x), L), atom_codes(X, L),
                                      catch(( between(1, 1000, _), wt_say(O, X), fail ), error(timeout_error(A, _), _), true) )), [A], answers([[write]])).
t(timeout_message, ( message_lines_of(error(timeout_error(read, user_input), _), T) ), [T], answers([["Timeout in read from user_input\n"]])).
message_lines_of(E, T) :- '$messages':translate_message(E, Lines, []), with_output_to(string(T), print_message_lines(current_output, '', Lines)).

% --- light threads that wait keep no OS thread ---
wt_get(N, C) :- get_char(N, C).
wt_many(0, _, []) :- !.
wt_many(K, Server-Port, [c(N, F, T)|Cs]) :-
    tcp_connect(ip(127, 0, 0, 1):Port, N, []), tcp_accept(Server, Socket, _), tcp_open_socket(Socket, F),
    wt_light(wt_echo(F), T), K1 is K-1, wt_many(K1, Server-Port, Cs).
wt_echo(S) :- read_line_to_string(S, L), ( L == end_of_file -> true ; format(S, "~s again~n", [L]), flush_output(S), wt_echo(S) ).
wt_with_many(K, Cs, Goal) :-
    setup_call_cleanup(wt_listen(Port, Server),
        setup_call_cleanup(wt_many(K, Server-Port, Cs), Goal, forall(member(c(N, F, T), Cs), ( wt_close(N), thread_join(T, _), wt_close(F) ))),
        tcp_close_socket(Server)).

t(many_readers, ( wt_os_threads(T0), wt_with_many(200, Cs, ( forall(member(c(_, _, T), Cs), wt_waits(T)), wt_os_threads(T1),
                     forall(( between(1, 3, _), member(c(N, _, _), Cs) ), wt_say(N, "hello\n")),
                     findall(L, ( member(c(N, _, _), Cs), between(1, 3, _), read_line_to_string(N, L) ), Ls) )),
                  sort(Ls, Set), length(Ls, Len), ( T1-T0 < 20 -> A = few ; A = T1-T0 ) ), [Set, Len, A], answers([[["hello again"], 600, few]])).
t(in_pieces, wt_both(N, F, ( wt_light(( read(N, X), thread_exit(X) ), T), forall(( between(1, 400, I), member(P, ['f(', 'abc, "', I, '", [x|', 'y], ']) ), wt_say(F, P)),
                             wt_say(F, last), forall(between(1, 400, _), wt_say(F, ')')), wt_say(F, '.\n'), wt_join(T, exited(X)), wt_depth(X, 0, D) )), [D], answers([[400]])).
wt_depth(last, D, D) :- !.
wt_depth(f(abc, _, [x|y], X), D0, D) :- D1 is D0+1, wt_depth(X, D1, D).
t(a_long_line_in_pieces, wt_both(N, F, ( wt_light(( read_line_to_string(N, L), string_length(L, Len), thread_exit(Len) ), T), length(Cs, 1000), maplist(=(0'ä), Cs), string_codes(S, Cs), set_stream(N, encoding(utf8)), set_stream(F, encoding(utf8)),
                                         forall(between(1, 100, _), wt_say(F, S)), wt_say(F, "\n"), wt_join(T, Len) )), [Len], answers([[exited(100000)]])).
t(two_for_one, wt_both(N, F, ( wt_light(( get_char(N, C), thread_exit(C) ), A), wt_light(( get_char(N, C), thread_exit(C) ), B), wt_waits(A), wt_waits(B), wt_say(F, xy), wt_join(A, X), wt_join(B, Y), msort([X, Y], L) )), [L],
  answers([[[exited(x), exited(y)]]])).
t(closed_while_waited_for, wt_both(N, _, ( wt_in(N, I), wt_light(get_char(I, _), T), wt_waits(T), close(I), wt_join(T, exception(error(E, _))), E =.. [K, W|_] )), [K, W], answers([[existence_error, stream]])).
t(closed_pair_while_waited_for, wt_both(N, _, ( wt_in(N, I), wt_light(get_char(I, _), T), wt_waits(T), close(N), wt_join(T, exception(error(E, _))), E =.. [K, W|_] )), [K, W], answers([[existence_error, stream]])).
t(closed_while_accepting, ( wt_listen(_, Server), wt_light(tcp_accept(Server, _, _), T), wt_waits(T), tcp_close_socket(Server), wt_join(T, exception(error(E, _))), E =.. [K, W|_] ), [K, W], answers([[existence_error, socket]])).
t(killed_while_waiting, wt_both(N, _, ( wt_light(get_char(N, _), T), wt_waits(T), thread_signal(T, throw(stop)), wt_join(T, S) )), [S], answers([[exception(stop)]])).
t(signalled_while_waiting, wt_both(N, F, ( thread_self(Me), wt_light(( get_char(N, C), thread_exit(C) ), T), wt_waits(T), thread_signal(T, thread_send_message(Me, came)), thread_get_message(came), wt_waits(T), wt_say(F, x), wt_join(T, S) )), [S],
  answers([[exited(x)]])).
t(limited_while_waiting, wt_both(N, _, ( wt_light(catch(call_with_time_limit(0.05, get_char(N, _)), X, thread_exit(X)), T), wt_join(T, S) )), [S], answers([[exited(time_limit_exceeded)]])).
t(killed_while_accepting, ( wt_listen(_, Server), wt_light(tcp_accept(Server, _, _), T), wt_waits(T), thread_signal(T, throw(stop)), wt_join(T, S), tcp_close_socket(Server) ), [S], answers([[exception(stop)]])).
t(light_timeout, wt_both(N, _, ( set_stream(N, timeout(0.05)), wt_light(catch(get_char(N, _), error(timeout_error(A, _), _), thread_exit(A)), T), wt_join(T, S) )), [S], answers([[exited(read)]])).
t(light_timeout_then_more, wt_both(N, F, ( set_stream(N, timeout(0.2)), wt_light(( catch(get_char(N, _), error(timeout_error(A, _), _), true), set_stream(N, timeout(20)), get_char(N, C), thread_exit(A-C) ), T), sleep(0.4), wt_say(F, x), wt_join(T, S) )), [S],
  answers([[exited(read-x)]])).
t(light_wait_for_input, wt_both(N, F, ( wt_light(( wait_for_input([N, F], Rs, 20), length(Rs, L), thread_exit(L) ), T), wt_waits(T), wt_say(F, x), wt_join(T, S) )), [S], answers([[exited(1)]])).
t(light_wait_for_input_in_vain, wt_both(N, F, ( wt_light(( wait_for_input([N, F, N], Rs, 0.05), thread_exit(Rs) ), T), wt_join(T, S) )), [S], answers([[exited([])]])).
t(slow_reader, wt_both(N, F, ( length(L, 1000), maplist(=(0'x), L), string_codes(S, L), wt_light(( forall(between(1, 5000, _), format(F, "~s~n", [S])), flush_output(F), close(F), thread_exit(done) ), T),
                               sleep(0.1), wt_lines(N, 0, Lines), wt_join(T, X) )), [Lines, X], answers([[5000, exited(done)]])).
wt_lines(S, N0, N) :- read_line_to_string(S, L), ( L == end_of_file -> N = N0 ; string_length(L, 1000), N1 is N0+1, wt_lines(S, N1, N) ).
t(in_the_midst, wt_both(N, F, ( wt_light(( findall(X-Y, ( member(X, [1, 2, 3]), get_char(N, Y) ), L), catch(( get_char(N, C), throw(C) ), B, true), setup_call_cleanup(true, get_char(N, D), get_char(N, E)), thread_exit([L, B, D, E]) ), T),
                                forall(member(C, [a, b, c, d, e, f]), ( wt_say(F, C), sleep(0.01) )), wt_join(T, S) )), [S], answers([[exited([[1-a, 2-b, 3-c], d, e, f])]])).

% What one thread has taken from the system, and left in the buffer, another one that waits away finds.
wt_two_lines(A, B) :- wt_both(N, F, ( thread_create(( read_line_to_string(N, L), thread_exit(L) ), T1, [kind(light)]), thread_create(( read_line_to_string(N, L), thread_exit(L) ), T2, [kind(native)]), wt_say(F, "a\nb\n"),
                                      wt_join(T1, A), wt_join(T2, B) )).
t(left_in_the_buffer, ( findall(L, ( between(1, 150, _), wt_two_lines(exited(A), exited(B)), msort([A, B], L) ), Ls), sort(Ls, S) ), [S], answers([[[["a", "b"]]]])).
t(left_in_the_buffer_for_wait, ( findall(R, ( between(1, 100, _), wt_both(N, F, ( thread_create(( wait_for_input([N], [_], 20), get_char(N, C), thread_exit(C) ), T, [kind(light)]), thread_create(get_char(N, _), T2, [kind(native)]), wt_say(F, xx), wt_join(T, exited(R)), wt_join(T2, true) )) ), Rs), sort(Rs, S) ),
  [S], answers([[[x]]])).

% A native thread that waits hears that a stream is closed, and needs no descriptors of its own.
t(native_hears_of_closing, wt_both(N, _, ( thread_create(wait_for_input([N], _, infinite), T, [kind(native)]), sleep(0.05), wt_in(N, I), close(I), wt_join(T, exception(error(E, _))), E =.. [K, W|_] )), [K, W], answers([[existence_error, stream]])).
t(no_descriptors_of_its_own, wt_both(N, F, ( length(L, 100), maplist(=(N), L), wait_for_input(L, [], 0.01), wt_say(F, x), wait_for_input(L, Rs, 10), length(Rs, Len) )), [Len], answers([[100]])).
