:- use_module(no_such_file).
:- use_module(library(no_such_library)).
:- consult(no_such_file).
:- include(no_such_file).
:- ensure_loaded(no_such_file).
:- use_module(library(lists), [no_such_predicate/1]).
:- use_module(library(lists), foo).
p(1).
