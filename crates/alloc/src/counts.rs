//! What heaps did: the tallies of each, and the sums over those whose memory was given back.
//!
//! Tallies are written by the owner of the heap and read by anybody; the sums are added to by whoever gives a heap's memory back. All
//! relaxed: statistics, no other memory hangs on them.

use crate::classes::CLASSES;
use crate::sync::{self, Tally};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a heap did, written by its owner.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Counts {
    /// Pageblocks opened.
    pub opened: Tally,
    /// Blocks collected that other threads had freed.
    pub collected: Tally,
    /// Times that pageblocks of a vacant heap were taken over.
    pub adoptions: Tally,
    /// Pageblocks that came that way.
    pub adopted: Tally,
    /// Large objects allocated.
    pub large: Tally,
}

impl Counts {
    /// All of them, in order.
    pub fn numbers(&self) -> [u64; COUNTS] {
        [
            &self.opened,
            &self.collected,
            &self.adoptions,
            &self.adopted,
            &self.large,
        ]
        .map(Tally::get)
    }
}

/// How many numbers are in [`Counts`].
pub const COUNTS: usize = 5;

/// What heaps did in their time that have nothing any more.
#[derive(Debug)]
pub struct Past {
    /// Blocks of each class allocated, and freed.
    pub classes: [u64; CLASSES],
    /// The rest.
    pub counts: [u64; COUNTS],
}

/// The sums over heaps whose memory was given back.
static PAST: ([AtomicU64; CLASSES], [AtomicU64; COUNTS]) = (
    [const { AtomicU64::new(0) }; CLASSES],
    [const { AtomicU64::new(0) }; COUNTS],
);

/// Adds what a heap did to the sums.
pub fn keep(past: &Past) {
    let pairs = PAST.0.iter().zip(&past.classes);
    for (sum, &n) in pairs.chain(PAST.1.iter().zip(&past.counts)) {
        if n != 0 {
            sync::rmw();
            sum.fetch_add(n, Relaxed);
        }
    }
}

/// The sums.
pub fn past() -> Past {
    Past {
        classes: core::array::from_fn(|i| PAST.0[i].load(Relaxed)),
        counts: core::array::from_fn(|i| PAST.1[i].load(Relaxed)),
    }
}
