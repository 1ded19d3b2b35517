% Programs written for other Prolog systems, as in SWI-Prolog's library(dialect).

:- module(prolog_dialect, [expects_dialect/1]).

%!  expects_dialect(+Dialect) is det.
%
%   The source being loaded is written for Dialect: swi or samite. Others are not emulated: a domain_error(dialect, Dialect).

expects_dialect(Dialect) :-
    must_be(atom, Dialect),
    (   memberchk(Dialect, [swi, samite])
    ->  true
    ;   domain_error(dialect, Dialect)
    ).
