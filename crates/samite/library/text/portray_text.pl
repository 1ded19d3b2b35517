:- module(portray_text,
          [ portray_text/1,
            set_portray_text/2,
            set_portray_text/3
          ]).

/*  Lists of character codes as text, where terms are printed by print/1 and the toplevel.

    Equation: user:portray/1 has the clause below if and only if the option enabled is true. Differs from SWI-Prolog in: partial lists are
    written as they are.
*/

:- dynamic(portrayed/2).
:- multifile(user:portray/1).
:- dynamic(user:portray/1).
:- multifile(is_text_code/1).
:- dynamic(is_text_code/1).

portrayed(enabled, false).
portrayed(min_length, 3).
portrayed(ellipsis, 30).

%!  portray_text(+On) is det.
%
%   On, true or false, says whether lists of codes that look like text are
%   printed as text.

portray_text(On) :-
    set_portray_text(enabled, On).

%!  set_portray_text(+Option, +Value) is det.
%!  set_portray_text(+Option, -Old, +New) is det.
%
%   Option is enabled, min_length (shorter lists are written as lists) or
%   ellipsis (longer ones are shown by their beginning and end).

set_portray_text(Option, Value) :-
    set_portray_text(Option, _, Value).

set_portray_text(Option, Old, New) :-
    (   nonvar(Option),
        portrayed(Option, Old0)
    ->  Old = Old0
    ;   throw(error(domain_error(portray_text_option, Option), _))
    ),
    (   Old == New
    ->  true
    ;   Option == enabled
    ->  must_be(boolean, New),
        enable(New)
    ;   must_be(nonneg, New)
    ),
    retractall(portrayed(Option, _)),
    assertz(portrayed(Option, New)).

enable(true) :-
    enable(false),
    hook(Clause),
    asserta(Clause).
enable(false) :-
    hook(Clause),
    (   retract(Clause)
    ->  true
    ;   true
    ).

hook((user:portray(Text) :- portray_text:print_text(Text))).

print_text(Codes) :-
    nonvar(Codes),
    Codes = [_|_],
    is_list(Codes),
    length(Codes, Length),
    portrayed(min_length, Least),
    Length >= Least,
    all_text(Codes),
    (   prolog_flag_codes(back_quotes)
    ->  Quote = 0'`
    ;   Quote = 0'"
    ),
    put_it(Quote),
    portrayed(ellipsis, Most),
    (   Length > Most
    ->  Behind is min(5, Most),
        Before is Most-Behind,
        Skipped is Length-Most,
        length(First, Before),
        append(First, Rest, Codes),
        length(Middle, Skipped),
        append(Middle, Last, Rest),
        put_text(First, Quote),
        write('...'),
        put_text(Last, Quote)
    ;   put_text(Codes, Quote)
    ),
    put_it(Quote).

prolog_flag_codes(Flag) :-
    current_prolog_flag(Flag, codes).

all_text([]).
all_text([C|Cs]) :-
    integer(C),
    C >= 0,
    C =< 0x10ffff,
    text_code(C),
    all_text(Cs).

text_code(C) :-
    is_text_code(C),
    !.
text_code(0'\s) :- !.
text_code(0'\t) :- !.
text_code(0'\n) :- !.
text_code(0'\r) :- !.
text_code(C) :-
    code_type(C, graph),
    !.

put_text([], _).
put_text([C|Cs], Quote) :-
    put_escaped(C, Quote),
    put_text(Cs, Quote).

put_escaped(0'\t, _) :- !, write('\\t').
put_escaped(0'\n, _) :- !, write('\\n').
put_escaped(0'\r, _) :- !, write('\\r').
put_escaped(0'\\, _) :- !, write('\\\\').
put_escaped(Quote, Quote) :- !, write('\\'), put_it(Quote).
put_escaped(C, _) :- put_it(C).

put_it(C) :-
    char_code(Char, C),
    put_char(Char).
