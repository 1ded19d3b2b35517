//! Results of `findall/3`: copies beside the heap, until the goal has no more.
//!
//! The newest entry of the stack of findalls is always the one that is filled (what is left and come back to is a bag:
//! `builtins/bags.rs`). Invariant: what a thread has in use ([`Worker::memory`]) counts the records of all of them, and a copy that is
//! large asks for its room beside them before it is made; of small ones, those of a thirty-second of the limit may be made before it is
//! looked at.

use crate::engine::given_up;
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::internal::cells;
use crate::state::results::Results;
use samite_heap::copy::{self, Attributes};
use samite_heap::{Generation, Heap, address_space};
use samite_term::{Cell, Record};

impl Worker {
    /// The goal of the findall of that number has a solution, which is kept; the goal is about to fail for the next one.
    pub(in crate::engine) fn collect_result(
        &mut self,
        result: Cell,
        number: Cell,
    ) -> Result<Go, Throw> {
        let number = number.small_value() as u64;
        if self
            .thread
            .results
            .open
            .last()
            .is_none_or(|r| r.number != number)
        {
            // A continuation captured by tabling comes back when its findall is over.
            return Err(self.incomplete_error("collect"));
        }
        let r = self.record_of_result(result)?;
        let limit = self.thread.memory_limit;
        let crowded = self.thread.results.open.last_mut().is_some_and(|results| {
            results.is_due(limit) || address_space::is_short() || !results.has_room()
        });
        if crowded {
            // Nothing is live but the choicepoints: the goal is about to fail.
            self.make_room_here(0)?;
        }
        if let Some(results) = self.thread.results.open.last_mut() {
            if !results.has_room() {
                return Err(Throw::Memory);
            }
            results.add(r);
        }
        Ok(self.fail_safely())
    }

    /// The copy of a result, after a collection if there is no room for it.
    fn record_of_result(&mut self, t: Cell) -> Result<Record, Throw> {
        if let Some(record) = self.record_beside_results(t) {
            return Ok(record);
        }
        if given_up::has_given_up() {
            return Err(Throw::Memory);
        }
        self.set_register(0, t);
        let collected = self.collect_generation(1, Generation::Major);
        self.arm();
        collected?;
        if !self.has_gained() {
            return Err(Throw::Memory);
        }
        let t = self.register(0);
        self.record_beside_results(t).ok_or(Throw::Memory)
    }

    fn record_beside_results(&mut self, t: Cell) -> Option<Record> {
        let (choices, b) = (&self.choices, self.b);
        let results = self.thread.results.open.last();
        let room = |heap: &Heap, bytes: usize| {
            let beside = choices.bytes(b) + results.map_or(0, Results::bytes);
            heap.has_room(beside.saturating_add(bytes))
        };
        // SAFETY: a term of this heap.
        unsafe { copy::record_within(&mut self.heap, t, Attributes::Kept, room) }
    }

    /// The goal has no more solutions: their list, in the place of the choicepoint with the list that is asked for and its tail.
    pub(in crate::engine) fn collected_results(&mut self) -> Result<Go, Throw> {
        let words = self
            .thread
            .results
            .open
            .last()
            .map_or(0, Results::heap_words);
        // The records go one by one as the list is made.
        let fits = |m: &Worker| m.heap.has_room(8 * words);
        let room = fits(self) || (self.collect_here(Generation::Major) && fits(self));
        if !room {
            return Err(Throw::Memory);
        }
        let cells::Collected { list, tail } = self.b.cells();
        self.pop_choice();
        let results = self
            .thread
            .results
            .open
            .pop()
            .unwrap_or_default()
            .into_records();
        let made = self.list_of_records(results, tail)?;
        Ok(if self.unify(list, made) {
            Go::Proceed
        } else {
            Go::Fail
        })
    }
}
