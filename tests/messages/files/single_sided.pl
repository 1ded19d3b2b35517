p(1) => true.
q(X), X > 1 => print(X).
:- p(1).
