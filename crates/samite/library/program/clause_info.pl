:- module('$clause_info', [clause_property/2]).

/*  What is known of a clause.  */

%!  clause_property(+Reference, ?Property) is nondet.
%
%   Property is line_count(Line), file(File) or source(File) if the clause
%   is from a file; size(Bytes), fact, predicate(Indicator), module(Module).
%   The only one of a clause that is no more is `erased`.

clause_property(Reference, Property) :-
    '$clause_properties'(Reference, Properties),
    '$member'(Property, Properties).
