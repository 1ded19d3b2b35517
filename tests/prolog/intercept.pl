% library(intercept): signals to a caller.

:- use_module(library(intercept)).

t(intercept_copy, intercept(send_signal(x), X, Y = X), [Y], answers([[_]])).
t(intercept_argument, intercept(send_signal(x), X, =(X), Y), [Y], answers([[x]])).
t(intercept_other, intercept(intercept(send_signal(a), b, write(in)), C, write(out(C))), [], output("out(a)")).
t(intercept_none, send_signal(a), [], throws(unintercepted_signal(a))).
t(intercept_silent, send_silent_signal(a), [], answers([[]])).
t(intercept_after, ( intercept(true, a, true), send_signal(a) ), [], throws(unintercepted_signal(a))).
t(intercept_redo, ( intercept(( X = 1 ; X = 2, send_signal(s(X)) ), s(Y), write(Y)), X == 2 ), [], output("2")).
t(intercept_all, intercept_all(X, ( between(1, 2, M), ic_send(1, M) ), e(X), L), [L], answers([[[1]], [[1, 2]]])).
t(nb_intercept_all, nb_intercept_all(X, forall(between(1, 3, I), send_signal(e(I))), e(X), L), [L], answers([[[1, 2, 3]]])).

ic_send(I, M) :- I > M, !.
ic_send(I, M) :- send_signal(e(I)), I1 is I+1, ic_send(I1, M).
