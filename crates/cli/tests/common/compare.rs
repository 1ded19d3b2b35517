//! Generated programs run by Samite and by SWI-Prolog: what they print is compared line by line.

use super::{LIMIT, Run, Scratch, finish, samite, swipl};
use std::fmt::Write;
use std::process::Command;

/// Programs in one file, with a predicate `run/0` that prints a line for each query.
pub struct Programs<'a> {
    pub text: &'a str,
    /// Seed of the first one, and how many there are.
    pub first: u64,
    pub count: u64,
}

/// Runs `run/0` of a file.
pub fn outcome(mut command: Command, file: &str) -> Run {
    command.args(["-q", "-f", file, "-g", "run", "-t", "halt"]);
    finish(command, b"", LIMIT)
}

impl Programs<'_> {
    /// Fails the test if a line of Samite's differs from the one of SWI-Prolog's, unless they are `alike` (ours, theirs) nevertheless;
    /// `query` finds the query of a line. Without `swipl` on the path, or if that dies, nothing is compared, and the test says so.
    #[track_caller]
    pub fn compare(&self, alike: impl Fn(&str, &str) -> bool, query: impl Fn(&str) -> String) {
        let seeds = format!("SAMITE_SEED={} SAMITE_PROGRAMS={}", self.first, self.count);
        println!("{seeds}");
        if let Ok(copy) = std::env::var("SAMITE_COPY") {
            std::fs::write(copy, self.text).expect("the copy can be written");
        }
        let Some(theirs) = swipl() else {
            println!("swipl is not on the path: nothing is compared");
            return;
        };
        let scratch = Scratch::new();
        let file = scratch.file("programs.pl", self.text);
        let theirs = outcome(theirs, &file);
        if theirs.status.is_none() {
            println!("a signal or the time-out ends swipl: nothing is compared");
            return;
        }
        assert_eq!(theirs.status, Some(0), "SWI-Prolog fails: {}", theirs.err);
        let ours = outcome(samite(), &file).status(0);
        let (mut different, mut report) = (0, String::new());
        let (mut a, mut b) = (ours.out.lines(), theirs.out.lines());
        loop {
            let (a, b) = match (a.next(), b.next()) {
                (None, None) => break,
                (a, b) => (a.unwrap_or("nothing"), b.unwrap_or("nothing")),
            };
            if a != b && !alike(a, b) {
                different += 1;
                let _ = writeln!(report, "{}\n  samite: {a}\n  swipl:  {b}", query(b));
            }
        }
        assert!(
            different == 0,
            "{different} differences in the programs of {seeds}:\n{report}"
        );
    }
}
