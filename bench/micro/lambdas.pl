% Lambda expressions of clauses that have imported all that both systems need for compiling them. Those of control.pl SWI-Prolog copies at each call.

:- use_module(library(yall)).
:- use_module(library(apply)).

operation(lambda_maplist, 100000).
prepare(lambda_maplist, N, L) :- numlist(1, N, L).
work(lambda_maplist, _, L, X) :- maplist([A, B]>>(B is A*2), L, M), last(M, X).

operation(lambda_free, 100000).
prepare(lambda_free, N, L) :- numlist(1, N, L).
work(lambda_free, N, L, X) :- maplist({N}/[A, B]>>(B is A*N), L, M), last(M, X).

operation(lambda_foldl, 100000).
prepare(lambda_foldl, N, L) :- numlist(1, N, L).
work(lambda_foldl, _, L, X) :- foldl([A, S0, S]>>(S is S0+A), L, 0, X).

operation(lambda_nested, 100000).
prepare(lambda_nested, N, Ls) :- findall([I], between(1, N, I), Ls).
work(lambda_nested, _, Ls, X) :- maplist([L, M]>>maplist([A, B]>>(B is A*2), L, M), Ls, Ms), last(Ms, X).
