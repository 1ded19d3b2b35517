//! The streams that a thread used last: it finds them without the table's lock, which all threads share.
//!
//! Invariant: what is kept is in the table as long as [`StreamTable::removals`] is what it was when it was looked up; streams keep
//! their identity. A stream that another thread closes at the same time is found or not, as in the table.

use crate::table::{SharedStream, StreamId, StreamTable};

/// So many are kept: one that is read and one that is written, mostly.
const KEPT: usize = 2;

#[derive(Clone)]
struct Found {
    id: StreamId,
    stream: SharedStream,
}

/// See the module text.
#[derive(Default)]
pub struct Recent {
    kept: [Option<Found>; KEPT],
    /// Where the next one goes.
    next: usize,
    /// Removals from the table when the first was kept.
    removals: u64,
}

impl Recent {
    /// The open stream of this identity.
    pub fn get(&mut self, table: &StreamTable, id: StreamId) -> Option<SharedStream> {
        let removals = table.removals();
        if removals != self.removals {
            self.kept = Default::default();
            self.removals = removals;
        }
        let kept = (self.kept.iter()).position(|k| k.as_ref().is_some_and(|f| f.id == id));
        let at = match kept {
            Some(at) => at,
            None => {
                let found = Found {
                    id,
                    stream: table.get(id)?,
                };
                let at = self.next;
                self.next = (at + 1) % KEPT;
                self.kept[at] = Some(found);
                at
            }
        };
        self.kept[at].as_ref().map(|f| f.stream.clone())
    }
}

impl std::fmt::Debug for Recent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.kept.iter().flatten().map(|k| k.id))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;

    #[test]
    fn closed_streams_are_not_found() {
        let table = StreamTable::new();
        let mut recent = Recent::default();
        let ids: Vec<_> = (0..4)
            .map(|_| table.add(Stream::from_string("text")))
            .collect();
        for round in 0..4 {
            for (i, &id) in ids.iter().enumerate() {
                let found = recent.get(&table, id);
                assert_eq!(found.is_some(), i >= round);
                let Some(stream) = found else {
                    continue;
                };
                assert!(std::sync::Arc::ptr_eq(&stream, &table.get(id).unwrap()));
                assert_eq!(StreamId::of_term(id.term()), Some(id));
            }
            let stream = table.get(ids[round]).unwrap();
            table.close(ids[round], &mut stream.lock()).unwrap();
        }
    }
}
