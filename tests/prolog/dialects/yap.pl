:- module(dia_yap, [dia_yap/1]).
:- expects_dialect(yap).

:- yap_flag(unknown, error).
dia_yap([A, B, C, D]) :- if(member(A, [1, 2]), true, A = 0), ( depth_bound_call(true, 10) -> B = yes ; B = no ), prolog_load_dialect(C), ( exists('/') -> D = file ; D = none ).
prolog_load_dialect(D) :- ( prolog_load_context(dialect, D) -> true ; D = none ).
