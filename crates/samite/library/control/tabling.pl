% library(tabling): tabling is part of the language in Samite (table/1, abolish_all_tables/0), so there is nothing to load;
% programs that say use_module(library(tabling)) may go on doing so.

:- module(prolog_tabling, []).
