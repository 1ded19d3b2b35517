//! The examples that no other test runs, as their first lines say.

mod common;

use common::samite;

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
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
