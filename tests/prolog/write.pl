% Writing terms: write/1, writeq/1, print/1, write_canonical/1, write_term/2.
% ISO 13211-1, 7.10.5 and 8.14.2; layout around operators, max_depth and
% strings as in SWI-Prolog.

:- op(700, xfx, wrt_is).
:- op(200, xfy, wrt_up).
:- op(900, fy, wrt_not).
:- op(100, xf, wrt_post).
:- op(200, xfx, wrt_pow).

% Atoms

t(atom, writeq(foo), [], output("foo")).
t(atom_quoted, writeq('hello world'), [], output("'hello world'")).
t(atom_capital, writeq('Foo'), [], output("'Foo'")).
t(atom_underscore, writeq('_foo'), [], output("'_foo'")).
t(atom_digit, writeq('1a'), [], output("'1a'")).
t(atom_empty, writeq(''), [], output("''")).
t(atom_nil, writeq([]), [], output("[]")).
t(atom_nil_quoted, writeq('[]'), [], output("'[]'")).
t(atom_curly, writeq({}), [], output("{}")).
t(atom_curly_quoted, writeq('{}'), [], output("{}")).
t(atom_cut, writeq(!), [], output("!")).
t(atom_semicolon, writeq(;), [], output(";")).
t(atom_comma, writeq(','), [], output("','")).
t(atom_bar, writeq('|'), [], output("'|'")).
t(atom_symbols, writeq(+-*), [], output("+-*")).
t(atom_op, writeq(+), [], output("+")).
t(atom_word_op, writeq(is), [], output("is")).
t(atom_dot, writeq('.'), [], output("'.'")).
t(atom_dots, writeq('..'), [], output("..")).
t(atom_comment, writeq('/*'), [], output("'/*'")).
t(atom_percent, writeq('%'), [], output("'%'")).
t(atom_quote, writeq('it''s'), [], output("'it\\'s'")).
t(atom_double_quote, writeq('say "x"'), [], output("'say \"x\"'")).
t(atom_newline, writeq('a\nb'), [], output("'a\\nb'")).
t(atom_tab, writeq('a\tb'), [], output("'a\\tb'")).
t(atom_backslash, writeq('a\\b'), [], output("'a\\\\b'")).
t(atom_backslash_alone, writeq(\), [], output("\\")).
t(atom_control, writeq('\x01\'), [], output("'\\x1\\'")).
t(atom_unicode, writeq('été'), [], output("été")).
t(atom_unicode_capital, writeq('Été'), [], output("'Été'")).
t(atom_symbol_mixed, writeq('a+b'), [], output("'a+b'")).
t(atom_write_plain, write('hello World'), [], output("hello World")).
t(atom_write_newline, write('a\nb'), [], output("a\nb")).
t(atom_solo_neighbours, writeq([!, ;, {}, []]), [], output("[!,;,{},[]]")).

% Numbers and strings

t(int, writeq(42), [], output("42")).
t(int_neg, writeq(-42), [], output("-42")).
t(float, writeq(1.0), [], output("1.0")).
t(float_neg, writeq(-1.5), [], output("-1.5")).
t(big, writeq(123456789012345678901234567890), [], output("123456789012345678901234567890")).
t(rational, writeq(1r3), [], output("1r3")).
t(string_writeq, writeq("a\"b\n"), [], output("\"a\\\"b\\n\"")).
t(string_write, write("a\"b"), [], output("a\"b")).
t(string_print, print("abc"), [], output("\"abc\"")).
t(string_single_quote, writeq("it's"), [], output("\"it's\"")).

% Lists and curly terms

t(list, writeq([a, 'B', 1, "s"]), [], output("[a,'B',1,\"s\"]")).
t(list_write, write([a, 'B', "s"]), [], output("[a,B,s]")).
t(list_partial_tail, writeq([a|b]), [], output("[a|b]")).
t(list_nested, writeq([[a], [], [[b]]]), [], output("[[a],[],[[b]]]")).
t(list_comma_element, writeq([(a, b)]), [], output("[(a,b)]")).
t(list_clause_element, writeq([(a :- b)]), [], output("[(a:-b)]")).
t(list_op_element, writeq([a = b, - 1, -(1), -a]), [], output("[a=b,- 1,- 1,-a]")).
t(list_999_element, writeq([(a -> b)]), [], output("[(a->b)]")).
t(list_as_term, writeq('[|]'(a, [])), [], output("[a]")).
t(list_ignore_ops, write_term([a, b], [ignore_ops(true)]), [], output("[a,b]")).
t(curly, writeq({a}), [], output("{a}")).
t(curly_conj, writeq({a, b}), [], output("{a,b}")).
t(curly_op, writeq({a :- b}), [], output("{a:-b}")).
t(curly_two_args, writeq('{}'(a, b)), [], output("{}(a,b)")).

% Compound terms

t(compound, writeq(f(a, 'B')), [], output("f(a,'B')")).
t(compound_quoted_name, writeq('F x'(a)), [], output("'F x'(a)")).
t(compound_symbol_name, writeq(+(a)), [], output("+a")).
t(compound_symbol_name_three, writeq(+(a, b, c)), [], output("+(a,b,c)")).
t(compound_comma_arg, writeq(f((a, b))), [], output("f((a,b))")).
t(compound_clause_arg, writeq(f((a :- b))), [], output("f((a:-b))")).
t(compound_op_arg, writeq(f(a = b)), [], output("f(a=b)")).
t(compound_op_atom_arg, writeq(f(+)), [], output("f(+)")).
t(compound_op_atom_args, writeq(f(:-, -)), [], output("f(:-,-)")).
t(compound_prefix_arg, writeq(f(- a)), [], output("f(-a)")).
t(compound_comma_name, writeq(','(a)), [], output("','(a)")).
t(compound_nested, writeq(f(g(h(x)))), [], output("f(g(h(x)))")).

% Infix operators

t(infix_plus, writeq(1 + 2), [], output("1+2")).
t(infix_spaces_word, writeq(1 mod 2), [], output("1 mod 2")).
t(infix_comma, writeq((a, b)), [], output("a,b")).
t(infix_or, writeq((a ; b)), [], output("a;b")).
t(infix_arrow, writeq((a -> b ; c)), [], output("a->b;c")).
t(infix_soft, writeq((a *-> b ; c)), [], output("a*->b;c")).
t(infix_clause, writeq((a :- b, c)), [], output("a:-b,c")).
t(infix_dcg, writeq((a --> b)), [], output("a-->b")).
t(infix_equal, writeq(a = b), [], output("a=b")).
t(infix_not_equal, writeq(a \= b), [], output("a\\=b")).
t(infix_univ, writeq(a =.. b), [], output("a=..b")).
t(infix_colon, writeq(m:p(x)), [], output("m:p(x)")).
t(infix_slash, writeq(foo/3), [], output("foo/3")).
t(infix_caret, writeq(a^b^c), [], output("a^b^c")).
t(infix_caret_left, writeq((a^b)^c), [], output("(a^b)^c")).
t(infix_power, writeq(a**b), [], output("a**b")).
t(infix_left_assoc, writeq(1 - 2 - 3), [], output("1-2-3")).
t(infix_left_assoc_paren, writeq(1 - (2 - 3)), [], output("1-(2-3)")).
t(infix_precedence, writeq((1 + 2) * 3), [], output("(1+2)*3")).
t(infix_precedence_no_paren, writeq(1 + 2 * 3), [], output("1+2*3")).
t(infix_xfx_paren, writeq((a = b) = c), [], output("(a=b)=c")).
t(infix_user, writeq(a wrt_is b), [], output("a wrt_is b")).
t(infix_user_up, writeq(a wrt_up b wrt_up c), [], output("a wrt_up b wrt_up c")).
t(infix_user_up_left, writeq((a wrt_up b) wrt_up c), [], output("(a wrt_up b)wrt_up c")).
t(infix_dict_like, writeq(a:b:c), [], output("a:b:c")).
t(infix_symbol_neighbour, writeq(a = \+), [], output("a=(\\+)")).
t(infix_negation_neighbour, writeq(a = (\+ b)), [], output("a=(\\+b)")).
t(infix_bar, writeq((a | b)), [], output("a|b")).
t(infix_op_atom_left, writeq(+ = +), [], output("(+)=(+)")).
t(infix_op_atom_plus, writeq(- + 1), [], output("- +1")).
t(infix_curly, writeq({a} + {b}), [], output("{a}+{b}")).
t(infix_list, writeq([a] + [b]), [], output("[a]+[b]")).
t(infix_capital, writeq('A' + 'B'), [], output("'A'+'B'")).
t(infix_comma_inside, writeq((a :- (b, c ; d -> e))), [], output("a:-b,c;d->e")).
t(infix_if_inside_conj, writeq(((a -> b), c)), [], output("(a->b),c")).
t(infix_or_in_conj, writeq(((a ; b), c)), [], output("(a;b),c")).
t(infix_clause_in_conj, writeq(((a :- b), c)), [], output("(a:-b),c")).

% Negative numbers

t(neg_number, writeq(-1), [], output("-1")).
t(neg_compound, writeq(-(1)), [], output("- 1")).
t(neg_compound_float, writeq(-(1.0)), [], output("- 1.0")).
t(neg_compound_var, writeq(-(a)), [], output("-a")).
t(neg_of_neg, writeq(-(-1)), [], output("- -1")).
t(neg_neg_compound, writeq(-(-(1))), [], output("- - 1")).
t(neg_neg_atom, writeq(-(-(a))), [], output("- -a")).
t(neg_right, writeq(1 - -1), [], output("1- -1")).
t(neg_right_plus, writeq(1 + -1), [], output("1+ -1")).
t(neg_left, writeq(-1 + 2), [], output("-1+2")).
t(neg_left_minus, writeq(-1 - 2), [], output("-1-2")).
t(neg_power, writeq((-1) ^ 2), [], output("-1^2")).
t(neg_of_sum, writeq(-(a + b)), [], output("- (a+b)")).
t(neg_equal, writeq(a = -1), [], output("a= -1")).
t(neg_arg, writeq(f(-1)), [], output("f(-1)")).
t(neg_list, writeq([-1]), [], output("[-1]")).
t(neg_mult, writeq(2 * -1), [], output("2* -1")).
t(neg_in_power, writeq(2 ** -1), [], output("2** -1")).

% Prefix and postfix operators

t(prefix_minus, writeq(-a), [], output("-a")).
t(prefix_not, writeq(\+ a), [], output("\\+a")).
t(prefix_not_paren, writeq(\+ (a, b)), [], output("\\+ (a,b)")).
t(prefix_not_not, writeq(\+ \+ a), [], output("\\+ \\+a")).
t(prefix_directive, writeq((:- dynamic foo/1)), [], output(":-dynamic foo/1")).
t(prefix_query, writeq((?- a)), [], output("?-a")).
t(prefix_dynamic, writeq(dynamic(a)), [], output("dynamic a")).
t(prefix_user, writeq(wrt_not a), [], output("wrt_not a")).
t(prefix_user_user, writeq(wrt_not wrt_not a), [], output("wrt_not wrt_not a")).
t(prefix_user_paren, writeq(wrt_not (a :- b)), [], output("wrt_not (a:-b)")).
t(prefix_bitnot, writeq(\ a), [], output("\\a")).
t(prefix_atom_arg, writeq(- (-)), [], output("- (-)")).
t(prefix_atom_arg_not, writeq(\+ (-)), [], output("\\+ (-)")).
t(prefix_paren_arg, writeq(-(2 + 3)), [], output("- (2+3)")).
t(prefix_list_arg, writeq(- [1]), [], output("-[1]")).
t(prefix_in_infix_left, writeq(- a + b), [], output("-a+b")).
t(prefix_in_infix_right, writeq(a + - b), [], output("a+ -b")).
t(prefix_as_left_high, writeq((:- a) = b), [], output("(:-a)=b")).
t(prefix_as_argument, writeq(f(:- a)), [], output("f((:-a))")).
t(prefix_as_operand, writeq((wrt_not a) + b), [], output("(wrt_not a)+b")).
t(postfix, writeq(a wrt_post), [], output("a wrt_post")).
t(postfix_paren, writeq((a + b) wrt_post), [], output("(a+b)wrt_post")).
t(postfix_in_infix, writeq(a wrt_post + b), [], output("a wrt_post+b")).
t(prefix_dollar, writeq($(a)), [], output("$a")).
t(prefix_two_arg_name, writeq(dynamic(a, b)), [], output("dynamic(a,b)")).

% print/1, write_canonical/1, write/1 on variables

t(var_named_like, ( with_output_to(string(S), write(_)), sub_string(S, 0, 1, _, P) ), [P], answers([["_"]])).
t(canonical_atom, write_canonical('A b'), [], output("'A b'")).
t(canonical_list, write_canonical([a, 'B'|c]), [], output("[a,'B'|c]")).
t(canonical_ops, write_canonical(1 + 2 * 3), [], output("+(1,*(2,3))")).
t(canonical_variables, write_canonical(f(_, X, _, X)), [], output("f(_,A,_,A)")).
t(canonical_two_variables, write_canonical(f(X, Y, X, Y)), [], output("f(A,B,A,B)")).
t(canonical_string, write_canonical("s"), [], output("\"s\"")).
t(canonical_numbervars, write_canonical('$VAR'(1)), [], output("'$VAR'(1)")).
t(print_quotes, print('A b'), [], output("'A b'")).
t(print_numbervars, print('$VAR'(1)), [], output("B")).
t(write_numbervars, write('$VAR'(1)), [], output("B")).
t(writeq_numbervars, writeq('$VAR'(27)), [], output("B1")).
t(writeq_numbervars_big, writeq('$VAR'(52)), [], output("A2")).
t(writeq_numbervars_atom, writeq('$VAR'(x)), [], output("'$VAR'(x)")).
t(writeq_numbervars_atom_name, writeq('$VAR'('Foo')), [], output("Foo")).
t(writeq_numbervars_two, writeq('$VAR'(1, 2)), [], output("'$VAR'(1,2)")).
t(writeln, writeln('A b'), [], output("A b\n")).
t(nl, ( write(a), nl, write(b) ), [], output("a\nb")).
t(tab, ( write(a), tab(3), write(b) ), [], output("a   b")).
t(tab_expression, ( tab(1 + 1), write(x) ), [], output("  x")).
t(tab_zero, ( tab(0), write(x) ), [], output("x")).
t(tab_unbound, tab(_), [], throws(instantiation_error)).
t(tab_atom, tab(a), [], throws(type_error(evaluable, a/0))).
t(put_char, ( put_char(a), put_char('\n') ), [], output("a\n")).
t(put_char_unbound, put_char(_), [], throws(instantiation_error)).
t(put_char_long, put_char(ab), [], throws(type_error(character, ab))).
t(portray_clause, portray_clause((a(X, Y) :- b(X), \+ c(Y, _))), [],
  output("a(A, B) :-\n    b(A),\n    \\+ c(B, _).\n")).
t(portray_clause_fact, portray_clause(foo('A', "s", [1])), [], output("foo('A', \"s\", [1]).\n")).
% `b, c===>d` would be read as `(b, c)===>d` by this definition.
t(portray_clause_operand, ( op(1000, yfx, '===>'), portray_clause((a :- b, '===>'(c, d))), op(0, yfx, '===>') ), [],
  output("a :-\n    b,\n    ( c===>d\n    ).\n")).
t(portray_clause_ite, portray_clause((a :- ( b -> c ; d ))), [],
  output("a :-\n    (   b\n    ->  c\n    ;   d\n    ).\n")).
t(write_unbound_stream, write(_, a), [], throws(instantiation_error)).
t(write_bad_stream, write(wrt_no_stream, a), [], throws(existence_error(stream, wrt_no_stream))).

% write_term/2

t(wt_none, write_term('A b'+"s", []), [], output("A b+s")).
t(wt_quoted, write_term('A b'+"s", [quoted(true)]), [], output("'A b'+\"s\"")).
t(wt_quoted_false, write_term('A b', [quoted(false)]), [], output("A b")).
t(wt_ignore_ops, write_term(1 + 2 * 3, [ignore_ops(true)]), [], output("+(1,*(2,3))")).
t(wt_numbervars, write_term(f('$VAR'(0), '$VAR'(25), '$VAR'(26)), [numbervars(true)]), [], output("f(A,Z,A1)")).
t(wt_numbervars_false, write_term('$VAR'(0), [numbervars(false)]), [], output("$VAR(0)")).
t(wt_max_depth_list, write_term([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [max_depth(5)]), [], output("[1,2,3,4|...]")).
t(wt_max_depth_term, write_term(f(g(h(i(j)))), [max_depth(3)]), [], output("f(g(h(...)))")).
t(wt_variable_names, write_term(f(X, Y, X), [variable_names(['Foo'=X, 'Bar'=Y])]), [], output("f(Foo,Bar,Foo)")).
t(wt_spacing, write_term(f(a, b + c), [spacing(next_argument)]), [], output("f(a, b+c)")).
t(wt_spacing_list, write_term([a, b], [spacing(next_argument)]), [], output("[a, b]")).
t(wt_last_option_wins, write_term('A', [quoted(false), quoted(true)]), [], output("'A'")).
t(wt_priority, write_term((a , b), [priority(999)]), [], output("(a,b)")).
t(wt_fullstop, write_term(a, [fullstop(true)]), [], output("a. ")).
t(wt_unbound_options, write_term(a, _), [], throws(instantiation_error)).
t(wt_partial_options, write_term(a, [quoted(true)|_]), [], throws(instantiation_error)).
t(wt_unbound_option, write_term(a, [_]), [], throws(instantiation_error)).
t(wt_bad_value, write_term(a, [quoted(maybe)]), [], throws(type_error(bool, maybe))).
t(wt_not_list, write_term(a, foo), [], throws(type_error(list, foo))).

% op/3 and current_op/3

t(op_define, ( op(700, xfx, wrt_new), writeq(wrt_new(a, b)), op(0, xfx, wrt_new) ), [], output("a wrt_new b")).
t(op_remove, ( op(700, xfx, wrt_new), op(0, xfx, wrt_new), writeq(wrt_new(a, b)) ), [], output("wrt_new(a,b)")).
t(op_list, ( op(200, xfy, [wrt_a, wrt_b]), writeq(wrt_b(1, wrt_a(2, 3))), op(0, xfy, [wrt_a, wrt_b]) ), [],
  output("1 wrt_b 2 wrt_a 3")).
t(op_prefix_and_infix, ( op(200, fy, wrt_c), op(500, yfx, wrt_c), writeq(wrt_c(wrt_c(1), 2)), op(0, fy, wrt_c), op(0, yfx, wrt_c) ), [],
  output("wrt_c 1 wrt_c 2")).
t(current_op_type, current_op(_, [], _), [], throws(domain_error(operator_specifier, []))).
t(op_changes_priority, ( op(700, xfx, wrt_d), op(300, xfx, wrt_d), current_op(P, xfx, wrt_d), op(0, xfx, wrt_d) ), [P],
  answers([[300]])).
t(current_op_minus, ( findall(P-T, current_op(P, T, -), L0), msort(L0, L) ), [L], answers([[[200-fy, 500-yfx]]])).
t(current_op_comma, current_op(P, T, ','), [P, T], answers([[1000, xfy]])).
t(current_op_is, current_op(P, xfx, is), [P], answers([[700]])).
t(current_op_clause, ( findall(P-T, current_op(P, T, :-), L0), msort(L0, L) ), [L], answers([[[1200-fx, 1200-xfx]]])).
t(current_op_none, current_op(_, _, wrt_no_op), [], fails).
t(current_op_caret, current_op(P, T, ^), [P, T], answers([[200, xfy]])).
t(current_op_power, current_op(P, T, **), [P, T], answers([[200, xfx]])).
t(current_op_mod, current_op(P, T, mod), [P, T], answers([[400, yfx]])).
t(current_op_not, current_op(P, T, \+), [P, T], answers([[900, fy]])).
t(current_op_colon, current_op(P, T, :), [P, T], answers([[600, xfy]])).
t(current_op_dcg, current_op(P, T, -->), [P, T], answers([[1200, xfx]])).
t(current_op_soft, current_op(P, T, *->), [P, T], answers([[1050, xfy]])).
t(current_op_variant, current_op(P, T, =@=), [P, T], answers([[700, xfx]])).
t(current_op_bad_priority, current_op(a, _, _), [], throws(type_error(integer, a))).
t(current_op_bad_type, current_op(_, wrt_type, _), [], throws(domain_error(operator_specifier, wrt_type))).
t(current_op_bad_name, current_op(_, _, 3), [], throws(type_error(atom, 3))).
t(op_unbound_priority, op(_, xfx, wrt_x), [], throws(instantiation_error)).
t(op_unbound_type, op(700, _, wrt_x), [], throws(instantiation_error)).
t(op_unbound_name, op(700, xfx, _), [], throws(instantiation_error)).
t(op_unbound_in_list, op(700, xfx, [wrt_x|_]), [], throws(instantiation_error)).
t(op_bad_priority, op(1201, xfx, wrt_x), [], throws(domain_error(operator_priority, 1201))).
t(op_neg_priority, op(-1, xfx, wrt_x), [], throws(domain_error(operator_priority, -1))).
t(op_atom_priority, op(a, xfx, wrt_x), [], throws(type_error(integer, a))).
t(op_bad_type, op(700, xyz, wrt_x), [], throws(domain_error(operator_specifier, xyz))).
t(op_number_type, op(700, 1, wrt_x), [], throws(type_error(atom, 1))).
t(op_number_name, op(700, xfx, 1), [], throws(type_error(list, 1))).
t(op_comma, op(700, xfx, ','), [], throws(permission_error(modify, operator, ','))).
t(op_bar_low, op(700, xfx, '|'), [], throws(permission_error(create, operator, '|'))).

% Options of writing, and the layout of clauses

:- use_module(library(listing)).

t(portray_numbers, ( write_term(f(x, '$VAR'(1)), [portray(true)]), nl, write_term(f(x, '$VAR'(1)), [portrayed(true)]), nl, write_term(f(x, '$VAR'(1)), [portray(false)]) ), [],
  output("f(x,B)\nf(x,B)\nf(x,$VAR(1))")).
t(portray_numbers_not, write_term('$VAR'(1), [portray(true), numbervars(false)]), [], output("$VAR(1)")).
t(canonical_wide, forall(member(X, [é, '日', 'é日', 'ā', ÿ]), ( write_canonical(X), put_char(' ') )), [], output("é '日' 'é日' 'ā' ÿ ")).
t(quoted_wide, ( write_term(['日', é], [quoted(true), quote_non_ascii(true)]), writeq('日') ), [], output("['日',é]日")).
t(quoted_wide_not, write_term('日', [quote_non_ascii(true)]), [], output("日")).
t(fullstop_symbol, write_term('\x1F600\', [fullstop(true)]), [], output("\x1F600\ . ")).
t(dot_operand, ( writeq(a-'.'), nl, writeq('.'-a), nl, writeq(f('.')), nl, writeq(['.'|a]), nl, writeq(1*('.'+2)) ), [], output("a-('.')\n('.')-a\nf('.')\n['.'|a]\n1*(('.')+2)")).
t(clause_nested, portray_clause(( p :- ( ( a, b ), c ), d )), [], output("p :-\n    ( a,\n      b\n    ),\n    c,\n    d.\n")).
