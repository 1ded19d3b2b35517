:- use_module(library(plunit)).
:- begin_tests(a).
test(x, [setup(write(s1)), cleanup(write(c1))]) :- write(b).
test(y, [setup(write(s1)), cleanup(write(c1))]) :- fail.
test(z, [setup(write(s1)), cleanup(write(c1))]) :- throw(b).
test(w, [setup(fail), cleanup(write(c1))]) :- write(b).
test(v, [setup(throw(x)), cleanup(write(c1))]) :- write(b).
test(u, [cleanup(fail)]) :- write(b).
test(t, [cleanup(throw(x))]) :- write(b).
test(s, [setup(write(s1)), cleanup(write(c1)), condition(fail)]) :- write(b).
test(r, [setup(write(s1)), cleanup(write(c1)), blocked(x)]) :- write(b).
test(q, [setup(write(s1)), cleanup(write(c1)), fixme(x)]) :- write(b).
:- end_tests(a).
