% Primes by sifting lists: one long list walked and copied again and again, with
% a remainder test on every element.
% Counted with: numbers(2, 36000, L) => numbers(2, 1500, L)

main :-
    numbers(2, 36000, L),
    primes(L, Ps),
    tally(Ps, 0, N, 0, S),
    format('sieve ~w ~w~n', [N, S]).

numbers(I, N, []) :- I > N, !.
numbers(I, N, [I|L]) :-
    I1 is I+1,
    numbers(I1, N, L).

primes([], []).
primes([P|Xs], [P|Ps]) :-
    sift(Xs, P, Ys),
    primes(Ys, Ps).

sift([], _, []).
sift([X|Xs], P, Ys) :-
    X mod P =:= 0, !,
    sift(Xs, P, Ys).
sift([X|Xs], P, [X|Ys]) :-
    sift(Xs, P, Ys).

tally([], N, N, S, S).
tally([P|Ps], N0, N, S0, S) :-
    N1 is N0+1,
    S1 is S0+P,
    tally(Ps, N1, N, S1, S).
