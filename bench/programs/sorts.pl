% Quicksort with difference lists and mergesort, written in Prolog, over
% pseudo-random integers: partitioning, merging, arithmetic comparison.
% Counted with: random_list(4000, 42, L) => random_list(400, 42, L)
% Counted with: rounds(45, L) => rounds(8, L)

main :-
    random_list(4000, 42, L),
    rounds(45, L),
    quick(L, A),
    merge_sort(L, B),
    ( A == B -> true ; throw(sorts_disagree) ),
    checksum(A, 0, S),
    format('sorts ~w~n', [S]).

rounds(N, L) :-
    between(1, N, _),
    quick(L, _),
    merge_sort(L, _),
    fail.
rounds(_, _).

quick(L, S) :-
    quick(L, S, []).

quick([], S, S).
quick([P|Xs], S, S0) :-
    split(Xs, P, Low, High),
    quick(Low, S, [P|S1]),
    quick(High, S1, S0).

split([], _, [], []).
split([X|Xs], P, Low, High) :-
    X =< P, !,
    Low = [X|Low1],
    split(Xs, P, Low1, High).
split([X|Xs], P, Low, [X|High]) :-
    split(Xs, P, Low, High).

merge_sort([], []) :- !.
merge_sort([X], [X]) :- !.
merge_sort(L, S) :-
    halves(L, A, B),
    merge_sort(A, SA),
    merge_sort(B, SB),
    merge_lists(SA, SB, S).

halves([], [], []).
halves([X], [X], []) :- !.
halves([X,Y|L], [X|A], [Y|B]) :-
    halves(L, A, B).

merge_lists([], L, L) :- !.
merge_lists(L, [], L) :- !.
merge_lists([X|Xs], [Y|Ys], L) :-
    (   X =< Y
    ->  L = [X|Zs],
        merge_lists(Xs, [Y|Ys], Zs)
    ;   L = [Y|Zs],
        merge_lists([X|Xs], Ys, Zs)
    ).

random_list(0, _, []) :- !.
random_list(N, S, [S1|L]) :-
    S1 is S*16807 mod 2147483647,
    N1 is N-1,
    random_list(N1, S1, L).

checksum([], S, S).
checksum([X|Xs], S0, S) :-
    S1 is (S0*31+X) mod 1000003,
    checksum(Xs, S1, S).
