p(X) :- assertion(integer(X)).
:- p(a).
:- assertion(undefined_check).
:- must_be(positive_integer, 0).
:- must_be(no_such_type, 0).
:- must_be(list(integer), [a]).
