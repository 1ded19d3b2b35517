//! The atomics of this crate, so that loom can stand in for the real ones (`RUSTFLAGS="--cfg loom"`), and the counters of
//! the counting build (feature `count`).
//!
//! Every atomic read-modify-write of the crate calls [`rmw`], every plain store to a word that other threads read or
//! write calls [`shared_write`]; without the feature both are nothing. The counts are process-wide and relaxed: they say
//! how much the cores had to talk, they order nothing.

#[cfg(not(loom))]
use core::sync::atomic as base;
#[cfg(loom)]
use loom::sync::atomic as base;

pub(crate) use base::{AtomicPtr, AtomicU64, Ordering};

/// A full fence: what each of two threads stored before it, or what the other stored, is seen by at least one of them.
///
/// Compiles to nothing more than the read-modify-write before it already cost where the two stores around it are
/// read-modify-writes themselves; it is separate because loom does not model sequentially consistent accesses.
#[inline]
pub(crate) fn fence() {
    base::fence(Ordering::SeqCst);
}

#[cfg(feature = "count")]
mod counters {
    use core::sync::atomic::{AtomicU64, Ordering};
    pub(super) static RMW: AtomicU64 = AtomicU64::new(0);
    pub(super) static WRITES: AtomicU64 = AtomicU64::new(0);
    pub(super) fn bump(c: &AtomicU64) {
        c.fetch_add(1, Ordering::Relaxed);
    }
}

/// Notes one atomic read-modify-write.
#[inline(always)]
pub(crate) fn rmw() {
    #[cfg(feature = "count")]
    counters::bump(&counters::RMW);
}

/// Notes one plain store to a shared cache line.
#[inline(always)]
pub(crate) fn shared_write() {
    #[cfg(feature = "count")]
    counters::bump(&counters::WRITES);
}

/// What the counting build saw so far: atomic read-modify-writes, plain writes to shared cache lines. `None` without the
/// feature `count`.
pub fn traffic() -> Option<(u64, u64)> {
    #[cfg(feature = "count")]
    return Some((
        counters::RMW.load(core::sync::atomic::Ordering::Relaxed),
        counters::WRITES.load(core::sync::atomic::Ordering::Relaxed),
    ));
    #[cfg(not(feature = "count"))]
    None
}

/// A number that one thread writes at a time and any thread may read: plain loads and stores in the machine's code.
/// Relaxed throughout: a number read by others is some recent value.
#[cfg(not(loom))]
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Tally(AtomicU64);

#[cfg(not(loom))]
impl Tally {
    /// The number.
    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
    /// Changes it.
    #[inline(always)]
    pub fn set(&self, n: u64) {
        self.0.store(n, Ordering::Relaxed);
    }
    /// Adds to it.
    #[inline(always)]
    pub fn add(&self, n: u64) {
        self.set(self.get().wrapping_add(n));
    }
}
