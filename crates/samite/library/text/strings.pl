% Lines and indentation of texts, and texts with variables in them, as in SWI-Prolog's library(strings).

:- module(strings, [
       string_lines/2,
       dedent_lines/3,
       indent_lines/3,
       indent_lines/4,
       interpolate_string/4,
       string/4
   ]).

:- use_module(library(quasi_quotations), [with_quasi_quotation_input/3, quasi_quotation_syntax/1]).

:- meta_predicate(indent_lines(1, +, +, -)).

%!  string_lines(?Text, ?Lines) is det.
%
%   Lines are the lines of Text as strings, without newlines; the empty one behind a newline at the end does not count, but
%   may be there. Or Text is the string of Lines, each followed by a newline.

string_lines(Text, Lines) :-
    nonvar(Text), !,
    split_string(Text, "\n", "", Parts),
    (   append(Whole, [""], Parts),
        Lines = Whole
    ->  true
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
%   Removes the blanks and tabs at the start of lines that all lines with something else in them have in common; the others lose as much
%   as they have. With tab(N) a tab at the start goes to the next multiple of N columns; chars(Text) are what is removed in place of blanks and tabs.

dedent_lines(Text, Dedented, Options) :-
    must_be(list, Options),
    split_string(Text, "\n", "", Lines0),
    (   memberchk(tab(Tab), Options)
    ->  untabbed_lines(Lines0, Tab, Lines)
    ;   codes_of_lines(Lines0, Lines)
    ),
    (   memberchk(chars(Text0), Options)
    ->  string_codes(Text0, Blanks)
    ;   Blanks = [0'\s, 0'\t]
    ),
    common_margin(Lines, Blanks, none, Margin),
    without_margin(Lines, Blanks, Margin, Parts),
    atomic_list_concat(Parts, '\n', Atom),
    atom_string(Atom, Dedented).

codes_of_lines([], []).
codes_of_lines([L0|Ls0], [L|Ls]) :-
    string_codes(L0, L),
    codes_of_lines(Ls0, Ls).

untabbed_lines([], _, []).
untabbed_lines([L0|Ls0], Tab, [L|Ls]) :-
    string_codes(L0, Codes),
    untabbed(Codes, Tab, 0, L),
    untabbed_lines(Ls0, Tab, Ls).

untabbed([0'\s|Codes], Tab, Column, [0'\s|Rest]) :- !,
    Column1 is Column + 1,
    untabbed(Codes, Tab, Column1, Rest).
untabbed([0'\t|Codes], Tab, Column, Line) :- !,
    Column1 is (Column // Tab + 1) * Tab,
    Blanks is Column1 - Column,
    format(codes(Line, Rest), '~*c', [Blanks, 0'\s]),
    untabbed(Codes, Tab, Column1, Rest).
untabbed(Rest, _, _, Rest).

%   margin(+Line, +Blanks, -Margin) is semidet: fails for lines of blanks only.
margin([C|Codes], Blanks, Margin) :-
    (   memberchk(C, Blanks)
    ->  Margin = [C|Margin1],
        margin(Codes, Blanks, Margin1)
    ;   Margin = []
    ).

%   The margin is none if all lines are blank.
common_margin([], _, Margin, Margin).
common_margin([L|Ls], Blanks, Margin0, Margin) :-
    (   margin(L, Blanks, Margin1)
    ->  ( Margin0 == none -> Margin2 = Margin1 ; common_start(Margin0, Margin1, Margin2) )
    ;   Margin2 = Margin0
    ),
    common_margin(Ls, Blanks, Margin2, Margin).

common_start([C|As], [C|Bs], [C|Cs]) :- !,
    common_start(As, Bs, Cs).
common_start(_, _, []).

without_margin([], _, _, []).
without_margin([L|Ls], Blanks, Margin, [Part|Parts]) :-
    ( Margin == none -> Rest = [] ; skipped(Margin, Blanks, L, Rest) ),
    atom_codes(Part, Rest),
    without_margin(Ls, Blanks, Margin, Parts).

skipped([_|Margin], Blanks, [C|Codes], Rest) :-
    memberchk(C, Blanks), !,
    skipped(Margin, Blanks, Codes, Rest).
skipped(_, _, Rest, Rest).

%!  indent_lines(+Prefix, +Text, -Indented) is det.
%!  indent_lines(:Filter, +Prefix, +Text, -Indented) is det.
%
%   Puts Prefix in front of the lines that are not blank, or for which call(Filter, Line) succeeds; behind a newline at the end there is no
%   line.

indent_lines(Prefix, Text, Indented) :-
    indent_lines(not_blank_line, Prefix, Text, Indented).

indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Lines),
    prefixed_lines(Lines, Filter, Prefix, Parts),
    atomic_list_concat(Parts, '\n', Atom),
    atom_string(Atom, Indented).

prefixed_lines([], _, _, []).
prefixed_lines([""], _, _, Parts) :- !,
    Parts = [""].
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

%   --- quasi quotations ---

%!  string(+Content, +Variables, +Names, -Result) is det.
%
%   The syntax of {|string(Variable...)||Text|}. Result is Text as a string; with variables it is a function, whose value is Text with their values (interpolate_string/4). If Text begins
%   with a new line that is no part of it, and what all others have in common of blanks, tabs and `|` is removed.

:- quasi_quotation_syntax(strings:string).

string(Content, Variables, Names, Result) :-
    with_quasi_quotation_input(Content, Stream, read_string(Stream, _, Text0)),
    (   string_concat("\n", Text1, Text0)
    ->  dedent_lines(Text1, Text, [tab(8), chars(" \t|")])
    ;   Text = Text0
    ),
    (   Variables == []
    ->  Result = Text
    ;   named(Names, Variables, Map),
        own(Module:_),
        dict_pairs(Dict, Module, []),
        Result =.. ['.', Dict, interpolated(Text, Map)]
    ).

named([], _, []).
named([Name=V|Names], Variables, Map) :-
    ( member(W, Variables), W == V -> Map = [Name=V|Map1] ; Map = Map1 ),
    named(Names, Variables, Map1).

%   This module, whatever it is called.
own(strings:function).

%   The function, as a definition by := has it.
interpolated(Text, Map, _, String) :-
    interpolate_string(Text, String, Map, []).
