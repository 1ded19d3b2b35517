% listing/1 shows the names that variables have in the file, also where hooks have made the clauses of something else.

:- dynamic user:goal_expansion/2, user:term_expansion/2.
user:goal_expansion(double(X, Y), Y is X*2).
user:term_expansion(pair(X, Y), [first(X, Y), (second(Y, X) :- pair(X, Y, New), pair(Y, New, Newer), pair(Newer))]).

four(Result) :- double(4, Result).
twice(Number, Result) :- double(Number, Result), Number > Result.
pair(A, Right).

:- initialization(listing([four/1, twice/2, first/2, second/2])).
