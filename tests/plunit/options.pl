:- use_module(library(plunit)).
:- begin_tests(a,[sto(rational_trees)]).
test(one) :- true.
test(five, [sto(rational_trees)]) :- current_prolog_flag(occurs_check,X), format(user_error,"oc=~w~n",[X]).
test(six, [sto(error_unify)]) :- current_prolog_flag(occurs_check,X), format(user_error,"oc=~w~n",[X]), Y=f(Y).
test(seven, [sto(finite_trees)]) :- current_prolog_flag(occurs_check,X), format(user_error,"oc=~w~n",[X]).
test(eight, [sto(rational_trees,finite_trees)]) :- current_prolog_flag(occurs_check,X), format(user_error,"oc=~w~n",[X]).
test(nine, [sto(nosuch)]) :- current_prolog_flag(occurs_check,X), format(user_error,"oc=~w~n",[X]).
test(ten, [occurs_check(true)]) :- current_prolog_flag(occurs_check,X), format(user_error,"oc=~w~n",[X]).
test(ten, [occurs_check(error)]) :- current_prolog_flag(occurs_check,X), format(user_error,"oc=~w~n",[X]).
test(ten, [occurs_check(foo)]) :- true.
test(el, [timeout(3)]) :- true.
test(tw, [concurrent(true)]) :- true.
test(thi, true) :- true.
test(thi, []) :- true.
test(thi, [nondet,fail]) :- true.
test(thi, [nondet,nondet]) :- true.
test(thi, [setup(true),setup(true)]) :- true.
test(thi, [blocked,fixme]) :- true.
test(thi, [forall(true)]) :- true.
test(thi, [forall(true),forall(true)]) :- true.
test(thi, [exception(foo)]) :- throw(foo).
test(thi, [error(foo,bar)]) :- throw(error(foo,bar)).
test(thi, [error(foo,_)]) :- throw(error(foo,bar)).
test(thi, [X \== 1]) :- X = 2.
test(thi, [X > 1]) :- X = 2.
test(thi, [X @< 1]) :- X = 2.
test(thi, [X is 1]) :- X = 2.
test(thi, [all(X=1)]) :- X = 2.
test(thi, [all(X=:=[1])]) :- X = 2.
test(thi, [all(X==[1])]) :- fail.
test(thi, [all(X=@=[_])]) :- member(X,[_]).
test(thi, [all(X-Y=@=[A-A])]) :- member(X-Y,[_]).
test(thi, [all(foo(X))]) :- member(X,[_]).
test(thi, [all(X==[1])]) :- throw(x).
test(thi, [set(X=@=[1,_,2])]) :- member(X,[2,1,_]).
test(thi, [set(X==[1,2])]) :- member(X,[2,1,1]).
test(thi, [throws(foo(_))]) :- throw(foo(1)).
test(thi, [throws(foo(1))]) :- throw(foo(_)).
test(thi, [nondet]) :- true.
test(thi, [nondet, fail]) :- member(_,[1,2]).
test(thi, [nondet, throws(x)]) :- member(X,[x,x]), throw(X).
test(thi, [condition(throw(x))]) :- true.
test(thi, [condition(nosuchp)]) :- true.
test(thi, [setup(nosuchp)]) :- true.
test(thi, [X==1]) :- true.
test(thi, [X==1]) :- X = _.
test(thi, [true(X),nondet]) :- X = true.
test(thi, [true(nosuchp(X))]) :- X = true.
test(thi, [true(X=:=foo+1)]) :- X = true.
test(thi, [fail,nondet]).
test(nobody).
test(nobody,[fail]).
test(dcg) --> [].
test(dcg,[true]) --> [].
test --> [].
foo --> "abc".
test(dcg2) :- phrase(foo,`abc`).
:- end_tests(a).
