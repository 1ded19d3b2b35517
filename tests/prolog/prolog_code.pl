% library(prolog_code).

:- use_module(library(prolog_code)).

t(comma_list, comma_list((a, b, c), L), [L], answers([[[a, b, c]]])).
t(comma_list_left, comma_list(((a, b), c), L), [L], answers([[[a, b, c]]])).
t(comma_list_back, comma_list(C, [a, b, c]), [C], answers([[(a, b, c)]])).
t(comma_list_empty, comma_list(_, []), [], fails).
t(semicolon_list, semicolon_list((a ; b), L), [L], answers([[[a, b]]])).
t(semicolon_list_back, semicolon_list(C, [a, b, c]), [C], answers([[(a ; b ; c)]])).
t(semicolon_list_empty, semicolon_list(_, []), [], fails).
t(mkconj, ( mkconj(true, a, X), mkconj(a, true, Y), mkconj(a, b, Z) ), [X, Y, Z], answers([[a, a, (a, b)]])).
t(mkdisj, ( mkdisj(false, a, X), mkdisj(a, false, Y), mkdisj(a, b, Z) ), [X, Y, Z], answers([[a, a, (a ; b)]])).
t(pi_head, ( pi_head(X, foo(_, _)), pi_head(m:a/2, Y), pi_head(a//1, Z) ), [X, Y, Z], answers([[foo/2, m:a(_, _), a(_, _, _)]])).
t(pi_head_unbound, pi_head(_, _), [], throws(instantiation_error)).
t(most_general_goal, ( most_general_goal(m:f(a), X), most_general_goal(g, Y) ), [X, Y], answers([[m:f(_), g]])).
t(is_predicate_indicator, is_predicate_indicator(m:a/2), [], answers([[]])).
t(is_predicate_indicator_not, is_predicate_indicator(a/b), [], fails).

t(control_goals, findall(G, ( member(G, [(a, b), (a ; b), (a -> b), (a *-> b), \+ a, call(a), findall(x, y, z), once(a), !, true, m:a]), is_control_goal(G) ), L), [G, L], answers([[_, [(a, b), (a;b), (a->b), (a*->b), \+a]]])).
t(control_goal_unbound, is_control_goal(_), [], fails).
t(body_calls, findall(X, body_term_calls((a, b ; \+ c -> findall(x, d, y)), X), L), [X, L], answers([[_, [(a, b;\+c->findall(x, d, y)), (a, b), a, b, (\+c->findall(x, d, y)), \+c, c, findall(x, d, y), d]]])).
t(body_calls_plain, findall(X, body_term_calls(foo(x), X), L), [X, L], answers([[_, [foo(x)]]])).
t(extend_goal, ( extend_goal(foo, [x], A), once(extend_goal(m:foo(a), [x], B)), extend_goal(foo(a), [], C) ), [A, B, C], answers([[foo(x), m:foo(a, x), foo(a)]])).
t(extend_goal_unbound, extend_goal(G, [x], H), [G, H], answers([[A, call(A, x)]])).
t(extend_goal_number, extend_goal(1, [x], _), [], throws(type_error(compound, 1))).
t(predicate_labels, ( predicate_label(foo/1, A), predicate_label(user:foo/1, B), predicate_label(foo//1, C), predicate_label(m:foo/1, D), predicate_label(system:is/2, E) ), [A, B, C, D, E], answers([['foo/1', 'foo/1', 'foo//1', 'm:foo/1', 'is/2']])).
t(predicate_sort_keys, ( predicate_sort_key(foo/1, A), predicate_sort_key(m:foo/1, B), predicate_sort_key(foo//1, C) ), [A, B, C], answers([[foo, foo, foo]])).

t(calls_of_variable, ( findall(G, body_term_calls((a, _), G), L), length(L, N) ), [N], answers([[3]])).
