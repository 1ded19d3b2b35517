% format/1,2,3: directives, column stops and errors.
% As in SWI-Prolog.

t(plain, format("hello"), [], output("hello")).
t(plain_atom, format(hello), [], output("hello")).
t(plain_codes, format(`abc`), [], output("abc")).
t(no_args, format("x~n", []), [], output("x\n")).
t(single_arg, format("~w", a), [], output("a")).
t(single_arg_list_needed, format("~w", [[a, b]]), [], output("[a,b]")).
t(tilde, format("~~", []), [], output("~")).
t(newline, format("a~nb", []), [], output("a\nb")).
t(newlines, format("a~3nb", []), [], output("a\n\n\nb")).
t(write, format("~w", ['A b']), [], output("A b")).
t(writeq, format("~q", ['A b']), [], output("'A b'")).
t(print, format("~p", ['A b']), [], output("'A b'")).
t(canonical, format("~k", [1 + 'B']), [], output("+(1,'B')")).
t(write_term, format("<~W>~w", ['A'+f(x, y), [quoted(true), spacing(next_argument)], z]), [], output("<'A'+f(x, y)>z")).
t(write_term_column, format("~W~t~8|~w", [a, [], b]), [], output("a       b")).
t(write_term_no_options, format("~W", [a]), [], throws(format(_))).
t(write_term_bad_options, format("~W", [a, [quoted(foo)]]), [], throws(type_error(bool, foo))).
t(atom, format("~a", [abc]), [], output("abc")).
t(atom_string, format("~a", ["abc"]), [], output("abc")).
t(two_args, format("~w and ~w", [a, b]), [], output("a and b")).
t(ignore, format("~i~w", [a, b]), [], output("b")).
t(integer, format("~d", [42]), [], output("42")).
t(integer_neg, format("~d", [-42]), [], output("-42")).
t(integer_big, format("~d", [123456789012345678901234567890]), [], output("123456789012345678901234567890")).
t(integer_point, format("~2d", [1234]), [], output("12.34")).
t(integer_point_small, format("~2d", [3]), [], output("0.03")).
t(integer_point_neg, format("~2d", [-3]), [], output("-0.03")).
t(integer_point_zero, format("~0d", [3]), [], output("3")).
t(group, format("~D", [1234567]), [], output("1,234,567")).
t(group_small, format("~D", [123]), [], output("123")).
t(group_neg, format("~D", [-1234567]), [], output("-1,234,567")).
t(group_point, format("~2D", [1234567]), [], output("12,345.67")).
t(fixed, format("~2f", [3.14159]), [], output("3.14")).
t(fixed_default, format("~f", [2.5]), [], output("2.500000")).
t(fixed_zero_up, format("~0f", [3.5]), [], output("4")).
t(fixed_neg, format("~3f", [-1.0005]), [], output("-1.000")).
t(fixed_int, format("~2f", [3]), [], output("3.00")).
t(fixed_expression, format("~2f", [1 / 4.0]), [], output("0.25")).
t(fixed_big, format("~2f", [123456789012345678901234567890]), [], output("123456789012345678901234567890.00")).
t(fixed_rational, format("~4f", [1r3]), [], output("0.3333")).
t(fixed_many, format("~20f", [0.1]), [], output("0.10000000000000000555")).
t(exponent, format("~e", [1234.5]), [], output("1.234500e+03")).
t(exponent_int, format("~e", [100]), [], output("1.000000e+02")).
t(general, format("~g", [0.1]), [], output("0.1")).
t(general_large, format("~g", [1.0e20]), [], output("1e+20")).
t(string, format("~s", [`abc`]), [], output("abc")).
t(string_string, format("~s", ["abc"]), [], output("abc")).
t(string_cyclic, ( X = [0'a|X], format("~s", [X]) ), [], throws(format_argument_type(s, _))).
t(string_cyclic_later, ( X = [0'a, 0'b, 0'c|X], format("~s", [[0'x, 0'y|X]]) ), [], throws(format_argument_type(s, _))).
t(string_chars, format("~s", [[a, b]]), [], output("ab")).
t(char, format("~c", [65]), [], output("A")).
t(char_repeat, format("~3c", [0'x]), [], output("xxx")).
t(char_unicode, format("~c", [0x2200]), [], output("∀")).
t(radix, format("~8r", [64]), [], output("100")).
t(radix_hex, format("~16r", [255]), [], output("ff")).
t(radix_hex_upper, format("~16R", [255]), [], output("FF")).
t(radix_neg, format("~2r", [-5]), [], output("-101")).
t(star, format("~*c", [4, 0'-]), [], output("----")).
t(star_fixed, format("~*f", [2, 1.5]), [], output("1.50")).
t(char_count, format("~`-t~20|", []), [], output("--------------------")).
t(escape_in_text, format("a\tb\\", []), [], output("a\tb\\")).

% Column stops

t(column, format("ab~10|cd", []), [], output("ab        cd")).
t(column_right, format("~tab~10|cd", []), [], output("        abcd")).
t(column_left, format("ab~t~10|cd", []), [], output("ab        cd")).
t(column_center, format("~tab~t~10|cd", []), [], output("    ab    cd")).
t(column_center_odd, format("~tabc~t~10|x", []), [], output("   abc    x")).
t(column_fill, format("~`*tab~10|", []), [], output("********ab")).
t(column_plus, format("~w~t~10+~w~t~10+~w", [abc, def, ghi]), [], output("abc       def       ghi")).
t(column_plus_right, format("~t~w~10+~t~w~10+", [abc, def]), [], output("       abc       def")).
t(column_plus_default, format("a~+b~+c", []), [], output("a       b       c")).
t(column_overflow, format("abcdef~3|x", []), [], output("abcdefx")).
t(column_overflow_plus, format("abcdef~3+x", []), [], output("abcdefx")).
t(column_after_newline, format("abc~nab~t~5|x", []), [], output("abc\nab   x")).
t(column_number, format("~t~d~6|", [123]), [], output("   123")).
t(column_table, format("~w~t~8|~w~n~w~t~8|~w~n", [a, 1, bcd, 2]), [], output("a       1\nbcd     2\n")).
t(column_star, format("ab~t~*|x", [6]), [], output("ab    x")).
t(column_fill_between, format("a~`.tb~8|", []), [], output("a......b")).
t(column_after_write, ( write(abc), format("~t~w~8|x", [d]) ), [], output("abc    dx")).

% format/3

t(to_atom, format(atom(X), "~w", [a]), [X], answers([[a]])).
t(to_string, format(string(X), "~w", [a]), [X], answers([["a"]])).
t(to_codes, format(codes(X), "ab", []), [X], answers([[[97, 98]]])).
t(to_codes_tail, format(codes(X, T), "ab", []), [X, T], answers([[[97, 98|P], P]])).
t(to_chars, format(chars(X), "ab", []), [X], answers([[[a, b]]])).
t(to_stream, format(user_output, "", []), [], answers([[]])).
t(to_current, ( current_output(S), format(S, "abc", []) ), [], output("abc")).
t(to_no_stream, format(fmt_no_stream, "a", []), [], throws(existence_error(stream, fmt_no_stream))).
t(to_unbound, format(_, "a", []), [], throws(instantiation_error)).
t(with_output_atom, with_output_to(atom(X), format("~a~w", [a, 1])), [X], answers([[a1]])).
t(with_output_codes, with_output_to(codes(X), write(ab)), [X], answers([[[97, 98]]])).
t(with_output_chars, with_output_to(chars(X), write(ab)), [X], answers([[[a, b]]])).
t(with_output_fail, with_output_to(string(_), fail), [], fails).
t(with_output_throw, with_output_to(string(_), throw(a)), [], throws_ball(a)).
t(with_output_nested, with_output_to(string(X), ( write(a), with_output_to(string(Y), write(b)), write(c) )), [X, Y],
  answers([["ac", "b"]])).
t(with_output_restored, ( catch(with_output_to(string(_), ( write(a), throw(x) )), x, true), write(b) ), [],
  output("b")).
t(with_output_once, with_output_to(string(X), ( member(Y, [1, 2]), write(Y) )), [X, Y], answers([["1", 1]])).
t(with_output_bad, with_output_to(foo, true), [], throws(existence_error(stream, foo))).
t(with_output_unbound, with_output_to(_, true), [], throws(instantiation_error)).

% Errors

t(unbound_format, with_output_to(string(_), format(_, [])), [], throws(instantiation_error)).
t(too_few, with_output_to(string(_), format("~w ~w", [a])), [], throws(format(_))).
t(too_many, with_output_to(string(_), format("~w", [a, b])), [], throws(format(_))).
t(no_directive, with_output_to(string(_), format("~Z", [a])), [], throws(_)).
t(integer_atom, with_output_to(string(_), format("~d", [a])), [], throws(_)).
t(integer_float, with_output_to(string(_), format("~d", [1.0])), [], throws(_)).
t(integer_unbound, with_output_to(string(_), format("~d", [_])), [], throws(_)).
t(atom_compound, with_output_to(string(_), format("~a", [f(x)])), [], throws(_)).
t(fixed_atom, with_output_to(string(_), format("~2f", [a])), [], throws(_)).
t(char_atom, with_output_to(string(_), format("~c", [a])), [], throws(_)).
t(string_number, with_output_to(string(_), format("~s", [1])), [], throws(_)).

% Locales

with_locale(Options, Goal) :-
    current_locale(Old),
    locale_create(New, default, Options),
    setup_call_cleanup(set_locale(New), Goal, ( set_locale(Old), locale_destroy(New) )).

t(locale_default, ( current_locale(X), findall(P, locale_property(X, P), L) ), [X, L],
  answers([[default, [alias(default), decimal_point('.')]]])).
t(locale_plain, format("~:d ~:D ~2:d ~2:f ~:e", [1234567, 1234567, 1234567, 12345.5, 2.0]), [],
  output("1234567 1,234,567 12345.67 12345.50 2.000000e+00")).
t(locale_groups, with_locale([decimal_point(','), thousands_sep('.'), grouping([repeat(3)])],
                             format("~:d ~2:d ~2:f ~2:f ~:d ~:d", [1234567, -1234567, 1234567.891, -123456, 123, -1234])), [],
  output("1.234.567 -12.345,67 1.234.567,89 -123.456,00 123 -1.234")).
t(locale_no_colon, with_locale([decimal_point(','), thousands_sep('.'), grouping([repeat(3)])],
                               format("~d ~2d ~D ~2D ~2f ~2:e", [1234567, 1234567, 1234567, 1234567, 1234.5, 1234.5])), [],
  output("1234567 12345.67 1,234,567 12,345.67 1234.50 1.23e+03")).
t(locale_sizes, with_locale([thousands_sep(','), grouping([2, 2])], format("~:d", [123456789])), [], output("12345,67,89")).
t(locale_sizes_repeat, with_locale([thousands_sep(','), grouping([2, repeat(3)])], format("~:d", [123456789])), [],
  output("1,234,567,89")).
t(locale_long_separator, with_locale([thousands_sep('<>'), grouping([repeat(3)])], format("~:d", [1234567])), [],
  output("1<>234<>567")).
t(locale_no_separator, with_locale([grouping([repeat(2)])], format("~:d", [1234567])), [], output("1234567")).
t(locale_thread, ( current_locale(Old), locale_create(_, default, [alias(fmt_thread), decimal_point(',')]), set_locale(fmt_thread),
                   thread_create(( current_locale(fmt_thread), format(atom('1,5'), "~1:f", [1.5]) ), Id), set_locale(Old),
                   thread_join(Id, S) ), [S], answers([[true]])).
t(locale_alias, ( locale_create(X, default, [alias(fmt_a), thousands_sep(' ')]), locale_create(Y, fmt_a, [grouping([repeat(3)])]),
                  findall(P, locale_property(Y, P), L), locale_destroy(X) ), [X, L],
  answers([[fmt_a, [decimal_point('.'), thousands_sep(' '), grouping([repeat(3)])]]])).
t(locale_destroyed, ( locale_create(_, "C", [alias(fmt_b)]), locale_destroy(fmt_b), locale_property(fmt_b, _) ), [], fails).
t(locale_twice, locale_create(_, default, [alias(default)]), [], throws(permission_error(create, locale, default))).
t(locale_unknown, set_locale(fmt_none), [], throws(existence_error(locale, fmt_none))).
t(locale_unknown_system, locale_create(_, "fmt_none", []), [], throws(existence_error(locale, "fmt_none"))).
t(locale_unbound, locale_create(_, _, []), [], throws(instantiation_error)).
t(locale_bad_point, locale_create(_, default, [decimal_point("x")]), [], throws(type_error(atom, "x"))).
t(locale_bad_grouping, locale_create(_, default, [grouping([x])]), [], throws(type_error(integer, x))).
t(locale_bad_groupings, locale_create(_, default, [grouping(x)]), [], throws(type_error(list, x))).

t(ansi_to_a_text, ansi_format([bold, fg(red)], "x~w", [1]), [], output("x1")).

% Directives of the program's own.
fmt_told(A, T) :- write(A:T).
fmt_none(A) :- write(A).
fmt_three(A, B, C) :- write(A/B/C).
fmt_fails(_, _) :- fail.
fmt_two(_, _) :- write(one).
fmt_two(_, _) :- write(two).
t(own_directive, ( format_predicate('X', fmt_told(_, _)), format("a~Xb~3Xc~`xX~*X", [1, 2, 3, 4, 5]) ), [], output("adefault:1b3:2c120:34:5")).
t(own_without_argument, ( format_predicate('Y', fmt_none(_)), format("~Y~5Y", []) ), [], output("default5")).
t(own_with_more, ( format_predicate('Z', fmt_three(_, _, _)), format("~Z~5Z", [1, 2, 3, 4]) ), [], output("default/1/25/3/4")).
t(own_column, ( format_predicate('X', fmt_told(_, _)), format("~t~X~12||", [1]) ), [], output("   default:1|")).
t(own_not_enough, ( format_predicate('Z', fmt_three(_, _, _)), format("~Z", [1]) ), [], throws(format(_))).
t(own_by_code, ( format_predicate(0'X, fmt_fails(_, _)), format("~X", [1]) ), [], fails).
t(own_once, ( format_predicate('X', fmt_two(_, _)), findall(x, with_output_to(string(_), format("~X", [1])), L) ), [L], answers([[[x]]])).
t(own_missing, ( format_predicate('M', fmt_missing(_, _)), format("~M", [1]) ), [], throws(existence_error(procedure, fmt_missing/2))).
t(own_known, ( format_predicate('X', fmt_told(_, _)), current_format_predicate(0'X, P) ), [P], answers([[fmt_told(_, _)]])).
t(own_unknown, current_format_predicate(0'&, _), [], fails).
t(own_enumerated, ( format_predicate('Y', fmt_none(_)), findall(C, current_format_predicate(C, fmt_none(_)), L) ), [L], answers([[[0'Y]]])).
t(own_no_character, format_predicate(ab, fmt_none(_)), [], throws(type_error(character, ab))).
t(own_no_arguments, format_predicate(a, true), [], throws(domain_error(format_predicate, true))).
t(own_unbound, format_predicate(_, fmt_none(_)), [], throws(instantiation_error)).
t(own_unbound_head, format_predicate(a, _), [], throws(instantiation_error)).
t(own_no_head, format_predicate(a, 3), [], throws(type_error(callable, 3))).

% library(prolog_format)

:- use_module(library(prolog_format)).

t(spec, format_spec("a~5|~`xt~w~20+~*c~:d~~", S), [S], answers([[[text("a"), escape(number(5), no_colon, '|'), escape(character(0'x), no_colon, t), escape(nothing, no_colon, w), escape(number(20), no_colon, +),
  escape(star, no_colon, c), escape(nothing, colon, d), escape(nothing, no_colon, ~)]]])).
t(spec_texts, ( format_spec(abc, A), format_spec("", B), format_spec(`x~n`, C), phrase(format_spec(D), `~a`) ), [A, B, C, D], answers([[[text("abc")], [], [text("x"), escape(nothing, no_colon, n)], [escape(nothing, no_colon, a)]]])).
t(spec_unknown, format_spec("a~Z", _), [], throws(existence_error(format_character, 'Z'))).
t(spec_number_at_end, format_spec("~5", _), [], throws(existence_error(format_character, '5'))).
t(spec_ends, format_spec("a~", _), [], fails).
t(types, ( format_types("~d bottles of ~a~n", A), format_types("~*c~p~2f~s~@~8|~i~R~e", B) ), [A, B], answers([[[integer, atom], [number, integer, any, float, text, callable, any, integer, float]]])).
t(types_unbound, format_types(_, _), [], throws(instantiation_error)).
