p(X), X > 0 => true.
p(1) :- true.
q(1) => true.
:- q(2).
r => !, .
