//! Which clauses of a long chain a call may match, by its first argument.
//!
//! Where many clauses fit every key there is no chain for each key: all calls go through that of all clauses. Before it stands a `Keyed`, which has the keys of
//! the chain's clauses side by side. A call that has a key there goes from one clause that has the same, or none, to the next; a choicepoint keeps the number of that one, so
//! it is gone when the last clause that the call may match is run. Where those that fit every key are far from each other an index is asked first. (SWI-Prolog keeps the key in the list of the clauses, and compares it there.)
//!
//! *Equation*: a call that gets past head and first unifications of clause `i` of the chain has key `i`, or one of the two is [`ANY_KEY`].

use super::key::ANY_KEY;
use samite_term::growth::{self, Refused};

/// So many keys are passed in the time of a look into an index, about.
const NEAR: usize = 256;

/// See the module text. Immutable when it is published.
#[derive(Debug)]
pub struct Keyed {
    keys: Box<[u64]>,
}

impl Keyed {
    /// That of a chain of clauses with these keys, which are so many.
    pub(super) fn of(keys: impl ExactSizeIterator<Item = u64>) -> Result<Keyed, Refused> {
        let mut all = growth::with_room(keys.len())?;
        all.extend(keys);
        Ok(Keyed {
            keys: all.into_boxed_slice(),
        })
    }
    /// Whether from one clause that fits every key to the next it is so near that no index by the first argument alone finds clauses sooner.
    pub(super) fn is_near(keys: impl ExactSizeIterator<Item = u64>) -> bool {
        let clauses = keys.len();
        keys.filter(|&key| key == ANY_KEY).count() >= clauses / NEAR
    }
    /// The first clause from there on that calls with this key may match.
    #[inline]
    pub fn from(&self, at: usize, key: u64) -> Option<usize> {
        let rest = self.keys.get(at..)?;
        let found = rest.iter().position(|&k| k == key || k == ANY_KEY)?;
        Some(at + found)
    }
    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Keyed>() + size_of_val(&*self.keys)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_walk_passes_other_keys() {
        let keyed = &Keyed::of([8, ANY_KEY, 16, 8, ANY_KEY, 16].into_iter()).expect("no memory");
        let walk = |key| {
            let mut next = keyed.from(0, key);
            std::iter::from_fn(move || {
                let at = next?;
                next = keyed.from(at + 1, key);
                Some(at)
            })
        };
        for (key, found) in [(8, &[0, 1, 3, 4][..]), (16, &[1, 2, 4, 5]), (24, &[1, 4])] {
            assert!(walk(key).eq(found.iter().copied()));
        }
    }
}
