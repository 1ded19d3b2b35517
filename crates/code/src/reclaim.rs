//! Reclaiming what readers of the database may still hold: quiescent-state based, on generations.
//!
//! Whatever a writer unlinks is retired with the generation of that moment. Every worker (thread that runs Prolog) owns a
//! [`ReaderSlot`] and publishes in it, at safe points, the oldest generation that any of its choicepoints or the running
//! call can still refer to. A retired item is freed once every slot's generation is above the item's.
//!
//! Slot protocol (single writer, the worker): `IDLE` = the worker holds no reference into dynamic code; otherwise a
//! generation. The worker sets it (seq-cst) *before* it reads a list, and raises it only at safe points, after scanning its choicepoints.
//! Sequential consistency on both sides: either the reclaimer sees the slot, or the reader sees the new list.

use crate::clause_list::{ClauseList, KeyIndex};
use crate::frames::Owner;
use crate::index::Linked;
use crate::predicate::{Clause, flag, generation};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// The worker refers to nothing that can be retired.
pub const IDLE: u64 = u64::MAX;

/// One worker's published generation.
#[derive(Debug)]
pub struct ReaderSlot {
    generation: AtomicU64,
    /// A batch of clauses waits for the worker; see [`crate::frames`].
    pub(crate) look: AtomicBool,
    /// Code addresses that the worker held when it blocked; `None` while it runs.
    pub(crate) parked: Mutex<Option<Vec<usize>>>,
}

impl ReaderSlot {
    /// The oldest generation that the worker may still read.
    pub fn get(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }
    /// Publishes the oldest generation in use, at a safe point.
    pub fn publish(&self, oldest: u64) {
        self.generation.store(oldest, Ordering::SeqCst);
    }
    /// The worker was blocked and is about to go on: what it left behind ([`crate::frames::park`]) is out of date.
    pub fn resume(&self) {
        *self.parked.lock() = None;
    }
    /// Before the first read of dynamic code after being idle: from now on, everything retired later is kept.
    #[inline]
    pub fn enter(&self) {
        if self.generation.load(Ordering::Relaxed) == IDLE {
            self.generation.store(generation(), Ordering::SeqCst);
        }
    }
}

/// Something unlinked.
#[derive(Debug)]
pub enum Retired {
    Clause(*mut Clause),
    List(*mut ClauseList),
    Index(*mut KeyIndex),
    /// Entry code of a static predicate.
    Linked(*mut Linked),
}

// SAFETY: a retired item is reachable from the limbo list only; whoever takes it out owns it.
unsafe impl Send for Retired {}

static SLOTS: Mutex<Vec<Arc<ReaderSlot>>> = Mutex::new(Vec::new());
static LIMBO: Mutex<Vec<(u64, Retired)>> = Mutex::new(Vec::new());
static PENDING: AtomicUsize = AtomicUsize::new(0);

/// From this many retired items on, writers try to free some and readers publish at safe points.
const THRESHOLD: usize = if cfg!(test) { 4 } else { 1024 };

/// A slot for a new worker.
pub fn register() -> Arc<ReaderSlot> {
    let slot = Arc::new(ReaderSlot {
        generation: AtomicU64::new(IDLE),
        look: AtomicBool::new(false),
        parked: Mutex::new(None),
    });
    SLOTS.lock().push(slot.clone());
    slot
}

/// The worker ends.
pub fn unregister(slot: &Arc<ReaderSlot>) {
    SLOTS.lock().retain(|s| !Arc::ptr_eq(s, slot));
    crate::frames::leave(slot);
}

/// All workers.
pub(crate) fn workers() -> Vec<Arc<ReaderSlot>> {
    SLOTS.lock().clone()
}

/// Whether workers should publish their generation at the next safe point.
#[inline]
pub fn wanted() -> bool {
    PENDING.load(Ordering::Relaxed) >= THRESHOLD
}

/// Retires an item unlinked just now.
pub fn retire(item: Retired) {
    let g = crate::predicate::next_generation();
    let n = {
        let mut limbo = LIMBO.lock();
        limbo.push((g, item));
        limbo.len()
    };
    PENDING.store(n, Ordering::Relaxed);
    if n >= THRESHOLD && n.is_power_of_two() || n % (8 * THRESHOLD) == 0 {
        free_unreachable();
    }
}

/// Frees what no worker can refer to any more; returns how many items.
pub fn free_unreachable() -> usize {
    let oldest = SLOTS.lock().iter().map(|s| s.get()).min().unwrap_or(IDLE);
    let taken: Vec<Retired> = {
        let mut limbo = LIMBO.lock();
        // Retired in the order of generations, nearly: a stable partition keeps it simple.
        let (free, keep): (Vec<_>, Vec<_>) = limbo.drain(..).partition(|(g, _)| *g <= oldest);
        *limbo = keep;
        PENDING.store(limbo.len(), Ordering::Relaxed);
        free.into_iter().map(|(_, r)| r).collect()
    };
    let n = taken.len();
    let mut entered = Vec::new();
    for r in taken {
        // SAFETY: each item was made by `Box::into_raw`, unlinked before it was retired, and every worker has
        // published a generation at or after that.
        unsafe {
            match r {
                // Other predicates' entry code jumps to it too.
                Retired::Clause(p) if (*p).is_linked() && (*p).predicate.is_copied() => {}
                // Calls of static and tabled predicates need no generation: their entry code jumps to the clauses.
                Retired::Clause(p)
                    if (*p).is_linked()
                        || (*p).predicate.has(flag::TABLED)
                        || (*p).is_resumable() =>
                {
                    entered.push(Owner::Clause(p));
                }
                Retired::Linked(p) => entered.push(Owner::Linked(p)),
                Retired::Clause(p) => drop(Box::from_raw(p)),
                Retired::List(p) => drop(Box::from_raw(p)),
                Retired::Index(p) => drop(Box::from_raw(p)),
            }
        }
    }
    if !entered.is_empty() {
        // SAFETY: as above; continuations and choicepoints may still hold addresses in the code.
        unsafe { crate::frames::defer(entered.into_iter()) };
    }
    n
}
