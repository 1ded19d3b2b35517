%   WordNet, Holo: a closure, called for each of the 117,659 synsets. The facts are those of examples/wordnet.
:- table closure/2.
closure(X, Y) :- holo(X, Y).
closure(X, Y) :- closure(X, Z), holo(Z, Y).
query(( between(1, 117659, X), closure(X, _) )).
