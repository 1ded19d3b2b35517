% Dynamic rules run goal by goal when they are called for the first time, and as code afterwards, if nothing comes back into their bodies. Each of these
% clauses is asserted, called twice and compared: the same solutions in the same order, bindings, errors, output and choicepoints.

c(goal(X, Y), ( Y = f(X) )).
c(cut(X, Y), ( integer(X), !, Y = integer )).
c(cut(X, _), ( X == a, !, fail )).
c(cut(_, Y), ( Y = other )).
c(cut(_, Y), ( member(Y, [1, 2]) )).
c(last(X, Y), ( var(Y), member(Y, [X, 1]) )).
c(last_cut(X, Y), ( X = Z, Z = Y, ! )).
c(last_cut(_, never), true).
c(shared(X, X), ( X = X )).
c(shared(f(X, Y), g(Y, X)), ( X \== Y, true )).
c(number(X, Y), ( X > 2, Y is X * 1000000000000000000000 )).
c(number(X, Y), ( X =< 2.5, Y is X / 2 )).
c(error(X, Y), ( Y is X + foo )).
c(error(X, Y), ( undefined_here(X, Y) )).
c(error2(X, Y), ( Y = X, X > a )).
c(called(_, Y), ( Y = write(y), Y )).
c(called2(X, Y), ( Y = 1, call(X) )).
c(condition(X, Y), ( X = 1, ( Y = a ; Y = b ), ( Y == a -> true ; X == 1 ) )).
c(negated(X, _), ( X \= 1, \+ X = 2 )).
c(in_module(X, Y), ( true, lists:append(X, [Y], [1, 2]) )).
c(findall(X, Y), ( var(Y), findall(Z, member(Z, X), Y) )).
c(text(X, "text"), ( string(X), X == "text" )).
c(big(123456789012345678901234567890, Y), ( Y = 1.5 )).
c([X|Y], ( X = Y )).
c(nothing, ( true, write(nothing) )).
c(nothing, fail).
c(recursive(0, []), ( true )).
c(recursive(N, [N|T]), ( N > 0, N1 is N - 1, recursive(N1, T) )).
c(wakes(X, Y), ( X = 1, Y = 2, write(end) )).

% The predicates with their calls.
calls(goal(1, _)).
calls(goal(A, A)).
calls(cut(1, _)).
calls(cut(a, _)).
calls(cut(b, _)).
calls(last(3, _)).
calls(last_cut(1, _)).
calls(last_cut(_, _)).
calls(shared(_, _)).
calls(shared(f(1, 2), _)).
calls(shared(f(1, 1), _)).
calls(number(2.2, _)).
calls(number(3, _)).
calls(number(_, _)).
calls(error(1, _)).
calls(error2(1, _)).
calls(called(_, _)).
calls(called2(write(x), _)).
calls(called2(3, _)).
calls(called2(!, _)).
calls(condition(_, _)).
calls(negated(3, _)).
calls(negated(_, _)).
calls(in_module(_, _)).
calls(findall([a, b], _)).
calls(text("text", _)).
calls(text(_, _)).
calls(big(_, _)).
calls('[|]'(_, _)).
calls(nothing).
calls(recursive(3, _)).
calls(recursive(_, [])).

assert_all(F/N) :-
    abolish(F/N),
    dynamic(F/N),
    functor(H, F, N),
    forall(c(H, B), assertz((H :- B))).

% What comes of a call: each solution, whether it is the last one known, and the error at the end.
outcome(G, Text-Solutions) :-
    with_output_to(string(Text), findall(S, solution(G, S), Solutions)).
solution(G, S) :-
    catch(( call_cleanup(G, Det = det), S = G-Det ), error(E, C), ( C = context(P, _), S = E-P )).

differs(G, First, Second) :-
    calls(G),
    functor(G, F, N),
    assert_all(F/N),
    outcome(G, First),
    outcome(G, Second),
    \+ First =@= Second.

woken(O) :-
    assert_all(wakes/2),
    with_output_to(string(O), (
        freeze(X, ( write(x), Y = 2 )), freeze(Y, write(y)), wakes(X, Y),
        freeze(Z, fail), \+ wakes(Z, _)
    )).

% The body is that of the version called, whatever is asserted meanwhile; and one that takes itself away goes on.
gone(R) :-
    abolish(gone_rule/1),
    assertz((gone_rule(X) :- retract((gone_rule(_) :- _)), X = 1)),
    assertz((gone_rule2(X) :- gone_rule(X))),
    gone_rule2(R),
    \+ clause(gone_rule(_), _).
:- dynamic gone_rule/1, gone_rule2/1, long/1.

% A body of many goals, and a head that many variables are in.
long(N, R) :-
    abolish(long/1),
    long_body(N, X, R0, B),
    assertz((long(X-R0) :- B)),
    long(0-R),
    long(0-R2),
    R == R2.
long_body(0, X, X, true) :- !.
long_body(N, X, R, ( Y is X + 1, atom(a), B )) :- N1 is N - 1, long_body(N1, Y, R, B).

t(as_again, findall(G-F-S, differs(G, F, S), Ds), [Ds], answers([[[]]])).
t(wakes, woken(O), [O], answers([["xyend"]])).
t(takes_itself_away, gone(R), [R], answers([[1]])).
t(long_body, long(50000, R), [R], answers([[50000]])).
t(limit_of_inferences,
  ( abolish(many/1), assertz((many(X) :- repeat, X = 1, fail)), call_with_inference_limit(many(_), 1000, R) ), [R], answers([[inference_limit_exceeded]])).
