//! The command line: exit statuses and what is printed, for good and bad programs, goals and input. Statuses are compared with
//! SWI-Prolog's where it is installed.

mod common;
#[path = "common/same.rs"]
mod same;

use common::{LIMIT, Scratch, finish, run, samite};
use same::{same_output, same_status};
use std::process::Command;

const MAIN: &str = "
:- initialization(main, main).
main :- current_prolog_flag(argv, A), act(A).
act([ok]) :- write(done), nl.
act([fails]) :- fail.
act([raises]) :- throw(ball).
act([halts]) :- halt(3).
act([type]) :- X is foo+1, write(X).
act([undefined]) :- no_such_predicate.
";

#[test]
fn goals() {
    same_status(&["-g", "true", "-t", "halt"], 0)
        .prints("")
        .silent();
    same_status(&["-g", "write(a)", "-g", "write(b)", "-t", "halt"], 0).prints("ab");
    same_status(&["-g", "halt"], 0).prints("").silent();
    same_status(&["-g", "halt(5)"], 5).prints("").silent();
    same_status(&["-g", "fail", "-t", "halt"], 1).warns(&["-g fail", "false"]);
    same_status(&["-g", "fail", "-g", "write(no)", "-t", "halt"], 1).prints("");
    same_status(&["-g", "throw(ball)", "-t", "halt"], 2).warns(&["-g throw(ball)", "ball"]);
    same_status(&["-g", "atom_length(_, _)", "-t", "halt"], 2)
        .warns(&["Arguments are not sufficiently instantiated"]);
    same_status(&["-g", "no_such(1)", "-t", "halt"], 2).warns(&["Unknown procedure", "no_such/1"]);
    same_status(&["-g", "X = )", "-t", "halt"], 2).warns(&["Syntax error"]);
}

#[test]
fn toplevel_goals() {
    same_status(&["-t", "halt"], 0).prints("");
    same_status(&["-t", "halt(7)"], 7).prints("");
    same_status(&["-t", "fail"], 1);
    same_status(&["-t", "write(x)"], 0).prints("x");
}

#[test]
fn options() {
    same_status(&["--no-such-option"], 1).warns(&["no-such-option"]);
    run(&["--version"], "").status(0).prints(concat!(
        "Samite version ",
        env!("CARGO_PKG_VERSION"),
        "\n"
    ));
    let numbers: Vec<u32> = (env!("CARGO_PKG_VERSION").split('.'))
        .map(|n| n.parse().unwrap())
        .collect();
    let version = numbers[0] * 10_000 + numbers[1] * 100 + numbers[2];
    run(
        &[
            "-g",
            "current_prolog_flag(version, V), print(V)",
            "-t",
            "halt",
        ],
        "",
    )
    .prints(&version.to_string());
    run(&["--help"], "")
        .status(0)
        .prints_parts(&["Usage", "-g goal"]);
    run(&["--memory-limit=nonsense", "-g", "halt"], "")
        .status(1)
        .warns(&["memory-limit"]);
    run(&["-g"], "").status(1);
}

#[test]
fn arguments() {
    let goal = "current_prolog_flag(argv, A), print(A), nl";
    let scratch = Scratch::new();
    let file = scratch.file("empty.pl", "");
    run(
        &["-g", goal, "-t", "halt", &file, "--", "a", "-b", "c d"],
        "",
    )
    .status(0)
    .prints("[a,'-b','c d']\n");
    run(&["-g", goal, "-t", "halt", &file, "a", "b"], "")
        .status(0)
        .prints("[a,b]\n");
}

#[test]
fn scripts() {
    let scratch = Scratch::new();
    let file = scratch.file("main.pl", MAIN);
    same_status(&[&file, "ok"], 0).prints("done\n").silent();
    same_status(&[&file, "fails"], 1).prints("");
    same_status(&[&file, "raises"], 2).warns(&["ball"]);
    same_status(&[&file, "halts"], 3).prints("").silent();
    same_status(&[&file, "type"], 2).warns(&["foo/0"]);
    same_status(&[&file, "undefined"], 2).warns(&["no_such_predicate"]);
}

#[test]
fn initialization_after_load() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "init.pl",
        ":- initialization((p(X), write(X), nl)).\n\
         :- initialization(fail).\n\
         :- initialization(throw(ball)).\n\
         p(late).\n",
    );
    run(&["-t", "halt", &file], "")
        .prints_parts(&["late\n"])
        .warns(&["ball"]);
    let halting = scratch.file(
        "halting.pl",
        ":- write(a), nl.\n:- halt(6).\n:- write(b), nl.\n",
    );
    same_status(&[&halting], 6).prints("a\n").silent();
}

/// What is thrown and is no error ends the load, and those around it, for who catches it or the program. What was loaded until then stays.
#[test]
fn a_ball_ends_the_load() {
    let scratch = Scratch::new();
    let ball = scratch.file(
        "ball.pl",
        ":- dynamic d/1.\np(1).\nd(1).\n:- write(before), nl.\n:- throw(ball).\np(2).\n:- write(after), nl.\n",
    );
    same_output(&["-g", "write(no)", "-t", "halt", &ball], 1, "before\n")
        .warns(&["Prolog initialisation failed:", "ball"]);
    let loads = format!("consult('{ball}')");
    same_output(&["-g", &loads, "-t", "halt"], 2, "before\n").warns(&["ball"]);
    let shows = "forall(p(X), print(p(X))), forall(d(X), print(d(X))), nl, ( prolog_load_context(source, _) -> true ; print(out) ), nl";
    let caught = format!("catch({loads}, B, true), print(B), nl, {shows}");
    same_output(
        &["-g", &caught, "-t", "halt"],
        0,
        "before\nball\np(1)d(1)\nout\n",
    )
    .silent();
    let twice = format!("catch({loads}, _, true), catch({loads}, C, true), print(C), nl, {shows}");
    same_output(
        &["-g", &twice, "-t", "halt"],
        0,
        "before\nbefore\nball\np(1)d(1)\nout\n",
    )
    .silent();
    for (name, text) in [
        ("loads.pl", ":- consult(ball).\n:- write(no).\n"),
        ("includes.pl", ":- include(ball).\n:- write(no).\n"),
        (
            "modular.pl",
            ":- module(modular, []).\n:- initialization(write(no)).\n:- ensure_loaded(ball).\n",
        ),
    ] {
        let outer = scratch.file(name, text);
        let goal = format!(
            "catch(load_files('{outer}', []), B, true), print(B), nl, ( prolog_load_context(source, _) -> true ; print(out) ), nl"
        );
        same_output(&["-g", &goal, "-t", "halt"], 0, "before\nball\nout\n").silent();
    }
    let expands = scratch.file(
        "expands.pl",
        "term_expansion(a, _) :- throw(ball).\nb.\na.\n:- write(no).\n",
    );
    let goal = format!("catch(consult('{expands}'), B, true), print(B), nl, b");
    same_output(&["-g", &goal, "-t", "halt"], 0, "ball\n").silent();
    // Conditions and errors are told of.
    let goes_on = scratch.file(
        "goes_on.pl",
        ":- if(throw(ball)).\n:- write(no).\n:- else.\n:- write(yes), nl.\n:- endif.\n:- throw(error(ball, _)).\n:- write(on), nl.\n",
    );
    same_output(&["-t", "halt", &goes_on], 0, "yes\non\n").warns(&["goes_on.pl:1:", "ball", ":6:"]);
}

#[test]
fn library_main_passes_all_arguments() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "main.pl",
        ":- use_module(library(main)).\n:- initialization(main, main).\nmain(Words) :- print(Words), nl.\n",
    );
    same_output(&[&file, "a", "b"], 0, "[a,b]\n").silent();
    same_output(&[&file], 0, "[]\n").silent();
    // It calls main/1 of the module that it is called in.
    for library in ["", ":- use_module(library(main)).\n"] {
        let file = scratch.file(
            "module.pl",
            format!(":- module(m, []).\n{library}:- initialization(main, main).\nmain(Words) :- own, print(Words), nl.\nown :- print(own), nl.\n"),
        );
        same_output(&[&file, "a"], 0, "own\n[a]\n").silent();
    }
    scratch.file(
        "other.pl",
        ":- module(other, [go/0]).\n:- use_module(library(main)).\nmain(Words) :- print(other(Words)), nl.\ngo :- main.\n",
    );
    let file = scratch.file(
        "both.pl",
        ":- use_module(other).\n:- initialization(main, main).\nmain(Words) :- print(user(Words)), nl, go.\n",
    );
    same_output(&[&file, "a"], 0, "user([a])\nother([a])\n").silent();
}

/// A hook that raises something for every message: what ends the program is told all the same, and in words.
#[test]
fn what_a_hook_keeps_from_being_told_is_told() {
    let scratch = Scratch::new();
    let file = scratch.file("hook.pl", "user:message_hook(_, _, _) :- throw(oops).\n");
    same_output(&["-g", "true", "-t", "halt", &file], 1, "").warns(&[
        "Prolog initialisation failed: oops",
        "raised while that was to be told: oops",
    ]);
}

/// Conditions are those of the file they stand in.
#[test]
fn conditions_end_with_their_file() {
    let scratch = Scratch::new();
    scratch.file("open.pl", "\n:- if(fail).\na.\n");
    scratch.file("throws.pl", ":- if(true).\n:- throw(ball).\n:- endif.\n");
    scratch.file(
        "closes.pl",
        ":- else.\n:- write(inner), nl.\n:- endif.\n:- elif(true).\n",
    );
    let thrown = scratch.file(
        "thrown.pl",
        ":- catch(consult(throws), _, true).\n:- write(seen), nl.\n:- endif.\n:- write(end), nl.\n",
    );
    same_output(&["-t", "halt", &thrown], 0, "seen\nend\n")
        .warns(&["thrown.pl:3:", ":- endif without :- if"]);
    let outer = scratch.file(
        "outer.pl",
        ":- if(true).\n:- consult(closes).\n:- write(then), nl.\n:- else.\n:- write(no), nl.\n:- endif.\n",
    );
    same_output(&["-t", "halt", &outer], 0, "inner\nthen\n").warns(&[
        "closes.pl:1:",
        ":- else without :- if",
        "closes.pl:3:",
        ":- endif without :- if",
        ":- elif without :- if",
    ]);
    // In SWI-Prolog nothing of the file around it is loaded then.
    let around = scratch.file("around.pl", ":- consult(open).\n:- write(seen), nl.\n");
    run(&["-t", "halt", &around], "")
        .status(0)
        .prints("seen\n")
        .warns(&["Unterminated conditional compilation from ", "open.pl:2"]);
}

/// What a file includes has conditions of its own, and cannot be what it is included by.
#[test]
fn included_text_is_a_text_of_its_own() {
    let scratch = Scratch::new();
    scratch.file("closes.pl", "a(1).\n:- endif.\na(2).\n");
    scratch.file("open.pl", "b(1).\n:- if(fail).\nb(2).\n");
    let outer = scratch.file(
        "outer.pl",
        ":- if(true).\n:- include(closes).\n:- else.\na(no).\n:- endif.\n:- include(open).\nb(3).\n\
         :- initialization(( findall(X, a(X), L), findall(Y, b(Y), M), print(L-M), nl )).\n",
    );
    run(&["-t", "halt", &outer], "")
        .prints("[1,2]-[1,3]\n")
        .warns(&[
            ":- endif without :- if",
            "Unterminated conditional compilation from ",
            "open.pl:2",
        ]);
    scratch.file("around.pl", ":- include(itself).\n");
    let itself = scratch.file(
        "itself.pl",
        "a(1).\n:- include(itself).\n:- include(around).\na(2).\n:- initialization(( findall(X, a(X), L), print(L), nl )).\n",
    );
    run(&["-t", "halt", &itself], "")
        .prints("[1,2]\n")
        .warns(&["No permission to include source_sink", "It is being read"]);
}

/// Text from a stream, and in an encoding that an option or the text itself says.
#[test]
fn where_the_text_of_a_load_comes_from() {
    let scratch = Scratch::new();
    let latin = |name: &str, text: &str| {
        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        scratch.file(name, bytes)
    };
    latin("said.pl", ":- encoding(iso_latin_1).\nsaid('\u{e9}').\n");
    latin("option.pl", "option('\u{e9}').\n");
    let program = scratch.file(
        "p.pl",
        ":- use_module(library(lists)).\n\
         :- include(said).\n\
         refused(G) :- catch(G, error(E, _), true), print(E), nl.\n\
         :- load_files(option, [encoding(iso_latin_1)]).\n\
         :- said(X), option(Y), X == Y, X == '\u{e9}', write(same), nl.\n\
         :- open_string(\"here(1). :- prolog_load_context(source, S), prolog_load_context(stream, T), is_stream(T), print(S), nl.\", In),\n\
            load_files(there, [stream(In)]), stream_property(In, mode(read)), source_file(here(_), F), print(F), nl.\n\
         :- member(O, [_, stream(_), stream(none), encoding(none), encoding(_)]), refused(load_files(said, [O])), fail ; true.\n\
         :- open_string(\"\", In), member(F, [_, 1, [a]]), refused(load_files(F, [stream(In)])), fail ; true.\n\
         refused.\n:- encoding(none).\nnot_loaded.\n",
    );
    let goal = format!("catch(consult('{program}'), error(E, _), true), print(E), nl");
    run(&["-q", "-g", &goal, "-t", "halt"], "").status(0).prints(
        "same\nthere\nthere\ninstantiation_error\ninstantiation_error\nexistence_error(stream,none)\ndomain_error(encoding,none)\n\
         instantiation_error\ninstantiation_error\ntype_error(atom,1)\ntype_error(atom,[a])\ndomain_error(encoding,none)\n",
    );
}

/// A limit of time that a directive or a condition exceeds ends the load, whoever else would swallow what is thrown.
#[test]
fn a_time_limit_ends_the_load() {
    let scratch = Scratch::new();
    for (name, text) in [
        ("directive.pl", "l :- l.\n:- l.\n:- write(no).\n"),
        (
            "condition.pl",
            "l :- l.\n:- if(l).\n:- endif.\n:- write(no).\n",
        ),
        (
            "at_once.pl",
            "l :- l.\n:- initialization(l, now).\n:- write(no).\n",
        ),
        (
            "later.pl",
            "l :- l.\n:- initialization(l).\n:- initialization(write(no)).\n",
        ),
    ] {
        let file = scratch.file(name, text);
        let goal =
            format!("catch(call_with_time_limit(0.2, consult('{file}')), E, true), print(E), nl");
        run(&["-g", &goal, "-t", "halt"], "")
            .status(0)
            .prints("time_limit_exceeded\n");
    }
}

/// A limit of its own is a matter of the goal that has it: the load goes on, also within another limit that still holds.
#[test]
fn a_time_limit_within_a_goal_ends_nothing_else() {
    let scratch = Scratch::new();
    let text = "l :- l.\n:- initialization(call_with_time_limit(0.05, l)).\n:- initialization((write(on), nl)).\n";
    let file = scratch.file("limits.pl", text);
    let shows = "nb_current('$limits', L), write(L), nl";
    for (goal, printed) in [
        (format!("consult('{file}')"), "on\n"),
        (
            format!("call_with_time_limit(1000, consult('{file}')), {shows}"),
            "on\n[]\n",
        ),
        (
            format!(
                "call_with_time_limit(900, call_with_time_limit(1000, consult('{file}'))), {shows}"
            ),
            "on\n[]\n",
        ),
    ] {
        run(&["-q", "-g", &goal, "-t", "halt"], "").prints(printed);
    }
}

#[test]
fn initialization_at_its_time() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "when.pl",
        ":- initialization(write(program), program).\n\
         :- initialization(write(main), main).\n\
         :- initialization(write(loaded)).\n\
         :- initialization(write(now), now).\n\
         :- initialization(throw(ball), now).\n\
         :- initialization(fail, now).\n\
         :- write(last).\n",
    );
    same_output(
        &["-g", "write(goal)", &file],
        0,
        "nowlastloadedgoalprogrammain",
    )
    .warns(&[
        "when.pl:5: Initialization goal raised",
        "when.pl:6: Initialization goal failed",
    ]);
    same_output(&["-t", "halt", "-l", &file], 0, "nowlastloaded");
    let fails = scratch.file(
        "fails.pl",
        ":- initialization(p, program).\n:- initialization(write(no), main).\np :- fail.\n",
    );
    same_output(&[&fails], 1, "").warns(&["fails.pl:1: user:p: false"]);
    let raises = scratch.file(
        "raises.pl",
        ":- initialization(p, program).\np :- throw(ball).\n",
    );
    same_output(&[&raises], 2, "").warns(&["raises.pl:1: user:p "]);
    let main = scratch.file(
        "main.pl",
        "\n:- initialization(p, main).\np :- throw(ball).\n",
    );
    same_output(&[&main], 2, "").warns(&["main.pl:2: user:p "]);
    let ends = scratch.file(
        "ends.pl",
        ":- initialization(main, main).\nmain :- write(main).\n",
    );
    same_output(&["-t", "write(top)", &ends], 0, "maintop");
    same_output(&["-t", "fail", &ends], 1, "main");
    same_output(
        &[
            "-g",
            "initialization(throw(a), now), initialization(fail, now), write(on)",
            "-t",
            "halt",
        ],
        0,
        "on",
    )
    .warns(&[
        "Initialization goal user:throw(a) raised exception:",
        "Initialization goal failed: user:fail",
    ]);
}

/// A goal of at_halt/1 that cancels the end cannot keep a program going whose main goal is over.
#[test]
fn a_program_ends_though_its_end_is_cancelled() {
    let scratch = Scratch::new();
    for (goal, printed) in [
        ("throw(a)", "bye\n"),
        ("fail", "bye\n"),
        ("write(done)", "donebye\n"),
    ] {
        let text = format!(
            ":- at_halt(writeln(bye)).\n:- at_halt(cancel_halt(no)).\n:- initialization(main, main).\nmain :- {goal}.\n"
        );
        same_output(&[&scratch.file("cancels.pl", text)], 1, printed);
    }
}

#[test]
fn missing_file() {
    same_status(&["/no/such/file.pl"], 1).warns(&["/no/such/file.pl", "does not exist"]);
    same_status(&["-g", "write(x)", "-t", "halt", "/no/such/file.pl"], 1).prints("");
    same_status(&["/no/such/file"], 1).warns(&["file `'/no/such/file'' does not exist"]);
    run(
        &[
            "-g",
            "catch(consult('/no/such/file'), E, (print(E), nl))",
            "-t",
            "halt",
        ],
        "",
    )
    .status(0)
    .prints_parts(&["error(existence_error(source_sink,'/no/such/file'),"]);
}

/// A clause that cannot be read is reported with its place, and the rest of the file is loaded.
#[test]
fn syntax_error_in_a_file() {
    let scratch = Scratch::new();
    let file = scratch.file("bad.pl", "p(1).\np(2) :- q(.\np(3).\np(4) p(5).\np(6).\n");
    let goal = "findall(X, p(X), L), print(L), nl";
    let place2 = format!("{file}:2:");
    let place4 = format!("{file}:4:");
    let run = run(&["-g", goal, "-t", "halt", &file], "").sound();
    let run = run
        .prints("[1,3,6]\n")
        .warns(&[&place2, "yntax error", &place4, "yntax error"]);
    for line in run.err.lines().filter(|l| l.contains("yntax error")) {
        let column = line
            .split(&file)
            .nth(1)
            .and_then(|rest| rest.split(':').nth(2))
            .and_then(|column| column.trim().parse::<u32>().ok());
        assert!(column.is_some(), "no column in {line:?}");
    }
}

#[test]
fn unterminated_clauses() {
    let scratch = Scratch::new();
    let goal = "findall(X, p(X), L), print(L), nl";
    for (n, tail) in [
        "p(2)",
        "p('abc",
        "p(\"abc",
        "p(2) /* never ends",
        "p(0'",
        "p(2) :- (",
    ]
    .iter()
    .enumerate()
    {
        let file = scratch.file(&format!("open{n}.pl"), format!("p(1).\n{tail}"));
        run(&["-g", goal, "-t", "halt", &file], "")
            .status(if n < 6 { 0 } else { 1 })
            .prints("[1]\n")
            .warns(&["yntax error"]);
    }
}

#[test]
fn binary_files() {
    let scratch = Scratch::new();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let noise: Vec<u8> = (0..20_000)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect();
    let all: Vec<u8> = (0..=255).cycle().take(5_000).collect();
    let zeros = vec![0; 5_000];
    for (name, bytes) in [("noise", &noise), ("all", &all), ("zeros", &zeros)] {
        let file = scratch.file(&format!("{name}.pl"), bytes);
        run(&["-g", "write(alive), nl", "-t", "halt", &file], "")
            .status(0)
            .prints_parts(&["alive\n"]);
        let mut command = samite();
        command.arg("-q");
        // Whatever the noise asks for, the toplevel reaches the end of its input.
        finish(command, bytes, LIMIT).status(0);
    }
}

#[test]
fn directives() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "directives.pl",
        "p(1).\n:- fail.\np(2).\n:- throw(error(ball, _)).\n:- no_such(1).\n:- X is a+1, print(X).\n:- X.\np(3).\n:- p(X), print(X), nl.\n",
    );
    run(
        &[
            "-g",
            "findall(X, p(X), L), print(L), nl",
            "-t",
            "halt",
            &file,
        ],
        "",
    )
    .sound()
    .prints("1\n[1,2,3]\n")
    .warns(&[
        ":2:",
        "failed",
        ":4:",
        "ball",
        ":5:",
        "no_such/1",
        ":6:",
        "a/0",
    ]);
}

/// `--on-error` and `--on-warning`: going on, the end at the first one, or the status of `halt/0`; as SWI-Prolog.
#[test]
fn what_errors_and_warnings_do() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        ":- at_halt(writeln(bye)).\n:- foo.\n:- writeln(after).\nmain :- writeln(main).\n",
    );
    let says = "after\nmain\nbye\n";
    for (options, goals, status, out) in [
        ("", "-g main -t halt", 0, says),
        ("--on-error=print", "-g main -t halt", 0, says),
        ("--on-error=halt", "-g main -t halt", 1, "bye\n"),
        ("--on-warning=halt", "-g main -t halt", 1, "bye\n"),
        ("--on_error=status", "-g main -t halt", 1, says),
        ("--on-warning=status", "-g main -g halt", 1, says),
        ("--on-error=status", "-g main -g halt(0)", 0, says),
        ("--on-error=status", "-g main", 0, "after\nmain\n\nbye\n"),
        ("--on-error=halt", "-g foo -t halt", 1, "bye\n"),
        ("--on-error=never", "-g main", 1, ""),
    ] {
        let words = options.split_whitespace().chain(goals.split_whitespace());
        let args: Vec<&str> = ["-q"].into_iter().chain(words).chain([&*file]).collect();
        let run = run(&args, "").status(status).prints(out);
        let told = "Warning: Halting with status 1 due to 1 errors and 1 warnings\n";
        let by_status = options.contains("status") && status == 1;
        assert_eq!(run.err.ends_with(told), by_status, "{run:#?}");
    }
}

#[test]
fn a_program_from_standard_input_or_a_pipe() {
    let words = ["-g", "p(X), print(X), nl", "-t", "halt", "-"];
    run(&words, "p(1).\n").status(0).prints("1\n").silent();
    let mut shell = Command::new("bash");
    let script = "exec \"$0\" -g 'p(X), print(X), nl' -t halt <(echo 'p(2).')";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_samite")]);
    finish(shell, b"", LIMIT).status(0).prints("2\n").silent();
    run(
        &["-", "a", "b"],
        "p(3).\n:- current_prolog_flag(argv, A), print(A), nl.",
    )
    .status(0)
    .prints_parts(&["[a,b]\n"]);
}

/// What was written to a command is read by it before the program has ended, as with a shell's own pipes.
#[test]
fn a_program_ends_after_the_commands_that_it_writes_to() {
    let goal = "open(pipe('read L; sleep 0.2; echo $L'), write, S), write(S, hello), nl(S)";
    run(&["-g", goal, "-t", "halt"], "")
        .status(0)
        .prints("hello\n")
        .silent();
}

#[test]
fn the_initialisation_file() {
    let home = Scratch::new();
    std::fs::create_dir_all(home.path(".config/samite")).expect("a directory can be made");
    home.file(".config/samite/init.pl", "i(home).\n");
    let elsewhere = Scratch::new();
    std::fs::create_dir_all(elsewhere.path("samite")).expect("a directory can be made");
    elsewhere.file("samite/init.pl", "i(elsewhere).\n");
    let own = home.file("own.pl", "i(own).\n");
    let with = |directory: Option<&str>, words: &[&str]| {
        let mut command = samite();
        command
            .env("HOME", home.path(""))
            .env_remove("XDG_CONFIG_HOME");
        directory.map(|directory| command.env("XDG_CONFIG_HOME", directory));
        command.args(words);
        command.args([
            "-g",
            "forall(catch(i(X), _, fail), (print(X), nl))",
            "-t",
            "halt",
        ]);
        finish(command, b"", LIMIT)
    };
    with(None, &[]).status(0).prints("home\n");
    with(Some("relative"), &[]).status(0).prints("home\n");
    with(Some(&elsewhere.path("")), &[])
        .status(0)
        .prints("elsewhere\n");
    with(None, &["-f", "none"]).status(0).prints("");
    with(None, &["-f", &own]).status(0).prints("own\n");
    with(None, &["-f", &home.path("missing.pl")]).status(1);
}

/// Nobody reads what is written on standard error: the program ends, without a word.
#[test]
fn messages_that_nobody_reads_end_the_program() {
    let script = "\"$0\" -q -g 'repeat, print_message(error, format(x, [])), fail' 2>&1 >&3 3>&- | true; echo ${PIPESTATUS[0]}";
    let mut shell = Command::new("bash");
    shell.args([
        "-c",
        &format!("{{ {script}; }} 3>&1"),
        env!("CARGO_BIN_EXE_samite"),
    ]);
    finish(shell, b"", LIMIT).status(0).prints("141\n").silent();
}

/// What comes through a pipe, as other filters: quietly, and without asking all the rest.
#[test]
fn answers_that_nobody_reads_end_the_program() {
    for query in ["X = 1.", "write(a), nl."] {
        let script =
            format!("{{ yes '{query}' | \"$0\" -q | head -1; echo ${{PIPESTATUS[1]}}; }} 2>&1");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_samite")]);
        let first = query.split_once('(').map_or(query, |_| "a");
        finish(shell, b"", LIMIT)
            .status(0)
            .prints(&format!("{first}\n1\n"))
            .silent();
    }
}

#[test]
fn signals_that_were_ignored_stay_ignored() {
    let scratch = Scratch::new();
    let go = scratch.path("go");
    let goal = format!("repeat, sleep(0.01), exists_file('{go}'), !, write(done), nl");
    let script = format!(
        "trap '' INT HUP; \"$0\" -q -g \"{goal}\" -t halt & sleep 0.3; kill -INT $!; kill -HUP $!; sleep 0.1; : > '{go}'; wait $!"
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_samite")]);
    finish(shell, b"", LIMIT).status(0).prints("done\n");
}

/// `--help` names the options that are taken, and no other.
#[test]
fn help_says_all_options() {
    let help = run(&["--help"], "").status(0).out;
    let named: Vec<&str> = (help.split(|c: char| !(c.is_ascii_alphanumeric() || "-".contains(c))))
        .filter(|word| word.starts_with('-') && !word.ends_with('-'))
        .collect();
    for long in [
        "tty",
        "packs",
        "memory-limit",
        "quiet",
        "iso",
        "home",
        "version",
        "help",
        "stack-limit",
    ] {
        assert!(
            named.contains(&format!("--{long}").as_str()),
            "{long}: {named:?}"
        );
    }
    for letter in ('a'..='z').chain('A'..='Z') {
        let word = format!("-{letter}");
        let argument = match letter {
            't' | 'g' => "halt",
            'p' => "alias=none",
            _ => "none",
        };
        let run = run(&[&word, argument, "-g", "halt"], "");
        let refused = run.err.contains("option") && run.status == Some(1);
        assert_eq!(named.contains(&word.as_str()), !refused, "{word}: {run:?}");
    }
    // What -p says is looked at when a file is looked for.
    let goal = "file_search_path(lib, D), print(D), nl, fail; true";
    run(&["-p", "lib=/a:/b", "-g", goal, "-t", "halt"], "")
        .status(0)
        .prints("'/a'\n'/b'\n");
    run(&["-p", "lib", "-g", "halt"], "").status(1);
    for word in named.iter().filter(|word| word.starts_with("--")) {
        let word = if word.ends_with("limit") || word.ends_with("-space") {
            format!("{word}=1G")
        } else if word.starts_with("--on-") {
            format!("{word}=print")
        } else if *word == "--thread-kind" {
            format!("{word}=light")
        } else if *word == "--table-alloc" {
            format!("{word}=malloc")
        } else if *word == "--table-sync" {
            format!("{word}=tlwl_field")
        } else if *word == "--schedule" {
            format!("{word}=calls:100")
        } else if *word == "--workers" {
            format!("{word}=2")
        } else {
            word.to_string()
        };
        run(&[&word, "-g", "halt"], "").status(0);
    }
    run(&["--no-such-option"], "").status(1);
}

#[test]
fn flags_that_goals_set() {
    same_output(
        &["-g", "set_prolog_flag(toplevel_goal, write(hi))"],
        0,
        "hi",
    );
    same_output(
        &[
            "-O",
            "-g",
            "use_module(library(debug)), current_prolog_flag(optimise, X), write(X), expand_goal(assertion(fail), G), write(G)",
            "-t",
            "halt",
        ],
        0,
        "truetrue",
    );
    same_output(
        &[
            "-g",
            "set_prolog_flag(protect_static_code, true), assertz(p(1)), compile_predicates([p/1]), catch(clause(p(_), _), error(E, _), true), print(E)",
            "-t",
            "halt",
        ],
        0,
        "permission_error(access,private_procedure,p/1)",
    );
}

/// Input that cannot be read is no input that has ended.
#[test]
fn standard_input_that_cannot_be_read() {
    let directory = || std::fs::File::open("/").expect("there is one");
    let cases: [&[&str]; 4] = [&[], &["-q"], &["-"], &["-g", "read(_)", "-t", "halt"]];
    for words in cases {
        let ended = samite()
            .args(words)
            .stdin(directory())
            .output()
            .expect("the child starts");
        let err = String::from_utf8_lossy(&ended.stderr);
        assert!(
            matches!(ended.status.code(), Some(1 | 2)),
            "{words:?} {ended:?}"
        );
        assert_eq!(err.matches("Is a directory").count(), 1, "{words:?}: {err}");
    }
}
