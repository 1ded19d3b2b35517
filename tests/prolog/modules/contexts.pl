% Transparent predicates, for ../contexts.pl.

:- module(ctx_d, [p/1, q/1, r/1, s/2, al/1, mm/1, two/1, plain/1, as/1, at/1, at_plain/2, at_cut/1, at_own/1, fa/1, dp/1, rec/2, cut/1, ite/1, told/1, later/1, named/1]).
:- module_transparent([p/1, q/1, r/1, s/2, al/1, two/1, as/1, at/1, fa/1, dp/1, rec/2, cut/1, ite/1]).
:- module_transparent(told/1).
:- module_transparent(later/1), module_transparent(named/1).
told(M) :- plain(M).
later(M) :- helper, plain2(M).
plain2(M) :- p(M).
named(M) :- ctx_e:p(M).

p(M) :- context_module(M).
q(M) :- p(M).
r(M) :- helper, true, strip_module(foo, M, _).
helper.
s(G, M) :- call(G), p(M).
al(L) :- findall(X, local(X), L).
mm(M) :- p(M).
two(M) :- p(M).
two(2).
plain(M) :- context_module(M).
as(X) :- assertz(fact(X)).
at(M) :- @(p(M), other).
at_plain(X, L) :- @(true, other), @(X = f(Y), other), @(functor(X, N, A), other), @(Y is A+1, other), @(( atom(N), ! ; true ), other), @(local(L), other).
at_cut(X) :- @(!, other), X = 1.
at_cut(2).
at_own(M-L) :- @(context_module(M), other), @(findall(X, local(X), L), ctx_d).
fa(L) :- findall(M, p(M), L).
:- dynamic dp/1.
dp(M) :- context_module(M).
local(in_d).
rec(0, M) :- !, context_module(M).
rec(N, M) :- N1 is N-1, rec(N1, M).
cut(M) :- context_module(M), !.
cut(x).
ite(M) :- ( \+ helper -> M = no ; context_module(X), helper -> M = X ; true ).
