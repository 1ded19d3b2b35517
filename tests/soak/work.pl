/*  What tools/soak has done over and over: soak(Kind) does a round of it and leaves nothing behind. Every kind checks its results,
    so that a round that is only fast is no success.  */

:- dynamic(fact/2).
:- dynamic(reloaded/2).
:- table(path/2).
:- table(cost(_, min)).

%!  soak(?Kind) is nondet.

soak(database) :-
    forall(between(1, 300, I), assertz(fact(I, a(I)))),
    aggregate_all(count, fact(_, _), 300),
    forall(between(1, 300, I), ( fact(I, X), X == a(I) )),
    retract(fact(7, _)),
    \+ fact(7, _),
    forall(between(100, 200, I), retract(fact(I, _))),
    retractall(fact(_, _)),
    \+ fact(_, _).

%   A file of clauses is written anew and loaded again.
soak(reload) :-
    nb_getval(soak_directory, Directory),
    atom_concat(Directory, '/reloaded.pl', File),
    flag(soak_version, V, V+1),
    setup_call_cleanup(
        open(File, write, S),
        forall(between(1, 50, I), format(S, "reloaded_fact(~d, ~d).~nreloaded_rule(X, ~d) :- reloaded_fact(X, Y), Y > ~d.~n", [I, V, I, I])),
        close(S)),
    load_files(File, [if(true)]),
    aggregate_all(count, reloaded_fact(_, V), 50).

soak(exceptions) :-
    forall(between(1, 200, I),
           catch(deep(I), ball(N), N == I)),
    forall(between(1, 50, _),
           ( catch(atom_length(_, _), error(instantiation_error, _), true),
             catch(no_such_predicate_here(1), error(existence_error(_, _), _), true),
             catch(setup_call_cleanup(true, throw(b), true), b, true) )).

soak(limits) :-
    catch(call_with_time_limit(0.005, ( repeat, fail )), time_limit_exceeded, true),
    call_with_time_limit(60, true),
    call_with_depth(40, D), D == 40,
    forall(between(1, 20, _), call_with_inference_limit(( repeat, fail ), 2000, inference_limit_exceeded)).

soak(threads) :-
    forall(between(1, 4, _),
           ( thread_create(busy(100, S0), Id0), thread_join(Id0, Status), Status == true, var(S0) )),
    findall(Id, ( between(1, 4, N), thread_create(busy(N, _), Id) ), Ids),
    forall(member(Id, Ids), thread_join(Id, true)),
    thread_create(throw(oops), Id1),
    thread_join(Id1, exception(oops)),
    mutex_create(M),
    with_mutex(M, true),
    mutex_destroy(M).

soak(messages) :-
    message_queue_create(Q, [max_size(5)]),
    thread_create(forall(between(1, 200, I), thread_send_message(Q, m(I, [I, I]))), Id),
    numlist(1, 200, L),
    forall(member(I, L), ( thread_get_message(Q, m(J, _)), J == I )),
    thread_join(Id, true),
    \+ thread_peek_message(Q, _),
    message_queue_destroy(Q).

soak(findall) :-
    findall(X-Y, ( between(1, 40, X), between(1, 40, Y) ), L),
    length(L, 1600),
    msort(L, L),
    setof(K, V^member(K-V, L), Ks),
    length(Ks, 40),
    aggregate_all(max(X), member(X-_, L), 40).

%   Large values of global variables, replaced.
soak(values) :-
    findall(X-X, between(1, 1600, X), L),
    nb_setval(soak_value, L),
    nb_getval(soak_value, V),
    length(V, 1600),
    nb_setval(soak_value, []).

soak(tabling) :-
    abolish_all_tables,
    aggregate_all(count, path(1, _), 60),
    cost(60, C), C == 59.

soak(text) :-
    forall(between(1, 50, I),
           ( format(atom(A), "~w-~a~t~20|~q", [I, x, 'Y z']),
             atom_length(A, _),
             with_output_to(string(S), print(f(I))),
             string_concat("f(", _, S),
             term_to_atom(T, 'f(X, Y, "text")'),
             functor(T, f, 3),
             atom_string(New, S), atom(New) )),
    nb_getval(soak_directory, Directory),
    atom_concat(Directory, '/text', File),
    forall(between(1, 10, _),
           ( setup_call_cleanup(open(File, write, Out), print(Out, [1, 2, 3]), close(Out)),
             setup_call_cleanup(open(File, read, In), read_string(In, _, Text), close(In)),
             Text == "[1,2,3]" )).

soak(globals) :-
    length(L, 100),
    T = counter(0, L),
    forall(between(1, 200, I), ( nb_setarg(1, T, I), b_setval(soak_b, I) )),
    arg(1, T, 200),
    counted(500, T),
    arg(1, T, 0).

deep(0) :- !.
deep(N) :-
    deep(N, N).

deep(0, N) :- throw(ball(N)).
deep(I, N) :-
    I > 0,
    I1 is I-1,
    deep(I1, N),
    true.

call_with_depth(0, 0) :- !.
call_with_depth(N, D) :-
    N1 is N-1,
    call_with_depth(N1, D1),
    D is D1+1.

busy(N, Sum) :-
    numlist(1, N, L),
    sum_list(L, Sum),
    Sum > 0.

counted(0, T) :- !, setarg(1, T, 0).
counted(N, T) :-
    setarg(1, T, N),
    N1 is N-1,
    counted(N1, T).

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

edge(X, Y) :- between(1, 60, X), Y is X mod 60+1.

cost(1, 0).
cost(N, C) :- edge(P, N), cost(P, C0), C is C0+1.
