//! Counting, for each type: by every local on its own, and pages by the slab.
//!
//! All counters are relaxed: each is written by one thread (or atomically), and protects nothing. Sums read while threads
//! run may be off by what they do meanwhile. They are never loom's atomics: models need not interleave them.

use super::MAX_KINDS;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// What is known of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KindStats {
    /// The name that the type was given.
    pub name: &'static str,
    /// Bytes of a structure.
    pub size: usize,
    /// Structures in a page.
    pub capacity: usize,
    /// Pages that hold this type now.
    pub pages: usize,
    /// The most there ever were.
    pub peak_pages: usize,
    /// Structures allocated and not freed.
    pub live: usize,
    /// The most there ever were: exact if one thread used the type. Otherwise not less, and not more than either what
    /// fits into `peak_pages`, or the sum of what each thread had allocated and not freed itself at most.
    pub peak: usize,
    /// Allocations since the slab was made.
    pub allocated: u64,
    /// Frees into pages of other threads.
    pub remote_frees: u64,
    /// Pages taken over from threads that have ended.
    pub adopted: u64,
}

/// The counts of one local for one type. Written by its owner only, kept for its successor.
#[derive(Default)]
struct Counts {
    allocated: AtomicU64,
    /// Allocations less frees; negative for who frees what others allocated.
    live: AtomicU64,
    peak: AtomicU64,
    remote_frees: AtomicU64,
    adopted: AtomicU64,
}

/// The counts of one local.
#[repr(align(128))]
pub(super) struct Record([Counts; MAX_KINDS]);

/// Adds to a counter that only the caller writes: no read-modify-write.
#[inline(always)]
fn add(counter: &AtomicU64, n: u64) -> u64 {
    let sum = counter.load(Relaxed).wrapping_add(n);
    counter.store(sum, Relaxed);
    sum
}

impl Record {
    #[inline(always)]
    pub(super) fn allocated(&self, kind: usize) {
        let counts = &self.0[kind];
        add(&counts.allocated, 1);
        let live = add(&counts.live, 1);
        if live as i64 > counts.peak.load(Relaxed) as i64 {
            counts.peak.store(live, Relaxed);
        }
    }
    #[inline(always)]
    pub(super) fn freed(&self, kind: usize) {
        add(&self.0[kind].live, 1u64.wrapping_neg());
    }
    /// So many structures are freed at once.
    pub(super) fn freed_all(&self, kind: usize, n: u64) {
        add(&self.0[kind].live, n.wrapping_neg());
    }
    /// Allocations less frees.
    pub(super) fn balance(&self, kind: usize) -> i64 {
        self.0[kind].live.load(Relaxed) as i64
    }
    pub(super) fn freed_remotely(&self, kind: usize) {
        add(&self.0[kind].remote_frees, 1);
    }
    pub(super) fn adopted(&self, kind: usize) {
        add(&self.0[kind].adopted, 1);
    }
    /// Adds this record to the sums.
    pub(super) fn sum_into(&self, kind: usize, stats: &mut KindStats) {
        let counts = &self.0[kind];
        stats.allocated += counts.allocated.load(Relaxed);
        // Sums of wrapped negative numbers come out right when all are added.
        stats.live = stats.live.wrapping_add(counts.live.load(Relaxed) as usize);
        stats.peak += counts.peak.load(Relaxed) as usize;
        stats.remote_frees += counts.remote_frees.load(Relaxed);
        stats.adopted += counts.adopted.load(Relaxed);
    }
}

/// Pages of a type, counted when a page gets or loses it.
#[derive(Default)]
pub(super) struct PageCount {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl PageCount {
    pub(super) fn gained(&self) {
        crate::sync::rmw();
        let now = self.now.fetch_add(1, Relaxed) + 1;
        if now > self.peak.load(Relaxed) {
            crate::sync::rmw();
            self.peak.fetch_max(now, Relaxed);
        }
    }
    pub(super) fn lost(&self) {
        crate::sync::rmw();
        self.now.fetch_sub(1, Relaxed);
    }
    pub(super) fn now(&self) -> usize {
        self.now.load(Relaxed)
    }
    pub(super) fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }
}
