% An assertion that does not hold makes the solution fail in which it is, and no other: by what is bound, also where that is cyclic, and after tests that ran within.
:- use_module(library(plunit)).

:- begin_tests(solutions).

test(cyclic, forall(X = f(X))) :- assertion(1 =:= 2).
test(same, forall(member(X, [1, 2, 2, 1]))) :- assertion(X =:= 1).
test(variables, forall(member(_, [1, 2]))) :- assertion(true).
test(outer) :- assertion(1 > 2), catch(run_tests(inner), _, true).
test(after) :- assertion(true).

:- end_tests(solutions).

:- begin_tests(inner).

test(holds) :- assertion(true).
test(not) :- assertion(2 > 3).

:- end_tests(inner).
