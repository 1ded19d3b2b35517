//! Answers that several threads find together.
//!
//! A *joint* table is one call's, and is filled by up to [`MEMBERS`] threads at a time. Which rows there are already says the [`set`]; the rows themselves are in [`log`]s, one for each
//! member, so nobody appends where another does. Whoever adds a row that is new has it in his own log, and nobody else has it in his:
//!
//! ```text
//! the rows of a table = the disjoint union of its logs, as far as their members have committed them
//! add(m, r) is New     exactly once for each r, for whoever it is
//! log m is written by member m only; places of members go from thread to thread under a lock of who uses this (`samite_sched::Division`)
//! a row once committed does not change; who reads it has been told of it by its member (by that lock, or by the set)
//! ```
//!
//! Who knows which rows of a log have been told, and which were read by whom, is not here: that is numbers only (`samite_sched::Division`). When the table is complete the logs are its answers as they
//! are ([`Frozen::of_joint`](crate::Frozen)), and the set goes.
//!
//! Memory is in common ([`common::charge`](samite_term::common::charge)).

pub(crate) mod log;
mod set;

#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, not(loom)))]
mod tests;

use crate::frame::{Form, FramePtr, State};
use crate::rows::{self, View, is_narrow};
use crate::scheme::{Scheme, TableSync};
use crate::space::TableSpace;
use crate::{StructAlloc, is_row_token};
pub use log::{Rows as JointRows, Run};
use samite_term::growth::{self, Refused};
pub use set::Memory;
use set::Set;
use std::sync::Arc;

/// Most threads at a time.
pub const MEMBERS: usize = 16;

/// What came of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Added {
    New,
    Known,
    /// It is no row of this table, which has none of this length or with tokens as wide.
    Unfit,
}

/// See the module text.
pub struct JointTable {
    rows: Arc<JointRows>,
    set: Set,
}

impl JointTable {
    /// A table with the rows of a frame in the log of member `me`, in their order; nobody else has it yet. `None`: the frame's answers are no rows.
    pub fn of_frame(
        frame: FramePtr,
        me: usize,
        memory: &mut Memory,
        sync: TableSync,
    ) -> Result<Option<JointTable>, Refused> {
        let scheme = Scheme::new(sync);
        if frame.state() != State::Incomplete || !frame.may_have_rows() {
            return Ok(None);
        }
        let count = frame.answer_count();
        if count == 0 {
            // (It is not known how wide those to come are.)
            return Ok(Some(JointTable {
                rows: Arc::new(JointRows::new(0, true)),
                set: Set::new(scheme),
            }));
        }
        let view = View::of(frame);
        let mut first = Vec::new();
        growth::have(&mut first, view.width)?;
        first.extend((0..view.width).map(|k| view.token(0, k)));
        let table = JointTable {
            rows: Arc::new(JointRows::new(view.width, view.wide)),
            set: Set::for_rows(&view, count, &first, scheme)?,
        };
        let mut row = [0; rows::MOST_OF_ROW];
        for i in 0..count {
            for (k, t) in row[..view.width].iter_mut().enumerate() {
                *t = view.token(i, k);
            }
            let added = table.add(me, &row[..view.width], memory)?;
            debug_assert_eq!(added, Added::New);
        }
        Ok(Some(table))
    }

    /// Adds a row for member `me`, who is the caller.
    #[inline]
    pub fn add(&self, me: usize, tokens: &[u64], memory: &mut Memory) -> Result<Added, Refused> {
        debug_assert!(tokens.iter().all(|&t| is_row_token(t)));
        if self.set.is_known(tokens) {
            return Ok(Added::Known);
        }
        self.add_if_new(me, tokens, memory)
    }

    #[inline(never)]
    fn add_if_new(&self, me: usize, tokens: &[u64], memory: &mut Memory) -> Result<Added, Refused> {
        if !self.rows.takes(tokens) {
            return Ok(Added::Unfit);
        }
        let new = self.set.add(&self.rows, me, tokens, memory)?;
        if new {
            memory.rows += self.rows.bytes_of_row();
        }
        Ok(if new { Added::New } else { Added::Known })
    }

    /// The rows.
    #[inline]
    pub fn rows(&self) -> &Arc<JointRows> {
        &self.rows
    }

    /// Asserts the equations of the module text, while nobody adds anything.
    pub fn verify(&self) {
        let mut all = std::collections::HashSet::new();
        for log in 0..MEMBERS {
            for i in 0..self.rows.committed(log) {
                let mut row = Vec::new();
                self.rows.tokens(log, i, &mut row).unwrap_or_default();
                assert!(self.set.has(&self.rows, &row), "a row that the set lacks");
                assert!(self.rows.takes(&row) && all.insert(row), "a row twice");
            }
        }
    }
}

impl<A: StructAlloc> TableSpace<A> {
    /// An incomplete table has no rows any more: they are joint ones.
    pub fn forget_rows(&mut self, frame: FramePtr) {
        debug_assert!(frame.may_have_rows() && frame.state() == State::Incomplete);
        frame.entry().count(0, -(frame.answer_count() as isize));
        if frame.form() != Form::Trie {
            rows::free(&mut self.store, frame);
        }
    }

    /// The rows of an incomplete table: calls `f` with each, until it fails.
    pub fn each_row<E>(
        &self,
        frame: FramePtr,
        mut f: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        if !frame.has_rows() {
            return Ok(());
        }
        debug_assert!(!frame.has_bits());
        let (view, mut row) = (View::of(frame), [0; rows::MOST_OF_ROW]);
        for i in 0..frame.answer_count() {
            for (k, t) in row[..view.width].iter_mut().enumerate() {
                *t = view.token(i, k);
            }
            f(&row[..view.width])?;
        }
        Ok(())
    }

    /// An incomplete table becomes a complete one that has these answers, instead of those that it has.
    pub fn exchange(
        &mut self,
        frame: FramePtr,
        answers: Arc<crate::Frozen>,
    ) -> Result<(), Refused> {
        let count = answers.count();
        let pointer = Arc::as_ptr(&answers);
        growth::insert(&mut self.imports, frame, answers)?;
        self.forget_rows(frame);
        // SAFETY: the answers are kept there.
        frame.set_frozen(unsafe { &*pointer });
        frame.entry().count(0, count as isize);
        Ok(())
    }
}

/// Whether 32 bits are enough for each.
fn are_narrow(tokens: &[u64]) -> bool {
    tokens.iter().all(|&t| is_narrow(t))
}
