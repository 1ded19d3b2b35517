//! The terms that `user:message_hook/3` is given. The cases and what SWI-Prolog 9.0.4 gives for them are in `tests/messages/hooked`: a case
//! begins with `# NAME`, then come files (`file NAME`, lines that begin with `| `), goals of `-g`, options, and lines typed into the
//! toplevel; then, with `> `, what `hook.pl` prints. A file `a.pl` is loaded. With the environment variable `REFERENCE` the cases are run by that program.

mod common;

use common::Scratch;
use std::fmt::Write;
use std::fs::File;
use std::process::{Command, Stdio};

#[derive(Default)]
struct Case {
    name: String,
    files: Vec<(String, String)>,
    words: Vec<String>,
    goals: bool,
    typed: String,
    expected: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|l| !l.is_empty()) {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if kind == "#" {
            cases.push(Case {
                name: rest.to_string(),
                ..Case::default()
            });
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        match kind {
            "#" => {}
            "file" => case.files.push((rest.to_string(), String::new())),
            "|" => {
                let (_, text) = case.files.last_mut().expect("a file before its lines");
                writeln!(text, "{rest}").unwrap();
            }
            "goal" => {
                case.goals = true;
                case.words.extend(["-g".to_string(), rest.to_string()]);
            }
            "option" => case.words.push(rest.to_string()),
            "type" => writeln!(case.typed, "{rest}").unwrap(),
            ">" => writeln!(case.expected, "{rest}").unwrap(),
            _ => panic!("what is this in {}? {line}", case.name),
        }
    }
    cases
}

/// What the hook has printed.
fn hooked(case: &Case) -> String {
    let scratch = Scratch::new();
    scratch.file(
        "hook.pl",
        include_str!("../../../tests/messages/hooked/hook.pl"),
    );
    for (name, text) in &case.files {
        scratch.file(name, text);
    }
    let here = std::fs::canonicalize(scratch.path("")).unwrap();
    let program = std::env::var("REFERENCE").unwrap_or(env!("CARGO_BIN_EXE_samite").to_string());
    let mut command = Command::new(program);
    command.args(["-f", "none", "-q"]).args(&case.words);
    if case.typed.is_empty() {
        command.args(["-g", "halt"]);
    }
    command.arg("hook.pl");
    if case.files.iter().any(|(name, _)| name == "a.pl") {
        command.arg("a.pl");
    }
    let input = File::open(scratch.file("input", &case.typed)).unwrap();
    let run = (command.current_dir(&here).stdin(input))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&run.stdout);
    let here = format!("{}/", here.display());
    let lines = printed.lines().filter_map(|l| l.strip_prefix("HOOK "));
    lines.fold(String::new(), |all, l| all + &l.replace(&here, "") + "\n")
}

#[test]
fn terms() {
    let cases = cases(include_str!("../../../tests/messages/hooked/cases.txt"));
    assert!(cases.len() > 50);
    let mut wrong = String::new();
    for case in &cases {
        let printed = hooked(case);
        if printed != case.expected {
            let (name, expected) = (&case.name, &case.expected);
            writeln!(wrong, "# {name}\nexpected\n{expected}got\n{printed}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
