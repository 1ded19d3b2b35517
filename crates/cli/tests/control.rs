//! Generated programs of control constructs *together*, run by Samite and by SWI-Prolog: cleanup, cut, catch and throw, signals, all
//! solutions, negation, conditions, calls, tables. What they print, and in which order, is the same.
//!
//! A program has predicates `pK_J/2` (K the seed, J the level) that call only predicates of lower levels, so every query ends.
//! `w/2` prints a number of its own and the variables of the clause as they are then: a register that a cut lost shows, and a
//! handler that runs early or late.
//!
//! Tables come in two kinds. `tK_J/2` is evaluated by calling `pK_J/2`, so that everything here happens during an evaluation, and
//! an evaluation in the midst of everything. `rK_J/2` are recursive over a few facts and each other: their clauses are suspended and resumed
//! inside of `catch/3`, cleanup, conditions. They print nothing, because how often a resumed continuation runs is nobody's business,
//! and are such that their answers do not depend on the order of others. Answers are used in the standard order ([`all/1`](RUN)), or
//! it does not matter which one is.
//!
//! What is not compared: the ball in `external_exception(Ball)`. SWI-Prolog tells the handlers that the same exception sets off the ball that
//! was thrown last, be it in one of these handlers (`exception_bin` in its `pl-wam.c`), and catches the right one. What does not occur: a
//! catcher with variables that may be bound when the ball is thrown (SWI-Prolog unifies it before it undoes these bindings); a call like
//! `p(Z, Z)` with a variable that may have been met in a negation or another branch only (it has two variables then); `\==` with such
//! variables, inlined: what is in their places then is met later (there it is called). What a handler's handler binds that is set off by the
//! same cut may be undone for the next if other programs ran before: if a program alone gives what Samite gives, it is not different.
//!
//! Without `swipl` on the path nothing is compared, and the test says so. `SAMITE_SEED=n` and `SAMITE_PROGRAMS=m` in the environment
//! choose other programs.

mod common;

use common::compare::{Programs, outcome};
use common::random::{Random, setting};
use common::{Scratch, samite, swipl};
use std::cell::Cell;
use std::fmt::Write;

const VARIABLES: &[&str] = &["X", "Y", "A", "B", "C"];
const CONSTANTS: &[&str] = &["1", "2", "3", "a", "f(Y)", "f(_)", "[B]"];
const BALLS: &[&str] = &["b1", "b2", "b(X)", "b(A)", "_"];
const CATCHERS: &[&str] = &["b1", "b2", "b(N)", "_", "_", "error(_,_)"];
const REASONS: &[&str] = &[
    "R",
    "R",
    "!",
    "exit",
    "fail",
    "exception(_)",
    "external_exception(R)",
];

/// Recursive tables of a program.
const RECURSIVE: usize = 3;
/// Levels of predicates in a program; clauses of each; depth of a body.
const LEVELS: usize = 4;
const CLAUSES: usize = 3;
const DEPTH: usize = 3;

struct Program<'r> {
    r: &'r mut Random,
    key: u64,
    level: usize,
    mark: usize,
    /// Depth of `\+`. No cut is below one: called during the evaluation of a table, `\+ ( !, fail )` fails in SWI-Prolog.
    negations: usize,
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

    /// The same of a cleanup handler, which is told by its mark.
    fn show_handler(&mut self) -> String {
        self.mark += 1;
        format!("w(h({}), [X,Y,A,B,C])", self.mark)
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
            11 | 12 if self.negations == 0 => "!".into(),
            13 => format!("var({v})"),
            14 => format!("different({v}, {u})"),
            15 if self.signals() => format!("sig({})", self.signal()),
            _ if self.level > 0 => {
                let to = self.r.below(self.level);
                let u = if u == v { "Y" } else { u };
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
        match self.r.below(30) {
            26..30 => self.table(),
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
            11 => {
                self.negations += 1;
                let goal = self.goal(d);
                self.negations -= 1;
                format!("\\+ {goal}")
            }
            12 => format!("once({})", self.goal(d)),
            13 => format!("ignore({})", self.goal(d)),
            14 => format!("forall({}, {})", self.goal(d), self.goal(d)),
            15 => {
                let (t, v) = (self.r.one(VARIABLES), self.r.one(VARIABLES));
                format!("findall({t}, {}, {v})", self.goal(d))
            }
            16 => {
                let (t, v) = (self.r.one(VARIABLES), self.r.one(VARIABLES));
                let goal = self.goal(d);
                self.mark += 1;
                // SWI-Prolog's last list is another if some before do not unify.
                format!("( findnsols(2, {t}, {goal}, L{0}), {v} = L{0} )", self.mark)
            }
            17 | 18 => {
                let catcher = self.r.one(CATCHERS);
                let (goal, recovery) = (self.goal(d), self.goal(d));
                self.mark += 1;
                let n = self.mark;
                let catcher = catcher.replace('N', &format!("N{n}"));
                if catcher.starts_with("b(") {
                    format!("catch({goal}, {catcher}, ( B = N{n}, {recovery} ))")
                } else {
                    format!("catch({goal}, {catcher}, {recovery})")
                }
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
                    "setup_call_catcher_cleanup(true, {goal}, {reason}, ( w(h(0), {reason}), {handler} ))"
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

    /// A goal that looks at a table.
    fn table(&mut self) -> String {
        let (v, u) = (self.r.one(VARIABLES), self.r.one(VARIABLES));
        let name = if self.level > 0 && self.r.chance(50) {
            format!("t{}_{}", self.key, self.r.below(self.level))
        } else {
            format!("r{}_{}", self.key, self.r.below(RECURSIVE))
        };
        let call = self.open_call(&name, v, u);
        match self.r.below(10) {
            0 => format!("\\+ ( {call} )"),
            1 => format!("\\+ \\+ ( {call} )"),
            2 => format!("forall(( {call} ), {v} \\== {u})"),
            3 => format!("\\+ \\+ ( {call}, throw({}) )", self.r.one(&BALLS[..2])),
            4 => format!(
                "setup_call_cleanup(true, \\+ \\+ ( {call} ), {})",
                self.show()
            ),
            _ => format!("all(( {call} ))"),
        }
    }

    /// A call of a table with a variable of its own: SWI-Prolog ends the evaluation of a ground goal at its first answer, which shows if
    /// something is thrown or printed later.
    fn open_call(&mut self, name: &str, v: &str, u: &str) -> String {
        self.mark += 1;
        format!("{name}({v}, N{0}), N{0} = {u}", self.mark)
    }

    /// A goal of a recursive table's clause. What is thrown is caught at once, or by nobody in the tables.
    fn recursive(&mut self) -> String {
        let key = self.key;
        let (v, u) = (self.r.one(&["X", "Y", "Z"]), self.r.one(&["X", "Y", "Y"]));
        let constant = self.r.one(&["1", "2", "3", "a"]);
        let call = if self.r.chance(70) {
            let name = format!("r{key}_{}", self.r.below(RECURSIVE));
            self.open_call(&name, v, u)
        } else {
            format!("e{key}({v}, {u})")
        };
        match self.r.below(18) {
            0 => format!("{v} = {constant}"),
            1 => format!("e{key}({v}, {u})"),
            2 => format!("catch(( {call} ), {}, fail)", self.r.one(&BALLS[..2])),
            3 => format!("caught(( {call} ), {v} = {constant})"),
            4 => format!("guarded(( {call} ))"),
            5 => format!("( {call} ; {v} = {constant} )"),
            6 => format!("( e{key}({v}, {u}) -> {call} ; {v} = {constant} )"),
            7 => format!("findall({v}, e{key}({v}, {u}), L), member({v}, L)"),
            8 => format!("once(e{key}({v}, {u}))"),
            9 => format!("\\+ e{key}({v}, {constant})"),
            10 => format!("( {v} == {constant} -> throw(b4) ; {call} )"),
            // Two goals of one name would be unified, and the second call's own variable be bound.
            11 => {
                self.mark += 1;
                format!("G{0} = ( {call} ), call(G{0})", self.mark)
            }
            12 if self.signals() => "sig(nop)".into(),
            13 => format!("guarded(catch(guarded(( {call} )), b2, {v} = {constant}))"),
            14 => format!("setup_call_cleanup(true, once(e{key}({v}, {u})), nop)"),
            _ => call,
        }
    }

    /// The tables of a program.
    fn write_tables(&mut self, text: &mut String) {
        let key = self.key;
        for level in 0..LEVELS - 1 {
            let _ = writeln!(text, ":- table t{key}_{level}/2.");
            let _ = writeln!(text, "t{key}_{level}(X, Y) :- p{key}_{level}(X, Y).");
        }
        for _ in 0..2 + self.r.below(4) {
            let (x, y) = (
                self.r.one(&["1", "2", "3"]),
                self.r.one(&["1", "2", "3", "a"]),
            );
            let _ = writeln!(text, "e{key}({x}, {y}).");
        }
        for j in 0..RECURSIVE {
            let _ = writeln!(text, ":- table r{key}_{j}/2.");
            for _ in 0..1 + self.r.below(CLAUSES) {
                let cut = if self.r.chance(15) { "X == 1, !, " } else { "" };
                let n = 1 + self.r.below(3);
                let goals: Vec<String> = (0..n).map(|_| self.recursive()).collect();
                let _ = writeln!(text, "r{key}_{j}(X, Y) :- {cut}{}.", goals.join(", "));
            }
            if self.r.chance(60) {
                let _ = writeln!(text, "r{key}_{j}(X, Y) :- e{key}(X, Y).");
            }
        }
    }

    fn handler(&mut self, depth: usize) -> String {
        if self.signals() || self.r.chance(60) {
            return self.show_handler();
        }
        format!("( {}, {} )", self.show_handler(), self.goal(depth.min(1)))
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
        self.write_tables(text);
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

% Goals that are suspended in a cleanup, or throw after that, are another matter in SWI-Prolog. There the same is said without.
:- if(current_prolog_flag(dialect, samite)).
guarded(G) :- setup_call_cleanup(true, G, true).
caught(G, Recovery) :- catch(( G, throw(b1) ), b1, Recovery).
:- dynamic(goal_expansion/2).
goal_expansion(different(X, Y), X \== Y).
:- else.
% Unifications moved into the head may lose bindings: p(X, Y) :- X = f(Y), Y = a.
:- set_prolog_flag(optimise_unify, false).
guarded(G) :- call(G).
caught(G, Recovery) :- copy_term(G, C), call(C), call(Recovery).

% Its cuts that find no choicepoint, also where a catch of the program takes the error.
:- dynamic(prolog_exception_hook/4).
prolog_exception_hook(error(existence_error(choice, _), _), _, _, _) :-
    write('existence_error(choice '),
    fail.
:- endif.

w(N, external_exception(_)) :- !, w(N, external_exception).
w(N, exception(error(F, _))) :- !, w(N, exception(error(F))).
w(N, T) :-
    nb_getval(shown, K),
    (   K > 60 -> true
    ;   K1 is K + 1, nb_setval(shown, K1),
        write(N), write(' '),
        \+ \+ ( numbervars(T, 0, _), write_term(T, [quoted(true), numbervars(true), max_depth(6)]) ),
        write(' ')
    ).
nop.
different(X, Y) :- X \== Y.
all(G) :-
    findall(K-G, ( G, copy_term(G, K), numbervars(K, 0, _) ), L),
    keysort(L, Sorted),
    member(_-G, Sorted).
sig(G) :- thread_self(Me), thread_signal(Me, G), nop.

run :-
    clause(query(K, G), true),
    write(K), write(': '),
    abolish_all_tables,
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
            negations: 0,
        };
        p.write(&mut text);
    }
    text
}

fn compare(first: u64, count: u64) {
    // How many inferences something takes is not the same. A choicepoint that does not exist is a fault of SWI-Prolog's: RUN makes it tell of
    // those that the program catches, too. And the only error that these programs raise, a call of a table with a cyclic term, may take the
    // place of a ball in a cleanup handler: SWI-Prolog has chosen the catch by the ball before.
    let excused = ["long", "existence_error(choice", "acyclic_term"];
    let early = Cell::new(0);
    let alike = |a: &str, b: &str| {
        excused.iter().any(|e| a.contains(e) || b.contains(e))
            || gives_alone(a)
            || early.replace(early.get() + 1) <= count / 100 && runs_handlers_earlier(a, b)
    };
    let text = &programs(first, count);
    Programs { text, first, count }.compare(alike, |_| String::new());
}

/// Whether line `a` is `b` but for handlers that have run earlier. That is right where their goal leaves no choicepoint here and one in
/// SWI-Prolog, which is rare: more than a few in a hundred programs are something else.
fn runs_handlers_earlier(a: &str, b: &str) -> bool {
    let ((a, handlers), (b, theirs)) = (apart(a), apart(b));
    let sorted = |of: &[(String, usize)]| {
        let mut sorted = of.to_vec();
        sorted.sort();
        sorted
    };
    let (handlers, theirs) = (sorted(&handlers), sorted(&theirs));
    a == b
        && handlers.len() == theirs.len()
        && (handlers.iter().zip(&theirs)).all(|((m, at), (n, then))| m == n && at <= then)
}

/// The words of a line without the marks of handlers; each of these with how many others are before it.
fn apart(line: &str) -> (Vec<&str>, Vec<(String, usize)>) {
    let (mut others, mut handlers) = (vec![], vec![]);
    let mut words = line.split(' ');
    while let Some(word) = words.next() {
        if word.starts_with("h(") {
            // What is bound then.
            words.next();
            handlers.push((word.to_string(), others.len()));
        } else {
            others.push(word);
        }
    }
    (others, handlers)
}

/// Whether the program of a line gives the same where it runs alone, with Samite and with SWI-Prolog.
fn gives_alone(line: &str) -> bool {
    let Some(key) = line.split(':').next().and_then(|k| k.parse().ok()) else {
        return false;
    };
    let Some(theirs) = swipl() else {
        return false;
    };
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", programs(key, 1));
    [samite(), theirs]
        .into_iter()
        .all(|system| outcome(system, &file).out.lines().any(|l| l == line))
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
