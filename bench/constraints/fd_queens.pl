% Queens on a board of 20, and all of a board of 8: inequalities of two variables, labeled from the left and by first fail.

:- use_module(library(clpfd)).

main :-
    queens(18, [], A),
    queens(40, [ff], B),
    findall(Qs, queens(8, [], Qs), All),
    length(All, N),
    format("~w~n~w~n~d~n", [A, B, N]).

queens(N, Options, Qs) :-
    length(Qs, N),
    Qs ins 1..N,
    safe(Qs),
    labeling(Options, Qs).

safe([]).
safe([Q|Qs]) :-
    no_attack(Qs, Q, 1),
    safe(Qs).

no_attack([], _, _).
no_attack([Q|Qs], Q0, D) :-
    Q0 #\= Q,
    Q0 #\= Q+D,
    Q0 #\= Q-D,
    D1 is D+1,
    no_attack(Qs, Q0, D1).
