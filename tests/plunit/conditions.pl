:- use_module(library(plunit)).
:- begin_tests(a).
test(a, [condition(current_prolog_flag(bounded,false))]) :- X is 2**100, X > 0.
test(b, [condition(current_prolog_flag(bounded,true))]) :- fail.
test(c, [condition((true,fail))]) :- fail.
test(d, [condition(fail), blocked(x)]) :- fail.
test(e, [condition(fail), fixme(x)]) :- fail.
test(f, [condition(write(c))]) :- write(f).
test(g, [condition(member(X,[1,2])), X == 2]) :- X = 2.
:- end_tests(a).
