:- use_module(library(plunit)).
:- begin_tests(a).
test(one,setup(throw(x))) :- true.
test(two,condition(throw(x))) :- true.
:- end_tests(a).
