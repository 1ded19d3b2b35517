%   Model Checking, Sieve: the states that a pipeline of processes can be in, which sieve the numbers up to 40: a generator, filters for the primes that have come, a cell of a number between each two.
:- table reach/1.
reach(S) :- initial(S).
reach(S) :- reach(T), step(T, S).
query(reach(_)).

%   s(Next number, Filters): a filter is f(Prime, Cell), with 0 for what is not there yet.
initial(s(2, [f(0, 0), f(0, 0), f(0, 0), f(0, 0), f(0, 0), f(0, 0), f(0, 0)])).
step(s(N, [f(P, 0)|Fs]), s(M, [f(P, N)|Fs])) :- N =< 40, M is N+1.
step(s(N, Fs), s(N, Gs)) :- moves(Fs, Gs).
moves([f(0, X)|Fs], [f(X, 0)|Fs]) :- X > 0.
moves([f(P, X)|Fs], [f(P, 0)|Fs]) :- P > 0, X > 0, X mod P =:= 0.
moves([f(P, X), f(Q, 0)|Fs], [f(P, 0), f(Q, X)|Fs]) :- P > 0, X > 0, X mod P =\= 0.
moves([f(P, X)], [f(P, 0)]) :- P > 0, X > 0, X mod P =\= 0.
moves([F|Fs], [F|Gs]) :- moves(Fs, Gs).
