:- use_module(library(plunit)).
:- set_test_options([silent(true)]).
:- begin_tests(a).
test(a) :- true.
test(b) :- write(x).
test(c) :- fail.
test(d) :- member(_,[1,2]).
test(e, blocked(x)) :- true.
test(f, fixme(x)) :- true.
test(g, fixme(x)) :- fail.
:- end_tests(a).
