//! The slab: what all threads share. Types, stacks of pages that are nobody's, chunks, and who is there.
//!
//! ```text
//! taken: bit i of the set of ids    0 --attach--> 1 --detach--> 0
//! ```
//!
//! Taking an id acquires and giving it back releases: the successor continues the counts of its predecessor. No page has
//! the id as its owner by then.

use super::kind::{Layout, Type};
use super::local::Local;
use super::page::Page;
use super::source::{PageSource, System};
use super::stack::Stack;
use super::stats::{KindStats, PageCount, Record};
use super::supply::Supply;
use super::{MAX_KINDS, MAX_LOCALS, PAGE};
use crate::sync::{AtomicU64, Ordering, rmw};
use core::ops::Deref;
use core::ptr::{NonNull, null_mut};
use std::sync::Arc;

const _: () = assert!(MAX_LOCALS.is_multiple_of(64));

/// Typed pages for all threads; see the module [`slab`](super).
pub struct Slab {
    // Immutable.
    types: [Type; MAX_KINDS],
    layouts: [Layout; MAX_KINDS],
    kinds: usize,
    source: &'static dyn PageSource,
    /// One record for each id.
    records: NonNull<Record>,
    // Atomic; see the modules of their types.
    /// Pages that are nobody's, with room, by type.
    pub(super) open: [Stack; MAX_KINDS],
    /// Pages of no type.
    pub(super) void: Stack,
    pub(super) supply: Supply,
    pub(super) pages: [PageCount; MAX_KINDS],
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
        let bytes = MAX_LOCALS * size_of::<Record>();
        // Zeroed memory is a record of zeros.
        let records = source.map(bytes, align_of::<Record>())?.cast();
        Some(Slab {
            types: core::array::from_fn(|i| {
                let none = Type { name: "", size: 0 };
                types.get(i).copied().unwrap_or(none)
            }),
            layouts: core::array::from_fn(|i| types.get(i).map_or(Layout::NONE, Layout::of)),
            kinds: types.len(),
            source,
            records,
            open: core::array::from_fn(|_| Stack::new()),
            void: Stack::new(),
            supply: Supply::new(),
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
        assert!(kind < self.kinds, "no such type in this slab");
        self.layouts[kind]
    }

    /// How many types there are.
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// An empty page without a type, which is the caller's now.
    pub(super) fn void_page(&self) -> Option<NonNull<Page>> {
        self.void.pop(&self.supply)
    }

    /// A page that was never used; `None` if there is no memory.
    pub(super) fn new_page(&self) -> Option<NonNull<Page>> {
        self.supply.claim(self.source)
    }

    /// What is known of a type.
    pub fn stats(&self, kind: super::Kind) -> KindStats {
        let at = kind.index();
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

    /// Pages of any type or none that were ever used; they are never given back while the slab lives.
    pub fn pages(&self) -> usize {
        self.supply.claimed() as usize
    }

    /// Bytes of address space in chunks; what was never used of it has no memory behind it.
    pub fn bytes_reserved(&self) -> usize {
        self.supply.bytes()
    }

    /// Gives the memory behind empty pages that are nobody's back to the system, but for their headers. Such a page
    /// can be used again at once. Returns the number of pages.
    pub fn trim(&self) -> usize {
        // The system takes whole pages of its own back, so the one with the header stays.
        const KEPT: usize = crate::os::PAGE;
        let mut trimmed: Option<NonNull<Page>> = None;
        let mut count = 0;
        while let Some(page) = self.void.pop(&self.supply) {
            // SAFETY: the page was popped, so it is this thread's; beyond the header there is nothing in it.
            unsafe {
                if PAGE > KEPT {
                    self.source.purge(page.cast::<u8>().add(KEPT), PAGE - KEPT);
                }
                page.as_ref()
                    .header(|h| h.next = trimmed.map_or(null_mut(), NonNull::as_ptr));
            }
            trimmed = Some(page);
            count += 1;
        }
        while let Some(page) = trimmed {
            // SAFETY: still this thread's, until it is pushed.
            unsafe {
                trimmed = NonNull::new(
                    page.as_ref()
                        .header(|h| core::mem::replace(&mut h.next, null_mut())),
                );
                self.void.push(page.as_ref());
            }
        }
        count
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        self.supply.clear(self.source);
        // SAFETY: mapped with this size; nobody has the slab any more.
        unsafe {
            self.source
                .unmap(self.records.cast(), MAX_LOCALS * size_of::<Record>())
        };
    }
}
