//! Runs one process to its end or to the time limit and reads what the kernel
//! counted for it.
//!
//! Linux carries the peak memory of the process that forks into the account of
//! its child, so this program must stay small itself: it streams what it writes
//! and keeps nothing large.

use std::fs::{self, File};
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::measure::{Outcome, Sample};

/// How often a running process is looked at.
const POLL: Duration = Duration::from_millis(1);

/// Prefix of the line by which a program reports the time of its query alone.
const QUERY_SECONDS: &str = "query_seconds=";

/// Prefix of the line by which a program reports how much memory is resident after its work.
const FINAL_BYTES: &str = "final_bytes=";

/// Runs `command` with no input and its output in files below `work`.
pub fn run(mut command: Command, timeout: Duration, work: &Path) -> Outcome {
    let (out, err) = (work.join("stdout"), work.join("stderr"));
    match run_to_files(&mut command, timeout, &out, &err) {
        Ok(Some(ended)) => judge(&ended, &read_lossy(&out), &read_lossy(&err)),
        Ok(None) => Outcome::TimedOut,
        Err(e) => Outcome::Failed(format!("{}: {e}", command.get_program().display())),
    }
}

/// Runs `command` without input and output to its end.
///
/// # Errors
///
/// It could not be started, or did not end well.
pub fn peak_kilobytes(mut command: Command) -> io::Result<u64> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.spawn()?;
    let (status, usage) = loop {
        match wait4(&child)? {
            Some(ended) => break ended,
            None => thread::sleep(POLL),
        }
    };
    if !status.success() {
        return Err(io::Error::other(status.to_string()));
    }
    Ok(u64::try_from(usage.ru_maxrss).unwrap_or(0))
}

/// What a process printed until it ended, or was ended.
pub struct Printed {
    pub out: String,
    pub err: String,
    /// None if it was ended at the time limit.
    pub status: Option<ExitStatus>,
}

/// Runs `command` with no input and gives what it printed, also if it was stopped at the time limit.
///
/// # Errors
///
/// It could not be started, or its output not be kept.
pub fn printed(mut command: Command, timeout: Duration, work: &Path) -> io::Result<Printed> {
    let (out, err) = (work.join("stdout"), work.join("stderr"));
    let ended = run_to_files(&mut command, timeout, &out, &err)?;
    Ok(Printed {
        out: read_lossy(&out),
        err: read_lossy(&err),
        status: ended.map(|e| e.status),
    })
}

/// A finished process and its account.
struct Ended {
    status: ExitStatus,
    usage: libc::rusage,
    wall: Duration,
}

fn run_to_files(
    command: &mut Command,
    timeout: Duration,
    out: &Path,
    err: &Path,
) -> io::Result<Option<Ended>> {
    command
        .stdin(Stdio::null())
        .stdout(File::create(out)?)
        .stderr(File::create(err)?);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut killed = false;
    loop {
        if let Some((status, usage)) = wait4(&child)? {
            let wall = start.elapsed();
            return Ok((!killed).then_some(Ended {
                status,
                usage,
                wall,
            }));
        }
        if !killed && start.elapsed() > timeout {
            // Not yet waited for, so the process id is still this child's.
            child.kill()?;
            killed = true;
        }
        thread::sleep(POLL);
    }
}

/// The status and the resource use of `child` if it has ended.  Ends the child's
/// entry in the process table, so it is not called again after `Some`.
fn wait4(child: &Child) -> io::Result<Option<(ExitStatus, libc::rusage)>> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to live, writable locals of the types wait4 fills,
    // and an rusage of zeros (left by a call that fills nothing) is a valid value.
    let (ended, usage) = unsafe {
        let ended = libc::wait4(pid, &raw mut status, libc::WNOHANG, usage.as_mut_ptr());
        (ended, usage.assume_init())
    };
    match ended {
        0 => Ok(None),
        id if id == pid => Ok(Some((ExitStatus::from_raw(status), usage))),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Turns an ended process and its output into an outcome.
fn judge(ended: &Ended, stdout: &str, stderr: &str) -> Outcome {
    let result = result_line(stdout);
    if !ended.status.success() {
        // The message may be on either stream, on the first line that says something.
        let message = [stderr, stdout].into_iter().find_map(complaint);
        let why = message.unwrap_or_else(|| ended.status.to_string());
        return Outcome::Failed(why);
    }
    let Some(result) = result else {
        return Outcome::Failed(complaint(stderr).unwrap_or_else(|| "no output".to_owned()));
    };
    let rss = u64::try_from(ended.usage.ru_maxrss).unwrap_or(0);
    Outcome::Finished(Sample {
        cpu: seconds(ended.usage.ru_utime) + seconds(ended.usage.ru_stime),
        wall: ended.wall.as_secs_f64(),
        // Kilobytes on Linux and the BSDs, bytes on macOS.
        peak_bytes: if cfg!(target_os = "macos") {
            rss
        } else {
            rss * 1024
        },
        query: reported(stdout, QUERY_SECONDS),
        final_bytes: reported(stdout, FINAL_BYTES),
        result: result.to_owned(),
    })
}

/// The last line that is not empty and not a figure: what the systems must agree on.
/// Lines before it may be a system's own chatter.
fn result_line(stdout: &str) -> Option<&str> {
    stdout.lines().map(str::trim).rfind(|line| {
        !line.is_empty() && !line.starts_with(QUERY_SECONDS) && !line.starts_with(FINAL_BYTES)
    })
}

/// The number on the line that starts with `prefix`.
fn reported<T: std::str::FromStr>(stdout: &str, prefix: &str) -> Option<T> {
    stdout
        .lines()
        .find_map(|line| line.trim().strip_prefix(prefix)?.parse().ok())
}

/// The first line that looks like a complaint, cut to a readable length.
pub fn complaint(text: &str) -> Option<String> {
    let words = ["rror", "xception", "arning", "anic", "fault", "nknown"];
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = |line: &&str| words.iter().any(|word| line.contains(word));
    let line = lines().find(telling).or_else(|| lines().next())?;
    Some(line.chars().take(160).collect())
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

fn read_lossy(path: &Path) -> String {
    fs::read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, tag: &str, timeout: Duration) -> Outcome {
        let work = std::env::temp_dir().join(format!("samite-bench-{}-{tag}", std::process::id()));
        fs::create_dir_all(&work).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let outcome = run(command, timeout, &work);
        fs::remove_dir_all(&work).unwrap();
        outcome
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_finished_process_is_accounted_for() {
        let Outcome::Finished(sample) = shell(
            "echo n=1; echo final_bytes=4096; echo query_seconds=0.25",
            "ok",
            LONG,
        ) else {
            panic!("did not finish");
        };
        assert_eq!(sample.result, "n=1");
        assert_eq!(sample.query, Some(0.25));
        assert_eq!(sample.final_bytes, Some(4096));
        assert!(sample.peak_bytes > 0);
    }

    #[test]
    fn failures_carry_their_message() {
        let outcome = shell("echo hello; echo 'some error' >&2; exit 3", "fail", LONG);
        assert!(matches!(outcome, Outcome::Failed(why) if why == "some error"));
        assert!(matches!(shell("true", "mute", LONG), Outcome::Failed(why) if why == "no output"));
    }

    #[test]
    fn a_process_over_the_limit_is_ended() {
        let start = Instant::now();
        let outcome = shell("exec sleep 30", "slow", Duration::from_millis(50));
        assert!(matches!(outcome, Outcome::TimedOut));
        assert!(start.elapsed() < LONG);
    }

    #[test]
    fn what_was_printed_before_the_limit_is_kept() {
        let work = std::env::temp_dir().join(format!("samite-bench-{}-part", std::process::id()));
        fs::create_dir_all(&work).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo first; exec sleep 30"]);
        let printed = printed(command, Duration::from_secs(1), &work).unwrap();
        fs::remove_dir_all(&work).unwrap();
        assert_eq!(printed.out, "first\n");
        assert!(printed.status.is_none());
    }
}
