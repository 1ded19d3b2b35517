% What is known of terms, numbers and files: functor/4, float_class/2, float_parts/4, bounded_number/3, term_size/2,
% source_file/1,2, unload_file/1, import_module/2; goals in other contexts: @/2, catch_with_backtrace/3,
% call_with_inference_limit/3.

:- multifile(shared_with_unloaded/1).

ins_rule(_) --> [].

shared_with_unloaded(here).

in_this_file(_).

spin :- spin.

count(0) :- !.
count(N) :- N1 is N-1, count(N1).

test_file(Relative, Path) :-
    source_file(in_this_file(_), This),
    file_directory_name(This, Directory),
    atomic_list_concat([Directory, /, Relative], Path).

undefined(G) :- catch(G, error(existence_error(procedure, _), _), fail).

% Functors with types

t(functor_compound, functor(foo(a), N, A, T), [N, A, T], answers([[foo, 1, compound]])).
t(functor_atom, functor(foo, N, A, T), [N, A, T], answers([[foo, 0, atom]])).
t(functor_number, functor(1, N, A, T), [N, A, T], answers([[1, 0, atomic]])).
t(functor_string, functor("s", N, A, T), [N, A, T], answers([["s", 0, atomic]])).
t(functor_no_arguments, ( compound_name_arity(X, foo, 0), functor(X, N, A, T) ), [N, A, T], answers([[foo, 0, compound]])).
t(functor_nil, functor([], N, A, T), [N, A, T], answers([[[], 0, atom]])).
t(functor_list, functor([a], N, A, T), [N, A, T], answers([['[|]', 2, compound]])).
t(functor_callable, findall(X, ( member(X, [foo, f(x), 1, "s"]), functor(X, _, _, callable) ), L), [L], answers([[[foo, f(x)]]])).
t(functor_is_atomic, findall(X, ( member(X, [foo, f(x), 1]), functor(X, _, _, atomic) ), L), [L], answers([[[1]]])).
t(functor_is_compound, findall(X, ( member(X, [foo, f(x), 1]), functor(X, _, _, compound) ), L), [L], answers([[[f(x)]]])).
t(functor_unknown_type, functor(foo, _, _, zork), [], fails).
t(functor_make_compound, functor(X, a, 2, T), [X, T], answers([[a(_, _), compound]])).
t(functor_make_callable, functor(X, a, 1, callable), [X], answers([[a(_)]])).
t(functor_make_no_arguments, ( functor(X, a, 0, compound), compound_name_arity(X, N, A) ), [N, A], answers([[a, 0]])).
t(functor_make_atom, ( functor(X, a, 0, atom), functor(Y, a, 0, callable) ), [X, Y], answers([[a, a]])).
t(functor_make_number, ( functor(X, 1, 0, T), functor(Y, 1.5, 0, atomic) ), [X, T, Y], answers([[1, atomic, 1.5]])).
t(functor_make_string, functor(X, "s", 0, T), [X, T], answers([["s", atomic]])).
t(functor_make_other, ( functor(_, a, 0, atomic) ; functor(_, 1, 0, atom) ; functor(_, a, 2, atom) ; functor(_, 1, 0, compound) ; functor(_, 1, 0, callable) ), [], fails).
t(functor_make_which, functor(_, a, 0, _), [], throws(instantiation_error)).
t(functor_unbound, functor(_, _, _, _), [], throws(instantiation_error)).
t(functor_unbound_arity, functor(_, a, _, _), [], throws(instantiation_error)).
t(functor_unbound_name, functor(_, _, 1, _), [], throws(instantiation_error)).
t(functor_negative, functor(_, a, -1, _), [], throws(domain_error(not_less_than_zero, -1))).
t(functor_arity, functor(_, a, b, _), [], throws(type_error(integer, b))).
t(functor_compound_name, functor(_, f(x), 0, _), [], throws(type_error(atomic, f(x)))).
t(functor_number_name, functor(_, 1, 1, _), [], throws(type_error(atom, 1))).
t(functor_string_name, functor(_, "s", 1, _), [], throws(type_error(atom, "s"))).
t(functor_bad_type, functor(_, a, 0, foo), [], throws(domain_error(functor_type, foo))).
t(functor_number_type, functor(_, a, 0, 1), [], throws(type_error(atom, 1))).

% Numbers

t(float_classes, ( Inf is inf, Nan is nan, maplist(float_class, [1.0, -1.5e300, 0.0, -0.0, 5.0e-324, 2.2250738585072014e-308, Inf, Nan], L) ), [L], answers([[[normal, normal, zero, zero, subnormal, normal, infinite, nan]]])).
t(float_class_other, float_class(1.0, zero), [], fails).
t(float_class_integer, float_class(1, _), [], throws(type_error(float, 1))).
t(float_class_atom, float_class(a, _), [], throws(type_error(float, a))).
t(float_class_unbound, float_class(_, _), [], throws(instantiation_error)).
t(float_parts, float_parts(1.5, M, B, E), [M, B, E], answers([[0.75, 2, 1]])).
t(float_parts_negative, float_parts(-10.0, M, 2, E), [M, E], answers([[-0.625, 4]])).
t(float_parts_zero, float_parts(0.0, M, B, E), [M, B, E], answers([[0.0, 2, 0]])).
t(float_parts_small, float_parts(5.0e-324, M, B, E), [M, B, E], answers([[0.5, 2, -1073]])).
t(float_parts_fraction, float_parts(0.1, M, B, E), [M, B, E], answers([[0.8, 2, -3]])).
t(float_parts_large, ( float_parts(1.7976931348623157e308, M, 2, E), M > 0.99, M < 1 ), [E], answers([[1024]])).
t(float_parts_powers, forall(between(-1070, 1020, E), ( X is 2.0 ** E, E1 is E+1, float_parts(X, 0.5, 2, E1) )), [], answers([[]])).
t(float_parts_integer, float_parts(2, M, B, E), [M, B, E], answers([[0.5, 2, 2]])).
t(float_parts_infinite, ( X is inf, float_parts(X, M, 2, E), M =:= inf ), [E], answers([[0]])).
t(float_parts_base, float_parts(1.0, _, 10, _), [], fails).
t(float_parts_unbound, float_parts(_, _, _, _), [], throws(instantiation_error)).
t(bounded, bounded_number(1, 3, 2), [], answers([[]])).
t(bounded_not, ( bounded_number(1, 3, 4) ; bounded_number(1, 3, 1) ; bounded_number(1, 3, 3) ; bounded_number(3, 1, 2) ), [], fails).
t(bounded_no_numbers, ( bounded_number(a, 3, 1) ; bounded_number(1, b, 2) ), [], fails).
t(bounded_mixed, bounded_number(1.0, 3, 2), [], answers([[]])).
t(bounded_next, bounded_number(L, H, 2), [L, H], answers([[1, 3]])).
t(bounded_next_float, bounded_number(L, H, 2.5), [L, H], answers([[2.4999999999999996, 2.5000000000000004]])).
t(bounded_next_rational, ( X is 1 rdiv 3, bounded_number(L, H, X) ), [L, H], answers([[0.33333333333333326, 0.33333333333333337]])).

% Sizes

t(size_constants, ( maplist(term_size, [a, 1, -1, [], _], L) ), [L], answers([[[0, 0, 0, 0, 0]]])).
t(size_compounds, ( X = "x", maplist(term_size, [f(a), f(a, b), [a], [a, b], f(_)], L), string(X) ), [L], answers([[[2, 3, 3, 6, 2]]])).
t(size_numbers, ( maplist(term_size, [1.5, 9223372036854775807, 1152921504606846975, 100000000000000000000, 12345678901234567890123456789012345678901234567890], L) ), [L], answers([[[3, 3, 3, 5, 6]]])).
t(size_rational, ( X is 1 rdiv 3, term_size(X, S) ), [S], answers([[6]])).
t(size_strings, ( maplist(term_size, ["", "abc", "abcdefgh", "äöü", "€uro"], L) ), [L], answers([[[3, 3, 4, 3, 5]]])).
t(size_shared, ( atom_codes(A, "a"), X = g(A), term_size(f(X, X), S) ), [S], answers([[5]])).
t(size_cyclic, ( X = f(X), term_size(X, S) ), [S], answers([[2]])).
t(size_wrong, term_size(a, x), [], fails).
t(size_deep, ( numlist(1, 100000, L), term_size(L, S) ), [S], answers([[300000]])).

% Files

t(source_file, ( source_file(in_this_file(_), F), source_file(F), file_base_name(F, N) ), [N], answers([['inspection.pl']])).
t(source_file_qualified, ( source_file(user:in_this_file(_), F), file_base_name(F, N) ), [N], answers([['inspection.pl']])).
t(source_file_all, ( source_file(in_this_file(_), F), findall(x, ( source_file(X), X == F ), L) ), [L], answers([[[x]]])).
t(source_file_predicates, ( source_file(in_this_file(_), F), findall(H, ( source_file(H, F), H = in_this_file(_) ), L) ), [L], answers([[[in_this_file(_)]]])).
t(source_file_not_loaded, source_file('/no/such/file.pl'), [], fails).
t(source_file_no_file, source_file(_, '/no/such/file.pl'), [], fails).
t(source_file_undefined, source_file(no_such_predicate(_), _), [], fails).
t(source_file_builtin, source_file(atom_length(_, _), _), [], fails).
t(source_file_number, source_file(1), [], throws(type_error(text, 1))).
t(source_file_number_head, source_file(1, _), [], throws(type_error(callable, 1))).
t(source_file_number_file, source_file(_, 1), [], throws(type_error(atom, 1))).
t(unload_before, ( test_file('modules/unloaded.pl', F), use_module(F), source_file(unloaded:gone(_), F0), file_base_name(F0, N), findall(X, shared_with_unloaded(X), L) ), [N, L], answers([['unloaded.pl', [here, there]]])).
t(unload, ( test_file('modules/unloaded', F), unload_file(F), findall(X, shared_with_unloaded(X), L) ), [L], answers([[[here]]])).
t(unload_static, undefined(unloaded:gone(_)), [], fails).
t(unload_dynamic, undefined(unloaded:kept(_)), [], fails).
t(unload_not_loaded, ( unload_file(no_such_file), unload_file(f(x)), unload_file(library(no_such_library)) ), [], answers([[]])).
t(unload_unbound, unload_file(_), [], throws(instantiation_error)).
t(unload_number, unload_file(1), [], throws(type_error(text, 1))).

% Modules

t(import_of_user, findall(M, import_module(user, M), L), [L], answers([[[system]]])).
t(import_of_system, import_module(system, _), [], fails).
t(import_of_new_module, import_module(no_such_module, M), [M], answers([[user]])).
t(import_other, import_module(no_such_module, 1), [], fails).
t(import_unbound, import_module(_, _), [], throws(instantiation_error)).
t(import_added, ( add_import_module(insp_a, insp_b, start), add_import_module(insp_a, insp_c, end),
                  findall(M, import_module(insp_a, M), L) ), [L], answers([[[insp_b, user, insp_c]]])).
t(import_twice, ( add_import_module(insp_d, insp_b, start), add_import_module(insp_d, user, start),
                  findall(M, import_module(insp_d, M), L) ), [L], answers([[[insp_b, user]]])).
t(import_deleted, ( add_import_module(insp_e, insp_b, start), delete_import_module(insp_e, user),
                    findall(M, import_module(insp_e, M), L) ), [L], answers([[[insp_b]]])).
t(import_delete_none, delete_import_module(insp_f, insp_b), [], fails).
t(import_cycle, ( add_import_module(insp_g, insp_h, start), add_import_module(insp_h, insp_i, end),
                  add_import_module(insp_i, insp_g, start) ), [], throws(permission_error(add_import, module, insp_i))).
t(import_add_unbound, add_import_module(_, a, start), [], throws(instantiation_error)).
t(import_seen, ( assertz(insp_k:from_k(1)), assertz(insp_k:from_both(k)), assertz(insp_j:from_both(j)),
                 set_module(insp_j:base(insp_k)), insp_j:from_k(X), findall(B, insp_j:from_both(B), L) ), [X, L],
  answers([[1, [j]]])).
t(import_base, ( set_module(insp_l:base(system)), findall(M, import_module(insp_l, M), L), insp_l:atom_length(ab, N) ),
  [L, N], answers([[[system], 2]])).
t(import_chain, ( assertz(insp_o:from_o(1)), set_module(insp_n:base(insp_o)), set_module(insp_m:base(insp_n)), insp_m:from_o(X) ),
  [X], answers([[1]])).
t(module_class, ( set_module(insp_p:class(test)), module_property(insp_p, class(C)) ), [C], answers([[test]])).
t(module_no_class, set_module(insp_p:class(none)), [], throws(domain_error(module_class, none))).
t(module_no_property, set_module(insp_p:foo(none)), [], throws(domain_error(module_property, foo(none)))).
t(import_number, import_module(1, _), [], throws(type_error(atom, 1))).
t(at_assert, ( @(assertz(at_fact(1)), at_module), findall(X, at_module:at_fact(X), L) ), [L], answers([[[1]]])).
t(at_nothing, @(member(X, [1, 2]), at_module), [X], answers([[1], [2]])).
t(at_strip, @(strip_module(a, M, _), at_module), [M], answers([[at_module]])).
t(at_meta, ( assertz(at_module:at_p(7)), @(findall(X, at_p(X), L), at_module) ), [L], answers([[[7]]])).
t(at_library, ( assertz(at_module:at_q(8)), @(maplist(at_q, [X]), at_module) ), [X], answers([[8]])).
t(at_explicit, ( @(assertz(other_module:at_r(1)), at_module), other_module:at_r(X) ), [X], answers([[1]])).
t(at_unbound, @(_, user), [], throws(instantiation_error)).
t(at_unbound_module, @(true, _), [], throws(instantiation_error)).
t(at_number, @(true, 1), [], throws(type_error(module, 1))).
t(module_unbound, module(_), [], throws(instantiation_error)).
t(module_number, module(1), [], throws(type_error(atom, 1))).

% Goals

t(backtrace_ball, catch_with_backtrace(throw(a), X, true), [X], answers([[a]])).
t(backtrace_solutions, catch_with_backtrace(member(X, [1, 2]), _, true), [X], answers([[1], [2]])).
t(backtrace_fails, catch_with_backtrace(fail, _, true), [], fails).
t(backtrace_error, catch_with_backtrace(atom_length(_, _), error(E, _), true), [E], answers([[instantiation_error]])).
t(backtrace_other, catch_with_backtrace(throw(a), b, true), [], throws_ball(a)).
t(limit_det, call_with_inference_limit(true, 1000, R), [R], answers([[!]])).
t(limit_fails, call_with_inference_limit(fail, 1000, _), [], fails).
t(limit_solutions, call_with_inference_limit(member(X, [1, 2]), 1000, R), [X, R], answers([[1, true], [2, !]])).
t(limit_exceeded, call_with_inference_limit(spin, 1000, R), [R], answers([[inference_limit_exceeded]])).
t(limit_exceeded_by_failure, call_with_inference_limit(( repeat, fail ), 1000, R), [R], answers([[inference_limit_exceeded]])).
t(limit_not_reached, call_with_inference_limit(count(1000), 10000, R), [R], answers([[!]])).
t(limit_reached, call_with_inference_limit(count(10000), 5000, R), [R], answers([[inference_limit_exceeded]])).
t(limit_zero, call_with_inference_limit(spin, 0, R), [R], answers([[inference_limit_exceeded]])).
% Neither sig_atomic/1 nor a cleanup handler or a Setup is beyond it.
t(limit_atomic, call_with_inference_limit(sig_atomic(spin), 1000, R), [R], answers([[inference_limit_exceeded]])).
t(limit_handler, call_with_inference_limit(setup_call_cleanup(true, fail, spin), 1000, R), [R], answers([[inference_limit_exceeded]])).
t(limit_handler_at_cut, call_with_inference_limit(once(setup_call_cleanup(true, repeat, spin)), 1000, R), [R], answers([[inference_limit_exceeded]])).
t(limit_setup, call_with_inference_limit(setup_call_cleanup(spin, true, true), 1000, R), [R], answers([[inference_limit_exceeded]])).
t(limit_after, ( call_with_inference_limit(spin, 100, _), count(1000), call_with_inference_limit(true, 100, _), count(1000), \+ call_with_inference_limit(fail, 100, _), count(1000), catch(call_with_inference_limit(throw(x), 100, _), x, true), count(1000) ), [], answers([[]])).
t(limit_between_solutions, ( call_with_inference_limit(member(X, [1, 2, 3]), 500, _), count(1000) ), [X], answers([[1], [2], [3]])).
t(limit_later_solution, call_with_inference_limit(( X = 1 ; spin ), 500, R), [X, R], answers([[1, true], [_, inference_limit_exceeded]])).
t(limit_cut, ( call_with_inference_limit(member(X, [1, 2, 3]), 500, _), !, count(1000) ), [X], answers([[1]])).
t(limit_result_given, call_with_inference_limit(member(X, [1, 2]), 1000, !), [X], answers([[2]])).
t(limit_inner, call_with_inference_limit(call_with_inference_limit(spin, 100, R), 10000, S), [R, S], answers([[inference_limit_exceeded, !]])).
t(limit_throws, call_with_inference_limit(throw(x), 1000, _), [], throws_ball(x)).
t(limit_atom, call_with_inference_limit(true, a, _), [], throws(type_error(integer, a))).
t(limit_float, call_with_inference_limit(true, 1.5, _), [], throws(type_error(integer, 1.5))).
t(limit_unbound, call_with_inference_limit(true, _, _), [], throws(instantiation_error)).
t(limit_negative, call_with_inference_limit(true, -1, _), [], throws(domain_error(not_less_than_zero, -1))).
t(limit_unbound_goal, call_with_inference_limit(_, 10, _), [], throws(instantiation_error)).
t(limit_number_goal, call_with_inference_limit(1, 10, _), [], throws(type_error(callable, 1))).

% What the system defines

t(current_system, ( current_predicate(atom/1), current_predicate(is_list/1), current_predicate((',')/2) ), [], answers([[]])).
t(current_system_arity, findall(A, current_predicate(atom/A), L), [L], answers([[[1]]])).
t(current_system_head, current_predicate(N, atom(_)), [N], answers([[atom]])).
t(current_system_library, ( current_predicate(call_with_depth_limit/3), current_predicate(N, user:call_with_depth_limit(_, _, _)), \+ current_predicate(subsumes_chk/2) ), [N], answers([[call_with_depth_limit]])).
t(current_system_not, current_predicate(insp_no_such/_), [], fails).
t(current_system_module, ( current_predicate(system:atom/1), current_predicate(user:atom/1) ), [], answers([[]])).

t(current_rule, ( current_predicate(ins_rule//1), current_predicate(ins_rule//A), \+ current_predicate(ins_rule//2) ), [A], answers([[1]])).
t(current_rule_type, current_predicate(ins_rule//a), [], throws(type_error(predicate_indicator, _))).
t(current_rule_negative, current_predicate(ins_rule//(-1)), [], throws(domain_error(not_less_than_zero, -1))).
