:- module(porter_stem, [ porter_stem/2, unaccent_atom/2, tokenize_atom/2, atom_to_stem_list/2 ]).
:- use_module(library(error), [must_be/2]).

/*  Words of English texts and their stems, as SWI-Prolog's library(porter_stem): Porter, An algorithm for suffix stripping (1980), with his later changes (`bli`, `logi`).

    A word is a list of codes from its end on, so that endings are taken off at the front; what is left is a stem.  */

%!  porter_stem(+Word, -Stem) is det.
%
%   Stem is an atom, in lower case and without accents.

porter_stem(Word, Stem) :-
    must_be(atomic, Word),
    plain_codes(Word, Codes),
    stem_of_codes(Codes, Stem).

plain_codes(Text, Codes) :-
    string_lower(Text, Lower),
    string_codes(Lower, Codes0),
    unaccented(Codes0, Codes).

stem_of_codes(Codes, Stem) :-
    reverse(Codes, Word),
    ( Word = [_, _, _|_] -> stemmed(Word, Word1) ; Word1 = Word ),
    reverse(Word1, Codes1),
    atom_codes(Stem, Codes1).

stemmed(Word0, Word) :-
    plural(Word0, Word1),
    past(Word1, Word2),
    final_y(Word2, Word3),
    ending(two, Word3, Word4),
    ending(three, Word4, Word5),
    last_ending(Word5, Word6),
    final_e(Word6, Word7),
    final_l(Word7, Word).

%   Step 1a.
plural(Word0, Word) :-
    (   ends(Word0, `sses`, Stem) -> put(`ss`, Stem, Word)
    ;   ends(Word0, `ies`, Stem) -> put(`i`, Stem, Word)
    ;   ends(Word0, `ss`, _) -> Word = Word0
    ;   ends(Word0, `s`, Word1) -> Word = Word1
    ;   Word = Word0
    ).

%   Step 1b.
past(Word0, Word) :-
    (   ends(Word0, `eed`, Stem)
    ->  ( measure(Stem, M), M > 0 -> put(`ee`, Stem, Word) ; Word = Word0 )
    ;   ( ends(Word0, `ed`, Stem) -> true ; ends(Word0, `ing`, Stem) ),
        has_vowel(Stem)
    ->  completed(Stem, Word)
    ;   Word = Word0
    ).

completed(Stem, Word) :-
    (   ( ends(Stem, `at`, _) ; ends(Stem, `bl`, _) ; ends(Stem, `iz`, _) )
    ->  put(`e`, Stem, Word)
    ;   ends_in_double(Stem, C), \+ memberchk(C, `lsz`)
    ->  Stem = [_|Word]
    ;   measure(Stem, 1), ends_short(Stem)
    ->  put(`e`, Stem, Word)
    ;   Word = Stem
    ).

%   Step 1c.
final_y(Word0, Word) :-
    ( ends(Word0, `y`, Stem), has_vowel(Stem) -> put(`i`, Stem, Word) ; Word = Word0 ).

%   Steps 2 and 3: the first of these endings that the word has, if there is enough before it.
ending(Step, Word0, Word) :-
    (   replaced(Step, Ending, New), ends(Word0, Ending, Stem)
    ->  ( measure(Stem, M), M > 0 -> put(New, Stem, Word) ; Word = Word0 )
    ;   Word = Word0
    ).

replaced(two, `ational`, `ate`).
replaced(two, `tional`, `tion`).
replaced(two, `enci`, `ence`).
replaced(two, `anci`, `ance`).
replaced(two, `izer`, `ize`).
replaced(two, `bli`, `ble`).
replaced(two, `alli`, `al`).
replaced(two, `entli`, `ent`).
replaced(two, `eli`, `e`).
replaced(two, `ousli`, `ous`).
replaced(two, `ization`, `ize`).
replaced(two, `ation`, `ate`).
replaced(two, `ator`, `ate`).
replaced(two, `alism`, `al`).
replaced(two, `iveness`, `ive`).
replaced(two, `fulness`, `ful`).
replaced(two, `ousness`, `ous`).
replaced(two, `aliti`, `al`).
replaced(two, `iviti`, `ive`).
replaced(two, `biliti`, `ble`).
replaced(two, `logi`, `log`).
replaced(three, `icate`, `ic`).
replaced(three, `ative`, []).
replaced(three, `alize`, `al`).
replaced(three, `iciti`, `ic`).
replaced(three, `ical`, `ic`).
replaced(three, `ful`, []).
replaced(three, `ness`, []).

%   Step 4.
last_ending(Word0, Word) :-
    (   removed(Ending), ends(Word0, Ending, Stem), \+ ( Ending == `ion`, \+ ( Stem = [C|_], memberchk(C, `st`) ) )
    ->  ( measure(Stem, M), M > 1 -> Word = Stem ; Word = Word0 )
    ;   Word = Word0
    ).

removed(`al`).
removed(`ance`).
removed(`ence`).
removed(`er`).
removed(`ic`).
removed(`able`).
removed(`ible`).
removed(`ant`).
removed(`ement`).
removed(`ment`).
removed(`ent`).
removed(`ion`).
removed(`ou`).
removed(`ism`).
removed(`ate`).
removed(`iti`).
removed(`ous`).
removed(`ive`).
removed(`ize`).

%   Step 5.
final_e(Word0, Word) :-
    (   ends(Word0, `e`, Stem), measure(Stem, M), ( M > 1 ; M =:= 1, \+ ends_short(Stem) )
    ->  Word = Stem
    ;   Word = Word0
    ).

final_l(Word0, Word) :-
    ( ends(Word0, `ll`, Stem), measure([0'l|Stem], M), M > 1 -> Word = [0'l|Stem] ; Word = Word0 ).

ends(Word, Ending, Stem) :-
    reverse(Ending, Reversed),
    append(Reversed, Stem, Word), !.

put(Ending, Stem, Word) :-
    reverse(Ending, Reversed),
    append(Reversed, Stem, Word).

%   kinds(+Stem, -Kinds): c or v for each letter, from the end on. A `y` behind a consonant is a vowel.
kinds([], []).
kinds([C|Stem], [Kind|Kinds]) :-
    kinds(Stem, Kinds),
    (   memberchk(C, `aeiou`) -> Kind = v
    ;   C == 0'y, Kinds = [c|_] -> Kind = v
    ;   Kind = c
    ).

%   measure(+Stem, -M): how often consonants follow on vowels.
measure(Stem, M) :-
    kinds(Stem, Kinds),
    changes(Kinds, 0, M).

changes([], M, M).
changes([Kind|Kinds], M0, M) :-
    ( Kind == c, Kinds = [v|_] -> M1 is M0+1 ; M1 = M0 ),
    changes(Kinds, M1, M).

has_vowel(Stem) :-
    kinds(Stem, Kinds),
    memberchk(v, Kinds).

ends_in_double([C, C|Stem], C) :-
    kinds([C, C|Stem], [c|_]).

%   Consonant, vowel, consonant that is none of these.
ends_short([C|Stem]) :-
    \+ memberchk(C, `wxy`),
    kinds([C|Stem], [c, v, c|_]).

%!  unaccent_atom(+Text, -Plain) is det.
%
%   Plain is an atom, without the accents of Latin letters up to U+00FF; what a letter cannot be without stays.

unaccent_atom(Text, Plain) :-
    must_be(atomic, Text),
    (   number(Text)
    ->  Plain = Text
    ;   string_codes(Text, Codes0),
        unaccented(Codes0, Codes),
        atom_codes(Plain, Codes)
    ).

unaccented([], []).
unaccented([C|Cs0], Cs) :-
    (   C >= 0xC0, C =< 0xFF, plain(C, Letters) -> append(Letters, Cs1, Cs)
    ;   Cs = [C|Cs1]
    ),
    unaccented(Cs0, Cs1).

plain(0xC6, `AE`) :- !.
plain(0xDF, `ss`) :- !.
plain(0xE6, `ae`) :- !.
plain(C, [Letter]) :-
    I is C-0xBF,
    string_code(I, "AAAAAA-CEEEEIIIIDNOOOOO--UUUUY--aaaaaa-ceeeeiiiidnooooo--uuuuy-y", Letter),
    Letter =\= 0'-.

%!  tokenize_atom(+Text, -Tokens) is det.
%
%   Words, numbers and single other characters; blanks are left out.

tokenize_atom(Text, Tokens) :-
    must_be(atomic, Text),
    string_codes(Text, Codes),
    tokens(Codes, Tokens).

tokens([], []).
tokens([C|Cs], Tokens) :-
    (   code_type(C, space) -> tokens(Cs, Tokens)
    ;   number_codes_of([C|Cs], Number, Rest)
    ->  (   catch(number_codes(Token, Number), error(_, _), fail), \+ is_infinite(Token) -> true
        ;   append(Written, Rest, [C|Cs]), atom_codes(Token, Written)
        ),
        Tokens = [Token|Tokens1],
        tokens(Rest, Tokens1)
    ;   code_type(C, alnum)
    ->  word(Cs, Word, Rest),
        atom_codes(Token, [C|Word]),
        Tokens = [Token|Tokens1],
        tokens(Rest, Tokens1)
    ;   char_code(Token, C),
        Tokens = [Token|Tokens1],
        tokens(Cs, Tokens1)
    ).

is_infinite(Number) :- float(Number), abs(Number) =:= inf.

word([C|Cs], [C|Word], Rest) :-
    code_type(C, alnum), !,
    word(Cs, Word, Rest).
word(Rest, [], Rest).

%   number_codes_of(+Codes, -Number, -Rest) is semidet: digits, maybe with `-` before them, and a fraction and an exponent behind. A number with an exponent only is given a fraction.
number_codes_of([0'-|Codes], [0'-|Number], Rest) :- !,
    unsigned(Codes, Number, Rest).
number_codes_of(Codes, Number, Rest) :-
    unsigned(Codes, Number, Rest).

unsigned(Codes, Number, Rest) :-
    digits(Codes, Digits, Codes1),
    Digits = [_|_],
    (   Codes1 = [0'.|Codes2], digits(Codes2, Fraction, Codes3), Fraction = [_|_]
    ->  append(Digits, [0'.|Fraction], Mantissa)
    ;   Mantissa = Digits,
        Codes3 = Codes1
    ),
    (   Codes3 = [E|Codes4], memberchk(E, `eE`),
        ( Codes4 = [Sign|Codes5], memberchk(Sign, `+-`) -> Exponent = [E, Sign|Power] ; Codes5 = Codes4, Exponent = [E|Power] ),
        digits(Codes5, Power, Rest0), Power = [_|_]
    ->  ( Mantissa == Digits -> append(Mantissa, [0'., 0'0|Exponent], Number) ; append(Mantissa, Exponent, Number) ),
        Rest = Rest0
    ;   Number = Mantissa,
        Rest = Codes3
    ).

digits([C|Cs], [C|Digits], Rest) :-
    C >= 0'0, C =< 0'9, !,
    digits(Cs, Digits, Rest).
digits(Rest, [], Rest).

%!  atom_to_stem_list(+Text, -Stems) is det.
%
%   The stems of its words, and its numbers.

atom_to_stem_list(Text, Stems) :-
    must_be(atomic, Text),
    plain_codes(Text, Codes),
    tokens(Codes, Tokens),
    stems(Tokens, Stems).

stems([], []).
stems([Token|Tokens], Stems) :-
    (   number(Token) -> Stems = [Token|Stems1]
    ;   atom_codes(Token, [C|Codes]), code_type(C, alnum)
    ->  stem_of_codes([C|Codes], Stem),
        Stems = [Stem|Stems1]
    ;   Stems = Stems1
    ),
    stems(Tokens, Stems1).
