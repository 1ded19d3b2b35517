//! Generations of tables: what `abolish_all_tables/0` does while tables are in use.
//!
//! Abolishing ends a generation: new calls see no table of an older one, from that moment. What is left of an older
//! generation is there for those who use it:
//!
//! - *readers*, choicepoints `Answers` that have answers still to return: they hold the number of their generation;
//! - *incomplete subgoals*: their evaluation goes on, variants of them that it calls are consumers as ever, and their answers return to
//!   whoever called them (as in SWI-Prolog); once complete they are like any table of their generation.
//!
//! A generation without either is dropped as a whole. Readers vanish without notice (a cut, an exception), so they are counted by
//! looking through the choicepoints: when tables are abolished and after collections, but not before the work done since the last
//! look, in words abolished or collected, is in proportion to what there is to look through.
//!
//! Each thread has tables of its own. When a load has changed what is defined, tables of all threads are abolished: a thread does so at its
//! next call of a tabled predicate ([`Worker::tables_are_stale`], [`Generations::seen`]).
//!
//! Invariants: generations are in ascending order; the current one, if it has been begun, is the last. The numbers of the subgoals
//! under evaluation ascend with their index.

use super::Tabling;
use crate::engine::choice::Choice;
use crate::engine::internal::{Internal, code};
use crate::engine::worker::Worker;
use samite_table::{FramePtr, State, Statistics, TableSpace};
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::sync::atomic::Ordering;

/// The tables made between two abolitions.
struct Generation {
    number: u32,
    space: Box<TableSpace>,
}

/// All tables of a thread.
#[derive(Default)]
pub(crate) struct Generations {
    all: Vec<Generation>,
    /// Number of the generation that new tables belong to.
    current: u32,
    /// Words of work done since the choicepoints were looked through.
    credit: usize,
    /// The changes of what is defined that have been seen to.
    seen: u64,
}

impl Generations {
    /// Number of the generation that new tables belong to.
    pub(super) fn current(&self) -> u32 {
        self.current
    }

    /// The tables of the current generation.
    #[inline]
    pub(super) fn space(&mut self) -> Result<&mut TableSpace, Refused> {
        if self.all.last().is_none_or(|g| g.number != self.current) {
            self.begin()?;
        }
        // There is a last one.
        let last = self.all.len() - 1;
        Ok(&mut self.all[last].space)
    }

    #[cold]
    fn begin(&mut self) -> Result<(), Refused> {
        if !common::system_has(size_of::<TableSpace>()) {
            return Err(Refused);
        }
        growth::push(
            &mut self.all,
            Generation {
                number: self.current,
                space: Box::new(TableSpace::new()),
            },
        )
    }

    /// The tables of a generation that is in use.
    #[inline]
    pub(super) fn of(&mut self, number: u32) -> &mut TableSpace {
        let i = self.all.iter().rposition(|g| g.number == number);
        &mut self.all[i.expect("a generation in use is kept")].space
    }

    /// The incomplete table of a call in an older generation.
    pub(super) fn older_incomplete(&self, predicate: usize, tokens: &[u64]) -> Option<FramePtr> {
        let older = self.all.iter().filter(|g| g.number != self.current);
        older
            .filter_map(|g| g.space.subgoal_find(predicate, tokens))
            .find(|f| f.state() == State::Incomplete)
    }

    /// Memory held for tables of all generations.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.all.iter().map(|g| g.space.bytes_held()).sum()
    }

    /// What is in the tables that new calls see.
    pub(crate) fn statistics(&self) -> Statistics {
        let current = self.all.iter().find(|g| g.number == self.current);
        current.map(|g| g.space.statistics()).unwrap_or_default()
    }

    /// Ends the current generation.
    fn abolish(&mut self) {
        if let Some(last) = self.all.last()
            && last.number == self.current
        {
            self.credit += last.space.bytes_held() / 8;
            self.current += 1;
        }
    }

    /// Drops what nobody uses.
    fn keep(&mut self, used: &[u32]) {
        let current = self.current;
        self.all
            .retain(|g| g.number == current || used.contains(&g.number));
    }

    /// Whether there are only the current tables.
    fn is_simple(&self) -> bool {
        self.all.iter().all(|g| g.number == self.current)
    }
}

impl Tabling {
    /// Adds the generations of subgoals under evaluation, which ascend.
    fn evaluated_generations(&self, used: &mut Vec<u32>) -> Result<(), Refused> {
        for s in &self.stack {
            if used.last() != Some(&s.generation) {
                growth::push(used, s.generation)?;
            }
        }
        Ok(())
    }
}

impl Worker {
    /// `abolish_all_tables/0`; see the module text.
    pub(crate) fn abolish_all_tables(&mut self) {
        self.thread.tabling.tables.abolish();
        self.drop_unused_generations(0);
    }

    /// What files define has changed: no thread looks at tables from before any more.
    pub(crate) fn tables_are_stale(&mut self) {
        // Release: who sees the count sees the clauses.
        self.program.redefinitions.fetch_add(1, Ordering::Release);
        self.see_redefinitions();
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
            self.thread.tabling.tables.keep(&used);
        }
    }

    /// The generations of subgoals under evaluation and of readers.
    fn used_generations(&self) -> Result<Vec<u32>, Refused> {
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

    /// Nothing is evaluated or read any more.
    pub(in crate::engine) fn drop_older_generations(&mut self) {
        self.thread.tabling.tables.keep(&[]);
    }
}

/// The generation that a choicepoint reads from.
fn generation_read(b: Choice) -> Option<u32> {
    (b.alternative() == code(Internal::Answers)).then(|| b.arg_value(3).small_value() as u32)
}
