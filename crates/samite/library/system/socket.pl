:- module(socket,
          [ tcp_socket/1,
            tcp_close_socket/1,
            tcp_open_socket/2,
            tcp_open_socket/3,
            tcp_host_to_address/2,
            tcp_connect/2,
            tcp_connect/3,
            tcp_connect/4,
            tcp_bind/2,
            tcp_accept/3,
            tcp_listen/2,
            tcp_setopt/2,
            tcp_getopt/2,
            unix_domain_socket/1,
            udp_socket/1,
            udp_send/4,
            udp_receive/4,
            tcp_select/3,
            gethostname/1,
            ip_name/2
          ]).

/*  Sockets, as SWI-Prolog's library(socket): TCP and UDP over IPv4, and
    sockets of this machine that a file stands for.

    Whoever waits here (for a connection, for what the other end sends or has
    room for) waits for signals, time limits and aborts too, and keeps no
    other thread from running. Only a name that is being looked up is waited
    for in any case.

    Streams on sockets read and write bytes: set_stream/2 with encoding(utf8)
    makes text of them. Proxies are not there.
*/

%!  tcp_socket(-Socket) is det.
%
%   A new socket of the network.

tcp_socket(Socket) :-
    '$socket'(Socket, inet).

%!  unix_domain_socket(-Socket) is det.
%
%   A new socket of this machine; its address is the name of a file.

unix_domain_socket(Socket) :-
    '$socket'(Socket, unix).

%!  tcp_close_socket(+Socket) is det.
%
%   Closes a socket, and the streams that were opened on it.

tcp_close_socket(Socket) :-
    '$socket_close'(Socket).

%!  tcp_bind(+Socket, ?Address) is det.
%
%   Address is a port, on all that this machine is called, or Host:Port. A
%   port that is unbound is chosen by the system.

tcp_bind(Socket, Address) :-
    '$socket_bind'(Socket, Address).

%!  tcp_listen(+Socket, +Backlog) is det.
%
%   Others may connect from now on; so many may wait until they are accepted.

tcp_listen(Socket, Backlog) :-
    '$socket_listen'(Socket, Backlog).

%!  tcp_accept(+Socket, -New, -Peer) is det.
%
%   Waits until somebody connects. New is the socket of that connection, Peer
%   ip(A,B,C,D), or af_unix. Socket may also be the stream that
%   tcp_open_socket/2 gives for it.

tcp_accept(Socket, New, Peer) :-
    '$socket_accept'(Socket, New, Peer).

%!  tcp_connect(+Socket, +Address) is det.
%
%   Waits until Socket is connected with Address: Host:Port, or the name of a
%   file.

tcp_connect(Socket, Address) :-
    '$socket_connect'(Socket, Address).

%!  tcp_connect(+Address, -StreamPair, +Options) is det.
%!  tcp_connect(+Socket, +Address, -StreamPair) is det.
%
%   Connects to Address. Options: nodelay(Bool), what is written is sent at
%   once; bypass_proxy(Bool): there are none.

tcp_connect(Address, StreamPair, Options) :-
    var(StreamPair),
    !,
    connect_options(Options, Settings),
    setup_call_catcher_cleanup(
        new_socket(Address, Socket),
        ( set_all(Settings, Socket),
          tcp_connect(Socket, Address),
          tcp_open_socket(Socket, StreamPair)
        ),
        Catcher,
        close_unless(Catcher, Socket)).
tcp_connect(Socket, Address, StreamPair) :-
    tcp_connect(Socket, Address),
    tcp_open_socket(Socket, StreamPair).

close_unless(exit, _) :- !.
close_unless(_, Socket) :-
    tcp_close_socket(Socket).

connect_options(Options, Settings) :-
    must_be(list, Options),
    settings(Options, Settings).

settings([], []).
settings([Option|Options], Settings) :-
    (   nonvar(Option), Option = nodelay(_)
    ->  Settings = [Option|Settings1]
    ;   Settings = Settings1
    ),
    settings(Options, Settings1).

set_all([], _).
set_all([Option|Options], Socket) :-
    tcp_setopt(Socket, Option),
    set_all(Options, Socket).

new_socket(Address, Socket) :-
    (   atom(Address)
    ;   string(Address)
    ),
    !,
    unix_domain_socket(Socket).
new_socket(Address, _) :-
    var(Address),
    !,
    throw(error(instantiation_error, _)).
new_socket(_, Socket) :-
    tcp_socket(Socket).

%!  tcp_connect(+Socket, +Address, -Input, -Output) is det.

tcp_connect(Socket, Address, Input, Output) :-
    tcp_connect(Socket, Address),
    tcp_open_socket(Socket, Input, Output).

%!  tcp_open_socket(+Socket, -StreamPair) is det.
%
%   Streams on a socket. It is closed when they are: see stream_pair/3. When
%   output is closed, the other end comes to the end of its input. For a
%   socket that listens StreamPair is a stream for tcp_accept/3.

tcp_open_socket(Socket, StreamPair) :-
    '$socket_streams'(Socket, Input, Output),
    (   var(Output)
    ->  StreamPair = Input
    ;   stream_pair(StreamPair, Input, Output)
    ).

%!  tcp_open_socket(+Socket, -Input, -Output) is det.
%
%   Output is left unbound for a socket that listens.

tcp_open_socket(Socket, Input, Output) :-
    '$socket_streams'(Socket, Input, Output).

%!  tcp_setopt(+Socket, +Option) is det.
%
%   Option is reuseaddr, nodelay, nodelay(Bool), sndbuf(Bytes) or
%   bindtodevice(Name); of sockets of udp_socket/1 also broadcast (what is sent
%   may be for everybody on a net) and, to be a member of a group or one no
%   longer, ip_add_membership(Group), ip_drop_membership(Group), with the address
%   of an interface and its number as second and third argument.

tcp_setopt(Socket, Option) :-
    '$socket_set'(Socket, Option).

%!  tcp_getopt(+Socket, ?Option) is semidet.
%
%   Option is file_no(Number), the descriptor.

tcp_getopt(Socket, Option) :-
    '$socket_get'(Socket, Option).

%!  tcp_host_to_address(?Host, ?Ip) is semidet.
%
%   Ip, as ip(A,B,C,D), is an address of the host of that name.

tcp_host_to_address(Host, Ip) :-
    atom(Host),
    !,
    '$host_address'(Host, Ip).
tcp_host_to_address(Host, Ip) :-
    var(Host),
    nonvar(Ip),
    Ip = ip(_,_,_,_),
    '$address_host'(Ip, Host).

%!  gethostname(-Name) is det.
%
%   What this machine calls itself.

gethostname(Name) :-
    '$host_name'(Name).

%!  ip_name(?Ip, ?Name) is det.
%
%   Name is the atom 'A.B.C.D' where Ip is ip(A,B,C,D).

ip_name(Ip, Name) :-
    nonvar(Ip),
    !,
    must_be(compound, Ip),
    Ip = ip(A,B,C,D),
    atomic_list_concat([A,B,C,D], '.', Name).
ip_name(ip(A,B,C,D), Name) :-
    must_be(atom, Name),
    atomic_list_concat(Parts, '.', Name),
    octets(Parts, [A,B,C,D]),
    !.
ip_name(_, Name) :-
    throw(error(syntax_error(ip_address(Name)), _)).

octets([], []).
octets([Part|Parts], [N|Ns]) :-
    atom_number(Part, N),
    integer(N),
    between(0, 255, N),
    octets(Parts, Ns).

%!  udp_socket(-Socket) is det.
%
%   A new socket of the network for datagrams. tcp_bind/2 gives it the port that
%   others send to; tcp_close_socket/1 closes it.

udp_socket(Socket) :-
    '$socket'(Socket, datagrams).

%!  udp_send(+Socket, +Data, +To, +Options) is det.
%
%   Sends a text to To, Host:Port, as one datagram. Options: encoding(E),
%   iso_latin_1 if it is not there; as(term): Data is any term.

udp_send(Socket, Data, To, Options) :-
    '$udp_as'(Options, As),
    (   As == term
    ->  with_output_to(string(Text), write_canonical(Data))
    ;   Text = Data
    ),
    '$udp_send'(Socket, Text, To, Options).

%!  udp_receive(+Socket, -Data, -From, +Options) is semidet.
%
%   Waits for a datagram. From is ip(A,B,C,D):Port, the socket that has sent it.
%   Options: as(Type), Data is an atom, codes, a string (if it is not there) or a
%   term; encoding(E), iso_latin_1 if it is not there; max_message_size(Bytes),
%   4096 if it is not there: what is beyond that is lost. Fails if Data or From is
%   something else; the datagram is gone then.

udp_receive(Socket, Data, From, Options) :-
    '$udp_as'(Options, As),
    (   As == term
    ->  '$udp_receive'(Socket, Text, From, Options),
        term_string(Data, Text)
    ;   '$udp_receive'(Socket, Data, From, Options)
    ).

%!  tcp_select(+Streams, -Ready, +Timeout) is det.
%
%   wait_for_input/3, as it was called.

tcp_select(Streams, Ready, Timeout) :-
    wait_for_input(Streams, Ready, Timeout).
