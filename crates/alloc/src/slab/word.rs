//! The shared word of a page: owner, remotely freed structures, and whether the page is in its type's stack.
//!
//! ```text
//!  63      33    32     31    16 15     0
//! +----------+--------+--------+--------+
//! |  owner   | LISTED |  count |  head  |    head: offset / 8 of a structure, or 0; owner 0: nobody
//! +----------+--------+--------+--------+
//!
//! void page               0            nobody, or {me} while it is opened
//! open      0          -> {me}         owner-to-be of a void page that only it can reach
//! free_to   {o, n, h}  -> {o, n+1, p}  o ≠ me: a structure is freed remotely                      (Pushed)
//!           {0, n, h}  -> {me, n, h}   nobody's page: the freeing thread adopts it                (Adopted)
//! take      {me, n, h} -> {me, 0, 0}   the owner gets the n structures
//! leave     {me, n, h} -> {0, n, h}    owner, page full and n = 0, or LISTED already              (Stays)
//!                      -> {0, LISTED, n, h} owner, page with room or n > 0; it must push the page now (Push)
//! unlist    {0, LISTED, n, h} -> {me, n, h}  whoever popped the page becomes its owner            (Claimed)
//!           {o, LISTED, n, h} -> {o, n, h}   somebody adopted it meanwhile                        (Dropped)
//! close     {me, 0, 0} -> 0            the owner of an empty page that is not LISTED
//! ```
//!
//! LISTED says that the page is in the stack of its type, is about to be pushed, or was popped by someone who has not
//! said so yet. It is set by `leave` only if it was clear, so a page is never pushed twice, and a page that has it must
//! not change its type.
//!
//! Orderings. Whoever becomes the owner reads and writes the owner's part of the header: `leave` releases what the
//! old owner wrote there, `free_to` (adopting) and `unlist` acquire it. A remote free releases the link that it wrote
//! into the structure; `take`, or adopting, acquires it; pushes by several threads and all transitions in between are
//! read-modify-writes, so they continue each other's release sequence. `unlist` also releases and `leave` also acquires:
//! the popper has read the page's stack link before, the next pusher writes it afterwards. The owner compares `view`,
//! relaxed, with itself: it alone changes this, so what it reads of the owner is current; what it reads of the count may
//! be too low.
//!
//! ABA: every transition depends on nothing but the value of the word that the compare-and-swap compares.

use crate::sync::{AtomicU64, Ordering, rmw, shared_write};

const COUNT: u64 = 1 << 16;
const LISTED: u64 = 1 << 32;
const OWNER_SHIFT: u32 = 33;
const HEAD_MASK: u64 = COUNT - 1;
const LIST_MASK: u64 = LISTED - 1;

/// See the module text.
pub(super) struct PageWord(AtomicU64);

/// A value of the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct View(u64);

impl View {
    /// Who owns the page; 0 is nobody.
    #[inline(always)]
    pub(super) fn owner(self) -> u32 {
        (self.0 >> OWNER_SHIFT) as u32
    }
    /// Structures freed remotely.
    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        ((self.0 & LIST_MASK) >> 16) as u32
    }
    /// Offset in the page of the one freed last, or 0.
    pub(super) fn head(self) -> u32 {
        (self.0 & HEAD_MASK) as u32 * 8
    }
    /// Whether the page is, or counts as, in the stack of its type.
    pub(super) fn listed(self) -> bool {
        self.0 & LISTED != 0
    }
}

fn owner_bits(owner: u32) -> u64 {
    u64::from(owner) << OWNER_SHIFT
}

/// What became of a structure that is not the caller's to free locally.
#[derive(PartialEq, Eq, Debug)]
#[must_use]
pub(super) enum Freed {
    /// It is on the page's remote list.
    Pushed,
    /// The page is the caller's now; the structure is not freed yet.
    Adopted,
}

/// What the owner that leaves a page has to do.
#[derive(PartialEq, Eq, Debug)]
#[must_use]
pub(super) enum Left {
    /// Push the page on the stack of its type.
    Push,
    /// Nothing.
    Stays,
}

/// What became of a page that was popped.
#[derive(PartialEq, Eq, Debug)]
#[must_use]
pub(super) enum Unlisted {
    /// It is the caller's.
    Claimed,
    /// It is somebody else's.
    Dropped,
}

impl PageWord {
    /// The word of a void page that is nobody's.
    pub(super) fn new() -> PageWord {
        PageWord(AtomicU64::new(0))
    }

    /// The word now.
    #[inline(always)]
    pub(super) fn view(&self) -> View {
        View(self.0.load(Ordering::Relaxed))
    }

    /// Makes the void page the caller's, who got it from where only one can get it.
    pub(super) fn open(&self, me: u32) {
        shared_write();
        // Relaxed: others get to know of the page through structures in it, and the synchronisation that this takes.
        self.0.store(owner_bits(me), Ordering::Relaxed);
    }

    /// Makes the caller's empty page, which is not listed, nobody's.
    pub(super) fn close(&self) {
        debug_assert!(self.view().0 & (LISTED | LIST_MASK) == 0);
        shared_write();
        // Relaxed: the page is handed on through a stack, which releases.
        self.0.store(0, Ordering::Relaxed);
    }

    /// Frees the structure at `offset` of a page that is not the caller's, or makes the page the caller's if it is
    /// nobody's. `link` is called with the offset to link the structure to, each time before an attempt.
    pub(super) fn free_to(&self, me: u32, offset: u32, mut link: impl FnMut(u32)) -> Freed {
        let mut seen = self.0.load(Ordering::Relaxed);
        loop {
            let view = View(seen);
            let (next, outcome) = if view.owner() == 0 {
                (seen | owner_bits(me), Freed::Adopted)
            } else {
                link(view.head());
                let pushed = ((seen & !HEAD_MASK) + COUNT) | u64::from(offset / 8);
                (pushed, Freed::Pushed)
            };
            rmw();
            match self
                .0
                .compare_exchange_weak(seen, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return outcome,
                Err(now) => seen = now,
            }
        }
    }

    /// The owner takes the remotely freed structures; the view has their head and count.
    pub(super) fn take(&self) -> View {
        rmw();
        View(self.0.fetch_and(!LIST_MASK, Ordering::Acquire))
    }

    /// The owner gives the page up; `room`: it has structures to allocate.
    pub(super) fn leave(&self, room: bool) -> Left {
        let mut seen = self.0.load(Ordering::Relaxed);
        loop {
            let view = View(seen);
            let nobodys = seen & (LISTED | LIST_MASK);
            let (next, outcome) = if !view.listed() && (room || view.count() > 0) {
                (nobodys | LISTED, Left::Push)
            } else {
                (nobodys, Left::Stays)
            };
            rmw();
            match self
                .0
                .compare_exchange_weak(seen, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return outcome,
                Err(now) => seen = now,
            }
        }
    }

    /// The page was popped by the caller.
    pub(super) fn unlist(&self, me: u32) -> Unlisted {
        let mut seen = self.0.load(Ordering::Relaxed);
        loop {
            debug_assert!(View(seen).listed());
            let (next, outcome) = if View(seen).owner() == 0 {
                ((seen & !LISTED) | owner_bits(me), Unlisted::Claimed)
            } else {
                (seen & !LISTED, Unlisted::Dropped)
            };
            rmw();
            match self
                .0
                .compare_exchange_weak(seen, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return outcome,
                Err(now) => seen = now,
            }
        }
    }
}
