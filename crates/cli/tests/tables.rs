//! Tables in threads whose evaluations are broken off: by exceptions from inside and signals from outside, by limits of time and of
//! inferences, by cuts; while tables are abolished, before, during and between the use of their answers.
//!
//! Each round of a thread evaluates a goal in one of these ways. If its solutions come to an end, they are right: those that a search
//! without tables found before, each of them once. At the end no memory is held for tables.
//!
//! `SAMITE_SEED` sets the first seed and `SAMITE_ROUNDS` the rounds of each thread.

mod common;

use common::random::setting;
use common::{LIMIT, Scratch, finish, samite};

const PROGRAM: &str = r"
:- use_module(library(time)).
:- dynamic(known/2).

nodes(14).
edge(X, Y) :- nodes(N), ( nonvar(X) -> true ; M is N - 1, between(0, M, X) ), ( Y is (X * 5 + 1) mod N ; X mod 3 =:= 0, Y is (X * 3) mod N ).

:- table path/2, left/2, rite/2, far/1, cost(_, _, min), both(_, lattice(join/3)).

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), hook, edge(Z, Y).

left(X, Y) :- edge(X, Y), hook.
left(X, Y) :- rite(X, Z), edge(Z, Y).
rite(X, Y) :- catch(left(X, Y), no_ball, fail).
rite(X, Y) :- left(X, Z), setup_call_cleanup(true, path(Z, Y), true), hook.

far(Y) :- nodes(N), M is N - 1, between(0, M, Y), hook, \+ path(2, Y).

cost(X, Y, 1) :- edge(X, Y).
cost(X, Y, C) :- cost(X, Z, A), hook, cost(Z, Y, B), C is A + B, C < 30.

both(X, [Y]) :- edge(X, Y).
both(X, L) :- both(X, K), hook, member(Z, K), edge(Z, Y), L = [Y].
join(A, B, C) :- hook, append(A, B, D), sort(D, C).

% Depends on no table that may be under evaluation.
:- table apart/1.
apart(Y) :- edge(5, Y).
apart(Y) :- apart(X), edge(X, Y).

% The same without tables.
reach(From, Seen) :- findall(Y, ( member(X, From), edge(X, Y) ), L), sort(L, S), reach(S, S, Seen).
reach([], Seen, Seen) :- !.
reach(New, Seen0, Seen) :-
    findall(Y, ( member(X, New), edge(X, Y), \+ memberchk(Y, Seen0) ), L),
    sort(L, S),
    append(Seen0, S, Seen1),
    sort(Seen1, Seen2),
    reach(S, Seen2, Seen).

goal(path(X, Y), X-Y).
goal(path(1, Y), Y).
goal(path(X, 3), X).
goal(left(X, Y), X-Y).
goal(rite(2, Y), Y).
goal(rite(X, X), X).
goal(far(Y), Y).
goal(cost(1, Y, C), Y-C).
goal(both(3, L), L).

expected(path(X, Y), X-Y, L) :- all_pairs(L).
expected(path(1, Y), Y, L) :- reach([1], L).
expected(path(X, 3), X, L) :- all_pairs(P), findall(X, member(X-3, P), L).
expected(left(X, Y), X-Y, L) :- all_pairs(L).
expected(rite(2, Y), Y, L) :- reach([2], L).
expected(rite(X, X), X, L) :- all_pairs(P), findall(X, member(X-X, P), L).
expected(far(Y), Y, L) :- reach([2], R), nodes(N), M is N - 1, findall(Y, ( between(0, M, Y), \+ memberchk(Y, R) ), L).
expected(cost(1, Y, C), Y-C, L) :- steps([1], [], 1, P), msort(P, L).
expected(both(3, L), L, [R]) :- reach([3], R).

all_pairs(L) :-
    nodes(N), M is N - 1,
    findall(X-Y, ( between(0, M, X), reach([X], R), member(Y, R) ), L0),
    sort(L0, L).

steps([], Seen, _, Seen) :- !.
steps(From, Seen, N, All) :-
    findall(Y, ( member(X, From), edge(X, Y), \+ memberchk(Y-_, Seen) ), L),
    sort(L, S),
    findall(Y-N, member(Y, S), New),
    append(Seen, New, Seen1),
    N1 is N + 1,
    steps(S, Seen1, N1, All).

next(N) :- nb_getval(seed, S0), S is (S0 * 1103515245 + 12345) mod 2147483648, nb_setval(seed, S), N is S >> 8.
below(M, N) :- next(R), N is R mod M.

% What may happen in the midst of an evaluation; nothing most of the time.
hook :- nb_getval(hook, none), !.
hook :- below(60, 0), !, nb_getval(hook, What), happen(What).
hook.
happen(throw) :- throw(thrown).
happen(abolish) :- abolish_all_tables.
happen(collect) :- garbage_collect.
happen(signal) :- nb_setval(hook, none), thread_self(Me), thread_signal(Me, throw(thrown)).
happen(evaluate) :- nb_setval(hook, none), findall(Y, apart(Y), L0), sort(L0, L), reach([5], R), ( L == R -> true ; throw(wrong(inside, L)) ).

worker(Seed, Rounds) :-
    nb_setval(seed, Seed),
    nb_setval(hook, none),
    % (A signal may come after another exception has ended the round.)
    forall(between(1, Rounds, I), catch(catch(once(round(I)), E, outside(E)), thrown, true)),
    nb_setval(hook, none),
    forall(( goal(G, T), right(G, T, L) ), ended(G, T, L)),
    abolish_all_tables,
    statistics(table_space_used, Bytes),
    ( Bytes =:= 0 -> true ; throw(left(Bytes)) ).

outside(thrown) :- !.
outside(time_limit_exceeded) :- !.
outside(E) :- throw(E).

round(_) :-
    findall(G-T, goal(G, T), Goals),
    length(Goals, N),
    below(N, I),
    nth0(I, Goals, G-T),
    right(G, T, L),
    below(7, H),
    nth0(H, [none, none, throw, abolish, collect, signal, evaluate], Hook),
    nb_setval(hook, Hook),
    ( below(4, 0) -> abolish_all_tables ; true ),
    below(9, How),
    run(How, G, T, L).

run(0, G, T, L) :- ended(G, T, L).
run(1, G, T, L) :- below(15, N), Limit is (N + 1) / 10000, call_with_time_limit(Limit, ended(G, T, L)).
run(2, G, T, L) :- below(3000, N), call_with_inference_limit(ended(G, T, L), N, _).
run(3, G, T, L) :- once(G), memberchk(T, L).
run(4, G, T, L) :- forall(G, ( below(10, 0) -> abolish_all_tables ; memberchk(T, L) )).
run(5, G, T, L) :- catch(ended(G, T, L), thrown, true), nb_setval(hook, none), ended(G, T, L).
run(6, G, T, L) :- catch(forall(G, ( below(6, 0) -> throw(thrown) ; true )), thrown, true), nb_setval(hook, none), ended(G, T, L).
run(7, G, T, L) :- copy_term(G-T, C-D), setup_call_cleanup(true, ignore(( G, below(4, 0) )), ended(C, D, L)).
run(8, G, T, L) :- nb_setval(hook, none), thread_self(Me), catch(( thread_send_message(main, signal(Me)), repeat, ended(G, T, L), fail ), thrown, true).

right(G, T, L) :- known(G0-T0, L), G-T =@= G0-T0, !.

ended(G, T, L) :-
    findall(T, G, L0),
    msort(L0, L1),
    ( L1 == L -> true ; throw(wrong(G, L1, L)) ).

main(Seed, Threads, Rounds) :-
    forall(expected(G, T, L0), ( msort(L0, L), assertz(known(G-T, L)) )),
    findall(Id, ( between(1, Threads, I), S is Seed * 100 + I, thread_create(call_cleanup(worker(S, Rounds), thread_send_message(main, end)), Id) ), Ids),
    disturb(Threads),
    forall(member(Id, Ids), ( thread_join(Id, Status), ( Status == true -> true ; print(Status), nl ) )),
    write(done), nl.

% Throws into the threads that ask for it, until all have ended.
disturb(0) :- !.
disturb(N) :-
    thread_get_message(What),
    (   What = signal(Id)
    ->  sleep(0.0003),
        thread_signal(Id, throw(thrown)),
        disturb(N)
    ;   M is N - 1,
        disturb(M)
    ).
";

#[test]
fn broken_off_evaluations_in_threads_leave_right_tables() {
    let scratch = Scratch::new();
    let file = scratch.file("tables.pl", PROGRAM);
    let (seed, rounds) = (setting("SAMITE_SEED", 1), setting("SAMITE_ROUNDS", 60));
    let mut command = samite();
    let goal = format!("main({seed}, 3, {rounds})");
    command.args(["-q", "-g", &goal, "-t", "halt", &file]);
    finish(command, b"", LIMIT)
        .status(0)
        .prints("done\n")
        .silent();
}
