//! Where continuations go on that were made terms by `shift/1`.
//!
//! Such a term may live anywhere (in clauses, messages, tables), so it cannot hold an address: it has a handle, the number of an
//! entry here, which says the address and what a frame of it holds. Programs cannot make a handle, and what they put beside one is
//! compared with the entry before a frame is made of it.
//!
//! *Invariants*: an entry stays. The code of an entry is not freed: [`Worker::held_code`](crate::engine::worker::Worker) counts it among what each worker holds. That is
//! bounded by the calls in the text of a program behind which something was ever captured; what is loaded again adds its own.

use rustc_hash::FxHashMap;
use samite_term::growth::{self, Refused};

/// What a slot of a frame holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
}

/// See the module text.
#[derive(Debug, Default)]
pub struct ResumePoints {
    entries: Vec<ResumePoint>,
    /// The newest entry of an address.
    numbers: FxHashMap<usize, usize>,
}

impl ResumePoints {
    /// The number of the entry that says this.
    pub fn find(&self, address: usize, slots: &[SlotKind]) -> Option<usize> {
        let &n = self.numbers.get(&address)?;
        (self.entries[n].slots == slots).then_some(n)
    }
    /// The same, made if there is none.
    pub fn add(&mut self, address: usize, slots: Vec<SlotKind>) -> Result<usize, Refused> {
        if let Some(n) = self.find(address, &slots) {
            return Ok(n);
        }
        let n = self.entries.len();
        growth::push(&mut self.entries, ResumePoint { address, slots })?;
        growth::insert(&mut self.numbers, address, n)?;
        Ok(n)
    }
    pub fn get(&self, number: u64) -> Option<&ResumePoint> {
        self.entries.get(usize::try_from(number).ok()?)
    }
    /// All addresses.
    pub fn addresses(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().map(|e| e.address)
    }
}
