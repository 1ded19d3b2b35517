:- module(sicstus4_sockets,
          [ current_host/1, socket_client_open/3, socket_server_open/2, socket_server_open/3, socket_server_accept/4, socket_server_close/1, socket_select/7 ]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(lists), [append/3, member/2]).
:- use_module(library(socket)).

/*  SICStus Prolog's library(sockets), version 4, on library(socket): streams read and write text in Latin-1, or as their options say: type(Type),
    encoding(Encoding), eol(Mode), eof_action(Action).  */

%!  current_host(-Name) is det.

current_host(Name) :- gethostname(Name).

%!  socket_client_open(+Address, -Stream, +Options) is det.
%
%   Address is Host:Port, or unix(File).

socket_client_open(Address, Stream, Options) :-
    must_be(list, Options),
    must_be(nonvar, Address),
    (   Address = unix(File) -> tcp_connect(File, Stream0, [])
    ;   Address = _:_ -> tcp_connect(Address, Stream0, [])
    ;   domain_error(socket_address, Address)
    ),
    opened(Stream0, Options, Stream).

%!  socket_server_open(?Address, -Server) is det.
%!  socket_server_open(?Address, -Server, +Options) is det.
%
%   Address is a port, which the system chooses if it is unbound, or Host:Port. Options: reuseaddr(Boolean), loopback(Boolean): only this machine can
%   connect. numeric_nodename(Boolean) and numeric_service(Boolean) are accepted.

socket_server_open(Address, Server) :-
    socket_server_open(Address, Server, []).

socket_server_open(Address, Server, Options) :-
    must_be(list, Options),
    foldl(server_option, Options, no-Address, Reuse-Bound),
    setup_call_catcher_cleanup(
        tcp_socket(Socket),
        (   ( Reuse == true -> tcp_setopt(Socket, reuseaddr) ; true ),
            tcp_bind(Socket, Bound),
            tcp_listen(Socket, 5),
            tcp_open_socket(Socket, Server)
        ),
        Catcher,
        ( Catcher == exit -> true ; tcp_close_socket(Socket) )).

server_option(Option, Reuse-Address, Options) :-
    must_be(nonvar, Option),
    (   Option = reuseaddr(Value) -> Options = Value-Address
    ;   Option = loopback(Value) -> ( Value == true -> local(Address, Local), Options = Reuse-Local ; Options = Reuse-Address )
    ;   memberchk(Option, [numeric_nodename(Value), numeric_service(Value)]) -> Options = Reuse-Address
    ;   domain_error(socket_server_option, Option)
    ),
    must_be(boolean, Value).

local(Address, localhost:Port) :-
    ( nonvar(Address), Address = _:Port0 -> Port = Port0 ; Port = Address ).

%!  socket_server_accept(+Server, -Client, -Stream, +Options) is det.
%
%   Client is the address of who has connected, ip(A,B,C,D).

socket_server_accept(Server, Client, Stream, Options) :-
    must_be(list, Options),
    tcp_accept(Server, Socket, Client),
    tcp_open_socket(Socket, Stream0),
    opened(Stream0, Options, Stream).

opened(Stream0, Options, Stream) :-
    setup_call_catcher_cleanup(
        true,
        (   set_stream(Stream0, type(text)),
            set_stream(Stream0, encoding(iso_latin_1)),
            forall(member(Option, Options), set_option(Option, Stream0)),
            Stream = Stream0
        ),
        Catcher,
        ( Catcher == exit -> true ; close(Stream0, [force(true)]) )).

set_option(Option, Stream) :-
    must_be(nonvar, Option),
    (   memberchk(Option, [type(_), encoding(_), eof_action(_)]) -> set_stream(Stream, Option)
    ;   Option = eol(Mode)
    ->  must_be(oneof([default, lf, crlf, auto]), Mode),
        ( Mode == crlf -> set_stream(Stream, newline(dos)) ; Mode == auto -> set_stream(Stream, newline(detect)) ; set_stream(Stream, newline(posix)) )
    ;   domain_error(stream_option, Option)
    ).

%!  socket_server_close(+Server) is det.

socket_server_close(Server) :- close(Server).

%!  socket_select(+Servers, -ServersReady, +Readers, -ReadersReady, +Writers, -WritersReady, +Timeout) is det.
%
%   Waits until somebody connects with one of Servers, or there is something to be read from one of Readers; both are streams or Term-Stream. Timeout is
%   `off`, a number of seconds, or Seconds:Microseconds. Writers are ready always: who writes waits for room.

socket_select(Servers, ServersReady, Readers, ReadersReady, Writers, Writers, Timeout) :-
    must_be(list, Servers),
    must_be(list, Readers),
    must_be(list, Writers),
    ( Writers == [] -> seconds(Timeout, Seconds) ; Seconds = 0 ),
    append(Servers, Readers, All),
    maplist(stream_of, All, Streams),
    wait_for_input(Streams, Ready, Seconds),
    include(is_ready(Ready), Servers, ServersReady),
    include(is_ready(Ready), Readers, ReadersReady).

stream_of(Item, Stream) :-
    ( nonvar(Item), Item = _-Stream0 -> Stream = Stream0 ; Stream = Item ).

is_ready(Ready, Item) :-
    stream_of(Item, Stream),
    memberchk(Stream, Ready).

seconds(Timeout, _) :- var(Timeout), !, must_be(nonvar, Timeout).
seconds(off, infinite) :- !.
seconds(Seconds:Microseconds, Timeout) :- !, Timeout is Seconds+Microseconds/1.0e6.
seconds(Seconds, Seconds) :- must_be(number, Seconds).
