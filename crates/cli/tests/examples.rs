//! The examples: each of `examples/*.pl` says in its first line what it shows, and writes what `examples/NAME.txt` here says, or is in [`OTHERS`].
//!
//! `cargo test -p samite-cli --test examples -- --ignored` records what they write; it is to be what SWI-Prolog writes, too.

mod common;

use std::path::{Path, PathBuf};
use std::process::Output;

use common::samite;

/// Those whose output is not always the same: a test of their own here, `sockets.rs`, and one that takes longer than a test should.
const OTHERS: [&str; 3] = ["worker_crew", "echo_server", "wordnet"];

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The names of all examples, without `.pl`.
fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(example(""))
        .expect("examples are there")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".pl").map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

/// Where it stands what an example writes.
fn expected(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/examples")
        .join(format!("{name}.txt"))
}

/// Output, errors if there are any, and the status if it is not 0.
fn transcript(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.stderr.is_empty() {
        text.push_str("--- errors\n");
        text.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    if !output.status.success() {
        text.push_str(&format!("--- {}\n", output.status));
    }
    text
}

fn run(name: &str, options: &[&str]) -> String {
    let output = samite()
        .args(options)
        .arg(example(&format!("{name}.pl")))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("samite starts");
    transcript(&output)
}

#[test]
fn examples_write_what_they_should() {
    let names = names();
    for name in names.iter().filter(|n| !OTHERS.contains(&n.as_str())) {
        let known = std::fs::read_to_string(expected(name))
            .unwrap_or_else(|_| panic!("{name}: nobody says what it writes"));
        assert_eq!(run(name, &[]), known, "{name}");
    }
    let compared = names.len() - OTHERS.len();
    assert!(compared >= 15, "{compared}");
}

/// What threads are of makes no difference.
#[test]
fn a_pipeline_of_light_threads() {
    let known = std::fs::read_to_string(expected("pipeline")).expect("it is there");
    assert_eq!(run("pipeline", &["--thread-kind=light"]), known);
}

/// The first line is a sentence, or most of one, and the list of examples has all of them.
#[test]
fn examples_say_what_they_show() {
    let list = std::fs::read_to_string(example("README.md")).expect("it is there");
    for name in names() {
        let text = std::fs::read_to_string(example(&format!("{name}.pl"))).expect("a text");
        let first = text.lines().next().unwrap_or_default();
        let sentence = first.strip_prefix("/*  ").unwrap_or_default();
        assert!(sentence.len() > 30, "{name}: {first}");
        assert!(
            text.contains(&format!("samite examples/{name}.pl")),
            "{name}"
        );
        assert!(list.contains(&format!("| `{name}.pl` |")), "{name}");
    }
}

#[test]
#[ignore = "writes what the examples write now"]
fn record() {
    for name in names().iter().filter(|n| !OTHERS.contains(&n.as_str())) {
        std::fs::write(expected(name), run(name, &[])).expect("written");
    }
}

/// A crew finds where the queens go, whatever its size and of whatever kind its threads are; which job is first to do so is open where several work.
#[test]
fn a_crew_finds_a_solution() {
    for kind in ["native", "light"] {
        for workers in [1, 4] {
            let output = samite()
                .arg(example("worker_crew.pl"))
                .args([format!("--workers={workers}"), format!("--kind={kind}")])
                .arg("--queens=40")
                .output()
                .expect("samite starts");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{text}");
            assert!(text.contains(": 40 queens after "), "{text}");
            assert!(text.ends_with("none attacks another\n"), "{text}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        }
    }
}

/// Three queens cannot be put so: all jobs are done, and none brings a solution.
#[test]
fn a_crew_ends_without_a_solution() {
    let output = samite()
        .arg(example("worker_crew.pl"))
        .args(["--workers=3", "--queens=3", "--jobs=20"])
        .output()
        .expect("samite starts");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "no job has brought a solution\n"
    );
    assert!(output.status.success());
}

/// What an example writes.
fn written(name: &str, arguments: &[&str]) -> String {
    let output = samite()
        .arg(example(name))
        .args(arguments)
        .output()
        .expect("samite starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_sudoku_is_solved() {
    let text = written("sudoku.pl", &[]);
    assert!(text.starts_with("8 1 2 7 5 3 6 4 9\n"), "{text}");
    assert_eq!(text.lines().count(), 9);
    let impossible = format!("11{}", ".".repeat(79));
    assert_eq!(written("sudoku.pl", &[&impossible]), "no solution\n");
}

#[test]
fn a_timetable_breaks_no_wish() {
    let text = written("timetable.pl", &[]);
    assert!(text.starts_with("4 hours, 0 wishes broken\n"), "{text}");
}
