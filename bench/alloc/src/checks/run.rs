//! One process with its output in files and a time limit.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What came of a check.
pub enum Verdict {
    Passed(String),
    Failed(String),
    Skipped(String),
}

/// A process that is over.
pub struct Ended {
    /// `None` if it was stopped at the limit.
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Sets or clears the preload.
pub fn preload(command: &mut Command, library: Option<&Path>) {
    match library {
        Some(path) => command.env("LD_PRELOAD", path),
        None => command.env_remove("LD_PRELOAD"),
    };
}

/// Runs `command` to its end or the limit; its output goes through files of `work` that start with `tag`.
pub fn run(mut command: Command, work: &Path, tag: &str, limit: Duration) -> io::Result<Ended> {
    let (out, err) = (
        work.join(format!("{tag}.out")),
        work.join(format!("{tag}.err")),
    );
    command
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limit {
            // Not yet waited for, so the process id is still this child's.
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    Ok(Ended {
        status,
        stdout: std::fs::read(out)?,
        stderr: std::fs::read(err)?,
    })
}
