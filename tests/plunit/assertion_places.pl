:- use_module(library(plunit)).
helper(X) :-
    true,
    assertion(X > 1),
    true.
hc(X) :-
    assertion(X > 1).
:- begin_tests(a).
test(a) :-
    X = 1,
    assertion(X == 2),
    true.
test(b) :-
    X = 1,
    assertion(X == 2).
test(c) :-
    helper(1).
test(d) :-
    helper(1), true.
test(e) :- hc(1).
test(f) :-
    forall(member(X,[1]), assertion(X==2)).
test(g) :-
    ( true -> 
       assertion(fail)
    ; true ).
test(h) :-
    maplist([X]>>assertion(X==1),[2]).
test(i, true(assertion(fail))).
test(j, X==1) :-
    setup_call_cleanup(true, 
      assertion(fail), true), X=1.
:- end_tests(a).
