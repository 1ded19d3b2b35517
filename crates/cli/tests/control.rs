//! Generated programs of control constructs *together*, run by Samite and by SWI-Prolog: cleanup, cut, catch and throw, signals, all
//! solutions, negation, conditions, calls. What they print, and in which order, is the same.
//!
//! A program has predicates `pK_J/2` (K the seed, J the level) that call only predicates of lower levels, so every query ends.
//! `w/2` prints a number of its own and the variables of the clause as they are then: a register that a cut lost shows, and a
//! handler that runs early or late.
//!
//! Without `swipl` on the path nothing is compared, and the test says so. `SAMITE_SEED=n` and `SAMITE_PROGRAMS=m` in the environment
//! choose other programs.

mod common;

use common::random::{Random, setting};
use common::{LIMIT, Run, Scratch, finish, samite, swipl};
use std::fmt::Write;
use std::process::Command;

const VARIABLES: &[&str] = &["X", "Y", "A", "B", "C"];
const CONSTANTS: &[&str] = &["1", "2", "3", "a", "f(Y)", "f(_)", "[B]"];
const BALLS: &[&str] = &["b1", "b2", "b(X)", "b(A)", "_"];
const CATCHERS: &[&str] = &["b1", "b2", "b(B)", "_", "_", "error(_,_)"];
const REASONS: &[&str] = &[
    "R",
    "R",
    "!",
    "exit",
    "fail",
    "exception(_)",
    "external_exception(R)",
];

/// Levels of predicates in a program; clauses of each; depth of a body.
const LEVELS: usize = 4;
const CLAUSES: usize = 3;
const DEPTH: usize = 3;

struct Program<'r> {
    r: &'r mut Random,
    key: u64,
    level: usize,
    mark: usize,
}

impl Program<'_> {
    /// Whether the program sends signals. Then nothing in it masks them for long: where exactly they run afterwards is not the same.
    fn signals(&self) -> bool {
        self.key.is_multiple_of(3)
    }

    fn show(&mut self) -> String {
        self.mark += 1;
        format!("w({}, [X,Y,A,B,C])", self.mark)
    }

    fn leaf(&mut self) -> String {
        let v = self.r.one(VARIABLES);
        let u = self.r.one(VARIABLES);
        match self.r.below(17) {
            0 => "true".into(),
            1 => "fail".into(),
            2..5 => self.show(),
            5 | 6 => format!("{v} = {}", self.r.one(CONSTANTS)),
            7 => format!("{v} = {u}"),
            8 => format!("member({v}, [1,2,3])"),
            9 => format!("( {v} = 1 ; {v} = 2 )"),
            10 => format!("throw({})", self.r.one(BALLS).replace('_', "b3")),
            11 | 12 => "!".into(),
            13 => format!("var({v})"),
            14 => format!("{v} \\== {u}"),
            15 if self.signals() => format!("sig({})", self.signal()),
            _ if self.level > 0 => {
                let to = self.r.below(self.level);
                format!("p{}_{to}({v}, {u})", self.key)
            }
            _ => "nop".into(),
        }
    }

    /// What a signal does: nothing with choicepoints or bindings that anybody sees.
    fn signal(&mut self) -> String {
        self.mark += 1;
        let m = self.mark;
        match self.r.below(4) {
            0 => format!("throw(sig({m}))"),
            1 => format!("( w({m}, []), fail )"),
            _ => format!("w({m}, [])"),
        }
    }

    fn goal(&mut self, depth: usize) -> String {
        if depth == 0 || self.r.chance(20) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.r.below(26) {
            0..6 => {
                let n = 2 + self.r.below(3);
                let goals: Vec<String> = (0..n).map(|_| self.goal(d)).collect();
                format!("( {} )", goals.join(", "))
            }
            6 | 7 => format!("( {} ; {} )", self.goal(d), self.goal(d)),
            8 | 9 => format!(
                "( {} -> {} ; {} )",
                self.goal(d),
                self.goal(d),
                self.goal(d)
            ),
            10 => format!(
                "( {} *-> {} ; {} )",
                self.goal(d),
                self.goal(d),
                self.goal(d)
            ),
            11 => format!("\\+ {}", self.goal(d)),
            12 => format!("once({})", self.goal(d)),
            13 => format!("ignore({})", self.goal(d)),
            14 => format!("forall({}, {})", self.goal(d), self.goal(d)),
            15 => {
                let (t, v) = (self.r.one(VARIABLES), self.r.one(VARIABLES));
                format!("findall({t}, {}, {v})", self.goal(d))
            }
            16 => {
                let (t, v) = (self.r.one(VARIABLES), self.r.one(VARIABLES));
                format!("findnsols(2, {t}, {}, {v})", self.goal(d))
            }
            17 | 18 => {
                let catcher = self.r.one(CATCHERS);
                format!("catch({}, {catcher}, {})", self.goal(d), self.goal(d))
            }
            19..22 => {
                let setup = if self.signals() || self.r.chance(70) {
                    "true".into()
                } else {
                    self.goal(0)
                };
                format!(
                    "setup_call_cleanup({setup}, {}, {})",
                    self.goal(d),
                    self.handler(d)
                )
            }
            22 | 23 => {
                let reason = self.r.one(REASONS);
                let handler = self.handler(d);
                let goal = self.goal(d);
                format!(
                    "setup_call_catcher_cleanup(true, {goal}, {reason}, ( w(0, {reason}), {handler} ))"
                )
            }
            24 if !self.signals() => format!("sig_atomic({})", self.goal(d)),
            _ => match self.r.below(3) {
                0 => format!("with_mutex(mutex, {})", self.goal(d)),
                1 => format!("( G = ({}), call(G) )", self.goal(d)),
                _ => format!("call({})", self.goal(d)),
            },
        }
    }

    fn handler(&mut self, depth: usize) -> String {
        if self.signals() || self.r.chance(60) {
            return self.show();
        }
        format!("( {}, {} )", self.show(), self.goal(depth.min(1)))
    }

    fn write(&mut self, text: &mut String) {
        let key = self.key;
        for level in 0..LEVELS {
            self.level = level;
            for _ in 0..1 + self.r.below(CLAUSES) {
                let head = self.r.one(&["X, Y", "1, Y", "X, X", "f(X), Y", "X, 2"]);
                let n = 2 + self.r.below(3);
                let goals: Vec<String> = (0..n).map(|_| self.goal(DEPTH)).collect();
                let _ = writeln!(
                    text,
                    "p{key}_{level}({head}) :- {}, {}.",
                    goals.join(", "),
                    self.show()
                );
            }
        }
        for arguments in ["X, Y", "1, Y", "f(X), X"] {
            let _ = writeln!(text, "query({key}, p{key}_{}({arguments})).", LEVELS - 1);
        }
    }
}

/// Runs each query for its first solutions.
const RUN: &str = r"
:- dynamic(query/2).
:- discontiguous(query/2).
:- style_check(-singleton).
:- style_check(-discontiguous).

w(N, T) :-
    nb_getval(shown, K),
    (   K > 60 -> true
    ;   K1 is K + 1, nb_setval(shown, K1),
        write(N), write(' '),
        \+ \+ ( numbervars(T, 0, _), write_term(T, [quoted(true), numbervars(true), max_depth(6)]) ),
        write(' ')
    ).
nop.
sig(G) :- thread_self(Me), thread_signal(Me, G), nop.

run :-
    clause(query(K, G), true),
    write(K), write(': '),
    nb_setval(count, 0),
    nb_setval(shown, 0),
    catch(call_with_inference_limit(solutions(G), 300000, R), E, ended(E)),
    ( R == inference_limit_exceeded -> write(long) ; true ),
    nl,
    fail.
run.

solutions(G) :-
    G,
    write('| '), w(0, G),
    nb_getval(count, N),
    N1 is N + 1,
    nb_setval(count, N1),
    N1 >= 4,
    !,
    write(more).
solutions(_) :- write(end).

ended(E) :-
    ( E = error(F, _) -> T = error(F) ; T = ball(E) ),
    w(0, T).

";

fn programs(first: u64, count: u64) -> String {
    let mut text = RUN.to_string();
    for key in first..first + count {
        let mut p = Program {
            r: &mut Random::new(key),
            key,
            level: 0,
            mark: 0,
        };
        p.write(&mut text);
    }
    text
}

fn outcome(mut command: Command, file: &str) -> Run {
    command.args(["-q", "-f", file, "-g", "run", "-t", "halt"]);
    finish(command, b"", LIMIT)
}

fn compare(first: u64, count: u64) {
    let Some(theirs) = swipl() else {
        println!("swipl is not on the path: nothing is compared");
        return;
    };
    println!("SAMITE_SEED={first} SAMITE_PROGRAMS={count}");
    let scratch = Scratch::new();
    let text = programs(first, count);
    let file = scratch.file("programs.pl", &text);
    if let Ok(copy) = std::env::var("SAMITE_COPY") {
        std::fs::write(copy, &text).expect("the copy can be written");
    }
    let theirs = outcome(theirs, &file);
    assert_eq!(theirs.status, Some(0), "SWI-Prolog fails: {}", theirs.err);
    let ours = outcome(samite(), &file).status(0);
    let mut wrong = String::new();
    let mut different = 0;
    let (mut a, mut b) = (ours.out.lines(), theirs.out.lines());
    loop {
        let (a, b) = match (a.next(), b.next()) {
            (None, None) => break,
            (a, b) => (a.unwrap_or("nothing"), b.unwrap_or("nothing")),
        };
        // How many inferences something takes is not the same.
        if a != b && !a.contains("long") && !b.contains("long") {
            different += 1;
            let _ = writeln!(wrong, "  samite: {a}\n  swipl:  {b}");
        }
    }
    assert!(
        different == 0,
        "{different} differences in the programs of SAMITE_SEED={first} SAMITE_PROGRAMS={count}:\n{wrong}"
    );
}

#[test]
fn control_constructs_together() {
    compare(setting("SAMITE_SEED", 1), setting("SAMITE_PROGRAMS", 150));
}

/// Handlers, cuts and exceptions leave no term behind that the collector does not know.
#[test]
fn the_same_when_every_safe_point_collects() {
    let scratch = Scratch::new();
    let file = scratch.file("programs.pl", programs(500_000, 12));
    let plain = outcome(samite(), &file).status(0);
    let mut tortured = samite();
    tortured.env("SAMITE_GC_STRESS", "1");
    let tortured = outcome(tortured, &file).status(0);
    assert_eq!(plain.out, tortured.out);
}
