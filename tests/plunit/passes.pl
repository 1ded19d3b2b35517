:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- true.
test(two, X == 2) :- X is 1+1.
test(three, all(X == [1,2,3])) :- member(X,[1,2,3]).
test(four, [fail]) :- fail.
test(five, throws(foo)) :- throw(foo).
test(six, error(type_error(_,_))) :- atom_length(1,a).
:- end_tests(a).
