:- use_module(library(plunit)).
greeting --> "hello", blank.
blank --> " ".
:- begin_tests(grammar).
test(phrase) :- phrase(greeting, `hello `).
test(left, Rest == `x`) :- phrase(greeting, `hello x`, Rest).
test(wrong, fail) :- phrase(greeting, `hullo`).
letters([C|Cs]) --> [C], { code_type(C, alpha) }, !, letters(Cs).
letters([]) --> [].
test(own, L == `ab`) :- phrase(letters(L), `ab1`, _).
test(own2, L == `abc`) :- phrase(letters(L), `ab1`, _).
test(pushed) --> [].
test(x, [true]) --> "a".
:- end_tests(grammar).
