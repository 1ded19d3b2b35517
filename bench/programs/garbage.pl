% Work for the collector: a search tree that lives for the whole run and is
% rebuilt along one path at every step, beside short lists that die at once.  The
% loop is deterministic, so nothing is freed by backtracking.
% Counted with: grow(15000, 4711, nil, T0) => grow(1000, 4711, nil, T0)
% Counted with: churn(75000, 1234, T0, T, 0, H) => churn(3000, 1234, T0, T, 0, H)

main :-
    grow(15000, 4711, nil, T0),
    churn(75000, 1234, T0, T, 0, H),
    fold(T, 0, S),
    format('garbage ~w ~w~n', [H, S]).

grow(0, _, T, T) :- !.
grow(N, S0, T0, T) :-
    S1 is S0*16807 mod 2147483647,
    K is S1 mod 20000,
    put(T0, K, N, T1),
    M is N-1,
    grow(M, S1, T1, T).

churn(0, _, T, T, H, H) :- !.
churn(N, S0, T0, T, H0, H) :-
    S1 is S0*16807 mod 2147483647,
    K is S1 mod 20000,
    litter(12, K, L),
    flip(L, [], R),
    sum(R, 0, V),
    put(T0, K, V, T1),
    H1 is (H0+V) mod 1000003,
    M is N-1,
    churn(M, S1, T1, T, H1, H).

put(nil, K, V, t(K, V, nil, nil)).
put(t(K0, V0, L, R), K, V, T) :-
    compare(O, K, K0),
    put(O, K0, V0, L, R, K, V, T).

put(=, K, _, L, R, _, V, t(K, V, L, R)).
put(<, K0, V0, L, R, K, V, t(K0, V0, L1, R)) :-
    put(L, K, V, L1).
put(>, K0, V0, L, R, K, V, t(K0, V0, L, R1)) :-
    put(R, K, V, R1).

litter(0, _, []) :- !.
litter(N, K, [p(K, N)|L]) :-
    M is N-1,
    litter(M, K, L).

flip([], R, R).
flip([X|Xs], R0, R) :-
    flip(Xs, [X|R0], R).

sum([], S, S).
sum([p(A, B)|L], S0, S) :-
    S1 is (S0*3+A*B) mod 65521,
    sum(L, S1, S).

fold(nil, S, S).
fold(t(K, V, L, R), S0, S) :-
    fold(L, S0, S1),
    S2 is (S1*31+K+V) mod 1000003,
    fold(R, S2, S).
