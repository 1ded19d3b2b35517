:- use_module(library(plunit)).
:- begin_tests(a).
test(a) :- member(X, [1,2,3]), X > 1.
test(a, [true(X == 2)]) :- member(X, [1,2,3]), X > 1.
test(a, [true(X == 3), nondet]) :- member(X, [1,2,3]), X > 1.
test(a, [nondet, X == 2]) :- X = 2.
:- end_tests(a).
:- run_tests(a).
:- run_tests.
