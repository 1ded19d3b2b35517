p(1).
q(1).
p(2).
q(2).
:- discontiguous r/1.
r(1).
p(3).
r(2).
