:- use_module(library(plunit)).
:- begin_tests(a).
test(x) :- call_with_time_limit(0.05, (repeat, fail)).
test(y, throws(time_limit_exceeded)) :- call_with_time_limit(0.05, (repeat, fail)).
:- end_tests(a).
:- use_module(library(time)).
