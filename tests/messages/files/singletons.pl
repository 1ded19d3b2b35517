p(X, Y) :- q(X).
q(_X) :- r(_X).
r(X) :- ( X = 1, Y = 2 ; X = 2 ).
s(X) :- \+ member(Y, X).
t(_, __Z, _1).
marked(_lower, _Upper, __two, _1).
marked(_lower, _lower).
