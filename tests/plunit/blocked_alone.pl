:- use_module(library(plunit)).
:- begin_tests(s).
test(c, blocked(a)) :- true.
:- end_tests(s).
