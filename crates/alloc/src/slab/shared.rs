//! The slab: what all threads share. Types, stacks of pages that are nobody's, chunks, and who is there.

use super::MAX_KINDS;
use super::ids::Ids;
use super::kind::{Layout, Type};
use super::local::Local;
use super::page::Page;
use super::source::{PageSource, System};
use super::stack::Stack;
use super::stats::{KindStats, PageCount};
use super::supply::Supply;
use crate::sync::rmw;
use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Empty pages that are nobody's are kept at least so many.
const KEPT: usize = if cfg!(any(test, loom, miri)) { 16 } else { 64 };

/// Typed pages for all threads; see the module [`slab`](super).
pub struct Slab {
    // Immutable.
    types: [Type; MAX_KINDS],
    layouts: [Layout; MAX_KINDS],
    kinds: usize,
    source: &'static dyn PageSource,
    // Atomic; see the modules of their types.
    /// Pages that are nobody's, with room, by type.
    pub(super) open: [Stack; MAX_KINDS],
    /// Pages of no type.
    pub(super) void: Stack,
    /// How many there are; steers only.
    voids: AtomicUsize,
    pub(super) supply: Supply,
    pub(super) pages: [PageCount; MAX_KINDS],
    pub(super) ids: Ids,
}

// SAFETY: all of it is immutable or atomic.
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
        let mut ids = Ids::new(source)?;
        let Some(supply) = Supply::new(source) else {
            // SAFETY: just made, and nobody knows of it.
            unsafe { ids.clear(source) };
            return None;
        };
        let types: [Option<Type>; MAX_KINDS] = core::array::from_fn(|i| types.get(i).copied());
        Some(Slab {
            types: types.map(|t| t.unwrap_or(Type { name: "", size: 0 })),
            layouts: types.map(|t| t.as_ref().map_or(Layout::NONE, Layout::of)),
            kinds,
            source,
            open: core::array::from_fn(|_| Stack::new()),
            void: Stack::new(),
            voids: AtomicUsize::new(0),
            supply,
            pages: core::array::from_fn(|_| PageCount::default()),
            ids,
        })
    }

    /// The part of one thread; `None` if [`MAX_LOCALS`] are there already. `slab` is a reference or a counted pointer.
    pub fn attach<R: SlabRef>(slab: R) -> Option<Local<R>> {
        let id = slab.ids.take(slab.source)?;
        Some(Local::new(slab, id))
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

    /// The positions of all types.
    pub(super) fn all_kinds(&self) -> std::ops::Range<usize> {
        0..self.kinds
    }

    #[cfg(all(test, loom))]
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
        // SAFETY: the page is the caller's, and has a header.
        self.void.push(unsafe { page.as_ref() }, &self.supply);
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
        for record in self.ids.records() {
            record.sum_into(at, &mut stats);
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
        // SAFETY: nobody has the slab any more, nor what was had from it.
        unsafe {
            self.supply.clear(self.source);
            self.ids.clear(self.source);
        }
    }
}
