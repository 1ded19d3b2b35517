//! Slices that are counted in calls (`--schedule=calls:N`): an execution is the same in each run, whatever kind of thread there is.

mod common;

use common::random::setting;
use common::{Scratch, finish, samite};
use std::collections::BTreeSet;
use std::time::Duration;

/// Output of the program's `main/0`, with slices of so many calls.
fn output(file: &str, schedule: &str) -> String {
    let mut command = samite();
    command.args([schedule, "-g", "main", "-t", "halt", file]);
    let run = finish(command, b"", Duration::from_secs(100)).sound();
    run.out
}

/// Each of these lengths gives one output, and they differ from each other.
fn is_repeated(text: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    let mut all = BTreeSet::new();
    for calls in [1, 3, 20, 150] {
        let schedule = format!("--schedule=calls:{calls}");
        let first = output(&file, &schedule);
        assert!(first.ends_with("end\n"), "{first}");
        for _ in 0..6 {
            assert_eq!(output(&file, &schedule), first, "{schedule}");
        }
        all.insert(first);
    }
    assert!(all.len() > 2, "the length of a slice shows: {all:?}");
}

/// Threads that write, send to each other, and wait: each of them, and the one that has made them, runs in its turn.
const TALK: &str = r"
count(0, _) :- !.
count(N, I) :- ( N mod 37 =:= 0 -> write(I) ; true ), N1 is N-1, count(N1, I).
worker(I) :-
    count(400, I), thread_get_message(go(X)), write([I,X]),
    with_mutex(m, count(100, I)), count(100, I),
    thread_send_message(main, done(I)).
main :-
    findall(T, ( between(1, 6, I), kind(I, K), thread_create(worker(I), T, [kind(K)]) ), Ts),
    count(500, m),
    forall(nth1(I, Ts, T), thread_send_message(T, go(I))),
    count(300, m),
    findall(I, ( member(_, Ts), thread_get_message(done(I)) ), Is), nl, write(Is), nl,
    forall(member(T, Ts), thread_join(T, true)),
    write(end), nl.
";

#[test]
fn native_threads_take_turns() {
    is_repeated(&format!("{TALK}kind(_, native).\n"));
}

#[test]
fn light_threads_take_turns() {
    is_repeated(&format!("{TALK}kind(_, light).\n"));
}

#[test]
fn threads_of_both_kinds_take_turns() {
    is_repeated(&format!(
        "{TALK}kind(I, K) :- ( I mod 2 =:= 0 -> K = light ; K = native ).\n"
    ));
}

/// Facts that all change, what each finds there, signals, engines, failures without calls, and more threads made by threads.
#[test]
fn what_they_share_is_the_same_too() {
    is_repeated(
        r"
:- dynamic(at/2).
step(_, 0) :- !.
step(I, N) :-
    retract(at(x, A)), B is (A*31+I) mod 10007, assertz(at(x, B)), !,
    M is N-1, step(I, M).
step(I, N) :- M is N-1, step(I, M).
walk(I) :-
    step(I, 60),
    engine_create(X, ( between(1, 30, X), step(I, X) ), E),
    findall(X, ( repeat, ( engine_next(E, X) -> true ; ! , fail ) ), L), length(L, Len), write(Len),
    ( between(1, 200, Y), Y mod 50 =:= 0, write(I), fail ; true ),
    ( I < 4 -> J is I+4, thread_create(walk(J), T, [kind(light)]), thread_join(T, _) ; true ).
main :-
    assertz(at(x, 1)),
    findall(T, ( between(1, 3, I), thread_create(catch(walk(I), stop, write(stopped(I))), T) ), Ts),
    step(0, 50),
    Ts = [First|_], thread_signal(First, throw(stop)),
    forall(member(T, Ts), ( thread_join(T, S), write(S) )),
    concurrent_maplist([X,Y]>>( step(X, 20), Y is X*X ), [1,2,3,4,5], Ys), write(Ys),
    findall(A, at(x, A), As), write(As), nl, write(end), nl.
",
    );
}

/// Whoever runs is stopped, also where it calls nothing, waits for nothing, or has a higher priority.
#[test]
fn nobody_is_left_out() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
main :-
    findall(T, ( member(K, [light, native]), busy(B), thread_create(B, T, [kind(K)]) ), Ts),
    thread_create(( repeat, fail ), High, [kind(light), priority(10)]),
    thread_create(thread_send_message(main, there), _, [detached(true)]),
    thread_get_message(there),
    forall(member(T, [High|Ts]), ( thread_signal(T, throw(stop)), thread_join(T, S), write(S), nl )),
    write(end), nl.
busy(( repeat, fail )).
busy(loop).
busy(( engine_create(_, loop, E), engine_next(E, _) )).
loop :- loop.
",
    );
    let out = output(&file, "--schedule=calls:100");
    assert_eq!(out, format!("{}end\n", "exception(stop)\n".repeat(7)));
}

/// Output of the program's `main/0` in the simulated world of a seed.
fn simulated(file: &str, seed: u64) -> String {
    let mut command = samite();
    command.env("SAMITE_SIM", seed.to_string());
    command.args(["-g", "main", "-t", "halt", file]);
    finish(command, b"", Duration::from_secs(100)).sound().out
}

/// Queues that fill, mutexes, facts that two change, time limits and sleeps: what each seed makes of them is right, and the same twice.
#[test]
fn a_seed_repeats_an_execution() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
:- dynamic(total/1).
total(0).
kind(I, K) :- ( I mod 2 =:= 0 -> K = light ; K = native ).
add(N) :- with_mutex(sum, sig_atomic(( retract(total(S)), T is S+N, assertz(total(T)) ))).   % (with_mutex/2 alone would be left in its middle.)
stage(In, Out) :- thread_get_message(In, M), ( M = x(N) -> N1 is N+1, thread_send_message(Out, x(N1)), stage(In, Out) ; thread_send_message(Out, M) ).
naps(I) :- forall(between(1, 5, J), ( T is ((I*J*7) mod 5)*0.3, sleep(T), add(1), write(I) )).
endless :- catch(call_with_time_limit(2, ( repeat, add(0), fail )), time_limit_exceeded, add(100)).
main :-
    get_time(Begin),
    length(Qs, 4), maplist([Q]>>message_queue_create(Q, [max_size(2)]), Qs),
    findall(In-Out, nextto(In, Out, Qs), Ps),
    findall(T, ( nth1(I, Ps, In-Out), kind(I, K), thread_create(stage(In, Out), T, [kind(K)]) ), Ts1),
    findall(T, ( between(1, 4, I), kind(I, K), thread_create(naps(I), T, [kind(K)]) ), Ts2),
    findall(T, ( member(K, [light, native]), thread_create(endless, T, [kind(K)]) ), Ts3),
    Qs = [First|_], last(Qs, Last),
    thread_create(( forall(between(1, 40, N), thread_send_message(First, x(N))), thread_send_message(First, end) ), T0, [kind(light)]),
    received(Last, L), sum_list(L, Sum),
    append([[T0], Ts1, Ts2, Ts3], All),
    forall(member(T, All), thread_join(T, true)),
    total(Total), get_time(End), Seconds is truncate(End-Begin),
    nl, write([Sum, Total]), ( between(2, 100, Seconds) -> true ; write(Seconds) ), nl.
received(Q, L) :- thread_get_message(Q, M), ( M = x(N) -> write(.), L = [N|R], received(Q, R) ; L = [] ).
",
    );
    let mut all = BTreeSet::new();
    for seed in 0..40 {
        let first = simulated(&file, seed);
        assert!(first.ends_with("\n[940,220]\n"), "seed {seed}: {first}");
        if seed % 4 == 0 {
            assert_eq!(simulated(&file, seed), first, "seed {seed}");
        }
        all.insert(first);
    }
    assert!(all.len() > 30, "seeds differ");
}

/// Asserts, tables, time limits, mutexes, engines, threads that make threads, and signals at any moment: no thread ends otherwise than it is said to, nothing is lost, and
/// nothing stays locked, in any of these seeds (`SAMITE_SEEDS=n`: that many).
#[test]
fn a_storm_passes_in_each_seed() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
:- dynamic((fact/2, done/1, bad/3)).
:- table path/2.
edge(X, Y) :- between(1, 8, X), Y is X mod 8 + 1.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
kind(I, K) :- ( I mod 3 =:= 0 -> K = native ; K = light ).
act(I, 0) :- retractall(fact(I, _)), forall(between(1, 6, J), ( assertz(fact(I, J)), ( J mod 2 =:= 0 -> retract(fact(I, J)) ; true ) )), aggregate_all(count, fact(I, _), 3), retractall(fact(I, _)).
act(_, 1) :- aggregate_all(count, path(_, _), 64), abolish_all_tables.
act(_, 2) :- catch(call_with_time_limit(0.01, ( repeat, fail )), time_limit_exceeded, true).
act(_, 3) :- forall(between(1, 5, _), with_mutex(m, true)).
act(_, 4) :- engine_create(X, member(X, [a,b,c]), E), engine_next(E, a), engine_next(E, b), engine_destroy(E).
act(_, 5).
act(I, 6) :- thread_self(Me), thread_create(thread_send_message(Me, hi(I)), T, [kind(light)]), thread_get_message(hi(I)), thread_join(T, true).
act(_, 7) :- setup_call_cleanup(mutex_lock(k), sleep(0.001), mutex_unlock(k)).
act(_, 8) :- findall(X, ( between(1, 30, X), atom_length(X, _) ), L), length(L, 30).
worker(I) :-
    forall(between(1, 12, J), ( A is (I*7+J*5) mod 9, ( catch(once(act(I, A)), sig, true) -> true ; assertz(bad(I, J, A)) ) )),
    assertz(done(I)).
main :-
    mutex_create(m), mutex_create(k),
    findall(T, ( between(1, 9, I), kind(I, K), thread_create(worker(I), T, [kind(K)]) ), Ts),
    forall(nth1(N, Ts, T), ( ( N mod 3 =:= 1 -> catch(thread_signal(T, throw(sig)), error(existence_error(thread, _), _), true) ; true ), sleep(0.001) )),
    findall(S, ( member(T, Ts), thread_join(T, S), S \== true ), Ss),
    findall(S, ( member(S, Ss), S \== exception(sig) ), Others),
    findall(B, ( B = bad(_, _, _), B ), Bads),
    findall(M, mutex_property(M, status(locked(_, _))), Locked),
    aggregate_all(count, done(_), Done), length(Ss, Stopped), Both is Done+Stopped,
    write([Others, Bads, Locked, Both]), nl.
",
    );
    for seed in 0..setting("SAMITE_SEEDS", 80) {
        assert_eq!(simulated(&file, seed), "[[],[],[],9]\n", "seed {seed}");
    }
}

/// Nobody waits for time to pass.
#[test]
fn days_pass_at_once() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
main :-
    get_time(A), sleep(1000000), get_time(B), D is round(B-A), write(D), nl,
    ( thread_get_message(main, never, [timeout(86400)]) -> true ; write(timeout) ), nl,
    thread_create(sleep(3600), T, [kind(light)]), thread_join(T, S), write(S), nl.
",
    );
    assert_eq!(simulated(&file, 7), "1000000\ntimeout\ntrue\n");
}

#[test]
fn a_seed_is_a_number() {
    let mut command = samite();
    command.env("SAMITE_SIM", "x").args(["-g", "halt"]);
    finish(command, b"", Duration::from_secs(60))
        .status(1)
        .warns(&["SAMITE_SIM=x: not a number"]);
}

#[test]
fn what_is_no_schedule_is_refused() {
    for (value, status) in [
        ("time", 0),
        ("calls:5", 0),
        ("calls:0", 1),
        ("calls:x", 1),
        ("calls", 1),
        ("fair", 1),
    ] {
        let mut command = samite();
        command.args([&format!("--schedule={value}"), "-g", "true", "-t", "halt"]);
        let run = finish(command, b"", Duration::from_secs(60));
        run.sound().status(status);
    }
}
