%   Model Checking, Leader: the states of an election on a ring of seven processes (Chang and Roberts): each sends its number, passes on larger ones, drops smaller ones, and is the leader when its own comes back.
:- table reach/1.
reach(S) :- initial(S).
reach(S) :- reach(T), step(T, S).
query(reach(_)).

%   A process is p(Number, State, Messages that have come).
initial([p(3, idle, []), p(1, idle, []), p(4, idle, []), p(7, idle, []), p(5, idle, []), p(2, idle, []), p(6, idle, [])]).
step(S, T) :- nth0(I, S, p(N, State, In)), act(State, N, In, New, Rest, Out), put(S, I, p(N, New, Rest), S1), send(Out, I, S1, T).
act(idle, N, In, started, In, [N]).
act(started, N, [M|In], started, In, [M]) :- M > N.
act(started, N, [M|In], started, In, []) :- M < N.
act(started, N, [N|In], leader, In, []).
send([], _, S, S).
send([M], I, S, T) :- length(S, L), J is (I+1) mod L, nth0(J, S, p(N, State, In)), append(In, [M], New), put(S, J, p(N, State, New), T).
put([_|Xs], 0, X, [X|Xs]) :- !.
put([Y|Ys], I, X, [Y|Zs]) :- J is I-1, put(Ys, J, X, Zs).
