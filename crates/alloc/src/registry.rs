//! Which heaps nobody owns: one bit per heap.
//!
//! ```text
//!            claim: fetch_and clears the bit, and it was set
//!   VACANT (bit set) ------------------------------------------> OWNED (bit clear)
//!          ^                                                       |
//!          +-------------------------------------------------------+
//!            vacate: fetch_or sets the bit (owner only)
//! ```
//!
//! A new thread claims a vacant heap with all that is in it, which is how orphaned pageblocks are inherited in constant
//! time; a running thread claims one to take pageblocks out of it. A second bitmap says which vacant heaps still hold
//! pageblocks; it is a hint, written before `vacate`, so that searchers do not claim heaps for nothing.
//!
//! Orderings: `vacate` releases everything the owner wrote in the heap, `claim` acquires it. There is no ABA, because
//! the bit is the whole state and claiming it is what gives the right to touch the heap.
//!
//! Bits are spread over words of 64; the arrays live in zeroed memory that is never unmapped.

use crate::sync::{AtomicU64, Ordering, rmw};

/// One bit per heap for being vacant, one for holding pageblocks.
#[derive(Clone, Copy)]
pub struct Registry<'a> {
    vacant: &'a [AtomicU64],
    stocked: &'a [AtomicU64],
}

fn bit(id: usize) -> u64 {
    1 << (id % 64)
}

impl<'a> Registry<'a> {
    /// A registry over two arrays of the same length.
    pub fn new(vacant: &'a [AtomicU64], stocked: &'a [AtomicU64]) -> Registry<'a> {
        debug_assert_eq!(vacant.len(), stocked.len());
        Registry { vacant, stocked }
    }

    /// Whether heap `id` has no owner, at this moment. Relaxed: callers that need more put a fence before it.
    pub fn is_vacant(&self, id: usize) -> bool {
        self.vacant[id / 64].load(Ordering::Relaxed) & bit(id) != 0
    }

    /// Takes heap `id` if nobody owns it.
    pub fn claim(&self, id: usize) -> bool {
        rmw();
        self.vacant[id / 64].fetch_and(!bit(id), Ordering::Acquire) & bit(id) != 0
    }

    /// Gives heap `id` up; `stocked` says whether pageblocks are in it. Owner only.
    pub fn vacate(&self, id: usize, stocked: bool) {
        let hint = &self.stocked[id / 64];
        if (hint.load(Ordering::Relaxed) & bit(id) != 0) != stocked {
            rmw();
            // Relaxed: a hint. The release below orders it for those who claim.
            hint.fetch_xor(bit(id), Ordering::Relaxed);
        }
        rmw();
        self.vacant[id / 64].fetch_or(bit(id), Ordering::Release);
    }

    /// Which heaps of a word are vacant and hold pageblocks, as it seems.
    fn stocked(&self, i: usize) -> u64 {
        self.vacant[i].load(Ordering::Relaxed) & self.stocked[i].load(Ordering::Relaxed)
    }

    /// The next vacant heap from `from` on that holds pageblocks, as it seems.
    pub fn next_stocked(&self, from: usize) -> Option<usize> {
        let mut rest = u64::MAX << (from % 64);
        for i in from / 64..self.vacant.len() {
            let bits = self.stocked(i) & rest;
            if bits != 0 {
                return Some(i * 64 + bits.trailing_zeros() as usize);
            }
            rest = u64::MAX;
        }
        None
    }

    /// Takes a vacant heap that holds pageblocks and that `wanted` says yes to. The search begins with word `from` and ends when
    /// `wanted` has been asked `most` times, at the end of that word; `from` becomes the word to go on with.
    pub fn claim_stocked(
        &self,
        from: &mut usize,
        most: u32,
        wanted: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let n = self.vacant.len();
        let mut asked = 0;
        for _ in 0..n {
            let i = if *from < n { *from } else { 0 };
            let mut bits = self.stocked(i);
            while bits != 0 {
                let id = i * 64 + bits.trailing_zeros() as usize;
                if wanted(id) && self.claim(id) {
                    return Some(id);
                }
                bits &= bits - 1;
                asked += 1;
            }
            *from = i + 1;
            if asked >= most {
                break;
            }
        }
        None
    }

    /// Takes any vacant heap, preferring one that holds pageblocks.
    pub fn claim_any(&self) -> Option<usize> {
        self.claim_where(|i| self.stocked(i))
            .or_else(|| self.claim_where(|i| self.vacant[i].load(Ordering::Relaxed)))
    }

    fn claim_where(&self, candidates: impl Fn(usize) -> u64) -> Option<usize> {
        for i in 0..self.vacant.len() {
            let mut bits = candidates(i);
            while bits != 0 {
                let id = i * 64 + bits.trailing_zeros() as usize;
                if self.claim(id) {
                    return Some(id);
                }
                // Somebody else was quicker; each failure is another thread's success.
                bits &= bits - 1;
            }
        }
        None
    }
}
