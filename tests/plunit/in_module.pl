:- module(s8,[]).
:- use_module(library(plunit)).
:- begin_tests(a).
:- use_module(library(readutil)).
:- use_module(files/beside).
test(a,all(X==[1,2])) :- p(X).
test(b) :- read_term_from_atom('foo(X)',X,[]), print(X),nl.
test(c) :- term_to_atom(X,'foo(A,B)'), print(X),nl.
test(d,[X==Y,setup(Y=1)]) :- X = 1.
test(d,[setup(Y=1),cleanup((print(Y),nl)),forall(member(Y,[2,3]))]) :- print(Y),nl.
test(e,[forall(member(Y,[2,3])), true(Z == Y)]) :- Z = Y.
test(e,[forall(member(Y,[2,3])), fail]) :- Y == 3.
test(e,[forall(member(Y,[2,3])), throws(Y)]) :- throw(3).
test(e,[forall(member(Y-Z,[2-1,3-B])), throws(Y)]) :- throw(Z).
test(e,[forall(member(Y-Z,[2-1,3-4])), nondet, condition(Y==2)]) :- print(Y),nl.
:- end_tests(a).
p(x).
