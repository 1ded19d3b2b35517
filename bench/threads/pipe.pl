% 300,000 integers from one thread to another.

main :-
    thread_create(receive(300000, 0), Receiver),
    thread_create(send(300000, Receiver), Sender),
    thread_join(Sender, S),
    thread_join(Receiver, R),
    format('pipe ~w ~w~n', [S, R]).

send(0, _) :- !.
send(N, To) :-
    thread_send_message(To, N),
    M is N-1,
    send(M, To).

receive(0, Sum) :- !, Sum =:= 45000150000.
receive(N, Sum0) :-
    thread_get_message(X),
    Sum is Sum0+X,
    M is N-1,
    receive(M, Sum).
