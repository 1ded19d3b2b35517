:- module(atom, [ restyle_identifier/3, identifier_parts/2, join_identifier_parts/3 ]).

:- use_module(library(error), [instantiation_error/1, must_be/2]).

/*  Names made of several words, as SWI-Prolog's library(atom).

    A style is 'OneTwo', oneTwo, one_two, 'One_Two', or style(First, Rest, Separator): whether the first word and the other ones begin with a capital
    letter, and the atom between them.
*/

%!  restyle_identifier(?Style, +In, -Out) is nondet.
%
%   Out is the name In in Style.

restyle_identifier(Style, In, Out) :-
    identifier_parts(In, Parts),
    join_identifier_parts(Style, Parts, Out).

%!  identifier_parts(+Identifier, -Parts) is det.
%
%   Parts are the words of Identifier, atoms: what stands between characters that are neither letters nor digits, or begins with a capital letter behind a
%   character that is none. Words are in small letters, but those that have capitals only.

identifier_parts(Identifier, Parts) :-
    (   var(Identifier) -> instantiation_error(Identifier)
    ;   atom_codes(Identifier, Codes)
    ),
    words(Codes, Words),
    maplist(word_atom, Words, Parts).

words(Codes, Words) :-
    (   Codes = [C|Cs]
    ->  (   is_part(C)
        ->  word(Cs, C, Word, Rest),
            Words = [[C|Word]|Words1],
            words(Rest, Words1)
        ;   words(Cs, Words)
        )
    ;   Words = []
    ).

%   word(+Codes, +Before, -Word, -Rest): what goes on with a word whose last character is Before.
word([C|Cs], Before, [C|Word], Rest) :-
    is_part(C),
    \+ ( is_capital(C), \+ is_capital(Before) ), !,
    word(Cs, C, Word, Rest).
word(Rest, _, [], Rest).

is_part(C) :- code_type(C, alnum).

is_capital(C) :- code_type(C, upper).

word_atom(Codes, Atom) :-
    atom_codes(Atom0, Codes),
    (   maplist(is_capital, Codes) -> Atom = Atom0
    ;   downcase_atom(Atom0, Atom)
    ).

%!  join_identifier_parts(?Style, +Parts, -Identifier) is nondet.
%
%   Identifier is made of the words Parts in Style; fails if there are none. Only their first characters change.

join_identifier_parts(Style, Parts, Identifier) :-
    must_be(list, Parts),
    Parts = [First0|Rest0],
    style(Style, First, Rest, Separator),
    in_style(First, First0, Part),
    maplist(in_style(Rest), Rest0, More),
    atomic_list_concat([Part|More], Separator, Identifier).

style('OneTwo', true, true, '').
style(oneTwo, false, true, '').
style(one_two, false, false, '_').
style('One_Two', true, true, '_').
style(Style, First, Rest, Separator) :-
    nonvar(Style),
    Style = style(First, Rest, Separator),
    must_be(boolean, First),
    must_be(boolean, Rest),
    must_be(atomic, Separator).

in_style(Capital, Word, Styled) :-
    must_be(atomic, Word),
    (   Capital == true
    ->  sub_atom(Word, 0, 1, After, First),
        sub_atom(Word, 1, After, 0, More),
        upcase_atom(First, Upper),
        atom_concat(Upper, More, Styled)
    ;   Styled = Word
    ).
