% 4,000 threads that wait all at the same time, twice, with something to go on with: what each takes is in the peak memory.

main :-
    created(4000, Ts),
    told(Ts, first),
    told(Ts, second),
    joined(Ts, 0, N),
    format('many ~w~n', [N]).

created(0, []) :- !.
created(N, [T|Ts]) :-
    thread_create(waits(N, f(N, _, _)), T),
    M is N-1,
    created(M, Ts).

waits(N, f(M, A, B)) :-
    thread_get_message(first(A)),
    thread_get_message(second(B)),
    N =:= M+A-B.

told([], _).
told([T|Ts], What) :- Message =.. [What, 1], thread_send_message(T, Message), told(Ts, What).

joined([], N, N).
joined([T|Ts], N0, N) :- thread_join(T, true), N1 is N0+1, joined(Ts, N1, N).
