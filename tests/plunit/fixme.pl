:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- true.
test(two, fixme(x)) :- true.
test(two, fixme(x)) :- fail.
:- end_tests(a).
