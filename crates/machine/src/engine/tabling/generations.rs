//! Generations of tables: what `abolish_all_tables/0` does while tables are in use.
//!
//! Abolishing ends a generation: new calls see no table of an older one, from that moment. What is left of an older
//! generation is there for those who use it:
//!
//! - *readers*, choicepoints `Answers` and `Selected` that have answers still to return: they hold the number of their generation;
//! - *incomplete subgoals*: their evaluation goes on, variants of them that it calls are consumers as ever, and their answers return to
//!   whoever called them (as in SWI-Prolog); once complete they are like any table of their generation.
//!
//! A goal that interrupts an evaluation and asks for one of its tables ends the generation in the same way: the table is evaluated anew, and what
//! was interrupted goes on with its own.
//!
//! A generation without either is dropped as a whole. Readers vanish without notice (a cut, an exception), so they are counted by
//! looking through the choicepoints: when tables are abolished and after collections, but not before the work done since the last
//! look, in words abolished or collected, is in proportion to what there is to look through.
//!
//! Each thread has tables of its own. When a load has changed what is defined, or names mean something else than before (imports, import modules), tables
//! of all threads are abolished: a thread does so at its next call of a tabled predicate ([`Worker::tables_are_stale`], [`Generations::seen`]). A name that
//! meant nothing matters if an evaluation has called it, or asked what it means ([`Worker::missed`]): else each new file would abolish all tables. What
//! engines do that an evaluation asks for something, and threads that it starts, it does itself. (Not so threads that were there: what they tell it is as
//! what it reads from a stream.)
//!
//! Invariants: generations are in ascending order; the current one, if it has been begun, is the last. The numbers of the subgoals
//! under evaluation ascend with their index.

use crate::engine::worker::Worker;
use crate::state::choice::Choice;
use crate::state::internal::{Internal, cells, code};
use crate::state::program::Missed;
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Functor};
use std::sync::atomic::Ordering;

impl Worker {
    /// `abolish_all_tables/0`; see the module text.
    pub(crate) fn abolish_all_tables(&mut self) {
        self.thread.tabling.tables.abolish();
        self.drop_unused_generations(0);
    }

    /// What files define has changed: no thread looks at tables from before any more.
    pub(crate) fn tables_are_stale(&mut self) {
        // Before: what is missed from now on may be in a table that is not stale.
        *self.program.missed.lock() = Missed::default();
        // Release: who sees the count sees the clauses.
        self.program.redefinitions.fetch_add(1, Ordering::Release);
        self.see_redefinitions();
        self.abolish_shared_tables();
    }

    /// A call, or a question about a predicate, has found nothing that the name means.
    pub(crate) fn missed(&self, f: Functor) {
        if self.thread.tabling.matters() {
            self.program.missed.lock().functors.insert(f.hold());
        }
    }

    /// A question about predicates of this name, with any number of arguments, has been answered.
    pub(crate) fn asked_for(&self, name: Atom) {
        if self.thread.tabling.matters() {
            self.program.missed.lock().names.insert(name.hold());
        }
    }

    /// A question about which predicates there are, whatever their names, has been answered.
    pub(crate) fn asked_for_all(&self) {
        if self.thread.tabling.matters() {
            self.program.missed.lock().everything = true;
        }
    }

    /// Whether tables may depend on a name that means nothing.
    pub(crate) fn was_missed(&self, f: Functor) -> bool {
        let missed = self.program.missed.lock();
        missed.everything
            || !missed.functors.is_empty() && missed.functors.contains(&f.hold())
            || !missed.names.is_empty() && missed.names.contains(&f.name().hold())
    }

    /// Whether tables may depend on what a call of a name that means nothing does.
    pub(crate) fn missed_any(&self) -> bool {
        !self.program.missed.lock().functors.is_empty()
    }

    /// Before a table is looked for.
    #[inline]
    pub(in crate::engine) fn see_redefinitions(&mut self) {
        let now = self.program.redefinitions.load(Ordering::Acquire);
        if now != self.thread.tabling.tables.seen {
            self.thread.tabling.tables.seen = now;
            self.abolish_all_tables();
        }
    }

    /// After work on so many words: drops older generations that are not used any more, if it is time to look.
    pub(in crate::engine) fn drop_unused_generations(&mut self, words: usize) {
        if self.thread.tabling.tables.is_simple() {
            return;
        }
        self.thread.tabling.tables.credit += words;
        let cost = (self.choices.bytes(self.b) / 64).max(self.thread.tabling.stack.len());
        if self.thread.tabling.tables.credit < cost {
            return;
        }
        self.thread.tabling.tables.credit = 0;
        // Who is refused the list looks again later.
        if let Ok(used) = self.used_generations() {
            let tabling = &mut self.thread.tabling;
            tabling.tables.keep(&used);
            let tables = &tabling.tables;
            tabling.conditions.keep(|g| tables.has(g));
        }
    }

    /// The generations of subgoals under evaluation and of readers.
    pub(super) fn used_generations(&self) -> Result<Vec<u32>, Refused> {
        let mut used = Vec::new();
        self.thread.tabling.evaluated_generations(&mut used)?;
        let mut b = self.b;
        while !b.is_null() {
            if let Some(number) = generation_read(b)
                && used.last() != Some(&number)
                && !used.contains(&number)
            {
                growth::push(&mut used, number)?;
            }
            b = b.previous();
        }
        Ok(used)
    }
}

/// The generation that a choicepoint reads from.
fn generation_read(b: Choice) -> Option<u32> {
    let generation = match b.alternative() {
        at if at == code(Internal::Answers) => b.cells::<cells::Answers>().generation,
        at if at == code(Internal::Selected) => b.cells::<cells::Selected>().generation,
        _ => return None,
    };
    Some(generation.small_value() as u32)
}
