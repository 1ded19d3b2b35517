//! Running the command and looking at what came out: used by all tests of this directory.
//!
//! Every run has a time-out after which the child is killed; no test depends on how long something takes otherwise.

#![allow(dead_code)]

pub mod compare;
pub mod edited;
pub mod here;
pub mod libraries;
pub mod random;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time after which a child counts as hanging.
pub const LIMIT: Duration = Duration::from_secs(120);

/// What a finished (or killed) child left.
#[derive(Debug)]
pub struct Run {
    /// The exit status; `None` if a signal or the time-out ended the child.
    pub status: Option<i32>,
    /// Whether the time-out ended it.
    pub timed_out: bool,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Fails the test unless the child ended by itself and without a trace of a broken machine.
    #[track_caller]
    pub fn sound(self) -> Run {
        assert!(!self.timed_out, "the child hangs: {self:#?}");
        assert!(self.status.is_some(), "a signal ended the child: {self:#?}");
        assert!(!self.err.contains("panicked at"), "panic: {self:#?}");
        assert_ne!(self.status, Some(101), "the status of a panic: {self:#?}");
        self
    }

    /// `sound`, and the exit status is this.
    #[track_caller]
    pub fn status(self, expected: i32) -> Run {
        let run = self.sound();
        assert_eq!(run.status, Some(expected), "{run:#?}");
        run
    }

    /// Standard output is exactly this.
    #[track_caller]
    pub fn prints(self, expected: &str) -> Run {
        assert_eq!(self.out, expected, "{self:#?}");
        self
    }

    /// Standard output contains all of these, in this order.
    #[track_caller]
    pub fn prints_parts(self, parts: &[&str]) -> Run {
        in_order(&self.out, parts, &self);
        self
    }

    /// Standard error contains all of these, in this order.
    #[track_caller]
    pub fn warns(self, parts: &[&str]) -> Run {
        in_order(&self.err, parts, &self);
        self
    }

    /// Nothing on standard error.
    #[track_caller]
    pub fn silent(self) -> Run {
        assert_eq!(self.err, "", "{self:#?}");
        self
    }
}

#[track_caller]
fn in_order(text: &str, parts: &[&str], run: &Run) {
    let mut rest = text;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => panic!("{part:?} is missing, or in the wrong place: {run:#?}"),
        }
    }
}

/// The command, not yet started, in the root of the workspace and without settings from outside.
pub fn samite() -> Command {
    here(Command::new(env!("CARGO_BIN_EXE_samite")))
}

/// The same within limits of the system, each as the shell's `ulimit` takes it: `-v 100000`.
pub fn samite_within(limits: &[&str]) -> Command {
    let limits: String = limits.iter().map(|l| format!("ulimit {l}; ")).collect();
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{limits}exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_samite"));
    here(command)
}

/// The same in so little address space, if it is limited.
pub fn samite_in(kilobytes: Option<u64>) -> Command {
    match kilobytes {
        None => samite(),
        Some(kb) => samite_within(&[&format!("-v {kb}")]),
    }
}

fn here(mut command: Command) -> Command {
    command
        .current_dir(root())
        .env_remove("SAMITE_FAULTS")
        .env_remove("SAMITE_NURSERY")
        .env_remove("SAMITE_NURSERY_STRESS")
        .env_remove("SAMITE_GC_STRESS")
        .env_remove("SAMITE_WAKE_STRESS")
        .env_remove("SAMITE_SHARE_STRESS")
        .env_remove("SAMITE_ATOM_STRESS")
        .env("LC_ALL", "C.UTF-8");
    command
}

/// SWI-Prolog, not yet started; `None` if it is not on the path.
pub fn swipl() -> Option<Command> {
    let found = Command::new("swipl")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match found {
        Ok(status) if status.success() => {
            let mut command = Command::new("swipl");
            command.current_dir(root()).env("LC_ALL", "C.UTF-8");
            Some(command)
        }
        _ => None,
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace has a root")
}

/// Runs the command with these words and this standard input.
pub fn run(words: &[&str], input: &str) -> Run {
    let mut command = samite();
    command.args(words);
    finish(command, input.as_bytes(), LIMIT)
}

/// Runs `run/0` of a program, in a file of its own.
pub fn run_program(mut command: Command, text: &str) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    command.args(["-q", "-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT)
}

/// The lines that `run/0` of a file prints; the process ends well.
#[track_caller]
pub fn lines(mut command: Command, file: &str) -> Vec<String> {
    command.args(["-q", "-g", "run", "-t", "halt", file]);
    let mut run = finish(command, b"", LIMIT);
    let out = std::mem::take(&mut run.out);
    run.status(0);
    out.lines().map(str::to_string).collect()
}

/// Starts the child, feeds it and waits for its end.
pub fn finish(mut command: Command, input: &[u8], limit: Duration) -> Run {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the child starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // A child that ends without reading everything breaks the pipe: no reason to fail.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let out = collect(child.stdout.take().expect("piped"));
    let err = collect(child.stderr.take().expect("piped"));
    let (status, timed_out) = wait(&mut child, limit);
    let text = |t: JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&t.join().expect("the reader ends")).into_owned()
    };
    let run = Run {
        status,
        timed_out,
        out: text(out),
        err: text(err),
    };
    feeder.join().expect("the feeder ends");
    run
}

fn collect(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still of use.
        drop(pipe.read_to_end(&mut bytes));
        bytes
    })
}

fn wait(child: &mut Child, limit: Duration) -> (Option<i32>, bool) {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            return (status.code(), false);
        }
        if Instant::now() >= end {
            drop(child.kill());
            drop(child.wait());
            return (None, true);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A directory of a test's own, gone with the value.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes the directory.
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        // Relaxed: only the number has to be unique.
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("samite-test-{}-{n}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("the directory can be made");
        Scratch(path)
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> String {
        self.0
            .join(name)
            .to_str()
            .expect("the temporary directory has a Unicode name")
            .to_string()
    }

    /// Writes a file, returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("the file can be written");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}
