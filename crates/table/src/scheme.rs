//! How threads that put something into one structure keep out of each other's way: the flag `table_sync`.
//!
//! What is put is always one word, in the place of one that whoever puts it has read: `old → new`. Readers lock nothing under any scheme.
//!
//! ```text
//! lockfree     compare and swap
//! tlwl_field   under a lock that is a field of the structure that the word is in
//! tlwl_array   under a lock of one array that all structures have in common, by the address of the word
//! ```
//!
//! The two with locks are the paper's "table lock at write level" (section II.E): only who is about to write locks, and he *tries* to: while somebody else has the lock he
//! looks again whether what he wants is there by now. So [`Scheme::put`] returns whether the word was put, and who was refused reads again, whatever the reason was.
//!
//! Differs from the paper in: lock-free is the default; what is locked is a word, not all children of a node.
//!
//! ```text
//! put(w, old, new) is true     for one of those that put something in the place of the same old
//! a word that is written under a lock is always written under that lock: a structure has one scheme for as long as it is there
//! ```

use crate::sync::{AtomicPtr, AtomicU64, Ordering};

/// See the module text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableSync {
    #[default]
    LockFree,
    TlwlField,
    TlwlArray,
}

/// What threads had to do with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contention {
    /// Words written that others may write too.
    pub writes: u64,
    /// Words that were not, as there was something else by then.
    pub failed: u64,
    /// Locks that somebody else had.
    pub waits: u64,
}

impl Contention {
    /// Adds what happened elsewhere.
    pub fn add(&mut self, other: Contention) {
        self.writes += other.writes;
        self.failed += other.failed;
        self.waits += other.waits;
    }
}

/// The same of all threads that have said so.
#[derive(Default)]
pub struct ContentionOfAll([std::sync::atomic::AtomicU64; 3]);

impl ContentionOfAll {
    /// Adds what happened to a thread.
    pub fn add(&self, c: Contention) {
        for (sum, n) in self.0.iter().zip([c.writes, c.failed, c.waits]) {
            // Relaxed: a count.
            sum.fetch_add(n, Ordering::Relaxed);
        }
    }
    /// What happened to all.
    pub fn sum(&self) -> Contention {
        let [writes, failed, waits] = self.0.each_ref().map(|n| n.load(Ordering::Relaxed));
        Contention {
            writes,
            failed,
            waits,
        }
    }
}

/// A lock that is only tried: 0, or 1 while somebody has it.
pub(crate) struct Lock(AtomicU64);

impl Lock {
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Lock {
        Lock(AtomicU64::new(0))
    }
    #[cfg(loom)]
    pub(crate) fn new() -> Lock {
        Lock(AtomicU64::new(0))
    }
    #[must_use]
    #[inline]
    fn try_lock(&self) -> bool {
        // Acquire: pairs with the release of `unlock`. Relaxed: nothing is read by who is refused.
        let (done, failed) = (Ordering::Acquire, Ordering::Relaxed);
        self.0.load(Ordering::Relaxed) == 0 && self.0.compare_exchange(0, 1, done, failed).is_ok()
    }
    #[inline]
    fn unlock(&self) {
        // Release: who locks next sees what was written.
        self.0.store(0, Ordering::Release);
    }
}

/// Locks of the common array; a power of two.
const LOCKS: usize = if cfg!(loom) { 1 } else { 512 };

#[cfg(not(loom))]
static ARRAY: [Lock; LOCKS] = [const { Lock::new() }; LOCKS];

#[cfg(not(loom))]
fn array() -> &'static [Lock; LOCKS] {
    &ARRAY
}
/// (Of one model.)
#[cfg(loom)]
fn array() -> &'static [Lock; LOCKS] {
    Box::leak(Box::new(std::array::from_fn(|_| Lock::new())))
}

/// A word that is put.
pub(crate) trait Word {
    type Value: Copy + PartialEq;
    /// By who has its lock.
    fn read(&self) -> Self::Value;
    /// Who reads it with acquire sees what was written before.
    fn write(&self, new: Self::Value);
    /// Both at once, if it is `old`.
    fn exchange(&self, old: Self::Value, new: Self::Value) -> bool;
}

// Relaxed, in `read`: who had the lock before has released it. Release, in `write` and `exchange`: see the trait. Relaxed, where `exchange` fails: it is read again.
impl<T> Word for AtomicPtr<T> {
    type Value = *mut T;
    #[inline]
    fn read(&self) -> *mut T {
        self.load(Ordering::Relaxed)
    }
    #[inline]
    fn write(&self, new: *mut T) {
        self.store(new, Ordering::Release);
    }
    #[inline]
    fn exchange(&self, old: *mut T, new: *mut T) -> bool {
        (self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)).is_ok()
    }
}
impl Word for AtomicU64 {
    type Value = u64;
    #[inline]
    fn read(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }
    #[inline]
    fn write(&self, new: u64) {
        self.store(new, Ordering::Release);
    }
    #[inline]
    fn exchange(&self, old: u64, new: u64) -> bool {
        (self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)).is_ok()
    }
}

/// See the module text.
#[derive(Clone, Copy)]
pub(crate) struct Scheme {
    sync: TableSync,
    array: &'static [Lock; LOCKS],
}

impl Scheme {
    pub(crate) fn new(sync: TableSync) -> Scheme {
        Scheme {
            sync,
            array: array(),
        }
    }

    #[inline]
    pub(crate) fn sync(&self) -> TableSync {
        self.sync
    }

    /// Whether structures are to have locks of their own.
    pub(crate) fn has_fields(&self) -> bool {
        self.sync == TableSync::TlwlField
    }

    /// Puts `new` in the place of `old`, with the lock `field` of the structure if that is wanted. False: who wants it reads again what is there.
    #[must_use]
    #[inline]
    pub(crate) fn put<W: Word>(
        &self,
        field: Option<&Lock>,
        word: &W,
        old: W::Value,
        new: W::Value,
        seen: &mut Contention,
    ) -> bool {
        if self.sync == TableSync::LockFree {
            let done = word.exchange(old, new);
            seen.writes += 1;
            seen.failed += u64::from(!done);
            return done;
        }
        let lock = self.lock(field, word);
        if !lock.try_lock() {
            seen.waits += 1;
            pause(seen.waits);
            return false;
        }
        let done = word.read() == old;
        if done {
            word.write(new);
        }
        lock.unlock();
        seen.writes += 1;
        seen.failed += u64::from(!done);
        done
    }

    fn lock<'a, W>(&self, field: Option<&'a Lock>, word: &W) -> &'a Lock
    where
        'static: 'a,
    {
        match field {
            Some(field) if self.sync == TableSync::TlwlField => field,
            _ => {
                // (Words in one line of the cache have one lock.)
                let line = std::ptr::from_ref(word).addr() >> 6;
                let hash = line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                &self.array[hash & (LOCKS - 1)]
            }
        }
    }
}

/// Before it is looked again. Now and then the processor is somebody else's: who has the lock may be waiting for it.
fn pause(waits: u64) {
    #[cfg(loom)]
    {
        let _ = waits;
        loom::thread::yield_now();
    }
    #[cfg(not(loom))]
    if waits.is_multiple_of(16) {
        samite_alloc::os::yield_now();
    } else {
        std::hint::spin_loop();
    }
}
