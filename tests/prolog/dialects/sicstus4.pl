:- module(dia_sicstus4, [dia_four/1, dia_is/2, dia_files/1, dia_server/1]).
:- expects_dialect(sicstus4).
:- use_module(library(lists)).
:- use_module(library(timeout), [time_out/3]).
:- use_module(library(between)).
:- use_module(library(samsort)).
:- use_module(library(sets)).
:- use_module(library(types)).
:- use_module(library(terms)).
:- use_module(library(ordsets)).
:- use_module(library(system)).
:- use_module(library(file_systems)).
:- use_module(library(sockets)).
:- use_module(library(clpfd)).

dia_four([A, B, C]) :- time_out(true, 1000, A), ( nonmember(x, [a]) -> B = yes ; B = no ), append([1], [2], C).

% Goals of the tests.
:- meta_predicate dia_is(?, 0).
dia_is(Xs, G) :- findall(X, ( dia_sicstus4:dia_goal(G, X) ), Xs).
dia_goal(_:loop, S) :- ( foreach(X, [1, 2, 3]), fromto(0, S0, S1, S) do S1 is S0+X ).
dia_goal(_:keys_and_values, K-V) :- keys_and_values([a-1, b-2], K, V).
dia_goal(_:shorter, L) :- L = [_|_], shorter_list(L, [a, b, c]).
dia_goal(_:append_length, N-S) :- append_length(S, [a, b], N).
dia_goal(_:append_length(N), S-L) :- append_length(S, L, N).
dia_goal(_:prefix_length, P-N) :- prefix_length([a, b], P, N).
dia_goal(_:proper_prefix_length, P-N) :- proper_prefix_length([a, b], P, N).
dia_goal(_:suffix_length, P-N) :- suffix_length([a, b], P, N).
dia_goal(_:suffix_length(N), P) :- suffix_length([a, b], P, N).
dia_goal(_:proper_suffix_length, P-N) :- proper_suffix_length([a, b], P, N).
dia_goal(_:sublist, P-[B, L, A]) :- sublist([a, b], P, B, L, A).
dia_goal(_:sublist(A), P) :- sublist([a, b, c], P, _, _, A).
dia_goal(_:last, F-L) :- last(F, L, [a, b, c]).
dia_goal(_:cons, [L, H, T, R]) :- cons(a, [b], L), head(L, H), tail(L, T), rev(L, R).
dia_goal(_:prefix, P) :- prefix([a, b], P).
dia_goal(_:proper_prefix, P) :- proper_prefix([a, b], P).
dia_goal(_:suffix, P) :- suffix([a, b], P).
dia_goal(_:proper_suffix, P) :- proper_suffix([a, b], P).
dia_goal(_:remove_dups, L) :- remove_dups([b, a, b, c, a], L).
dia_goal(_:subseq, S) :- setof(P-R, subseq([a, b], P, R), S).
dia_goal(_:subseq0, S) :- setof(P, subseq0([a, b], P), S).
dia_goal(_:subseq1, S) :- setof(P, subseq1([a, b], P), S).
dia_goal(_:scanlist, S) :- scanlist(dia_add, [1, 2, 3], 0, S).
dia_goal(_:scanlist2, S) :- scanlist(dia_add, [1, 2], [3, 4], 0, S).
dia_goal(_:partition, [L, E, G]) :- partition(dia_order, [1, 2, 3, 2], L, E, G).
dia_goal(_:transpose, L) :- transpose([[1, 2], [3, 4]], L).
dia_goal(_:numlist, L) :- numlist(3, L).
dia_goal(_:gen_int(N), I) :- gen_int(I), ( I > N -> !, fail ; true ).
dia_goal(_:gen_nat(N), I) :- gen_nat(I), ( I >= N -> ! ; true ).
dia_goal(_:samsort, L) :- samsort([c, a, b, a], L).
dia_goal(_:samsort_by, L) :- samsort(dia_last_digit, [21, 12, 11, 2, 30], L).
dia_goal(_:merge, L) :- merge([a, c], [b, c, d], L).
dia_goal(_:sets, [A, B, C, D]) :- add_element(a, [b], A), add_element(b, [b], B), del_element(b, [a, b, c], C), union([a, b], [c, b, d], D, [a]).
dia_goal(_:disjoint, L) :- disjoint([a], [b]), \+ disjoint([a], [b, a]), intersect([a], [b, a]), disjoint_union([a], [b, c], L), \+ disjoint_union([a, b], [b], _).
dia_goal(_:set_order(A, B), O) :- set_order(A, B, O).
dia_goal(_:seteq, x) :- seteq([a, b], [b, a]), \+ seteq([a], [b]).
dia_goal(_:must_be, x) :- must_be(1, integer, f(1), 1), catch(must_be(a, integer, f(a), 1), error(type_error(integer, a), _), true).
dia_goal(_:illarg(E), F) :- catch(illarg(E, f(a), 1), error(F, _), true).
dia_goal(_:terms, O) :- term_order(a, b, O), subsumeschk(f(_), f(a)), \+ subsumeschk(f(a), f(_)), term_variables_set(f(X, Y, X), L), L == [X, Y].
dia_goal(_:ordsets, x) :- ord_member(a, [a, b]), ord_nonmember(c, [a, b]).
dia_goal(_:datime, D) :- datime(T, datime(2001, 9, 9, 1, 46, 40)), datime(T, D).
dia_goal(_:environ, x) :- environ('PATH', P, environment), environ('PATH', P).
dia_goal(_:domain, D) :- domain([X, Y], 1, 3), X #< Y, fd_dom(Y, D).
dia_goal(_:table, Y) :- table([[X, Y]], [[1, 2], [2, 3]]), X = 2.
dia_goal(_:table_options, Y) :- table([[2, Y]], [[1, 2], [2, 3]], []).
dia_goal(_:reified, B) :- X in 0..5, X #> 2 #<=> B, X = 1.
dia_goal(_:implied, D) :- X in 0..5, ( Y #= 1 #=> X #> 3 ), Y = 1, fd_dom(X, D).
dia_goal(_:set_of_integers, D) :- X in {1, 3, 5}, fd_dom(X, D).
dia_goal(_:solved, X-Y) :- domain([X, Y], 1, 2), X #\= Y, labeling([], [X, Y]).

dia_add(X, Y, Z) :- Z is X+Y.
dia_add(X, Y, S0, S) :- S is S0+X*Y.
dia_order(X, O) :- compare(O, X, 2).
dia_last_digit(X, Y) :- X mod 10 =< Y mod 10.

dia_files([Names, Files, Size, Errors]) :-
    tmp_file(dia, Dir), make_directory(Dir), atom_concat(Dir, '/sub', Sub), make_directory(Sub), atom_concat(Dir, '/a.txt', File), atom_concat(Dir, '/b.pl', File2),
    forall(member(F, [File, File2]), ( open(F, write, S), write(S, hi), close(S) )),
    directory_members_of_directory(Dir, Directories), findall(N, ( member(N-P, Directories), P == Sub ), Names),
    findall(N, file_member_of_directory(Dir, '*.txt', N, _), Files),
    file_property(File, size_in_bytes, Size), file_property(File, readable), directory_property(Sub, searchable), file_property(File, modify_timestamp, T), integer(T),
    file_exists(File, [read, write]), \+ file_exists(Sub), directory_exists(Sub), \+ directory_exists(File), file_must_exist(File), directory_must_exist(Sub),
    findall(E, ( member(G, [file_must_exist(Sub), directory_must_exist(File), delete_directory(Dir, [])]), catch(G, error(E0, _), true), functor(E0, E, _) ), Errors),
    atom_concat(Dir, '/other', Other), rename_directory(Sub, Other), directory_exists(Other),
    current_directory(Here), current_directory(Here, Dir), file_exists('a.txt'), current_directory(_, Here),
    \+ delete_directory(Dir, [if_nonempty(fail)]), delete_directory(Dir, [if_nonempty(ignore)]), directory_exists(Dir),
    delete_directory(Dir, [if_nonempty(delete)]), \+ directory_exists(Dir).

dia_server([Peer, Term, Ready]) :-
    socket_server_open(localhost:Port, Server),
    socket_select([Server], Ready0, [], [], [], [], 0.01),
    socket_client_open(localhost:Port, Out, []),
    socket_select([Server], [Server], [], [], [], [], off),
    socket_server_accept(Server, Peer, In, [type(text)]),
    format(Out, "hello.~n", []), flush_output(Out), read(In, Term), close(Out), close(In), socket_server_close(Server), Ready = Ready0.
