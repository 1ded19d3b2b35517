:- use_module(library(plunit)).
:- begin_tests(a).
test(x) :- format("hello~n").
test(x) :- format("no newline").
test(x) :- format(user_error,"err~n",[]).
test(x) :- format(user_error,"err",[]), fail.
test(x) :- print_message(informational,format("i",[])).
test(x) :- print_message(warning,format("w",[])).
test(x) :- print_message(error,format("e",[])).
test(x) :- print_message(silent,format("s",[])).
test(x) :- print_message(help,format("h",[])).
test(x) :- nl.
test(x, X == "abc") :- with_output_to(string(X), write(abc)).
:- end_tests(a).
