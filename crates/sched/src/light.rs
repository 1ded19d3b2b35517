//! Light threads that wait: without an OS thread to sleep on, they are put away and called back.
//!
//! A call that would sleep says so ([`Attention::suspend`]), leaving its place in the line of what it waits for, and returns as if it had been interrupted; the
//! predicate that made it is called again when the thread runs again, and takes its place ([`Attention::take_place`]). Whoever schedules the thread
//! puts it away meanwhile:
//!
//! ```text
//! word:  AWAY
//! suspend(p)     place := p                                                               owner
//! put_away()     AWAY := 1, unless TOKEN or a due event                                    who runs it, when it lies where others find it
//! raise, unpark  as in `interrupt`; whoever finds AWAY sets it to 0 and calls it back      anybody
//! come_back()    TOKEN := 0, SLICE := 0                                                     who runs it again
//! put_off_slice  SLICE := 0                                                                 owner
//! take_place(o)  place := none; one in another line is given up                            owner
//! ```
//!
//! *Invariants*: 1. A thread that is away is called back once: by the one who sets AWAY to 0. 2. No wake-up is lost: `put_away` reads the word that it sets
//! AWAY in, so whoever sets TOKEN or an event comes before, and is seen, or finds AWAY. 3. Who has a place in a line takes it or gives it up
//! before anything else of the thread runs.
//!
//! What any safe point answers calls nobody back: somebody else answers for a thread that is away. Nor does it, that a thread is to make way.

use crate::deadlock::Waiting;
use crate::interrupt::{AWAY, Attention, Events, TOKEN};
use crate::queue::MessageQueue;
use crate::sync::{AtomicBool, Lock, Ordering};
use crate::waiters::Ticket;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// What calls a light thread back.
pub trait Sleeper: Send + Sync {
    /// The thread, which was away, is ready to run. Any thread, maybe under a lock of this crate.
    fn call_back(&self);
}

/// Which of an object's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Receivers,
    Senders,
    Lockers,
    Joiners,
    Members,
    /// Who waits for descriptors comes back for none of these places: it looks whether they are ready.
    Descriptors,
}

/// What light threads wait for.
pub(crate) trait Waited: Send + Sync {
    /// Who has this place will not come back for it.
    fn give_up(&self, line: Line, ticket: Ticket);
    /// The queue that it is, if it is one.
    fn queue(self: Arc<Self>) -> Option<Arc<MessageQueue>> {
        None
    }
}

/// A place in the line of an object.
pub(crate) struct Place {
    pub object: Arc<dyn Waited>,
    pub line: Line,
    pub ticket: Ticket,
    /// The last message that it has looked at.
    pub examined: u64,
}

/// A wait that goes on while the thread is away.
struct Wait {
    place: Option<Place>,
    deadline: Option<Instant>,
    /// Whom it waits for, if that is looked at for deadlocks.
    edge: Option<Waiting>,
}

/// What a light thread's attention has more; see the module text.
pub(crate) struct Light {
    inner: Lock<Inner>,
    /// Whether there is a wait, for its owner, who alone makes and ends one: without one he needs no lock.
    waits: AtomicBool,
}

struct Inner {
    /// None once the thread has ended.
    sleeper: Option<Arc<dyn Sleeper>>,
    wait: Option<Wait>,
}

impl std::fmt::Debug for Light {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Light").finish_non_exhaustive()
    }
}

impl Light {
    // (Relaxed: the owner's own. Who runs the thread elsewhere later has it from who put it away.)
    fn waits(&self) -> bool {
        self.waits.load(Ordering::Relaxed)
    }
    fn set_waits(&self, waits: bool) {
        self.waits.store(waits, Ordering::Relaxed);
    }
    /// Takes the wait that there is. Owner only.
    fn end_wait(&self) -> Option<Wait> {
        self.set_waits(false);
        self.inner.lock().wait.take()
    }
}

/// The light part of an attention, if it has one.
pub(crate) type MaybeLight = OnceLock<Light>;

impl Attention {
    /// The thread is a light one from now on; before it runs.
    pub fn set_light(&self, sleeper: Arc<dyn Sleeper>) {
        let inner = Inner {
            sleeper: Some(sleeper),
            wait: None,
        };
        let _ = self.light.set(Light {
            inner: Lock::new(inner),
            waits: AtomicBool::new(false),
        });
    }
    /// It has ended: nobody calls it back.
    pub fn end_light(&self) {
        let sleeper = self
            .light
            .get()
            .map(|light| light.inner.lock().sleeper.take());
        drop(sleeper);
    }
    /// Whether the thread has no OS thread of its own.
    pub fn is_light(&self) -> bool {
        self.light.get().is_some()
    }

    // ---- owner ----

    /// The caller would sleep now. True: it is to return as if it had been interrupted, with this place kept. Owner only, no locks held.
    pub(crate) fn suspend(
        &self,
        deadline: Option<Instant>,
        place: impl FnOnce() -> Option<Place>,
    ) -> bool {
        let Some(light) = self.light.get() else {
            return false;
        };
        let wait = Wait {
            place: place(),
            deadline,
            edge: None,
        };
        let before = light.inner.lock().wait.replace(wait);
        debug_assert!(before.is_none(), "two waits at once");
        light.set_waits(true);
        true
    }
    /// Whether a call has returned because it waits. Owner only.
    pub fn is_suspended(&self) -> bool {
        self.waiting().is_some()
    }
    /// The light part of a thread that has a wait. Owner only.
    #[inline]
    fn waiting(&self) -> Option<&Light> {
        self.light.get().filter(|light| light.waits())
    }
    /// Until when it waits. Owner only.
    pub fn deadline(&self) -> Option<Instant> {
        self.waiting()?.inner.lock().wait.as_ref()?.deadline
    }
    /// While it waits it waits for that. Owner only, suspended.
    pub fn keep_edge(&self, edge: Waiting) {
        if let Some(light) = self.light.get()
            && let Some(wait) = light.inner.lock().wait.as_mut()
        {
            wait.edge = Some(edge);
        }
    }
    /// It has come back, and is about to say again whom it waits for. Owner only.
    pub fn forget_edge(&self) {
        let edge = (self.light.get()).and_then(|l| l.inner.lock().wait.as_mut()?.edge.take());
        drop(edge);
    }
    /// The caller's place in a line of this object, if it comes back for that; if it has another one, that is given up. Owner only, no locks
    /// held.
    pub(crate) fn take_place(&self, object: *const (), line: Line) -> Option<Place> {
        let wait = self.waiting()?.end_wait()?;
        let place = wait.place?;
        let is_it = std::ptr::addr_eq(Arc::as_ptr(&place.object), object) && place.line == line;
        if is_it {
            return Some(place);
        }
        place.object.give_up(place.line, place.ticket);
        None
    }
    /// It has come back, and has waited for descriptors: it does so no longer. Until when it has wanted to. Owner only.
    pub fn end_of_descriptors(&self) -> Option<Instant> {
        let light = self.waiting()?;
        let line = light.inner.lock().wait.as_ref()?.place.as_ref()?.line;
        if line != Line::Descriptors {
            return None;
        }
        let wait = light.end_wait()?;
        if let Some(place) = wait.place {
            place.object.give_up(place.line, place.ticket);
        }
        wait.deadline
    }
    /// The queue that the caller waits at, if it comes back for that: its name may be another's by now. Owner only.
    pub fn waits_at(&self) -> Option<Arc<MessageQueue>> {
        let light = self.waiting()?.inner.lock();
        let object = light.wait.as_ref()?.place.as_ref()?.object.clone();
        drop(light);
        object.queue()
    }
    /// What the thread waits for it does not wait for any more. Owner only, no locks held.
    pub fn give_up_wait(&self) {
        let wait = self.waiting().and_then(Light::end_wait);
        if let Some(place) = wait.and_then(|w| w.place) {
            place.object.give_up(place.line, place.ticket);
        }
    }

    /// Waits here for what was to be waited for away, as there is nobody to call the thread back. Owner only.
    #[cfg(not(loom))]
    pub fn wait_here(&self) {
        self.park(self.deadline());
    }

    // ---- who runs it ----

    /// The thread lies where others find it. False: it is to run on, as what it waits for may be there; nobody else calls it back then.
    #[must_use]
    pub fn put_away(&self) -> bool {
        // AcqRel: invariant 2; release also publishes where the thread lies to who calls it back.
        let word = self.word.fetch_or(AWAY, Ordering::AcqRel);
        if word & TOKEN == 0 && !self.due_of(word).meets(Events::WAKING) {
            return true;
        }
        // Invariant 1: it has been called back, if AWAY is not there any more.
        self.word.fetch_and(!AWAY, Ordering::AcqRel) & AWAY == 0
    }
    /// It runs again.
    pub fn come_back(&self) {
        // AcqRel: what was written before a token that is lost here is seen by the thread, which looks again.
        let over = TOKEN | Events::SLICE.bits();
        self.word.fetch_and(!over, Ordering::AcqRel);
    }

    /// It cannot make way here, and is asked again at the next tick. Owner only.
    pub fn put_off_slice(&self) {
        // Relaxed: nobody reads anything else by it.
        self.word
            .fetch_and(!Events::SLICE.bits(), Ordering::Relaxed);
    }

    // ---- anybody ----

    /// The word was `old` when something was set in it that a thread which is away is to hear of.
    #[inline]
    pub(crate) fn call_back_if_away(&self, old: u32) {
        if old & AWAY != 0 {
            self.call_back();
        }
    }
    #[cold]
    fn call_back(&self) {
        // AcqRel: invariant 1; acquire pairs with `put_away`.
        if self.word.fetch_and(!AWAY, Ordering::AcqRel) & AWAY != 0
            && let Some(light) = self.light.get()
        {
            let sleeper = light.inner.lock().sleeper.clone();
            if let Some(sleeper) = sleeper {
                sleeper.call_back();
            }
        }
    }
}
