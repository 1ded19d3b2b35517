% Bodies: frames and their reuse, cuts, conditions, tests, arithmetic, builtins in place.
listed([chain/2, reuse/2, cut/2, cond/2, soft/2, not/1, or/2, arith/3, fib/2, compare/2, inline/2, meta/2, unify/2]).

p(_).
q(_, _).

chain(X, Z) :- p(X), q(X, Y), q(Y, Z).

reuse(X, Y) :- p(X), p(X), p(Y), p(Y).

cut(X, Y) :- p(X), !, q(X, Y).
cut(_, a).

cond(X, Y) :- ( X = f(Z), p(Z) -> Y = Z ; var(X) -> Y = none ; Y = X ), p(Y).

soft(X, Y) :- ( q(X, Y) *-> p(Y) ; Y = [] ).

not(X) :- \+ p(X), \+ X == a.

or(X, Y) :- ( p(X) ; q(X, Y) ; X = Y ), p(Y).

arith(X, Y, Z) :- Z is (X + 1) * Y - sqrt(X) // 2.

fib(N, F) :- N > 1, !, N1 is N-1, N2 is N-2, fib(N1, F1), fib(N2, F2), F is F1+F2.
fib(N, N).

compare(X, Y) :- X =< Y, X =:= 2, X \= Y, X @< Y.

inline(T, N) :- functor(T, N, A), arg(1, T, X), p(X), p(A).

meta(X, L) :- findall(Y, q(X, Y), L), call(p, X), X.

unify(X, Y) :- X = f(Y, A, A), Y = [A|_], p(X).
