% Library predicates: dates, red-black trees, text, command line arguments, files.

% --- library(date) ---

lib_date(Stamp, Format, Text) :- stamp_date_time(Stamp, Date, 'UTC'), format_time(string(Text), Format, Date).
lib_from_list(L, T) :- list_to_rbtree(L, T).

t(epoch, stamp_date_time(0, D, 'UTC'), [D], answers([[date(1970, 1, 1, 0, 0, 0.0, 0, 'UTC', -)]])).
t(before_epoch, stamp_date_time(-1.5, D, 'UTC'), [D], answers([[date(1969, 12, 31, 23, 59, 58.5, 0, 'UTC', -)]])).
t(offset, stamp_date_time(0, D, 3600), [D], answers([[date(1969, 12, 31, 23, 0, 0.0, 3600, -, -)]])).
t(leap_day, stamp_date_time(951782400, D, 'UTC'), [D], answers([[date(2000, 2, 29, 0, 0, 0.0, 0, 'UTC', -)]])).
t(century, stamp_date_time(-2203891200, D, 'UTC'), [D], answers([[date(1900, 3, 1, 0, 0, 0.0, 0, 'UTC', -)]])).
t(stamp, date_time_stamp(date(2000, 1, 1, 0, 0, 0, 0, -, -), S), [S], answers([[946684800.0]])).
t(stamp_of_date, date_time_stamp(date(2000, 1, 1), S), [S], answers([[946684800.0]])).
t(stamp_month_13, date_time_stamp(date(2000, 13, 1, 0, 0, 0, 3600, -, -), S), [S], answers([[978310800.0]])).
t(stamp_unbound, date_time_stamp(date(2000, _, _, _, _, _, _, _, _), _), [], throws(instantiation_error)).
t(round_trip, ( forall(( between(-30, 30, I), S is I * 100000007.0 ), ( stamp_date_time(S, D, 'UTC'), date_time_stamp(D, S) )) ), [], answers([[]])).
t(round_trip_local, forall(member(S, [0.0, 86400.0, 1.0e9, 1.5e9]), ( stamp_date_time(S, D, local), date_time_stamp(D, S) )), [], answers([[]])).
t(value, findall(K-V, date_time_value(K, date(2000, 1, 2, 3, 4, 5.0, 0, 'UTC', -), V), L), [L],
  answers([[[year-2000, month-1, day-2, hour-3, minute-4, second-5.0, utc_offset-0, time_zone-'UTC', date-date(2000, 1, 2), time-time(3, 4, 5.0)]]])).
t(format_all, lib_date(86400.5, '%Y-%m-%d %H:%M:%S %j %a %A %b %B %u %w %y %C %e %k %l %I %p %P %D %F %T %R %r %t%% %z %Z %V %G %g %U %W', T), [T],
  answers([["1970-01-02 00:00:00 002 Fri Friday Jan January 5 5 70 19  2  0 12 12 AM am 01/02/70 1970-01-02 00:00:00 00:00 12:00:00 AM \t% +0000 UTC 01 1970 70 00 00"]])).
t(format_more, lib_date(1700000000.25, '%FT%T%:z %f %3f %d %c %x %X %h', T), [T],
  answers([["2023-11-14T22:13:20+00:00 250000 250 14 Tue Nov 14 22:13:20 2023 11/14/23 22:13:20 Nov"]])).
t(format_offset, format_time(atom(A), '%z %:z', date(2000, 1, 1, 0, 0, 0, -5400, -, -)), [A], answers([['+0130 +01:30']])).
t(format_text, format_time(codes(C), "%Y", date(2000, 1, 1)), [C], answers([[[0'2, 0'0, 0'0, 0'0]]])).
t(parse_date, parse_time('2000-01-01', S), [S], answers([[946684800.0]])).
t(parse_utc, parse_time('2000-01-01T10:20:30Z', F, S), [F, S], answers([[iso_8601, 946722030.0]])).
t(parse_offset, parse_time("2000-01-01T10:20:30+02:00", S), [S], answers([[946714830.0]])).
t(parse_space, parse_time('2000-01-01 10:20:30', S), [S], answers([[946722030.0]])).
t(parse_basic, parse_time('20000101T102030', S), [S], answers([[946722030.0]])).
t(parse_fraction, parse_time('2000-01-01T10:20:30.5Z', S), [S], answers([[946722030.5]])).
t(parse_day_of_year, parse_time('2000-123', S), [S], answers([[957225600.0]])).
t(parse_rfc, parse_time('Sat, 01 Jan 2000 10:20:30 GMT', F, S), [F, S], answers([[rfc_1123, 946722030.0]])).
t(parse_garbage, parse_time(garbage, _), [], fails).
t(parse_month_13, parse_time('2000-13-01', _), [], fails).
t(week_day, day_of_the_week(date(2024, 2, 29), D), [D], answers([[4]])).

% --- library(rbtrees) ---

t(rb_empty, ( rb_new(T), rb_empty(T), is_rbtree(T), rb_size(T, N) ), [N], answers([[0]])).
t(rb_insert, ( rb_new(T0), rb_insert(T0, a, 1, T1), rb_insert(T1, a, 2, T2), rb_lookup(a, V, T2), rb_lookup(a, W, T1) ), [V, W], answers([[2, 1]])).
t(rb_lookup_absent, ( lib_from_list([a-1], T), rb_lookup(b, _, T) ), [], fails).
t(rb_lookup_other, ( lib_from_list([a-1], T), rb_lookup(a, 2, T) ), [], fails).
t(rb_insert_new, ( rb_new(T0), rb_insert_new(T0, a, 1, T1), rb_insert_new(T1, b, 2, T), rb_visit(T, P) ), [P], answers([[[a-1, b-2]]])).
t(rb_insert_new_there, ( rb_new(T0), rb_insert_new(T0, a, 1, T), rb_insert_new(T, a, 2, _) ), [], fails).
t(rb_update, ( lib_from_list([a-1, b-2], T0), rb_update(T0, a, 5, T), rb_visit(T, P) ), [P], answers([[[a-5, b-2]]])).
t(rb_update_absent, ( lib_from_list([a-1], T), rb_update(T, c, 5, _) ), [], fails).
t(rb_update_old, ( lib_from_list([a-1], T0), rb_update(T0, a, Old, 5, T), rb_lookup(a, V, T) ), [Old, V], answers([[1, 5]])).
t(rb_apply, ( lib_from_list([a-1, b-2], T0), rb_apply(T0, a, succ, T), rb_visit(T, P) ), [P], answers([[[a-2, b-2]]])).
t(rb_in, ( lib_from_list([b-2, a-1], T), rb_in(K, V, T) ), [K, V], answers([[a, 1], [b, 2]])).
t(rb_in_bound, ( lib_from_list([b-2, a-1], T), rb_in(b, V, T) ), [V], answers([[2]])).
t(rb_min_max, ( lib_from_list([b-2, a-1, c-3], T), rb_min(T, K, V), rb_max(T, L, W) ), [K, V, L, W], answers([[a, 1, c, 3]])).
t(rb_min_of_none, ( rb_new(T), rb_min(T, _, _) ), [], fails).
t(rb_next, ( numlist(1, 20, L), findall(N-N, member(N, L), P), lib_from_list(P, T), findall(A-B, ( member(A, L), rb_next(T, A, B, _) ), Bs), findall(A-B, ( between(1, 19, A), B is A + 1 ), Bs) ), [],
  answers([[]])).
t(rb_previous, ( numlist(1, 20, L), findall(N-N, member(N, L), P), lib_from_list(P, T), findall(A-B, ( member(A, L), rb_previous(T, A, B, _) ), Bs), findall(A-B, ( between(2, 20, A), B is A - 1 ), Bs) ), [],
  answers([[]])).
t(rb_del_min, ( ord_list_to_rbtree([a-1, b-2], T0), rb_del_min(T0, K, V, T), rb_keys(T, Ks) ), [K, V, Ks], answers([[a, 1, [b]]])).
t(rb_del_max, ( ord_list_to_rbtree([a-1, b-2], T0), rb_del_max(T0, K, V, T), rb_keys(T, Ks) ), [K, V, Ks], answers([[b, 2, [a]]])).
t(rb_delete_absent, ( lib_from_list([a-1], T), rb_delete(T, c, _) ), [], fails).
t(rb_map, ( lib_from_list([a-1, b-2], T0), rb_map(T0, succ, T), rb_visit(T, P) ), [P], answers([[[a-2, b-3]]])).
t(rb_map_test, ( lib_from_list([a-1, b-2], T), rb_map(T, integer) ), [], answers([[]])).
t(rb_fold, ( lib_from_list([a-1, b-2], T), rb_fold([K-V, S0, S]>>( S = [K, V|S0] ), T, [], L) ), [L], answers([[[b, 2, a, 1]]])).
t(rb_clone, ( lib_from_list([a-1, b-2], T0), rb_clone(T0, T, P), P = [a-x, b-y], rb_visit(T, Q) ), [Q], answers([[[a-x, b-y]]])).
t(rb_not_a_tree, is_rbtree(x), [], fails).

% All the invariants, in trees that grow and shrink in many orders.
lib_rb_grow(Seed, N, T) :-
    rb_new(T0),
    findall(K, ( between(1, N, I), K is (I * Seed) mod 211 ), Keys),
    foldl([K, A, B]>>rb_insert(A, K, K, B), Keys, T0, T).
lib_rb_shrink([], T) :- rb_empty(T).
lib_rb_shrink([K|Ks], T0) :-
    rb_delete(T0, K, V, T),
    V == K,
    is_rbtree(T),
    \+ rb_lookup(K, _, T),
    lib_rb_shrink(Ks, T).

t(rb_grown, forall(( member(S, [1, 17, 210, 97]), between(1, 40, N) ), ( lib_rb_grow(S, N, T), is_rbtree(T), rb_size(T, N) )), [], answers([[]])).
t(rb_shrunk, forall(( member(S, [1, 17, 97]), member(R, [1, 5, 210]) ), ( lib_rb_grow(S, 60, T), rb_keys(T, L0), findall(X-K, ( member(K, L0), X is (K * R) mod 211 ), P0), msort(P0, P), pairs_values(P, L), lib_rb_shrink(L, T) )), [],
  answers([[]])).
t(rb_built, forall(between(0, 70, N), ( findall(I-I, between(1, N, I), P), ord_list_to_rbtree(P, T), is_rbtree(T), rb_visit(T, P) )), [], answers([[]])).

% --- library(strings) ---

t(dedent, dedent_lines("  hello\n    there\n  ok\n", T, []), [T], answers([["hello\n  there\nok\n"]])).
t(dedent_blank_first, dedent_lines("\n  a\n   b", T, []), [T], answers([["\na\n b"]])).
t(indent, indent_lines("  ", "a\nb\n\nc", T), [T], answers([["  a\n  b\n\n  c"]])).
t(string_lines, string_lines("a\nb\n", L), [L], answers([[["a", "b"]]])).
t(string_of_lines, string_lines(T, ["a", "b"]), [T], answers([["a\nb\n"]])).

% --- library(main) ---

t(argv_plain, argv_options([a, '--foo=1', '--bar', '--no-baz', '--name=bob', '--a-b=c', --, '--z'], P, O), [P, O],
  answers([[[a, '--z'], [foo(1), bar(true), baz(false), name(bob), a_b(c)]]])).
t(argv_module_of_the_caller, ( assertz(( opt_type(n, num, integer) )), argv_options(['-n', '3', x], P, O), retractall(opt_type(_, _, _)) ), [P, O], answers([[[x], [num(3)]]])).
t(argv_none, argv_options([a, b], P, O), [P, O], answers([[[a, b], []]])).

% --- library(ansi_term) ---

t(ansi_to_a_text, ansi_format([bold, fg(red)], "x~w", [1]), [], output("x1")).

% --- counters ---

t(flag, ( flag(lib_key, A, 5), flag(lib_key, B, B + 1), flag(lib_key, C, 0) ), [A, B, C], answers([[0, 5, 6]])).

% --- terms ---

t(nonground, ( nonground(f(a, X, _), V), V == X ), [], answers([[]])).
t(nonground_not, nonground(f(a), _), [], fails).
t(general_compound, is_most_general_term(f(_, _)), [], answers([[]])).
t(general_list, is_most_general_term([_, _]), [], answers([[]])).
t(general_shared, is_most_general_term(f(A, A)), [], fails).
t(general_partial, is_most_general_term([_|_]), [], fails).
t(call_dcg, call_dcg([a], [a, b], R), [R], answers([[[b]]])).

% --- random numbers ---

lib_numbers(Seed, L) :- set_random(seed(Seed)), findall(X, ( between(1, 20, _), random_between(1, 1000000, X) ), L).
t(seed_repeats, ( lib_numbers(42, L), lib_numbers(42, M), L == M ), [], answers([[]])).
t(seed_differs, ( lib_numbers(1, L), lib_numbers(2, M), L \== M ), [], answers([[]])).

% --- names ---

t(name_number, name(X, "12"), [X], answers([[12]])).
t(name_atom, name(X, [0'a]), [X], answers([[a]])).
t(name_not_number, name(X, "1a"), [X], answers([['1a']])).
t(name_blank, name(X, " 12"), [X], answers([[' 12']])).
t(name_code, name(X, "0'a"), [X], answers([[97]])).
t(name_empty, name(X, ""), [X], answers([['']])).
t(name_codes, name(12, X), [X], answers([[[0'1, 0'2]]])).
t(name_same, name(foo, "foo"), [], answers([[]])).
t(name_unbound, name(_, _), [], throws(instantiation_error)).
t(name_partial, name(_, [a|_]), [], throws(instantiation_error)).
t(name_compound, name(f(x), _), [], throws(type_error(atomic, f(x)))).

% --- absolute_file_name/3 ---

:- dynamic(user:file_search_path/2).
:- multifile(user:file_search_path/2).
user:file_search_path(lib_tests, tests/prolog).
user:file_search_path(lib_modules, lib_tests(modules)).

lib_ends(Path, End) :- sub_atom(Path, _, _, 0, End), sub_atom(Path, 0, 1, _, /).

t(file_plain, ( absolute_file_name('tests/none', P, []), lib_ends(P, '/tests/none') ), [], answers([[]])).
t(file_extension, ( absolute_file_name('tests/prolog/run', P, [extensions([pl]), access(read)]), lib_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_has_extension, ( absolute_file_name('tests/prolog/run.pl', P, [extensions([pl]), access(read)]), lib_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_type, ( absolute_file_name('tests/prolog/run', P, [file_type(prolog), access(read)]), lib_ends(P, '/run.pl') ), [], answers([[]])).
t(file_directory, ( absolute_file_name('tests/prolog', P, [file_type(directory)]), lib_ends(P, '/tests/prolog') ), [], answers([[]])).
t(file_no_directory, absolute_file_name('tests/none', _, [file_type(directory), file_errors(fail)]), [], fails).
t(file_missing, absolute_file_name('tests/none', _, [access(read)]), [], throws(existence_error(source_sink, 'tests/none'))).
t(file_missing_fails, absolute_file_name('tests/none', _, [access(read), file_errors(fail)]), [], fails).
t(file_is_directory, absolute_file_name('tests/prolog', _, [access(read)]), [], throws(existence_error(source_sink, _))).
t(file_relative, absolute_file_name('../f', P, [relative_to('/usr/lib')]), [P], answers([['/usr/f']])).
t(file_relative_to_file, absolute_file_name(f, P, [relative_to('/usr/lib/none')]), [P], answers([['/usr/lib/f']])).
t(file_parts, ( absolute_file_name(tests/prolog/run, P, [extensions(['', pl]), access(read)]), lib_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_alias, ( absolute_file_name(lib_tests(run), P, [extensions([pl]), access(read)]), lib_ends(P, '/tests/prolog/run.pl') ), [], answers([[]])).
t(file_alias_of_alias, ( absolute_file_name(lib_modules(shapes), P, [file_type(prolog), access(read)]), lib_ends(P, '/modules/shapes.pl') ), [], answers([[]])).
t(file_alias_short, ( absolute_file_name(lib_tests(run), P), lib_ends(P, '/tests/prolog/run') ), [], answers([[]])).
t(file_no_alias, absolute_file_name(lib_none(run), _, [access(read)]), [], throws(existence_error(source_sink, lib_none(run)))).
t(file_unbound, absolute_file_name(_, _, []), [], throws(instantiation_error)).
t(file_number, absolute_file_name(1, _, []), [], throws(type_error(text, 1))).
t(file_access_mode, absolute_file_name(f, _, [access(foo)]), [], throws(domain_error(io_mode, foo))).
t(directory_file, directory_file_path(a, b, P), [P], answers([['a/b']])).
t(relative_file, relative_file_name('/a/b/c.pl', '/a/d/e.pl', R), [R], answers([['../b/c.pl']])).

% Trees that are none, and parts of trees

t(rb_unbound, rb_visit(_, _), [], throws(existence_error(matching_rule, rbtrees:rb_visit(_, _)))).
t(rb_min_unbound, rb_min(_, _, _), [], throws(existence_error(matching_rule, _))).
t(rb_in_unbound, rb_in(_, _, _), [], throws(existence_error(matching_rule, _))).
t(rb_lookup_no_tree, rb_lookup(a, _, t), [], throws(existence_error(matching_rule, _))).
t(rb_insert_no_tree, rb_insert(t, a, 1, _), [], throws(existence_error(matching_rule, _))).
t(rb_delete_unbound, rb_delete(_, a, _), [], throws(existence_error(matching_rule, _))).
t(rb_list_unbound, list_to_rbtree(_, _), [], throws(instantiation_error)).
t(rb_partial_map, ( list_to_rbtree([a-1, b-2, c-3, d-4], T), rb_partial_map(T, [a, c], succ, T1), rb_visit(T1, L) ), [L],
  answers([[[a-2, b-2, c-4, d-4]]])).
t(rb_partial_map_all, ( numlist(1, 40, Ks), findall(K-K, member(K, Ks), Ps), list_to_rbtree(Ps, T), rb_partial_map(T, Ks, succ, T1),
                        rb_visit(T1, L), forall(member(K-V, L), V =:= K+1), length(L, N) ), [N], answers([[40]])).
t(rb_partial_map_none, ( list_to_rbtree([a-1], T), rb_partial_map(T, [], succ, T1), rb_visit(T1, L) ), [L], answers([[[a-1]]])).
t(rb_partial_map_unordered, ( list_to_rbtree([a-1, b-2, c-3], T), rb_partial_map(T, [c, a], succ, _) ), [], fails).
t(rb_partial_map_absent, ( list_to_rbtree([a-1, c-3], T), rb_partial_map(T, [b], succ, _) ), [], fails).
t(rb_map_nondet, ( list_to_rbtree([a-1, b-2], T), rb_map(T, lib_either, T1), rb_visit(T1, L) ), [L],
  answers([[[a-1, b-2]], [[a-1, b- -2]], [[a- -1, b-2]], [[a- -1, b- -2]]])).

lib_either(X, X).
lib_either(X, Y) :- Y is -X.

% Hash tables

t(ht_empty, ( use_module(library(hashtable)), ht_new(T), ht_size(T, N), \+ ht_get(T, a, _), \+ ht_del(T, a, _) ), [N], answers([[0]])).
t(ht_put, ( ht_new(T), ht_put(T, a, 1), ht_put(T, b, 2), ht_put(T, a, 3), ht_get(T, a, X), ht_size(T, N) ), [X, N], answers([[3, 2]])).
t(ht_many, ( ht_new(T), forall(between(1, 3, _), true), numlist(1, 1000, L), lib_put_all(L, T), ht_size(T, N), ht_get(T, 777, X),
             ht_keys(T, Ks), sort(Ks, L) ), [N, X], answers([[1000, v(777)]])).
t(ht_undone, ( ht_new(T), ( ht_put(T, a, 1), fail ; true ), ht_size(T, N) ), [N], answers([[0]])).
t(ht_put5, ( ht_new(T), ht_put(T, k, [a|R0], [], R0), ht_put(T, k, [b|R1], [], R1), ht_get(T, k, L) ), [L], answers([[[b, a]]])).
t(ht_put_new, ( ht_new(T), ht_put_new(T, a, 1), \+ ht_put_new(T, a, 2), ht_get(T, a, X) ), [X], answers([[1]])).
t(ht_update, ( ht_pairs(T, [a-1]), ht_update(T, a, Old, New), New is Old+1, ht_get(T, a, X), \+ ht_update(T, b, _, _) ), [X], answers([[2]])).
t(ht_del, ( ht_pairs(T, [a-1, b-2]), ht_del(T, a, V), ht_pairs(T, L) ), [V, L], answers([[1, [b-2]]])).
t(ht_compound_key, ( ht_pairs(T, [f(x)-1, "s"-2, 1.5-3]), ht_get(T, f(x), A), ht_get(T, "s", B), ht_get(T, 1.5, C) ), [A, B, C],
  answers([[1, 2, 3]])).
t(ht_unbound_key, ( ht_new(T), ht_get(T, _, _) ), [], fails).

lib_put_all([], _).
lib_put_all([K|Ks], T) :- ht_put(T, K, v(K)), lib_put_all(Ks, T).

% Signals to the caller

:- use_module(library(intercept)).

t(intercept_copy, intercept(send_signal(x), X, Y = X), [Y], answers([[_]])).
t(intercept_argument, intercept(send_signal(x), X, =(X), Y), [Y], answers([[x]])).
t(intercept_other, intercept(intercept(send_signal(a), b, write(in)), C, write(out(C))), [], output("out(a)")).
t(intercept_none, send_signal(a), [], throws(unintercepted_signal(a))).
t(intercept_silent, send_silent_signal(a), [], answers([[]])).
t(intercept_after, ( intercept(true, a, true), send_signal(a) ), [], throws(unintercepted_signal(a))).
t(intercept_redo, ( intercept(( X = 1 ; X = 2, send_signal(s(X)) ), s(Y), write(Y)), X == 2 ), [], output("2")).
t(intercept_all, intercept_all(X, ( between(1, 2, M), lib_send(1, M) ), e(X), L), [L], answers([[[1]], [[1, 2]]])).
t(nb_intercept_all, nb_intercept_all(X, forall(between(1, 3, I), send_signal(e(I))), e(X), L), [L], answers([[[1, 2, 3]]])).

lib_send(I, M) :- I > M, !.
lib_send(I, M) :- send_signal(e(I)), I1 is I+1, lib_send(I1, M).

% UTF-8

t(utf8_encode, ( phrase(utf8_codes([0'a, 0xe9, 0x20ac, 0x10ffff]), L) ), [L],
  answers([[[0'a, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf4, 0x8f, 0xbf, 0xbf]]])).
t(utf8_decode, phrase(utf8_codes(L), [0'a, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x90, 0x80, 0x80]), [L],
  prefix([[[0'a, 0xe9, 0x20ac, 0x10000]]])).

% Lines

t(lines_empty_last, ( string_lines("ab\n", ["ab"]), string_lines("ab\n", ["ab", ""]), string_lines("ab\n\n", ["ab", ""]) ), [],
  answers([[]])).
t(lines_of_text, string_lines("\nab\n", L), [L], answers([[["", "ab"]]])).
t(dedent_tabs, dedent_lines("  a\n\tb", T, []), [T], answers([["  a\n\tb"]])).
t(dedent_tabs_common, dedent_lines("  \ta\n  \t  b", T, []), [T], answers([["a\n  b"]])).
t(dedent_tab_columns, dedent_lines("  a\n\tb", T, [tab(4)]), [T], answers([["a\n  b"]])).
t(dedent_blank_lines, dedent_lines("  a\n   \n b\n\n", T, []), [T], answers([[" a\n  \nb\n\n"]])).
t(dedent_only_blanks, dedent_lines("  \n ", T, []), [T], answers([["\n"]])).
t(indent_all, indent_lines([_]>>true, "> ", "a\n\nb\n", T), [T], answers([["> a\n> \n> b\n"]])).

% Arguments of the command line

lib_args:opt_type(n, number, integer).
lib_args:opt_type(verbose, verbose, boolean).
lib_args:opt_type(quiet, quiet, boolean(false)).
lib_args:opt_type(q, quiet, boolean(false)).
lib_args:opt_type(dice, dice, between(1, 6)).
lib_args:opt_type(percent, percent, between(0.0, 100.0)).
lib_args:opt_type(t, term, term([variable_names(_)])).

t(argv_typed, lib_args:argv_options(['-n', '42', a, '--verbose', '--dice=3', '--percent', '50', b], P, O, []), [P, O],
  answers([[[a, b], [number(42), verbose(true), dice(3), percent(50.0)]]])).
t(argv_negated, lib_args:argv_options(['-q', '--no-verbose', '--noverbose', '--no-quiet', '--quiet=true'], _, O, []), [O],
  answers([[[quiet(false), verbose(false), verbose(false), quiet(true), quiet(true)]]])).
t(argv_attached, lib_args:argv_options(['-n42'], P, O, []), [P, O], answers([[[], [number(42)]]])).
t(argv_term, lib_args:argv_options(['-t', 'p(X)'], _, [term(T-B)], []), [T, B], answers([[p(X), ['X' = X]]])).
t(argv_bad_value, lib_args:argv_options(['-n', x], _, _, []), [], throws(opt_error(value_type(n, integer, x)))).
t(argv_bad_range, lib_args:argv_options(['--dice', '7'], _, _, []), [], throws(opt_error(value_type(dice, between(1, 6), '7')))).
t(argv_first, lib_args:argv_options(['-n', '1', a, '-n', '2'], P, O, [options_after_arguments(false)]), [P, O],
  answers([[[a, '-n', '2'], [number(1)]]])).

% Sets, heaps, options, grammar rules and dates as they are elsewhere

:- use_module(library(base32)).
:- use_module(library(dcg/basics)).
:- use_module(library(heaps)).
:- use_module(library(oset)).
:- use_module(library(prolog_code)).

t(power_shares, ( oset_power([X, Y], P), maplist(length, P, Ls), term_variables(P, Vs), sort(Vs, Us), sort([X, Y], Us) ), [Ls],
  answers([[[0, 1, 2, 1]]])).
t(power_ground, oset_power([a, b, c], P), [P], answers([[[[], [a], [a, b], [a, b, c], [a, c], [b], [b, c], [c]]]])).
t(heap_equal_1, ( list_to_heap([a-1, a-2, a-3], H), heap_to_list(H, L) ), [L], answers([[[a-3, a-2, a-1]]])).
t(heap_equal_2, ( findall(P-I, ( between(1, 12, I), P is I * 7 mod 3 ), Ps), list_to_heap(Ps, H), heap_to_list(H, L) ), [L],
  answers([[[0-12, 0-9, 0-6, 0-3, 1-1, 1-4, 1-7, 1-10, 2-11, 2-8, 2-2, 2-5]]])).
t(heap_equal_3, ( list_to_heap([2-a, 1-b, 2-c, 1-d, 1-e, 2-f], H), get_from_heap(H, P, K, H1), add_to_heap(H1, 1, z, H2), min_of_heap(H2, Q, L), heap_to_list(H2, R) ),
  [P, K, Q, L, R], answers([[1, e, 1, z, [1-z, 1-d, 1-b, 2-a, 2-c, 2-f]]])).
t(heap_merge_equal, ( list_to_heap([1-a, 1-b], H1), list_to_heap([1-c, 2-d], H2), merge_heaps(H1, H2, H), heap_to_list(H, L) ), [L],
  answers([[[1-c, 1-b, 1-a, 2-d]]])).
t(heap_delete_any, ( list_to_heap([b-2, a-1, a-3], H), delete_from_heap(H, P, K, H1), heap_to_list(H1, L) ), [P, K, L], answers([[a, 3, [a-1, b-2]]])).
t(heap_delete_least, ( list_to_heap([c-x, a-x, b-y], H), delete_from_heap(H, P, x, H1), heap_to_list(H1, L) ), [P, L], answers([[a, [b-y, c-x]]])).
t(heap_delete_priority, ( list_to_heap([c-x, a-x, b-y], H), delete_from_heap(H, c, K, H1), heap_to_list(H1, L) ), [K, L], answers([[x, [a-x, b-y]]])).
t(heap_delete_none, ( list_to_heap([c-x, a-x], H), delete_from_heap(H, _, z, _) ), [], fails).
t(rb_no_pairs, ( catch(list_to_rbtree([a, b], _), error(_, _), true), catch(ord_list_to_rbtree([a, b], _), error(_, _), true) ), [], answers([[]])).
t(rb_partial_list, list_to_rbtree([a-1|_], _), [], throws(instantiation_error)).
t(rb_partial_ordered, ord_list_to_rbtree([a-1|_], _), [], throws(instantiation_error)).
t(rb_no_tree, rb_lookup(a, _, _), [], throws(existence_error(matching_rule, _))).
t(merge_no_old, merge_options([b(1), a(2), b(3)], [], L), [L], answers([[[b(1), a(2), b(3)]]])).
t(merge_no_new, merge_options([], [b=1, a(2), b(3)], L), [L], answers([[[b(1), a(2), b(3)]]])).
t(merge_both, merge_options([c(1), a(2)], [b(1), a(3)], L), [L], answers([[[a(2), b(1), c(1)]]])).
t(digit_enumerated, findall(D, phrase(digit(D), _), Ds), [Ds], answers([[`0123456789`]])).
t(digit_of_other, phrase(digit(_), [0x661]), [], fails).
t(xdigit_enumerated, findall(W-C, phrase(xdigit(W), [C]), L), [L],
  answers([[[0-48, 1-49, 2-50, 3-51, 4-52, 5-53, 6-54, 7-55, 8-56, 9-57, 10-65, 11-66, 12-67, 13-68, 14-69, 15-70,
             10-97, 11-98, 12-99, 13-100, 14-101, 15-102]]])).
t(xdigit_written, phrase(xdigit(11), L), [L], answers([[`b`]])).
t(float_of_integer, phrase(float(1), _), [], fails).
t(float_written, ( phrase(float(1.5), L), atom_codes(A, L) ), [A], answers([['1.5']])).
t(base32_bytes, base32('é', X), [X], answers([['5E======']])).
t(base32_back, ( base32('h\xE9\llo', X), base32(Y, X) ), [Y], answers([['h\xE9\llo']])).
t(calls_of_variable, ( findall(G, body_term_calls((a, _), G), L), length(L, N) ), [N], answers([[3]])).
t(value_of_day, date_time_value(year, date(2020, 1, 2), _), [], fails).
t(year_day_month_13, day_of_the_year(date(2020, 13, 1), D), [D], answers([[1]])).
t(year_day_before, day_of_the_year(date(2020, 1, -5), D), [D], answers([[360]])).
t(year_day_zero, day_of_the_year(date(2020, 0, 0), D), [D], answers([[334]])).
t(week_day_of_time, day_of_the_week(date(2020, 1, 1, 0, 0, 0, 0, -, -), _), [], fails).
t(parse_week_alone, parse_time('2020-W09', _), [], fails).
t(parse_week_basic, parse_time('2020W09', S), [S], answers([[1582502400.0]])).
t(parse_month_alone, parse_time('2020-02', S), [S], answers([[1580428800.0]])).
t(parse_month_with_time, parse_time('2020-02T10:00', _), [], fails).
