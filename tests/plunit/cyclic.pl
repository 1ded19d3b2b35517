:- use_module(library(plunit)).
cyclic(1, X) :- X = f(X).
cyclic(2, X) :- X = [a|X].
:- begin_tests(cyclic).
test(each, [forall(cyclic(_, X))]) :- cyclic_term(X).
test(each, [forall(cyclic(1, X)), fixme(later)]) :- X == a.
test(one, [setup(X = f(X)), fail]) :- acyclic_term(X).
:- end_tests(cyclic).
