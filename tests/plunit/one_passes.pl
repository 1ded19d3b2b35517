:- use_module(library(plunit)).
:- begin_tests(s).
test(c) :- true.
:- end_tests(s).
:- begin_tests(t).
:- end_tests(t).
