:- module(xsb_string, [ str_cat/3 ]).

/*  What XSB's module string exports beside concat_atom/2,3 of library(backcomp).  */

%!  str_cat(+Atom1, +Atom2, -Atom3) is det.
str_cat(A, B, C) :- atom_concat(A, B, C).
