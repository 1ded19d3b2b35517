:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- catch(run_tests(b),E,print_message(error,E)).
test(two) :- true.
:- end_tests(a).
:- begin_tests(b).
test(one) :- fail.
:- end_tests(b).
