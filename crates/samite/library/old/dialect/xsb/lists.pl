:- module(xsb_lists, [ take/3 ]).
:- use_module(library(lists), [append/3]).

/*  What XSB's module lists exports beside what library(lists) does.  */

%!  take(+N, +List, -Prefix) is semidet.
take(N, List, Prefix) :- length(Prefix, N), append(Prefix, _, List), !.
