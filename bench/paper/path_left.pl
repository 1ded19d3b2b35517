%   Path Left: one table. The runner appends edge/2.
:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
query(path(_, _)).
