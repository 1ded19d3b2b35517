:- assertz((foo :- 1)).
:- assertz((foo, bar)).
:- assertz((p(X) :- X, 1)).
:- assertz(X).
:- assertz(atom_length(1, 2)).
:- asserta((a => b)).
:- foo.
