%   Model Checking, IProtocol: the states of a sliding window protocol: a window of three, numbers modulo 6, channels of two messages that lose some, selective negative acknowledgement.
:- table reach/1.
reach(S) :- initial(S).
reach(S) :- reach(T), step(T, S).
query(reach(_)).

%   s(Oldest unacknowledged, Next to send, Next expected, Kept out of order, Frames on their way, Acknowledgements on their way).
initial(s(0, 0, 0, [], [], [])).
next(N, M) :- M is (N+1) mod 6.
within(A, N) :- D is (N-A) mod 6, D < 3.
room(Q) :- \+ Q = [_, _].
step(s(A, N, E, K, F, Q), s(A, M, E, K, F1, Q)) :- within(A, N), room(F), next(N, M), append(F, [N], F1).
step(s(A, N, E, K, F, Q), s(A, N, E, K, F1, Q)) :- A =\= N, room(F), append(F, [A], F1).
step(s(A, N, E, K, F, Q), s(A, N, E, K, F1, Q)) :- select(_, F, F1).
step(s(A, N, E, K, F, Q), s(A, N, E, K, F, Q1)) :- select(_, Q, Q1).
step(s(A, N, E, K, [M|F], Q), s(A, N, E1, K1, F, Q1)) :- room(Q), receive(M, E, K, E1, K1, R), append(Q, [R], Q1).
step(s(A, N, E, K, F, [ack(M)|Q]), s(A1, N, E, K, F, Q)) :- acknowledged(A, N, M, A1).
step(s(A, N, E, K, F, [nak(M)|Q]), s(A, N, E, K, F1, Q)) :- room(F), ( within(A, M), A =\= N -> append(F, [M], F1) ; F1 = F ).
receive(E, E, K, E2, K1, ack(E1)) :- !, next(E, E1), ( selectchk(E1, K, K1) -> next(E1, E2) ; E2 = E1, K1 = K ).
receive(M, E, K, E, K1, nak(E)) :- within(E, M), !, ( memberchk(M, K) -> K1 = K ; K1 = [M|K] ).
receive(_, E, K, E, K, ack(E)).
acknowledged(A, N, M, A1) :- D is (M-A) mod 6, L is (N-A) mod 6, ( D =< L -> A1 = M ; A1 = A ).
