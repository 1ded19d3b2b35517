:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- true.
:- writeln(in).
foo.
