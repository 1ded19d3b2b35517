//! The Prolog-level tests: every file of `tests/prolog` through its runner, plainly, with a collection at every safe point, with a
//! nursery too small for anything, and with one that is nearly full wherever a builtin or a clause begins. All but the first are the
//! torture modes, which take long and are asked for: `cargo test -p samite-cli --test suite -- --ignored`.

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
    /// The nursery ends a few random words behind its start, and nothing may be stored behind its end; the seed.
    Crowded(u32),
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
        Mode::Crowded(seed) => drop(command.env("SAMITE_NURSERY_STRESS", seed.to_string())),
    }
    command
        .arg("tests/prolog/run.pl")
        .arg("--")
        .arg(format!("tests/prolog/{file}.pl"));
    finish(command, b"", LIMIT)
}

/// A module of tests for each mode, with a test for each file.
macro_rules! suite {
    ($($file:ident)*) => {
        /// The files that are run.
        const FILES: &[&str] = &[$(stringify!($file)),*];
        suite!(@mode plain, Mode::Plain, [], $($file)*);
        suite!(@mode stress, Mode::Stress(1), [ignore = "torture"], $($file)*);
        suite!(@mode nursery, Mode::Nursery(65536), [ignore = "torture"], $($file)*);
        suite!(@mode crowded, Mode::Crowded(seed()), [ignore = "torture"], $($file)*);
    };
    (@mode $name:ident, $mode:expr, $attribute:tt, $($file:ident)*) => {
        mod $name {
            use super::*;
            $(
                suite!(@test $attribute $mode, $file);
            )*
        }
    };
    (@test [] $mode:expr, $file:ident) => {
        #[test]
        fn $file() {
            check(stringify!($file), $mode);
        }
    };
    (@test [$attribute:meta] $mode:expr, $file:ident) => {
        #[test]
        #[$attribute]
        fn $file() {
            check(stringify!($file), $mode);
        }
    };
}

suite! {
    arith assignment atoms compat control csv cyclic database dcg
    effects encodings exceptions flags format inspection library lists modes
    modules more names options optparse portray pprint read records
    redo references settings streams tabling terms threads timeouts unify
    uri values wildcards write
}

/// `SAMITE_SEED`, or another one each time.
fn seed() -> u32 {
    let given = std::env::var("SAMITE_SEED")
        .ok()
        .and_then(|s| s.parse().ok());
    let seed = given.unwrap_or_else(|| {
        let now = std::time::SystemTime::now();
        let since = now.duration_since(std::time::UNIX_EPOCH);
        since.map_or(1, |d| d.subsec_nanos()) | 1
    });
    println!("SAMITE_SEED={seed}");
    seed
}

/// A file that is not in the list above would never run.
#[test]
fn all_files_are_here() {
    let folder = common::root().join("tests/prolog");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a Unicode name");
        if let Some(stem) = name.strip_suffix(".pl")
            && stem != "run"
        {
            assert!(FILES.contains(&stem), "{name} is not in the list");
        }
    }
}
