//! Descriptors of all kinds: whether they are ready, events, pipes, the terminal's size.

use crate::faults::{self, Door};
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::{EventfdFlags, Timespec};
use rustix::io::Errno;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::time::Duration;

pub use rustix::event::{PollFd, PollFlags};

/// How long [`poll`] waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    None,
    For(Duration),
    Forever,
}

impl Patience {
    fn limit(self) -> Option<Timespec> {
        match self {
            Patience::None => Some(Timespec::default()),
            // What is too long for the system is for ever.
            Patience::For(time) => time.try_into().ok(),
            Patience::Forever => None,
        }
    }
}

/// Waits until one of them is ready; how many are.
pub fn poll(fds: &mut [PollFd<'_>], patience: Patience) -> io::Result<usize> {
    faults::check(Door::Poll)?;
    Ok(rustix::event::poll(fds, patience.limit().as_ref())?)
}

/// Many descriptors, of which one call tells those that are ready (epoll(7)). Each is told once, and then only if it is asked for again.
#[derive(Debug)]
pub struct Watched(OwnedFd);

/// What [`Watched::wait`] tells at once, at most.
const TOLD: usize = 256;

impl Watched {
    pub fn none() -> io::Result<Watched> {
        faults::check(Door::Pipe)?;
        Ok(Watched(epoll::create(CreateFlags::CLOEXEC)?))
    }

    /// Asks for a descriptor: when it is ready for reading, for writing, for one of both; or has an error. Instead of what was asked for it before.
    pub fn ask(&self, fd: BorrowedFd<'_>, read: bool, write: bool) -> io::Result<()> {
        faults::check(Door::Poll)?;
        let mut flags = EventFlags::ONESHOT;
        flags.set(EventFlags::IN | EventFlags::RDHUP, read);
        flags.set(EventFlags::OUT, write);
        let which = EventData::new_u64(fd.as_raw_fd() as u64);
        match epoll::modify(&self.0, fd, which, flags) {
            Err(Errno::NOENT) => Ok(epoll::add(&self.0, fd, which, flags)?),
            result => Ok(result?),
        }
    }

    /// Nobody asks for it any more. (It may never have been asked for.)
    pub fn forget(&self, fd: BorrowedFd<'_>) {
        let _ = epoll::delete(&self.0, fd);
    }

    /// Waits until some of them are ready, and says which.
    pub fn wait(&self, patience: Patience, mut tell: impl FnMut(RawFd)) -> io::Result<()> {
        faults::check(Door::Poll)?;
        let mut events = [const { MaybeUninit::<Event>::uninit() }; TOLD];
        let limit = patience.limit();
        let (told, _) = epoll::wait(&self.0, &mut events[..], limit.as_ref())?;
        for event in told {
            tell(event.data.u64() as RawFd);
        }
        Ok(())
    }
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
