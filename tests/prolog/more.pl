% Predicates of library(strings), terms, varnumbers, oset, prolog_code and backcomp that are seldom used.

:- use_module(library(backcomp)).
:- use_module(library(oset)).
:- use_module(library(prolog_code)).
:- use_module(library(strings)).
:- use_module(library(terms)).
:- use_module(library(varnumbers)).

more_same(X, Y) :- X == b, Y = z.
more_var(X, Y) :- var(X), Y = z.

% --- interpolate_string/4 ---

t(interpolate, interpolate_string("Hi {Name}, {Name}!", S, ['Name'="Bob"], []), [S], answers([["Hi Bob, Bob!"]])).
t(interpolate_default, interpolate_string("Hi {Name,default} {X,}!", S, [], []), [S], answers([["Hi default !"]])).
t(interpolate_default_known, interpolate_string("{A,x}{A,y}", S, ['A'=1], []), [S], answers([["11"]])).
t(interpolate_terms, interpolate_string("{A}{B}", S, ['A'=1, 'B'=f(x)], []), [S], answers([["1f(x)"]])).
t(interpolate_no_variable, interpolate_string("{a} {A b} {} {1} { A } {A", S, ['A'=1], []), [S], answers([["{a} {A b} {} {1} { A } {A"]])).
t(interpolate_nested, interpolate_string("{{A}} {A,{B}}", S, ['A'=1, 'B'=2], []), [S], answers([["{1} 1}"]])).
t(interpolate_value, interpolate_string("{A}", S, ['A'="x{B}", 'B'=2], []), [S], answers([["x{B}"]])).
t(interpolate_lines, interpolate_string("a\n  {X}", S, ['X'="1\n2"], []), [S], answers([["a\n  1\n2"]])).
t(interpolate_codes, interpolate_string(`{A1_b}`, S, ['A1_b'=1, 'A1_b'=2], []), [S], answers([["1"]])).
t(interpolate_unknown, interpolate_string("{A}", _, ['A'-1, a=2], []), [], throws(existence_error(template_var, 'A'))).
t(interpolate_no_list, interpolate_string("{A}", _, foo, []), [], throws(type_error(list, foo))).
t(interpolate_unbound, interpolate_string(_, _, [], []), [], throws(instantiation_error)).
t(interpolate_compound, interpolate_string(f(x), _, [], []), [], throws(type_error(text, f(x)))).
t(interpolate_number, interpolate_string(12, S, [], []), [S], answers([["12"]])).

% --- terms, varnumbers, oset ---

t(mapsubterms_var, mapsubterms_var(more_var, f(_, b, [_]), R), [R], answers([[f(z, b, [z])]])).
t(mapsubterms_var_nonvar, mapsubterms_var(more_same, f(_, b, [b]), R), [R], answers([[f(_, z, [z])]])).
t(varnumbers_names, varnumbers_names(f('$VAR'('Foo'), '$VAR'('Foo'), '$VAR'(1), X), T, B), [X, T, B], answers([[A, f(B, B, C, A), [1=C, 'Foo'=B]]])).
t(varnumbers_names_any, varnumbers_names(f('$VAR'("x"), '$VAR'(foo), '$VAR'('_')), T, B), [T, B], answers([[f(A, B, C), ["x"=A, '_'=C, foo=B]]])).
t(varnumbers_names_none, varnumbers_names(f(a), T, B), [T, B], answers([[f(a), []]])).
t(oset_power, oset_power([a, b, c], S), [S], answers([[[[], [a], [a, b], [a, b, c], [a, c], [b], [b, c], [c]]]])).
t(oset_power_empty, oset_power([], S), [S], answers([[[[]]]])).

% --- prolog_code ---

t(control_goals, findall(G, ( member(G, [(a, b), (a ; b), (a -> b), (a *-> b), \+ a, call(a), findall(x, y, z), once(a), !, true, m:a]), is_control_goal(G) ), L), [G, L], answers([[_, [(a, b), (a;b), (a->b), (a*->b), \+a]]])).
t(control_goal_unbound, is_control_goal(_), [], fails).
t(body_calls, findall(X, body_term_calls((a, b ; \+ c -> findall(x, d, y)), X), L), [X, L], answers([[_, [(a, b;\+c->findall(x, d, y)), (a, b), a, b, (\+c->findall(x, d, y)), \+c, c, findall(x, d, y), d]]])).
t(body_calls_plain, findall(X, body_term_calls(foo(x), X), L), [X, L], answers([[_, [foo(x)]]])).
t(extend_goal, ( extend_goal(foo, [x], A), once(extend_goal(m:foo(a), [x], B)), extend_goal(foo(a), [], C) ), [A, B, C], answers([[foo(x), m:foo(a, x), foo(a)]])).
t(extend_goal_unbound, extend_goal(G, [x], H), [G, H], answers([[A, call(A, x)]])).
t(extend_goal_number, extend_goal(1, [x], _), [], throws(type_error(compound, 1))).
t(predicate_labels, ( predicate_label(foo/1, A), predicate_label(user:foo/1, B), predicate_label(foo//1, C), predicate_label(m:foo/1, D), predicate_label(system:is/2, E) ), [A, B, C, D, E], answers([['foo/1', 'foo/1', 'foo//1', 'm:foo/1', 'is/2']])).
t(predicate_sort_keys, ( predicate_sort_key(foo/1, A), predicate_sort_key(m:foo/1, B), predicate_sort_key(foo//1, C) ), [A, B, C], answers([[foo, foo, foo]])).

% --- backcomp ---

t(displayq, displayq('A' + [b]), [], output("+('A',[b])")).
t(cleanup_catcher, setup_and_call_cleanup(true, true, C, ( print(C), nl )), [C], output("exit\n")).
t(sformat, ( sformat(S, "~w", [a]), sformat(T, "abc") ), [S, T], answers([["a", "abc"]])).
t(string_to_list, ( string_to_list(S, `abc`), string_to_list(abc, L) ), [S, L], answers([["abc", [97, 98, 99]]])).
t(substring, ( substring(abcde, 1, 2, S), substring("abcde", 2, 3, T) ), [S, T], answers([["ab", "bcd"]])).
t(read_variables, ( open_string("f(X, Y).", Stream), read_variables(Stream, T, Vs), close(Stream) ), [T, Vs], answers([[f(A, B), ['X'=A, 'Y'=B]]])).
t(current_thread, current_thread(main, S), [S], answers([[running]])).
t(message_queue_size, message_queue_size(main, N), [N], answers([[0]])).
t(features, ( set_feature(more_feature, 1), feature(more_feature, A), set_feature(more_feature, 2), feature(more_feature, B), feature(bounded, C) ), [A, B, C], answers([[1, 2, false]])).

