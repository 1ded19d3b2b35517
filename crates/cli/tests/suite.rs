//! The Prolog-level tests: every file of `tests/prolog` through its runner, plainly, with a collection at every safe point, with a
//! nursery too small for anything, with one that is nearly full wherever a builtin or a clause begins, and with a goal that runs wherever one
//! that a binding wakes may have to, after which all is lost that was not known to be live; and in a light thread. All but the first and the last are the torture modes, which take long and are asked for: `cargo test -p samite-cli --test suite -- --ignored`.
//!
//! A file that is put there is run in all modes; nothing else is to be done. Its tests are `plain::FILE`, `stress::FILE` and so on, and the
//! usual arguments choose among them: `-- lists` runs `lists.pl` plainly, `-- --include-ignored lists` in all modes.

mod common;

use common::{Run, finish, samite};
use libtest_mimic::{Arguments, Trial};
use std::time::Duration;

/// The time after which a file counts as hanging.
const LIMIT: Duration = Duration::from_secs(180);

/// How a file is run.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Plain,
    /// A collection at every n-th safe point, the heap verified.
    Stress(u32),
    /// The size of the nursery in bytes.
    Nursery(u32),
    /// The nursery ends a few random words behind its start, and nothing may be stored behind its end; the seed.
    Crowded(u32),
    /// A goal at each place between two goals of a clause; debug builds only.
    Woken,
    /// Atoms are collected after each few; what has died and is met is found by debug builds.
    Atoms,
    /// In a light thread, and so is each thread that is created.
    Light,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Plain => "plain",
            Mode::Stress(_) => "stress",
            Mode::Nursery(_) => "nursery",
            Mode::Crowded(_) => "crowded",
            Mode::Woken => "woken",
            Mode::Atoms => "atoms",
            Mode::Light => "light",
        }
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let seed = seed();
    let modes = [
        Mode::Plain,
        Mode::Stress(1),
        Mode::Nursery(65536),
        Mode::Crowded(seed),
        Mode::Woken,
        Mode::Atoms,
        Mode::Light,
    ];
    let files = files();
    assert!(!files.is_empty(), "no files in tests/prolog");
    let mut trials = Vec::new();
    for mode in modes {
        for file in files.clone() {
            let name = format!("{}::{file}", mode.name());
            let trial = Trial::test(name, move || {
                check(&file, mode);
                Ok(())
            });
            trials.push(trial.with_ignored_flag(!matches!(mode, Mode::Plain | Mode::Light)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The names of the files, in order, without `.pl`.
fn files() -> Vec<String> {
    let folder = common::root().join("tests/prolog");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.expect("an entry").file_name();
            let name = name.to_str().expect("a Unicode name");
            name.strip_suffix(".pl").map(str::to_owned)
        })
        .filter(|stem| stem != "run")
        .collect();
    files.sort();
    files
}

fn check(file: &str, mode: Mode) {
    let run = start(file, mode).sound();
    let last = run.out.trim_end().lines().last().unwrap_or_default();
    let passed = last
        .strip_suffix(" passed, 0 failed")
        .and_then(|n| n.parse::<u32>().ok());
    assert!(
        passed.is_some_and(|n| n > 0) && run.status == Some(0),
        "{file}, {mode:?}:\n{}\n{}status: {:?}",
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
        Mode::Woken => drop(command.env("SAMITE_WAKE_STRESS", "1")),
        Mode::Atoms => drop(command.env("SAMITE_ATOM_STRESS", "1000")),
        Mode::Light => drop(command.arg("--thread-kind=light")),
    }
    command
        .arg("tests/prolog/run.pl")
        .arg("--")
        .arg(format!("tests/prolog/{file}.pl"));
    finish(command, b"", LIMIT)
}

/// `SAMITE_SEED`, or another one each time.
fn seed() -> u32 {
    let given = std::env::var("SAMITE_SEED")
        .ok()
        .and_then(|s| s.parse().ok());
    given.unwrap_or_else(|| {
        let now = std::time::SystemTime::now();
        let since = now.duration_since(std::time::UNIX_EPOCH);
        since.map_or(1, |d| d.subsec_nanos()) | 1
    })
}
