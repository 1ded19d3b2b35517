% Words of sentences and names: library(readln), library(atom), swritef/2,3 of library(writef), url_encodings.

read_from(Text, Goal) :-
    current_input(Old),
    setup_call_cleanup(
        ( open_string(Text, In), set_input(In) ),
        Goal,
        ( set_input(Old), close(In) )).

t(line, read_from("Hello World 12 foo_bar a-b, don't. 3.14 x\nrest", readln(W)), [W], answers([[['Hello', 'World', 12, foo_bar, a, -, b, ',', don, '\'', t, '.', 3.14, x]]])).
t(line_last, read_from("abc def\n", readln(W, L)), [W, L], answers([[[abc, def], 10]])).
t(line_end, read_from("abc def", readln(W, L)), [W, L], answers([[[abc, def], end_of_file]])).
t(line_none, read_from("", readln(W, L)), [W, L], answers([[[], end_of_file]])).
t(line_empty, read_from("\n", readln(W, L)), [W, L], answers([[[], 10]])).
t(line_words, read_from("_a a_ __ a-b A1B2 12_3 12abc\n", readln(W)), [W], answers([[['_a', a_, '__', a, -, b, 'A1B2', 12, '_3', 12, abc]]])).
t(line_numbers, read_from(".5 -.5 +3 1.50 12345678901234567890 00.50 6.7.8 1.\n", readln(W)), [W], answers([[[0.5, -, 0.5, +, 3, 1.5, 12345678901234567890, 0.5, 6.7, 0.8, 1, '.']]])).
t(line_escaped, read_from("abc \\\n def \\\\ ab\\cd 1\\.5\n", readln(W)), [W], answers([[[abc, def, \, abcd, 1.5]]])).
t(line_quotes, read_from("b \"str ing\"\n", readln(W)), [W], answers([[[b, '"', str, ing, '"']]])).
t(stops, read_from("abc DEF. ghi! jk", ( readln(A, M, `.!?`, `_0123456789`, _), readln(B, N, `.!?`, [], other), readln(C, O, `.!?`, _, _) )), [A, M, B, N, C, O], answers([[[abc, def, '.'], 46, [ghi, !], 33, [jk], end_of_file]])).
t(stop_in_number, read_from("1.5. b.", ( readln(A, _, `.`, _, _), readln(B, _, `.`, _, _) )), [A, B], answers([[[1, '.'], [5, '.']]])).
t(stop_escaped, read_from("a\\.b. x", readln(W, L, `.`, _, _)), [W, L], answers([[[a, '.', b, '.'], 46]])).
t(no_digits_in_words, read_from("abc DEF12 34.5 1e10 x\n", readln(W, _, _, [], uppercase)), [W], answers([[[abc, 'DEF', 12, 34.5, 1, e, 10, x]]])).
t(blanks_in_words, read_from("abc DEF 12 x\n", readln(W, _, _, ` `, _)), [W], answers([[['abc def ', 12, x]]])).
t(points_in_words, read_from("A b. 1.5 1. 5\n", readln(W, _, `\n`, `.`, _)), [W], answers([[[a, 'b.', 1.5, 1, '.', 5]]])).

t(parts, ( identifier_parts(sourceCodeURI, A), identifier_parts('source_code-Name 12ab', B), identifier_parts('XMLParser', C), identifier_parts("strInG9", D), identifier_parts('', E) ), [A, B, C, D, E],
  answers([[[source, code, 'URI'], [source, code, name, '12ab'], [xmlparser], [str, in, g9], []]])).
t(parts_unbound, identifier_parts(_, _), [], throws(instantiation_error)).
t(parts_type, identifier_parts(f(x), _), [], throws(type_error(_, f(x)))).
t(styles, findall(X, restyle_identifier(_, source_code_uRI, X), L), [X, L], answers([[_, ['SourceCodeURI', sourceCodeURI, source_code_u_RI, 'Source_Code_U_RI']]])).
t(style, ( restyle_identifier(style(true, false, -), source_code, X), restyle_identifier(one_two, sourceCodeURI, Y) ), [X, Y], answers([['Source-code', source_code_URI]])).
t(style_none, restyle_identifier(nope, source_code, _), [], fails).
t(joined, ( join_identifier_parts(oneTwo, ["str", 12], A), join_identifier_parts(oneTwo, ['URI', b], B) ), [A, B], answers([[str12, 'URIB']])).
t(joined_none, join_identifier_parts(one_two, [], _), [], fails).
t(joined_unbound, join_identifier_parts(oneTwo, _, _), [], throws(instantiation_error)).

t(swritef, ( swritef(A, 'a%w\\nb', [x]), swritef(B, 'a\\nb'), swritef(C, 'a%w') ), [A, B, C], answers([["ax\nb", "a\nb", "a%w"]])).

t(url_encoding, setup_call_cleanup(set_url_encoding(Old, iso_latin_1), ( www_form_encode('é', X), www_form_encode(Y, '%e9') ), set_url_encoding(_, utf8)), [Old, X, Y], answers([[utf8, '%e9', 'é']])).
t(url_encoding_none, set_url_encoding(_, foo), [], throws(type_error(oneof([utf8, iso_latin_1]), foo))).
t(url_of_file, ( file_name_to_url('/tmp/a.pl', U), file_name_to_url(F, 'file:///tmp/a%20b.pl') ), [U, F], answers([['file:///tmp/a.pl', '/tmp/a%20b.pl']])).
t(url_of_no_file, file_name_to_url(_, 'http://a/b'), [], fails).
