a1 :- X == Y, f(X,Y).
a2(X) :- X == Y, f(X,Y).
a3 :- X \== Y, f(X,Y).
a4 :- X == a, f(X).
a5 :- X == X.
a6(X) :- X == X.
a7(X) :- X \== X.
b1 :- var(X), f(X).
b2 :- nonvar(X), f(X).
b3 :- atom(X), f(X).
b4 :- integer(X), f(X).
b5 :- compound(X), f(X).
b6(X) :- ( atom(Y) -> f(X,Y) ; g(Y) ).
b7(X) :- ( X == Y -> f(X,Y) ; true ).
b8 :- a == b.
b9 :- X = Y, X == Y.
c1 :- X = 1, f(Y), g(Y).
c2(X) :- X = Y.
c3 :- X = f(Y), g(Y).
c4(X) :- \+ X == Y, f(Y).
c5 :- f(X), X == Y, g(Y).
c6 :- ground(X), f(X).
c7 :- callable(X), f(X).
c8 :- is_list(X), f(X).
c9 :- X @< Y, f(X,Y).
d1 :- X =:= Y, f(X,Y).
d2 :- X is Y+1, f(X,Y).
d3 :- number(X), f(X).
d4 :- atomic(X), f(X).
d5 :- string(X), f(X).
d6 :- var(X).
d7 :- float(X), rational(Y), f(X,Y).
d8 :- functor(X,Y,Z), f(X,Y,Z).
d9(X) :- f(X), !, a == X ; Y == X, g(Y).
e1(X) :- X = _Y, _Y == 1.
e2 :- 'x' == Y, g(Y).
e3(X) :- forall(member(Y,X), Y == Z), g(Z).
e4(X) :- findall(Y, (member(Y,X), Y \== Z), L), g(Z,L).
e5(X) :- X == f(Y), g(Y).
f(_). f(_,_). f(_,_,_). g(_). g(_,_).
