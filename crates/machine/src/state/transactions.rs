//! The transactions that a thread is in, and what its tables had been told when each of them began.
//!
//! Only the thread that has begun a transaction changes it. What the database knows of one: [`samite_code::transaction`]; what begins and ends them:
//! `builtins/transactions.rs`.
//!
//! ```text
//! levels: one for each transaction, the outermost first; there is an `open` one as long as there are levels
//! the levels = the `TransactionExit` frames of the continuation, but where one begins or is given up
//! ```
//!
//! *Why no goal leaves one otherwise than through its end.* `shift/1` captures no such frame. A tabled call in a transaction depends on no subgoal that was incomplete when the
//! transaction began ([`Transactions::first_subgoal`]), so those that were begun in it form components of their own, which complete in it: no caller of the transaction's evaluation, and no
//! call that is waiting, has such a frame in what is suspended.

use rustc_hash::FxHashMap;
use samite_code::readers::ReaderSlot;
use samite_code::transaction::Transaction;

/// See the module text.
#[derive(Debug, Default)]
pub(crate) struct Transactions {
    pub(crate) open: Option<Box<Transaction>>,
    pub(crate) levels: Vec<Level>,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Level {
    /// The revision of the database's logs.
    pub(crate) revision: u64,
    /// What the transaction itself had contributed to it.
    pub(crate) logged: u64,
    /// Its changes.
    pub(crate) changes: usize,
    /// Nobody is to hear of changes yet.
    pub(crate) quiet: bool,
    /// The same of one that it is in.
    pub(crate) in_quiet: bool,
    /// The generation of tables, and how far it had read which logs.
    pub(crate) tables: u32,
    pub(crate) read: FxHashMap<usize, u64>,
    /// Subgoals that were incomplete when it began.
    pub(crate) subgoals: usize,
}

impl Transactions {
    /// Whether the thread is in one.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }
    /// Whether nobody is to hear of changes yet.
    pub(crate) fn is_quiet(&self) -> bool {
        self.levels.last().is_some_and(|l| l.quiet || l.in_quiet)
    }
    /// The first subgoal that a goal of the innermost may depend on.
    pub(crate) fn first_subgoal(&self) -> usize {
        self.levels.last().map_or(0, |l| l.subgoals)
    }
    /// The thread ends, in the midst of transactions maybe: they are given up.
    pub(crate) fn end(&mut self, reader: &ReaderSlot) {
        self.levels.clear();
        if let Some(open) = self.open.take() {
            open.abort(reader);
        }
    }
}
