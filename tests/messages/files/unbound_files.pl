% Files that are not named.
:- include(_).
:- include(a/_).
:- use_module(library(_)).
:- use_module(library(a/_)).
:- ensure_loaded(_/a).
:- consult([a/_]).
:- writeln('still here').
