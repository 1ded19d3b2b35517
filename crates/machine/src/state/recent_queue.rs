//! The queue that a worker has used last: who sends to one again and again finds it without the tables of names, which all threads have in common, and uses it without
//! counting its references, which its receivers do, too.

use samite_sched::{Arrivals, MessageQueue};
use samite_term::Cell;
use std::sync::Arc;

/// See the module text. It is taken from its worker by who uses it, and put back.
pub(crate) struct RecentQueue {
    /// An atom, a number or a handle.
    name: Cell,
    /// It means this queue as long as the names' version is that ([`samite_sched::Registry::names_version`]); none: by no name.
    version: Option<u64>,
    /// It may have been destroyed meanwhile: then it is kept, empty, until the worker uses another one.
    pub queue: Arc<MessageQueue>,
    /// Who sends to it again and again meets its receivers there only.
    pub arrivals: Option<Arc<Arrivals>>,
}

impl RecentQueue {
    /// One that is found by that name.
    pub fn named(name: Cell, version: u64, queue: Arc<MessageQueue>) -> RecentQueue {
        RecentQueue {
            name,
            version: Some(version),
            queue,
            arrivals: None,
        }
    }
    /// One that a wait goes on for, whatever its name means by now.
    pub fn unnamed(queue: Arc<MessageQueue>) -> RecentQueue {
        RecentQueue {
            name: Cell::ZERO,
            version: None,
            queue,
            arrivals: None,
        }
    }
    pub fn is_named(&self, name: Cell, version: u64) -> bool {
        (self.name, self.version) == (name, Some(version))
    }
}
