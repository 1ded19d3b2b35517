//! Threads that share the work of one evaluation (`as shared`): random Datalog programs that several threads call at the same time, against bottom-up evaluation; and evaluations that are broken off
//! meanwhile, by exceptions, signals, limits of time and of inferences, by abolishing all tables, by waiting for something else.
//!
//! `SAMITE_SHARE_STRESS` has evaluations wait a moment for company, so that work is shared at all in what ends within a millisecond. `SAMITE_DATALOG=N` runs N programs, `SAMITE_SEED` sets the first
//! seed, `SAMITE_ROUNDS` the rounds of each thread.

mod common;
#[allow(dead_code, reason = "changes of programs are others' affair")]
#[path = "common/datalog.rs"]
mod program;

use common::random::{Random, setting};
use common::{LIMIT, Scratch, finish, samite};
use program::{Atom, CONSTANTS, Const, Sharing, Text, Tuple, Var, constants, generate};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

/// Programs to a process.
const BATCH: u64 = 25;

/// `all(Id, Threads, Kind, Tuple, Goal)` has so many threads of a kind ask for the same at the same time, and prints what they have found, if it is the same.
const DRIVER: &str = r"
all(Id, Threads, Kind, Tuple, Goal) :-
    thread_self(Me),
    findall(T, ( between(1, Threads, _), thread_create(ask(Me, Tuple, Goal), T, [kind(Kind)]) ), Ts),
    forall(member(_, Ts), thread_get_message(ready)),
    forall(member(T, Ts), thread_send_message(T, go)),
    findall(S, ( member(T, Ts), thread_join(T, exited(S)) ), Ss),
    ( length(Ss, Threads), sort(Ss, [S1]) -> true ; S1 = different(Ss) ),
    format('~w ~w~n', [Id, S1]).
ask(Main, Tuple, Goal) :-
    thread_send_message(Main, ready),
    thread_get_message(go),
    findall(Tuple, Goal, L0),
    maplist(numbers, L0, L),
    msort(L, M),
    sort(L, S0),
    ( M == S0 -> S = S0 ; S = twice(M) ),
    thread_exit(S).
numbers(Tuple, Is) :- maplist(number, Tuple, Is).
number(T, I) :- constant(I, C), C == T, !.
";

fn selected(a: &Atom, relation: &BTreeSet<Tuple>) -> Vec<String> {
    let fits = |tuple: &&Tuple| {
        let mut env = [None; 8];
        a.args.iter().zip(*tuple).all(|(&t, &c)| match t {
            Const(d) => c == d,
            Var(v) => *env[v].get_or_insert(c) == c,
        })
    };
    let rows = relation.iter().filter(fits);
    let row = |t: &Tuple| t.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    rows.map(|t| format!("[{}]", row(t))).collect()
}

#[test]
fn threads_that_share_work_find_what_bottom_up_evaluation_finds() {
    let constants = constants();
    let mut seed = setting("SAMITE_SEED", 1);
    let end = seed + setting("SAMITE_DATALOG", 150);
    let mut shared = 0;
    while seed < end {
        let mut text = String::from(DRIVER);
        for (i, c) in constants.iter().enumerate() {
            let _ = writeln!(text, "constant({i}, {c}).");
        }
        let mut expected = Vec::new();
        for id in seed..end.min(seed + BATCH) {
            let r = &mut Random::new(id);
            let program = generate(r, false, 0);
            let (known, _) = program.model();
            let of = Text {
                id,
                tnot: false,
                incremental: false,
                sharing: Sharing::Tables,
                constants: &constants,
            };
            text.push_str(&of.program(&program));
            let derived = (0..program.predicates.len()).filter(|&i| program.predicates[i].tabled);
            for pred in derived {
                let args = (0..program.predicates[pred].arity).map(|i| match r.below(9) {
                    0 => Const(r.below(CONSTANTS) as u8),
                    1 => Var(0),
                    _ => Var(i),
                });
                let a = Atom {
                    pred,
                    args: args.collect(),
                };
                let args: Vec<String> = a.args.iter().map(|&t| of.term(t)).collect();
                let (goal, tuple) = (of.atom(&a), args.join(", "));
                let threads = [2, 2, 2, 3, 3, 8, 16, 24][r.below(8)];
                let kind = ["native", "light"][r.below(2)];
                let n = expected.len();
                let _ = writeln!(
                    text,
                    "run :- abolish_all_tables, all({n}, {threads}, {kind}, [{tuple}], {goal}), fail."
                );
                let right = format!("{n} [{}]", selected(&a, &known[pred]).join(","));
                expected.push((id, right));
            }
        }
        seed += BATCH;
        text.push_str("run :- '$table_cooperations'(_, N, _, _, _), format('~w~n', [N]).\n");
        let text = format!(
            ":- use_module(library(aggregate)).\n:- use_module(library(lists)).\n:- style_check(-singleton).\n:- discontiguous run/0.\n{text}"
        );
        let scratch = Scratch::new();
        let file = scratch.file("program.pl", &text);
        let mut command = samite();
        command.env("SAMITE_SHARE_STRESS", "1");
        command.args(["--memory-limit=1g", "-q", "-g", "run", "-t", "halt", &file]);
        let run = finish(command, b"", Duration::from_secs(300)).sound();
        assert_eq!(run.err, "", "programs up to seed {seed}");
        let mut lines = run.out.lines();
        for (id, right) in expected {
            assert_eq!(
                lines.next(),
                Some(&right[..]),
                "SAMITE_SEED={id} SAMITE_DATALOG=1"
            );
        }
        shared += lines
            .next()
            .and_then(|n| n.parse::<u64>().ok())
            .unwrap_or(0);
    }
    // Otherwise nothing was tested.
    assert!(
        shared > setting("SAMITE_DATALOG", 150) / 4,
        "{shared} shared"
    );
}

const PROGRAM: &str = r"
:- use_module(library(time)).
:- dynamic(known/2).
:- table left/2 as shared, rite/2 as shared, both/2 as shared, odd/2 as shared, even/2 as shared, long/2 as shared, ends/2 as shared.

nodes(40).
edge(X, Y) :- nodes(N), ( nonvar(X) -> true ; M is N - 1, between(0, M, X) ), ( Y is (X * 5 + 1) mod N ; X mod 3 =:= 0, Y is (X * 3) mod N ; X mod 7 =:= 0, Y is (X + 20) mod N ).

left(X, Y) :- edge(X, Y).
left(X, Y) :- left(X, Z), hook, edge(Z, Y).
rite(X, Y) :- edge(X, Y).
rite(X, Y) :- edge(X, Z), rite(Z, Y), hook.
both(X, Y) :- edge(X, Y), hook.
both(X, Y) :- both(X, Z), both(Z, Y).
odd(X, Y) :- edge(X, Y).
odd(X, Y) :- catch(even(X, Z), no_ball, fail), edge(Z, Y).
even(X, Y) :- odd(X, Z), hook, edge(Z, Y).
% Answers that are no rows, after some that are.
long(X, [Y]) :- edge(X, Y).
long(X, [Z|L]) :- long(X, L), hook, length(L, N), N < 3, L = [Y|_], edge(Y, Z).
% Loses its company.
ends(X, Y) :- edge(X, Y).
ends(X, Y) :- ends(X, Z), hook, ( Z =:= 7 -> with_mutex(m, true), thread_self(Me), thread_send_message(Me, note), thread_get_message(note) ; true ), edge(Z, Y).

goal(left(_, _)). goal(left(1, _)). goal(left(_, 3)). goal(rite(_, _)). goal(rite(2, _)). goal(both(1, _)). goal(odd(_, _)). goal(even(3, _)). goal(long(2, _)). goal(ends(_, _)).

next(N) :- nb_getval(seed, S0), S is (S0 * 1103515245 + 12345) mod 2147483648, nb_setval(seed, S), N is S >> 8.
below(M, N) :- next(R), N is R mod M.

hook :- nb_getval(hook, none), !.
hook :- below(150, 0), !, nb_getval(hook, What), happen(What).
hook.
happen(throw) :- throw(thrown).
happen(abolish) :- abolish_all_tables.
happen(collect) :- garbage_collect, garbage_collect_atoms.
happen(signal) :- nb_setval(hook, none), thread_self(Me), thread_signal(Me, throw(thrown)).
happen(sleep) :- sleep(0.001).
happen(mutex) :- with_mutex(m, ( sleep(0.0005) )).
happen(inside) :- nb_setval(hook, none), thread_self(Me), thread_signal(Me, ended(left(1, _))).

worker(Seed, Goals, Rounds) :-
    nb_setval(seed, Seed),
    nb_setval(hook, none),
    % (All ask for the same, one after the other.)
    forall(nth1(I, Goals, G), ( I =< Rounds -> catch(catch(( round(G) -> true ; throw(failed(G)) ), E, outside(E)), thrown, true) ; true )),
    nb_setval(hook, none),
    forall(goal(G), ended(G)).

outside(thrown) :- !.
outside(time_limit_exceeded) :- !.
outside(E) :- throw(E).

round(G) :-
    below(12, H),
    nth0(H, [none, none, none, none, none, throw, abolish, collect, signal, sleep, mutex, inside], Hook),
    nb_setval(hook, Hook),
    ( below(3, 0) -> abolish_all_tables ; true ),
    below(8, How),
    run(How, G).

run(0, G) :- ended(G).
run(1, G) :- below(15, N), Limit is (N + 1) / 2000, call_with_time_limit(Limit, ended(G)).
run(2, G) :- below(30000, N), call_with_inference_limit(ended(G), N, _).
run(3, G) :- known(G0, L), G0 =@= G, !, ( once(G) -> memberchk(G, L) ; L == [] ).
run(4, G) :- catch(ended(G), thrown, true), nb_setval(hook, none), ended(G).
run(5, G) :- nb_setval(hook, none), thread_self(Me), catch(( thread_send_message(main, signal(Me)), repeat, ended(G), fail ), thrown, true).
run(6, G) :- nb_setval(hook, none), ended(G).
run(7, G) :- nb_setval(hook, none), with_mutex(m, ended(G)).

ended(G) :-
    known(G0, L), G0 =@= G, !,
    findall(G, G, L0),
    msort(L0, L1),
    ( L1 == L -> true ; throw(wrong(G, L1, L)) ).

% Without others there is nobody to share with.
main(Seed, Threads, Kind, Rounds) :-
    nb_setval(hook, none),
    forall(goal(G), ( findall(G, G, L0), msort(L0, L), assertz(known(G, L)) )),
    known(left(_, _), L1), length(L1, N1), known(odd(_, _), L2), length(L2, N2),
    ( N1 > 500, N2 > 500 -> true ; throw(few(N1, N2)) ),
    abolish_all_tables,
    nb_setval(seed, Seed),
    findall(G, ( between(1, Rounds, _), findall(G, goal(G), All), length(All, N), below(N, I), nth0(I, All, G) ), Goals),
    findall(Id, ( between(1, Threads, I), S is Seed * 100 + I, thread_create(call_cleanup(worker(S, Goals, Rounds), thread_send_message(main, end)), Id, [kind(Kind)]) ), Ids),
    disturb(Threads),
    forall(member(Id, Ids), ( thread_join(Id, Status), ( Status == true -> true ; print(Status), nl ) )),
    abolish_all_tables,
    statistics(table_space_used, Bytes),
    ( Bytes =:= 0 -> true ; print(left(Bytes)) ),
    '$table_cooperations'(Opened, Joined, Left, Completed, Refused),
    ( Joined > 0 -> true ; print(nobody_came(Opened, Joined, Left, Completed, Refused)) ),
    ( getenv('SAMITE_SHOW', _) -> print(Opened-Joined-Left-Completed-Refused), nl ; true ),
    write(done), nl.

disturb(0) :- !.
disturb(N) :-
    thread_get_message(What),
    (   What = signal(Id)
    ->  sleep(0.003),
        catch(thread_signal(Id, throw(thrown)), _, true),
        disturb(N)
    ;   M is N - 1,
        disturb(M)
    ).
";

fn broken_off(kind: &str, threads: u64, environment: &[(&str, &str)], rounds: u64) {
    let scratch = Scratch::new();
    let file = scratch.file("shared.pl", PROGRAM);
    let (seed, rounds) = (setting("SAMITE_SEED", 1), setting("SAMITE_ROUNDS", rounds));
    let mut command = samite();
    command.env("SAMITE_SHARE_STRESS", "1");
    command.envs(environment.iter().copied());
    let goal = format!("main({seed}, {threads}, {kind}, {rounds})");
    command.args(["-q", "-g", &goal, "-t", "halt", &file]);
    finish(command, b"", LIMIT)
        .status(0)
        .prints("done\n")
        .silent();
}

#[test]
fn broken_off_evaluations_of_two_leave_right_tables() {
    broken_off("native", 2, &[], 60);
}

#[test]
fn broken_off_evaluations_of_three_leave_right_tables() {
    broken_off("native", 3, &[], 40);
}

#[test]
fn broken_off_evaluations_of_many_leave_right_tables() {
    for (threads, rounds) in [(8, 20), (16, 10), (24, 8)] {
        broken_off("native", threads, &[], rounds);
    }
}

#[test]
fn broken_off_evaluations_of_light_threads_leave_right_tables() {
    for (threads, rounds) in [(3, 40), (8, 20), (16, 10), (24, 8)] {
        broken_off("light", threads, &[], rounds);
    }
}

#[test]
fn collections_do_not_matter() {
    broken_off("native", 2, &[("SAMITE_NURSERY_STRESS", "3")], 20);
    broken_off("native", 2, &[("SAMITE_GC_STRESS", "7")], 4);
}

/// One member writes into a pipe that is full; another one reads it when it has the answers, which do not wait for the first.
#[test]
fn who_waits_to_write_is_not_waited_for() {
    const PIPE: &str = r"
:- table p/2 as shared.
edge(X, Y) :- ( nonvar(X) -> true ; between(0, 29, X) ), ( Y is (X*5+1) mod 30 ; X mod 3 =:= 0, Y is (X*3) mod 30 ; Y is (X+7) mod 30 ).
p(X, Y) :- edge(X, Y).
p(X, Y) :- p(X, Z), format('~w~t~3000|~n', [X]), edge(Z, Y).
count(N) :- aggregate_all(count, p(_, _), N).
main(Kind) :-
    process_create(path(cat), [], [stdin(pipe(In)), stdout(pipe(Out))]),
    open_null_stream(Null),
    thread_create(( set_output(In), thread_get_message(go), count(N), close(In), thread_exit(N) ), Writes, [kind(Kind)]),
    thread_create(( set_output(Null), thread_get_message(go), count(N), read_string(Out, _, _), thread_exit(N) ), Reads, [kind(Kind)]),
    forall(member(T, [Writes, Reads]), thread_send_message(T, go)),
    thread_join(Reads, exited(A)), thread_join(Writes, exited(B)),
    print(A-B), nl.
";
    let scratch = Scratch::new();
    let file = scratch.file("pipe.pl", PIPE);
    for kind in ["native", "light"] {
        let mut command = samite();
        command.env("SAMITE_SHARE_STRESS", "1");
        command.args(["-q", "-g", &format!("main({kind})"), "-t", "halt", &file]);
        finish(command, b"", LIMIT)
            .status(0)
            .prints("900-900\n")
            .silent();
    }
}

/// `main(Kind)` of the program prints what two threads have counted, whatever carries them.
fn both_end(text: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    for (kind, workers) in [("native", 2), ("light", 1), ("light", 2)] {
        let mut command = samite();
        command.env("SAMITE_SHARE_STRESS", "1");
        command.arg(format!("--workers={workers}"));
        command.args(["-q", "-g", &format!("main({kind})"), "-t", "halt", &file]);
        finish(command, b"", LIMIT)
            .status(0)
            .prints("900-900\n")
            .silent();
    }
}

/// One member waits for a message that another one sends when it has its answers.
#[test]
fn who_waits_for_a_message_is_not_waited_for() {
    const MESSAGE: &str = r"
:- table p/2 as shared.
edge(X, Y) :- ( nonvar(X) -> true ; between(0, 29, X) ), ( Y is (X*5+1) mod 30 ; X mod 3 =:= 0, Y is (X*3) mod 30 ; Y is (X+7) mod 30 ).
p(X, Y) :- edge(X, Y).
p(X, Y) :- p(X, Z), ( nb_getval(waits, true), Z =:= 7 -> nb_setval(waits, false), thread_get_message(over) ; true ), edge(Z, Y).
count(Waits, N) :- nb_setval(waits, Waits), thread_get_message(go), aggregate_all(count, p(_, _), N).
main(Kind) :-
    thread_create(( count(true, N), thread_exit(N) ), Waits, [kind(Kind)]),
    thread_create(( count(false, N), catch(thread_send_message(Waits, over), error(existence_error(_, _), _), true), thread_exit(N) ), Other, [kind(Kind)]),
    forall(member(T, [Waits, Other]), thread_send_message(T, go)),
    thread_join(Other, exited(A)), thread_join(Waits, exited(B)),
    print(A-B), nl.
";
    both_end(MESSAGE);
}

/// One member asks again and again for what another one does when it has its answers: that is no waiting that anybody sees, and the other one leaves.
#[test]
fn who_asks_in_a_loop_is_not_waited_for_for_ever() {
    const LOOP: &str = r"
:- table p/2 as shared.
edge(X, Y) :- ( nonvar(X) -> true ; between(0, 29, X) ), ( Y is (X*5+1) mod 30 ; X mod 3 =:= 0, Y is (X*3) mod 30 ; Y is (X+7) mod 30 ).
p(X, Y) :- edge(X, Y).
p(X, Y) :- p(X, Z), ( nb_getval(asks, true), Z =:= 7 -> nb_setval(asks, false), once(( repeat, thread_peek_message(over) )) ; true ), edge(Z, Y).
count(Asks, N) :- nb_setval(asks, Asks), thread_get_message(go), aggregate_all(count, p(_, _), N).
main(Kind) :-
    thread_create(( count(true, N), thread_exit(N) ), Asks, [kind(Kind)]),
    thread_create(( count(false, N), catch(thread_send_message(Asks, over), error(existence_error(_, _), _), true), thread_exit(N) ), Other, [kind(Kind)]),
    forall(member(T, [Asks, Other]), thread_send_message(T, go)),
    thread_join(Other, exited(A)), thread_join(Asks, exited(B)),
    print(A-B), nl.
";
    both_end(LOOP);
}

/// The limits of each of two threads hold for what they find together: one is refused memory for a table without end, and for one that is larger than both may have.
#[test]
fn limits_of_memory_count_what_is_found_together() {
    const LIMITS: &str = r"
:- table n/2 as shared, l/2 as shared.
n(_, 0).
n(X, Y) :- n(X, Z), Y is Z+1.
e(X, Y) :- ( nonvar(X) -> true ; between(1, 300, X) ), ( Y is X mod 300+1 ; Y is (X*17+5) mod 300+1 ).
l(X, Y) :- e(X, Y).
l(X, Y) :- l(X, Z), e(Z, Y).
main(Goal, Limit, Kind) :-
    findall(T, ( between(1, 2, _), thread_create(( thread_get_message(go), forall(Goal, true) ), T, [kind(Kind), stack_limit(Limit)]) ), Ts),
    forall(member(T, Ts), thread_send_message(T, go)),
    findall(S, ( member(T, Ts), thread_join(T, S0), ( S0 = exception(error(resource_error(_), _)) -> S = refused ; S = S0 ) ), Ss),
    print(Ss), nl.
";
    let scratch = Scratch::new();
    let file = scratch.file("limits.pl", LIMITS);
    for kind in ["native", "light"] {
        for (goal, limit, prints) in [
            ("n(_, _)", 8_000_000, "[refused,refused]\n"),
            ("l(_, _)", 200_000, "[refused,refused]\n"),
            ("l(_, _)", 8_000_000, "[true,true]\n"),
        ] {
            let mut command = samite();
            command.env("SAMITE_SHARE_STRESS", "1");
            command.args(["--memory-limit=1g", "--workers=2", "-q"]);
            command.args(["-g", &format!("main({goal}, {limit}, {kind})")]);
            command.args(["-t", "halt", &file]);
            finish(command, b"", LIMIT)
                .status(0)
                .prints(prints)
                .silent();
        }
    }
}
