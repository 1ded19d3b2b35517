:- module(writef, [ swritef/2, swritef/3, writef/1, writef/2 ]).

:- use_module(library(error), [instantiation_error/1]).

/*  Edinburgh's formatted output.

    As SWI-Prolog's library(writef): `%w` writes the next argument, `%p` prints it, `%d` writes it without operators' help but quoted,
    `%s` is a list of codes or a string, `%NL`, `%NR` and `%NC` write it in a column of N characters, left, right or centred. `\n` and `\l` are
    newlines, `\r` a carriage return, `\t` a tab, `\\` a backslash, `\NNN` the character of a decimal code. What is none of these is
    written as it is, and so is a directive for which there is no argument.
*/

%!  writef(+Format) is det.

writef(Format) :-
    writef(Format, []).

%!  writef(+Format, +Arguments) is det.

writef(Format, Arguments) :-
    (   var(Format) -> instantiation_error(Format) ; true ),
    atom_codes(Format, Codes),
    write_all(Codes, Arguments).

%!  swritef(-String, +Format) is det.
%!  swritef(-String, +Format, +Arguments) is det.
%
%   String is what writef/1,2 write.

swritef(String, Format) :-
    swritef(String, Format, []).

swritef(String, Format, Arguments) :-
    with_output_to(string(String), writef(Format, Arguments)).

write_all([], _).
write_all([C|Codes0], Arguments0) :-
    (   directive(C, Codes0, Arguments0, Codes, Arguments)
    ->  true
    ;   put_code(C),
        Codes = Codes0,
        Arguments = Arguments0
    ),
    write_all(Codes, Arguments).

directive(0'%, [D|Codes], Arguments0, Codes, Arguments) :-
    nonvar(Arguments0),
    Arguments0 = [A|Arguments],
    argument(D, A),
    !.
directive(0'%, Codes0, Arguments0, Codes, Arguments) :-
    nonvar(Arguments0),
    Arguments0 = [A|Arguments],
    number(Codes0, Width, [D|Codes]),
    column(D, A, Width),
    !.
directive(0'\\, [E|Codes], Arguments, Codes, Arguments) :-
    escaped(E, Code),
    !,
    put_code(Code).
directive(0'\\, Codes0, Arguments, Codes, Arguments) :-
    Codes0 = [A, B, C|Codes],
    catch(number_codes(N, [A, B, C]), _, fail),
    integer(N),
    put_code(N).

argument(0'w, A) :- write(A).
argument(0'p, A) :- print(A).
argument(0'd, A) :- write_term(A, [quoted(true), ignore_ops(true), numbervars(true)]).
argument(0's, A) :- ( string(A) -> true ; is_list(A) ), format('~s', [A]).

number([C|Cs], Width, Rest) :-
    C >= 0'0,
    C =< 0'9,
    digits([C|Cs], 0, Width, Rest).

digits([C|Cs], N0, N, Rest) :-
    C >= 0'0,
    C =< 0'9,
    !,
    N1 is N0*10 + C - 0'0,
    digits(Cs, N1, N, Rest).
digits(Rest, N, N, Rest).

column(0'l, A, Width) :- column(left, A, Width).
column(0'L, A, Width) :- column(left, A, Width).
column(0'r, A, Width) :- column(right, A, Width).
column(0'R, A, Width) :- column(right, A, Width).
column(0'c, A, Width) :- column(centre, A, Width).
column(0'C, A, Width) :- column(centre, A, Width).
column(left, A, Width) :-
    text(A, Text, Pad, Width),
    write(Text),
    tab(Pad).
column(right, A, Width) :-
    text(A, Text, Pad, Width),
    tab(Pad),
    write(Text).
column(centre, A, Width) :-
    text(A, Text, Pad, Width),
    Left is Pad // 2,
    Right is Pad - Left,
    tab(Left),
    write(Text),
    tab(Right).

text(A, Text, Pad, Width) :-
    with_output_to(string(Text), write(A)),
    string_length(Text, Length),
    Pad is max(0, Width - Length).

escaped(0'n, 0'\n).
escaped(0'l, 0'\n).
escaped(0'r, 0'\r).
escaped(0't, 0'\t).
escaped(0'\\, 0'\\).
