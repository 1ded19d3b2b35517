//! What is kept by OS thread and is there to the thread's very end: a host may run and drop sessions in destructors of its own thread-locals, when others'
//! are gone.
//!
//! *Invariant*: nothing is left in such a place by who ends a thread of the system's own, or lets go of one of a host: it would never be dropped.

use std::cell::RefCell;
use std::mem::ManuallyDrop;

/// A place of a thread.
pub(in crate::engine) struct ByThread<T>(RefCell<ManuallyDrop<Option<T>>>);

impl<T> ByThread<T> {
    pub const fn empty() -> ByThread<T> {
        ByThread(RefCell::new(ManuallyDrop::new(None)))
    }
    const _NO_DESTRUCTOR: () = assert!(!std::mem::needs_drop::<ByThread<T>>());

    /// What was there, which is dropped when nobody looks at the place any more: its end may look there.
    pub fn replace(&self, by: Option<T>) -> Option<T> {
        let () = Self::_NO_DESTRUCTOR;
        ManuallyDrop::into_inner(self.0.replace(ManuallyDrop::new(by)))
    }
    pub fn set(&self, to: Option<T>) {
        drop(self.replace(to));
    }
    pub fn take(&self) -> Option<T> {
        self.replace(None)
    }
    pub fn with<R>(&self, f: impl FnOnce(Option<&T>) -> R) -> R {
        f(self.0.borrow().as_ref())
    }
    /// `None` if somebody changes it.
    pub fn look<R>(&self, f: impl FnOnce(Option<&T>) -> R) -> Option<R> {
        Some(f(self.0.try_borrow().ok()?.as_ref()))
    }
    pub fn with_mut<R>(&self, f: impl FnOnce(Option<&mut T>) -> R) -> R {
        f(self.0.borrow_mut().as_mut())
    }
}
