% What programs ask the system about itself: expand_file_search_path/2, default_module/2, random_property/1, setlocale/3, source_exports/2 and their like.

:- multifile user:file_search_path/2.
:- dynamic user:file_search_path/2.
user:file_search_path(asked, '/foo').
user:file_search_path(asked, "/bar/").
user:file_search_path(asked_of, asked(z)).
user:file_search_path(asked_relative, a/b).
user:file_search_path(asked_itself, asked_itself(x)).

t(alias, expand_file_search_path(asked(a), P), [P], answers([['/foo/a'], ['/bar/a']])).
t(alias_path, expand_file_search_path(asked(a/"b"), P), [P], answers([['/foo/a/b'], ['/bar/a/b']])).
t(alias_of_alias, expand_file_search_path(asked_of(a), P), [P], answers([['/foo/z/a'], ['/bar/z/a']])).
t(alias_relative, expand_file_search_path(asked_relative(a), P), [P], answers([['a/b/a']])).
t(alias_dot, expand_file_search_path(asked('.'), P), [P], answers([['/foo'], ["/bar/"]])).
t(alias_unknown, expand_file_search_path(no_alias(a), _), [], fails).
t(alias_in_alias, expand_file_search_path(asked(asked(a)), _), [], fails).
t(no_alias, ( expand_file_search_path(foo, A), expand_file_search_path(foo/bar, B), expand_file_search_path("foo", C) ), [A, B, C], answers([[foo, 'foo/bar', "foo"]])).
t(alias_unbound, expand_file_search_path(_, _), [], throws(instantiation_error)).
t(alias_endless, expand_file_search_path(asked_itself(a), _), [], throws(loop_error(asked_itself(a)))).

t(default_user, default_module(user, M), [M], answers([[user], [system]])).
t(default_new, default_module(asked_module, M), [M], answers([[asked_module], [user], [system]])).
t(default_twice, ( add_import_module(asked_other, asked_third, start), default_module(asked_other, M) ), [M], answers([[asked_other], [asked_third], [user], [system]])).
t(default_check, default_module(user, nope), [], fails).
t(default_unbound, default_module(_, system), [], throws(instantiation_error)).
t(default_none, default_module(1, _), [], throws(type_error(module, 1))).

numbers(L) :- findall(N, ( between(1, 5, _), N is random(1000000) ), L).
t(random_state, ( random_property(state(S)), integer(S), numbers(L), set_random(state(S)), numbers(M), ( L == M -> Same = yes ; Same = no ) ), [Same], answers([[yes]])).
t(random_state_of_library, ( getrand(S), numbers(L), setrand(S), numbers(M), ( L == M -> Same = yes ; Same = no ) ), [Same], answers([[yes]])).
t(random_no_property, random_property(foo), [], fails).
t(random_state_none, set_random(state(foo)), [], throws(type_error(state, foo))).
t(random_state_unbound, set_random(state(_)), [], throws(instantiation_error)).

t(var_number, findall(N, ( member(T, ['$VAR'(1), '$VAR'(-1), '$VAR'('Foo'), '$VAR'(1.5), '$VAR'("s"), '$VAR'(_), a, _]), var_number(T, N) ), Ns), [Ns], answers([[[1, -1, 'Foo']]])).

t(locale, ( setlocale(numeric, Old, Old), setlocale(numeric, Was, 'C') ), [Old, Was], answers([['C', 'C']])).
t(locale_other, setlocale(time, foo, 'C'), [], fails).
t(locale_none, setlocale(collate, _, nope), [], throws(existence_error(locale, nope))).
t(locale_category, setlocale(nope, _, nope), [], throws(domain_error(category, nope))).
t(locale_unbound, setlocale(_, _, nope), [], throws(instantiation_error)).
t(locale_type, setlocale(time, _, 1), [], throws(type_error(atom, 1))).

written(Text, File) :- tmp_file_stream(text, File, S), write(S, Text), close(S).
t(exports, ( written("#!/usr/bin/env samite\n:- module(m, [foo/1, op(700, xfx, ===>), bar//2]).\n", F), findall(E, source_exports(F, E), Es), delete_file(F) ), [Es], answers([[[foo/1, op(700, xfx, ===>), bar//2]]])).
t(exports_none, ( written("x.\n", F), findall(E, source_exports(F, E), Es), delete_file(F) ), [Es], answers([[[]]])).
t(exports_library, source_exports(library(lists), append/3), [], answers([[]])).
t(exports_nowhere, source_exports(no_such_file, _), [], fails).
t(exports_unbound, source_exports(_, _), [], throws(instantiation_error)).

t(file_end, ( tmp_file_stream(text, F, S), write(S, abcdefghij), seek(S, 3, bof, _), set_end_of_stream(S), write(S, k), close(S), read_file_to_string(F, T, []), delete_file(F) ), [T], answers([["abck"]])).
t(file_end_updated, ( written(abcdef, F), open(F, update, S), write(S, xy), set_end_of_stream(S), close(S), read_file_to_string(F, T, []), delete_file(F) ), [T], answers([["xy"]])).
t(file_end_input, ( open_string("abc", S), catch(set_end_of_stream(S), error(permission_error(A, B, S), _), true), close(S) ), [A, B], answers([[set_end_of_stream, stream]])).
t(file_end_unbound, set_end_of_stream(_), [], throws(instantiation_error)).

t(script_not, prolog_load_context(script, B), [B], answers([[false]])).
t(nothing_to_do, ( trim_heap, noprotocol, \+ protocolling(_) ), [], answers([[]])).
t(refused, findall(PI, ( member(PI, [qcompile/1, qcompile/2, make_library_index/1, make_library_index/2, autoload_path/1, autoload_path/2, protocol/1, protocola/1]), PI = N/A, functor(G, N, A), catch(G, error(existence_error(procedure, PI), _), fail) ), L), [L], answers([[[]]])).
