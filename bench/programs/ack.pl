% Ackermann's function: clause selection on two integer arguments, deep
% recursion under last calls.
% Counted with: ack(3, 9, R) => ack(3, 5, R)

main :-
    ack(3, 9, R),
    format('ack ~w~n', [R]).

ack(0, N, R) :- !,
    R is N+1.
ack(M, 0, R) :- !,
    M1 is M-1,
    ack(M1, 1, R).
ack(M, N, R) :-
    M1 is M-1,
    N1 is N-1,
    ack(M, N1, R1),
    ack(M1, R1, R).
