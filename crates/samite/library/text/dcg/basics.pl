:- module(dcg_basics,
          [ white//0,
            whites//0,
            blank//0,
            blanks//0,
            nonblank//1,
            nonblanks//1,
            blanks_to_nl//0,
            string//1,
            string_without//2,
            alpha_to_lower//1,
            digits//1,
            digit//1,
            integer//1,
            float//1,
            number//1,
            xdigit//1,
            xdigits//1,
            xinteger//1,
            prolog_symbol//1,
            csym//1,
            csyms//0,
            prolog_var_name//1,
            eos//0,
            eol//0,
            remainder//1,
            atom//1
          ]).
:- use_module(library(error), [must_be/2, type_error/2]).

/*  Grammar rules for common pieces of text in lists of codes.

    As SWI-Prolog's library(dcg/basics). What is asked of the kind of a code may be asked of a character, too: lists of characters can be read, but for signs,
    points and ends of lines. Rules that take as much as they can,
    such as digits//1, commit to it; only string//1 gives more text on
    backtracking.
*/

%!  string_without(+End, -Codes)// is det.
%
%   Codes has the text up to the first code that is in End, a string or a list
%   of codes.

string_without(End, Codes) -->
    { string(End) },
    !,
    { string_codes(End, EndCodes) },
    until(EndCodes, Codes).
string_without(End, Codes) -->
    { must_be(list, End) },
    until(End, Codes).

until(End, [C|Codes]) -->
    [C],
    { nonvar(C),
      \+ among_codes(End, C)
    },
    !,
    until(End, Codes).
until(_, []) -->
    [].

among_codes([X|Xs], C) :-
    (   X == C
    ->  true
    ;   among_codes(Xs, C)
    ).

%!  string(-Codes)// is nondet.
%
%   Codes has any text, the shortest first.

string([]) -->
    [].
string([C|Codes]) -->
    [C],
    string(Codes).

%!  blanks// is det.
%
%   Skip any white space.

blanks -->
    blank,
    !,
    blanks.
blanks -->
    [].

%!  blank// is semidet.
%
%   One code of white space.

blank -->
    [C],
    { dcg_space(C) }.

dcg_space(C) :- atom(C), !, code_type(C, space).
dcg_space(C) :-
    integer(C),
    (   C =< 0x20
    ->  (   C =:= 0x20
        ->  true
        ;   C >= 9,
            C =< 13
        )
    ;   C > 0x7f,
        code_type(C, space)
    ).

%!  nonblanks(-Codes)// is det.
%
%   Codes has the text up to white space.

nonblanks([C|Codes]) -->
    [C],
    { dcg_graph(C) },
    !,
    nonblanks(Codes).
nonblanks([]) -->
    [].

%!  nonblank(-Code)// is semidet.
%
%   Code is a visible character.

nonblank(C) -->
    [C],
    { var(C)
    ->  code_type(C, graph)
    ;   dcg_graph(C)
    }.

dcg_graph(C) :-
    atom(C), !,
    code_type(C, graph).
dcg_graph(C) :-
    integer(C),
    (   C =< 0x7f
    ->  C > 0x20,
        C < 0x7f
    ;   code_type(C, graph)
    ).

%!  blanks_to_nl// is semidet.
%
%   Skip white space up to and including a newline, or to the end.

blanks_to_nl -->
    [C],
    { C \== 0'\n,
      dcg_space(C)
    },
    !,
    blanks_to_nl.
blanks_to_nl -->
    [0'\n],
    !.
blanks_to_nl, [] -->
    eos.

%!  whites// is det.
%
%   Skip spaces and tabs.

whites -->
    white,
    !,
    whites.
whites -->
    [].

%!  white// is semidet.
%
%   A space or a tab.

white -->
    [C],
    { C == 0x20
    ->  true
    ;   C == 9
    ->  true
    ;   ( atom(C) ; integer(C), C > 0x7f )
    ->  code_type(C, white)
    }.

%!  alpha_to_lower(?Lower)// is semidet.
%
%   Read a letter and give its lower case in Lower; write Lower if it is known.

alpha_to_lower(L) -->
    [C],
    { nonvar(C)
    ->  lower_letter(C, L)
    ;   L = C
    }.

lower_letter(C, L) :- atom(C), !,
    code_type(C, alpha),
    downcase_atom(C, Lower),
    char_code(Lower, L).
lower_letter(C, L) :-
    integer(C),
    (   C =< 0x7f
    ->  (   C >= 0'a
        ->  C =< 0'z,
            L = C
        ;   C >= 0'A,
            C =< 0'Z,
            L is C+0x20
        )
    ;   code_type(C, alpha),
        char_code(Char, C),
        downcase_atom(Char, Lower),
        char_code(Lower, L)
    ).

%!  digits(?Digits)// is det.
%
%   Digits has the codes of as many decimal digits as there are.

digits([D|Ds]) -->
    digit(D),
    !,
    digits(Ds).
digits([]) -->
    [].

%!  digit(?Digit)// is nondet.
%
%   Digit is the code of a decimal digit; each of them, if neither it nor the list is known.

digit(C) -->
    [C],
    { var(C)
    ->  between(0'0, 0'9, C)
    ;   dcg_digit(C)
    }.

dcg_digit(C) :- atom(C), !, code_type(C, digit).
dcg_digit(C) :-
    integer(C),
    C >= 0'0,
    C =< 0'9.

%!  integer(?Integer)// is semidet.
%
%   Read an integer with an optional sign, or write one.

integer(I, Head, Tail) :-
    (   nonvar(I)
    ->  (   integer(I)
        ->  true
        ;   type_error(integer, I)
        ),
        number_codes(I, Codes),
        literal(Codes, Head, Tail)
    ;   int_codes(Codes, Head, Tail0),
        number_codes(I, Codes),
        Tail = Tail0
    ).

literal([], Tail, Tail).
literal([C|Cs], [C|Head], Tail) :-
    literal(Cs, Head, Tail).

int_codes([0'-,D|Ds]) -->
    [0'-],
    !,
    some_digits(D, Ds).
int_codes([D|Ds]) -->
    ( [0'+] -> [] ; [] ),
    some_digits(D, Ds).

some_digits(D, Ds) -->
    digit(D),
    digits(Ds).

%!  float(?Float)// is semidet.
%
%   Read a number with a fraction or an exponent, or write a float.

float(F, Head, Tail) :-
    (   nonvar(F)
    ->  (   number(F)
        ->  float(F)
        ;   type_error(float, F)
        ),
        number_codes(F, Codes),
        literal(Codes, Head, Tail)
    ;   number(N, Head, Tail0),
        float(N),
        F = N,
        Tail = Tail0
    ).

%!  number(?Number)// is semidet.
%
%   Read an integer or a float, or write a number.

number(N, Head, Tail) :-
    (   nonvar(N)
    ->  (   number(N)
        ->  true
        ;   type_error(number, N)
        ),
        number_codes(N, Codes),
        literal(Codes, Head, Tail)
    ;   number_text(Codes, Head, Tail0),
        number_codes(N, Codes),
        Tail = Tail0
    ).

%   number_text(-Codes)//: the text of a number with what number_codes/2 needs;
%   an e after the digits must begin an exponent.

number_text(Codes, Head, Tail) :-
    int_codes(Int, Head, Rest),
    (   Rest = [Point|Rest1],
        Point == 0'.,
        some_digits(D, Ds, Rest1, Rest2)
    ->  literal(Int, Codes, [0'.,D|Codes1]),
        literal(Ds, Codes1, Codes2),
        exponent(Codes2, Rest2, Tail)
    ;   exponent(Exp, Rest, Tail),
        (   Exp == []
        ->  Codes = Int
        ;   literal(Int, Codes, [0'.,0'0|Exp])
        )
    ).

exponent([0'e|Codes]) -->
    exponent_sign,
    !,
    int_codes(Codes).
exponent([]) -->
    [].

exponent_sign -->
    [C],
    { C == 0'e
    ->  true
    ;   C == 0'E
    }.

%!  xinteger(?Integer)// is semidet.
%
%   Read an integer in hexadecimal digits with an optional sign, or write one.

xinteger(I, Head, Tail) :-
    (   nonvar(I)
    ->  must_be(integer, I),
        hexadecimal(I, Codes),
        literal(Codes, Head, Tail)
    ;   (   Head = [C|Head0],
            C == 0'-
        ->  Sign = -1
        ;   Head = [C|Head0],
            C == 0'+
        ->  Sign = 1
        ;   Head0 = Head,
            Sign = 1
        ),
        xdigit(W, Head0, Head1),
        xdigits(Ws, Head1, Tail0),
        weigh(Ws, W, I0),
        I is Sign*I0,
        Tail = Tail0
    ).

hexadecimal(I, Codes) :-
    (   I < 0
    ->  J is -I,
        Codes = [0'-|Codes1],
        hexadecimal(J, [], Codes1)
    ;   hexadecimal(I, [], Codes)
    ).

hexadecimal(I, Codes0, Codes) :-
    W is I /\ 15,
    weight_code(W, C),
    J is I >> 4,
    (   J =:= 0
    ->  Codes = [C|Codes0]
    ;   hexadecimal(J, [C|Codes0], Codes)
    ).

weight_code(W, C) :-
    (   W < 10
    ->  C is 0'0+W
    ;   C is 0'a+W-10
    ).

weigh([], I, I).
weigh([W|Ws], I0, I) :-
    I1 is I0*16+W,
    weigh(Ws, I1, I).

%!  xdigits(?Weights)// is det.
%
%   Weights has the values of as many hexadecimal digits as there are.

xdigits([W|Ws]) -->
    xdigit(W),
    !,
    xdigits(Ws).
xdigits([]) -->
    [].

%!  xdigit(?Weight)// is nondet.
%
%   Read a hexadecimal digit of value Weight, or write one; each of them, if neither the weight nor the list is known.

xdigit(W, [C|Tail], Tail) :-
    (   nonvar(C)
    ->  code_weight(C, W)
    ;   nonvar(W)
    ->  W >= 0,
        W =< 15,
        weight_code(W, C)
    ;   (   between(0'0, 0'9, C)
        ;   between(0'A, 0'F, C)
        ;   between(0'a, 0'f, C)
        ),
        code_weight(C, W)
    ).

code_weight(C, W) :- atom(C), !, code_type(C, xdigit(W)).
code_weight(C, W) :-
    integer(C),
    (   C < 0'A
    ->  dcg_digit(C),
        W is C-0'0
    ;   C =< 0'F
    ->  W is C-0'A+10
    ;   C >= 0'a,
        C =< 0'f,
        W is C-0'a+10
    ).

%!  eos// is semidet.
%
%   The end of the text.

eos([], []).

%!  eol// is semidet.
%
%   The end of a line: a newline, a return and a newline, or the end of the
%   text.

eol -->
    [0'\n],
    !.
eol -->
    [0'\r,0'\n],
    !.
eol -->
    eos.

%!  remainder(-Rest)// is det.
%
%   Rest is all that is left.

remainder(Rest, Rest, []).

%!  prolog_symbol(-Symbol)// is semidet.
%
%   Symbol is an atom of symbol characters, as many as there are.

prolog_symbol(Symbol) -->
    [C],
    { is_symbol(C) },
    symbols(Cs),
    { atom_codes(Symbol, [C|Cs]) }.

symbols([C|Cs]) -->
    [C],
    { is_symbol(C) },
    !,
    symbols(Cs).
symbols([]) -->
    [].

is_symbol(C) :- atom(C), !, code_type(C, prolog_symbol).
is_symbol(C) :-
    integer(C),
    (   C =< 0x7f
    ->  symbol_code(C)
    ;   code_type(C, prolog_symbol)
    ).

symbol_code(0'#).
symbol_code(0'$).
symbol_code(0'&).
symbol_code(0'*).
symbol_code(0'+).
symbol_code(0'-).
symbol_code(0'.).
symbol_code(0'/).
symbol_code(0':).
symbol_code(0'<).
symbol_code(0'=).
symbol_code(0'>).
symbol_code(0'?).
symbol_code(0'@).
symbol_code(0'\\).
symbol_code(0'^).
symbol_code(0'~).

%!  csyms// is det.
%
%   Skip letters, digits and underscores.

csyms -->
    csym(_),
    !,
    csyms.
csyms -->
    [].

%!  csym(?Code)// is semidet.
%
%   Code is a letter, a digit or an underscore.

csym(C) -->
    [C],
    { dcg_csym(C) }.

dcg_csym(C) :- atom(C), !, code_type(C, csym).
dcg_csym(C) :-
    integer(C),
    (   C =< 0x7f
    ->  (   C >= 0'a
        ->  C =< 0'z
        ;   C >= 0'A,
            C =< 0'Z
        ->  true
        ;   C =:= 0'_
        ->  true
        ;   dcg_digit(C)
        )
    ;   code_type(C, csym)
    ).

%!  prolog_var_name(-Name)// is semidet.
%
%   Name is an atom with the text of a variable.

prolog_var_name(Name) -->
    [C],
    { starts_var(C) },
    csym_codes(Cs),
    { atom_codes(Name, [C|Cs]) }.

starts_var(C) :- atom(C), !, code_type(C, prolog_var_start).
starts_var(C) :-
    integer(C),
    (   C =< 0x7f
    ->  (   C =:= 0'_
        ->  true
        ;   C >= 0'A,
            C =< 0'Z
        )
    ;   code_type(C, prolog_var_start)
    ).

csym_codes([C|Cs]) -->
    csym(C),
    !,
    csym_codes(Cs).
csym_codes([]) -->
    [].

%!  atom(+Term)// is det.
%
%   Write the text of Term, as write/1 does.

atom(Term, Head, Tail) :-
    must_be(nonvar, Term),
    (   atom(Term)
    ->  atom_codes(Term, Codes)
    ;   format(codes(Codes), '~w', [Term])
    ),
    literal(Codes, Head, Tail).
