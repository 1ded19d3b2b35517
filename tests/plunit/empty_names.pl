:- use_module(library(plunit)).
:- begin_tests('').
test('') :- true.
test('with space', X == 'it''s') :- X = 'it''s'.
test([]) :- true.
test(3.14) :- true.
test('ünï') :- fail.
:- end_tests('').
