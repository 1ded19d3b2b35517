//! What threads leave behind: memory between rounds of the same work does not grow, whatever the other threads of the program do
//! meanwhile. Told by the resident memory of the process after some rounds and after several times as many.

mod common;

use common::{Run, Scratch, run_program, samite};

const FRAME: &str = r#"
resident(MB) :-
    setup_call_cleanup(open('/proc/self/statm', read, S), read_line_to_string(S, Line), close(S)),
    split_string(Line, " ", "", [_, Pages|_]), number_string(N, Pages), MB is N*4096 / 1.0e6.
rounds(Goal, N) :- forall(between(1, N, _), Goal).
% Prints how many megabytes too many five rounds leave after the first.
grows(Goal, Allowed) :-
    rounds(Goal, 2), resident(Before), rounds(Goal, 5), resident(After),
    ( After - Before =< Allowed -> write(level) ; write(Before-After) ), nl, flush_output.

:- dynamic([fact/1, rule/1, other/1]).
other(1). other(2).
facts(N) :- forall(between(1, N, I), ( assertz(fact(I)), retract(fact(I)) )).
rules(N) :- forall(between(1, N, I), ( assertz((rule(X) :- a(X, I), b(X))), retract((rule(_) :- _)) )).
churn :- facts(60000), rules(12000).
"#;

fn program(text: &str) -> Run {
    run_program(samite(), &format!("{FRAME}{text}"))
}

fn level(text: &str) {
    program(text).status(0).silent().prints("level\n");
}

/// Each waits with a choicepoint on another predicate.
#[test]
fn beside_threads_that_are_blocked() {
    level(
        r"
run :-
    mutex_create(M), mutex_lock(M), message_queue_create(Q),
    findall(T, ( member(G, [mutex_lock(M), thread_get_message(go), thread_get_message(Q, go), sleep(1000), thread_join(main, _)]), thread_create(( other(_), G ), T) ), _),
    thread_create(( other(_), deep(20000) ), _),
    sleep(0.2), grows(churn, 6), halt.
deep(0) :- sleep(1000).
deep(N) :- M is N-1, deep(M), true.
",
    );
}

/// What only transactions and snapshots have ever seen, whatever waits meanwhile: choicepoints on the same predicate, of the own thread or another, in a transaction or not, and transactions.
#[test]
fn what_comes_and_goes_in_transactions() {
    level(
        r"
:- dynamic r/2.
two(r(h, 1)).
two(r(h, 2)).
% What comes and goes.
goes(snapshot(forall(between(1, 200, I), assertz(r(I, t))))).
goes(catch(transaction(( forall(between(1, 200, I), asserta(r(I, t))), throw(x) )), _, true)).
goes(transaction(snapshot(forall(between(1, 200, I), assertz(r(I, t)))))).
% What waits meanwhile.
beside(G) :- r(_, _), G.
beside(G) :- transaction(G).
beside(G) :- transaction(( r(_, _), G )).
beside(G) :- snapshot(( clause(r(_, _), true), G )).
beside(G) :- other(( r(_, _), thread_get_message(never) ), G).
beside(G) :- other(transaction(thread_get_message(never)), G).
beside(G) :- other(transaction(( r(_, _), thread_get_message(never) )), G).
other(W, G) :- thread_create(W, T), until(thread_property(T, status(running))), sleep(0.02), G, thread_signal(T, abort), thread_join(T, _).
until(G) :- repeat, ( G -> true ; sleep(0.001), fail ), !.
run :-
    resident(M0),
    forall(( clause(beside(G), B), goes(W) ),
           ( retractall(r(_, _)), forall(two(C), assertz(C)),
             G = ( forall(between(1, 600, _), W), resident(M1), D is M1-M0 ), once(B),
             ( D < 10 -> true ; print(kept(B, W, D)), nl ) )),
    write(level), nl, halt.
",
    );
}

/// What transactions commit while others change the same predicate, and what goes again, beside a thread with a choicepoint in it.
#[test]
fn what_is_committed_beside_others() {
    level(
        r"
:- dynamic r/2.
beside :- thread_create(( assertz(r(x, y)), retract(r(x, y)) ), T), thread_join(T, true).
go(Add) :- transaction(( forall(between(1, 300, I), call(Add, r(I, t))), beside )), retractall(r(_, t)).
run :-
    assertz(r(h, 1)), assertz(r(h, 2)),
    thread_create(( r(_, _), thread_get_message(never) ), _),
    sleep(0.05), grows(forall(member(Add, [assertz, asserta]), rounds(go(Add), 60)), 8), halt.
",
    );
}

/// The main thread waits for its input.
#[test]
fn beside_a_toplevel_that_waits() {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", FRAME);
    let mut command = samite();
    command.args(["-q", &file]);
    command.stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the child starts");
    let mut input = child.stdin.take().expect("piped");
    let query = "other(X), thread_create((grows(churn, 6), halt), _, [detached(true)]).\n";
    std::io::Write::write_all(&mut input, query.as_bytes()).expect("the child reads");
    // The input stays open: the child ends by itself.
    let out = child.wait_with_output().expect("the child ends");
    drop(input);
    let out = String::from_utf8_lossy(&out.stdout);
    assert!(out.contains("level\n"), "{out}");
}

/// It runs, but fills no nursery.
#[test]
fn beside_a_thread_that_repeats() {
    level(
        r"
:- dynamic(file/1).
:- prolog_load_context(directory, D), atom_concat(D, '/again.pl', F), assertz(file(F)).
generate(F) :- open(F, write, S), forall(between(1, 1500, I), format(S, 'q(~d, foo(bar, [~d, a])).~n', [I, I])), close(S).
load(F) :- forall(between(1, 5, _), load_files(F, [])).
run :-
    file(F), generate(F), thread_create(( repeat, sleep(0.001), fail ), _), thread_create(( other(_), repeat, other(_), fail ), _),
    grows(load(F), 8), halt.
",
    );
}

/// What is erased is not in the way of what erases it.
#[test]
fn by_one_retractall() {
    program(
        r"
:- dynamic(many/2).
run :-
    forall(between(1, 300000, I), assertz(many(I, f(I)))), garbage_collect, resident(Before),
    retractall(many(_, _)), resident(After),
    ( After =< Before -> write(level) ; write(Before-After) ), nl.
",
    )
    .status(0)
    .silent()
    .prints("level\n");
}

/// Nobody joins them, and nobody asserts after they have ended.
#[test]
fn by_threads_that_end() {
    level(
        r"
:- thread_local(own/2).
work :- forall(between(1, 200, I), assertz(own(I, f(I)))).
wait :- repeat, statistics(threads, 1), !.
storm :- forall(between(1, 40, _), ( findall(x, ( between(1, 10, _), thread_create(work, _, [detached(true)]) ), _), wait )).
run :- grows(storm, 4).
",
    );
}

/// Publishing costs what is new on the stack: the program ends in time though a million choicepoints are below.
#[test]
fn above_many_choicepoints() {
    let depth = if cfg!(debug_assertions) {
        20_000
    } else {
        1_000_000
    };
    level(&format!(
        r"
deep(0) :- grows(churn, 6), !.
deep(N) :- other(_), M is N-1, deep(M).
run :- deep({depth}).
"
    ));
}

/// What comes and goes while a walk over the same predicate is open: at each end, by each way to take it, with an index.
#[test]
fn above_walks_that_stay() {
    program(
        r"
:- dynamic([c/1, k/2]).
counter(N) :- forall(between(1, N, I), ( retract(c(_)), assertz(c(I)) )).
back(N) :- forall(between(1, N, I), ( assertz(c(I)), retract(c(I)) )).
front(N) :- forall(between(1, N, I), ( asserta(c(I)), retract(c(I)) )).
all(N) :- forall(between(1, N, I), ( retractall(c(_)), assertz(c(I)), assertz(c(-1)) )).
indexed(N) :- forall(between(1, N, I), ( J is I mod 100, retract(k(J, _)), assertz(k(J, I)) )).
fill :-
    retractall(c(_)), forall(between(-3, 0, I), assertz(c(I))),
    retractall(k(_, _)), forall(( between(0, 99, I), between(1, 2, J) ), assertz(k(I, J))).

% Walks, each with a choicepoint.
walk(call) :- c(_).
walk(clause) :- clause(c(_), true).
walk(retract) :- retract(c(_)).
walk(nth_clause) :- nth_clause(c(_), _, _).
walk(key) :- k(3, _).
walk(no_key) :- k(_, _).
walk(many) :- many(200).
walk(elsewhere) :-
    thread_self(Me),
    setup_call_cleanup(
        thread_create(( c(_), k(_, _), thread_send_message(Me, there), thread_get_message(go) ), T),
        ( thread_get_message(there) ; fail ),
        ( thread_send_message(T, go), thread_join(T, _) )).

many(N) :- ( N =:= 0 -> true ; retract(c(_)), assertz(c(N)), c(_), M is N-1, many(M) ).

updates(W, [back(10000), indexed(10000)]) :- memberchk(W, [clause, nth_clause, key]), !.
updates(_, [counter(10000), front(10000), all(4000), indexed(10000)]).
run :-
    forall(( clause(walk(W), _), updates(W, Us), member(U, Us) ),
           ( fill, ( walk(W), rounds(U, 2), resident(Before), rounds(U, 5), resident(After) -> true ),
             ( After - Before < 3 -> true ; write(grows(W, U, Before, After)), nl ) )),
    write(done), nl.
",
    )
    .status(0)
    .silent()
    .prints("done\n");
}
