//! library(plunit): what the texts of tests in `tests/plunit` print when they run, and the exit status, beside what SWI-Prolog prints.
//!
//! For each `NAME.pl` there, `NAME.expected` is what swipl 9.0.4 printed, and `NAME.samite`, if there is one, what Samite prints otherwise. To
//! add a test, write `NAME.pl` and record it:
//!
//!     cargo test -p samite-cli --test plunit -- --ignored record
//!
//! Both outputs are one, as on a terminal; times, addresses and names of variables are left out of the comparison. The differences that there are:
//! who called an unknown procedure is not said; an assertion is told with its clause, not its line; cyclic terms may be bindings of forall; `false`, `bag(...)` and `concurrent(...)` are options of tests; what is no comparison in all(...) and
//! set(...) is refused when it is read; begin_tests/1 outside of a file too, and
//! run_tests/1 of what names no test; the global options sto(true), concurrent(true) and run(make) are refused; tests beside
//! a file are loaded into its module.

mod common;

use common::Scratch;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn directory() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/plunit");
    tests.canonicalize().unwrap()
}

/// The texts, in order.
fn texts() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "pl"))
        .collect();
    found.sort();
    assert!(found.len() > 30, "{found:?}");
    found
}

/// Waits for a child, and kills it after a minute.
fn wait(child: &mut Child) -> Option<i32> {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// What a system prints when it runs the tests of a text.
fn output(system: &str, text: &Path) -> String {
    let scratch = Scratch::new();
    let path = scratch.file("output", "");
    let both = File::create(&path).unwrap();
    let mut child = Command::new(system)
        .args(["-g", "run_tests", "-t", "halt"])
        .arg(text)
        .current_dir(directory())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(both.try_clone().unwrap())
        .stderr(both)
        .spawn()
        .unwrap();
    let status = wait(&mut child);
    let mut printed = String::new();
    File::open(&path)
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    let here = format!("{}/", directory().display());
    let mut plain = without_chance(&printed.replace(&here, ""));
    match status {
        Some(code) => writeln!(plain, "\nstatus {code}").unwrap(),
        None => plain.push_str("\nkilled\n"),
    }
    plain
}

/// The text with `_` for variables, `T sec` for times and `<stream>(0x...)` without address.
fn without_chance(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let word = c == '_' && !before.is_alphanumeric();
        let digits = |s: &str| s.len() - s.trim_start_matches(|d: char| d.is_ascii_digit()).len();
        let after = &rest[c.len_utf8()..];
        if word {
            plain.push('_');
            let letter = usize::from(after.starts_with('G'));
            rest = &after[letter + digits(&after[letter..])..];
        } else if c.is_ascii_digit() && !before.is_alphanumeric() {
            let whole = digits(rest);
            let number = &rest[whole..];
            let fraction = number.strip_prefix('.').map_or(0, |f| 1 + digits(f));
            let behind = &number[fraction..];
            let time = fraction > 0 && (behind.starts_with(" sec"));
            plain.push_str(if time { "T" } else { &rest[..whole + fraction] });
            rest = behind;
        } else {
            plain.push(c);
            rest = after;
        }
        before = plain.chars().next_back().unwrap_or(' ');
    }
    plain
}

fn beside(text: &Path, extension: &str) -> Option<String> {
    fs::read_to_string(text.with_extension(extension)).ok()
}

#[test]
fn texts_print_what_is_recorded() {
    let mut wrong = String::new();
    for text in texts() {
        let expected = beside(&text, "expected").expect("recorded output of swipl");
        let own = beside(&text, "samite");
        assert_ne!(own.as_deref(), Some(&*expected), "{}", text.display());
        let wanted = own.unwrap_or(expected);
        let found = output(env!("CARGO_BIN_EXE_samite"), &text);
        if found != wanted {
            let name = text.display();
            write!(wrong, "{name}:\n{found}\ninstead of\n{wanted}\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Writes the expected outputs: needs `swipl`.
#[test]
#[ignore = "writes the files that the other test compares with"]
fn record() {
    for text in texts() {
        let expected = output("swipl", &text);
        let own = output(env!("CARGO_BIN_EXE_samite"), &text);
        fs::write(text.with_extension("expected"), &expected).unwrap();
        let other = text.with_extension("samite");
        if own == expected {
            let _ = fs::remove_file(other);
        } else {
            fs::write(other, own).unwrap();
        }
    }
}
