:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- true.
test(two) :- true.
test(two, fixme(x)) :- true.
test(two, blocked(x)) :- fail.
:- end_tests(a).
