:- use_module(library(plunit)).
:- begin_tests(s).
test(a,[fixme(x)]) :- true.
test(a, [fixme(x)]) :- true.
test(b, [fixme(y)]) :- true.
:- end_tests(s).
