% A ring of 503 threads passes a number on, which each makes smaller by one: 30,000 hops.

main :-
    thread_self(Me),
    thread_create(first(Me), First),
    chain(502, Me, First, Second),
    thread_send_message(First, next(Second)),
    thread_send_message(Second, 30000),
    thread_get_message(done(N)),
    format('ring ~w~n', [N]).

% chain(N, Main, Next, Thread): N threads, the last of which sends to Next.
chain(0, _, Thread, Thread) :- !.
chain(N, Main, Next, Thread) :-
    thread_create(node(Next, Main), T, [detached(true)]),
    M is N-1,
    chain(M, Main, T, Thread).

first(Main) :-
    thread_get_message(next(Next)),
    node(Next, Main).

node(Next, Main) :-
    thread_get_message(N),
    integer(N),
    (   N =:= 0
    ->  thread_send_message(Main, done(N))
    ;   M is N-1,
        thread_send_message(Next, M),
        node(Next, Main)
    ).
