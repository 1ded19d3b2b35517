% The longest Collatz chain below a bound: a tight deterministic loop of integer
% arithmetic with //, mod (by bits) and comparisons.
% Counted with: longest(1, 90000, 1, 1, Start, Steps) => longest(1, 2000, 1, 1, Start, Steps)

main :-
    longest(1, 90000, 1, 1, Start, Steps),
    format('collatz ~w ~w~n', [Start, Steps]).

longest(I, N, Best, Len, Best, Len) :-
    I > N, !.
longest(I, N, Best0, Len0, Best, Len) :-
    chain(I, 1, L),
    I1 is I+1,
    (   L > Len0
    ->  longest(I1, N, I, L, Best, Len)
    ;   longest(I1, N, Best0, Len0, Best, Len)
    ).

chain(1, L, L) :- !.
chain(X, L0, L) :-
    L1 is L0+1,
    (   X /\ 1 =:= 0
    ->  Y is X >> 1
    ;   Y is 3*X+1
    ),
    chain(Y, L1, L).
