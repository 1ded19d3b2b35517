% Cyclic terms. Apart from the other files because unifying, comparing or
% writing one does not end in a system that lacks them.

t(eq_cyclic, ( X = f(X), Y = f(Y), X = Y ), [], answers([[]])).
t(ident_cyclic, ( X = f(X), Y = f(Y), X == Y ), [], answers([[]])).
t(acyclic_no, ( X = f(X), acyclic_term(X) ), [], fails).
t(cyclic_yes, ( X = f(X), cyclic_term(X) ), [], answers([[]])).
t(cyclic_list, ( L = [a|L], L = [A, B, C|_] ), [A, B, C], answers([[a, a, a]])).
t(cyclic_list_length, ( L = [a|L], length(L, _) ), [], throws(type_error(list, _))).
t(cyclic_list_is_list, ( L = [a|L], is_list(L) ), [], fails).
t(cyclic_copy, ( X = f(X, _), copy_term(X, Y), cyclic_term(Y) ), [], answers([[]])).
t(cyclic_ground, ( X = f(X), ground(X) ), [], answers([[]])).
t(cyclic_variables, ( X = f(X, V), term_variables(X, L), L == [V] ), [], answers([[]])).
