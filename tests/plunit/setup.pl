:- use_module(library(plunit)).
:- begin_tests(a, [setup(writeln(setup)),cleanup(writeln(cleanup))]).
test(one, [setup(writeln(s1)),cleanup(writeln(c1)),condition(writeln(cond1))]) :- writeln(one).
test(one, [setup(fail),cleanup(writeln(c1)),condition(writeln(cond1))]) :- writeln(one).
:- end_tests(a).
:- begin_tests(b, [setup(writeln(setup)),cleanup(writeln(cleanup)),condition(throw(x))]).
test(one) :- true.
:- end_tests(b).
:- begin_tests(c, [setup(p),cleanup(q)]).
p :- writeln(p).
q :- writeln(q).
test(one) :- true.
:- end_tests(c).
:- begin_tests(d, []).
test(one,blocked(x)) :- true.
:- end_tests(d).
:- begin_tests(e, [sto(rational_trees),setup(true)]).
test(one,[sto(rational_trees)]) :- true.
test(two,[sto(finite_trees)]) :- X = f(X).
test(three) :- X = f(X).
test(four,[sto(rational_trees)]) :- X = f(X).
:- end_tests(e).
