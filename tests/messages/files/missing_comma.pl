p(X) :-
    integer(X)
    X > 1.
q(a b).
r([a b, c]).
