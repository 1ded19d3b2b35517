:- module(memory_file,
          [ new_memory_file/1,
            free_memory_file/1,
            size_memory_file/2,
            size_memory_file/3,
            open_memory_file/3,
            open_memory_file/4,
            insert_memory_file/3,
            delete_memory_file/3,
            atom_to_memory_file/2,
            memory_file_to_atom/2,
            memory_file_to_codes/2,
            memory_file_to_string/2,
            memory_file_to_atom/3,
            memory_file_to_codes/3,
            memory_file_to_string/3,
            memory_file_substring/5,
            memory_file_line_position/4,
            utf8_position_memory_file/3
          ]).

/*  Files in memory, as SWI-Prolog's library(memfile).

    One stream is open on a file at a time. While one writes, nothing else is asked of the file; while one reads, the file can be read by others, too, but does not change. A file that nobody can
    name any more is freed.
*/

:- predicate_options(open_memory_file/4, 4, [ encoding(encoding), free_on_close(boolean) ]).

%!  new_memory_file(-File) is det.
%
%   File is a new one, and empty.

new_memory_file(File) :-
    ( var(File) -> true ; uninstantiation_error(File) ),
    '$memory_file_new'(File).

%!  free_memory_file(+File) is det.
%
%   The file is gone, and the stream on it closed.

free_memory_file(File) :-
    '$memory_file_free'(File).

%!  size_memory_file(+File, -Size) is det.
%!  size_memory_file(+File, -Size, +Encoding) is det.
%
%   Size is the number of characters; with the encoding `octet` of bytes. No stream is on the file.

size_memory_file(File, Size) :-
    size_memory_file(File, Size, file).

size_memory_file(File, Size, Encoding) :-
    '$memory_file_state'(File, State, _, _),
    ( ( State == reads ; State == writes ) -> permission_error(size, memory_file, File) ; true ),
    '$memory_file_text'(File, Encoding, Text),
    string_length(Text, Size).

%!  open_memory_file(+File, +Mode, -Stream) is det.
%!  open_memory_file(+File, +Mode, -Stream, +Options) is det.
%
%   Mode is read; write: from empty; append: at the end; insert: at the beginning, or where seek/4 goes, before what is there; update: the same, over it. Options are encoding(Encoding), utf8 if nothing is
%   said or, where something is kept, that of the file; free_on_close(Bool): closing the stream frees the file.

open_memory_file(File, Mode, Stream) :-
    open_memory_file(File, Mode, Stream, []).

open_memory_file(File, Mode, Stream, Options) :-
    '$memory_file_state'(File, State, _, _),
    must_be(nonvar, Mode),
    ( atom(Mode) -> true ; type_error(io_mode, Mode) ),
    ( memberchk(Mode, [read, write, append, insert, update]) -> true ; domain_error(io_mode, Mode) ),
    ( var(Stream) -> true ; uninstantiation_error(Stream) ),
    must_be(list, Options),
    option(encoding(Encoding), Options, file),
    option(free_on_close(Free), Options, false),
    must_be(bool, Free),
    (   State == closed -> true
    ;   State == fixed, Mode == read -> true
    ;   State == fixed -> permission_error(modify, memory_file, File)
    ;   permission_error(open, memory_file, File)
    ),
    '$memory_file_open'(File, Mode, Encoding, Free, Stream).

%!  insert_memory_file(+File, +Offset, +Data) is det.
%
%   Puts what write/1 writes of Data, or the text of a list, behind so many characters.

insert_memory_file(File, Offset, Data) :-
    offset(Offset),
    changeable(File, Offset, Before, After),
    ( catch(text_to_string(Data, Text), error(_, _), fail) -> true ; format(string(Text), '~w', [Data]) ),
    string_concat(Before, Text, Start),
    string_concat(Start, After, New),
    '$memory_file_set'(File, New, false).

%!  delete_memory_file(+File, +Offset, +Length) is det.
%
%   Takes so many characters away, as far as they are there.

delete_memory_file(File, Offset, Length) :-
    offset(Offset),
    offset(Length),
    changeable(File, Offset, Before, Rest),
    string_length(Rest, Left),
    Start is min(Length, Left),
    sub_string(Rest, Start, _, 0, After),
    string_concat(Before, After, New),
    '$memory_file_set'(File, New, false).

offset(X) :-
    must_be(integer, X),
    ( X >= 0 -> true ; domain_error(not_less_than_zero, X) ).

%   The text before and behind an offset of a file on which no stream is.
changeable(File, Offset, Before, After) :-
    '$memory_file_state'(File, State, _, _),
    ( State == closed -> true ; permission_error(modify, memory_file, File) ),
    '$memory_file_text'(File, file, Text),
    (   sub_string(Text, 0, Offset, _, Before) -> true
    ;   domain_error(offset, Offset)
    ),
    sub_string(Text, Offset, _, 0, After).

%!  atom_to_memory_file(+Atom, -File) is det.
%
%   File is a new one with the text of Atom, and can only be read.

atom_to_memory_file(Atom, File) :-
    must_be(atom, Atom),
    new_memory_file(File),
    '$memory_file_set'(File, Atom, true).

%!  memory_file_to_atom(+File, -Atom) is det.
%!  memory_file_to_atom(+File, -Atom, +Encoding) is det.
%!  memory_file_to_codes(+File, -Codes) is det.
%!  memory_file_to_codes(+File, -Codes, +Encoding) is det.
%!  memory_file_to_string(+File, -String) is det.
%!  memory_file_to_string(+File, -String, +Encoding) is det.
%
%   All text of the file, by its own encoding or this one. No stream writes into it.

memory_file_to_atom(File, Atom) :- memory_file_to_atom(File, Atom, file).
memory_file_to_codes(File, Codes) :- memory_file_to_codes(File, Codes, file).
memory_file_to_string(File, String) :- memory_file_to_string(File, String, file).

memory_file_to_atom(File, Atom, Encoding) :-
    text(File, Encoding, to_atom, Text),
    atom_string(Atom0, Text),
    Atom = Atom0.
memory_file_to_codes(File, Codes, Encoding) :-
    text(File, Encoding, to_codes, Text),
    string_codes(Text, Codes).
memory_file_to_string(File, String, Encoding) :-
    text(File, Encoding, to_string, String).

text(File, Encoding, Action, Text) :-
    '$memory_file_state'(File, State, _, _),
    ( State == writes -> permission_error(Action, memory_file, File) ; true ),
    '$memory_file_text'(File, Encoding, Text).

%!  memory_file_substring(+File, ?Before, ?Length, ?After, -String) is semidet.
%
%   As sub_string/5; two of the numbers, or the only possible ones, are given.

memory_file_substring(File, Before, Length, After, String) :-
    text(File, file, to_atom, Text),
    (   integer(Before), ( integer(Length) ; integer(After) ) -> true
    ;   integer(Length), integer(After) -> true
    ;   instantiation_error(Before)
    ),
    sub_string(Text, Before, Length, After, String0), !,
    String = String0.

%!  memory_file_line_position(+File, ?Line, ?LinePosition, ?Offset) is semidet.
%
%   The character behind so many is in this line, from 1 on, behind so many of it. Line and LinePosition are given, or Offset.

memory_file_line_position(File, Line, Column, Offset) :-
    text(File, file, to_atom, Text),
    (   integer(Line), integer(Column)
    ->  ( Line >= 1 -> true ; domain_error(not_less_than_one, Line) ),
        offset(Column),
        line_start(Line, Text, 0, Start),
        line_length(Text, Start, Length),
        Column =< Length,
        Offset is Start + Column
    ;   integer(Offset)
    ->  offset(Offset),
        sub_string(Text, 0, Offset, _, Before),
        split_string(Before, "\n", "", Lines),
        length(Lines, Line),
        last(Lines, Last),
        string_length(Last, Column)
    ;   instantiation_error(Offset)
    ).

line_start(1, _, Start, Start) :- !.
line_start(Line, Text, At, Start) :-
    line_length(Text, At, Length),
    Next is At + Length + 1,
    string_length(Text, All),
    Next =< All,
    Line1 is Line - 1,
    line_start(Line1, Text, Next, Start).

line_length(Text, Start, Length) :-
    (   sub_string(Text, Start, _, 0, Rest),
        sub_string(Rest, Length0, 1, _, "\n")
    ->  Length = Length0
    ;   string_length(Text, All),
        Length is All - Start
    ).

%!  utf8_position_memory_file(+File, -Here, -Size) is det.
%
%   Size is the number of bytes; Here of those that the stream on the file has read or written.

utf8_position_memory_file(File, Here, Size) :-
    '$memory_file_state'(File, _, Size, Here).
