% library(clp/clpfd) is library(clpfd), whichever is asked for first.

:- use_module(library(clp/clpfd)).
:- use_module(library(clpfd), [(ins)/2]).

t(operators, ( X #> 3, X #< 5 ), [X], answers([[4]])).
t(exported, ( [X, Y] ins 1..2, X #< Y ), [X, Y], answers([[1, 2]])).
t(module, predicate_property(_ #= _, imported_from(M)), [M], answers([[clpfd]])).
t(again, ( use_module(library(clpfd)), use_module(library(clp/clpfd)) ), [], answers([[]])).
