% Powers of a polynomial in three variables, kept sorted as nested lists of
% exponent and coefficient: structure building, integer comparison, three-way
% choice.
% Counted with: power(16, P, Q) => power(6, P, Q)

main :-
    base(P),
    power(16, P, Q),
    mul(Q, Q, R),
    count(R, 0, Terms),
    at(R, 2, V),
    format('poly ~w ~w~n', [Terms, V]).

% A polynomial is an integer or p(Var, [E-Coeff, ...]) with exponents rising,
% and coefficients in later variables only.
base(P) :-
    X = p(x, [1-1]),
    Y = p(y, [1-1]),
    Z = p(z, [1-1]),
    add(1, X, A),
    add(A, Y, B),
    add(B, Z, P).

power(0, _, 1) :- !.
power(N, P, R) :-
    M is N-1,
    power(M, P, Q),
    mul(P, Q, R).

add(A, B, C) :- integer(A), integer(B), !,
    C is A+B.
add(A, p(V, Ts), p(V, Us)) :- integer(A), !,
    add_terms(Ts, [0-A], Us).
add(p(V, Ts), B, p(V, Us)) :- integer(B), !,
    add_terms(Ts, [0-B], Us).
add(p(V, Ts), p(W, Us), R) :-
    compare(O, V, W),
    add(O, V, Ts, W, Us, R).

add(=, V, Ts, _, Us, p(V, Ws)) :-
    add_terms(Ts, Us, Ws).
add(<, V, Ts, W, Us, p(V, Ws)) :-
    add_terms(Ts, [0-p(W, Us)], Ws).
add(>, V, Ts, W, Us, p(W, Ws)) :-
    add_terms([0-p(V, Ts)], Us, Ws).

add_terms([], Us, Us) :- !.
add_terms(Ts, [], Ts) :- !.
add_terms([E-A|Ts], [F-B|Us], Ws) :-
    (   E =:= F
    ->  add(A, B, C),
        Ws = [E-C|Rest],
        add_terms(Ts, Us, Rest)
    ;   E < F
    ->  Ws = [E-A|Rest],
        add_terms(Ts, [F-B|Us], Rest)
    ;   Ws = [F-B|Rest],
        add_terms([E-A|Ts], Us, Rest)
    ).

mul(A, B, C) :- integer(A), integer(B), !,
    C is A*B.
mul(A, p(V, Ts), p(V, Us)) :- integer(A), !,
    scale(Ts, 0, A, Us).
mul(p(V, Ts), B, p(V, Us)) :- integer(B), !,
    scale(Ts, 0, B, Us).
mul(p(V, Ts), p(W, Us), R) :-
    compare(O, V, W),
    mul(O, V, Ts, W, Us, R).

mul(=, V, Ts, _, Us, p(V, Ws)) :-
    mul_terms(Ts, Us, Ws).
mul(<, V, Ts, W, Us, p(V, Ws)) :-
    scale(Ts, 0, p(W, Us), Ws).
mul(>, V, Ts, W, Us, p(W, Ws)) :-
    scale(Us, 0, p(V, Ts), Ws).

mul_terms([], _, []).
mul_terms([E-A|Ts], Us, Ws) :-
    scale(Us, E, A, First),
    mul_terms(Ts, Us, Rest),
    add_terms(First, Rest, Ws).

scale([], _, _, []).
scale([E-A|Ts], N, F, [M-B|Us]) :-
    M is E+N,
    mul(A, F, B),
    scale(Ts, N, F, Us).

count(C, N0, N) :- integer(C), !,
    N is N0+1.
count(p(_, Ts), N0, N) :-
    count_terms(Ts, N0, N).

count_terms([], N, N).
count_terms([_-A|Ts], N0, N) :-
    count(A, N0, N1),
    count_terms(Ts, N1, N).

% The value with every variable at X, modulo a prime.
at(C, _, V) :- integer(C), !,
    V is C mod 1000003.
at(p(_, Ts), X, V) :-
    at_terms(Ts, X, 0, V).

at_terms([], _, V, V).
at_terms([E-A|Ts], X, V0, V) :-
    at(A, X, W),
    raise(E, X, 1, F),
    V1 is (V0+W*F) mod 1000003,
    at_terms(Ts, X, V1, V).

raise(0, _, F, F) :- !.
raise(E, X, F0, F) :-
    F1 is F0*X mod 1000003,
    E1 is E-1,
    raise(E1, X, F1, F).
