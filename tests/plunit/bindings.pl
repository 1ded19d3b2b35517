:- use_module(library(plunit)).
:- begin_tests(a).
test(a, [setup(b_setval(v,1))]) :- b_getval(v,1).
test(b, [setup(nb_setval(v,2)), cleanup(nb_setval(v,3)), X == 2]) :- nb_getval(v,X).
test(c, X == 3) :- nb_getval(v,X).
test(d, [setup(X = 1), Y == 1]) :- Y = X.
test(e, [setup(member(X,[1,2])), Y == 1]) :- Y = X.
test(f, [setup(member(X,[1,2])), cleanup(print(X)), X == 2]) :- X = 2.
test(g, [setup(X=1), cleanup(print(c(X))), condition(true)]) :- fail.
:- end_tests(a).
