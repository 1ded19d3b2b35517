% Two threads take a mutex 100,000 times each.

main :-
    mutex_create(M),
    thread_create(take(100000, M), A),
    thread_create(take(100000, M), B),
    thread_join(A, S),
    thread_join(B, T),
    format('mutex ~w ~w~n', [S, T]).

take(0, _) :- !.
take(N, M) :-
    with_mutex(M, true),
    N1 is N-1,
    take(N1, M).
