:- use_module(library(plunit)).
:- begin_tests(long).
test(deep, X == f(y)) :- length(L, 200), maplist(=(a), L), X = f(L).
test(ops, X == (a:-b,c;d->e)) :- X = - (1).
test(string, X == "a\nb") :- X = 'a\nb'.
test(braces, X == {a}) :- X = '$VAR'(1).
test(shared, X-Y == Z-Z) :- X = g(_), Y = g(_), Z = X.
test(attvar, X == 1) :- put_attr(X, my, 1).
test(all, all(X-Y == [a-B,b-B])) :- member(X, [a,b]), Y = _.
test(set, set(X == [c,b,a])) :- member(X, [a,b,c,a]).
test(set2, set(X =@= [f(_),a])) :- member(X, [a,f(_)]).
:- end_tests(long).
