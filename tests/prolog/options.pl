% Options: what is accepted has an effect, what is not there is refused. Where nothing else is said the expectations are those of SWI-Prolog.

opt_read(Text, Options, Term) :- setup_call_cleanup(open_string(Text, S), read_term(S, Term, Options), close(S)).
opt_file(Goal, Text) :-
    tmp_file(opt, F),
    setup_call_cleanup(open(F, write, S), call(Goal, S), close(S)),
    read_file_to_string(F, Text, []),
    delete_file(F).

% --- what Samite has not, and the value that says so (SWI-Prolog: accepted) ---

t(read_comments, opt_read("a.", [comments(C)], T), [C, T], answers([[[], a]])).
t(read_positions, opt_read("a.", [subterm_positions(P)], T), [P, T], answers([[0-1, a]])).
t(read_dotlists, opt_read("a.", [dotlists(true)], _), [], throws(domain_error(read_option, dotlists(true)))).
t(read_no_dotlists, opt_read("a.", [dotlists(false), cycles(false)], X), [X], answers([[a]])).
t(read_symbol_char, opt_read("a.", [back_quotes(symbol_char)], _), [], throws(domain_error(back_quotes, symbol_char))).
t(write_goal, write_term(a, [portray_goal(opt_no)]), [], throws(domain_error(write_option, portray_goal(opt_no)))).
t(write_attributes, write_term(a, [attributes(write)]), [], throws(domain_error(write_option, attributes(write)))).
t(write_no_attributes, write_term(a, [attributes(ignore), blobs(portray), back_quotes(codes)]), [], output("a")).
t(open_lock, open('/dev/null', read, _, [lock(exclusive)]), [], throws(domain_error(stream_option, lock(exclusive)))).
t(open_no_lock, ( open('/dev/null', read, S, [lock(none), wait(true)]), close(S) ), [], answers([[]])).
t(open_create, open('/dev/null', write, _, [create([read])]), [], throws(domain_error(stream_option, create([read])))).
t(thread_class, thread_create(true, _, [class(opt_a)]), [], answers([[]])).
t(load_expand, load_files(opt_no_such_file, [expand(1)]), [], throws(type_error(bool, 1))).
t(load_if, load_files(opt_no_such_file, [if(opt_when)]), [], throws(domain_error(if, opt_when))).
t(load_must_be_module, load_files(opt_no_such_file, [must_be_module(1)]), [], throws(type_error(bool, 1))).
t(load_defaults, ( open_string("opt_loaded(1).", S), load_files(opt_file, [stream(S), silent(true), register(true), sandboxed(false), dialect(swi)]), opt_loaded(X) ), [X], answers([[1]])).

% --- unknown ones: not looked at, but with the flag iso ---

opt_iso(Goal) :- setup_call_cleanup(set_prolog_flag(iso, true), Goal, set_prolog_flag(iso, false)).

t(unknown_write, write_term(a, [opt_foo(1)]), [], output("a")).
t(unknown_open, ( open('/dev/null', read, S, [opt_foo(1)]), close(S) ), [], answers([[]])).
t(unknown_write_iso, opt_iso(write_term(a, [opt_foo(1)])), [], throws(domain_error(write_option, opt_foo(1)))).
t(unknown_open_iso, opt_iso(open('/dev/null', read, _, [opt_foo(1)])), [], throws(domain_error(stream_option, opt_foo(1)))).
t(unknown_read_iso, opt_iso(opt_read("a.", [opt_foo(1)], _)), [], throws(domain_error(read_option, opt_foo(1)))).
t(known_iso, opt_iso(opt_read("f(X).", [variables(Vs)], f(Y))), [Vs-Y], answers([[[A]-A]])).

% --- values that are none ---

t(write_priority, write_term(a, [priority(-1)]), [], throws(domain_error(operator_priority, -1))).
t(temporary_extension, tmp_file_stream(_, _, [extension(1)]), [], throws(type_error(atom, 1))).
t(temporary_encoding, tmp_file_stream(_, _, [encoding(opt_foo)]), [], throws(domain_error(encoding, opt_foo))).
t(path_type, absolute_file_name(a, _, [file_type(opt_foo)]), [], throws(domain_error(file_type, opt_foo))).
t(path_type_number, absolute_file_name(a, _, [file_type(1)]), [], throws(type_error(atom, 1))).
t(path_errors, absolute_file_name(a, _, [file_errors(opt_foo)]), [], throws(domain_error(file_errors, opt_foo))).
t(path_solutions, absolute_file_name(a, _, [solutions(opt_foo)]), [], throws(domain_error(solutions, opt_foo))).
t(path_extensions, absolute_file_name(a, _, [extensions([1])]), [], throws(type_error(atom, 1))).
t(path_expand, absolute_file_name(a, _, [expand(opt_foo)]), [], throws(type_error(_, opt_foo))).
t(flag_access, create_prolog_flag(opt_flag, 1, [access(opt_foo)]), [], throws(domain_error(prolog_flag_access, opt_foo))).
t(flag_read_only, ( create_prolog_flag(opt_flag2, 1, [access(read_only)]), set_prolog_flag(opt_flag2, 2) ), [], throws(permission_error(modify, flag, opt_flag2))).

% --- set_stream/2 ---

opt_set(P) :- setup_call_cleanup(open_null_stream(S), set_stream(S, P), close(S)).

t(set_timeout, opt_set(timeout(3)), [], answers([[]])).
t(set_no_timeout, opt_set(timeout(infinite)), [], answers([[]])).
t(set_buffer_size, opt_set(buffer_size(10)), [], answers([[]])).
t(set_buffer_size_none, opt_set(buffer_size(0)), [], throws(domain_error(not_less_than_one, 0))).
t(set_buffer_size_type, opt_set(buffer_size(a)), [], throws(type_error(integer, a))).
t(set_buffer_size_large, opt_set(buffer_size(100000000000000000000)), [], throws(representation_error(buffer_size))).
t(set_record_position, opt_set(record_position(false)), [], throws(domain_error(stream_attribute, record_position(false)))).
t(set_write_errors, opt_set(write_errors(ignore)), [], throws(domain_error(stream_attribute, write_errors(ignore)))).
t(set_locale, opt_set(locale(opt_foo)), [], throws(domain_error(stream_attribute, locale(opt_foo)))).
t(set_representation_bad, opt_set(representation_errors(opt_foo)), [], throws(domain_error(representation_errors, opt_foo))).

opt_unknown(How, S) :- set_stream(S, encoding(ascii)), set_stream(S, representation_errors(How)), stream_property(S, representation_errors(How)),
    format(S, "a\x20ac\~w", [b]), put_char(S, '\x1F600\').

t(representation_prolog, opt_file(opt_unknown(prolog), T), [T], answers([["a\\x20AC\\b\\x1F600\\"]])).
t(representation_unicode, opt_file(opt_unknown(unicode), T), [T], answers([["a\\u20ACb\\U0001F600"]])).
t(representation_xml, opt_file(opt_unknown(xml), T), [T], answers([["a&#8364;b&#128512;"]])).
t(representation_error, opt_file(opt_unknown(error), _), [], throws(_)).

opt_escapes(S) :- set_stream(S, encoding(ascii)), format(S, "~q ~q ~a|~p~t~8|~q", ['\x65e5\', 'a b', ab, x, '\xe9\']).
t(format_escapes, opt_file(opt_escapes, T), [T], answers([["'\\x65E5\\' 'a b' ab|x'\\xE9\\'"]])).
opt_escapes_of_goals(S) :- set_stream(S, encoding(ascii)), format(S, "~@ ~q", [writeq('\x65e5\'), '\xe9\']).
t(format_escapes_of_goals, opt_file(opt_escapes_of_goals, T), [T], answers([["'\\x65E5\\' '\\xE9\\'"]])).
opt_escapes_of_messages(S) :- set_stream(S, encoding(ascii)), print_message_lines(S, 'P ', ['~q ~p'-['\x65e5\', 'a b'], nl, '~w \xe9\'-['\x1F600\']]).
t(message_escapes, opt_file(opt_escapes_of_messages, T), [T], answers([["P '\\x65E5\\' 'a b'\nP \\U0001F600 \\u00E9\n"]])).
opt_escapes_of_portray(S) :- set_stream(S, encoding(ascii)),
    setup_call_cleanup(assertz((user:portray(opt_shown(X)) :- format("<~w>", [X])), R), ( print(S, f(opt_shown('\x65e5\'))), format(S, "~p", [opt_shown('\xe9\')]) ), erase(R)).
t(portray_escapes, opt_file(opt_escapes_of_portray, T), [T], answers([["f(<\\u65E5>)<\\u00E9>"]])).
t(representation_of_standard_output, forall(member(S, [user_output, user_error]), stream_property(S, representation_errors(unicode))), [], answers([[]])).

% --- portray_clause/3 ---

opt_portray(C, Os) :- current_output(S), portray_clause(S, C, Os).

t(portray_indent, opt_portray(( a(X) :- b(X, _), ( c -> d ; e ) ), [indent(4)]), [],
  output("    a(A) :-\n        b(A, _),\n        (   c\n        ->  d\n        ;   e\n        ).\n")).
t(portray_indent_fact, opt_portray(a(_), [indent(2)]), [], output("  a(_).\n")).
t(portray_names, opt_portray(( a(X, Z) :- b(X, _, Z) ), ['variable_names'(['X'=X])]), [], output("a(X, A) :-\n    b(X, _, A).\n")).
t(portray_names_taken, opt_portray(( a(X, Z, P, Q) :- b(X, _, Z, P, Q) ), [variable_names(['A'=X, 'B'=Z])]), [],
  output("a(A, B, C, D) :-\n    b(A, _, B, C, D).\n")).
t(portray_not_quoted, opt_portray(( a :- b('X y') ), [quoted(false)]), [], output("a :-\n    b(X y).\n")).
t(portray_no_operators, opt_portray(a(1+2), [ignore_ops(true)]), [], output("a(+(1, 2)).\n")).
t(portray_no_numbervars, opt_portray(a('$VAR'(1)), [numbervars(false)]), [], output("a('$VAR'(1)).\n")).
t(portray_spacing, opt_portray(a(b, [1, 2]), [spacing(standard)]), [], output("a(b,[1,2]).\n")).
t(portray_depth, opt_portray(a(f(f(f(f))), c), [max_depth(3)]), [], output("a(f(f(...)), c).\n")).
t(portray_module, ( op(700, xfx, opt_m:(===>>)), opt_portray(a(===>>(1, 2)), [module(opt_m)]) ), [], output("a(1===>>2).\n")).
t(portray_bad_name, opt_portray(a, [variable_names([a=_])]), [], throws(domain_error(variable_name, a))).
t(portray_unbound, opt_portray(a, [_]), [], throws(instantiation_error)).

% --- the flag iso ---

t(iso_length, opt_iso(atom_length(12345, _)), [], throws(type_error(atom, 12345))).
t(iso_length_compound, opt_iso(atom_length(f(x), _)), [], throws(type_error(atom, f(x)))).
t(iso_length_float, opt_iso(atom_length(1.5, _)), [], throws(type_error(atom, 1.5))).
t(iso_length_text, ( opt_iso(atom_length(abc, X)), opt_iso(atom_length("abc", Y)) ), [X, Y], answers([[3, 3]])).
t(no_iso_length, atom_length(12345, X), [X], answers([[5]])).
opt_static(1).
opt_static(X) :- X == 2.
:- dynamic(opt_dynamic/1).
opt_dynamic(1).
t(iso_clause, opt_iso(clause(opt_static(_), _)), [], throws(permission_error(access, private_procedure, opt_static/1))).
t(iso_clause_dynamic, opt_iso(clause(opt_dynamic(X), B)), [X, B], answers([[1, true]])).
t(iso_listing, opt_iso(listing(opt_static/1)), [], output("opt_static(1).\nopt_static(X) :-\n    X==2.\n\n")).

% --- characters are not converted (SWI-Prolog keeps a table that has no effect) ---

t(conversion_same, char_conversion(a, a), [], answers([[]])).
t(conversion_other, char_conversion(a, b), [], throws(permission_error(modify, flag, char_conversion))).
t(conversion_unbound, char_conversion(_, b), [], throws(instantiation_error)).
t(conversion_type, char_conversion(ab, b), [], throws(type_error(character, ab))).
t(conversion_of, current_char_conversion(a, X), [X], answers([[a]])).
t(conversion_to, current_char_conversion(X, b), [X], answers([[b]])).
t(conversion_none, current_char_conversion(a, b), [], fails).
t(conversion_all, current_char_conversion(X, Y), [X, Y], prefix([['\000\', '\000\'], ['\001\', '\001\']])).
t(conversion_all_type, current_char_conversion(1, _), [], throws(type_error(character, 1))).
t(conversion_flag, set_prolog_flag(char_conversion, true), [], throws(permission_error(modify, flag, char_conversion))).

% --- options of reading from text, locales, threads, prompts ---

t(codes_dec10, read_term_from_codes(`ab`, X, [syntax_errors(dec10)]), [X], answers([[ab]])).
t(codes_dec10_bad, read_term_from_codes("a b", X, [syntax_errors(dec10)]), [X], answers([[end_of_file]])).
t(codes_fail, read_term_from_codes("a b", _, [syntax_errors(fail)]), [], fails).
t(codes_options, read_term_from_codes("a", _, {}), [], throws(type_error(list, {}))).
t(text_dec10, term_string(X, "a b", [syntax_errors(dec10)]), [X], answers([[end_of_file]])).
t(locale_domain, ( current_locale(L), locale_property(L, opt_foo) ), [], throws(domain_error(locale_property, opt_foo))).
t(locale_type, ( current_locale(L), locale_property(L, 1) ), [], throws(type_error(locale_property, 1))).
t(locale_option, locale_create(_, "C", [opt_foo]), [], throws(type_error(locale_property, opt_foo))).
t(locale_options, locale_create(_, "C", opt_foo), [], throws(type_error(list, opt_foo))).
t(locale_grouping, locale_create(_, "C", [grouping([repeat(x)])]), [], throws(type_error(integer, x))).
t(locale_name, locale_create(_, 1, []), [], throws(type_error(locale, 1))).
t(locale_atom, ( locale_create(L, 'C', [thousands_sep("."), alias(opt_locale)]), locale_property(L, thousands_sep(S)), locale_destroy(L) ), [S], throws(type_error(atom, "."))).
t(stream_order, ( open('/dev/null', read, S, [alias(opt_null)]), findall(N, ( stream_property(S, P), functor(P, N, _), memberchk(N, [mode, input, alias, position, type, encoding]) ), Ns), close(S) ), [Ns],
  answers([[[mode, input, alias, position, type, encoding]]])).
t(thread_property_thread, thread_property(opt_no_thread, opt_foo), [], throws(existence_error(thread, opt_no_thread))).
t(thread_property_type, thread_property(_, 1), [], throws(type_error(thread_property, 1))).
t(numbervars_option, numbervars(f(_), 0, _, [opt_foo]), [], throws(type_error(option, opt_foo))).
t(prompt_unbound, prompt(_, _), [], throws(instantiation_error)).
t(prompt_same, prompt(X, X), [], answers([[]])).
t(prompt_type, prompt(_, 1), [], throws(type_error(atom, 1))).
t(setting_name, setting(1.5, _), [], throws(existence_error(setting, user:1.5))).
t(arity_beyond, abolish(opt_nosuch/4611686018427387904), [], throws(representation_error(_))).
t(arity_far_beyond, abolish(opt_nosuch/99999999999999999999), [], throws(representation_error(_))).

t(merge_no_old, merge_options([b(1), a(2), b(3)], [], L), [L], answers([[[b(1), a(2), b(3)]]])).
t(merge_no_new, merge_options([], [b=1, a(2), b(3)], L), [L], answers([[[b(1), a(2), b(3)]]])).
t(merge_both, merge_options([c(1), a(2)], [b(1), a(3)], L), [L], answers([[[a(2), b(1), c(1)]]])).
