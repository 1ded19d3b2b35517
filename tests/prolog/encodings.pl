% Bytes and text: string_bytes/3, library(base64), library(base32), library(ctypes), library(codesio), library(charsio).

:- use_module(library(base64)).
:- use_module(library(base32)).
:- use_module(library(ctypes)).
:- use_module(library(codesio)).
:- use_module(library(charsio)).

enc_codes(Kind, L) :- findall(C, ( between(0, 255, C), call(Kind, C) ), L).

% --- string_bytes/3 ---

t(bytes_utf8, string_bytes("a\xe9\\x20ac\\x1F600\", X, utf8), [X], answers([[[97, 195, 169, 226, 130, 172, 240, 159, 152, 128]]])).
t(bytes_utf16be, string_bytes("a\xe9\\x20ac\\x1F600\", X, utf16be), [X], answers([[[0, 97, 0, 233, 32, 172, 216, 61, 222, 0]]])).
t(bytes_utf16le, string_bytes("a\xe9\\x20ac\\x1F600\", X, utf16le), [X], answers([[[97, 0, 233, 0, 172, 32, 61, 216, 0, 222]]])).
t(bytes_unicode_be, string_bytes("a\x20ac\", X, unicode_be), [X], answers([[[0, 97, 32, 172]]])).
t(bytes_unicode_le, string_bytes("a\x20ac\", X, unicode_le), [X], answers([[[97, 0, 172, 32]]])).
t(bytes_latin_1, string_bytes("a\xe9\", X, iso_latin_1), [X], answers([[[97, 233]]])).
t(bytes_not_latin_1, string_bytes("a\x20ac\", _, iso_latin_1), [], throws(representation_error(encoding))).
t(bytes_octet, string_bytes(abc, X, octet), [X], answers([[[97, 98, 99]]])).
t(bytes_not_ascii, string_bytes("a\xe9\", _, ascii), [], throws(representation_error(encoding))).
t(bytes_of_codes, string_bytes(`abc`, X, utf8), [X], answers([[[97, 98, 99]]])).
t(bytes_of_number, string_bytes(12, _, utf8), [], throws(type_error(text, 12))).
t(bytes_check, string_bytes(abc, [97,98,99], utf8), [], answers([[]])).
t(bytes_check_fails, string_bytes(abc, [97], utf8), [], fails).
t(bytes_to_text, string_bytes(X, [97,0xc3,0xa9,0xe2,0x82,0xac,0xf0,0x9f,0x98,0x80], utf8), [X], answers([["aé€😀"]])).
t(bytes_no_utf8, string_bytes(X, [97,0xff], utf8), [X], answers([["aÿ"]])).
t(bytes_cut_utf8, string_bytes(X, [97,0xc3], utf8), [X], answers([["aÃ"]])).
t(bytes_too_large, string_bytes(_, [97,256], utf8), [], throws(representation_error(encoding))).
t(bytes_string, string_bytes(_, "abc", utf8), [], throws(type_error(list, "abc"))).
t(bytes_odd, string_bytes(_, [0,97,0], utf16be), [], throws(syntax_error(incomplete_multibyte_sequence))).
t(bytes_from_utf16, string_bytes(X, [97,0,0xac,0x20], utf16le), [X], answers([["a€"]])).
t(bytes_unbound_encoding, string_bytes(_, [97], _), [], throws(instantiation_error)).
t(bytes_no_encoding, string_bytes(_, [97], foo), [], throws(domain_error(encoding, foo))).

% --- library(base64) ---

t(base64_atom, base64(abc, X), [X], answers([['YWJj']])).
t(base64_string, base64("abc", X), [X], answers([['YWJj']])).
t(base64_codes, base64(`abcd`, X), [X], answers([['YWJjZA==']])).
t(base64_padded, ( base64(a, X), base64(ab, Y), base64('', Z) ), [X, Y, Z], answers([['YQ==', 'YWI=', '']])).
t(base64_decode, ( base64(X, 'YWJj'), base64(Y, 'YWI='), base64(Z, 'YQ==') ), [X, Y, Z], answers([[abc, ab, a]])).
t(base64_decode_string, base64(X, "YWJj"), [X], answers([[abc]])).
t(base64_alphabet, base64("\xfb\\xef\\xbe\\xff\\xff\\xff\", X), [X], answers([[++++////]])).
t(base64_not_latin_1, base64('\x20ac\', _), [], throws(representation_error(encoding))).
t(base64_cut, base64(_, 'YWI'), [], fails).
t(base64_blank, base64(_, 'YW Jj'), [], throws(syntax_error(base64_char(_, 32)))).
t(base64_unbound, base64(_, _), [], throws(instantiation_error)).
t(base64_number, base64(12, _), [], throws(type_error(text, 12))).
t(base64_dcg, phrase(base64(`abcd`), X), [X], answers([[[89, 87, 74, 106, 90, 65, 61, 61]]])).
t(base64_dcg_decode, phrase(base64(X), `YWJj-`, Rest), [X, Rest], answers([[[97, 98, 99], [45]]])).
t(base64url, base64url("\xfb\\xef\\xbe\\xff\\xff\\xff\", X), [X], answers([['w7vDr8K-w7_Dv8O_']])).
t(base64url_decode, base64url(X, '--__'), [X], answers([[ûïÿ]])).
t(base64url_dcg, phrase(base64url(`ab`), X), [X], answers([[[89, 87, 73]]])).
t(base64url_dcg_decode, phrase(base64url(X), `YWI`), [X], answers([[[97, 98]]])).
t(base64_encoded, base64_encoded("a\x20ac\b", X, []), [X], answers([["YeKCrGI="]])).
t(base64_encoded_decode, base64_encoded(X, 'YeKCrGI=', []), [X], answers([["a€b"]])).
t(base64_encoded_as, base64_encoded(abc, X, [as(atom)]), [X], answers([['YWJj']])).
t(base64_encoded_decode_as, base64_encoded(X, "YWJj", [as(atom)]), [X], answers([[abc]])).
t(base64_encoded_as_codes, base64_encoded(abc, _, [as(codes)]), [], throws(type_error(oneof([atom, string]), codes))).
t(base64_encoded_url, base64_encoded("a?>>?b", X, [charset(url), padding(false)]), [X], answers([["YT8-Pj9i"]])).
t(base64_encoded_unpadded, base64_encoded(X, 'YWI', [padding(false)]), [X], answers([["ab"]])).
t(base64_encoded_octet, base64_encoded("\xe9\", X, [encoding(octet)]), [X], answers([["6Q=="]])).
t(base64_encoded_bad_encoding, base64_encoded("abc", _, [encoding(foo)]), [], throws(domain_error(encoding, foo))).
t(base64_encoded_bad_char, base64_encoded(_, '####', []), [], throws(syntax_error(base64_char(_, 35)))).
t(base64_encoded_unbound, base64_encoded(_, _, []), [], throws(instantiation_error)).
t(base64_encoded_compound, base64_encoded(f(x), _, []), [], throws(type_error(text, f(x)))).
t(base64_encoded_dcg, phrase(base64_encoded(`ab`, [padding(false)]), X), [X], answers([[[89, 87, 73]]])).
t(base64_round_trip, forall(between(0, 20, N), ( findall(B, ( between(1, N, I), B is I * 91 mod 256 ), Bs), phrase(base64(Bs), Cs), phrase(base64(Bs1), Cs), Bs == Bs1 )), [N, B, I, Bs, Cs, Bs1], answers([[_, _, _, _, _, _]])).

% --- library(base32) ---

t(base32_atom, ( base32(a, A), base32(ab, B), base32(abc, C), base32(abcd, D), base32(abcde, E) ), [A, B, C, D, E], answers([['ME======', 'MFRA====', 'MFRGG===', 'MFRGGZA=', 'MFRGGZDF']])).
t(base32_empty, base32("", X), [X], answers([['']])).
t(base32_decode, base32(X, 'MFRGGZDF'), [X], answers([[abcde]])).
t(base32_bad, base32(_, 'MFRGGZD1'), [], fails).
t(base32_unbound, base32(_, _), [], throws(instantiation_error)).
t(base32_dcg, phrase(base32(`abc`), X), [X], answers([[[77, 70, 82, 71, 71, 61, 61, 61]]])).

% --- library(ctypes) ---

t(ctypes_small, ( enc_codes(is_digit, D), enc_codes(is_white, W), enc_codes(is_space, S), enc_codes(is_newline, N), enc_codes(is_newpage, P), enc_codes(is_endline, E), enc_codes(is_quote, Q), enc_codes(is_period, F) ), [D, W, S, N, P, E, Q, F], answers([[[48, 49, 50, 51, 52, 53, 54, 55, 56, 57], [9, 32], [9, 10, 11, 12, 13, 32], [10], [12], [10, 11, 12, 13], [34, 39, 96], [33, 46, 63]]])).
t(ctypes_alpha, findall(C, ( between(0, 127, C), is_alpha(C) ), L), [C, L], answers([[_, [65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122]]])).
t(ctypes_csym, findall(C, ( between(0, 127, C), is_csym(C) ), L), [C, L], answers([[_, [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 95, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122]]])).
t(ctypes_csymf, findall(C, ( between(0, 127, C), is_csymf(C) ), L), [C, L], answers([[_, [65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 95, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122]]])).
t(ctypes_counts, findall(N, ( member(K, [is_alnum, is_alpha, is_ascii, is_cntrl, is_graph, is_lower, is_print, is_punct, is_upper]), enc_codes(K, Cs), length(Cs, N) ), L), [N, K, Cs, L], answers([[_, _, _, [127, 117, 128, 65, 190, 61, 190, 63, 56]]])).
t(ctypes_endfile, findall(C, is_endfile(C), L), [C, L], answers([[_, [-1]]])).
t(ctypes_paren, findall(C-D, is_paren(C, D), L), [C, D, L], answers([[_, _, [40-41, 91-93, 123-125]]])).
t(ctypes_digit_weight, ( is_digit(0'a, 16, A), is_digit(0'F, 16, B), is_digit(C, 16, 12), is_digit(0'z, 36, D) ), [A, B, C, D], answers([[10, 15, 99, 35]])).
t(ctypes_digit_char, ( is_digit('5', 10, A), is_digit("7", 10, B), \+ is_digit(a, 10, _), findall(C-W, is_digit(C, 10, W), L), length(L, N) ), [A, B, N], answers([[5, 7, 10]])).
t(ctypes_digit_char_of_other_base, is_digit('5', 16, _), [], throws(type_error(integer, '5'))).
t(ctypes_digit_of_the_end, ( \+ is_digit(-1, 10, _), \+ is_digit(-1, 16, _), \+ is_digit(end_of_file, 10, _) ), [], answers([[]])).
t(ctypes_digit_too_large, is_digit(0'9, 8, _), [], fails).
t(ctypes_digit_base, is_digit(0'1, 37, _), [], fails).
t(ctypes_digits, findall(C-D, is_digit(C, 3, D), L), [C, D, L], answers([[_, _, [48-0, 49-1, 50-2]]])).
t(ctypes_char, ( is_alpha(a), is_digit('1'), is_csym('_') ), [], answers([[]])).
t(ctypes_compound, is_alpha(f(x)), [], throws(type_error(character, f(x)))).
t(ctypes_cases, ( to_lower(0'A, A), to_lower(0'a, B), to_upper(0'a, C), to_upper(0'1, D), to_lower(a, E), to_upper(a, F) ), [A, B, C, D, E, F], answers([[97, 97, 65, 49, 97, 65]])).
t(ctypes_cases_back, ( to_lower(A, 0'a), to_upper(B, 0'A), to_lower(C, 0'1) ), [A, B, C], answers([[65, 97, 49]])).
t(ctypes_cases_of_chars, ( to_upper(a, 'A'), to_upper(a, a), to_lower('A', a), \+ to_lower(a, 'A'), findnsols(2, X-Y, to_lower(X, Y), L), ! ), [L], answers([[[0-0, 1-1]]])).
t(ctypes_cases_error, to_lower(ab, _), [], throws(type_error(character, ab))).
t(ctypes_newline, \+ is_newline('\n'), [], answers([[]])).
t(upper_lower, ( upper_lower(0'A, X), upper_lower(Y, 0'a) ), [X, Y], answers([[97, 65]])).
t(upper_lower_fails, ( upper_lower(0'a, _) ; upper_lower(0'1, _) ; upper_lower(_, 0'1) ), [], fails).

% --- library(codesio), library(charsio) ---

t(format_to_codes, format_to_codes("~w-~a", [x, y], L), [L], answers([[[120, 45, 121]]])).
t(format_to_codes_tail, format_to_codes("~w-~a", [x, y], L, T), [L, T], answers([[[120, 45, 121|A], A]])).
t(write_to_codes, write_to_codes('A b' + "b", L), [L], answers([[[65, 32, 98, 43, 98]]])).
t(write_to_codes_tail, write_to_codes(a, L, T), [L, T], answers([[[97|A], A]])).
t(write_term_to_codes, write_term_to_codes('A b', L, [quoted(true)]), [L], answers([[[39, 65, 32, 98, 39]]])).
t(write_term_to_codes_tail, write_term_to_codes('A b', L, T, [quoted(true)]), [L, T], answers([[[39, 65, 32, 98, 39|A], A]])).
t(read_from_codes, read_from_codes(`foo(X, Y). bar`, T), [T], answers([[foo(_, _)]])).
t(read_from_codes_no_stop, read_from_codes(`foo(X, Y)`, T), [T], answers([[foo(_, _)]])).
t(read_from_codes_comment, read_from_codes(`foo % bar`, T), [T], answers([[foo]])).
t(read_from_codes_none, read_from_codes(` `, T), [T], answers([[end_of_file]])).
t(read_from_codes_error, read_from_codes(`a b`, _), [], throws(syntax_error(operator_expected))).
t(read_term_from_codes, read_term_from_codes(`foo(X)`, T, [variable_names(Vs)]), [T, Vs], answers([[foo(A), ['X'=A]]])).
t(open_codes_stream, ( open_codes_stream(`hello. world.`, Stream), read(Stream, X), read(Stream, Y), close(Stream) ), [X, Y], answers([[hello, world]])).
t(open_codes_unbound, open_codes_stream(_, _), [], throws(instantiation_error)).
t(with_output_to_codes, with_output_to_codes(( write(a) ; write(b) ), L), [L], answers([[[97]]])).
t(with_output_to_codes_tail, with_output_to_codes(write(a), L, T), [L, T], answers([[[97|A], A]])).
t(with_output_to_codes_stream, ( with_output_to_codes(( nonvar(Stream), write(Stream, a) ), Stream, L, T), nonvar(Stream) ), [L, T], answers([[[97|A], A]])).
t(with_output_to_codes_fails, with_output_to_codes(fail, _), [], fails).
t(with_output_to_codes_throws, with_output_to_codes(throw(x), _), [], throws_ball(x)).
t(format_to_chars, format_to_chars("~w", [x], L), [L], answers([[[120]]])).
t(format_to_chars_tail, format_to_chars("~w", [x], L, T), [L, T], answers([[[120|A], A]])).
t(write_to_chars, ( write_to_chars('A' + "b", L), write_to_chars(b, K, T) ), [L, K, T], answers([[[65, 43, 98], [98|A], A]])).
t(atom_to_chars, ( atom_to_chars(abc, L), atom_to_chars(12, K), atom_to_chars(a, M, T) ), [L, K, M, T], answers([[[97, 98, 99], [49, 50], [97|A], A]])).
t(atom_to_chars_compound, atom_to_chars(f(x), _), [], throws(type_error(atom, f(x)))).
t(atom_to_chars_unbound, atom_to_chars(_, _), [], throws(instantiation_error)).
t(number_to_chars, ( number_to_chars(12, L), number_to_chars(1.5, K, T) ), [L, K, T], answers([[[49, 50], [49, 46, 53|A], A]])).
t(number_to_chars_atom, number_to_chars(a, _), [], throws(type_error(number, a))).
t(number_to_chars_unbound, number_to_chars(_, _), [], throws(instantiation_error)).
t(read_from_chars, ( read_from_chars("foo(X)", T), read_from_chars("", U), read_from_chars('a. b', V) ), [T, U, V], answers([[foo(_), end_of_file, a]])).
t(read_term_from_chars, read_term_from_chars("foo(X)", T, [variable_names(Vs)]), [T, Vs], answers([[foo(A), ['X'=A]]])).
t(open_chars_stream, ( open_chars_stream("hello.", Stream), read(Stream, X), read(Stream, Y), close(Stream) ), [X, Y], answers([[hello, end_of_file]])).
t(with_output_to_chars, ( with_output_to_chars(write(a), L), with_output_to_chars(write(a), K, T) ), [L, K, T], answers([[[97], [97|A], A]])).

t(utf8_encode, ( phrase(utf8_codes([0'a, 0xe9, 0x20ac, 0x10ffff]), L) ), [L],
  answers([[[0'a, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf4, 0x8f, 0xbf, 0xbf]]])).
t(utf8_decode, phrase(utf8_codes(L), [0'a, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x90, 0x80, 0x80]), [L],
  prefix([[[0'a, 0xe9, 0x20ac, 0x10000]]])).
t(base32_bytes, base32('é', X), [X], answers([['5E======']])).
t(base32_back, ( base32('h\xE9\llo', X), base32(Y, X) ), [Y], answers([['h\xE9\llo']])).

%   Quoted text has escapes where the encoding has no character; what is not quoted cannot be written.
enc_written(Encoding, G, S, Text) :-
    tmp_file_stream(F, S, [encoding(Encoding)]),
    call_cleanup(( call_cleanup(G, close(S)), read_file_to_string(F, Text, [encoding(octet)]) ), delete_file(F)).
t(escapes_ascii, ( member(G, [writeq(S, 'a\u00e9\u20ac'), print(S, "\u00e9"), writeq(S, ['\u20ac'-x]), write_canonical(S, '\u20ac'), write_term(S, '\u03b1', [quoted(true)]),
                                write_term(S, '\u03b1', [quoted(true), character_escapes_unicode(false)]), portray_clause(S, f('\u00e9', "\u00e9"))]),
                   enc_written(ascii, G, S, T) ), [T],
  answers([["'a\\xE9\\\\x20AC\\'"], ["\"\\u00E9\""], ["['\\x20AC\\'-x]"], ["'\\x20AC\\'"], ["'\\u03B1'"], ["'\\x3B1\\'"], ["f('\\u00E9', \"\\u00E9\").\n"]])).
t(escapes_latin1, ( member(G, [writeq(S, 'a\u00e9'), writeq(S, '\u20ac')]), enc_written(iso_latin_1, G, S, T) ), [T], answers([["a\u00e9"], ["'\\x20AC\\'"]])).
t(escapes_none, enc_written(ascii, write(S, '\u00e9'), S, _), [], throws(io_error(write, _))).
