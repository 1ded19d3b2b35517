% Takeuchi's function: deep recursion with integer comparison and subtraction,
% no data structures at all.
% Counted with: tak(24, 16, 7, R) => tak(14, 9, 4, R)

main :-
    tak(24, 16, 7, R),
    format('tak ~w~n', [R]).

tak(X, Y, Z, R) :-
    X =< Y, !,
    R = Z.
tak(X, Y, Z, R) :-
    X1 is X-1,
    Y1 is Y-1,
    Z1 is Z-1,
    tak(X1, Y, Z, A),
    tak(Y1, Z, X, B),
    tak(Z1, X, Y, C),
    tak(A, B, C, R).
