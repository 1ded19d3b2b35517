% All open knight's tours on a 4 x 5 board, from every square: the board is one large term
% whose variables are bound on the way and freed by backtracking, with arg/3 and
% var/1 as the test.
% Counted with: tour(X, Y, 19, Board, Last) => tour(X, Y, 7, Board, Last)

main :-
    findall(Last, tour(Last), Lasts),
    total(Lasts, 0, N, 0, Sum),
    format('knights ~w ~w~n', [N, Sum]).

tour(Last) :-
    functor(Board, board, 20),
    between(1, 4, X),
    between(1, 5, Y),
    I is (X-1)*5+Y,
    arg(I, Board, 20),
    tour(X, Y, 19, Board, Last).

tour(X, Y, 0, _, Last) :- !,
    Last is X*5+Y.
tour(X, Y, Left, Board, Last) :-
    jump(DX, DY),
    X1 is X+DX,
    X1 >= 1, X1 =< 4,
    Y1 is Y+DY,
    Y1 >= 1, Y1 =< 5,
    I is (X1-1)*5+Y1,
    arg(I, Board, Square),
    var(Square),
    Square = Left,
    Left1 is Left-1,
    tour(X1, Y1, Left1, Board, Last).

jump(1, 2).
jump(2, 1).
jump(2, -1).
jump(1, -2).
jump(-1, -2).
jump(-2, -1).
jump(-2, 1).
jump(-1, 2).

total([], N, N, S, S).
total([L|Ls], N0, N, S0, S) :-
    N1 is N0+1,
    S1 is S0+L,
    total(Ls, N1, N, S1, S).
