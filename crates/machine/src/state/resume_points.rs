//! Where continuations go on that were made terms by `shift/1`.
//!
//! Such a term may live anywhere (in clauses, messages, tables), so it cannot hold an address: it has a handle, the number of an
//! entry here, which says the address and what a frame of it holds. Programs cannot make a handle, and what they put beside one is
//! compared with the entry before a frame is made of it.
//!
//! *Invariants*: an entry stays, and no two say the same ([`ResumePoints::verify`]). The code of an entry is not freed: [`Worker::held_code`](crate::engine::worker::Worker) counts it among what each worker holds. That is
//! bounded by the calls in the text of a program behind which something was ever captured; what is loaded again adds its own.

use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::growth::{self, Refused};
use std::sync::Arc;

/// What a slot of a frame holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotKind {
    Term,
    /// A choicepoint that is cut to.
    Choicepoint,
    /// A frame that is read, not returned to.
    Frame,
    /// None of these.
    NoFrame,
}

/// An entry.
#[derive(Debug)]
pub struct ResumePoint {
    pub address: usize,
    pub slots: Vec<SlotKind>,
    /// The entry of the same address that was made before: what a frame holds there differs between calls.
    before: Option<usize>,
}

/// See the module text.
#[derive(Debug, Default)]
pub struct ResumePoints {
    entries: Vec<Arc<ResumePoint>>,
    /// The newest entry of an address.
    newest: FxHashMap<usize, usize>,
}

impl ResumePoints {
    /// The number of the entry that says this.
    pub fn find(&self, address: usize, slots: &[SlotKind]) -> Option<usize> {
        let mut next = self.newest.get(&address).copied();
        while let Some(n) = next {
            let entry = &self.entries[n];
            if entry.slots == slots {
                return Some(n);
            }
            next = entry.before;
        }
        None
    }
    /// The same, made if there is none.
    pub fn add(&mut self, address: usize, slots: Vec<SlotKind>) -> Result<usize, Refused> {
        if let Some(n) = self.find(address, &slots) {
            return Ok(n);
        }
        let n = self.entries.len();
        let entry = ResumePoint {
            address,
            slots,
            before: self.newest.get(&address).copied(),
        };
        growth::push(&mut self.entries, Arc::new(entry))?;
        growth::insert(&mut self.newest, address, n)?;
        Ok(n)
    }
    pub fn get(&self, number: u64) -> Option<Arc<ResumePoint>> {
        self.entries.get(usize::try_from(number).ok()?).cloned()
    }
    /// All addresses.
    pub fn addresses(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().map(|e| e.address)
    }
    /// See the module text.
    pub fn verify(&self) {
        let all: FxHashSet<_> = self.entries.iter().map(|e| (e.address, &e.slots)).collect();
        assert_eq!(all.len(), self.entries.len());
    }
}
