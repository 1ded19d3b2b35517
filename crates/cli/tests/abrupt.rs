//! Threads that end abruptly, at random: programs in which threads are signalled, aborted, detached, joined twice and sent messages while they
//! end, in which queues and mutexes are destroyed under those who wait for them, and which halt in the middle of it. No program hangs or
//! crashes, no message that was sent to a queue is lost or doubled, no mutex stays locked by a thread that is gone, and errors are those
//! that the situation allows.
//!
//! `SAMITE_SEED=n` is the first seed, `SAMITE_SEEDS=n` how many there are.

mod common;

use common::{LIMIT, Scratch, finish, samite};

const PROGRAM: &str = r"
:- dynamic([wrong/1, exited/1, worker/1]).

% --- random steps; each program has its seed ---

draw(N, X) :- random_between(1, N, X).
pick(List, X) :- random_member(X, List).

% An error that the situation allows is none; anything else is kept.
allow(Goal) :-
    catch(( Goal -> true ; true ), E, ( allowed(E) -> true ; assertz(wrong(Goal-E)) )).
allowed(error(existence_error(T, _), _)) :- memberchk(T, [thread, message_queue, mutex, key]).
allowed(error(permission_error(A, T, _), _)) :-
    memberchk(A-T, [join-thread, detach-thread, unlock-mutex, destroy-mutex, create-message_queue, create-mutex, create-thread]).
allowed(error(deadlock_error(_), _)).
allowed(stop).
allowed(unwind(_)).
allowed('$aborted').
allowed(time_limit_exceeded).

% --- what threads do ---

work(0) :- !.
work(N) :- once(step), N1 is N - 1, work(N1).

step :- draw(18, X), step(X).
step(1) :- draw(5, X), S is X / 1000, sleep(S).
step(2) :- allow(( pick([ma, mb], M), with_mutex(M, ( draw(3, X), S is X / 2000, sleep(S) )) )).
step(3) :- allow(( pick([qa, qb], Q), sig_atomic(( thread_get_message(Q, m(_), [timeout(0.002)]), count(got) )) )).
step(4) :- allow(( pick([qa, qb], Q), sig_atomic(( thread_send_message(Q, m(1)), count(sent) )) )).
step(5) :- allow(( some_thread(T), thread_send_message(T, hello) )).
step(6) :- allow(( some_thread(T), thread_signal(T, throw(stop)) )).
step(7) :- allow(( some_thread(T), thread_signal(T, true) )).
step(8) :- allow(( some_thread(T), thread_property(T, status(_)) )).
step(9) :- allow(( some_thread(T), catch(thread_statistics(T, cputime, _), error(_, _), true) )).
step(10) :- allow(findall(T-P, thread_property(T, P), _)).
step(11) :- allow(( mutex_create(M), thread_create(mutex_lock(M), T), thread_join(T, _), catch(mutex_destroy(M), error(_, _), true) )).
step(12) :- allow(( mutex_create(M), thread_self(Me), thread_create(wait_for(M, Me), _, [detached(true)]), mutex_destroy(M) )).
step(13) :- allow(( message_queue_create(Q), thread_create(catch(thread_get_message(Q, _, [timeout(1)]), _, true), _, [detached(true)]), thread_send_message(Q, x), message_queue_destroy(Q) )).
step(14) :- allow(( thread_create(true, T), thread_join(T, _), thread_join(T, _) )).
step(15) :- allow(( thread_create(sleep(0.001), T), ( draw(2, 1) -> thread_detach(T) ; thread_join(T, _) ) )).
step(16) :- allow(setup_call_cleanup(mutex_lock(mc), ( draw(2, X), S is X / 2000, sleep(S) ), mutex_unlock(mc))).
step(17) :- allow(call_with_time_limit(0.002, ( repeat, fail ))).
step(18) :- allow(( thread_self(Me), thread_peek_message(Me, hello), thread_get_message(Me, hello) )).
wait_for(M, _) :- catch(with_mutex(M, true), _, true).

% Workers only: the threads behind time limits are nobody's business. Some are gone.
some_thread(T) :- findall(X, worker(X), Xs), Xs \== [], pick(Xs, T), thread_self(Me), T \== Me.

% Counters that no signal comes between.
count(Key) :- with_mutex(counters, ( flag(Key, N, N + 1) )).

worker :-
    draw(6, Way),
    ( Way =:= 1 -> allow(thread_at_exit(throw(in_exit))) ; Way =:= 2 -> allow(thread_at_exit(( thread_self(Me), assertz(exited(Me)) ))) ; true ),
    catch(work(12), E, ( E == stop -> true ; allowed(E) -> true ; assertz(wrong(worker-E)) )),
    end(Way).
end(3) :- thread_self(Me), thread_property(Me, detached(false)), !, thread_exit(done).
end(4) :- throw(stop).
end(5) :- fail.
end(6) :- abort.
end(_).

go(Seed, Rounds) :-
    set_random(seed(Seed)),
    forall(member(M, [ma, mb, mc, counters]), mutex_create(M)),
    forall(member(Q, [qa, qb]), message_queue_create(Q)),
    forall(between(1, Rounds, _), round),
    drain(qa), drain(qb),
    flag(sent, S, S), flag(got, G, G),
    forall(member(M, [ma, mb, mc]), ( mutex_property(M, status(St)) -> ( St == unlocked -> true ; assertz(wrong(M-St)) ) ; assertz(wrong(M)) )),
    findall(W, wrong(W), Ws),
    ( S =:= G, Ws == [] -> writeln(done) ; print(S/G/Ws), nl ).

round :-
    retractall(worker(_)),
    findall(T, ( between(1, 10, _), thread_create(worker, T), assertz(worker(T)) ), Ts),
    work(8),
    forall(member(T, Ts), ( draw(3, X), late(X, T) )),
    wait_for_all.
late(1, T) :- allow(thread_signal(T, throw(stop))), allow(thread_join(T, _)).
late(2, T) :- allow(thread_detach(T)), allow(thread_join(T, _)).
late(3, T) :- allow(thread_join(T, _)).
% Those that were detached.
wait_for_all :-
    repeat, findall(T, ( thread_property(T, status(_)), T \== main, T \== gc ), Ts),
    exclude(joinable, Ts, Rest), ( Rest == [] -> true ; sleep(0.002), fail ), !.
joinable(T) :- catch(( thread_property(T, detached(false)), thread_property(T, status(S)), S \== running, allow(thread_join(T, _)) ), _, true).
drain(Q) :- ( thread_peek_message(Q, m(_)), thread_get_message(Q, m(_)) -> count(got), drain(Q) ; true ).

% --- halt in the middle ---

stop(Seed) :-
    set_random(seed(Seed)),
    forall(member(M, [ma, mb, mc, counters]), mutex_create(M)),
    forall(member(Q, [qa, qb]), message_queue_create(Q)),
    findall(T, ( between(1, 50, I), thread_create(busy(I), T) ), _),
    draw(10, X), S is X / 500, sleep(S),
    draw(3, Who), write(halting), nl,
    ( Who =:= 1 -> thread_create(halt, _), thread_get_message(never) ; halt ).
busy(I) :- K is I mod 6, repeat, catch(busy_with(K), _, true), fail.
busy_with(0) :- tmp_file(abrupt, F), setup_call_cleanup(open(F, write, S), forall(between(1, 100, X), ( write(S, X), nl(S) )), close(S)), delete_file(F).
busy_with(1) :- with_mutex(ma, sleep(0.001)).
busy_with(2) :- mutex_lock(mb), sleep(0.001), mutex_unlock(mb).
busy_with(3) :- thread_get_message(qa, x, [timeout(0.01)]).
busy_with(4) :- thread_create(sleep(0.001), T), thread_join(T, _).
busy_with(5) :- call_with_time_limit(0.003, thread_get_message(never)).
";

fn number(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
    set.unwrap_or(default)
}

fn runs(goal: &str, expected: &str, seed: u64) {
    let scratch = Scratch::new();
    let file = scratch.file("abrupt.pl", PROGRAM);
    let mut command = samite();
    command.args(["-q", "-g", goal, "-t", "halt", &file]);
    let run = finish(command, b"", LIMIT);
    assert!(
        run.out == expected && run.status == Some(0),
        "SAMITE_SEED={seed}: {goal}: {run:#?}"
    );
}

#[test]
fn threads_end_in_all_ways() {
    let first = number("SAMITE_SEED", 1);
    for seed in first..first + number("SAMITE_SEEDS", 3) {
        runs(&format!("go({seed}, 6)"), "done\n", seed);
    }
}

#[test]
fn halt_while_threads_do_all_kinds_of_things() {
    let first = number("SAMITE_SEED", 1);
    for seed in first..first + number("SAMITE_SEEDS", 3) {
        runs(&format!("stop({seed})"), "halting\n", seed);
    }
}
