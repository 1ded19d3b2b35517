% library(settings).

:- use_module(library(settings)).
:- use_module(library(readutil)).

:- setting(port, integer, 8080, 'The port').
:- setting(name, atom, 'abc', 'The name').
:- setting(list, list(integer), [1,2], 'A list').
:- setting(option, oneof([a,b]), a, 'One of two').
:- setting(expression, integer, 2*3, 'An expression').
:- setting(environment, integer, env('NO_SUCH_VARIABLE', 7), 'From the environment').
:- setting(anything, any, foo(bar), 'Anything').
:- setting(flag, boolean, true, 'A flag').
:- setting(sum, atom, a+b, 'Two texts').
:- setting(other, integer, setting(port), 'As another').

settings_saved(Text) :-
    tmp_file_stream(File, Stream, [encoding(utf8)]), close(Stream),
    save_settings(File),
    read_file_to_string(File, Whole, []),
    delete_file(File),
    sub_string(Whole, Before, _, _, "*/"), !,
    sub_string(Whole, Before, _, 0, Text).

settings_loaded(Text, Options) :-
    tmp_file_stream(File, Stream, [encoding(utf8)]), write(Stream, Text), close(Stream),
    load_settings(File, Options),
    delete_file(File).

t(setting_get, ( setting(port, A), setting(user:name, B), setting(expression, C), setting(environment, D), setting(sum, E) ), [A, B, C, D, E], answers([[8080, abc, 6, 7, ab]])).
t(setting_enumerate, setting(N, V), [N, V], answers([[port, 8080], [name, abc], [list, [1, 2]], [option, a], [expression, 6], [environment, 7], [anything, foo(bar)], [flag, true], [sum, ab], [other, 8080]])).
t(setting_follows, ( set_setting(port, 9), setting(other, A), setting_property(other, default(B)), restore_setting(port), setting(other, C), setenv('NO_SUCH_VARIABLE', 6), setting(environment, D), unsetenv('NO_SUCH_VARIABLE') ), [A, B, C, D],
  answers([[9, 9, 8080, 6]])).
t(setting_check, setting(port, 8080), [], answers([[]])).
t(setting_other_value, setting(port, 1), [], fails).
t(setting_unknown, setting(nope, _), [], throws(existence_error(setting, user:nope))).
t(setting_set, ( set_setting(port, 9), setting(port, X), restore_setting(port), setting(port, Y) ), [X, Y], answers([[9, 8080]])).
t(setting_set_type, set_setting(port, a), [], throws(type_error(integer, a))).
t(setting_set_oneof, set_setting(option, c), [], throws(type_error(oneof([a, b]), c))).
t(setting_set_list, set_setting(list, [a]), [], throws(type_error(integer, a))).
t(setting_set_unknown, set_setting(nope, a), [], throws(existence_error(setting, nope))).
t(setting_set_unbound, set_setting(_, a), [], throws(instantiation_error)).
t(setting_set_expression, set_setting(expression, 3*4), [], throws(type_error(integer, 3*4))).
t(setting_default_set, ( set_setting(port, 9), set_setting_default(port, 10), setting(port, A), restore_setting(port), setting(port, B), set_setting_default(port, 8080) ), [A, B], answers([[10, 10]])).
t(setting_default_unknown, set_setting_default(nope, 1), [], throws(existence_error(setting, user:nope))).
t(setting_current, findall(S, current_setting(S), L), [S, L], answers([[_, [port, name, list, option, expression, environment, anything, flag, sum, other]]])).
t(setting_current_check, ( current_setting(port), current_setting(user:name) ), [], answers([[]])).
t(setting_current_unknown, current_setting(nope), [], fails).
t(setting_not_directive, setting(dynamic_one, integer, 1, 'Too late'), [], throws(context_error(nodirective, setting(user:dynamic_one, integer, 1, 'Too late')))).
% What defaults say: declared in a text that is loaded, since setting/4 is a directive.
defaults_tried(Defaults, Values) :-
    findall(Value, ( nth1(N, Defaults, Type-Default), default_tried(N, Type, Default, Value) ), Values).
default_tried(N, Type, Default, Value) :-
    atom_concat('/tried/', N, Name),
    format(string(Text), "~q.~n", [(:- tried(Name, Type, Default))]),
    setup_call_cleanup(open_string(Text, Stream), load_files(Name, [stream(Stream), module(tried_defaults)]), close(Stream)),
    retract(tried_as(Value)),
    unload_file(Name).
:- dynamic(tried_as/1).
tried(Name, Type, Default) :-
    catch(( settings:setting(tried_defaults:Name, Type, Default, "tried"), setting(tried_defaults:Name, Value) ), error(Value, _), true),
    assertz(tried_as(Value)).
t(default_computed, ( setenv('SAMITE_TRIED', '2.5'),
    defaults_tried([integer-(7/2), nonneg-(1+2), float-(1+2), between(1, 5)-(7/2), between(1.0, 5.0)-(2+2), integer-(env('SAMITE_TRIED')+1), float-(pi*2-pi*2),
                    integer-(2*env('NO_SUCH_VARIABLE', 1+1)), list(integer)-[1+1, 3], list(atom)-[a+b, c], list(any)-[1+1, env('NO_SUCH_VARIABLE', x)]], Vs) ), [Vs],
    answers([[[4, 3, 3.0, 4, 4.0, 4, 0.0, 4, [2, 3], [ab, c], [1+1, x]]]])).
t(default_not_computed, defaults_tried([number-(1+2), rational-(1+1), positive_integer-(1+2), negative_integer-(1-2), number-pi, nonneg-(1-2), float-1,
                                        integer-env('NO_SUCH_VARIABLE', 1+1), atom-(x-y), number-(setting(user:port)*2)], Vs), [Vs],
    answers([[[type_error(number, 1+2), type_error(rational, 1+1), type_error(positive_integer, 1+2), type_error(negative_integer, 1-2), type_error(number, pi),
               type_error(nonneg, -1), type_error(float, 1), type_error(integer, 1+1), type_error(atom, x-y), type_error(number, setting(user:port)*2)]]])).
t(default_of_a_setting, defaults_tried([number-setting(user:port), integer-(setting(user:port)*2), integer-(nope+1), integer-setting(user:nope)], Vs), [Vs],
    answers([[[8080, type_error(evaluable, port/0), type_error(evaluable, nope/0), existence_error(setting, user:nope)]]])).
t(setting_list, list_settings, [], output("========================================================================\nName                      Value (*=modified) Comment\n========================================================================\nuser:port                 8080           The port\nuser:name                 abc            The name\nuser:list                 [1,2]          A list\nuser:option               a              One of two\nuser:expression           6              An expression\nuser:environment          7              From the environment\nuser:anything             foo(bar)       Anything\nuser:flag                 true           A flag\nuser:sum                  ab             Two texts\nuser:other                8080           As another\n")).
t(setting_list_modified, ( set_setting(list, [3]), list_settings(user), restore_setting(list) ), [], output("========================================================================\nName                      Value (*=modified) Comment\n========================================================================\nuser:port                 8080           The port\nuser:name                 abc            The name\nuser:list                 [3]*           A list\nuser:option               a              One of two\nuser:expression           6              An expression\nuser:environment          7              From the environment\nuser:anything             foo(bar)       Anything\nuser:flag                 true           A flag\nuser:sum                  ab             Two texts\nuser:other                8080           As another\n")).
t(setting_save_nothing, settings_saved(T), [T], answers([["*/\n\n"]])).
t(setting_save, ( set_setting(port, 99), set_setting(name, 'a b'), settings_saved(T), restore_setting(port), restore_setting(name) ), [T], answers([["*/\n\n\n%\tThe port\nsetting(user:port, 99).\n\n%\tThe name\nsetting(user:name, 'a b').\n"]])).
t(setting_load, ( settings_loaded("setting(user:port, 5).\nsetting(user:unknown, 7).\n", []), setting(port, X), restore_setting(port) ), [X], answers([[5]])).
t(setting_load_no_file, load_settings('/no/such/file'), [], answers([[]])).
t(convert_integer, ( convert_setting_text(integer, '12', A), convert_setting_text(float, '1', B), convert_setting_text(between(1, 3), "2", C) ), [A, B, C], answers([[12, 1.0, 2]])).
t(convert_text, ( convert_setting_text(atom, '12', A), convert_setting_text(oneof([a]), a, B), convert_setting_text(list(integer), '[1,2]', C), convert_setting_text(any, 'f(x)', D) ), [A, B, C, D], answers([['12', a, [1, 2], f(x)]])).
t(convert_no_integer, convert_setting_text(integer, foo, _), [], throws(type_error(evaluable, foo/0))).
t(convert_no_boolean, convert_setting_text(boolean, yes, _), [], throws(type_error(boolean, yes))).
t(convert_out_of_range, convert_setting_text(between(1, 3), '5', _), [], throws(type_error(between(1, 3), 5))).
t(convert_not_one_of, convert_setting_text(oneof([a]), b, _), [], throws(type_error(oneof([a]), b))).
t(convert_no_type, convert_setting_text(no_such_type, foo, _), [], throws(existence_error(type, no_such_type))).

