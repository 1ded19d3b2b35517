:- module(sicstus4_ordsets, [ ord_member/2, ord_nonmember/2 ]).
:- use_module(library(ordsets), [ord_memberchk/2]).
:- use_module(library(dialect/sicstus/ordsets)).

/*  SICStus Prolog's library(ordsets), version 4: what Samite's does not have.  */

%!  ord_nonmember(@Element, +Set) is semidet.

ord_nonmember(Element, Set) :- \+ ord_memberchk(Element, Set).
