p(1).
q(X) :- p(X)
