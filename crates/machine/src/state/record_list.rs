//! The records of one key, by their positions. Many keys have one record: that is the list then, and takes no memory beside itself.

use super::records::Stored;
use std::collections::BTreeMap;
use std::sync::Arc;

/// See the module text. (Each record knows its position.)
#[derive(Default)]
pub(crate) enum RecordList {
    #[default]
    Empty,
    One(Arc<Stored>),
    Many(BTreeMap<i64, Arc<Stored>>),
}

impl RecordList {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            RecordList::Empty => true,
            RecordList::One(_) => false,
            RecordList::Many(all) => all.is_empty(),
        }
    }
    /// The position of the next record, at the end or at the beginning.
    pub(crate) fn next_position(&self, at_end: bool) -> i64 {
        let step = if at_end { 1 } else { -1 };
        let outermost = match self {
            RecordList::Empty => None,
            RecordList::One(stored) => Some(stored.position),
            RecordList::Many(all) => match at_end {
                true => all.last_key_value(),
                false => all.first_key_value(),
            }
            .map(|(&position, _)| position),
        };
        outermost.map_or(0, |p| p + step)
    }
    pub(crate) fn insert(&mut self, stored: Arc<Stored>) {
        if let RecordList::Many(all) = self {
            all.insert(stored.position, stored);
            return;
        }
        *self = match std::mem::take(self) {
            RecordList::One(first) => {
                RecordList::Many([first, stored].map(|s| (s.position, s)).into())
            }
            _ => RecordList::One(stored),
        };
    }
    pub(crate) fn has(&self, stored: &Arc<Stored>) -> bool {
        let there = match self {
            RecordList::Empty => None,
            RecordList::One(one) => Some(one),
            RecordList::Many(all) => all.get(&stored.position),
        };
        there.is_some_and(|s| Arc::ptr_eq(s, stored))
    }
    /// Takes out one that is there.
    pub(crate) fn remove(&mut self, stored: &Stored) {
        match self {
            RecordList::Many(all) => {
                all.remove(&stored.position);
            }
            _ => *self = RecordList::Empty,
        }
    }
    /// All from a position on, in their order.
    pub(crate) fn from(&self, position: i64) -> impl Iterator<Item = &Arc<Stored>> {
        let (one, many) = match self {
            RecordList::Empty => (None, None),
            RecordList::One(one) => (Some(one).filter(|s| s.position >= position), None),
            RecordList::Many(all) => (None, Some(all.range(position..))),
        };
        one.into_iter()
            .chain(many.into_iter().flatten().map(|(_, s)| s))
    }
}
