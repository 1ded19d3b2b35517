:- use_module(library(plunit)).

:- begin_tests(unwinding).

test(thrown) :- throw(unwind(foo)).
test(expected, throws(unwind(_))) :- throw(unwind(foo)).
test(after) :- true.

:- end_tests(unwinding).
