% catch/3 and throw/1 in a loop: the case where nothing is thrown, balls thrown
% from some depth, handlers that do not match, errors raised by builtins.
% Counted with: calm(600000, 0, A) => calm(15000, 0, A)
% Counted with: stormy(160000, 0, B) => stormy(4000, 0, B)
% Counted with: nested(40000, 0, C) => nested(1000, 0, C)
% Counted with: errors(40000, 0, D) => errors(1000, 0, D)

main :-
    calm(600000, 0, A),
    stormy(160000, 0, B),
    nested(40000, 0, C),
    errors(40000, 0, D),
    format('exceptions ~w ~w ~w ~w~n', [A, B, C, D]).

calm(0, S, S) :- !.
calm(N, S0, S) :-
    catch(step(N, K), _, K = 0),
    S1 is (S0+K) mod 1000003,
    M is N-1,
    calm(M, S1, S).

step(N, K) :-
    K is N mod 17.

stormy(0, S, S) :- !.
stormy(N, S0, S) :-
    D is N mod 11,
    catch(sink(D, N, K), ball(X, _), K = X),
    S1 is (S0*3+K) mod 1000003,
    M is N-1,
    stormy(M, S1, S).

sink(0, N, _) :-
    throw(ball(N, [some, payload(N)])).
sink(D, N, K) :-
    D > 0,
    D1 is D-1,
    sink(D1, N, K0),
    K is K0+1.

% The ball passes handlers meant for others, and is thrown again once.
nested(0, S, S) :- !.
nested(N, S0, S) :-
    catch(outer(N), done(K), true),
    S1 is (S0*3+K) mod 1000003,
    M is N-1,
    nested(M, S1, S).

outer(N) :-
    catch(middle(N), again(K), (K1 is K+1, throw(done(K1)))).

middle(N) :-
    catch(catch(catch(inner(N), other, true), another(_), true), done(_, _), true).

inner(N) :-
    throw(again(N)).

errors(0, S, S) :- !.
errors(N, S0, S) :-
    K is N mod 4,
    catch(wrong(K), error(E, _), classify(E, X)),
    S1 is (S0*5+X) mod 1000003,
    M is N-1,
    errors(M, S1, S).

wrong(0) :- X = foo, _ is X+1.
wrong(1) :- atom_length(_, _).
wrong(2) :- Z = 0, _ is 1 // Z.
wrong(3) :- atom_length(f(x), _).

classify(type_error(evaluable, _), 1).
classify(instantiation_error, 2).
classify(evaluation_error(zero_divisor), 3).
classify(type_error(_, f(_)), 4).
