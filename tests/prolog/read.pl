% Reading terms and their syntax.
% ISO 13211-1, clause 6 and 8.14.1; strings, back quotes, digit groups and
% read_term/2 options as in SWI-Prolog.  The texts are read from atoms with
% term_to_atom/2 so that a syntax error is one failed test.

:- op(700, xfx, rdr_is).
:- op(200, xfy, rdr_up).
:- op(300, fy, rdr_not).
:- op(300, fx, rdr_one).
:- op(100, xf, rdr_post).

% The term which Text stands for.
rdr_term(Text, Term) :- term_to_atom(Term, Text).

% The principal functor of a text.
rdr_functor(Text, Name/Arity) :-
    term_to_atom(Term, Text),
    functor(Term, Name, Arity).

% Written without operators.
rdr_canon(Text, Canon) :-
    term_to_atom(Term, Text),
    with_output_to(string(Canon), write_term(Term, [ignore_ops(true), quoted(true)])).

% Read from the text of a file.
rdr_file(Text, Goal, Stream) :-
    tmp_file(rdr, File),
    open(File, write, Out),
    write(Out, Text),
    close(Out),
    setup_call_cleanup(open(File, read, Stream), Goal, ( close(Stream), delete_file(File) )).

% Atoms and quoting

t(atom, rdr_term('foo', X), [X], answers([[foo]])).
t(atom_quoted, rdr_term('\'hello world\'', X), [X], answers([['hello world']])).
t(atom_quote_doubled, ( rdr_term('\'it\'\'s\'', X), atom_length(X, N) ), [X, N], answers([['it\'s', 4]])).
t(atom_newline_escape, ( rdr_term('\'a\\nb\'', X), atom_codes(X, L) ), [L], answers([[[97, 10, 98]]])).
t(atom_escapes, ( rdr_term('\'\\a\\b\\f\\n\\r\\t\\v\\\\\\\'\\"\\`\'', X), atom_codes(X, L) ), [L],
  answers([[[7, 8, 12, 10, 13, 9, 11, 92, 39, 34, 96]]])).
t(atom_hex_escape, ( rdr_term('\'\\x41\\\\x42\\\'', X) ), [X], answers([['AB']])).
t(atom_octal_escape, ( rdr_term('\'\\101\\\'', X) ), [X], answers([['A']])).
t(atom_unicode_escape, ( rdr_term('\'\\u00e9\'', X) ), [X], answers([[é]])).
t(atom_long_unicode_escape, ( rdr_term('\'\\U0001F600\'', X), atom_length(X, N) ), [N], answers([[1]])).
t(atom_e_escape, ( rdr_term('\'\\e\'', X), atom_codes(X, L) ), [L], answers([[[27]]])).
t(atom_s_escape, ( rdr_term('\'\\s\'', X), atom_codes(X, L) ), [L], answers([[[32]]])).
t(atom_continuation, rdr_term('\'ab\\\ncd\'', X), [X], answers([[abcd]])).
t(atom_c_escape, rdr_term('\'ab\\c  cd\'', X), [X], answers([[abcd]])).
t(atom_bad_escape, rdr_term('\'a\\qb\'', _), [], throws(syntax_error(_))).
t(atom_unclosed, rdr_term('\'abc', _), [], throws(syntax_error(_))).
t(atom_bad_hex, rdr_term('\'\\xZ\\\'', _), [], throws(syntax_error(_))).
t(atom_symbol, rdr_term('+*', X), [X], answers([[+*]])).
t(atom_unicode, rdr_term('été', X), [X], answers([[été]])).
t(atom_solo, rdr_term('[!, ;, {}, []]', X), [X], answers([[[!, ;, {}, []]]])).

% Variables

t(var, ( rdr_term('X', X), var(X) ), [], answers([[]])).
t(var_shared, rdr_term('f(X, X, Y)', X), [X], answers([[f(P, P, _)]])).
t(var_anonymous, rdr_term('f(_, _)', X), [X], answers([[f(_, _)]])).
t(var_underscore_name, rdr_term('f(_A, _A)', X), [X], answers([[f(P, P)]])).
t(var_unicode, ( rdr_term('Été', X), var(X) ), [], answers([[]])).

% Numbers

t(int, rdr_term('42', X), [X], answers([[42]])).
t(int_leading_zero, rdr_term('007', X), [X], answers([[7]])).
t(neg_int, ( rdr_term('-1', X), integer(X) ), [X], answers([[-1]])).
t(neg_minus_right, rdr_canon('1 - -1', X), [X], answers([["-(1,-1)"]])).
t(neg_no_space, rdr_canon('1-1', X), [X], answers([["-(1,1)"]])).
t(neg_space, rdr_canon('a -1', X), [X], answers([["-(a,1)"]])).
t(neg_paren, rdr_canon('-(1)', X), [X], answers([["-(1)"]])).
t(neg_paren_space, rdr_canon('- (1)', X), [X], answers([["-(1)"]])).
t(neg_atom, rdr_canon('-a', X), [X], answers([["-(a)"]])).
t(neg_power, rdr_canon('-2^2', X), [X], answers([["^(-2,2)"]])).
t(neg_atom_power, rdr_canon('-a^2', X), [X], answers([["-(^(a,2))"]])).
t(neg_twice, rdr_canon('- - a', X), [X], answers([["-(-(a))"]])).
t(neg_twice_int, rdr_canon('-(-(1))', X), [X], answers([["-(-(1))"]])).
t(plus_int, rdr_canon('+ 1', X), [X], answers([["+(1)"]])).
t(float, rdr_term('1.5', X), [X], answers([[1.5]])).
t(float_exp, rdr_term('1.5e3', X), [X], answers([[1500.0]])).
t(float_exp_neg, rdr_term('1.0e-3', X), [X], answers([[0.001]])).
t(int_then_name, rdr_term('1a', _), [], throws(syntax_error(_))).
t(two_numbers, rdr_term('1 2 a', _), [], throws(syntax_error(_))).
t(hex, rdr_term('0xFF', X), [X], answers([[255]])).
t(hex_bad, rdr_term('0xG', _), [], throws(syntax_error(_))).
t(octal, rdr_term('0o17', X), [X], answers([[15]])).
t(octal_bad, rdr_term('0o8', _), [], throws(syntax_error(_))).
t(binary, rdr_term('0b101', X), [X], answers([[5]])).
t(radix, rdr_term('3\'120', X), [X], answers([[15]])).
t(digit_groups, rdr_term('1_000_000', X), [X], answers([[1000000]])).
t(digit_groups_bad, rdr_term('1__0', _), [], throws(syntax_error(_))).
t(special_inf, ( rdr_term('1.0Inf', X), Y is inf, X == Y ), [], answers([[]])).
t(special_rational, rdr_term('2r4', X), [X], answers([[1r2]])).
t(char_a, rdr_term('0\'a', X), [X], answers([[97]])).
t(char_quote, rdr_term('0\'\'\'', X), [X], answers([[39]])).
t(char_quote_escaped, rdr_term('0\'\\\'', X), [X], answers([[39]])).
t(char_newline, rdr_term('0\'\\n', X), [X], answers([[10]])).
t(char_backslash, rdr_term('0\'\\\\', X), [X], answers([[92]])).
t(char_space, rdr_term('0\' ', X), [X], answers([[32]])).
t(char_hex, rdr_term('0\'\\x41\\', X), [X], answers([[65]])).
t(char_in_list, rdr_term('[0\'a,0\'b]', X), [X], answers([[[97, 98]]])).
t(char_plus, rdr_canon('0\'a+1', X), [X], answers([["+(97,1)"]])).

% Strings, back quotes

t(string, rdr_term('"abc"', X), [X], answers([["abc"]])).
t(string_empty, rdr_term('""', X), [X], answers([[""]])).
t(string_escape, ( rdr_term('"a\\nb"', X), string_codes(X, L) ), [L], answers([[[97, 10, 98]]])).
t(string_doubled, rdr_term('"a""b"', X), [X], answers([["a\"b"]])).
t(string_unclosed, rdr_term('"abc', _), [], throws(syntax_error(_))).
t(back_quotes, rdr_term('`ab`', X), [X], answers([[[97, 98]]])).
t(back_quotes_empty, rdr_term('``', X), [X], answers([[[]]])).
t(flag_codes, ( set_prolog_flag(double_quotes, codes), catch(rdr_term('"ab"', X), _, true), set_prolog_flag(double_quotes, string) ), [X],
  answers([[[97, 98]]])).
t(flag_chars, ( set_prolog_flag(double_quotes, chars), catch(rdr_term('"ab"', X), _, true), set_prolog_flag(double_quotes, string) ), [X],
  answers([[[a, b]]])).
t(flag_atom, ( set_prolog_flag(double_quotes, atom), catch(rdr_term('"ab"', X), _, true), set_prolog_flag(double_quotes, string) ), [X],
  answers([[ab]])).

% Compound terms, lists, curly terms

t(compound, rdr_term('f(a,b)', X), [X], answers([[f(a, b)]])).
t(compound_layout, rdr_term('f( a ,\n b )', X), [X], answers([[f(a, b)]])).
t(compound_space_before_paren, rdr_term('f (a)', _), [], throws(syntax_error(_))).
t(compound_quoted_name, rdr_term('\'F x\'(a)', X), [X], answers([['F x'(a)]])).
t(compound_symbol_name, rdr_canon('+(a,b)', X), [X], answers([["+(a,b)"]])).
t(compound_missing_arg, rdr_term('f(a,)', _), [], throws(syntax_error(_))).
t(compound_leading_comma, rdr_term('f(,a)', _), [], throws(syntax_error(_))).
t(compound_unclosed, rdr_term('f(a', _), [], throws(syntax_error(_))).
t(compound_extra_paren, rdr_term('f(a))', _), [], throws(syntax_error(_))).
t(compound_priority_arg, rdr_canon('f((a:-b))', X), [X], answers([["f(:-(a,b))"]])).
t(compound_999, rdr_canon('f(a=b,c)', X), [X], answers([["f(=(a,b),c)"]])).
t(paren, rdr_canon('(a)', X), [X], answers([["a"]])).
t(paren_op_atom, rdr_functor('(+)', X), [X], answers([[(+)/0]])).
t(list, rdr_term('[a,b|c]', X), [X], answers([[[a, b|c]]])).
t(list_empty_spaced, rdr_term('[ ]', X), [X], answers([[[]]])).
t(list_bar_missing, rdr_term('[a|]', _), [], throws(syntax_error(_))).
t(list_two_bars, rdr_term('[a|b|c]', _), [], throws(syntax_error(_))).
t(list_after_bar_comma, rdr_term('[a|b,c]', _), [], throws(syntax_error(_))).
t(list_leading_bar, rdr_term('[|a]', _), [], throws(syntax_error(_))).
t(list_trailing_comma, rdr_term('[a,]', _), [], throws(syntax_error(_))).
t(list_unclosed, rdr_term('[a', _), [], throws(syntax_error(_))).
t(list_mismatched, rdr_term('[a)', _), [], throws(syntax_error(_))).
t(list_op_atoms, rdr_term('[+, -, *]', X), [X], answers([[[+, -, *]]])).
t(list_negatives, rdr_term('[-1, - , -a]', X), [X], answers([[[-1, -, -a]]])).
t(curly, ( rdr_term('{a,b}', T), T = '{}'(X) ), [X], answers([[(a, b)]])).
t(curly_empty_spaced, rdr_functor('{ }', X), [X], answers([[{}/0]])).
t(curly_unclosed, rdr_term('{a', _), [], throws(syntax_error(_))).

% Operators

t(op_left, rdr_canon('1-2-3', X), [X], answers([["-(-(1,2),3)"]])).
t(op_right, rdr_canon('a,b,c', X), [X], answers([["','(a,','(b,c))"]])).
t(op_caret, rdr_canon('2^3^4', X), [X], answers([["^(2,^(3,4))"]])).
t(op_mixed, rdr_canon('1+2*3-4', X), [X], answers([["-(+(1,*(2,3)),4)"]])).
t(op_xfx_twice, rdr_term('a=b=c', _), [], throws(syntax_error(_))).
t(op_clause, rdr_canon('a:-b,c;d->e', X), [X], answers([[":-(a,;(','(b,c),->(d,e)))"]])).
t(op_bar, rdr_canon('(a|b)', X), [X], answers([["'|'(a,b)"]])).
t(op_soft, rdr_canon('a*->b;c', X), [X], answers([[";(*->(a,b),c)"]])).
t(op_not, rdr_canon('\\+a,b', X), [X], answers([["','(\\+(a),b)"]])).
t(op_not_not, rdr_canon('\\+ \\+a', X), [X], answers([["\\+(\\+(a))"]])).
t(op_not_glued, rdr_term('\\+\\+a', _), [], throws(syntax_error(_))).
t(op_not_paren, rdr_canon('\\+(a,b)', X), [X], answers([["\\+(a,b)"]])).
t(op_not_paren_space, rdr_canon('\\+ (a,b)', X), [X], answers([["\\+(','(a,b))"]])).
t(op_equal_not_glued, rdr_term('a=\\+b', _), [], throws(syntax_error(_))).
t(op_prefix_as_atom, rdr_canon('- = x', X), [X], answers([["=(-,x)"]])).
t(op_prefix_as_atom_right, rdr_canon('x = -', X), [X], answers([["=(x,-)"]])).
t(op_prefix_as_atom_arg, rdr_canon('f(-)', X), [X], answers([["f(-)"]])).
t(op_prefix_as_atom_args, rdr_canon('f(-, +)', X), [X], answers([["f(-,+)"]])).
t(op_prefix_as_atom_list, rdr_canon('[-]', X), [X], answers([["[-]"]])).
t(op_infix_as_atom, rdr_canon('f(=)', X), [X], answers([["f(=)"]])).
t(op_dynamic, rdr_canon(':- dynamic foo/1, bar/2', X), [X], answers([[":-(dynamic(','(/(foo,1),/(bar,2))))"]])).
t(op_directive, rdr_canon(':- a, b', X), [X], answers([[":-(','(a,b))"]])).
t(op_user, rdr_canon('a rdr_is b', X), [X], answers([["rdr_is(a,b)"]])).
t(op_user_up, rdr_canon('a rdr_up b rdr_up c', X), [X], answers([["rdr_up(a,rdr_up(b,c))"]])).
t(op_user_fy, rdr_canon('rdr_not rdr_not a', X), [X], answers([["rdr_not(rdr_not(a))"]])).
t(op_user_fx_twice, rdr_term('rdr_one rdr_one a', _), [], throws(syntax_error(_))).
t(op_user_postfix, rdr_canon('a rdr_post', X), [X], answers([["rdr_post(a)"]])).
t(op_user_postfix_infix, rdr_canon('a rdr_post + b', X), [X], answers([["+(rdr_post(a),b)"]])).
t(op_user_prefix_infix, rdr_canon('rdr_not a + b', X), [X], answers([["+(rdr_not(a),b)"]])).
t(op_missing_right, rdr_term('a +', _), [], throws(syntax_error(_))).
t(op_missing_left, rdr_term('= a', _), [], throws(syntax_error(_))).
t(op_two_atoms, rdr_term('a b', _), [], throws(syntax_error(_))).
t(op_module, rdr_canon('m:a:b', X), [X], answers([[":(m,:(a,b))"]])).
t(op_dcg, rdr_canon('a-->b,c', X), [X], answers([["-->(a,','(b,c))"]])).
t(op_comma_quoted, rdr_canon('\',\'(a,b)', X), [X], answers([["','(a,b)"]])).
t(op_mod, rdr_canon('a mod b', X), [X], answers([["mod(a,b)"]])).
t(op_slash_paren, rdr_canon('a/(b/c)', X), [X], answers([["/(a,/(b,c))"]])).
t(op_prefix_paren_args, rdr_canon('-(a,b)', X), [X], answers([["-(a,b)"]])).
t(op_prefix_space_paren, rdr_canon('- (a,b)', X), [X], answers([["-(','(a,b))"]])).
t(op_priority_1200_in_arg, rdr_term('f(a:-b)', X), [X], answers([[f((a:-b))]])).

% Comments and layout

t(comment_line, rdr_file('% one\na. % two\n', read(S, X), S), [X], answers([[a]])).
t(comment_block, rdr_term('f(/* one */ a)', X), [X], answers([[f(a)]])).
t(comment_block_stars, rdr_term('f(a /** x **/)', X), [X], answers([[f(a)]])).
t(comment_block_unclosed, rdr_file('a :- b /* c.', read(S, _), S), [], throws(syntax_error(_))).
t(comment_in_quotes, rdr_term('\'/* a */ % b\'', X), [X], answers([['/* a */ % b']])).
t(end_dot_percent, rdr_file('a.% x\nb.', ( read(S, X), read(S, Y) ), S), [X, Y], answers([[a, b]])).
t(end_dot_eof, rdr_file('a.', read(S, X), S), [X], answers([[a]])).
t(end_missing, rdr_file('a', read(S, _), S), [], throws(syntax_error(_))).
t(end_of_file, rdr_file('  % nothing\n', read(S, X), S), [X], answers([[end_of_file]])).
t(end_of_file_twice, rdr_file('a. ', ( read(S, _), read(S, X) ), S), [X], answers([[end_of_file]])).
t(end_in_quotes, rdr_file('\'a. b\'. ', read(S, X), S), [X], answers([['a. b']])).
t(recover_after_error, rdr_file('a b. c. ', ( catch(read(S, _), error(syntax_error(_), _), true), read(S, X) ), S), [X],
  answers([[c]])).
t(three_terms, rdr_file('a. f(X,Y).\n\'C\'.\n', ( read(S, X), read(S, Y), read(S, Z) ), S), [X, Y, Z],
  answers([[a, f(_, _), 'C']])).
t(cr_lf, rdr_file('a.\r\nb.\r\n', ( read(S, X), read(S, Y) ), S), [X, Y], answers([[a, b]])).
t(dot_in_number, rdr_file('f(1.5). ', read(S, X), S), [X], answers([[f(1.5)]])).
t(dot_after_int, rdr_file('1. 2. ', ( read(S, X), read(S, Y) ), S), [X, Y], answers([[1, 2]])).
t(dot_after_symbol, rdr_file('a = * . b. ', ( read(S, X), read(S, Y) ), S), [X, Y], answers([[a=(*), b]])).

% read_term options

t(variable_names, rdr_file('f(X, Y, _Z, _, X). ', read_term(S, T, [variable_names(L)]), S), [T, L],
  answers([[f(P, Q, R, _, P), ['X'=P, 'Y'=Q, '_Z'=R]]])).
t(variables, rdr_file('f(X, Y, X, _). ', read_term(S, T, [variables(L)]), S), [T, L],
  answers([[f(P, Q, P, R), [P, Q, R]]])).
t(singletons, rdr_file('f(X, Y, X, _). ', read_term(S, T, [singletons(L)]), S), [T, L],
  answers([[f(P, Q, P, _), ['Y'=Q]]])).
t(singletons_named, ( rdr_file('f(_A, B, _, C, C, _d, __E, _F, _F). ', read_term(S, _, [singletons(L)]), S), findall(N, member(N=_, L), Ns) ), [Ns],
  answers([[['_A', 'B', '_d', '__E']]])).
t(three_options, rdr_file('f(A). ', read_term(S, T, [variables(V), variable_names(N), singletons(G)]), S), [T, V, N, G],
  answers([[f(P), [P], ['A'=P], ['A'=P]]])).
t(names_ground, rdr_file('a. ', read_term(S, _, [variable_names(L)]), S), [L], answers([[[]]])).
t(syntax_errors_fail, rdr_file('a b. c. ', read_term(S, _, [syntax_errors(quiet)]), S), [], fails).
t(options_unbound, read_term(user_input, _, _), [], throws(instantiation_error)).
t(options_partial, read_term(user_input, _, [variables(_)|_]), [], throws(instantiation_error)).
t(options_not_list, read_term(user_input, _, foo), [], throws(type_error(list, foo))).
t(read_unbound_stream, read(_, _), [], throws(instantiation_error)).
t(read_no_such_stream, read(rdr_no_such_stream, _), [], throws(existence_error(stream, rdr_no_such_stream))).
t(read_from_output, read(user_output, _), [], throws(permission_error(input, stream, user_output))).
t(shared_variables, ( term_to_atom(T, 'g(A,B,A)'), T = g(1, X, Y) ), [X, Y], answers([[_, 1]])).
t(atom_to_term, atom_to_term('f(X, Y, X)', T, L), [T, L], answers([[f(P, Q, P), ['X'=P, 'Y'=Q]]])).
t(atom_to_term_syntax, atom_to_term('f(', _, _), [], throws(syntax_error(_))).
t(read_term_from_atom, read_term_from_atom('f(X)', T, []), [T], answers([[f(_)]])).
t(read_back, ( T = f('A b', "s", [1, -2, - 1], -(1), 1 - -1, {x}, 'é'), with_output_to(string(S), writeq(T)), term_to_atom(U, S), T == U ), [],
  answers([[]])).
t(read_back_minus, ( T = [- (-), \+ (-), -(-(1)), 1 - (2 - 3), -(2) ^ 2, (-2) ^ 2, - (1 ^ 2), -(a), -(-(a))],
    with_output_to(string(S), writeq(T)), term_to_atom(U, S), T == U ), [], answers([[]])).
t(read_back_operators, ( T = [a = (\+ b), (a :- b, (c ; d)), f(:-), [(a :- b)], (:- a) = b, {a, b}, (a , b) , + = +],
    with_output_to(string(S), writeq(T)), term_to_atom(U, S), T == U ), [], answers([[]])).
t(read_back_canonical, ( T = f(X, 'Y', X, "str", [a|b], 'don''t'), with_output_to(string(S), write_canonical(T)), term_to_atom(U, S), T =@= U ), [],
  answers([[]])).

% Digit groups.

t(groups_underscore, term_to_atom(X, '1_000_000'), [X], answers([[1000000]])).
t(groups_space, term_to_atom(X, '1 000 000'), [X], answers([[1000000]])).
t(groups_mixed, term_to_atom(X, '1 000_000'), [X], answers([[1000000]])).
t(groups_of_any_length, term_to_atom(X, '[1 0, 12 34]'), [X], answers([[[10, 1234]]])).
t(groups_underscore_blank, term_to_atom(X, '1_ 000'), [X], answers([[1000]])).
t(groups_underscore_newline, term_to_atom(X, '1_\n000'), [X], answers([[1000]])).
t(groups_two_spaces, term_to_atom(_, '1  000'), [], throws(syntax_error(operator_expected))).
t(groups_newline, term_to_atom(_, '1\n000'), [], throws(syntax_error(operator_expected))).
t(groups_binary, term_to_atom(X, '0b1 01'), [X], answers([[5]])).
t(groups_hexadecimal, term_to_atom(X, '0x1_00'), [X], answers([[256]])).
t(groups_hexadecimal_space, term_to_atom(_, '0x1 00'), [], throws(syntax_error(operator_expected))).
t(groups_rational, ( term_to_atom(X, '1 234r5'), X =:= 1234 rdiv 5 ), [], answers([[]])).
t(groups_number_codes, number_codes(X, "1 000"), [X], answers([[1000]])).
t(groups_before_word, term_to_atom(_, '12 34 a'), [], throws(syntax_error(operator_expected))).
t(groups_minus, term_to_atom(X, '-1 000'), [X], answers([[-1000]])).

% Characters beyond ASCII: digits of other scripts, what is no part of names, what is not assigned.

read_classes(Code, Classes) :-
    findall(T, ( member(T, [alnum, alpha, csym, csymf, graph, print, punct, space, cntrl, upper, lower]), code_type(Code, T) ), Classes).

t(script_digits, ( term_to_atom(X, '[٣٤, ٣.٥, १_२, ５]') ), [X], answers([[[34, 3.5, 12, 5]]])).
t(script_digits_mixed, term_to_atom(_, '٣5'), [], throws(syntax_error(operator_expected))).
t(script_digits_scripts, term_to_atom(_, '٣१'), [], throws(syntax_error(operator_expected))).
t(script_digits_codes, ( number_codes(X, "٣"), atom_number('１', Y) ), [X, Y], answers([[3, 1]])).
t(script_digits_no_number, atom_number('٣a', _), [], fails).
t(script_digits_in_names, ( term_to_atom(X, 'a٣'), atom_length(X, N), atom(X) ), [N], answers([[2]])).
t(superscript_alone, ( term_to_atom(X, '²'), writeq(X) ), [], output("²")).
t(superscript_in_name, term_to_atom(_, 'x²'), [], throws(syntax_error(operator_expected))).
t(superscripts_quoted, writeq(['²²', '²', '¼', 'a²']), [], output("['²²',²,¼,'a²']")).
t(unassigned_quoted, writeq('\x378\'), [], output("'\\x378\\'")).
t(private_quoted, writeq('a\xE000\'), [], output("'a\\xE000\\'")).
t(soft_hyphen, ( with_output_to(string(S), writeq('\xAD\')), string_codes(S, L) ), [L], answers([[[173]]])).
t(mark_quoted, writeq(['\x301\', '\x301\a', 'a\x301\']), [], output("['\x301\','\x301\a',a\x301\]")).
t(titlecase_name, writeq('\x1C5\x'), [], output("\x1C5\x")).
t(classes_unassigned, read_classes(0x378, L), [L], answers([[[]]])).
t(classes_digit, read_classes(0x660, L), [L], answers([[[alnum, alpha, csym, csymf, graph, print]]])).
t(classes_mark, read_classes(0x300, L), [L], answers([[[graph, print, punct]]])).
t(classes_vowel, read_classes(0x5B0, L), [L], answers([[[alnum, alpha, csym, csymf, graph, print]]])).
t(classes_fraction, read_classes(0xBC, L), [L], answers([[[graph, print, punct]]])).
t(classes_figure_space, read_classes(0x2007, L), [L], answers([[[graph, print, punct]]])).
t(classes_thin_space, read_classes(0x2009, L), [L], answers([[[print, space]]])).
t(classes_line_separator, read_classes(0x2028, L), [L], answers([[[space, cntrl]]])).
t(classes_titlecase, ( read_classes(0x1C5, L), read_classes(0x1F88, M) ), [L, M],
  answers([[[alnum, alpha, csym, csymf, graph, print, upper, lower], [alnum, alpha, csym, csymf, graph, print, upper]]])).
t(case_titlecase, ( code_type(0x1F80, lower(U)), code_type(0x1F88, upper(L)), code_type(0x1FB3, lower(V)) ), [U, L, V], answers([[0x1F88, 0x1F80, 0x1FBC]])).
t(case_dotted, string_lower("İI", X), [X], answers([["ii"]])).

% Options of reading a text

t(text_names, ( read_term_from_atom('f(X,Y,X)', T, [variable_names(V)]), T-V = f(A, B, A)-['X'=C, 'Y'=D], C == A, D == B ), [], answers([[]])).
t(text_string_names, ( term_string(T, "g(X,Y,Y)", [variable_names(V), variables(W), singletons(S)]), T = g(A, B, _), V == ['X'=A, 'Y'=B], W == [A, B], S == ['X'=A] ), [], answers([[]])).
t(text_flags, term_string(T, "\"ab\"", [double_quotes(atom)]), [T], answers([[ab]])).
t(text_error_fails, term_string(_, "a b", [syntax_errors(fail)]), [], fails).
t(text_error_throws, term_string(_, "a b", [syntax_errors(error)]), [], throws(syntax_error(_))).

% Where the parts of a term are, and comments

rdr_positions(Text, Position) :- term_string(T, Text, [subterm_positions(Position)]), prolog_source:valid_term_position(T, Position).

t(place_leaf, ( rdr_positions(" Ab ", P), rdr_positions("'a b'", Q), rdr_positions("- 1.5e3", R), rdr_positions("0'c", S) ), [P, Q, R, S],
  answers([[1-3, 0-5, term_position(0, 7, 0, 1, [2-7]), 0-3]])).
t(place_text, ( rdr_positions("f(\"a\",`b`)", P) ), [P], answers([[term_position(0, 10, 0, 1, [string_position(2, 5), string_position(6, 9)])]])).
t(place_wide, ( rdr_positions("'é\x1F600\'(\"é\",x)", P) ), [P], answers([[term_position(0, 11, 0, 4, [string_position(5, 8), 9-10])]])).
t(place_operators, ( rdr_positions("a:- \\+b,c rdr_post", P) ), [P],
  answers([[term_position(0, 18, 1, 3, [0-1, term_position(4, 18, 7, 8, [term_position(4, 7, 4, 6, [6-7]), term_position(8, 18, 10, 18, [8-9])])])]])).
t(place_operator_atoms, ( rdr_positions("[-, f(:-)|(=)]", P) ), [P],
  answers([[list_position(0, 14, [1-2, term_position(4, 9, 4, 5, [6-8])], parentheses_term_position(10, 13, 11-12))]])).
t(place_brackets, ( rdr_positions("{a}-{ }+[ ]", P) ), [P],
  answers([[term_position(0, 11, 7, 8, [term_position(0, 7, 3, 4, [brace_term_position(0, 3, 1-2), 4-7]), 8-11])]])).
t(place_dict, ( rdr_positions("t{b:1, a: _{}}", P) ), [P],
  answers([[dict_position(0, 14, 0, 1, [key_value_position(2, 5, 3, 4, b, 2-3, 4-5), key_value_position(7, 13, 8, 9, a, 7-8, dict_position(10, 13, 10, 11, []))])]])).
t(place_compound_empty, ( rdr_positions("a()", P), rdr_positions("{}(x)", Q) ), [P, Q], answers([[term_position(0, 3, 0, 1, []), term_position(0, 5, 0, 2, [3-4])]])).
t(place_none, rdr_positions(" % nothing", P), [P], answers([[10-10]])).
t(place_in_stream, ( rdr_file("\n% c1\n  foo(a, /* é */\n b). % tail\n", ( read_term(S, _, [subterm_positions(P), comments(C), term_position(T)]), read_term(S, E, [subterm_positions(Q), comments(D)]) ), S) ),
  [P, C, T, E, Q, D],
  answers([[term_position(8, 26, 8, 11, [12-13, 24-25]), ['$stream_position'(1, 2, 0, 1)-"% c1", '$stream_position'(15, 3, 9, 15)-"/* é */"],
            '$stream_position'(8, 3, 2, 8), end_of_file, 35-35, ['$stream_position'(28, 4, 5, 29)-"% tail"]]])).
t(place_given, term_string(_, "f(x)", [subterm_positions(term_position(0, 4, _, _, [A]))]), [A], answers([[2-3]])).
t(place_wrong, term_string(_, "f(x)", [subterm_positions(1-2)]), [], fails).
t(place_invalid, prolog_source:valid_term_position(f(x), term_position(0, 4, 0, 1, [2-5])), [], fails).
t(comments_text, term_string(_, "%a\np:- /*b*/q %c", [comments(C)]), [C],
  answers([[['$stream_position'(0, 0, 0, 0)-"%a", '$stream_position'(7, 1, 4, 7)-"/*b*/", '$stream_position'(14, 1, 11, 14)-"%c"]]])).
t(comments_quoted, term_string(_, "['%a', \"/*\", 0'%, a/**/]", [comments(C)]), [C], answers([[['$stream_position'(19, 0, 19, 19)-"/**/"]]])).
t(comments_open, term_string(_, "a /* b", [comments(_)]), [], throws(syntax_error(end_of_file_in_block_comment))).
t(read_clause_skips, ( rdr_file("a b.\nc.\n", with_output_to(string(_), read_clause(S, T, [])), S) ), [T], answers([[c]])).
