//! The entries of a trie in the order of their keys: arrays of neighbours, which are in order themselves.
//!
//! A walk goes from one entry to the next by its [`Place`], without looking for anything, as long as no entry has come or gone. An entry is put between its
//! neighbours at the cost of a search and of moving those behind it in its array, [`MOST`] at most.
//!
//! Invariants: no array is empty, or has more than `MOST` entries; of all entries, keys go up. Each has a share in its entries, as the trie has that it belongs to.

use super::Entry;
use super::key::{Head, fits, head, same};
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::cmp::Ordering;
use std::sync::Arc;

/// So many entries an array has at most, and about half of them when it is made.
const MOST: usize = if cfg!(test) { 8 } else { 256 };

/// Where an entry is, as long as nothing else comes or goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Place {
    array: u32,
    at: u32,
}

/// See the module text.
#[derive(Default)]
pub(super) struct Order {
    arrays: Vec<Array>,
    len: usize,
}

/// Neighbours.
struct Array {
    /// Of the key of the last one: who looks for an array reads no more, mostly.
    head: Head,
    entries: Vec<Arc<Entry>>,
}

impl Array {
    fn new(entries: Vec<Arc<Entry>>) -> Array {
        let mut array = Array {
            head: Head::default(),
            entries,
        };
        array.set_head();
        array
    }
    /// The last one has changed.
    fn set_head(&mut self) {
        self.head = self
            .entries
            .last()
            .map_or(Head::default(), |e| head(e.words()));
    }
    /// Whether all of it is below a key, which begins so.
    #[inline]
    fn is_below(&self, key: &[u64], first: &Head) -> bool {
        match self.head.cmp(first) {
            Ordering::Equal => self.entries.last().is_some_and(|e| e.words() < key),
            ordering => ordering == Ordering::Less,
        }
    }
}

impl Order {
    /// Of these entries.
    pub(super) fn new<'a>(
        len: usize,
        entries: impl Iterator<Item = &'a Arc<Entry>>,
    ) -> Result<Order, Refused> {
        // (What is compared is beside each other, but for the ends of long keys that begin alike.)
        let mut all = growth::with_room(len)?;
        for e in entries {
            growth::push(&mut all, (head(e.words()), e))?;
        }
        all.sort_unstable_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.words().cmp(y.words())));
        growth::asked(2 * size_of::<Arc<Entry>>() * len)?;
        let mut arrays = growth::with_room(len.div_ceil(MOST / 2))?;
        for some in all.chunks(MOST / 2) {
            arrays.push(Array::new(
                some.iter().map(|(_, e)| Arc::clone(e)).collect(),
            ));
        }
        Ok(Order { arrays, len })
    }
    pub(super) fn len(&self) -> usize {
        self.len
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.arrays.iter().flat_map(|a| &a.entries)
    }
    #[inline]
    pub(super) fn get(&self, place: Place) -> Option<&Arc<Entry>> {
        (self.arrays.get(place.array as usize)?)
            .entries
            .get(place.at as usize)
    }
    /// The place behind that of an entry; there need not be one.
    #[inline]
    pub(super) fn behind(&self, place: Place) -> Place {
        let at = place.at + 1;
        match (at as usize) < self.arrays[place.array as usize].entries.len() {
            true => Place { at, ..place },
            false => Place {
                array: place.array + 1,
                at: 0,
            },
        }
    }
    /// The first place from one on whose key is not below this one; there need not be an entry.
    pub(super) fn from(&self, start: Place, key: &[u64]) -> Place {
        let below = |e: &Arc<Entry>| e.words() < key;
        let head = head(key);
        let mut array = start.array as usize;
        // In the same array, mostly; and the place behind all that begins alike is behind all, mostly.
        if let Some(here) = self.arrays.get(array)
            && !here.is_below(key, &head)
        {
            let at = start.at as usize;
            let at = at + here.entries[at..].partition_point(below);
            return Place {
                array: start.array,
                at: at as u32,
            };
        }
        if self.arrays.last().is_none_or(|a| a.is_below(key, &head)) {
            return Place {
                array: self.arrays.len() as u32,
                at: 0,
            };
        }
        array += 1;
        array += self.arrays[array..].partition_point(|a| a.is_below(key, &head));
        let at = self.arrays[array].entries.partition_point(below);
        Place {
            array: array as u32,
            at: at as u32,
        }
    }
    /// The first place from one on whose entry a walk of this age returns for a pattern.
    pub(super) fn next(&self, mut place: Place, pattern: &[u64], age: u64) -> Option<Place> {
        while let Some(entry) = self.get(place) {
            match fits(pattern, entry.words()) {
                Ok(()) if entry.birth <= age => return Some(place),
                Ok(()) => place = self.behind(place),
                Err(key) => place = self.from(place, &key),
            }
        }
        None
    }
    /// [`Order::next`] for all that begins so, where no key has variables: these are all beside each other.
    pub(super) fn next_beginning(
        &self,
        mut place: Place,
        words: &[u64],
        age: u64,
    ) -> Option<Place> {
        while let Some(entry) = self.get(place) {
            if !entry
                .words()
                .get(..words.len())
                .is_some_and(|w| same(w, words))
            {
                return None;
            }
            if entry.birth <= age {
                return Some(place);
            }
            place = self.behind(place);
        }
        None
    }
    /// Whether a key is behind all: then it costs next to nothing to put it in.
    pub(super) fn is_behind(&self, key: &[u64]) -> bool {
        (self.arrays.last()).is_none_or(|a| a.is_below(key, &head(key)))
    }
    /// Puts an entry in whose key is not there. Refused where there is no memory: then it is not in order any more, and of no use.
    pub(super) fn insert(&mut self, entry: Arc<Entry>) -> Result<(), Refused> {
        let place = self.from(Place::default(), entry.words());
        let (mut array, mut at) = (place.array as usize, place.at as usize);
        self.len += 1;
        if array == self.arrays.len() {
            // Behind all others.
            match self.arrays.last() {
                Some(a) if a.entries.len() < MOST => {
                    array -= 1;
                    at = a.entries.len();
                }
                _ => return self.add_array(array, vec![entry]),
            }
        } else if self.arrays[array].entries.len() == MOST {
            let rest = self.arrays[array].entries.split_off(MOST / 2);
            self.arrays[array].set_head();
            self.add_array(array + 1, rest)?;
            if at > MOST / 2 {
                (array, at) = (array + 1, at - MOST / 2);
            }
        }
        let array = &mut self.arrays[array];
        let is_last = at == array.entries.len();
        array.entries.insert(at, entry);
        if is_last {
            array.set_head();
        }
        Ok(())
    }
    fn add_array(&mut self, at: usize, entries: Vec<Arc<Entry>>) -> Result<(), Refused> {
        if !growth::vec_room(&mut self.arrays, |bytes| common::may_take(bytes, 0)) {
            return Err(Refused);
        }
        self.arrays.insert(at, Array::new(entries));
        Ok(())
    }
    /// The entry with the key of this one gives its place to it.
    pub(super) fn replace(&mut self, entry: &Arc<Entry>) {
        let place = self.from(Place::default(), entry.words());
        self.arrays[place.array as usize].entries[place.at as usize] = entry.clone();
    }
    /// Takes an entry out.
    pub(super) fn remove(&mut self, entry: &Entry) {
        let place = self.from(Place::default(), entry.words());
        let (n, at) = (place.array as usize, place.at as usize);
        let array = &mut self.arrays[n];
        array.entries.remove(at);
        self.len -= 1;
        let len = array.entries.len();
        if len == 0 {
            self.arrays.remove(n);
            return;
        }
        if at == len {
            array.set_head();
        }
        if len < array.entries.capacity() / 4 {
            array.entries.shrink_to(2 * len);
        }
    }
}

impl Place {
    /// In one number of 48 bits, as long as there are less than 2³⁸ entries or so.
    pub(super) fn packed(self) -> u64 {
        u64::from(self.array) << 16 | u64::from(self.at)
    }
    pub(super) fn unpacked(n: u64) -> Place {
        Place {
            array: (n >> 16) as u32,
            at: n as u32 & 0xffff,
        }
    }
}
