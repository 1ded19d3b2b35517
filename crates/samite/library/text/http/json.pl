:- module(json,
          [ json_read/2,
            json_read/3,
            json_read_dict/2,
            json_read_dict/3,
            json_write/2,
            json_write/3,
            json_write_dict/2,
            json_write_dict/3,
            atom_json_term/3,
            atom_json_dict/3,
            is_json_term/1,
            is_json_term/2
          ]).

/*  JSON (RFC 8259) as terms and as dicts, with the predicates, options, terms
    and layout of SWI-Prolog's library(http/json).

    | JSON   | a term                             | a dict             |
    |--------|------------------------------------|--------------------|
    | object | json([Name=Value, ...])            | _{name:Value, ...} |
    | array  | list                               | list               |
    | string | atom                               | string             |
    | number | number                             | number             |
    | true   | @(true), and so false and null     | true               |

    Reading takes from the stream what belongs to the value and nothing behind
    it. A comma may stand behind the last element; digits are as number_codes/2
    takes them. Differs from SWI-Prolog in: surrogates (`\uD83D\uDE00`) are the
    character that they stand for, a single one is an error; a point or an
    exponent without digits is no part of a number.
*/

%   json_write_hook(+Term, +Stream, +State, +Options) is semidet: writes a term.
%   json_dict_pairs(+Dict, -Pairs) is semidet: which pairs of a dict are written, in order.
:- multifile([json_write_hook/4, json_dict_pairs/2]).
:- dynamic([json_write_hook/4, json_dict_pairs/2]).

:- multifile(prolog:error_message/3).

prolog:error_message(syntax_error(json(Id))) -->
    [ 'JSON syntax error: ~w'-[Text] ],
    { message(Id, Text) }.

message(json_expected(Word), Text) :- !, format(atom(Text), "~w expected", [Word]).
message(Id, Text) :- known_message(Id, Text), !.
message(Id, Id).

known_message(illegal_json, 'Illegal JSON').
known_message(illegal_array, 'Illegal array: comma or ] expected').
known_message(illegal_object, 'Illegal object: comma or } expected').
known_message(illegal_string_escape, 'Illegal escape sequence in string').
known_message(eof_in_string, 'Unexpected end of file in string').
known_message(unexpected_end_of_file, 'Unexpected end of file').

% --- reading ---

%   What is read is as(Kind, Null, True, False, Tag, Strings): Kind is term or dict(Default), Default being the tag of dicts; Tag
%   is the name of the pair that says the tag, or []; Strings is atom or string.

%!  json_read(+Stream, -Term) is det.
%!  json_read(+Stream, -Term, +Options) is det.
%
%   Options: null(Null), true(True), false(False), what these words are read as (@(null), ...), and end_of_file(Value): what
%   the end of the stream is read as; error, which is the default, is a syntax error.
json_read(Stream, Term) :- json_read(Stream, Term, []).

json_read(Stream, Term, Options) :-
    option(null(Null), Options, @(null)),
    option(true(True), Options, @(true)),
    option(false(False), Options, @(false)),
    read_value(Stream, as(term, Null, True, False, [], atom), Options, Term).

%!  json_read_dict(+Stream, -Dict) is det.
%!  json_read_dict(+Stream, -Dict, +Options) is det.
%
%   Options: those of json_read/3, where null, true and false are the defaults; tag(Name): the pair of an object with that name says
%   the tag of the dict; default_tag(Tag): that of the others; value_string_as_atom(Bool): strings are atoms.
json_read_dict(Stream, Dict) :- json_read_dict(Stream, Dict, []).

json_read_dict(Stream, Dict, Options) :-
    option(null(Null), Options, null),
    option(true(True), Options, true),
    option(false(False), Options, false),
    option(tag(Tag), Options, []),
    ( option(default_tag(Default), Options) -> Kind = dict(tag(Default)) ; Kind = dict(none) ),
    option(value_string_as_atom(AsAtom), Options, false),
    ( AsAtom == true -> Strings = atom ; Strings = string ),
    read_value(Stream, as(Kind, Null, True, False, Tag, Strings), Options, Dict).

read_value(Stream, As, Options, Value) :-
    first_code(Stream, C),
    (   C == -1, option(end_of_file(End), Options), End \== error
    ->  Value = End
    ;   C == -1
    ->  wrong(Stream, unexpected_end_of_file)
    ;   value(C, Stream, As, Value0),
        Value = Value0
    ).

%   first_code(+Stream, -Code): the first that is no blank.
first_code(Stream, C) :-
    get_code(Stream, C0),
    (   blank(C0) -> first_code(Stream, C)
    ;   C = C0
    ).

blank(0' ).
blank(0'\n).
blank(0'\t).
blank(0'\r).

wrong(Stream, Id) :- wrong_syntax(Stream, json(Id)).

wrong_syntax(Stream, What) :-
    line_count(Stream, Line),
    line_position(Stream, Column),
    character_count(Stream, Characters),
    throw(error(syntax_error(What), stream(Stream, Line, Column, Characters))).

%   value(+Code, +Stream, +As, -Value): the value that begins with Code, which has been read.
value(0'", Stream, As, Value) :- !,
    arg(6, As, Strings),
    text(Stream, Text),
    ( Strings == atom -> atom_string(Value, Text) ; Value = Text ).
value(0'{, Stream, As, Value) :- !,
    first_code(Stream, C),
    pairs(C, Stream, As, Pairs),
    object(As, Pairs, Value).
value(0'[, Stream, As, Value) :- !,
    first_code(Stream, C),
    elements(C, Stream, As, Value).
value(0't, Stream, As, Value) :- !, word(Stream, true), arg(3, As, Value).
value(0'f, Stream, As, Value) :- !, word(Stream, false), arg(4, As, Value).
value(0'n, Stream, As, Value) :- !, word(Stream, null), arg(2, As, Value).
value(C, Stream, _, Value) :-
    (   C == 0'- -> true
    ;   digit(C)
    ), !,
    number(Stream, C, Value).
value(_, Stream, _, _) :- wrong(Stream, illegal_json).

object(as(term, _, _, _, _, _), Pairs, json(Pairs)) :- !.
object(as(dict(Default), _, _, _, TagName, _), Pairs0, Dict) :-
    (   TagName \== [], selectchk(TagName-Tag0, Pairs0, Pairs1), ( string(Tag0) ; atom(Tag0) )
    ->  atom_string(Tag, Tag0),
        Pairs = Pairs1
    ;   ( Default = tag(Tag) -> true ; true ),
        Pairs = Pairs0
    ),
    dict_pairs(Dict, Tag, Pairs).

%   pairs(+Code, +Stream, +As, -Pairs): Code may begin a pair, or end the object.
pairs(0'}, _, _, []) :- !.
pairs(0'", Stream, As, [Pair|Pairs]) :- !,
    text(Stream, Text),
    atom_string(Name, Text),
    first_code(Stream, Colon),
    ( Colon == 0': -> true ; wrong(Stream, illegal_json) ),
    first_code(Stream, C),
    ( C == -1 -> wrong(Stream, unexpected_end_of_file) ; value(C, Stream, As, Value) ),
    ( arg(1, As, term) -> Pair = (Name=Value) ; Pair = Name-Value ),
    first_code(Stream, Next),
    (   Next == 0', -> first_code(Stream, Begin), pairs(Begin, Stream, As, Pairs)
    ;   Next == 0'} -> Pairs = []
    ;   wrong(Stream, illegal_object)
    ).
pairs(_, Stream, _, _) :- wrong(Stream, illegal_json).

elements(0'], _, _, []) :- !.
elements(C, Stream, As, [Value|Values]) :-
    value(C, Stream, As, Value),
    first_code(Stream, Next),
    (   Next == 0', -> first_code(Stream, Begin), elements(Begin, Stream, As, Values)
    ;   Next == 0'] -> Values = []
    ;   wrong(Stream, illegal_array)
    ).

word(Stream, Word) :-
    sub_atom(Word, 1, _, 0, Rest),
    atom_codes(Rest, Codes),
    (   word_codes(Codes, Stream) -> true
    ;   wrong(Stream, json_expected(Word))
    ).

word_codes([], _).
word_codes([C|Cs], Stream) :-
    get_code(Stream, C0),
    C0 == C,
    word_codes(Cs, Stream).

%   text(+Stream, -String): what stands before the closing quote.
text(Stream, String) :-
    read_string(Stream, "\"\\", "", End, Part),
    (   End == 0'" -> String = Part
    ;   text_parts(End, Stream, Parts),
        atomics_to_string([Part|Parts], String)
    ).

text_parts(0'", _, []) :- !.
text_parts(0'\\, Stream, [Char,Part|Parts]) :- !,
    get_code(Stream, C),
    (   escaped(C, Stream, Code) -> true
    ;   wrong(Stream, illegal_string_escape)
    ),
    char_code(Char, Code),
    read_string(Stream, "\"\\", "", End, Part),
    text_parts(End, Stream, Parts).
text_parts(_, Stream, _) :- wrong(Stream, eof_in_string).

escaped(0'u, Stream, Code) :- !,
    hexadecimal(4, Stream, 0, Unit),
    (   high_surrogate(Unit)
    ->  get_code(Stream, 0'\\),
        get_code(Stream, 0'u),
        hexadecimal(4, Stream, 0, Low),
        low_surrogate(Low),
        Code is 0x10000 + (Unit-0xD800)<<10 + (Low-0xDC00)
    ;   \+ low_surrogate(Unit),
        Code = Unit
    ).
escaped(C, _, Code) :- escape(C, Code).

high_surrogate(Unit) :- Unit >= 0xD800, Unit =< 0xDBFF.
low_surrogate(Unit) :- Unit >= 0xDC00, Unit =< 0xDFFF.

hexadecimal(0, _, N, N) :- !.
hexadecimal(Left, Stream, N0, N) :-
    get_code(Stream, C),
    code_type(C, xdigit(Weight)),
    N1 is N0*16+Weight,
    Left1 is Left-1,
    hexadecimal(Left1, Stream, N1, N).

escape(0'", 0'").
escape(0'\\, 0'\\).
escape(0'/, 0'/).
escape(0'b, 0'\b).
escape(0'f, 0'\f).
escape(0'n, 0'\n).
escape(0'r, 0'\r).
escape(0't, 0'\t).

digit(C) :- C >= 0'0, C =< 0'9.

%   number(+Stream, +Code, -Number): Code is a minus sign or a digit.
number(Stream, C, Number) :-
    (   C == 0'- -> Codes = [C|Codes1], digits(Stream, Codes1, [])
    ;   Codes = [C|Codes1], more_digits(Stream, Codes1, [])
    ), !,
    number_rest(Stream, Codes, Number).
number(Stream, _, _) :- wrong_syntax(Stream, illegal_number).

%   A point and an exponent are taken if a digit follows. (What comes behind the number may not be there yet: no more is looked at than has to be.)
number_rest(Stream, Whole, Number) :-
    (   peek_code(Stream, 0'.), peek_string(Stream, 2, Ahead0), begins_fraction(Ahead0)
    ->  get_code(Stream, Point),
        digits(Stream, Fraction, []),
        append(Whole, [Point|Fraction], Mantissa)
    ;   Mantissa = Whole
    ),
    (   exponent_length(Stream, Length)
    ->  read_length(Length, Stream, Exponent, Digits),
        more_digits(Stream, Digits, []),
        ( Mantissa == Whole -> append(Whole, [0'., 0'0|Exponent], Codes) ; append(Mantissa, Exponent, Codes) )
    ;   Codes = Mantissa
    ),
    (   catch(number_codes(Number, Codes), error(_, _), fail) -> true
    ;   wrong_syntax(Stream, illegal_number)
    ).

begins_fraction(Ahead) :-
    string_codes(Ahead, [0'., C]),
    digit(C).

%   exponent_length(+Stream, -Length) is semidet: how many codes the beginning of an exponent takes that comes, its first digit included.
exponent_length(Stream, Length) :-
    peek_code(Stream, E),
    ( E == 0'e ; E == 0'E ), !,
    peek_string(Stream, 2, Ahead),
    string_codes(Ahead, [_, C]),
    (   ( C == 0'+ ; C == 0'- )
    ->  peek_string(Stream, 3, Further),
        string_codes(Further, [_, _, D]),
        digit(D),
        Length = 3
    ;   digit(C),
        Length = 2
    ).

read_length(0, _, Codes, Codes) :- !.
read_length(N, Stream, [C|Cs], Rest) :-
    get_code(Stream, C),
    N1 is N-1,
    read_length(N1, Stream, Cs, Rest).

%   One digit at least.
digits(Stream, [C|Cs], Rest) :-
    peek_code(Stream, C),
    digit(C),
    get_code(Stream, _),
    more_digits(Stream, Cs, Rest).

more_digits(Stream, Codes, Rest) :-
    peek_code(Stream, C),
    (   C >= 0'0, C =< 0'9
    ->  Codes = [C|Codes1],
        get_code(Stream, _),
        more_digits(Stream, Codes1, Rest)
    ;   Codes = Rest
    ).

% --- writing ---

%   How it is written is layout(Kind, Null, True, False, Tag, Unknown, Step, Tab, Width, Options, Highest, Hooked); Kind is term or dict: whether @(true), @(false) and
%   @(null) are words in any case. Characters above Highest are escaped. A term stands on one line if what it takes, counted as below, and what the line is indented by are no more than Width; with Width 0,
%   always.

%!  json_write(+Stream, +Term) is det.
%!  json_write(+Stream, +Term, +Options) is det.
%
%   Term is what json_read/3 reads, where pairs may be Name-Value and Name(Value), too, and strings may be strings, or a dict. Options: null(Null), true(True),
%   false(False); step(Columns) between levels (2), tab(Columns) of a tab in them (8; 0: blanks alone), width(Columns) (72), serialize_unknown(Bool): other
%   terms are written as strings (else they are errors), tag(Name): of a dict with a tag, the pair that says it.
json_write(Stream, Term) :- json_write(Stream, Term, []).

json_write(Stream, Term, Options) :-
    write_json(Stream, Term, term, @(null), @(true), @(false), Options).

%!  json_write_dict(+Stream, +Dict) is det.
%!  json_write_dict(+Stream, +Dict, +Options) is det.
%
%   The same, where the atoms true, false and null are those words.
json_write_dict(Stream, Dict) :- json_write_dict(Stream, Dict, []).

json_write_dict(Stream, Dict, Options) :-
    write_json(Stream, Dict, dict, null, true, false, Options).

write_json(Stream, Term, Kind, Null0, True0, False0, Options) :-
    option(null(Null), Options, Null0),
    option(true(True), Options, True0),
    option(false(False), Options, False0),
    option(tag(Tag), Options, []),
    option(serialize_unknown(Unknown), Options, false),
    option(step(Step), Options, 2),
    option(tab(Tab), Options, 8),
    option(width(Width), Options, 72),
    maplist(must_be(nonneg), [Step, Tab, Width]),
    stream_property(Stream, encoding(Encoding)),
    ( highest(Encoding, Highest) -> true ; Highest = 0x10FFFF ),
    ( predicate_property(json_write_hook(_, _, _, _), number_of_clauses(N)), N > 0 -> Hooked = true ; Hooked = false ),
    write_term_at(Term, Stream, layout(Kind, Null, True, False, Tag, Unknown, Step, Tab, Width, Options, Highest, Hooked), 0).

highest(ascii, 0x7F).
highest(iso_latin_1, 0xFF).
highest(octet, 0xFF).
highest(text, 0x7F).

%   write_term_at(+Term, +Stream, +Layout, +Indent)
write_term_at(Term, _, _, _) :- var(Term), !, throw(error(instantiation_error, _)).
write_term_at(Term, Stream, Layout, Indent) :-
    arg(12, Layout, true),
    arg(10, Layout, Options),
    json_write_hook(Term, Stream, json_write_state(Indent), Options), !.
write_term_at(Term, Stream, Layout, Indent) :-
    members(Term, Layout, Shape, Members), !,
    apart(Stream, Indent),
    (   Members == [] -> brackets(Shape, Open, Close), put_char(Stream, Open), put_char(Stream, Close)
    ;   fits(Term, Layout, Indent) -> write_flat(Shape, Members, Stream, Layout, Indent)
    ;   write_lines(Shape, Members, Stream, Layout, Indent)
    ).
write_term_at(Term, Stream, Layout, _) :- write_atomic(Term, Stream, Layout).

%   members(+Term, +Layout, -Shape, -Members) is semidet: Term is an array or an object; members of the latter are Name-Value.
members(Term, _, _, _) :- atomic(Term), Term \== [], !, fail.
members(List, _, array, List) :- is_list(List), !.
members(Dict, Layout, object, Pairs) :- is_dict(Dict), !,
    ( json_dict_pairs(Dict, Pairs1) -> true ; dict_pairs(Dict, _, Pairs1) ),
    arg(5, Layout, Tag),
    (   Tag \== [], is_dict(Dict, OfDict), atom(OfDict) -> Pairs = [Tag-OfDict|Pairs1]
    ;   Pairs = Pairs1
    ).
members(json(Pairs0), _, object, Pairs) :-
    must_be(list, Pairs0),
    maplist(pair, Pairs0, Pairs).

pair(Pair, _) :- var(Pair), !, throw(error(instantiation_error, _)).
pair(Name=Value, Name-Value) :- !.
pair(Name-Value, Name-Value) :- !.
pair(Pair, Name-Value) :- compound(Pair), compound_name_arguments(Pair, Name, [Value]), !.
pair(Pair, _) :- throw(error(type_error(pair, Pair), _)).

brackets(array, '[', ']').
brackets(object, '{', '}').

%   A blank, but at the left margin.
apart(Stream, Indent) :-
    line_position(Stream, Column),
    ( Column =< Indent -> true ; put_char(Stream, ' ') ).

write_flat(Shape, Members, Stream, Layout, Indent) :-
    brackets(Shape, Open, Close),
    put_char(Stream, Open),
    write_flat_members(Members, Shape, Stream, Layout, Indent),
    ( Shape == array -> put_char(Stream, ' ') ; true ),
    put_char(Stream, Close).

write_flat_members([Member|Members], Shape, Stream, Layout, Indent) :-
    write_member(Shape, Member, Stream, Layout, Indent),
    (   Members == [] -> true
    ;   write(Stream, ', '),
        write_flat_members(Members, Shape, Stream, Layout, Indent)
    ).

write_lines(Shape, Members, Stream, Layout, Indent) :-
    brackets(Shape, Open, Close),
    arg(7, Layout, Step),
    Inner is Indent+Step,
    put_char(Stream, Open),
    write_member_lines(Members, Shape, Stream, Layout, Inner),
    new_line(Stream, Layout, Indent),
    put_char(Stream, Close).

write_member_lines([Member|Members], Shape, Stream, Layout, Indent) :-
    new_line(Stream, Layout, Indent),
    write_member(Shape, Member, Stream, Layout, Indent),
    (   Members == [] -> true
    ;   put_char(Stream, ','),
        write_member_lines(Members, Shape, Stream, Layout, Indent)
    ).

new_line(Stream, Layout, Indent) :-
    nl(Stream),
    arg(8, Layout, Tab),
    (   Tab =:= 0 -> Tabs = 0, Blanks = Indent
    ;   Tabs is Indent // Tab, Blanks is Indent mod Tab
    ),
    format(Stream, "~*c~*c", [Tabs, 0'\t, Blanks, 0' ]).

write_member(array, Value, Stream, Layout, Indent) :- write_term_at(Value, Stream, Layout, Indent).
write_member(object, Name-Value, Stream, Layout, Indent) :-
    write_string(Name, Stream, Layout),
    put_char(Stream, ':'),
    write_term_at(Value, Stream, Layout, Indent).

write_atomic(Term, Stream, Layout) :-
    word_of(Term, Layout, Word), !,
    write(Stream, Word).
write_atomic(Term, Stream, _) :- number(Term), !, write_number(Term, Stream).
write_atomic(Term, Stream, Layout) :- is_text(Term), !, write_string(Term, Stream, Layout).
write_atomic(Term, Stream, Layout) :-
    arg(6, Layout, Unknown),
    (   Unknown == true -> format(string(Text), "~q", [Term]), write_string(Text, Stream, Layout)
    ;   throw(error(type_error(json_term, Term), _))
    ).

word_of(Term, Layout, null) :- arg(2, Layout, Term0), Term == Term0, !.
word_of(Term, Layout, true) :- arg(3, Layout, Term0), Term == Term0, !.
word_of(Term, Layout, false) :- arg(4, Layout, Term0), Term == Term0, !.
word_of(@(Word), Layout, Word) :- arg(1, Layout, term), atom(Word), memberchk(Word, [null, true, false]).

is_text(Term) :- ( atom(Term) ; string(Term) ), !.

write_number(Number, Stream) :-
    (   rational(Number), \+ integer(Number) -> Float is float(Number), write(Stream, Float)
    ;   write(Stream, Number)
    ).

write_string(Text, _, _) :- var(Text), !, throw(error(instantiation_error, _)).
write_string(Text, Stream, Layout) :-
    ( is_text(Text) -> true ; throw(error(type_error(text, Text), _)) ),
    arg(11, Layout, Highest),
    string_codes(Text, Codes),
    put_char(Stream, '"'),
    (   are_plain(Codes, Highest) -> write(Stream, Text)
    ;   put_codes(Codes, 0, Highest, Stream)
    ),
    put_char(Stream, '"').

%   Nothing has to be escaped.
are_plain([], _).
are_plain([C|Cs], Highest) :-
    C >= 0' , C =< Highest, C =\= 0'", C =\= 0'\\, C =\= 0'/,
    are_plain(Cs, Highest).

%   put_codes(+Codes, +Before, +Highest, +Stream)
put_codes([], _, _, _).
put_codes([C|Cs], Before, Highest, Stream) :-
    (   escape(E, C), C =\= 0'/ -> put_char(Stream, '\\'), put_code_of(E, Stream)
    ;   C =:= 0'/, Before =:= 0'<, begins_script(Cs) -> write(Stream, '\\/')
    ;   C < 0'  -> format(Stream, "\\u~|~`0t~16r~4+", [C])
    ;   C =< Highest -> put_code_of(C, Stream)
    ;   C =< 0xFFFF -> format(Stream, "\\u~|~`0t~16r~4+", [C])
    ;   High is 0xD800 + (C-0x10000)>>10,
        Low is 0xDC00 + ((C-0x10000) /\ 0x3FF),
        format(Stream, "\\u~16r\\u~16r", [High, Low])
    ),
    put_codes(Cs, C, Highest, Stream).

put_code_of(C, Stream) :- char_code(Char, C), put_char(Stream, Char).

%   A page that has the text in a script does not end it.
begins_script(Codes) :- append(`script`, _, Codes).

%   fits(+Term, +Layout, +Indent): what it takes on one line, each comma and colon and each pair of brackets counted as two, escapes as what they stand for.
fits(Term, Layout, Indent) :-
    arg(9, Layout, Width),
    (   Width =:= 0 -> true
    ;   Left is Width-Indent,
        takes(Term, Layout, Left, _)
    ).

%   takes(+Term, +Layout, +Left0, -Left) is semidet: Left is not below 0.
takes(Term, _, Left, Left) :- var(Term), !.
takes(Term, Layout, Left0, Left) :-
    arg(12, Layout, true),
    arg(10, Layout, Options),
    with_output_to(string(Text), ( current_output(Stream), json_write_hook(Term, Stream, json_write_state(0), Options) )), !,
    string_length(Text, Length),
    less(Left0, Length, Left).
takes(Term, Layout, Left0, Left) :-
    members(Term, Layout, Shape, Members), !,
    less(Left0, 2, Left1),
    take(Members, Shape, Layout, Left1, Left).
takes(Term, Layout, Left0, Left) :-
    (   word_of(Term, Layout, Word) -> atom_length(Word, Length)
    ;   number(Term) -> with_output_to(string(Text), ( current_output(Stream), write_number(Term, Stream) )), string_length(Text, Length)
    ;   is_text(Term) -> string_length(Term, Length0), Length is Length0+2
    ;   format(string(Text), "~q", [Term]), string_length(Text, Length0), Length is Length0+2
    ),
    less(Left0, Length, Left).

take([], _, _, Left, Left).
take([Member|Members], Shape, Layout, Left0, Left) :-
    (   Shape == array -> Value = Member, Left1 = Left0
    ;   Member = Name-Value,
        ( is_text(Name) -> string_length(Name, Length) ; Length = 0 ),
        Taken is Length+4,
        less(Left0, Taken, Left1)
    ),
    takes(Value, Layout, Left1, Left2),
    ( Members == [] -> Left3 = Left2 ; less(Left2, 2, Left3) ),
    take(Members, Shape, Layout, Left3, Left).

less(Left0, N, Left) :-
    Left is Left0-N,
    Left >= 0.

% --- texts ---

%!  atom_json_term(?Atom, ?Term, +Options) is det.
%
%   Atom, or another text, is what json_write/3 writes; if it is ground Term is read from it. Options are those of json_read/3 and json_write/3, and as(Type): atom, string or
%   codes.
atom_json_term(Text, Term, Options) :-
    (   ground(Text) -> read_text(Text, Term, json_read, Options)
    ;   write_text(Text, Term, json_write, Options)
    ).

%!  atom_json_dict(?Atom, ?Dict, +Options) is det.
atom_json_dict(Text, Dict, Options) :-
    (   ground(Text) -> read_text(Text, Dict, json_read_dict, Options)
    ;   write_text(Text, Dict, json_write_dict, Options)
    ).

:- meta_predicate(read_text(?, ?, 3, ?)).
read_text(Text, Term, Read, Options) :-
    (   ( is_text(Text) ; is_list(Text) ) -> true
    ;   throw(error(type_error(atom, Text), _))
    ),
    setup_call_cleanup(open_string(Text, Stream), call(Read, Stream, Term, Options), close(Stream)).

:- meta_predicate(write_text(?, ?, 3, ?)).
write_text(Text, Term, Write, Options) :-
    ( var(Term) -> throw(error(instantiation_error, _)) ; true ),
    option(as(Type), Options, atom),
    must_be(oneof([atom, string, codes]), Type),
    To =.. [Type, Text0],
    with_output_to(To, ( current_output(Stream), call(Write, Stream, Term, Options) )),
    Text = Text0.

%!  is_json_term(@Term) is semidet.
%!  is_json_term(@Term, +Options) is semidet.
%
%   Term is what json_read/3 may read. Options: null(Null), true(True), false(False).
is_json_term(Term) :- is_json_term(Term, []).

is_json_term(Term, Options) :-
    option(null(Null), Options, @(null)),
    option(true(True), Options, @(true)),
    option(false(False), Options, @(false)),
    is_json(Term, [Null, True, False]).

is_json(Term, _) :- var(Term), !, fail.
is_json(Term, _) :- ( is_text(Term) ; number(Term) ), !.
is_json(List, Words) :- is_list(List), !, are_json(List, Words).
is_json(json(Pairs), Words) :- !, is_list(Pairs), are_json_pairs(Pairs, Words).
is_json(Term, Words) :- member(Word, Words), Term == Word, !.

are_json([], _).
are_json([T|Ts], Words) :- is_json(T, Words), are_json(Ts, Words).

are_json_pairs([], _).
are_json_pairs([Pair|Pairs], Words) :-
    nonvar(Pair), Pair = (Name=Value), atom(Name),
    is_json(Value, Words),
    are_json_pairs(Pairs, Words).
