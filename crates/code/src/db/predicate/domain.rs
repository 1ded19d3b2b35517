//! What the predicates of one program have in common, and share with those of no other: the clock of generations, the workers that read
//! them, what waits to be freed, and the numbers that clauses and their texts go by.
//!
//! Two programs in one process have two domains: a change in one takes no generation of the other, and what is retired in one waits for none
//! of the other's workers.
//!
//! Invariants:
//! 1. A domain lives as long as the process, as its predicates do, which refer to it.
//! 2. A worker, a predicate and a clause belong to one domain, and what belongs to different ones never meets.

use super::{Clause, Predicate};
use crate::db::changes::Logs;
use crate::db::clock::Clock;
use crate::db::modes::Known;
use crate::db::names::Names;
use crate::db::origins::Texts;
use crate::db::readers::{ReaderSlot, Waker};
use crate::db::reclaim::{Pin, Reclaimer};
use parking_lot::{Mutex, RwLock};
use samite_term::Handle;
use std::sync::{Arc, OnceLock};

/// See the module text.
pub struct Domain {
    pub(crate) reclaimer: Reclaimer<Clause>,
    pub(crate) names: RwLock<Names<Clause>>,
    pub(crate) texts: Texts,
    pub(crate) modes: Known<Predicate>,
    pub(crate) logs: Logs,
    /// Predicates that have kept something for a snapshot.
    pub(crate) keeping: Mutex<Vec<&'static Predicate>>,
    /// Who wants to hear of changes.
    watcher: OnceLock<Watcher>,
}

/// Called with a predicate and whether it has lost clauses rather than got one, after the change, under the predicate's lock.
pub type Watcher = Box<dyn Fn(&'static Predicate, bool) + Send + Sync>;

impl Domain {
    /// A domain without predicates. It stays.
    pub fn new() -> &'static Domain {
        Box::leak(Box::new(Domain {
            reclaimer: Reclaimer::new(),
            names: RwLock::default(),
            texts: Texts::default(),
            modes: Known::default(),
            logs: Logs::default(),
            keeping: Mutex::default(),
            watcher: OnceLock::new(),
        }))
    }
    /// From now on, `watcher` is called with each change of a predicate; the first one that is given here stays.
    pub fn watch(&self, watcher: impl FnOnce() -> Watcher) {
        self.watcher.get_or_init(watcher);
    }
    /// Clauses of a predicate have come or died.
    #[inline]
    pub(crate) fn changed(&self, p: &'static Predicate, fewer: bool) {
        if let Some(watcher) = self.watcher.get() {
            watcher(p, fewer);
        }
    }
    /// The generation that a call starting now sees.
    #[inline]
    pub fn generation(&self) -> u64 {
        self.reclaimer.generation()
    }
    /// Changes whenever an incremental predicate does; see [`crate::db::changes`].
    #[inline]
    pub fn revision(&self) -> u64 {
        self.logs.revision()
    }
    pub(crate) fn clock(&self) -> &Clock {
        self.reclaimer.clock()
    }
    /// What died by that generation may be left out of lists; see [`crate::db::clock`].
    #[inline]
    pub(crate) fn oldest(&self) -> u64 {
        self.clock().oldest()
    }
    /// Takes a new generation.
    pub fn next_generation(&self) -> u64 {
        self.reclaimer.next_generation()
    }
    /// A slot for a new worker.
    pub fn register(&'static self, waker: Waker) -> Arc<ReaderSlot> {
        self.reclaimer.register(waker)
    }
    /// The workers that there are.
    pub fn workers(&self) -> Vec<Arc<ReaderSlot>> {
        self.reclaimer.workers()
    }
    /// The worker ends; it has published that it refers to nothing any more.
    pub fn unregister(&self, slot: &Arc<ReaderSlot>) {
        self.reclaimer.unregister(slot);
    }
    /// The worker is at a safe point: from now on, it refers only to what its pins may reach; of these, some have gone, and some are new.
    pub fn publish<New>(&self, slot: &ReaderSlot, gone: &[Pin], new: New)
    where
        New: IntoIterator<Item = Pin, IntoIter: ExactSizeIterator>,
    {
        self.reclaimer.publish(slot, gone, new);
    }
    /// The worker is at a safe point and holds these code addresses (and maybe others that cannot be freed); it has visited so many frames
    /// and clauses to find them.
    pub fn looked(&self, slot: &Arc<ReaderSlot>, addresses: &[usize], visited: usize) {
        self.reclaimer.looked(slot, addresses, visited);
    }
    /// The worker is about to block at a safe point, holding these addresses.
    pub fn park(&self, slot: &Arc<ReaderSlot>, addresses: Vec<usize>) {
        self.reclaimer.park(slot, addresses);
    }
    /// Frees what no worker can refer to any more.
    pub fn free_unreachable(&self) {
        self.reclaimer.free_unreachable();
    }
    /// Memory is missing: what waits for workers to look through their frames waits for no more of it.
    pub fn hurry(&self) {
        self.reclaimer.hurry();
    }
    /// The clause with a name; `None` if it was erased. The caller has entered; see [`crate::db::names`].
    pub fn named(&self, name: Handle) -> Option<&'static Clause> {
        self.names.read().named(name)
    }
}

impl std::fmt::Debug for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "domain of generation {}", self.generation())
    }
}
