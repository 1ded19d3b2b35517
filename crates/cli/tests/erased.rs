//! Erased clauses: freed when nobody can return into them, and not before. The memory limit, which clauses count against, tells whether
//! they are freed.

mod common;

use common::{LIMIT, Run, Scratch, finish, samite};

/// Rules that come and go: several times what the memory limit would hold.
const RULES: usize = if cfg!(debug_assertions) {
    300_000
} else {
    1_000_000
};

const CHURN: &str = r"
:- dynamic(rule/1).
churn(N) :- forall(between(1, N, I), ( assertz((rule(X) :- a(X, I), ( b(X) ; c(X) ), d(X))), retract((rule(_) :- _)) )).
";

fn program(text: &str) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{CHURN}rules({RULES}).\n{text}"));
    let mut command = samite();
    command.args(["--memory-limit=64m", "-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT)
}

#[test]
fn rules_that_come_and_go() {
    program("run :- rules(N), churn(N), write(done), nl.\n")
        .status(0)
        .silent()
        .prints("done\n");
}

/// While others sleep: before it started, and holding a continuation in an erased clause.
#[test]
fn beside_threads_that_wait() {
    program(
        r"
:- dynamic(waits/1).
run :-
    thread_create(thread_get_message(go), A),
    assertz((waits(X) :- thread_get_message(X), retract((waits(_) :- _)), thread_get_message(go), X == first)),
    thread_create(waits(first), B),
    thread_send_message(B, first),
    rules(N), churn(N),
    thread_send_message(A, go), thread_send_message(B, go),
    thread_join(A, SA), thread_join(B, SB), print(SA/SB), nl.
",
    )
    .status(0)
    .silent()
    .prints("true/true\n");
}

#[test]
fn in_several_threads() {
    program(
        r"
:- dynamic(mine/1).
:- thread_local(own/1).
mine(N, Me) :- forall(between(1, N, I), ( assertz((mine(Me) :- a(I), b(I))), retract((mine(Me) :- _)), assertz((own(X) :- a(X), b(I))), retract((own(_) :- _)) )).
run :-
    rules(N), M is N // 8,
    findall(I, ( between(1, 4, Me), thread_create(mine(M, Me), I) ), Is),
    forall(member(I, Is), ( thread_join(I, S), print(S), nl )).
",
    )
    .status(0)
    .silent()
    .prints(&"true\n".repeat(4));
}

/// What runs goes on, though it has been erased and much has been freed since.
#[test]
fn clauses_that_run() {
    program(
        r"
:- dynamic([deep/2, either/1, other/2, both/1]).
% Erased clauses leave the predicate's list when there are several of them.
erase(N) :-
    retract((deep(_, _) :- _)), retract((either(_) :- _)),
    forall(between(1, 20, _), ( assertz((deep(x, _) :- wrong)), retract((deep(x, _) :- _)), assertz((either(x) :- wrong)), retract((either(x) :- _)) )),
    alike(N), garbage_collect, alike(N), keep(100).
% Clauses of the same size, which would take the place of those that run.
alike(N) :- forall(between(1, N, _), ( asserted, retract((other(_, _) :- _)), retract((both(_) :- _)) )).
asserted :-
    assertz((other(N, L) :- ( N =:= 1 -> wrong(20000), L = [] ; M is N-2, other(M, K), L = [wrong|K] ))),
    assertz((both(X) :- ( X = 4 ; X = 5 ; X = 6 ))).
keep(N) :- forall(between(1, N, _), asserted).
run :-
    assertz((deep(N, L) :- ( N =:= 0 -> erase(20000), L = [] ; M is N-1, deep(M, K), L = [N|K] ))),
    assertz((either(X) :- ( X = 1 ; X = 2 ; X = 3 ))),
    either(X),
    ( X =:= 1 -> deep(1000, L), sum_list(L, S), write(S), nl ; true ),
    write(X), nl,
    X =:= 3.
",
    )
    .status(0)
    .silent()
    .prints("500500\n1\n2\n3\n");
}

/// Threads that use a thread-local predicate come and go.
#[test]
fn local_predicates() {
    program(
        r"
:- thread_local(own/1).
use(N) :- assertz(own(N)), assertz((own(X) :- X = more)), findall(X, own(X), L), L == [N, more].
run :-
    forall(between(1, 2000, N), ( thread_create(use(N), I), thread_join(I, true) )),
    \+ own(_), write(done), nl.
",
    )
    .status(0)
    .silent()
    .prints("done\n");
}

/// The next load replaces what another thread loaded.
#[test]
fn files_loaded_again_by_other_threads() {
    program(
        r"
:- dynamic(file/1).
:- prolog_load_context(directory, D), atom_concat(D, '/shared.pl', F), assertz(file(F)).
run :-
    file(F), open(F, write, S), write(S, 'p(1). q(1). p1. q(2). '), close(S),
    style_check(-discontiguous),
    forall(between(1, 20, _), ( thread_create(( style_check(-discontiguous), load_files(F, []) ), T), thread_join(T, true) )),
    findall(X, p(X), Ps), findall(X, q(X), Qs), print(Ps/Qs), nl.
",
    )
    .status(0)
    .silent()
    .prints("[1]/[1,2]\n");
}
