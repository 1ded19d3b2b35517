//! The records of one key, in the order of their positions. Many keys have one record: that is the list then, and takes no memory beside itself.
//!
//! *Equation:* more than one lie in a queue of places whose positions ascend, the first and the last of which are taken; at most half of them are free.
//! Positions follow one another until places that became free are taken out, so a record is mostly found where its position says.

use super::records::Stored;
use samite_term::growth::{self, Refused};
use std::collections::VecDeque;
use std::sync::Arc;

/// See the module text. (Each record knows its position.)
#[derive(Default)]
pub(crate) enum RecordList {
    #[default]
    Empty,
    One(Arc<Stored>),
    Many(Box<Places>),
}

/// More than one record at some time.
#[derive(Default)]
pub(crate) struct Places {
    places: VecDeque<(i64, Option<Arc<Stored>>)>,
    free: usize,
}

impl Places {
    /// Adds one that is outermost.
    fn add(&mut self, place: (i64, Option<Arc<Stored>>)) {
        match self.places.front() {
            Some(first) if place.0 < first.0 => self.places.push_front(place),
            _ => self.places.push_back(place),
        }
    }
    /// The index of the first place at a position or behind it.
    fn index(&self, position: i64) -> usize {
        let first = self.places.front().map_or(position, |p| p.0);
        let ahead = position.checked_sub(first);
        let Some(ahead) = ahead.and_then(|n| usize::try_from(n).ok()) else {
            return 0;
        };
        match self.places.get(ahead) {
            Some(place) if place.0 == position => ahead,
            _ => self.places.partition_point(|p| p.0 < position),
        }
    }
    fn at(&self, position: i64) -> Option<&Arc<Stored>> {
        let place = self.places.get(self.index(position))?;
        place.1.as_ref().filter(|s| s.position == position)
    }
    fn remove(&mut self, position: i64) {
        let at = self.index(position);
        let Some(place) = self.places.get_mut(at).filter(|p| p.0 == position) else {
            return;
        };
        self.free += usize::from(place.1.take().is_some());
        while self.places.front().is_some_and(|p| p.1.is_none()) {
            self.places.pop_front();
            self.free -= 1;
        }
        while self.places.back().is_some_and(|p| p.1.is_none()) {
            self.places.pop_back();
            self.free -= 1;
        }
        if self.free > self.places.len() / 2 {
            self.places.retain(|p| p.1.is_some());
            self.free = 0;
        }
        debug_assert!(
            2 * self.free <= self.places.len()
                && [self.places.front(), self.places.back()]
                    .iter()
                    .all(|p| p.is_none_or(|p| p.1.is_some())),
            "see the module text"
        );
        let (places, capacity) = (self.places.len(), self.places.capacity());
        if capacity > 4 * places.max(4) {
            // Where there is no memory for the smaller one it stays as it is: erasing needs none.
            let mut fewer = VecDeque::new();
            if fewer.try_reserve_exact(2 * places).is_ok() {
                fewer.extend(self.places.drain(..));
                self.places = fewer;
            }
        }
    }
}

impl RecordList {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            RecordList::Empty => true,
            RecordList::One(_) => false,
            RecordList::Many(all) => all.places.is_empty(),
        }
    }
    /// The position of the next record, at the end or at the beginning.
    pub(crate) fn next_position(&self, at_end: bool) -> i64 {
        let step = if at_end { 1 } else { -1 };
        let outermost = match self {
            RecordList::Empty => None,
            RecordList::One(stored) => Some(stored.position),
            RecordList::Many(all) => match at_end {
                true => all.places.back(),
                false => all.places.front(),
            }
            .map(|place| place.0),
        };
        outermost.map_or(0, |p| p + step)
    }
    /// Makes room for one more, or changes nothing.
    pub(crate) fn have_room(&mut self, ask: impl Fn(usize) -> bool) -> Result<(), Refused> {
        let has_room = match self {
            RecordList::Many(all) => growth::deque_have(&mut all.places, 1, ask),
            _ => true,
        };
        has_room.then_some(()).ok_or(Refused)
    }
    /// Adds one at its position, which is outermost.
    pub(crate) fn insert(&mut self, stored: Arc<Stored>) {
        let place = |s: Arc<Stored>| (s.position, Some(s));
        *self = match std::mem::take(self) {
            RecordList::Empty => RecordList::One(stored),
            RecordList::One(first) => {
                let mut all = Places::default();
                all.places.push_back(place(first));
                all.add(place(stored));
                RecordList::Many(Box::new(all))
            }
            RecordList::Many(mut all) => {
                all.add(place(stored));
                RecordList::Many(all)
            }
        };
    }
    pub(crate) fn has(&self, stored: &Arc<Stored>) -> bool {
        let there = match self {
            RecordList::Empty => None,
            RecordList::One(one) => Some(one),
            RecordList::Many(all) => all.at(stored.position),
        };
        there.is_some_and(|s| Arc::ptr_eq(s, stored))
    }
    /// Takes out one that is there.
    pub(crate) fn remove(&mut self, stored: &Stored) {
        match self {
            RecordList::Many(all) => all.remove(stored.position),
            _ => *self = RecordList::Empty,
        }
    }
    /// All from a position on, in their order.
    pub(crate) fn from(&self, position: i64) -> impl Iterator<Item = &Arc<Stored>> {
        let (one, many) = match self {
            RecordList::Empty => (None, None),
            RecordList::One(one) => (Some(one).filter(|s| s.position >= position), None),
            RecordList::Many(all) => (None, Some(all.places.range(all.index(position)..))),
        };
        let places = many.into_iter().flatten();
        one.into_iter()
            .chain(places.filter_map(|(_, stored)| stored.as_ref()))
    }
}
