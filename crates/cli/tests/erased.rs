//! Erased clauses: freed when nobody can return into them, and not before. The memory limit, which clauses count against, tells whether
//! they are freed.

mod common;

use common::{LIMIT, Run, Scratch, finish, run_program, samite};

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
    program_under(text, &[])
}

/// The same, with these variables in the environment.
fn program_under(text: &str, environment: &[(&str, &str)]) -> Run {
    let mut command = samite();
    command.envs(environment.iter().copied());
    command.arg("--memory-limit=64m");
    run_program(command, &format!("{CHURN}rules({RULES}).\n{text}"))
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

/// What a file is loaded again for is freed: the clauses of static and tabled predicates and their entry code. Not the memory limit but
/// the resident memory tells.
#[test]
fn files_loaded_again() {
    let loads = if cfg!(debug_assertions) { 100 } else { 300 };
    program(&format!(
        r#"
:- dynamic(file/1).
:- prolog_load_context(directory, D), atom_concat(D, '/again.pl', F), assertz(file(F)).
generate(F, N) :-
    open(F, write, S),
    forall(between(1, N, I), format(S, 'f(~d, g(X, Y), Y) :- a(X, ~d), ( b(X) -> c(Y) ; d(X, Y) ).~n', [I, I])),
    forall(between(1, N, _), format(S, 'alike(X, v) :- a(X), b(X).~n', [])),
    format(S, ':- table(t/2).~n', []),
    forall(between(1, N, I), format(S, 't(X, Y) :- ~d = X, Y = v ; X == no, t(~d, Y).~n', [I, I])),
    close(S).
a(1, 1). b(1). c(v). d(_, _).
use :- f(1, g(1, Y), Y), findall(A-B, t(A, B), L), length(L, 700), abolish_all_tables.
resident(MB) :-
    setup_call_cleanup(open('/proc/self/statm', read, S), read_line_to_string(S, Line), close(S)),
    split_string(Line, " ", "", [_, Pages|_]), number_string(N, Pages), MB is N*4096 >> 20.
load(F, Loads) :- forall(between(1, Loads, _), ( load_files(F, []), use )).
run :-
    file(F), generate(F, 700),
    load(F, 20), resident(Before), statistics(clauses, N),
    load(F, {loads}), resident(After), statistics(clauses, N),
    ( After =< Before + 24 -> write(done) ; write(Before-After) ), nl.
"#
    ))
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

/// Static clauses that run when their file is loaded again, several times and by another thread, go on; so do their alternatives,
/// which only the entry code of the old definition knows.
const RELOADS: &str = r"
:- dynamic(file/2).
:- multifile(user:message_hook/3).
user:message_hook(redefined_procedure(_, _), _, _).
:- prolog_load_context(directory, D), atom_concat(D, '/one.pl', F), assertz(file(1, F)), atom_concat(D, '/two.pl', G), assertz(file(2, G)).
generate(I, N) :-
    file(I, F), open(F, write, S),
    format(S, 'q(~d, N, L) :- ( N =:= 0 -> again, L = [] ; M is N-1, q(~d, M, K), L = [~d|K] ).~n', [I, I, I]),
    format(S, 'wait(X) :- thread_get_message(X), ready, thread_get_message(go), X == first.~n', []),
    format(S, ':- table(t/2).~nt(N, X) :- N > 0, again, M is N-1, t(M, X).~nt(_, ~d).~n', [I]),
    format(S, ':- table(u/1).~nu(X) :- u(Y), Y < 3, again, X is Y+1.~nu(~d) :- again.~n', [I]),
    forall(between(1, N, J), format(S, 'p(X, ~d) :- X = ~d, r(X).~n', [J, I])),
    forall(between(1, N, J), format(S, 'f(~d, ~d).~n', [J, I])),
    close(S).
r(_).
load(I) :- file(I, F), load_files(F, []).
again :- forall(between(1, 6, I), ( J is 1 + I mod 2, load(J), p(J, 1), f(3, J), garbage_collect )).
ready :- thread_send_message(main, ready).
run :-
    rows(N), Half is N // 2, generate(1, N), generate(2, N),
    load(1),
    thread_create(wait(first), T),
    thread_create(( p(X, J), J >= Half, ( J =:= Half -> ready, thread_get_message(go) ; true ), X == 1, J == N -> true ), U),
    thread_create(forall(between(1, 3000, _), \+ ( p(I1, J1), J1 > Half, f(J1, I2), \+ ( 0 < I1, I2 < 3 ) )), V),
    thread_create(( p(A, 7), ready, sleep(1), A == 1 ), W),
    thread_create((
        thread_get_message(start),
        p(B, J3), J3 >= Half, ( J3 =:= Half -> ready, once(( repeat, thread_peek_message(go) )) ; true ), B == 1, J3 == N -> true
    ), Y),
    thread_send_message(T, first), sleep(0.2), thread_send_message(Y, start),
    forall(between(1, 4, _), thread_get_message(ready)),
    findall(X1-J1, ( p(X1, J1), ( J1 =:= Half -> again ; true ) ), L), length(L, N), sort(0, @>=, L, [Last|_]), print(Last), nl,
    findall(X2-J2, ( f(J2, X2), ( J2 =:= Half -> again ; true ) ), L2), length(L2, N), write(all), nl,
    load(1), q(1, N, Q), length(Q, N), sort(Q, Qs), print(Qs), nl,
    load(1), findall(X3, t(3, X3), L3), print(L3), nl,
    load(1), findall(X4, u(X4), L4), sort(L4, Us), print(Us), nl,
    forall(member(I, [T, U, Y]), thread_send_message(I, go)),
    forall(member(I, [T, U, V, W, Y]), ( thread_join(I, S), print(S), nl )).
";

fn reloads_while_they_run(rows: usize, environment: &[(&str, &str)]) {
    program_under(&format!("rows({rows}).\n{RELOADS}"), environment)
        .status(0)
        .silent()
        .prints(&format!(
            "1-{rows}\nall\n[1]\n[1]\n[1,2,3]\ntrue\ntrue\ntrue\ntrue\ntrue\n"
        ));
}

#[test]
fn files_loaded_again_while_they_run() {
    reloads_while_they_run(300, &[]);
}

/// Everything that a collection moves is moved all the time.
#[test]
fn files_loaded_again_while_they_run_under_stress() {
    reloads_while_they_run(30, &[("SAMITE_GC_STRESS", "1")]);
}

/// References that come and go: what is given up is no atom, nor anything else that stays.
#[test]
fn references_leave_nothing_behind() {
    program(
        r"
:- dynamic(q/1).
made(R) :- recordz(k, x, R).
made(R) :- recordz(k, x), recorded(k, x, R).
made(R) :- assertz(q(1), R).
made(R) :- assertz(q(1)), clause(q(1), true, R).
made(R) :- assertz(q(1)), nth_clause(q(_), 1, R).
round :- forall(made(R), ( erase(R), \+ erase(R) )).
run :-
    round, statistics(atoms, Before),
    rules(N), Rounds is N // 5,
    forall(between(1, Rounds, _), round),
    statistics(atoms, After),
    ( After =:= Before -> write(done) ; write(Before-After) ), nl.
",
    )
    .status(0)
    .silent()
    .prints("done\n");
}

/// While others run without making anything: loops of calls, of failures, and of a builtin's solutions.
#[test]
fn beside_threads_that_loop() {
    program(
        r"
again :- again.
tests :- repeat, atom_length(abc, _), fail.
counts :- between(1, inf, X), X < 0.
grows :- length(L, _), L == a.
run :-
    findall(T, ( member(G, [again, tests, counts, grows]), thread_create(G, T) ), Ts),
    churn(200000),
    forall(member(T, Ts), ( thread_signal(T, throw(enough)), thread_join(T, S), print(S), nl )).
",
    )
    .status(0)
    .silent()
    .prints(&"exception(enough)\n".repeat(4));
}

/// While others are in the system: in a command, opening a pipe that nobody has opened on the other side, reading the rest of a term,
/// writing more than a pipe takes, and waiting for a stream that another thread reads from.
#[test]
#[cfg(unix)]
fn beside_threads_in_the_system() {
    program(
        r"
pipe(P) :- tmp_file(pipe, P), atom_concat('mkfifo ', P, C), shell(C).
command(P) :- format(atom(C), 'cat ~w > /dev/null 2>&1', [P]), shell(C).
opens(P) :- open(P, read, S), read(S, X), close(S), tell(opened, X).
reads(P) :- open(P, read, S, [alias(shared)]), read(S, X), tell(read, X).
waits :- line_count(shared, N), tell(line, N).
tell(What, X) :- thread_send_message(main, told(What, X)).
writes(P) :- open(P, write, S), forall(between(1, 100000, _), put_char(S, a)), close(S).
run :-
    length(Ps, 4), maplist(pipe, Ps), Ps = [A, B, C, D],
    maplist([G, T]>>thread_create(G, T), [command(A), opens(B), reads(C), writes(D)], Ts),
    open(C, write, OC), write(OC, 'half('), flush_output(OC),
    open(D, read, OD),
    sleep(0.2), thread_create(waits, W), sleep(0.1),
    churn(200000),
    forall(member(P-Text, [A-'', B-'whole.']), setup_call_cleanup(open(P, write, O), write(O, Text), close(O))),
    read_string(OD, _, Text), string_length(Text, Length), print(Length), nl,
    write(OC, 'term). '), close(OC),
    forall(member(T, [W|Ts]), thread_join(T, true)),
    forall(member(K, [opened, read, line]), ( thread_get_message(told(K, X)), print(K-X), nl )),
    maplist(delete_file, Ps).
",
    )
    .status(0)
    .silent()
    .prints("100000\nopened-whole\nread-half(term)\nline-1\n");
}

/// Every way of giving memory back where there is none: it is full again before each, of what another limit counts each time. Then it has come
/// back, and holds about as much once more (more than half: tables double).
#[test]
fn what_frees_memory_is_not_refused_any() {
    const PROGRAM: &str = r"
:- dynamic([f/1, g/1, h/1, h2/1, r/1, k/1, ab/1, st/1, lots/1, more/1]).
:- table fib/2.
fib(0, 0). fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
fill(P) :- catch(( flag(n, _, 0), fill(P, 0) ), error(resource_error(_), _), true).
fill(P, I) :- C =.. [P, I], assertz(C), flag(n, _, I), J is I+1, fill(P, J).
t(G) :- fill(g), catch((G -> R = yes ; R = no), error(R, _), true), write(R), nl.
prepare(A, B) :-
    assertz(h(a), A), recorda(one, x, B), assertz(ab(1)), fib(100, _),
    forall(between(1, 2000, I), ( recordz(many, I), assertz(h(I)), assertz((h2(X) :- p(X, I), q(X))), assertz((r(X) :- p(X, I), q(X))) )),
    forall(between(1, 100, I), assertz(k(I))),
    forall(between(1, 20000, I), ( assertz(lots(I)), assertz(more(I)) )).
run :-
    prepare(A, B), fill(f), flag(n, N, 0),
    t(erase(A)), t(erase(B)), t(retract(h(1))), t(retractall(k(_))), t(abolish_all_tables), t(abolish(ab/1)),
    t((recorded(many, 1, R), erase(R))), t(forall(recorded(many, _, Q), erase(Q))),
    t((clause(h(2), true, S), erase(S))), t(forall(clause(h(_), _, T), erase(T))),
    t(forall(clause(h2(_), _, V), erase(V))), t(retract((r(_) :- _))), t(retractall(r(_))),
    t((retract(lots(X)), X > 15000)), t(abolish(lots/1)), t((between(1, 20000, _), \+ retract(more(_)) -> fail ; true)),
    t((h(_) ; h2(_) ; recorded(many, _) ; r(_) ; more(_))), t(retractall(g(_))), t(retractall(f(_))),
    retractall(g(_)), fill(f), flag(n, M, 0), ( M*2 > N -> write(as_much) ; write(N > M) ), nl.
";
    let expected = format!("{}no\nyes\nyes\nas_much\n", "yes\n".repeat(16));
    for (kilobytes, limit) in [("unlimited", "12m"), ("80000", "8g")] {
        let scratch = Scratch::new();
        let file = scratch.file("program.pl", PROGRAM);
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", "ulimit -v $0; exec \"$@\"", kilobytes])
            .arg(samite().get_program())
            .arg(format!("--memory-limit={limit}"))
            .args(["-g", "run", "-t", "halt", &file]);
        finish(command, b"", LIMIT)
            .status(0)
            .silent()
            .prints(&expected);
    }
}

/// What a transaction had added when memory was refused is freed with it, if a clause of the predicate stays.
#[test]
fn a_transaction_that_was_refused_memory() {
    const TEXT: &str = r"
:- dynamic q/1.
q(0).
given_up :- catch(transaction(( between(1, infinite, I), assertz(q(I)), fail )), error(resource_error(memory), _), true).
run :- given_up, assertz(q(x)), given_up, transaction(assertz(q(y))), format('~w~n', done), findall(X, q(X), L), print(L), nl.
";
    for limit in ["16m", "64m"] {
        let mut command = samite();
        command.arg(format!("--memory-limit={limit}"));
        run_program(command, TEXT)
            .status(0)
            .silent()
            .prints("done\n[0,x,y]\n");
    }
}

/// Who is refused memory gets what erased clauses take, though they are few beside the others; so it is with those that were held for a snapshot.
#[test]
fn a_part_of_the_clauses_that_is_erased_is_room_for_others() {
    const TEXT: &str = r"
:- dynamic q/2.
fill(N) :- catch(( between(1, infinite, I), assertz(q(x, I)), fail ), error(resource_error(memory), _), true), predicate_property(q(_, _), number_of_clauses(N)).
fewer(M) :- forall(between(1, M, _), ( retract(q(x, _)) -> true )).
% So many in a hundred are erased, and most of them come again.
again(P, Goal) :-
    fill(N), M is N*P//100, call(Goal, fewer(M)), fill(N2),
    ( N2 > N - M//4 -> true ; format('~w: ~w of ~w~n', [P, N2, N]) ).
% Another thread erases them. (It needs some room to begin.)
held(G) :- fewer(80000), garbage_collect_clauses, snapshot(( thread_create(G, T), thread_join(T, S) )), S == true.
run :- again(40, call), again(20, call), again(60, call), again(40, held), write(done), nl.
";
    let mut command = samite();
    command.arg("--memory-limit=24m");
    run_program(command, TEXT)
        .status(0)
        .silent()
        .prints("done\n");
}

/// The toplevel reads to the end of its input, and ends, when there is no memory left.
#[test]
fn the_toplevel_without_memory() {
    const TEXT: &str = r"
:- dynamic q/1.
fill :- catch(( between(1, infinite, I), assertz(q(I)), fail ), error(_, _), true).
:- initialization(fill).
";
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", TEXT);
    for input in ["", "q(1).\n", "X = f(Y), q(1).\nretractall(q(_)).\n"] {
        let mut command = samite();
        command.args(["--memory-limit=16m", &file]);
        let run = finish(command, input.as_bytes(), LIMIT);
        assert!(matches!(run.status, Some(0 | 1)), "{run:#?}");
        assert!(run.err.len() < 2000, "{run:#?}");
    }
}

/// Memory that erased clauses had is there for whoever wants it, whatever he makes: atoms (also where facts had them), threads, engines, streams.
#[test]
fn whoever_wants_what_erased_clauses_had() {
    const TEXT: &str = r"
:- dynamic([q/2, r/1]).
full(G) :- catch(( between(1, inf, I), call(G, I), fail ), error(resource_error(memory), _), true).
fact(I) :- assertz(q(x, I)).
name(I) :- atom_concat(name_of_a_fact_, I, A), assertz(r(A)).
fewer(P, F) :- predicate_property(P, number_of_clauses(N)), M is N*2//5, forall(between(1, M, _), once(retract(F))).
some(N, G) :- forall(between(1, N, I), call(G, I)).
fresh(I) :- atom_concat(some_other_atom_, I, A), atom_length(A, _).
thread(Kind, _) :- thread_create(true, T, [kind(Kind)]), thread_join(T).
engine(_) :- engine_create(x, true, E), engine_destroy(E).
stream(_) :- open_null_stream(S), close(S).
again(G) :- full(fact), fewer(q(_, _), q(_, _)), some(100, G), retractall(q(_, _)).
run :- again(fresh), again(thread(native)), again(thread(light)), again(engine), again(stream), full(name), fewer(r(_), r(_)), some(1000, fresh), write(done), nl.
";
    let mut command = samite();
    command.arg("--memory-limit=24m");
    run_program(command, TEXT)
        .status(0)
        .silent()
        .prints("done\n");
}
