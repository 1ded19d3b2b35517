:- module(sicstus_terms, [ subsumes/2, subsumes_chk/2, term_variables_bag/2, variables_of/2 ]).

/*  SICStus Prolog's library(terms), in part.  */

%!  subsumes(?General, +Specific) is semidet.
%!  subsumes_chk(@General, @Specific) is semidet.

subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.
subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

%!  term_variables_bag(@Term, -Variables) is det.
%!  variables_of(@Term, -Variables) is det.

term_variables_bag(Term, Variables) :- term_variables(Term, Variables).
variables_of(Term, Variables) :- term_variables(Term, Variables).
