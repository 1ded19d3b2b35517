:- module('$term_kinds', [is_most_general_term/1]).

/*  Kinds of terms that are always there: see also library(terms).  */

%!  is_most_general_term(@Term) is semidet.
%
%   Term is an atom, a list of distinct variables, or a compound with distinct variables as arguments.

is_most_general_term(Term) :-
    atom(Term), !.
is_most_general_term(Term) :-
    is_list(Term), !,
    distinct_variables(Term).
is_most_general_term(Term) :-
    compound(Term),
    Term \= [_|_],
    compound_name_arguments(Term, _, Arguments),
    distinct_variables(Arguments).

distinct_variables(Terms) :-
    maplist(var, Terms),
    length(Terms, N),
    term_variables(Terms, Variables),
    length(Variables, N).
