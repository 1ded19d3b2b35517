//! Results of `findall/3` that a thread has collected: copies beside the heap.

use super::room::has_system_room;
use rustc_hash::FxHashMap;
use samite_term::{Record, growth};

/// Results of a `findall/3` that is running.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub number: u64,
    pub(crate) records: Vec<Record>,
    /// Bytes of the records.
    pub(crate) bytes: usize,
    /// Bytes of the records of the `findall/3` goals around this one.
    pub(crate) outer: usize,
    /// Words of the list of all results.
    pub(crate) heap_words: usize,
    /// Bytes at which the memory limit is looked at next.
    pub(crate) look_at: usize,
}

impl Results {
    pub fn new(number: u64, around: Option<&Results>) -> Results {
        Results {
            number,
            outer: around.map_or(0, Results::bytes),
            ..Results::default()
        }
    }
    #[inline]
    pub fn add(&mut self, r: Record) {
        self.bytes += size_of::<Record>() + 8 * r.len();
        self.heap_words += 2 + r.heap_words();
        self.records.push(r);
    }
    /// Whether another result can be added; makes room for it.
    pub fn has_room(&mut self) -> bool {
        growth::vec_room(&mut self.records, has_system_room)
    }
    pub fn len(&self) -> usize {
        self.records.len()
    }
    /// Words that the list of the results will take on the heap.
    pub fn heap_words(&self) -> usize {
        self.heap_words
    }
    /// Whether so much was added that the memory limit is to be looked at again.
    pub fn is_due(&mut self, limit: usize) -> bool {
        let due = self.bytes >= self.look_at;
        if due {
            self.look_at = self.bytes + limit / 32;
        }
        due
    }
    pub fn into_records(self) -> Vec<Record> {
        self.records
    }
    /// Bytes of these results and of those around them.
    pub fn bytes(&self) -> usize {
        self.outer + self.bytes
    }
}

/// All results that a thread collects.
#[derive(Debug, Default)]
pub(crate) struct AllResults {
    /// Those of the goals that run, the innermost last.
    pub open: Vec<Results>,
    /// The number of the next.
    pub next: u64,
    /// Those of goals that are suspended, by number.
    pub bags: FxHashMap<u64, Results>,
}
