/*  Sudokus by constraints: library(clpfd).

        samite examples/sudoku.pl
        samite examples/sudoku.pl 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......

    A sudoku is 81 characters, row by row; what is no digit from 1 to 9 is open.
    Most are solved without any choice: all_distinct/1 leaves only values that
    are possible for its nine variables together.
*/

:- use_module(library(clpfd)).
:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Words),
    (   Words = [Word|_]
    ->  true
    ;   Word = '8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..'
    ),
    atom_chars(Word, Chars),
    (   length(Chars, 81)
    ->  maplist(cell, Chars, Cells),
        rows(Cells, Rows),
        solve(Rows)
    ;   format("81 characters, please~n"),
        halt(1)
    ).

cell(Char, Cell) :-
    (   char_type(Char, digit(D)),
        D > 0
    ->  Cell = D
    ;   true
    ).

rows([], []).
rows([A,B,C,D,E,F,G,H,I|Cells], [[A,B,C,D,E,F,G,H,I]|Rows]) :-
    rows(Cells, Rows).

solve(Rows) :-
    (   sudoku(Rows),
        append(Rows, Cells),
        once(labeling([ff], Cells))
    ->  maplist(show, Rows)
    ;   format("no solution~n")
    ).

sudoku(Rows) :-
    append(Rows, Cells),
    Cells ins 1..9,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    squares(Rows).

squares([]).
squares([A,B,C|Rows]) :-
    squares(A, B, C),
    squares(Rows).

squares([], [], []).
squares([A,B,C|As], [D,E,F|Bs], [G,H,I|Cs]) :-
    all_distinct([A,B,C,D,E,F,G,H,I]),
    squares(As, Bs, Cs).

show(Row) :-
    atomic_list_concat(Row, ' ', Line),
    writeln(Line).
