%   library(http/json), beside SWI-Prolog's.

:- use_module(library(http/json)).

json_read_of(Text, Options, Term, Rest) :-
    setup_call_cleanup(open_string(Text, S), ( json_read(S, Term, Options), read_string(S, _, Rest) ), close(S)).
json_dict_of(Text, Options, Term, Rest) :-
    setup_call_cleanup(open_string(Text, S), ( json_read_dict(S, Term, Options), read_string(S, _, Rest) ), close(S)).
json_of(Text, Term) :- json_read_of(Text, [], Term, "").
json_text(Term, Options, Text) :- with_output_to(string(Text), ( current_output(S), json_write(S, Term, Options) )).
json_dict_text(Term, Options, Text) :- with_output_to(string(Text), ( current_output(S), json_write_dict(S, Term, Options) )).
json_wrong(Text, Id, Characters) :-
    catch(json_of(Text, _), error(syntax_error(What), stream(_, _, _, Characters)), true),
    ( What = json(Id) -> true ; Id = What ).

% --- reading ---

t(json_values, json_of("{\"a\":1, \"b\":[true,false , null],\n\"c\":{}, \"d\":[]}", T), [T],
  answers([[json([a=1, b=[@(true), @(false), @(null)], c=json([]), d=[]])]])).
t(json_scalars, ( member(X, ["1", "-1.5e3", "1E+2", "1e5", "-0.0", "100000000000000000000", "\"x\"", "true"]), json_of(X, T) ), [T],
  answers([[1], [-1500.0], [100.0], [100000.0], [-0.0], [100000000000000000000], [x], [@(true)]])).
t(json_rest, json_read_of("[1,2] x", [], T, R), [T, R], answers([[[1, 2], " x"]])).
t(json_two, ( open_string("1 {\"a\":2} true", S), json_read(S, A), json_read(S, B), json_read(S, C), json_read(S, D, [end_of_file(end)]), close(S) ), [A, B, C, D],
  answers([[1, json([a=2]), @(true), end]])).
t(json_last_comma, ( json_of("[1,]", A), json_of("{\"a\":1,}", B) ), [A, B], answers([[[1], json([a=1])]])).
t(json_escapes, ( json_of("\"a\\u00e9\\n\\/\\\"\\\\b\\t\\b\\f\\r\"", A), atom_codes(A, Cs) ), [Cs], answers([[[0'a, 0xe9, 10, 0'/, 0'", 0'\\, 0'b, 9, 8, 12, 13]]])).
t(json_surrogates, ( json_of("\"\\ud83d\\ude00\"", A), char_code(A, C) ), [C], answers([[0x1f600]])).
t(json_point, json_read_of("1.x", [], T, R), [T, R], answers([[1, ".x"]])).
t(json_constants, json_read_of("[null,true,false,\"s\"]", [null(n), true(t), false(f)], T, _), [T], answers([[[n, t, f, s]]])).
t(json_dict, ( json_dict_of("{\"a\":1, \"b\":[true,null,\"s\",{\"c d\":2}]}", [], T, _), dict_pairs(T, _, [a-A, b-[B, C, D, E]]), get_dict('c d', E, F) ), [A, B, C, D, F],
  answers([[1, true, null, "s", 2]])).
t(json_dict_tags, ( json_dict_of("{\"a\":1,\"t\":\"foo\"}", [tag(t)], A, _), json_dict_of("{\"a\":1}", [default_tag(bar)], B, _), json_dict_of("{\"t\":1}", [tag(t)], C, _), is_dict(C, V), var(V) ),
  [A, B], answers([[foo{a:1}, bar{a:1}]])).
t(json_dict_atoms, json_dict_of("[\"s\"]", [value_string_as_atom(true)], T, _), [T], answers([[[s]]])).
t(json_dict_twice, json_dict_of("{\"a\":1,\"a\":2}", [], _, _), [], throws(duplicate_key(a))).
t(json_wrong, ( member(X, ["[1 2]", "{\"a\" 1}", "{a:1}", "nul", "", "  ", "\"abc", "[1,", "{\"a\":1 x}", "{\"a\":", "'a'", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", ".5", "+1", "-", "1e400", "[,1]", "[1}", "]"]),
                json_wrong(X, Id, N) ), [Id, N],
  answers([[illegal_array, 4], [illegal_json, 6], [illegal_json, 2], [json_expected(null), 3], [unexpected_end_of_file, 0], [unexpected_end_of_file, 2], [eof_in_string, 4],
           [illegal_json, 3], [illegal_object, 8], [unexpected_end_of_file, 5], [illegal_json, 1], [illegal_string_escape, 3], [illegal_string_escape, 6], [illegal_string_escape, 8],
           [illegal_json, 1], [illegal_json, 1], [illegal_number, 1], [illegal_number, 5], [illegal_json, 2], [illegal_array, 3], [illegal_json, 1]])).
t(json_end, json_read_of("", [end_of_file(error)], _, _), [], throws(syntax_error(json(unexpected_end_of_file)))).
t(json_unbound, json_read(_, _), [], throws(instantiation_error)).
t(json_deep, ( run_size(100000, N), length(L, N), maplist(=(0'[), L), length(M, N), maplist(=(0']), M), append(L, M, Cs), string_codes(S, Cs), json_of(S, T), T = [[[_]]] ), [], answers([[]])).

% --- writing ---

t(json_written, json_text(json([a=1, b-[x, "y", 1.5], c([]), d=json([]), e= @(null)]), [], S), [S],
  answers([["{\"a\":1, \"b\": [\"x\", \"y\", 1.5 ], \"c\": [], \"d\": {}, \"e\":null}"]])).
t(json_written_nested, json_text([[], [[]], json([a=[1]])], [], S), [S], answers([["[ [],  [ [] ],  {\"a\": [1 ]} ]"]])).
t(json_written_string, ( atom_codes(A, [0'a, 0'", 0'\\, 10, 9, 1, 0'/, 0'<, 0'/, 0's, 0'c, 0'r, 0'i, 0'p, 0't, 0xe9]), json_text(A, [], S) ), [S],
  answers([["\"a\\\"\\\\\\n\\t\\u0001/<\\/script\u00e9\""]])).
t(json_written_ascii, ( tmp_file_stream(F, S0, [encoding(ascii)]), json_write(S0, 'a\u00e9\u20ac\U0001F600'), close(S0), read_file_to_string(F, S, []), delete_file(F) ), [S],
  answers([["\"a\\u00e9\\u20ac\\ud83d\\ude00\""]])) .
t(json_written_lines, ( numlist(1, 30, L), json_text(json([a=json([b=L]), c=d]), [width(40)], S), split_string(S, "\n", "", [A, B, C|_]), sub_string(S, _, 18, 0, End) ), [A, B, C, End],
  answers([["{", "  \"a\": {", "    \"b\": [", "]\n  },\n  \"c\":\"d\"\n}"]])) .
t(json_written_fits, ( atom_of(68, A), json_text([A], [], S), \+ sub_string(S, _, _, _, "\n"), atom_of(69, B), json_text([B], [], T), once(sub_string(T, _, _, _, "\n")) ), [], answers([[]])).
%   (A tab takes eight columns, whatever the layout counts it for: so there is a blank, as in SWI-Prolog.)
t(json_written_tabs, ( atom_of(80, A), json_text([[A]], [step(4), tab(4)], S), atomic_list_concat(["[\n\t [\n\t\t\"", A, "\"\n\t]\n]"], T), atom_string(T, S) ), [], answers([[]])).
t(json_written_flat, ( numlist(1, 50, L), json_text(L, [width(0)], S), \+ sub_string(S, _, _, _, "\n") ), [], answers([[]])).
t(json_written_dict, json_dict_text(foo{a:true, b:"x", c:null, d:_{e:[1]}}, [tag(type)], S), [S],
  answers([["{\"type\":\"foo\", \"a\":true, \"b\":\"x\", \"c\":null, \"d\": {\"e\": [1 ]}}"]])).
t(json_written_atoms, ( json_text([true, null], [], A), json_dict_text([true, null, x], [true(x)], B) ), [A, B], answers([["[\"true\", \"null\" ]", "[\"true\", null, true ]"]])).
t(json_written_rational, json_text(1r4, [], S), [S], answers([["0.25"]])).
t(json_written_unknown, json_text([f(x, "y")], [serialize_unknown(true)], S), [S], answers([["[\"f(x,\\\"y\\\")\" ]"]])).
t(json_written_wrong, ( member(X, [f(x), [a|b], json(x), json([a]), json([1=2]), _, json([a=_]), @(foo)]), catch(json_text(X, [], _), error(E, _), true) ), [E],
  answers([[type_error(json_term, f(x))], [type_error(json_term, [a|b])], [type_error(list, x)], [type_error(pair, a)], [type_error(text, 1)], [instantiation_error],
           [instantiation_error], [type_error(json_term, @(foo))]])).
t(json_hook, ( assertz((json:json_write_hook(date(Y, M, D), Out, _, _) :- format(Out, "\"~d-~d-~d\"", [Y, M, D]))), json_text([date(2020, 1, 2)], [], S),
               retractall(json:json_write_hook(_, _, _, _)) ), [S], answers([["[\"2020-1-2\" ]"]])).
t(json_pairs_hook, ( assertz((json:json_dict_pairs(D, Ps) :- dict_pairs(D, _, Ps0), reverse(Ps0, Ps))), json_dict_text(_{a:1, b:2}, [], S),
                     retractall(json:json_dict_pairs(_, _)) ), [S], answers([["{\"b\":2, \"a\":1}"]])).

atom_of(N, A) :- length(L, N), maplist(=(0'x), L), atom_codes(A, L).

% --- texts ---

t(json_atom, ( atom_json_term('{"a":1}', A, []), atom_json_term(B, json([a=1, b=[1, 2]]), []), atom_json_term(C, [x], [as(string)]), atom_json_term(D, 1, [as(codes)]) ), [A, B, C, D],
  answers([[json([a=1]), '{"a":1, "b": [1, 2 ]}', "[\"x\" ]", [0'1]]])).
t(json_atom_dict, ( atom_json_dict("{\"a\":\"x\"}", D, []), get_dict(a, D, X), atom_json_dict(A, _{a:1}, []) ), [X, A], answers([["x", '{"a":1}']])).
t(json_atom_wrong, ( member(G, [atom_json_term(_, _, []), atom_json_term(f(x), _, []), atom_json_dict(_, [1], [as(foo)])]), catch(G, error(E, _), true) ), [E],
  answers([[instantiation_error], [type_error(atom, f(x))], [type_error(oneof([atom, string, codes]), foo)]])).
t(json_is, findall(X, ( member(X, [json([a=1]), [1], a, "s", 1, f(x), json([a=f(x)]), json([a-1]), [a|b], json(x), @(true), @(foo), json([1=a])]), is_json_term(X) ), L), [L],
  answers([[[json([a=1]), [1], a, "s", 1, @(true)]]])).
t(json_is_options, ( is_json_term([n], []), is_json_term(f(n), [null(f(n))]), \+ is_json_term(_) ), [], answers([[]])).

%   What is written is read again as it was.
t(json_round, ( T = json([a=[1, 2.5, -3, @(true), 'x y', '', json([]), []], 'k"\n\u00e9'=json([z=[[[]]]])]), json_text(T, [], S), json_of(S, U), U == T,
                json_text(T, [width(10)], S2), json_of(S2, V), V == T ), [], answers([[]])).

%   What comes behind a value is not waited for.
t(json_dialogue, ( pipe(In, Out), format(Out, "{\"id\":1}~n-2.5e3~n", []), flush_output(Out),
                   call_with_time_limit(5, ( json_read(In, A), json_read(In, B) )), close(Out), close(In) ), [A, B], answers([[json([id=1]), -2500.0]])).
t(json_word_unbound, ( catch(json_text(@(X), [], _), error(E, _), true), var(X) ), [E], answers([[type_error(json_term, @(_))]])).
t(json_nul, ( json_of("\"a\\u0000b\"", A), atom_codes(A, Cs), json_text(A, [], S) ), [Cs, S], answers([[[0'a, 0, 0'b], "\"a\\u0000b\""]])).
