//! What is allocated: an ordered map of disjoint intervals, in memory of its own.
//!
//! The address space is cut into stripes, each with a map and a lock of its own, so that threads seldom meet here. An
//! interval over several stripes is entered in each of them. Whoever frees a block leaves it first, and whoever
//! allocates enters it afterwards, so an overlap found here is one.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Bytes of a stripe.
const STRIPE: usize = 1 << if cfg!(test) { 12 } else { 26 };
/// Locks; stripes share them.
const LOCKS: usize = 64;

/// See the module text.
pub struct Oracle {
    maps: [Mutex<BTreeMap<usize, usize>>; LOCKS],
}

impl Oracle {
    /// Nothing is allocated.
    pub fn new() -> Oracle {
        Oracle {
            maps: [const { Mutex::new(BTreeMap::new()) }; LOCKS],
        }
    }

    /// A block was handed out. An error names a block that it overlaps.
    pub fn enter(&self, start: usize, size: usize) -> Result<(), String> {
        self.pieces(start, size, |map, from, to| {
            // Before it: the last interval that starts below its end must end at its start or earlier.
            if let Some((other, end)) = map.range(..to).next_back()
                && *end > from
            {
                return Err(format!(
                    "{start:#x}+{size} overlaps the live block at {other:#x}..{end:#x}"
                ));
            }
            map.insert(from, to);
            Ok(())
        })
    }

    /// A block is about to be given up.
    pub fn leave(&self, start: usize, size: usize) -> Result<(), String> {
        self.pieces(start, size, |map, from, to| match map.remove(&from) {
            Some(end) if end == to => Ok(()),
            _ => Err(format!("{start:#x}+{size} is not known")),
        })
    }

    /// Runs `f` on the part in each stripe; an empty block counts as one of a byte, as its address is its own.
    fn pieces(
        &self,
        start: usize,
        size: usize,
        f: impl Fn(&mut BTreeMap<usize, usize>, usize, usize) -> Result<(), String>,
    ) -> Result<(), String> {
        let (mut from, end) = (start, start + size.max(1));
        while from < end {
            let stripe = from / STRIPE;
            let to = end.min((stripe + 1) * STRIPE);
            let map = &self.maps[stripe % LOCKS];
            f(
                &mut map.lock().unwrap_or_else(PoisonError::into_inner),
                from,
                to,
            )?;
            from = to;
        }
        Ok(())
    }

    /// Intervals entered and not left, counted in stripes.
    pub fn len(&self) -> usize {
        let lens = self
            .maps
            .iter()
            .map(|map| map.lock().map_or(0, |map| map.len()));
        lens.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_no_overlap() {
        let oracle = Oracle::new();
        oracle.enter(1000, 16).unwrap();
        oracle.enter(1016, 16).unwrap();
        oracle.enter(984, 16).unwrap();
        oracle.leave(1000, 16).unwrap();
        oracle.enter(1000, 8).unwrap();
        assert_eq!(oracle.len(), 3);
    }

    #[test]
    fn every_kind_of_overlap_is_found() {
        for (start, size) in [
            (1000, 16),
            (1008, 4),
            (990, 11),
            (1015, 1),
            (900, 1000),
            (1005, 0),
        ] {
            let oracle = Oracle::new();
            oracle.enter(1000, 16).unwrap();
            assert!(oracle.enter(start, size).is_err(), "{start}+{size}");
        }
    }

    #[test]
    fn blocks_cross_stripes() {
        let oracle = Oracle::new();
        oracle.enter(STRIPE - 8, 2 * STRIPE).unwrap();
        assert_eq!(oracle.len(), 3);
        assert!(oracle.enter(2 * STRIPE, 1).is_err());
        assert!(oracle.leave(STRIPE - 8, 100).is_err());
        let oracle = Oracle::new();
        oracle.enter(STRIPE - 8, 2 * STRIPE).unwrap();
        oracle.leave(STRIPE - 8, 2 * STRIPE).unwrap();
        assert_eq!(oracle.len(), 0);
    }
}
