% Reading and writing lists of codes, as in SWI-Prolog's library(codesio). Where there is a Tail, the list ends in it.

:- module(codesio,
          [ format_to_codes/3,
            format_to_codes/4,
            write_to_codes/2,
            write_to_codes/3,
            write_term_to_codes/3,
            write_term_to_codes/4,
            read_from_codes/2,
            read_term_from_codes/3,
            open_codes_stream/2,
            with_output_to_codes/2,
            with_output_to_codes/3,
            with_output_to_codes/4
          ]).

:- meta_predicate
    format_to_codes(+, :, -),
    format_to_codes(+, :, -, ?),
    with_output_to_codes(0, -),
    with_output_to_codes(0, -, ?),
    with_output_to_codes(0, -, -, ?).

%!  format_to_codes(+Format, :Args, -Codes) is det.
%!  format_to_codes(+Format, :Args, -Codes, ?Tail) is det.

format_to_codes(Format, Args, Codes) :-
    format(codes(Codes), Format, Args).
format_to_codes(Format, Args, Codes, Tail) :-
    format(codes(Codes, Tail), Format, Args).

%!  write_to_codes(+Term, -Codes) is det.
%!  write_to_codes(+Term, -Codes, ?Tail) is det.
%
%   As write/1.

write_to_codes(Term, Codes) :-
    format(codes(Codes), '~w', [Term]).
write_to_codes(Term, Codes, Tail) :-
    format(codes(Codes, Tail), '~w', [Term]).

%!  write_term_to_codes(+Term, -Codes, +Options) is det.
%!  write_term_to_codes(+Term, -Codes, ?Tail, +Options) is det.
%
%   As write_term/2.

write_term_to_codes(Term, Codes, Options) :-
    with_output_to(codes(Codes), write_term(Term, Options)).
write_term_to_codes(Term, Codes, Tail, Options) :-
    with_output_to(codes(Codes, Tail), write_term(Term, Options)).

%!  read_from_codes(+Codes, -Term) is det.
%
%   The first term of Codes, which may be any text; the full stop may be missing. The term end_of_file if there is none.

read_from_codes(Codes, Term) :-
    read_term_from_codes(Codes, Term, []).

%!  read_term_from_codes(+Codes, -Term, +Options) is det.

read_term_from_codes(Codes, Term, Options) :-
    must_be(list, Options),
    text_to_string(Codes, Text),
    read_term_from_atom(Text, Term, Options).

%!  open_codes_stream(+Codes, -Stream) is det.
%
%   Stream reads the characters of Codes, which may be any text.

open_codes_stream(Codes, Stream) :-
    open_string(Codes, Stream).

%!  with_output_to_codes(:Goal, -Codes) is semidet.
%!  with_output_to_codes(:Goal, -Codes, ?Tail) is semidet.
%!  with_output_to_codes(:Goal, -Stream, -Codes, ?Tail) is semidet.
%
%   Codes are what once(Goal) writes to the current output, which is Stream.

with_output_to_codes(Goal, Codes) :-
    with_output_to(codes(Codes), Goal).
with_output_to_codes(Goal, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), Goal).
with_output_to_codes(Goal, Stream, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), ( current_output(Stream), call(Goal) )).
