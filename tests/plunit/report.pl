:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- true.
test(x,[fixme(a)]) :- fail.
test(x,[fixme(b)]) :- throw(x).
test(x,[fixme(c)]) :- member(_,[1,2]).
test(y,[fixme(c)]) :- true.
:- end_tests(a).
:- initialization((run_tests,format(user_error,"--~n",[]),test_report(fixme),format(user_error,"--~n",[]), run_tests(a:x))).
