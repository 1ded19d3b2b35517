% Reading and writing lists of codes under the names of SWI-Prolog's library(charsio). The lists are of codes, in spite of
% the names. Where there is a Tail, the list ends in it.

:- module(charsio,
          [ format_to_chars/3,
            format_to_chars/4,
            write_to_chars/2,
            write_to_chars/3,
            atom_to_chars/2,
            atom_to_chars/3,
            number_to_chars/2,
            number_to_chars/3,
            read_from_chars/2,
            read_term_from_chars/3,
            open_chars_stream/2,
            with_output_to_chars/2,
            with_output_to_chars/3,
            with_output_to_chars/4
          ]).

:- meta_predicate
    format_to_chars(+, :, -),
    format_to_chars(+, :, -, ?),
    with_output_to_chars(0, -),
    with_output_to_chars(0, -, ?),
    with_output_to_chars(0, -, -, ?).

%!  format_to_chars(+Format, :Args, -Codes) is det.
%!  format_to_chars(+Format, :Args, -Codes, ?Tail) is det.

format_to_chars(Format, Args, Codes) :-
    format_to_codes(Format, Args, Codes).
format_to_chars(Format, Args, Codes, Tail) :-
    format_to_codes(Format, Args, Codes, Tail).

%!  write_to_chars(+Term, -Codes) is det.
%!  write_to_chars(+Term, -Codes, ?Tail) is det.

write_to_chars(Term, Codes) :-
    write_to_codes(Term, Codes).
write_to_chars(Term, Codes, Tail) :-
    write_to_codes(Term, Codes, Tail).

%!  atom_to_chars(+Atomic, -Codes) is det.
%!  atom_to_chars(+Atomic, -Codes, ?Tail) is det.

atom_to_chars(Atom, Codes) :-
    atom_to_chars(Atom, Codes, []).
atom_to_chars(Atom, Codes, Tail) :-
    (   var(Atom)
    ->  instantiation_error(Atom)
    ;   atomic(Atom)
    ->  format(codes(Codes, Tail), '~w', [Atom])
    ;   type_error(atom, Atom)
    ).

%!  number_to_chars(+Number, -Codes) is det.
%!  number_to_chars(+Number, -Codes, ?Tail) is det.

number_to_chars(Number, Codes) :-
    number_to_chars(Number, Codes, []).
number_to_chars(Number, Codes, Tail) :-
    must_be(number, Number),
    format(codes(Codes, Tail), '~w', [Number]).

%!  read_from_chars(+Codes, -Term) is det.
%
%   The first term of Codes, which may be any text; the full stop may be missing. The term end_of_file if there is none.

read_from_chars(Codes, Term) :-
    read_from_codes(Codes, Term).

%!  read_term_from_chars(+Codes, -Term, +Options) is det.

read_term_from_chars(Codes, Term, Options) :-
    read_term_from_codes(Codes, Term, Options).

%!  open_chars_stream(+Codes, -Stream) is det.

open_chars_stream(Codes, Stream) :-
    open_codes_stream(Codes, Stream).

%!  with_output_to_chars(:Goal, -Codes) is semidet.
%!  with_output_to_chars(:Goal, -Codes, ?Tail) is semidet.
%!  with_output_to_chars(:Goal, -Stream, -Codes, ?Tail) is semidet.
%
%   Codes are what once(Goal) writes to the current output, which is Stream.

with_output_to_chars(Goal, Codes) :-
    with_output_to_codes(Goal, Codes).
with_output_to_chars(Goal, Codes, Tail) :-
    with_output_to_codes(Goal, Codes, Tail).
with_output_to_chars(Goal, Stream, Codes, Tail) :-
    with_output_to_codes(Goal, Stream, Codes, Tail).
