% The name that library(dcg/basics) had.

:- module(http_dcg_basics, []).
:- reexport(library(dcg/basics)).
