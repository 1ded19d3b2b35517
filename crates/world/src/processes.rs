//! Processes: others, and what is asked about one's own.

use crate::faults::{self, Door};
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};

/// Starts a process.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    faults::check(Door::Process)?;
    command.spawn()
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
