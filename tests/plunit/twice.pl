:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- fail.
:- end_tests(a).
:- begin_tests(a).
test(two) :- fail.
:- end_tests(a).
:- load_files('files/other_text.pl').
