//! A chain of pages of one owner (paper: a local page entry with `PgEnt_first` and `PgEnt_last`).
//!
//! Used by the owner only; no atomics. Invariant: a page is in at most one chain, the one its place says.

use super::page::{Page, Place};
use core::ptr::null_mut;

/// See the module text.
pub(super) struct Chain {
    first: *mut Page,
    last: *mut Page,
    len: usize,
    place: Place,
}

impl Chain {
    /// An empty chain for pages in `place`.
    pub(super) const fn new(place: Place) -> Chain {
        Chain {
            first: null_mut(),
            last: null_mut(),
            len: 0,
            place,
        }
    }

    /// The first page, or null.
    #[inline(always)]
    pub(super) fn first(&self) -> *mut Page {
        self.first
    }

    /// Number of pages.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends a page.
    ///
    /// # Safety
    /// `page` is the owner's and in no chain, and so are all pages of this chain the owner's.
    pub(super) unsafe fn push_back(&mut self, page: *mut Page) {
        let (last, place) = (self.last, self.place);
        // SAFETY: the pages are the caller's, and `last` is not `page`, which is in no chain.
        unsafe {
            (*page).header(|h| {
                debug_assert_eq!(h.place, Place::Nowhere);
                h.place = place;
                h.next = null_mut();
                h.prev = last;
            });
            if last.is_null() {
                self.first = page;
            } else {
                (*last).header(|h| h.next = page);
            }
        }
        self.last = page;
        self.len += 1;
    }

    /// Takes a page out.
    ///
    /// # Safety
    /// `page` is in this chain, all of whose pages are the caller's.
    pub(super) unsafe fn remove(&mut self, page: *mut Page) {
        // SAFETY: the pages are the caller's, and neighbours differ from the page.
        unsafe {
            let (next, prev) = (*page).header(|h| {
                debug_assert_eq!(h.place, self.place);
                h.place = Place::Nowhere;
                (h.next, h.prev)
            });
            match next.is_null() {
                true => self.last = prev,
                false => (*next).header(|h| h.prev = prev),
            }
            match prev.is_null() {
                true => self.first = next,
                false => (*prev).header(|h| h.next = next),
            }
        }
        self.len -= 1;
    }

    /// Takes the first page out, if there is one.
    ///
    /// # Safety
    /// All pages of the chain are the caller's.
    pub(super) unsafe fn pop_front(&mut self) -> Option<*mut Page> {
        if self.first.is_null() {
            return None;
        }
        let page = self.first;
        // SAFETY: the first page is in the chain.
        unsafe { self.remove(page) };
        Some(page)
    }

    /// Calls `f` with each page.
    ///
    /// # Safety
    /// All pages of the chain are the caller's; `f` does not change the chain.
    pub(super) unsafe fn each(&self, mut f: impl FnMut(*mut Page)) {
        let (mut page, mut prev, mut len) = (self.first, null_mut(), 0);
        while !page.is_null() {
            // SAFETY: as the caller promises.
            let next = unsafe {
                (*page).header(|h| {
                    assert!(h.place == self.place && h.prev == prev, "chain broken");
                    h.next
                })
            };
            f(page);
            (prev, page, len) = (page, next, len + 1);
        }
        assert!(self.last == prev && self.len == len, "chain broken");
    }
}
