% Names of files: absolute_file_name/2,3 and their relatives.

:- dynamic(user:file_search_path/2).
:- multifile(user:file_search_path/2).

user:file_search_path(fn_tests, tests/prolog).
user:file_search_path(fn_modules, fn_tests(modules)).

fn_ends(Path, End) :- sub_atom(Path, _, _, 0, End), sub_atom(Path, 0, 1, _, /).

t(file_plain, ( absolute_file_name('tests/none', P, []), fn_ends(P, '/tests/none') ), [], answers([[]])).
t(file_extension, ( absolute_file_name('tests/prolog/run', P, [extensions([pl]), access(read)]), fn_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_has_extension, ( absolute_file_name('tests/prolog/run.pl', P, [extensions([pl]), access(read)]), fn_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_type, ( absolute_file_name('tests/prolog/run', P, [file_type(prolog), access(read)]), fn_ends(P, '/run.pl') ), [], answers([[]])).
t(file_directory, ( absolute_file_name('tests/prolog', P, [file_type(directory)]), fn_ends(P, '/tests/prolog') ), [], answers([[]])).
t(file_no_directory, absolute_file_name('tests/none', _, [file_type(directory), file_errors(fail)]), [], fails).
t(file_missing, absolute_file_name('tests/none', _, [access(read)]), [], throws(existence_error(source_sink, 'tests/none'))).
t(file_missing_fails, absolute_file_name('tests/none', _, [access(read), file_errors(fail)]), [], fails).
t(file_is_directory, absolute_file_name('tests/prolog', _, [access(read)]), [], throws(existence_error(source_sink, _))).
t(file_relative, absolute_file_name('../f', P, [relative_to('/usr/lib')]), [P], answers([['/usr/f']])).
t(file_relative_to_file, absolute_file_name(f, P, [relative_to('/usr/lib/none')]), [P], answers([['/usr/lib/f']])).
t(file_parts, ( absolute_file_name(tests/prolog/run, P, [extensions(['', pl]), access(read)]), fn_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_alias, ( absolute_file_name(fn_tests(run), P, [extensions([pl]), access(read)]), fn_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_alias_of_alias, ( absolute_file_name(fn_modules(shapes), P, [file_type(prolog), access(read)]), fn_ends(P, '/modules/shapes.pl') ), [], answers([[]])).
t(file_alias_short, ( absolute_file_name(fn_tests(run), P), fn_ends(P, '/tests/prolog/run') ), [], answers([[]])).
t(file_no_alias, absolute_file_name(fn_none(run), _, [access(read)]), [], throws(existence_error(source_sink, fn_none(run)))).
t(file_unbound, absolute_file_name(_, _, []), [], throws(instantiation_error)).
t(file_number, absolute_file_name(1, _, []), [], throws(type_error(text, 1))).
t(file_access_mode, absolute_file_name(f, _, [access(foo)]), [], throws(domain_error(io_mode, foo))).
t(directory_file, directory_file_path(a, b, P), [P], answers([['a/b']])).
t(directory_before, directory_file_path(D, 'b/x', 'a/b/x'), [D], answers([[a]])).
t(directory_none, directory_file_path(D, x, x), [D], answers([['']])).
t(directory_root, directory_file_path(D, x, '/x'), [D], answers([['/']])).
t(directory_no_slash, directory_file_path(_, x, 'a/b'), [], fails).
t(file_behind, directory_file_path(a, F, 'a/b/x'), [F], answers([['b/x']])).
t(file_behind_dot, directory_file_path('.', F, 'a/b'), [F], answers([['a/b']])).
t(file_elsewhere, directory_file_path(b, _, 'a/b'), [], fails).
t(relative_file, relative_file_name('/a/b/c.pl', '/a/d/e.pl', R), [R], answers([['../b/c.pl']])).

:- meta_predicate(fn_timed(?, 0)).
fn_timed(F, Goal) :- setup_call_cleanup(( tmp_file_stream(F, S, []), close(S) ), Goal, delete_file(F)).

t(time_set, fn_timed(F, ( set_time_file(F, [], [modified(1000000), access(7.25)]), set_time_file(F, [access(A)|Rest], []), Rest = [modified(M), changed(_)] )), [A, M], answers([[7.25, 1000000.0]])).
t(time_now, fn_timed(F, ( set_time_file(F, [], [modified(7)]), set_time_file(F, [modified(M)], [modified(now)]), time_file(F, T), get_time(Now), Now-T < 60 )), [M], answers([[7.0]])).
t(time_none, set_time_file(fn_none, _, []), [], throws(existence_error(file, fn_none))).
t(time_cannot_be_set, fn_timed(F, set_time_file(F, [], [changed(1)])), [], throws(domain_error(file_time_option, changed(1)))).
t(time_type, fn_timed(F, set_time_file(F, [], [access(a)])), [], throws(type_error(number, a))).
t(time_unbound, set_time_file(_, _, []), [], throws(instantiation_error)).
