:- module(sicstus_sockets,
          [ current_host/1, hostname_address/2, socket/2, socket_bind/2, socket_connect/3, socket_listen/2, socket_accept/2, socket_accept/3, socket_select/5, socket_close/1 ]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(lists), [append/3, member/2]).
:- use_module(library(socket)).

/*  SICStus Prolog's library(sockets), version 3, on library(socket).  */

%   A socket that listens, and the stream by which it is waited for.
:- dynamic listening/2.
:- volatile listening/2.

%!  current_host(-Name) is det.

current_host(Name) :- gethostname(Name).

%!  hostname_address(+Name, -Address) is det.
%
%   Address is an atom 'A.B.C.D'.

hostname_address(Name, Address) :-
    must_be(atom, Name),
    tcp_host_to_address(Name, Ip),
    ip_name(Ip, Address).

%!  socket(+Domain, -Socket) is det.
%
%   Domain is 'AF_INET' or 'AF_UNIX'.

socket(Domain, Socket) :-
    must_be(atom, Domain),
    (   Domain == 'AF_INET' -> tcp_socket(Socket)
    ;   Domain == 'AF_UNIX' -> unix_domain_socket(Socket)
    ;   domain_error(socket_domain, Domain)
    ).

%!  socket_bind(+Socket, ?Address) is det.
%
%   Address is 'AF_INET'(Host, Port) or 'AF_UNIX'(File). A host or port that is unbound is this machine, or one that is free.

socket_bind(Socket, Address) :-
    must_be(nonvar, Address),
    (   Address = 'AF_INET'(Host, Port)
    ->  ( var(Host) -> tcp_bind(Socket, Port), current_host(Host) ; tcp_bind(Socket, Host:Port) )
    ;   Address = 'AF_UNIX'(File) -> tcp_bind(Socket, File)
    ;   domain_error(socket_address, Address)
    ).

%!  socket_connect(+Socket, +Address, -Stream) is det.

socket_connect(Socket, Address, Stream) :-
    must_be(nonvar, Address),
    (   Address = 'AF_INET'(Host, Port) -> tcp_connect(Socket, Host:Port)
    ;   Address = 'AF_UNIX'(File) -> tcp_connect(Socket, File)
    ;   domain_error(socket_address, Address)
    ),
    tcp_open_socket(Socket, Stream).

%!  socket_listen(+Socket, +Length) is det.

socket_listen(Socket, Length) :- tcp_listen(Socket, Length).

%!  socket_accept(+Socket, -Stream) is det.
%!  socket_accept(+Socket, -Client, -Stream) is det.
%
%   Client is the address of who has connected, an atom.

socket_accept(Socket, Stream) :-
    socket_accept(Socket, _, Stream).

socket_accept(Socket, Client, Stream) :-
    tcp_accept(Socket, New, Peer),
    tcp_open_socket(New, Stream),
    ( compound(Peer) -> ip_name(Peer, Client) ; Client = Peer ).

%!  socket_select(+Sockets, -New, +Timeout, +Streams, -Ready) is det.
%
%   Waits until somebody connects with one of Sockets, or there is something to be read from one of Streams. Both are lists, or for Sockets one, of what is
%   asked for or Term-Asked. New has a stream for each new connection, or Term-connection(Client, Stream). Timeout is `off` or Seconds:Microseconds.

socket_select(Sockets0, New, Timeout, Streams, Ready) :-
    ( is_list(Sockets0) -> Sockets = Sockets0 ; Sockets = [Sockets0] ),
    must_be(list, Streams),
    maplist(waited_for, Sockets, Listening),
    maplist(asked, Streams, Reading),
    append(Listening, Reading, All),
    seconds(Timeout, Seconds),
    wait_for_input(All, Has, Seconds),
    include(has_input(Has), Streams, Ready),
    findall(Socket, ( member(Socket, Sockets), waited_for(Socket, Stream), memberchk(Stream, Has) ), Connected),
    maplist(accepted, Connected, New).

asked(Item, Asked) :-
    ( nonvar(Item), Item = _-Asked0 -> Asked = Asked0 ; Asked = Item ).

waited_for(Item, Stream) :-
    asked(Item, Socket),
    must_be(nonvar, Socket),
    (   listening(Socket, Stream0) -> Stream = Stream0
    ;   tcp_open_socket(Socket, Stream),
        assertz(listening(Socket, Stream))
    ).

has_input(Has, Item) :-
    asked(Item, Stream),
    memberchk(Stream, Has).

accepted(Item, New) :-
    asked(Item, Socket),
    socket_accept(Socket, Client, Stream),
    ( Item = Term-_ -> New = Term-connection(Client, Stream) ; New = Stream ).

seconds(Timeout, Seconds) :-
    must_be(nonvar, Timeout),
    (   Timeout == off -> Seconds = infinite
    ;   Timeout = S:Us -> Seconds is S+Us/1.0e6
    ;   domain_error(timeout, Timeout)
    ).

%!  socket_close(+Socket) is det.

socket_close(Socket) :-
    retractall(listening(Socket, _)),
    tcp_close_socket(Socket).
