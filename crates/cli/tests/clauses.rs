//! Clauses of any size and depth: what a clause does is the same loaded from a file, asserted, listed and read again, and taken apart by
//! `clause/2` and called; SWI-Prolog agrees, where it is on the path. And clauses at the limits of the machine: many variables, long and
//! deep bodies, much that is built between two calls.
//!
//! `SAMITE_SEED=n` and `SAMITE_CLAUSES=m` in the environment choose other generated clauses.

mod common;

use common::random::{Random, setting};
use common::{LIMIT, Scratch, finish, lines, run_program, samite, swipl};
use std::fmt::Write;
use std::process::Command;

// --- generated clauses ---

/// A clause in the making.
struct Clause<'r> {
    random: &'r mut Random,
    text: String,
    /// Number of variables so far, and of those that may be used.
    variables: usize,
    most: usize,
    /// Choicepoints that may still be left behind: each doubles the work.
    choices: usize,
}

impl Clause<'_> {
    fn variable(&mut self) {
        let fresh = self.variables < self.most && self.random.chance(40);
        let v = if fresh {
            self.variables += 1;
            self.variables - 1
        } else if self.random.chance(50) {
            // A recent one.
            self.variables - 1 - self.random.below(self.variables.min(8))
        } else {
            self.random.below(self.variables)
        };
        let _ = write!(self.text, "V{v}");
    }
    fn term(&mut self, depth: usize) {
        const CONSTANTS: &[&str] = &[
            "a",
            "b",
            "[]",
            "1",
            "-7",
            "2.5",
            "123456789012345678901",
            "\"text\"",
            "'B c'",
        ];
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0..2 => self.variable(),
            2..4 => {
                let c = self.random.one(CONSTANTS);
                self.text.push_str(c);
            }
            4 => self.list(depth),
            _ => {
                let n = 1 + self.random.below(4);
                self.text.push_str("f(");
                for i in 0..n {
                    if i > 0 {
                        self.text.push(',');
                    }
                    self.term(depth - 1);
                }
                self.text.push(')');
            }
        }
    }
    fn list(&mut self, depth: usize) {
        // Sometimes too long to be built by instructions.
        let n = if self.random.chance(5) { 80 } else { 3 };
        self.text.push('[');
        for _ in 0..n {
            self.term(depth - 1);
            self.text.push(',');
        }
        self.text.push_str("z|");
        self.variable();
        self.text.push(']');
    }
    fn pair(&mut self) {
        self.text.push_str("f(");
        for i in 0..3 {
            if i > 0 {
                self.text.push(',');
            }
            self.term(2);
        }
        self.text.push(')');
    }
    /// A goal that nearly always succeeds, so that what comes after it runs.
    fn leaf(&mut self) {
        match self.random.below(15) {
            14 => {
                // Taken apart by the compiler.
                self.text.push_str("( ");
                self.pair();
                self.text.push_str(" = ");
                self.pair();
                self.text.push_str(" -> true ; true )");
            }
            0..4 => {
                self.text.push_str("( ");
                self.variable();
                self.text.push_str(" = ");
                self.term(3);
                self.text.push_str(" -> true ; true )");
            }
            4 => {
                self.text.push_str("same(");
                self.variable();
                self.text.push(',');
                self.variable();
                self.text.push(')');
            }
            5 => {
                self.text.push_str("built(");
                self.term(3);
                self.text.push(',');
                self.variable();
                self.text.push(')');
            }
            6 => {
                self.text.push_str("( number(");
                let at = self.text.len();
                self.variable();
                let v = self.text[at..].to_string();
                let _ = write!(self.text, ") -> ");
                self.variable();
                let _ = write!(self.text, " is {v} * 2 + 1 ; true )");
            }
            7 => {
                self.text.push_str("( ");
                self.variable();
                self.text.push_str(" =.. [g,");
                self.variable();
                self.text.push_str(",c] -> true ; true )");
            }
            8 => {
                self.text.push_str("\\+ ");
                self.variable();
                self.text.push_str(" == ");
                self.term(1);
            }
            9 if self.choices > 0 => {
                self.choices -= 1;
                self.text.push_str("two(");
                self.variable();
                self.text.push(')');
            }
            10 if self.random.chance(10) => self.text.push('!'),
            11 => self.text.push_str("true"),
            12 => {
                self.text.push_str("( ");
                self.variable();
                self.text.push_str(" == ");
                self.variable();
                self.text.push_str(" -> true ; ");
                self.variable();
                self.text.push_str(" @< ");
                self.variable();
                self.text.push_str(" -> true ; fine )");
            }
            _ => {
                self.text.push_str("fine(");
                self.variable();
                self.text.push(')');
            }
        }
    }
    fn test(&mut self) {
        const TESTS: &[&str] = &["var", "nonvar", "atom", "compound", "number"];
        let t = self.random.one(TESTS);
        let _ = write!(self.text, "{t}(");
        self.variable();
        self.text.push(')');
    }
    /// About `n` goals.
    fn body(&mut self, n: usize) {
        if n <= 1 {
            self.leaf();
            return;
        }
        match self.random.below(16) {
            0 => self.between(n, " -> ", true),
            1 => self.between(n, " *-> ", true),
            2 if self.choices > 0 => {
                self.choices -= 1;
                self.text.push_str("( ");
                self.body(n / 2);
                self.text.push_str(" ; ");
                self.body(n / 2);
                self.text.push_str(" )");
            }
            3 if n < 20 => {
                self.text.push_str("\\+ ( ");
                self.body(n - 1);
                self.text.push_str(", fail )");
            }
            4 => self.chain(n),
            5 => {
                // Conjunctions nested to the left.
                let left = 1 + self.random.below(n - 1);
                self.text.push_str("( ");
                self.body(left);
                self.text.push_str(" ), ");
                self.body(n - left);
            }
            _ => {
                let left = 1 + self.random.below(n.min(12) - 1);
                self.body(left);
                self.text.push_str(", ");
                self.body(n - left);
            }
        }
    }
    fn between(&mut self, n: usize, arrow: &str, test: bool) {
        self.text.push_str("( ");
        if test && self.random.chance(60) {
            self.test();
        } else {
            self.body((n / 4).min(5));
        }
        self.text.push_str(arrow);
        self.body(n / 3);
        self.text.push_str(" ; ");
        self.body(n / 3);
        self.text.push_str(" )");
    }
    /// A chain of if-then-elses, which may be long.
    fn chain(&mut self, n: usize) {
        let links = if self.random.chance(10) { 80 } else { 4 };
        self.text.push_str("( ");
        for _ in 0..links {
            self.test();
            self.text.push_str(", ");
            self.variable();
            self.text.push_str(" == q -> ");
            self.body((n / 20).max(1));
            self.text.push_str(" ; ");
        }
        self.body(n / 3);
        self.text.push_str(" )");
    }
}

/// A program of generated clauses `p(K, X, Y, R)`; `run/0` prints a line for each form of each.
fn program(seed: u64, clauses: u64, file: &str) -> String {
    let mut random = Random::new(seed);
    let mut text = format!(
        r"
:- style_check(-singleton).
:- style_check(-discontiguous).
:- dynamic((p/4, as/4)).
same(X, X) :- !.
same(_, _).
built(X, X) :- !.
built(_, _).
two(t(1)).
two(_).
fine.
fine(_).
fine(_, _).
show(K, Form, Goal, R) :-
    catch(findall(R, first(3, Goal), L), error(E, _), L = error(E)),
    write(K), write(' '), write(Form), write(' '),
    % (Systems write cyclic terms in their own ways.)
    ( acyclic_term(L) -> \+ \+ ( numbervars(L, 0, _), writeq(L) ) ; write(cyclic) ), nl.
first(N, G) :- C = c(0), call(G), arg(1, C, I0), I is I0 + 1, nb_setarg(1, C, I), ( I >= N -> ! ; true ).
run :-
    open('{file}', write, S),
    forall(clause(p(K, X, Y, R), B), ( assertz((as(K, X, Y, R) :- B)), portray_clause(S, (li(K, X, Y, R) :- B)) )),
    close(S),
    consult('{file}'),
    forall(number_of(K),
        ( show(K, static, s(K, a, _, R1), R1), show(K, dynamic, p(K, a, _, R2), R2), show(K, asserted, as(K, a, _, R3), R3),
          show(K, listed, li(K, a, _, R4), R4),
          show(K, called, ( clause(p(K, a, _, R5), B5), call((B5 ; R5 = second)) ), R5) )).
"
    );
    for k in 1..=clauses {
        let goals = [5, 20, 60, 200, 400][random.below(5)];
        let most = [4, 12, 60, 300][random.below(4)];
        let mut c = Clause {
            random: &mut random,
            text: String::new(),
            variables: 2,
            most,
            choices: 5,
        };
        c.body(goals);
        let body = c.text;
        let result: Vec<String> = (0..c.variables.min(40)).map(|v| format!("V{v}")).collect();
        let clause = format!("({k}, V0, V1, R) :- {body}, R = [{}]", result.join(","));
        let _ = write!(
            text,
            "number_of({k}).\ns{clause}.\ns({k},_,_,second).\np{clause}.\n"
        );
    }
    text
}

/// The program with only one of the clauses.
fn alone(text: &str, k: usize) -> String {
    let facts = ["number_of(", "s(", "p("];
    let belongs = |line: &&str| {
        let rest = facts.iter().find_map(|f| line.strip_prefix(f));
        rest.is_none_or(|r| r.starts_with(&format!("{k},")) || r.starts_with(&format!("{k})")))
    };
    let lines: Vec<&str> = text.lines().filter(belongs).collect();
    lines.join("\n")
}

/// Those of a clause's five forms that do not do what the dynamic one does.
fn different(forms: &[String]) -> Vec<&String> {
    let outcome = |line: &str| line.splitn(3, ' ').nth(2).map(str::to_string);
    let dynamic = forms.get(1).and_then(|f| outcome(f));
    let same = |f: &&String| {
        let o = outcome(f);
        // The static form has a second clause, which a cut keeps away.
        let second = f.contains(" static ") || f.contains(" called ");
        let first = |o: &String| o.replace(",second]", "]").replace("[second]", "[]");
        o == dynamic || second && o.as_ref().map(first) == dynamic
    };
    forms.iter().filter(|f| !same(f)).collect()
}

/// The lines that SWI-Prolog prints, as far as it comes: clauses of hundreds of variables may end it by a signal, which says nothing.
fn lines_of_swipl(mut command: Command, file: &str) -> Vec<String> {
    command.args(["-q", "-g", "run", "-t", "halt", file]);
    let run = finish(command, b"", LIMIT);
    if run.status != Some(0) {
        println!("swipl ends with {:?}", run.status);
    }
    let whole = run.out.rfind('\n').map_or(0, |at| at + 1);
    run.out[..whole].lines().map(str::to_string).collect()
}

#[test]
fn clauses_do_the_same_in_all_their_forms() {
    let seed = setting("SAMITE_SEED", 1);
    let clauses = setting("SAMITE_CLAUSES", 60);
    println!("seed {seed}, {clauses} clauses");
    let scratch = Scratch::new();
    let text = program(seed, clauses, &scratch.path("listed.pl"));
    if let Ok(copy) = std::env::var("SAMITE_COPY") {
        std::fs::write(copy, &text).expect("the copy can be written");
    }
    let file = scratch.file("clauses.pl", &text);
    let ours = lines(samite(), &file);
    assert_eq!(ours.len() as u64, 5 * clauses, "seed {seed}");
    let mut wrong = String::new();
    for forms in ours.chunks(5) {
        for f in different(forms) {
            let _ = writeln!(wrong, "{f}\n  but {}", forms[1]);
        }
    }
    match swipl() {
        None => println!("no swipl: not compared"),
        Some(swipl) => {
            let theirs = lines_of_swipl(swipl, &file);
            for (k, (ours, theirs)) in ours.chunks(5).zip(theirs.chunks(5)).enumerate() {
                if ours == theirs {
                    continue;
                }
                // Some one of 5,000 clauses is lost, or has no solutions, in one form or all, in SWI-Prolog 9.0.4, depending on what the
                // process did before: what it says in a program of this clause alone counts.
                let file = scratch.file("alone.pl", alone(&text, k + 1));
                let theirs = common::swipl().map_or_else(Vec::new, |s| lines_of_swipl(s, &file));
                // Nor does a form that contradicts its own others: it inlines comparisons with variables that a negation has not set.
                let contradicted = match theirs.len() {
                    5 => different(&theirs),
                    _ => Vec::new(),
                };
                let differ = |(a, b): &(&String, &String)| a != b && !contradicted.contains(b);
                for (a, b) in ours.iter().zip(&theirs).filter(differ) {
                    let _ = writeln!(wrong, "{a}\n  swipl: {b}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "seed {seed}:\n{wrong}");
}

// --- the limits of the machine ---

/// Runs `run/0` of a program with these settings in the environment, which prints `done` at the end and nothing else.
fn done(text: &str, settings: &[(&str, &str)]) {
    let mut command = samite();
    command.envs(settings.iter().copied());
    let mut run = run_program(command, text);
    let out = std::mem::take(&mut run.out);
    let run = run.status(0);
    let start: String = out.chars().take(1000).collect();
    assert!(out == "done\n", "{settings:?}: {start} {run:?}");
}

fn joined(n: usize, between: &str, item: impl Fn(usize) -> String) -> String {
    (0..n).map(item).collect::<Vec<_>>().join(between)
}

/// A cut belongs to its clause, however many control constructs are around it.
#[test]
fn cuts_are_not_local_at_any_depth() {
    let mut text = String::from(":- style_check(-discontiguous).\n");
    let mut run = String::from("run :- ");
    for (k, n) in [63, 64, 65, 66, 700, 5000].into_iter().enumerate() {
        let chain = joined(n, " ; ", |i| format!("X == {i} -> R = r{i}"));
        let nested = format!("{}!, R = none{}", "( fail ; ".repeat(n), " )".repeat(n));
        let left = format!("{}!, R = none{}", "( ".repeat(n), " ; fail )".repeat(n));
        let then = format!("{}!, R = none{}", "( X == x -> ".repeat(n), " )".repeat(n));
        let _ = write!(
            text,
            "a{k}(X,R) :- ( {chain} ; !, R = none ).\na{k}(_,second).\n\
             b{k}(_,R) :- {nested}.\nb{k}(_,second).\nc{k}(_,R) :- {left}.\nc{k}(_,second).\n\
             d{k}(X,R) :- {then}.\nd{k}(_,second).\n"
        );
        for p in ["a", "b", "c", "d"] {
            let _ = write!(run, "findall(R,{p}{k}(x,R),[none]), ");
        }
    }
    done(&format!("{text}{run}writeln(done).\n"), &[]);
}

/// Long and deep bodies, loaded, asserted and called.
#[test]
fn control_of_any_length_and_depth() {
    let n = if cfg!(debug_assertions) { 4000 } else { 30_000 };
    let deep = |open: &str, middle: &str, close: &dyn Fn(usize) -> String| {
        format!("{}{middle}{}", open.repeat(n), joined(n, "", close))
    };
    let bodies = [
        joined(n, ", ", |_| "q(X)".into()),
        format!("( {} ; X == z )", joined(n, " ; ", |i| format!("X == {i}"))),
        format!(
            "( {} ; Y = z ), q(Y), X == z",
            joined(n, " ; ", |i| format!("X == {i} -> Y = {i}"))
        ),
        format!(
            "( {} ; Y = z ), q(Y), X == z",
            joined(n, " ; ", |i| format!("q(X), X == {i} -> q(Y), Y = {i}"))
        ),
        deep("( X == z -> ", "q(X)", &|i| format!(" ; q({i}) )")) + ", q(X)",
        deep("( ", "q(X)", &|i| format!(" -> q({i}) ; q(b) )")) + ", q(X)",
        deep("( ", "q(X)", &|i| format!(", q({i}) )")),
        deep("( ", "q(X)", &|i| format!(" ; q({i}) )")) + ", q(X)",
        deep("q(b), ( ", "q(X)", &|_| " )".into()),
        deep("\\+ \\+ ", "q(X)", &|_| String::new()),
        format!(
            "{}, q({})",
            joined(n, ", ", |i| format!("q(X{i})")),
            joined(n, "+", |i| format!("X{i}"))
        ),
        format!(
            "{}, q({})",
            joined(n, ", ", |i| format!("( q(X) -> X{i} = 1 ; q(X{i}) )")),
            joined(n, "+", |i| format!("X{i}"))
        ),
    ];
    for body in bodies {
        done(
            &format!(
                ":- dynamic(d/1).\n:- style_check(-singleton).\nq(_).\np(X) :- {body}.\n\
                 run :- p(z), !, clause(p(X), B), assertz((d(X) :- B)), d(z), !, X = z, call(B), !, writeln(done).\n"
            ),
            &[],
        );
    }
}

/// More is built between two calls than the margin of the nursery holds, at every place of the nursery.
#[test]
fn what_is_built_between_two_calls() {
    let n = 700;
    let univ = joined(n, ", ", |i| format!("X{} =.. [f,X{i},a,b,c,d,e]", i + 1));
    let unify = joined(n, ", ", |i| format!("X{i} = Y{i}"));
    let every = joined(n / 5, ",", |i| format!("X{}", 5 * i));
    let fresh = joined(n, ", ", |i| {
        format!("X{i} = g(A{i},B{i},_,_,X{}), A{i} = B{i}", i + 1)
    });
    let floats = joined(n, ", ", |i| format!("X{} is X{i} + 0.5", i + 1));
    let large = |c: &str| joined(n, ", ", |i| format!("{c}{} = f({c}{i},_,_,_,_)", i + 1));
    let text = format!(
        r"
:- style_check(-singleton).
univ(X0, X{n}) :- {univ}.
unify(R) :- {unify}, R = [{every}].
fresh(X0) :- {fresh}, X{n} = end.
floats(X0, X{n}) :- {floats}.
branches(C, X0, X{n}) :- ( C == a -> {a} ; C == b, {b}, B0 = X0, X{n} = B{n} ; {d}, D0 = X0, X{n} = D{n} ).
depth(X, N, N) :- atom(X), !.
depth(X, N0, N) :- N1 is N0 + 1, arg(1, X, Y), depth(Y, N1, N).
links(end, N, N) :- !.
links(g(A,B,_,_,X), N0, N) :- A == B, var(A), N1 is N0 + 1, links(X, N1, N).
bound([]).
bound([X|L]) :- var(X), X = 1, bound(L).
round :- univ(x, X), depth(X, 0, {n}),
    unify(L), bound(L),
    fresh(Y), links(Y, 0, {n}),
    floats(0, F), F =:= {n} / 2,
    forall(member(C, [a,b,c]), ( branches(C, x, Z), depth(Z, 0, {n}) )).
run :- forall(between(1, rounds, I), ( round, J is I mod 97, length(_, J) )), writeln(done).
",
        a = large("X"),
        b = large("B"),
        d = large("D"),
    );
    let many = if cfg!(debug_assertions) { 1 } else { 20 };
    for (rounds, settings) in [
        (30 * many, &[][..]),
        (30 * many, &[("SAMITE_NURSERY", "65536")]),
        (20 * many, &[("SAMITE_NURSERY_STRESS", "1")]),
        (
            2,
            &[("SAMITE_NURSERY", "65536"), ("SAMITE_GC_STRESS", "20")],
        ),
    ] {
        let text = text.replace("between(1, rounds,", &format!("between(1, {rounds},"));
        done(&text, settings);
    }
}

/// More variables are alive over a call than a frame has slots, and more occur than there are registers.
#[test]
fn any_number_of_variables() {
    for n in [900, 1100, 9000] {
        let made = joined(n, ", ", |i| format!("make({i},X{i})"));
        let used = joined(n, ", ", |i| format!("check(X{i})"));
        let list = joined(n, ",", |i| format!("X{i}"));
        done(
            &format!(
                "make(N,N).\ncheck(N) :- integer(N).\n\
                 p(S) :- {made}, {used}, ( S > 0 -> ! ; true ), sum_list([{list}], T), T =:= {n} * ({n} - 1) / 2.\n\
                 p(_) :- writeln(second).\nrun :- p(1), !, writeln(done).\n"
            ),
            &[],
        );
    }
}

/// No predicate has so many arguments: a call is one of an unknown procedure, in a clause as from `call/1`.
#[test]
fn calls_with_too_many_arguments() {
    let args = joined(5000, ",", |_| "a".into());
    done(
        &format!(
            "unknown(G) :- catch(G, error(existence_error(procedure, PI), _), true), PI == foo/5000.\n\
             t :- foo({args}).\n\
             run :- unknown(t), functor(T, foo, 5000), unknown(T), unknown(call(T)), unknown((true, T)),\n\
             functor(T2, foo, 4998), unknown(call(T2, a, b)), functor(T3, foo, 20000),\n\
             catch(T3, error(existence_error(procedure, foo/20000), _), true), writeln(done).\n"
        ),
        &[],
    );
}
