% Heads: what is read, what is built, registers that change places.
listed([app/3, rev/3, swap/3, deep/2, twice/2, nested/1, list/1, text/1, void/3]).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

rev([], L, L).
rev([X|Xs], Ys, Zs) :- rev(Xs, [X|Ys], Zs).

swap(A, B, C) :- swap(B, C, A).

deep(f(g(X), h(Y, X)), Y).

twice(X, X).

nested([[a|X]|X]).

list([1, 2, c, -5]).

text("a string").

void(_, _, _).
