//! The compiler: programs in `tests/listings` and what their predicates are compiled to, beside each. A change of the compiler shows
//! there what it changes: record it with `cargo test -p samite-cli --test listings -- --ignored`, and read the difference.

mod common;

use common::{LIMIT, finish, samite};
use std::fs;
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/listings");
    let all = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut programs: Vec<_> = all
        .filter(|p| p.extension().is_some_and(|e| e == "pl"))
        .collect();
    programs.sort();
    assert!(!programs.is_empty());
    programs
}

fn listing(program: &Path) -> String {
    let mut command = samite();
    let goal = "listed(L), forall(member(PI, L), vm_list(PI))";
    command.args(["-q", "-g", goal, "-t", "halt"]).arg(program);
    finish(command, b"", LIMIT).status(0).silent().out
}

#[test]
fn programs_are_compiled_as_before() {
    for program in programs() {
        let expected = fs::read_to_string(program.with_extension("txt")).unwrap();
        assert!(
            listing(&program) == expected,
            "{}:\n{}",
            program.display(),
            listing(&program)
        );
    }
}

/// Code of clauses is listed when it is compiled (when they are called for the second time), on standard error; the system's own is not.
#[test]
fn listed_as_it_is_compiled() {
    let mut command = samite();
    command.env("SAMITE_LISTING", "1");
    command.args([
        "-q",
        "-g",
        "assertz((p(X) :- q(X))), catch(p(1), _, true), catch(p(1), _, true), append([], [], _)",
        "-t",
        "halt",
    ]);
    let run = finish(command, b"", LIMIT).status(0);
    let is_p = |l: &&str| l.starts_with("user:p/1");
    assert_eq!(run.err.lines().filter(is_p).count(), 1, "{}", run.err);
    assert!(run.err.contains("execute             user:q/1"));
    assert!(!run.err.contains("append"), "{}", run.err);
    let mut command = samite();
    command.env("SAMITE_LISTING", "yes").args(["-g", "halt"]);
    let run = finish(command, b"", LIMIT).status(1);
    assert_eq!(run.err, "samite: SAMITE_LISTING=yes: not 1\n");
}

/// Not a test: writes what programs are compiled to now as what is expected.
#[test]
#[ignore = "records"]
fn record() {
    for program in programs() {
        fs::write(program.with_extension("txt"), listing(&program)).unwrap();
    }
}
