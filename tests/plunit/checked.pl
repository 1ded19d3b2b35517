:- use_module(library(plunit)).
:- begin_tests(a).
test(one, setup(1)) :- true.
test(one, forall(1)) :- true.
test(one, forall(_)) :- true.
test(one, [setup(_)]) :- true.
test(one, [cleanup(X)]) :- true.
test(one, [condition(X)]) :- true.
test(one, [fixme(_)]) :- true.
test(one, [fixme(a(b))]) :- true.
test(one, [throws(_)]) :- throw(x).
test(one, [error(_)]) :- throw(x).
test(one, [error(_)]) :- throw(error(x,y)).
test(one, foo:bar) :- true.
test(one, "str") :- true.
test(one, 12) :- true.
test(_) :- true.
test("abc") :- true.
test(12) :- true.
test(a, [X|_]) :- true.
test(a, [true(X==1)|_]) :- true.
test(a, [X==1, true]) :- X = 1.
test(a, [nondet, X==1, setup(true), forall(true)]) :- X = 1.
test(a, [setup(true), cleanup(true), nondet]).
test(a,[true]) :- true, false.
:- forall(plunit_a:'unit test'(A,B,C,D), (print(A-B-C-D),nl)).
:- forall(plunit_a:clause('unit body'(A,B),C), (print(A-B-C),nl)).
:- end_tests(a).
:- begin_tests(b,[blocked(_)]).
:- end_tests(b).
:- begin_tests(c,[condition(_)]).
:- end_tests(c).
:- begin_tests(d,[blocked(a(b)),setup(a),cleanup(b),condition(c),sto(rational_trees),sto(x)]).
:- end_tests(d).
:- begin_tests(e,[fixme(x)]).
:- end_tests(e).
:- begin_tests(f,setup(x)).
:- end_tests(f).
:- begin_tests('a b').
test('x y') :- fail.
:- end_tests('a b').
:- end_tests(_).
:- begin_tests(g).
:- end_tests(_).
:- forall(plunit:current_unit(A,B,C,D),(print(user_error,ct(A,B,C,D)),nl(user_error))).

