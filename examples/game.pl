/*  A game that is played perfectly: alpha-beta search, noughts and crosses.

        samite examples/game.pl               the machine against itself
        samite examples/game.pl play          you begin, at the terminal

    The search knows of the game only move/3 and outcome/2.  It is minimax in the
    form of D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning" (1975):
    both players maximize, each the negation of what the other gets, and what
    cannot change the result is not looked at.  How many positions that saves
    is counted, with a counter that backtracking does not undo.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments = [play|_]
    ->  X = terminal
    ;   X = machine,
        start(Start),
        forall(member(Method, [minimax, alpha_beta]), compare_search(Method, Start))
    ),
    start(Position),
    play(Position, players(x-X, o-machine)).

%   Three moves are made: so both methods end soon.
compare_search(Method, Start) :-
    foldl(play_at, [1, 2, 5], Start, Position),
    nb_setval(positions, 0),
    search(Method, Position, Value, _),
    nb_getval(positions, Count),
    format("~w: value ~d, ~d positions~n", [Method, Value, Count]).

search(minimax, Position, Value, Move) :-
    minimax(Position, Value, Move).
search(alpha_beta, Position, Value, Move) :-
    best(Position, -1, 1, Value, Move).

                /*******************************
                *           THE GAME           *
                *******************************/

%   position(Mover, Other, Board): Board has nine arguments, x, o or empty.

start(position(x, o, board(e, e, e, e, e, e, e, e, e))).

%!  move(+Position, ?Square, -Position1) is nondet.
%
%   Squares are numbered from 1; the middle and the corners come first, as good
%   moves that are tried early let more be left out.

move(position(P, Q, Board0), Square, position(Q, P, Board)) :-
    member(Square, [5, 1, 3, 7, 9, 2, 4, 6, 8]),
    arg(Square, Board0, e),
    Board0 =.. [board|Cells0],
    nth1(Square, Cells0, _, Rest),
    nth1(Square, Cells, P, Rest),
    Board =.. [board|Cells].

play_at(Square, Position0, Position) :-
    once(move(Position0, Square, Position)).

%!  outcome(+Position, -Value) is semidet.
%
%   The game is over: -1 if the other has won, 0 if nobody has.

outcome(position(_, Q, Board), -1) :-
    row(A, B, C),
    arg(A, Board, Q), arg(B, Board, Q), arg(C, Board, Q),
    !.
outcome(position(_, _, Board), 0) :-
    \+ arg(_, Board, e).

row(1, 2, 3).  row(4, 5, 6).  row(7, 8, 9).
row(1, 4, 7).  row(2, 5, 8).  row(3, 6, 9).
row(1, 5, 9).  row(3, 5, 7).

                /*******************************
                *            SEARCH            *
                *******************************/

%!  minimax(+Position, -Value, -Move) is det.
%
%   Value is what who moves can reach, by Move, or `none` if the game is over.

minimax(Position, Value, Move) :-
    count_position,
    (   outcome(Position, Value0)
    ->  Value = Value0,
        Move = none
    ;   findall(V-M, ( move(Position, M, Next),
                       minimax(Next, V0, _),
                       V is -V0 ),
                [First|Rest]),
        foldl(better, Rest, First, Value-Move)
    ).

better(V-M, V0-M0, Best) :-
    (   V > V0 -> Best = V-M ; Best = V0-M0 ).

%!  best(+Position, +Alpha, +Beta, -Value, -Move) is det.
%
%   As minimax/3, where the value is between Alpha and Beta; if it is not, Value is
%   only known to be beyond the bound.

best(Position, Alpha, Beta, Value, Move) :-
    count_position,
    (   outcome(Position, Value0)
    ->  Value = Value0,
        Move = none
    ;   findall(M-Next, move(Position, M, Next), [First-Next|Moves]),
        value_of(Next, Alpha, Beta, V),
        best_of(Moves, Alpha, Beta, V-First, Value-Move)
    ).

value_of(Position, Alpha, Beta, Value) :-
    Alpha1 is -Beta,
    Beta1 is -Alpha,
    best(Position, Alpha1, Beta1, Value1, _),
    Value is -Value1.

best_of([], _, _, Best, Best).
best_of([M-Next|Moves], Alpha, Beta, V0-M0, Best) :-
    (   V0 >= Beta
    ->  Best = V0-M0                    % the other will not let it come to that
    ;   Alpha1 is max(Alpha, V0),
        value_of(Next, Alpha1, Beta, V),
        better(V-M, V0-M0, Best1),
        best_of(Moves, Alpha, Beta, Best1, Best)
    ).

count_position :-
    nb_getval(positions, N0),
    N is N0+1,
    nb_setval(positions, N).

                /*******************************
                *             PLAY             *
                *******************************/

play(Position, Players) :-
    (   outcome(Position, Value)
    ->  show(Position),
        Position = position(_, Other, _),
        (   Value =:= 0
        ->  format("nobody wins~n")
        ;   format("~w wins~n", [Other])
        )
    ;   Position = position(Mover, _, _),
        arg(_, Players, Mover-Kind),
        next(Kind, Position, Square, Next),
        format("~w: ~d~n", [Mover, Square]),
        play(Next, Players)
    ).

next(machine, Position, Square, Next) :-
    nb_setval(positions, 0),
    best(Position, -1, 1, _, Square),
    once(move(Position, Square, Next)).
next(terminal, Position, Square, Next) :-
    show(Position),
    format("Your square, from 1 to 9, and a point: "),
    flush_output,
    read(Term),
    (   Term == end_of_file
    ->  halt
    ;   integer(Term),
        move(Position, Term, Next0)
    ->  Square = Term,
        Next = Next0
    ;   format("That cannot be.~n"),
        next(terminal, Position, Square, Next)
    ).

show(position(_, _, Board)) :-
    forall(member(A, [1, 4, 7]),
           ( B is A+1, C is A+2,
             maplist(cell(Board), [A, B, C], Texts),
             format("  ~w ~w ~w~n", Texts) )).

cell(Board, Square, Text) :-
    arg(Square, Board, Cell),
    (   Cell == e -> Text = '.' ; Text = Cell ).
