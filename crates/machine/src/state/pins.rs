//! What a thread has told those who free clauses that its choicepoints read. Its equation: `engine/pins.rs`.

use rustc_hash::FxHashSet;
use samite_code::reclaim::Pin;
use samite_term::growth::{self, Refused};

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

/// Addresses: of code, of frames that chains of them begin with, and sets of places in chains of clauses and of frames.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    pub(crate) held: Addresses,
    pub(crate) chains: Vec<usize>,
    pub(crate) in_chains: Places,
    pub(crate) met: Places,
}

impl Looks {
    /// Empties them for another time, unless they have become large.
    pub(crate) fn put_by(mut self) -> Looks {
        self.held.clear();
        empty(&mut self.chains);
        self.in_chains.clear();
        self.met.clear();
        self
    }
}

const MOST_KEPT: usize = 1 << 9;

fn empty(addresses: &mut Vec<usize>) {
    match addresses.capacity() <= MOST_KEPT {
        true => addresses.clear(),
        false => *addresses = Vec::new(),
    }
}

/// A set of addresses. A few are compared one by one, which takes less than a table of them.
///
/// *Equation*: one of the two is empty.
#[derive(Debug, Default)]
pub(crate) struct Places {
    few: Vec<usize>,
    many: FxHashSet<usize>,
}

/// What is few.
const COMPARED: usize = if cfg!(debug_assertions) { 4 } else { 32 };

impl Places {
    /// Adds one; whether it is new.
    pub(crate) fn add(&mut self, place: usize) -> Result<bool, Refused> {
        if self.many.is_empty() {
            if self.few.contains(&place) {
                return Ok(false);
            }
            if self.few.len() < COMPARED {
                return growth::push(&mut self.few, place).map(|()| true);
            }
            growth::set_have(&mut self.many, COMPARED + 1)?;
            self.many.extend(self.few.drain(..));
        }
        growth::add(&mut self.many, place)
    }
    fn clear(&mut self) {
        self.few.clear();
        match self.many.capacity() <= MOST_KEPT {
            true => self.many.clear(),
            false => self.many = FxHashSet::default(),
        }
    }
}

/// Addresses in any order, each as often as it was added, but of many: recursion adds one again and again.
///
/// *Equation*: there are at most twice as many as there are different ones, and [`FEW`].
#[derive(Debug, Default)]
pub(crate) struct Addresses {
    all: Vec<usize>,
    /// How many different ones there were when that was seen last.
    different: usize,
}

/// So many are looked at one by one anyway.
const FEW: usize = 64;

impl Addresses {
    pub(crate) fn add(&mut self, address: usize) -> Result<(), Refused> {
        if self.all.last() == Some(&address) {
            return Ok(());
        }
        if self.all.len() >= FEW + 2 * self.different {
            self.all.sort_unstable();
            self.all.dedup();
            self.different = self.all.len();
        }
        growth::push(&mut self.all, address)
    }
    pub(crate) fn all(&self) -> &[usize] {
        &self.all
    }
    fn clear(&mut self) {
        self.different = 0;
        empty(&mut self.all);
    }
}

#[cfg(test)]
mod tests {
    use super::{Addresses, COMPARED, FEW, Places};

    #[test]
    fn a_place_is_new_once() {
        let mut places = Places::default();
        for _ in 0..2 {
            for i in 0..COMPARED * 3 {
                assert_eq!(places.add(i).ok(), Some(true));
                for met in 0..=i {
                    assert_eq!(places.add(met).ok(), Some(false));
                }
                assert!(places.few.is_empty() || places.many.is_empty());
            }
            places.clear();
        }
    }

    #[test]
    fn what_is_added_again_and_again_is_there_a_few_times() {
        let mut addresses = Addresses::default();
        for i in 0..100_000 {
            assert!(addresses.add(i * i % 300).is_ok());
            assert!(addresses.all().len() <= FEW + 2 * 300);
        }
        let mut all = addresses.all().to_vec();
        all.sort_unstable();
        all.dedup();
        let mut expected: Vec<_> = (0..300).map(|i| i * i % 300).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(all, expected);
    }
}
