//! The queue that a worker has used last: who sends to one again and again finds it without the tables of names, which all threads have in common.

use samite_sched::MessageQueue;
use samite_term::Cell;
use std::sync::Arc;

/// See the module text.
pub(crate) struct RecentQueue {
    /// An atom, a number or a handle.
    pub name: Cell,
    /// It means this queue as long as the names' version is that ([`samite_sched::Registry::names_version`]).
    pub version: u64,
    /// It may have been destroyed meanwhile: then it is kept, empty, until the worker uses another one.
    pub queue: Arc<MessageQueue>,
}
