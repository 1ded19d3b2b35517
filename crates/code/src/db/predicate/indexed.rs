//! The place of a predicate's first-argument index.
//!
//! | state | index | impossible | left by |
//! |---|---|---|---|
//! | none | null | no | `put`, which a call wants; `rule_out` |
//! | indexed | an index | no | `put` of another one, `take`; `rule_out` and then `take` |
//! | ruled out: some clause that is not erased has a first argument that an index cannot tell from others | null | yes | `allow`, when the last of these is erased |
//!
//! All transitions are under the predicate's lock. What `put` and `take` return is the caller's to retire.
//!
//! *Orderings.* The index is released when it is put, and acquired by readers: its lists are written before. Whether one is impossible is relaxed: by the
//! time that a call sees a generation in which there is such a clause, the index without it has been dropped ([`crate::db::view`], the first row of its
//! table); a call that believes one possible meanwhile asks again under the lock.

use super::KeyIndex;
use crate::sync::AtomicPtr;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// See the module text.
#[derive(Debug)]
pub(crate) struct Indexed {
    index: AtomicPtr<KeyIndex>,
    impossible: AtomicBool,
}

impl Indexed {
    pub(super) fn new() -> Indexed {
        Indexed {
            index: AtomicPtr::new(ptr::null_mut()),
            impossible: AtomicBool::new(false),
        }
    }
    /// The index, if there is one. For who has entered, or holds the lock: it is retired, not freed under them.
    #[inline]
    pub(crate) fn get(&self) -> Option<&'static KeyIndex> {
        // SAFETY: as it says.
        unsafe { self.index.load(Ordering::Acquire).as_ref() }
    }
    #[inline]
    pub(crate) fn is_impossible(&self) -> bool {
        self.impossible.load(Ordering::Relaxed)
    }
    /// There is a clause now that an index cannot tell from others. Whether there was none before.
    pub(crate) fn rule_out(&self) -> bool {
        let before = self.impossible.load(Ordering::Relaxed);
        self.impossible.store(true, Ordering::Relaxed);
        !before
    }
    /// Whether there is such a clause has been counted.
    pub(crate) fn allow(&self, possible: bool) {
        self.impossible.store(!possible, Ordering::Relaxed);
    }
    /// Replaces the index; the one before.
    pub(crate) fn put(&self, new: Box<KeyIndex>) -> *mut KeyIndex {
        self.index.swap(Box::into_raw(new), Ordering::AcqRel)
    }
    /// Takes the index away.
    pub(crate) fn take(&self) -> *mut KeyIndex {
        if self.index.load(Ordering::Relaxed).is_null() {
            return ptr::null_mut();
        }
        self.index.swap(ptr::null_mut(), Ordering::AcqRel)
    }
}
