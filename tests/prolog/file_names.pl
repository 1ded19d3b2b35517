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
t(relative_file, relative_file_name('/a/b/c.pl', '/a/d/e.pl', R), [R], answers([['../b/c.pl']])).
