//! The slab: what all threads share. Types, stacks of pages that are nobody's, chunks, and who is there.
//!
//! ```text
//! taken: bit i of the set of ids    0 --attach--> 1 --detach--> 0
//! ```
//!
//! Taking an id acquires and giving it back releases: the successor continues the counts of its predecessor. No page has
//! the id as its owner by then.

use super::array::{self, Large};
use super::kind::{Layout, Type};
use super::local::Local;
use super::page::Page;
use super::source::{PageSource, System};
use super::stack::Stack;
use super::stats::{KindStats, PageCount, Record};
use super::supply::Supply;
use super::{ALL_KINDS, MAX_KINDS, MAX_LOCALS};
use crate::inbox::Inbox;
use crate::sync::{AtomicU64, Ordering, rmw};
use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Empty pages that are nobody's are kept at least so many.
const KEPT: usize = 16;

const _: () = assert!(MAX_LOCALS.is_multiple_of(64));

/// Typed pages for all threads; see the module [`slab`](super).
pub struct Slab {
    // Immutable.
    types: [Type; ALL_KINDS],
    layouts: [Layout; ALL_KINDS],
    kinds: usize,
    source: &'static dyn PageSource,
    /// One record for each id.
    records: NonNull<Record>,
    // Atomic; see the modules of their types.
    /// Pages that are nobody's, with room, by type.
    pub(super) open: [Stack; ALL_KINDS],
    /// Pages of no type.
    pub(super) void: Stack,
    /// How many there are; steers only.
    voids: AtomicUsize,
    /// Long arrays whose owner has ended.
    pub(super) arrays: Inbox<Large>,
    pub(super) supply: Supply,
    pub(super) pages: [PageCount; ALL_KINDS],
    taken: [AtomicU64; MAX_LOCALS / 64],
}

// SAFETY: what the records point to is atomic; the rest is immutable or atomic itself.
unsafe impl Send for Slab {}
// SAFETY: as above.
unsafe impl Sync for Slab {}

/// How a [`Local`] holds its slab.
///
/// # Safety
/// It dereferences to the same slab at the same address each time, which stays as long as the value.
pub unsafe trait SlabRef: Deref<Target = Slab> {}

// SAFETY: a shared reference does not change, and its referent stays.
unsafe impl SlabRef for &Slab {}
// SAFETY: the slab of a counted pointer stays where it is until the last one is dropped.
unsafe impl SlabRef for Arc<Slab> {}

impl Slab {
    /// A slab for these types, with memory of the operating system; `None` if that has none.
    ///
    /// # Panics
    /// If there are more than [`MAX_KINDS`] types, or a size is not one that a [`Type`] may have.
    pub fn new(types: &[Type]) -> Option<Slab> {
        Slab::with_source(types, &System)
    }

    /// As [`Slab::new`], with memory of `source`.
    pub fn with_source(types: &[Type], source: &'static dyn PageSource) -> Option<Slab> {
        assert!(types.len() <= MAX_KINDS, "too many slab types");
        let kinds = types.len();
        let bytes = MAX_LOCALS * size_of::<Record>();
        // Zeroed memory is a record of zeros.
        let records = source.map(bytes, align_of::<Record>())?;
        let Some(supply) = Supply::new(source) else {
            // SAFETY: just mapped, and nobody knows of it.
            unsafe { source.unmap(records, bytes) };
            return None;
        };
        let types: [Option<Type>; ALL_KINDS] = core::array::from_fn(|i| {
            let array = i.checked_sub(MAX_KINDS).filter(|&a| a < array::SIZES);
            types.get(i).copied().or(array.map(array::type_of))
        });
        let records = records.cast();
        Some(Slab {
            types: types.map(|t| t.unwrap_or(Type { name: "", size: 0 })),
            layouts: types.map(|t| t.as_ref().map_or(Layout::NONE, Layout::of)),
            kinds,
            source,
            records,
            open: core::array::from_fn(|_| Stack::new()),
            void: Stack::new(),
            voids: AtomicUsize::new(0),
            arrays: Inbox::new(),
            supply,
            pages: core::array::from_fn(|_| PageCount::default()),
            taken: core::array::from_fn(|_| AtomicU64::new(0)),
        })
    }

    /// The part of one thread; `None` if [`MAX_LOCALS`] are there already. `slab` is a reference or a counted pointer.
    pub fn attach<R: SlabRef>(slab: R) -> Option<Local<R>> {
        let id = slab.take_id()?;
        Some(Local::new(slab, id))
    }

    fn take_id(&self) -> Option<u32> {
        for (at, word) in self.taken.iter().enumerate() {
            let mut seen = word.load(Ordering::Relaxed);
            while seen != u64::MAX {
                let bit = seen.trailing_ones();
                rmw();
                match word.compare_exchange_weak(
                    seen,
                    seen | 1 << bit,
                    Ordering::Acquire,
                    Ordering::Relaxed,
                ) {
                    // Ids start at 1.
                    Ok(_) => return Some(at as u32 * 64 + bit + 1),
                    Err(now) => seen = now,
                }
            }
        }
        None
    }

    /// Gives an id back. No page has it as its owner.
    pub(super) fn give_id(&self, id: u32) {
        let at = id as usize - 1;
        rmw();
        self.taken[at / 64].fetch_and(!(1 << (at % 64)), Ordering::Release);
    }

    /// The counts of an id.
    pub(super) fn record(&self, id: u32) -> &Record {
        debug_assert!(id >= 1 && id as usize <= MAX_LOCALS);
        // SAFETY: the records were mapped for all ids, zeroed, which is a valid record.
        unsafe { self.records.add(id as usize - 1).as_ref() }
    }

    /// The layout of a type.
    ///
    /// # Panics
    /// If the slab has no such type.
    pub(super) fn layout(&self, kind: usize) -> Layout {
        let layout = self.layouts[kind];
        assert!(layout.size != 0, "no such type in this slab");
        layout
    }

    /// The positions of all types, those of arrays included.
    pub(super) fn all_kinds(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.kinds).chain(MAX_KINDS..MAX_KINDS + array::SIZES)
    }

    pub(super) fn source(&self) -> &'static dyn PageSource {
        self.source
    }

    /// How many types there are.
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// An empty page without a type, which is the caller's now.
    pub(super) fn void_page(&self) -> Option<NonNull<Page>> {
        let page = self.void.pop(&self.supply)?;
        rmw();
        self.voids.fetch_sub(1, Relaxed);
        Some(page)
    }

    /// So many empty pages that are nobody's are kept.
    pub fn kept_pages(&self) -> usize {
        let used: usize = self.pages.iter().map(PageCount::now).sum();
        KEPT + used / 4
    }

    /// Takes an empty page without a type that is the caller's, and will be nobody's.
    pub(super) fn put_void(&self, page: NonNull<Page>) {
        let kept = self.kept_pages();
        if self.voids.load(Relaxed) >= kept {
            // Another one, too, if fewer are kept now than when it came: each page that is emptied lowers that by a part of one.
            let second = (self.voids.load(Relaxed) > kept).then(|| self.void_page());
            for page in [Some(page), second.flatten()].into_iter().flatten() {
                // SAFETY: nobody has the page but the caller, and nothing is in it.
                unsafe { self.supply.give_back(page, self.source) };
            }
            return;
        }
        rmw();
        // Before the push, so that it is never too low.
        self.voids.fetch_add(1, Relaxed);
        // SAFETY: headers stay; the page is the caller's.
        self.void.push(unsafe { page.as_ref() });
    }

    /// A page that was never used; `None` if there is no memory.
    pub(super) fn new_page(&self) -> Option<NonNull<Page>> {
        self.supply.claim(self.source)
    }

    /// What is known of a type.
    pub fn stats(&self, kind: super::Kind) -> KindStats {
        self.stats_of(kind.index())
    }

    pub(super) fn stats_of(&self, at: usize) -> KindStats {
        let layout = self.layout(at);
        let mut stats = KindStats {
            name: self.types[at].name,
            size: self.types[at].size,
            capacity: layout.capacity(),
            pages: self.pages[at].now(),
            peak_pages: self.pages[at].peak(),
            ..KindStats::default()
        };
        for id in 1..=MAX_LOCALS as u32 {
            self.record(id).sum_into(at, &mut stats);
        }
        stats.peak = stats.peak.min(stats.peak_pages * stats.capacity);
        stats
    }

    /// Pages of any type or none that are there: were ever used and not given back.
    pub fn pages(&self) -> usize {
        self.supply.claimed() as usize - self.supply.given_back()
    }

    /// Gives all empty pages that are nobody's back to the system. Returns their number.
    pub fn trim(&self) -> usize {
        let mut count = 0;
        while let Some(page) = self.void_page() {
            // SAFETY: the page was popped, so it is this thread's, and nothing is in it.
            unsafe { self.supply.give_back(page, self.source) };
            count += 1;
        }
        count
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        let mut arrays = array::Arrays::new();
        arrays.adopt(0, &self.arrays, self.source);
        // SAFETY: nobody has the slab any more, and so nobody uses what was had from it.
        unsafe { arrays.end_all(self.source) };
        self.supply.clear(self.source);
        // SAFETY: mapped with this size; nobody has the slab any more.
        unsafe {
            self.source
                .unmap(self.records.cast(), MAX_LOCALS * size_of::<Record>())
        };
    }
}
