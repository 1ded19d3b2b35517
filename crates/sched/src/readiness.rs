//! Waiting for a descriptor: until something can be read or written, or until an event is due.
//!
//! ```text
//! raise(e)          events += e; writes to the alarm if POLLING              anybody
//! until_ready(fd)   POLLING := 1; polls fd and the alarm until fd is ready   owner
//!                   or an event is due; POLLING := 0
//! ```
//!
//! Invariant: *no event is overlooked*. The owner sets POLLING, then reads the word; whoever raises an event and does not find POLLING comes before
//! that in the word's order, so the owner sees the event; whoever finds it writes to the alarm, which stays readable until the owner has taken it.
//! The alarm is an eventfd, there while the owner waits.

use crate::interrupt::{Attention, Interrupted, past};
use crate::sync::Lock;
use samite_world::descriptors::{self, Patience, PollFd, PollFlags, poll};
use samite_world::{clock, processes};
use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ready {
    /// Something to read, or the end.
    Read,
    /// Room to write.
    Write,
}

impl Ready {
    fn flags(self) -> PollFlags {
        match self {
            Ready::Read => PollFlags::IN,
            Ready::Write => PollFlags::OUT,
        }
    }
}

/// Time between looks for an event, where nothing can tell of it.
const SOON: Duration = Duration::from_millis(10);

/// What wakes a thread that waits for a descriptor.
#[derive(Debug)]
pub(crate) struct Alarm(Lock<Option<Arc<OwnedFd>>>);

impl Alarm {
    pub(crate) fn new() -> Alarm {
        Alarm(Lock::new(None))
    }

    /// Wakes the owner, if it waits.
    pub(crate) fn ring(&self) {
        if let Some(fd) = self.0.lock().as_deref() {
            descriptors::ring(fd);
        }
    }

    /// For a wait that begins. `None` if the system has no descriptor for it.
    fn set(&self) -> Option<Arc<OwnedFd>> {
        let fd = Arc::new(descriptors::bell().ok()?);
        *self.0.lock() = Some(fd.clone());
        Some(fd)
    }

    fn clear(&self) {
        *self.0.lock() = None;
    }
}

/// Whether a descriptor is ready now, with an error too, which the operation will report.
pub fn is_ready(fd: BorrowedFd<'_>, what: Ready) -> bool {
    let mut fds = [PollFd::from_borrowed_fd(fd, what.flags())];
    // Not known: the operation will tell.
    poll(&mut fds, Patience::None).map_or(true, |n| n > 0)
}

impl Attention {
    /// Sleeps until a descriptor is ready, until the deadline, or until an event is due. Returns at once, as if it were ready, if the system refuses to
    /// wait. Owner only, with no lock held that a raiser needs.
    pub fn until_ready(
        &self,
        fd: BorrowedFd<'_>,
        what: Ready,
        deadline: Option<Instant>,
    ) -> Result<(), Interrupted> {
        if self.must_not_wait() {
            return Err(Interrupted);
        }
        // Where the system has no descriptor for the alarm, nothing can tell of an event.
        let alarm = self.alarm().set();
        let _blocking = crate::carrier::blocking();
        self.set_polling(true);
        let mut fds = vec![PollFd::from_borrowed_fd(fd, what.flags())];
        fds.extend(
            alarm
                .iter()
                .map(|alarm| PollFd::new(&**alarm, PollFlags::IN)),
        );
        let result = loop {
            if self.must_not_wait() {
                break Err(Interrupted);
            }
            let left = deadline.map(|d| d.saturating_duration_since(clock::now()));
            let patience = match (left, &alarm) {
                (left, None) => Patience::For(left.unwrap_or(SOON).min(SOON)),
                (Some(left), _) => Patience::For(left),
                (None, _) => Patience::Forever,
            };
            match poll(&mut fds, patience) {
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(_) => break Ok(()),
                Ok(_) => {}
            }
            if fds.get(1).is_some_and(|fd| !fd.revents().is_empty())
                && let Some(alarm) = &alarm
            {
                descriptors::hush(&**alarm);
            }
            if !fds[0].revents().is_empty() || past(deadline) {
                break Ok(());
            }
        };
        self.set_polling(false);
        self.alarm().clear();
        result
    }
}

impl Attention {
    /// Sleeps until a child process has ended, or until an event is due. Returns at once, as if it had, if the system has no way to wait for both.
    /// Owner only.
    pub fn until_ended(&self, child: &std::process::Child) -> Result<(), Interrupted> {
        match processes::end_of(child) {
            Ok(process) => self.until_ready(process.as_fd(), Ready::Read, None),
            Err(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::Events;
    use std::io::Write;

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no poll")]
    fn what_is_written_ends_the_wait() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let a = Attention::new();
        assert!(!is_ready(reader.as_fd(), Ready::Read));
        assert!(is_ready(writer.as_fd(), Ready::Write));
        std::thread::scope(|s| {
            s.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                writer.write_all(b"x").expect("room");
            });
            assert_eq!(a.until_ready(reader.as_fd(), Ready::Read, None), Ok(()));
        });
        assert!(is_ready(reader.as_fd(), Ready::Read));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no poll")]
    fn an_event_ends_the_wait_if_it_is_due() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let a = Arc::new(Attention::new());
        for _ in 0..200 {
            let b = a.clone();
            let raiser = std::thread::spawn(move || b.raise(Events::SIGNAL));
            assert_eq!(
                a.until_ready(reader.as_fd(), Ready::Read, None),
                Err(Interrupted)
            );
            raiser.join().expect("no panic");
            assert_eq!(a.take(Events::ALL), Events::SIGNAL);
        }
        a.set_masked(Events::SIGNAL);
        a.raise(Events::SIGNAL | Events::TICK);
        let b = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            drop(writer);
        });
        assert_eq!(a.until_ready(reader.as_fd(), Ready::Read, None), Ok(()));
        b.join().expect("no panic");
    }
}
