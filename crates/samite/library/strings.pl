% Lines and indentation of texts, and texts with variables in them, as in SWI-Prolog's library(strings).

:- module(strings, [
       string_lines/2,
       dedent_lines/3,
       indent_lines/3,
       indent_lines/4,
       interpolate_string/4
   ]).

:- meta_predicate(indent_lines(1, +, +, -)).

%!  string_lines(?Text, ?Lines) is det.
%
%   Lines are the lines of Text as strings, without newlines; empty ones at the start and the end do not count. Or Text is
%   the string of Lines, each followed by a newline.

string_lines(Text, Lines) :-
    nonvar(Text), !,
    split_string(Text, "\n", "", Parts),
    (   append(Whole, [""], Parts)
    ->  Lines = Whole
    ;   Lines = Parts
    ).
string_lines(Text, Lines) :-
    must_be(list, Lines),
    lines_text(Lines, Parts),
    atomics_to_text(Parts, Text).

lines_text([], []).
lines_text([L|Ls], [L, "\n"|Parts]) :-
    lines_text(Ls, Parts).

atomics_to_text(Parts, Text) :-
    atomic_list_concat(Parts, Atom),
    atom_string(Atom, Text).

%!  dedent_lines(+Text, -Dedented, +Options) is det.
%
%   Removes the blanks at the start of lines that all lines which are not blank have in common. With tab(N) (8 by default)
%   a tab goes to the next multiple of N columns.

dedent_lines(Text, Dedented, Options) :-
    must_be(list, Options),
    ( memberchk(tab(Tab), Options) -> true ; Tab = 8 ),
    split_string(Text, "\n", "", Lines0),
    untabbed_lines(Lines0, Tab, Lines),
    least_indent(Lines, none, Indent),
    remove_indents(Lines, Indent, Parts),
    atomic_list_concat(Parts, '\n', Atom),
    atom_string(Atom, Dedented).

untabbed_lines([], _, []).
untabbed_lines([L0|Ls0], Tab, [L|Ls]) :-
    string_codes(L0, Codes),
    leading_blanks(Codes, Tab, 0, Column, Rest),
    line_of(Column, Rest, L),
    untabbed_lines(Ls0, Tab, Ls).

leading_blanks([0'\s|Codes], Tab, Column0, Column, Rest) :- !,
    Column1 is Column0 + 1,
    leading_blanks(Codes, Tab, Column1, Column, Rest).
leading_blanks([0'\t|Codes], Tab, Column0, Column, Rest) :- !,
    Column1 is (Column0 // Tab + 1) * Tab,
    leading_blanks(Codes, Tab, Column1, Column, Rest).
leading_blanks(Rest, _, Column, Column, Rest).

%   A line is blank or Column-Codes.
line_of(_, [], Line) :- !,
    Line = blank.
line_of(Column, Codes, Column-Codes).

least_indent([], Indent, Indent).
least_indent([blank|Ls], Indent0, Indent) :- !,
    least_indent(Ls, Indent0, Indent).
least_indent([Column-_|Ls], Indent0, Indent) :-
    ( integer(Indent0) -> Indent1 is min(Indent0, Column) ; Indent1 = Column ),
    least_indent(Ls, Indent1, Indent).

remove_indents([], _, []).
remove_indents([blank|Ls], Indent, [''|Parts]) :- !,
    remove_indents(Ls, Indent, Parts).
remove_indents([Column-Codes|Ls], Indent, [Part|Parts]) :-
    Blanks is Column - Indent,
    format(atom(Part), '~*c~s', [Blanks, 0'\s, Codes]),
    remove_indents(Ls, Indent, Parts).

%!  indent_lines(+Prefix, +Text, -Indented) is det.
%!  indent_lines(:Filter, +Prefix, +Text, -Indented) is det.
%
%   Puts Prefix in front of the lines that are not blank, or for which call(Filter, Line) succeeds.

indent_lines(Prefix, Text, Indented) :-
    indent_lines(not_blank_line, Prefix, Text, Indented).

indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Lines),
    prefixed_lines(Lines, Filter, Prefix, Parts),
    atomic_list_concat(Parts, '\n', Atom),
    atom_string(Atom, Indented).

prefixed_lines([], _, _, []).
prefixed_lines([L|Ls], Filter, Prefix, [Part|Parts]) :-
    (   call(Filter, L)
    ->  atomic_list_concat([Prefix, L], Part)
    ;   Part = L
    ),
    prefixed_lines(Ls, Filter, Prefix, Parts).

not_blank_line(Line) :-
    split_string(Line, "", " \t", [Text]),
    Text \== "".

%!  interpolate_string(+Text, -String, +Map, +Options) is det.
%
%   String is Text with values instead of {Name} and {Name,Default}, where Name is that of a variable: the value that
%   Name=Value in Map has, else Default. Values are written as by write/1. There are no Options yet.

interpolate_string(Text, String, Map, _Options) :-
    (   var(Text)
    ->  instantiation_error(Text)
    ;   ( atom(Text) ; string(Text) ; is_list(Text) ),
        catch(text_to_string(Text, Text1), error(_, _), fail)
    ->  true
    ;   number(Text)
    ->  format(string(Text1), '~w', [Text])
    ;   type_error(text, Text)
    ),
    must_be(list, Map),
    string_codes(Text1, Codes),
    interpolated(Codes, Map, Interpolated),
    string_codes(String, Interpolated).

interpolated([], _, []).
interpolated([C|Codes], Map, Interpolated) :-
    (   C == 0'{,
        Codes = [First|_],
        code_type(First, prolog_var_start),
        interpolated_name(Codes, NameCodes, Rest0),
        interpolated_default(Rest0, Default, Rest)
    ->  atom_codes(Name, NameCodes),
        (   memberchk(Name=Value, Map)
        ->  format(codes(Interpolated, Interpolated1), '~w', [Value])
        ;   Default = default(DefaultCodes)
        ->  append(DefaultCodes, Interpolated1, Interpolated)
        ;   existence_error(template_var, Name)
        ),
        interpolated(Rest, Map, Interpolated1)
    ;   Interpolated = [C|Interpolated1],
        interpolated(Codes, Map, Interpolated1)
    ).

interpolated_name([C|Codes], Name, Rest) :-
    (   code_type(C, prolog_identifier_continue)
    ->  Name = [C|Name1],
        interpolated_name(Codes, Name1, Rest)
    ;   Name = [],
        Rest = [C|Codes]
    ).

interpolated_default([0'}|Rest], none, Rest).
interpolated_default([0',|Codes], default(Default), Rest) :-
    append(Default, [0'}|Rest], Codes), !.
