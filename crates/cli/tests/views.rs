//! The logical update view of walks that stay: a call of a dynamic predicate, `clause/2`, `retract/1` or `nth_clause/3` that is left open
//! sees the clauses that there were when it began, however much comes and goes meanwhile, in its thread and in others. Generated
//! programs against a model.
//!
//! Each thread of a program changes the facts `c(Key, _)` of a key of its own and keeps a list of them. It walks its facts, checks each
//! solution against the list as it was when the walk began, and goes on inside of the walk with more changes and walks, until its steps are
//! used up; then each walk that is open, the latest first, is checked to its end. All threads have one predicate.
//!
//! A run of more programs: `SAMITE_SEEDS=1000 cargo test --release -p samite-cli --test views generated` (`SAMITE_SEED=n` is the first).

mod common;

use common::random::Random;
use common::{LIMIT, Scratch, finish, samite};

const PROGRAM: &str = r"
:- dynamic([c/2, wrong/1]).

seed(S) :- nb_setval(random, S).
draw(N, X) :- nb_getval(random, R0), R is (R0*1103515245+12345) mod 2147483648, nb_setval(random, R), X is (R >> 12) mod N.

model(M) :- nb_getval(model, M).
fresh(V) :- nb_getval(next, V), V1 is V+1, nb_setval(next, V1).
bad(What) :- assertz(wrong(What)).

% Steps: so many of them, until the walks in which they are have been checked.
steps(K) :- nb_getval(steps, N), N > 0, !, M is N-1, nb_setval(steps, M), draw(12, X), step(X, K), steps(K).

step(0, K) :- fresh(V), assertz(c(K, V)), model(M0), append(M0, [V], M), nb_setval(model, M).
step(1, K) :- fresh(V), asserta(c(K, V)), model(M), nb_setval(model, [V|M]).
step(2, K) :- take(K).
step(3, K) :- take(K).
step(4, K) :- fresh(V), model(M0), ( M0 = [Old|M1] -> retract(c(K, Old)), assertz(c(K, V)), append(M1, [V], M) ; assertz(c(K, V)), M = [V] ), !, nb_setval(model, M).
step(5, K) :- draw(100, X), ( X =:= 0 -> retractall(c(K, _)), nb_setval(model, []) ; true ).
step(6, K) :- draw(4, X), burst(X, K).
step(7, K) :- draw(40, N), nb_getval(steps, All), Own is min(N, All), Left is All-Own, nb_setval(steps, Own), \+ steps(K), nb_setval(steps, Left).
step(8, K) :- draw(5, W), open_walk(W, K).
step(9, K) :- draw(5, W), open_walk(W, K).
step(10, K) :- draw(5, W), ( open_walk(W, K) -> true ; true ).
step(11, _) :- draw(4, X), ( X =:= 0 -> garbage_collect ; X =:= 1 -> sleep(0.0001) ; thread_yield ).

% One of them.
take(K) :- model(M0), length(M0, N), ( N > 0 -> draw(N, I), nth0(I, M0, V, M), taken(K, V), nb_setval(model, M) ; true ).
taken(K, V) :- draw(2, X), ( X =:= 0 -> retract(c(K, V)) ; clause(c(K, V), true, R), erase(R) ), !.

% What comes and goes.
burst(0, K) :- fresh(V), forall(between(1, 1500, _), ( assertz(c(K, V)), retract(c(K, V)) )).
burst(1, K) :- fresh(V), forall(between(1, 1500, _), ( asserta(c(K, V)), retract(c(K, V)) )).
burst(2, K) :- fresh(V), forall(between(1, 20, _), ( forall(between(1, 30, _), assertz(c(K, V))), retractall(c(K, V)) )).
burst(3, K) :- fresh(V), assertz(c(K, V)), forall(between(1, 700, _), ( once(retract(c(K, V))), assertz(c(K, V)) )), retract(c(K, V)), !.

% Solutions are those of the model now, one after the other.
open_walk(W, K) :-
    model(M), fresh(N), atom_concat(walk, N, Id), nb_setval(Id, M),
    (   walk(W, K, V),
        nb_getval(Id, Rest),
        ( Rest = [V0|Rest1], V0 == V -> nb_setval(Id, Rest1) ; bad(finds(W, V, Rest)), fail ),
        ( W =:= 2 -> model(M0), ( selectchk(V, M0, M1) -> nb_setval(model, M1) ; true ) ; true )
    ;   nb_getval(Id, Rest), ( Rest == [] -> true ; bad(misses(W, Rest)) ), fail
    ).

walk(0, K, V) :- c(K, V).
walk(1, K, V) :- clause(c(K, V), true).
walk(2, K, V) :- retract(c(K, V)).
walk(3, K, V) :- c(X, V), X == K.
% (Of a clause that has been erased, the reference says nothing any more.)
walk(4, K, V) :- model(M), numbers(K, M, Vs), member(V, Vs).
numbers(K, M, M) :- forall(nth_clause(c(_, _), _, R), ( clause(c(K, V), true, R), \+ memberchk(V, M) -> bad(number(V)) ; true )).

thread(K, Seed, N) :-
    seed(Seed), nb_setval(steps, N), nb_setval(model, []), nb_setval(next, 0),
    forall(between(1, 6, _), step(0, K)), \+ steps(K),
    model(M), findall(V, c(K, V), Vs), ( M == Vs -> true ; bad(last(M, Vs)) ).

run(Threads, Crowd, Seed, N) :-
    forall(between(1, Crowd, I), assertz(c(crowd(I), I))),
    findall(T, ( between(1, Threads, K), S is Seed*100+K, thread_create(thread(K, S, N), T) ), Ts),
    forall(member(T, Ts), ( thread_join(T, S), ( S == true -> true ; print(S), nl ) )),
    aggregate_all(count, c(crowd(_), _), Count), ( Count =:= Crowd -> true ; print(crowd(Count)), nl ),
    forall(wrong(W), ( print(W), nl )), write(done), nl.
";

fn runs(seed: u64) {
    let mut draw = Random::new(seed);
    for _ in 0..8 {
        draw.below(2);
    }
    let (threads, crowd) = (1 + draw.below(5), [0, 3, 40][draw.below(3)]);
    let steps = if cfg!(debug_assertions) { 200 } else { 800 } / threads;
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", PROGRAM);
    let mut command = samite();
    match draw.below(4) {
        0 => drop(command.env("SAMITE_NURSERY", "65536")),
        1 => drop(command.env("SAMITE_GC_STRESS", "50")),
        _ => {}
    }
    let goal = format!("run({threads},{crowd},{seed},{steps})");
    command.args(["-g", &goal, "-t", "halt", &file]);
    let run = finish(command, b"", LIMIT).sound();
    assert!(
        run.out == "done\n" && run.err.is_empty(),
        "seed {seed}: {goal}: {run:#?}"
    );
}

#[test]
fn generated_programs() {
    let setting = |name| std::env::var(name).ok().and_then(|s| s.parse().ok());
    let first = setting("SAMITE_SEED").unwrap_or(0);
    let seeds = setting("SAMITE_SEEDS").unwrap_or(12);
    (first..first + seeds).for_each(runs);
}
