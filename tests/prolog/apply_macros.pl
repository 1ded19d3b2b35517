% library(apply_macros).

:- use_module(library(apply_macros)).

t(maplist, maplist(succ, [1, 2], L), [L], answers([[[2, 3]]])).
t(forall, forall(member(X, [1, 2]), integer(X)), [X], answers([[_]])).
t(expand_phrase_1, expand_phrase(phrase(foo, L), X), [L, X], answers([[A, foo(A, [])]])).
t(expand_phrase_2, expand_phrase(phrase("ab",L,R),X), [L, R, X], answers([[A, B, A=[97, 98|B]]])).
t(expand_phrase_3, expand_phrase(phrase((a, {b}, [c]), L), X), [L, X], fails).
t(expand_phrase_4, expand_phrase(phrase(X, L), Y), [X, L, Y], fails).
t(expand_phrase_5, expand_phrase(foo, Y), [Y], fails).
t(expand_phrase_6, expand_phrase(phrase(foo, L), P, X, P1), [L, P, X, P1], answers([[A, _, foo(A, []), _]])).
t(expand_phrase_7, expand_phrase(phrase([a], L), X), [L, X], answers([[A, A=[a]]])).
t(expand_phrase_8, expand_phrase(phrase((a, b), L), X), [L, X], fails).
t(expand_phrase_9, expand_phrase(phrase(a(1), L, R), X), [L, R, X], answers([[A, B, a(1, A, B)]])).
t(expand_phrase_10, expand_phrase(phrase(m:a, L, R), X), [L, R, X], answers([[A, B, m:a(A, B)]])).
t(expand_phrase_11, expand_phrase(phrase((a;b), L), X), [L, X], fails).
t(expand_phrase_12, expand_phrase(phrase({a}, L), X), [L, X], fails).
t(expand_phrase_13, expand_phrase(phrase((a->b), L), X), [L, X], fails).
t(expand_phrase_14, expand_phrase(phrase(!, L), X), [L, X], fails).
t(expand_phrase_15, expand_phrase(phrase([], L), X), [L, X], answers([[A, A=[]]])).
t(expand_phrase_16, expand_phrase(phrase(\+a, L), X), [L, X], answers([[A, \+(a, A, [])]])).
t(expand_phrase_17, expand_phrase(phrase(call(a), L), X), [L, X], answers([[A, call(a, A, [])]])).
t(expand_phrase_18, expand_phrase(phrase(1, L), X), [L, X], fails).
t(expand_phrase_19, expand_phrase(phrase(a, [x]), X), [X], answers([[a([x], [])]])).
t(expand_phrase_20, expand_phrase(phrase("ab",`abc`),X), [X], answers([[[97, 98, 99]=[97, 98]]])).
t(expand_phrase_21, expand_phrase(phrase(a, foo), X), [X], answers([[a(foo, [])]])).
t(expand_phrase_22, expand_phrase(phrase((a, [c]), L), X), [L, X], fails).
t(expand_phrase_23, expand_phrase(phrase((a, {c}), L), X), [L, X], fails).
t(expand_phrase_24, expand_phrase(phrase([a|_], L), X), [L, X], fails).
