:- module(r1, [pub/1]).
:- use_module(library(plunit)).
pub(1).
priv(2).
:- begin_tests(r1).
helper(X) :- priv(X).
test(a, X == 1) :- pub(X).
test(b, X == 2) :- helper(X).
test(c, true) :- context_module(M), print(user_error,M), nl(user_error), import_module(M,I), print(user_error,I), nl(user_error).
test(d) :- prolog_load_context(module,_) -> true ; true.
:- begin_tests(nested).
test(x, X==2) :- priv(X).
test(y) :- catch(helper(_),E,true), print(user_error,E), nl(user_error).
:- end_tests(nested).
test(e) :- plunit_nested:true, true.
pub(7).
test(f, all(X==[7])) :- pub(X).
:- end_tests(r1).
after(1).
