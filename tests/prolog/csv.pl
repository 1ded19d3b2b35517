% library(csv).

:- use_module(library(csv)).
:- use_module(library(readutil)).

csv_of(Text, Options, Rows) :- atom_codes(Text, Codes), phrase(csv(Rows, Options), Codes).
csv_text(Rows, Options, Text) :- phrase(csv(Rows, Options), Codes), atom_codes(Text, Codes).

% Goal with a file of Text.
csv_file(Extension, Text, File, Goal) :-
    tmp_file_stream(File, Stream, [extension(Extension), encoding(utf8)]),
    write(Stream, Text), close(Stream),
    call_cleanup(Goal, delete_file(File)).

csv_written(Extension, Rows, Options, Text) :-
    csv_file(Extension, '', File, ( csv_write_file(File, Rows, Options), read_file_to_string(File, Text, []) )).

% --- reading ---

t(csv_rows, csv_of('a,b,c\n1,2.5,x y\n', [], R), [R], answers([[[row(a, b, c), row(1, 2.5, 'x y')]]])).
t(csv_no_newline, csv_of('a,b\r\n1,2', [], R), [R], answers([[[row(a, b), row(1, 2)]]])).
t(csv_default_options, phrase(csv(R), `a,1\n`), [R], answers([[[row(a, 1)]]])).
t(csv_nothing, csv_of('', [], R), [R], answers([[[]]])).
t(csv_empty_line, csv_of('a\n\nb\n', [], R), [R], answers([[[row(a), row(''), row(b)]]])).
t(csv_cr, csv_of('a\rb\n', [], R), [R], answers([[[row(a), row(b)]]])).
t(csv_other_arity, csv_of('a,b\nc\n', [], R), [R], throws(domain_error(row_arity(2), 1))).
t(csv_no_match_arity, csv_of('a,b\nc\n', [match_arity(false)], R), [R], answers([[[row(a, b), row(c)]]])).
t(csv_arity, csv_of('a,b\nc,d\n', [arity(2)], R), [R], answers([[[row(a, b), row(c, d)]]])).
t(csv_wrong_arity, csv_of('a,b\n', [arity(3)], R), [R], throws(domain_error(row_arity(3), 2))).
t(csv_unbound_arity, csv_of('a,b\n', [arity(_)], R), [R], throws(instantiation_error)).
t(csv_quotes, csv_of('"a ""q"" b",c\n"x\ny","\r\n"\n', [], R), [R], answers([[[row('a "q" b', c), row('x\ny', '\r\n')]]])).
t(csv_quotes_ignored, csv_of('"a",b\n', [ignore_quotes(true)], R), [R], answers([[[row('"a"', b)]]])).
t(csv_quote_inside, csv_of('a"b,c\n', [], R), [R], answers([[[row('a"b', c)]]])).
t(csv_quote_open, csv_of('"abc', [], _), [], fails).
t(csv_quote_then_text, csv_of('"abc"d,e\n', [], _), [], fails).
t(csv_quoted_number, csv_of('"1",""\n', [], R), [R], answers([[[row(1, '')]]])).
t(csv_no_strip, csv_of(' a , "b" ,c\n', [], R), [R], answers([[[row(' a ', ' "b" ', c)]]])).
t(csv_strip, csv_of(' a , "b" ,c, 1 \n', [strip(true)], R), [R], answers([[[row(a, '"b"', c, 1)]]])).
t(csv_strip_after_quote, csv_of('"a" ,b\n', [strip(true)], _), [], fails).
t(csv_separator, ( csv_of('a;b,c\n', [separator(0';)], R), csv_of('a\tb\n', [separator(0'\t)], S) ), [R, S], answers([[[row(a, 'b,c')], [row(a, b)]]])).
t(csv_numbers, csv_of('1,0x10,1e10,1.5e3,-3,+4,007,1r3,0\'a,0b11,1 000,1_000,123456789012345678901234567890\n', [], R), [R], answers([[[row(1, 16, 10000000000.0, 1500.0, -3, 4, 7, 1r3, 97, 3, 1000, 1000, 123456789012345678901234567890)]]])).
t(csv_no_numbers, csv_of(' 5,5 ,--1,- 1,1.,.5,12abc,1.2.3,1/2,1e,1e400,inf,nan,Inf\n', [], R), [R], answers([[[row(' 5', '5 ', '--1', '- 1', '1.', '.5', '12abc', '1.2.3', '1/2', '1e', '1e400', inf, nan, 'Inf')]]])).
t(csv_no_convert, csv_of('1,0x10,1e10\n', [convert(false)], R), [R], answers([[[row('1', '0x10', '1e10')]]])).
t(csv_functor, csv_of('a,b\n1,2\n', [functor(f)], R), [R], answers([[[f(a, b), f(1, 2)]]])).
t(csv_skip_header, csv_of('#c\n#d\na,b\n#d,e\n', [skip_header('#')], R), [R], answers([[[row(a, b), row('#d', e)]]])).
t(csv_skip_blank, csv_of('\n#c\n \t\n\na,b\n', [skip_header('#')], R), [R], answers([[[row(a, b)]]])).
t(csv_skip_all, csv_of('#c', [skip_header('#')], R), [R], answers([[[]]])).
t(csv_down, csv_of('Ab,1e3\n', [case(down)], R), [R], answers([[[row(ab, 1000.0)]]])).
t(csv_up, csv_of('Ab,1e3\n', [case(up)], R), [R], answers([[[row('AB', 1000.0)]]])).
t(csv_empty_fields, csv_of('a,,b\n,,\n', [], R), [R], answers([[[row(a, '', b), row('', '', '')]]])).
t(csv_atoms, csv_of('X,_y,[],{}\n', [], R), [R], answers([[[row('X', '_y', '[]', {})]]])).
t(csv_unknown_option, csv_of('a,b\n', [foo(bar)], R), [R], answers([[[row(a, b)]]])).
t(csv_partial_row, phrase(csv([row(a, X)]), `a,c`), [X], answers([[c]])).
t(csv_other_row, phrase(csv([row(_, x)]), `a,c`), [], fails).
t(csv_rest, phrase(csv(R), `a,c`, Rest), [R, Rest], answers([[[row(a, c)], []]])).
t(csv_no_codes, phrase(csv(_), "a,b"), [], throws(type_error(list, "a,b"))).
t(csv_bad_case, csv_of('a\n', [case(foo)], _), [], throws(type_error(oneof([down, preserve, up]), foo))).
t(csv_bad_convert, csv_of('a\n', [convert(foo)], _), [], throws(type_error(boolean, foo))).
t(csv_bad_separator, csv_of('a\n', [separator(a)], _), [], throws(type_error(integer, a))).
t(csv_bad_strip, csv_of('a\n', [strip(1)], _), [], throws(type_error(boolean, 1))).
t(csv_bad_arity, csv_of('a\n', [arity(a)], _), [], throws(type_error(integer, a))).
t(csv_bad_functor, csv_of('a\n', [functor(1)], _), [], throws(type_error(atom, 1))).
t(csv_bad_ignore_quotes, csv_of('a\n', [ignore_quotes(1)], _), [], throws(type_error(boolean, 1))).
t(csv_bad_match_arity, csv_of('a\n', [match_arity(1)], _), [], throws(type_error(boolean, 1))).
t(csv_bad_skip_header, csv_of('a\n', [skip_header(1)], _), [], throws(type_error(atom, 1))).

% --- writing ---

t(csv_write, csv_text([row(a, b), row(1, 2.5)], [], T), [T], answers([['a,b\r\n1,2.5\r\n']])).
t(csv_write_quotes, csv_text([row('a b', 'c,d', 'q"q', 'n\nl', 'c\rr', 'a;b')], [], T), [T], answers([['a b,"c,d","q""q","n\nl","c\rr",a;b\r\n']])).
t(csv_write_separator, csv_text([row('a;b', 'c,d')], [separator(0';)], T), [T], answers([['"a;b";c,d\r\n']])).
t(csv_write_atomics, csv_text([row("str", '', [], 1r3, 10000000000000000000000, 1.0e10, inf)], [], T), [T], answers([['str,,[],1r3,10000000000000000000000,10000000000.0,inf\r\n']])).
t(csv_write_blanks, csv_text([row(' a', 'b ', '\tc')], [], T), [T], answers([[' a,b ,\tc\r\n']])).
t(csv_write_any_functor, csv_text([f(a), g(b, c)], [functor(row), arity(7)], T), [T], answers([['a\r\nb,c\r\n']])).
t(csv_write_nothing, ( csv_text([], [], T), csv_text([row], [], U), csv_text([row('')], [], V) ), [T, U, V], answers([['', '\r\n', '\r\n']])).
t(csv_write_compound, csv_text([row(f(x))], [], _), [], throws(type_error(number, f(x)))).
t(csv_write_no_list, csv_text(foo, [], _), [], fails).
t(csv_check, phrase(csv([row(a, c)]), `a,c\r\n`), [], answers([[]])).
t(csv_write_stream, ( current_output(Stream), csv_write_stream(Stream, [row(a, 'b c'), row("x,y")], []) ), [], output("a,b c\r\n\"x,y\"\r\n")).
t(csv_write_stream_no_list, ( current_output(Stream), csv_write_stream(Stream, foo, []) ), [], throws(type_error(list, foo))).
t(csv_write_stream_compound, ( current_output(Stream), csv_write_stream(Stream, [row(f(x))], []) ), [], throws(type_error(number, f(x)))).

% --- files ---

t(csv_read_file, csv_file(csv, 'a,b\n1,2\n', File, csv_read_file(File, R)), [R], answers([[[row(a, b), row(1, 2)]]])).
t(csv_read_tsv, csv_file(tsv, 'a\tb,c\n1\t2\n', File, csv_read_file(File, R, [functor(f), encoding(utf8)])), [R], answers([[[f(a, 'b,c'), f(1, 2)]]])).
t(csv_read_tsv_separator, csv_file(tsv, 'a\tb,c\n', File, csv_read_file(File, R, [separator(0',)])), [R], answers([[[row('a\tb', c)]]])).
t(csv_read_file_encoding, csv_file(csv, 'é,€\n', File, csv_read_file(File, R, [encoding(utf8)])), [R], answers([[[row(é, €)]]])).
t(csv_read_file_cut, csv_file(csv, 'a,"b', File, csv_read_file(File, _)), [], fails).
t(csv_read_no_file, csv_read_file('/no/such/file.csv', _), [], throws(existence_error(source_sink, '/no/such/file.csv'))).
t(csv_read_unbound_file, csv_read_file(_, _), [], throws(instantiation_error)).
t(csv_write_file, csv_written(csv, [row(a, b), row('x y', "q,r")], [], T), [T], answers([["a,b\r\nx y,\"q,r\"\r\n"]])).
t(csv_write_tsv, csv_written(tsv, [row(a, 'b,c')], [], T), [T], answers([["a\tb,c\r\n"]])).
t(csv_write_file_options, csv_written(csv, [row(a, 'é')], [separator(0'|), encoding(utf8)], T), [T], answers([["a|é\r\n"]])).
t(csv_write_unbound_file, csv_write_file(_, [row(a)]), [], throws(instantiation_error)).
t(csv_write_file_compound, csv_written(csv, [row(a, f(x))], [], _), [], throws(type_error(number, f(x)))).
t(csv_file_row, csv_file(csv, 'a,"b\nc"\n1,2\n', File, csv_read_file_row(File, R, [])), [R], answers([[row(a, 'b\nc')], [row(1, 2)]])).
t(csv_file_row_line, csv_file(csv, 'a,b\n1,2\n', File, csv_read_file_row(File, R, [line(L)])), [R, L], answers([[row(a, b), 1], [row(1, 2), 2]])).
t(csv_file_row_bound, csv_file(csv, 'a,b\n1,2\n1,3\n', File, csv_read_file_row(File, row(1, X), [])), [X], answers([[2], [3]])).
t(csv_file_row_arities, csv_file(csv, 'a,b\n1\n', File, csv_read_file_row(File, R, [functor(f), convert(false)])), [R], answers([[f(a, b)], [f('1')]])).
t(csv_file_row_arity, csv_file(csv, 'a,b\n1\n', File, csv_read_file_row(File, _, [arity(3)])), [], throws(domain_error(row_arity(3), 2))).
t(csv_file_row_line_atom, csv_file(csv, 'a,b\n1\n', File, csv_read_file_row(File, _, [line(a)])), [], throws(type_error(integer, a))).
t(csv_read_row, csv_file(csv, 'a,b\n1,2\n', File, ( open(File, read, Stream), csv_options(Options, []), csv_read_row(Stream, A, Options), csv_read_row(Stream, B, Options), csv_read_row(Stream, C, Options), close(Stream) )), [A, B, C], answers([[row(a, b), row(1, 2), end_of_file]])).
t(csv_read_row_arity, csv_file(csv, 'a,b\n1\n', File, ( open(File, read, Stream), csv_options(Options, []), csv_read_row(Stream, _, Options), call_cleanup(csv_read_row(Stream, _, Options), close(Stream)) )), [], throws(domain_error(row_arity(2), 1))).
t(csv_read_stream, csv_file(csv, 'a,b\n1,2\n', File, ( open(File, read, Stream), csv_read_stream(Stream, R, []), close(Stream) )), [R], answers([[[row(a, b), row(1, 2)]]])).

