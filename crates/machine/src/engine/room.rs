//! Asking for memory before it is taken: of a thread's own, of what threads have in common, and of the system.
//!
//! The two counts and who is refused when: `ARCHITECTURE.md`, Memory limit. What is asked for here is not reserved: who asks takes it at
//! once, and what several threads take at the same time exceeds the limit by that much at most.

use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::results::Results;
use crate::state::room::{has_common_room, has_system_room};
use samite_heap::Trail;
use samite_term::common;
use samite_term::growth::{self};

impl Worker {
    /// `resource_error(memory)` if the heap must not grow by so many bytes.
    pub(crate) fn heap_room(&self, bytes: usize) -> Result<(), Throw> {
        if self.heap.has_room(bytes) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }
    /// An empty vector with room for so much beside the heap, where the heap could take as many bytes as well.
    pub(crate) fn vec_beside<T>(&self, n: usize) -> Result<Vec<T>, Throw> {
        let bytes = n * size_of::<T>();
        self.heap_room(bytes)?;
        let mut v = Vec::new();
        match growth::asking(bytes, has_system_room, || v.try_reserve_exact(n).is_ok()) {
            true => Ok(v),
            false => Err(Throw::Memory),
        }
    }
    /// `resource_error(memory)` if what all threads have in common must not grow by so many bytes.
    pub(crate) fn room(&self, bytes: usize) -> Result<(), Throw> {
        // Reports have the other half of the reserve.
        let urgent =
            || self.thread.events.masks.handler && common::may_take(bytes, common::RESERVE / 2);
        if has_common_room(bytes, self.thread.beyond_limit()) || urgent() {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }
    /// Whether a table may grow by so many bytes for one more entry. A report is not to be refused because it is for its entry that the table doubles.
    pub(crate) fn has_room_to_enter(&self, growth: usize) -> bool {
        const ENTRY: usize = 256;
        self.room(growth).is_ok() || self.thread.reporting && self.room(ENTRY).is_ok()
    }
    /// The same for the little that a program needs to go on where the common part is full: to call what it has not called yet, or to open a
    /// file. It may use a part of the reserve: files more than calls, so that calls without end leave them something.
    pub(crate) fn room_to_go_on(&self, bytes: usize, part: usize) -> Result<(), Throw> {
        if self.room(bytes).is_ok() || common::may_take(bytes, part) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }
    /// Bytes of the thread's memory: heap, trail, choicepoints, results being collected, balls on their way.
    pub(crate) fn memory(&self) -> usize {
        let results = self.thread.results.open.last().map_or(0, Results::bytes);
        let balls = self.thread.leaving.on_their_way.bytes();
        self.heap.bytes() + self.choices.bytes(self.b) + results + balls
    }
    /// Bytes of the choicepoint stack in use.
    pub(crate) fn choice_bytes(&self) -> usize {
        self.choices.bytes(self.b)
    }
    pub(crate) fn trail(&self) -> &Trail {
        self.heap.trail()
    }
    pub(crate) fn set_memory_limit(&mut self, bytes: usize) {
        self.thread.memory_limit = bytes;
        self.heap.set_limit(bytes);
        samite_term::heavy::set_limit(bytes);
    }
}
