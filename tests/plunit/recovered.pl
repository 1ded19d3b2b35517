% A text with faults in it: what is right runs.
:- use_module(library(plunit)).
:- begin_tests(faults).
test(one) :- true
test(two) :- true.
test(three) :- true.
test(four, X == 1) :- X == .
test(five, [true(1 == 1)]) :- true.
:- nosuch_directive.
:- fail.
test(six) :- undefined_here.
test(seven, error(existence_error(procedure, _), _)) :- undefined_here.
:- end_tests(faults).
:- end_tests(faults).
