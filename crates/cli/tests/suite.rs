//! The Prolog-level tests: every file of `tests/prolog` through its runner, plainly, with a collection at every safe point, and with a
//! nursery too small for anything.

mod common;

use common::{Run, finish, samite};
use std::time::Duration;

/// The time after which a file counts as hanging.
const LIMIT: Duration = Duration::from_secs(180);

/// How a file is run.
#[derive(Clone, Copy)]
enum Mode {
    Plain,
    /// A collection at every n-th safe point, the heap verified.
    Stress(u32),
    /// The size of the nursery in bytes.
    Nursery(u32),
}

#[track_caller]
fn check(file: &str, mode: Mode) {
    let run = start(file, mode).sound();
    let last = run.out.trim_end().lines().last().unwrap_or_default();
    let passed = last
        .strip_suffix(" passed, 0 failed")
        .and_then(|n| n.parse::<u32>().ok());
    assert!(
        passed.is_some_and(|n| n > 0) && run.status == Some(0),
        "{file}:\n{}\n{}status: {:?}",
        run.out,
        run.err,
        run.status
    );
}

fn start(file: &str, mode: Mode) -> Run {
    let mut command = samite();
    match mode {
        Mode::Plain => {}
        Mode::Stress(n) => drop(command.env("SAMITE_GC_STRESS", n.to_string())),
        Mode::Nursery(bytes) => drop(command.env("SAMITE_NURSERY", bytes.to_string())),
    }
    command
        .arg("tests/prolog/run.pl")
        .arg("--")
        .arg(format!("tests/prolog/{file}.pl"));
    finish(command, b"", LIMIT)
}

mod plain {
    use super::*;

    #[test]
    fn arith() {
        check("arith", Mode::Plain);
    }

    #[test]
    fn atoms() {
        check("atoms", Mode::Plain);
    }

    #[test]
    fn compat() {
        check("compat", Mode::Plain);
    }

    #[test]
    fn control() {
        check("control", Mode::Plain);
    }

    #[test]
    fn csv() {
        check("csv", Mode::Plain);
    }

    #[test]
    fn cyclic() {
        check("cyclic", Mode::Plain);
    }

    #[test]
    fn database() {
        check("database", Mode::Plain);
    }

    #[test]
    fn dcg() {
        check("dcg", Mode::Plain);
    }

    #[test]
    fn encodings() {
        check("encodings", Mode::Plain);
    }

    #[test]
    fn exceptions() {
        check("exceptions", Mode::Plain);
    }

    #[test]
    fn flags() {
        check("flags", Mode::Plain);
    }

    #[test]
    fn format() {
        check("format", Mode::Plain);
    }

    #[test]
    fn inspection() {
        check("inspection", Mode::Plain);
    }

    #[test]
    fn library() {
        check("library", Mode::Plain);
    }

    #[test]
    fn lists() {
        check("lists", Mode::Plain);
    }

    #[test]
    fn modes() {
        check("modes", Mode::Plain);
    }

    #[test]
    fn modules() {
        check("modules", Mode::Plain);
    }

    #[test]
    fn more() {
        check("more", Mode::Plain);
    }

    #[test]
    fn names() {
        check("names", Mode::Plain);
    }

    #[test]
    fn optparse() {
        check("optparse", Mode::Plain);
    }

    #[test]
    fn portray() {
        check("portray", Mode::Plain);
    }

    #[test]
    fn pprint() {
        check("pprint", Mode::Plain);
    }

    #[test]
    fn read() {
        check("read", Mode::Plain);
    }

    #[test]
    fn records() {
        check("records", Mode::Plain);
    }

    #[test]
    fn settings() {
        check("settings", Mode::Plain);
    }

    #[test]
    fn references() {
        check("references", Mode::Plain);
    }

    #[test]
    fn streams() {
        check("streams", Mode::Plain);
    }

    #[test]
    fn tabling() {
        check("tabling", Mode::Plain);
    }

    #[test]
    fn terms() {
        check("terms", Mode::Plain);
    }

    #[test]
    fn threads() {
        check("threads", Mode::Plain);
    }

    #[test]
    fn timeouts() {
        check("timeouts", Mode::Plain);
    }

    #[test]
    fn unify() {
        check("unify", Mode::Plain);
    }

    #[test]
    fn uri() {
        check("uri", Mode::Plain);
    }

    #[test]
    fn wildcards() {
        check("wildcards", Mode::Plain);
    }

    #[test]
    fn write() {
        check("write", Mode::Plain);
    }
}

mod stress {
    use super::*;

    #[test]
    fn arith() {
        check("arith", Mode::Stress(1));
    }

    #[test]
    fn atoms() {
        check("atoms", Mode::Stress(1));
    }

    #[test]
    fn compat() {
        check("compat", Mode::Stress(1));
    }

    #[test]
    fn control() {
        check("control", Mode::Stress(1));
    }

    #[test]
    fn csv() {
        check("csv", Mode::Stress(1));
    }

    #[test]
    fn cyclic() {
        check("cyclic", Mode::Stress(1));
    }

    #[test]
    fn database() {
        check("database", Mode::Stress(1));
    }

    #[test]
    fn dcg() {
        check("dcg", Mode::Stress(1));
    }

    #[test]
    fn encodings() {
        check("encodings", Mode::Stress(1));
    }

    #[test]
    fn exceptions() {
        check("exceptions", Mode::Stress(1));
    }

    #[test]
    fn flags() {
        check("flags", Mode::Stress(1));
    }

    #[test]
    fn format() {
        check("format", Mode::Stress(1));
    }

    #[test]
    fn inspection() {
        check("inspection", Mode::Stress(1));
    }

    #[test]
    fn library() {
        check("library", Mode::Stress(1));
    }

    #[test]
    fn lists() {
        check("lists", Mode::Stress(1));
    }

    #[test]
    fn modes() {
        check("modes", Mode::Stress(1));
    }

    #[test]
    fn modules() {
        check("modules", Mode::Stress(1));
    }

    #[test]
    fn more() {
        check("more", Mode::Stress(1));
    }

    #[test]
    fn names() {
        check("names", Mode::Stress(1));
    }

    #[test]
    fn optparse() {
        check("optparse", Mode::Stress(1));
    }

    #[test]
    fn portray() {
        check("portray", Mode::Stress(1));
    }

    #[test]
    fn pprint() {
        check("pprint", Mode::Stress(1));
    }

    #[test]
    fn read() {
        check("read", Mode::Stress(1));
    }

    #[test]
    fn records() {
        check("records", Mode::Stress(1));
    }

    #[test]
    fn settings() {
        check("settings", Mode::Stress(1));
    }

    #[test]
    fn references() {
        check("references", Mode::Stress(1));
    }

    #[test]
    fn streams() {
        check("streams", Mode::Stress(1));
    }

    #[test]
    fn tabling() {
        check("tabling", Mode::Stress(1));
    }

    #[test]
    fn terms() {
        check("terms", Mode::Stress(1));
    }

    #[test]
    fn threads() {
        check("threads", Mode::Stress(1));
    }

    #[test]
    fn timeouts() {
        check("timeouts", Mode::Stress(1));
    }

    #[test]
    fn unify() {
        check("unify", Mode::Stress(1));
    }

    #[test]
    fn uri() {
        check("uri", Mode::Stress(1));
    }

    #[test]
    fn wildcards() {
        check("wildcards", Mode::Stress(1));
    }

    #[test]
    fn write() {
        check("write", Mode::Stress(1));
    }
}

mod nursery {
    use super::*;

    #[test]
    fn arith() {
        check("arith", Mode::Nursery(65536));
    }

    #[test]
    fn atoms() {
        check("atoms", Mode::Nursery(65536));
    }

    #[test]
    fn compat() {
        check("compat", Mode::Nursery(65536));
    }

    #[test]
    fn control() {
        check("control", Mode::Nursery(65536));
    }

    #[test]
    fn csv() {
        check("csv", Mode::Nursery(65536));
    }

    #[test]
    fn cyclic() {
        check("cyclic", Mode::Nursery(65536));
    }

    #[test]
    fn database() {
        check("database", Mode::Nursery(65536));
    }

    #[test]
    fn dcg() {
        check("dcg", Mode::Nursery(65536));
    }

    #[test]
    fn encodings() {
        check("encodings", Mode::Nursery(65536));
    }

    #[test]
    fn exceptions() {
        check("exceptions", Mode::Nursery(65536));
    }

    #[test]
    fn flags() {
        check("flags", Mode::Nursery(65536));
    }

    #[test]
    fn format() {
        check("format", Mode::Nursery(65536));
    }

    #[test]
    fn inspection() {
        check("inspection", Mode::Nursery(65536));
    }

    #[test]
    fn library() {
        check("library", Mode::Nursery(65536));
    }

    #[test]
    fn lists() {
        check("lists", Mode::Nursery(65536));
    }

    #[test]
    fn modes() {
        check("modes", Mode::Nursery(65536));
    }

    #[test]
    fn modules() {
        check("modules", Mode::Nursery(65536));
    }

    #[test]
    fn more() {
        check("more", Mode::Nursery(65536));
    }

    #[test]
    fn names() {
        check("names", Mode::Nursery(65536));
    }

    #[test]
    fn optparse() {
        check("optparse", Mode::Nursery(65536));
    }

    #[test]
    fn portray() {
        check("portray", Mode::Nursery(65536));
    }

    #[test]
    fn pprint() {
        check("pprint", Mode::Nursery(65536));
    }

    #[test]
    fn read() {
        check("read", Mode::Nursery(65536));
    }

    #[test]
    fn records() {
        check("records", Mode::Nursery(65536));
    }

    #[test]
    fn settings() {
        check("settings", Mode::Nursery(65536));
    }

    #[test]
    fn references() {
        check("references", Mode::Nursery(65536));
    }

    #[test]
    fn streams() {
        check("streams", Mode::Nursery(65536));
    }

    #[test]
    fn tabling() {
        check("tabling", Mode::Nursery(65536));
    }

    #[test]
    fn terms() {
        check("terms", Mode::Nursery(65536));
    }

    #[test]
    fn threads() {
        check("threads", Mode::Nursery(65536));
    }

    #[test]
    fn timeouts() {
        check("timeouts", Mode::Nursery(65536));
    }

    #[test]
    fn unify() {
        check("unify", Mode::Nursery(65536));
    }

    #[test]
    fn uri() {
        check("uri", Mode::Nursery(65536));
    }

    #[test]
    fn wildcards() {
        check("wildcards", Mode::Nursery(65536));
    }

    #[test]
    fn write() {
        check("write", Mode::Nursery(65536));
    }
}

/// A file that is not in the lists above would never run.
#[test]
fn all_files_are_here() {
    let text = include_str!("suite.rs");
    let folder = common::root().join("tests/prolog");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a Unicode name");
        if let Some(stem) = name.strip_suffix(".pl")
            && stem != "run"
        {
            for mode in ["Plain", "Stress", "Nursery"] {
                let call = format!("check(\"{stem}\", Mode::{mode}");
                assert!(text.contains(&call), "no test for {name} in mode {mode}");
            }
        }
    }
}
