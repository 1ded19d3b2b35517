% library(coinduction).

:- use_module(library(coinduction)).

:- coinductive coi_ones/1, (coi_stream/1, coi_number/1).
coi_ones([1|T]) :- coi_ones(T).
coi_stream([H|T]) :- coi_number(H), coi_stream(T).
coi_number(0).
coi_number(s(N)) :- coi_number(N).

:- coinductive coi_up/2.
coi_up(X, Y) :- X < 3, X1 is X+1, coi_up(X1, Y).
coi_up(X, X).

:- coinductive coi_via/1.
coi_via(X) :- coi_between(X).
coi_between(f(X)) :- coi_via(X).

:- coinductive user:coi_nothing/0.
coi_nothing :- coi_nothing.

coi_clauses(Head, N) :- predicate_property(Head, number_of_clauses(N)).

t(cyclic_list, ( X = [1|X], coi_ones(X) ), [], prefix([[]])).
t(other_cycle, ( X = [1, 2|X], coi_ones(X) ), [], fails).
t(no_end, coi_ones([1, 1]), [], fails).
t(made, ( coi_ones(X), !, X = [A, B|_], X == [1|X] ), [A, B], answers([[1, 1]])).
t(made_next, findnsols(3, N, ( coi_ones(X), length(P, N), append(P, X1, X), X1 == X, N > 0 ), L), [L], prefix([[[1, 2, 3]]])).
t(two, ( X = [s(s(0)), 0|X], coi_stream(X) ), [], prefix([[]])).
t(infinite_number, ( coi_number(X), X = s(_), X == s(X) ), [], prefix([[]])).
t(order, findall(Y, coi_up(1, Y), L), [L], answers([[[3, 2, 1]]])).
t(indirect, ( coi_via(X), !, X == f(X) ), [], answers([[]])).
t(nothing, coi_nothing, [], prefix([[]])).
t(ended, ( coi_up(3, X), !, \+ nb_current('$coinductive', [_|_]) ), [X], answers([[3]])).
t(ended_by_exception, ( catch(coi_up(a, _), error(E, _), true), \+ nb_current('$coinductive', [_|_]) ), [E], answers([[type_error(evaluable, a/0)]])).
t(wrapper, ( coi_clauses(coi_up(_, _), N), coi_clauses('coinductive coi_up'(_, _), M) ), [N, M], answers([[1, 2]])).
t(no_directive, coinductive(a/1), [], throws(context_error(nodirective, coinductive(a/1)))).
t(wrong, ( member(T, [(:- coinductive foo), (:- coinductive f/a), (:- coinductive _)]), catch(expand_term(T, _), error(E, _), true) ), [E], answers([[type_error(predicate_indicator, foo)], [type_error(nonneg, a)], [instantiation_error]])).
