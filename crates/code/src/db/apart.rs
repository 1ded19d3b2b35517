//! The clauses of an index's keys, apart from those that match every key.
//!
//! Where many clauses match every key, and there are many keys, a list for each of them is too much ([`KeyIndex::refuses`](super::keys::KeyIndex)). Then an
//! index keeps what each key has of its own here, and makes the list of a key when somebody looks it up: what is its own and what matches every key, merged.
//! For that they are numbered as they come, at both ends.
//!
//! *Equation*: a clause of a key comes before one that matches every key if and only if its number is not above that one's; so numbers do not fall from one to
//! the next in either, and those of what matches every key rise. `made` has the slots that lead to lists, once each.
//!
//! All of it is the writer's: the predicate's lock is held. Memory is counted in what all threads have in common, but for that of the slots, which is the index's.

use samite_term::common;
use std::collections::VecDeque;

/// See the module text.
#[derive(Debug)]
pub(super) struct Apart<C> {
    /// By the slot of the key.
    own: Box<[Own<C>]>,
    /// What matches every key.
    others: VecDeque<Numbered<C>>,
    /// The number of the first of these, and the one behind the last.
    first: i64,
    next: i64,
    /// How many clauses keys have of their own.
    owned: usize,
    /// Bytes that have been charged.
    charged: usize,
    /// The slots that lead to lists.
    pub(super) made: Vec<usize>,
}

#[derive(Debug)]
struct Numbered<C> {
    clause: *mut C,
    number: i64,
}

impl<C> Clone for Numbered<C> {
    fn clone(&self) -> Numbered<C> {
        *self
    }
}

impl<C> Copy for Numbered<C> {}

/// What a key has of its own. Most have one clause.
#[derive(Debug)]
enum Own<C> {
    Nothing,
    One(Numbered<C>),
    Many(VecDeque<Numbered<C>>),
}

// SAFETY: the clauses are shared between threads, and all else is the writer's.
unsafe impl<C: Sync> Send for Apart<C> {}

/// There was no memory.
pub(super) struct Full;

impl<C> Apart<C> {
    /// For an index with so many slots; `None`: there is no memory for it.
    pub(super) fn with_slots(slots: usize) -> Option<Apart<C>> {
        let mut own = Vec::new();
        own.try_reserve_exact(slots).ok()?;
        own.resize_with(slots, || Own::Nothing);
        Some(Apart {
            own: own.into_boxed_slice(),
            others: VecDeque::new(),
            first: 0,
            next: 0,
            owned: 0,
            charged: 0,
            made: Vec::new(),
        })
    }
    /// Bytes of each slot.
    pub(super) const BYTES: usize = size_of::<Own<C>>();

    /// How many clauses it has.
    pub(super) fn clauses(&self) -> usize {
        self.owned + self.others.len()
    }
    /// A clause has come, of a key or for all.
    pub(super) fn push(
        &mut self,
        slot: Option<usize>,
        clause: *mut C,
        at_end: bool,
    ) -> Result<(), Full> {
        self.put(slot, clause, at_end)?;
        // (That of a key that has no other is in its slot.)
        if slot.is_none_or(|slot| matches!(self.own[slot], Own::Many(_))) {
            self.charge(1);
        }
        Ok(())
    }
    fn charge(&mut self, clauses: usize) {
        let bytes = clauses * size_of::<Numbered<C>>();
        common::charge(bytes);
        self.charged += bytes;
    }
    fn release(&mut self) {
        common::release(std::mem::take(&mut self.charged));
    }
    fn put(&mut self, slot: Option<usize>, clause: *mut C, at_end: bool) -> Result<(), Full> {
        let Some(slot) = slot else {
            self.others.try_reserve(1).map_err(|_| Full)?;
            if at_end {
                let number = self.next;
                self.others.push_back(Numbered { clause, number });
                self.next += 1;
            } else {
                self.first -= 1;
                let number = self.first;
                self.others.push_front(Numbered { clause, number });
            }
            return Ok(());
        };
        let number = if at_end { self.next } else { self.first };
        let new = Numbered { clause, number };
        let own = &mut self.own[slot];
        if let Own::One(first) = *own {
            let mut many = VecDeque::new();
            many.try_reserve(2).map_err(|_| Full)?;
            many.push_back(first);
            *own = Own::Many(many);
        }
        match own {
            Own::Nothing => *own = Own::One(new),
            Own::Many(all) => {
                all.try_reserve(1).map_err(|_| Full)?;
                if at_end {
                    all.push_back(new);
                } else {
                    all.push_front(new);
                }
            }
            Own::One(_) => unreachable!("it has become several"),
        }
        self.owned += 1;
        Ok(())
    }
    /// What a call with the key of a slot may match: how many, and in order.
    pub(super) fn merged(&self, slot: usize) -> (usize, impl Iterator<Item = *mut C>) {
        let (one, many) = match &self.own[slot] {
            Own::Nothing => (None, None),
            Own::One(one) => (Some(one), None),
            Own::Many(many) => (None, Some(many.iter())),
        };
        let count = usize::from(one.is_some()) + many.as_ref().map_or(0, |many| many.len());
        let mut own = one.into_iter().chain(many.into_iter().flatten());
        let mut next_own = own.next();
        let mut others = self.others.iter();
        let mut next_other = others.next();
        let merged = std::iter::from_fn(move || {
            let is_own = match (next_own, next_other) {
                (Some(own), Some(other)) => own.number <= other.number,
                (own, _) => own.is_some(),
            };
            let found = match is_own {
                true => std::mem::replace(&mut next_own, own.next()),
                false => std::mem::replace(&mut next_other, others.next()),
            };
            found.map(|n| n.clause)
        });
        (count + self.others.len(), merged)
    }
    /// Checks the equation in debug builds, for a key: panics if it does not hold.
    pub(super) fn verify(&self, slot: usize) {
        if cfg!(debug_assertions) {
            if let Own::Many(all) = &self.own[slot] {
                assert!(all.iter().is_sorted_by_key(|n| n.number));
            }
            let all = self.others.iter();
            assert!(all.is_sorted_by(|a, b| a.number < b.number));
        }
    }
    /// Keeps those clauses only.
    pub(super) fn retain(&mut self, keeps: impl Fn(*mut C) -> bool) {
        self.release();
        self.others.retain(|n| keeps(n.clause));
        self.owned = 0;
        let mut counted = self.others.len();
        for own in &mut self.own {
            match own {
                Own::One(one) if !keeps(one.clause) => *own = Own::Nothing,
                Own::Many(all) => all.retain(|n| keeps(n.clause)),
                _ => {}
            }
            self.owned += match own {
                Own::Nothing => 0,
                Own::One(_) => 1,
                Own::Many(all) => {
                    counted += all.len();
                    all.len()
                }
            };
        }
        self.charge(counted);
    }
}

impl<C> Drop for Apart<C> {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Against a list of all, with what comes at both ends and goes anywhere.
    #[test]
    fn merged_is_the_order_of_all() {
        const KEYS: usize = 5;
        let mut at = 7u64;
        let mut draw = |n: u64| {
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((u128::from(at) * u128::from(n)) >> 64) as usize
        };
        for _ in 0..200 {
            let mut apart = Apart::<u8>::with_slots(KEYS).unwrap();
            let mut all: VecDeque<(Option<usize>, *mut u8)> = VecDeque::new();
            for i in 1..60usize {
                let clause = std::ptr::without_provenance_mut(i);
                let slot = Some(draw(KEYS as u64 + 3)).filter(|&slot| slot < KEYS);
                let at_end = draw(3) > 0;
                assert!(apart.push(slot, clause, at_end).is_ok());
                if at_end {
                    all.push_back((slot, clause));
                } else {
                    all.push_front((slot, clause));
                }
                if draw(8) == 0 {
                    let gone = draw(i as u64 + 1);
                    apart.retain(|c| c.addr() != gone);
                    all.retain(|(_, c)| c.addr() != gone);
                }
                assert_eq!(apart.clauses(), all.len());
                for slot in 0..KEYS {
                    let expected = all.iter().filter(|(s, _)| s.is_none_or(|s| s == slot));
                    let expected: Vec<_> = expected.map(|&(_, c)| c).collect();
                    let (n, merged) = apart.merged(slot);
                    assert_eq!(n, expected.len());
                    assert!(merged.eq(expected));
                }
            }
        }
    }
}
