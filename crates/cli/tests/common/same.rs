//! What the command does, beside SWI-Prolog where that is installed.

#![allow(dead_code)]

use crate::common::{LIMIT, Run, finish, run, swipl};

/// Runs the words in Samite, requires the status, and that SWI-Prolog ends with the same.
#[track_caller]
pub fn same_status(words: &[&str], status: i32) -> Run {
    let ours = run(words, "").status(status);
    match swipl() {
        None => println!("swipl is not on the path: its status is not compared"),
        Some(mut command) => {
            command.args(words);
            let theirs = finish(command, b"", LIMIT);
            assert_eq!(theirs.status, Some(status), "SWI-Prolog: {theirs:#?}");
        }
    }
    ours
}

/// The same, and that both print this.
#[track_caller]
pub fn same_output(words: &[&str], status: i32, printed: &str) -> Run {
    if let Some(mut command) = swipl() {
        command.args(words);
        finish(command, b"", LIMIT).prints(printed);
    }
    same_status(words, status).prints(printed)
}
