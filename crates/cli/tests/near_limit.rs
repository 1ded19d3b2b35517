//! Near the memory limit: what a program does in steps, and holds something meanwhile, is done or is refused; nothing stays locked, open, running or unjoined,
//! and the same can be done afterwards. What is refused is refused for what is in use, never for garbage.

mod common;

use common::{run_program, samite};

const PROGRAM: &str = r#"
:- use_module(library(lists)).
:- use_module(library(aggregate)).
:- use_module(library(thread)).
:- use_module(library(rwlocks)).
:- dynamic o/1.
list(0, []) :- !.
list(N, [f(N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N)|T]) :- M is N-1, list(M, T).
keep(_).
:- table digit/1, path/2, back/2, even/1, odd/1, joined(_, lattice(join/3)), least(_, min), kept/1.
digit(X) :- between(1, 500, X).
edge(X, Y) :- between(1, 20, X), Y is X mod 20 + 1.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
back(X, Y) :- edge(Z, Y), back(X, Z).
back(X, Y) :- edge(X, Y).
even(0).
even(N) :- N > 0, M is N-1, odd(M).
odd(N) :- N > 0, M is N-1, even(M).
join(A, B, C) :- append(A, B, D), sort(D, C).
joined(X, L) :- between(1, 20, X), ( L = [X] ; L = [a,X] ; L = [b] ).
least(X, Y) :- between(1, 20, X), between(1, 10, Z), Y is 10-Z.
kept(X) :- member(X, [a, b, c]).
take(X) :- assertz(o(X)), step(X).
give(X) :- retract(o(X)).
step(_).
count(G, N) :- abolish_all_tables, aggregate_all(count, G, N).

% What holds something, in steps: each is refused before it is taken, or gives it back.
op(setup(1), setup_call_cleanup(take(1), step(a), give(1))).
op(setup(2), setup_call_cleanup(setup_call_cleanup(take(1), true, true), true, give(1))).
op(setup(3), setup_call_cleanup(setup_call_cleanup(with_mutex(m, take(1)), true, true), true, give(1))).
op(setup(handlers), setup_call_cleanup(setup_call_cleanup(take(1), true, setup_call_cleanup(step(b), true, with_mutex(m, step(c)))), true, give(1))).
op(setup(inner), setup_call_cleanup(setup_call_cleanup(take(1), setup_call_cleanup(take(2), true, give(2)), true), true, give(1))).
op(setup(all), setup_call_cleanup(( take(1), findall(X, member(X, [a,b]), _), kept(a) ), true, give(1))).
op(handler(setup), setup_call_cleanup(take(1), true, with_mutex(m, setup_call_cleanup(with_mutex(n, step(a)), true, give(1))))).
op(handler(table), setup_call_cleanup(take(1), true, ( abolish_all_tables, kept(a), give(1) ))).
op(nested, setup_call_cleanup(take(1), setup_call_cleanup(take(2), setup_call_cleanup(take(3), true, give(3)), give(2)), give(1))).
op(mutex, setup_call_cleanup(( mutex_lock(m), step(a) ), ( step(b), step(c) ), ( step(d), mutex_unlock(m) ))).
op(rwlock, with_rwlock(l, with_rwlock(l, step(a), read), write)).
op(thread, setup_call_cleanup(thread_create(true, T), step(a), thread_join(T, _))).
op(maplist, concurrent_maplist([X]>>(X > 0), [1,2,3])).
op(forall, concurrent_forall(member(X, [1,2,3]), X > 0)).
op(first, first_solution(_, [true, true], [])).
op(queue, setup_call_cleanup(message_queue_create(_, [alias(q)]), ( thread_send_message(q, a), thread_get_message(q, a) ), message_queue_destroy(q))).
op(engine, setup_call_cleanup(engine_create(X, setup_call_cleanup(take(1), member(X, [1,2]), give(1)), E), engine_next(E, _), engine_destroy(E))).
op(stream, setup_call_cleanup(open_string("abc. ", S), read(S, _), close(S))).
op(time, setup_call_cleanup(take(1), call_with_time_limit(10, step(a)), give(1))).
% Tables.
op(table(calls), count(digit(_), 500)).
op(table(left), count(path(_, _), 400)).
op(table(right), count(back(1, _), 20)).
op(table(mutual), ( abolish_all_tables, even(50) )).
op(table(lattice), count(joined(_, _), 20)).
op(table(least), count(least(_, _), 20)).

there(there(Threads, Locked, Queues, Engines, Streams, Facts, Locks, Alarms)) :-
    findall(T, thread_property(T, status(_)), Threads),
    findall(M, mutex_property(M, status(locked(_, _))), Locked),
    findall(Q, message_queue_property(Q, alias(_)), Queues),
    findall(E, current_engine(E), Engines),
    findall(S, stream_property(S, mode(_)), Streams),
    findall(X, o(X), Facts),
    findall(L, rwlocks:'$rwlock'(L, _, _), Locks),
    findall(A, current_alarm(_, _, A, _), Alarms).

% Beside a list of so many that is in use, or is garbage.
beside(alive, N, G, R) :- catch(( list(N, T), outcome(G, R0), keep(T), R = R0 ), error(E, _), R = E).
beside(garbage, N, G, R) :- list(N, T), keep(T), outcome(G, R).
outcome(G, R) :- catch(( \+ \+ G -> R = true ; R = false ), error(R, _), true).
fine(_, true, true).
fine(alive, resource_error(memory), refused).
% It is over or refused, nothing is left of it, and it can be done again.
tried(Name, G, Kind, N) :-
    garbage_collect, there(Before),
    beside(Kind, N, G, R),
    garbage_collect, there(After),
    ( fine(Kind, R, K) -> flag(K, F, F+1) ; print(Name-Kind-N-R), nl ),
    ( After == Before -> true ; print(left(Name, Kind, N, After)), nl, retractall(o(_)) ),
    ( outcome(G, true) -> true ; print(afterwards(Name, Kind, N)), nl ).
all(Kind, From, To, Step) :-
    forall(op(Name, G), ( outcome(G, R), ( R == true -> true ; print(Name-R), nl ) )),
    Last is (To-From)//Step,
    forall(( op(Name, G), between(0, Last, I) ), ( N is From+I*Step, tried(Name, G, Kind, N) )).
some(Least) :- forall(member(K, [true, refused]), ( flag(K, N, N), ( N >= Least -> true ; print(K-N), nl ) )).
"#;

fn tried(goal: &str) {
    let mut command = samite();
    command.arg("--memory-limit=8M");
    run_program(command, &format!("{PROGRAM}run :- {goal}.\n"))
        .status(0)
        .silent()
        .prints("");
}

/// From what is just below the limit to what is as much above it as it may be before a collection looks.
#[test]
fn what_is_refused_leaves_nothing() {
    tried("all(alive, 51200, 65000, 1725), some(30)");
}

#[test]
fn nothing_is_refused_for_garbage() {
    tried("all(garbage, 48000, 65000, 2125)");
}
