//! The place of a predicate's indexes.
//!
//! | state | indexes | left by |
//! |---|---|---|
//! | none | null | `put`, which a call wants |
//! | indexed | those that calls have wanted | `take` |
//!
//! Both transitions are under the predicate's lock. What `take` returns is the caller's to retire.
//!
//! *Orderings.* They are released when they are put, and acquired by readers: what they hold is written before.

use super::Indexes;
use crate::sync::AtomicPtr;
use std::ptr;
use std::sync::atomic::Ordering;

/// See the module text.
#[derive(Debug)]
pub(crate) struct Indexed(AtomicPtr<Indexes>);

impl Indexed {
    pub(super) fn new() -> Indexed {
        Indexed(AtomicPtr::new(ptr::null_mut()))
    }
    /// The indexes, if there are any. For who has entered, or holds the lock: they are retired, not freed under them.
    #[inline]
    pub(crate) fn get(&self) -> Option<&'static Indexes> {
        // SAFETY: as it says.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }
    /// The first ones.
    pub(crate) fn put(&self, new: Box<Indexes>) -> &'static Indexes {
        let new = Box::into_raw(new);
        debug_assert!(self.0.load(Ordering::Relaxed).is_null());
        self.0.store(new, Ordering::Release);
        // SAFETY: as `get`.
        unsafe { &*new }
    }
    /// Takes them away.
    pub(crate) fn take(&self) -> *mut Indexes {
        if self.0.load(Ordering::Relaxed).is_null() {
            return ptr::null_mut();
        }
        self.0.swap(ptr::null_mut(), Ordering::AcqRel)
    }
}
