:- use_module(library(plunit)).
p(1). p(2). p(3).
q(1). q(2).
r(a, 1). r(b, 2).
:- begin_tests(det).
test(first) :- p(1).
test(last) :- p(3).
test(index) :- r(a, _).
test(index2) :- r(b, _).
test(second) :- r(_, 2).
test(between) :- between(1, 3, 3).
test(between2) :- between(1, 3, 2).
test(or) :- ( true ; true ).
test(cond) :- ( true -> true ; true ).
test(soft) :- ( p(_) *-> true ; true ).
test(not) :- \+ \+ p(_).
test(once) :- once(p(_)).
test(ignore) :- ignore(p(_)).
test(forall) :- forall(p(_), true).
test(findall, L == [1,2]) :- findall(X, q(X), L).
test(member) :- member(3, [1,2,3]).
test(member2) :- member(1, [1,2,3]).
test(memberchk) :- memberchk(1, [1,2,3]).
test(append) :- append(_, [3], [1,2,3]).
test(select) :- select(1, [1,2], _).
test(clause) :- catch(p(1), _, true).
test(nondet, nondet) :- p(_).
test(nth) :- nth0(0, [a], _).
test(atom_concat) :- atom_concat(_, c, abc).
test(sub) :- sub_atom(abc, B, _, 0, c), B == 2.
test(repeat) :- repeat.
test(each, [forall(p(X)), Y == X]) :- p(Y), Y >= X.
:- end_tests(det).
