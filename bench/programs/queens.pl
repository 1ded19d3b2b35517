% All solutions of the eleven queens: backtracking over choices from a list,
% with arithmetic inequality tests.
% Counted with: findall(Q, queens(11, Q), Qs) => findall(Q, queens(6, Q), Qs)
% Counted with: queens(11, _) => queens(6, _)

main :-
    rounds(1),
    findall(Q, queens(11, Q), Qs),
    length(Qs, N),
    weigh(Qs, 0, W),
    format('queens ~w ~w~n', [N, W]).

rounds(N) :-
    between(1, N, _),
    queens(11, _),
    fail.
rounds(_).

queens(N, Qs) :-
    rows(1, N, Rows),
    place(Rows, [], Qs).

place([], Qs, Qs).
place(Free, Placed, Qs) :-
    take(Q, Free, Rest),
    safe(Placed, Q, 1),
    place(Rest, [Q|Placed], Qs).

take(X, [X|Xs], Xs).
take(X, [Y|Ys], [Y|Zs]) :-
    take(X, Ys, Zs).

safe([], _, _).
safe([P|Ps], Q, D) :-
    P =\= Q+D,
    P =\= Q-D,
    D1 is D+1,
    safe(Ps, Q, D1).

rows(I, N, []) :- I > N, !.
rows(I, N, [I|L]) :-
    I1 is I+1,
    rows(I1, N, L).

weigh([], W, W).
weigh([Q|Qs], W0, W) :-
    digits(Q, 0, D),
    W1 is (W0*7+D) mod 999983,
    weigh(Qs, W1, W).

digits([], D, D).
digits([X|Xs], D0, D) :-
    D1 is D0*10+X,
    digits(Xs, D1, D).
