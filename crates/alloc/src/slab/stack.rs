//! A global page entry: a stack of pages that are nobody's, or count as (paper: `GB_PG_…`, there under a lock).
//!
//! ```text
//!  63      32 31        0
//! +----------+-----------+
//! |   tag    | number+1  |    of the page on top; the others follow through their links
//! +----------+-----------+
//! ```
//!
//! Orderings. `push` releases what the pusher wrote to the page and its link; `pop`'s compare-and-swap acquires it.
//! Between a page's push and its pop there are only read-modify-writes of the head, which continue the release
//! sequence. The first load of `pop` is an acquire too: it reads the link of a page before it owns the page.
//!
//! Reclamation: a link may be read after another thread has popped the page, and given it back. Links stay while the slab lives
//! ([`links`](super::links)), so the load is of a valid atomic; its value is not used, because the tag has changed.
//!
//! ABA: every success changes the tag. A thread would have to sleep through exactly a multiple of 2^32 operations on
//! this stack between its load and its compare-and-swap.

use super::page::Page;
use super::supply::Supply;
use crate::sync::{AtomicU64, Ordering, rmw, shared_write};
use core::ptr::NonNull;

const TAG: u64 = 1 << 32;
const NUMBER: u64 = TAG - 1;

/// See the module text.
#[repr(align(64))]
pub(super) struct Stack(AtomicU64);

impl Stack {
    /// An empty stack.
    pub(super) fn new() -> Stack {
        Stack(AtomicU64::new(0))
    }

    /// Puts a page on top.
    ///
    /// The page is in no stack, and the caller is the one to put it into one.
    pub(super) fn push(&self, page: &Page, supply: &Supply) {
        let link = supply.link(page.number());
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            shared_write();
            // Relaxed: released by the compare-and-swap.
            link.store(head & NUMBER, Ordering::Relaxed);
            let next = (head & !NUMBER).wrapping_add(TAG) | (u64::from(page.number()) + 1);
            rmw();
            match self
                .0
                .compare_exchange_weak(head, next, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Takes the page on top.
    pub(super) fn pop(&self, supply: &Supply) -> Option<NonNull<Page>> {
        let mut head = self.0.load(Ordering::Acquire);
        loop {
            let number = (head & NUMBER).checked_sub(1)?;
            let link = supply.link(number as u32).load(Ordering::Relaxed);
            let next = (head & !NUMBER).wrapping_add(TAG) | link;
            rmw();
            match self
                .0
                .compare_exchange_weak(head, next, Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(_) => return Some(supply.page(number as u32)),
                Err(now) => head = now,
            }
        }
    }

    /// Calls `f` with each page, from the top. Nobody uses the stack meanwhile.
    pub(super) fn each(&self, supply: &Supply, mut f: impl FnMut(NonNull<Page>)) {
        let mut at = self.0.load(Ordering::Acquire) & NUMBER;
        while let Some(number) = at.checked_sub(1) {
            let page = supply.page(number as u32);
            f(page);
            at = supply.link(number as u32).load(Ordering::Acquire);
        }
    }
}
