:- use_module(library(plunit)).
:- use_module(files/beside).
:- load_test_files([]).
:- initialization((run_tests(beside))).
:- initialization((run_tests(beside_tests))).
