:- use_module(library(plunit)).
:- begin_tests(f).
test(one) :- fail.
test(two, X == 3) :- X is 1+1.
test(three, all(X == [1,2])) :- member(X,[1,2,3]).
test(four, [fail]) :- true.
test(five, throws(foo)) :- throw(bar).
test(six, throws(foo)) :- true.
test(seven) :- throw(oops).
test(eight) :- atom_length(_, _).
test(nine) :- member(_, [1,2]).
test(ten, X =:= 3) :- X is 1+1.
test(eleven, [true(X > 3)]) :- X is 1+1.
test(twelve, fail) :- throw(x).
test(thirteen, throws(foo)) :- fail.
test(fourteen, set(X == [a,b])) :- member(X,[b,c]).
test(sixteen, X = 3) :- X = 4.
test(seventeen, X =@= f(_)) :- X = f(a).
test(eighteen, blocked(because)) :- true.
test(nineteen, fixme(later)) :- fail.
test(twenty, fixme(later)) :- true.
test(twentyone, [condition(fail)]) :- fail.
test(twentytwo, [setup(fail)]) :- true.
test(twentythree, [setup(throw(a))]) :- true.
test(twentyfour, [cleanup(fail)]) :- true.
test(twentyfive, [cleanup(throw(a))]) :- true.
test(twentysix, [forall(member(X,[1,2,3])), true(X<3)]) :- true.
test(twentyseven, [error(type_error(_,_))]) :- throw(oops).
test(twentyeight, [forall(member(X,[1,2,3])), Y==X]) :- Y=2.
test(twentynine, X == 2) :- X = 2 ; X = 3.
test(thirty, [nondet, X == 2]) :- X = 2 ; X = 3.
:- end_tests(f).
