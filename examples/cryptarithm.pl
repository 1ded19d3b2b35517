/*  Sums of words, where each letter is a digit: library(clpfd).

        samite examples/cryptarithm.pl
        samite examples/cryptarithm.pl 'TWO + TWO = FOUR'

    Different letters are different digits, and no word begins with 0.  The
    first is H. E. Dudeney's (Strand Magazine, July 1924); the second, true in
    words as well, Alan Wayne's (1947); the third has several solutions, and the
    last has none.

    The sum is read by a grammar, and becomes an equation between polynomials of
    its letters.  What that alone leaves of each digit is shown before the first
    guess is made.
*/

:- use_module(library(clpfd)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(library(dcg/basics)).

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments == []
    ->  Sums = ['SEND + MORE = MONEY',
                'FORTY + TEN + TEN = SIXTY',
                'TWO + TWO = FOUR',
                'A + B = AB']
    ;   Sums = Arguments
    ),
    maplist(solve, Sums).

%!  solve(+Sum) is det.
%
%   Show what Sum, an atom, means: what is left of each letter by propagation,
%   and all solutions.

solve(Sum) :-
    format("~w~n", [Sum]),
    atom_codes(Sum, Codes),
    (   phrase(equation(Left, Right), Codes)
    ->  puzzle(Left, Right, Letters, Digits),
        solutions(Left, Right, Letters, Digits)
    ;   format("  is no sum: words of capitals, +, =~n")
    ).

solutions(Left, Right, Letters, Digits) :-
    (   constrain(Left, Right, Letters, Digits)
    ->  show_domains(Letters, Digits),
        findall(Digits, labeling([ff], Digits), Solutions),
        length(Solutions, Count),
        (   Count =:= 1
        ->  format("  1 solution~n")
        ;   format("  ~d solutions~n", [Count])
        ),
        first(3, Solutions, Shown),
        forall(member(Digits, Shown),
               show_solution(Left, Right, Letters, Digits))
    ;   format("  impossible, without a guess~n")
    ).

                /*******************************
                *           THE SUM            *
                *******************************/

%!  equation(-Left, -Right)// is semidet.
%
%   Words that are added, and their sum: lists of letters, which are atoms.

equation([Word|Words], Sum) -->
    blanks, word(Word), summands(Words), "=", blanks, word(Sum).

summands([Word|Words]) -->
    "+", !, blanks, word(Word), summands(Words).
summands([]) -->
    [].

word([Letter|Letters]) -->
    letter(Letter), letters(Letters), blanks.

letters([Letter|Letters]) -->
    letter(Letter), !, letters(Letters).
letters([]) -->
    [].

letter(Letter) -->
    [Code],
    { code_type(Code, upper), char_code(Letter, Code) }.

                /*******************************
                *          CONSTRAINTS         *
                *******************************/

%!  puzzle(+Left, +Right, -Letters, -Digits) is det.
%
%   The letters in the order of the alphabet, each with a variable.

puzzle(Left, Right, Letters, Digits) :-
    append([Right|Left], All),
    sort(All, Letters),
    same_length(Letters, Digits).

constrain(Left, Right, Letters, Digits) :-
    Digits ins 0..9,
    all_distinct(Digits),
    pairs_keys_values(Pairs, Letters, Digits),
    maplist(number_of(Pairs), Left, Numbers),
    number_of(Pairs, Right, Number),
    sum(Numbers, #=, Number).

number_of(Pairs, Word, Number) :-
    maplist(digit_of(Pairs), Word, [First|Rest]),
    First #\= 0,
    foldl(append_digit, Rest, First, Value),
    Number #= Value.

digit_of(Pairs, Letter, Digit) :-
    memberchk(Letter-Digit, Pairs).

append_digit(Digit, Value0, 10*Value0 + Digit).

                /*******************************
                *            OUTPUT            *
                *******************************/

show_domains(Letters, Digits) :-
    format(" "),
    maplist(show_domain, Letters, Digits),
    nl.

show_domain(Letter, Digit) :-
    fd_dom(Digit, Domain),
    format(" ~w: ~w", [Letter, Domain]).

show_solution(Left, Right, Letters, Digits) :-
    pairs_keys_values(Pairs, Letters, Digits),
    maplist(decimal(Pairs), Left, Summands),
    decimal(Pairs, Right, Sum),
    atomic_list_concat(Summands, ' + ', Text),
    format("    ~w = ~w~n", [Text, Sum]).

decimal(Pairs, Word, Number) :-
    maplist(digit_of(Pairs), Word, Digits),
    atomic_list_concat(Digits, Number).

first(N, List, First) :-
    (   N > 0, List = [X|Rest]
    ->  First = [X|First1],
        N1 is N-1,
        first(N1, Rest, First1)
    ;   First = []
    ).
