//! The global free slices: which slices of the region are in use, and which of the free ones hold memory.
//!
//! This is the paper's second level of caching, its *global queues* (Achilleas & Vagenas, *xmalloc*, 2021). Differs from
//! them in: instead of counted stacks of blocks, guarded by a 12-bit tag, there is one word of bits per segment of 64 slices.
//! The bits are the whole state, so there is no ABA; nothing is followed through freed memory, so nothing unmapped is ever
//! read; a run of slices is claimed by one CAS, so a pageblock can have any number of them and neighbours merge by
//! themselves.
//!
//! ```text
//!   FREE (bit set) --claim: CAS clears the bits of the run--> USED (clear) --release: fetch_or sets them--> FREE
//!   dirty bit: written only by whoever holds the slice: set before `release` if it was written to, cleared when it is purged
//! ```
//!
//! Zero is "nothing here is free", so the words of what is not mapped yet offer nothing; mapping a segment is what releases its
//! slices for the first time. [`Bits`] is the half of this that knows runs of bits only; which segments may still be mapped
//! is kept in another such map ([`crate::region`]).
//!
//! Runs of more than one segment are claimed segment by segment in ascending order, and given back if one is taken.
//! Two such claims cannot defeat each other: for each to hold what the other wants, each would have to be the lower one.
//!
//! Orderings: `release` releases and `claim` acquires, so that a claimer sees everything former holders did to the slices,
//! their descriptors and their dirty bits.

use crate::config::SEGMENT_SLICES;
use crate::sync::{AtomicU64, Ordering, rmw};

/// A map of things that can be claimed in runs: a bit is set while its thing is there to be claimed.
#[derive(Clone, Copy)]
pub struct Bits<'a>(pub &'a [AtomicU64]);

/// The bit maps of the first segments of a region.
#[derive(Clone, Copy)]
pub struct Slices<'a> {
    free: Bits<'a>,
    dirty: &'a [AtomicU64],
}

/// A run of slices that was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Number of the first slice.
    pub start: usize,
    /// How many.
    pub len: usize,
}

/// The lowest `n` bits.
fn low(n: usize) -> u64 {
    if n >= 64 { !0 } else { (1 << n) - 1 }
}

/// The positions from which `n` bits of `free` are set.
fn starts(free: u64, n: usize) -> u64 {
    let mut r = free;
    let mut have = 1;
    while have < n {
        let step = have.min(n - have);
        r &= r >> step;
        have += step;
    }
    r
}

/// The positions that are multiples of `align`, a power of two up to 64.
fn multiples(align: usize) -> u64 {
    !0 / low(align)
}

impl Bits<'_> {
    /// The bits of a word, at this moment.
    pub fn word(&self, i: usize) -> u64 {
        self.0[i].load(Ordering::Relaxed)
    }

    /// Whether a bit is set, at this moment.
    pub fn is_set(&self, i: usize) -> bool {
        self.word(i / 64) & 1 << (i % 64) != 0
    }

    /// Claims exactly these bits of a word, if all are there.
    fn claim_bits(&self, word: usize, bits: u64) -> bool {
        let word = &self.0[word];
        let mut free = word.load(Ordering::Relaxed);
        while free & bits == bits {
            rmw();
            match word.compare_exchange_weak(
                free,
                free & !bits,
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(now) => free = now,
            }
        }
        false
    }

    /// Claims a particular run, if all of it is there. It lies within the map.
    pub fn claim_at(&self, start: usize, n: usize) -> bool {
        let mut done = 0;
        for (word, bits) in parts(start, n) {
            if !self.claim_bits(word, bits) {
                self.release(start, done);
                return false;
            }
            done += bits.count_ones() as usize;
        }
        true
    }

    /// Gives bits of a word back.
    fn release_bits(&self, word: usize, bits: u64) {
        rmw();
        let before = self.0[word].fetch_or(bits, Ordering::Release);
        debug_assert_eq!(before & bits, 0, "given back by who did not have it");
    }

    /// Gives a run back.
    pub fn release(&self, start: usize, n: usize) {
        for (word, bits) in parts(start, n) {
            self.release_bits(word, bits);
        }
    }
}

impl<'a> Slices<'a> {
    /// Maps over two arrays of the same length.
    pub fn new(free: &'a [AtomicU64], dirty: &'a [AtomicU64]) -> Slices<'a> {
        debug_assert_eq!(free.len(), dirty.len());
        Slices {
            free: Bits(free),
            dirty,
        }
    }

    /// Number of segments.
    pub fn segments(&self) -> usize {
        self.dirty.len()
    }

    /// Whether no slice of a segment is used, at this moment.
    pub fn all_free(&self, segment: usize) -> bool {
        self.free.word(segment) == !0
    }

    /// The free slices of a segment that hold memory, at this moment.
    pub fn free_dirty(&self, segment: usize) -> u64 {
        self.dirty[segment].load(Ordering::Relaxed) & self.free.word(segment)
    }

    /// The used slices of a segment, at this moment; of one that is not mapped, all.
    pub fn used(&self, segment: usize) -> u64 {
        !self.free.word(segment)
    }

    /// Claims `n` (1 … 64) slices of one segment from a multiple of `align`; of several places one that holds memory, or
    /// only such a place if `only_dirty`.
    pub fn claim_in(
        &self,
        segment: usize,
        n: usize,
        align: usize,
        only_dirty: bool,
    ) -> Option<Run> {
        let word = &self.free.0[segment];
        let mut free = word.load(Ordering::Relaxed);
        loop {
            let places = |bits| starts(bits, n) & multiples(align);
            let mut at = places(free & self.dirty[segment].load(Ordering::Relaxed));
            if at == 0 && !only_dirty {
                at = places(free);
            }
            if at == 0 {
                return None;
            }
            let i = at.trailing_zeros() as usize;
            rmw();
            match word.compare_exchange_weak(
                free,
                free & !(low(n) << i),
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => {
                    return Some(Run {
                        start: segment * SEGMENT_SLICES + i,
                        len: n,
                    });
                }
                Err(now) => free = now,
            }
        }
    }

    /// Claims all slices of a segment that are free; returns their bits.
    pub fn claim_rest(&self, segment: usize) -> u64 {
        rmw();
        self.free.0[segment].swap(0, Ordering::Acquire)
    }

    /// Claims free slices of a segment: of the `n` that there are, `most(n)`; returns their bits. Those with the highest numbers, so that they are one run
    /// if what is free is.
    pub fn claim_some(&self, segment: usize, most: impl FnOnce(usize) -> usize) -> u64 {
        let ours = self.claim_rest(segment);
        let mut rest = ours;
        for _ in 0..most(ours.count_ones() as usize) {
            rest &= !(1 << (63 - rest.leading_zeros()));
        }
        self.release_bits(segment, rest);
        ours & !rest
    }

    /// Gives back bits from [`Slices::claim_rest`].
    pub fn release_bits(&self, segment: usize, bits: u64) {
        self.free.release_bits(segment, bits);
    }

    /// Claims a particular run, if it is free. It lies below the number of slices.
    pub fn claim_at(&self, start: usize, n: usize) -> bool {
        self.free.claim_at(start, n)
    }

    /// Claims `n` slices from a segment boundary whose number is `phase` modulo `align` segments.
    pub fn claim_segments(&self, n: usize, align: usize, phase: usize) -> Option<Run> {
        let whole = n.div_ceil(SEGMENT_SLICES);
        let mut first = phase % align;
        while first + whole <= self.segments() {
            let start = first * SEGMENT_SLICES;
            let taken = |(s, bits): (usize, u64)| self.used(s) & bits != 0;
            match parts(start, n).position(taken) {
                None if self.claim_at(start, n) => return Some(Run { start, len: n }),
                None => first += align,
                Some(i) => first += (i + 1).next_multiple_of(align),
            }
        }
        None
    }

    /// Gives a run back, or for the first time.
    pub fn release(&self, start: usize, n: usize) {
        self.free.release(start, n);
    }

    /// Marks a claimed run as holding memory.
    pub fn set_dirty(&self, start: usize, n: usize) {
        for (segment, bits) in parts(start, n) {
            if self.dirty[segment].load(Ordering::Relaxed) & bits != bits {
                rmw();
                // Relaxed: the release of the run publishes it.
                self.dirty[segment].fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    /// How many slices of a claimed run hold memory, from before it was claimed.
    pub fn count_dirty(&self, start: usize, n: usize) -> usize {
        let dirty = |(segment, bits): (usize, u64)| {
            // Relaxed: only the holder of a slice changes its bit.
            (self.dirty[segment].load(Ordering::Relaxed) & bits).count_ones() as usize
        };
        parts(start, n).map(dirty).sum()
    }

    /// Marks a claimed run as empty; returns how many of its slices held memory.
    pub fn take_dirty(&self, start: usize, n: usize) -> usize {
        let mut count = 0;
        for (segment, bits) in parts(start, n) {
            if self.dirty[segment].load(Ordering::Relaxed) & bits != 0 {
                rmw();
                // Relaxed: only the holder of a slice changes its bit.
                let old = self.dirty[segment].fetch_and(!bits, Ordering::Relaxed);
                count += (old & bits).count_ones() as usize;
            }
        }
        count
    }
}

/// The run as segments and the bits in each.
fn parts(start: usize, n: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = start + n;
    let mut at = start;
    core::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let (segment, i) = (at / SEGMENT_SLICES, at % SEGMENT_SLICES);
        let len = (end - at).min(SEGMENT_SLICES - i);
        at += len;
        Some((segment, low(len) << i))
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn maps<const N: usize>() -> ([AtomicU64; N], [AtomicU64; N]) {
        (
            core::array::from_fn(|_| AtomicU64::new(!0)),
            core::array::from_fn(|_| AtomicU64::new(0)),
        )
    }

    #[test]
    fn runs_of_bits_are_found() {
        assert_eq!(starts(0b1110_1111, 3), 0b0010_0011);
        assert_eq!(starts(!0, 64), 1);
        assert_eq!(starts(!1, 64), 0);
        assert_eq!(multiples(64), 1);
        assert_eq!(multiples(16), 0x0001_0001_0001_0001);
        assert_eq!(multiples(1), !0);
    }

    #[test]
    fn a_segment_fills_up_and_empties() {
        let (u, d) = maps::<1>();
        let s = Slices::new(&u, &d);
        let a = s.claim_in(0, 3, 1, false).unwrap();
        let b = s.claim_in(0, 8, 8, false).unwrap();
        assert_eq!((a.start, b.start), (0, 8));
        assert_eq!(s.claim_in(0, 64, 1, false), None);
        assert_eq!(s.claim_in(0, 5, 1, false).unwrap().start, 3);
        s.release(0, 3);
        s.release(3, 5);
        s.release(8, 8);
        assert_eq!(s.claim_in(0, 64, 64, false).unwrap().start, 0);
    }

    #[test]
    fn memory_is_used_before_emptiness() {
        let (u, d) = maps::<1>();
        let s = Slices::new(&u, &d);
        assert!(s.claim_at(10, 2));
        s.set_dirty(10, 2);
        s.release(10, 2);
        assert_eq!(s.claim_in(0, 2, 1, false).unwrap().start, 10);
        assert_eq!(s.take_dirty(10, 2), 2);
        assert_eq!(s.claim_in(0, 1, 1, true), None);
    }

    #[test]
    fn long_runs_cross_segments_and_give_back_what_they_cannot_complete() {
        let (u, d) = maps::<8>();
        let s = Slices::new(&u, &d);
        assert!(s.claim_at(3 * 64 + 5, 1));
        assert!(!s.claim_at(2 * 64, 100));
        assert_eq!(s.used(2), 0);
        let r = s.claim_segments(130, 1, 0).unwrap();
        assert_eq!(r.start, 0);
        assert_eq!(s.used(2), 0b11);
        assert_eq!(s.claim_segments(130, 2, 1).unwrap().start, 5 * 64);
        assert_eq!(s.claim_segments(65, 1, 0), None);
        s.release(0, 130);
        assert_eq!(s.claim_segments(129, 1, 0).unwrap().start, 0);
    }
}
