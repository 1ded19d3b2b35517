% fast_term_serialized/2, fast_write/2, fast_read/2.

fst_again(T) :- fast_term_serialized(T, S), string(S), fast_term_serialized(T2, S), T2 =@= T.

fst_stream(Write, Read) :-
    tmp_file_stream(binary, File, Out),
    call_cleanup(call(Write, Out), close(Out)),
    setup_call_cleanup(open(File, read, In, [type(binary)]), call(Read, In), ( close(In), delete_file(File) )).



fst_write(Terms, Out) :- forall(member(T, Terms), fast_write(Out, T)).
fst_read(Terms, In) :- fast_read(In, T), ( T == end_of_file -> Terms = [] ; Terms = [T|Terms1], fst_read(Terms1, In) ).
fst_codes(Codes, Out) :- forall(member(C, Codes), put_byte(Out, C)).

t(fst_numbers, forall(member(X, [0, -1, 1, 127, 128, -4611686018427387905, 9223372036854775807, -9223372036854775808, 0.0, -0.0, 1.5e300]), fst_again(X)), [], answers([[]])).
t(fst_large, ( X is 7**1000, Y is -X, Z is X rdiv 3, forall(member(A, [X, Y, Z, 1r3, -1r3]), fst_again(A)) ), [], answers([[]])).
t(fst_floats, ( X is inf, Y is nan, forall(member(A, [X, Y, 5.0e-324]), fst_again(A)) ), [], answers([[]])).
t(fst_atoms, forall(member(X, ['', a, [], {}, 'é', '\U0001F600', '[]', 'a b', '.']), fst_again(X)), [], answers([[]])).
t(fst_strings, forall(member(X, ["", "abc", "é", "\x0\\xff\"]), fst_again(X)), [], answers([[]])).
t(fst_compounds, forall(member(X, [f(x), f(), f(A, B, A, B), '[]'(1), '[|]'(1, 2), 'dict'(1), g(f(f), f)]), fst_again(X)), [A, B], answers([[_, _]])).
t(fst_lists, ( numlist(-1000, 1000, L), forall(member(X, [L, [a|_], [a, b|c], [[]], [_, _]]), fst_again(X)) ), [], answers([[]])).
t(fst_dicts, forall(member(X, [_{}, t{a: 1, 2: b, c: _{d: 1}}]), fst_again(X)), [], answers([[]])).
t(fst_long, ( run_size(100000, N), numlist(1, N, L), fst_again(L) ), [], answers([[]])).
t(fst_deep, ( run_size(100000, N), numlist(1, N, L), foldl([_, T0, f(T0)]>>true, L, x, T), fst_again(T) ), [], answers([[]])).
t(fst_cyclic, ( X = f(X, Y, Y), L = [a, X|L], fst_again(X-L) ), [], answers([[]])).
t(fst_mark, fst_again('$fast'(a, [])), [], answers([[]])).
t(fst_attributed, ( put_attr(X, fst, a), fast_term_serialized(f(X, X), S), fast_term_serialized(T, S), T = f(Y, Y1), \+ attvar(Y), Y == Y1 ), [], answers([[]])).
t(fst_streams, fst_stream(fst_write([a, f(X, X), "é", [1, 2.5]]), fst_read(L)), [L], answers([[[a, f(Y, Y), "é", [1, 2.5]]]])).
t(fst_codes_of, ( fast_write_to_string(f(x), Cs, T), T = [], string_codes(S, Cs), fast_term_serialized(X, S) ), [X], answers([[f(x)]])).
t(fst_end, fst_stream(fst_write([]), fast_read1(T)), [T], answers([[end_of_file]])).
fast_read1(T, In) :- fast_read(In, T).
t(fst_blob, ( current_output(S), fast_term_serialized(f(S), _) ), [], throws(permission_error(fast_serialize, blob, _))).
t(fst_text_stream, fast_write(user_error, a), [], throws(permission_error(output, text_stream, _))).
t(fst_no_string, fast_term_serialized(_, abc), [], throws(type_error(string, abc))).
t(fst_unbound_stream, fast_write(_, a), [], throws(instantiation_error)).
t(fst_wrong, forall(member(S, ["", "abc", "\x1\", "\x2\\x0\\x1\", "\x1\\x0\", "\x2\\x2\\x0\", "\x2\\x7\\x3\", "\x2\\x8\\xff\", "\x3\\x4\\x1\x", "\x100\", "\x4\\x0\\x0\\x0\\x0\",
                                       "\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\"]),
                   catch(( fast_term_serialized(_, S), fail ), error(syntax_error(fast_term_expected), _), true)), [], answers([[]])).
t(fst_cut_off, forall(member(T, [f(x, "abc", 1.5, [a]), 1r3]), ( fast_term_serialized(T, S), string_length(S, N), N1 is N-1,
    forall(between(0, N1, I), ( sub_string(S, 0, I, _, P), catch(( fast_term_serialized(_, P), fail ), error(syntax_error(_), _), true) )) )), [], answers([[]])).
t(fst_other_bytes, ( fast_term_serialized(f(X, Y, "abc", 12345678901234567890, 1r3, [a, b|X], _{a: Y}), S), string_length(S, N),
    forall(( between(1, N, I), member(B, [0, 1, 2, 5, 7, 8, 9, 10, 127, 128, 255]) ),
           ( I0 is I-1, sub_string(S, 0, I0, _, Front), sub_string(S, I, _, 0, Back), char_code(C, B), atomics_to_string([Front, C, Back], S1),
             catch(fast_term_serialized(_, S1), error(_, _), true) )) ), [], answers([[]])).
t(fst_stream_cut_off, fst_stream(fst_codes([200]), fast_read1(_)), [], throws(syntax_error(fast_term_expected))).
t(fst_stream_too_long, fst_stream(fst_codes([255, 255, 255, 127, 0]), fast_read1(_)), [], throws(syntax_error(fast_term_expected))).
t(fst_equations, forall(member(T, ['$fast'(_, _), '$fast'(x, foo), '$fast'(x, [a=b]), '$fast'(x, [X=a]), '$fast'(X, [X=f(X), X=g(X)]), '$fast'(x, [L=[1=1|L]|L]), '$fast'(x, [_])]),
                          ( '$fast_bytes'(T, S), catch(( fast_term_serialized(_, S), fail ), error(syntax_error(fast_term_expected), _), true) )), [], answers([[]])).
