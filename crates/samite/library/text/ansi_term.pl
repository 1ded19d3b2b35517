% Text with colours and other attributes on terminals (ECMA-48), as in SWI-Prolog's library(ansi_term).

:- module(ansi_term, [
       ansi_format/3,
       ansi_get_color/2,
       ansi_hyperlink/2,
       ansi_hyperlink/3
   ]).

%!  ansi_format(+Attributes, +Format, +Args) is det.
%
%   As format/2, with the attributes if the current output is a terminal and the flag color_term is not false. An attribute
%   is reset, bold, faint, italic, underline, blink, negative, conceal, crossed_out, fg(Colour), bg(Colour), hfg(Colour),
%   hbg(Colour), fg8(Index), bg8(Index), fg(R, G, B), bg(R, G, B), or code(Number); several stand in a list.

ansi_format(Attributes, Format, Args) :-
    current_output(Stream),
    (   stream_property(Stream, tty(true)),
        \+ current_prolog_flag(color_term, false)
    ->  ansi_codes(Attributes, Codes),
        format(string(Text), Format, Args),
        format('\e[~wm~w\e[0m', [Codes, Text])
    ;   format(Format, Args)
    ).

ansi_codes(Attributes, Codes) :-
    ( is_list(Attributes) -> List = Attributes ; List = [Attributes] ),
    ansi_code_list(List, Numbers),
    atomic_list_concat(Numbers, ';', Codes).

ansi_code_list([], []).
ansi_code_list([A|As], Numbers) :-
    must_be(nonvar, A),
    (   ansi_code(A, Own)
    ->  true
    ;   domain_error(sgr_code, A)
    ),
    append(Own, More, Numbers),
    ansi_code_list(As, More).

ansi_code(reset, [0]).
ansi_code(bold, [1]).
ansi_code(faint, [2]).
ansi_code(italic, [3]).
ansi_code(underline, [4]).
ansi_code(blink(slow), [5]).
ansi_code(blink, [5]).
ansi_code(blink(rapid), [6]).
ansi_code(negative, [7]).
ansi_code(conceal, [8]).
ansi_code(crossed_out, [9]).
ansi_code(code(N), [N]).
ansi_code(fg(Colour), [N]) :- ansi_colour(Colour, C), N is 30 + C.
ansi_code(bg(Colour), [N]) :- ansi_colour(Colour, C), N is 40 + C.
ansi_code(hfg(Colour), [N]) :- ansi_colour(Colour, C), N is 90 + C.
ansi_code(hbg(Colour), [N]) :- ansi_colour(Colour, C), N is 100 + C.
ansi_code(fg8(C), [38, 5, C]) :- integer(C).
ansi_code(bg8(C), [48, 5, C]) :- integer(C).
ansi_code(fg(R, G, B), [38, 2, R, G, B]).
ansi_code(bg(R, G, B), [48, 2, R, G, B]).

ansi_colour(black, 0).
ansi_colour(red, 1).
ansi_colour(green, 2).
ansi_colour(yellow, 3).
ansi_colour(blue, 4).
ansi_colour(magenta, 5).
ansi_colour(cyan, 6).
ansi_colour(white, 7).
ansi_colour(default, 9).

%!  ansi_hyperlink(+Stream, +Location) is det.
%!  ansi_hyperlink(+Stream, +URL, +Label) is det.
%
%   Writes a link, which terminals show as its label; elsewhere the label alone.

ansi_hyperlink(Stream, Location) :-
    ansi_hyperlink(Stream, Location, Location).

ansi_hyperlink(Stream, URL, Label) :-
    (   stream_property(Stream, tty(true))
    ->  format(Stream, '\e]8;;~w\e\\~w\e]8;;\e\\', [URL, Label])
    ;   format(Stream, '~w', [Label])
    ).

%!  ansi_get_color(+Which, -Colour) is failure.
%
%   Which colour, rgb(R, G, B), a terminal gives to Which is not known: Samite does not ask it.

ansi_get_color(_, _) :-
    fail.
