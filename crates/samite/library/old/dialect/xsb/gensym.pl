:- module(xsb_gensym, [ coninc/1, coninc/2 ]).

/*  What XSB's module gensym exports beside what library(gensym) does.  */

%!  coninc(+Name) is det.
coninc(Name) :- coninc(Name, _).
%!  coninc(+Name, -Integer) is det.
%   The counter Name is one more from now on.
coninc(Name, N) :- flag(Name, N0, N0+1), N is N0+1.
