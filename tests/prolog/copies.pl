% Copies of terms, their variables, and what is equal in them: copy_term/2,3,4, term_singletons/2, same_term/2,
% term_factorized/3.  As in SWI-Prolog.

t(copy_term_goals, copy_term(f(X, Y, X), Z, G), [f(X, Y), Z, G], answers([[f(_, _), f(A, _, A), []]])).
t(copy_term_some, copy_term(X+Y, f(X, Y, Z), A, B), [X, Y, Z, A, B], answers([[_, _, W, P+Q, f(P, Q, W)]])).
t(copy_term_one, copy_term(X, f(X, Y), A, B), [X, Y, A, B], answers([[_, V, P, f(P, V)]])).
t(copy_term_none, copy_term(_, f(Y), _, B), [Y, B], answers([[V, f(V)]])).
t(copy_term_nat, copy_term_nat(f(X, Y, X), Z), [X, Y, Z], answers([[_, _, f(A, _, A)]])).
t(term_singletons, term_singletons(f(X, Y, X, Z), L), [X, Y, Z, L], answers([[_, A, B, [A, B]]])).
t(term_singletons_deep, term_singletons([f(X, g(X)), h(Y)|Z], L), [X, Y, Z, L], answers([[_, A, B, [A, B]]])).
t(term_singletons_none, term_singletons(f(X, g(X), a), L), [L], answers([[[]]])).
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
