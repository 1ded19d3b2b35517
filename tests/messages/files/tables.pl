:- table p/1, q(_, foo), 3.
:- table X.
p(1).
