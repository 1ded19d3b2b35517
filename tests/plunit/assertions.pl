% Assertions within tests: all that do not hold are told of, and the test fails when it has ended.
:- use_module(library(plunit)).

:- begin_tests(assertions).

test(one) :- assertion(1 =:= 2).
test(two) :- X = 3, assertion(X > 4), assertion(p(X)).
test(nondet, [nondet]) :- member(X, [1, 2]), assertion(X < 1).
test(raises) :- assertion(1 < _).
test(holds) :- assertion(p(1)).
test(each, forall(member(X, [1, 2]))) :- assertion(X =:= 1).
test(then_fails) :- assertion(1 > 2), 1 > 2.
test(then_wrong, X == 1) :- assertion(1 > 2), X = 2.
test(thrown, throws(x)) :- assertion(1 > 2), throw(x).
test(no, fail) :- assertion(1 > 2), 1 > 2.

p(1).

:- end_tests(assertions).

:- begin_tests(alone).

test(one) :- assertion(1 > 2).

:- end_tests(alone).

:- initialization(( run_tests -> true ; writeln(failed) )).
:- initialization(( run_tests(alone) -> true ; writeln(failed) )).
