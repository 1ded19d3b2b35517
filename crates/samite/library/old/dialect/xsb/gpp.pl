:- module(gpp, [ '$gpp'/3 ]).
:- use_module(library(lists), [append/3, member/2, reverse/2]).
:- use_module(library(readutil), [read_line_to_string/2]).

/*  The preprocessor gpp, as far as Prolog texts of XSB use it: #include "file", #define Name Text, #undef, #ifdef, #ifndef, #else, #endif.

    Names are replaced where they stand as whole words, outside of quotes and comments; definitions have no arguments. A line that is not kept becomes an
    empty one, so that lines keep their numbers up to the first #include.  */

%   '$gpp'(+File, +Options, -Text): Options are those of load_files/2.

'$gpp'(File, Options, Text) :-
    ( member(encoding(Encoding), Options) -> OpenOptions = [encoding(Encoding)] ; OpenOptions = [] ),
    file_lines(File, OpenOptions, [], state([], [], code), state(_, Ifs, _), Parts, []),
    (   Ifs == []
    ->  true
    ;   throw(error(syntax_error(gpp_unclosed_condition), file(File, 0, 0, 0)))
    ),
    atomics_to_string(Parts, Text).

atomics_to_string(Parts, Text) :-
    with_output_to(string(Text), forall(member(P, Parts), write(P))).

%   state(Definitions, Conditions, Mode): Definitions are Name-Text, Conditions true or false, the innermost first; Mode is what the text is in: `code`,
%   `comment` or quoted(Quote).

file_lines(File, Options, Around, S0, S, Parts, Rest) :-
    (   member(File, Around)
    ->  throw(error(permission_error(include, source_sink, File), _))
    ;   true
    ),
    setup_call_cleanup(
        open(File, read, Stream, Options),
        lines(Stream, 1, File-Options, [File|Around], S0, S, Parts, Rest),
        close(Stream)).

lines(Stream, N, F, Around, S0, S, Parts, Rest) :-
    read_line_to_string(Stream, Line),
    (   Line == end_of_file
    ->  S = S0, Parts = Rest
    ;   line(Line, N, F, Around, S0, S1, Parts, Parts1),
        N1 is N+1,
        lines(Stream, N1, F, Around, S1, S, Parts1, Rest)
    ).

line(Line, N, F, Around, state(Ds, Ifs, code), S, Parts, Rest) :-
    string_codes(Line, Codes),
    directive(Codes, Name, Argument), !,
    F = File-_,
    (   run(Name, Argument, F, Around, state(Ds, Ifs, code), S, Parts, Rest)
    ->  true
    ;   throw(error(syntax_error(gpp_directive(Name)), file(File, N, 0, 0)))
    ).
line(_, _, _, _, state(Ds, Ifs, Mode), state(Ds, Ifs, Mode), ['\n'|Rest], Rest) :-
    skipping(Ifs), !.
line(Line, _, _, _, state(Ds, Ifs, Mode0), state(Ds, Ifs, Mode), [Text, '\n'|Rest], Rest) :-
    string_chars(Line, Chars),
    replaced(Chars, Mode0, Ds, Mode, Replaced),
    string_chars(Text, Replaced).

skipping(Ifs) :- member(false, Ifs), !.

directive(Codes, Name, Argument) :-
    blanks(Codes, [0'#|Codes1]),
    blanks(Codes1, Codes2),
    word(Codes2, NameCodes, Codes3),
    NameCodes \== [],
    atom_codes(Name, NameCodes),
    member(Name, [include, define, undef, ifdef, ifndef, else, endif, if, elif, error]), !,
    blanks(Codes3, Codes4),
    atom_codes(Argument0, Codes4),
    normalize_space(atom(Argument1), Argument0),
    Argument = Argument1.

blanks([C|Cs], Rest) :- ( C =:= 0'  ; C =:= 0'\t ), !, blanks(Cs, Rest).
blanks(Cs, Cs).

word([C|Cs], [C|W], Rest) :- code_type(C, csym), !, word(Cs, W, Rest).
word(Cs, [], Cs).

run(ifdef, Name, _, _, state(Ds, Ifs, M), state(Ds, [Is|Ifs], M), ['\n'|R], R) :- ( member(Name-_, Ds) -> Is = true ; Is = false ).
run(ifndef, Name, _, _, state(Ds, Ifs, M), state(Ds, [Is|Ifs], M), ['\n'|R], R) :- ( member(Name-_, Ds) -> Is = false ; Is = true ).
run(else, _, _, _, state(Ds, [If|Ifs], M), state(Ds, [Is|Ifs], M), ['\n'|R], R) :- ( If == true -> Is = false ; Is = true ).
run(endif, _, _, _, state(Ds, [_|Ifs], M), state(Ds, Ifs, M), ['\n'|R], R).
run(Name, _, _, _, S, S, ['\n'|R], R) :- S = state(_, Ifs, _), skipping(Ifs), !, member(Name, [include, define, undef, error]).
run(define, Definition, _, _, state(Ds, Ifs, M), state([Name-Text|Ds], Ifs, M), ['\n'|R], R) :-
    atom_codes(Definition, Codes),
    word(Codes, NameCodes, Codes1),
    NameCodes \== [],
    \+ Codes1 = [0'(|_],
    blanks(Codes1, Codes2),
    atom_codes(Name, NameCodes),
    atom_chars(Text0, Codes2),
    atom_chars(Text0, Text).
run(undef, Name, _, _, state(Ds0, Ifs, M), state(Ds, Ifs, M), ['\n'|R], R) :- undefined(Ds0, Name, Ds).
run(include, Spec, File-Options, Around, S0, S, Parts, Rest) :-
    atom_concat(Open, Close, Spec),
    atom_length(Close, 1),
    sub_atom(Open, 0, 1, _, Quote),
    member(Quote-Close, ['"'-'"', <-(>)]), !,
    sub_atom(Open, 1, _, 0, Name),
    file_directory_name(File, Dir),
    absolute_file_name(Name, Path, [relative_to(Dir), access(read)]),
    file_lines(Path, Options, Around, S0, S, Parts, Rest).

undefined(Ds0, Name, Ds) :- findall(N-T, ( member(N-T, Ds0), N \== Name ), Ds).

%   replaced(+Chars, +Mode0, +Definitions, -Mode, -Replaced): in the text of a definition names are replaced too, except its own.
replaced([], quoted('%'), _, code, []) :- !.
replaced([], Mode, _, Mode, []).
replaced([C|Cs], code, Ds, Mode, Rs) :- char_type(C, csymf), !,
    word_chars([C|Cs], Word, Rest),
    atom_chars(Name, Word),
    (   member(Name-Text, Ds)
    ->  undefined(Ds, Name, Others),
        replaced(Text, code, Others, Mode1, Replacement)
    ;   Replacement = Word, Mode1 = code
    ),
    append(Replacement, Rs1, Rs),
    replaced(Rest, Mode1, Ds, Mode, Rs1).
replaced([C|Cs], code, Ds, Mode, Rs) :- char_type(C, digit), !,
    word_chars([C|Cs], Word, Rest),
    append(Word, Rs1, Rs),
    ( Rest = ['\''|Rest1] -> Rs1 = ['\''|Rs2], kept(Rest1, Rs2, Rs3, Rest2) ; Rs1 = Rs3, Rest2 = Rest ),
    replaced(Rest2, code, Ds, Mode, Rs3).
replaced([/, *|Cs], code, Ds, Mode, [/, *|Rs]) :- !, replaced(Cs, comment, Ds, Mode, Rs).
replaced([*, /|Cs], comment, Ds, Mode, [*, /|Rs]) :- !, replaced(Cs, code, Ds, Mode, Rs).
replaced(['%'|Cs], code, Ds, Mode, ['%'|Rs]) :- !, replaced(Cs, quoted('%'), Ds, Mode, Rs).
replaced([Q|Cs], code, Ds, Mode, [Q|Rs]) :- member(Q, ['\'', '"', '`']), !, replaced(Cs, quoted(Q), Ds, Mode, Rs).
replaced([\, C|Cs], quoted(Q), Ds, Mode, [\, C|Rs]) :- Q \== '%', !, replaced(Cs, quoted(Q), Ds, Mode, Rs).
replaced([Q|Cs], quoted(Q), Ds, Mode, [Q|Rs]) :- !, replaced(Cs, code, Ds, Mode, Rs).
replaced([C|Cs], Mode0, Ds, Mode, [C|Rs]) :- replaced(Cs, Mode0, Ds, Mode, Rs).

%   What follows 0' .
kept([\, C|Cs], [\, C|Rs], Rs, Cs) :- !.
kept(['\'', '\''|Cs], ['\'', '\''|Rs], Rs, Cs) :- !.
kept([C|Cs], [C|Rs], Rs, Cs) :- !.
kept([], Rs, Rs, []).

word_chars([C|Cs], [C|W], Rest) :- char_type(C, csym), !, word_chars(Cs, W, Rest).
word_chars(Cs, [], Cs).
