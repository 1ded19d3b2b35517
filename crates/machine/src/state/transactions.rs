//! The transactions that a thread is in, and what its tables had been told when each of them began.
//!
//! Only the thread that has begun a transaction changes it. What the database knows of one: [`samite_code::transaction`]; what begins and ends them:
//! `builtins/transactions.rs`.
//!
//! ```text
//! levels: one for each transaction, the outermost first; there is an `open` one as long as there are levels
//! ```

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
    /// The generation of tables, and how far it had read which logs.
    pub(crate) tables: u32,
    pub(crate) read: FxHashMap<usize, u64>,
}

impl Transactions {
    /// Whether the thread is in one.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }
    /// Whether nobody is to hear of changes yet.
    pub(crate) fn is_quiet(&self) -> bool {
        self.levels.iter().any(|l| l.quiet)
    }
    /// The thread ends, in the midst of transactions maybe: they are given up.
    pub(crate) fn end(&mut self, reader: &ReaderSlot) {
        self.levels.clear();
        if let Some(open) = self.open.take() {
            open.abort(reader);
        }
    }
}
