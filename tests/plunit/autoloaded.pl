:- begin_tests(auto).
test(one, X == 1) :- X = 1.
:- end_tests(auto).
:- begin_tests(other).
one(1).
test(one, X == 1) :- one(X).
:- end_tests(other).
