//! The clauses of an index's keys, apart from those that match every key.
//!
//! Where many clauses match every key, and there are many keys, a list for each of them is too much ([`KeyIndex::refuses`](super::keys::KeyIndex)). Then an
//! index keeps what each key has of its own here, and makes the list of a key when somebody looks it up: what is its own and what matches every key, merged.
//! For that they are numbered as they come, at both ends. Of an index by several places there are clauses with keys at some of them: they are kept by
//! these, in *groups*, and go into the lists of keys that have the same there.
//!
//! *Equation*: a clause of a key comes before another one if and only if its number is not above that one's; so numbers do not fall from one to
//! the next anywhere, and those of others than keys' are given once. `made` has the slots that lead to lists, once each; `made_of` those whose keys belong to a group, which is
//! one of each mask in `masks`.
//!
//! All of it is the writer's: the predicate's lock is held. Memory is counted in what all threads have in common, but for that of the slots, which is the index's.

use crate::sync::AtomicPtr;
use rustc_hash::FxHashMap;
use samite_term::{common, growth};
use std::collections::VecDeque;

/// Keys at some places of an index: which these are, as bits, and one key for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    pub mask: u8,
    pub key: u64,
}

/// A mask has so many values, as an index has few places.
const MASKS: u8 = 16;

/// A clause of a group takes as much as so many others, about: most groups have one.
const IN_GROUP: usize = 5;

/// What a clause is kept by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// The key in a slot.
    Slot(usize),
    Group(Group),
    /// It matches every key.
    All,
}

/// See the module text.
#[derive(Debug)]
pub(super) struct Apart<C> {
    /// By the slot of the key.
    own: Box<[Own<C>]>,
    groups: FxHashMap<Group, VecDeque<Numbered<C>>>,
    /// Those of the groups that there have been, each a bit.
    masks: u16,
    /// What matches every key.
    others: VecDeque<Numbered<C>>,
    /// The number of the first of these, and the one behind the last.
    first: i64,
    next: i64,
    /// How many clauses keys have of their own, and groups.
    owned: usize,
    /// Bytes that have been charged.
    charged: usize,
    /// The slots that lead to lists.
    made: Vec<usize>,
    made_of: FxHashMap<Group, Vec<usize>>,
    /// Bytes that have been charged for these two, about.
    charged_made: usize,
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
            groups: FxHashMap::default(),
            masks: 0,
            others: VecDeque::new(),
            first: 0,
            next: 0,
            owned: 0,
            charged: 0,
            made: Vec::new(),
            made_of: FxHashMap::default(),
            charged_made: 0,
        })
    }
    /// Bytes of each slot.
    pub(super) const BYTES: usize = size_of::<Own<C>>();

    /// How many clauses it has.
    pub(super) fn clauses(&self) -> usize {
        self.owned + self.others.len()
    }
    /// A clause has come.
    pub(super) fn push(&mut self, by: By, clause: *mut C, at_end: bool) -> Result<(), Full> {
        self.put(by, clause, at_end)?;
        match by {
            // (That of a key that has no other is in its slot.)
            By::Slot(slot) if !matches!(self.own[slot], Own::Many(_)) => {}
            By::Slot(_) | By::All => self.charge(1),
            By::Group(_) => self.charge(IN_GROUP),
        }
        Ok(())
    }
    /// Those of the groups that there have been.
    pub(super) fn masks(&self) -> impl Iterator<Item = u8> + use<C> {
        let masks = self.masks;
        (1..MASKS).filter(move |mask| masks & 1 << mask != 0)
    }
    /// The slots that lead to lists.
    pub(super) fn made(&self) -> &[usize] {
        &self.made
    }
    /// Those whose keys belong to a group.
    pub(super) fn made_of(&self, group: Group) -> &[usize] {
        self.made_of.get(&group).map_or(&[], |slots| slots)
    }
    /// No slot leads to a list any more; those that did.
    pub(super) fn take_made(&mut self) -> Vec<usize> {
        self.made_of = FxHashMap::default();
        common::release(std::mem::take(&mut self.charged_made));
        std::mem::take(&mut self.made)
    }
    /// A slot leads to a list, whose key belongs to these groups. (If there is no memory for that it may be among those of some: all are to be taken then.)
    pub(super) fn note_made(&mut self, slot: usize, groups: &[Group]) -> Result<(), Full> {
        debug_assert!(!self.made.contains(&slot));
        let ask = |bytes| common::may_take(bytes, 0);
        if !growth::vec_room(&mut self.made, ask) {
            return Err(Full);
        }
        for group in groups {
            if !growth::map_room(&mut self.made_of, ask) {
                return Err(Full);
            }
            let slots = self.made_of.entry(*group).or_default();
            if !growth::vec_room(slots, ask) {
                return Err(Full);
            }
            slots.push(slot);
        }
        self.made.push(slot);
        let bytes = (1 + IN_GROUP * groups.len()) * size_of::<Numbered<C>>();
        common::charge(bytes);
        self.charged_made += bytes;
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
    fn put(&mut self, by: By, clause: *mut C, at_end: bool) -> Result<(), Full> {
        let slot = match by {
            By::Slot(slot) => slot,
            By::Group(group) => return self.put_apart(Some(group), clause, at_end),
            By::All => return self.put_apart(None, clause, at_end),
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
    /// The same of a group, or for all.
    fn put_apart(
        &mut self,
        group: Option<Group>,
        clause: *mut C,
        at_end: bool,
    ) -> Result<(), Full> {
        let all = match group {
            None => &mut self.others,
            Some(group) => {
                debug_assert!(group.mask < MASKS);
                if !growth::map_room(&mut self.groups, |bytes| common::may_take(bytes, 0)) {
                    return Err(Full);
                }
                self.groups.entry(group).or_default()
            }
        };
        all.try_reserve(1).map_err(|_| Full)?;
        if let Some(group) = group {
            self.masks |= 1 << group.mask;
            self.owned += 1;
        }
        if at_end {
            let number = self.next;
            all.push_back(Numbered { clause, number });
            self.next += 1;
        } else {
            self.first -= 1;
            let number = self.first;
            all.push_front(Numbered { clause, number });
        }
        Ok(())
    }
    /// Whether some group of these has a clause.
    pub(super) fn has_any(&self, groups: &[Group]) -> bool {
        let has = |group| self.groups.get(group).is_some_and(|all| !all.is_empty());
        groups.iter().any(has)
    }
    /// Whether a group has a clause, for those who check.
    pub(super) fn has_in_group(&self, group: Group, clause: *const C) -> bool {
        let all = self.groups.get(&group).into_iter().flatten();
        all.into_iter().any(|n| std::ptr::eq(n.clause, clause))
    }
    /// What a call with the key of a slot, which belongs to these groups, may match: how many, and in order.
    pub(super) fn merged(
        &self,
        slot: usize,
        groups: &[Group],
    ) -> (usize, impl Iterator<Item = *mut C>) {
        let (one, many) = match &self.own[slot] {
            Own::Nothing => (None, None),
            Own::One(one) => (Some(one), None),
            Own::Many(many) => (None, Some(many.iter())),
        };
        let count = usize::from(one.is_some()) + many.as_ref().map_or(0, |many| many.len());
        let mut own = one.into_iter().chain(many.into_iter().flatten());
        let mut next_own = own.next();
        let of_groups = groups.iter().filter_map(|group| self.groups.get(group));
        let mut others: Vec<_> = (of_groups.chain([&self.others]))
            .map(|all| all.iter().peekable())
            .collect();
        let count = count + others.iter().map(ExactSizeIterator::len).sum::<usize>();
        let merged = std::iter::from_fn(move || {
            let firsts = others.iter_mut().enumerate();
            let other = firsts
                .filter_map(|(i, all)| Some((all.peek()?.number, i)))
                .min();
            let found = match (next_own, other) {
                (Some(own_one), other) if other.is_none_or(|(n, _)| own_one.number <= n) => {
                    next_own = own.next();
                    Some(own_one)
                }
                (_, other) => others[other?.1].next(),
            };
            found.map(|n| n.clause)
        });
        (count, merged)
    }
    /// Appends the same to the slots of a list. What matches every key is mostly most of it: it is copied in stretches, between which are the clauses of the key.
    pub(super) fn merge_into(&self, slot: usize, groups: &[Group], to: &mut Vec<AtomicPtr<C>>) {
        if self.has_any(groups) {
            return to.extend(self.merged(slot, groups).1.map(AtomicPtr::new));
        }
        let own: &mut dyn Iterator<Item = &Numbered<C>> = match &self.own[slot] {
            Own::Nothing => &mut [].iter(),
            Own::One(one) => &mut std::slice::from_ref(one).iter(),
            Own::Many(many) => &mut many.iter(),
        };
        let mut at = 0;
        let pointer = |n: &Numbered<C>| AtomicPtr::new(n.clause);
        for one in own {
            let before = self.others.partition_point(|n| n.number < one.number);
            to.extend(self.others.range(at..before).map(pointer));
            to.push(pointer(one));
            at = before;
        }
        to.extend(self.others.range(at..).map(pointer));
    }
    /// Checks the equation in debug builds, for a key: panics if it does not hold.
    pub(super) fn verify(&self, slot: usize) {
        if cfg!(debug_assertions) {
            if let Own::Many(all) = &self.own[slot] {
                assert!(all.iter().is_sorted_by_key(|n| n.number));
            }
            for all in self.groups.values().chain([&self.others]) {
                assert!(all.iter().is_sorted_by(|a, b| a.number < b.number));
            }
        }
    }
    /// Keeps those clauses only.
    pub(super) fn retain(&mut self, keeps: impl Fn(*mut C) -> bool) {
        self.release();
        self.others.retain(|n| keeps(n.clause));
        self.owned = 0;
        let mut counted = self.others.len();
        self.groups.retain(|_, all| {
            all.retain(|n| keeps(n.clause));
            counted += IN_GROUP * all.len();
            self.owned += all.len();
            !all.is_empty()
        });
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
        common::release(self.charged_made);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

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
            let mut all: VecDeque<(By, *mut u8)> = VecDeque::new();
            // (The groups of a slot's key: by its lowest bit, and by the others.)
            let groups_of = |slot: usize| {
                let group = |mask, key| Group { mask, key };
                [group(1, slot as u64 & 1), group(2, slot as u64 >> 1)]
            };
            for i in 1..60usize {
                let clause = std::ptr::without_provenance_mut(i);
                let by = match draw(KEYS as u64 + 6) {
                    slot if slot < KEYS => By::Slot(slot),
                    n if n < KEYS + 3 => By::Group(groups_of(draw(KEYS as u64))[draw(2)]),
                    _ => By::All,
                };
                let at_end = draw(3) > 0;
                assert!(apart.push(by, clause, at_end).is_ok());
                if at_end {
                    all.push_back((by, clause));
                } else {
                    all.push_front((by, clause));
                }
                if draw(8) == 0 {
                    let gone = draw(i as u64 + 1);
                    apart.retain(|c| c.addr() != gone);
                    all.retain(|(_, c)| c.addr() != gone);
                }
                assert_eq!(apart.clauses(), all.len());
                for slot in 0..KEYS {
                    let groups = groups_of(slot);
                    let expected = all.iter().filter(|(by, _)| match *by {
                        By::Slot(s) => s == slot,
                        By::Group(group) => groups.contains(&group),
                        By::All => true,
                    });
                    let expected: Vec<_> = expected.map(|&(_, c)| c).collect();
                    let (n, merged) = apart.merged(slot, &groups);
                    assert_eq!(n, expected.len());
                    assert!(merged.eq(expected.iter().copied()));
                    let mut slots = Vec::new();
                    apart.merge_into(slot, &groups, &mut slots);
                    assert!(slots.iter().map(|s| s.load(Relaxed)).eq(expected));
                }
            }
        }
    }
}
