:- use_module(library(plunit)).
:- begin_tests(output).
test(line) :- format("a line~n").
test(half) :- format("half a line").
test(error) :- format(user_error, "to the other~n", []).
test(half_error) :- format(user_error, "half", []).
test(message) :- print_message(warning, format("a warning", [])).
test(wrong, X == 1) :- format("before~n"), X = 2.
test(wrong_half, X == 1) :- format("before"), X = 2.
test(captured, X == "text") :- with_output_to(string(X), write(text)).
test(left) :- format("~n~n").
:- end_tests(output).
