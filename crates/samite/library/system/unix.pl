:- module(unix, [ pipe/2, pipe/3, kill/2 ]).

/*  What programs ask of a Unix system, with predicates of SWI-Prolog's library(unix).

    fork/1 and exec/1 are not there: a process has threads, of which a copy would have one; library(process) starts others. Nor are those that
    change what descriptors the process has.
*/

%!  pipe(-Read, -Write) is det.
%!  pipe(-Read, -Write, +Options) is det.
%
%   What is written to the stream Write is read from the stream Read. Options are type(Type) and encoding(Encoding), for both.

pipe(Read, Write) :-
    pipe(Read, Write, []).

pipe(Read, Write, Options) :-
    must_be(list, Options),
    '$pipe'(Read, Write),
    told(Options, type(_), Read, Write),
    told(Options, encoding(_), Read, Write).

told(Options, Option, Read, Write) :-
    (   option(Option, Options)
    ->  set_stream(Read, Option),
        set_stream(Write, Option)
    ;   true
    ).

%!  kill(+Process, +Signal) is det.
%
%   Sends a signal to a process.

kill(Process, Signal) :-
    process_kill(Process, Signal).
