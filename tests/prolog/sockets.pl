% Sockets: library(socket), and pairs of streams. As in SWI-Prolog; what differs is in docs/compatibility.md. Everything is on this machine.

:- use_module(library(socket)).

% A socket that listens, while Goal runs.
sk_server(Port, Server, Goal) :-
    setup_call_cleanup(tcp_socket(Server),
        ( tcp_bind(Server, ip(127, 0, 0, 1):Port), tcp_listen(Server, 64), call(Goal) ),
        catch(tcp_close_socket(Server), error(existence_error(_, _), _), true)).

% Both ends of a connection, as pairs.
sk_both(Client, Served, Goal) :-
    sk_server(Port, Server,
        setup_call_cleanup(tcp_connect(ip(127, 0, 0, 1):Port, Client, []),
            ( tcp_accept(Server, Socket, _), tcp_open_socket(Socket, Served), call(Goal) ),
            sk_close([Served, Client]))).

sk_close([]).
sk_close([S|Ss]) :- ( is_stream(S) -> catch(close(S), _, true) ; true ), sk_close(Ss).

sk_say(S, Term) :- format(S, "~q.~n", [Term]), flush_output(S).

% Says everything again to whoever connects, N times.
sk_echo(Kind, Server, N) :-
    forall(between(1, N, _),
        ( tcp_accept(Server, Socket, _), thread_create(sk_serve(Socket), _, [kind(Kind), detached(true)]) )).

sk_serve(Socket) :-
    setup_call_cleanup(tcp_open_socket(Socket, S), sk_again(S), close(S)).

sk_again(S) :-
    read_term(S, Term, []),
    (   Term == end_of_file -> true
    ;   sk_say(S, Term), sk_again(S)
    ).

sk_ask(Port, Term, Answer) :-
    setup_call_cleanup(tcp_connect(ip(127, 0, 0, 1):Port, S, []),
        ( sk_say(S, Term), read_term(S, Answer, []) ),
        close(S)).

sk_echoes(Kind, N, Answers) :-
    sk_server(Port, Server, (
        thread_create(sk_echo(Kind, Server, N), T, [kind(Kind)]),
        findall(C, ( between(1, N, I), thread_create(( sk_ask(Port, I, A), A == I ), C, [kind(Kind)]) ), Cs),
        findall(St, ( member(C, Cs), thread_join(C, St) ), Ss),
        sort(Ss, Answers),
        thread_join(T, true) )).

sk_limited(Goal, E) :- catch(call_with_time_limit(0.05, Goal), E, true).

% N lines of 1000 bytes.
sk_write_all(S, N) :- length(L, 999), sk_xs(L), atom_codes(A, L), forall(between(1, N, _), ( write(S, A), nl(S) )), flush_output(S).
sk_xs([]).
sk_xs([0'x|Xs]) :- sk_xs(Xs).

sk_read_all(S, N, N) :- peek_char(S, end_of_file), !.
sk_read_all(S, N0, N) :- read_line_to_string(S, L), string_length(L, 999), N1 is N0 + 1, sk_read_all(S, N1, N).

t(kind, ( tcp_socket(S), blob(S, K), tcp_close_socket(S) ), [K], answers([[socket]])).
t(bound, tcp_socket(foo), [], throws(uninstantiation_error(foo))).
t(no_socket, tcp_listen(foo, 5), [], throws(type_error(socket, foo))).
t(no_stream_socket, tcp_listen(user_input, 5), [], throws(type_error(socket, user_input))).
t(unbound, tcp_close_socket(_), [], throws(instantiation_error)).
t(closed, ( tcp_socket(S), tcp_close_socket(S), tcp_close_socket(S) ), [], throws(existence_error(socket, _))).
t(closed_bind, ( tcp_socket(S), tcp_close_socket(S), tcp_bind(S, _) ), [], throws(existence_error(socket, _))).
t(port_chosen, ( tcp_socket(S), tcp_bind(S, P), tcp_close_socket(S), integer(P), P > 1023 ), [], answers([[]])).
t(port_of_host, ( tcp_socket(S), tcp_bind(S, localhost:P), tcp_close_socket(S), integer(P) ), [], answers([[]])).
t(bound_twice, ( tcp_socket(S), call_cleanup(( tcp_bind(S, _), tcp_bind(S, _) ), tcp_close_socket(S)) ), [], throws(socket_error(einval, 'Invalid argument'))).
t(port_in_use, sk_server(P, _, ( tcp_socket(S), call_cleanup(tcp_bind(S, ip(127, 0, 0, 1):P), tcp_close_socket(S)) )), [], throws(socket_error(eaddrinuse, 'Address already in use'))).
t(no_service, ( tcp_socket(S), call_cleanup(tcp_bind(S, no_such_service), tcp_close_socket(S)) ), [], throws(existence_error(service, no_such_service))).
t(no_port, ( tcp_socket(S), call_cleanup(tcp_bind(S, f(x)), tcp_close_socket(S)) ), [], throws(type_error(port, f(x)))).
t(port_too_large, ( tcp_socket(S), call_cleanup(tcp_bind(S, 70000), tcp_close_socket(S)) ), [], throws(domain_error(port, 70000))).
t(no_host, ( tcp_socket(S), call_cleanup(tcp_bind(S, "127.0.0.1":_), tcp_close_socket(S)) ), [], throws(type_error('atom|ip/4', "127.0.0.1"))).
t(host_unbound, ( tcp_socket(S), call_cleanup(tcp_bind(S, _:_), tcp_close_socket(S)) ), [], throws(instantiation_error)).
t(backlog_no_number, ( tcp_socket(S), call_cleanup(tcp_listen(S, a), tcp_close_socket(S)) ), [], throws(type_error(integer, a))).
t(accept_before_listen, ( tcp_socket(S), call_cleanup(tcp_accept(S, _, _), tcp_close_socket(S)) ), [], throws(socket_error(einval, 'Invalid argument'))).
t(accept_bound, sk_server(_, S, tcp_accept(S, x, _)), [], throws(uninstantiation_error(x))).
t(refused, ( tcp_socket(S), tcp_bind(S, ip(127, 0, 0, 1):P), call_cleanup(tcp_connect(ip(127, 0, 0, 1):P, _, []), tcp_close_socket(S)) ), [], throws(socket_error(econnrefused, 'Connection refused'))).
t(connect_unbound, tcp_connect(_, _, []), [], throws(instantiation_error)).
t(connect_no_port, ( tcp_socket(S), call_cleanup(tcp_connect(S, localhost:_), tcp_close_socket(S)) ), [], throws(instantiation_error)).
t(connect_no_options, tcp_connect(localhost:1, _, foo), [], throws(type_error(list, foo))).
t(no_file, tcp_connect('/no/such/socket', _, []), [], throws(existence_error(file, '/no/such/socket'))).

t(option_reuse, ( tcp_socket(S), tcp_setopt(S, reuseaddr), tcp_close_socket(S) ), [], answers([[]])).
t(option_nodelay, ( tcp_socket(S), tcp_setopt(S, nodelay), tcp_setopt(S, nodelay(false)), tcp_close_socket(S) ), [], answers([[]])).
t(option_sndbuf, ( tcp_socket(S), tcp_setopt(S, sndbuf(100000)), tcp_close_socket(S) ), [], answers([[]])).
t(option_no_bool, ( tcp_socket(S), call_cleanup(tcp_setopt(S, nodelay(x)), tcp_close_socket(S)) ), [], throws(domain_error(boolean, x))).
t(option_unknown, ( tcp_socket(S), call_cleanup(tcp_setopt(S, foo(1)), tcp_close_socket(S)) ), [], throws(domain_error(socket_option, foo(1)))).
t(option_of_no_effect, ( tcp_socket(S), call_cleanup(tcp_setopt(S, nonblock), tcp_close_socket(S)) ), [], throws(domain_error(socket_option, nonblock))).
t(file_no, ( tcp_socket(S), tcp_getopt(S, file_no(N)), tcp_close_socket(S), integer(N) ), [], answers([[]])).
t(get_unknown, ( tcp_socket(S), call_cleanup(tcp_getopt(S, foo(_)), tcp_close_socket(S)) ), [], throws(domain_error(socket_option, foo(_)))).

t(address, tcp_host_to_address('127.0.0.1', A), [A], answers([[ip(127, 0, 0, 1)]])).
t(address_of_name, tcp_host_to_address(localhost, A), [A], answers([[ip(127, 0, 0, 1)]])).
t(address_of_text, tcp_host_to_address("localhost", _), [], fails).
t(ip_name, ( ip_name(ip(1, 2, 3, 4), N), ip_name(I, '5.6.7.8') ), [N, I], answers([['1.2.3.4', ip(5, 6, 7, 8)]])).
t(ip_no_name, ip_name(_, '1.2.3.400'), [], throws(syntax_error(ip_address('1.2.3.400')))).
t(hostname, ( gethostname(H), atom(H), H \== '' ), [], answers([[]])).

t(peer, sk_server(P, S, ( tcp_connect(ip(127, 0, 0, 1):P, C, [nodelay(true)]), tcp_accept(S, A, Peer), tcp_close_socket(A), close(C) )), [Peer], answers([[ip(127, 0, 0, 1)]])).
t(talk, sk_both(A, B, ( sk_say(A, f(x)), read_term(B, T, []), sk_say(B, g(T)), read_term(A, U, []) )), [U], answers([[g(f(x))]])).
t(bytes, sk_both(A, B, ( forall(between(0, 255, I), put_byte(A, I)), flush_output(A), findall(I, ( between(0, 255, I), get_byte(B, J), I \== J ), L) )), [L], answers([[[]]])).
t(text, sk_both(A, B, ( set_stream(A, encoding(utf8)), set_stream(B, encoding(utf8)), write(A, 'h\u00e9 \u20ac'), nl(A), flush_output(A), read_line_to_string(B, L) )), [L], answers([["h\u00e9 \u20ac"]])).
t(bytes_of_octets, sk_both(A, _, ( stream_pair(A, I, O), stream_property(I, type(T)), stream_property(O, encoding(E)) )), [T, E], answers([[binary, octet]])).
t(output_closed, sk_both(A, B, ( sk_say(A, x), stream_pair(A, _, O), close(O), read_term(B, X, []), read_term(B, Y, []), sk_say(B, z), read_term(A, Z, []) )), [X, Y, Z], answers([[x, end_of_file, z]])).
t(end_of_file, sk_both(A, B, ( close(B), read_term(A, T, []) )), [T], answers([[end_of_file]])).
t(broken_is_told, sk_both(A, B, ( close(B), catch(( repeat, sk_say(A, x), fail ), error(socket_error(E, _), _), true), memberchk(E, [epipe, econnreset]) )), [], answers([[]])).
t(closed_with_streams, sk_server(P, S, ( tcp_connect(ip(127, 0, 0, 1):P, C, []), tcp_accept(S, A, _), tcp_open_socket(A, B), close(B), close(C), tcp_close_socket(A) )), [], throws(existence_error(socket, _))).
t(closes_streams, sk_server(P, S, ( tcp_connect(ip(127, 0, 0, 1):P, C, []), tcp_accept(S, A, _), tcp_open_socket(A, B), tcp_close_socket(A), read_term(C, T, []), close(C), \+ is_stream(B) )), [T], answers([[end_of_file]])).
t(accept_by_stream, sk_server(P, S, ( tcp_open_socket(S, F), tcp_connect(ip(127, 0, 0, 1):P, C, []), tcp_accept(F, A, Peer), tcp_close_socket(A), close(C), close(F), catch(tcp_listen(S, 5), error(E, _), true), E = existence_error(K, _) )), [Peer, K], answers([[ip(127, 0, 0, 1), socket]])).
t(two_streams, sk_server(P, S, ( tcp_socket(C), tcp_connect(C, ip(127, 0, 0, 1):P, I, O), tcp_accept(S, A, _), tcp_open_socket(A, I2, O2), sk_say(O, x), read(I2, X), maplist(close, [I, O, I2, O2]) )), [X], answers([[x]])).

t(pair, sk_both(A, _, ( stream_pair(A, I, O), stream_pair(P, I, O), stream_pair(P, I1, O1), is_stream(P), I1 == I, O1 == O )), [], answers([[]])).
t(pair_half, sk_both(A, _, ( stream_pair(A, I, O), close(I), stream_pair(A, X, O1), O1 == O, var(X) )), [], answers([[]])).
t(pair_closed, sk_both(A, _, ( stream_pair(A, I, O), close(I), close(O), is_stream(A) )), [], fails).
t(pair_close_twice, sk_both(A, _, ( close(A), close(A) )), [], throws(existence_error(stream, _))).
t(pair_of_one, stream_pair(user_input, _, O), [O], answers([[_]])).
t(pair_of_alias, ( stream_pair(user_input, I, O), var(O) ), [I], answers([[user_input]])).
t(pair_unbound, stream_pair(_, _, _), [], throws(instantiation_error)).
t(pair_no_stream, stream_pair(foo, _, _), [], throws(existence_error(stream, foo))).
t(pair_wrong_way, stream_pair(_, user_output, user_input), [], throws(permission_error(input, stream, user_output))).
t(pair_for_all, ( open_null_stream(O), open_string("abc", I), stream_pair(P, I, O), get_char(P, C), put_char(P, x), close(P), \+ is_stream(O), \+ is_stream(I) ), [C], answers([[a]])).

t(limit_in_accept, sk_server(_, S, sk_limited(tcp_accept(S, _, _), E)), [E], answers([[time_limit_exceeded]])).
t(limit_in_read, sk_both(A, _, sk_limited(read_term(A, _, []), E)), [E], answers([[time_limit_exceeded]])).
t(limit_in_write, sk_both(A, _, sk_limited(( repeat, sk_write_all(A, 100), fail ), E)), [E], answers([[time_limit_exceeded]])).
t(read_after_limit, sk_both(A, B, ( sk_limited(read_term(A, _, []), _), sk_say(B, x), read_term(A, X, []) )), [X], answers([[x]])).
t(accept_after_limit, sk_server(P, S, ( sk_limited(tcp_accept(S, _, _), _), sk_say_to(P, S, X) )), [X], answers([[x]])).
sk_say_to(P, S, X) :- tcp_connect(ip(127, 0, 0, 1):P, C, []), sk_say(C, x), tcp_accept(S, A, _), tcp_open_socket(A, B), read_term(B, X, []), close(B), close(C).
t(signal_in_accept, sk_server(_, S, ( thread_self(Me), thread_create(catch(( thread_send_message(Me, sk_in), tcp_accept(S, _, _) ), sk_stop, true), T), thread_get_message(sk_in), thread_signal(T, throw(sk_stop)), thread_join(T, St) )), [St], answers([[true]])).
t(close_ends_accept, sk_server(P, S, ( thread_self(Me), thread_create(sk_accepts_two(S, Me), T), tcp_connect(ip(127, 0, 0, 1):P, C, []), thread_get_message(sk_came), tcp_close_socket(S), thread_join(T, St), close(C) )), [St], answers([[true]])).
sk_accepts_two(S, Me) :- tcp_accept(S, A, _), tcp_close_socket(A), thread_send_message(Me, sk_came), catch(tcp_accept(S, _, _), error(E, _), true), memberchk(E, [socket_error(einval, _), existence_error(socket, _)]).

t(echo_native, sk_echoes(native, 10, L), [L], answers([[[true]]])).
t(echo_light, sk_echoes(light, 50, L), [L], answers([[[true]]])).
t(large_both_ways, sk_both(A, B, (
        thread_create(( sk_write_all(B, 1000), stream_pair(B, _, O), close(O) ), T),
        thread_create(sk_read_all(B, 0, 1000), R),
        thread_create(( sk_write_all(A, 1000), stream_pair(A, _, P), close(P) ), W),
        sk_read_all(A, 0, N), maplist(thread_join, [T, R, W], Ss) )), [N, Ss], answers([[1000, [true, true, true]]])).

t(local, ( tmp_file(sk, F), unix_domain_socket(S), tcp_bind(S, F), tcp_listen(S, 5), tcp_connect(F, C, []), tcp_accept(S, A, Peer), tcp_open_socket(A, B), sk_say(C, hi), read_term(B, T, []), close(B), read_term(C, U, []), close(C), tcp_close_socket(S), delete_file(F) ), [Peer, T, U], answers([[af_unix, hi, end_of_file]])).
t(local_unbound, ( unix_domain_socket(S), call_cleanup(tcp_bind(S, _), tcp_close_socket(S)) ), [], throws(instantiation_error)).
t(local_full, ( tmp_file(sk, F), unix_domain_socket(S), tcp_bind(S, F), tcp_listen(S, 0), tcp_connect(F, C, []), sk_limited(sk_connect_on(F), E), close(C), tcp_close_socket(S), delete_file(F) ), [E], answers([[time_limit_exceeded]])).
sk_connect_on(F) :- unix_domain_socket(S), call_cleanup(tcp_connect(S, F), tcp_close_socket(S)).

% What is closed is closed, whatever comes while it is waited for.
t(close_and_a_signal, ( thread_self(Me), sk_server(Port, Server, ( tcp_socket(C), tcp_connect(C, ip(127, 0, 0, 1):Port), tcp_open_socket(C, In, Out), tcp_accept(Server, K, _), tcp_open_socket(K, _, Far),
                            thread_create(get_char(In, _), T, [kind(native)]), sleep(0.05), thread_create(( sleep(0.05), thread_signal(Me, true), sleep(0.05), put_char(Far, x), flush_output(Far) ), T2, [kind(native)]),
                            tcp_close_socket(C), thread_join(T, A), thread_join(T2, B), ( is_stream(In) -> D = open ; D = closed ), ( is_stream(Out) -> E = open ; E = closed ), tcp_close_socket(K) )) ),
  [A, B, D, E], answers([[true, true, closed, closed]])).
t(close_listening_stream, ( tcp_socket(S), tcp_bind(S, ip(127, 0, 0, 1):_), tcp_listen(S, 4), tcp_open_socket(S, In), thread_create(tcp_accept(In, _, _), T, [kind(native)]), sleep(0.05), close(In), thread_join(T, X), X = exception(error(E, _)), E =.. [F|_] ),
  [F], answers([[socket_error]])).
t(close_listening_with_stream, ( tcp_socket(S), tcp_bind(S, ip(127, 0, 0, 1):_), tcp_listen(S, 4), tcp_open_socket(S, _), thread_create(tcp_accept(S, _, _), T, [kind(native)]), sleep(0.05), tcp_close_socket(S), thread_join(T, X), X = exception(error(E, _)), E =.. [F|_] ),
  [F], answers([[socket_error]])).

% Sockets that nobody can name any more are closed.
sk_descriptors(N) :- directory_files('/proc/self/fd', Fs), length(Fs, N).
sk_soon(Goal) :- between(1, 500, _), ( call(Goal) -> true ; sleep(0.01), fail ), !.
t(unnamed, ( garbage_collect, sk_descriptors(N0), forall(between(1, 100, _), tcp_socket(_)), ( sk_soon(( garbage_collect, sk_descriptors(N), N < N0+20 )) -> R = gone ; R = there ) ), [R], answers([[gone]])).
t(unnamed_connection, sk_server(Port, Server, ( tcp_connect(ip(127, 0, 0, 1):Port, C, []), \+ tcp_accept(Server, _, ip(1, 2, 3, 4)), garbage_collect, get_char(C, X), close(C) )), [X], answers([[end_of_file]])).
t(named_by_clause, ( tcp_socket(S), assertz(sk_kept(S)), garbage_collect, retract(sk_kept(S2)), tcp_close_socket(S2) ), [], answers([[]])).
:- dynamic sk_kept/1.
t(text_of_bytes, sk_both(C, _, ( set_stream(C, type(text)), stream_pair(C, I, _), stream_property(I, encoding(E)), set_stream(C, type(binary)), stream_property(I, encoding(F)) )), [E, F], answers([[utf8, octet]])).
