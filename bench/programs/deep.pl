% Recursion a million calls deep that cannot be turned into a loop: numbers, a
% list summed from its end, a nest of structures built and taken down.
% Counted with: count(1000000, A) => count(20000, A)
% Counted with: numbers(1000000, L) => numbers(20000, L)
% Counted with: nest(500000, T) => nest(10000, T)

main :-
    rounds(1),
    work(S),
    format('deep ~w~n', [S]).

rounds(N) :-
    between(1, N, _),
    work(_),
    fail.
rounds(_).

work(S) :-
    count(1000000, A),
    numbers(1000000, L),
    sum(L, B),
    nest(500000, T),
    height(T, C),
    S is A+B+C.

count(0, 0) :- !.
count(N, C) :-
    M is N-1,
    count(M, C0),
    C is C0+1.

numbers(0, []) :- !.
numbers(N, [N|L]) :-
    M is N-1,
    numbers(M, L).

sum([], 0).
sum([X|Xs], S) :-
    sum(Xs, S0),
    S is S0+X.

nest(0, leaf) :- !.
nest(N, s(T)) :-
    M is N-1,
    nest(M, T).

height(leaf, 0).
height(s(T), H) :-
    height(T, H0),
    H is H0+1.
