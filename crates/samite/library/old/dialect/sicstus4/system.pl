:- module(sicstus4_system, [ now/1, datime/1, datime/2, environ/2, environ/3 ]).
:- use_module(library(dialect/sicstus/system)).

/*  SICStus Prolog's library(system), version 4.  */

%!  environ(+Name, ?Value, ?Source) is nondet.
%
%   Source is `environment`, or `merged` with the system's properties, of which there are none (`properties`).

environ(Name, Value, Source) :-
    environ(Name, Value),
    source(Source).

source(environment).
source(merged).
