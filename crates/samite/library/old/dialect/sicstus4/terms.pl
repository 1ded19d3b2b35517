:- module(sicstus4_terms, [ subsumes/2, subsumes_chk/2, subsumeschk/2, term_variables_bag/2, term_variables_set/2, term_order/3 ]).
:- use_module(library(dialect/sicstus/terms)).

/*  SICStus Prolog's library(terms), version 4: what library(terms) and library(occurs) do not have.  */

%!  subsumeschk(@General, @Specific) is semidet.

subsumeschk(General, Specific) :- subsumes_chk(General, Specific).

%!  term_variables_set(@Term, -Variables) is det.
%
%   In the standard order.

term_variables_set(Term, Variables) :-
    term_variables(Term, Variables0),
    sort(Variables0, Variables).

%!  term_order(@A, @B, -Order) is det.

term_order(A, B, Order) :- compare(Order, A, B).
