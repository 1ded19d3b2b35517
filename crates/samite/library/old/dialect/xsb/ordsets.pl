:- module(xsb_ordsets, [ ord_setproduct/3 ]).

/*  What XSB's module ordsets exports beside what library(ordsets) does.  */

%!  ord_setproduct(+Set1, +Set2, -Product) is det.
%   All pairs X-Y of their elements.
ord_setproduct([], _, []).
ord_setproduct([X|Xs], Ys, Pairs) :- product(Ys, X, Pairs, Rest), ord_setproduct(Xs, Ys, Rest).

product([], _, Rest, Rest).
product([Y|Ys], X, [X-Y|Pairs], Rest) :- product(Ys, X, Pairs, Rest).
