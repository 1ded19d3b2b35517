//! Random histories of a program of several files: edited, loaded again, called by other threads meanwhile. After any of them the program
//! answers, and the last load prints, as in a fresh process that loads the last version; what other threads have asserted stays, and
//! nobody sees half of a version.
//!
//! The files load each other: modules that import each other, files that consult others, include them, have them loaded if they have changed.
//! In a fresh process one that is used is loaded in the midst of the one that uses it, in the other it is there: so what is printed is
//! compared without its order.
//!
//! `SAMITE_SEED=n` is the first seed, `SAMITE_HISTORIES=n` how many there are.

mod common;

use common::{LIMIT, Scratch, finish, samite};
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
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    /// A part of the items, in order.
    fn some<'a>(&mut self, items: &[&'a str]) -> Vec<&'a str> {
        let all = items.iter().copied();
        all.filter(|_| self.below(3) > 0).collect()
    }
}

const PREDICATES: [&str; 4] = ["a", "b", "c", "d"];
/// So many facts of `v/2` and of `dv/2` are in each version, all with the version's number.
const WHOLE: usize = 6;

/// The text of a file: clauses of the predicates, in an order that may mix them, among directives.
struct Text {
    text: String,
    lines: Vec<String>,
}

impl Text {
    fn declare(&mut self, line: String) {
        self.text += &line;
        self.text.push('\n');
    }
    /// The rest, shuffled if clauses may be anywhere.
    fn finish(mut self, draw: &mut Draw, mixed: bool) -> String {
        if mixed {
            for i in (1..self.lines.len()).rev() {
                self.lines.swap(i, draw.below(i + 1));
            }
        }
        for line in self.lines {
            self.text += &line;
            self.text.push('\n');
        }
        self.text
    }
}

fn clause(draw: &mut Draw, p: &str, of: &str) -> String {
    let (x, y) = (draw.below(4), draw.below(4));
    match draw.below(5) {
        0 => format!("{p}(X, {y}) :- e_{of}(X), X > {x}."),
        4 => format!("{p}({x}, Y) :- findall(X, goal_{of}(X), [Y])."),
        1 => format!("tag_{of}({p}, {x})."),
        _ => format!("{p}({x}, {y})."),
    }
}

fn directive(draw: &mut Draw, p: &str, module: &str) -> String {
    let k = draw.below(9);
    match draw.below(7) {
        0 => format!(":- report({module}:{p}(_, _))."),
        1 => format!(":- initialization(report({module}:{p}(_, _)))."),
        2 => format!(":- retractall(z(_)), assertz(z({k})), report({module}:z(_))."),
        3 => format!(":- retractall(w(7)), assertz(w(7)), report({module}:w(_))."),
        4 => ":- throw(error(a_ball, here)).".into(),
        5 => format!("{p}(1, 2 3)."),
        _ => format!(":- {p}(1, unlikely)."),
    }
}

/// The ways to load two files that are no modules from the main one. What has been loaded then is loaded no more.
fn loads(draw: &mut Draw) -> Vec<String> {
    let mut all: Vec<String> = match draw.below(4) {
        0 => vec![":- consult([p1, p2])."],
        1 => vec![":- load_files([p1, p2], [if(changed)])."],
        2 => vec![":- [p1], consult(p2)."],
        _ => vec![":- consult(p1).", ":- load_files(p2, [if(changed)])."],
    }
    .into_iter()
    .map(String::from)
    .collect();
    let p = ["p1", "p2"][draw.below(2)];
    all.push(match draw.below(5) {
        0 => format!(":- ensure_loaded({p})."),
        1 => format!(":- load_files({p}, [if(changed)])."),
        2 => format!(":- load_files({p}, [if(not_loaded)])."),
        3 => format!(
            ":- catch(load_files({p}, [must_be_module(true)]), error(E, _), ( print_message_lines(user_error, '', ['~q'-[E], nl]) ))."
        ),
        // Itself: what has been read of it is there.
        _ => ":- consult(main).".into(),
    });
    all
}

/// A version of a file that the main one loads.
fn part(draw: &mut Draw, number: usize, name: &str) -> String {
    let mut t = Text {
        text: String::new(),
        lines: Vec::new(),
    };
    if draw.one_in(3) {
        t.declare(format!(":- dynamic({name}/2)."));
    }
    for k in 0..1 + draw.below(3) {
        t.lines.push(format!("{name}({number}, {k})."));
    }
    if draw.one_in(2) {
        t.lines.push(format!(":- report({name}(_, _))."));
    }
    if draw.one_in(3) {
        t.lines
            .push(format!(":- initialization(report({name}(_, _)))."));
    }
    if draw.one_in(3) {
        t.lines.push(format!(":- include('inc_{name}.pl')."));
    }
    t.finish(draw, false)
}

/// A version of a file. Module files export some of the predicates, of those that this one may.
fn version(draw: &mut Draw, number: usize, module: Option<&str>, exportable: &[&str]) -> String {
    let mut t = Text {
        text: String::new(),
        lines: Vec::new(),
    };
    let of = module.unwrap_or("user");
    let own = draw.some(match module {
        Some(_) => &PREDICATES,
        None => &["x", "y"],
    });
    match module {
        Some(m) => {
            let exports = draw.some(&own);
            let mut exports: Vec<String> = (exports.iter().filter(|p| exportable.contains(p)))
                .map(|p| format!("{p}/2"))
                .collect();
            exports.push(format!("of_{m}/1"));
            t.declare(format!(":- module({m}, [{}]).", exports.join(", ")));
            t.lines.push(format!("of_{m}({number})."));
        }
        None => {
            for m in draw.some(&["m1", "m2"]) {
                t.declare(match draw.below(3) {
                    0 => format!(":- load_files({m}, [if(not_loaded), must_be_module(true)])."),
                    _ => format!(":- use_module({m})."),
                });
            }
            for line in loads(draw) {
                t.declare(line);
            }
        }
    }
    // (All exports of one that is used later are those of the version before then.)
    if module == Some("m1") && draw.one_in(2) {
        t.declare(":- use_module(m2).".into());
        t.lines.push("other(X) :- of_m2(X).".into());
    }
    if module == Some("m2") && draw.one_in(2) {
        t.declare(":- use_module(m1, [of_m1/1]).".into());
        t.lines.push("other(X) :- of_m1(X).".into());
    }
    let mixed = draw.one_in(2);
    // Facts that readers in other threads look at.
    if mixed || draw.one_in(2) {
        t.declare(":- discontiguous([v/2, dv/2]).".into());
    }
    if draw.below(4) > 0 {
        t.declare(":- dynamic(dv/2).".into());
    }
    for p in ["v", "dv"] {
        for k in 0..WHOLE {
            t.lines.push(format!("{p}({number}, {k})."));
        }
    }
    if draw.one_in(3) {
        // What it takes away of itself, others still see in the version before.
        t.declare(":- dynamic(dz/1).".into());
        for k in 0..3 {
            t.declare(format!("dz({k})."));
        }
        let gone = draw.below(3);
        t.declare(format!(":- retract(dz({gone})), report({of}:dz(_))."));
        t.declare(":- discontiguous(dz/1).".into());
        t.lines.push("dz(4).".into());
    }
    t.declare(":- dynamic([z/1, w/1]).".into());
    for _ in 0..draw.below(3) {
        t.lines.push(format!("w({}).", draw.below(4)));
    }
    // What has no definition would be inherited from another file's version. So none is used where it has none, and hooks are for
    // their own file's terms.
    for p in own {
        let how = draw.below(10);
        match how {
            1 => t.declare(format!(":- dynamic({p}/2).")),
            2 => t.declare(format!(":- multifile({p}/2).")),
            3 => t.declare(format!(":- table({p}/2).")),
            4 => t.declare(format!(":- meta_predicate({p}(0, ?)).")),
            _ => {}
        }
        if mixed || draw.one_in(4) {
            t.declare(format!(":- discontiguous({p}/2)."));
        }
        t.lines.push(format!("{p}(0, first)."));
        for _ in 0..draw.below(4) {
            let c = clause(draw, p, of);
            t.lines.push(c);
        }
        if how == 5 {
            // It becomes dynamic with the clauses that it has.
            t.lines.push(format!(":- dynamic({p}/2)."));
            let c = clause(draw, p, of);
            t.lines.push(c);
        }
        // (A table that is complete before all clauses are there stays as it is, unless the file was loaded before.)
        if how != 3 && draw.one_in(3) {
            let d = directive(draw, p, of);
            t.lines.push(d);
        }
    }
    t.lines
        .push(format!("e_{of}({}). e_{of}(3).", draw.below(3)));
    if draw.one_in(3) {
        t.lines.push(format!(":- include('inc_{of}.pl')."));
    }
    match draw.below(4) {
        0 => t.declare(format!(
            "user:term_expansion(tag_{of}(P, X), F) :- F =.. [P, X, h{number}]."
        )),
        1 => {
            t.declare(format!(
                "user:term_expansion(tag_{of}(P, X), F) :- expanded(P, X, F)."
            ));
            t.declare(format!("expanded(P, X, F) :- F =.. [P, X, g{number}]."));
        }
        _ => {}
    }
    // (Without the hook the goal is one that nobody defines, and all answers are its error.)
    if draw.below(3) > 0 {
        t.declare(format!("user:goal_expansion(goal_{of}(X), X = x{number})."));
    }
    t.finish(draw, mixed)
}

/// Which predicates each of the two modules may export, and so which of them `user` imports from where: one name is never exported by both.
fn owners(draw: &mut Draw) -> [Vec<&'static str>; 2] {
    let (first, second) = PREDICATES.into_iter().partition(|_| draw.one_in(2));
    [first, second]
}

/// The files of a version, by name.
fn files(draw: &mut Draw, number: usize, owners: &[Vec<&str>; 2]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let [of_m1, of_m2] = &owners;
    for (name, module, exportable) in [
        ("m2", Some("m2"), of_m2),
        ("m1", Some("m1"), of_m1),
        ("main", None, &Vec::new()),
    ] {
        let text = version(draw, number, module, exportable);
        all.push((format!("{name}.pl"), text));
        let of = module.unwrap_or("user");
        let included: String = (0..draw.below(3))
            .map(|k| format!("i({k}, {number}).\n"))
            .collect();
        all.push((format!("inc_{of}.pl"), included));
    }
    for name in ["p1", "p2"] {
        all.push((format!("{name}.pl"), part(draw, number, name)));
        let included = format!("i_{name}({number}).\n");
        all.push((format!("inc_{name}.pl"), included));
    }
    all
}

/// What both processes run. `own/1` facts come from another thread all the while; readers look for half a version.
const COMMON: &str = r"
:- dynamic([saw/1, stop/0]).
:- multifile(user:portray_nothing/0).
answers(G, L) :- catch(findall(G, G, L), error(E, _), L = [E]).
report(G) :- answers(G, L0), exclude(of_others, L0, L), strip_module(G, _, P), functor(P, N, _), format(user_error, 'report ~w ~q~n', [N, L]).
show :-
    forall(( member(M, [user, m1, m2]), member(P, [a/2, b/2, c/2, d/2, x/2, y/2, v/2, dv/2, dz/1, e_user/1, e_m1/1, e_m2/1, i/2, w/1, other/1, p1/2, p2/2, i_p1/1, i_p2/1, us/1]) ),
           ( P = N/A, functor(G, N, A), answers(M:G, L0), exclude(of_others, L0, L1), ( N == w -> exclude(==(M:w(7)), L1, L) ; L = L1 ),
             findall(Q, ( member(Q, [discontiguous, tabled, exported, meta_predicate(_)]), catch(predicate_property(M:G, Q), _, fail) ), Qs),
             format('~q ~q ~q ~q~n', [M, P, L, Qs]) )).
% (Facts that a version's directives asserted stay, too.)
of_others(G) :- strip_module(G, _, w(own(_))).
look(M) :-
    forall(member(P, [v, dv]), (
        functor(G, P, 2), answers(M:G, L), findall(V, ( member(_:F, L), arg(1, F, V) ), Vs0), sort(Vs0, Vs), length(L, N),
        ( L = [existence_error(_, _)] -> true ; N == WHOLE, Vs = [_] -> true ; saw(_) -> true ; assertz(saw(M-L)) ) )),
    ( stop -> true ; thread_self(T), ( thread_peek_message(T, _) -> true ; true ), look(M) ).
adds(N) :-
    ( stop -> nb_setval(added, N) ; N1 is N + 1, assertz(user:w(own(N1))), sleep(0.0005), adds(N1) ), !.
edit(Directory, Version, Name) :-
    atomic_list_concat([Directory, /, Version, '_', Name], From), atomic_list_concat([Directory, /, Name], To),
    read_file_to_string(From, Text, []), open(To, write, S), write(S, Text), close(S).
load(Directory, Version) :-
    % (Clocks of file systems are coarse.)
    sleep(0.02),
    forall(member(N, ['m2.pl', 'inc_m2.pl', 'm1.pl', 'inc_m1.pl', 'main.pl', 'inc_user.pl', 'p1.pl', 'inc_p1.pl', 'p2.pl', 'inc_p2.pl']),
           edit(Directory, Version, N)),
    format(user_error, '--- ~w~n', [Version]),
    load_all(Directory, [if(changed)]),
    ( TWICE -> format(user_error, '--- ~w again~n', [Version]), load_all(Directory, []) ; true ),
    consult(user).
load_all(Directory, Options) :-
    findall(load_files(F, Options), ( member(N, ['m2.pl', 'm1.pl', 'main.pl']), atomic_list_concat([Directory, /, N], F) ), Loads),
    (   SEVERAL
    ->  findall(T, ( member(L, Loads), thread_create(L, T) ), Ts),
        forall(member(T, Ts), ( thread_join(T, S), ( S == true -> true ; print(S), nl ) ))
    ;   forall(member(L, Loads), L)
    ).
last([X], X) :- !.
last([_|Xs], X) :- last(Xs, X).
% After the first version, so that all of the file is there.
run(Directory, [V|Vs], Readers) :-
    load(Directory, V),
    (   Readers == true
    ->  findall(T, ( member(M, [user, m1, m2]), thread_create(look(M), T) ), Ts),
        thread_create(adds(0), A)
    ;   Ts = []
    ),
    forall(member(W, Vs), load(Directory, W)),
    assertz(stop), forall(member(T, Ts), thread_join(T, _)),
    (   Readers == true
    ->  thread_join(A, _), findall(N, w(own(N)), Ns), length(Ns, Count), ( Ns == [] -> true ; numlist(1, Count, Ns) -> true ; print(lost(Ns)), nl )
    ;   true
    ),
    show, findall(S, saw(S), Ss), print(saw(Ss)), nl.
";

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

/// The lines that differ.
fn difference(a: &str, b: &str) -> String {
    if a == b {
        return String::new();
    }
    let only = |sign: &str, a: &str, b: &str| -> String {
        let lines = a.lines().filter(|l| !b.lines().any(|m| m == *l));
        lines.map(|l| format!("{sign} {l}\n")).collect()
    };
    let lines = only("again:", a, b) + &only("fresh:", b, a);
    if lines.is_empty() {
        format!("in another order:\n{a}\n{b}\n")
    } else {
        lines
    }
}

#[test]
fn histories_of_several_files() {
    let first = number("SAMITE_SEED", 1);
    for seed in first..first + number("SAMITE_HISTORIES", 20) {
        let mut draw = Draw(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let scratch = Scratch::new();
        let versions = 2 + draw.below(4);
        // What is exported by another module than before, nobody can import from there until that is loaded, too: what came first stays. So
        // where such is moved, versions are loaded twice.
        let moves = draw.one_in(2);
        let mut who = owners(&mut draw);
        // By several threads at once: then what is printed depends on who comes first, and what the program answers does not.
        let several = draw.one_in(3);
        let mut all = String::new();
        for v in 1..=versions {
            if moves {
                who = owners(&mut draw);
            }
            for (name, text) in files(&mut draw, v, &who) {
                scratch.file(&format!("{v}_{name}"), &text);
                _ = writeln!(all, "%% {v} {name}\n{text}");
            }
        }
        let common = COMMON.replace("WHOLE", &WHOLE.to_string());
        let twice = if moves { "true" } else { "fail" };
        let common = common.replace("SEVERAL", if several { "true" } else { "fail" });
        let program = scratch.file("common.pl", common.replace("TWICE", twice));
        let directory = scratch.file("x", "").trim_end_matches("/x").to_string();
        let list: Vec<String> = (1..=versions).map(|v| v.to_string()).collect();
        let mut results = Vec::new();
        for (list, readers) in [(list.join(","), "true"), (versions.to_string(), "false")] {
            let goal = format!("run('{directory}', [{list}], {readers})");
            let mut command = samite();
            command.args(["-g", &goal, "-t", "halt", &program]);
            // For each version, what is consulted from the standard input.
            let input: String = list
                .split(',')
                .map(|v| format!("us({v}).\nus(0).\n:- report(us(_)).\nend_of_file.\n"))
                .collect();
            let run = finish(command, input.as_bytes(), LIMIT);
            let last = run.err.rsplit("---").next().unwrap_or("");
            // Each such text is a file of its own, and defines again what the one before did.
            let of_input = |line: &&str| !line.contains("user://") && !line.contains(" us/1");
            let mut printed: Vec<&str> = last.lines().filter(of_input).collect();
            printed.sort_unstable();
            let printed = printed.join("\n");
            results.push((run.status, run.out, printed));
        }
        let [again, fresh] = &results[..] else {
            unreachable!("two runs");
        };
        let different = difference(&again.1, &fresh.1)
            + &(if several {
                String::new()
            } else {
                difference(&again.2, &fresh.2)
            });
        assert!(
            different.is_empty(),
            "SAMITE_SEED={seed}\n{all}\n{different}"
        );
        assert_eq!(again.0, fresh.0, "SAMITE_SEED={seed}\n{all}");
        let whole = again.1.ends_with("saw([])\n");
        assert!(whole, "SAMITE_SEED={seed}\n{all}\n{}", again.1);
    }
}
