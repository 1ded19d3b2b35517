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
//! `b ≤ g < r`, or `(p, s, u)` with `b ≤ u` and `s < r`, is among its pins ([`super::limbo`]). What no worker may hold is freed. So a thread that waits, having published, holds what
//! its own choicepoints can reach and nothing else, however long it waits and whatever comes and goes meanwhile.
//!
//! Slot protocol (one writer, the worker): [`ReaderSlot::enter`] *before* it reads a list, [`Reclaimer::publish`] at a safe point, where only
//! choicepoints refer to dynamic code: first the pins, then `IDLE`. Between entering and reading, and between the retirement and the look
//! at the slots, stand sequentially consistent fences: either the reclaimer sees that the worker has entered, or the worker sees what
//! was unlinked. Who looks judges only what was retired before it began to look.
//!
//! Why what was judged by the pins there were need not be judged by those that come: a worker that had not entered by then, or by `r`,
//! begins its walks with generations ≥ `r`.
//!
//! Work is in proportion to what is retired: when so many bytes have been, somebody looks at all slots, and asks the workers whose entry is
//! older than what waits to publish at their next safe point. The last one who answers looks again; so does a worker that ends, of many one in so many
//! that looking at all slots costs each but a little.
//! A worker tells what has changed of its pins, which costs what is new on its stack.
//!
//! What is retired is known here by a trait only ([`super::retire`]); whose it is, by an address.
//!
//! Locks: a predicate's, before the slots; limbo alone.

use super::chain::Retired;
use super::clock::Clock;
use super::frames::{Resumables, Unlinked};
use super::limbo::Limbo;
use super::readers::{ReaderSlot, Readers, Waker};
use super::retire::{Fate, Node};
use crate::sync::{AtomicUsize, Mutex};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use super::limbo::Pin;

/// So many bytes retired, and somebody looks what can be freed.
const ENOUGH: usize = if cfg!(loom) {
    1
} else if cfg!(test) {
    256
} else {
    128 << 10
};

/// For each worker that ends so many slots are looked at.
const SLOTS_FOR_AN_END: usize = 32;

/// About how many items are taken out of limbo at once.
const BATCH: usize = if cfg!(loom) { 1 } else { 256 };

/// What frees what a program's readers may still hold. `C`: what there is much of.
pub(crate) struct Reclaimer<C> {
    readers: Readers,
    limbo: Mutex<Limbo<C>>,
    resumables: Mutex<Resumables<C>>,
    /// Workers that have ended since one of them looked.
    ended: AtomicUsize,
}

impl<C: Node> Reclaimer<C> {
    pub fn new() -> Reclaimer<C> {
        Reclaimer {
            readers: Readers::new(),
            limbo: Mutex::new(Limbo::default()),
            resumables: Mutex::new(Resumables::new()),
            ended: AtomicUsize::new(0),
        }
    }
    /// Calls `f` with each clause that waits to be freed, which somebody may still run.
    pub fn each_waiting(&self, f: &mut dyn FnMut(&C)) {
        self.limbo.lock().each(f);
        self.resumables.lock().each(f);
    }
    /// See [`Readers::generation`].
    #[inline]
    pub fn generation(&self) -> u64 {
        self.readers.generation()
    }
    /// See [`Readers::next_generation`].
    pub fn next_generation(&self) -> u64 {
        self.readers.next_generation()
    }
    pub fn clock(&self) -> &Clock {
        &self.readers.clock
    }
    /// A slot for a new worker.
    pub fn register(&'static self, waker: Waker) -> Arc<ReaderSlot> {
        self.readers.register(waker)
    }
    /// The workers that there are.
    pub fn workers(&self) -> Vec<Arc<ReaderSlot>> {
        self.readers.all()
    }
    /// The worker ends; it has published that it refers to nothing any more.
    pub fn unregister(&self, slot: &Arc<ReaderSlot>) {
        let left = self.readers.unregister(slot);
        self.looked(slot, &[], 0);
        // Relaxed, as in the next line: a number that steers.
        let ended = self.ended.fetch_add(1, Ordering::Relaxed) + 1;
        if ended > left / SLOTS_FOR_AN_END {
            self.ended.store(0, Ordering::Relaxed);
            self.free_unreachable();
        }
    }
    /// The worker is at a safe point: from now on, it refers only to what its pins may reach; of these, some have gone, and some are new.
    pub fn publish<New>(&self, slot: &ReaderSlot, gone: &[Pin], new: New)
    where
        New: IntoIterator<Item = Pin, IntoIter: ExactSizeIterator>,
    {
        let new = new.into_iter();
        if !gone.is_empty() || new.len() > 0 {
            let before = slot.pins.load(Ordering::Relaxed);
            let now = before + new.len() - gone.len();
            self.limbo.lock().repin(gone, new);
            slot.pins.store(now, Ordering::Relaxed);
        }
        if slot.leave() {
            self.free_unreachable();
        }
    }
    /// Retires what was unlinked just now of what has that address.
    pub fn retire(&self, of: usize, what: Retired<C>) {
        let enough = {
            let mut limbo = self.limbo.lock();
            limbo.fresh += what.bytes();
            limbo.push(of, self.next_generation(), what);
            let enough = limbo.fresh >= ENOUGH;
            if enough {
                limbo.fresh = 0;
            }
            enough
        };
        if enough {
            self.free_unreachable();
            let newest = self.limbo.lock().newest();
            if let Some(newest) = newest {
                self.readers.ask(newest);
            }
        }
    }
    /// Frees what no worker can refer to any more.
    pub fn free_unreachable(&self) {
        if self.limbo.lock().is_idle() {
            return;
        }
        let entered = self.readers.oldest_entry();
        let mut batch = Vec::new();
        loop {
            let all = self.limbo.lock().take(entered, BATCH, &mut batch);
            let mut resumable = Unlinked::new();
            for item in batch.drain(..) {
                // SAFETY: each item was made by `Box::into_raw` and unlinked before it was retired, and no worker may hold it.
                unsafe { free(item, &mut resumable) };
            }
            if resumable.len() > 0 {
                // Continuations and choicepoints may still hold addresses in the code.
                let mut resumables = self.resumables.lock();
                let free = resumables.defer(&self.readers, resumable);
                drop(resumables);
                free.release();
            }
            if all {
                return;
            }
        }
    }
    /// Memory is missing: workers are asked to leave what was retired, and what waits for them to look through their frames is enough for a batch, unless one is
    /// on its way.
    pub fn hurry(&self) {
        let newest = self.limbo.lock().newest();
        if let Some(newest) = newest {
            self.readers.ask(newest);
        }
        let free = self.resumables.lock().hurry(&self.readers);
        free.release();
    }
    /// The worker is at a safe point and holds these code addresses (and maybe others that cannot be freed); it has visited so many frames
    /// and clauses to find them.
    pub fn looked(&self, slot: &Arc<ReaderSlot>, addresses: &[usize], visited: usize) {
        let mut resumables = self.resumables.lock();
        let free = resumables.looked(&self.readers, slot, addresses, visited);
        drop(resumables);
        free.release();
    }
    /// The worker is about to block at a safe point, holding these addresses.
    pub fn park(&self, slot: &Arc<ReaderSlot>, addresses: Vec<usize>) {
        let free = self.resumables.lock().park(&self.readers, slot, addresses);
        free.release();
    }
    /// Takes over what no call can find any more.
    #[cfg(loom)]
    pub fn defer(&self, unlinked: Unlinked<C>) {
        let free = self.resumables.lock().defer(&self.readers, unlinked);
        free.release();
    }
}

/// Frees what no worker refers to as something of the database; what continuations may still return into is `entered`.
///
/// # Safety
/// It was unlinked, is owned by the caller, and nobody walks it.
unsafe fn free<C: Node>(what: Retired<C>, entered: &mut Unlinked<C>) {
    // SAFETY: promised by the caller.
    unsafe {
        match what {
            Retired::Chain(mut all) => {
                while let Some(p) = all.pop() {
                    match (*p).fate() {
                        Fate::Free => drop(Box::from_raw(p)),
                        Fate::Frames => entered.nodes.push(p),
                        Fate::Stay => {}
                    }
                }
            }
            Retired::One(p) => match (*p).fate() {
                Fate::Free => drop(Box::from_raw(p)),
                Fate::Frames => entered.others.push(p),
                Fate::Stay => {}
            },
        }
    }
}
