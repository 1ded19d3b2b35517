% 5,000 threads, created and joined one after the other.

main :-
    round(5000),
    format('create_join~n').

round(0) :- !.
round(N) :-
    thread_create(true, T),
    thread_join(T, S),
    S == true,
    M is N-1,
    round(M).
