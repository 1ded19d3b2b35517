:- module(prolog_format,
          [ format_spec/2,
            format_spec//1,
            format_types/2
          ]).
:- use_module(library(error), [existence_error/2, must_be/2]).

/*  What a format is made of, as SWI-Prolog's library(prolog_format) has it. Directives of format_predicate/2 are not known.  */

%!  format_spec(+Format, -Spec:list) is semidet.
%
%   Spec is what Format consists of: text(String), and escape(Numeric, Colon, Directive) for each directive: Numeric is `nothing`, number(N), character(Code) or `star`; Colon is `colon`
%   or `no_colon`; Directive is a character. An unknown one is an error: existence_error(format_character, C).

format_spec(Format, Spec) :-
    must_be(nonvar, Format),
    text_to_string(Format, Text),
    string_codes(Text, Codes),
    phrase(format_spec(Spec), Codes).

%!  format_spec(-Spec)// is det.
%
%   The same of a list of codes.

format_spec([]) -->
    at_end, !.
format_spec([escape(Numeric, Colon, Directive)|Spec]) -->
    [0'~],
    numeric(Numeric),
    colon(Colon),
    directive(Directive), !,
    format_spec(Spec).
format_spec([text(Text)|Spec]) -->
    plain([C|Cs]),
    { string_codes(Text, [C|Cs]) },
    format_spec(Spec).

at_end([], []).

plain([C|Cs]) --> [C], { C =\= 0'~ }, !, plain(Cs).
plain([]) --> [].

numeric(star) --> [0'*], !.
numeric(character(C)) --> [0'`, C], !.
numeric(number(N)) --> digits([D|Ds]), { number_codes(N, [D|Ds]) }.
numeric(nothing) --> [].

digits([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, !, digits(Ds).
digits([]) --> [].

colon(colon) --> [0':], !.
colon(no_colon) --> [].

directive(Directive) -->
    [C],
    { char_code(Directive, C),
      ( takes(Directive, _) -> true ; existence_error(format_character, Directive) )
    }.

%!  format_types(+Format, -Types:list) is semidet.
%
%   The types of the arguments that Format takes, in their order: any, atom, callable, float, integer, number, text.

format_types(Format, Types) :-
    format_spec(Format, Spec),
    types(Spec, Types).

types([], []).
types([text(_)|Spec], Types) :-
    types(Spec, Types).
types([escape(Numeric, _, Directive)|Spec], Types) :-
    ( Numeric == star -> Types = [number|Types1] ; Types = Types1 ),
    takes(Directive, Taken),
    append(Taken, Types2, Types1),
    types(Spec, Types2).

%   takes(?Directive, ?Types): of its argument, if it has one.
takes(a, [atom]).
takes(c, [integer]).
takes(d, [integer]).
takes('D', [integer]).
takes(e, [float]).
takes(f, [float]).
takes(g, [float]).
takes('G', [float]).
takes('E', [float]).
takes(h, [float]).
takes('H', [float]).
takes('I', [integer]).
takes(i, [any]).
takes(k, [any]).
takes(p, [any]).
takes(q, [any]).
takes(r, [integer]).
takes('R', [integer]).
takes(s, [text]).
takes(w, [any]).
takes('W', [any, list]).
takes(@, [callable]).
takes(~, []).
takes(n, []).
takes(t, []).
takes('|', []).
takes(+, []).
