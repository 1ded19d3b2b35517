% Streams and character input and output.
% ISO 13211-1, 8.11 to 8.13; tmp_file/2, read_line_to_string/2 and
% read_term over files as in SWI-Prolog.

% A new file with this text; removed after Goal, which runs once.
str_with_file(Text, File, Goal) :-
    tmp_file(str, File),
    open(File, write, Out),
    write(Out, Text),
    close(Out),
    setup_call_cleanup(true, once(Goal), catch(delete_file(File), _, true)).

% A stream that reads this text.
str_with_input(Text, Stream, Goal) :-
    str_with_file(Text, File,
        setup_call_cleanup(open(File, read, Stream), Goal, catch(close(Stream), _, true))).

str_chars(Stream, Chars) :-
    get_char(Stream, Char),
    (   Char == end_of_file
    ->  Chars = []
    ;   Chars = [Char|Rest],
        str_chars(Stream, Rest)
    ).

str_closed(Stream) :-
    str_with_file('', File, ( open(File, read, Stream), close(Stream) )).

% Atoms that stay when Goal has run 1,000 times, beyond those that its first run makes.
str_left_atoms(Goal, Left) :-
    forall(between(1, 10, _), Goal),
    garbage_collect_atoms,
    statistics(atoms, Before),
    forall(between(1, 1000, _), Goal),
    garbage_collect_atoms,
    statistics(atoms, After),
    Left is max(0, After-Before-100).

% Handles

t(handles_leave_nothing_format, str_left_atoms(format(atom(_), abc, []), N), [N], answers([[0]])).
t(handles_leave_nothing_output_to, str_left_atoms(with_output_to(string(_), write(x)), N), [N], answers([[0]])).
t(handles_leave_nothing_open, str_left_atoms(( open('/dev/null', write, S), write(S, x), close(S) ), N), [N], answers([[0]])).
t(handles_leave_nothing_term, str_left_atoms(term_to_atom(f(x), _), N), [N], answers([[0]])).
t(handle_of_closed_finds_no_other, ( open('/dev/null', write, S), close(S), open('/dev/null', write, T), catch(write(S, x), error(existence_error(K, C), _), true), close(T), ( C == S -> Same = yes ; Same = no ) ), [K, Same],
  answers([[stream, yes]])).
t(handle_in_a_fact, ( open('/dev/null', write, S), assertz(str_fact(S)), retract(str_fact(T)), close(T), ( S == T -> X = same ; X = other ) ), [X], answers([[same]])).
t(handle_kind, ( open('/dev/null', write, S), blob(S, K), close(S) ), [K], answers([[stream]])).
t(handle_is_atomic_no_atom, ( open('/dev/null', write, S), atomic(S), \+ atom(S), \+ callable(S), functor(S, N, A), N == S, close(S) ), [A], answers([[0]])).
t(handle_in_order, ( open('/dev/null', write, S), msort([f(x), zoo, S, "text", 1], L), nth1(N, L, E), E == S, close(S) ), [N], answers([[3]])).
t(handle_in_message, ( open('/dev/null', write, S), thread_self(Me), thread_send_message(Me, got(S)), thread_get_message(Me, got(S)), close(S) ), [], answers([[]])).
t(handle_in_records, ( open('/dev/null', write, S), findall(S, true, [T]), recordz(str_key, T, R), recorded(str_key, U), erase(R), close(U), ( S == U -> X = same ; X = other ) ), [X], answers([[same]])).
t(handle_no_queue, ( open('/dev/null', write, S), catch(message_queue_destroy(S), error(existence_error(K, _), _), true), close(S) ), [K], answers([[message_queue]])).
t(handle_text, ( open('/dev/null', write, S), format(atom(A), '~w', [S]), sub_atom(A, 0, 11, _, B), format(atom(A2), '~q', [S]), close(S), ( A == A2 -> X = same ; X = other ) ), [B, X],
  answers([['<stream>(0x', same]])).

% Reading

t(get_char, str_with_input('ab', S, str_chars(S, L)), [L], answers([[[a, b]]])).
t(get_char_empty, str_with_input('', S, get_char(S, C)), [C], answers([[end_of_file]])).
t(get_char_twice_at_end, str_with_input('', S, ( get_char(S, C), get_char(S, D) )), [C, D],
  answers([[end_of_file, end_of_file]])).
t(get_char_eof_action_error, str_with_file('', F, ( open(F, read, S, [eof_action(error)]), get_char(S, C), catch(get_char(S, _), error(permission_error(A, B, _), _), true), close(S) )), [C, A, B],
  answers([[end_of_file, input, past_end_of_stream]])).
t(peek_char, str_with_input('ab', S, ( peek_char(S, C), get_char(S, D) )), [C, D], answers([[a, a]])).
t(peek_char_end, str_with_input('', S, ( peek_char(S, C), get_char(S, D) )), [C, D],
  answers([[end_of_file, end_of_file]])).
t(peek_code, str_with_input('a', S, peek_code(S, C)), [C], answers([[97]])).
t(get_code, str_with_input('a', S, ( get_code(S, C), get_code(S, D) )), [C, D], answers([[97, -1]])).
t(get_char_newline, str_with_input('a\n', S, str_chars(S, L)), [L], answers([[[a, '\n']]])).
t(get_char_check, str_with_input('ab', S, get_char(S, a)), [], answers([[]])).
t(get_char_check_no, str_with_input('ab', S, get_char(S, b)), [], fails).
t(utf8, str_with_file('', F, ( open(F, write, O, [encoding(utf8)]), write(O, 'é∀'), close(O), open(F, read, S, [encoding(utf8)]), str_chars(S, L), close(S) )), [L],
  answers([[[é, ∀]]])).
t(bytes, str_with_file('', F, ( open(F, write, O, [type(binary)]), put_byte(O, 200), put_byte(O, 10), close(O), open(F, read, S, [type(binary)]), get_byte(S, A), peek_byte(S, B), get_byte(S, C), get_byte(S, D), close(S) )), [A, B, C, D],
  answers([[200, 10, 10, -1]])).
t(byte_on_text, str_with_input('a', S, get_byte(S, _)), [], throws(permission_error(input, text_stream, _))).
t(at_end_no, str_with_input('a', S, at_end_of_stream(S)), [], fails).
t(at_end_yes, str_with_input('', S, at_end_of_stream(S)), [], answers([[]])).
t(at_end_after, str_with_input('a', S, ( get_char(S, _), at_end_of_stream(S) )), [], answers([[]])).
t(read_line, str_with_input('ab\ncd\n', S, ( read_line_to_string(S, A), read_line_to_string(S, B), read_line_to_string(S, C) )), [A, B, C],
  answers([["ab", "cd", end_of_file]])).
t(read_line_cr, str_with_input('ab\r\ncd', S, ( read_line_to_string(S, A), read_line_to_string(S, B) )), [A, B],
  answers([["ab", "cd"]])).
t(read_line_codes, str_with_input('ab\n', S, read_line_to_codes(S, A)), [A], answers([[[97, 98]]])).
t(read_line_codes_end, str_with_input('a\nb', S, ( read_line_to_codes(S, A), read_line_to_codes(S, B), read_line_to_codes(S, C) )), [A, B, C],
  answers([[[97], [98], end_of_file]])).
t(read_line_codes_tail, str_with_input('a\nb', S, ( read_line_to_codes(S, A, AT), read_line_to_codes(S, B, BT), read_line_to_codes(S, C, CT) )),
  [A, AT, B, BT, C, CT], answers([[[97, 10|T], T, [98], [], [], []]])).
t(read_line_cr_end, ( member(T, ['\ra\r\r\n', 'a\r', '\r', '\r\n', '\r\r\n']),
                      str_with_input(T, S, read_line_to_codes(S, A)), str_with_input(T, S2, read_line_to_string(S2, B)) ), [A, B],
  answers([[[13, 97, 13], "a"], [[97, 13], "a"], [[13], end_of_file], [[], ""], [[13], ""]])).
t(copy_to_the_end_once, str_with_file('ab', F, ( open(F, read, S, [eof_action(error)]), with_output_to(string(T), ( current_output(O), copy_stream_data(S, O) )), close(S) )),
  [T], answers([["ab"]])).
t(read_string, str_with_input('ab\ncd', S, read_string(S, N, A)), [N, A], answers([[5, "ab\ncd"]])).
t(read_string_negative, str_with_input(ab, S, read_string(S, -1, _)), [], throws(domain_error(not_less_than_zero, -1))).
t(peek_string_negative, str_with_input(ab, S, peek_string(S, -1, _)), [], throws(domain_error(not_less_than_zero, -1))).
t(pending, str_with_input('a\u00e9b\ncd', S, ( get_char(S, A), fill_buffer(S), read_pending_codes(S, B, T), fill_buffer(S), read_pending_chars(S, C, D), line_count(S, L), get_char(S, E) )), [A, B, T, C, D, L, E],
  answers([[a, [0'\u00e9, 0'b, 10, 0'c, 0'd|T], T, [], [], 2, end_of_file]])).
t(pending_chars, ( open_string("xyz", S), peek_char(S, A), read_pending_chars(S, [B|Cs], []) ), [A, B, Cs], answers([[x, x, [y, z]]])).
%   Half a character stays until there is the rest of it.
t(pending_half, ( tmp_file_stream(F, O, [encoding(octet)]), put_byte(O, 0'a), put_byte(O, 0xc3), close(O), open(F, read, S, [bom(false)]), fill_buffer(S), read_pending_codes(S, A, []),
    open(F, append, P, [encoding(octet)]), put_byte(P, 0xa9), close(P), fill_buffer(S), read_pending_codes(S, B, []), close(S), delete_file(F) ), [A, B], answers([[[0'a], [0xe9]]])).
t(soft_hyphen, ( with_output_to(string(A), writeq('\xAD\')), string_codes(A, As), with_output_to(string(B), writeq('a\xAD\b')) ), [As, B], answers([[[0xAD], "'a\\xAD\\b'"]])).
%   What goes to and comes from the system at once.
t(buffer_size, ( tmp_file_stream(F, O, []), set_stream(O, buffer_size(4)), write(O, abc), size_file(F, A), write(O, de), size_file(F, B), write(O, 'fghijklm\u00e9'), size_file(F, C), close(O),
    open(F, read, S, [bom(false)]), set_stream(S, buffer_size(3)), stream_property(S, buffer_size(N)), fill_buffer(S), read_pending_codes(S, D, []), fill_buffer(S), fill_buffer(S), read_pending_chars(S, E, []),
    read_string(S, _, G), close(S), delete_file(F) ), [A, B, C, N, D, E, G], answers([[0, 5, 13, 3, `abc`, [d, e, f], "ghijklm\u00e9"]])).
t(buffer_size_unbuffered, ( stream_property(user_error, buffer_size(_)) ; open_string(abc, S), stream_property(S, buffer_size(_)) ), [], fails).
t(pending_output, fill_buffer(user_output), [], throws(permission_error(input, stream, user_output))).
t(pending_unbound, read_pending_codes(_, _, _), [], throws(instantiation_error)).
t(unknown_option_unbound, ( tmp_file(x, F), open(F, write, S, [foo(_)]), close(S), delete_file(F) ), [], answers([[]])).
t(read_stream_codes, str_with_input('ab', S, read_stream_to_codes(S, L)), [L], answers([[[97, 98]]])).
t(read_file_string, str_with_file('ab\n', F, read_file_to_string(F, X, [])), [X], answers([["ab\n"]])).
t(read_file_terms, str_with_file('a. b(X, X).\n', F, read_file_to_terms(F, L, [])), [L], answers([[[a, b(P, P)]]])).
t(read_terms, str_with_input('a. b(X). ', S, ( read(S, A), read(S, B), read(S, C) )), [A, B, C],
  answers([[a, b(_), end_of_file]])).
t(long_line, ( numlist(1, 20000, L), atomic_list_concat(L, A), str_with_input(A, S, ( read_line_to_string(S, X), string_length(X, N) )) ), [N],
  answers([[88894]])).

% Writing

t(write_read, str_with_file('', F, ( open(F, write, O), write(O, abc), nl(O), put_char(O, d), close(O), read_file_to_string(F, X, []) )), [X],
  answers([["abc\nd"]])).
t(write_truncates, str_with_file(old, F, ( open(F, write, O), close(O), read_file_to_string(F, X, []) )), [X],
  answers([[""]])).
t(append, str_with_file(old, F, ( open(F, append, O), write(O, new), close(O), read_file_to_string(F, X, []) )), [X],
  answers([["oldnew"]])).
t(update, str_with_file(old, F, ( open(F, update, O), write(O, 'N'), close(O), read_file_to_string(F, X, []) )), [X],
  answers([["Nld"]])).
t(tab_stream, str_with_file('', F, ( open(F, write, O), tab(O, 3), close(O), read_file_to_string(F, X, []) )), [X],
  answers([["   "]])).
t(format_stream, str_with_file('', F, ( open(F, write, O), format(O, "~a~t~6|~a", [x, y]), close(O), read_file_to_string(F, X, []) )), [X],
  answers([["x     y"]])).
t(writeq_stream, str_with_file('', F, ( open(F, write, O), writeq(O, 'A'), close(O), read_file_to_string(F, X, []) )), [X],
  answers([["'A'"]])).
t(flush, str_with_file('', F, ( open(F, write, O), write(O, x), flush_output(O), read_file_to_string(F, X, []), close(O) )), [X],
  answers([["x"]])).

% Current streams and aliases

t(current_output_is_stream, ( current_output(S), is_stream(S) ), [], answers([[]])).
t(current_input_is_stream, ( current_input(S), is_stream(S) ), [], answers([[]])).
t(current_output_check, current_output(user_no_such), [], throws(existence_error(stream, user_no_such))).
t(set_input, str_with_input('xy', S, ( current_input(Old), set_input(S), get_char(C), set_input(Old), get_char(S, D) )), [C, D],
  answers([[x, y]])).
t(set_output, str_with_file('', F, ( current_output(Old), open(F, write, S), set_output(S), write(hello), set_output(Old), close(S), read_file_to_string(F, X, []) )), [X],
  answers([["hello"]])).
t(set_input_output_stream, set_input(user_output), [], throws(permission_error(input, stream, _))).
t(set_output_input_stream, set_output(user_input), [], throws(permission_error(output, stream, _))).
t(set_input_unbound, set_input(_), [], throws(instantiation_error)).
t(alias, str_with_file(q, F, ( open(F, read, _, [alias(str_alias)]), get_char(str_alias, C), close(str_alias) )), [C],
  answers([[q]])).
% What is called as the current stream is the current one.
t(alias_current_output, str_with_file(q, F, ( current_output(Old), open(F, write, O), set_stream(O, alias(current_output)), write(a), set_output(Old), close(O),
    open(F, read, S), get_char(S, C), close(S) )), [C], answers([[a]])).
t(alias_current_input, str_with_file(q, F, ( current_input(Old), open(F, read, S), set_stream(S, alias(current_input)), get_char(C), set_input(Old), close(S) )), [C], answers([[q]])).
t(alias_current_other, str_with_file(q, F, ( open(F, read, S), catch(set_stream(S, alias(current_output)), error(E, _), true), close(S), E = permission_error(output, stream, _) )), [], answers([[]])).
t(alias_current_open, str_with_file(q, F, open(F, read, _, [alias(current_output)])), [],
  throws(permission_error(open, source_sink, alias(current_output)))).
t(alias_gone_after_close, str_with_file(q, F, ( open(F, read, _, [alias(str_alias)]), close(str_alias), get_char(str_alias, _) )), [],
  throws(existence_error(stream, str_alias))).
t(user_error_is_stream, is_stream(user_error), [], answers([[]])).
t(is_stream_closed, ( str_closed(S), is_stream(S) ), [], fails).
t(see_seen, str_with_file('a. ', F, ( see(F), read(X), seen )), [X], answers([[a]])).
t(tell_told, str_with_file('', F, ( tell(F), write(b), told, read_file_to_string(F, X, []) )), [X], answers([["b"]])).

% Properties and positions

t(property_mode, str_with_input('', S, stream_property(S, mode(M))), [M], answers([[read]])).
t(property_mode_other, stream_property(user_error, mode(read)), [], fails).
t(property_mode_awaited, ( freeze(M, M \== write), stream_property(user_error, mode(M)) ), [], fails).
t(property_input, str_with_input('', S, stream_property(S, input)), [], answers([[]])).
t(property_output_no, str_with_input('', S, stream_property(S, output)), [], fails).
t(property_file_name, str_with_file('', F, ( open(F, read, S), stream_property(S, file_name(N)), close(S), ( N == F -> R = same ; R = other ) )), [R],
  answers([[same]])).
t(property_eof, str_with_input('', S, ( get_char(S, _), stream_property(S, end_of_stream(E)) )), [E], answers([[at]])).
t(property_type, str_with_input('', S, stream_property(S, type(T))), [T], answers([[text]])).
t(property_alias, stream_property(_, alias(user_error)), [], answers([[]])).
t(line_count, str_with_input('a\nb\n', S, ( str_chars(S, _), line_count(S, N) )), [N], answers([[3]])).
t(line_position, str_with_input('abc', S, ( get_char(S, _), get_char(S, _), line_position(S, N) )), [N],
  answers([[2]])).
t(character_count, str_with_input('abc', S, ( get_char(S, _), character_count(S, N) )), [N], answers([[1]])).
t(set_position, str_with_input('abc', S, ( get_char(S, _), stream_property(S, position(P)), get_char(S, A), set_stream_position(S, P), get_char(S, B) )), [A, B],
  answers([[b, b]])).
t(seek, str_with_input('abcdef', S, ( seek(S, 3, bof, P), get_char(S, C) )), [P, C], answers([[3, d]])).
t(set_position_bad, str_with_input('', S, set_stream_position(S, foo)), [], throws(domain_error(stream_position, foo))).
t(property_bad_stream, stream_property(foo, _), [], throws(existence_error(stream, foo))).

% Opening and closing

t(open_unbound_file, open(_, read, _), [], throws(instantiation_error)).
t(open_unbound_mode, open(f, _, _), [], throws(instantiation_error)).
t(open_bad_mode, open(f, str_mode, _), [], throws(domain_error(io_mode, str_mode))).
t(open_number_mode, open(f, 1, _), [], throws(type_error(atom, 1))).
t(open_missing, open('/str_no_such_directory/x', read, _), [],
  throws(existence_error(source_sink, '/str_no_such_directory/x'))).
t(open_missing_directory, open('/str_no_such_directory/x', write, _), [],
  throws(existence_error(_, '/str_no_such_directory/x'))).
t(open_directory, open('/', write, _), [], throws(_)).
t(open_unbound_options, open(f, read, _, _), [], throws(instantiation_error)).
t(open_partial_options, open(f, read, _, [type(text)|_]), [], throws(instantiation_error)).
t(open_unbound_option, open(f, read, _, [_]), [], throws(instantiation_error)).
t(open_bad_options, open(f, read, _, foo), [], throws(type_error(list, foo))).
t(open_compound_file, open(str_no(f), read, _), [], throws(_)).
t(close_unbound, close(_), [], throws(instantiation_error)).
t(close_no_stream, close(str_no_stream), [], throws(existence_error(stream, str_no_stream))).
t(close_number, close(1.5), [], throws(_)).
t(close_twice, ( str_closed(S), close(S) ), [], throws(existence_error(stream, _))).
t(close_bad_options, ( current_output(S), close(S, _) ), [], throws(instantiation_error)).
t(read_closed, ( str_closed(S), read(S, _) ), [], throws(existence_error(stream, _))).
t(get_char_closed, ( str_closed(S), get_char(S, _) ), [], throws(existence_error(stream, _))).
t(write_closed, ( str_closed(S), write(S, a) ), [], throws(existence_error(stream, _))).
t(set_input_closed, ( str_closed(S), set_input(S) ), [], throws(existence_error(stream, _))).
t(nl_no_stream, nl(str_no_stream), [], throws(existence_error(stream, str_no_stream))).
t(nl_unbound, nl(_), [], throws(instantiation_error)).
t(nl_number, nl(7.5), [], throws(_)).
t(write_to_input, str_with_input('', S, write(S, a)), [], throws(permission_error(output, stream, _))).
t(read_from_output, str_with_file('', F, ( open(F, write, S), call_cleanup(get_char(S, _), close(S)) )), [],
  throws(permission_error(input, stream, _))).
t(peek_from_output, peek_char(user_output, _), [], throws(permission_error(input, stream, _))).
t(peek_unbound, peek_char(_, _), [], throws(instantiation_error)).
t(get_char_no_stream, get_char(str_no_stream, _), [], throws(existence_error(stream, str_no_stream))).
t(flush_input, flush_output(user_input), [], throws(permission_error(output, stream, _))).
t(put_byte_bad, str_with_file('', F, ( open(F, write, S, [type(binary)]), call_cleanup(put_byte(S, 256), close(S)) )), [],
  throws(type_error(byte, 256))).
t(many_opens, forall(between(1, 300, _), str_with_input(x, S, get_char(S, x))), [], answers([[]])).

% Files

t(exists_file, str_with_file('', F, exists_file(F)), [], answers([[]])).
t(exists_file_no, exists_file('/str_no_such'), [], fails).
t(exists_directory, exists_directory('/'), [], answers([[]])).
t(delete_file, str_with_file('', F, ( delete_file(F), \+ exists_file(F) )), [], answers([[]])).
t(delete_missing, delete_file('/str_no_such'), [], throws(existence_error(file, '/str_no_such'))).
t(delete_unbound, delete_file(_), [], throws(instantiation_error)).
t(size_file, str_with_file(abc, F, size_file(F, N)), [N], answers([[3]])).
t(file_base_name, file_base_name('/a/b.pl', X), [X], answers([['b.pl']])).
t(file_directory_name, file_directory_name('/a/b.pl', X), [X], answers([['/a']])).
t(file_name_extension, file_name_extension(B, pl, 'x.pl'), [B], answers([[x]])).
t(file_name_extension_add, file_name_extension(x, pl, F), [F], answers([['x.pl']])).
t(file_name_extension_split, file_name_extension(B, E, 'a.b.c'), [B, E], answers([['a.b', c]])).
t(consult_file, str_with_file('str_loaded(1).\nstr_loaded(X) :- X = 2.\n', F, ( consult(F), findall(X, str_loaded(X), L) )), [L],
  answers([[[1, 2]]])).
t(consult_missing, consult('/str_no_such'), [], throws(existence_error(source_sink, '/str_no_such'))).

% Names of the current streams; a stream that goes nowhere

t(current_output_name, ( write(current_output, a), stream_property(current_output, mode(_)) ), [], output("a")).
t(current_output_redirected, ( with_output_to(string(S), write(current_output, x)) ), [S], answers([["x"]])).
t(current_input_name, ( open_string("ab", S), set_input(S), peek_char(current_input, C), close(S) ), [C], answers([[a]])).
t(null_stream, ( open_null_stream(S), write(S, hello), character_count(S, N), line_position(S, P), close(S) ), [N, P], answers([[5, 5]])).
t(null_stream_bound, open_null_stream(x), [], throws(uninstantiation_error(x))).

t(standard_numbers, findall(S-N, ( member(S, [user_input, user_output, user_error]), stream_property(S, file_no(N)) ), L), [L],
  answers([[[user_input-0, user_output-1, user_error-2]]])).
t(standard_modes, findall(M, ( member(S, [user_input, user_output, user_error]), stream_property(S, mode(M)) ), L), [L], answers([[[read, write, write]]])).

% --- see, tell ---

str_files(F, G, Goal) :- str_with_file(abc, F, str_with_file(xyz, G, Goal)).
str_text(F, T) :- read_file_to_string(F, T, []).

t(tell_nested, str_files(F, G, ( with_output_to(string(S), ( write(o), tell(F), write(a), tell(G), write(b), told, write(c), told, write(p) )), str_text(F, X), str_text(G, Y) )), [S, X, Y],
  answers([["op", "ac", "b"]])).
t(tell_again, str_files(F, G, ( with_output_to(string(S), ( tell(F), write(a), tell(G), tell(F), write(c), told, telling(U), tell(G), told, set_output(user_output) )), str_text(F, X) )), [S, X, U], answers([["", "ac", user]])).
t(tell_after_set_output, str_files(F, G, ( current_output(O), open(F, write, T), set_output(T), tell(G), write(x), told, write(y), close(T), set_output(O), str_text(F, X), str_text(G, Y) )), [X, Y], answers([["y", "x"]])).
t(tell_stream_puts_nothing_aside, str_files(F, G, ( current_output(O), tell(F), open(G, write, T), set_output(T), write(b), told, telling(U), set_output(O), ( is_stream(T) -> R = open ; R = closed ), str_text(G, Y), tell(F), told, set_output(O) )), [R, U, Y], answers([[closed, user, "b"]])).
t(tell_not_what_others_opened, str_files(F, _, ( open(F, write, T), current_output(O), tell(F), telling(U), told, set_output(O), ( U == T -> R = same ; R = other ), ( is_stream(T) -> close(T), S = open ; S = closed ) )), [R, S], answers([[other, open]])).
t(tell_left_by_exception, str_files(F, _, ( catch(with_output_to(string(_), ( tell(F), throw(x) )), x, true), current_output(O), tell(F), told, telling(U), set_output(O) )), [U], answers([[user]])).
t(see_nested, str_files(F, G, ( see(F), get_char(A), see(G), get_char(B), seen, get_char(C), seen, seeing(U) )), [A, B, C, U], answers([[a, x, b, user]])).
t(see_again, str_files(F, G, ( see(F), get_char(A), see(G), see(F), get_char(B), seen, see(G), get_char(C), seen, set_input(user_input) )), [A, B, C], answers([[a, b, x]])).
t(see_after_set_input, str_files(F, G, ( current_input(I), open(F, read, T), set_input(T), see(G), get_char(B), seen, get_char(C), close(T), set_input(I) )), [B, C], answers([[x, a]])).
t(close_closed_by_force, str_with_file('', F, ( open(F, read, S), close(S), close(S, [force(true)]), catch(close(S), error(E, _), true), functor(E, N, _) )), [N], answers([[existence_error]])).

% open_string/2

t(open_string, ( open_string("hello. f(X).", S), read(S, A), read(S, B), read(S, C), close(S) ), [A, B, C], answers([[hello, f(_), end_of_file]])).
t(open_string_atom, ( open_string('caf\u00e9', S), read_string(S, _, T), close(S) ), [T], answers([["caf\u00e9"]])).
t(open_string_codes, ( open_string([0'a, 0'b], S), get_char(S, A), get_char(S, B), get_char(S, C), close(S) ), [A, B, C], answers([[a, b, end_of_file]])).
t(open_string_lines, ( open_string("a\nb\n", S), read_line_to_string(S, A), read_line_to_string(S, B), line_count(S, N), close(S) ), [A, B, N], answers([["a", "b", 3]])).
t(open_string_unbound, open_string(_, _), [], throws(instantiation_error)).
t(open_string_compound, open_string(f(x), _), [], throws(type_error(text, f(x)))).
t(open_string_number, open_string(12, _), [], throws(type_error(text, 12))).
t(open_string_bound, open_string(a, b), [], throws(uninstantiation_error(b))).

% A newline that follows a carriage return is not given another one.
t(newline_dos, ( tmp_file(str, F), open(F, write, S, [newline(dos)]), write(S, 'a\r\nb\n'), write(S, 'c\r'), flush_output(S), nl(S), nl(S), close(S), read_file_to_codes(F, Cs, [newline(posix)]), delete_file(F), atom_codes(A, Cs) ), [A], answers([['a\r\nb\r\nc\r\n\r\n']])).

% The terminal is called `user` wherever a stream is read or written.
t(user_is_written, ( current_output(O), set_output(user), set_output(O), flush_output(user), format(user, "", []), print_message_lines(user, '', []) ), [], answers([[]])).
t(user_is_read, ( current_input(I), set_input(user), set_input(I), catch(peek_string(user, 0, S), E, true) ), [S, E], answers([["", _]])).
