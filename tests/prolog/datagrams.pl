% Datagrams: udp_socket/1 and its relatives of library(socket). As in SWI-Prolog; everything is on this machine.

:- use_module(library(socket)).

% A is bound to Port, B to none.
dg_two(A, B, Port, Goal) :-
    setup_call_cleanup(( udp_socket(A), tcp_bind(A, ip(127, 0, 0, 1):Port), udp_socket(B) ), Goal, ( dg_close(A), dg_close(B) )).
dg_one(A, Goal) :- setup_call_cleanup(udp_socket(A), Goal, dg_close(A)).
dg_close(S) :- catch(tcp_close_socket(S), error(existence_error(_, _), _), true).
% What arrives of what is sent.
dg_through(Data, How, Data2, How2) :-
    dg_two(A, B, Port, ( udp_send(B, Data, ip(127, 0, 0, 1):Port, How), udp_receive(A, Data2, _, How2) )).
dg_limited(Goal, E) :- catch(( call_with_time_limit(0.05, Goal), E = none ), E, true).

t(kind, dg_one(S, blob(S, K)), [K], answers([[socket]])).
t(text, dg_through("hello", [], D, []), [D], answers([["hello"]])).
t(atom, dg_through(hello, [], D, [as(atom)]), [D], answers([[hello]])).
t(codes, dg_through([0'a, 0'b], [], D, [as(codes)]), [D], answers([[[0'a, 0'b]]])).
t(number, dg_through(12, [], D, []), [D], answers([["12"]])).
t(empty, dg_through("", [], D, []), [D], answers([[""]])).
t(null, dg_through("a\0\b", [], D, [as(codes)]), [D], answers([[[0'a, 0, 0'b]]])).
t(term, dg_through(foo(bar, 'Q', "s", X, X, 1 + 2), [as(term)], D, [as(term)]), [D], answers([[foo(bar, 'Q', "s", Y, Y, 1 + 2)]])).
t(term_of_text, dg_through("foo(X, Y, X).", [], D, [as(term)]), [D], answers([[foo(A, _, A)]])).
t(term_of_no_text, dg_through("foo(X", [], _, [as(term)]), [], throws(syntax_error(_))).
t(latin_1, dg_through("\u00e9", [], D, []), [D], answers([["\u00e9"]])).
t(utf8, dg_through("\u00e9\u0142", [encoding(utf8)], D, [encoding(utf8)]), [D], answers([["\u00e9\u0142"]])).
t(bytes_of_utf8, dg_through("\u00e9", [encoding(utf8)], D, [as(codes), encoding(octet)]), [D], answers([[[195, 169]]])).
t(not_latin_1, dg_through("\u0142", [], _, []), [], throws(representation_error(encoding))).
t(too_long_is_cut, dg_through("abcdefghij", [], D, [max_message_size(4)]), [D], answers([["abcd"]])).
t(cut_as_a_rule, ( length(L, 5000), maplist(=(0'a), L), dg_through(L, [], D, []), string_length(D, N) ), [N], answers([[4096]])).
t(large, ( length(L, 20000), maplist(=(0'a), L), dg_through(L, [], D, [max_message_size(65535)]), string_length(D, N) ), [N], answers([[20000]])).
t(larger_than_any, ( length(L, 70000), maplist(=(0'a), L), dg_through(L, [], _, []) ), [], throws(socket_error(emsgsize, 'Message too long'))).
t(from, dg_two(A, B, P, ( tcp_bind(B, ip(127, 0, 0, 1):Q), udp_send(B, x, localhost:P, []), udp_receive(A, _, From, []), ( From == ip(127, 0, 0, 1):Q -> R = it ; R = From ) )), [R], answers([[it]])).
t(answered, dg_two(A, B, P, ( udp_send(B, x, localhost:P, []), udp_receive(A, X, From, []), udp_send(A, y, From, []), udp_receive(B, Y, _, []) )), [X, Y], answers([["x", "y"]])).
t(something_else_is_gone, dg_two(A, B, P, ( udp_send(B, x, localhost:P, []), udp_send(B, y, localhost:P, []), \+ udp_receive(A, "z", _, []), udp_receive(A, Y, _, []) )), [Y], answers([["y"]])).
t(in_order, dg_two(A, B, P, ( forall(between(1, 50, I), udp_send(B, I, localhost:P, [])), findall(N, ( between(1, 50, _), udp_receive(A, T, _, []), number_string(N, T) ), L), numlist(1, 50, M), ( L == M -> R = same ; R = L ) )), [R], answers([[same]])).
t(port_alone, dg_two(A, B, P, ( udp_send(B, x, P, []), udp_receive(A, X, _, []) )), [X], answers([["x"]])).

t(bound, udp_socket(foo), [], throws(uninstantiation_error(foo))).
t(no_socket, udp_send(foo, x, localhost:8, []), [], throws(type_error(socket, foo))).
t(no_socket_2, udp_receive(foo, _, _, []), [], throws(type_error(socket, foo))).
t(unbound, udp_send(_, x, localhost:8, []), [], throws(instantiation_error)).
t(unbound_2, udp_receive(_, _, _, []), [], throws(instantiation_error)).
t(closed, ( udp_socket(S), tcp_close_socket(S), udp_send(S, x, localhost:8, []) ), [], throws(existence_error(socket, _))).
t(data_unbound, dg_one(S, udp_send(S, _, localhost:8, [])), [], throws(instantiation_error)).
t(no_text, dg_one(S, udp_send(S, f(x), localhost:8, [])), [], throws(type_error(text, f(x)))).
t(as_what, dg_one(S, udp_send(S, x, localhost:8, [as(foo)])), [], throws(domain_error(as, foo))).
t(as_what_2, dg_one(S, udp_receive(S, _, _, [as(foo)])), [], throws(domain_error(as, foo))).
t(no_encoding, dg_one(S, udp_receive(S, _, _, [encoding(foo)])), [], throws(domain_error(encoding, foo))).
t(no_options, dg_one(S, udp_receive(S, _, _, foo)), [], throws(type_error(list, foo))).
t(options_unbound, dg_one(S, udp_receive(S, _, _, _)), [], throws(instantiation_error)).
t(no_size, dg_one(S, udp_receive(S, _, _, [max_message_size(foo)])), [], throws(type_error(integer, foo))).
t(size_below, dg_one(S, udp_receive(S, _, _, [max_message_size(-1)])), [], throws(domain_error('0 - 65535', -1))).
t(size_above, dg_one(S, udp_receive(S, _, _, [max_message_size(65536)])), [], throws(domain_error('0 - 65535', 65536))).
t(no_service, dg_one(S, udp_send(S, x, foo, [])), [], throws(existence_error(service, foo))).
t(to_unbound, dg_one(S, udp_send(S, x, _, [])), [], throws(instantiation_error)).
t(port_unbound, dg_one(S, udp_send(S, x, localhost:_, [])), [], throws(instantiation_error)).
t(not_for_everybody, dg_one(S, udp_send(S, x, ip(255, 255, 255, 255):8, [])), [], throws(socket_error(eacces, 'Permission denied'))).
t(not_of_streams, ( tcp_socket(S), call_cleanup(udp_receive(S, _, _, []), tcp_close_socket(S)) ), [], throws(socket_error(enotconn, _))).
t(does_not_listen, dg_one(S, tcp_listen(S, 5)), [], throws(socket_error(eopnotsupp, 'Operation not supported'))).

% Options, for everybody and for groups.
t(broadcast, dg_one(S, ( tcp_setopt(S, broadcast), udp_send(S, x, ip(127, 255, 255, 255):8, []) )), [], answers([[]])).
t(no_nodelay, dg_one(S, tcp_setopt(S, nodelay)), [], throws(socket_error(enoprotoopt, _))).
t(device, dg_one(S, tcp_setopt(S, bindtodevice(no_such_device))), [], throws(socket_error(enodev, _))).
t(group, dg_two(A, _, _, dg_one(B, ( tcp_bind(B, P), tcp_setopt(B, ip_add_membership(ip(239, 1, 2, 3), ip(127, 0, 0, 1))), udp_send(A, x, ip(239, 1, 2, 3):P, []), udp_receive(B, X, _, []), tcp_setopt(B, ip_drop_membership(ip(239, 1, 2, 3), ip(127, 0, 0, 1))) ))), [X], answers([["x"]])).
t(group_by_number, dg_one(S, tcp_setopt(S, ip_add_membership(ip(239, 1, 2, 3), ip(127, 0, 0, 1), 1))), [], answers([[]])).
t(no_member, dg_one(S, tcp_setopt(S, ip_drop_membership(ip(239, 1, 2, 3)))), [], throws(socket_error(eaddrnotavail, _))).
t(no_group, dg_one(S, tcp_setopt(S, ip_add_membership(ip(1, 1, 2, 3)))), [], throws(socket_error(einval, _))).
t(group_unbound, dg_one(S, tcp_setopt(S, ip_add_membership(_))), [], throws(instantiation_error)).
t(group_what, dg_one(S, tcp_setopt(S, ip_add_membership(f(x)))), [], throws(type_error(_, f(x)))).
t(group_too_many, dg_one(S, tcp_setopt(S, ip_add_membership(a, b, 1, d))), [], throws(domain_error(socket_option, ip_add_membership(a, b, 1, d)))).
t(unknown, dg_one(S, tcp_setopt(S, broadcast(true))), [], throws(domain_error(socket_option, broadcast(true)))).

% Events and threads.
t(limit, dg_one(S, dg_limited(udp_receive(S, _, _, []), E)), [E], answers([[time_limit_exceeded]])).
t(after_limit, dg_two(A, B, P, ( dg_limited(udp_receive(A, _, _, []), _), udp_send(B, x, localhost:P, []), udp_receive(A, X, _, []) )), [X], answers([["x"]])).
t(signal, dg_two(A, B, P, ( thread_self(Me), thread_create(( udp_receive(A, X, _, []), thread_send_message(Me, dg(X)) ), T), sleep(0.03), thread_signal(T, thread_send_message(Me, dg(handled))), thread_get_message(dg(R1)),
                            udp_send(B, x, localhost:P, []), thread_get_message(dg(R2)), thread_join(T, S) )), [R1, R2, S], answers([[handled, "x", true]])).
t(killed, dg_one(S, ( thread_create(udp_receive(S, _, _, []), T), sleep(0.03), thread_signal(T, throw(dg_stop)), thread_join(T, R) )), [R], answers([[exception(dg_stop)]])).
t(closed_meanwhile, findall(K-F, ( member(K, [native, light]), udp_socket(S), thread_create(udp_receive(S, _, _, []), T, [kind(K)]), sleep(0.03), tcp_close_socket(S), thread_join(T, R), R = exception(error(E, _)), functor(E, F, _) ), L), [L],
  answers([[[native-existence_error, light-existence_error]]])).
t(light_ones, dg_one(Home, ( tcp_bind(Home, ip(127, 0, 0, 1):P),
        findall(T, ( between(1, 40, I), thread_create(dg_one(S, ( udp_send(S, I, ip(127, 0, 0, 1):P, []), udp_receive(S, A, _, [as(atom)]), atom_number(A, I) )), T, [kind(light)]) ), Ts),
        findall(W, ( between(1, 40, _), udp_receive(Home, W, _, []) ), Ws0), sort(Ws0, Ws), length(Ws, N), directory_files('/proc/self/task', Fs), length(Fs, Os), ( Os < 30 -> Few = few ; Few = Os ),
        forall(member(T, Ts), thread_signal(T, true)),
        forall(member(T, Ts), thread_signal(T, throw(dg_stop))), findall(R, ( member(T, Ts), thread_join(T, R) ), Rs0), sort(Rs0, Rs) )), [N, Few, Rs], answers([[40, few, [exception(dg_stop)]]])).
t(many_answered, dg_one(Home, ( tcp_bind(Home, ip(127, 0, 0, 1):P),
        findall(T, ( between(1, 40, I), thread_create(dg_one(S, ( udp_send(S, I, localhost:P, []), udp_receive(S, A, _, [as(term)]), A == I )), T, [kind(light)]) ), Ts),
        forall(between(1, 40, _), ( udp_receive(Home, W, From, []), udp_send(Home, W, From, []) )),
        findall(R, ( member(T, Ts), thread_join(T, R) ), Rs0), sort(Rs0, Rs) )), [Rs], answers([[[true]]])).
t(selected, dg_two(A, B, P, ( tcp_open_socket(A, In, _), tcp_select([In], R0, 0), udp_send(B, x, localhost:P, []), tcp_select([In], R1, 10), length(R0, N0), length(R1, N1), get_char(In, C) )), [N0, N1, C], answers([[0, 1, x]])).
