//! A points-to analysis (Andersen 1994, with fields) of a generated program as three mutually recursive tables: many consumers of many subgoals, which
//! the small random programs of `datalog.rs` do not have. What each variable, flow and field may hold is compared with the least fixpoint.

mod common;

use common::random::{Random, setting};
use common::{run_program, samite};
use std::collections::BTreeSet;
use std::fmt::Write as _;

type Pairs = BTreeSet<(usize, usize)>;
type Triples = BTreeSet<(usize, usize, usize)>;

/// The statements of a program.
#[derive(Default)]
struct Statements {
    /// `v = new h`
    new: Pairs,
    /// `v = w`
    assign: Pairs,
    /// `v = b.f`
    load: Triples,
    /// `b.f = w`, as (f, b, w)
    store: Triples,
}

const VARIABLES: usize = 160;
const FIELDS: usize = 12;
const STATEMENTS: usize = 400;

fn statements(r: &mut Random) -> Statements {
    let mut s = Statements::default();
    for _ in 0..STATEMENTS {
        let v = r.below(VARIABLES);
        let near = (v + r.below(25)).saturating_sub(12).min(VARIABLES - 1);
        match r.below(25) {
            0..9 => _ = s.new.insert((v, r.below(VARIABLES))),
            9..17 => _ = s.assign.insert((v, near)),
            17..21 => _ = s.load.insert((v, near, r.below(FIELDS))),
            _ => _ = s.store.insert((r.below(FIELDS), v, near)),
        }
    }
    s
}

/// What the tables hold in the end: everything is derived from everything until nothing is new.
fn fixpoint(s: &Statements) -> (Pairs, Pairs, Triples) {
    let (mut points, mut flow, mut slot) = (s.new.clone(), s.assign.clone(), Triples::new());
    loop {
        let before = (points.len(), flow.len(), slot.len());
        let held = |points: &Pairs, v| -> Vec<usize> {
            let range = points.range((v, 0)..(v + 1, 0));
            range.map(|&(_, h)| h).collect()
        };
        for &(v, w) in &flow {
            let new = held(&points, w);
            points.extend(new.into_iter().map(|h| (v, h)));
        }
        for &(f, b, w) in &s.store {
            slot.extend(held(&points, b).into_iter().map(|o| (o, f, w)));
        }
        for &(v, b, f) in &s.load {
            for o in held(&points, b) {
                let range = slot.range((o, f, 0)..(o, f + 1, 0));
                flow.extend(range.map(|&(_, _, w)| (v, w)));
            }
        }
        if before == (points.len(), flow.len(), slot.len()) {
            return (points, flow, slot);
        }
    }
}

fn program(s: &Statements) -> String {
    let mut text = String::from(
        ":- table points/2, flow/2, slot/3.
points(V, H) :- new(V, H).
points(V, H) :- flow(V, W), points(W, H).
flow(V, W) :- assign(V, W).
flow(V, W) :- load(V, B, F), points(B, O), slot(O, F, W).
slot(O, F, W) :- store(F, B, W), points(B, O).
told(Row, Goal) :- findall(Row, Goal, L), sort(L, S), ( length(L, N), length(S, N) -> true ; print(twice(Row)), nl ), print(S), nl.
run :- told([V, H], points(V, H)), told([V, W], flow(V, W)), told([O, F, W], slot(O, F, W)), once(some).
% From what is complete now, and from nothing.
some :- points(V, H), \\+ \\+ points(V, H), abolish_all_tables, points(V, H).
",
    );
    for (name, pairs) in [("new", &s.new), ("assign", &s.assign)] {
        for (a, b) in pairs {
            let _ = writeln!(text, "{name}({a}, {b}).");
        }
    }
    for (name, triples) in [("load", &s.load), ("store", &s.store)] {
        for (a, b, c) in triples {
            let _ = writeln!(text, "{name}({a}, {b}, {c}).");
        }
    }
    text
}

fn rows(rows: impl Iterator<Item = String>) -> String {
    format!("[{}]\n", rows.collect::<Vec<_>>().join(","))
}

#[test]
fn what_may_point_to_what() {
    let first = setting("SAMITE_SEED", 1);
    let mut derived = 0;
    for seed in first..first + 8 {
        let s = statements(&mut Random::new(seed));
        let (points, flow, slot) = fixpoint(&s);
        derived += slot.len().min(flow.len() - s.assign.len());
        let expected = rows(points.iter().map(|(a, b)| format!("[{a},{b}]")))
            + &rows(flow.iter().map(|(a, b)| format!("[{a},{b}]")))
            + &rows(slot.iter().map(|(a, b, c)| format!("[{a},{b},{c}]")));
        println!("SAMITE_SEED={seed}");
        run_program(samite(), &program(&s))
            .status(0)
            .silent()
            .prints(&expected);
    }
    assert!(derived > 0, "nothing flows through fields");
}
