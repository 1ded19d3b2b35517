% library(predicate_options): what predicates take as options.

:- use_module(library(predicate_options)).

:- predicate_options(pop_p/2, 2, [a(integer), b(-list), pass_to(pop_q/1, 1)]).
:- predicate_options(pop_q/1, 1, [c(oneof([x, y])), d(any), pass_to(pop_p/2, 2)]).
:- predicate_options(pop_r//1, 1, [e(boolean)]).
pop_p(_, _).
pop_q(_).
pop_r(_) --> [].

t(pop_arg, current_option_arg(pop_p/2, A), [A], answers([[2]])).
t(pop_args, setof(P, A^current_option_arg(P, A), L), [L], answers([[[pop_p/2, pop_q/1, pop_r/3]]])).
t(pop_options, current_predicate_options(pop_p/2, A, L), [A, L], answers([[2, [a(integer), b(-list), c(oneof([x, y])), d(any)]]])).
t(pop_grammar, current_predicate_options(pop_r//1, _, L), [L], answers([[[e(boolean)]]])).
t(pop_option, findall(O, current_predicate_option(pop_q/1, 1, O), L), [L], answers([[[a(_), b(_), c(_), d(_)]]])).
t(pop_value, current_predicate_option(pop_p/2, A, c(x)), [A], answers([[2]])).
t(pop_value_not, current_predicate_option(pop_p/2, _, c(z)), [], fails).
t(pop_option_not, current_predicate_option(pop_p/2, _, nope(_)), [], fails).
t(pop_check, ( check_predicate_option(pop_p/2, 2, a(1)), check_predicate_option(pop_p/2, 2, b(_)) ), [], answers([[]])).
t(pop_check_type, check_predicate_option(pop_p/2, 2, a(x)), [], throws(type_error(integer, x))).
t(pop_check_output, check_predicate_option(pop_p/2, 2, b([])), [], throws(uninstantiation_error([]))).
t(pop_check_unknown, check_predicate_option(pop_p/2, 2, nope(1)), [], throws(existence_error(option, nope(1)))).
t(pop_check_nothing, check_predicate_option(pop_p/2, 1, a(1)), [], fails).
t(pop_assert, ( assert_predicate_options(pop_new/1, 1, [f(integer)], A), assert_predicate_options(pop_new/1, 1, [f(integer)], B), current_predicate_options(pop_new/1, 1, L) ), [A, B, L],
  answers([[true, false, [f(integer)]]])).
t(pop_assert_not, assert_predicate_options(pop_q/1, 1, [g(integer)], false), [], fails).
t(pop_no_directive, catch(predicate_options(pop_s/1, 1, []), error(context_error(E, _), _), true), [E], answers([[nodirective]])).
t(pop_indicator, assert_predicate_options(1, 1, [], _), [], throws(type_error(predicate_indicator, 1))).
t(pop_argument, assert_predicate_options(pop_s/1, 2, [], _), [], throws(_)).
t(pop_declaration, assert_predicate_options(pop_s/1, 1, [f], _), [], throws(type_error(option_declaration, f))).
