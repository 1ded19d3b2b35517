% Naive reverse of a 30-element list: plain calls, first-argument switch on
% lists, building lists in the head.  496 inferences a round.
% Counted with: rounds(60000, L) => rounds(1500, L)

main :-
    upto(1, 30, L),
    rounds(60000, L),
    rev(L, R),
    checksum(R, 0, S),
    format('nrev ~w~n', [S]).

rounds(N, L) :-
    between(1, N, _),
    rev(L, _),
    fail.
rounds(_, _).

rev([], []).
rev([X|Xs], R) :-
    rev(Xs, R0),
    app(R0, [X], R).

app([], L, L).
app([X|Xs], L, [X|Ys]) :-
    app(Xs, L, Ys).

upto(I, N, []) :- I > N, !.
upto(I, N, [I|L]) :-
    I1 is I+1,
    upto(I1, N, L).

checksum([], S, S).
checksum([X|Xs], S0, S) :-
    S1 is (S0*31+X) mod 1000003,
    checksum(Xs, S1, S).
