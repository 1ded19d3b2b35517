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
}
