:- use_module(library(plunit)).
:- begin_tests(a).
test(one) :- fail.
test(two) :- writeln(hi).
test(three) :- format(user_error,"err",[]).
test(four) :- format(user_error,"err~n",[]), fail.
test(five) :- print_message(error, format("foo ~w",[x])).
test(six) :- print_message(informational, format("foo ~w",[x])).
test(si, true(member(_,[1,2]))).
test(seven, true(member(_,[1,2]))) :- true.
test(eight, [setup(member(_,[1,2])),cleanup(member(_,[1,2])),condition(member(_,[1,2]))]) :- true.
test(nine, [nondet, forall(member(X,[a,b])), Y == X, setup(writeln(s(X))), cleanup(writeln(c(X)))]) :- Y = b.
test(ten, [forall(fail)]) :- fail.
test(tw, [condition(fail), fixme(x)]) :- fail.
test(thirt, [fixme(x),blocked(y)]) :- fail.
test(thirt, [fixme(x),setup(fail)]) :- true.
test(thirt, [fixme(x)]) :- throw(x).
test(fourt, [fixme(x)]) :- member(_,[1,2]).
test(fift, [fixme(y),forall(member(X,[1,2,3])),true(X>2)]) :- true.
test('a b', X == 'A b') :- X = 'B c'.
test(longer, X == [a,b]) :- numlist(1,50,X).
test(str, X == "abc") :- X = "abd".
test(vars, X == f(_,_)) :- X = f(_,_).
test(hd, [setup(b_setval(v,1)), cleanup(nb_getval(v,_))]) :- b_getval(v,1).
test(cut) :- !.
test(cut2) :- member(_,[1,2]), !.
test(ite) :- ( member(_,[1,2]) -> true ; true ).
test(pe,[all(X == [1])]) :- member(X,[1]) ; fail.
:- end_tests(a).
:- run_tests.
:- initialization(run_tests).
