% library(record): terms whose arguments have names. SWI-Prolog's manual, section A.38.

:- use_module(library(record)).

:- record rcn_point(x:integer=0, y:integer, z=1, w).
:- record rcn_line(from:rcn_point, to:list(integer)), rcn_none.

t(default, default_rcn_point(P), [P], answers([[rcn_point(0, _, 1, _)]])).
t(default_none, default_rcn_none(P), [P], answers([[rcn_none]])).
t(make, make_rcn_point([y(3), w(a)], P), [P], answers([[rcn_point(0, 3, 1, a)]])).
t(make_type, make_rcn_point([y(a)], _), [], throws(type_error(integer, a))).
t(make_unbound, make_rcn_point([y(_)], _), [], throws(instantiation_error)).
t(make_other, make_rcn_point([q(a)], _), [], fails).
t(make_rest, make_rcn_point([q(a), x(2)], P, Rest), [P, Rest], answers([[rcn_point(2, _, 1, _), [q(a)]]])).
t(is, ( findall(T, ( member(T, [rcn_point(1, 2, 3, 4), rcn_point(1, _, 3, 4), rcn_point(a, 2, 3, 4), rcn_point, _, a]), is_rcn_point(T) ), L) ), [L], answers([[[rcn_point(1, 2, 3, 4)]]])).
t(is_none, is_rcn_none(rcn_none), [], answers([[]])).
t(data, rcn_point_data(N, rcn_point(1, 2, 3, 4), V), [N, V], answers([[x, 1], [y, 2], [z, 3], [w, 4]])).
t(get, ( rcn_point_z(rcn_point(1, 2, 3, 4), Z), rcn_point_x(P, 7) ), [Z, P], answers([[3, rcn_point(7, _, _, _)]])).
t(set, ( set_x_of_rcn_point(5, rcn_point(1, 2, 3, 4), P), set_w_of_rcn_point(_, P, Q) ), [P, Q], answers([[rcn_point(5, 2, 3, 4), rcn_point(5, 2, 3, _)]])).
t(set_type, set_x_of_rcn_point(a, rcn_point(1, 2, 3, 4), _), [], throws(type_error(integer, a))).
t(set_in_place, ( P = rcn_point(1, 2, 3, 4), ( set_x_of_rcn_point(7, P), print(P), nl, fail ; print(P) ) ), [P], output("rcn_point(7,2,3,4)\nrcn_point(1,2,3,4)")).
t(set_for_good, ( P = rcn_point(1, 2, 3, 4), ( nb_set_x_of_rcn_point(7, P), fail ; rcn_point_x(P, X) ) ), [X], answers([[7]])).
t(set_field, set_rcn_point_field(y(9), rcn_point(1, 2, 3, 4), P), [P], answers([[rcn_point(1, 9, 3, 4)]])).
t(set_fields, set_rcn_point_fields([x(3), y(4)], rcn_point(1, 2, 3, 4), P), [P], answers([[rcn_point(3, 4, 3, 4)]])).
t(set_fields_rest, set_rcn_point_fields([x(3), u(4)], rcn_point(1, 2, 3, 4), P, Rest), [P, Rest], answers([[rcn_point(3, 2, 3, 4), [u(4)]]])).
t(of_record, make_rcn_line([from(rcn_point(1, 2, 3, 4)), to([1])], L), [L], answers([[rcn_line(rcn_point(1, 2, 3, 4), [1])]])).
t(of_record_type, make_rcn_line([from(a)], _), [], throws(type_error(rcn_point, a))).
t(of_list_type, make_rcn_line([to([a])], _), [], throws(type_error(integer, a))).
t(current, current_record(rcn_line, S), [S], answers([[rcn_line(from:rcn_point, to:list(integer))]])).
t(no_directive, record(a), [], throws(context_error(nodirective, record(a)))).

% library(arithmetic): functions of programs

:- use_module(library(arithmetic)).
:- arithmetic_function(rcn_twice/1).
:- arithmetic_function(rcn_ten/0).
:- arithmetic_function(rcn_none/0).

rcn_twice(X, Y) :- Y is X*2.
rcn_ten(10).
rcn_none(_) :- fail.
rcn_evaluates(X, Y) :- Y is rcn_twice(X+rcn_twice(rcn_ten))+X.
rcn_compares(X, Y) :- rcn_twice(X) < rcn_twice(Y), Y > rcn_ten.
rcn_inside(L) :- findall(Y, ( member(X, [1, 2]), \+ X =:= rcn_twice(1), Y is rcn_twice(X) ), L).
rcn_fails(X) :- X is rcn_none+1.

t(function, rcn_evaluates(1, Y), [Y], answers([[43]])).
t(function_compares, ( rcn_compares(1, 11), \+ rcn_compares(11, 1) ), [], answers([[]])).
t(function_inside, rcn_inside(L), [L], answers([[[2]]])).
t(function_fails, rcn_fails(_), [], fails).
t(function_error, rcn_evaluates(a, _), [], throws(type_error(evaluable, a/0))).
t(function_value, ( arithmetic_expression_value(rcn_twice(3)+rcn_ten, V), arithmetic_expression_value(1+1, W) ), [V, W], answers([[16, 2]])).
t(function_at_runtime, ( E = rcn_twice(3), _ is E ), [], throws(type_error(evaluable, rcn_twice/1))).
t(function_evaluable, findall(E, ( member(E, [1, pi, sin(2), 1 + "a", [x], [1, 2], foo, foo(1), sin(foo), "ab", []]), arithmetic:evaluable(E) ), L), [L], answers([[[1, pi, sin(2), 1 + "a", [x]]]])).
t(function_evaluable_unbound, ( arithmetic:evaluable(_), arithmetic:evaluable(_ + _) ), [], answers([[]])).
t(function_no_directive, arithmetic_function(a/1), [], throws(context_error(nodirective, _))).
t(function_wrong, arithmetic_function(a), [], throws(type_error(predicate_indicator, a))).
