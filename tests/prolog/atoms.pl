% Atoms, characters and strings.
% ISO 13211-1, 8.16; strings, atom_number/2, term_to_atom/2,
% atomic_list_concat/2,3, split_string/4, char_type/2 and the like as in
% SWI-Prolog.

% atom_length/2

t(atom_length, atom_length(hello, N), [N], answers([[5]])).
t(atom_length_empty, atom_length('', N), [N], answers([[0]])).
t(atom_length_unicode, atom_length('aé∀', N), [N], answers([[3]])).
t(atom_length_astral, atom_length('\x1F600\', N), [N], answers([[1]])).
t(atom_length_number, atom_length(123, N), [N], answers([[3]])).
t(atom_length_string, atom_length("abc", N), [N], answers([[3]])).
t(atom_length_check, atom_length(abc, 3), [], answers([[]])).
t(atom_length_check_no, atom_length(abc, 4), [], fails).
t(atom_length_unbound, atom_length(_, _), [], throws(instantiation_error)).
t(atom_length_bad_length, atom_length(a, b), [], throws(type_error(integer, b))).
t(atom_length_neg_length, atom_length(a, -1), [], fails).

% atom_concat/3

t(atom_concat, atom_concat(ab, cd, X), [X], answers([[abcd]])).
t(atom_concat_number, atom_concat(a, 1, X), [X], answers([[a1]])).
t(atom_concat_string, atom_concat("a", b, X), [X], answers([[ab]])).
t(atom_concat_split, atom_concat(X, Y, abc), [X, Y], answers([['', abc], [a, bc], [ab, c], [abc, '']])).
t(atom_concat_suffix, atom_concat(ab, X, abc), [X], answers([[c]])).
t(atom_concat_prefix, atom_concat(X, bc, abc), [X], answers([[a]])).
t(atom_concat_no_prefix, atom_concat(x, _, abc), [], fails).
t(atom_concat_check, atom_concat(a, bc, abc), [], answers([[]])).
t(atom_concat_empty, atom_concat(X, Y, ''), [X, Y], answers([['', '']])).
t(atom_concat_same, atom_concat(X, X, abab), [X], answers([[ab]])).
t(atom_concat_unbound, atom_concat(_, b, _), [], throws(instantiation_error)).
t(atom_concat_unbound_all, atom_concat(_, _, _), [], throws(instantiation_error)).
t(atom_concat_struct, atom_concat(f(a), b, _), [], throws(type_error(atomic, f(a)))).

% sub_atom/5

t(sub_atom_all, sub_atom(ab, B, L, A, S), [B, L, A, S],
  answers([[0, 0, 2, ''], [0, 1, 1, a], [0, 2, 0, ab], [1, 0, 1, ''], [1, 1, 0, b], [2, 0, 0, '']])).
t(sub_atom_known, sub_atom(hello, B, L, A, ll), [B, L, A], answers([[2, 2, 1]])).
t(sub_atom_known_twice, sub_atom(banana, B, _, _, an), [B], answers([[1], [3]])).
t(sub_atom_overlap, sub_atom(aaa, B, _, A, aa), [B, A], answers([[0, 1], [1, 0]])).
t(sub_atom_prefix, sub_atom(hello, 0, 2, A, S), [A, S], answers([[3, he]])).
t(sub_atom_suffix, sub_atom(hello, B, 3, 0, S), [B, S], answers([[2, llo]])).
t(sub_atom_length, sub_atom(abc, B, 2, A, S), [B, A, S], answers([[0, 1, ab], [1, 0, bc]])).
t(sub_atom_before, sub_atom(abc, 1, L, A, S), [L, A, S], answers([[0, 2, ''], [1, 1, b], [2, 0, bc]])).
t(sub_atom_after, sub_atom(abc, B, L, 1, S), [B, L, S], answers([[0, 2, ab], [1, 1, b], [2, 0, '']])).
t(sub_atom_before_after, sub_atom(abcde, 1, L, 1, S), [L, S], answers([[3, bcd]])).
t(sub_atom_length_after, sub_atom(abcde, B, 2, 1, S), [B, S], answers([[2, cd]])).
t(sub_atom_inconsistent, sub_atom(abc, 1, 1, 0, _), [], fails).
t(sub_atom_too_long, sub_atom(abc, 0, 4, _, _), [], fails).
t(sub_atom_not_there, sub_atom(abc, _, _, _, x), [], fails).
t(sub_atom_empty_sub, sub_atom(ab, B, 0, _, S), [B, S], answers([[0, ''], [1, ''], [2, '']])).
t(sub_atom_unicode, sub_atom('é∀b', B, _, _, '∀'), [B], answers([[1]])).
t(sub_atom_number, sub_atom(1234, 1, 2, _, S), [S], answers([['23']])).
t(sub_atom_unbound, sub_atom(_, _, _, _, a), [], throws(instantiation_error)).
t(sub_atom_bad_before, sub_atom(abc, a, _, _, _), [], throws(type_error(integer, a))).
t(sub_atom_neg_before, sub_atom(abc, -1, _, _, _), [], throws(domain_error(not_less_than_zero, -1))).
t(sub_atom_struct, sub_atom(f(a), _, _, _, _), [], throws(type_error(atom, f(a)))).
t(sub_atom_sub_struct, sub_atom(abc, _, _, _, f(x)), [], throws(type_error(atom, f(x)))).
t(sub_string, sub_string("hello", 1, 3, A, S), [A, S], answers([[1, "ell"]])).
t(sub_string_known, sub_string("banana", B, _, 0, "ana"), [B], answers([[3]])).
t(sub_string_from_atom, sub_string(hello, 0, 1, _, S), [S], answers([["h"]])).

% atom_chars/2, atom_codes/2, char_code/2

t(atom_chars, atom_chars(abc, L), [L], answers([[[a, b, c]]])).
t(atom_chars_back, atom_chars(X, [a, b, c]), [X], answers([[abc]])).
t(atom_chars_any_form, ( atom_chars(abc, "abc"), atom_chars(abc, [0'a, 0'b, 0'c]), atom_codes(abc, [a, b, c]) ), [], answers([[]])).
t(atom_chars_string_same, ( member(G, [atom_chars("abc", "abc"), atom_codes("abc", [a, b, c]), atom_chars("12", "12"), atom_chars(12, "12"), atom_codes(1.5, "1.5")]), call(G) ), [G], fails).
t(atom_chars_empty, atom_chars('', L), [L], answers([[[]]])).
t(atom_chars_empty_back, atom_chars(X, []), [X], answers([['']])).
t(atom_chars_number, atom_chars(12, L), [L], answers([[['1', '2']]])).
t(atom_chars_digits_back, atom_chars(X, ['1', '2']), [X], answers([['12']])).
t(atom_chars_codes_back, atom_chars(X, [0'a, 0'b]), [X], answers([[ab]])).
t(atom_chars_check, atom_chars(abc, [a|T]), [T], answers([[[b, c]]])).
t(atom_chars_check_no, atom_chars(abc, [b|_]), [], fails).
t(atom_chars_unbound, atom_chars(_, _), [], throws(instantiation_error)).
t(atom_chars_partial, atom_chars(_, [a|_]), [], throws(instantiation_error)).
t(atom_chars_unbound_elem, atom_chars(_, [a, _]), [], throws(instantiation_error)).
t(atom_chars_bad_elem, atom_chars(_, [a, f(b)]), [], throws(type_error(character, f(b)))).
t(atom_codes, atom_codes(abc, L), [L], answers([[[97, 98, 99]]])).
t(atom_codes_back, atom_codes(X, [0'x, 0'y]), [X], answers([[xy]])).
t(atom_codes_string_back, atom_codes(X, "xy"), [X], answers([[xy]])).
t(atom_codes_unbound, atom_codes(_, _), [], throws(instantiation_error)).
t(char_code, char_code(a, X), [X], answers([[97]])).
t(char_code_back, char_code(X, 0'b), [X], answers([[b]])).
t(char_code_check, char_code(a, 0'a), [], answers([[]])).
t(char_code_check_no, char_code(a, 0'b), [], fails).
t(char_code_unicode, char_code(X, 0x2200), [X], answers([[∀]])).
t(char_code_unbound, char_code(_, _), [], throws(instantiation_error)).
t(char_code_long, char_code(ab, _), [], throws(type_error(character, ab))).
t(char_code_atom_code, char_code(_, a), [], throws(type_error(integer, a))).

% number_codes/2, atom_number/2, number_chars and syntax errors

t(number_codes, number_codes(12, L), [L], answers([[[49, 50]]])).
t(number_codes_back, number_codes(X, `12`), [X], answers([[12]])).
t(number_codes_float, number_codes(X, `1.5e3`), [X], answers([[1500.0]])).
t(number_codes_neg, number_codes(X, `-12`), [X], answers([[-12]])).
t(number_codes_plus, number_codes(X, `+12`), [X], answers([[12]])).
t(number_codes_space, number_codes(X, ` 12`), [X], answers([[12]])).
t(number_codes_hex, number_codes(X, `0xff`), [X], answers([[255]])).
t(number_codes_char, number_codes(X, `0'a`), [X], answers([[97]])).
t(number_codes_big, number_codes(X, `123456789012345678901234567890`), [X],
  answers([[123456789012345678901234567890]])).
t(number_codes_letters, number_codes(_, `foo`), [], throws(syntax_error(illegal_number))).
t(number_codes_trailing, number_codes(_, `12x`), [], throws(syntax_error(illegal_number))).
t(number_codes_trailing_space, number_codes(_, `12 `), [], throws(syntax_error(illegal_number))).
t(number_codes_empty, number_codes(_, []), [], throws(syntax_error(illegal_number))).
t(number_codes_dot, number_codes(_, `1.`), [], throws(syntax_error(illegal_number))).
t(number_codes_unbound, number_codes(_, _), [], throws(instantiation_error)).
t(number_codes_partial, number_codes(_, [0'1|_]), [], throws(instantiation_error)).
t(number_codes_atom, number_codes(a, _), [], throws(type_error(number, a))).
t(number_chars_back, number_chars(X, ['1', '.', '5']), [X], answers([[1.5]])).
t(number_chars, number_chars(15, L), [L], answers([[['1', '5']]])).
t(number_chars_bad, number_chars(_, [a]), [], throws(syntax_error(illegal_number))).
t(number_chars_elem, number_chars(_, ['1', _]), [], throws(instantiation_error)).
t(number_chars_minus_space, number_chars(_, ['-', ' ', '1']), [], throws(syntax_error(illegal_number))).
t(atom_number, atom_number('12', X), [X], answers([[12]])).
t(atom_number_float, atom_number('1.5', X), [X], answers([[1.5]])).
t(atom_number_neg, atom_number('-5', X), [X], answers([[-5]])).
t(atom_number_hex, atom_number('0x1A', X), [X], answers([[26]])).
t(atom_number_no, atom_number(foo, _), [], fails).
t(atom_number_trailing, atom_number('12 a', _), [], fails).
t(atom_number_empty, atom_number('', _), [], fails).
t(atom_number_back, atom_number(X, 12), [X], answers([['12']])).
t(atom_number_unbound, atom_number(_, _), [], throws(instantiation_error)).
t(atom_number_bad_number, atom_number(_, a), [], throws(type_error(number, a))).
t(number_string, number_string(X, "42"), [X], answers([[42]])).
t(number_string_no, number_string(_, "4x"), [], fails).
t(number_string_back, number_string(42, X), [X], answers([["42"]])).

% Case

t(upcase_atom, upcase_atom('hello World', X), [X], answers([['HELLO WORLD']])).
t(upcase_atom_unicode, upcase_atom('é', X), [X], answers([['É']])).
t(upcase_atom_number, upcase_atom(12, X), [X], answers([['12']])).
t(upcase_atom_unbound, upcase_atom(_, _), [], throws(instantiation_error)).
t(downcase_atom, downcase_atom('Hello', X), [X], answers([[hello]])).
t(string_upper, string_upper("abC", X), [X], answers([["ABC"]])).
t(string_lower, string_lower("abC", X), [X], answers([["abc"]])).
t(normalize_space, normalize_space(atom(X), "  a  b "), [X], answers([['a b']])).

% atom_string/2, term_to_atom/2, term_string/2

t(atom_string, atom_string(abc, X), [X], answers([["abc"]])).
t(atom_string_back, atom_string(X, "abc"), [X], answers([[abc]])).
t(atom_string_number, atom_string(12, X), [X], answers([["12"]])).
t(atom_string_unbound, atom_string(_, _), [], throws(instantiation_error)).
t(term_to_atom_back, term_to_atom(T, 'f(X, Y, X)'), [T], answers([[f(P, _, P)]])).
t(term_to_atom, term_to_atom(f('A b', "s", [x]), A), [A], answers([['f(\'A b\',"s",[x])']])).
t(term_to_atom_op, term_to_atom(1 + 2 * 3, A), [A], answers([['1+2*3']])).
t(term_to_atom_op_back, term_to_atom(T, 'a:-b,c'), [T], answers([[(a:-b, c)]])).
t(term_to_atom_syntax, term_to_atom(_, 'f('), [], throws(syntax_error(_))).
t(sformat_atom, format(atom(A), "~w-~a", [1, b]), [A], answers([['1-b']])).

% atomic_list_concat/2,3

t(alc, atomic_list_concat([a, 1, "s", 2.5], X), [X], answers([['a1s2.5']])).
t(alc_empty, atomic_list_concat([], X), [X], answers([['']])).
t(alc_unbound_elem, atomic_list_concat([a, _], _), [], throws(instantiation_error)).
t(alc_partial, atomic_list_concat([a|_], _), [], throws(instantiation_error)).
t(alc_unbound, atomic_list_concat(_, _), [], throws(instantiation_error)).
t(alc_sep, atomic_list_concat([a, b, c], '-', X), [X], answers([['a-b-c']])).
t(alc_sep_single, atomic_list_concat([a], '-', X), [X], answers([[a]])).
t(alc_sep_empty_list, atomic_list_concat([], '-', X), [X], answers([['']])).
t(alc_sep_string, atomic_list_concat([a, b], ", ", X), [X], answers([['a, b']])).
t(alc_split, atomic_list_concat(L, '-', 'a-b-c'), [L], answers([[[a, b, c]]])).
t(alc_split_none, atomic_list_concat(L, '-', abc), [L], answers([[[abc]]])).
t(alc_split_empty_parts, atomic_list_concat(L, '-', '-a--'), [L], answers([[['', a, '', '']]])).
t(alc_split_empty, atomic_list_concat(L, '-', ''), [L], answers([[['']]])).
t(alc_split_long_sep, atomic_list_concat(L, ', ', 'a, b,c'), [L], answers([[[a, 'b,c']]])).
t(alc_split_pattern, atomic_list_concat([a, X], '-', 'a-b'), [X], answers([[b]])).
t(alc_split_pattern_no, atomic_list_concat([z, _], '-', 'a-b'), [], fails).
t(alc_split_numbers_are_atoms, ( atomic_list_concat([X|_], ',', '1,2'), atom(X) ), [X], answers([['1']])).
t(alc_split_empty_sep, atomic_list_concat(_, '', abc), [], throws(domain_error(non_empty_atom, ''))).
t(alc_unbound_sep, atomic_list_concat([a, b], _, _), [], throws(instantiation_error)).
t(alc_split_unbound, atomic_list_concat(_, '-', _), [], throws(instantiation_error)).

% Strings

t(split_string, split_string("a,b,c", ",", "", L), [L], answers([[["a", "b", "c"]]])).
t(split_string_pad, split_string("/home//jan///nice/path", "/", "", L), [L],
  answers([[["", "home", "", "jan", "", "", "nice", "path"]]])).
t(split_string_strip, split_string("  a b ", "", " ", L), [L], answers([[["a b"]]])).
t(split_string_sep_pad, split_string("a, b ; c", ",;", " ", L), [L], answers([[["a", "b", "c"]]])).
t(split_string_empty, split_string("", ",", "", L), [L], answers([[[""]]])).
t(split_string_none, split_string("abc", "", "", L), [L], answers([[["abc"]]])).
t(split_string_atom, split_string(abc, "b", "", L), [L], answers([[["a", "c"]]])).
t(split_string_no_list, split_string("a", "", "", foo), [], throws(type_error(list, foo))).
t(sub_atom_of_nil, sub_atom([], _, _, _, _), [], throws(type_error(atom, []))).
t(sub_atom_nil, sub_atom('[]', _, _, _, []), [], throws(type_error(atom, []))).
t(sub_string_nil, sub_string("[]", _, _, _, []), [], throws(type_error(string, []))).
t(char_code_no_int, char_code(_, 2147483648), [], throws(representation_error(int))).
t(split_string_unbound, split_string(_, ",", "", _), [], throws(instantiation_error)).
t(string_concat, string_concat("ab", "cd", X), [X], answers([["abcd"]])).
t(string_concat_atoms, string_concat(ab, 12, X), [X], answers([["ab12"]])).
t(string_concat_split, string_concat(X, Y, "ab"), [X, Y], answers([["", "ab"], ["a", "b"], ["ab", ""]])).
t(string_concat_suffix, string_concat("a", X, "abc"), [X], answers([["bc"]])).
t(string_concat_unbound, string_concat("a", _, _), [], throws(instantiation_error)).
t(string_length, string_length("hello", N), [N], answers([[5]])).
t(string_length_atom, string_length(hello, N), [N], answers([[5]])).
t(string_length_number, string_length(1234, N), [N], answers([[4]])).
t(string_chars, string_chars("ab", L), [L], answers([[[a, b]]])).
t(string_chars_back, string_chars(S, [a, b]), [S], answers([["ab"]])).
t(string_codes, string_codes("ab", L), [L], answers([[[97, 98]]])).
t(string_codes_back, string_codes(S, [0'a]), [S], answers([["a"]])).
t(string_to_atom, string_to_atom("ab", A), [A], answers([[ab]])).
t(string_to_atom_back, string_to_atom(S, ab), [S], answers([["ab"]])).
t(string_code, string_code(1, "abc", C), [C], answers([[97]])).
t(string_code_out, string_code(4, "abc", _), [], fails).
t(string_code_zero, string_code(0, "abc", _), [], fails).
t(string_code_neg, string_code(-1, "abc", _), [], throws(domain_error(not_less_than_zero, -1))).
t(char_string, get_string_code(2, "abc", C), [C], answers([[98]])).
t(string_compare, "abc" @< "abd", [], answers([[]])).
t(string_equal, "abc" == "abc", [], answers([[]])).
t(string_not_atom, "abc" == abc, [], fails).
t(text_to_string_atom, text_to_string(abc, S), [S], answers([["abc"]])).
t(text_to_string_codes, text_to_string(`abc`, S), [S], answers([["abc"]])).
t(text_to_string_chars, text_to_string([a, b], S), [S], answers([["ab"]])).
t(string_double_quotes, string("abc"), [], answers([[]])).
t(string_back_quotes, X = `ab`, [X], answers([[[97, 98]]])).
t(string_escapes, ( S = "a\tb\n\\\"", string_length(S, N) ), [N], answers([[6]])).
t(string_quote_doubled, ( S = "a""b", string_length(S, N) ), [N], answers([[3]])).
t(string_continuation, ( S = "a\
b", string_length(S, N) ), [N], answers([[2]])).
t(string_large, ( numlist(1, 2000, L), atomic_list_concat(L, A), atom_length(A, N) ), [N], answers([[6893]])).
t(alc_split_improper, atomic_list_concat([_|a], ',', 'a,b'), [], fails).
t(alc_split_unbound_first, atomic_list_concat([_, f(x)], ',', 'a,b'), [], fails).
t(alc_improper, atomic_list_concat([b|a], ',', 'a,b'), [], throws(type_error(list, a))).
t(read_term_from_atom, read_term_from_atom('p(X, Y)', T, []), [T], answers([[p(_, _)]])).
t(sformat_string, format(string(S), "~a", [abc]), [S], answers([["abc"]])).

% char_type/2 and code_type/2

t(char_type_alpha, char_type(a, alpha), [], answers([[]])).
t(char_type_of_the_end, ( \+ char_type(end_of_file, alpha), \+ code_type(end_of_file, space), char_type(end_of_file, end_of_file), findall(X, char_type(end_of_file, X), L) ), [L], answers([[[end_of_file]]])).
t(char_type_decimal, ( code_type(1635, decimal), code_type(1635, decimal(W)), \+ code_type(1635, digit), findnsols(2, C, code_type(C, decimal(3)), L), ! ), [W, L], answers([[3, [51, 1635]]])).
t(char_type_of_weights, findall(C, ( member(W, [0, 9, 10, 15]), char_type(C, xdigit(W)) ), L), [L], answers([[['0', '9', a, f]]])).
t(code_type_of_weights, findall(C, ( member(W, [9, 10]), code_type(C, xdigit(W)) ), L), [L], answers([[[0'9, 0'a]]])).
t(tokens_up_to_the_end, ( open_string("ab", S), atm_letters(S, L), close(S) ), [L], answers([[[a, b]]])).
atm_letters(S, [C|L]) :- get_char(S, C), char_type(C, alpha), !, atm_letters(S, L).
atm_letters(_, []).

t(char_type_underscore_csym, char_type('_', csym), [], answers([[]])).
t(char_type_digit_alpha, char_type('1', alpha), [], fails).
t(char_type_alnum, char_type('1', alnum), [], answers([[]])).
t(char_type_digit_weight, char_type('7', digit(W)), [W], answers([[7]])).
t(char_type_xdigit, char_type(f, xdigit(W)), [W], answers([[15]])).
t(char_type_space, char_type(' ', space), [], answers([[]])).
t(char_type_white, char_type('\t', white), [], answers([[]])).
t(char_type_newline_white, char_type('\n', white), [], fails).
t(char_type_upper, char_type('A', upper), [], answers([[]])).
t(char_type_lower_no, char_type('A', lower), [], fails).
t(char_type_upper_of, char_type('A', upper(L)), [L], answers([[a]])).
t(char_type_lower_of, char_type(a, lower(U)), [U], answers([['A']])).
t(char_type_to_lower, upcase_atom(a, U), [U], answers([['A']])).
t(char_type_punct, char_type('!', punct), [], answers([[]])).
t(char_type_punct_no, char_type(a, punct), [], fails).
t(char_type_csymf, char_type('1', csymf), [], fails).
t(char_type_graph, char_type(' ', graph), [], fails).
t(char_type_end_of_line, char_type('\n', end_of_line), [], answers([[]])).
t(char_type_cntrl, char_type('\a', cntrl), [], answers([[]])).
t(code_type_digit, code_type(0'5, digit), [], answers([[]])).
t(code_type_weight, code_type(0'5, digit(W)), [W], answers([[5]])).
t(code_type_unicode_alpha, code_type(0'é, alpha), [], answers([[]])).
t(char_type_enumerate_digits, findall(C, char_type(C, digit(5)), [C1|_]), [C1], answers([['5']])).
t(atom_string_other, atom_string(f(x), "a"), [], fails).
t(atom_string_no_text, atom_string(f(x), g(x)), [], throws(type_error(string, g(x)))).
t(string_to_atom_other, string_to_atom(f(x), a), [], fails).
t(number_string_atom, number_string(_, foo), [], throws(type_error(list, foo))).
t(number_string_number, number_string(1, 1), [], throws(type_error(list, 1))).
t(split_string_open, ( split_string("a,b", ",", "", [A|T]), split_string("a,b", ",", "", [A, "b"]) ), [A, T],
  answers([["a", ["b"]]])).
t(split_string_improper, split_string("a,b", ",", "", [_|x]), [], throws(type_error(list, x))).
t(split_string_other_first, split_string("a,b", ",", "", ["b"|x]), [], fails).
t(split_string_some_padding, ( split_string("a,b, c,,d", ", ", " ", A), split_string(" b   /aa", " a", " ", B), split_string("/b a /aba", "/ ", "b ", C), split_string("x/ax/b", "/x", "/", D), split_string("//a//b//", "/", "/", E) ), [A, B, C, D, E],
  answers([[["a", "b", "", "c", "", "d"], ["b", "/", "", ""], ["", "a", "", "aba"], ["", "", "a", "", "b"], ["a", "b"]]])).

t(name_number, name(X, "12"), [X], answers([[12]])).
t(name_atom, name(X, [0'a]), [X], answers([[a]])).
t(name_not_number, name(X, "1a"), [X], answers([['1a']])).
t(name_blank, name(X, " 12"), [X], answers([[' 12']])).
t(name_code, name(X, "0'a"), [X], answers([[97]])).
t(name_empty, name(X, ""), [X], answers([['']])).
t(name_codes, name(12, X), [X], answers([[[0'1, 0'2]]])).
t(name_same, name(foo, "foo"), [], answers([[]])).
t(name_unbound, name(_, _), [], throws(instantiation_error)).
t(name_partial, name(_, [a|_]), [], throws(instantiation_error)).
t(name_compound, name(f(x), _), [], throws(type_error(atomic, f(x)))).

% Names that may be meant: dwim_match/2.
t(dwim_alike, aggregate_all(count, ( member(A-B, [spy-spu, deug-debug, sypy-spy, existsfile-existsFile, existsFile-exists_file, existsFile-fileExists, exists_file-file_exists, hello-hlelo, abc-abcd, 'Abc'-abc, foo_bar_baz-foo_baz_bar, a_b-b_a, abc-"abd", ''-'']), dwim_match(A, B) ), N), [N], answers([[14]])).
t(dwim_not_alike, ( member(A-B, [a-b, a-ab, ab-ba, ab-abc, f1-f2, foo-'FOO', abc-abde, abcd-abdce, foobar-bar_foo, foo_bar_baz-baz_foo_bar, 12-13, f(x)-a, _-a]), dwim_match(A, B) ), [A, B], fails).
t(dwim_difference, findall(D, ( member(A-B, [abc-abc, abc-abd, abc-abcd, abc-acb, foo_bar-fooBar, file_exists-exists_file]), dwim_match(A, B, D) ), L), [L], answers([[[equal, mismatched_char, inserted_char, transposed_char, separated, transposed_word]]])).
