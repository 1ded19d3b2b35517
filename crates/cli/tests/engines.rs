//! Engines where threads, memory or the end of the process matter. What else there is of them: `tests/prolog/engines.pl`.

mod common;

use common::{Run, run_program, samite, samite_in};

const FRAME: &str = r#"
nest(0, X) :- !, X = bottom.
nest(N, X) :- M is N - 1, engine_create(Y, nest(M, Y), E), engine_next(E, X).
resident(MB) :-
    setup_call_cleanup(open('/proc/self/statm', read, S), read_line_to_string(S, Line), close(S)),
    split_string(Line, " ", "", [_, Pages|_]), number_string(N, Pages), MB is N*4096 / 1.0e6.
"#;

fn program(text: &str) -> Run {
    run_program(samite(), &format!("{FRAME}{text}"))
}

/// Engines that ask engines nest on no native stack.
#[test]
fn ten_thousand_nest() {
    program("run :- nest(10000, X), write(X), nl, halt.")
        .status(0)
        .silent()
        .prints("bottom\n");
}

/// Nor do engines that are destroyed by the handlers of engines that are destroyed.
#[test]
fn ends_nest() {
    program(
        r"
chain(0, none) :- !.
chain(N, E) :-
    M is N - 1, chain(M, F),
    engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), ( F == none -> true ; engine_destroy(F) )), E),
    engine_next(E, _).
run :- chain(10000, E), engine_destroy(E), findall(x, current_engine(_), L), write(L), nl, halt.
",
    )
    .status(0)
    .silent()
    .prints("[]\n");
}

/// Who asks for more than there is room for is refused, and what nobody can name makes room.
#[cfg(target_os = "linux")]
#[test]
fn too_many_are_refused() {
    let text = r"
all(Es) :- findall(E, ( between(1, 100000, _), engine_create(X, member(X, [1, 2]), E) ), Es).
refused :- catch(( all(Es), length(Es, N), write(N) ), error(resource_error(What), _), write(What)), nl.
run :-
    catch(nest(100000, _), error(resource_error(A), _), ( write(A), nl )),
    refused, refused,
    engine_create(X, member(X, [a, b]), E), engine_next(E, Y), write(Y), nl,
    % One at a time they all find room.
    forall(between(1, 5000, _), ( engine_create(Z, member(Z, [1, 2]), F), engine_next(F, _) )),
    halt.
";
    run_program(samite_in(Some(2 << 20)), &format!("{FRAME}{text}"))
        .status(0)
        .silent()
        .prints("engines\nengines\nengines\na\n");
}

/// What sleeps keeps what it still looks at, and nothing else.
#[test]
fn who_sleeps_does_not_keep_what_others_erase() {
    program(
        r"
:- dynamic([fact/1, walked/1]).
facts(N) :- forall(between(1, N, I), ( assertz(fact(I)), retract(fact(I)) )).
rounds(N) :- forall(between(1, N, _), facts(60000)).
sleeper(E) :- engine_create(X, ( fact(_) ; walked(X), true ), E), engine_next(E, _).
run :-
    forall(between(1, 1000, I), assertz(walked(I))),
    findall(E, ( between(1, 30, _), sleeper(E) ), Es),
    retractall(walked(_)),
    rounds(2), resident(A), rounds(5), resident(B),
    ( B - A =< 6 -> write(level) ; write(A-B) ), nl,
    forall(member(E, Es), ( findall(X, ( between(1, 999, _), engine_next(E, X) ), L), sum_list(L, 500499) )),
    halt.
",
    )
    .status(0)
    .silent()
    .prints("level\n");
}

/// Engines that are made and forgotten leave nothing.
#[test]
fn what_nobody_can_name_goes() {
    program(
        r"
some(N) :- forall(between(1, N, _), ( engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), true), E), engine_next(E, _) )).
run :- some(6000), resident(A), some(12000), resident(B), ( B - A =< 10 -> write(level) ; write(A-B) ), nl, halt.
",
    )
    .status(0)
    .silent()
    .prints("level\n");
}

/// The process ends whatever an engine does, be it in the main thread or in another.
#[test]
fn halt_does_not_wait_for_engines() {
    for goal in [
        "( repeat, fail )",
        "thread_get_message(never)",
        "nest_in( ( repeat, fail ) )",
        "nest_in(sleep(1000))",
    ] {
        for (main, other) in [
            ("engine_next(E, _)", "( sleep(0.1), halt(7) )"),
            ("( sleep(0.1), halt(7) )", "engine_next(E, _)"),
        ] {
            program(&format!(
                "nest_in(G) :- engine_create(x, G, E), engine_next(E, _).\n\
                 run :- engine_create(x, {goal}, E), thread_create({other}, _), {main}.\n"
            ))
            .status(7);
        }
    }
}

/// Who halts in an engine ends the process.
#[test]
fn halt_in_an_engine() {
    program("run :- engine_create(x, halt(3), E), engine_next(E, _).").status(3);
    let other = "run :- thread_create(( engine_create(x, halt(4), E), engine_next(E, _) ), T), thread_join(T, _), sleep(100).";
    program(other).status(4);
}

/// An engine that is in the midst of one long operation ends when the thread that waits for it is to end what it does.
#[test]
fn a_time_limit_ends_a_long_operation_of_an_engine() {
    program(
        r"
run :-
    engine_create(X, ( X is 7 ** 100000000, X > 0 ), E),
    catch(call_with_time_limit(0.05, engine_next(E, _)), B, true), print(B), nl,
    catch(engine_next(E, _), error(existence_error(What, _), _), true), print(What), nl,
    halt.
",
    )
    .status(0)
    .silent()
    .prints("time_limit_exceeded\nengine\n");
}

/// Many threads that share engines, are signalled and end: each answer is given once, and nobody waits for ever.
#[test]
fn threads_share_engines() {
    program(
        r"
:- dynamic([got/1]).
user(E) :- repeat, ( engine_next_reified(E, the(X)) -> assertz(got(X)), fail ; ! ).
poke(T) :- forall(between(1, 30, _), ( catch(thread_signal(T, true), _, true), sleep(0.0005) )).
run :-
    engine_create(X, ( between(1, 3000, X), ( X mod 100 =:= 0 -> sleep(0.0001) ; true ) ), E),
    findall(T, ( between(1, 5, _), thread_create(user(E), T) ), Ts),
    forall(member(T, Ts), poke(T)),
    forall(member(T, Ts), thread_join(T, _)),
    findall(X, got(X), L), length(L, N), sort(L, S), length(S, M), write(N-M), nl, halt.
",
    )
    .status(0)
    .silent()
    .prints("3000-3000\n");
}
