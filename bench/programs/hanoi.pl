% The towers of Hanoi: the moves are folded into a checksum as they come, so
% that nothing but the recursion and its arguments is measured.
% Counted with: hanoi(22, 1, 2, 3, 0, S) => hanoi(12, 1, 2, 3, 0, S)

main :-
    hanoi(22, 1, 2, 3, 0, S),
    format('hanoi ~w~n', [S]).

hanoi(0, _, _, _, S, S) :- !.
hanoi(N, From, To, Via, S0, S) :-
    M is N-1,
    hanoi(M, From, Via, To, S0, S1),
    S2 is (S1*3+From*4+To) mod 65521,
    hanoi(M, Via, To, From, S2, S).
