:- module(tty, [ tty_clear/0, tty_flash/0, menu/3 ]).

:- use_module(library(error), [must_be/2, type_error/2]).

/*  Simple operations on terminals, and menus, as SWI-Prolog's library(tty), by the control sequences of ECMA-48, which are written whatever the terminal is.
    Samite has no table of what terminals can: tty_get_capability/3, tty_goto/2 and tty_put/2, on which programs would build more, are not there.  */

%!  tty_clear is det.
%
%   Clears the screen; the cursor is at its beginning.

tty_clear :-
    write('\e[H\e[2J'),
    flush_output.

%!  tty_flash is det.
%
%   The screen is shown reversed for a moment.

tty_flash :-
    write('\e[?5h'),
    flush_output,
    sleep(0.1),
    write('\e[?5l'),
    flush_output.

%!  menu(+Title, +Options, -Choice) is semidet.
%
%   Clears the screen, shows Title and Options, a list of Value:Text, and lets the user choose one by its number, if there are less than ten, or by the first letters of its text: as many as tell it
%   from the others; of those with the same text it is the first. Choice is its Value. Texts are atomic, or Format/Arguments. What is no choice makes the screen flash; fails at the end of input.

menu(Title, Options, Choice) :-
    must_be(list, Options),
    length(Options, Count),
    ( Count < 10 -> Keys = digits ; Keys = letters ),
    numbered(Options, 1, Numbered),
    tty_clear,
    text(Title, Shown),
    format('~n~t~w~t~60|~n~n', [Shown]),
    forall(member(option(N, _, Text), Numbered), format('~t~d~6|) ~w~n', [N, Text])),
    format('~n      Your choice? ', []),
    flush_output,
    choose(Keys, Numbered, 0, Chosen),
    nl,
    Choice = Chosen.

numbered([], _, []).
numbered([Option|Options], N, [option(N, Value, Text)|Numbered]) :-
    must_be(nonvar, Option),
    ( Option = Value:Text0 -> true ; type_error(menu_option, Option) ),
    text(Text0, Text),
    N1 is N+1,
    numbered(Options, N1, Numbered).

text(Text0, Text) :-
    must_be(nonvar, Text0),
    (   Text0 = Format/Arguments
    ->  format(string(Text), Format, Arguments)
    ;   must_be(atomic, Text0),
        format(string(Text), '~w', [Text0])
    ).

%   choose(+Keys, +Options, +Typed, -Value): those that begin with the same letters, of which Typed have been typed. While none has, one of the `digits` chooses, too.
choose(Keys, Options, Typed, Value) :-
    get_single_char(Code),
    Code =\= -1,
    (   Keys == digits,
        code_type(Code, digit(N)),
        memberchk(option(N, Value0, _), Options)
    ->  char_code(Char, Code),
        put_char(Char),
        flush_output,
        Value = Value0
    ;   findall(Option, ( member(Option, Options), Option = option(_, _, Text), goes_on(Text, Typed, Code) ), Left),
        Left = [First|Others]
    ->  common(Left, Typed, More),
        First = option(_, Value0, Text),
        Length is More-Typed,
        sub_string(Text, Typed, Length, _, Shown),
        write(Shown),
        flush_output,
        (   are_same(Others, Text) -> Value = Value0
        ;   choose(letters, Left, More, Value)
        )
    ;   tty_flash,
        choose(Keys, Options, Typed, Value)
    ).

%   are_same(+Options, +Text): no key tells them from the one with the text.
are_same([], _).
are_same([option(_, _, Text0)|Options], Text) :-
    string_lower(Text0, Lower),
    string_lower(Text, Lower),
    are_same(Options, Text).

goes_on(Text, Typed, Code) :-
    sub_string(Text, Typed, 1, _, Next),
    string_codes(Typed1, [Code]),
    string_lower(Next, Lower),
    string_lower(Typed1, Lower).

%   common(+Options, +Typed, -Length): how far their texts are the same; a single one's is as long as it is.
common([option(_, _, Text)|Options], Typed, Length) :-
    string_length(Text, Length0),
    string_lower(Text, Lower),
    common_all(Options, Lower, Length0, Length1),
    Length is max(Length1, Typed+1).

common_all([], _, Length, Length).
common_all([option(_, _, Text0)|Options], Lower, Length0, Length) :-
    string_lower(Text0, Text),
    same_start(Length0, Lower, Text, Length1),
    common_all(Options, Lower, Length1, Length).

same_start(Length0, A, B, Length) :-
    (   sub_string(A, 0, Length0, _, Start),
        sub_string(B, 0, Length0, _, Start)
    ->  Length = Length0
    ;   Length1 is Length0-1,
        same_start(Length1, A, B, Length)
    ).
