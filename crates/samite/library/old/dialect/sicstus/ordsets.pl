:- module(sicstus_ordsets, [ ord_member/2 ]).
:- use_module(library(ordsets), [ord_memberchk/2]).

/*  SICStus Prolog's library(ordsets), version 3: what Samite's does not have.  */

%!  ord_member(@Element, +Set) is semidet.

ord_member(Element, Set) :- ord_memberchk(Element, Set).
