% What predicates answer, raise and leave behind where it was once other than elsewhere (tools/values finds more).

:- use_module(library(dcg/basics)).
:- use_module(library(prolog_code)).
:- use_module(library(yall)).

t(sort_less, sort(1, <, [f(2), f(1), f(2)], L), [L], answers([[[f(1), f(2)]]])).
t(sort_greater, sort(1, >, [f(2), f(1), f(2)], L), [L], answers([[[f(2), f(1)]]])).
t(sort_not_greater, sort(1, =<, [f(2), f(1), f(2)], L), [L], answers([[[f(1), f(2), f(2)]]])).
t(sort_not_less, sort(0, >=, [b, a, b], L), [L], answers([[[b, b, a]]])).
t(sort_equals, sort(1, =, [f(2)], _), [], throws(domain_error(order, =))).
t(sort_key_atom, sort(a, @<, [a, b], _), [], throws(type_error(compound, a))).
t(tab_float, tab(1.5), [], throws(type_error(integer_expression, 1.5))).
t(tab_huge, tab(9223372036854775808), [], throws(evaluation_error(int_overflow))).
t(tab_infinite, tab(inf), [], throws(evaluation_error(float_overflow))).
t(tab_negative, tab(-3), [], answers([[]])).
t(functor_no_arguments, functor(f(), _, _), [], throws(domain_error(compound_non_zero_arity, f()))).
t(op_names_no_atom, op(200, xfx, [values_op, 1]), [], throws(type_error(atom, 1))).
t(op_name_no_atom, op(200, xfx, 1), [], throws(type_error(list, 1))).
t(op_names_open, op(200, xfx, [values_op|_]), [], throws(instantiation_error)).
t(current_predicate_name, current_predicate(1/_), [], throws(type_error(predicate_indicator, 1/A))).
t(current_predicate_arity, current_predicate(a/b), [], throws(type_error(predicate_indicator, a/b))).
t(current_predicate_module, current_predicate(1:a/1), [], throws(type_error(atom, 1))).
t(flag_atom, ( create_prolog_flag(values_a, a, [type(atom)]), set_prolog_flag(values_a, 1) ), [], throws(type_error(atom, 1))).
t(flag_integer, ( create_prolog_flag(values_b, 1, [type(integer)]), set_prolog_flag(values_b, a) ), [], throws(type_error(integer, a))).
t(flag_inferred, ( create_prolog_flag(values_c, 1, []), set_prolog_flag(values_c, a) ), [], throws(type_error(integer, a))).
t(flag_boolean, ( create_prolog_flag(values_d, true, [type(boolean)]), set_prolog_flag(values_d, off), current_prolog_flag(values_d, V) ), [V], answers([[false]])).
t(flag_boolean_other, ( create_prolog_flag(values_e, true, []), set_prolog_flag(values_e, x) ), [], throws(type_error(bool, x))).
t(flag_term, ( create_prolog_flag(values_f, f(x), []), set_prolog_flag(values_f, 9), current_prolog_flag(values_f, V) ), [V], answers([[9]])).
t(flag_wrong_value, create_prolog_flag(values_g, 1, [type(atom)]), [], throws(type_error(atom, 1))).
t(flag_wrong_type, create_prolog_flag(values_h, 1, [type(foo)]), [], throws(domain_error(prolog_flag_type, foo))).
t(flag_open_type, create_prolog_flag(values_h, 1, [type(_)]), [], throws(instantiation_error)).
t(flag_keep, ( create_prolog_flag(values_i, 1, []), create_prolog_flag(values_i, 2, [keep(true)]), current_prolog_flag(values_i, V) ), [V], answers([[1]])).
t(flag_options, create_prolog_flag(values_j, a, x), [], throws(type_error(list, x))).
t(flag_choice, set_prolog_flag(unknown, 0), [], throws(type_error(atom, 0))).
t(assert_open_module, assertz(_:values_p), [], throws(instantiation_error)).
t(assert_module, assertz(1:values_p), [], throws(type_error(module, 1))).
t(assert_head_module, assertz((1:values_p :- true)), [], throws(type_error(module, 1))).
t(retract_module, retract(1:values_p), [], throws(type_error(module, 1))).
t(blanks_of_atoms, phrase(blanks, [a], R), [R], answers([[[a]]])).
t(white_of_atom, phrase(white, [a], _), [], fails).
t(digits_of_atoms, phrase(digits(D), [a], R), [D, R], answers([[[], [a]]])).
t(integer_of_atoms, phrase(integer(_), [a], _), [], fails).
t(comma_list_open, ( findnsols(3, C-T, comma_list(C, [a|T]), L), ! ), [L], answers([[[a-[], (a, A)-[A], (a, B, C)-[B, C]]]])).
t(comma_list_both_open, ( findnsols(2, C-T, comma_list(C, T), L), ! ), [L], answers([[[A-[A], (B, C)-[B, C]]]])).
t(mkconj_nested, mkconj((a, b), c, C), [C], answers([[(a, b, c)]])).
t(mkdisj_nested, mkdisj((a ; b), c, C), [C], answers([[(a;b;c)]])).
t(mkdisj_fail, mkdisj(fail, c, C), [C], answers([[c]])).
t(pi_head_atom, pi_head(a, _), [], throws(type_error(predicate_indicator, a))).
t(pi_head_number, pi_head(_, 1), [], throws(type_error(callable, 1))).
t(head_name_arity_number, head_name_arity(1, _, _), [], throws(type_error(callable, 1))).
t(most_general_goal_number, most_general_goal(1, _), [], throws(type_error(compound, 1))).
t(concat_parts, findall(A-B, concat(A, B, ab), L), [L], answers([[[''-ab, a-b, ab-'']]])).
t(concat_compound, concat(a, f(x), _), [], throws(type_error(atomic, f(x)))).
t(merge_lists, merge([a, c], [b, c, d], L), [L], answers([[[a, b, c, c, d]]])).
t(merge_open, merge([], L, M), [L, M], answers([[A, A]])).
t(hash_term, ( hash_term(a, X), hash_term(a, Y), X == Y ), [], answers([[]])).
t(icase_found, sub_atom_icasechk('Hello World', S, world), [S], answers([[6]])).
t(icase_at, sub_atom_icasechk('Hello World', 0, hello), [], answers([[]])).
t(icase_capital, sub_atom_icasechk(hello, _, 'H'), [], fails).
t(icase_type, sub_atom_icasechk(f(x), _, a), [], throws(type_error(text, f(x)))).
t(icase_start, sub_atom_icasechk(abcabc, 3, b), [], fails).
t(atomics_to_string, atomics_to_string([a, 1, "x"], S), [S], answers([["a1x"]])).
t(atomic_concat, atomic_concat(a, 1, A), [A], answers([[a1]])).
t(atomic_concat_open, atomic_concat(_, 1, _), [], throws(instantiation_error)).
t(writef_words, writef('%w and %d\\n', [a, f(b)]), [], output("a and f(b)\n")).
t(writef_codes, writef('\\101\\x'), [], output("e\\x")).
t(writef_missing, writef('%w'), [], output("%w")).
t(writef_other, writef(foo, bar), [], output("foo")).
t(function_there, current_arithmetic_function(sin(_)), [], answers([[]])).
t(function_constant, current_arithmetic_function(pi), [], answers([[]])).
t(function_none, current_arithmetic_function(values_none(_)), [], fails).
t(function_number, current_arithmetic_function(3), [], throws(type_error(callable, 3))).
t(atom_there, current_atom(abc), [], answers([[]])).
t(atom_number, current_atom(1), [], fails).
t(blob_of_atom, current_blob(abc, T), [T], answers([[text]])).
t(blob_other, current_blob(abc, stream), [], fails).
t(type_none, current_type(values_none, _, _), [], fails).
t(lambda_calls_two, lambda_calls([X]>>foo(X), 2, foo(A, B)), [A, B], answers([[A, B]])).
t(lambda_calls_one, lambda_calls([X]>>foo(X), _), [], throws(domain_error(lambda_parameters, [A]>>foo(A)))).
t(lambda_calls_none, lambda_calls(foo, _), [], fails).
t(lambda_calls_negative, lambda_calls(foo, -1, _), [], throws(domain_error(not_less_than_zero, -1))).
t(concurrent_and_all, ( findall(X-Y, concurrent_and(member(X, [1, 2, 3]), Y is X * 2), L0), msort(L0, L) ), [L], answers([[[1-2, 2-4, 3-6]]])).
t(concurrent_and_none, concurrent_and(fail, true), [], fails).
t(concurrent_and_raises, concurrent_and(member(_, [1, 2]), throw(a)), [], throws_ball(a)).
t(concurrent_and_first, ( once(concurrent_and(between(1, inf, X), X > 2)), X > 2 ), [], answers([[]])).
t(path_segments, path_segments_atom(a/b/c, P), [P], answers([['a/b/c']])).
t(path_segments_of, path_segments_atom(S, 'a/b/c'), [S], answers([[a/b/c]])).
t(file_on_path, file_name_on_path('/a/b', P), [P], answers([['/a/b']])).
t(form_encode, www_form_encode('a b&\u00FC', X), [X], answers([['a%20b%26%c3%bc']])).
t(form_encode_newline, www_form_encode("x\ny", X), [X], answers([['x%0D%0Ay']])).
t(form_decode, www_form_encode(X, 'a+b%20c%26'), [X], answers([['a b c&']])).
t(form_number, www_form_encode(12, X), [X], answers([['12']])).
t(global_url, global_url('../r', 'http://x.org/a/b/d?q', X), [X], answers([['http://x.org/a/r']])).
t(url_to_iri, url_iri('http://a/%C3%BC', X), [X], answers([['http://a/ü']])).
t(iri_to_url, url_iri(X, 'http://a/\u00FC'), [X], answers([['http://a/%c3%bc']])).
t(get_skips, ( open_string(" \n a b", S), get(S, C), get(S, D), get(S, E) ), [C, D, E], answers([[97, 98, -1]])).
t(local_date, ( date_time_stamp(date(2020, 7, 1), S), stamp_date_time(S, D, local), D = date(Y, M, T, H, _, _, _, _, _) ), [Y, M, T, H], answers([[2020, 7, 1, 0]])).
t(local_zone_found, ( date_time_stamp(date(2020, 7, 1, 0, 0, 0, O, Z, _), S), stamp_date_time(S, date(_, _, _, _, _, _, O1, Z1, _), local), O == O1, Z == Z1 ), [], answers([[]])).
t(stamp_no_offset, date_time_stamp(date(2020, 7, 1, 0, 0, 0, -, -, -), _), [], throws(type_error(integer, -))).
t(stamp_no_date, date_time_stamp(foo, _), [], throws(type_error(time, foo))).
t(stamp_seconds, date_time_stamp(date(2020, 1, 1, 0, 0, a, 0, -, -), _), [], throws(type_error(float, a))).
t(time_directive_none, format_time(atom(_), '%Q', 0), [], throws(existence_error(format, '%Q'))).
t(time_directive_modifier, format_time(atom(_), '%Ey', 0), [], throws(existence_error(format, '%E'))).
t(time_directive_end, format_time(atom(_), 'abc%', 0), [], throws(existence_error(format, '%'))).
t(time_century, format_time(atom(_), '%C', date(12345, 1, 1)), [], throws(domain_error('%C', 12345))).
t(time_no_date, format_time(atom(_), '%Y', foo), [], throws(type_error(time, foo))).
t(directory_of_path, directory_file_path(D, F, 'a/b'), [D, F], answers([[a, b]])).
t(directory_open, catch(directory_file_path(_, a, _), error(_, _), fail), [], fails).
t(relative_once, relative_file_name('/a/b', '/a/c', R), [R], answers([[b]])).
t(apply_number, apply(1, [a]), [], throws(type_error(callable, 1))).
t(apply_no_list, apply(a, b), [], throws(type_error(list, b))).
t(apply_open_list, apply(f(x), [a|_]), [], throws(instantiation_error)).
t(normalize_number, normalize_space(atom(A), 12), [A], answers([['12']])).
t(concat_separator, atomic_list_concat(_, "", _), [], throws(domain_error(non_empty_atom, ""))).
t(concat_separator_items, atomic_list_concat([a, _], '', _), [], throws(domain_error(non_empty_atom, ''))).
t(digit_char, char_type(X, digit(5)), [X], answers([['5']])).
t(base64_decoded, base64(X, 'aGVsbG8='), [X], answers([[hello]])).
t(mapargs_none, mapargs(succ, f(), T), [T], answers([[f()]])).
t(aggregate_template, aggregate_all([""], true, _), [], throws(type_error(aggregate_template, ""))).
t(atoms_enumerated, once(( current_atom(A), A == append )), [], answers([[]])).
t(clause_reference, ( assertz((values_q(X) :- X)), clause(values_q(_), B, B) ), [], fails).
t(pushback_nonterminal, dcg_translate_rule((a, b --> c), C), [C], answers([[(a(A, B):-c(A, C), b(B, C))]])).
t(rule_positions, dcg_translate_rule((a --> b), p, C, Q), [C, Q], answers([[(a(A, B):-b(A, B)), C]])).
t(open_terminals, dcg_translate_rule((a --> [x|_]), C), [C], answers([[(a(A, B):-'$append'([x|C], B, A))]])).
t(portray_declaration, portray_clause((dynamic x)), [], output("(dynamic x).\n")).
t(portray_initialization, portray_clause(f(1)), [], output("f(1).\n")).
t(position_fields, findall(F-V, stream_position_data(F, '$stream_position'(1, 2, 3, 4), V), L), [L], answers([[[char_count-1, line_count-2, line_position-3, byte_count-4]]])).
t(date_out_of_range, format_time(atom(A), '%F %a %b %j', date(2020, 13, 40)), [A], answers([['2021-02-09 Tue Feb 040']])).
t(nonblank_any, ( findnsols(2, C, phrase(nonblank(C), [_]), L), ! ), [L], answers([[[33, 34]]])).
t(signal_open, send_signal(_), [], throws(instantiation_error)).
t(sublist_open, sublist(integer, _, L), [L], answers([[[]]])).
t(sublist_some, sublist(integer, [a, 1, b, 2], L), [L], answers([[[1, 2]]])).
