:- module(xsb_subsumes, [ variant/2, subsumes/2, subsumes_chk/2 ]).

/*  XSB's module subsumes.  */

%!  variant(@T1, @T2) is semidet.
variant(A, B) :- A =@= B.
%!  subsumes(+General, @Specific) is semidet.
%   General becomes Specific by bindings of its own variables.
subsumes(G, S) :- subsumes_term(G, S), G = S.
%!  subsumes_chk(@General, @Specific) is semidet.
subsumes_chk(G, S) :- subsumes_term(G, S).
