//! Generated goals of arithmetic: compiled in place, asserted and called they have the same value or raise the same error, context
//! included; SWI-Prolog agrees, where it is on the path.
//!
//! `SAMITE_SEED=n` and `SAMITE_GOALS=m` in the environment choose other goals.

mod common;

use common::random::{Random, setting};
use common::{Scratch, lines, samite, swipl};
use std::fmt::Write;

const LEAVES: &[&str] = &[
    "X",
    "Y",
    "Z",
    "X",
    "Y",
    "Z",
    "0",
    "1",
    "2",
    "-3",
    "7",
    "1.5",
    "-0.0",
    "255",
    "pi",
    "inf",
    "nan",
    "foo",
    "12345678901234567890",
    "1r3",
    "\"a\"",
    "\"ab\"",
    "[1]",
    "[a,b]",
    "f(X)",
    "g(1,foo)",
    "_",
    "32767",
    "-32768",
    "1152921504606846975",
];
const UNARY: &[&str] = &[
    "-",
    "+",
    "abs",
    "sign",
    "sqrt",
    "msb",
    "\\",
    "float",
    "integer",
    "truncate",
    "log",
    "acos",
    "max_tagged",
    "numerator",
    "succ",
    "exp",
];
// (No shifts: SWI-Prolog takes only the lowest bits of what is shifted by. No `rdiv/2`: what it says of infinite operands depends
// there on the other one.)
const BINARY: &[&str] = &[
    "+", "+", "-", "-", "*", "/", "//", "mod", "mod", "rem", "div", "min", "max", "/\\", "\\/",
    "xor", "gcd", "atan2", "copysign", "foo",
];
/// What the variables are bound to.
const VALUES: &[&str] = &[
    "_",
    "1",
    "0",
    "-7",
    "2.5",
    "3 mod 0",
    "foo",
    "foo+1",
    "1/0",
    "a mod 2",
    "1.0 mod 2",
    "3+4",
    "nan",
    "\"b\"",
    "98765432109876543210",
    "1 + (2 rem 0)",
    "[]",
    "f(1)",
];
const GOALS: &[&str] = &["is", "is", "is", "=:=", "=\\=", "<", "=<", ">", ">="];

fn expression(r: &mut Random, depth: usize, out: &mut String) {
    if depth == 0 || r.chance(25) {
        out.push_str(r.one(LEAVES));
        return;
    }
    let unary = r.chance(20);
    let f = if unary { r.one(UNARY) } else { r.one(BINARY) };
    // Canonical syntax, so that nobody's operators matter.
    let name = if f.starts_with(|c: char| c.is_ascii_lowercase()) {
        f.to_string()
    } else {
        format!("'{}'", f.replace('\\', "\\\\"))
    };
    let _ = write!(out, "{name}(");
    expression(r, depth - 1, out);
    if !unary {
        out.push(',');
        expression(r, depth - 1, out);
    }
    out.push(')');
}

/// An expression. None with a division has rational numbers: SWI-Prolog takes what is computed from them, and is an integer, for a rational
/// number until the end of the whole expression, so that `1/(9*1r3)` is `1r3` there, but a float if `9*1r3` is computed first.
fn whole(r: &mut Random, depth: usize) -> String {
    let mut out = String::new();
    expression(r, depth, &mut out);
    if out.contains("'/'") {
        out = out.replace("1r3", "3");
    }
    out
}

/// A program whose `run/0` prints a line for each goal: what came of it compiled, and what of it asserted and called if that differs.
fn program(seed: u64, goals: u64) -> String {
    let mut r = Random::new(seed);
    let mut text = String::from(
        r"
:- style_check(-singleton).
:- style_check(-discontiguous).
:- dynamic(asserted/5).
outcome(G, V, O) :-
    catch((G -> O = yes(V) ; O = no), E, O = E),
    ( O = error(_, context(_, M)), var(M) -> M = none ; true ).
variant(A, B) :- \+ \+ ( copy_term(A, X), copy_term(B, Y), numbervars(X, 0, N), numbervars(Y, 0, N), X == Y ).
run :- between(1, 1000000000, K), ( args(K, X, Y, Z) -> one(K, X, Y, Z), fail ; true ), !.
one(K, X, Y, Z) :-
    outcome(inline(K, X, Y, Z, V), V, O),
    outcome(asserted(K, X, Y, Z, V2), V2, O2),
    outcome(called(K, X, Y, Z, V3), V3, O3),
    writeq(K), write(' '), show(O),
    ( variant(O, O2) -> true ; write(' asserted: '), show(O2) ),
    ( variant(O, O3) -> true ; write(' called: '), show(O3) ),
    nl.
show(O) :- \+ \+ ( numbervars(O, 0, _), print(O) ).
",
    );
    for k in 1..=goals {
        let depth = 1 + r.below(4);
        let b = whole(&mut r, depth);
        let goal = r.one(GOALS);
        let goal = if goal == "is" {
            format!("V is {b}")
        } else {
            let depth = r.below(3);
            let a = whole(&mut r, depth);
            format!("{a} {goal} {b}")
        };
        let values: Vec<&str> = (0..3).map(|_| r.one(VALUES)).collect();
        let _ = write!(
            text,
            "args({k},{}).\ninline({k},X,Y,Z,V) :- {goal}.\n\
             called({k},X,Y,Z,V) :- G = ({goal}), call(G).\n:- assertz((asserted({k},X,Y,Z,V) :- {goal})).\n",
            values.join(",")
        );
    }
    text
}

#[test]
fn goals_are_the_same_compiled_asserted_and_called() {
    let seed = setting("SAMITE_SEED", 1);
    let goals = setting("SAMITE_GOALS", 3000);
    println!("seed {seed}, {goals} goals");
    let scratch = Scratch::new();
    let text = program(seed, goals);
    let file = scratch.file("goals.pl", &text);
    let ours = lines(samite(), &file);
    assert_eq!(ours.len() as u64, goals, "seed {seed}");
    let goal = |k: usize| {
        let start = format!("inline({k},");
        let args = format!("args({k},");
        let lines = text.lines();
        let mut found = lines.filter(|l| l.starts_with(&start) || l.starts_with(&args));
        format!("{:?} {:?}", found.next(), found.next())
    };
    let mut wrong = String::new();
    for (k, line) in ours.iter().enumerate() {
        if line.contains(" asserted: ") || line.contains(" called: ") {
            let _ = writeln!(wrong, "{line}\n  {}", goal(k + 1));
        }
    }
    match swipl() {
        None => println!("no swipl: not compared"),
        Some(swipl) => {
            for (k, (a, b)) in ours.iter().zip(lines(swipl, &file)).enumerate() {
                if *a != b {
                    let _ = writeln!(wrong, "{a}\n  swipl: {b}\n  {}", goal(k + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "seed {seed}:\n{wrong}");
}
