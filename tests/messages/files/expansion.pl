term_expansion(bad(X), Y) :- Y is X + foo.
bad(1).
good(1).
:- good(X), print(X), nl.
