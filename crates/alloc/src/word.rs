//! The shared word of a pageblock: owner, remotely freed blocks and whether the owner has been told, in 64 bits.
//!
//! After the paper's *remotely freed queue* (Achilleas & Vagenas, *xmalloc*, 2021): thread id 24 bits, offset 24 bits,
//! count 16 bits. Differs from it in: the owner is a heap, which outlives threads and is inherited as a whole, so ids do
//! not run out; a flag says that the pageblock is in its owner's inbox, so that a full pageblock is found again without a
//! walk over lists.
//!
//! ```text
//!  63      40 39    38     37 36      20 19        0
//! +----------+-------+-------+----------+-----------+
//! |  owner   |   -   | QUEUED|  count   |   head    |   head: block offset / 16 + 1, or 0
//! +----------+-------+-------+----------+-----------+
//!
//!              push (any thread; the owner's own in a signal handler, or with blocks it kept before it took the heap over)
//!   {o, 0, 0} ---------------------------------> {o, QUEUED, k, b}   the pusher puts the pageblock into the inbox of o
//!   {o, QUEUED, n, h} --push--> {o, QUEUED, n+k, b}     k blocks, linked, at once
//!   {o, QUEUED, n, h} --take--> {o, QUEUED, 0, 0}       owner: gets the n blocks, stays announced
//!   {o, QUEUED, n, h} --dequeue--> {o, 0, 0}            owner, having found the pageblock in its inbox: gets the blocks
//!   {o, QUEUED, n, h} --acknowledge--> {o, 0, n, h}     owner, likewise: leaves the blocks for later
//!   {o, 0, n, h} --push--> {o, QUEUED, n+k, b}          the pusher puts the pageblock into the inbox again
//!   {o, f, n, h} --give--> {p, f, n, h}                 owner of o: hands the pageblock to heap p, which it owns too
//!   0 --open--> {o, 0, 0}, {o, 0, 0} --close--> 0       owner of the slices: start and end of life as a pageblock
//! ```
//!
//! Orderings. `push` is a release, because the link it wrote into the block must be seen by whoever takes the list;
//! `take` and `dequeue` are acquires and pair with it, and see all earlier pushes through the release sequence. `dequeue` and
//! `acknowledge` are releases, and a push acquires: what the owner did with the pageblock's link in its inbox for one
//! announcement comes before what a pusher does with it for the next. `give` is
//! relaxed: only the giver acts on the new owner without further synchronisation, others reach it through a heap's
//! registry bit. `owner` is a relaxed load: it is compared with the caller's own heap, and only the caller changes that.
//!
//! ABA: a push depends only on the head it read being the head when it succeeds, which the CAS compares; blocks taken and
//! pushed again meanwhile give a list that starts there all the same. The pageblock cannot end its life during a push,
//! because the block being pushed still counts as allocated.

use crate::sync::{AtomicU64, Ordering, rmw, shared_write};

const COUNT_SHIFT: u32 = 20;
const COUNT_BITS: u32 = 17;
const QUEUED: u64 = 1 << 37;
const OWNER_SHIFT: u32 = 40;
const HEAD_MASK: u64 = (1 << COUNT_SHIFT) - 1;
const LIST_MASK: u64 = (1 << (COUNT_SHIFT + COUNT_BITS)) - 1;
/// Heap ids are below this.
pub const OWNER_LIMIT: u64 = 1 << 24;
/// Blocks per pageblock are below this.
pub const COUNT_LIMIT: u64 = 1 << COUNT_BITS;

/// The shared word of a pageblock.
#[derive(Debug)]
#[repr(transparent)]
pub struct PageWord(AtomicU64);

/// A value of the word, as read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View(u64);

/// Blocks taken from the word: the first one's position (see [`View::head`]) and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Position of the first block, or 0.
    pub head: u32,
    /// Number of blocks linked from there.
    pub count: u32,
}

/// What a push has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Pushed {
    /// Nothing: the owner has been told already.
    Done,
    /// Put the pageblock into the inbox of this heap.
    Announce(u64),
}

impl View {
    /// The heap that owns the pageblock; 0 for none.
    #[inline(always)]
    pub fn owner(self) -> u64 {
        self.0 >> OWNER_SHIFT
    }
    /// The position of the first remotely freed block: offset in the pageblock / 16 + 1; 0 if there is none.
    pub fn head(self) -> u32 {
        (self.0 & HEAD_MASK) as u32
    }
    /// How many blocks are on the remote list.
    pub fn count(self) -> u32 {
        ((self.0 & LIST_MASK) >> COUNT_SHIFT) as u32
    }
    /// Whether the pageblock is in an inbox or about to be put into one.
    pub fn queued(self) -> bool {
        self.0 & QUEUED != 0
    }
    fn taken(self) -> Taken {
        Taken {
            head: self.head(),
            count: self.count(),
        }
    }
}

impl PageWord {
    /// A word without owner, for tests; pageblocks get theirs as zeroed memory.
    #[cfg(any(test, loom))]
    pub fn new() -> PageWord {
        PageWord(AtomicU64::new(0))
    }

    /// The word as it is now.
    #[inline(always)]
    pub fn view(&self) -> View {
        View(self.0.load(Ordering::Relaxed))
    }

    /// The word as it is now, for an owner who will follow the remote list without taking it. Acquire: pairs with the
    /// pushes, as in `take`.
    pub fn inspect(&self) -> View {
        View(self.0.load(Ordering::Acquire))
    }

    /// Starts the life of a pageblock.
    pub fn open(&self, owner: u64) {
        debug_assert!(owner != 0 && owner < OWNER_LIMIT);
        shared_write();
        // Relaxed: whoever gets a block of it gets it from the caller, with the synchronisation that this takes.
        self.0.store(owner << OWNER_SHIFT, Ordering::Relaxed);
    }

    /// Ends it. No block is allocated or on the remote list, and the pageblock is in no inbox.
    pub fn close(&self) {
        debug_assert!(self.view().0 & (LIST_MASK | QUEUED) == 0);
        shared_write();
        // Relaxed: the slices are handed on through the slice map, which releases.
        self.0.store(0, Ordering::Relaxed);
    }

    /// Adds `n` linked blocks, the first at `position`; `link` is called with the position of the block to link the last one
    /// to (0: none) each time before an attempt. `None` if the count would get to its limit, which only blocks freed twice
    /// can bring about.
    pub fn push(&self, position: u32, n: u32, mut link: impl FnMut(u32)) -> Option<Pushed> {
        let mut seen = self.0.load(Ordering::Relaxed);
        loop {
            let view = View(seen);
            if u64::from(view.count() + n) >= COUNT_LIMIT {
                return None;
            }
            link(view.head());
            let count = u64::from(n) << COUNT_SHIFT;
            let next = ((seen & !HEAD_MASK) + count) | u64::from(position) | QUEUED;
            rmw();
            match self
                .0
                .compare_exchange_weak(seen, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) if view.queued() => return Some(Pushed::Done),
                Ok(_) => return Some(Pushed::Announce(view.owner())),
                Err(now) => seen = now,
            }
        }
    }

    /// Takes the remotely freed blocks, leaving the announcement as it is. Owner only.
    pub fn take(&self) -> Taken {
        rmw();
        View(self.0.fetch_and(!LIST_MASK, Ordering::Acquire)).taken()
    }

    /// Takes the remotely freed blocks and withdraws the announcement. Owner only, after finding the pageblock in its
    /// inbox.
    pub fn dequeue(&self) -> Taken {
        rmw();
        let old = View(self.0.fetch_and(!(LIST_MASK | QUEUED), Ordering::AcqRel));
        debug_assert!(old.queued());
        old.taken()
    }

    /// Withdraws the announcement and leaves the blocks where they are; says how many there were. Owner only, after finding
    /// the pageblock in its inbox.
    pub fn acknowledge(&self) -> u32 {
        rmw();
        let old = View(self.0.fetch_and(!QUEUED, Ordering::AcqRel));
        debug_assert!(old.queued());
        old.count()
    }

    /// Makes `to` the owner. The caller owns both heaps.
    pub fn give(&self, from: u64, to: u64) {
        debug_assert_eq!(self.view().owner(), from);
        rmw();
        // An exclusive or is one operation where replacing the field would be a loop.
        self.0
            .fetch_xor((from ^ to) << OWNER_SHIFT, Ordering::Relaxed);
    }
}
