% The balanced trees of library(assoc) as a map: insertion, update, look-up and
% conversion, with integer and compound keys.
% Counted with: fill(50000, 17, A0, A1) => fill(1500, 17, A0, A1)
% Counted with: probe(140000, 99, A1, 0, Found) => probe(4000, 99, A1, 0, Found)
% Counted with: bump(30000, A2, A3) => bump(800, A2, A3)
% Counted with: K is S1 mod 30000 => K is S1 mod 800

main :-
    empty_assoc(A0),
    fill(50000, 17, A0, A1),
    probe(140000, 99, A1, 0, Found),
    assoc_to_list(A1, L),
    checksum(L, 0, S),
    words(4000, W),
    list_to_assoc(W, A2),
    assoc_to_keys(A2, Ks),
    length(Ks, KN),
    bump(30000, A2, A3),
    assoc_to_values(A3, Vs),
    total(Vs, 0, T),
    format('assoc ~w ~w ~w ~w~n', [Found, S, KN, T]).

fill(0, _, A, A) :- !.
fill(N, S0, A0, A) :-
    S1 is S0*16807 mod 2147483647,
    K is S1 mod 30000,
    put_assoc(K, A0, N, A1),
    M is N-1,
    fill(M, S1, A1, A).

probe(0, _, _, F, F) :- !.
probe(N, S0, A, F0, F) :-
    S1 is S0*16807 mod 2147483647,
    K is S1 mod 30000,
    (   get_assoc(K, A, _)
    ->  F1 is F0+1
    ;   F1 = F0
    ),
    M is N-1,
    probe(M, S1, A, F1, F).

words(0, []) :- !.
words(N, [key(A, B)-0|L]) :-
    A is N mod 63,
    B is N // 63,
    M is N-1,
    words(M, L).

bump(0, A, A) :- !.
bump(N, A0, A) :-
    I is N*7 mod 4000 + 1,
    X is I mod 63,
    Y is I // 63,
    get_assoc(key(X, Y), A0, V),
    V1 is V+1,
    put_assoc(key(X, Y), A0, V1, A1),
    M is N-1,
    bump(M, A1, A).

checksum([], S, S).
checksum([K-V|L], S0, S) :-
    S1 is (S0*31+K*7+V) mod 1000003,
    checksum(L, S1, S).

total([], T, T).
total([V|Vs], T0, T) :-
    T1 is T0+V,
    total(Vs, T1, T).
