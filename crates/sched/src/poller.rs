//! Threads that wait for descriptors and must not keep them open, or have no OS thread to wait on; and the thread of the system that asks for all of these.
//!
//! ```text
//! watch(fds, a)   a is among the waiters of each of fds; they are asked for            owner of a, while it keeps them open
//! told(fd)        fd has no waiters any more; all that it had are called back          the poller's thread
//! leave(w)        what has watched for w does so no longer                             owner, when it has come back
//! tell(fd)        as told(fd)                                                          who has taken what came, and left some of it
//! forget(fd)      the same, and the system forgets it                                  before fd is closed
//! ```
//!
//! *Invariants*: 1. A descriptor that has waiters is asked for, with what one of them wants at least, since the youngest has come: asking and coming are one
//! step under the lock, and what is ready already is told at once. So none waits for what is there. What others have taken from there meanwhile, and keep for
//! anybody (a stream's buffer), they tell of. 2. Who is called back looks again, and may find that it
//! is not ready: whoever waits for the same is called, too, for reading and for writing. 3. A descriptor that is closed has been forgotten before, by
//! who closes it; its number may be another's then, and who waits for that is not called for this one. 4. A descriptor without waiters has no entry.
//!
//! The lock is held with no other of this crate, and nobody is woken under it.
//!
//! The thread comes with the first waiter; it ends when nobody has waited for a while ([`IDLE`]).

use crate::error::SchedError;
use crate::interrupt::{Attention, Interrupted};
use crate::light::{Line, Place, Waited};
use crate::readiness::Ready;
use crate::sync::Lock;
use crate::timers::Spawn;
use crate::waiters::Ticket;
use rustc_hash::FxHashMap;
use samite_term::{common, growth};
use samite_world::descriptors::{Patience, Watched};
use samite_world::threads;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So long the thread stays when nobody waits.
const IDLE: Duration = Duration::from_secs(1);

/// See the module text.
#[derive(Default)]
pub struct Poller(Lock<State>);

#[derive(Default)]
struct State {
    /// None while there is no thread.
    watched: Option<Arc<Watched>>,
    waiters: FxHashMap<RawFd, Vec<Waiter>>,
    last: u64,
}

struct Waiter {
    wait: u64,
    what: Ready,
    attention: Arc<Attention>,
}

/// A wait for some descriptors.
struct Wait {
    poller: Arc<Poller>,
    number: u64,
    fds: Vec<RawFd>,
}

impl Waited for Wait {
    fn give_up(&self, _: Line, _: Ticket) {
        self.poller.leave(self);
    }
}

/// What [`Poller::watch`] has begun.
#[must_use]
pub struct Watch(Wait);

/// Bytes of a waiter, about.
const BYTES: usize =
    size_of::<Wait>() + 2 * size_of::<(RawFd, Vec<Waiter>)>() + 4 * size_of::<Waiter>();

impl std::fmt::Debug for Poller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} descriptors", self.0.lock().waiters.len())
    }
}

impl State {
    /// Asks for what the waiters of a descriptor want.
    fn ask(&self, watched: &Watched, fd: BorrowedFd<'_>) -> std::io::Result<()> {
        let waiters = self.waiters.get(&fd.as_raw_fd()).map_or(&[][..], |w| w);
        let wanted = |what| waiters.iter().any(|w| w.what == what);
        watched.ask(fd, wanted(Ready::Read), wanted(Ready::Write))
    }
    fn leave(&mut self, number: u64, fds: &[RawFd]) {
        for fd in fds {
            if let Some(waiters) = self.waiters.get_mut(fd) {
                waiters.retain(|w| w.wait != number);
                if waiters.is_empty() {
                    self.waiters.remove(fd);
                }
            }
        }
    }
}

impl Poller {
    /// Has the caller woken when one of these is ready or is forgotten, until it says that it waits no longer: it waits then. Errors: `NoMemory`, and `TooManyThreads` where the
    /// system will not tell: the caller waits for itself then. Owner only.
    pub fn watch(
        self: &Arc<Self>,
        fds: &[(BorrowedFd<'_>, Ready)],
        attention: &Arc<Attention>,
        spawn: Spawn,
    ) -> Result<Watch, SchedError> {
        if !common::may_take(fds.len() * BYTES, 0) {
            return Err(SchedError::NoMemory);
        }
        let mut state = self.0.lock();
        let watched = self.serve(&mut state, spawn)?;
        state.last += 1;
        let number = state.last;
        let mut wait = Wait {
            poller: Arc::clone(self),
            number,
            fds: Vec::with_capacity(fds.len()),
        };
        for &(fd, what) in fds {
            let waiter = Waiter {
                wait: number,
                what,
                attention: Arc::clone(attention),
            };
            let room = growth::map_room(&mut state.waiters, |n| common::may_take(n, 0));
            if room {
                wait.fds.push(fd.as_raw_fd());
                let waiters = state.waiters.entry(fd.as_raw_fd()).or_default();
                waiters.push(waiter);
            }
            if !room || state.ask(&watched, fd).is_err() {
                state.leave(number, &wait.fds);
                return Err(SchedError::TooManyThreads);
            }
        }
        Ok(Watch(wait))
    }

    /// There is a thread that asks, from now on.
    fn serve(
        self: &Arc<Self>,
        state: &mut State,
        spawn: Spawn,
    ) -> Result<Arc<Watched>, SchedError> {
        if let Some(watched) = &state.watched {
            return Ok(watched.clone());
        }
        let watched = Watched::none().map_err(|_| SchedError::TooManyThreads)?;
        let watched = Arc::new(watched);
        let (poller, its) = (Arc::clone(self), watched.clone());
        if !spawn(Box::new(move || poller.run(&its))) {
            return Err(SchedError::TooManyThreads);
        }
        state.watched = Some(watched.clone());
        Ok(watched)
    }

    fn leave(&self, wait: &Wait) {
        self.0.lock().leave(wait.number, &wait.fds);
    }

    /// A descriptor is about to be closed: whoever waits for it looks again.
    pub fn forget(&self, fd: BorrowedFd<'_>) {
        let watched = self.0.lock().watched.clone();
        if let Some(watched) = watched {
            watched.forget(fd);
            self.tell(fd);
        }
    }

    /// There is something for whoever waits for a descriptor, or will be: he looks again.
    pub fn tell(&self, fd: BorrowedFd<'_>) {
        let waiters = self.0.lock().waiters.remove(&fd.as_raw_fd());
        for w in waiters.unwrap_or_default() {
            w.attention.unpark();
        }
    }

    fn run(&self, watched: &Watched) {
        let mut ready = Vec::new();
        loop {
            let idle = self.0.lock().waiters.is_empty();
            let patience = match idle {
                true => Patience::For(IDLE),
                false => Patience::Forever,
            };
            let told = watched.wait(patience, |fd| ready.push(fd));
            if told.is_err() {
                // It is asked again: nothing is lost.
                threads::sleep(Duration::from_millis(1));
            }
            let mut state = self.0.lock();
            if idle && told.is_ok() && ready.is_empty() && state.waiters.is_empty() {
                state.watched = None;
                return;
            }
            let found: Vec<Vec<Waiter>> = ready
                .drain(..)
                .filter_map(|fd| state.waiters.remove(&fd))
                .collect();
            drop(state);
            for w in found.into_iter().flatten() {
                w.attention.unpark();
            }
        }
    }
}

impl Attention {
    /// Has a light thread suspend itself until one of these is ready, or the time has come: true. False if it is none, or is to wait here, as nobody could call
    /// it back. When it runs again it looks whether they are; [`Attention::end_of_descriptors`]. Owner only, no locks held.
    pub fn suspend_for(
        self: &Arc<Self>,
        poller: &Arc<Poller>,
        fds: &[(BorrowedFd<'_>, Ready)],
        deadline: Option<Instant>,
        spawn: Spawn,
    ) -> bool {
        if !self.is_light() {
            return false;
        }
        match poller.watch(fds, self, spawn) {
            Ok(watch) => self.suspend_with(watch, deadline),
            Err(_) => false,
        }
    }

    fn suspend_with(&self, Watch(wait): Watch, deadline: Option<Instant>) -> bool {
        self.suspend(deadline, || {
            Some(Place {
                object: Arc::new(wait),
                line: Line::Descriptors,
                ticket: Ticket::ONLY,
                examined: 0,
            })
        })
    }

    /// Sleeps until what is watched is ready or forgotten, until the time has come, or an event is due; may return early. A light thread is suspended.
    /// Owner only, no locks held.
    pub fn await_watched(
        &self,
        watch: Watch,
        deadline: Option<Instant>,
    ) -> Result<(), Interrupted> {
        if self.is_light() {
            let suspended = self.suspend_with(watch, deadline);
            debug_assert!(suspended, "who is light can be suspended");
            return Err(Interrupted);
        }
        let due = self.must_not_wait();
        if !due {
            self.park(deadline);
        }
        watch.0.poller.leave(&watch.0);
        match due || self.must_not_wait() {
            true => Err(Interrupted),
            false => Ok(()),
        }
    }

    /// Sleeps until the time has come, or an event is due; may return early. Also a light thread does so here. Owner only, no locks held.
    pub fn pause(&self, until: Instant) -> Result<(), Interrupted> {
        if !self.must_not_wait() {
            self.park(Some(until));
        }
        match self.must_not_wait() {
            true => Err(Interrupted),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::Events;
    use crate::light::Sleeper;
    use std::io::Write;
    use std::os::fd::AsFd;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// Says that it was called back.
    struct Called(Sender<()>);

    impl Sleeper for Called {
        fn call_back(&self) {
            self.0.send(()).expect("somebody waits for it");
        }
    }

    fn light() -> (Arc<Attention>, Receiver<()>) {
        let (tell, told) = channel();
        let attention = Arc::new(Attention::new());
        attention.set_light(Arc::new(Called(tell)));
        (attention, told)
    }

    fn spawn(f: Box<dyn FnOnce() + Send>) -> bool {
        std::thread::Builder::new().spawn(f).is_ok()
    }

    fn suspend(poller: &Arc<Poller>, a: &Arc<Attention>, fd: BorrowedFd<'_>, what: Ready) {
        assert!(a.suspend_for(poller, &[(fd, what)], None, spawn));
    }

    fn come_back(a: &Attention) {
        a.come_back();
        assert_eq!(a.end_of_descriptors(), None);
        assert!(!a.is_suspended());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no epoll")]
    fn what_is_written_calls_back_who_reads() {
        let poller = Arc::new(Poller::default());
        let (a, told) = light();
        for _ in 0..200 {
            let (reader, mut writer) = std::io::pipe().expect("a pipe");
            suspend(&poller, &a, reader.as_fd(), Ready::Read);
            let writes = std::thread::spawn(move || writer.write_all(b"x"));
            if a.put_away() {
                told.recv().expect("called");
            }
            come_back(&a);
            writes.join().expect("no panic").expect("room");
            poller.forget(reader.as_fd());
        }
        assert!(poller.0.lock().waiters.is_empty());
    }

    /// Who reads and who writes wait for one descriptor; an event ends a wait; closing does.
    #[test]
    #[cfg_attr(miri, ignore = "Miri has no epoll")]
    fn several_wait_for_one() {
        let poller = Arc::new(Poller::default());
        let (near, far) = std::os::unix::net::UnixStream::pair().expect("a pair");
        let (a, a_told) = light();
        let (b, b_told) = light();
        let (c, c_told) = light();
        for waits in [&a, &b, &c] {
            suspend(&poller, waits, near.as_fd(), Ready::Read);
            assert!(waits.put_away());
        }
        c.raise(Events::SIGNAL);
        c_told.recv().expect("called");
        come_back(&c);
        (&far).write_all(b"x").expect("room");
        a_told.recv().expect("called");
        b_told.recv().expect("called");
        come_back(&a);
        come_back(&b);
        // There is room at once: whoever is to read is called for nothing.
        suspend(&poller, &b, far.as_fd(), Ready::Read);
        assert!(b.put_away());
        suspend(&poller, &a, far.as_fd(), Ready::Write);
        if a.put_away() {
            a_told.recv().expect("called");
        }
        b_told.recv().expect("called");
        come_back(&a);
        come_back(&b);
        suspend(&poller, &b, far.as_fd(), Ready::Read);
        assert!(b.put_away());
        poller.forget(far.as_fd());
        b_told.recv().expect("called");
        come_back(&b);
        assert!(poller.0.lock().waiters.is_empty());
    }

    /// A file on a disk is no such descriptor: whoever wants it is to look for itself.
    #[test]
    #[cfg_attr(miri, ignore = "Miri has no epoll")]
    fn what_the_system_does_not_tell_is_not_waited_for() {
        let poller = Arc::new(Poller::default());
        let (a, _told) = light();
        let file = std::fs::File::open("Cargo.toml").expect("a file");
        assert!(!a.suspend_for(&poller, &[(file.as_fd(), Ready::Read)], None, spawn));
        assert!(!a.is_suspended() && poller.0.lock().waiters.is_empty());
        let native = Arc::new(Attention::new());
        let (reader, _writer) = std::io::pipe().expect("a pipe");
        assert!(!native.suspend_for(&poller, &[(reader.as_fd(), Ready::Read)], None, spawn));
    }
}
