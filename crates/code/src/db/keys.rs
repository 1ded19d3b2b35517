//! The first-argument index of predicates without entry code: from keys to lists of clauses.
//!
//! Invariants: slots are set once; an index that is full is replaced by a larger one, and the old one retired. It has only keys that tell clauses from others.

use super::key::spread;
use super::list::{Entry, List, NoRoom, Owner, push};
use super::retire::{Fate, Retire};
use crate::sync::{AtomicPtr, AtomicUsize};
use samite_term::common;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Key → clauses with that key, for predicates all of whose clauses have a key. Open addressing; slots are set once.
#[derive(Debug)]
pub struct KeyIndex<C> {
    slots: Box<[AtomicPtr<Bucket<C>>]>,
    used: AtomicUsize,
    /// Somebody has looked something up since it was made.
    wanted: AtomicBool,
    /// The generation that it was made in; its lists are not older.
    since: u64,
}

/// The clauses of one key.
#[derive(Debug)]
pub struct Bucket<C> {
    key: u64,
    pub(crate) list: AtomicPtr<List<C>>,
}

/// An index may have so many times as many keys as there are clauses, and a few more: else what it has of clauses that are gone takes more than it is worth.
const MOST_KEYS: usize = 4;
const FEW_KEYS: usize = 64;

impl<C> KeyIndex<C> {
    /// What is charged for it; its lists are charged by themselves.
    fn charged(&self) -> usize {
        size_of_val(&*self.slots) + self.keys() * size_of::<Bucket<C>>()
    }
    pub(crate) fn keys(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

impl<C: Entry> KeyIndex<C> {
    /// An empty index for so many keys, made in that generation; `None`: there is no memory for it.
    pub(crate) fn with_room(keys: usize, since: u64) -> Option<KeyIndex<C>> {
        let n = (keys * 2).next_power_of_two().max(16);
        let mut slots = Vec::new();
        slots.try_reserve_exact(n).ok()?;
        slots.resize_with(n, || AtomicPtr::new(std::ptr::null_mut()));
        let index = KeyIndex {
            slots: slots.into_boxed_slice(),
            used: AtomicUsize::new(0),
            wanted: AtomicBool::new(false),
            since,
        };
        common::charge(index.charged());
        Some(index)
    }
    /// Bytes of an index of so many keys, about, while it is made.
    pub(crate) fn bytes_for(keys: usize) -> usize {
        let list = size_of::<List<C>>() + 2 * size_of::<usize>();
        keys * (4 * size_of::<usize>() + size_of::<Bucket<C>>() + list)
    }
    /// Memory that growing takes, if the next new key needs a larger one: all of it is made again.
    pub(crate) fn growth(&self) -> usize {
        let keys = self.keys();
        if self.is_full() {
            Self::bytes_for(2 * keys)
        } else {
            0
        }
    }
    pub(crate) fn is_full(&self) -> bool {
        (self.keys() + 1) * 2 > self.slots.len()
    }
    fn bucket(&self, key: u64) -> Result<&Bucket<C>, usize> {
        let mask = self.slots.len() - 1;
        let mut i = spread(key) & mask;
        loop {
            // Acquire: pairs with the release in `add`.
            let b = self.slots[i].load(Ordering::Acquire);
            if b.is_null() {
                return Err(i);
            }
            // SAFETY: buckets live as long as some index that holds them; indexes are retired, not freed under readers.
            let b = unsafe { &*b };
            if b.key == key {
                return Ok(b);
            }
            i = (i + 1) & mask;
        }
    }
    /// The clauses with this key, for a call.
    #[inline]
    pub fn look_up(&self, key: u64) -> Option<&'static List<C>> {
        // (One store: it stays as it is.)
        if !self.wanted.load(Ordering::Relaxed) {
            self.wanted.store(true, Ordering::Relaxed);
        }
        self.get(key)
    }
    /// Whether it has been of use since it was made.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }
    /// Whether it has too many keys for so many clauses.
    pub(crate) fn is_too_large_for(&self, clauses: usize) -> bool {
        self.keys() > FEW_KEYS + MOST_KEYS * clauses
    }
    /// The clauses with this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<&'static List<C>> {
        let b = self.bucket(key).ok()?;
        // SAFETY: as in `Predicate::clauses`.
        Some(unsafe { &*b.list.load(Ordering::Acquire) })
    }
    /// Adds a clause of the predicate under its key; returns a list to retire. `Err` when the index is full and must be rebuilt, or can be
    /// no longer.
    pub(crate) fn add(
        &self,
        of: &impl Owner,
        clause: *mut C,
        key: u64,
        at_end: bool,
    ) -> Result<Option<*mut List<C>>, NoRoom> {
        match self.bucket(key) {
            Ok(b) => push(of, &b.list, clause, None, at_end),
            Err(i) => {
                if self.is_full() {
                    return Err(NoRoom);
                }
                // Nobody has seen the bucket: nothing is replaced, and nothing is to be retired.
                let list = List::with_capacity(0, 1, of.generation());
                list.push(clause, true);
                of.be_as_new_as(list.since());
                let b = Box::new(Bucket {
                    key,
                    list: AtomicPtr::new(Box::into_raw(Box::new(list))),
                });
                self.slots[i].store(Box::into_raw(b), Ordering::Release);
                common::charge(size_of::<Bucket<C>>());
                self.used.store(self.keys() + 1, Ordering::Relaxed);
                Ok(None)
            }
        }
    }
    /// Memory that it takes with its buckets, about.
    pub(crate) fn bytes(&self) -> usize {
        let list = size_of::<List<C>>() + 2 * size_of::<usize>();
        self.charged() + self.keys() * list
    }
}

impl<C: Entry> Retire for KeyIndex<C> {
    fn bytes(&self) -> usize {
        KeyIndex::bytes(self)
    }
    fn born(&self) -> Option<u64> {
        Some(self.since)
    }
    fn fate(&self) -> Fate {
        Fate::Free
    }
    fn code(&self) -> Range<usize> {
        0..0
    }
}

impl<C> Drop for KeyIndex<C> {
    fn drop(&mut self) {
        common::release(self.charged());
        for s in &self.slots {
            let b = s.load(Ordering::Relaxed);
            if !b.is_null() {
                // SAFETY: the index owns its buckets and their lists, and nobody reads a retired index any more.
                unsafe {
                    let b = Box::from_raw(b);
                    drop(Box::from_raw(b.list.load(Ordering::Relaxed)));
                }
            }
        }
    }
}
