:- use_module(library(plunit)).
:- begin_tests(u1, [blocked(foo)]).
test(one).
:- end_tests(u1).
:- begin_tests(u2, [condition(fail)]).
test(one).
:- end_tests(u2).
:- begin_tests(u3, [setup(fail)]).
test(one).
:- end_tests(u3).
:- begin_tests(u4, [setup(throw(x))]).
test(one).
:- end_tests(u4).
:- begin_tests(u5, [cleanup(fail)]).
test(one).
:- end_tests(u5).
:- begin_tests(u6, [cleanup(throw(x))]).
test(one) :- format("hello~n").
test(x, [true(fail)]) :- format("hello").
:- end_tests(u6).
:- begin_tests(u7, [nosuch(1)]).
test(one).
:- end_tests(u7).
:- begin_tests(u8).
test(one, nosuch).
test(two, [X==1,X==2]).
test(three, [foo(_)]) :- true.
test(four, [X]) :- true.
test(five, [sto(rational_trees)]).
test(Y).
:- end_tests(u8).
:- begin_tests(u9).
:- end_tests(u8).
:- end_tests(u9).
:- begin_tests(u10).
test(a).
