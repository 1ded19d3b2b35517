//! Who has a part of the slab: the ids of locals, and a record of counts for each.
//!
//! ```text
//! taken: bit of an id               0 --take--> 1 --give--> 0
//! records of 64 ids    null --take--> address        once; the loser of a race unmaps its own, which nobody saw
//! ```
//!
//! Taking an id acquires and giving it back releases: the successor continues the counts of its predecessor. No page has
//! the id as its owner by then. The records of an id are there from before it is returned by `take` until the end.

use super::MAX_LOCALS;
use super::source::PageSource;
use super::stats::Record;
use super::zeroed::Zeroed;
use crate::sync::{AtomicU64, Ordering, rmw};
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// Ids whose bits are in one word, and whose records are mapped together.
const GROUP: usize = 64;
const _: () = assert!(MAX_LOCALS.is_multiple_of(GROUP));
const BYTES: usize = GROUP * size_of::<Record>();

#[derive(Default)]
struct Group {
    taken: AtomicU64,
    // Never loom's, as what it leads to.
    records: AtomicPtr<Record>,
}

/// See the module text.
pub(super) struct Ids {
    groups: Zeroed<Group>,
    /// Where an id is likely to be free; steers only.
    likely: AtomicUsize,
}

impl Ids {
    /// Nobody; `None` if there is no memory.
    pub(super) fn new(source: &dyn PageSource) -> Option<Ids> {
        // SAFETY: zeroes are a group of which no id was ever taken.
        let groups = unsafe { Zeroed::new(MAX_LOCALS / GROUP, source) }?;
        Some(Ids {
            groups,
            likely: AtomicUsize::new(0),
        })
    }

    /// An id, from 1 on; `None` if there is none left, or no memory for its record.
    pub(super) fn take(&self, source: &dyn PageSource) -> Option<u32> {
        let groups = self.groups.all();
        let from = self.likely.load(Relaxed);
        let id = (from..groups.len())
            .chain(0..from)
            .find_map(|at| Some((at, take_bit(&groups[at].taken)?)));
        let (at, bit) = id?;
        self.likely.store(at, Relaxed);
        let id = (at * GROUP) as u32 + bit + 1;
        if !has_records(&groups[at].records, source) {
            self.give(id);
            return None;
        }
        Some(id)
    }

    /// Gives an id back. No page has it as its owner.
    pub(super) fn give(&self, id: u32) {
        let at = id as usize - 1;
        rmw();
        let taken = &self.groups.all()[at / GROUP].taken;
        taken.fetch_and(!(1 << (at % GROUP)), Ordering::Release);
        self.likely.fetch_min(at / GROUP, Relaxed);
    }

    /// The counts of an id that was ever taken.
    pub(super) fn record(&self, id: u32) -> &Record {
        let at = id as usize - 1;
        let records = self.groups.all()[at / GROUP]
            .records
            .load(Ordering::Acquire);
        debug_assert!(!records.is_null());
        // SAFETY: mapped for the group before any of its ids was returned, zeroed, which is a valid record.
        unsafe { &*records.add(at % GROUP) }
    }

    /// The records of all ids that may have counted anything.
    pub(super) fn records(&self) -> impl Iterator<Item = &Record> {
        let mapped = self
            .groups
            .all()
            .iter()
            .map(|g| g.records.load(Ordering::Acquire));
        mapped.filter(|r| !r.is_null()).flat_map(|records| {
            // SAFETY: as in `record`.
            (0..GROUP).map(move |i| unsafe { &*records.add(i) })
        })
    }

    /// Unmaps everything.
    ///
    /// # Safety
    /// Nobody uses an id or a record after this, or clears again.
    pub(super) unsafe fn clear(&mut self, source: &dyn PageSource) {
        for group in self.groups.all() {
            if let Some(records) = NonNull::new(group.records.load(Relaxed)) {
                // SAFETY: mapped with this size; the caller's promise.
                unsafe { source.unmap(records.cast(), BYTES) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.groups.clear(source) };
    }
}

/// The number of a bit that was clear and is the caller's.
fn take_bit(taken: &AtomicU64) -> Option<u32> {
    let mut seen = taken.load(Ordering::Relaxed);
    while seen != u64::MAX {
        let bit = seen.trailing_ones();
        rmw();
        let all = seen | 1 << bit;
        match taken.compare_exchange_weak(seen, all, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return Some(bit),
            Err(now) => seen = now,
        }
    }
    None
}

/// Maps the records of a group unless they are there.
fn has_records(records: &AtomicPtr<Record>, source: &dyn PageSource) -> bool {
    if !records.load(Ordering::Acquire).is_null() {
        return true;
    }
    let Some(new) = source.map(BYTES, align_of::<Record>()) else {
        return false;
    };
    rmw();
    let new_records = new.cast().as_ptr();
    let published =
        records.compare_exchange(null_mut(), new_records, Ordering::AcqRel, Ordering::Acquire);
    if published.is_err() {
        // SAFETY: mapped above, and nobody was told.
        unsafe { source.unmap(new, BYTES) };
    }
    true
}
