:- module(readln, [ readln/1, readln/2, readln/5 ]).

:- use_module(library(error), [must_be/2]).

/*  Sentences as lists of words and numbers, as SWI-Prolog's library(readln).

    Text of the current input is read up to a stop character, the end of the line by default, or its end. Letters and the word characters beside them make an
    atom, digits a number, with a point that digits follow; each other character but blanks is an atom by itself. A stop character behind a backslash is none,
    and a backslash there is a character. Stop and word characters are given as lists of codes, or as other text.
*/

%!  readln(-Words) is det.
%!  readln(-Words, -Last) is det.
%
%   Words are those of a line, as they are written; `_` and digits are word characters. Last is the code of the stop character, or end_of_file.

readln(Words) :-
    readln(Words, _).

readln(Words, Last) :-
    sentence(how(`\n`, `_0123456789`, any), Words, Last).

%!  readln(-Words, -Last, ?Stops, ?WordCharacters, ?Case) is det.
%
%   As readln/2, with Stops and WordCharacters, those of readln/2 if they are unbound. If Case is lowercase, or unbound, words are in small letters, else as
%   they are written. A stop character that is no blank is the last word.

readln(Words, Last, Stops0, Characters0, Case0) :-
    codes(Stops0, `\n`, Stops),
    codes(Characters0, `_0123456789`, Characters),
    ( var(Case0) -> Case = lowercase ; must_be(atom, Case0), Case = Case0 ),
    sentence(how(Stops, Characters, Case), Words, Last).

codes(Text, Default, Codes) :-
    (   var(Text) -> Codes = Default
    ;   is_list(Text) -> must_be(list(integer), Text), Codes = Text
    ;   atom_codes(Text, Codes)
    ).

sentence(How, Words, Last) :-
    next(How, Next),
    words(Next, How, Words0, Last0),
    Words = Words0,
    Last = Last0.

%   next(+How, -Next): Next is the code of a character of the sentence, or else stop(Last).
next(How, Next) :-
    arg(1, How, Stops),
    get_code(C),
    (   C =:= -1 -> Next = stop(end_of_file)
    ;   memberchk(C, Stops) -> Next = stop(C)
    ;   C =:= 0'\\, peek_code(D), D =\= -1 -> get_code(Next)
    ;   Next = C
    ).

words(stop(Last), _, Words, Last) :- !,
    (   ( Last == end_of_file ; code_type(Last, space) )
    ->  Words = []
    ;   char_code(Stop, Last),
        Words = [Stop]
    ).
words(C, How, Words, Last) :-
    code_type(C, space), !,
    next(How, Next),
    words(Next, How, Words, Last).
words(C, How, [Number|Words], Last) :-
    is_digit(C), !,
    next(How, Next0),
    digits(Next0, How, Digits, Next1),
    fraction(Next1, How, Fraction, Next2),
    append([C|Digits], Fraction, Codes),
    number_codes(Number, Codes),
    behind(Next2, How, Words, Last).
words(0'., How, Words, Last) :- !,
    fraction(0'., How, Fraction, Next),
    (   Fraction = [_|_]
    ->  number_codes(Number, [0'0|Fraction]),
        Words = [Number|Words1],
        behind(Next, How, Words1, Last)
    ;   Next = point(Next1),
        word(0'., Next1, How, Words, Last)
    ).
words(C, How, Words, Last) :-
    next(How, Next),
    word(C, Next, How, Words, Last).

%   word(+First, +Next, +How, -Words, -Last): a word that begins with First, or First alone, and what follows.
word(First, Next0, How, [Word|Words], Last) :-
    (   is_of_word(First, How)
    ->  of_word(Next0, How, Codes, Next)
    ;   Codes = [],
        Next = Next0
    ),
    atom_codes(Word0, [First|Codes]),
    ( arg(3, How, lowercase) -> downcase_atom(Word0, Word) ; Word = Word0 ),
    words(Next, How, Words, Last).

of_word(C, How, [C|Codes], Next) :-
    integer(C),
    is_of_word(C, How), !,
    next(How, Next0),
    of_word(Next0, How, Codes, Next).
of_word(Next, _, [], Next).

digits(C, How, [C|Codes], Next) :-
    integer(C),
    is_digit(C), !,
    next(How, Next0),
    digits(Next0, How, Codes, Next).
digits(Next, _, [], Next).

%   fraction(+Next0, +How, -Codes, -Next): a point and digits, or Codes is [], and Next point(Next1) if there has been a point.
fraction(0'., How, Codes, Next) :- !,
    next(How, Next0),
    (   integer(Next0),
        is_digit(Next0)
    ->  Codes = [0'.|Digits],
        digits(Next0, How, Digits, Next)
    ;   Codes = [],
        Next = point(Next0)
    ).
fraction(Next, _, [], Next).

%   What follows a number.
behind(point(Next), How, Words, Last) :- !,
    word(0'., Next, How, Words, Last).
behind(Next, How, Words, Last) :-
    words(Next, How, Words, Last).

is_digit(C) :- C >= 0'0, C =< 0'9.

is_of_word(C, How) :-
    (   code_type(C, alpha), C \== 0'_, \+ is_digit(C) -> true
    ;   arg(2, How, Characters), memberchk(C, Characters)
    ).
