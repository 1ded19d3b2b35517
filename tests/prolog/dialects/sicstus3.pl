:- module(dia_sicstus3, [dia_merge/3, dia_first/2, dia_times/1, dia_board/1, dia_mutable/1, dia_line/2, dia_lists/1, dia_wait/2, dia_system/1, dia_arrays/1, dia_command/1, dia_select/1, dia_count//1]).
:- expects_dialect(sicstus).
:- use_module(library(lists)).
:- use_module(library(timeout)).
:- use_module(library(system)).
:- use_module(library(arrays)).
:- use_module(library(sockets)).
:- use_module(library(ordsets)).

:- mode dia_merge(+, +, -).
:- block dia_merge(-, ?, -), dia_merge(?, -, -).
dia_merge([], Y, Y).
dia_merge(X, [], X).
dia_merge([H|X], [E|Y], [H|Z]) :- H @< E, dia_merge(X, [E|Y], Z).
dia_merge([H|X], [E|Y], [E|Z]) :- H @>= E, dia_merge([H|X], Y, Z).

:- block dia_wait(-, ?).
dia_wait(X, Y) :- Y = got(X).

dia_first(L, X) :- if(nth(1, L, X), true, X = none).
dia_times(R) :- time_out(repeat_for_ever, 20, R).
repeat_for_ever :- repeat, fail.
dia_board(L) :- bb_put(k, f(_)), bb_get(k, A), bb_update(k, _, 2), bb_get(k, B), bb_delete(k, C), ( bb_get(k, _) -> D = there ; D = gone ), A = f(a), L = [A, B, C, D].
dia_mutable(L) :- create_mutable(1, M), ( update_mutable(2, M), get_mutable(A, M), fail ; get_mutable(B, M), update_mutable(3, M), get_mutable(C, M) ), L = [A, B, C].
dia_line(Text, Lines) :- open_string(Text, S), read_line(S, A), read_line(S, B), read_line(S, C), Lines = [A, B, C].
dia_system([A, B]) :- now(T), ( integer(T) -> A = yes ; A = no ), ( file_exists('/') -> B = yes ; B = no ), datime(datime(_, _, _, _, _, _)), pid(_).
dia_lists([A, B, C]) :- substitute(a, [a, b, a], x, A), ( no_doubles([a, b]) -> B = yes ; B = no ), rev([1, 2], C).

% A grammar rule whose predicate is blocked.
:- block dia_count(-, ?, ?).
dia_count(0) --> [].
dia_count(s(N)) --> [x], dia_count(N).

dia_arrays([A, B, C, D, L]) :-
    new_array(E), aset(3, E, x, F), aset(0, F, y, G),
    ( aref(3, E, A) -> true ; A = none ), aref(3, G, B), arefl(7, G, C), ( arefa(7, G, H), is_array(H) -> D = array ; D = none ), array_to_list(G, L).
dia_command([Text, Status, Text2]) :-
    exec('echo hi; exit 3', [null, pipe(Out), std], Pid), read_line(Out, Codes), atom_codes(Text, Codes), close(Out), wait(Pid, Status),
    popen('echo ho', read, Out2), read_line(Out2, Codes2), atom_codes(Text2, Codes2), close(Out2).
dia_select([New, Ready, Term]) :-
    socket('AF_INET', Server), socket_bind(Server, 'AF_INET'(localhost, Port)), socket_listen(Server, 5),
    socket_select([me-Server], New0, 0:1000, [], []),
    socket('AF_INET', Client), socket_connect(Client, 'AF_INET'(localhost, Port), Out),
    socket_select([me-Server], [me-connection(Address, In)], off, [], []),
    format(Out, "hello.~n", []), flush_output(Out),
    socket_select([], [], off, [it-In], [it-In]),
    read(In, Term), close(Out), close(In), socket_close(Server), New = New0, Ready = Address.
