//! Random Datalog programs: how they are made, what they mean (bottom-up), and what they are as Prolog.
//!
//! Constants are numbers here and any terms there (long lists among them), in their standard order, so that `@<` means `<`. Programs may
//! negate what is complete when it is called (strata); *wild* ones also inside a component: their meaning is the well-founded model.
//!
//! A program is worth running only if it ends: predicates that are not tabled have as many solutions as proofs, which multiply with each
//! call. So what depth-first evaluation does is counted first ([`Program::work`]), and what is too much is made anew.

use super::common::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Most steps of a program, if all its predicates are called once with free arguments.
const MOST_WORK: u64 = 200_000;

/// The predicates that are facts, but for the domain.
const FACTS: std::ops::Range<usize> = 1..4;

/// The constants, in standard order.
pub const CONSTANTS: usize = 6;

pub fn constants() -> Vec<String> {
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
pub enum Term {
    Var(usize),
    Const(u8),
}
pub use Term::{Const, Var};

#[derive(Clone, Debug)]
pub struct Atom {
    pub pred: usize,
    pub args: Vec<Term>,
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
pub struct Predicate {
    pub arity: usize,
    pub stratum: usize,
    pub tabled: bool,
}

pub struct Program {
    pub predicates: Vec<Predicate>,
    rules: Vec<Rule>,
}

pub type Tuple = Vec<u8>;
pub type Relations = Vec<BTreeSet<Tuple>>;

// --- bottom-up ---

fn value(t: Term, env: &[Option<u8>]) -> Option<u8> {
    match t {
        Const(c) => Some(c),
        Var(v) => env[v],
    }
}

/// Whether the atom unifies with the tuple, which binds its variables.
fn fits(a: &Atom, tuple: &Tuple, env: &mut [Option<u8>]) -> bool {
    a.args
        .iter()
        .zip(tuple)
        .all(|(&t, &c)| match (t, value(t, env)) {
            (_, Some(x)) => x == c,
            (Var(v), None) => {
                env[v] = Some(c);
                true
            }
            (Const(_), None) => unreachable!(),
        })
}

/// Whether a comparison or unification holds, which may bind a variable.
fn builtin(goal: &Goal, env: &mut [Option<u8>]) -> bool {
    let safe = |t: Term| value(t, env).expect("safe");
    match *goal {
        Goal::Less(x, y) => safe(x) < safe(y),
        Goal::Same(x, y) => safe(x) == safe(y),
        Goal::Differ(x, y) => safe(x) != safe(y),
        Goal::Unify(x, y) => match (value(x, env), value(y, env), x, y) {
            (Some(a), Some(b), ..) => a == b,
            (Some(c), None, _, Var(v)) | (None, Some(c), Var(v), _) => {
                env[v] = Some(c);
                true
            }
            _ => unreachable!("safe"),
        },
        _ => unreachable!("no builtin"),
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
            for tuple in &positive[a.pred] {
                let before = env.clone();
                if fits(a, tuple, env) {
                    solve(rest, env, at, then);
                }
                *env = before;
            }
        }
        Goal::Less(..) | Goal::Same(..) | Goal::Differ(..) | Goal::Unify(..) => {
            let before = env.clone();
            if builtin(goal, env) {
                solve(rest, env, at, then);
            }
            *env = before;
        }
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
    pub fn model(&self) -> (Relations, Relations) {
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

// --- changes ---

impl Program {
    /// Takes a fact away, or adds one: which, and whether it is there now.
    pub fn change(&mut self, r: &mut Random) -> (Atom, bool) {
        let pred = FACTS.start + r.below(FACTS.len());
        let of = |rule: &Rule| rule.head.pred == pred;
        let there: Vec<usize> = (0..self.rules.len())
            .filter(|&i| of(&self.rules[i]))
            .collect();
        let head = if !there.is_empty() && r.chance(50) {
            self.rules[there[r.below(there.len())]].head.clone()
        } else {
            let domain = self.rules.iter().filter(|rule| rule.head.pred == 0).count();
            let arity = self.predicates[pred].arity;
            let args = (0..arity).map(|_| Const(r.below(domain) as u8)).collect();
            Atom { pred, args }
        };
        let same = |rule: &Rule| rule.head.pred == pred && rule.head.args == head.args;
        let was = self.rules.iter().any(same);
        if was {
            self.rules.retain(|rule| !same(rule));
        } else {
            self.rules.push(Rule {
                head: head.clone(),
                body: Vec::new(),
                variables: 0,
            });
        }
        (head, !was)
    }
}

// --- how much work a program is ---

/// What depth-first evaluation does with the untabled predicates.
struct Work<'a> {
    model: &'a Relations,
    /// For each predicate, the steps of a call with free arguments.
    calls: Vec<u64>,
    /// For each predicate, how often each tuple is a solution.
    proofs: Vec<BTreeMap<Tuple, u64>>,
    steps: u64,
}

impl Work<'_> {
    /// Counts the steps of the goals where `times` is how often one gets there; tells `then` of the solutions.
    fn walk(
        &mut self,
        goals: &[&Goal],
        env: &mut Vec<Option<u8>>,
        times: u64,
        then: &mut dyn FnMut(&[Option<u8>], u64),
    ) {
        if self.steps > MOST_WORK {
            return;
        }
        let Some((goal, rest)) = goals.split_first() else {
            then(env, times);
            return;
        };
        self.steps = self.steps.saturating_add(times);
        match goal {
            Goal::Call(a) | Goal::Dressed(a, _) => {
                self.call(a, times);
                for tuple in &self.model[a.pred] {
                    let before = env.clone();
                    if fits(a, tuple, env) {
                        let proofs = self.proofs[a.pred].get(tuple).copied().unwrap_or(1);
                        self.walk(rest, env, times.saturating_mul(proofs), then);
                    }
                    *env = before;
                }
            }
            // Whether it holds is not looked at: it may be undefined.
            Goal::Not(a) | Goal::Holds(a, _) => {
                self.call(a, times);
                self.walk(rest, env, times, then);
            }
            Goal::Less(..) | Goal::Same(..) | Goal::Differ(..) | Goal::Unify(..) => {
                let before = env.clone();
                if builtin(goal, env) {
                    self.walk(rest, env, times, then);
                }
                *env = before;
            }
            Goal::Or(l, r) => {
                for side in [l, r] {
                    let goals: Vec<&Goal> = side.iter().chain(rest.iter().copied()).collect();
                    self.walk(&goals, env, times, then);
                }
            }
        }
    }

    fn call(&mut self, a: &Atom, times: u64) {
        let more = times.saturating_mul(self.calls[a.pred]);
        self.steps = self.steps.saturating_add(more);
    }
}

impl Program {
    /// Steps of a depth-first evaluation of all predicates, each called once with free arguments; more than [`MOST_WORK`] are not
    /// counted.
    pub fn work(&self) -> u64 {
        let (_, model) = self.model();
        let none = vec![BTreeMap::new(); self.predicates.len()];
        let mut work = Work {
            model: &model,
            calls: vec![0; self.predicates.len()],
            proofs: none,
            steps: 0,
        };
        // What is not tabled calls only what is below it.
        let mut order: Vec<usize> = (0..self.predicates.len()).collect();
        order.sort_by_key(|&p| (self.predicates[p].stratum, self.predicates[p].tabled));
        for p in order {
            let before = work.steps;
            let mut proofs: BTreeMap<Tuple, u64> = BTreeMap::new();
            for rule in self.rules.iter().filter(|r| r.head.pred == p) {
                let goals: Vec<&Goal> = rule.body.iter().collect();
                work.steps += 1;
                work.walk(&goals, &mut vec![None; rule.variables], 1, &mut |env, n| {
                    let tuple = rule.head.args.iter().map(|&t| value(t, env).expect("safe"));
                    let all = proofs.entry(tuple.collect()).or_default();
                    *all = all.saturating_add(n);
                });
            }
            if !self.predicates[p].tabled {
                work.calls[p] = work.steps - before;
                work.proofs[p] = proofs;
            }
        }
        work.steps
    }
}

// --- generating ---

/// A program that ends soon; a *wild* one negates anything, so many times in a hundred goals more than others.
pub fn generate(r: &mut Random, wild: bool, more: usize) -> Program {
    let shape = Shape { wild, more };
    loop {
        let program = any(r, &shape);
        if program.work() <= MOST_WORK {
            return program;
        }
    }
}

struct Shape {
    wild: bool,
    more: usize,
}

fn any(r: &mut Random, shape: &Shape) -> Program {
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
        let n = match self.shape.more {
            0 => self.r.below(5),
            // No facts.
            _ => 1 + self.r.below(3),
        };
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
        if self.r.chance(self.shape.more) {
            return Goal::Not(self.atom(here, true));
        }
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

/// What threads share of tables.
#[derive(Clone, Copy, PartialEq)]
pub enum Sharing {
    Nothing,
    Tables,
    Calls,
    /// Each predicate something else.
    Mixed,
}

impl Sharing {
    /// What the declaration of a predicate says.
    fn option(self, pred: usize) -> &'static str {
        let all = ["", " as shared", " as subgoal_shared"];
        match self {
            Sharing::Nothing => all[0],
            Sharing::Tables => all[1],
            Sharing::Calls => all[2],
            Sharing::Mixed => all[pred % 3],
        }
    }
}

pub struct Text<'a> {
    pub id: u64,
    /// What is tabled is negated by `tnot/1`.
    pub tnot: bool,
    /// Facts are dynamic, and what is tabled is made anew when they have changed.
    pub incremental: bool,
    pub sharing: Sharing,
    pub constants: &'a [String],
}

impl Text<'_> {
    fn name(&self, pred: usize) -> String {
        format!("p{}_{pred}", self.id)
    }
    pub fn term(&self, t: Term) -> String {
        match t {
            Var(v) => format!("V{v}"),
            Const(c) => self.constants[c as usize].clone(),
        }
    }
    pub fn atom(&self, a: &Atom) -> String {
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
            // (The first four predicates are facts.)
            Goal::Not(a) if self.tnot && a.pred >= 4 => format!("tnot({})", self.atom(a)),
            Goal::Not(a) => format!("\\+ {}", self.atom(a)),
            Goal::Holds(a, false) => format!("( {} -> true ; fail )", self.atom(a)),
            Goal::Holds(a, true) => format!("\\+ \\+ {}", self.atom(a)),
            Goal::Or(l, r) => format!("( {} ; {} )", self.goals(l), self.goals(r)),
        }
    }
    pub fn program(&self, p: &Program) -> String {
        let mut out = String::new();
        for (i, p) in p.predicates.iter().enumerate() {
            if p.tabled {
                let shared = self.sharing.option(i);
                let how = match (self.incremental, shared) {
                    (true, " as subgoal_shared") => " as (subgoal_shared, incremental)",
                    (true, _) => " as incremental",
                    (false, how) => how,
                };
                let _ = writeln!(out, ":- table {}/{}{how}.", self.name(i), p.arity);
            }
            if self.incremental && FACTS.contains(&i) {
                let (name, arity) = (self.name(i), p.arity);
                let _ = writeln!(out, ":- dynamic {name}/{arity} as incremental.");
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
