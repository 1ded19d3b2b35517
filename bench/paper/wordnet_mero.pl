%   WordNet, Mero: a closure, called for each of the 117,659 synsets. The facts are those of examples/wordnet.
:- table closure/2.
closure(X, Y) :- mero(X, Y).
closure(X, Y) :- closure(X, Z), mero(Z, Y).
query(( between(1, 117659, X), closure(X, _) )).
