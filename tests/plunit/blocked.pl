:- use_module(library(plunit)).
:- begin_tests(s).
test(a) :- true.
test(a, [blocked(x)]) :- true.
test(c, [blocked(foo(Y)), true(Y==1)]) :- true.
test(b, [blocked(y)]) :- true.
:- end_tests(s).
:- begin_tests(s2, [blocked(why)]).
test(a) :- true.
:- end_tests(s2).
:- begin_tests(s3, [blocked(why2)]).
test(a) :- true.
:- end_tests(s3).
