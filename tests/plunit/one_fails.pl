:- use_module(library(plunit)).
:- begin_tests(s).
test(a) :- fail.
test(b) :- true.
test(c) :- true.
:- end_tests(s).
