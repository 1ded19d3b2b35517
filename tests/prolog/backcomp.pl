% library(backcomp): old names.

:- use_module(library(backcomp)).

t(concat_atom, ( concat_atom([a, b, 1], X), concat_atom([a, b], '-', Y), concat_atom(Z, '-', 'a-b') ), [X, Y, Z], answers([[ab1, 'a-b', [a, b]]])).
t(concat, concat(a, 1, X), [X], answers([[a1]])).
t(c_3, 'C'([a, b], X, R), [X, R], answers([[a, [b]]])).
t(checklist, checklist(atom, [a, b]), [], answers([[]])).
t(sublist, sublist(atom, [a, 1, b], L), [L], answers([[[a, b]]])).
t(write_ln, write_ln(a), [], output("a\n")).
t(proper_list, proper_list([a|_]), [], fails).
t(free_variables, free_variables(f(X, Y, X), L), [X, Y, L], answers([[A, B, [A, B]]])).
t(merge, merge([a, c], [b, c], L), [L], answers([[[a, b, c, c]]])).
t(merge_set, merge_set([a, c], [b, c], L), [L], answers([[[a, b, c]]])).

t(displayq, displayq('A' + [b]), [], output("+('A',[b])")).
t(cleanup_catcher, setup_and_call_cleanup(true, true, C, ( print(C), nl )), [C], output("exit\n")).
t(sformat, ( sformat(S, "~w", [a]), sformat(T, "abc") ), [S, T], answers([["a", "abc"]])).
t(string_to_list, ( string_to_list(S, `abc`), string_to_list(abc, L) ), [S, L], answers([["abc", [97, 98, 99]]])).
t(substring, ( substring(abcde, 1, 2, S), substring("abcde", 2, 3, T) ), [S, T], answers([["ab", "bcd"]])).
t(read_variables, ( open_string("f(X, Y).", Stream), read_variables(Stream, T, Vs), close(Stream) ), [T, Vs], answers([[f(A, B), ['X'=A, 'Y'=B]]])).
t(current_thread, current_thread(main, S), [S], answers([[running]])).
t(message_queue_size, message_queue_size(main, N), [N], answers([[0]])).
t(features, ( set_feature(more_feature, 1), feature(more_feature, A), set_feature(more_feature, 2), feature(more_feature, B), feature(bounded, C) ), [A, B, C], answers([[1, 2, false]])).
t(current_thread_none, current_thread(bc_no_such_thread, _), [], fails).
