p(X, Y) :- X = Y = 1.
q :- :- p.
r(X) :- X is 1 - - - .
s :- a --> b.
t(a :- b).
