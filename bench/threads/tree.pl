% A tree of 1,111 threads: each makes ten, and sums what they say (skynet).

main :-
    sum(3, 0, S),
    format('tree ~w~n', [S]).

sum(0, N, N) :- !.
sum(D, N, S) :-
    message_queue_create(Q),
    E is D-1,
    Step is 10**E,
    children(10, E, N, Step, Q, Ts),
    added(10, Q, 0, S),
    joined(Ts),
    message_queue_destroy(Q).

children(0, _, _, _, _, []) :- !.
children(K, D, N, Step, Q, [T|Ts]) :-
    thread_create(( sum(D, N, S), thread_send_message(Q, S) ), T),
    M is N+Step,
    K1 is K-1,
    children(K1, D, M, Step, Q, Ts).

added(0, _, S, S) :- !.
added(K, Q, S0, S) :-
    thread_get_message(Q, X),
    S1 is S0+X,
    K1 is K-1,
    added(K1, Q, S1, S).

joined([]).
joined([T|Ts]) :- thread_join(T, _), joined(Ts).
