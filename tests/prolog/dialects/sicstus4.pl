:- module(dia_sicstus4, [dia_four/1]).
:- expects_dialect(sicstus4).
:- use_module(library(lists)).
:- use_module(library(timeout), [time_out/3]).

dia_four([A, B, C]) :- time_out(true, 1000, A), ( nonmember(x, [a]) -> B = yes ; B = no ), append([1], [2], C).
