% What one test leaves is there for the next.
:- use_module(library(plunit)).
:- dynamic(fact/1).
:- begin_tests(state, [setup(assertz(fact(0))), cleanup(retractall(fact(_)))]).
test(there, all(X == [0])) :- fact(X).
test(more, [setup(assertz(fact(1))), cleanup(retract(fact(1))), all(X == [0,1])]) :- fact(X).
test(gone, all(X == [0])) :- fact(X).
test(dies, [cleanup(assertz(fact(2))), throws(x)]) :- throw(x).
test(then, all(X == [0,2])) :- fact(X).
test(fails, [cleanup(assertz(fact(3))), fail]) :- fail.
test(last, all(X == [0,2,3])) :- fact(X).
test(binds, [setup(X = 1), cleanup(Y == 2), X+Y =:= 3]) :- Y is X+1.
:- end_tests(state).
:- begin_tests(gone, [condition(\+ fact(_))]).
test(gone, fail) :- fact(_).
:- end_tests(gone).
