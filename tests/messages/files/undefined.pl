p(X) :- q(X).
r(X) :- lenght(X, 3).
s(X) :- append(X).
t :- no_such_module:foo(1).
:- p(1).
:- r([]).
:- t.
:- append(a).
