:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- running_tests.
test(two) :- thread_create(running_tests,Id), thread_join(Id,_).
test(three) :- true.
:- end_tests(a).
:- begin_tests(b).
test(one, nondet) :- halt(3).
:- end_tests(b).
