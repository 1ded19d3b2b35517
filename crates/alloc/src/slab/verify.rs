//! The invariants of the module text as assertions.

use super::local::Local;
use super::page::{Header, Page, next_free};
use super::shared::{Slab, SlabRef};
use super::{MAX_KINDS, PAGE};

/// Asserts the equation of a page; its type, or `None`, and its structures in use (less the remotely freed ones).
///
/// # Safety
/// The caller owns the page, or nobody does anything with it.
unsafe fn page(page: *mut Page) -> (Option<usize>, usize) {
    // SAFETY: as the caller promises; lists of free structures end, as their length is compared with the capacity.
    unsafe {
        let view = (*page).word().view();
        (*page).header(|h| {
            if h.kind == Header::VOID {
                assert!(h.used == 0 && !h.room() && view.count() == 0 && !view.listed());
                return (None, 0);
            }
            let layout = h.layout;
            let unused = ((layout.end - h.fresh) / layout.size) as usize;
            let length = |mut at: u32, limit: usize| {
                let mut length = 0;
                while at != 0 {
                    assert!(at >= layout.first && at < h.fresh && (at as usize) < PAGE);
                    assert!((at - layout.first).is_multiple_of(layout.size));
                    length += 1;
                    assert!(length <= limit, "a list of free structures has a cycle");
                    at = next_free(Page::at(page, at));
                }
                length
            };
            let free = length(h.free, layout.capacity());
            assert_eq!(
                free + unused + h.used as usize,
                layout.capacity(),
                "page equation"
            );
            assert!(view.count() <= h.used, "more freed remotely than used");
            let remote = length(view.head(), view.count() as usize);
            assert_eq!(remote, view.count() as usize, "remote list");
            (Some(usize::from(h.kind)), (h.used - view.count()) as usize)
        })
    }
}

impl<R: SlabRef> Local<R> {
    /// Checks all pages of this thread. For tests and debugging: it walks over every free structure. Other threads may
    /// run, but not free structures of this one's pages meanwhile.
    ///
    /// # Panics
    /// If an invariant does not hold.
    pub fn verify(&self) {
        let mut typed = 0;
        for (kind, chain) in self.chains() {
            typed += if kind.is_some() { chain.len() } else { 0 };
            // SAFETY: the pages are this local's.
            unsafe {
                chain.each(|p| {
                    assert_eq!(
                        (*p).word().view().owner(),
                        self.id(),
                        "in a chain of another owner"
                    );
                    assert_eq!(page(p).0, kind, "in a chain of another type");
                });
            }
        }
        assert_eq!(self.bytes_held(), typed * PAGE);
    }
}

impl Slab {
    /// Checks all pages.
    ///
    /// # Safety
    /// No thread does anything with this slab or its structures meanwhile, and what they did happened before.
    ///
    /// # Panics
    /// If an invariant does not hold.
    pub unsafe fn verify(&self) {
        let mut pages = [0; MAX_KINDS];
        let mut live = [0; MAX_KINDS];
        let mut to_list = [0usize; MAX_KINDS];
        for number in 0..self.supply.claimed() {
            if self.supply.is_given_back(number) {
                continue;
            }
            // Claimed pages have headers once the claiming thread is done with them.
            let p = self.supply.page(number);
            // SAFETY: nobody else does anything.
            let (kind, used) = unsafe { page(p.as_ptr()) };
            // SAFETY: as above.
            let p = unsafe { p.as_ref() };
            assert_eq!(p.number(), number);
            let Some(kind) = kind else { continue };
            pages[kind] += 1;
            live[kind] += used;
            let view = p.word().view();
            // SAFETY: as above.
            let room = unsafe { p.header(|h| h.room()) };
            if view.owner() == 0 && (room || view.count() > 0) {
                assert!(view.listed(), "a page with room is lost");
            }
            to_list[kind] += usize::from(view.listed());
        }
        for kind in self.all_kinds() {
            let stats = self.stats_of(kind);
            assert_eq!(stats.pages, pages[kind], "pages of {}", stats.name);
            assert_eq!(stats.live, live[kind], "structures of {}", stats.name);
            self.open[kind].each(&self.supply, |p| {
                // SAFETY: as above.
                let p = unsafe { p.as_ref() };
                assert!(p.word().view().listed(), "in a stack and not listed");
                // SAFETY: as above.
                assert_eq!(unsafe { p.header(|h| usize::from(h.kind)) }, kind);
                to_list[kind] = to_list[kind]
                    .checked_sub(1)
                    .expect("a page is twice in its stack");
            });
            assert_eq!(to_list[kind], 0, "a listed page is in no stack");
        }
        let mut void = 0;
        self.void.each(&self.supply, |p| {
            // SAFETY: as above.
            let p = unsafe { p.as_ref() };
            void += 1;
            assert!(void <= self.supply.claimed(), "the void stack has a cycle");
            assert_eq!(p.word().view().owner(), 0);
            // SAFETY: as above.
            assert_eq!(unsafe { p.header(|h| h.kind) }, Header::VOID);
        });
    }
}
