//! Domains after propagation, of Samite and of SWI-Prolog: what is no value there is none here.
//!
//! A model has three variables with small domains, one constraint, values that are taken out, and often one that is bound, in any order. Each
//! domain is printed as the bits of its members. Ours may be smaller (docs/compatibility.md says so); that no solution is lost is for
//! `tests/prolog/clpfd_models.pl`.
//!
//! Without `swipl` on the path nothing is compared, and the test says so. `SAMITE_SEED=n` (and `SAMITE_PROGRAMS=m`) in the environment
//! choose other models.

mod common;

use common::compare::Programs;
use common::random::{Random, setting};
use std::fmt::Write;

const PRELUDE: &str = r"
:- use_module(library(clpfd)).
:- use_module(library(lists)).

run :- forall(clause(model(K, Vs), G), ( call(G) -> domains(K, Vs) ; format('~d none~n', [K]) )).

domains(K, Vs) :- write(K), forall(member(V, Vs), ( bits(V, B), format(' ~d', [B]) )), nl.

bits(V, B) :- fd_dom(V, D), findall(M, ( between(-60, 60, N), within(N, D), M is 1 << (N+60) ), Ms), sum_list(Ms, B).

within(N, A\/B) :- !, ( within(N, A) -> true ; within(N, B) ).
within(N, A..B) :- !, ( A == inf -> true ; N >= A ), ( B == sup -> true ; N =< B ).
within(N, N).

";

struct Model<'a> {
    r: &'a mut Random,
}

impl Model<'_> {
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.r.below((high - low + 1) as usize) as i64
    }

    fn domain(&mut self) -> String {
        let a = self.between(-8, 4);
        let b = a + self.between(1, 9);
        if self.r.chance(50) {
            return format!("{a} .. {b}");
        }
        let c = b + self.between(2, 4);
        let d = c + self.between(0, 4);
        format!("({a} .. {b}) \\/ ({c} .. {d})")
    }

    fn constraint(&mut self) -> String {
        let mut vs = ["X", "Y", "Z"];
        for i in 0..2 {
            vs.swap(i, i + self.r.below(3 - i));
        }
        let [x, y, z] = vs;
        let sign = self.r.one(&["", "-"]);
        let (c, positive) = (self.between(-6, 12), self.between(1, 9));
        match self.r.below(9) {
            0 => format!("{sign}{x}+{y} #= {c}"),
            1 => format!("{x}-({sign}{y}) #= {z}"),
            2 => format!("{sign}{x}-{y} #= {c}-{z}"),
            3 => format!("{sign}{positive}*{x} #= {y}"),
            4 => {
                let relation = self.r.one(&["#\\=", "#>", "#>=", "#="]);
                format!("abs({x}-{y}) {relation} ({c})")
            }
            5 => format!("{z} #= abs({x})"),
            6 => {
                let operation = self.r.one(&["//", "div", "mod", "rem"]);
                format!("{z} #= {x} {operation} {positive}")
            }
            7 => {
                let operation = self.r.one(&["min", "max"]);
                let other = if self.r.chance(50) {
                    y.to_string()
                } else {
                    c.to_string()
                };
                format!("{z} #= {operation}({x}, {other})")
            }
            _ => format!("({c})*{x} #\\= {sign}{y}+{z}"),
        }
    }

    fn goals(&mut self) -> String {
        let mut goals = vec![self.constraint()];
        for v in ["X", "Y", "Z"] {
            goals.push(format!("{v} in {}", self.domain()));
        }
        for _ in 0..1 + self.r.below(3) {
            let v = self.r.one(&["X", "Y", "Z"]);
            goals.push(format!("{v} #\\= ({})", self.between(-6, 10)));
        }
        if self.r.chance(50) {
            goals.push(format!(
                "{} = {}",
                self.r.one(&["X", "Y", "Z"]),
                self.between(-5, 9)
            ));
        }
        for i in 1..goals.len() {
            goals.swap(i, self.r.below(i + 1));
        }
        goals.join(", ")
    }
}

#[test]
fn domains_are_no_larger() {
    let first = setting("SAMITE_SEED", 1);
    let count = setting("SAMITE_PROGRAMS", 1500);
    let mut text = String::from(PRELUDE);
    text.push_str(":- dynamic(model/2).\n");
    for key in first..first + count {
        let mut r = Random::new(key);
        let goals = Model { r: &mut r }.goals();
        let _ = writeln!(text, "model({key}, [X, Y, Z]) :- {goals}.");
    }
    let programs = Programs {
        text: &text,
        first,
        count,
    };
    let model = |line: &str| {
        let key = line.split(' ').next().unwrap_or("");
        let start = format!("model({key},");
        text.lines()
            .find(|l| l.starts_with(&start))
            .unwrap_or(line)
            .to_string()
    };
    programs.compare(within, model);
}

/// Each of our domains is part of theirs, or there is no solution.
fn within(ours: &str, theirs: &str) -> bool {
    if ours.ends_with(" none") {
        return true;
    }
    let bits =
        |line: &str| -> Option<Vec<u128>> { line.split(' ').map(|b| b.parse().ok()).collect() };
    match (bits(ours), bits(theirs)) {
        (Some(ours), Some(theirs)) => {
            ours[0] == theirs[0] && ours.iter().zip(&theirs).skip(1).all(|(a, b)| a & !b == 0)
        }
        _ => false,
    }
}
