//! Dynamic databases that several threads change and read at the same time: generated programs with invariants. Nothing may be lost,
//! doubled or seen half.
//!
//! A program has, for each of its keys, a thread that puts in a new clause of `r/2` and then takes out the one before: there are always one
//! or two, with successive numbers. Others write numbers in order to `log/2`, from which one takes them in order: what is there is a range
//! without gaps. Readers look with what a program has for that: calls, `clause/2`, `nth_clause/3`, all solutions. What differs between
//! programs (number of threads, index or none, kind of the keys, ways to add, take out and look) is drawn from the seed; a run of
//! more programs: `SAMITE_SEEDS=1000 cargo test --release -p samite-cli --test dynamic generated`
//! (`SAMITE_SEED=n` is the first of them, 0 by default).

mod common;

use common::random::Random;
use common::{LIMIT, Scratch, finish, samite};
use std::fmt::Write;

const FRAME: &str = r"
:- dynamic([r/2, log/2, bad/1, moved/2]).

replace(K, N) :- forall(between(1, N, I), ( J is I-1, new(K, I), old(K, J) )).

writer(W, N) :- forall(between(1, N, I), assertz(log(W, I))).

% Takes what it finds, oldest first, until all is there.
mover(W, N) :- between(1, inf, _), ( retract(log(W, I)) -> assertz(moved(W, I)), I =:= N ; thread_yield, fail ), !.

bad(What, Found) :- ( clause(bad(What-_), true) -> true ; assertz(bad(What-Found)) ).

successive([]).
successive([X|Xs]) :- successive(Xs, X).
successive([], _).
successive([Y|Ys], X) :- Y =:= X+1, successive(Ys, Y).

one_or_two(What, L) :- ( ( L = [_] ; L = [_, _] ) -> true ; bad(What, L) ).

look(calls, K, _) :- findall(V, r(K, V), L0), msort(L0, L), one_or_two(calls, L), ( successive(L) -> true ; bad(calls, L) ).
look(once, K, _) :- ( r(K, _) -> true ; bad(once, none) ).
look(fails, K, _) :- ( \+ r(K, _) -> bad(fails, none) ; true ).
look(clauses, K, _) :- findall(B, clause(r(K, _), B), L), one_or_two(clauses, L).
look(any, K, _) :- findall(V, ( r(X, V), X == K ), L), one_or_two(any, L).
look(walk, K, _) :- findall(V, ( r(K, V), thread_yield ), L), one_or_two(walk, L).
look(nth, _, Most) :- findall(C, nth_clause(r(_, _), _, C), L), length(L, N), crowd(Crowd), Least is Crowd + Most // 2, ( N >= Least, N =< Crowd+Most -> true ; bad(nth, N) ).
look(log, _, _) :- writers(W), ( between(1, W, I), findall(X, log(I, X), L), \+ successive(L), bad(log, L), fail ; true ).

reader(Ways, Keys, N) :- length(Keys, Count), Most is 2*Count, forall(( between(1, N, _), member(Way, Ways), member(K, Keys) ), look(Way, K, Most)).

start(Goals, Ids) :- findall(Id, ( member(G, Goals), thread_create(G, Id) ), Ids).
finish(Ids) :- forall(member(Id, Ids), ( thread_join(Id, S), ( S == true -> true ; print(S), nl ) )).

report(N) :-
    forall(bad(B), ( print(B), nl )),
    writers(W), movers(M),
    forall(between(1, W, I), (
        findall(X, moved(I, X), Moved), findall(X, log(I, X), Left), append(Moved, Left, All), numlist(1, N, Expected),
        ( All == Expected -> true ; print(lost_or_doubled(I)), nl ),
        ( M =:= 0 -> true ; Left == [] -> true ; print(left(I)), nl ) )),
    keys(Keys), crowd(Crowd), length(Keys, Count), aggregate_all(count, r(_, _), Total),
    ( Total =:= Crowd+Count -> true ; print(total(Total)), nl ),
    write(done), nl.
";

/// The text of a program.
fn program(seed: u64) -> String {
    let mut draw = Random::new(seed);
    for _ in 0..8 {
        draw.below(2);
    }
    let n = if cfg!(debug_assertions) { 500 } else { 2500 };
    let keys: Vec<&str> = {
        let all = [
            ["k", "l"],
            ["1", "2"],
            ["f(a)", "g(a)"],
            ["[a]", "b"],
            ["\"s\"", "1.5"],
        ][draw.below(5)];
        all[..1 + draw.below(2)].to_vec()
    };
    let crowd = [0, 3, 20, 300][draw.below(4)];
    let add = draw.one(&["assertz", "asserta"]);
    let (clause, taken) = if draw.below(3) > 0 {
        let taken = [
            "retract(r(K, J))",
            "retractall(r(K, J))",
            "( clause(r(K, V), true, C), V == J, erase(C) -> true )",
            "( retract(r(K, V)), V =:= J -> true )",
        ];
        (
            "r(K, I)",
            taken[draw.below(if add == "assertz" { 4 } else { 3 })],
        )
    } else {
        let taken = [
            "retract((r(K, V) :- V = J))",
            "( clause(r(K, V), V = J, C), erase(C) -> true )",
        ];
        ("(r(K, V) :- V = I)", taken[draw.below(2)])
    };
    let writers = draw.below(3);
    let movers = if writers > 0 { draw.below(2) } else { 0 };
    let mut goals: Vec<String> = (keys.iter())
        .map(|k| format!("replace({k}, {n})"))
        .collect();
    goals.extend((1..=writers).map(|w| format!("writer({w}, {n})")));
    if movers > 0 {
        goals.extend((1..=writers).map(|w| format!("mover({w}, {n})")));
    }
    goals.truncate(4);
    // What was left out must not be expected.
    let writers = goals.iter().filter(|g| g.starts_with("writer")).count();
    let movers = goals.iter().filter(|g| g.starts_with("mover")).count();
    let movers = if movers < writers { 0 } else { movers };
    goals.retain(|g| movers > 0 || !g.starts_with("mover"));
    let ways = [
        "calls", "once", "fails", "clauses", "any", "walk", "nth", "log",
    ];
    let rounds = n / if crowd > 100 { 20 } else { 2 };
    while goals.len() < 5 && (draw.below(2) > 0 || !goals.iter().any(|g| g.contains("reader"))) {
        let chosen: Vec<&str> = (0..3).map(|_| draw.one(&ways)).collect();
        goals.push(format!(
            "reader([{}], [{}], {rounds})",
            chosen.join(", "),
            keys.join(", ")
        ));
    }
    let mut text = FRAME.to_owned();
    let all = keys.join(", ");
    let written = write!(
        text,
        "new(K, I) :- {add}({clause}).
old(K, J) :- {taken}, !.
keys([{all}]). crowd({crowd}). writers({writers}). movers({movers}).
run :-
    forall(between(1, {crowd}, I), assertz(r(other(I), I))),
    forall(member(K, [{all}]), new(K, 0)),
    start([{}], Ids), finish(Ids), report({n}).
",
        goals.join(", ")
    );
    assert!(written.is_ok());
    text
}

fn runs(seed: u64) {
    let text = program(seed);
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", &text);
    let mut command = samite();
    // A collection every now and then, for the readers to publish.
    if seed.is_multiple_of(3) {
        command.env("SAMITE_NURSERY", "65536");
    }
    command.args(["-g", "run", "-t", "halt", &file]);
    let run = finish(command, b"", LIMIT).sound();
    assert!(
        run.out == "done\n" && run.err.is_empty(),
        "seed {seed}: {run:#?}\n{text}"
    );
}

#[test]
fn generated_programs() {
    let setting = |name| std::env::var(name).ok().and_then(|s| s.parse().ok());
    let first = setting("SAMITE_SEED").unwrap_or(0);
    let seeds = setting("SAMITE_SEEDS").unwrap_or(20);
    (first..first + seeds).for_each(runs);
}

/// Threads that retract from the same predicate share its facts: each is taken once, whether they ask again or backtrack, and a
/// thread still sees in a call what it has erased itself since.
#[test]
fn each_fact_is_retracted_once() {
    let text = r"
:- dynamic(q/1).
again(N0, N) :- ( retract(q(_)) -> N1 is N0 + 1, again(N1, N) ; N = N0 ).
backtrack(N) :- aggregate_all(count, retract(q(_)), N).
own(N) :- aggregate_all(count, ( retract(q(X)), ( X mod 2 =:= 1, Y is X + 1, retract(q(Y)) -> true ; true ) ), N).
share(G, Threads) :-
    forall(between(1, 20000, X), assertz(q(X))),
    findall(T, ( between(1, Threads, _), thread_create(( call(G, N), thread_exit(N) ), T) ), Ts),
    findall(N, ( member(T, Ts), thread_join(T, exited(N)) ), Ns), sum_list(Ns, Sum), print(G/Sum), nl.
run :-
    share(again(0), 2), share(backtrack, 2), share(again(0), 4), share(backtrack, 4), share(own, 1).
";
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    let mut command = samite();
    command.args(["-g", "run", "-t", "halt", &file]);
    let run = finish(command, b"", LIMIT).sound();
    // With one thread, every second one is taken twice: the call sees all that was there when it began.
    let expected = "again(0)/20000\nbacktrack/20000\nagain(0)/20000\nbacktrack/20000\nown/20000\n";
    assert_eq!(run.out, expected, "{run:#?}");
}

/// Predicates become dynamic, static, tabled, thread-local and undefined while others call them, add to them and take from them.
#[test]
fn kinds_change_while_predicates_are_in_use() {
    let text = r"
:- dynamic([a/1, b/1]).
times(400).
often(G) :- times(N), forall(between(1, N, I), catch(ignore(call(G, I)), error(_, _), true)).

fact(P, I) :- F =.. [P, I], assertz(F).
rule(P, I) :- F =.. [P, X], assertz((F :- X > I, X < I)).
use(P, _) :- F =.. [P, _], forall(F, true).
take(P, _) :- F =.. [P, _], forall(retract(F), true).
abolish(P, _) :- abolish(P/1).
declare(P, _) :- catch(abolish(P/1), _, true), dynamic(P/1).
local(P, _) :- thread_local(P/1), fail.
local(P, _) :- abolish(P/1), dynamic(P/1).
compile(P, _) :- compile_predicates([P/1]).
tabled(P, _) :- catch(table(P/1), _, true), fail.
tabled(P, _) :- untable(P/1).
load(P, I) :-
    I mod 8 =:= 0,
    format(string(Text), '~w(1).~n~w(X) :- X = 3, !.~n~w(X) :- X = 4, atom(b).~n', [P, P, P]),
    ( I mod 16 =:= 0 -> format(string(All), ':- dynamic(~w/1).~n~w', [P, Text]) ; All = Text ),
    setup_call_cleanup(open_string(All, S), load_files(P, [stream(S)]), close(S)).

together(Gs) :-
    findall(T, ( member(G, Gs), thread_create(often(G), T) ), Ts),
    forall(member(T, Ts), ( thread_join(T, S), S \== true -> print(S), nl ; true )).
run :-
    set_prolog_flag(verbose_load, silent),
    together([fact(a), fact(a), use(a), declare(a), declare(a)]),
    together([fact(a), rule(a), use(a), take(a), declare(a)]),
    together([rule(a), use(a), compile(a), declare(a), load(a)]),
    together([fact(a), local(a), use(a)]),
    together([rule(b), tabled(b), use(b), abolish(b)]),
    together([rule(b), load(b), use(b), abolish(b), tabled(b)]),
    write(done), nl.
";
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    let mut command = samite();
    command.args(["-g", "run", "-t", "halt", &file]);
    let run = finish(command, b"", LIMIT).sound();
    assert_eq!(run.out, "done\n", "{run:#?}");
}

/// A predicate becomes static while others add to it and take from it: each of them did it before, or was refused. Nothing is lost or comes back.
#[test]
fn nothing_is_lost_by_what_becomes_static() {
    let text = r"
:- dynamic(p/2).
add(T, Last) :- catch(add_from(T, 1), Last, true).
add_from(T, N) :-
    catch(assertz(p(T, N)), error(permission_error(_, _, _), _), ( M is N-1, throw(last(M)) )),
    ( N mod 3 =:= 0 -> M is N-1, catch(retract(p(T, M)), error(permission_error(_, _, _), _), throw(kept(N))) ; true ),
    N1 is N+1, add_from(T, N1).
right(T, End, L) :-
    arg(1, End, Last),
    findall(N, ( between(1, Last, N), \+ gone(N, End) ), Right), findall(N, p(T, N), Found),
    ( Found == Right -> true ; L = Found/Right ).
gone(N, last(Last)) :- N mod 3 =:= 2, N < Last.
gone(N, kept(Last)) :- N mod 3 =:= 2, N < Last-1.
round(I) :-
    abolish(p/2), dynamic(p/2), assertz(p(first, 0)),
    findall(Id, ( member(T, [a, b, c]), thread_create(( add(T, Last), thread_exit(T-Last) ), Id) ), Ids),
    Pause is I * 0.0005, sleep(Pause),
    compile_predicates([p/2]),
    forall(member(Id, Ids), ( thread_join(Id, S), ( S = exited(T-Last) -> right(T, Last, Wrong) ; Wrong = S ), ( var(Wrong) -> true ; print(wrong(I, Wrong)), nl ) )).
run :- forall(between(1, 20, I), round(I)), write(done), nl.
";
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    let mut command = samite();
    command.args(["-g", "run", "-t", "halt", &file]);
    let run = finish(command, b"", LIMIT).sound();
    assert_eq!(run.out, "done\n", "{run:#?}");
}
