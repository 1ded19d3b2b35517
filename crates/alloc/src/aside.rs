//! Slices that are set aside: free, but not for everybody, and counted. Those of the reserve are ([`crate::reserve`]), and those that are not mapped
//! any more ([`crate::away`]).
//!
//! ```text
//!   FREE --claim_some--> nobody's but the caller's --count, put--> ASIDE --claim--> USED, or FREE again
//!   bits set in the map  <=  counted         at any moment; equal where no thread is between its two steps
//!   a slice is there to be claimed in one of the maps at most: free, held, away
//! ```
//!
//! The map is [`crate::slices::Slices`]: who has cleared a slice's bit has the slice, and who puts a slice here had it. It is counted before it is put, and
//! until after it was claimed, so the count never wraps. The count is relaxed: it steers, it protects nothing.

use crate::slices::{Run, Slices};
use crate::sync::{AtomicU64, Ordering::Relaxed, rmw};

/// A map of slices set aside, and how many there are.
#[derive(Clone, Copy)]
pub struct Aside<'a> {
    map: Slices<'a>,
    counted: &'a AtomicU64,
}

impl<'a> Aside<'a> {
    /// A map and its count.
    pub fn new(map: Slices<'a>, counted: &'a AtomicU64) -> Aside<'a> {
        Aside { map, counted }
    }

    /// Counts so many of `n` slices as are missing to `most`, for the caller to put here, and returns how many these are.
    pub fn count(&self, n: usize, most: usize) -> usize {
        let missing = |now: u64| n.min(most.saturating_sub(now as usize));
        rmw();
        self.counted
            .fetch_update(Relaxed, Relaxed, |now| Some(now + missing(now) as u64))
            .map_or(0, missing)
    }

    /// Slices of a segment that the caller has claimed elsewhere, and counted, are here from now on.
    pub fn put(&self, segment: usize, bits: u64) {
        self.map.release_bits(segment, bits);
    }

    /// The same with a run.
    pub fn put_run(&self, start: usize, n: usize) {
        self.map.release(start, n);
    }

    /// Claims `n` (1 … 64) slices of one segment from a multiple of `align`, and how many were left then, about.
    pub fn claim(&self, segment: usize, n: usize, align: usize) -> Option<(Run, usize)> {
        let run = self.map.claim_in(segment, n, align, false)?;
        Some((run, self.discount(n)))
    }

    /// Claims all that is here of a segment; returns the bits.
    pub fn claim_rest(&self, segment: usize) -> u64 {
        let bits = self.map.claim_rest(segment);
        self.discount(bits.count_ones() as usize);
        bits
    }

    fn discount(&self, n: usize) -> usize {
        rmw();
        let before = self.counted.fetch_sub(n as u64, Relaxed) as usize;
        debug_assert!(before >= n, "what is set aside was counted before");
        before.wrapping_sub(n)
    }

    /// The map alone, to look at.
    pub fn map(&self) -> Slices<'a> {
        self.map
    }
}
