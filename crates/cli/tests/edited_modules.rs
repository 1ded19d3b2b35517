//! Modules that import from each other, edited and loaded again one by one: by make/0, by hand, unloaded and loaded. After each step every module
//! sees, exports and answers what it does in a fresh process that loads the files as they are then.
//!
//! No two modules define one name: of names that are imported from two modules the first stays, and which that is depends on the order of loads.
//!
//! `SAMITE_SEED=n` and `SAMITE_HISTORIES=n` choose other histories.

mod common;

use common::random::{Random, setting};
use common::{LIMIT, Scratch, finish, samite};
use std::fmt::Write;

/// Some of them, in order.
fn some<'a>(draw: &mut Random, of: &[&'a str], percent: usize) -> Vec<&'a str> {
    (of.iter().copied())
        .filter(|_| draw.chance(percent))
        .collect()
}

/// How a file asks for another one that has these names.
fn uses(draw: &mut Random, file: &str, names: &[&str], reexports: bool) -> String {
    let verb = if reexports && draw.chance(50) {
        "reexport"
    } else {
        "use_module"
    };
    let name = names[draw.below(names.len())];
    let other = names[draw.below(names.len())];
    match draw.below(7) {
        0 => format!(":- {verb}({file}, [{name}/1])."),
        1 => format!(":- {verb}({file}, [{name}/1, {other}/1])."),
        2 => format!(":- {verb}({file}, except([{name}/1]))."),
        3 => format!(":- {verb}({file}, [{name}/1 as {name}_{file}])."),
        4 => format!(":- {verb}({file}, except([{name}/1 as {name}_{file}]))."),
        _ => format!(":- {verb}({file})."),
    }
}

const OF_M1: [&str; 3] = ["e", "g", "k"];
const OF_M2: [&str; 2] = ["h", "q"];
const OF_M3: [&str; 2] = ["t", "u"];
const OF_F: [&str; 2] = ["a", "b"];

/// A version of a file.
fn text(draw: &mut Random, file: &str, version: usize) -> String {
    let mut text = String::new();
    let (own, goals): (&[&str], &[&str]) = match file {
        "m1" => (&OF_M1, &["b"]),
        "m2" => (&OF_M2, &["e", "g", "b"]),
        "m3" => (&OF_M3, &["e", "h", "q", "b"]),
        _ => (&OF_F, &["e", "t"]),
    };
    let defined = some(draw, own, 85);
    if file.starts_with('m') {
        let exports: Vec<String> = (some(draw, &defined, 70).iter())
            .map(|p| format!("{p}/1"))
            .collect();
        _ = writeln!(text, ":- module({file}, [{}]).", exports.join(", "));
    }
    if file == "m2" && draw.chance(80) {
        _ = writeln!(text, "{}", uses(draw, "m1", &OF_M1, true));
    }
    if file == "m3" && draw.chance(80) {
        let of_m2 = ["h", "q", "e", "g"];
        _ = writeln!(text, "{}", uses(draw, "m2", &of_m2, true));
        // The same may come from two modules, one of which does not reexport it any more later.
        if draw.chance(50) {
            _ = writeln!(text, "{}", uses(draw, "m1", &OF_M1, true));
        }
    }
    for p in defined {
        _ = writeln!(text, "{p}({version}).");
        // (No predicate calls itself through others: b, m1, m2, m3, a.)
        if p != "b" && draw.chance(40) {
            let goal = goals[draw.below(goals.len())];
            _ = writeln!(text, "{p}(X) :- {goal}(X).");
        }
    }
    text
}

/// The file that loads the others.
fn main_text(draw: &mut Random) -> String {
    let mut files = ["m1", "m2", "m3", "f"];
    for i in (1..files.len()).rev() {
        files.swap(i, draw.below(i + 1));
    }
    let mut text = String::new();
    for file in files {
        let names: &[&str] = match file {
            "m1" => &OF_M1,
            "m2" => &["h", "q", "e"],
            "m3" => &["t", "u", "h", "e"],
            _ => {
                text += ":- ensure_loaded(f).\n";
                continue;
            }
        };
        _ = writeln!(text, "{}", uses(draw, file, names, false));
    }
    text
}

/// What both processes run. (Clocks of file systems are coarse: hence the sleeps.)
const PROGRAM: &str = r"
names([e, g, k, h, q, t, u, a, b, e_m1, g_m1, k_m1, h_m2, q_m2, e_m2, g_m2, t_m3, u_m3, h_m3, e_m3]).
answers(G, L) :- catch(findall(G, call_with_inference_limit(G, 10000, _), L0), error(E, _), L0 = E), ( is_list(L0) -> msort(L0, L) ; L = L0 ).
show :-
    forall(member(M, [user, m1, m2, m3]), (
        names(Ns),
        forall(member(N, Ns), (
            G =.. [N, _], answers(M:G, L),
            ( catch(predicate_property(M:G, imported_from(From)), _, fail) -> true ; From = none ),
            ( L = existence_error(_, _), From == none -> true ; format('~q ~q ~q~n', [M:N, From, L]) ) )),
        ( M \== user, module_property(M, exports(Es0)) -> msort(Es0, Es), format('~q exports ~q~n', [M, Es]) ; true ) )).
put(D, Step, Name) :-
    atomic_list_concat([D, Step, '_', Name, '.txt'], From), atomic_list_concat([D, Name, '.pl'], To),
    ( exists_file(From) -> read_file_to_string(From, T, []), sleep(0.01), open(To, write, S), write(S, T), close(S) ; true ).
all(D, Step) :- forall(member(N, [m1, m2, m3, f, main]), put(D, Step, N)).
step(D, Step, How) :- all(D, Step), forall(member(N, [m1, m2, m3, f, main]), changed(How, D, Step, N)), ( How == make -> make ; true ), quietly(show).
changed(How, D, Step, N) :-
    atomic_list_concat([D, Step, '_', N, '.txt'], From), atomic_list_concat([D, N, '.pl'], F),
    ( exists_file(From), How \== make -> load(How, F) ; true ).
load(each, F) :- again(F).
load(unload, F) :- unload_file(F), again(F).
% (Modules by one that nobody looks at: what it imports is its own.)
again(F) :- ( member(N, ['main.pl', 'f.pl']), sub_atom(F, _, _, 0, N) -> Into = user ; Into = aside ), load_files(Into:F, []).
quietly(G) :- with_output_to(string(_), G).
";

#[test]
fn modules_that_are_edited() {
    let first = setting("SAMITE_SEED", 1);
    let mut failed = Vec::new();
    for seed in first..first + setting("SAMITE_HISTORIES", 25) {
        let mut draw = Random::new(seed);
        let scratch = Scratch::new();
        let program = scratch.file("program", PROGRAM);
        let directory = program.trim_end_matches("program").to_string();
        let files = ["m1", "m2", "m3", "f"];
        let mut now: Vec<String> = files.iter().map(|f| text(&mut draw, f, 0)).collect();
        let mut main = main_text(&mut draw);
        let mut all = String::new();
        let mut goals =
            format!("all('{directory}', 0), load_files('{directory}main', []), quietly(show)");
        let steps = 1 + draw.below(4);
        for step in 0..=steps {
            if step > 0 {
                let how = draw.one(&["make", "make", "each", "unload"]);
                _ = write!(goals, ", step('{directory}', {step}, {how})");
                _ = writeln!(all, "%% {how}");
            }
            for (i, file) in files.iter().enumerate() {
                if step > 0 && draw.chance(55) {
                    continue;
                }
                now[i] = text(&mut draw, file, step);
                scratch.file(&format!("{step}_{file}.txt"), &now[i]);
                _ = writeln!(all, "% {step} {file}\n{}", now[i]);
            }
            if step == 0 || draw.chance(20) {
                main = main_text(&mut draw);
                scratch.file(&format!("{step}_main.txt"), &main);
                _ = writeln!(all, "% {step} main\n{main}");
            }
        }
        let run = |goals: String| {
            let mut command = samite();
            command.args([
                "-g",
                &format!("{goals}, show"),
                "-t",
                "halt",
                "-l",
                &program,
            ]);
            let run = finish(command, b"", LIMIT).sound();
            (run.out, run.err)
        };
        let (again, messages) = run(goals);
        for (i, file) in files.iter().enumerate() {
            scratch.file(&format!("{file}.pl"), &now[i]);
        }
        scratch.file("main.pl", &main);
        let (fresh, _) = run(format!("load_files('{directory}main', [])"));
        if again != fresh {
            let only = |a: &str, b: &str, sign: &str| -> String {
                let lines = a.lines().filter(|l| !b.lines().any(|m| m == *l));
                lines.map(|l| format!("{sign} {l}\n")).collect()
            };
            let lines = only(&again, &fresh, "again:") + &only(&fresh, &again, "fresh:");
            failed.push(format!("SAMITE_SEED={seed}\n{all}\n{lines}\n{messages}"));
        }
    }
    assert!(
        failed.is_empty(),
        "{} differ; one:\n{}",
        failed.len(),
        failed[0]
    );
}
