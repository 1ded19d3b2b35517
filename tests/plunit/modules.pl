:- module(modules, [visible/1]).
:- use_module(library(plunit)).
:- use_module(library(lists), [last/2 as final]).
:- op(700, xfx, ===>).
visible(1).
hidden(2).
:- begin_tests(modules).
:- op(700, xfx, <===).
:- use_module(library(pairs)).
visible(own).
test(own, all(X == [own])) :- visible(X).
test(outside, X == 1) :- modules:visible(X).
test(hidden, X == 2) :- hidden(X).
test(renamed, X == c) :- final([a,b,c], X).
test(operator, X == '===>'(a, b)) :- X = (a ===> b).
test(operator2, X == '<==='(a, b)) :- X = (a <=== b).
test(pairs, X == [a]) :- pairs_keys([a-1], X).
test(context, M == plunit_modules) :- context_module(M).
test(strip, M == plunit_modules) :- strip_module(a, M, _).
test(assert, X == 1) :- assertz(fresh(1)), plunit_modules:fresh(X).
test(no) :- catch(modules:fresh(_), error(existence_error(_, _), _), true).
:- end_tests(modules).
