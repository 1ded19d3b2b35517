% 3,000 threads that all wait for a message at a time, and get it.

main :-
    created(3000, Ts),
    told(Ts),
    joined(Ts, 0, N),
    format('blocked ~w~n', [N]).

created(0, []) :- !.
created(N, [T|Ts]) :-
    thread_create(thread_get_message(go(_)), T),
    M is N-1,
    created(M, Ts).

told([]).
told([T|Ts]) :- thread_send_message(T, go(1)), told(Ts).

joined([], N, N).
joined([T|Ts], N0, N) :- thread_join(T, true), N1 is N0+1, joined(Ts, N1, N).
