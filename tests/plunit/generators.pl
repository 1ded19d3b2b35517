:- use_module(library(plunit)).
:- begin_tests(a).
test(x, [forall(member(X,[1,2,3])), Y == X]) :- Y = X.
test(y, [forall(member(X-Y,[1-1,2-3])), Z == Y]) :- Z = X.
test(z, [forall(member(X,[])), true]) :- fail.
test(w, [forall(member(X,[a(_),f(Y,Y),"str",'Q a'])), fail]) :- X = X.
test(v, [forall(member(X,[1,2])), setup((write(X))), cleanup(write(x(X)))]) :- true.
test(u, [forall(member(X,[1,2])), condition(X == 1)]) :- X == 1.
test(t, [forall(fail)]) :- true.
test(s, [forall(member(X,[1,2])), blocked(no)]) :- true.
test(r, [forall(member(X,[1,2])), fixme(no)]) :- X == 1.
test(q, [forall(member(X,[1,2])), all(Y == [1])]) :- Y = X.
test(p, [forall(member(X,[1,2])), throws(X)]) :- throw(1).
:- end_tests(a).
