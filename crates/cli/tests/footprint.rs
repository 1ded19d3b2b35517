//! How much memory the process takes: at a peak, beside what is alive, and after everything was dropped and collected. All bounds are
//! generous; what they catch is growth with the amount of work, several times the limit, and peaks that stay.

mod common;

use common::{LIMIT, Run, Scratch, finish, run_program, samite, samite_in};

/// `rss(MB)`, `peak(MB)` of the process, and `below(Goal, MB)`: Goal leaves the process smaller than that, after a collection.
const HARNESS: &str = r#"
status(Key, MB) :-
    open('/proc/self/status', read, S),
    read_string(S, _, Text), close(S),
    split_string(Text, "\n", "", Lines),
    member(Line, Lines),
    split_string(Line, ":", " \tkB", [Key, Value]), !,
    number_string(KB, Value), MB is KB // 1024.
rss(MB) :- status("VmRSS", MB).
peak(MB) :- status("VmHWM", MB).
within(MB, Most) :- ( MB =< Most -> true ; print(MB-Most), nl ).
below(Goal, Most) :- ( \+ Goal -> true ; true ), garbage_collect, garbage_collect, rss(MB), within(Goal, MB, Most).
within(_, MB, Most) :- MB =< Most, !.
within(Goal, MB, Most) :- functor(Goal, F, _), print(F:MB-Most), nl.
exceed(Goal) :- catch(Goal, error(resource_error(E), _), true), ( E == memory -> true ; print(no_error(Goal)), nl ).
"#;

fn program(words: &[&str], address_space_kb: Option<u64>, text: &str) -> Run {
    program_with(&[], words, address_space_kb, text)
}

/// The same with variables of the environment.
fn program_with(
    variables: &[(&str, &str)],
    words: &[&str],
    address_space_kb: Option<u64>,
    text: &str,
) -> Run {
    let mut command = samite_in(address_space_kb);
    command.envs(variables.iter().copied()).args(words);
    run_program(command, &format!("{HARNESS}{text}"))
}

/// What many threads at once have held goes back when they have ended: without a collection being asked for, and to a program that waits.
#[test]
fn threads_that_have_ended_leave_little() {
    program(
        &[],
        None,
        r"
run :-
    length(Ts, 3000), maplist([T]>>thread_create(thread_get_message(go), T), Ts),
    maplist([T]>>thread_send_message(T, go), Ts), maplist([T]>>thread_join(T), Ts),
    % (How soon the last ones have ended depends on what else the machine does.)
    between(1, 20, I), thread_self(Me), thread_create(( sleep(0.5), thread_send_message(Me, on) ), W), thread_get_message(on), thread_join(W),
    rss(MB), ( MB =< 34 ; I >= 20 ), !, within(MB, 34).
",
    )
    .status(0)
    .prints("");
}

/// Loops that keep nothing.
#[test]
fn assignment_in_a_loop_keeps_nothing() {
    program(
        &[],
        None,
        r"
sa(0, _) :- !.
sa(N, T) :- setarg(1, T, N), setarg(2, T, N), M is N-1, sa(M, T).
sab(0, _) :- !.
sab(N, T) :- length(L, 1000), setarg(1, T, L), M is N-1, sab(M, T).
bs(0) :- !.
bs(N) :- b_setval(k, N), b_setval(l, N), M is N-1, bs(M).
bsb(0) :- !.
bsb(N) :- length(L, 1000), b_setval(k, L), M is N-1, bsb(M).
:- dynamic held/1.
under(G) :- ( true ; true ), call(G), !.
run :-
    sa(1000000, f(0, 0)), sab(20000, f(0)), bs(1000000), bsb(20000),
    under(sa(1000000, f(0, 0))), under(sab(20000, f(0))), under(bsb(20000)),
    peak(MB), within(MB, 80).
",
    )
    .status(0)
    .silent()
    .prints("");
}

/// Values that are replaced, and results too large for the nursery, in loops that leave the nursery as empty as it was: what they fill is
/// the old generation alone, which asks for its collection itself.
#[test]
fn replaced_values_are_collected() {
    program(
        &[],
        None,
        r"
times(N, G) :- forall(between(1, N, _), G).
set(L) :- findall(X-X, between(1, 1600, X), L).
setval :- set(L), nb_setval(k, L), nb_getval(k, V), length(V, 1600).
setarg(T) :- set(L), nb_setarg(1, T, L).
large :- numlist(1, 400000, L), last(L, 400000).
run :-
    times(3000, setval), peak(A), within(A, 40),
    T = f(0), times(3000, setarg(T)), arg(1, T, L), length(L, 1600), peak(B), within(B, 40),
    times(60, large), peak(C), within(C, 150).
",
    )
    .status(0)
    .silent()
    .prints("");
}

/// Queues and mutexes that nobody can name any more, each of which has gone through something.
#[test]
fn queues_and_mutexes_are_collected() {
    let text = r"
:- dynamic held/1, held/2.
loop(N, G) :- forall(between(1, N, _), G).
q(Q) :- message_queue_create(Q).
m(M) :- mutex_create(M), with_mutex(M, true).
kept(N, P, X) :- findall(X, ( between(1, N, _), call(P) ), L), length(L, N).
message :- q(Q), thread_self(Me), thread_send_message(Me, reply(Q)), thread_get_message(reply(R)), thread_send_message(R, x).
fact :- q(Q), assertz(held(Q)), held(A), held(A), held(A), retract(held(A)).
rule :- m(M), assertz((held(X, Y) :- X = f(M, Y))), held(_, 1), held(_, 2), retractall(held(_, _)).
goal :- q(Q), thread_create(thread_get_message(Q, stop), T), thread_send_message(Q, stop), thread_join(T, true).
result :- thread_create(( q(Q), thread_exit(Q) ), T), thread_join(T, exited(_)).
ball :- catch(( q(Q), throw(ball(Q)) ), ball(_), true).
global :- q(Q), nb_setval(key, [Q]).
:- table of_call/1, of_answer/1, of_value(max).
of_call(_).
of_answer(f(Q)) :- q(Q).
of_value(Q) :- ( q(Q) ; q(Q) ).
call :- q(Q), of_call(Q), abolish_all_tables.
answer :- of_answer(f(Q)), of_answer(f(R)), Q == R, abolish_all_tables.
value :- of_value(_), abolish_all_tables.
recorded_key :- q(Q), recordz(Q, x, R), erase(R).
server :- thread_get_message(M), ( M = to(Q) -> thread_send_message(Q, done), server ; true ).
request(S) :- q(Q), thread_send_message(S, to(Q)), thread_get_message(Q, done).
run :-
    loop(200000, q(_)), loop(200000, m(_)), loop(4, kept(50000, mutex_create(M), M)), loop(4, kept(50000, q(Q), Q)),
    loop(100000, message), loop(100000, fact), loop(50000, rule), loop(100000, ball), loop(50000, global),
    loop(50000, call), loop(50000, answer), loop(30000, value), loop(50000, recorded_key),
    loop(500, goal), loop(500, result),
    thread_create(server, S), loop(50000, request(S)), thread_send_message(S, end), thread_join(S, true),
    garbage_collect, peak(MB), within(MB, 90).
";
    for (words, kilobytes) in [(&["--memory-limit=48m"][..], None), (&[], Some(200_000))] {
        let run = program(words, kilobytes, text);
        run.status(0).silent().prints("");
    }
}

#[test]
fn what_a_peak_took_comes_back() {
    program(
        &[],
        None,
        r"
trailed(N) :- length(L, N), ( true ; true ), bind(L), !.
bind([]).
bind([x|L]) :- bind(L).
sorted(N) :- length(L, N), sort(L, S), length(S, N).
text(N) :- length(L, N), bind(L), atomic_list_concat(L, A), string_concat(A, A, _).
choices(0) :- !.
choices(N) :- M is N-1, ( choices(M) ; true ), fail.
choices(_).
deep(0) :- !.
deep(N) :- M is N-1, deep(M), true.
run :-
    below(trailed(1000000), 60), below(sorted(300000), 60), below(text(1000000), 60),
    below(choices(300000), 60), below(deep(1000000), 60),
    below(( length(L, 1000000), findall(L, true, _) ), 60).
",
    )
    .status(0)
    .silent()
    .prints("");
}

/// Programs without end of every shape; after each the thread works, and the memory is back.
const SHAPES: &str = r"
g.
frames(X) :- frames(s(X)), g.
collecting(N) :- M is N+1, findall(X, collecting(M), _), X = N.
list(L) :- list([a|L]).
term(X) :- term(f(X, X)).
choices :- choices.
choices.
deep_choices(N) :- ( g ; g ), M is N+1, deep_choices(M), g.
trail(L) :- length(L0, 1000), ( g ; g ), L0 = [a|_], trail([L0|L]).
results :- findall(X, ( repeat, X = f(a, b, c) ), _).
nested :- findall(x, nested, _), g.
lists :- findall(X, ( repeat, numlist(1, 1000, X) ), _).
strings(X) :- string_concat(X, X, Y), strings(Y).
text :- with_output_to(string(_), ( repeat, write('hello world'), fail )).
assigned(T) :- setarg(1, T, f(T, T)), arg(1, T, X), duplicate_term(X, Y), assigned(f(Y)).
all :-
    forall(member(G, [frames(z), list([]), term(a), choices, deep_choices(0), trail([]), results, nested, lists, strings(abc), text]),
           ( exceed(G), numlist(1, 1000, L), sum_list(L, 500500), below(true, 200) )).
";

/// The peak is at most the limit (96), what a collection copies (as much again), the common part (as much again), and the program itself.
#[test]
fn the_limit_is_about_the_peak() {
    program(
        &["--memory-limit=96m"],
        None,
        &format!("{SHAPES}\nrun :- all, peak(MB), within(MB, 300).\n"),
    )
    .status(0)
    .silent()
    .prints("");
}

/// Values that double until they are refused, where nearly all that there is is alive: a thread's own memory and its copy are twice the limit
/// at most, with what threads have in common three times.
const DOUBLED: &str = r"
:- dynamic kept/1.
asserted :- assertz(kept([a, b, c])), repeat, retract(kept(L)), append(L, L, L2), assertz(kept(L2)), fail.
beside :- kept(L), append(L, L, L2), retractall(kept(_)), assertz(kept(L2)), beside.
recorded :- recordz(k, [a, b, c]), repeat, recorded(k, L, R), erase(R), append(L, L, L2), recordz(k, L2), fail.
sent(L) :- thread_self(Me), thread_send_message(Me, m(L)), thread_get_message(m(M)), append(M, M, N), sent(N).
atoms(A) :- atom_concat(A, A, B), atoms(B).
strings(S) :- string_concat(S, S, S2), strings(S2).
found(L) :- findall(X, ( member(X, L) ; member(X, L) ), L2), found(L2).
assigned :- nb_getval(k, L), append(L, L, L2), nb_setval(k, L2), assigned.
appended(L) :- append(L, L, L2), appended(L2).
sorted(N) :- numlist(1, N, L), sort(0, @>=, L, L2), length(L2, N), M is 2*N, sorted(M).
keyed(N) :- findall(K-x, between(1, N, K), L), keysort(L, L2), length(L2, N), M is 2*N, keyed(M).
joined(L) :- atomic_list_concat(L, A), atom_length(A, _), append(L, L, L2), joined(L2).
written(L) :- term_to_atom(L, A), atom_length(A, _), append(L, L, L2), written(L2).
repeated(L) :- findall(L, member(_, [1, 2]), _), append(L, L, L2), repeated(L2).
all(Gs, Most) :- forall(member(G, Gs), ( exceed(G), retractall(kept(_)), peak(MB), within(G, MB, Most) )).
";

#[test]
fn doubled_values_are_within_their_bound() {
    let of = |run: &str| {
        program(
            &["--memory-limit=32m"],
            None,
            &format!("{DOUBLED}\nrun :- {run}.\n"),
        )
        .status(0)
        .silent()
        .prints("");
    };
    of(
        "nb_setval(k, [a]), all([strings(abc), appended([a]), found([a]), assigned, sorted(1000), keyed(1000)], 2*32 + 32)",
    );
    of("all([repeated([a]), repeated([f(X, X)])], 2*32 + 32)");
    of("all([joined([1.5]), joined([12345678901234567890123])], 3*32 + 24)");
    of("all([written([a-b]), written([f(_, X, X)])], 3*32 + 24)");
    of(
        "all([asserted, ( assertz(kept([a, b, c])), beside ), recorded, sent([a]), atoms(abc)], 3*32 + 24)",
    );
}

/// Under a limit of address space memory ends anywhere, and is an error that is caught, never the end of the process.
#[test]
fn little_address_space() {
    for kb in [130_000, 200_000] {
        program(&[], Some(kb), &format!("{SHAPES}\nrun :- all.\n"))
            .status(0)
            .silent()
            .prints("");
        // A limit that the system does not let the process reach.
        program(
            &["--memory-limit=8g"],
            Some(kb),
            &format!("{SHAPES}\nrun :- all.\n"),
        )
        .status(0)
        .silent()
        .prints("");
    }
}

/// The tables of the heap's verifier are refused like any other.
#[test]
fn verifying_in_little_address_space() {
    let run = "run :- forall(member(G, [frames(z), list([]), term(a), choices, trail([]), results, strings(abc)]), exceed(G)).\n";
    for stress in ["70", "200"] {
        program_with(
            &[("SAMITE_GC_STRESS", stress)],
            &[],
            Some(60_000),
            &format!("{SHAPES}{run}"),
        )
        .status(0)
        .silent()
        .prints("");
    }
}

/// With little, the process starts and works, or says that it cannot.
#[test]
fn starting_in_little_address_space() {
    let least = 14_000;
    let mut started = 0;
    for kb in (least..least + 30_000).step_by(1_500) {
        let run = program(
            &[],
            Some(kb),
            "run :- numlist(1, 100, L), sum_list(L, 5050).\n",
        );
        match run.status {
            Some(0) => started += 1,
            // Not enough for the system to load the program.
            Some(127) if run.err.contains("loading shared libraries") => {}
            other => {
                assert_eq!(other, Some(1), "{kb}: {}", run.err);
                assert!(run.err.contains("not enough memory"), "{kb}: {}", run.err);
            }
        }
    }
    assert!(started > 0);
}

const THREADS: &str = r"
:- dynamic fact/1.
g.
without_end(list) :- list(a).
without_end(results) :- findall(X, ( repeat, X = f(a, b, c) ), _).
without_end(facts) :- numlist(1, 1000, L), repeat, assertz(fact(L)), fail.
without_end(small) :- repeat, assertz(fact(a)), fail.
without_end(frames) :- frames(z).
without_end(collecting) :- collecting(0).
without_end(trail) :- trail([]).
without_end(strings) :- doubled(abcdef).
without_end(keyed) :- thread_self(Me), between(1, inf, X), thread_send_message(Me, X), fail.
without_end(messages) :- thread_self(Me), repeat, thread_send_message(Me, f(a, b, c)), fail.
list(X) :- list([X|X]).
doubled(X) :- string_concat(X, X, Y), doubled(Y).
frames(X) :- frames(s(X)), g.
collecting(N) :- M is N+1, findall(X, collecting(M), _), X = N.
trail(L) :- length(L0, 1000), ( g ; g ), L0 = [a|_], trail([L0|L]).
started(Kind, Id) :- thread_create(( with_mutex(start, true), catch(without_end(Kind), error(F, _), thread_exit(F)) ), Id).
ended(Id) :- thread_join(Id, Status), ( resource(Status) -> true ; print(Status), nl ).
resource(exited(resource_error(memory))).
resource(exception(error(resource_error(memory), _))).
all(Kinds) :- with_mutex(start, maplist(started, Kinds, Ids)), maplist(ended, Ids), retractall(fact(_)), numlist(1, 100000, L), sum_list(L, 5000050000).
";

fn threads_in_address_space(kilobytes: u64, run: &str) {
    program(&[], Some(kilobytes), &format!("{THREADS}{run}"))
        .status(0)
        .silent()
        .prints("");
}

/// The same with many threads that want all of it at once: each ends in an error of its own, and the program goes on. Whether a thread
/// is refused memory before or after it has come to its catch/3 is not for it to say.
#[test]
fn threads_in_little_address_space() {
    for kilobytes in [300_000, 600_000] {
        threads_in_address_space(
            kilobytes,
            "run :- all([list, list, list, list, list, list, list, list]).\n",
        );
    }
}

/// The same where what they want is the allocator's.
#[test]
fn allocating_threads_in_little_address_space() {
    for kilobytes in [300_000, 600_000] {
        threads_in_address_space(
            kilobytes,
            "run :-
    all([results, facts, small, frames, trail, messages, list]),
    all([facts, results, facts, results, small, messages, small, messages]),
    all([strings, keyed, strings, keyed, facts, small, results, messages]),
    all([collecting, collecting, collecting]).\n",
        );
    }
}

/// The same where what each holds as its memory ends is a mutex, which handlers of handlers give back: that of flag/3, for which all wait.
#[test]
fn threads_that_hold_mutexes_in_little_address_space() {
    let run = "nested(N) :- M is N+1, setup_call_cleanup(flag(k, V, V+1), nested(M), flag(k, W, W-1)), g.
deep :- catch(nested(0), error(F, _), thread_exit(F)).
run :- forall(between(1, 2, _), ( findall(Id, ( between(1, 3, _), thread_create(deep, Id) ), Ids), maplist(ended, Ids) )),
    ( mutex_property(M, status(locked(By, _))), print(locked(M, By)), nl, fail ; true ), flag(k, _, 0).\n";
    for kilobytes in [120_000, 160_000] {
        threads_in_address_space(kilobytes, run);
    }
}

/// Limits near what the process begins with, where a thread may be refused what it begins with too. What cannot be refused is held for it, whoever takes
/// the rest. The main thread may be refused what it goes on with, as they are: what it calls for the first time is loaded.
const HARDLY_ANY: &str = r"
begun(Kinds, Id) :- member(Kind, Kinds), catch(started(Kind, Id), error(resource_error(_), _), fail).
some(Kinds) :- with_mutex(start, findall(Id, begun(Kinds, Id), Ids)), maplist(ended, Ids), retractall(fact(_)).
";

#[test]
fn hardly_any_address_space() {
    for kilobytes in [45_000, 50_000, 57_000, 60_000, 70_000, 80_000] {
        threads_in_address_space(
            kilobytes,
            &format!(
                "{HARDLY_ANY}round :- some([facts, results, facts]), some([results, facts, small]).\n\
                 run :- forall(between(1, 3, _), catch(round, error(resource_error(_), _), true)).\n"
            ),
        );
    }
}

/// Eight threads that fill all there is at once, again and again.
#[test]
fn many_threads_in_hardly_any_address_space() {
    for kilobytes in [60_000, 75_000, 90_000, 130_000] {
        threads_in_address_space(
            kilobytes,
            &format!(
                "{HARDLY_ANY}run :- forall(between(1, 2, _), catch(some([facts, results, facts, small, messages, list, frames, keyed]), error(resource_error(_), _), true)).\n"
            ),
        );
    }
}

/// Refused only where it is not garbage: whoever made it, and whatever wants it.
#[test]
fn garbage_is_no_reason_to_refuse_memory() {
    program(
        &["--memory-limit=64m"],
        None,
        r"
stale(N) :- numlist(1, N, L), garbage_collect, length(L, N).
run :-
    N = 2500000,
    stale(N), functor(T, f, 3000000), functor(T, _, 3000000),
    stale(N), length(L, 2000000), length(L, 2000000),
    stale(N), findall(x, between(1, 1000000, _), L2), length(L2, 1000000),
    stale(N), findall(0'a, between(1, 1000000, _), L3), string_codes(S, L3), string_length(S, 1000000),
    stale(N), term_to_atom(f(X, Y, X), A), atom_length(A, _), X = Y,
    stale(N), copy_term(L3, L4), length(L4, 1000000),
    stale(N), thread_self(Me), thread_send_message(Me, m(L3)), thread_get_message(m(L5)), length(L5, 1000000).
",
    )
    .status(0)
    .silent()
    .prints("");
}

/// What is kept by all threads is refused before it is made, with all that making it takes: the copy of a term, and the code of a clause.
#[test]
fn what_is_refused_is_not_made() {
    let text = r"
:- dynamic d/1.
twice(L, G) :- call(G, L), append(L, L, L2), twice(L2, G).
goals(L, B) :- foldl([_, A, (A, q(_))]>>true, L, true, B).
fact(L) :- assertz(d(L)).
rule(L) :- assertz((d(X) :- q(X, L), r(X))).
head(L) :- assertz((d(L) :- q(_), r(L))).
body(L) :- goals(L, B), assertz((d(_) :- B)).
recorded(L) :- recordz(k, L).
sent(L) :- thread_self(Me), thread_send_message(Me, L).
asked(L) :- assertz(d(L)), ( d([b|_]) -> true ; true ).
run :- kind(Kind), exceed(twice([a], Kind)), peak(MB), within(MB, 300).
";
    // The thread's own part (96), what a collection copies, and the common part.
    for kind in ["fact", "rule", "head", "body", "recorded", "sent", "asked"] {
        program(
            &["--memory-limit=96m"],
            None,
            &format!("{text}\nkind({kind}).\n"),
        )
        .status(0)
        .silent()
        .prints("");
    }
}

/// The tables that grow with the program are charged like what is in them: the places of a queue, lists of clauses and their index, the records
/// of a key, predicates.
#[test]
fn tables_are_charged() {
    let text = r"
:- dynamic d/1.
queued(X) :- thread_self(Me), thread_send_message(Me, X).
indexed(X) :- assertz(d(X)), d(X), ( X mod 2 =:= 0 -> retract(d(X)) ; true ).
keyed(X) :- recordz(X, X).
defined(X) :- atom_concat(name, X, A), F =.. [A, X], assertz(F).
mutex(X) :- atom_concat(mutex, X, A), mutex_create(A).
run :- kind(Kind), exceed(( between(1, inf, X), call(Kind, X), fail )), peak(MB), within(MB, 90).
";
    for kind in ["queued", "indexed", "keyed", "defined", "mutex"] {
        program(
            &["--memory-limit=48m"],
            None,
            &format!("{text}\nkind({kind}).\n"),
        )
        .status(0)
        .silent()
        .prints("");
    }
}

/// So is whatever else a program can make without end, and what each piece holds.
#[test]
fn what_the_program_makes_is_charged() {
    let text = r"
list(L) :- numlist(1, 10000, L).
names(Prefix, Names) :- findall(A, ( between(1, 2000, I), atom_concat(Prefix, I, A) ), Names).
name(A) :- names(m, Ms), names(p, Ps), member(M, Ms), member(P, Ps), A = M:P.
named(Prefix, A) :- between(1, inf, X), atom_concat(Prefix, X, A).
busy(T) :- thread_self(Me), thread_create(sig_atomic(( thread_send_message(Me, go), sleep(60) )), T), thread_get_message(go).
run(streams) :- repeat, open_null_stream(_).
run(texts) :- repeat, open_string(abc, _).
run(long_texts) :- numlist(1, 1000, L), atomic_list_concat(L, A), repeat, open_string(A, _).
run(stream_aliases) :- open_null_stream(S), named(s, A), set_stream(S, alias(A)).
run(exit_goals) :- list(L), repeat, thread_at_exit(f(L)).
run(signals) :- list(L), busy(T), repeat, thread_signal(T, f(L)).
run(small_signals) :- busy(T), repeat, thread_signal(T, true).
run(results) :- list(L), repeat, thread_create(thread_exit(L), T), thread_property(T, status(S)), S \== running.
run(flags) :- list(L), named(f, A), create_prolog_flag(A, L, []).
run(variables) :- named(v, A), setenv(A, x).
run(parents) :- named(m, M), add_import_module(M, lists, end).
run(dynamic) :- name(M:P), dynamic(M:P/3).
run(table) :- name(M:P), table(M:P/3).
run(meta) :- name(M:P), meta_predicate(M:P).
run(called) :- name(G), catch(G, error(existence_error(_, _), _), true).
run(retracted) :- name(G), retractall(G).
run :- kind(Kind), exceed(( run(Kind), fail )), peak(MB), within(MB, 90).
";
    let lines = text.lines().filter_map(|l| l.strip_prefix("run("));
    for kind in lines.filter_map(|l| l.split(')').next()) {
        let run = program(
            &["--memory-limit=40m"],
            None,
            &format!("{text}\nkind({kind}).\n"),
        );
        // Exit goals that were granted run, and are unknown.
        let run = run.status(0).prints("");
        if kind != "exit_goals" {
            run.silent();
        }
    }
}

/// What was retracted is freed before anything is refused, in a loop that comes to no predicate's entry, too.
#[test]
fn retracted_clauses_are_no_reason_to_refuse_memory() {
    let text = r"
:- dynamic f/1, g/2, h/1.
loop(facts, X) :- assertz(f(X)), Y is X-9, retract(f(Y)).
loop(same_key, X) :- assertz(g(a, X)), Y is X-9, retract(g(a, Y)).
loop(rules, X) :- numlist(1, 100, L), asserta((h(X) :- f(X), g(X, L))), retract((h(X) :- _)).
loop(called, X) :- asserta((h(X) :- X > 0 ; f(X), numlist(1, 100, L), g(X, L))), h(X), retractall(h(X)).
loop(recorded, _) :- numlist(1, 100, L), recordz(k, L, R), erase(R).
loops(Kind, N) :- between(1, N, X), loop(Kind, X), fail.
loops(_, _).
run :- loops(facts, 100000), loops(same_key, 100000), loops(rules, 5000), loops(called, 20000), loops(recorded, 5000).
";
    for limit in ["--memory-limit=2m", "--memory-limit=10m"] {
        program(&[limit], None, text).status(0).silent().prints("");
    }
}

/// A message about memory that is missing is like any other.
#[test]
fn messages_when_the_common_part_is_full() {
    let scratch = Scratch::new();
    let text = ":- dynamic f/1.\nrun :- between(1, inf, X), assertz(f(X)), fail.\n";
    let file = scratch.file("full.pl", text);
    for limit in ["--memory-limit=1m", "--memory-limit=4m"] {
        let mut command = samite();
        command.args([limit, "-q", "-g", "run", "-t", "halt", &file]);
        let run = finish(command, b"", LIMIT);
        let run = run
            .status(2)
            .warns(&["-g run: Not enough resources: memory"]);
        assert!(!run.err.contains("init_goal_failed"), "{}", run.err);
        let mut command = samite();
        command.args([limit, "-q", &file]);
        let run = finish(command, b"run.\nX = 1.\natom_length(X, Y).\np(X).\n", LIMIT);
        let run = run.status(0).prints_parts(&["X = 1."]).warns(&[
            "Not enough resources: memory",
            "not sufficiently instantiated",
            "Unknown procedure: p/1",
        ]);
        assert!(!run.err.contains("query_error"), "{}", run.err);
    }
}

/// So it is when what is in common has grown since it was full, by the code of facts that are called for the first time; once and again.
#[test]
fn messages_when_facts_got_their_code() {
    let scratch = Scratch::new();
    let text = r#"
:- dynamic p/2.
add :- between(1, inf, I), format(atom(N), "name_~d", [I]), assertz(p(I, N)), fail.
full :- catch(add, error(resource_error(_), _), true), forall(p(_, _), true).
run :- full, print_message(error, format("first ~w", [message])), full, atom_length(_, _).
"#;
    let file = scratch.file("full.pl", text);
    for limit in ["--memory-limit=4m", "--memory-limit=12m"] {
        let mut command = samite();
        command.args([limit, "-q", "-g", "run", "-t", "halt", &file]);
        finish(command, b"", LIMIT).status(2).warns(&[
            "first message",
            "-g run: atom_length/2: Arguments are not sufficiently instantiated",
        ]);
    }
}

/// So it is where the message needs an entry, or a library, of a table that is full and would have to double.
#[test]
fn messages_when_a_table_is_full() {
    let text = "
full(mutexes) :- between(1, inf, X), atom_concat(mutex, X, M), mutex_create(M), fail.
full(modules) :- between(1, inf, X), atom_concat(m, X, M), add_import_module(M, lists, end), fail.
full(queue) :- thread_self(Me), repeat, thread_send_message(Me, x), fail.
full(keys) :- between(1, inf, X), recordz(X, X), fail.
full(predicates) :- between(1, inf, X), atom_concat(p, X, P), assertz(P), fail.
run :- kind(Kind), catch(full(Kind), error(resource_error(_), _), true), atom_length(_, _).
";
    for kind in ["mutexes", "modules", "queue", "keys", "predicates"] {
        let scratch = Scratch::new();
        let file = scratch.file("full.pl", format!("{text}\nkind({kind}).\n"));
        for limit in ["--memory-limit=4m", "--memory-limit=12m"] {
            let mut command = samite();
            command.args([limit, "-q", "-g", "run", "-t", "halt", &file]);
            let run = finish(command, b"", LIMIT)
                .status(2)
                .warns(&["-g run: atom_length/2: Arguments are not sufficiently instantiated"]);
            assert!(!run.err.contains("raised while"), "{kind}: {}", run.err);
        }
    }
}

/// Texts that threads make as long as memory lets them, all at once: the room for one is granted when it is taken.
#[test]
fn texts_of_threads_in_little_address_space() {
    let text = r#"
:- dynamic g/3.
g(string_concat, S, T) :- string_concat(S, S, T).
g(atom_concat, S, T) :- atom_concat(S, S, T).
g(join, S, T) :- atomic_list_concat([S, S], T).
g(format, S, T) :- format(string(T), "~w~w", [S, S]).
g(atomic, S, T) :- format(atom(T), "~a~a", [S, S]).
double(Kind, S) :- g(Kind, S, T), double(Kind, T).
once_more(Kind) :- catch(double(Kind, "abcdef"), error(resource_error(_), _), true).
run :-
    forall(g_kind(Kind),
           ( findall(T, ( between(1, 3, _), created(once_more(Kind), T) ), Ts),
             forall(member(T, Ts), ( thread_join(T, S), ( S == true -> true ; print(Kind:S), nl ) )) )).
% (The one before may have all there is.)
created(Goal, T) :- catch(thread_create(Goal, T), error(resource_error(_), _), fail).
g_kind(Kind) :- clause(g(Kind, _, _), _).
"#;
    for kilobytes in [300_000, 500_000] {
        program(&[], Some(kilobytes), text)
            .status(0)
            .silent()
            .prints("");
    }
}

/// A table of flags that is full is no larger when one of them gets a value.
#[test]
fn flags_up_to_the_last_place() {
    let text = "full :- between(1, inf, X), flag(X, _, X), fail.\nrun :- exceed(full), exceed(full), exceed(full).\n";
    for kilobytes in [60_000, 100_000] {
        program(&[], Some(kilobytes), text)
            .status(0)
            .silent()
            .prints("");
    }
}

/// A flag is a number beside a key, however often it is changed.
#[test]
fn flags_are_small() {
    let text = r"
run :-
    forall(( between(1, 3, _), between(1, 400000, X) ), flag(X, Old, Old + X)),
    flag(77, 231, 0), peak(MB), within(MB, 60).
";
    program(&[], None, text).status(0).silent().prints("");
}

/// A small limit is one: for the thread and for what is in common. A smaller one is refused.
#[test]
fn small_limits() {
    let text = r"
:- dynamic fact/1.
run :-
    exceed(numlist(1, 1000000, _)), exceed(length(_, 100000000)),
    exceed(forall(between(1, 500000, X), flag(X, _, a))),
    exceed(forall(between(1, 500000, X), assertz(fact(X)))),
    peak(MB), within(MB, 60).
";
    for limit in [
        "--memory-limit=1m",
        "--memory-limit=2m",
        "--memory-limit=4m",
    ] {
        program(&[limit], None, text).status(0).silent().prints("");
        common::run(
            &[limit],
            "numlist(1, 1000000, L).\nX = 1.\np(X).\nX = 2.\nlength(_, 1000000).\nX = 3.\n",
        )
        .status(0)
        .prints_parts(&["X = 1.", "X = 2.", "X = 3."])
        .warns(&[
            "Not enough resources",
            "Unknown procedure",
            "Not enough resources",
        ]);
    }
    common::run(&["--memory-limit=64k", "-g", "halt"], "")
        .status(1)
        .warns(&["memory-limit"]);
}

/// A file that does not fit: the load ends with one error, whoever sets the limit, and the program goes on.
#[test]
fn a_file_that_does_not_fit() {
    let scratch = Scratch::new();
    let facts: String = (1..=300_000).map(|i| format!("large({i}, b).\n")).collect();
    let large = scratch.file("large.pl", facts);
    let text = format!(
        r"
run :-
    catch(load_files('{large}', []), error(E, _), ( print(E), nl )),
    catch(large(7, _), error(_, _), true),
    numlist(1, 1000, L), sum_list(L, 500500), write(goes_on), nl.
"
    );
    for (words, kilobytes) in [(&["--memory-limit=8m"][..], None), (&[][..], Some(60_000))] {
        program(words, kilobytes, &text)
            .silent()
            .status(0)
            .prints("resource_error(memory)\ngoes_on\n");
    }
}

/// What is written is in memory once, or once more where it becomes a term; a name for each of many variables is a number.
#[test]
fn writing_takes_little_beside_the_text() {
    let text = r#"
reset :- open('/proc/self/clear_refs', write, S), write(S, 5), close(S).
takes(Goal, Most) :-
    garbage_collect, reset, rss(Before), ( \+ Goal -> print(failed(Goal)), nl ; true ), peak(After),
    MB is After-Before, ( MB =< Most -> true ; Goal = f(_, Name, _), print(Name:MB-Most), nl ).
% The text has 15 MB.
f(S, p, L) :- format(S, "~p", [L]).
f(S, q, L) :- format(S, "~q", [L]).
f(S, writeq, L) :- writeq(S, L).
f(_, string, L) :- format(string(_), "~p", [L]).
f(_, atom, L) :- format(atom(_), "~p", [L]).
f(S, canonical, L) :- write_canonical(S, L).
f(S, clause, L) :- portray_clause(S, L).
run :-
    open('/dev/null', write, S),
    length(L, 500000), maplist(=(abcdefghijklmnopqrstuvwxyzabcd), L),
    forall(member(X-Most, [p-24, q-24, writeq-24, canonical-24, clause-24, string-46, atom-50]), takes(f(S, X, L), Most)),
    length(V, 500000),
    forall(member(X-Most, [canonical-40, clause-40]), takes(f(S, X, V), Most)),
    L = [_|_].
"#;
    program(&[], None, text).status(0).silent().prints("");
}

/// Time limits and alarms have what they need to go off from the time they are set.
#[test]
fn time_limits_when_memory_is_full() {
    let text = r"
:- dynamic f/1.
fill :- catch(( repeat, assertz(f(abc)), fail ), error(_, _), true).
after :- fill, catch(call_with_time_limit(0.3, ( repeat, fail )), E, true), ended(E).
before :- catch(call_with_time_limit(0.5, ( fill, repeat, fail )), E, true), ended(E).
alarm :- alarm(0.5, throw(stop), _), catch(( fill, repeat, fail ), E, true), ended(E).
ended(E) :- retractall(f(_)), ( E = error(resource_error(_), _) -> true ; print(E), nl ).
run :- before, after, alarm.
";
    for (words, kilobytes) in [
        (&["--memory-limit=10m"][..], None),
        (&["--memory-limit=40m"], None),
        (&[], Some(150_000)),
        (&[], Some(200_000)),
    ] {
        let run = program(words, kilobytes, text).status(0).silent();
        assert!(run.out.starts_with("time_limit_exceeded\n"), "{run:#?}");
    }
}

/// What the limit is a limit of (`docs/internals/memory.md`): what the process takes at its peak is a quarter more than what its thread may hold and what threads
/// have in common, and 16 MB. Collections, balls, copies of text and numbers are beside the heap for a while.
#[test]
fn a_limit_is_one_of_what_is_resident() {
    let text = r#"
:- dynamic fact/1, start/1.
:- table tabled/1.
reset :- open('/proc/self/clear_refs', write, S), write(S, 5), close(S).
limit(M) :- current_prolog_flag(stack_limit, L), M is L // 1048576.
takes(Goal, Counts) :-
    garbage_collect, reset,
    exceed(Goal),
    limit(L), start(S), Most is L*(Counts*4+1)//4+S+6, peak(MB), within(Goal, MB, Most).
items(N) :- numlist(1, N, L), length(L, N).
strings(X) :- string_concat(X, X, Y), strings(Y).
shifts(X) :- Y is X << 3000000, shifts(Y).
bound(X) :- freeze(X, bound(_)), X = 1, used(X, X).
used(_, _).
trail(L) :- length(L0, 1000), ( true ; true ), L0 = [a|_], trail([L0|L]).
choices(N) :- ( true ; true ), M is N+1, choices(M).
frames(N) :- M is N+1, frames(M), true.
results :- findall(X, ( repeat, numlist(1, 1000, X) ), _).
sorted(N) :- findall(X, ( between(1, N, _), X is random(1000000) ), L), msort(L, M), length(M, N), N2 is N*2, sorted(N2).
variables(N) :- length(L, N), sort(L, M), length(M, N), N2 is N*2, variables(N2).
balls(L) :- catch(setup_call_cleanup(true, throw(b([x,y,z|L])), true), b(M), true), numlist(1, 20000, K), append(K, M, M2), balls(M2).
% Much garbage, then a ball.
garbage(N) :- numlist(1, N, L), garbage_collect, length(L, _).
ball(N) :- numlist(1, N, L), catch(setup_call_cleanup(true, throw(b(L)), true), b(_), true).
tabled(N) :- between(0, 100000000, N).
lists(L) :- append(L, L, M), assertz(fact(M)), lists(M).
atoms(X) :- atom_concat(X, X, Y), atoms(Y).
texts(L) :- append(L, L, M), term_to_atom(M, A), atom_length(A, _), texts(M).
run :-
    rss(S), assertz(start(S)),
    limit(L), N is L*43000, Half is N//2, More is N*16//15,
    forall(member(G, [items(100000000), strings("abc"), shifts(3), bound(_), trail([]), choices(0), frames(0), results, sorted(10000), variables(10000), balls([]),
                      tabled(_)]),
           takes(G, 1)),
    forall(member(G, [( garbage(N), ball(Half), throw(error(resource_error(memory), _)) ), ( garbage(N), items(More), throw(error(resource_error(memory), _)) )]),
           takes(G, 1)),
    abolish_all_tables,
    forall(member(G, [lists([a]), atoms(abc), texts([x])]), takes(G, 2)).
"#;
    for limit in ["16M", "64M"] {
        program(&[&format!("--memory-limit={limit}")], None, text)
            .silent()
            .status(0)
            .prints("");
    }
}
