//! What directives of files say that is neither a clause nor a declaration: goals of `at_halt/1` and `initialization/2`, settings, what modules inherit
//! from and their class, licenses, flags that hold for a file. It is that of the version of the file that was loaded last.
//!
//! `SAMITE_SEED=n` and `SAMITE_HISTORIES=n` choose other random histories.

mod common;

use common::random::{Random, setting};
use common::{LIMIT, Run, Scratch, finish, samite};
use std::fmt::Write;

const TEXTS: &str = r"
load(Name, Text) :- atom_concat(Name, '.pl', F), open(F, write, S), write(S, Text), close(S), load_files(user:Name, []).
show(G) :- catch(findall(G, G, L), error(E, _), L = E), print(L), nl.
inherits(M) :- findall(I, import_module(M, I), L), ( module_property(M, class(C)) -> true ; C = user ), print(L-C), nl.
";

fn run(text: &str) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{TEXTS}{text}"));
    let mut command = samite();
    command.current_dir(scratch.path(""));
    command.args(["-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT).status(0)
}

fn prints(text: &str, expected: &str) {
    run(text).silent().prints(expected);
}

#[test]
fn goals_for_the_end_run_once() {
    let text = ":- at_halt(writeln(a)). :- initialization(at_halt(writeln(b))). :- user:at_halt(writeln(c)).";
    let again = format!("run :- load(x, '{text}'), load(x, '{text}')");
    prints(&format!("{again}."), "b\na\nc\n");
    prints(
        &format!("{again}, load(x, ':- at_halt(writeln(d)).')."),
        "d\n",
    );
    prints(&format!("{again}, load(x, '')."), "");
    prints(&format!("{again}, unload_file(x)."), "");
}

/// They may not do it again.
#[test]
fn what_goals_within_goals_register_stays() {
    prints(
        r"
:- dynamic(begun/0).
begin :- begun, !.
begin :- assertz(begun), at_halt(writeln(end)).
run :- load(x, ':- begin.'), load(x, ':- begin.'), load(x, ':- at_halt(writeln(x)).').
",
        "end\nx\n",
    );
}

#[test]
fn goals_for_the_beginning_are_those_of_the_version() {
    let first = ":- initialization(writeln(p), program). :- initialization(writeln(m), main).";
    prints(
        &format!("run :- load(x, '{first}'), load(x, '{first}')."),
        "p\nm\n",
    );
    prints(
        &format!("run :- load(x, '{first}'), load(x, ':- initialization(writeln(q), program).')."),
        "q\n",
    );
    prints(
        &format!(
            "run :- load(x, '{first}'), load(y, ':- initialization(writeln(n), main).'), load(y, '')."
        ),
        "p\nm\n",
    );
}

#[test]
fn settings_are_those_of_the_version() {
    prints(
        r"
text(Ss, T) :- with_output_to(string(T), ( writeln(':- module(s, []). :- use_module(library(settings)).'), forall(member(S, Ss), format(':- ~q. ', [S])) )).
settings(Ss) :- text(Ss, T), load(s, T), findall(K = V, ( current_setting(s:K), setting(s:K, V) ), L), print(L), nl.
run :-
    settings([setting(port, integer, 1, ''), setting(name, atom, bob, '')]),
    set_setting(s:port, 7), settings([setting(port, integer, 2, '')]), show(setting(s:name, _)),
    settings([setting(port, atom, ftp, '')]),
    load(t, ':- setting(s:port, atom, other, a).'), show(setting(s:port, _)), load(t, ''), show(setting(s:port, _)),
    unload_file(s), show(setting(s:port, _)).
",
        "[port=1,name=bob]\n[port=7]\nexistence_error(setting,s:name)\n[port=ftp]\n[setting(s:port,other)]\n[setting(s:port,ftp)]\nexistence_error(setting,s:port)\n",
    );
}

#[test]
fn what_modules_inherit_from_is_that_of_the_version() {
    prints(
        r"
xyz :- writeln(xyz).
text(Ds) :- with_output_to(string(T), ( writeln(':- module(m, [])'), writeln('.'), forall(member(D, Ds), format(':- ~q. ', [D])) )), load(m, T).
is(Ds) :- text(Ds), inherits(m).
run :-
    is([set_module(base(system)), set_module(class(library))]),
    is([xyz]),
    is([add_import_module(m, lists, start)]), is([add_import_module(m, lists, end)]), is([delete_import_module(m, user)]), is([xyz]),
    load(f, ':- add_import_module(m, lists, start).'), inherits(m), is([set_module(base(system))]), is([]), load(f, ''), inherits(m),
    add_import_module(m, apply, end), is([add_import_module(m, lists, end)]), is([]), is([set_module(base(system))]), unload_file(m), inherits(m).
",
        "[system]-library\nxyz\n[user]-user\n[lists,user]-user\n[user,lists]-user\n[]-user\nxyz\n[user]-user\n[lists,user]-user\n[system]-user\n[lists,user]-user\n[user]-user\n[user,apply,lists]-user\n[user,apply]-user\n[system]-user\n[user,apply]-user\n",
    );
}

/// A name that has been called means what its module inherits now.
#[test]
fn what_is_inherited_no_longer_is_unknown() {
    prints(
        r"
xyz.
run :- load(m, ':- module(m, []).'), show(m:xyz), set_module(m:base(system)), show(m:xyz), set_module(m:base(user)), show(m:xyz).
",
        "[m:xyz]\nexistence_error(procedure,m:xyz/0)\n[m:xyz]\n",
    );
}

#[test]
fn a_load_that_is_left_says_nothing() {
    prints(
        r"
left(Name, T0) :- atom_concat(T0, ' :- throw(stop).', T), catch(load(Name, T), stop, true).
run :-
    load(m, ':- module(m, []). :- set_module(base(system)). :- set_module(class(test)). :- at_halt(writeln(one)). :- setting(m:a, atom, b, c).'),
    inherits(m),
    left(m, ':- module(m, []). :- add_import_module(m, lists, start). :- set_module(class(library)). :- at_halt(writeln(two)). :- setting(m:a, atom, d, c).'),
    inherits(m), show(setting(m:a, _)), unload_file(m), inherits(m), load(f, ':- at_halt(writeln(three)).').
",
        "[system]-test\n[system]-test\n[setting(m:a,b)]\n[user]-user\nthree\n",
    );
}

#[test]
fn flags_of_a_file_end_with_it() {
    run(
        r"
flags :- findall(F, ( member(F, [optimise, xref, generate_debug_info]), current_prolog_flag(F, true) ), L), print(L), nl.
run :-
    load(x, ':- set_prolog_flag(optimise, true). :- set_prolog_flag(xref, true). :- set_prolog_flag(generate_debug_info, false). :- flags.'), flags,
    load(y, 't(X) :- assertion(X > 1). '), catch(t(0), _, writeln(checked)).
",
    )
    .prints("[optimise,xref]\n[generate_debug_info]\nchecked\n")
    .warns(&["Assertion failed"]);
}

/// A version of a file, of its own module or of none.
fn version(draw: &mut Random, file: &str) -> String {
    let mut text = String::new();
    // Only this file has a say in it: whose word is the last depends on the order of loads.
    let mut of = "m3";
    if file != "f" {
        _ = writeln!(text, ":- module({file}, []).");
        of = file;
    }
    for _ in 0..draw.below(7) {
        let k = draw.below(3);
        let import = draw.one(&["lists", "aside", "system", "user"]);
        let place = draw.one(&["start", "end"]);
        let class = draw.one(&["library", "test", "user"]);
        let goal = match draw.below(11) {
            0 => format!("at_halt(bye({file}, {k}))"),
            1 => format!("initialization(at_halt(bye({file}, {k})))"),
            2 => format!("setting({of}:s{k}, integer, {}, '')", draw.below(9)),
            3 => format!("setting(shared:{file}{k}, atom, {class}, '')"),
            4 => format!("set_module({of}:base({import}))"),
            5 => format!("set_module({of}:class({class}))"),
            6 => format!("add_import_module({of}, {import}, {place})"),
            7 => format!("ignore(delete_import_module({of}, {import}))"),
            8 => format!("license(free, part{k})"),
            9 => format!("initialization(user:bye({file}, program({k})), program)"),
            _ => "set_prolog_flag(optimise, true)".to_string(),
        };
        _ = writeln!(text, ":- {goal}.");
    }
    text
}

const HISTORY: &str = r"
:- use_module(library(settings)).
bye(F, K) :- print(bye(F, K)), nl.
show :-
    forall(member(M, [m1, m2, m3]), inherits(M)),
    findall(S = V, ( current_setting(M:K), S = M:K, setting(S, V) ), Ss), msort(Ss, Sorted), print(Sorted), nl,
    with_output_to(string(T), license), split_string(T, '\n', '', Ls), msort(Ls, Licenses), print(Licenses), nl,
    findall(F, ( member(F, [optimise, xref]), current_prolog_flag(F, true) ), Fs), print(Fs), nl.
quietly(F) :- catch(load_files(user:F, []), stop, true).
";

#[test]
fn histories() {
    let first = setting("SAMITE_SEED", 1);
    for seed in first..first + setting("SAMITE_HISTORIES", 25) {
        let mut draw = Random::new(seed);
        let scratch = Scratch::new();
        let program = scratch.file("program.pl", format!("{TEXTS}{HISTORY}"));
        let files = ["m1", "m2", "f"];
        let mut now = vec![String::new(); files.len()];
        let mut goals = Vec::new();
        let mut all = String::new();
        for step in 0..2 + draw.below(5) {
            for (i, file) in files.iter().enumerate() {
                if step > 0 && draw.chance(40) {
                    continue;
                }
                let mut text = version(&mut draw, file);
                let left = step > 0 && draw.chance(20);
                if left {
                    text += ":- throw(stop).\n";
                } else {
                    if draw.chance(20) {
                        goals.push(format!("unload_file({file})"));
                    }
                    now[i] = text.clone();
                }
                let name = scratch.file(&format!("{step}_{file}.txt"), &text);
                _ = writeln!(all, "% {step} {file}\n{text}");
                goals.push(format!(
                    "read_file_to_string('{name}', T{step}{i}, []), open('{file}.pl', write, S{step}{i}), write(S{step}{i}, T{step}{i}), close(S{step}{i}), quietly({file})"
                ));
            }
        }
        let run = |goals: String| {
            let mut command = samite();
            command.current_dir(scratch.path(""));
            command.args(["-g", &format!("{goals}, show"), "-t", "halt", &program]);
            let run = finish(command, b"", LIMIT).sound();
            let (mut last, state): (Vec<String>, Vec<String>) =
                (run.out.lines().map(String::from)).partition(|l| l.starts_with("bye"));
            // Goals for the end run in the order in which the files were loaded last.
            last.sort();
            (state, last)
        };
        let again = run(goals.join(", "));
        for (file, text) in files.iter().zip(&now) {
            scratch.file(&format!("{file}.pl"), text);
        }
        let fresh = run("quietly(m1), quietly(m2), quietly(f)".to_string());
        assert_eq!(again, fresh, "SAMITE_SEED={seed}\n{all}");
        assert!(again.0.len() > 5, "SAMITE_SEED={seed}\n{all}\n{again:?}");
    }
}
