//! Prolog's mutexes: recursive, owned by a thread, seen by `mutex_property/2`.
//!
//! Wielemaker, *Native preemptive threads in SWI-Prolog*, 6.3.2 and 6.4.2. Differs from it in: waiting for a mutex is ended by an
//! event (`thread_signal/2`, abort); who waits for a mutex that is destroyed gets an error.
//!
//! Invariants, with the lock free:
//! 1. `count` > 0 exactly if there is an owner.
//! 2. If the mutex is free and somebody is parked, somebody is woken.
//! 3. A destroyed mutex is free, and nobody is parked.
//!
//! Giving a mutex free wakes the first who waits; a newcomer may overtake it, then it goes back to its place. A woken
//! thread that finds the mutex taken has nothing to pass on: whoever took it will wake the next.
//!
//! All methods may be called from any thread; `me` and `attention` must be the calling thread's own.

use crate::error::Reference;
use crate::interrupt::Attention;
use crate::light::{Line, Place, Waited};
use crate::registry::Name;
use crate::registry::ThreadId;
use crate::sync::{Lock, LockGuard};
use crate::waiters::{Ticket, WaitList, Wake};
use samite_term::Atom;
use samite_term::common::Charge;
use std::sync::Arc;

/// Why a mutex was not locked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LockError {
    /// The mutex was destroyed, before the call or during it.
    Destroyed,
    /// An event is due; the call may be repeated.
    Interrupted,
}

/// The caller does not hold the mutex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NotOwner;

/// What unlocking led to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unlocked {
    /// The caller still holds it, this many times.
    Held(u32),
    /// It is free, or already another's.
    Free,
    /// It was to be destroyed when free, and now is.
    Destroyed,
}

/// State of a mutex, as seen from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MutexStatus {
    Unlocked,
    /// Held by a thread, this many times.
    Locked(ThreadId, u32),
}

struct State {
    owner: Option<ThreadId>,
    count: u32,
    waiters: WaitList<()>,
    /// To be destroyed when it is free.
    doomed: bool,
    destroyed: bool,
    acquisitions: u64,
    collisions: u64,
}

impl State {
    /// Locks it for `me` if it is free or theirs.
    fn acquire(&mut self, me: ThreadId) -> bool {
        match self.owner {
            None => self.owner = Some(me),
            Some(owner) if owner == me => {}
            Some(_) => return false,
        }
        self.count += 1;
        self.acquisitions += 1;
        true
    }
    fn end(&mut self) {
        self.destroyed = true;
        self.waiters.wake_all();
    }
    fn verify(&self) {
        assert_eq!(self.owner.is_some(), self.count > 0);
        let stuck = self.waiters.len() > 0 && self.waiters.woken() == 0;
        assert!(self.owner.is_some() || !stuck, "mutex: free, but all sleep");
        assert!(!self.destroyed || self.owner.is_none() && self.waiters.len() == 0);
    }
}

/// A recursive mutex; see the module text. Shared by `Arc`.
pub struct PrologMutex {
    name: Name,
    serial: u64,
    state: Lock<State>,
    _charge: Charge,
}

impl std::fmt::Debug for PrologMutex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PrologMutex({:?})", self.status())
    }
}

impl PrologMutex {
    /// Made by the registry only, which knows it by `name`.
    pub(crate) fn new(name: Name, serial: u64) -> PrologMutex {
        PrologMutex {
            name,
            serial,
            state: Lock::new(State {
                owner: None,
                count: 0,
                waiters: WaitList::new(),
                doomed: false,
                destroyed: false,
                acquisitions: 0,
                collisions: 0,
            }),
            _charge: Charge::new(2 * size_of::<PrologMutex>()),
        }
    }

    /// Its alias, or its handle if it has none.
    pub fn name(&self) -> Reference {
        self.name.reference()
    }
    pub fn alias(&self) -> Option<Atom> {
        self.name().alias()
    }
    /// Order of creation.
    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    /// Locks the mutex for thread `me`; waits while another has it.
    pub fn lock(
        self: &Arc<Self>,
        me: ThreadId,
        attention: &Arc<Attention>,
    ) -> Result<(), LockError> {
        let place = attention.take_place(Arc::as_ptr(self).cast(), Line::Lockers);
        let mut state = self.state.lock();
        let mut ticket = None;
        if let Some(place) = place {
            // Whether it was woken does not matter: see the module text.
            let _ = state.waiters.leave(place.ticket);
            ticket = Some(place.ticket);
        }
        loop {
            if state.destroyed {
                return Err(LockError::Destroyed);
            }
            if state.acquire(me) {
                finish(state, Wake::default());
                return Ok(());
            }
            if attention.must_not_wait() {
                return Err(LockError::Interrupted);
            }
            if ticket.is_none() {
                state.collisions += 1;
            }
            let t = state.waiters.enter(ticket, attention, ());
            ticket = Some(t);
            finish(state, Wake::default());
            let place = || Place {
                object: self.clone(),
                line: Line::Lockers,
                ticket: t,
                examined: 0,
            };
            if attention.suspend(None, || Some(place())) {
                return Err(LockError::Interrupted);
            }
            attention.park(None);
            state = self.state.lock();
            // Whether it was woken does not matter: see the module text.
            let _ = state.waiters.leave(t);
        }
    }

    /// Locks the mutex if that is possible at once. False: another has it.
    pub fn try_lock(&self, me: ThreadId) -> Result<bool, LockError> {
        let mut state = self.state.lock();
        if state.destroyed {
            return Err(LockError::Destroyed);
        }
        Ok(state.acquire(me))
    }

    /// Undoes one lock of thread `me`. To be called through
    /// [`Registry::unlock_mutex`](crate::Registry::unlock_mutex), which forgets the mutex if it ends here.
    pub(crate) fn unlock(&self, me: ThreadId) -> Result<Unlocked, NotOwner> {
        let mut state = self.state.lock();
        if state.owner != Some(me) {
            return Err(NotOwner);
        }
        state.count -= 1;
        Ok(match state.count {
            0 => release(state),
            n => Unlocked::Held(n),
        })
    }

    /// Undoes all locks of thread `me`, if it has any.
    pub(crate) fn unlock_fully(&self, me: ThreadId) -> Option<Unlocked> {
        let mut state = self.state.lock();
        if state.owner != Some(me) {
            return None;
        }
        state.count = 0;
        Some(release(state))
    }

    /// Ends the mutex, as soon as it is free. True: it has ended.
    pub(crate) fn destroy(&self) -> bool {
        let mut state = self.state.lock();
        state.doomed = true;
        if state.owner.is_none() {
            state.end();
        }
        let ended = state.destroyed;
        finish(state, Wake::default());
        ended
    }

    pub fn status(&self) -> MutexStatus {
        let state = self.state.lock();
        match state.owner {
            None => MutexStatus::Unlocked,
            Some(owner) => MutexStatus::Locked(owner, state.count),
        }
    }
    /// Threads that wait for it.
    pub fn waiting(&self) -> usize {
        self.state.lock().waiters.len()
    }
    /// How often it was locked, and how often somebody had to wait for it.
    pub fn statistics(&self) -> (u64, u64) {
        let state = self.state.lock();
        (state.acquisitions, state.collisions)
    }
}

impl Waited for PrologMutex {
    fn give_up(&self, _: Line, ticket: Ticket) {
        let mut state = self.state.lock();
        let woken = state.waiters.leave(ticket);
        let next = if woken && state.owner.is_none() {
            state.waiters.wake_first(|()| true)
        } else {
            Wake::default()
        };
        finish(state, next);
    }
}

fn release(mut state: LockGuard<'_, State>) -> Unlocked {
    state.owner = None;
    if state.doomed {
        state.end();
        finish(state, Wake::default());
        Unlocked::Destroyed
    } else {
        let next = state.waiters.wake_first(|()| true);
        finish(state, next);
        Unlocked::Free
    }
}

/// Gives up the lock, then wakes who was chosen under it.
fn finish(state: LockGuard<'_, State>, next: Wake) {
    if cfg!(debug_assertions) {
        state.verify();
    }
    drop(state);
    next.up();
}
