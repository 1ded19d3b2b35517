% Lists that grow when they are looked at: library(lazy_lists).

:- use_module(library(lazy_lists)).

:- lazy_list_iterator(lzl_terms(Stream), Term, read(Stream, Term), Term == end_of_file).

:- dynamic(lzl_asked/1).

lzl_count(N0, N, N0) :- assertz(lzl_asked(N0)), N is N0+1.
lzl_count_to(N0, N, N0) :- N0 < 4, N is N0+1.

lzl_numbers(L) :- retractall(lzl_asked(_)), lazy_list(lzl_count, 0, L).
lzl_all_asked(Ns) :- findall(N, lzl_asked(N), Ns).

lzl_rest --> [].
lzl_rest --> [_], lzl_rest.

t(nothing_asked, ( lzl_numbers(_), lzl_all_asked(A) ), [A], answers([[[]]])).
t(elements, ( lzl_numbers(L), L = [A, B, C|_] ), [A, B, C], answers([[0, 1, 2]])).
t(asked_once, ( lzl_numbers(L), ( L = [_, _, _|_], fail ; L = [_, X|_], lzl_all_asked(A) ) ), [X, A], answers([[1, [0, 1, 2]]])).
t(backtracking, ( lzl_numbers(L), ( L = [x|_] ; L = [X, 5|_] ; L = [X, Y|_] ), lzl_all_asked(A) ), [X, Y, A], answers([[0, 1, [0, 1]]])).
t(in_a_solution, ( lzl_numbers(L), forall(between(1, 3, I), ( nth1(I, L, X), X =:= I-1 )), lzl_all_asked(A) ), [A], answers([[[0, 1, 2]]])).
t(far, ( lzl_numbers(L), nth0(3000, L, X) ), [X], answers([[3000]])).
t(ends, ( lazy_list(lzl_count_to, 0, L), lazy_list_length(L, N) ), [N, L], answers([[4, [0, 1, 2, 3]]])).
t(materialize, ( lazy_list(lzl_count_to, 2, L), lazy_list_materialize(L) ), [L], answers([[[2, 3]]])).
t(materialize_list, lazy_list_materialize([a]), [], answers([[]])).
t(materialize_partial, lazy_list_materialize([a|_]), [], throws(type_error(list, [a|_]))).
t(length_none, lazy_list_length(a, _), [], throws(type_error(list, a))).
t(length_empty, ( lazy_list(lzl_count_to, 4, L), lazy_list_length(L, N) ), [N, L], answers([[0, []]])).
t(fails_to_unify, ( lazy_list(lzl_count_to, 0, L), L = [0, 1, 2, 3, 4|_] ), [], fails).
t(not_a_list, ( lazy_list(lzl_count_to, 0, L), L = a ), [], fails).
t(goals, ( lazy_list(foo, L), copy_term(L, C, Gs), Gs = [lazy_list(G0, V)], V == C, ( G0 = user:G -> true ; G = G0 ) ), [G], answers([[foo]])).
t(exception, ( lazy_list(lzl_no_such, L), L = [_|_] ), [], throws(existence_error(procedure, lzl_no_such/2))).
t(findall, ( lazy_findall(X, member(X, [a, b, c]), L), L = [A|_], lazy_list_length(L, N) ), [A, N], answers([[a, 3]])).
t(findall_endless, ( lazy_findall(X, lzl_from(0, X), L), nth0(5, L, E) ), [E], answers([[5]])).
t(findall_chunk, ( lazy_findall(2, X, member(X, [a, b, c]), L), lazy_list_materialize(L) ), [L], answers([[[a, b, c]]])).
t(findall_none, ( lazy_findall(X, member(X, []), L), L == [] ), [], fails).
t(findall_none, ( lazy_findall(X, member(X, []), L), L = [] ), [], answers([[]])).
t(findall_chunk_error, lazy_findall(0, x, true, _), [], throws(type_error(positive_integer, 0))).
t(codes, ( open_string("hello", S), lazy_list(lazy_get_codes(S, 2), L), phrase(("he", lzl_rest), L), atom_codes(A, L) ), [A], answers([[hello]])).
t(lines, ( open_string("a b\nc\n\nd", S), lazy_list(lazy_read_lines(S, [as(atom), chunk(2)]), L), lazy_list_materialize(L) ), [L], answers([[['a b', c, '', d]]])).
t(lines_kinds, findall(L, ( member(T, [string, codes, chars]), open_string("a", S), lazy_list(lazy_read_lines(S, [as(T)]), L), lazy_list_materialize(L) ), Ls), [Ls], answers([[[["a"], [[0'a]], [[a]]]]])).
t(lines_type, ( open_string("a", S), lazy_list(lazy_read_lines(S, [as(foo)]), L), L = [_|_] ), [], throws(type_error(oneof([atom, string, codes, chars]), foo))).
t(terms, ( open_string("a. b(X, X). 'C'.", S), lazy_list(lazy_read_terms(S, []), L), lazy_list_materialize(L) ), [L], answers([[[a, b(X, X), 'C']]])).
t(iterator, ( open_string("a. b. c.", S), lazy_list(lzl_terms(S, 2), L), lazy_list_length(L, N) ), [L, N], answers([[[a, b, c], 3]])).
t(queue, ( message_queue_create(Q), forall(member(X, [a, b]), thread_send_message(Q, X)), lazy_list(lazy_message_queue(Q, [timeout(0)]), L), lazy_list_materialize(L), message_queue_destroy(Q) ), [L], answers([[[a, b]]])).
t(no_directive, lazy_list_iterator(a, b, c, d), [], throws(context_error(nodirective, lazy_list_iterator(a, b, c, d)))).

lzl_from(N, N).
lzl_from(N, X) :- N1 is N+1, lzl_from(N1, X).
