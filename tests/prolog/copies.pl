% Copies of terms, their variables, and what is equal in them: copy_term/2,3,4, term_singletons/2, same_term/2,
% term_factorized/3.  As in SWI-Prolog.

t(copy_term_goals, copy_term(f(X, Y, X), Z, G), [f(X, Y), Z, G], answers([[f(_, _), f(A, _, A), []]])).
t(copy_term_some, copy_term(X+Y, f(X, Y, Z), A, B), [X, Y, Z, A, B], answers([[_, _, W, P+Q, f(P, Q, W)]])).
t(copy_term_one, copy_term(X, f(X, Y), A, B), [X, Y, A, B], answers([[_, V, P, f(P, V)]])).
t(copy_term_none, copy_term(_, f(Y), _, B), [Y, B], answers([[V, f(V)]])).
t(copy_term_some_shared, ( length(L, 3), L = [X|R], copy_term_nat(X, f(L, g(R), h(X)), A, f(M, g(S), H)), M = [B|T] ), [X, R, S, A, B, T, H], answers([[_, [P, Q], [P, Q], Y, Y, [P, Q], h(Y)]])).
t(copy_term_all_renamed, copy_term(f(X, Y), g(Y, [X]), A, B), [X, Y, A, B], answers([[_, _, f(P, Q), g(Q, [P])]])).
t(copy_term_some_ground, copy_term([], f(a, "b", 1.5), A, B), [A, B], answers([[[], f(a, "b", 1.5)]])).
t(copy_term_some_cyclic, ( T = t(X, Y, T), copy_term_nat(X, T, A, C), C = t(B, D, E), A == B, D == Y, A \== X, E == C ), [], answers([[]])).
t(copy_term_some_into_bound, ( copy_term_nat(X, f(X, Y), a, f(Z, W)), Z == a, W == Y, var(X) ), [], answers([[]])).
t(copy_term_some_fails, copy_term_nat(X, f(X), a, f(b)), [], fails).
t(copy_term_some_attributed, ( put_attr(X, cp_m, v), put_attr(Y, cp_m, w), copy_term_nat(X, X-Y, A, B-C), \+ attvar(A), A == B, C == Y ), [], answers([[]])).
t(copy_term_some_many, ( numlist(1, 100000, N), length(N, K), length(L, K), L = [X|R], copy_term_nat(X, L, A, [B|S]), A == B, R == S, X \== A ), [], answers([[]])).
t(copy_term_nat, copy_term_nat(f(X, Y, X), Z), [X, Y, Z], answers([[_, _, f(A, _, A)]])).
nested(0, X, X) :- !.
nested(N, f(T), X) :- N1 is N-1, nested(N1, T, X).

dag(0, X, X) :- !.
dag(N, X, f(T, T)) :- N1 is N-1, dag(N1, X, T).

t(term_singletons, term_singletons(f(X, Y, X, Z), L), [X, Y, Z, L], answers([[_, A, B, [A, B]]])).
t(term_singletons_deep, term_singletons([f(X, g(X)), h(Y)|Z], L), [X, Y, Z, L], answers([[_, A, B, [A, B]]])).
t(term_singletons_none, term_singletons(f(X, g(X), a), L), [L], answers([[[]]])).
t(term_singletons_shared, ( A = f(X), term_singletons(g(A, A, Y), L) ), [X, Y, L], answers([[_, B, [B]]])).
t(term_singletons_lists, ( length(L, 5000), term_singletons(f(X, L, L), [X0]), X0 == X, term_singletons(L, L2), L2 == L ), [], answers([[]])).
t(term_singletons_nested, ( nested(200000, T, X), term_singletons(T, [Y]), X == Y ), [], answers([[]])).
t(term_singletons_dag, ( dag(60, _, T), term_singletons(T-X, [Y]), X == Y ), [], answers([[]])).
t(term_singletons_cyclic, ( X = f(_, X), term_singletons(X, _) ), [], throws(representation_error(acyclic_term))).
t(term_singletons_awaited, ( freeze(X, true), freeze(Y, true), term_singletons(f(Y, X, Y), [Z]), Z == X ), [], answers([[]])).
t(numbervars_singletons_awaited, ( freeze(X, true), T = f(X, Y, Y, _), numbervars(T, 0, E, [singletons(true), attvar(skip)]), attvar(X), copy_term_nat(T, C) ), [C, E], answers([[f(_, '$VAR'(0), '$VAR'(0), '$VAR'('_')), 1]])).
t(numbervars_singletons_bound, ( freeze(X, true), freeze(Y, true), T = f(X, Y, Y), numbervars(T, 0, E, [singletons(true), attvar(bind)]) ), [T, E], answers([[f('$VAR'('_'), '$VAR'(0), '$VAR'(0)), 1]])).
t(numbervars_singletons_cyclic, ( X = f(X, Y), numbervars(X-Z, 7, E, [singletons(true)]) ), [Y, Z, E], answers([['$VAR'(7), '$VAR'('_'), 8]])).
t(numbervars_singletons_large, numbervars(f(X, X), 9223372036854775807, _, [singletons(true)]), [], throws(representation_error(tagged_integer))).
t(term_singletons_long, ( length(L, 300), term_singletons(L, S), length(S, N) ), [N], answers([[300]])).
t(same_term_atom, same_term(a, a), [], answers([[]])).
t(same_term_variable, same_term(X, X), [], answers([[]])).
t(same_term_place, ( X = f(_), same_term(X, X) ), [], answers([[]])).
t(same_term_equal, ( atom_codes(A, "x"), X = f(A), copy_term(g(A, _), g(B, _)), Y =.. [f, B], same_term(X, Y) ), [], fails).

t(factorized_none, term_factorized(f(a, b), S, L), [S, L], answers([[f(a, b), []]])).
t(factorized_equal, term_factorized(f(g(a), g(a)), S, L), [S, L], answers([[f(V, V), [V=g(a)]]])).
t(factorized_in_another, term_factorized(f(h(g(a)), h(g(a)), g(a)), S, L), [S, L], answers([[f(H, H, G), [G=g(a), H=h(G)]]])).
t(factorized_variables, term_factorized(f(g(X), g(X), g(Y)), S, L), [X, Y, S, L], answers([[A, B, f(V, V, g(B)), [V=g(A)]]])).
t(factorized_many_variables, ( length(L, 100), T = f(L, L), term_factorized(T, f(A, B), S), A == B, S = [V=M|_], V == A, M = [X|_], L = [Y|_], X == Y, length(S, N) ), [N], answers([[1]])).
t(copy_term_some_long, ( length(L, 100), append(A, B, L), length(A, 50), copy_term(A, L, _, C), append(D, E, C), length(D, 50), E == B, term_variables(A/D, Vs), length(Vs, N) ), [N], answers([[100]])).
t(factorized_cyclic, ( T = g(T), term_factorized(T, S, L) ), [S, L], answers([[V, [V=g(V)]]])).
t(factorized_cyclic_list, ( T = [a|T], term_factorized(f(T), S, L) ), [S, L], answers([[f(V), [V=[a|V]]]])).
t(factorized_atomic, term_factorized(a, S, L), [S, L], answers([[a, []]])).
t(factorized_long, ( numlist(1, 100, N), term_factorized(N, S, L), S == N ), [L], answers([[[]]])).
