% Unification, comparison and type tests.
% ISO 13211-1, 8.2, 8.3 and 8.4; =@=/2, ?=/2, subsumes_term/2, strings and
% rationals as in SWI-Prolog.

% =/2

t(eq_atoms, a = a, [], answers([[]])).
t(eq_atoms_no, a = b, [], fails).
t(eq_int_float, 1 = 1.0, [], fails).
t(eq_big, 123456789012345678901234567890 = 123456789012345678901234567890, [], answers([[]])).
t(eq_float, 1.5 = 1.5, [], answers([[]])).
t(eq_zero_signs, 0.0 = -0.0, [], fails).
t(eq_string, "abc" = "abc", [], answers([[]])).
t(eq_string_atom, "abc" = abc, [], fails).
t(eq_var, X = a, [X], answers([[a]])).
t(eq_var_right, a = X, [X], answers([[a]])).
t(eq_vars, X = Y, [X, Y], answers([[P, P]])).
t(eq_same_var, X = X, [X], answers([[_]])).
t(eq_chain, ( X = Y, Y = Z, Z = 1 ), [X, Y, Z], answers([[1, 1, 1]])).
t(eq_struct, f(X, b) = f(a, Y), [X, Y], answers([[a, b]])).
t(eq_struct_name, f(_) = g(_), [], fails).
t(eq_struct_arity, f(_) = f(_, _), [], fails).
t(eq_struct_atom, f(_) = f, [], fails).
t(eq_shared, f(X, X) = f(a, b), [X], fails).
t(eq_shared_vars, f(X, Y, X) = f(Y, Z, a), [X, Y, Z], answers([[a, a, a]])).
t(eq_partial_undone, ( f(X, b) = f(a, c) ; true ), [X], answers([[_]])).
t(eq_list, [H|T] = [1, 2, 3], [H, T], answers([[1, [2, 3]]])).
t(eq_list_empty, [_|_] = [], [], fails).
t(eq_list_open, [a, b|T] = [X, Y, c], [X, Y, T], answers([[a, b, [c]]])).
t(eq_list_dot, [1, 2] = '[|]'(X, Y), [X, Y], answers([[1, [2]]])).
t(eq_nil_atom, [] = '[]', [], fails).
t(eq_curly, {X} = {a, b}, [X], answers([[(a, b)]])).
t(eq_curly_struct, {a} = '{}'(X), [X], answers([[a]])).
t(eq_op, X + Y = 1 + 2 * 3, [X, Y], answers([[1, 2*3]])).
t(eq_assoc, X - Y = 1 - 2 - 3, [X, Y], answers([[1-2, 3]])).
t(eq_deep, f(g(h(X))) = f(g(h(1))), [X], answers([[1]])).

% \=/2

t(neq_atoms, a \= b, [], answers([[]])).
t(neq_same, a \= a, [], fails).
t(neq_var, _ \= a, [], fails).
t(neq_vars, _ \= _, [], fails).
t(neq_int_float, 1 \= 1.0, [], answers([[]])).
t(neq_leaves_unbound, ( f(X, b) \= f(a, c) ), [X], answers([[_]])).
t(neq_shared, f(X, X) \= f(1, 2), [X], answers([[_]])).

% unify_with_occurs_check/2

t(occurs_ok, unify_with_occurs_check(X, f(Y)), [X, Y], answers([[f(P), P]])).
t(occurs_fails, unify_with_occurs_check(X, f(X)), [], fails).
t(occurs_same, unify_with_occurs_check(X, X), [X], answers([[_]])).
t(occurs_indirect, unify_with_occurs_check(f(X, Y), f(g(Y), g(X))), [], fails).
t(occurs_deep, unify_with_occurs_check(X, [a, b|X]), [], fails).
t(occurs_struct, unify_with_occurs_check(f(X, 1), f(a, Y)), [X, Y], answers([[a, 1]])).
t(occurs_atoms, unify_with_occurs_check(a, b), [], fails).

% ==/2 and \==/2

t(ident_atoms, a == a, [], answers([[]])).
t(ident_vars, _ == _, [], fails).
t(ident_same_var, X == X, [X], answers([[_]])).
t(ident_aliased, ( X = Y, X == Y ), [X, Y], answers([[P, P]])).
t(ident_struct, f(X, Y) == f(X, Y), [X, Y], answers([[_, _]])).
t(ident_struct_no, f(X, Y) == f(Y, X), [X, Y], fails).
t(ident_int_float, 1 == 1.0, [], fails).
t(ident_big, 2 ** 100 == 2 ** 100, [], answers([[]])).
t(ident_list, [1, 2] == [1, 2], [], answers([[]])).
t(ident_string, "a" == "a", [], answers([[]])).
t(ident_string_atom, "a" == a, [], fails).
t(ident_zero_signs, 0.0 == -0.0, [], fails).
t(not_ident_vars, _ \== _, [], answers([[]])).
t(not_ident_same, X \== X, [X], fails).
t(not_ident_atoms, a \== b, [], answers([[]])).

% =@=/2 and \=@=/2

t(variant_vars, _ =@= _, [], answers([[]])).
t(variant_struct, f(_, _) =@= f(_, _), [], answers([[]])).
t(variant_shared_no, f(X, X) =@= f(_, _), [X], fails).
t(variant_shared, f(X, X) =@= f(Y, Y), [X, Y], answers([[_, _]])).
t(variant_swapped, f(X, Y) =@= f(Y, X), [X, Y], answers([[_, _]])).
t(variant_reuse_no, f(X, Y, X) =@= f(Y, X, X), [X, Y], fails).
t(variant_bound_no, f(_) =@= f(a), [], fails).
t(variant_atoms, a =@= a, [], answers([[]])).
t(variant_list, [A, B, A] =@= [C, D, C], [A, B, C, D], answers([[_, _, _, _]])).
t(not_variant, f(_) \=@= f(a), [], answers([[]])).
t(not_variant_no, f(_) \=@= f(_), [], fails).

% subsumes_term/2, ?=/2

t(subsumes_general, subsumes_term(f(_), f(a)), [], answers([[]])).
t(subsumes_specific, subsumes_term(f(a), f(_)), [], fails).
t(subsumes_no_binding, subsumes_term(f(X), f(a)), [X], answers([[_]])).
t(subsumes_vars, subsumes_term(f(_, _), f(X, X)), [X], answers([[_]])).
t(subsumes_shared, subsumes_term(f(X, X), f(_, _)), [X], fails).
t(subsumes_same, subsumes_term(f(X, Y), f(X, Y)), [X, Y], answers([[_, _]])).
t(subsumes_occurs, subsumes_term(X, f(X)), [X], fails).
t(subsumes_chk_unify, subsumes_term(g(X), g(f(X))), [X], fails).
t(decided_same, ?=(a, a), [], answers([[]])).
t(decided_different, ?=(a, b), [], answers([[]])).
t(decided_not, ?=(_, b), [], fails).
t(unifiable, unifiable(f(X, b), f(a, Y), L), [X, Y, L], answers([[P, Q, [Q=b, P=a]]])).
t(unifiable_no, unifiable(f(a), f(b), _), [], fails).

% compare/3 and the standard order:
% Var < Number < String < Atom < Compound

t(compare_lt, compare(O, 1, 2), [O], answers([[<]])).
t(compare_eq, compare(O, a, a), [O], answers([[=]])).
t(compare_gt, compare(O, b, a), [O], answers([[>]])).
t(compare_check, compare(<, 1, 2), [], answers([[]])).
t(compare_check_no, compare(>, 1, 2), [], fails).
t(compare_var_num, compare(O, _, 1), [O], answers([[<]])).
t(compare_num_string, compare(O, 1, "a"), [O], answers([[<]])).
t(compare_string_atom, compare(O, "z", a), [O], answers([[<]])).
t(compare_num_atom, compare(O, 100, a), [O], answers([[<]])).
t(compare_atom_compound, compare(O, z, a(1)), [O], answers([[<]])).
t(compare_var_compound, compare(O, _, f(x)), [O], answers([[<]])).
t(compare_ints, compare(O, -5, 3), [O], answers([[<]])).
t(compare_big, compare(O, 100000000000000000000, 99999999999999999999), [O], answers([[>]])).
t(compare_big_small, compare(O, -100000000000000000000, 1), [O], answers([[<]])).
t(compare_int_float, compare(O, 1, 2.0), [O], answers([[<]])).
t(compare_int_float_equal, compare(O, 1, 1.0), [O], answers([[>]])).
t(compare_float_int_equal, compare(O, 1.0, 1), [O], answers([[<]])).
t(compare_floats, compare(O, 2.5, 1.5), [O], answers([[>]])).
t(compare_big_float, compare(O, 100000000000000000001, 1.0e20), [O], answers([[>]])).
t(compare_bigs, ( findall(X, ( member(E, [1<<62, 1<<64, 1<<128, 3<<127, 7**100]), member(D, [-1, 0, 1]), member(S, [1, -1]), X is S*(E+D) ), L0),
    msort(L0, L), \+ ( nextto(A, B, L), A > B ), predsort([O, A, B]>>compare(O, A, B), L0, L1), sort(L0, L2), L1 == L2, length(L2, N) ), [N], answers([[30]])).
t(compare_2_53, compare(O, 9007199254740993, 9007199254740992.0), [O], answers([[>]])).
t(compare_rational, compare(O, 1r3, 1), [O], answers([[<]])).
t(compare_rational_float, compare(O, 1r2, 0.5), [O], answers([[>]])).
t(compare_zero_signs, compare(O, -0.0, 0.0), [O], answers([[<]])).
t(compare_atoms_prefix, compare(O, ab, abc), [O], answers([[<]])).
t(compare_atoms_case, compare(O, 'B', a), [O], answers([[<]])).
t(compare_atoms_empty, compare(O, '', a), [O], answers([[<]])).
t(compare_atoms_unicode, compare(O, 'é', z), [O], answers([[>]])).
t(compare_nil_atom, compare(O, [], a), [O], answers([[<]])).
t(compare_strings, compare(O, "a", "b"), [O], answers([[<]])).
t(compare_arity_first, compare(O, z(1), a(1, 2)), [O], answers([[<]])).
t(compare_name_second, compare(O, f(2), g(1)), [O], answers([[<]])).
t(compare_args_left_to_right, compare(O, f(1, 3), f(2, 0)), [O], answers([[<]])).
t(compare_second_arg, compare(O, f(1, 3), f(1, 2)), [O], answers([[>]])).
t(compare_lists, compare(O, [1, 2], [1, 3]), [O], answers([[<]])).
t(compare_list_lengths, compare(O, [1, 2, 3], [2]), [O], answers([[<]])).
t(compare_list_struct, compare(O, [a], f(a, b)), [O], answers([[<]])).
t(compare_list_f1, compare(O, [a], f(a)), [O], answers([[>]])).
t(compare_bad_order, compare(a, 1, 2), [], throws(domain_error(order, a))).
t(compare_bad_order_type, compare(1, 1, 2), [], throws(type_error(atom, 1))).
t(order_lt, 1 @< a, [], answers([[]])).
t(order_lt_no, a @< 1, [], fails).
t(order_le_same, f(a) @=< f(a), [], answers([[]])).
t(order_le_no, b @=< a, [], fails).
t(order_gt, f(a) @> a, [], answers([[]])).
t(order_gt_no, a @> f(a), [], fails).
t(order_ge_same, a @>= a, [], answers([[]])).
t(order_ge_no, 1 @>= a, [], fails).
t(order_var_first, ( _ @< 0 ), [], answers([[]])).
t(order_big, 1.0e30 @> 123456789012345678901, [], answers([[]])).
t(order_mixed, ( msort([f(x), z, "s", 2, 1.5, [a], g(a, b), [], 1r3], L) ), [L],
  answers([[[1r3, 1.5, 2, "s", [], z, f(x), [a], g(a, b)]]])).
t(order_sort_numbers, msort([2, 1.0, 1, 1r2, -1, 0.5], L), [L], answers([[[-1, 0.5, 1r2, 1.0, 1, 2]]])).

% Type tests

t(var_yes, var(_), [], answers([[]])).
t(var_no, var(a), [], fails).
t(var_bound, ( X = 1, var(X) ), [X], fails).
t(var_aliased, ( X = Y, var(X) ), [X, Y], answers([[P, P]])).
t(nonvar_yes, nonvar(f(_)), [], answers([[]])).
t(nonvar_no, nonvar(_), [], fails).
t(atom_yes, atom(foo), [], answers([[]])).
t(atom_quoted, atom('Foo bar'), [], answers([[]])).
t(atom_empty, atom(''), [], answers([[]])).
t(atom_nil, atom([]), [], fails).
t(atom_curly, atom({}), [], answers([[]])).
t(atom_op, atom(+), [], answers([[]])).
t(atom_string, atom("a"), [], fails).
t(atom_number, atom(1), [], fails).
t(atom_var, atom(_), [], fails).
t(atom_struct, atom(f(x)), [], fails).
t(integer_yes, integer(3), [], answers([[]])).
t(integer_negative, integer(-3), [], answers([[]])).
t(integer_big, integer(123456789012345678901234567890), [], answers([[]])).
t(integer_float, integer(3.0), [], fails).
t(integer_var, integer(_), [], fails).
t(integer_rational, integer(1r3), [], fails).
t(float_yes, float(3.0), [], answers([[]])).
t(float_int, float(3), [], fails).
t(float_inf, ( X is inf, float(X) ), [], answers([[]])).
t(rational_int, rational(3), [], answers([[]])).
t(rational_frac, rational(1r3), [], answers([[]])).
t(rational_float, rational(0.5), [], fails).
t(rational_parts, rational(6r4, N, D), [N, D], answers([[3, 2]])).
t(number_int, number(3), [], answers([[]])).
t(number_float, number(3.5), [], answers([[]])).
t(number_rational, number(1r3), [], answers([[]])).
t(number_atom, number(a), [], fails).
t(number_expr, number(1 + 2), [], fails).
t(atomic_atom, atomic(a), [], answers([[]])).
t(atomic_string, atomic("a"), [], answers([[]])).
t(atomic_number, atomic(1.5), [], answers([[]])).
t(atomic_nil, atomic([]), [], answers([[]])).
t(atomic_var, atomic(_), [], fails).
t(atomic_struct, atomic(f(x)), [], fails).
t(compound_struct, compound(f(x)), [], answers([[]])).
t(compound_list, compound([a]), [], answers([[]])).
t(compound_nil, compound([]), [], fails).
t(compound_atom, compound(a), [], fails).
t(compound_curly, compound({a}), [], answers([[]])).
t(compound_zero, ( compound_name_arguments(X, f, []), compound(X) ), [], answers([[]])).
t(callable_atom, callable(a), [], answers([[]])).
t(callable_struct, callable(f(x)), [], answers([[]])).
t(callable_number, callable(3), [], fails).
t(callable_var, callable(_), [], fails).
t(callable_nil, callable([]), [], fails).
t(callable_string, callable("a"), [], fails).
t(callable_bad_body, callable(( a, 1 )), [], answers([[]])).
t(is_list_yes, is_list([a, b]), [], answers([[]])).
t(is_list_nil, is_list([]), [], answers([[]])).
t(is_list_partial, is_list([a|_]), [], fails).
t(is_list_improper, is_list([a|b]), [], fails).
t(is_list_var, is_list(_), [], fails).
t(string_yes, string("a"), [], answers([[]])).
t(string_atom, string(a), [], fails).
t(string_codes, string(`a`), [], fails).
t(ground_yes, ground(f(a, [b])), [], answers([[]])).
t(ground_no, ground(f(a, [_])), [], fails).
t(ground_var, ground(_), [], fails).
t(ground_bound, ( X = a, ground(f(X)) ), [X], answers([[a]])).
t(blob_no, blob(a, T), [T], answers([[text]])).
t(is_stream_no, is_stream(a), [], fails).
t(is_assoc_no, is_assoc(a), [], fails).
t(acyclic_yes, acyclic_term(f(_)), [], answers([[]])).

% Two compounds in a clause: the compiler takes them apart, and a variable that nothing after the goal needs may be in several pairs.

apart(1) :- f(Y, Y) = f(1, 2).
apart(2) :- f(Y, Y) = f(g(_), 2).
apart(3) :- [[a]|Y] = [Y|b].
apart(4) :- f([a], Y, Z) = f(Y, Z, b).
apart(5) :- f(Y, Y) = f(1, 1).
apart(6) :- f([_], Y) = f(Y, [b]).
apart(7) :- f(g(Y), Y) = f(Z, Z).

t(apart, findall(N, apart(N), Ns), [Ns], answers([[[5, 6, 7]]])).
