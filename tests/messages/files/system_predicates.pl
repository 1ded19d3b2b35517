atom_length(1, 2).
append(a, b, c).
write(x) :- true.
(a :- b) :- c.
!.
is(X, X).
p(1).
