%   Path Right: a table for each node. The runner appends edge/2.
:- table path/2.
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
query(path(_, _)).
