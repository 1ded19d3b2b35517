//! The queue that an OS thread has used last: who sends to one again and again finds it without the tables of names, which all threads have in common.

use samite_sched::MessageQueue;
use samite_term::Cell;
use std::sync::Arc;

/// See the module text.
pub(crate) struct RecentQueue {
    /// An atom, a number or a handle.
    pub name: Cell,
    /// It means this queue as long as the names' version is that ([`samite_sched::Registry::names_version`]).
    pub version: u64,
    /// (It may have been destroyed meanwhile, by a thread that ends.)
    pub queue: Arc<MessageQueue>,
}
