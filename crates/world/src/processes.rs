//! Processes: others, and what is asked about one's own.

use crate::faults::{self, Door};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};

/// Starts a process.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    faults::check(Door::Process)?;
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    left.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
    drop(left);
    command.spawn()
}

/// Processes that nobody waits for any more and that had not ended when they were let go: the system keeps what it knows of each until it has been asked.
static LEFT: Mutex<Vec<Child>> = Mutex::new(Vec::new());

/// A process that somebody is going to wait for. If nobody does, its end is taken note of when another one is started.
#[derive(Debug)]
pub struct Running {
    /// `None` once its end has been taken note of.
    child: Mutex<Option<Child>>,
    /// Ready for reading when it has ended, if the system has that.
    end: Option<OwnedFd>,
}

impl Running {
    pub fn new(child: Child) -> Running {
        Running {
            end: end_of(&child).ok(),
            child: Mutex::new(Some(child)),
        }
    }

    /// A descriptor that is ready for reading when it has ended, if the system has that.
    pub fn end(&self) -> Option<BorrowedFd<'_>> {
        self.end.as_ref().map(AsFd::as_fd)
    }

    /// Waits for its end. What comes of it the system does not always know: whoever waits for all processes may have got that.
    pub fn wait(&self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut ended) = child.take() {
            let _ = wait(&mut ended);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut child) = child.take()
            && matches!(child.try_wait(), Ok(None))
        {
            let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
            left.push(child);
        }
    }
}

/// Waits for the end of a process.
pub fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let status = child.wait()?;
    // Whoever else waits for all processes may have got its status: it has ended in any case.
    faults::check(Door::Wait)?;
    Ok(status)
}

/// The status of a process that has ended.
pub fn ended(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let status = child.try_wait()?;
    if status.is_some() {
        faults::check(Door::Wait)?;
    }
    Ok(status)
}

/// A descriptor that is ready for reading when the process has ended.
pub fn end_of(child: &Child) -> io::Result<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    faults::check(Door::Pipe)?;
    Ok(pidfd_open(Pid::from_child(child), PidfdFlags::empty())?)
}

/// A pipe: where what is written comes out, and where it goes in.
pub fn pipe() -> io::Result<(PipeReader, PipeWriter)> {
    faults::check(Door::Pipe)?;
    io::pipe()
}

/// Sends a signal, by its number, to a process or to its group.
pub fn signal(process: i32, signal: i32, group: bool) -> io::Result<()> {
    let to = if group { -process } else { process };
    // SAFETY: `kill` takes any numbers.
    match unsafe { libc::kill(to, signal) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The user who runs this process.
pub fn user() -> u32 {
    rustix::process::getuid().as_raw()
}

/// Peak resident memory of this process in bytes.
pub fn peak_memory() -> i64 {
    // SAFETY: an all-zero rusage is valid, and valid for writing.
    unsafe {
        let mut u: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut u);
        u.ru_maxrss * 1024
    }
}
