:- begin_tests(beside_tests).
test(a, all(X==[1,2])) :- p(X).
:- end_tests(beside_tests).
