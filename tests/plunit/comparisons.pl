:- use_module(library(plunit)).
:- begin_tests(a).
test(x,true(foo(1,2))) :- true.
test(x,true(memberchk(1,[2]))) :- true.
test(x,true(1 is 2)) :- true.
test(x,true(1 =\= 1)) :- true.
test(x,true(1 \== 1)) :- true.
test(x,true(1 @< 1)) :- true.
test(x,true(1 \= 1)) :- true.
test(x,true((fail,true))) :- true.
test(x,true((fail;fail))) :- true.
test(x,true(\+ true)) :- true.
test(x,true(f(1) =@= f(_))) :- true.
test(x,true(1 as 2)) :- true.
test(x,true(1 < a)) :- true.
test(x,[forall(member(X,[1,2]))]) :- member(_,[X,2]).
test(x,[forall(member(X,[1,2])),fixme(X)]) :- member(_,[X,2]).
test(x,[forall(member(X,[1,2])),blocked(y)]) :- member(_,[X,2]).
test(x,[forall(member(X,[1,2])),setup(throw(a))]) :- member(_,[X,2]).
test(x,[forall(member(X,[1,2])),setup(fail)]) :- member(_,[X,2]).
test(x,set(X == [1])) :- member(X,[2,1,2]).
test(x,set(X == [3,1,3])) :- member(X,[2,1,2]).
test(x,error(foo)) :- throw(error(bar,_)).
test(x,error(foo)) :- throw(error(foo,_)).
test(x,throws(error(type_error(A,A),_))) :- throw(error(type_error(a,b),_)).
test(x,throws(error(type_error(A,A),_))) :- throw(error(type_error(a,a),_)).
test(x,[A==1,throws(A)]) :- throw(1).
test(x,[throws(A)]) :- A=1,throw(1).
test(x,[throws(A)]) :- A=1,throw(2).
test(x,all(X-A == [1-_])) :- X=1, A=_.
test(x,all(X == Y)) :- X=1, Y=[1].
test(x,all(X == Y)) :- X=1, Y=[1].
test(x,[all(X == Y),setup(Y=[1])]) :- X=1.
test(x,[fail,setup(Y=[1])]) :- Y=[1], atom_length(abc,3).
test(x,[fail,cleanup(writeln(Y))]) :- Y=[1].
test(x,[cleanup(writeln(Y)),nondet]) :- Y=[1].
test(x,[cleanup(writeln(Y)),fail]) :- Y=[1], fail.
test(x,[cleanup(writeln(Y)),throws(x)]) :- Y=[1], throw(x).
test(x,[all(X==[1,2,3]), nondet]) :- member(X,[1,2,3]).
test(x,[nosuch]) :- member(X,[1,2,3]).
test(x,[error]) :- throw(error(a,b)).
test(x,[throws]) :- throw(error(a,b)).
:- end_tests(a).
