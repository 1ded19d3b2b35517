% Wildcard patterns: wildcard_match/2,3, expand_file_name/2.

% with_files(+Names, :Goal): Goal in a new directory with empty files.
with_files(Names, Goal) :-
    tmp_file(wild, Directory),
    make_directory(Directory),
    working_directory(Old, Directory),
    forall(member(N, Names), ( open(N, write, S), close(S) )),
    ( catch(Goal, E, true) -> true ; E = failed ),
    forall(member(N, Names), delete_file(N)),
    working_directory(_, Old),
    delete_directory(Directory),
    ( var(E) -> true ; E == failed -> fail ; throw(E) ).

% Matching

t(star, wildcard_match("*.pl", "foo.pl"), [], answers([[]])).
t(star_and_sets, wildcard_match("[a-z]*.{pro,pl}", "a_hello.pl"), [], answers([[]])).
t(star_empty, ( wildcard_match("*", ""), wildcard_match("**", "a") ), [], answers([[]])).
t(stars, wildcard_match("a*b*c", "axxbyyc"), [], answers([[]])).
t(stars_fail, wildcard_match("a*b*c", "axxbyyd"), [], fails).
t(all_of_text, ( wildcard_match("a*b", "aba") ; wildcard_match("b", "ab") ; wildcard_match("a", "ab") ), [], fails).
t(any, wildcard_match("a?c", abc), [], answers([[]])).
t(any_is_one, ( wildcard_match("a?c", ac) ; wildcard_match("?", "") ; wildcard_match("?", ab) ), [], fails).
t(empty, wildcard_match("", ""), [], answers([[]])).
t(set, findall(C, ( member(C, [a, b, c, d, '-', ']']), wildcard_match("[ac-]", C) ), L), [L], answers([[[a, c, -]]])).
t(set_range_backwards, wildcard_match("[z-a]", b), [], fails).
t(set_bracket, wildcard_match("[a\\]]", "]"), [], answers([[]])).
t(set_empty, wildcard_match("[]", a), [], fails).
t(set_no_negation, ( wildcard_match("[^a]", b) ; wildcard_match("[!a]", b) ), [], fails).
t(set_comma, wildcard_match("[ab,]", ","), [], answers([[]])).
t(alternatives, findall(X, ( member(X, [ac, ad, bc, bd, ab, cd]), wildcard_match("{a,b}{c,d}", X) ), L), [L], answers([[[ac, ad, bc, bd]]])).
t(alternatives_patterns, wildcard_match("{a*,b?}x", azzx), [], answers([[]])).
t(alternatives_nested, wildcard_match("{a,{b,c}}", c), [], answers([[]])).
t(alternative_empty, ( wildcard_match("{}x", x), wildcard_match("*.{pl,}", 'a.') ), [], answers([[]])).
t(alternatives_escape, wildcard_match("{a\\,b,c}", "a,b"), [], answers([[]])).
t(plain_brackets, ( wildcard_match("a}", 'a}'), wildcard_match("a]", 'a]'), wildcard_match("a,b", 'a,b') ), [], answers([[]])).
t(escape, wildcard_match("\\*", *), [], answers([[]])).
t(escape_means_itself, wildcard_match("\\*", a), [], fails).
t(escape_letter, wildcard_match("\\n", n), [], answers([[]])).
t(escape_last, wildcard_match("a\\", "a\\"), [], answers([[]])).
t(unicode, wildcard_match("ä?", "äö"), [], answers([[]])).
t(numbers, wildcard_match(12, 12), [], answers([[]])).
t(codes, wildcard_match([0'a], a), [], answers([[]])).
t(case, wildcard_match("A*", abc), [], fails).
t(case_option, wildcard_match("A*", abc, [case_sensitive(false)]), [], answers([[]])).
t(case_option_true, wildcard_match("A*", abc, [case_sensitive(true)]), [], fails).
t(other_option, wildcard_match(a, a, [foo(x)]), [], answers([[]])).
t(open_set, wildcard_match("[abc", a), [], throws(syntax_error('Unmatched \'[\''))).
t(open_set_range, wildcard_match("[a-", -), [], throws(syntax_error('Unmatched \'[\''))).
t(open_alternatives, wildcard_match("{a,b", a), [], throws(syntax_error('Unmatched \'{\''))).
t(unbound_pattern, wildcard_match(_, a), [], throws(instantiation_error)).
t(unbound_text, wildcard_match(a, _), [], throws(instantiation_error)).
t(compound_pattern, wildcard_match(f(x), a), [], throws(type_error(text, f(x)))).
t(options_no_list, wildcard_match(a, a, foo), [], throws(type_error(list, foo))).
t(option_no_bool, wildcard_match(a, a, [case_sensitive(x)]), [], throws(type_error(bool, x))).

% Files

t(expand, with_files(['a.pl', 'b.pl', 'c.txt', '.hidden'], expand_file_name('*.pl', L)), [L], answers([[['a.pl', 'b.pl']]])).
t(expand_all, with_files([b, a, '.hidden'], expand_file_name('*', L)), [L], answers([[[a, b]]])).
t(expand_alternatives, with_files([b, a, c], expand_file_name('{c,a}', L)), [L], answers([[[a, c]]])).
t(expand_set, with_files([u1, u2, u3], expand_file_name('u[1-2]', L)), [L], answers([[[u1, u2]]])).
t(expand_hidden, with_files(['.h1', h], expand_file_name('.h*', L)), [L], answers([[['.h1']]])).
t(expand_nothing, expand_file_name('/tmp/no_such_thing*', L), [L], answers([[[]]])).
t(expand_directories, ( expand_file_name('/et*/passwd', L) ), [L], answers([[['/etc/passwd']]])).
t(expand_behind_directories, expand_file_name('/*/no_such_thing', L), [L], answers([[[]]])).
t(expand_plain, expand_file_name('no_such_thing', L), [L], answers([[[no_such_thing]]])).
t(expand_plain_text, expand_file_name("a b", L), [L], answers([[['a b']]])).
t(expand_plain_slashes, expand_file_name('/tmp//x', L), [L], answers([[['/tmp//x']]])).
t(expand_empty, expand_file_name('', L), [L], answers([[['']]])).
t(expand_number, expand_file_name(1, L), [L], answers([[['1']]])).
t(expand_escape, expand_file_name('\\*', L), [L], answers([[[*]]])).
t(expand_home, ( getenv('HOME', H), atom_concat(H, '/x', Expected), expand_file_name('~/x', [Expected]) ), [], answers([[]])).
t(expand_home_alone, ( getenv('HOME', H), expand_file_name(~, [H]) ), [], answers([[]])).
t(expand_user, ( expand_file_name('~root/x', [F]), sub_atom(F, 0, 1, _, /), sub_atom(F, _, 2, 0, '/x') ), [], answers([[]])).
t(expand_no_user, expand_file_name('~no_such_user/x', _), [], throws(existence_error(user, no_such_user))).
t(expand_tilde_inside, expand_file_name('a~b', L), [L], answers([[['a~b']]])).
t(expand_variable, ( setenv(wild_dir, abc), expand_file_name('$wild_dir/x', L) ), [L], answers([[['abc/x']]])).
t(expand_variable_inside, ( setenv(wild_dir, abc), expand_file_name('x/$wild_dir', L) ), [L], answers([[['x/abc']]])).
t(expand_no_variable, expand_file_name('$no_such_variable/x', _), [], throws(existence_error(variable, no_such_variable))).
t(expand_dollar, expand_file_name('a$', L), [L], answers([[['a$']]])).
t(expand_open, expand_file_name('[', _), [], throws(syntax_error('Unmatched \'[\''))).
t(expand_open_alternatives, expand_file_name('{a', _), [], throws(syntax_error('Unmatched \'{\''))).
t(expand_unbound, expand_file_name(_, _), [], throws(instantiation_error)).
t(expand_compound, expand_file_name(f(x), _), [], throws(type_error(text, f(x)))).

% Patterns where files are named

wild_loaded(Names, Loaded) :-
    findall(N, ( member(N, Names), absolute_file_name(N, P), source_file(P), unload_file(P) ), Loaded).

t(consult_pattern, with_files(['wa.pl', 'wb.pl', 'wc.pl', 'wa.txt'], ( consult('w[ab].p*'), wild_loaded(['wa.pl', 'wb.pl', 'wc.pl', 'wa.txt'], L) )), [L], answers([[['wa.pl', 'wb.pl']]])).
t(consult_patterns, with_files(['wa.pl', 'wb.pl', 'wc.pl'], ( ["w{a,b}.pl", wc], wild_loaded(['wa.pl', 'wb.pl', 'wc.pl'], L) )), [L], answers([[['wa.pl', 'wb.pl', 'wc.pl']]])).
t(consult_pattern_in_vain, with_files(['wa.pl'], consult('wx*.pl')), [], answers([[]])).
t(consult_name_like_a_pattern, with_files(['w[a].pl', 'wa.pl'], ( consult('w[a]'), wild_loaded(['w[a].pl', 'wa.pl'], L) )), [L], answers([[['w[a].pl']]])).
t(load_pattern, with_files(['wa.pl', 'wb.pl'], ( load_files('w?.pl', [expand(true)]), wild_loaded(['wa.pl', 'wb.pl'], L) )), [L], answers([[['wa.pl', 'wb.pl']]])).
t(load_no_pattern, with_files(['wa.pl'], load_files('w?.pl', [])), [], throws(existence_error(source_sink, 'w?.pl'))).
t(path_patterns, with_files([wa, wb, wc], findall(N, ( absolute_file_name('w[ac]', P, [expand(true), solutions(all)]), file_base_name(P, N) ), L)), [L], answers([[[wa, wc]]])).
t(path_pattern_first, with_files([wa, 'wb.pl'], ( absolute_file_name("w{a,b.pl}", P, [expand(true), extensions(['.pl']), access(read)]), file_base_name(P, N) )), [N], answers([['wb.pl']])).
t(path_pattern_in_vain, with_files([wa], absolute_file_name('wx*', _, [expand(true)])), [], fails).
t(path_no_pattern, ( absolute_file_name('w*', P, []), file_base_name(P, N) ), [N], answers([['w*']])).
t(members_of_type, with_files(['wa.pl', 'wb.txt', '.wc.pl', pl], findall(M, directory_member('.', M, [file_type(prolog)]), L)), [L], answers([[['.wc.pl', 'wa.pl']]])).
t(members_not_hidden, with_files(['wa.pl', '.wc.pl'], findall(M, directory_member('.', M, [hidden(false)]), L)), [L], answers([[['wa.pl']]])).
t(members_of_no_type, with_files(['wa.pl'], directory_member('.', _, [file_type(wild_type)])), [], throws(domain_error(file_type, wild_type))).
t(path_with_extension_once, with_files(['wa.pl'], findall(N, ( absolute_file_name('wa.pl', P, [file_type(prolog), access(read), solutions(all)]), file_base_name(P, N) ), L)), [L], answers([[['wa.pl']]])).
