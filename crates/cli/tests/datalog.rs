//! Tabling against a bottom-up evaluator: random Datalog programs with mutual recursion over several components, called with bound, free
//! and repeated arguments, in any order, some after an evaluation that was broken off or after all tables were abolished.
//!
//! Constants are numbers here and any terms there (long lists among them), in their standard order, so that `@<` means `<`. What is
//! compared is the set of answers; an answer that comes twice is a fault as well. Programs may negate what is complete when it is
//! called (strata); with *wild* negation, inside a component, the answers are those of the well-founded semantics, or there is an error.
//! Moded tables are compared with the least fixpoint over three semirings.
//!
//! `SAMITE_DATALOG=N` runs N programs of each kind, `SAMITE_SEED` sets the first seed; a failure prints the seed of its program.

mod common;

use common::{Scratch, finish, samite};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

/// Programs to a process.
const BATCH: u64 = 50;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The constants, in standard order.
const CONSTANTS: usize = 6;

fn constants() -> Vec<String> {
    let long = |n: usize, last: &str| {
        let items: Vec<String> = (0..n).map(|i| (i % 7).to_string()).collect();
        format!("[{}, {last}]", items.join(","))
    };
    vec![
        "1".into(),
        "100000000000000000000000".into(),
        "\"text\"".into(),
        "a".into(),
        long(300, "f([], g(b))"),
        long(40, "x"),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    Var(usize),
    Const(u8),
}
use Term::{Const, Var};

#[derive(Clone, Debug)]
struct Atom {
    pred: usize,
    args: Vec<Term>,
}

#[derive(Clone, Debug)]
enum Goal {
    Call(Atom),
    /// The same, in another dress, which the rest modulo 5 tells: `call/1`, `catch/3`, `findall/3` and `member/2` (over what is
    /// complete).
    Dressed(Atom, usize),
    Less(Term, Term),
    Same(Term, Term),
    Differ(Term, Term),
    Unify(Term, Term),
    Not(Atom),
    /// `( A -> true ; fail )` without free variables, or `\+ \+ A`.
    Holds(Atom, bool),
    Or(Vec<Goal>, Vec<Goal>),
}

#[derive(Clone, Debug)]
struct Rule {
    head: Atom,
    body: Vec<Goal>,
    variables: usize,
}

#[derive(Debug)]
struct Predicate {
    arity: usize,
    stratum: usize,
    tabled: bool,
}

struct Program {
    predicates: Vec<Predicate>,
    rules: Vec<Rule>,
}

type Tuple = Vec<u8>;
type Relations = Vec<BTreeSet<Tuple>>;

// --- bottom-up ---

fn value(t: Term, env: &[Option<u8>]) -> Option<u8> {
    match t {
        Const(c) => Some(c),
        Var(v) => env[v],
    }
}

/// Calls `then` for every way to satisfy the goals; `negative` is what negated atoms are looked up in.
fn solve(
    goals: &[&Goal],
    env: &mut Vec<Option<u8>>,
    (positive, negative): (&Relations, &Relations),
    then: &mut dyn FnMut(&[Option<u8>]),
) {
    let Some((goal, rest)) = goals.split_first() else {
        then(env);
        return;
    };
    let at = (positive, negative);
    let matching =
        |a: &Atom, env: &mut Vec<Option<u8>>, then: &mut dyn FnMut(&mut Vec<Option<u8>>)| {
            for tuple in &positive[a.pred] {
                let before = env.clone();
                let fits = a
                    .args
                    .iter()
                    .zip(tuple)
                    .all(|(&t, &c)| match (t, value(t, env)) {
                        (_, Some(x)) => x == c,
                        (Var(v), None) => {
                            env[v] = Some(c);
                            true
                        }
                        (Const(_), None) => unreachable!(),
                    });
                if fits {
                    then(env);
                }
                *env = before;
            }
        };
    let ground = |a: &Atom, env: &[Option<u8>], relations: &Relations| {
        let tuple: Tuple = a
            .args
            .iter()
            .map(|&t| value(t, env).expect("safe"))
            .collect();
        relations[a.pred].contains(&tuple)
    };
    match goal {
        Goal::Call(a) | Goal::Dressed(a, _) => {
            matching(a, env, &mut |env| solve(rest, env, at, then));
        }
        Goal::Less(x, y) | Goal::Same(x, y) | Goal::Differ(x, y) => {
            let (a, b) = (value(*x, env).expect("safe"), value(*y, env).expect("safe"));
            let holds = match goal {
                Goal::Less(..) => a < b,
                Goal::Same(..) => a == b,
                _ => a != b,
            };
            if holds {
                solve(rest, env, at, then);
            }
        }
        Goal::Unify(x, y) => match (value(*x, env), value(*y, env), *x, *y) {
            (Some(a), Some(b), ..) => {
                if a == b {
                    solve(rest, env, at, then);
                }
            }
            (Some(c), None, _, Var(v)) | (None, Some(c), Var(v), _) => {
                env[v] = Some(c);
                solve(rest, env, at, then);
                env[v] = None;
            }
            _ => unreachable!("safe"),
        },
        Goal::Not(a) => {
            if !ground(a, env, negative) {
                solve(rest, env, at, then);
            }
        }
        Goal::Holds(a, _) => {
            if ground(a, env, positive) {
                solve(rest, env, at, then);
            }
        }
        Goal::Or(l, r) => {
            for side in [l, r] {
                let goals: Vec<&Goal> = side.iter().chain(rest.iter().copied()).collect();
                solve(&goals, env, at, then);
            }
        }
    }
}

impl Program {
    /// The least fixpoint of the rules of `stratum` above `start`.
    fn fixpoint(
        &self,
        stratum: usize,
        start: &Relations,
        negative: Option<&Relations>,
    ) -> Relations {
        let mut all = start.clone();
        loop {
            let mut new = Vec::new();
            for rule in self
                .rules
                .iter()
                .filter(|r| self.predicates[r.head.pred].stratum == stratum)
            {
                let goals: Vec<&Goal> = rule.body.iter().collect();
                let relations = (&all, negative.unwrap_or(start));
                solve(
                    &goals,
                    &mut vec![None; rule.variables],
                    relations,
                    &mut |env| {
                        let tuple = rule.head.args.iter().map(|&t| value(t, env).expect("safe"));
                        new.push((rule.head.pred, tuple.collect::<Tuple>()));
                    },
                );
            }
            let mut changed = false;
            for (pred, tuple) in new {
                changed |= all[pred].insert(tuple);
            }
            if !changed {
                return all;
            }
        }
    }

    /// What is true and what is possible (true or undefined) in the well-founded model; the same where negation is stratified.
    fn model(&self) -> (Relations, Relations) {
        let mut known = vec![BTreeSet::new(); self.predicates.len()];
        let mut possible = known.clone();
        let last = self.predicates.iter().map(|p| p.stratum).max().unwrap_or(0);
        for stratum in 0..=last {
            // Lower strata are decided unless there is wild negation, which has one stratum beside the facts.
            assert!(
                stratum <= 1 || known == possible,
                "undefined atoms below a stratum"
            );
            let start = known.clone();
            possible = self.fixpoint(stratum, &start, Some(&start));
            loop {
                known = self.fixpoint(stratum, &start, Some(&possible));
                let next = self.fixpoint(stratum, &start, Some(&known));
                if next == possible {
                    break;
                }
                possible = next;
            }
        }
        (known, possible)
    }
}

// --- generating ---

struct Shape {
    wild: bool,
}

fn generate(r: &mut Random, shape: &Shape) -> Program {
    let constants = 2 + r.below(CONSTANTS - 1);
    let mut predicates = vec![
        // The domain.
        Predicate {
            arity: 1,
            stratum: 0,
            tabled: false,
        },
        Predicate {
            arity: 1,
            stratum: 0,
            tabled: false,
        },
        Predicate {
            arity: 2,
            stratum: 0,
            tabled: false,
        },
        Predicate {
            arity: 2,
            stratum: 0,
            tabled: false,
        },
    ];
    let mut rules = Vec::new();
    let constant = |r: &mut Random| r.below(constants) as u8;
    let fact = |pred, args: Vec<u8>| Rule {
        head: Atom {
            pred,
            args: args.into_iter().map(Const).collect(),
        },
        body: Vec::new(),
        variables: 0,
    };
    for c in 0..constants {
        rules.push(fact(0, vec![c as u8]));
    }
    for (pred, p) in predicates.iter().enumerate().skip(1) {
        for _ in 0..1 + r.below(4) {
            let args = (0..p.arity).map(|_| constant(r)).collect();
            rules.push(fact(pred, args));
        }
    }
    let derived = 1 + r.below(6);
    let mut stratum = 1;
    for i in 0..derived {
        if i > 0 && !shape.wild && r.chance(25) {
            stratum += 1;
        }
        let arity = 1 + r.below(3);
        let tabled = shape.wild || !r.chance(15);
        predicates.push(Predicate {
            arity,
            stratum,
            tabled,
        });
    }
    for pred in 4..predicates.len() {
        for _ in 0..1 + r.below(4) {
            rules.push(
                Writer {
                    r,
                    shape,
                    predicates: &predicates,
                    constants,
                    bound: Vec::new(),
                }
                .rule(pred),
            );
        }
    }
    Program { predicates, rules }
}

struct Writer<'a> {
    r: &'a mut Random,
    shape: &'a Shape,
    predicates: &'a [Predicate],
    constants: usize,
    /// Which variables have a value here.
    bound: Vec<bool>,
}

impl Writer<'_> {
    fn rule(mut self, pred: usize) -> Rule {
        let variables = 1 + self.r.below(5);
        self.bound = vec![false; variables];
        let args = (0..self.predicates[pred].arity)
            .map(|_| self.term(85))
            .collect();
        let head = Atom { pred, args };
        let n = self.r.below(5);
        let mut body = self.goals(pred, n, 0);
        for &a in &head.args {
            if let Var(v) = a
                && !self.bound[v]
            {
                self.bound[v] = true;
                body.push(Goal::Call(Atom {
                    pred: 0,
                    args: vec![a],
                }));
            }
        }
        Rule {
            head,
            body,
            variables,
        }
    }
    fn term(&mut self, variable: usize) -> Term {
        if self.r.chance(variable) {
            Var(self.r.below(self.bound.len()))
        } else {
            Const(self.r.below(self.constants) as u8)
        }
    }
    fn ground(&mut self) -> Term {
        let t = self.term(85);
        match t {
            Var(v) if !self.bound[v] => Const(self.r.below(self.constants) as u8),
            t => t,
        }
    }
    fn atom(&mut self, below: usize, ground: bool) -> Atom {
        let candidates: Vec<usize> = (0..self.predicates.len())
            .filter(|&p| self.predicates[p].stratum <= below)
            .collect();
        let mut pred = candidates[self.r.below(candidates.len())];
        if self.r.chance(40) {
            pred = *candidates.last().expect("the domain");
        }
        let args = (0..self.predicates[pred].arity)
            .map(|_| if ground { self.ground() } else { self.term(85) })
            .collect();
        Atom { pred, args }
    }
    fn bind(&mut self, a: &Atom) {
        for &t in &a.args {
            if let Var(v) = t {
                self.bound[v] = true;
            }
        }
    }
    fn goals(&mut self, pred: usize, n: usize, depth: usize) -> Vec<Goal> {
        (0..n).map(|_| self.goal(pred, depth)).collect()
    }
    fn goal(&mut self, pred: usize, depth: usize) -> Goal {
        let p = &self.predicates[pred];
        let here = if p.tabled { p.stratum } else { p.stratum - 1 };
        let complete = p.stratum - 1;
        match self.r.below(20) {
            0..=10 => {
                let a = self.atom(here, false);
                self.bind(&a);
                Goal::Call(a)
            }
            11 => {
                let dress = self.r.below(5);
                let tag = self.r.below(10_000);
                let a = self.atom(if dress > 1 { complete } else { here }, false);
                self.bind(&a);
                Goal::Dressed(a, dress + 5 * tag)
            }
            12 => Goal::Less(self.ground(), self.ground()),
            13 => Goal::Differ(self.ground(), self.ground()),
            14 => Goal::Same(self.ground(), self.ground()),
            15 => {
                let (x, y) = (self.term(95), self.ground());
                if let Var(v) = x {
                    self.bound[v] = true;
                }
                if self.r.chance(50) {
                    Goal::Unify(x, y)
                } else {
                    Goal::Unify(y, x)
                }
            }
            16 | 17 => {
                let wild = self.shape.wild && self.r.chance(60);
                Goal::Not(self.atom(if wild { here } else { complete }, true))
            }
            18 => {
                let double = self.r.chance(50);
                Goal::Holds(self.atom(complete, true), double)
            }
            _ if depth > 1 => Goal::Same(Const(0), Const(0)),
            _ => {
                let before = self.bound.clone();
                let n = 1 + self.r.below(2);
                let left = self.goals(pred, n, depth + 1);
                let after = std::mem::replace(&mut self.bound, before);
                let n = 1 + self.r.below(2);
                let right = self.goals(pred, n, depth + 1);
                for (b, a) in self.bound.iter_mut().zip(after) {
                    *b &= a;
                }
                Goal::Or(left, right)
            }
        }
    }
}

// --- as Prolog ---

struct Text<'a> {
    id: u64,
    constants: &'a [String],
}

impl Text<'_> {
    fn name(&self, pred: usize) -> String {
        format!("p{}_{pred}", self.id)
    }
    fn term(&self, t: Term) -> String {
        match t {
            Var(v) => format!("V{v}"),
            Const(c) => self.constants[c as usize].clone(),
        }
    }
    fn atom(&self, a: &Atom) -> String {
        let args: Vec<String> = a.args.iter().map(|&t| self.term(t)).collect();
        format!("{}({})", self.name(a.pred), args.join(", "))
    }
    fn goals(&self, goals: &[Goal]) -> String {
        let all: Vec<String> = goals.iter().map(|g| self.goal(g)).collect();
        if all.is_empty() {
            "true".into()
        } else {
            all.join(", ")
        }
    }
    fn goal(&self, g: &Goal) -> String {
        let two =
            |x: &Term, op: &str, y: &Term| format!("{} {op} {}", self.term(*x), self.term(*y));
        match g {
            Goal::Call(a) => self.atom(a),
            Goal::Dressed(a, n) => {
                // The variable must have a name of its own.
                let (a, v) = (self.atom(a), n / 5);
                match n % 5 {
                    0 => format!("G{v} = {a}, call(G{v})"),
                    1 => format!("catch({a}, no_ball, fail)"),
                    2 => format!("findall({a}, {a}, L{v}), member({a}, L{v})"),
                    3 => format!("forall(fail, true), {a}"),
                    _ => format!("aggregate_all(bag({a}), {a}, L{v}), member({a}, L{v})"),
                }
            }
            Goal::Less(x, y) => two(x, "@<", y),
            Goal::Same(x, y) => two(x, "==", y),
            Goal::Differ(x, y) => two(x, "\\==", y),
            Goal::Unify(x, y) => two(x, "=", y),
            Goal::Not(a) => format!("\\+ {}", self.atom(a)),
            Goal::Holds(a, false) => format!("( {} -> true ; fail )", self.atom(a)),
            Goal::Holds(a, true) => format!("\\+ \\+ {}", self.atom(a)),
            Goal::Or(l, r) => format!("( {} ; {} )", self.goals(l), self.goals(r)),
        }
    }
    fn program(&self, p: &Program) -> String {
        let mut out = String::new();
        for (i, p) in p.predicates.iter().enumerate() {
            if p.tabled {
                let _ = writeln!(out, ":- table {}/{}.", self.name(i), p.arity);
            }
            let _ = writeln!(out, ":- discontiguous {}/{}.", self.name(i), p.arity);
        }
        for rule in &p.rules {
            let _ = writeln!(
                out,
                "{} :- {}.",
                self.atom(&rule.head),
                self.goals(&rule.body)
            );
        }
        out
    }
}

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
numbers(moded(X, Y, D), [I, J, D]) :- !, number(X, I), number(Y, J).
numbers(Tuple, Is) :- maplist(number, Tuple, Is).
number(T, I) :- constant(I, C), C == T, !.
broken(Goal, N) :-
    '$inference_limit'(O),
    catch(( '$limit_inferences'(N), call(Goal), fail ; true ), _, true),
    '$restore_inference_limit'(O).
smaller(A, B) :- B < A.
larger(A, B, C) :- C is max(A, B).
union(A, B, C) :- C is A \\/ B.
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
    error: bool,
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
        error: bool,
    ) {
        if r.chance(10) {
            self.text.push_str("run :- abolish_all_tables, fail.\n");
        }
        if r.chance(30) {
            let n = r.below(60);
            let _ = writeln!(self.text, "run :- broken({goal}, {n}), fail.");
        }
        let id = self.expected.len();
        let _ = writeln!(self.text, "run :- q({id}, {tuple}, {goal}), fail.");
        let text = goal.to_string();
        self.expected.push(Expected {
            seed,
            text,
            right,
            error,
        });
    }

    fn check(self) -> usize {
        let scratch = Scratch::new();
        let text = format!(
            ":- use_module(library(aggregate)).\n:- use_module(library(lists)).\n:- style_check(-singleton).\n:- discontiguous run/0.\n{}run.\n",
            self.text
        );
        let file = scratch.file("program.pl", &text);
        let mut command = samite();
        command
            .args(["--memory-limit=1g", "-q", "-g", "run", "-t", "halt"])
            .arg(&file);
        let run = finish(command, b"", Duration::from_secs(300)).sound();
        let first = self.expected.first().map_or(0, |e| e.seed);
        assert_eq!(run.err, "", "batch of seed {first}");
        let mut lines = run.out.lines();
        let mut errors = 0;
        for (id, e) in self.expected.iter().enumerate() {
            let line = lines.next().unwrap_or("(nothing)");
            let got = line.strip_prefix(&format!("{id} ")).unwrap_or(line);
            if e.error && got.starts_with("error(permission_error(") {
                errors += 1;
                continue;
            }
            assert_eq!(got, e.right, "SAMITE_SEED={} {}", e.seed, e.text);
        }
        errors
    }
}

fn programs(default: u64) -> (u64, u64) {
    let number = |name| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let n = number("SAMITE_DATALOG").unwrap_or(default);
    let seed = number("SAMITE_SEED").unwrap_or(1);
    (
        seed,
        if number("SAMITE_SEED").is_some() && number("SAMITE_DATALOG").is_none() {
            1
        } else {
            n
        },
    )
}

/// Runs the programs of a kind; the number of queries and of those that ended in an error.
fn compare(default: u64, one: impl Fn(u64, &mut Batch)) -> (usize, usize) {
    let (mut seed, n) = programs(default);
    let end = seed + n;
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

fn datalog(seed: u64, wild: bool, batch: &mut Batch) {
    let constants = constants();
    let r = &mut Random(seed);
    let program = generate(r, &Shape { wild });
    let (known, possible) = program.model();
    let text = Text {
        id: seed,
        constants: &constants,
    };
    batch.text.push_str(&text.program(&program));
    for _ in 0..3 + r.below(4) {
        let a = query(r, &program);
        let all = selected(&a, &known[a.pred]);
        let undefined = selected(&a, &possible[a.pred]) != all;
        let args: Vec<String> = a.args.iter().map(|&t| text.term(t)).collect();
        let tuple = format!("[{}]", args.join(", "));
        let right = if undefined {
            "an error".into()
        } else {
            shown(&all)
        };
        batch.ask(r, seed, &text.atom(&a), &tuple, right, wild);
    }
}

#[test]
fn stratified_programs_have_the_answers_of_bottom_up_evaluation() {
    compare(300, |seed, batch| datalog(seed, false, batch));
}

#[test]
fn wild_negation_has_the_answers_of_the_well_founded_model_or_an_error() {
    let (queries, errors) = compare(200, |seed, batch| datalog(seed, true, batch));
    // Not all are refused.
    assert!(errors < queries.div_ceil(2), "{errors} of {queries}");
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
            (Semiring::Union, _) => "lattice(union/3)",
        }
    }
}

/// Predicates `m(X, Y, Value)`: each rule is an edge, another predicate, or two of them in a row.
fn moded(seed: u64, batch: &mut Batch) {
    let r = &mut Random(seed);
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
        let _ = writeln!(text, ":- table {}(_, _, {}).", name(i), semiring.mode(r));
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
            false,
        );
    }
}

#[test]
fn moded_tables_have_the_values_of_the_least_fixpoint() {
    compare(200, moded);
}
