% Comma separated values (RFC 4180), as in SWI-Prolog's library(csv).

:- module(csv,
          [ csv//1,
            csv//2,
            csv_read_file/2,
            csv_read_file/3,
            csv_read_file_row/3,
            csv_read_stream/3,
            csv_read_row/3,
            csv_options/2,
            csv_write_file/2,
            csv_write_file/3,
            csv_write_stream/3
          ]).

/*  A row is a term row(Field, ...): numbers and atoms when read, anything
    atomic when written.

    Options: separator(Code), a comma by default; strip(Boolean), whether
    blanks around fields are removed; ignore_quotes(Boolean), whether " is a
    character as any other; convert(Boolean), whether what reads as a number
    becomes one (true by default); case(down, up or preserve) of the other
    fields; functor(Name) of the rows; arity(N), which rows must have;
    match_arity(Boolean), whether rows must have the arity of the first
    (true by default); skip_header(Start): the lines at the start that begin
    with Start, or are blank, are left out.
*/

%!  csv(?Rows)// is semidet.
%!  csv(?Rows, +Options)// is semidet.
%
%   Ground Rows are written. Otherwise all that there is, a list of codes, is read.

csv(Rows) -->
    csv(Rows, []).

csv(Rows, Options, Head, Tail) :-
    csv_options(Compiled, Options),
    (   ground(Rows)
    ->  csv_emit_rows(Rows, Compiled, Head, Tail)
    ;   must_be(list, Head),
        csv_skip_header(Head, Compiled, Codes),
        csv_parse_rows(Codes, Compiled, Rows0),
        Rows = Rows0,
        Tail = []
    ).

%!  csv_options(-Compiled, +Options) is det.
%
%   Compiled is what csv_read_row/3 wants. The rows read with it have one arity, unless match_arity(false) is among Options.

csv_options(Compiled, Options) :-
    Compiled = csv_options(Separator, Strip, IgnoreQuotes, Convert, Case, Functor, Arity, MatchArity, SkipHeader),
    csv_option(separator(Separator), Options, integer, 0',),
    csv_option(strip(Strip), Options, boolean, false),
    csv_option(ignore_quotes(IgnoreQuotes), Options, boolean, false),
    csv_option(convert(Convert), Options, boolean, true),
    csv_option(case(Case), Options, oneof([down, preserve, up]), preserve),
    csv_option(functor(Functor), Options, atom, row),
    ( option(arity(Arity), Options) -> must_be(integer, Arity) ; true ),
    csv_option(match_arity(MatchArity), Options, boolean, true),
    ( option(skip_header(SkipHeader), Options) -> must_be(atom, SkipHeader) ; true ).

csv_option(Option, Options, Type, Default) :-
    option(Option, Options, Default),
    arg(1, Option, Value),
    must_be(Type, Value).

csv_option_of(separator, Compiled, Value) :- arg(1, Compiled, Value).
csv_option_of(ignore_quotes, Compiled, Value) :- arg(3, Compiled, Value).
csv_option_of(skip_header, Compiled, Value) :- arg(9, Compiled, Value).

% --- reading ---

csv_skip_header(Codes, Compiled, Rest) :-
    csv_option_of(skip_header, Compiled, Start),
    (   nonvar(Start)
    ->  atom_codes(Start, StartCodes),
        csv_skip_lines(Codes, StartCodes, Rest)
    ;   Rest = Codes
    ).

csv_skip_lines(Codes, Start, Rest) :-
    (   ( append(Start, After, Codes) ; csv_blank_line(Codes, After) )
    ->  csv_after_line(After, Codes1),
        csv_skip_lines(Codes1, Start, Rest)
    ;   Rest = Codes
    ).

csv_blank_line(Codes, Codes) :- csv_end_of_row(Codes, _), Codes \== [], !.
csv_blank_line([C|Codes], Rest) :- memberchk(C, [0'\s, 0'\t]), csv_blank_line(Codes, Rest).

csv_after_line(Codes, Rest) :-
    (   csv_end_of_row(Codes, Rest0)
    ->  Rest = Rest0
    ;   Codes = [_|Codes1],
        csv_after_line(Codes1, Rest)
    ).

csv_end_of_row([], []).
csv_end_of_row([C|Cs], Rest) :-
    (   C == 0'\n
    ->  Rest = Cs
    ;   C == 0'\r,
        ( Cs = [0'\n|Rest0] -> Rest = Rest0 ; Rest = Cs )
    ).

csv_parse_rows([], _, []) :- !.
csv_parse_rows(Codes, Compiled, [Row|Rows]) :-
    csv_parse_row(Codes, Compiled, Row, Rest),
    csv_parse_rows(Rest, Compiled, Rows).

csv_parse_row(Codes, Compiled, Row, Rest) :-
    csv_option_of(separator, Compiled, Separator),
    csv_option_of(ignore_quotes, Compiled, IgnoreQuotes),
    csv_fields(Codes, Separator, IgnoreQuotes, Fields, Rest),
    csv_row_term(Fields, Compiled, Row).

csv_fields(Codes, Separator, IgnoreQuotes, [Field|Fields], Rest) :-
    (   Codes = [0'"|Codes1],
        IgnoreQuotes == false
    ->  csv_quoted(Codes1, Field, Codes2)
    ;   csv_unquoted(Codes, Separator, Field, Codes2)
    ),
    (   Codes2 = [Separator|Codes3]
    ->  csv_fields(Codes3, Separator, IgnoreQuotes, Fields, Rest)
    ;   csv_end_of_row(Codes2, Rest),
        Fields = []
    ).

csv_quoted([C|Codes], Field, Rest) :-
    (   C \== 0'"
    ->  Field = [C|Field1],
        csv_quoted(Codes, Field1, Rest)
    ;   Codes = [0'"|Codes1]
    ->  Field = [C|Field1],
        csv_quoted(Codes1, Field1, Rest)
    ;   Field = [],
        Rest = Codes
    ).

csv_unquoted([C|Codes], Separator, Field, Rest) :-
    C \== Separator, C \== 0'\n, C \== 0'\r, !,
    Field = [C|Field1],
    csv_unquoted(Codes, Separator, Field1, Rest).
csv_unquoted(Rest, _, [], Rest).

csv_row_term(Fields, csv_options(_, Strip, _, Convert, Case, Functor, Arity, MatchArity, _), Row) :-
    csv_values(Fields, Strip, Convert, Case, Values),
    compound_name_arguments(Row0, Functor, Values),
    (   MatchArity == true
    ->  functor(Row0, _, Arity0),
        ( Arity = Arity0 -> true ; domain_error(row_arity(Arity), Arity0) )
    ;   true
    ),
    Row = Row0.

csv_values([], _, _, _, []).
csv_values([Codes0|Fields], Strip, Convert, Case, [Value|Values]) :-
    (   Strip == true
    ->  csv_strip(Codes0, Codes)
    ;   Codes = Codes0
    ),
    (   Convert == true,
        csv_number(Codes, Value0)
    ->  Value = Value0
    ;   atom_codes(Atom, Codes),
        csv_case(Case, Atom, Value)
    ),
    csv_values(Fields, Strip, Convert, Case, Values).

csv_strip(Codes, Stripped) :-
    string_codes(Text, Codes),
    split_string(Text, "", " \t", [Text1]),
    string_codes(Text1, Stripped).

csv_case(preserve, Atom, Atom).
csv_case(down, Atom, Value) :- downcase_atom(Atom, Value).
csv_case(up, Atom, Value) :- upcase_atom(Atom, Value).

%   Looking at the first code saves most of the exceptions.
csv_number([C|Codes], Number) :-
    (   C >= 0'0, C =< 0'9
    ->  true
    ;   ( C == 0'+ ; C == 0'- ),
        Codes = [D|_], D >= 0'0, D =< 0'9
    ), !,
    catch(number_codes(Number, [C|Codes]), error(_, _), fail).

%!  csv_read_file(+File, -Rows) is det.
%!  csv_read_file(+File, -Rows, +Options) is det.
%
%   Rows are those of File. Options may also have encoding(Encoding) and others of open/4. The default separator is the tab
%   in files *.tsv. Fails if a quoted field does not end as it should.

csv_read_file(File, Rows) :-
    csv_read_file(File, Rows, []).

csv_read_file(File, Rows, Options0) :-
    csv_file_options(File, Options0, Options, OpenOptions),
    csv_options(_, Options),
    setup_call_cleanup(
        open(File, read, Stream, OpenOptions),
        csv_read_stream(Stream, Rows, Options),
        close(Stream)).

csv_file_options(File, Options0, Options, OpenOptions) :-
    must_be(list, Options0),
    (   \+ option(separator(_), Options0),
        ( atom(File) ; string(File) ),
        file_name_extension(_, tsv, File)
    ->  Options = [separator(0'\t)|Options0]
    ;   Options = Options0
    ),
    include(csv_open_option, Options0, OpenOptions).

csv_open_option(Option) :-
    compound(Option),
    functor(Option, Name, 1),
    memberchk(Name, [type, eof_action, encoding, bom, close_on_abort, lock, wait, newline, buffer, alias]).

%!  csv_read_stream(+Stream, -Rows, +Options) is semidet.
%
%   Rows are all that follow in Stream.

csv_read_stream(Stream, Rows, Options) :-
    csv_options(Compiled, Options),
    read_stream_to_codes(Stream, Codes),
    csv_skip_header(Codes, Compiled, Codes1),
    csv_parse_rows(Codes1, Compiled, Rows0),
    Rows = Rows0.

%!  csv_read_file_row(+File, ?Row, +Options) is nondet.
%
%   Row is each one of File in turn; it is read when it is asked for. Options as for csv_read_file/3, where skip_header/1 does
%   not count, and line(-Line), the number of the line that Row starts in.

csv_read_file_row(File, Row, Options0) :-
    csv_file_options(File, Options0, Options, OpenOptions),
    csv_options(Compiled, Options),
    ignore(option(line(Line), Options)),
    ( var(Line) -> true ; must_be(integer, Line) ),
    setup_call_cleanup(
        open(File, read, Stream, OpenOptions),
        csv_file_row(Stream, Row, Line, Compiled),
        close(Stream)).

csv_file_row(Stream, Row, Line, Compiled) :-
    repeat,
    line_count(Stream, Line0),
    (   csv_read_row(Stream, Row0, Compiled)
    ->  (   Row0 == end_of_file
        ->  !, fail
        ;   true
        )
    ;   !, fail
    ),
    Row = Row0,
    Line = Line0.

%!  csv_read_row(+Stream, -Row, +Compiled) is semidet.
%
%   Row is the next one of Stream, end_of_file at its end. Compiled comes from csv_options/2.

csv_read_row(Stream, Row, Compiled) :-
    read_line_to_codes(Stream, Line),
    (   Line == end_of_file
    ->  Row = end_of_file
    ;   csv_option_of(separator, Compiled, Separator),
        csv_option_of(ignore_quotes, Compiled, IgnoreQuotes),
        (   IgnoreQuotes == true
        ->  Codes = Line
        ;   csv_scan(Line, start, Separator, State),
            csv_more_lines(State, Stream, Separator, Lines, []),
            csv_joined(Lines, Line, Codes)
        ),
        csv_parse_row(Codes, Compiled, Row0, []),
        Row = Row0
    ).

%   The lines that a quoted field goes on in.
csv_more_lines(quoted, Stream, Separator, [Line|Lines], Tail) :- !,
    read_line_to_codes(Stream, Line),
    Line \== end_of_file,
    csv_scan(Line, quoted, Separator, State),
    csv_more_lines(State, Stream, Separator, Lines, Tail).
csv_more_lines(_, _, _, Lines, Lines).

csv_joined([], Codes, Codes).
csv_joined([Line|Lines], Codes0, Codes) :-
    csv_joined_rest([Line|Lines], Rest),
    append(Codes0, Rest, Codes).

csv_joined_rest([], []).
csv_joined_rest([Line|Lines], [0'\n|Codes]) :-
    append(Line, Codes1, Codes),
    csv_joined_rest(Lines, Codes1).

%   csv_scan(+Codes, +State0, +Separator, -State): where a line ends: at the start of a field, in one that is quoted, or in
%   (or after) any other.
csv_scan([], State, _, State).
csv_scan([C|Codes], State0, Separator, State) :-
    (   State0 == quoted
    ->  ( C == 0'" -> State1 = ended ; State1 = quoted )
    ;   C == Separator
    ->  State1 = start
    ;   C == 0'", State0 \== plain
    ->  State1 = quoted
    ;   State1 = plain
    ),
    csv_scan(Codes, State1, Separator, State).

% --- writing ---

%!  csv_write_file(+File, +Rows) is det.
%!  csv_write_file(+File, +Rows, +Options) is det.
%
%   As csv_read_file/3. Fields are quoted where they must be; lines end as the RFC says.

csv_write_file(File, Rows) :-
    csv_write_file(File, Rows, []).

csv_write_file(File, Rows, Options0) :-
    must_be(list, Rows),
    csv_file_options(File, Options0, Options, OpenOptions),
    csv_options(_, Options),
    setup_call_cleanup(
        open(File, write, Stream, OpenOptions),
        csv_write_stream(Stream, Rows, Options),
        close(Stream)).

%!  csv_write_stream(+Stream, +Rows, +Options) is det.

csv_write_stream(Stream, Rows, Options) :-
    must_be(list, Rows),
    csv_options(Compiled, Options),
    csv_write_rows(Rows, Stream, Compiled).

csv_write_rows([], _, _).
csv_write_rows([Row|Rows], Stream, Compiled) :-
    csv_emit_row(Row, Compiled, Codes, []),
    format(Stream, '~s', [Codes]),
    csv_write_rows(Rows, Stream, Compiled).

csv_emit_rows([], _) -->
    [].
csv_emit_rows([Row|Rows], Compiled) -->
    csv_emit_row(Row, Compiled),
    csv_emit_rows(Rows, Compiled).

csv_emit_row(Row, Compiled) -->
    { must_be(callable, Row),
      ( compound(Row) -> compound_name_arguments(Row, _, Fields) ; Fields = [] ),
      csv_option_of(separator, Compiled, Separator)
    },
    csv_emit_fields(Fields, Separator).

csv_emit_fields([], _) -->
    "\r\n".
csv_emit_fields([Field|Fields], Separator) -->
    { csv_field_codes(Field, Codes) },
    (   { member(C, Codes), csv_quoted_code(C, Separator) }
    ->  "\"",
        csv_emit_quoted(Codes),
        "\""
    ;   csv_emit_codes(Codes)
    ),
    (   { Fields == [] }
    ->  []
    ;   [Separator]
    ),
    csv_emit_fields(Fields, Separator).

csv_field_codes(Field, Codes) :-
    (   var(Field)
    ->  instantiation_error(Field)
    ;   atomic(Field)
    ->  format(codes(Codes), '~w', [Field])
    ;   type_error(number, Field)
    ).

csv_quoted_code(C, Separator) :-
    ( C == Separator ; C == 0'" ; C == 0'\n ; C == 0'\r ), !.

csv_emit_quoted([]) -->
    [].
csv_emit_quoted([C|Codes]) -->
    ( { C == 0'" } -> "\"\"" ; [C] ),
    csv_emit_quoted(Codes).

csv_emit_codes([]) -->
    [].
csv_emit_codes([C|Codes]) -->
    [C],
    csv_emit_codes(Codes).
