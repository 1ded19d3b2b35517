//! Reclaiming what readers of the database may still hold: quiescent-state based, on generations and predicates.
//!
//! Whatever a writer unlinks is retired with the generation of that moment. Every worker (thread that runs Prolog) owns a
//! [`ReaderSlot`], which says what the worker may refer to:
//!
//! - `entered`: a generation, if since its last publication the worker may have read anything of that or any later generation;
//!   [`IDLE`] if it has not;
//! - its *pins*: the walks of its choicepoints over clauses of predicates, as of the last publication.
//!
//! *Equation*: an item of a predicate `p`, born at `b` and retired at `r`, may be held by a worker only if `entered < r`, or `(p, g)` with
//! `b ≤ g < r` is among its pins ([`crate::limbo`]). What no worker may hold is freed. So a thread that waits, having published, holds what
//! its own choicepoints can reach and nothing else, however long it waits and whatever comes and goes meanwhile.
//!
//! Slot protocol (one writer, the worker): [`ReaderSlot::enter`] *before* it reads a list, [`ReaderSlot::publish`] at a safe point, where only
//! choicepoints refer to dynamic code: first the pins, then `IDLE`. Between entering and reading, and between the retirement and the look
//! at the slots, stand sequentially consistent fences: either the reclaimer sees that the worker has entered, or the worker sees what
//! was unlinked. Who looks judges only what was retired before it began to look.
//!
//! Why what was judged by the pins there were need not be judged by those that come: a worker that had not entered by then, or by `r`,
//! begins its walks with generations ≥ `r`.
//!
//! Work is in proportion to what is retired: when so many bytes have been, somebody looks at all slots, and asks the workers whose entry is
//! older than what waits to publish at their next safe point. The last one who answers looks again; so does a worker that ends.
//! A worker tells what has changed of its pins, which costs what is new on its stack.
//!
//! Locks: a predicate's, before the domain's slots; its limbo alone.

use crate::clause_list::ClauseList;
use crate::domain::Domain;
use crate::frames::Unlinked;
use crate::limbo::Item;
use crate::predicate::{Predicate, flag};
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Mutex, fence};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use crate::limbo::Pin;
pub(crate) use crate::limbo::Retired;

/// The worker has read nothing since it published.
pub const IDLE: u64 = u64::MAX;

/// For what a worker is called to its next safe point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// To publish, if it is running.
    Publish,
    /// To look through its frames, even if it sleeps.
    Look,
}

/// Gets the worker to its next safe point.
pub type Waker = Box<dyn Fn(Call) + Send + Sync>;

/// What one worker may refer to; see the module text.
pub struct ReaderSlot {
    /// Whose predicates it reads.
    pub(crate) domain: &'static Domain,
    /// Of the workers that there are, no two have the same; 0 if there are too many.
    number: u16,
    entered: AtomicU64,
    /// How many pins it has published. The worker's only.
    pins: AtomicUsize,
    /// It is to publish.
    asked: AtomicBool,
    /// A batch of clauses waits for the worker; see [`crate::frames`].
    pub(crate) look: AtomicBool,
    /// Code addresses that the worker held when it blocked; `None` while it runs.
    pub(crate) parked: Mutex<Option<Vec<usize>>>,
    waker: Waker,
}

impl ReaderSlot {
    /// What tells this worker from the others that there are now.
    pub fn number(&self) -> u16 {
        self.number
    }
    /// Before the first read of dynamic code after being idle: from now on, everything retired later is kept.
    #[inline]
    pub fn enter(&self) {
        if self.entered.load(Ordering::Relaxed) == IDLE {
            self.entered
                .store(self.domain.generation(), Ordering::Relaxed);
            // See the module text.
            fence(Ordering::SeqCst);
        }
    }
    /// At a safe point: from now on, the worker refers only to what its pins may reach; of these, some have gone, and some are new.
    pub fn publish<New>(&self, gone: &[Pin], new: New)
    where
        New: IntoIterator<Item = Pin, IntoIter: ExactSizeIterator>,
    {
        let new = new.into_iter();
        if !gone.is_empty() || new.len() > 0 {
            let before = self.pins.load(Ordering::Relaxed);
            let now = before + new.len() - gone.len();
            self.domain.limbo.lock().repin(gone, new);
            self.pins.store(now, Ordering::Relaxed);
        }
        // Release: the pins before it; and what the worker has read, before anybody frees that.
        self.entered.store(IDLE, Ordering::Release);
        if self.asked.load(Ordering::Relaxed) && self.answer() {
            free_unreachable(self.domain);
        }
    }
    /// Whether the worker is to publish.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
    /// Whether it was the last of those asked.
    fn answer(&self) -> bool {
        self.asked.swap(false, Ordering::AcqRel)
            && self.domain.asked.fetch_sub(1, Ordering::AcqRel) == 1
    }
    /// The worker was blocked and is about to go on: what it left behind ([`crate::frames::park`]) is out of date.
    pub fn resume(&self) {
        *self.parked.lock() = None;
    }
    pub(crate) fn call(&self, why: Call) {
        (self.waker)(why);
    }
}

impl std::fmt::Debug for ReaderSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "reader entered at {:?}", self.entered)
    }
}

/// So many bytes retired, and somebody looks what can be freed.
const ENOUGH: usize = if cfg!(loom) {
    1
} else if cfg!(test) {
    256
} else {
    128 << 10
};

/// About how many items are taken out of limbo at once.
const BATCH: usize = if cfg!(loom) { 1 } else { 256 };

/// The numbers of workers: those up to `given` are in use or free.
#[derive(Default)]
pub(crate) struct Numbers {
    given: u16,
    free: Vec<u16>,
}

/// A slot for a new worker.
pub fn register(domain: &'static Domain, waker: Waker) -> Arc<ReaderSlot> {
    let number = {
        let mut numbers = domain.numbers.lock();
        let fresh = numbers.given.checked_add(1);
        numbers.free.pop().or_else(|| {
            numbers.given = fresh?;
            fresh
        })
    };
    let slot = Arc::new(ReaderSlot {
        domain,
        number: number.unwrap_or(0),
        entered: AtomicU64::new(IDLE),
        pins: AtomicUsize::new(0),
        asked: AtomicBool::new(false),
        look: AtomicBool::new(false),
        parked: Mutex::new(None),
        waker,
    });
    domain.slots.lock().push(slot.clone());
    slot
}

/// The worker ends; it has published that it refers to nothing any more.
pub fn unregister(slot: &Arc<ReaderSlot>) {
    debug_assert_eq!(slot.pins.load(Ordering::Relaxed), 0);
    let domain = slot.domain;
    domain.slots.lock().retain(|s| !Arc::ptr_eq(s, slot));
    slot.answer();
    if slot.number != 0 {
        domain.numbers.lock().free.push(slot.number);
    }
    crate::frames::leave(slot);
    free_unreachable(domain);
}

impl Domain {
    /// All workers.
    pub(crate) fn workers(&self) -> Vec<Arc<ReaderSlot>> {
        self.slots.lock().clone()
    }
}

/// Retires what was unlinked from a predicate just now, or from a twin, which is walked in the name of the predicate.
pub(crate) fn retire(predicate: &Predicate, what: Retired) {
    if matches!(what, Retired::List(l) if std::ptr::eq(l, ClauseList::empty())) {
        return;
    }
    let domain = predicate.domain;
    let bytes = what.bytes();
    let enough = {
        let mut limbo = domain.limbo.lock();
        limbo.fresh += bytes;
        limbo.push(Item {
            retired: domain.next_generation(),
            predicate: std::ptr::from_ref(predicate.main()) as usize,
            what,
        });
        let enough = limbo.fresh >= ENOUGH;
        if enough {
            limbo.fresh = 0;
        }
        enough
    };
    if enough {
        free_unreachable(domain);
        ask(domain);
    }
}

/// When the first of the workers entered that have not published since, or now.
fn oldest_entry(domain: &Domain) -> u64 {
    let now = domain.generation();
    // See the module text.
    fence(Ordering::SeqCst);
    // Acquire: who looks at the pins next sees those that were published with it.
    (domain.slots.lock().iter())
        .map(|slot| slot.entered.load(Ordering::Acquire))
        .fold(now, u64::min)
}

/// Asks the workers for which something waits to publish.
fn ask(domain: &Domain) {
    let Some(newest) = domain.limbo.lock().newest() else {
        return;
    };
    // Under the lock: one that leaves has not been asked, or answers.
    for slot in domain.slots.lock().iter() {
        if slot.entered.load(Ordering::Relaxed) < newest && !slot.asked.load(Ordering::Relaxed) {
            // Before the flag: who answers it takes it off.
            domain.asked.fetch_add(1, Ordering::AcqRel);
            if slot.asked.swap(true, Ordering::AcqRel) {
                domain.asked.fetch_sub(1, Ordering::AcqRel);
            }
            slot.call(Call::Publish);
        }
    }
}

/// Frees what no worker can refer to any more.
pub fn free_unreachable(domain: &Domain) {
    if domain.limbo.lock().is_idle() {
        return;
    }
    let entered = oldest_entry(domain);
    let mut batch = Vec::new();
    loop {
        let all = domain.limbo.lock().take(entered, BATCH, &mut batch);
        let mut resumable = Unlinked::new();
        for item in batch.drain(..) {
            // SAFETY: each item was made by `Box::into_raw` and unlinked before it was retired, and no worker may hold it.
            unsafe { free(item.what, &mut resumable) };
        }
        if resumable.len() > 0 {
            // SAFETY: as above; continuations and choicepoints may still hold addresses in the code.
            unsafe { crate::frames::defer(domain, resumable) };
        }
        if all {
            return;
        }
    }
}

/// Frees what no worker refers to as something of the database; what continuations may still return into is `entered`.
///
/// # Safety
/// It was unlinked, is owned by the caller, and nobody walks it.
unsafe fn free(what: Retired, entered: &mut Unlinked) {
    // SAFETY: promised by the caller.
    unsafe {
        match what {
            Retired::Clauses(mut all) => {
                while let Some(p) = all.pop() {
                    if (*p).is_linked() && (*p).predicate.is_copied() {
                        // Other predicates' entry code jumps to it too.
                    } else if (*p).is_linked()
                        || (*p).predicate.has(flag::TABLED)
                        || (*p).is_resumable()
                    {
                        // Calls of static and tabled predicates need no generation: their entry code jumps to the clauses.
                        entered.clauses.push(p);
                    } else {
                        drop(Box::from_raw(p));
                    }
                }
            }
            Retired::Linked(p) => entered.linked.push(p),
            Retired::List(p) => drop(Box::from_raw(p)),
            Retired::Index(p) => drop(Box::from_raw(p)),
        }
    }
}
