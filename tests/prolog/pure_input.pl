% Grammars on files and streams: library(pure_input).

:- use_module(library(pure_input)).
:- use_module(library(dcg/basics)).

% Goal with a file of this text.
pi_file(Text, File, Goal) :-
    setup_call_cleanup(
        ( tmp_file_stream(utf8, File, Out), write(Out, Text), close(Out) ),
        Goal,
        delete_file(File)).

pi_text(T) :- atom_codes(T, [0'a, 0'b, 0'\n, 0'c, 0'd, 0'\n, 0'\t, 0'x, 0'y, 0'\n, 0'l]).

pi_all(A) --> string(Cs), eos, { atom_codes(A, Cs) }.

pi_first(X) --> [X], remainder(_).
pi_first(X) --> [_, X], remainder(_).

pi_at(N, Where) --> { length(L, N) }, L, lazy_list_location(Where), remainder(_).

pi_places([Line-Column-Count|Ps]) -->
    lazy_list_location(file(_, Line, Column, Count)), [_], !,
    pi_places(Ps).
pi_places([]) --> [].

pi_back(A, B, C) -->
    lazy_list_location(file(_, _, _, A)),
    (   [_, _, _], lazy_list_location(file(_, _, _, B)), { fail }
    ;   [_], lazy_list_location(file(_, _, _, B))
    ),
    lazy_list_character_count(C), remainder(_).

pi_fails(N) --> { length(L, N) }, L, syntax_error(bad(N)).

% A grammar on another stream within one.
pi_nested(File, A, In, B) -->
    [_], lazy_list_character_count(A),
    { phrase_from_file(pi_at(2, file(_, _, _, In)), File) },
    [_], lazy_list_character_count(B), remainder(_).

t(all, ( pi_text(T), pi_file(T, F, phrase_from_file(pi_all(A), F)), A == T ), [], answers([[]])).
t(empty, pi_file('', F, phrase_from_file(pi_all(A), F)), [A], answers([['']])).
t(nondeterministic, pi_file(xy, F, findall(X, phrase_from_file(pi_first(X), F), L)), [L], answers([[[0'x, 0'y]]])).
t(not_all, pi_file(xy, F, phrase_from_file("x", F)), [], fails).
t(no_file, phrase_from_file(pi_all(_), 'no such file'), [], throws(existence_error(source_sink, 'no such file'))).
t(no_grammar, pi_file(xy, F, phrase_from_file(_, F)), [], throws(instantiation_error)).
t(encoding, pi_file('ä', F, phrase_from_file(pi_all(A), F, [encoding(octet)])), [A], answers([['Ã¤']])).
t(buffer_size, pi_file(xy, F, phrase_from_file(pi_all(A), F, [buffer_size(1)])), [A], answers([[xy]])).
t(closed, ( pi_file(xy, F, ignore(phrase_from_file("x", F))), \+ ( stream_property(S, file_name(F)), stream_property(S, input) ) ), [], answers([[]])).
t(places, ( pi_text(T), pi_file(T, F, phrase_from_file(( pi_places(Ps0), remainder(_) ), F)), length(Ps, 10), append(Ps, _, Ps0) ), [Ps], answers([[[1-0-0, 1-1-1, 1-2-2, 2-0-3, 2-1-4, 2-2-5, 3-0-6, 3-8-7, 3-9-8, 3-10-9]]])).
t(places_going_back, pi_file(abcdef, F, phrase_from_file(pi_back(A, B, C), F)), [A, B, C], answers([[0, 1, 1]])).
t(nested, pi_file(abcdef, F, phrase_from_file(pi_nested(F, A, In, B), F)), [A, In, B], answers([[1, 2, 2]])).
t(nested_redone, pi_file(abc, F, findall(X-Y, ( phrase_from_file(pi_first(_), F), phrase(lazy_list_location(X), [a], _), phrase_from_file(pi_at(1, file(_, _, _, Y)), F) ), L)), [L], answers([[[(end_of_file-1)-1, (end_of_file-1)-1]]])).
t(no_stream, ( atom_codes(abc, Cs), phrase(pi_at(1, W), Cs) ), [W], prefix([[end_of_file-2]])).
t(error, ( pi_text(T), pi_file(T, F, catch(phrase_from_file(pi_fails(4), F), error(E, file(F, L, C, N)), true)) ), [E, L, C, N], answers([[syntax_error(bad(4)), 2, 1, 4]])).
t(error_on_codes, ( atom_codes(abc, Cs), catch(phrase(pi_fails(1), Cs), error(E, W), true) ), [E, W], answers([[syntax_error(bad(1)), end_of_file-2]])).
t(stream, ( open_string("abc\ndef", S), get_char(S, _), phrase_from_stream(pi_at(4, W), S), at_end_of_stream(S), close(S), W = stream(S0, L, C, N), S0 == S ), [L, C, N], answers([[2, 1, 5]])).
t(list_of_stream, ( open_string("abc", S), stream_to_lazy_list(S, Cs), close(S), Cs = [_|Cs1], phrase(lazy_list_character_count(N), Cs1, _) ), [N], answers([[1]])).
% The time of one walk for all places.
t(many_places, ( run_size(20000, Size), numlist(1, Size, Ns), atomic_list_concat(Ns, T), atom_length(T, N), pi_file(T, F, phrase_from_file(( pi_places(Ps), remainder(_) ), F)), length(Ps, M), M >= N ), [], answers([[]])).
