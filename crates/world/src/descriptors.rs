//! Descriptors of all kinds: whether they are ready, events, pipes, the terminal's size.

use crate::faults::{self, Door};
use rustix::event::{EventfdFlags, Timespec};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

pub use rustix::event::{PollFd, PollFlags};

/// How long [`poll`] waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    None,
    Forever,
}

/// Waits until one of them is ready; how many are.
pub fn poll(fds: &mut [PollFd<'_>], patience: Patience) -> io::Result<usize> {
    faults::check(Door::Poll)?;
    let at_once = Timespec::default();
    let limit = (patience == Patience::None).then_some(&at_once);
    Ok(rustix::event::poll(fds, limit)?)
}

/// A counter with a descriptor, which is ready for reading when [`ring`] has been called since [`hush`].
pub fn bell() -> io::Result<OwnedFd> {
    faults::check(Door::Pipe)?;
    Ok(rustix::event::eventfd(
        0,
        EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK,
    )?)
}

/// See [`bell`]. It has no faults: the counter is full after 2^64 calls.
pub fn ring(bell: impl AsFd) {
    let _ = rustix::io::write(bell, &1u64.to_ne_bytes());
}

/// See [`bell`].
pub fn hush(bell: impl AsFd) {
    let _ = rustix::io::read(bell, &mut [0u8; 8]);
}

/// Two ends of a pipe. Reading from it has no faults: it is the ear of whoever handles signals.
pub fn pipe() -> io::Result<(io::PipeReader, io::PipeWriter)> {
    faults::check(Door::Pipe)?;
    io::pipe()
}

/// Another descriptor of the same.
pub fn duplicate(fd: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    faults::check(Door::Pipe)?;
    fd.try_clone_to_owned()
}

/// Whether two descriptors are of the same terminal, pipe or file.
pub fn are_same(a: BorrowedFd<'_>, b: BorrowedFd<'_>) -> bool {
    let about = |fd| rustix::fs::fstat(fd).ok();
    match (about(a), about(b)) {
        (Some(a), Some(b)) => (a.st_dev, a.st_ino, a.st_rdev) == (b.st_dev, b.st_ino, b.st_rdev),
        _ => false,
    }
}

/// Rows and columns of the terminal that output goes to.
pub fn terminal_size() -> io::Result<(u16, u16)> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout())?;
    Ok((size.ws_row, size.ws_col))
}
