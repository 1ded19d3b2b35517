:- use_module(library(plunit)).
:- begin_tests(a).
test(x, throws(foo)) :- throw(foo).
test(x, throws(foo)) :- throw(bar).
test(x, throws(foo)) :- true.
test(x, throws(foo)) :- fail.
test(x, throws(foo(X,X))) :- throw(foo(1,2)).
test(x, throws(foo(X,Y,X))) :- throw(foo(Y,X,Y)).
test(x, error(type_error(T,V))) :- atom_length(f(x),_).
test(x, error(type_error(T,V),_)) :- atom_length(X,_).
test(x, error(foo)) :- throw(foo).
test(x, error(foo)) :- throw(error(foo,bar)).
test(x, error(foo,bar)) :- throw(error(foo,bar)).
test(x, error(foo,baz)) :- throw(error(foo,bar)).
test(x, error(existence_error(procedure,_))) :- undefined_thing.
test(x, error(existence_error(_,PI))) :- undefined_thing(1,2), PI == x.
test(x, throws(_)) :- throw(x).
test(x, throws(X)) :- throw(f(_)).
:- end_tests(a).
