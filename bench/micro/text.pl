% Text: atoms, strings, codes, what takes them apart, puts them together, reads and writes them.

:- use_module(library(uri)).

long_text(N, String) :-
    numlist(1, N, Is),
    atomic_list_concat(Is, ' ', Atom),
    atom_string(Atom, String).

long_atom(N, Atom) :- numlist(1, N, Is), atomic_list_concat(Is, ' ', Atom).

wide_atom(N, Atom) :- numlist(1, N, Is), atomic_list_concat(Is, ' \u03bb', Atom).

times(0, _) :- !.
times(N, G) :- \+ \+ G, N1 is N-1, times(N1, G).

% atoms
operation(new_atoms, 30000).
work(new_atoms, N, _, L) :- new_atoms(N, 0, L).

new_atoms(0, L, L) :- !.
new_atoms(N, L0, L) :- atom_concat(new_atom_, N, A), atom_length(A, K), L1 is L0+K, N1 is N-1, new_atoms(N1, L1, L).

operation(atom_length, 100000).
work(atom_length, N, _, L) :- times(N, atom_length('some text or other', _)), atom_length('some text or other', L).

operation(atom_codes, 30000).
work(atom_codes, N, _, L) :- times(N, ( atom_codes('some text or other', Cs), atom_codes(_, Cs) )), atom_codes('some text', Cs1), length(Cs1, L).

operation(atom_chars, 20000).
work(atom_chars, N, _, L) :- times(N, ( atom_chars('some text or other', Cs), atom_chars(_, Cs) )), atom_chars('some text', Cs1), length(Cs1, L).

operation(char_code, 100000).
work(char_code, N, _, C) :- times(N, ( char_code(Ch, 0'a), char_code(Ch, _) )), char_code(b, C).

operation(atom_number, 50000).
work(atom_number, N, _, C) :- times(N, ( atom_number('12345', X), atom_number(_, X) )), atom_number('17', C).

operation(number_codes, 50000).
work(number_codes, N, _, C) :- times(N, ( number_codes(X, "12345"), number_codes(X, _) )), number_codes(C, "17").

operation(atom_concat_split, 1000).
prepare(atom_concat_split, N, A) :- long_atom(N, A).
work(atom_concat_split, _, A, C) :- aggregate_all(count, atom_concat(_, _, A), C).

operation(atom_concat_prefix, 5000).
prepare(atom_concat_prefix, N, A) :- long_atom(N, A).
work(atom_concat_prefix, N, A, L) :- times(N, atom_concat('1 2 3', _, A)), atom_concat('1 2 3', R, A), atom_length(R, L).

operation(upcase_atom, 65000).
work(upcase_atom, N, _, U) :- times(N, upcase_atom('some text or other', _)), upcase_atom(abc, U).

operation(atom_compare, 150000).
work(atom_compare, N, _, O) :- times(N, compare(_, 'some text or other', 'some text or another')), compare(O, a, b).

operation(atom_to_term, 9000).
work(atom_to_term, N, _, T) :- times(N, atom_to_term('foo(X, bar(Y), [X|Z])', _, _)), atom_to_term('f(a,b)', T, _).

operation(term_to_atom, 10000).
work(term_to_atom, N, _, A) :- times(N, term_to_atom(foo(_, bar('A b'), [1, 2.5, "s"]), _)), term_to_atom(f('A', b), A).

% sub_atom/5 and its like
operation(sub_atom_at, 70000).
prepare(sub_atom_at, _, A) :- long_atom(1000, A).
work(sub_atom_at, N, A, S) :- times(N, sub_atom(A, 2, 3, _, _)), sub_atom(A, 2, 3, _, S).

operation(sub_atom_at_long, 20000).
prepare(sub_atom_at_long, N, A) :- long_atom(N, A).
work(sub_atom_at_long, _, A, S) :- times(20000, sub_atom(A, 2, 3, _, _)), sub_atom(A, 2, 3, _, S).

operation(sub_atom_walk_long, 20000).
prepare(sub_atom_walk_long, N, A) :- long_atom(N, A).
work(sub_atom_walk_long, _, A, C) :- atom_length(A, L), sub_atom_walk(0, L, A, 0, C).

sub_atom_walk(I, L, _, C, C) :- I >= L, !.
sub_atom_walk(I, L, A, C0, C) :-
    sub_atom(A, I, 1, _, Ch),
    ( Ch == ' ' -> C1 is C0+1 ; C1 = C0 ),
    I1 is I+1,
    sub_atom_walk(I1, L, A, C1, C).

operation(sub_atom_walk_wide, 15000).
prepare(sub_atom_walk_wide, N, A) :- wide_atom(N, A).
work(sub_atom_walk_wide, _, A, C) :- atom_length(A, L), sub_atom_walk(0, L, A, 0, C).

operation(sub_atom_after_long, 20000).
prepare(sub_atom_after_long, N, A) :- long_atom(N, A).
work(sub_atom_after_long, _, A, S) :- times(20000, sub_atom(A, _, 3, 0, _)), sub_atom(A, _, 3, 0, S).

operation(sub_atom_find, 4000).
prepare(sub_atom_find, N, A) :- long_atom(N, A).
work(sub_atom_find, N, A, B) :- times(100, ( sub_atom(A, _, _, _, N), ! ; true )), sub_atom(A, B, _, _, N), !.

operation(sub_atom_find_all, 50000).
prepare(sub_atom_find_all, N, A) :- long_atom(N, A).
work(sub_atom_find_all, _, A, C) :- aggregate_all(count, sub_atom(A, _, _, _, '7'), C).

operation(sub_atom_check_long, 10000).
prepare(sub_atom_check_long, N, A) :- long_atom(N, A).
work(sub_atom_check_long, _, A, C) :- times(20000, sub_atom(A, 0, _, _, '1 2')), ( sub_atom(A, 0, _, _, '1 2') -> C = yes ; C = no ).

operation(sub_atom_enumerate, 60).
prepare(sub_atom_enumerate, N, A) :- long_atom(N, A).
work(sub_atom_enumerate, _, A, C) :- aggregate_all(count, sub_atom(A, _, _, _, _), C).

operation(sub_atom_icasechk, 15000).
prepare(sub_atom_icasechk, N, A) :- long_atom(N, A).
work(sub_atom_icasechk, N, A, B) :- times(100, ( sub_atom_icasechk(A, _, N) -> true ; true )), sub_atom_icasechk(A, B, N).

operation(sub_string_at, 85000).
prepare(sub_string_at, _, A) :- long_text(1000, A).
work(sub_string_at, N, A, S) :- times(N, sub_string(A, 2, 3, _, _)), sub_string(A, 2, 3, _, S).

operation(sub_string_walk_long, 15000).
prepare(sub_string_walk_long, N, A) :- long_text(N, A).
work(sub_string_walk_long, _, A, C) :- string_length(A, L), sub_string_walk(0, L, A, 0, C).

sub_string_walk(I, L, _, C, C) :- I >= L, !.
sub_string_walk(I, L, A, C0, C) :-
    sub_string(A, I, 1, _, Ch),
    ( Ch == " " -> C1 is C0+1 ; C1 = C0 ),
    I1 is I+1,
    sub_string_walk(I1, L, A, C1, C).

operation(string_code_walk, 2000).
prepare(string_code_walk, N, A) :- long_text(N, A).
work(string_code_walk, _, A, C) :- string_length(A, L), string_code_walk(1, L, A, 0, C).

string_code_walk(I, L, _, C, C) :- I > L, !.
string_code_walk(I, L, A, C0, C) :-
    string_code(I, A, Ch),
    ( Ch == 32 -> C1 is C0+1 ; C1 = C0 ),
    I1 is I+1,
    string_code_walk(I1, L, A, C1, C).

operation(sub_string_find_all, 150000).
prepare(sub_string_find_all, N, A) :- long_text(N, A).
work(sub_string_find_all, _, A, C) :- aggregate_all(count, sub_string(A, _, _, _, "7"), C).

% strings
operation(string_concat, 80000).
work(string_concat, N, _, S) :- times(N, string_concat("some text", " or other", _)), string_concat("a", "b", S).

operation(string_append_loop, 3000).
work(string_append_loop, N, _, L) :- append_loop(N, "", S), string_length(S, L).

append_loop(0, S, S) :- !.
append_loop(N, S0, S) :- string_concat(S0, "0123456789", S1), N1 is N-1, append_loop(N1, S1, S).

operation(string_codes, 30000).
work(string_codes, N, _, L) :- times(N, ( string_codes("some text or other", Cs), string_codes(_, Cs) )), string_codes("abc", Cs1), length(Cs1, L).

operation(string_codes_long, 95000).
prepare(string_codes_long, N, S) :- long_text(N, S).
work(string_codes_long, _, S, L) :- string_codes(S, Cs), string_codes(S1, Cs), string_length(S1, L).

operation(string_to_atom, 85000).
work(string_to_atom, N, _, A) :- times(N, atom_string(_, "some text or other")), atom_string(A, "abc").

operation(string_lower, 65000).
work(string_lower, N, _, U) :- times(N, string_lower("Some Text or Other", _)), string_lower("ABC", U).

operation(number_string, 100000).
work(number_string, N, _, X) :- times(N, number_string(_, "12345")), number_string(X, "17").

operation(split_string_words, 100000).
prepare(split_string_words, N, S) :- long_text(N, S).
work(split_string_words, _, S, L) :- split_string(S, " ", "", Ws), length(Ws, L).

operation(split_string_pad, 20000).
work(split_string_pad, N, _, L) :- times(N, split_string("/home//jan///nice/path", "/", " ", _)), split_string("a.b.c", ".", "", L).

operation(split_string_strip, 45000).
work(split_string_strip, N, _, L) :- times(N, split_string("   some words   ", "", " ", _)), split_string(" a ", "", " ", L).

operation(atomic_list_concat_join, 250000).
prepare(atomic_list_concat_join, N, L) :- numlist(1, N, L).
work(atomic_list_concat_join, _, L, K) :- atomic_list_concat(L, ', ', A), atom_length(A, K).

operation(atomic_list_concat_split, 50000).
prepare(atomic_list_concat_split, N, A) :- long_atom(N, A).
work(atomic_list_concat_split, _, A, L) :- atomic_list_concat(Ws, ' ', A), length(Ws, L).

operation(atomic_list_concat_short, 30000).
work(atomic_list_concat_short, N, _, A) :- times(N, atomic_list_concat([abc, 17, "def", 2.5], _)), atomic_list_concat([a, 1], A).

operation(sformat, 10000).
work(sformat, N, _, S) :- times(N, format(atom(_), "~w is ~a and ~d~n", [f(x), abc, 17])), format(string(S), "~q", ['A']).

operation(format_columns, 7500).
work(format_columns, N, _, S) :- times(N, format(atom(_), "~w~t~20|~w~t~20+~`-t~60|~n", [abc, def])), format(atom(S), "~t~w~6|", [ab]).

operation(format_float, 10000).
work(format_float, N, _, S) :- times(N, format(atom(_), "~4f ~e ~g", [3.14159, 2.5, 1.5])), format(atom(S), "~2f", [2.125]).

operation(with_output_to, 10000).
work(with_output_to, N, _, S) :- times(N, with_output_to(string(_), ( write(abc), write(17), nl ))), with_output_to(string(S), write(x)).

operation(string_chars_dcg, 20000).
prepare(string_chars_dcg, N, Cs) :- long_text(N, S), string_codes(S, Cs).
work(string_chars_dcg, _, Cs, Sum) :- phrase(numbers_sum(0, Sum), Cs).

numbers_sum(S0, S) --> digits(Ds), { number_codes(X, Ds), S1 is S0+X }, ( " " -> numbers_sum(S1, S) ; { S = S1 } ).
digits([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, !, digits(Ds).
digits([]) --> [].

% reading and writing
text_file(N, File) :-
    tmp_file(micro, File),
    open(File, write, Out),
    forall(between(1, N, I), format(Out, "line ~d of a text file, with some words in it~n", [I])),
    close(Out).

term_file(N, File) :-
    tmp_file(micro, File),
    open(File, write, Out),
    forall(between(1, N, I), format(Out, "fact(~d, 'An atom', \"text\", [a, b|X], X, 2.5, a+b*c-f(Y, _)).~n", [I])),
    close(Out).

operation(read_file_to_string, 100000).
prepare(read_file_to_string, N, F) :- text_file(N, F).
work(read_file_to_string, _, F, L) :- read_file_to_string(F, S, []), string_length(S, L).

operation(read_and_split, 15000).
prepare(read_and_split, N, F) :- text_file(N, F).
work(read_and_split, _, F, L) :- read_file_to_string(F, S, []), split_string(S, "\n", "", Ls), length(Ls, L).

operation(read_file_to_codes, 10000).
prepare(read_file_to_codes, N, F) :- text_file(N, F).
work(read_file_to_codes, _, F, L) :- read_file_to_codes(F, S, []), length(S, L).

operation(read_file_to_terms, 4000).
prepare(read_file_to_terms, N, F) :- term_file(N, F).
work(read_file_to_terms, _, F, L) :- read_file_to_terms(F, S, []), length(S, L).

operation(read_lines_string, 15000).
prepare(read_lines_string, N, F) :- text_file(N, F).
work(read_lines_string, _, F, L) :- open(F, read, In), read_lines(In, 0, L), close(In).

read_lines(In, L0, L) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  L = L0
    ;   string_length(Line, K),
        L1 is L0+K,
        read_lines(In, L1, L)
    ).

operation(read_lines_codes, 15000).
prepare(read_lines_codes, N, F) :- text_file(N, F).
work(read_lines_codes, _, F, L) :- open(F, read, In), read_code_lines(In, 0, L), close(In).

read_code_lines(In, L0, L) :-
    read_line_to_codes(In, Line),
    (   Line == end_of_file
    ->  L = L0
    ;   length(Line, K),
        L1 is L0+K,
        read_code_lines(In, L1, L)
    ).

operation(get_char, 3500).
prepare(get_char, N, F) :- text_file(N, F).
work(get_char, _, F, L) :- open(F, read, In), get_chars(In, 0, L), close(In).

get_chars(In, L0, L) :- get_char(In, C), ( C == end_of_file -> L = L0 ; L1 is L0+1, get_chars(In, L1, L) ).

operation(peek_get_code, 2000).
prepare(peek_get_code, N, F) :- text_file(N, F).
work(peek_get_code, _, F, L) :- open(F, read, In), peek_codes(In, 0, L), close(In).

peek_codes(In, L0, L) :- peek_code(In, C), ( C == -1 -> L = L0 ; get_code(In, _), L1 is L0+1, peek_codes(In, L1, L) ).

operation(read_term, 4500).
prepare(read_term, N, F) :- term_file(N, F).
work(read_term, _, F, L) :- open(F, read, In), read_terms(In, 0, L), close(In).

read_terms(In, L0, L) :- read_term(In, T, [variable_names(_)]), ( T == end_of_file -> L = L0 ; L1 is L0+1, read_terms(In, L1, L) ).

operation(term_string, 10000).
work(term_string, N, _, T) :- times(N, term_string(_, "foo(X, bar(Y), [X|Z])")), term_string(T, "f(a)").

operation(read_long_list, 100000).
prepare(read_long_list, N, A) :- numlist(1, N, L), term_to_atom(L, A).
work(read_long_list, _, A, L) :- term_to_atom(T, A), length(T, L).

operation(read_deep_term, 25000).
prepare(read_deep_term, N, A) :- nested(N, T), term_to_atom(T, A).
work(read_deep_term, N, A, N) :- term_to_atom(T, A), T = s(_).

nested(0, z) :- !.
nested(N, s(T)) :- N1 is N-1, nested(N1, T).

operation(read_many_variables, 25000).
prepare(read_many_variables, N, A) :- length(L, N), foldl(named, L, 1, _), atomic_list_concat(L, ',', A0), atomic_list_concat(['f([', A0, '])'], A).
work(read_many_variables, _, A, L) :- atom_to_term(A, _, Bs), length(Bs, L).

named(A, I, I1) :- atom_concat('V', I, A), I1 is I+1.

operation(read_operators, 25000).
prepare(read_operators, N, A) :- numlist(1, N, Is), atomic_list_concat(Is, '+', A).
work(read_operators, _, A, V) :- term_to_atom(T, A), V is T.

out(Goal, Size) :-
    tmp_file(micro, File),
    open(File, write, Out),
    call(Goal, Out),
    close(Out),
    size_file(File, Size),
    delete_file(File).

operation(write_terms, 10000).
prepare(write_terms, N, L) :- findall(f(I, 'An atom', "text", [a, b], a+b*c), between(1, N, I), L).
work(write_terms, _, L, Size) :- out(write_all(L), Size).

write_all([], _).
write_all([T|Ts], Out) :- write(Out, T), nl(Out), write_all(Ts, Out).

operation(writeq_terms, 7500).
prepare(writeq_terms, N, L) :- findall(f(I, 'An atom', "text", [a, b], a+b*c-(d:-e)), between(1, N, I), L).
work(writeq_terms, _, L, Size) :- out(writeq_all(L), Size).

writeq_all([], _).
writeq_all([T|Ts], Out) :- writeq(Out, T), nl(Out), writeq_all(Ts, Out).

operation(write_canonical_terms, 10000).
prepare(write_canonical_terms, N, L) :- findall(f(I, 'An atom', X, [a, Y, X], Y), between(1, N, I), L).
work(write_canonical_terms, N, L, N) :- out(write_canonical_all(L), Size), Size > N.

write_canonical_all([], _).
write_canonical_all([T|Ts], Out) :- write_canonical(Out, T), nl(Out), write_canonical_all(Ts, Out).

operation(print_terms, 10000).
prepare(print_terms, N, L) :- findall(f(I, 'An atom', [a, b]), between(1, N, I), L).
work(print_terms, _, L, Size) :- out(print_all(L), Size).

print_all([], _).
print_all([T|Ts], Out) :- print(Out, T), nl(Out), print_all(Ts, Out).

operation(format_file, 15000).
work(format_file, N, _, Size) :- out(format_lines(N), Size).

format_lines(0, _) :- !.
format_lines(N, Out) :- format(Out, "~w ~q ~a ~d~n", [f(N), 'A', abc, N]), N1 is N-1, format_lines(N1, Out).

operation(put_char, 150000).
work(put_char, N, _, Size) :- out(put_chars(N), Size).

put_chars(0, _) :- !.
put_chars(N, Out) :- put_char(Out, x), N1 is N-1, put_chars(N1, Out).

operation(write_long_list, 35000).
prepare(write_long_list, N, L) :- numlist(1, N, L).
work(write_long_list, _, L, Size) :- out([Out]>>write(Out, L), Size).

operation(portray_clause, 500).
prepare(portray_clause, N, L) :- findall(( p(I, X) :- q(X, Y), \+ r(Y), ( s(Y) -> t ; u(I) ) ), between(1, N, I), L).
work(portray_clause, _, L, Size) :- out(portray_all(L), Size).

portray_all([], _).
portray_all([T|Ts], Out) :- portray_clause(Out, T), portray_all(Ts, Out).

operation(normalize_space, 15000).
work(normalize_space, N, _, X) :- times(N, normalize_space(atom(_), "  a   b c  ")), normalize_space(atom(X), " a  b ").

% addresses
operation(uri_encode, 40000).
work(uri_encode, N, _, X) :- times(N, uri_encoded(query_value, 'a b&c', _)), uri_encoded(query_value, 'a b&c', X).

operation(uri_join, 20000).
work(uri_join, N, _, X) :- times(N, uri_components(_, uri_components(http, 'www.example.org', '/a/b', 'q=1', top))), uri_components(X, uri_components(http, a, '/b', _, c)).

operation(uri_query_make, 10000).
work(uri_query_make, N, _, X) :- times(N, uri_query_components(_, [name='a b', other=1, third(c)])), uri_query_components(X, [a='b c', d-1]).

operation(uri_resolve, 20000).
work(uri_resolve, N, _, X) :- times(N, uri_resolve('../b/c', 'http://www.example.org/a/d/e', _)), uri_resolve('../b', 'http://a/d/e', X).
