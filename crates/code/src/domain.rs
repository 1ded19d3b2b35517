//! What the predicates of one program have in common, and share with those of no other: the clock of generations, the workers that read
//! them, what waits to be freed, and the numbers that clauses and their texts go by.
//!
//! Two programs in one process have two domains: a change in one takes no generation of the other, and what is retired in one waits for none
//! of the other's workers.
//!
//! Invariants:
//! 1. A domain lives as long as the process, as its predicates do, which refer to it.
//! 2. A worker, a predicate and a clause belong to one domain, and what belongs to different ones never meets.

use crate::frames::Resumables;
use crate::modes;
use crate::names::Names;
use crate::origins::Texts;
use crate::reclaim::{Numbers, ReaderSlot};
use crate::sync::{AtomicU64, AtomicUsize, Mutex};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// See the module text.
pub struct Domain {
    /// Every change of any predicate takes the next one.
    generation: AtomicU64,
    /// All workers.
    pub(crate) slots: Mutex<Vec<Arc<ReaderSlot>>>,
    pub(crate) numbers: parking_lot::Mutex<Numbers>,
    /// Workers that have been asked to publish and have not answered.
    pub(crate) asked: AtomicUsize,
    pub(crate) limbo: Mutex<crate::limbo::Limbo>,
    pub(crate) resumables: Mutex<Resumables>,
    pub(crate) names: RwLock<Names>,
    pub(crate) texts: RwLock<Texts>,
    pub(crate) modes: parking_lot::Mutex<modes::Known>,
}

impl Domain {
    /// A domain without predicates. It stays.
    pub fn new() -> &'static Domain {
        Box::leak(Box::new(Domain {
            generation: AtomicU64::new(1),
            slots: Mutex::new(Vec::new()),
            numbers: parking_lot::Mutex::default(),
            asked: AtomicUsize::new(0),
            limbo: Mutex::new(crate::limbo::Limbo::default()),
            resumables: Mutex::new(Resumables::new()),
            names: RwLock::default(),
            texts: RwLock::default(),
            modes: parking_lot::Mutex::default(),
        }))
    }
    /// The generation that a call starting now sees.
    #[inline]
    pub fn generation(&self) -> u64 {
        // Acquire: pairs with the release in `next_generation`: whoever sees a generation sees the changes made in it.
        self.generation.load(Ordering::Acquire)
    }
    /// Takes a new generation.
    pub fn next_generation(&self) -> u64 {
        self.generation.fetch_add(1, Ordering::AcqRel) + 1
    }
}

impl std::fmt::Debug for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "domain of generation {:?}", self.generation)
    }
}
