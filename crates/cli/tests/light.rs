//! Light threads where their number, memory or the end of the process matter. What else there is of them: `tests/prolog/light.pl`, and all other files there,
//! which run in a light thread once more.

mod common;

use common::{Run, run_program, samite};

const FRAME: &str = r#"
resident(KB) :-
    setup_call_cleanup(open('/proc/self/statm', read, S), read_line_to_string(S, Line), close(S)),
    split_string(Line, " ", "", [_, Pages|_]), number_string(N, Pages), KB is N*4.
light(G, T) :- thread_create(G, T, [kind(light)]).
check(G) :- ( G -> true ; write(wrong(G)), nl ).
until(G) :- between(1, 4000, _), ( once(G) -> true ; sleep(0.005), fail ), !.
"#;

fn program(text: &str) -> Run {
    run_program(samite(), &format!("{FRAME}{text}"))
}

/// They wait, each with a little memory; are woken; and leave nothing behind.
#[cfg(target_os = "linux")]
#[test]
fn thirty_thousand_wait() {
    program(
        r"
run :-
    round(3000, _, _),
    resident(Before),
    round(30000, Each, Ss),
    check(Each < 20),
    check(Ss == [true]),
    % (What only names threads that are over is garbage, till it is collected.)
    garbage_collect, garbage_collect_atoms,
    resident(After),
    check(After < 1.1*Before + 20000),
    thread_statistics_are_over,
    write(done), nl, halt.
thread_statistics_are_over :- statistics(threads, N), check(N =:= 1).
round(N, Each, Ss) :-
    resident(A),
    findall(T, ( between(1, N, _), light(( thread_get_message(go(X)), X > 0 ), T) ), Ts),
    last(Ts, Last), until(( thread_statistics(Last, cputime, C), C > 0 )), sleep(0.3),
    resident(B), Each is (B-A) / N,
    forall(member(T, Ts), thread_send_message(T, go(1))),
    findall(S, ( member(T, Ts), thread_join(T, S) ), All), sort(All, Ss).
",
    )
    .status(0)
    .silent()
    .prints("done\n");
}

/// A time limit, or a global variable, is no reason to take more.
#[cfg(target_os = "linux")]
#[test]
fn thousands_wait_within_limits() {
    program(
        r"
run :-
    forall(member(G, [
        call_with_time_limit(1000, thread_get_message(_)),
        ( call_with_time_limit(1000, true), thread_get_message(_) ),
        ( nb_setval(some, f(x)), b_setval(other, g(y)), thread_get_message(_) )]), few(G)),
    write(done), nl, halt.
few(G) :-
    resident(A), findall(T, ( between(1, 4000, _), light(G, T) ), Ts),
    until(( resident(B), sleep(0.1), resident(C), abs(C-B) < 100 )), Each is (C-A) / 4000, check(Each < 12),
    forall(member(T, Ts), thread_send_message(T, go)), forall(member(T, Ts), thread_join(T, true)).
",
    )
    .status(0)
    .silent()
    .prints("done\n");
}

/// Everything at once: asserts, tables, mutexes, signals, aborts, time limits, engines, messages. Nothing is lost, locked or left.
#[test]
fn a_storm_passes() {
    program(
        r"
:- dynamic(fact/2).
:- table path/2.
edge(X, Y) :- between(1, 20, X), Y is X mod 20 + 1.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
run :-
    message_queue_create(_, [alias(done)]),
    numlist(1, 200, Is),
    maplist([I, T]>>light(work(I), T), Is, Ts),
    thread_create(shoot(Ts, 1), Shooter),
    findall(S, ( member(T, Ts), thread_join(T, S) ), Ss),
    thread_join(Shooter, true),
    check(forall(member(S, Ss), memberchk(S, [true, exception(shot), exception('$aborted')]))),
    findall(I, ( nth1(I, Ss, true) ), Fine), length(Fine, N), check(N >= 66),
    check(\+ mutex_property(storm, status(locked(_, _)))),
    findall(F, ( member(F, Fine), fact(F, K), K \== kept ), Left), check(Left == []),
    findall(F, fact(F, kept), Kept), msort(Kept, K1), check(subset(Fine, K1)),
    findall(M, thread_peek_message(done, M), _),
    findall(I, ( repeat, ( thread_get_message(done, done(I), [timeout(0)]) -> true ; !, fail ) ), Done),
    check(forall(member(I, Fine), memberchk(I, Done))),
    check(until(( statistics(threads, Alive), Alive =:= 1 ))),
    write(done), nl, halt.
work(I) :-
    forall(between(1, 10, K), ( assertz(fact(I, K)), with_mutex(storm, true), sleep(0.001) )),
    aggregate_all(count, path(1, _), 20),
    catch(call_with_time_limit(0.01, thread_get_message(never)), time_limit_exceeded, true),
    engine_create(X, ( member(X, [1, 2]), sleep(0.001) ), E), engine_next(E, 1), engine_next(E, 2), engine_destroy(E),
    setup_call_cleanup(true, forall(between(1, 10, K), ( retract(fact(I, K)), garbage_collect )), true),
    % (Who is shot in between leaves nobody behind who waits for ever.)
    thread_create(( thread_get_message(x), true ), T, [kind(light), linked(true)]), thread_send_message(T, x), thread_join(T, true),
    assertz(fact(I, kept)),
    thread_send_message(done, done(I)).
shoot([], _).
shoot([T|Ts], N) :-
    How is N mod 3,
    (   How =:= 0 -> catch(thread_signal(T, throw(shot)), _, true)
    ;   How =:= 1, N mod 2 =:= 0 -> catch(thread_signal(T, abort), _, true)
    ;   catch(thread_signal(T, true), _, true)
    ),
    ( N mod 5 =:= 0 -> sleep(0.002) ; true ),
    M is N+1, shoot(Ts, M).
",
    )
    .status(0)
    .silent()
    .prints("done\n");
}

/// Who reads what does not come keeps nobody else from running, and a signal ends its wait.
#[test]
fn a_hundred_on_silent_pipes_delay_nobody() {
    program(
        r"
run :-
    tmp_file(silent, F), format(atom(C), 'mkfifo ~w; (sleep 20 > ~w) > /dev/null 2>&1 &', [F, F]), shell(C, 0),
    open(F, read, First),
    findall(T, ( between(1, 100, _), light(( setup_call_cleanup(open(F, read, In), read(In, _), close(In)) ), T) ), Ts),
    findall(T, ( between(1, 100, I), light(( sleep(0.001), X is I*I, X > 0 ), T) ), Us),
    forall(member(T, Us), thread_join(T, true)),
    forall(member(T, Ts), check(thread_property(T, status(running)))),
    forall(member(T, Ts), thread_signal(T, throw(stop))),
    findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, Set),
    close(First), delete_file(F),
    write(Set), nl, halt.
",
    )
    .status(0)
    .silent()
    .prints("[exception(stop)]\n");
}

/// Whoever says so ends the process, and those that wait or run do not hinder it.
#[test]
fn the_process_ends() {
    let others = "forall(between(1, 500, _), light(thread_get_message(never), _)), forall(between(1, 5, _), light(( repeat, fail ), _))";
    program(&format!("run :- {others}, write(main), nl, halt(3)."))
        .status(3)
        .silent()
        .prints("main\n");
    program(&format!(
        "run :- {others}, light(halt(4), T), thread_join(T, _)."
    ))
    .status(4)
    .silent();
    // Their handlers run.
    program(
        "run :- light(setup_call_cleanup(true, thread_get_message(never), ( write(left), nl )), _), sleep(0.05), halt.",
    )
    .status(0)
    .silent()
    .prints("left\n");
}

/// A flag or an option, and a program for native threads runs on light ones.
#[test]
fn the_kind_can_be_chosen_outside() {
    let run = |options: &[&str]| {
        let mut command = samite();
        command.args(options);
        let text = r"
run :-
    thread_create(thread_get_message(x), T), thread_property(T, kind(K)), thread_send_message(T, x), thread_join(T),
    current_prolog_flag(workers, W), ( integer(W) -> true ), write(K), nl, halt.
";
        run_program(command, text)
    };
    run(&[]).status(0).prints("native\n");
    run(&["--thread-kind=light", "--workers=1"])
        .status(0)
        .prints("light\n");
    run(&["--thread-kind=heavy"])
        .status(1)
        .warns(&["--thread-kind", "heavy"]);
    run(&["--workers=0"]).status(1).warns(&["--workers", "0"]);
}

/// What is too much for one is its own error.
#[test]
fn memory_that_is_missing_is_one_threads_error() {
    let mut command = samite();
    command.arg("--memory-limit=16M");
    run_program(
        command,
        &format!(
            "{FRAME}{}",
            r"
run :-
    findall(T, ( between(1, 20, I), light(( ( I mod 2 =:= 0 -> length(L, 10000000), L = [_|_] ; sleep(0.01), numlist(1, 1000, M), M = [_|_] ) ), T) ), Ts),
    findall(R, ( member(T, Ts), thread_join(T, S), result(S, R) ), Rs), write(Rs), nl, halt.
result(true, true).
result(exception(error(resource_error(memory), _)), memory).
"
        ),
    )
    .status(0)
    .silent()
    .prints("[true,memory,true,memory,true,memory,true,memory,true,memory,true,memory,true,memory,true,memory,true,memory,true,memory]\n");
}
