//! OS threads that carry light threads tell whoever schedules these when they are about to block, so that another can carry on in their place.
//!
//! *Equation*: a carrier is in a call that may block for long exactly if it has said [`Carrier::blocks`] and not yet [`Carrier::goes_on`], or the call is
//! known to be short. Calls may be nested: the outermost one counts. On other OS threads nothing happens.

use crate::interrupt::Attention;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

/// Who schedules what the calling OS thread carries.
pub trait Carrier {
    /// Whether it carries light threads; else it is one that takes turns with them (`guest`).
    fn carries(&self) -> bool {
        true
    }
    /// The calling OS thread is about to block, with the light thread that it carries.
    fn blocks(&self);
    /// It does not any more.
    fn goes_on(&self);
    /// The thread that runs lets others run first, if its OS thread is its own.
    fn make_way(&self) {}
    /// Whether there are some.
    fn others_wait(&self) -> bool {
        false
    }
    /// The thread is about to wait for others, or until then, in a world that is simulated.
    fn waits(&self, _whom: &Attention, _until: Option<Instant>) {}
    /// It has waited.
    fn has_waited(&self) {}
    /// Whether whoever schedules the thread has said that its wait is over; `None`: the thread looks at the time itself.
    fn is_called(&self) -> Option<bool> {
        None
    }
    /// What this thread has waited for is there, and it is about to hear of it. Maybe under a lock of this crate.
    fn woke(&self, _whom: &Attention) {}
}

thread_local! {
    static CARRIER: RefCell<Option<Rc<dyn Carrier>>> = const { RefCell::new(None) };
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// From now on the calling OS thread carries light threads; `None`: no longer.
pub fn set_carrier(carrier: Option<Rc<dyn Carrier>>) {
    CARRIER.set(carrier);
}

/// Whether the calling OS thread carries light threads.
pub fn is_carrier() -> bool {
    current().is_some_and(|c| c.carries())
}

fn current() -> Option<Rc<dyn Carrier>> {
    // (The OS thread may be at its end.)
    CARRIER.try_with(|c| c.borrow().clone()).ok().flatten()
}

/// Whether others wait for the turn of the thread that runs here, if its OS thread is its own and it takes turns with others.
pub fn others_wait() -> bool {
    current().is_some_and(|carrier| carrier.others_wait())
}

/// The thread that runs here lets others run first, if its OS thread is its own and it takes turns with others.
pub fn make_way() {
    if let Some(carrier) = current() {
        carrier.make_way();
    }
}

/// In a wait for others, or for time, until this is dropped.
#[must_use]
pub(crate) struct Waiting(Rc<dyn Carrier>);

/// Before a wait that ends then, or when somebody ends it, in a simulated world. Waits are not nested.
pub(crate) fn waiting(whom: &Attention, until: Option<Instant>) -> Option<Waiting> {
    let carrier = current()?;
    carrier.waits(whom, until);
    Some(Waiting(carrier))
}

impl Waiting {
    /// See [`Carrier::is_called`].
    pub(crate) fn is_called(&self) -> Option<bool> {
        self.0.is_called()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.has_waited();
    }
}

/// Whoever schedules what this OS thread runs is to know that another is about to wake.
pub(crate) fn woke(whom: &Attention) {
    if let Some(carrier) = current() {
        carrier.woke(whom);
    }
}

/// In a call that may block, until this is dropped.
#[must_use]
pub struct Blocking(Option<Rc<dyn Carrier>>);

/// Before a call that may block.
pub fn blocking() -> Blocking {
    let carrier = current();
    if let Some(carrier) = &carrier
        && DEPTH.replace(DEPTH.get() + 1) == 0
    {
        carrier.blocks();
    }
    Blocking(carrier)
}

impl Drop for Blocking {
    fn drop(&mut self) {
        if let Some(carrier) = &self.0 {
            let depth = DEPTH.get() - 1;
            DEPTH.set(depth);
            if depth == 0 {
                carrier.goes_on();
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_call_counts() {
        struct Counted(Cell<(u32, u32)>);
        impl Carrier for Counted {
            fn blocks(&self) {
                self.0.set((self.0.get().0 + 1, self.0.get().1));
            }
            fn goes_on(&self) {
                self.0.set((self.0.get().0, self.0.get().1 + 1));
            }
        }
        drop(blocking());
        let counted = Rc::new(Counted(Cell::new((0, 0))));
        set_carrier(Some(counted.clone()));
        let outer = blocking();
        drop(blocking());
        assert_eq!(counted.0.get(), (1, 0));
        drop(outer);
        drop(blocking());
        assert_eq!(counted.0.get(), (2, 2));
        set_carrier(None);
        assert!(!is_carrier());
    }
}
