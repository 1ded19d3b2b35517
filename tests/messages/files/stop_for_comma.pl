p(X) :-
    integer(X).
    X > 1.
q(2).
