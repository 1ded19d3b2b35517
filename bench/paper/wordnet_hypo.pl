%   WordNet, Hypo: a closure, called for each of the 117,659 synsets. The facts are those of examples/wordnet.
:- table closure/2.
closure(X, Y) :- hypo(X, Y).
closure(X, Y) :- closure(X, Z), hypo(Z, Y).
query(( between(1, 117659, X), closure(X, _) )).
