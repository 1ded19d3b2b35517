:- use_module(library(plunit)).
:- dynamic bar/1.
:- use_module(library(lists)).
:- multifile user:term_expansion/2.
user:term_expansion(gen(X), [(test(X) :- true), (test(X) :- fail)]).
:- begin_tests(a).
gen(z).
:- dynamic foo/1.
foo(1).
test(one) :- assertz(foo(2)), foo(2).
test(two) :- assertz(bar(2)), bar(2).
test(three) :- user:bar(2).
test(four) :- @(true, user), !.
test(five) :-
   fail.
:- if(fail).
test(six) :- fail.
:- endif.
test(seven, [true]) :-
  Y = 1.
a(1). b(1). a(2).
test(eight, X == 1) :- a(X).
test(eight, [all(X == [1,2])]) :- a(X).
test(eight, [all(X-Y == [1-1,1-2,2-1,2-2])]) :- a(X), a(Y).
test(unknown) :- nosuch(1).
test(unknown2) :- call(nosuch).
test(type) :- X is foo+1, print(X).
test(exc, error(existence_error(procedure,_))) :- nosuch(2).
test(exc, error(existence_error(procedure,_), _)) :- nosuch(2).
test(exc, error(existence_error(procedure,_), foo)) :- nosuch(2).
test(abort) :- throw('$aborted').
test(last) :- fail.
:- end_tests(a).
