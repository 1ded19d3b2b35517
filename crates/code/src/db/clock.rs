//! The clock of a program's database: its generations, the snapshots that are kept, and the moment at which a transaction's changes come all at once.
//!
//! Each change takes the next generation. One of many clauses in several predicates ([`super::transaction`]) *holds* the clock meanwhile: it gives its clauses the
//! generation that comes next, and nobody can have a generation as new before it lets go. Readers read on; who wants a
//! generation of its own waits, for as many stores as there are changes.
//!
//! A snapshot is a generation that somebody goes on reading with: what it sees is left out of no list. What may be left out is told by the oldest of them:
//!
//! ```text
//! held:   a clause that died at d, while there is a snapshot S with S < d   (d > oldest)
//! gone:   a clause that died at d ≤ oldest; oldest = NONE, above all generations, if there is no snapshot
//! ```
//!
//! *Why none is missed.* Who begins a snapshot stores `oldest`, and then takes S by a read-modify-write of the generation; who erases takes d by one, and then reads
//! `oldest`. The two are in an order. If S comes first, the eraser sees `oldest` (it has acquired what was before); else d ≤ S, and the
//! snapshot does not see the clause. Who leaves out what others have erased holds the predicate's lock, as they did.

use crate::sync::{AtomicU64, Mutex, MutexGuard, pause};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// Generations from here on are those of transactions, which nobody else sees ([`super::sight`]).
pub const PRIVATE: u64 = 1 << PRIVATE_SHIFT;
pub(super) const PRIVATE_SHIFT: u32 = 47;
/// What [`Clock::oldest`] is while there is no snapshot.
pub const NONE: u64 = PRIVATE - 1;
/// The clock is held.
const HELD: u64 = 1 << 63;

/// See the module text.
#[derive(Debug)]
pub(crate) struct Clock {
    generation: AtomicU64,
    oldest: AtomicU64,
    /// The snapshots, each by a generation that is not younger, and how many there are of it.
    snapshots: Mutex<BTreeMap<u64, usize>>,
}

/// A snapshot that has begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// What it is known by.
    since: u64,
    /// The generation that it sees.
    pub generation: u64,
}

impl Snapshot {
    /// It has begun in that generation, or a later one.
    pub(super) fn since(self) -> u64 {
        self.since
    }
}

/// The clock is held. Let go of without [`Held::publish`], it is as it was.
pub(crate) struct Held<'c> {
    clock: &'c Clock,
    before: u64,
    after: u64,
}

impl Clock {
    pub fn new() -> Clock {
        Clock {
            generation: AtomicU64::new(1),
            oldest: AtomicU64::new(NONE),
            snapshots: Mutex::new(BTreeMap::new()),
        }
    }
    /// The generation that a call starting now sees.
    #[inline]
    pub fn generation(&self) -> u64 {
        // Acquire: pairs with the release in `next_generation`, `Held::drop`: whoever sees a generation sees the changes made in it.
        self.generation.load(Ordering::Acquire) & !HELD
    }
    /// Takes a new generation.
    pub fn next_generation(&self) -> u64 {
        self.exchange(|now| now + 1) + 1
    }
    /// Exchanges the generation, when it is not held; what it was.
    fn exchange(&self, new: impl Fn(u64) -> u64) -> u64 {
        let mut now = self.generation.load(Ordering::Relaxed);
        loop {
            if now & HELD != 0 {
                pause();
                // (As it is now: no load, which may be of before.)
                now = self.generation.fetch_or(0, Ordering::Relaxed);
                continue;
            }
            let (order, failed) = (Ordering::AcqRel, Ordering::Relaxed);
            match (self.generation).compare_exchange_weak(now, new(now), order, failed) {
                Ok(_) => return now,
                Err(other) => now = other,
            }
        }
    }
    /// Holds it. Who does so waits for nobody, and takes no lock, until it lets go.
    pub fn hold(&self) -> Held<'_> {
        let before = self.exchange(|now| now | HELD);
        Held {
            clock: self,
            before,
            after: before,
        }
    }
    /// What died by then is gone, what died later is held.
    #[inline]
    pub fn oldest(&self) -> u64 {
        self.oldest.load(Ordering::Acquire)
    }
    /// Begins a snapshot.
    pub fn begin_snapshot(&self) -> Snapshot {
        let mut snapshots = self.snapshots.lock();
        let since = self.generation();
        *snapshots.entry(since).or_default() += 1;
        self.be_oldest(&snapshots);
        // Not a load: see the module text.
        let generation = self.generation.fetch_or(0, Ordering::AcqRel) & !HELD;
        Snapshot { since, generation }
    }
    /// The same snapshot with what has been changed meanwhile.
    pub fn renew(&self, s: Snapshot) -> Snapshot {
        let generation = self.generation();
        Snapshot { generation, ..s }
    }
    /// Ends a snapshot. Whether something may be gone by this that was held.
    pub fn end_snapshot(&self, s: Snapshot) -> bool {
        let mut snapshots = self.snapshots.lock();
        if let Some(n) = snapshots.get_mut(&s.since) {
            *n -= 1;
            if *n == 0 {
                snapshots.remove(&s.since);
            }
        } else {
            debug_assert!(false, "a snapshot ends that has not begun");
        }
        let before = self.oldest();
        self.be_oldest(&snapshots);
        self.oldest() > before
    }
    /// If there is no snapshot, none begins as long as this is kept. Who has it takes no other lock that somebody waits for a snapshot with.
    pub fn without_snapshots(&self) -> Option<MutexGuard<'_, BTreeMap<u64, usize>>> {
        let snapshots = self.snapshots.lock();
        snapshots.is_empty().then_some(snapshots)
    }
    fn be_oldest(&self, snapshots: &BTreeMap<u64, usize>) {
        let first = snapshots.first_key_value();
        let oldest = first.map_or(NONE, |(&since, _)| since);
        self.oldest.store(oldest, Ordering::Release);
    }
}

impl Held<'_> {
    /// The generation that what is changed now is to have.
    pub fn next(&self) -> u64 {
        self.before + 1
    }
    /// All has been changed.
    pub fn publish(mut self) {
        self.after = self.next();
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // Release: what was changed, for who sees the generation. (A read-modify-write, as all its changes are.)
        (self.clock.generation).swap(self.after, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_snapshot_holds() {
        let c = Clock::new();
        assert_eq!(c.oldest(), NONE);
        c.next_generation();
        let a = c.begin_snapshot();
        let died = c.next_generation();
        let b = c.begin_snapshot();
        assert!(a.generation < died && died <= b.generation);
        assert!(c.oldest() < died);
        assert!(!c.end_snapshot(b));
        assert!(c.end_snapshot(a));
        assert_eq!(c.oldest(), NONE);
    }

    #[test]
    fn what_is_held_is_published_once() {
        let c = Clock::new();
        let before = c.generation();
        let held = c.hold();
        assert_eq!((c.generation(), held.next()), (before, before + 1));
        drop(held);
        assert_eq!(c.generation(), before);
        let held = c.hold();
        held.publish();
        assert_eq!(c.generation(), before + 1);
        assert_eq!(c.next_generation(), before + 2);
    }
}
