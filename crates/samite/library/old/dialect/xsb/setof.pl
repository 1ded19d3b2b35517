:- module(setof, [ excess_vars/4 ]).
:- use_module(library(lists), [append/3]).

/*  What XSB's module setof exports.  */

%!  excess_vars(+Term, +Bound, +Variables0, -Variables) is det.
%   Variables are those of Variables0 and those of Term that are not in the term Bound, each once.
excess_vars(Term, Bound, Vars0, Vars) :-
    term_variables(Term, In),
    term_variables(Bound-Vars0, Out),
    without(In, Out, New),
    append(Vars0, New, Vars).

without([], _, []).
without([V|Vs], Out, Rest) :-
    (   known(Out, V)
    ->  Rest = Rest1
    ;   Rest = [V|Rest1]
    ),
    without(Vs, Out, Rest1).

known([X|Xs], V) :- ( X == V -> true ; known(Xs, V) ).
