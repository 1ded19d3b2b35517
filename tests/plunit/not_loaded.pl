:- use_module(library(plunit)).
:- set_test_options([load(never)]).
:- begin_tests(a).
helper(1).
test(one) :- fail.
:- writeln(directive).
:- end_tests(a).
:- set_test_options([load(normal)]).
:- begin_tests(b).
test(one) :- fail.
:- end_tests(b).
