//! Builtin and library predicates with large lists, texts and terms (`tests/sizes/sizes.pl`, a table of them).
//!
//! What fails the test: a wrong result, an error, a crash, or hanging. How the time grows is printed (`--nocapture`), and looked at by eye: rows
//! marked `slow` grow as the square of their size.

mod common;

use common::{LIMIT, Run, finish, samite};

fn sizes(limit: &str, sizes: &str) -> Run {
    let mut command = samite();
    command.args([
        limit,
        "-g",
        &format!("sizes({sizes})"),
        "-t",
        "halt",
        "tests/sizes/sizes.pl",
    ]);
    let run = finish(command, b"", 10 * LIMIT);
    print!("{}", run.out);
    run
}

#[track_caller]
fn all_right(run: Run) {
    let wrong: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.contains("WRONG"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    run.status(0).silent().prints_parts(&[" rows, 0 bad\n"]);
}

#[test]
fn small_and_not_so_small() {
    let few = if cfg!(debug_assertions) {
        "[100,1000]"
    } else {
        "[1000,4000,16000]"
    };
    all_right(sizes("--memory-limit=1G", few));
}

/// Of the size of what programs meet. Some minutes. (What rows leave behind, atoms and keys of `flag/3` above all, is more than the usual limit.)
#[test]
#[ignore = "takes some minutes; by hand"]
fn large() {
    all_right(sizes("--memory-limit=4G", "[100000,1000000]"));
}
