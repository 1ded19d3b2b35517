//! The memory limit: what would take more is `resource_error(memory)`, which is caught and survived, wherever the memory is: in the
//! heap, in text, in the database, in queues, in what a stream delivers.

mod common;

use common::{LIMIT, Run, Scratch, finish, run, run_program, samite, samite_in, swipl};

const LIMITED: &str = "--memory-limit=16m";

fn program(text: &str) -> Run {
    let mut command = samite();
    command.arg(LIMITED);
    run_program(command, text)
}

/// `t(Goal)` prints the formal of Goal's error, after which the thread still works.
const HARNESS: &str = r"
t(G) :-
    catch(( G -> E = true ; E = false ), error(E, _), true),
    ( E = type_error(T, _) -> write(type_error(T)) ; print(E) ), nl,
    numlist(1, 1000, L), sum_list(L, 500500),
    findall(X, member(X, L), L), atom_concat(a, 1, a1).
dag(0, a) :- !.
dag(N, f(X,X)) :- N1 is N-1, dag(N1, X).
";

fn all_exceed(definitions: &str, goals: &[&str]) {
    let calls: Vec<String> = goals.iter().map(|g| format!("t(({g}))")).collect();
    program(&format!(
        "{HARNESS}{definitions}\nrun :- {}.\n",
        calls.join(",\n    ")
    ))
    .status(0)
    .silent()
    .prints(&"resource_error(memory)\n".repeat(goals.len()));
}

#[test]
fn heap() {
    all_exceed(
        r"
terms(X) :- terms(f(X)).
strings(X) :- string_concat(X, X, Y), strings(Y).
shifts(X) :- Y is X << 3000000, shifts(Y).
factorials(N, F0) :- F is F0*N, M is N+1, factorials(M, F).
frames :- frames, true.
choices(N) :- ( true ; true ), M is N+1, choices(M).
recovery :- catch(throw(x), x, recovery), true.
catching(N) :- M is N+1, catch(catching(M), never, true), true.
finding :- findall(x, finding, _), true.
trail(L) :- length(L0, 1000), ( true ; true ), L0 = [a|_], trail([L0|L]).
",
        &[
            "terms(a)",
            "strings(\"abc\")",
            "shifts(3)",
            "factorials(1, 1)",
            "frames",
            "choices(0)",
            "recovery",
            "catching(0)",
            "finding",
            "trail([])",
            "numlist(1, 2000000, L), L = [_|_]",
            "length(_, 100000000)",
            "functor(_, f, 8388608)",
            "terms(a)",
            "frames",
            "X is 1 << (1 << 40), X > 0",
            "X is 2 ** (2 ** 100), X > 0",
            "X is 7 ** (7 ** 77), X > 0",
            "findall(X, ( repeat, numlist(1, 1000, X) ), _)",
            "findall(X-Y, ( between(1, inf, X), findall(Z, between(1, 1000, Z), Y) ), _)",
        ],
    );
}

#[test]
fn text() {
    all_exceed(
        r"
atoms(X) :- atom_concat(X, X, Y), atoms(Y).
printing(X) :- write(X), printing(X).
",
        &[
            "atoms(abc)",
            "with_output_to(string(_), tab(1 << 60))",
            "with_output_to(string(_), tab(1 << 29))",
            "tab(1 << 50)",
            "with_output_to(string(_), printing(abc))",
            "format(atom(_), '~*c~*c', [50000000, 0'a, 50000000, 0'a])",
            "format(atom(_), '~`-t~50000000|~`-t~50000000+', [])",
            "format(atom(_), '~2000000000d', [1])",
            "format(atom(_), '~2000000000e', [1])",
            "numlist(1, 100000, L), format(atom(_), '~w~w~w~w~w~w~w~w~w~w~w~w~w~w~w~w~w~w~w~w', [L,L,L,L,L,L,L,L,L,L,L,L,L,L,L,L,L,L,L,L]), fail ; throw(error(resource_error(memory), _))",
            "dag(60, T), print(T)",
            "dag(60, T), write_canonical(T)",
            "dag(60, T), term_to_atom(T, _)",
            "dag(60, T), format(atom(_), '~w', [T])",
        ],
    );
}

/// Small terms that are large when written out, through what keeps sharing.
#[test]
fn shared_terms() {
    program(&format!(
        r"{HARNESS}
:- dynamic(k/1).
:- table tabled/1.
tabled(_).
run :-
    dag(60, T),
    t((copy_term(T, C), C = f(_,_))), t((findall(T, true, [F]), F = f(_,_))), t((catch(throw(T), B, true), B = f(_,_))),
    t(ground(T)), t(term_variables(T, [])), t((numbervars(T, 0, End), End == 0)), t(garbage_collect), t(acyclic_term(T)),
    t((thread_self(Me), thread_send_message(Me, T), thread_get_message(M), M = f(_,_))),
    t((nb_setval(k, T), nb_getval(k, V), V = f(_,_))),
    t(tabled(T)), t((assertz(k(T)), k(_), k(_))).
"
    ))
    .status(0)
    .silent()
    .prints(&format!(
        "{}resource_error(memory)\ntrue\n",
        "true\n".repeat(10)
    ));
}

/// What all threads have in common. Atoms are last: they are never freed, so then there is no room for anything of this kind.
#[test]
fn program_without_end() {
    all_exceed(
        r"
:- dynamic([fact/1, rule/1, big/1, messages/1]).
facts(N) :- assertz(fact(N)), M is N+1, facts(M).
rules(N) :- assertz((rule(N) :- a, b(N))), M is N+1, rules(M).
big(N, L) :- assertz(big(L)), M is N+1, big(M, L).
messages(Q) :- thread_send_message(Q, hello(world)), messages(Q).
queues(L) :- message_queue_create(Q), queues([Q|L]).
mutexes(L) :- mutex_create(M), mutexes([M|L]).
atoms(N) :- atom_concat('an atom that is rather long so that the test takes less time ', N, _), M is N+1, atoms(M).
thread_get_message_if_any(Me) :- thread_peek_message(_), thread_get_message(Me, _, [timeout(0)]).
",
        &[
            "facts(1)",
            "retractall(fact(_)), numlist(1, 100000, L), big(1, L)",
            "retractall(big(_)), thread_self(Me), messages(Me)",
            "thread_self(Me), repeat, \\+ thread_get_message_if_any(Me), !, message_queue_create(Q), call_cleanup(messages(Q), message_queue_destroy(Q))",
            "queues([])",
            "mutexes([])",
            "facts(1)",
            "atoms(1)",
        ],
    );
}

/// The same in several threads at once, many times in a row.
#[test]
fn threads() {
    program(&format!(
        r"{HARNESS}
terms(X) :- terms(f(X)).
strings(X) :- string_concat(X, X, Y), strings(Y).
frames :- frames, true.
exceed(G) :- catch(G, error(resource_error(memory), _), true).
worker(_) :-
    forall(between(1, 3, _), ( exceed(terms(a)), exceed(strings(x)), exceed(frames), exceed(findall(X, repeat, X)) )).
run :-
    findall(I, ( between(1, 4, N), thread_create(worker(N), I) ), Is),
    forall(member(I, Is), ( thread_join(I, S), print(S), nl )).
"
    ))
    .status(0)
    .silent()
    .prints(&"true\n".repeat(4));
}

/// A source that never ends.
#[test]
fn endless_input() {
    all_exceed(
        r"
with(G, S) :- setup_call_cleanup(open('/dev/zero', read, S), G, close(S)).
",
        &[
            "with(read(S, _), S)",
            "with(read_term(S, _, []), S)",
            "with(read_string(S, _, _), S)",
            "with(read_string(S, '\\n', '', _, _), S)",
            "with(read_stream_to_codes(S, _), S)",
            "with(read_line_to_string(S, _), S)",
            "with(read_line_to_codes(S, _), S)",
            "N is 1 << 40, with(peek_string(S, N, _), S)",
        ],
    );
}

/// The toplevel goes on, whatever a query did.
#[test]
fn toplevel() {
    run(
        &[LIMITED],
        "X = [a|X], atom_length(X, _).\nX = 1.\nX = f(X), throw(X).\nX = 2.\nlength(L, L).\nX = 3.\n\
         assertz((p(X) :- p(f(X)))).\np(a).\nX = 4.\nfindall(X, repeat, L).\nX = 5.\n",
    )
    .status(0)
    .prints_parts(&["X = 1.", "X = 2.", "X = 3.", "X = 4.", "X = 5."]);
}

/// The memory ends at another word with each limit: handlers run or are dropped, the exception goes on in each case.
#[test]
fn nested_cleanups_at_any_limit() {
    let scratch = Scratch::new();
    let text = r"
plain(N) :- M is N+1, setup_call_cleanup(true, plain(M), h(N)), foo(N).
catching(N) :- M is N+1, setup_call_catcher_cleanup(true, catching(M), C, h(C)), foo(N).
foo(_).
h(N) :- X = f(N, a), arg(1, X, _).
t(G) :- catch(G, E, true), E = error(F, _), print(F), nl.
";
    let file = scratch.file("program.pl", text);
    for kilobytes in (3000..4200).step_by(91) {
        for goal in ["t(plain(0))", "t(catching(0))"] {
            let mut command = samite();
            command
                .args(["-q", &format!("--memory-limit={kilobytes}K"), "-g", goal])
                .args(["-t", "halt"])
                .arg(&file);
            finish(command, b"", LIMIT)
                .status(0)
                .prints("resource_error(memory)\n");
        }
    }
}

/// A ball passes handlers that look at it and catches that throw a larger one: `b` if it arrives, else the error in its place. What the
/// handlers count shows that they ran.
const BALLS: &str = r"
passing(0, L) :- throw(b(L)).
passing(N, L) :- N > 0, M is N-1, setup_call_catcher_cleanup(true, passing(M, L), C, h(C)), foo(N).
again(0, L) :- throw(b(L)).
again(N, L) :- N > 0, M is N-1, catch(again(M, L), b(X), throw(b([N|X]))), foo(N).
both(0, L) :- throw(b(L)).
both(N, L) :-
    N > 0, M is N-1,
    catch(setup_call_catcher_cleanup(true, both(M, L), C, h(C)), b(X), from_inside(N, X)),
    foo(N).
from_inside(N, X) :- setup_call_catcher_cleanup(true, throw(b([N|X])), C, h(C)).
foo(_).
h(C) :- X = f(C, a), arg(1, X, _), flag(ran, N, N+1).
t(G) :-
    catch(G, E, true),
    ( E = b(_) -> write(b) ; E = error(F, _) -> print(F) ; true ), nl.
run(Words) :-
    numlist(1, Words, L),
    t(passing(20, L)), t(again(20, L)), t(both(15, L)),
    flag(ran, N, N), ( N > 0 -> true ; halt(1) ).
";

fn balls_arrive_or_are_errors(run: &Run) {
    let lines = run.out.lines().count();
    let known = |l| l == "b" || l == "resource_error(memory)";
    assert!(lines == 3 && run.out.lines().all(known), "{}", run.out);
}

#[test]
fn large_balls_at_any_limit() {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", BALLS);
    for kilobytes in (2500..6000).step_by(171) {
        let mut command = samite();
        command
            .args(["-q", &format!("--memory-limit={kilobytes}K")])
            .args(["-g", "run(40000)", "-t", "halt"])
            .arg(&file);
        balls_arrive_or_are_errors(&finish(command, b"", LIMIT).status(0));
    }
}

/// The same where it is the system that refuses: the copy of a ball, its room on the heap, what a collection would need.
#[test]
fn large_balls_in_little_address_space() {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", BALLS);
    let cases = [
        ("run(60000)", 31_000, 42_000, 700),
        ("run(300000)", 40_000, 70_000, 2300),
    ];
    for (goal, from, to, step) in cases {
        for kilobytes in (from..to).step_by(step) {
            let mut command = samite_in(Some(kilobytes));
            command.args(["-q", "-g", goal, "-t", "halt", &file]);
            balls_arrive_or_are_errors(&finish(command, b"", LIMIT).status(0));
        }
    }
}

/// As much is in use as the limit allows, because it was lowered, wherever the nursery ends: no frame of a handler has room.
#[test]
fn handlers_above_a_lowered_limit() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
deep(0) :- throw(x).
deep(N) :- N > 0, M is N-1, setup_call_catcher_cleanup(true, deep(M), _, true), foo.
foo.
run :-
    numlist(1, 400000, L), garbage_collect,
    between(60, infinite, Step),
    Limit is Step * 100000,
    catch(set_prolog_flag(stack_limit, Limit), error(permission_error(limit, stacks, Limit), _), fail), !,
    catch(deep(1000), B, true),
    ( B == x -> true ; B = error(resource_error(memory), _) ),
    length(L, N), print(N), nl.
",
    );
    for seed in 1..9 {
        let mut command = samite();
        command
            .env("SAMITE_NURSERY_STRESS", seed.to_string())
            .args(["-q", "-g", "run", "-t", "halt", &file]);
        finish(command, b"", LIMIT).status(0).prints("400000\n");
    }
}

/// What threads have in common has a limit of its own: that of a thread bounds it only by the name that says so.
#[test]
fn what_is_in_common_is_not_bounded_by_the_limit_of_a_thread() {
    let text = r"
fill(N) :- catch(filled(N), error(resource_error(memory), _), true), aggregate_all(count, f(_, _), M), ( M =:= N -> writeln(all) ; writeln(some) ), retractall(f(_, _)).
filled(N) :- forall(between(1, N, I), assertz(f(I, I))).
:- dynamic f/2.
own :- length(L, 3000000), L = [_|_].
run :-
    catch(own, error(E, _), ( print(E), nl )),
    fill(200000),
    thread_create(( current_prolog_flag(stack_limit, N), print(N), nl ), T), thread_join(T),
    set_prolog_flag(memory_limit, 10000000),
    fill(200000).
";
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    let run = |options: &[&str], printed: &str| {
        let mut command = samite();
        command.args(options);
        command.args(["-q", "-g", "run", "-t", "halt", &file]);
        finish(command, b"", LIMIT).status(0).prints(printed);
    };
    let error = "resource_error(memory)\n";
    run(
        &["--stack-limit=12000000"],
        &format!("{error}all\n12000000\nsome\n"),
    );
    run(
        &["--memory-limit=12000000"],
        &format!("{error}some\n12000000\nsome\n"),
    );
}

/// Nearly all that the limit allows is alive, to the last few words: a handler's goals, a thousand cells among them, are not refused.
#[test]
fn small_goals_of_handlers_at_the_limit() {
    let text = r"
fits(N) :- catch((numlist(1, N, L), garbage_collect, length(L, _)), error(resource_error(_), _), fail).
most(A, B, A) :- B-A =< 16, !.
most(A, B, M) :- C is (A+B)//2, ( fits(C) -> most(C, B, M) ; most(A, C, M) ).
handled(0) :- !.
handled(N) :- catch(setup_call_cleanup(true, throw(x), handler), x, true), M is N-1, handled(M).
handler :- numlist(1, 1000, L), sum_list(L, _), foldl([X,Y,Z]>>(Z is X+Y), L, 0, _), flag(handled, N, N+1).
run(Left) :-
    most(1000, 100000000, Most), N is Most-Left, numlist(1, N, L), garbage_collect,
    handled(100), length(L, N), flag(handled, H, H), print(H), nl.
";
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    for left in [20, 500, 2000] {
        let goal = format!("run({left})");
        let mut command = samite();
        command.args(["--memory-limit=4M", "-q", "-g", &goal, "-t", "halt", &file]);
        finish(command, b"", LIMIT).status(0).prints("100\n");
    }
}

/// More than the limit allows is alive when a handler begins: its goals are not refused for that. What limits a goal ends with it.
#[test]
fn handlers_beyond_the_limit() {
    let text = r"
list(0, []) :- !.
list(N, [f(N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N)|T]) :- M is N-1, list(M, T).
keep(_).
:- dynamic fact/1.
op(time) :- call_with_time_limit(0.2, true).
op(fact) :- setup_call_cleanup(assertz(fact(1)), true, retract(fact(1))).
op(thread) :- setup_call_cleanup(thread_create(true, _, [alias(other)]), true, thread_join(other, _)).
op(inferences) :- call_with_inference_limit(( numlist(1, 2000, L), sum_list(L, _) ), 100000, _).
left(ended(E)) :- catch(( sleep(0.3), fail ), E, true).
left(fact) :- fact(1), retractall(fact(_)).
left(thread) :- catch(thread_property(other, status(_)), _, fail).
left(ended(E)) :- catch(( between(1, 200000, I), I < 0 ), E, true).
tried(N, Op) :-
    catch(( list(N, T), op(Op), keep(T) ), error(resource_error(_), _), true),
    forall(left(What), ( print(N-Op-What), nl )).
run :-
    forall(clause(op(Op), _), ( op(Op), forall(member(N, [107500, 108000, 108500]), tried(N, Op)) )),
    forall(between(0, 200, I), ( N is 104700+I, catch(( list(N, T), op(inferences), keep(T) ), error(resource_error(_), _), true) )),
    writeln(done).
";
    program(text).status(0).silent().prints("done\n");
}

/// What a ball costs on its way does not depend on how many look at it: counted in collections, of which each that brings it again would cause
/// its share.
#[test]
fn a_large_ball_passes_many() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
catches(0, B) :- throw(B).
catches(N, B) :- M is N - 1, catch(catches(M, B), other(_), true).
handlers(0, B) :- throw(B).
handlers(N, B) :- M is N - 1, setup_call_catcher_cleanup(true, handlers(M, B), exception(f(_)), true).
both(0, B) :- throw(B).
both(N, B) :- M is N - 1, catch(setup_call_catcher_cleanup(true, both(M, B), exception(f([_|_])), true), f([_, _]), true).
collections(G, N, C) :-
    length(L, 400000),
    garbage_collect,
    statistics(garbage_collection, [A|_]),
    catch(call(G, N, f(L)), E, true),
    statistics(garbage_collection, [Z|_]),
    ( E = f(L) -> C is Z - A ; C = E ).
grows(G) :-
    maplist(collections(G), [25, 50, 100], Cs),
    (   max_list(Cs, M), M =< 3
    ->  writeln(right)
    ;   writeln(G-Cs)
    ).
run :- maplist(grows, [catches, handlers, both]).
",
    );
    let mut command = samite();
    command
        .args(["--memory-limit=64m", "-g", "run", "-t", "halt"])
        .arg(&file);
    finish(command, b"", LIMIT)
        .status(0)
        .prints("right\nright\nright\n");
}

/// The limit of a thread is its own, inherited by those that it creates, and not below what it uses.
#[test]
fn limits_that_are_set() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
limit(L) :- catch(set_prolog_flag(stack_limit, L), error(E, _), true), ( var(E) -> writeln(set) ; print(E), nl ).
garbage(L) :- numlist(1, 1000000, G), last(G, _), limit(L).
shown(What) :- current_prolog_flag(stack_limit, L), writeln(What-L).
later :- thread_get_message(go), shown(earlier).
run :-
    limit(1000), limit(_), limit(a), limit(1.5), limit(100000000000000000000),
    limit(1000000000), shown(main),
    thread_create(later, Early),
    numlist(1, 1000000, L),
    limit(3000000), shown(main),
    limit(500000000), shown(main),
    thread_send_message(Early, go), thread_join(Early),
    thread_create(( shown(thread), limit(200000000), shown(thread), thread_create(shown(inner), I), thread_join(I) ), T), thread_join(T),
    shown(main),
    thread_create(shown(next), N), thread_join(N),
    thread_create(( limit(20000000), catch(length(_, 3000000), error(resource_error(_), _), writeln(exceeded)) ), X), thread_join(X),
    length(L, Length), length(_, 3000000), writeln(Length).
",
    );
    for mut command in [Some(samite()), swipl()].into_iter().flatten() {
        command.args(["-g", "run", "-t", "halt", &file]);
        finish(command, b"", LIMIT).status(0).silent().prints(
            "permission_error(limit,stacks,1000)\n\
             instantiation_error\n\
             type_error(integer,a)\n\
             type_error(integer,1.5)\n\
             representation_error(int64_t)\n\
             set\nmain-1000000000\n\
             permission_error(limit,stacks,3000000)\nmain-1000000000\n\
             set\nmain-500000000\n\
             earlier-1000000000\n\
             thread-500000000\nset\nthread-200000000\ninner-200000000\n\
             main-500000000\nnext-500000000\n\
             set\nexceeded\n\
             1000000\n",
        );
    }
    // Garbage is not in use.
    let mut command = samite();
    command.args(["-g", "garbage(4000000)", "-t", "halt", &file]);
    finish(command, b"", LIMIT).status(0).prints("set\n");
}

/// A worker that has no memory for its result, nor for saying so, is no reason to wait for it.
#[test]
fn workers_without_memory_for_results() {
    let text = r#"
:- dynamic f/2.
fill :- forall(between(1, 100000000, I), assertz(f(I, "some text that takes some room"))).
job(I) :- numlist(1, 100000, L), throw(found(I, L)).
run :-
    catch(fill, error(resource_error(_), _), true),
    forall(between(3, 500, I), retract(f(I, _))),
    catch(concurrent_forall(between(1, 10, I), job(I)), E, true),
    ( E = error(resource_error(memory), _) -> true ; E = found(_, _) ),
    retractall(f(_, _)),
    concurrent_maplist(succ, [1, 2, 3], L),
    writeln(L).
"#;
    let scratch = common::Scratch::new();
    let file = scratch.file("workers.pl", text);
    common::run(&[LIMITED, "-g", "run", "-t", "halt", &file], "")
        .status(0)
        .silent()
        .prints("[2,3,4]\n");
}

/// Bound variables of a structure, trailed, that the collector meets by references before their structure: what it notes of them is there before it
/// begins, or the collection is not.
#[test]
fn long_trails_in_little_address_space() {
    let text = r"
bind([], _).
bind([X|Xs], I) :- X = g(I), J is I+1, bind(Xs, J).
changed(0, _) :- !.
changed(N, T) :- setarg(N, T, h(N)), M is N-1, changed(M, T).
backtracked(N, T, L) :-
    ( true ; true ),
    ( bind(L, 0), garbage_collect, garbage_collect, last(L, g(M)), M =:= N-1, arg(1, T, g(0)), fail ; true ), !.
one(N) :-
    functor(T, f, N), T =.. [_|L],
    backtracked(N, T, L), garbage_collect, T =.. [_|L2], L2 == L, L = [A|_], var(A),
    bind(L, 1), garbage_collect, arg(N, T, g(N)),
    ( changed(N, T), garbage_collect, arg(N, T, h(N)), fail ; arg(N, T, g(N)) ).
size(1000). size(30000). size(200000).
run :- forall(size(N), ( catch(one(N), error(E, _), true), ( var(E) -> true ; E == resource_error(memory) -> true ; print(E), nl ) )).
";
    for kilobytes in (31_000..131_000).step_by(4_700) {
        run_program(samite_in(Some(kilobytes)), text)
            .status(0)
            .silent()
            .prints("");
    }
    run_program(samite(), text).status(0).silent().prints("");
}
