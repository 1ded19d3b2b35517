:- module(setof, [ excess_vars/4 ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3]).

/*  What XSB's module setof exports.  */

%!  excess_vars(+Term, +Bound, +Variables0, -Variables) is det.
%   Variables are those of Variables0 and, behind them, the free ones of Term that are not in the term Bound, each once. Anywhere in Term, V^T binds the
%   variables of V in T, and setof(V,G,S) and bagof(V,G,S) bind those of V in G and in S.
excess_vars(Term, Bound, Vars0, Vars) :-
    must_be(acyclic, Term),
    term_variables(Bound, Bs),
    free(Term, Bs, Free, []),
    term_variables(Vars0, Known),
    term_variables(Known-Free, All),
    append(Known, New, All), !,
    append(Vars0, New, Vars).

%   free(+Term, +Bound, -Variables, ?Rest): each one as often as it is there.
free(T, Bs, Vs, Rest) :- var(T), !, ( known(Bs, T) -> Vs = Rest ; Vs = [T|Rest] ).
free(V^T, Bs, Vs, Rest) :- !, bind(V, Bs, Bs1), free(T, Bs1, Vs, Rest).
free(setof(V, G, S), Bs, Vs, Rest) :- !, bind(V, Bs, Bs1), free(G-S, Bs1, Vs, Rest).
free(bagof(V, G, S), Bs, Vs, Rest) :- !, bind(V, Bs, Bs1), free(G-S, Bs1, Vs, Rest).
free(T, Bs, Vs, Rest) :- compound(T), !, compound_name_arity(T, _, N), free_args(1, N, T, Bs, Vs, Rest).
free(_, _, Vs, Vs).

free_args(I, N, T, Bs, Vs, Rest) :-
    (   I > N
    ->  Vs = Rest
    ;   arg(I, T, A),
        (   I =:= N
        ->  free(A, Bs, Vs, Rest)
        ;   free(A, Bs, Vs, Vs1),
            I1 is I+1,
            free_args(I1, N, T, Bs, Vs1, Rest)
        )
    ).

bind(V, Bs, Bs1) :- term_variables(V-Bs, Bs1).

known([X|Xs], V) :- ( X == V -> true ; known(Xs, V) ).
