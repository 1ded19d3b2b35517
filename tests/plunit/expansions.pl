% Hooks of the program and of the unit's own module.
:- use_module(library(plunit)).
:- multifile(user:term_expansion/2).
:- dynamic(user:term_expansion/2).
user:term_expansion(made(N), [(test(N, X == N) :- X = N), helper(N)]).
user:term_expansion((:- told(X)), [told(X)]).
:- begin_tests(made).
:- dynamic(term_expansion/2).
term_expansion(own(X), [made(X), owned(X)]).
made(a).
own(b).
:- told(it).
test(helpers, all(X == [a,b])) :- helper(X).
test(owned, all(X == [b])) :- owned(X).
test(told, X == it) :- told(X).
:- end_tests(made).
own(c).
:- begin_tests(after).
made(d).
test(here, all(X == [d])) :- helper(X).
test(user, X == c) :- user:own(X).
:- end_tests(after).
