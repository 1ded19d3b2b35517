% library(varnumbers), and mapsubterms_var/3 of library(terms).

:- use_module(library(terms)).
:- use_module(library(varnumbers)).

more_same(X, Y) :- X == b, Y = z.
more_var(X, Y) :- var(X), Y = z.

t(mapsubterms_var, mapsubterms_var(more_var, f(_, b, [_]), R), [R], answers([[f(z, b, [z])]])).
t(mapsubterms_var_nonvar, mapsubterms_var(more_same, f(_, b, [b]), R), [R], answers([[f(_, z, [z])]])).
t(varnumbers_names, varnumbers_names(f('$VAR'('Foo'), '$VAR'('Foo'), '$VAR'(1), X), T, B), [X, T, B], answers([[A, f(B, B, C, A), [1=C, 'Foo'=B]]])).
t(varnumbers_names_any, varnumbers_names(f('$VAR'("x"), '$VAR'(foo), '$VAR'('_')), T, B), [T, B], answers([[f(A, B, C), ["x"=A, '_'=C, foo=B]]])).
t(varnumbers_names_none, varnumbers_names(f(a), T, B), [T, B], answers([[f(a), []]])).
