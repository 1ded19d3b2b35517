% What there is elsewhere, or with another number of arguments, is named.
m:p(1).
m:p(1, 2).
n:r(1) :- s(1).
n:s(1, 2).
t(1).
:- p(1).
:- p.
:- n:r(1).
:- m:t(1, 2).
:- listing(p/1).
:- listing(r).
:- listing(p/7).
:- listing(no_such).
:- listing(lists:no_such).
% Nearly the same names.
:- apend([a], [b], X), print(X).
:- atomConcat(a, b, X), print(X).
:- wriet(x).
:- foldr_all(x).
edge_cost(a, b).
:- egde_cost(a, b).
:- edge_costs(a).
:- vra(x, y).
