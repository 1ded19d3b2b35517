:- fail.
:- undefined_goal(1).
:- X is foo + 1, print(X).
:- atom_length(X, Y), print(X-Y).
:- throw(my_ball).
:- throw(error(my_error, _)).
:- 1.
:- X.
:- dynamic foo.
:- dynamic foo/a, bar/1.
:- unknown_directive foo.
