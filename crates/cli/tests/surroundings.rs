//! Programs around the libraries: with operators, hooks, flags and definitions of their own, of names that libraries use. Whatever they are, and
//! whenever a library is loaded among them, what its predicates do is the same.
//!
//! So it is if the program has modules that are called as those of the libraries.
//!
//! `surroundings/probes.pl` has goals over every library. A program is drawn at random; before it, in its midst and after it some of the libraries
//! are called. The results are those of a process without the program.
//!
//! `SAMITE_SEED=n` is the first seed, `SAMITE_PROGRAMS=n` how many there are.

mod common;

use common::{LIMIT, Scratch, finish, libraries, root, samite};
use std::fmt::Write;

/// A small generator of numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// What changes how text is read, and what rewrites it. (The rest of the program is in canonical form, and of module `user`.)
const DIRECTIVES: [&str; 17] = [
    ":- op(700, xfx, -).",
    ":- op(0, xfx, is).",
    ":- op(0, xfx, =..).",
    ":- op(0, fy, \\+).",
    ":- op(700, fx, append).",
    ":- op(200, xfy, ->).",
    ":- op(0, xfx, -->).",
    ":- op(1150, fx, must_be).",
    ":- op(100, xf, \\).",
    ":- set_prolog_flag(double_quotes, atom).",
    ":- set_prolog_flag(double_quotes, codes).",
    ":- set_prolog_flag(back_quotes, string).",
    ":- set_prolog_flag(style_singleton, false).",
    "term_expansion(_, []) :- foreign.",
    "goal_expansion(G, throw(expanded)) :- foreign, \\=(G, throw(_)).",
    ":(system, term_expansion(_, [])) :- foreign.",
    ":(system, goal_expansion(G, fail)) :- foreign, \\==(G, fail).",
];

/// Prints a clause of each predicate of a library that a program may define, exported or not.
const NAMES: &str = r"
main(Libraries) :-
    forall('$member'(L, Libraries), '$load_library'(L)),
    findall(N/A, ( '$member'(L, Libraries), '$library_module'(M, L), current_predicate(M:N/A), functor(H, N, A), \+ predicate_property(system:H, defined) ), PIs0),
    sort(PIs0, PIs),
    forall(( '$member'(N/A, PIs), functor(H, N, A) ),
           ( write_term((H :- throw(of_the_program(N, A))), [quoted(true), ignore_ops(true), numbervars(true), variable_names([])]), write('.'), nl )),
    forall('$member'(N/A, PIs), ( write_term((:- dynamic(N/A)), [quoted(true), ignore_ops(true)]), write('.'), nl )).
";

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

/// Runs a program; its output and what was said.
fn output(program: &str, goal: &str) -> (String, String) {
    let mut command = samite();
    command.args(["-q", "-g", goal, "-t", "halt", program]);
    let run = finish(command, b"", LIMIT).sound();
    (run.out, run.err)
}

/// The goals that call the probes of these libraries.
fn runs(libraries: &[String]) -> String {
    told("run", libraries)
}

fn told(what: &str, libraries: &[String]) -> String {
    let quoted: Vec<String> = libraries.iter().map(|l| format!("'{l}'")).collect();
    format!(":-(:(probes, {what}([{}]))).\n", quoted.join(","))
}

fn sorted(out: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = out.lines().collect();
    lines.sort_unstable();
    lines
}

/// What reads nothing of the program's, exports nothing, is asked for by the loader itself, or (`mt`) is not found by the names of its predicates.
const WITHOUT_PROBES: [&str; 12] = [
    "conditions",
    "goal_expansion",
    "imports",
    "lambdas",
    "messages",
    "mt",
    "plunit_messages",
    "recall",
    "statistics",
    "state",
    "system",
    "table_declarations",
];

#[test]
fn libraries_do_not_see_the_program() {
    let scratch = Scratch::new();
    let mut all = libraries::names();
    let probes = root().join("crates/cli/tests/surroundings/probes.pl");
    // What is no text of the program.
    let foreign =
        ":-(foreign, ','(prolog_load_context(module, M), \\+(memberchk(M, [user, probes])))).";
    let header = format!(":-(use_module('{}')).\n{foreign}\n", probes.display());

    let names = scratch.file("names.pl", NAMES);
    let quoted: Vec<String> = all.iter().map(|l| format!("'{l}'")).collect();
    let (definitions, said) = output(&names, &format!("main([{}])", quoted.join(",")));
    assert_eq!(said, "");
    let definitions: Vec<&str> = definitions.lines().collect();
    assert!(definitions.len() > 1500, "{}", definitions.len());

    let plain = scratch.file("plain.pl", format!("{header}{}", runs(&all)));
    let (expected, said) = output(&plain, "true");
    assert_eq!(said, "");
    let probed = |library: &&String| {
        let starts = [format!("[{library},"), format!("['{library}',")];
        let mut lines = expected.lines();
        lines.any(|l| starts.iter().any(|s| l.starts_with(s)))
            || WITHOUT_PROBES.contains(&library.as_str())
            // Who calls what they export has asked for them: tests/prolog/dialect.pl.
            || library.starts_with("dialect/")
    };
    let missing: Vec<_> = all.iter().filter(|l| !probed(l)).collect();
    assert!(
        missing.is_empty(),
        "goals for {missing:?} are to be added to {}",
        probes.display()
    );
    for line in expected.lines() {
        let broken = line.contains("|failed(") || !line.contains(',');
        assert!(!broken, "a probe without a result: {line}");
    }

    // All names are the program's.
    let program = scratch.file(
        "program.pl",
        format!("{header}{}{}", told("take", &all), runs(&all)),
    );
    let (out, said) = output(&program, "true");
    assert_eq!(out, expected, "{said}");

    let first = number("SAMITE_SEED", 1);
    for seed in first..first + number("SAMITE_PROGRAMS", 12) {
        let mut draw = Draw(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        draw.shuffle(&mut all);
        let (before, rest) = all.split_at(draw.below(all.len() / 2));
        let (within, after) = rest.split_at(draw.below(rest.len()));
        let mut text = header.clone();
        if draw.below(2) == 0 {
            text += &told("take", &all[..draw.below(all.len())]);
        }
        text += &runs(before);
        // In canonical form, so that it means the same whatever the operators are.
        let defined = 1 + draw.below(4);
        let (mut rules, mut dynamic) = (String::new(), String::new());
        for (i, definition) in definitions.iter().enumerate() {
            let take = draw.below(4) < defined;
            let rule = i < definitions.len() / 2;
            if rule && take {
                _ = writeln!(rules, "{definition}");
            } else if !rule && draw.below(8) == 0 {
                _ = writeln!(dynamic, "{definition}");
            }
        }
        text += &rules;
        let mut directives = DIRECTIVES.to_vec();
        draw.shuffle(&mut directives);
        directives.truncate(draw.below(DIRECTIVES.len() + 1));
        for directive in directives {
            // (Each is one line, read before it holds. What has been read changes how the next one is.)
            _ = writeln!(text, "{directive}");
        }
        text += &runs(within);
        text += &dynamic;
        text += &runs(after);
        let program = scratch.file("program.pl", &text);
        let (out, said) = output(&program, "true");
        let (got, wanted) = (sorted(&out), sorted(&expected));
        let lost: Vec<_> = wanted.iter().filter(|l| !got.contains(l)).collect();
        let other: Vec<_> = got.iter().filter(|l| !wanted.contains(l)).collect();
        assert_eq!(
            got, wanted,
            "SAMITE_SEED={seed}\nlost: {lost:#?}\nin place of it: {other:#?}\n{said}"
        );
    }
}
