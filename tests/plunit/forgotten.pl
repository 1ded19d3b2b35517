:- use_module(library(plunit)).
:- set_test_options([cleanup(true)]).
:- begin_tests(a).
test(one) :- true.
test(x,[fixme(a)]) :- fail.
test(x,[fixme(a)]) :- fail.
test(x,[fixme(a)]) :- true.
:- end_tests(a).
:- initialization((consult(unclosed),consult('s4.pl'),run_tests,test_report(fixme))).
