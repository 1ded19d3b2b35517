:- module('$prolog_io', [set_prolog_IO/3]).

/*  Other streams in place of the terminal.  */

%!  set_prolog_IO(+In, +Out, +Error) is det.
%
%   In, Out and Error become user_input, user_output and user_error of the thread, In and Out also its current input and output, until they are closed. Out and Error are written line by line. Where a program
%   serves people over sockets or pipes, the toplevel (prolog/0) then asks there.

set_prolog_IO(In, Out, Error) :-
    input_of(In, Input),
    output_of(Out, Output),
    output_of(Error, ErrorOutput),
    line_by_line(Output),
    ( ErrorOutput == Output -> true ; line_by_line(ErrorOutput) ),
    set_stream(Input, alias(user_input)),
    set_stream(Output, alias(user_output)),
    set_stream(ErrorOutput, alias(user_error)),
    set_input(Input),
    set_output(Output).

%   A stream, or the half of a pair that is read, or written.
input_of(Stream, Input) :-
    stream_pair(Stream, Input0, _),
    (   nonvar(Input0) -> Input = Input0
    ;   permission_error(input, stream, Stream)
    ).

output_of(Stream, Output) :-
    stream_pair(Stream, _, Output0),
    (   nonvar(Output0) -> Output = Output0
    ;   permission_error(output, stream, Stream)
    ).

line_by_line(Stream) :-
    set_stream(Stream, buffer(line)).
