:- use_module(library(plunit)).
:- begin_tests(s).
test(a,[fixme(x)]) :- fail.
:- end_tests(s).
