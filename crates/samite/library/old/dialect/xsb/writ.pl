:- module(xsb_writ, [ write_canonical_lettervar/1 ]).

/*  What XSB's module xsb_writ exports and `system` does not.  */

%!  write_canonical_lettervar(@Term) is det.
%   As write_canonical/1, with letters for variables.
write_canonical_lettervar(T) :-
    \+ \+ ( numbervars(T, 0, _), write_term(T, [quoted(true), ignore_ops(true), numbervars(true)]) ).
