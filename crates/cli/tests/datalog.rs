//! Tabling against a bottom-up evaluator: random Datalog programs ([`program`]) with mutual recursion over several components, called with
//! bound, free and repeated arguments, in any order, some after an evaluation that was broken off or after all tables were abolished,
//! or (incremental tables) after facts have come and gone.
//!
//! What is compared is the set of answers; an answer that comes twice is a fault as well. With wild negation the answers are those of the
//! well-founded semantics, or there is an error; with `tnot/1` for it they are those, true or undefined. Moded tables are compared with the least fixpoint over three semirings.
//!
//! `SAMITE_DATALOG=N` runs N programs of each kind, `SAMITE_SEED` sets the first seed; a failure prints the seed of its program. With
//! `SAMITE_COPY=FILE` the programs are left in `FILE.SEED`.

mod common;
#[path = "common/datalog.rs"]
mod program;

use common::random::{Random, setting};
use common::{Scratch, finish, samite};
use program::{Atom, CONSTANTS, Const, Program, Sharing, Text, Tuple, Var, constants, generate};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

/// Programs to a process.
const BATCH: u64 = 50;

/// What runs the queries: `q(Id, Tuple, Goal)` prints the answers, by the numbers of their constants.
fn driver(constants: &[String]) -> String {
    let mut out = String::from(
        "q(Id, Tuple, Goal) :-
    catch(answers(Tuple, Goal, S), error(E, _), S = error(E)),
    format(\"~w ~w~n\", [Id, S]).
answers(Tuple, Goal, S) :-
    findall(Tuple, Goal, L0),
    maplist(numbers, L0, L),
    msort(L, M),
    sort(L, S0),
    ( M == S0 -> S = S0 ; S = twice(M) ).
three(Id, Tuple, Goal) :-
    findall(Tuple-S, ( call_delays(Goal, D), ( D == true -> S = true ; S = undefined ) ), L),
    findall(Is, ( member(T-true, L), numbers(T, Is) ), True0),
    findall(Is, ( member(T-undefined, L), numbers(T, Is) ), Undefined0),
    msort(True0, True),
    msort(Undefined0, Undefined),
    format(\"~w ~w-~w~n\", [Id, True, Undefined]).
numbers(moded(X, Y, D), [I, J, D]) :- !, number(X, I), number(Y, J).
numbers(Tuple, Is) :- maplist(number, Tuple, Is).
number(T, I) :- constant(I, C), C == T, !.
broken(Goal, N) :-
    catch(call_with_inference_limit(( call(Goal), fail ; true ), N, _), _, true).
% Two threads call it, and one of them is stopped; now and then one abolishes all tables.
meanwhile(Goal) :-
    thread_create(busy(Goal), A),
    thread_create(busy(Goal), B),
    ( R is random(4), R =:= 0 -> catch(thread_signal(A, throw(stopped)), _, true) ; true ),
    ( Q is random(10), Q =:= 0 -> catch(thread_send_message(B, abolish), _, true) ; true ),
    assertz(other(A)), assertz(other(B)).
busy(Goal) :-
    ( call(Goal), fail ; true ),
    ( thread_peek_message(abolish) -> abolish_all_tables, ( call(Goal), fail ; true ) ; true ).
join_others :- forall(retract(other(T)), ( thread_join(T, S), ( memberchk(S, [true, exception(stopped)]) -> true ; print(S) ) )).
:- dynamic other/1.
smaller(A, B) :- B < A.
larger(A, B, C) :- C is max(A, B).
either(A, B, C) :- C is A \\/ B.
",
    );
    for (i, c) in constants.iter().enumerate() {
        let _ = writeln!(out, "constant({i}, {c}).");
    }
    out
}

/// A query: the arguments of a call, with variables that may repeat.
fn query(r: &mut Random, p: &Program) -> Atom {
    let derived: Vec<usize> = (0..p.predicates.len())
        .filter(|&i| p.predicates[i].tabled)
        .collect();
    let pred = if derived.is_empty() {
        0
    } else {
        derived[r.below(derived.len())]
    };
    let arity = p.predicates[pred].arity;
    let args = (0..arity)
        .map(|i| match r.below(8) {
            0 | 1 => Const(r.below(CONSTANTS) as u8),
            2 => Var(0),
            _ => Var(i),
        })
        .collect();
    Atom { pred, args }
}

fn selected(a: &Atom, relation: &BTreeSet<Tuple>) -> BTreeSet<Tuple> {
    let fits = |tuple: &&Tuple| {
        let mut env = [None; 8];
        a.args.iter().zip(*tuple).all(|(&t, &c)| match t {
            Const(d) => c == d,
            Var(v) => *env[v].get_or_insert(c) == c,
        })
    };
    relation.iter().filter(fits).cloned().collect()
}

fn shown(tuples: &BTreeSet<Tuple>) -> String {
    let rows: Vec<String> = tuples
        .iter()
        .map(|t| {
            let items: Vec<String> = t.iter().map(u8::to_string).collect();
            format!("[{}]", items.join(","))
        })
        .collect();
    format!("[{}]", rows.join(","))
}

/// What a query must print, and what else it may.
struct Expected {
    seed: u64,
    text: String,
    right: String,
    verdict: Verdict,
}

/// What may come out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The answers.
    Answers,
    /// The same, or an error.
    Refused,
    /// The true ones and the undefined ones.
    Three,
}

struct Batch {
    text: String,
    expected: Vec<Expected>,
}

impl Batch {
    fn ask(
        &mut self,
        r: &mut Random,
        seed: u64,
        goal: &str,
        tuple: &str,
        right: String,
        verdict: Verdict,
    ) {
        if r.chance(10) {
            self.text.push_str("run :- abolish_all_tables, fail.\n");
        }
        if r.chance(30) {
            let n = r.below(60);
            let _ = writeln!(self.text, "run :- broken({goal}, {n}), fail.");
        }
        let id = self.expected.len();
        let q = if verdict == Verdict::Three {
            "three"
        } else {
            "q"
        };
        let _ = writeln!(self.text, "run :- {q}({id}, {tuple}, {goal}), fail.");
        let text = goal.to_string();
        self.expected.push(Expected {
            seed,
            text,
            right,
            verdict,
        });
    }

    fn check(self) -> usize {
        let scratch = Scratch::new();
        let text = format!(
            ":- use_module(library(aggregate)).\n:- use_module(library(wfs)).\n:- use_module(library(lists)).\n:- style_check(-singleton).\n:- discontiguous run/0.\n{}run.\n",
            self.text
        );
        if let Ok(copy) = std::env::var("SAMITE_COPY") {
            let first = self.expected.first().map_or(0, |e| e.seed);
            std::fs::write(format!("{copy}.{first}"), &text).expect("the copy can be written");
        }
        let file = scratch.file("program.pl", &text);
        let mut command = samite();
        let first = self.expected.first().map_or(0, |e| e.seed);
        // (Each way in which tables may be kept has its turn.)
        let turn = (first / BATCH) as usize;
        let alloc = ["pages", "malloc"][turn % 2];
        let sync = ["lockfree", "tlwl_field", "tlwl_array"][turn % 3];
        command
            .arg(format!("--table-alloc={alloc}"))
            .arg(format!("--table-sync={sync}"))
            .args(["--memory-limit=1g", "-q", "-g", "run", "-t", "halt"])
            .arg(&file);
        let run = finish(command, b"", Duration::from_secs(300)).sound();
        assert_eq!(run.err, "", "batch of seed {first}");
        let mut lines = run.out.lines();
        let mut errors = 0;
        for (id, e) in self.expected.iter().enumerate() {
            let line = lines.next().unwrap_or("(nothing)");
            let got = line.strip_prefix(&format!("{id} ")).unwrap_or(line);
            if e.verdict == Verdict::Refused && got.starts_with("error(permission_error(") {
                errors += 1;
                continue;
            }
            assert_eq!(
                got, e.right,
                "SAMITE_SEED={} SAMITE_DATALOG=1 {} (--table-alloc={alloc} --table-sync={sync})",
                e.seed, e.text
            );
        }
        errors
    }
}

/// Runs the programs of a kind; the number of queries and of those that ended in an error.
fn compare(default: u64, one: impl Fn(u64, &mut Batch)) -> (usize, usize) {
    let mut seed = setting("SAMITE_SEED", 1);
    let end = seed + setting("SAMITE_DATALOG", default);
    let (mut queries, mut errors) = (0, 0);
    while seed < end {
        let mut batch = Batch {
            text: driver(&constants()),
            expected: Vec::new(),
        };
        for s in seed..end.min(seed + BATCH) {
            one(s, &mut batch);
        }
        seed += BATCH;
        queries += batch.expected.len();
        errors += batch.check();
    }
    eprintln!("{queries} queries, {errors} refused");
    (queries, errors)
}

fn datalog(seed: u64, verdict: Verdict, sharing: Sharing, batch: &mut Batch) {
    let shared = sharing != Sharing::Nothing;
    let constants = constants();
    let r = &mut Random::new(seed);
    // (Without this few atoms are undefined.)
    let more = match verdict {
        Verdict::Three => [0, 20, 50, 70][r.below(4)],
        _ => 0,
    };
    let program = generate(r, verdict != Verdict::Answers, more);
    let (known, possible) = program.model();
    let text = Text {
        id: seed,
        tnot: verdict == Verdict::Three,
        incremental: false,
        sharing,
        constants: &constants,
    };
    batch.text.push_str(&text.program(&program));
    for _ in 0..3 + r.below(4) {
        let a = query(r, &program);
        let all = selected(&a, &known[a.pred]);
        let possible = selected(&a, &possible[a.pred]);
        let args: Vec<String> = a.args.iter().map(|&t| text.term(t)).collect();
        let tuple = format!("[{}]", args.join(", "));
        let right = match verdict {
            Verdict::Three => {
                let undefined = possible.difference(&all).cloned().collect();
                format!("{}-{}", shown(&all), shown(&undefined))
            }
            _ if possible != all => "an error".into(),
            _ => shown(&all),
        };
        if shared {
            // Others are at it.
            let goal = text.atom(&query(r, &program));
            let _ = writeln!(batch.text, "run :- meanwhile({goal}), fail.");
        }
        batch.ask(r, seed, &text.atom(&a), &tuple, right, verdict);
    }
    if shared {
        batch.text.push_str("run :- join_others, fail.\n");
    }
}

#[test]
fn tables_that_threads_share_have_the_answers_of_bottom_up_evaluation() {
    compare(200, |seed, batch| {
        datalog(seed, Verdict::Answers, Sharing::Tables, batch)
    });
}

#[test]
fn tables_that_threads_share_have_the_well_founded_model() {
    compare(150, |seed, batch| {
        datalog(seed, Verdict::Three, Sharing::Tables, batch)
    });
}

#[test]
fn tables_at_calls_that_threads_share_have_the_answers_of_bottom_up_evaluation() {
    compare(200, |seed, batch| {
        let sharing = [Sharing::Calls, Sharing::Mixed][(seed % 2) as usize];
        datalog(seed, Verdict::Answers, sharing, batch)
    });
}

#[test]
fn tables_at_calls_that_threads_share_have_the_well_founded_model() {
    compare(150, |seed, batch| {
        let sharing = [Sharing::Calls, Sharing::Mixed][(seed % 2) as usize];
        datalog(seed, Verdict::Three, sharing, batch)
    });
}

#[test]
fn stratified_programs_have_the_answers_of_bottom_up_evaluation() {
    compare(300, |seed, batch| {
        datalog(seed, Verdict::Answers, Sharing::Nothing, batch)
    });
}

#[test]
fn wild_negation_has_the_answers_of_the_well_founded_model_or_an_error() {
    let (queries, errors) = compare(200, |seed, batch| {
        datalog(seed, Verdict::Refused, Sharing::Nothing, batch)
    });
    // Not all are refused.
    assert!(errors < queries.div_ceil(2), "{errors} of {queries}");
}

#[test]
fn tnot_has_the_answers_of_the_well_founded_model() {
    compare(300, |seed, batch| {
        datalog(seed, Verdict::Three, Sharing::Nothing, batch)
    });
}

// --- incremental tables ---

/// A program whose facts change between queries; with `tnot/1` if `negative`.
fn changing(seed: u64, negative: bool, batch: &mut Batch) {
    let constants = constants();
    let r = &mut Random::new(seed);
    let more = if negative { [0, 20, 50][r.below(3)] } else { 0 };
    let mut program = generate(r, negative, more);
    let text = Text {
        id: seed,
        tnot: negative,
        incremental: true,
        sharing: [Sharing::Nothing, Sharing::Calls][(seed / 2 % 2) as usize],
        constants: &constants,
    };
    batch.text.push_str(&text.program(&program));
    let calls: Vec<Atom> = (0..3).map(|_| query(r, &program)).collect();
    for _ in 0..4 + r.below(6) {
        for _ in 0..r.below(3) {
            let (fact, there) = program.change(r);
            let how = if there { "assertz" } else { "retractall" };
            let fact = text.atom(&fact);
            let _ = writeln!(batch.text, "run :- {how}({fact}), fail.");
        }
        let (known, possible) = program.model();
        let a = match r.below(4) {
            0 => query(r, &program),
            _ => calls[r.below(calls.len())].clone(),
        };
        let all = selected(&a, &known[a.pred]);
        let possible = selected(&a, &possible[a.pred]);
        let args: Vec<String> = a.args.iter().map(|&t| text.term(t)).collect();
        let tuple = format!("[{}]", args.join(", "));
        let (right, verdict) = if negative {
            let undefined = possible.difference(&all).cloned().collect();
            (
                format!("{}-{}", shown(&all), shown(&undefined)),
                Verdict::Three,
            )
        } else {
            (shown(&all), Verdict::Answers)
        };
        batch.ask(r, seed, &text.atom(&a), &tuple, right, verdict);
    }
}

#[test]
fn incremental_tables_have_the_answers_of_the_facts_that_there_are() {
    compare(300, |seed, batch| changing(seed, false, batch));
}

#[test]
fn incremental_tables_have_the_well_founded_model_of_the_facts_that_there_are() {
    compare(200, |seed, batch| changing(seed, true, batch));
}

// --- moded tables ---

/// How values along a path are combined, and which of two is better.
#[derive(Clone, Copy)]
enum Semiring {
    Shortest,
    Widest,
    Union,
}

impl Semiring {
    fn combine(self, a: u32, b: u32) -> u32 {
        match self {
            Semiring::Shortest => a + b,
            Semiring::Widest => a.min(b),
            Semiring::Union => a | b,
        }
    }
    fn join(self, a: u32, b: u32) -> u32 {
        match self {
            Semiring::Shortest => a.min(b),
            Semiring::Widest => a.max(b),
            Semiring::Union => a | b,
        }
    }
    fn expression(self) -> &'static str {
        match self {
            Semiring::Shortest => "D is A + B",
            Semiring::Widest => "D is min(A, B)",
            Semiring::Union => "D is A \\/ B",
        }
    }
    fn mode(self, r: &mut Random) -> &'static str {
        match (self, r.below(2)) {
            (Semiring::Shortest, 0) => "min",
            (Semiring::Shortest, _) => "po(smaller/2)",
            (Semiring::Widest, 0) => "max",
            (Semiring::Widest, _) => "lattice(larger/3)",
            (Semiring::Union, _) => "lattice(either/3)",
        }
    }
}

/// Predicates `m(X, Y, Value)`: each rule is an edge, another predicate, or two of them in a row.
fn moded(seed: u64, batch: &mut Batch) {
    let r = &mut Random::new(seed);
    let constants = constants();
    let semiring = [Semiring::Shortest, Semiring::Widest, Semiring::Union][r.below(3)];
    let n = 2 + r.below(CONSTANTS - 1);
    let edges: Vec<(u8, u8, u32)> = (0..1 + r.below(10))
        .map(|_| (r.below(n) as u8, r.below(n) as u8, 1 + r.below(15) as u32))
        .collect();
    let count = 1 + r.below(3);
    // Number `count` is the edges.
    let mut rules: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for head in 0..count {
        for _ in 0..1 + r.below(3) {
            let second = r.chance(70).then(|| r.below(count + 1));
            rules.push((head, r.below(count + 1), second));
        }
        if r.chance(70) {
            rules.push((head, count, None));
        }
    }
    let mut values: Vec<BTreeMap<(u8, u8), u32>> = vec![BTreeMap::new(); count + 1];
    let join = |map: &mut BTreeMap<(u8, u8), u32>, key, v| {
        let old = map.get(&key).copied();
        let new = old.map_or(v, |o| semiring.join(o, v));
        map.insert(key, new);
        old != Some(new)
    };
    for &(x, y, v) in &edges {
        // Parallel edges stay apart in Prolog; as values they are joined at once, which comes to the same.
        join(&mut values[count], (x, y), v);
    }
    loop {
        let mut changed = false;
        for &(head, first, second) in &rules {
            let left = values[first].clone();
            for (&(x, z), &a) in &left {
                match second {
                    None => changed |= join(&mut values[head], (x, z), a),
                    Some(second) => {
                        for (&(z2, y), &b) in &values[second].clone() {
                            if z == z2 {
                                changed |= join(&mut values[head], (x, y), semiring.combine(a, b));
                            }
                        }
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let name = |i: usize| {
        if i == count {
            format!("e{seed}")
        } else {
            format!("m{seed}_{i}")
        }
    };
    let text = &mut batch.text;
    for i in 0..count {
        let how = ["private", "subgoal_shared"][(seed % 2) as usize];
        let mode = semiring.mode(r);
        let _ = writeln!(text, ":- table {}(_, _, {mode}) as {how}.", name(i));
        let _ = writeln!(text, ":- discontiguous {}/3.", name(i));
    }
    for &(x, y, v) in &edges {
        let (x, y) = (&constants[x as usize], &constants[y as usize]);
        let _ = writeln!(text, "{}({x}, {y}, {v}).", name(count));
    }
    for &(head, first, second) in &rules {
        let _ = match second {
            None => writeln!(text, "{}(X, Y, D) :- {}(X, Y, D).", name(head), name(first)),
            Some(s) => writeln!(
                text,
                "{}(X, Y, D) :- {}(X, Z, A), {}(Z, Y, B), {}.",
                name(head),
                name(first),
                name(s),
                semiring.expression()
            ),
        };
    }
    for _ in 0..2 + r.below(4) {
        let i = r.below(count);
        let side = |r: &mut Random, v| {
            if r.chance(30) {
                Const(r.below(n) as u8)
            } else {
                Var(v)
            }
        };
        let a = Atom {
            pred: 0,
            args: vec![side(r, 0), side(r, 1)],
        };
        let keys: BTreeSet<Tuple> = values[i].keys().map(|&(x, y)| vec![x, y]).collect();
        let rows: BTreeSet<Vec<u32>> = selected(&a, &keys)
            .into_iter()
            .map(|t| vec![u32::from(t[0]), u32::from(t[1]), values[i][&(t[0], t[1])]])
            .collect();
        let rows: Vec<String> = rows
            .iter()
            .map(|t| format!("[{},{},{}]", t[0], t[1], t[2]))
            .collect();
        let show = Text {
            id: seed,
            tnot: false,
            incremental: false,
            sharing: Sharing::Nothing,
            constants: &constants,
        };
        let (x, y) = (show.term(a.args[0]), show.term(a.args[1]));
        let goal = format!("{}({x}, {y}, D)", name(i));
        batch.ask(
            r,
            seed,
            &goal,
            &format!("moded({x}, {y}, D)"),
            format!("[{}]", rows.join(",")),
            Verdict::Answers,
        );
    }
}

#[test]
fn moded_tables_have_the_values_of_the_least_fixpoint() {
    compare(200, moded);
}
