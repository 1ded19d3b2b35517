:- use_module(library(plunit)).
:- begin_tests(a, [setup(fail)]).
test(one) :- true.
:- end_tests(a).
