//! Tables of predicates that are tabled `as shared`: what a thread does with those that others have completed, and for them. See
//! [`SharedTables`](crate::state::tabling::shared::SharedTables).
//!
//! A table with conditional answers stays its thread's own: its literals are about tables of that thread. So does one that names queues or mutexes, and one for which what threads have in
//! common has no room.

use super::tabled;
use crate::engine::worker::Worker;
use crate::state::tabling::shared::SharedTables;
use samite_table::{FramePtr, State};
use samite_term::growth::{self, Refused};

/// A table with so many answers is exchanged for what is shared when it is published; fewer are not worth it.
const EXCHANGED: usize = 16;

/// Words that the scratch memory keeps.
const SCRATCH: usize = 1024;

/// After its use: it may have been for a large table.
pub(super) fn shrink(scratch: &mut Vec<u64>) {
    if scratch.capacity() > SCRATCH {
        scratch.clear();
        scratch.shrink_to(SCRATCH);
    }
}

impl Worker {
    /// Before a table of a shared predicate is looked for: none is there any more that was made before an abolition by another thread.
    #[inline]
    pub(super) fn see_abolition(&mut self) {
        let epoch = self.program.shared_tables.epoch();
        if epoch != self.thread.tabling.tables.epoch {
            self.thread.tabling.tables.epoch = epoch;
            self.abolish_all_tables();
        }
    }

    /// Abolishes the shared tables too; this thread has seen that.
    pub(crate) fn abolish_shared_tables(&mut self) {
        self.program.shared_tables.abolish();
        self.see_abolition();
    }

    /// The key of a table, in the scratch memory of the thread, which is to be given back.
    pub(super) fn key_of_table(
        &mut self,
        frame: FramePtr,
        generation: u32,
    ) -> Result<Vec<u64>, Refused> {
        let mut key = std::mem::take(&mut self.thread.tabling.tokens);
        let space = self.thread.tabling.tables.of(generation);
        let made = space.subgoal_tokens(frame, &mut key);
        made.and_then(|()| growth::push(&mut key, frame.pred() as u64))?;
        Ok(key)
    }

    /// A fresh table of a shared predicate is complete, if another thread has published it.
    pub(super) fn import_table(&mut self, frame: FramePtr, generation: u32) -> Result<(), Refused> {
        debug_assert_eq!(frame.state(), State::Fresh);
        if !self.program.shared_tables.are_any() {
            return Ok(());
        }
        let key = self.key_of_table(frame, generation)?;
        let found = self.program.shared_tables.find(&key);
        self.thread.tabling.tokens = key;
        match found {
            Some(answers) => (self.thread.tabling.tables)
                .of(generation)
                .import(frame, answers),
            None => Ok(()),
        }
    }

    /// A table of a shared predicate is complete: others shall have it, if there are any.
    pub(super) fn share_table(&mut self, frame: FramePtr, generation: u32) {
        if self.program.registry.is_alone() {
            self.thread.tabling.unpublished = true;
            return;
        }
        self.publish_tables();
        self.publish_table(frame, generation);
    }

    /// There are other threads, or will be in a moment: publishes the tables that were complete before, or after the transaction that the thread is in. Who is refused keeps them to
    /// himself.
    pub(crate) fn publish_tables(&mut self) {
        if self.thread.transactions.is_open()
            || !std::mem::take(&mut self.thread.tabling.unpublished)
        {
            return;
        }
        let tables = &mut self.thread.tabling.tables;
        let generation = tables.current();
        if !tables.has(generation) {
            return;
        }
        let space = tables.of(generation);
        let stack = &self.thread.tabling.stack;
        // (What is complete before the rest of its SCC has its turn with that.)
        let under_way = |f: FramePtr| stack.get(f.tag() as usize).is_some_and(|s| s.frame == f);
        let of_this = |f: &FramePtr| {
            f.state() == State::Complete
                && !f.is_frozen()
                && tabled::is_shared(*f)
                && !under_way(*f)
        };
        let Ok(frames) = growth::list(space.frames().filter(of_this)) else {
            return;
        };
        for frame in frames {
            if !self.thread.tabling.tables.is_hidden(frame) {
                self.publish_table(frame, generation);
            }
        }
    }

    /// Who is refused keeps the table to himself.
    fn publish_table(&mut self, frame: FramePtr, generation: u32) {
        let t = &self.thread.tabling;
        let conditional = t.conditions.of_frame(frame.to_bits()).next().is_some();
        // (What a transaction sees is not what others do.)
        let open = self.thread.transactions.is_open();
        if generation == t.tables.current() && !conditional && !open {
            // Nothing is changed by who is refused memory.
            let _ = self.publish(frame, generation);
        }
    }

    fn publish(&mut self, frame: FramePtr, generation: u32) -> Result<(), Refused> {
        let key = self.key_of_table(frame, generation)?;
        let boxed: Box<[u64]> = growth::list(key.iter().copied())?.into();
        let beside = SharedTables::bytes_of_key(&boxed);
        let mut scratch = key;
        let space = self.thread.tabling.tables.of(generation);
        let frozen = space.freeze(frame, beside, &mut scratch);
        shrink(&mut scratch);
        self.thread.tabling.tokens = scratch;
        let Some(frozen) = frozen? else {
            return Ok(());
        };
        let seen = self.thread.tabling.tables.epoch;
        let shared = self.program.shared_tables.publish(boxed, frozen, seen)?;
        if let Some(answers) = shared
            && frame.answer_count() >= EXCHANGED
        {
            let space = self.thread.tabling.tables.of(generation);
            let new = space.renew_subgoal(frame)?;
            if space.import(new, answers).is_err() {
                space.restore_subgoal(new, frame);
            }
        }
        Ok(())
    }
}
