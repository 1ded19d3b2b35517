//! What a thread has told those who free clauses that its choicepoints read. Its equation: `engine/pins.rs`.

use rustc_hash::FxHashSet;
use samite_code::reclaim::Pin;

/// Those that reclaimers know.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    /// With the offsets of the choicepoints.
    pub(crate) entries: Vec<(usize, Pin)>,
    pub(crate) pins: FxHashSet<Pin>,
    /// So many publications are left out, after one for which there was no memory.
    pub(crate) pause: usize,
    /// What `held_code` was looked up with, for the next time.
    pub(crate) looks: Looks,
}

/// Sets of addresses: of code, of places in chains of clauses, and of frames.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    pub(crate) held: FxHashSet<usize>,
    pub(crate) in_chains: FxHashSet<usize>,
    pub(crate) met: FxHashSet<usize>,
}

impl Looks {
    /// Empties them for another time, unless they have become large.
    pub(crate) fn put_by(mut self) -> Looks {
        for set in [&mut self.held, &mut self.in_chains, &mut self.met] {
            match set.capacity() <= MOST_KEPT {
                true => set.clear(),
                false => *set = FxHashSet::default(),
            }
        }
        self
    }
}

const MOST_KEPT: usize = 1 << 9;
