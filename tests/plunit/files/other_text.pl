:- begin_tests(a).
test(three) :- fail.
:- end_tests(a).
:- begin_tests(bb).
test(three) :- fail.
:- end_tests(bb).
