//! What one thread uses at a time, maybe for as long as somebody else likes: who waits for it hears events.
//!
//! ```text
//! lock()                  waits until it is free                                   anybody
//! lock_or_event(a)        the same, until an event of its owner is due             owner of a
//! shut()                  SHUT := 1                                                who has locked it, before waiting for somebody else
//! open()                  SHUT := 0; wakes who stands before the gate              the same, afterwards
//! ```
//!
//! A lock costs what one costs that hears nothing. Whoever has it and only computes is soon done: others look for events now and then.
//! Whoever waits with it (for input, say) shuts the gate; the others stand before that, where an event reaches them at once.
//!
//! Invariants: whoever stands before the gate found it shut under the gate's lock, and `open` wakes all whom it finds there: nobody stands before
//! an open gate but to leave. Only who has locked the value shuts it, and opens it before unlocking.

use crate::interrupt::Attention;
#[cfg(not(loom))]
use crate::interrupt::Interrupted;
use crate::sync::Lock;
use crate::waiters::WaitList;
#[cfg(not(loom))]
use parking_lot::Mutex;
use std::sync::Arc;
#[cfg(not(loom))]
use std::time::Duration;

/// Time between looks for an event, while whoever has the value computes.
#[cfg(not(loom))]
const SOON: Duration = Duration::from_millis(10);

struct State {
    shut: bool,
    waiting: WaitList<()>,
}

/// See the module text.
pub struct Gate(Lock<State>);

impl Gate {
    pub(crate) fn new() -> Gate {
        Gate(Lock::new(State {
            shut: false,
            waiting: WaitList::new(),
        }))
    }

    /// Who has the value is about to wait for somebody else.
    pub fn shut(&self) {
        self.0.lock().shut = true;
    }

    /// It waits no longer.
    pub fn open(&self) {
        let mut state = self.0.lock();
        if state.shut {
            state.shut = false;
            state.waiting.wake_all();
        }
    }

    /// Stands before the gate while it is shut, or until an event is due; may return early.
    pub(crate) fn pass(&self, attention: &Arc<Attention>) {
        let mut state = self.0.lock();
        if !state.shut {
            return;
        }
        let ticket = state.waiting.enter(None, attention, ());
        drop(state);
        attention.park(None);
        // All are woken together: nothing to pass on.
        let _ = self.0.lock().waiting.leave(ticket);
    }
}

/// Access to what is locked.
#[cfg(not(loom))]
pub type Guard<'a, T> = parking_lot::MutexGuard<'a, T>;

/// See the module text.
#[cfg(not(loom))]
pub struct Exclusive<T> {
    value: Mutex<T>,
    gate: Gate,
}

#[cfg(not(loom))]
impl<T> Exclusive<T> {
    pub fn new(value: T) -> Exclusive<T> {
        Exclusive {
            value: Mutex::new(value),
            gate: Gate::new(),
        }
    }

    /// Waits for it, deaf.
    #[inline]
    pub fn lock(&self) -> Guard<'_, T> {
        self.value.lock()
    }

    /// It, if nobody uses it.
    #[inline]
    pub fn try_lock(&self) -> Option<Guard<'_, T>> {
        self.value.try_lock()
    }

    /// It, if it is free in time.
    pub fn try_lock_for(&self, time: Duration) -> Option<Guard<'_, T>> {
        self.value.try_lock_for(time)
    }

    /// Waits for it; only the owner of the attention. Nothing is locked if an event is due first.
    pub fn lock_or_event(&self, attention: &Arc<Attention>) -> Result<Guard<'_, T>, Interrupted> {
        loop {
            if let Some(guard) = self.value.try_lock_for(SOON) {
                return Ok(guard);
            }
            if attention.must_not_wait() {
                return Err(Interrupted);
            }
            self.gate.pass(attention);
        }
    }

    /// For whoever has locked it; see the module text.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }
}

#[cfg(not(loom))]
impl<T> std::fmt::Debug for Exclusive<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exclusive").finish_non_exhaustive()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::interrupt::Events;

    /// Somebody has it and waits; others stand before the gate until an event, or until it is free.
    #[test]
    fn who_waits_hears_events() {
        let value = Arc::new(Exclusive::new(0));
        let held = value.lock();
        value.gate().shut();
        let (deaf, hears) = (Arc::new(Attention::new()), Arc::new(Attention::new()));
        let wait = |a: &Arc<Attention>| {
            let (a, value) = (a.clone(), value.clone());
            std::thread::spawn(move || value.lock_or_event(&a).map(|mut v| *v += 1))
        };
        let (first, second) = (wait(&deaf), wait(&hears));
        hears.raise(Events::SIGNAL);
        assert_eq!(second.join().expect("no panic"), Err(Interrupted));
        value.gate().open();
        drop(held);
        assert_eq!(first.join().expect("no panic"), Ok(()));
        assert_eq!(*value.lock(), 1);
    }
}
