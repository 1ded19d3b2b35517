% Terms over several lines, as in SWI-Prolog's library(pprint).

:- module(prolog_pretty_print, [print_term/2]).

%!  print_term(+Term, +Options) is det.
%
%   Prints Term on one line if it fits, else with the elements of lists and the arguments of compound terms under each other.
%   Options: output(Stream), user_output by default; right_margin(Column), 72 by default; left_margin(Column), where the lines after the first start,
%   0 by default; tab_width(N), columns of a tab in front of lines, 8 by default, with 0 for none; indent_arguments(auto),
%   the default: arguments stand under the first, indent_arguments(N): N columns further than the functor, or
%   indent_arguments(false): compound terms stay on a line; operators(Boolean), whether terms that are broken are written
%   with operators (true by default); write_options(List), [quoted(true), numbervars(true), portray(true)] by default.

print_term(Term, Options) :-
    ( var(Options) -> instantiation_error(Options) ; must_be(list, Options) ),
    option(output(Stream), Options, user_output),
    layout_option(right_margin(Right), Options, integer, 72),
    layout_option(left_margin(Left), Options, integer, 0),
    layout_option(tab_width(Tab), Options, nonneg, 8),
    layout_option(operators(Operators), Options, boolean, true),
    option(indent_arguments(Arguments), Options, auto),
    ( Arguments == auto -> true ; Arguments == false -> true ; must_be(nonneg, Arguments) ),
    option(write_options(WriteOptions), Options, [quoted(true), numbervars(true), portray(true)]),
    Layout = layout(Stream, Right, Tab, Operators, Arguments, WriteOptions),
    \+ \+ ( numbervars(Term, 0, _, [singletons(true),attvar(skip)]),
            layout_term(Term, 1200, Left, Layout)
          ).

layout_option(Option, Options, Type, Default) :-
    option(Option, Options, Default),
    arg(1, Option, Value),
    must_be(Type, Value).

%   layout_term(+Term, +Priority, +Indent, +Layout): Term starts at the column Indent, or further on in the line of which that
%   is the indentation.
layout_term(Term, Priority, Indent, Layout) :-
    (   ( \+ compound(Term) ; Term = '$VAR'(_) ; is_dict(Term) ; layout_fits(Term, Priority, Indent, Layout) )
    ->  layout_plain(Term, Priority, Layout)
    ;   Term = [_|_]
    ->  layout_put('[ ', Layout),
        Indent2 is Indent + 2,
        layout_elements(Term, Indent2, Indent, Layout),
        layout_line(Indent, Layout),
        layout_put(']', Layout)
    ;   Term = (_, _),
        Priority =< 999
    ->  layout_put('( ', Layout),
        Indent2 is Indent + 2,
        layout_conjunction(Term, Indent2, Layout),
        layout_line(Indent, Layout),
        layout_put(')', Layout)
    ;   Term = (_, _)
    ->  layout_conjunction(Term, Indent, Layout)
    ;   arg(4, Layout, true),
        layout_operator(Term, Pieces, TermPriority)
    ->  (   TermPriority > Priority
        ->  layout_put('(', Layout),
            Indent1 is Indent + 1,
            layout_pieces(Pieces, Indent1, Layout),
            layout_put(')', Layout)
        ;   layout_pieces(Pieces, Indent, Layout)
        )
    ;   layout_compound(Term, Indent, Layout)
    ).

layout_fits(Term, Priority, Indent, Layout) :-
    arg(2, Layout, Right),
    arg(6, Layout, Options),
    with_output_to(string(Text), write_term(Term, [priority(Priority)|Options])),
    string_length(Text, Width),
    Indent + Width < Right.

layout_plain(Term, Priority, Layout) :-
    arg(1, Layout, Stream),
    arg(6, Layout, Options),
    write_term(Stream, Term, [priority(Priority)|Options]).

layout_put(Text, Layout) :-
    arg(1, Layout, Stream),
    write(Stream, Text).

layout_line(Indent, Layout) :-
    arg(1, Layout, Stream),
    arg(3, Layout, Tab),
    nl(Stream),
    (   Tab > 0
    ->  Tabs is Indent // Tab,
        Blanks is Indent mod Tab,
        forall(between(1, Tabs, _), put_char(Stream, '\t')),
        tab(Stream, Blanks)
    ;   tab(Stream, Indent)
    ).

layout_elements([X|Xs], Indent, Bracket, Layout) :-
    layout_term(X, 999, Indent, Layout),
    (   Xs == []
    ->  true
    ;   nonvar(Xs), Xs = [_|_]
    ->  layout_put(',', Layout),
        layout_line(Indent, Layout),
        layout_elements(Xs, Indent, Bracket, Layout)
    ;   layout_line(Bracket, Layout),
        layout_put('| ', Layout),
        layout_term(Xs, 999, Indent, Layout)
    ).

layout_conjunction(Term, Indent, Layout) :-
    (   nonvar(Term), Term = (A, B)
    ->  layout_term(A, 999, Indent, Layout),
        layout_put(',', Layout),
        layout_line(Indent, Layout),
        layout_conjunction(B, Indent, Layout)
    ;   layout_term(Term, 999, Indent, Layout)
    ).

%   layout_operator(+Term, -Pieces, -Priority): what Term is written as with operators: texts and arg(Term, Priority).
layout_operator(Term, [arg(A, PA), text(Op), arg(B, PB)], Priority) :-
    compound_name_arguments(Term, Name, [A, B]),
    current_op(Priority, Type, Name),
    layout_infix(Type, Priority, PA, PB), !,
    format(atom(Op), ' ~q ', [Name]).
layout_operator(Term, [text(Op), arg(A, PA)], Priority) :-
    compound_name_arguments(Term, Name, [A]),
    current_op(Priority, Type, Name),
    ( Type == fy -> PA = Priority ; Type == fx, PA is Priority - 1 ), !,
    format(atom(Op), '~q ', [Name]).

layout_infix(xfx, P, PA, PA) :- PA is P - 1.
layout_infix(xfy, P, PA, P) :- PA is P - 1.
layout_infix(yfx, P, P, PB) :- PB is P - 1.

layout_pieces([], _, _).
layout_pieces([Piece|Pieces], Indent, Layout) :-
    (   Piece = text(Text)
    ->  layout_put(Text, Layout)
    ;   Piece = arg(Term, Priority),
        layout_term(Term, Priority, Indent, Layout)
    ),
    layout_pieces(Pieces, Indent, Layout).

layout_compound(Term, Indent, Layout) :-
    arg(5, Layout, Arguments),
    compound_name_arguments(Term, Name, Args),
    (   ( Arguments == false ; Args == [] )
    ->  layout_plain(Term, 999, Layout)
    ;   layout_plain(Name, 0, Layout),
        layout_put('(', Layout),
        arg(6, Layout, Options),
        with_output_to(string(Text), write_term(Name, [priority(0)|Options])),
        string_length(Text, Width),
        (   integer(Arguments),
            Arguments < Width + 1
        ->  Indent1 is Indent + Arguments,
            layout_line(Indent1, Layout)
        ;   Indent1 is Indent + Width + 1
        ),
        layout_arguments(Args, Indent1, Layout),
        layout_put(')', Layout)
    ).

layout_arguments([Arg|Args], Indent, Layout) :-
    layout_term(Arg, 999, Indent, Layout),
    (   Args == []
    ->  true
    ;   layout_put(',', Layout),
        layout_line(Indent, Layout),
        layout_arguments(Args, Indent, Layout)
    ).
