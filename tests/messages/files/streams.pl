:- open(no_such_file, read, _).
:- open(X, read, _), print(X).
:- close(no_such_stream).
:- put_char(user_input, x).
:- get_char(user_output, _).
:- format("~q").
:- format("~d~n", [a]).
:- format("~a ~a~n", [a]).
:- format("~y", []).
:- see(no_such_file).
