/*  An echo server with a light thread for each connection: what a client sends
    comes back, line by line, until it closes.

        samite examples/echo_server.pl                     any free port
        samite examples/echo_server.pl --port=7000         that one
        samite examples/echo_server.pl --connections=200   ends after so many

    The first line of output says where it listens.  A thread that waits for a
    client keeps nobody from running, and costs some kilobytes while it waits:
    ten thousand clients are served by a handful of OS threads, if the system
    allows so many descriptors (ulimit -n).  Try it with

        nc 127.0.0.1 7000

    At the end it says how many lines it has sent back.
*/

:- use_module(library(main)).
:- use_module(library(readutil)).
:- use_module(library(socket)).

:- initialization(main, main).

%!  main(+Arguments) is det.

main(Arguments) :-
    argv_options(Arguments, _, Options),
    option(port(Port), Options, _),
    option(connections(Most), Options, inf),
    setup_call_cleanup(
        tcp_socket(Server),
        serve(Server, Port, Most),
        tcp_close_socket(Server)).

serve(Server, Port, Most) :-
    tcp_setopt(Server, reuseaddr),
    tcp_bind(Server, ip(127,0,0,1):Port),
    tcp_listen(Server, 4096),
    format("listening on 127.0.0.1:~d~n", [Port]),
    flush_output,
    message_queue_create(Done),
    accepted(Most, Server, Done),
    total(Most, Done, 0, Lines),
    format("~d lines~n", [Lines]).

%   Threads are made as clients come.  None is joined: each says what it has
%   done when it ends.

accepted(0, _, _) :-
    !.
accepted(Most, Server, Done) :-
    tcp_accept(Server, Socket, _Peer),
    thread_create(connection(Socket, Done), _,
                  [ kind(light), detached(true) ]),
    one_less(Most, Less),
    accepted(Less, Server, Done).

one_less(inf, inf) :-
    !.
one_less(Most, Less) :-
    Less is Most-1.

total(0, _, Lines, Lines) :-
    !.
total(Left, Done, Lines0, Lines) :-
    thread_get_message(Done, lines(N)),
    Lines1 is Lines0+N,
    Left1 is Left-1,
    total(Left1, Done, Lines1, Lines).

%   A client that goes away in the middle of a line is no error of ours.

connection(Socket, Done) :-
    setup_call_cleanup(
        tcp_open_socket(Socket, Stream),
        catch(echo(Stream, 0, Lines), error(socket_error(_, _), _), Lines = 0),
        close(Stream, [force(true)])),
    thread_send_message(Done, lines(Lines)).

echo(Stream, Lines0, Lines) :-
    read_line_to_codes(Stream, Line),
    (   Line == end_of_file
    ->  Lines = Lines0
    ;   format(Stream, "~s~n", [Line]),
        flush_output(Stream),
        Lines1 is Lines0+1,
        echo(Stream, Lines1, Lines)
    ).
