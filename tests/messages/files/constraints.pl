:- use_module(library(clpfd)).
small(L) :- X #> 3, L = [_].
other(A) :- X #\= 3, ( A > 1 -> B = 1 ; true ), A #= 2.
used(A) :- ( A #> 1 -> B #= A ; A = 1 ).
