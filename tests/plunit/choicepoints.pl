:- use_module(library(plunit)).
:- begin_tests(a).
test(x) :- X = 1, !, X == 1.
test(x) :- ( true ; true ).
test(x, [nondet]) :- ( true ; true ).
test(x) :- ( true ; fail ).
test(x) :- ( fail ; true ).
test(x) :- between(1,2,_), !.
test(x) :- once(member(_,[1,2])).
test(x) :- \+ fail.
test(x) :- forall(fail,true).
:- end_tests(a).
