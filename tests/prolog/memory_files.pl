% library(memfile).

:- use_module(library(memfile)).

mem_made(Text, F) :- new_memory_file(F), mem_write(F, write, Text).
mem_write(F, Mode, Text) :- setup_call_cleanup(open_memory_file(F, Mode, S), write(S, Text), close(S)).
mem_at(F, Mode, At, Text) :- setup_call_cleanup(open_memory_file(F, Mode, S), ( seek(S, At, bof, _), write(S, Text) ), close(S)).
mem_read(F, Text) :- setup_call_cleanup(open_memory_file(F, read, S), read_string(S, _, Text), close(S)).
mem_lines("ab\ncd\n\nef").

t(other_encoding, ( new_memory_file(F), open_memory_file(F, write, S), write(S, abc), close(S),
    findall(A, ( member(M, [append, insert, update]), catch(( open_memory_file(F, M, _, [encoding(iso_latin_1)]), A = M ), error(permission_error(A, memory_file, _), _), true) ), As),
    memory_file_to_atom(F, T) ), [As, T], answers([[[append, insert, update], abc]])).
t(new, ( new_memory_file(F), size_memory_file(F, S), memory_file_to_atom(F, A), blob(F, B), mem_read(F, T) ), [S, A, B, T], answers([[0, '', memory_file, ""]])).
t(text, ( mem_made('h\xe9\\n\x20ac\', F), memory_file_to_atom(F, A), memory_file_to_codes(F, B), memory_file_to_string(F, C), mem_read(F, D) ), [A, B, C, D], answers([['h\xe9\\n\x20ac\', [0'h, 0xe9, 0'\n, 0x20ac], "h\xe9\\n\x20ac\", "h\xe9\\n\x20ac\"]])).
t(sizes, ( mem_made('h\xe9\\x20ac\', F), size_memory_file(F, A), size_memory_file(F, B, octet), size_memory_file(F, C, utf8) ), [A, B, C], answers([[3, 6, 3]])).
t(encodings, ( mem_made('\xe9\', F), memory_file_to_codes(F, A, octet), memory_file_to_atom(F, B, iso_latin_1), memory_file_to_string(F, C, utf8) ), [A, B, C], answers([[[0xc3, 0xa9], '\xc3\\xa9\', "\xe9\"]])).
t(encoding_of_file, ( new_memory_file(F), open_memory_file(F, write, S, [encoding(octet)]), put_byte(S, 200), put_byte(S, 0), close(S), memory_file_to_codes(F, A), size_memory_file(F, B),
  open_memory_file(F, read, R), stream_property(R, encoding(E)), get_code(R, C), close(R) ), [A, B, E, C], answers([[[200, 0], 2, octet, 200]])).
t(read_by_other_encoding, ( mem_made('\xe9\', F), open_memory_file(F, read, S, [encoding(octet)]), get_byte(S, A), get_byte(S, B), get_byte(S, C), close(S) ), [A, B, C], answers([[0xc3, 0xa9, -1]])).
t(write_anew, ( mem_made(abcdef, F), mem_write(F, write, xy), memory_file_to_atom(F, A) ), [A], answers([[xy]])).
t(append, ( mem_made(abc, F), mem_write(F, append, de), memory_file_to_atom(F, A) ), [A], answers([[abcde]])).
t(insert_mode, ( mem_made(abc, F), mem_write(F, insert, xy), mem_at(F, insert, 3, z), memory_file_to_atom(F, A) ), [A], answers([[xyazbc]])).
t(update_mode, ( mem_made(abc, F), mem_write(F, update, x), mem_at(F, update, 2, yz), memory_file_to_atom(F, A) ), [A], answers([[xbyz]])).
t(seek_read, ( mem_made(abcdef, F), open_memory_file(F, read, S), seek(S, 3, bof, _), get_char(S, A), seek(S, -1, eof, _), get_char(S, B), close(S) ), [A, B], answers([[d, f]])).
t(large, ( new_memory_file(F), open_memory_file(F, write, S), forall(between(1, 20000, I), format(S, '~d~n', [I])), close(S), size_memory_file(F, N), open_memory_file(F, read, R), read_string(R, _, T), close(R), split_string(T, "\n", "", L), nth1(12345, L, X) ), [N, X], answers([[108894, "12345"]])).
t(terms, ( mem_made('foo(X, Y, X). bar.', F), open_memory_file(F, read, S), read(S, A), read(S, B), read(S, C), close(S) ), [A, B, C], answers([[foo(X, _, X), bar, end_of_file]])).

t(insert, ( mem_made(abcd, F), insert_memory_file(F, 2, "XY"), insert_memory_file(F, 0, f(x)), insert_memory_file(F, 10, [0'e]), memory_file_to_atom(F, A) ), [A], answers([['f(x)abXYcde']])).
t(insert_beyond, ( mem_made(abc, F), insert_memory_file(F, 4, x) ), [], throws(domain_error(offset, 4))).
t(insert_before, ( mem_made(abc, F), insert_memory_file(F, -1, x) ), [], throws(domain_error(not_less_than_zero, -1))).
t(delete, ( mem_made(abcdef, F), delete_memory_file(F, 1, 2), memory_file_to_atom(F, A), delete_memory_file(F, 2, 100), memory_file_to_atom(F, B) ), [A, B], answers([[adef, ad]])).
t(delete_beyond, ( mem_made(abc, F), delete_memory_file(F, 9, 1) ), [], throws(domain_error(offset, 9))).
t(substring, ( mem_lines(T), mem_made(T, F), memory_file_substring(F, 0, 2, A, B), memory_file_substring(F, C, 2, 0, D), memory_file_substring(F, 3, E, 4, G) ), [A, B, C, D, E, G], answers([[7, "ab", 7, "ef", 2, "cd"]])).
t(substring_too_long, ( mem_made(abc, F), memory_file_substring(F, 1, 3, _, _) ), [], fails).
t(substring_unbound, ( mem_made(abc, F), memory_file_substring(F, 1, _, _, _) ), [], throws(instantiation_error)).
t(lines, ( mem_lines(T), mem_made(T, F), findall(O, ( member(L-C, [1-0, 1-2, 1-3, 2-0, 2-2, 3-0, 3-1, 4-0, 4-2, 4-3, 5-0]), memory_file_line_position(F, L, C, O) ), Os) ), [Os], answers([[[0, 2, 3, 5, 6, 7, 9]]])).
t(lines_back, ( mem_lines(T), mem_made(T, F), findall(L-C, ( member(O, [0, 2, 3, 6, 8, 9, 10]), memory_file_line_position(F, L, C, O) ), Ps) ), [Ps], answers([[[1-0, 1-2, 2-0, 3-0, 4-1, 4-2]]])).
t(lines_wrong, ( mem_made(abc, F), memory_file_line_position(F, 0, 0, _) ), [], throws(domain_error(not_less_than_one, 0))).
t(lines_unbound, ( mem_made(abc, F), memory_file_line_position(F, _, _, _) ), [], throws(instantiation_error)).
t(place, ( mem_made('\xe9\bc', F), open_memory_file(F, read, S), get_char(S, _), utf8_position_memory_file(F, A, B), close(S), utf8_position_memory_file(F, C, D) ), [A, B, C, D], answers([[2, 4, 0, 4]])).

t(of_atom, ( atom_to_memory_file('a\x20ac\', F), size_memory_file(F, N), mem_read(F, T), findall(E, ( member(G, [open_memory_file(F, write, _), insert_memory_file(F, 0, x)]), catch(G, error(E, _), true) ), Es), Es = [permission_error(A, B, _), permission_error(C, D, _)] ), [N, T, A, B, C, D],
  answers([[2, "a\x20ac\", modify, memory_file, modify, memory_file]])).
t(of_no_atom, atom_to_memory_file("abc", _), [], throws(type_error(atom, "abc"))).

mem_refused(G, F, A) :- catch(G, error(permission_error(A, memory_file, F), _), true).
t(while_written, ( new_memory_file(F), open_memory_file(F, write, S), write(S, abc), findall(A, ( member(G, [memory_file_to_atom(F, _), memory_file_to_codes(F, _), memory_file_to_string(F, _), size_memory_file(F, _), open_memory_file(F, read, _), insert_memory_file(F, 0, x), delete_memory_file(F, 0, 1)]), mem_refused(G, F, A) ), L),
  close(S), memory_file_to_atom(F, B) ), [L, B], answers([[[to_atom, to_codes, to_string, size, open, modify, modify], abc]])).
t(while_read, ( mem_made(abc, F), open_memory_file(F, read, S), findall(A, ( member(G, [size_memory_file(F, _), open_memory_file(F, write, _), insert_memory_file(F, 0, x)]), mem_refused(G, F, A) ), L), memory_file_to_atom(F, B), close(S) ), [L, B], answers([[[size, open, modify], abc]])).

mem_freed(G, F) :- catch(G, error(permission_error(access, freed_memory_file, F), _), true), !.
t(freed, ( mem_made(abc, F), free_memory_file(F), forall(member(G, [memory_file_to_atom(F, _), size_memory_file(F, _), open_memory_file(F, read, _), free_memory_file(F), insert_memory_file(F, 0, x)]), mem_freed(G, F)) ), [], answers([[]])).
t(freed_with_stream, ( mem_made(abc, F), open_memory_file(F, read, S), free_memory_file(F), catch(get_char(S, _), error(E, _), true), E = existence_error(stream, S) ), [], answers([[]])).
t(freed_on_close, ( mem_made(abc, F), open_memory_file(F, read, S, [free_on_close(true)]), memory_file_to_atom(F, A), close(S), mem_freed(memory_file_to_atom(F, _), F) ), [A], answers([[abc]])).
t(unnamed, ( forall(between(1, 300, _), mem_made(abc, _)), garbage_collect, mem_made(x, F), memory_file_to_atom(F, A) ), [A], answers([[x]])).
t(kept_elsewhere, ( mem_made(abc, F0), nb_setval(mem_file, F0), thread_create(( nb_setval(x, 1), garbage_collect ), Id), thread_join(Id), garbage_collect, nb_getval(mem_file, F), memory_file_to_atom(F, A) ), [A], answers([[abc]])).
t(other_thread, ( mem_made(abc, F), thread_create(mem_write(F, append, def), Id), thread_join(Id), memory_file_to_atom(F, A) ), [A], answers([[abcdef]])).

t(no_file, memory_file_to_atom(foo, _), [], throws(type_error(memory_file, foo))).
t(unbound_file, memory_file_to_atom(_, _), [], throws(instantiation_error)).
t(bound_new, new_memory_file(foo), [], throws(uninstantiation_error(foo))).
t(wrong_mode, ( new_memory_file(F), open_memory_file(F, foo, _) ), [], throws(domain_error(io_mode, foo))).
t(wrong_mode_type, ( new_memory_file(F), open_memory_file(F, 12, _) ), [], throws(type_error(io_mode, 12))).
t(unbound_mode, ( new_memory_file(F), open_memory_file(F, _, _) ), [], throws(instantiation_error)).
t(wrong_encoding, ( new_memory_file(F), open_memory_file(F, write, _, [encoding(utf16le)]) ), [], throws(domain_error(encoding, utf16le))).
t(wrong_text_encoding, ( new_memory_file(F), memory_file_to_atom(F, _, foo) ), [], throws(domain_error(encoding, foo))).
t(bound_stream, ( new_memory_file(F), open_memory_file(F, write, foo) ), [], throws(uninstantiation_error(foo))).
