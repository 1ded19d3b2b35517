//! Pageblocks: the descriptors of slices, and the operations of a pageblock's owner on its blocks.
//!
//! A pageblock is a run of slices cut into blocks of one class. Its descriptor is that of its first slice; the others
//! say how far the first is. Descriptors are never deallocated ([`crate::region`]), so whoever holds a pointer to one may
//! read its atomic fields at any time.
//!
//! Blocks are handed out from one free list, threaded through the free blocks, which only the owner touches; blocks freed
//! by others collect in the [`PageWord`] until the owner takes them. Fresh blocks are linked in a page at a time, so memory
//! that was never needed is never touched.
//!
//! The equation of a pageblock ([`Page::verify`]):
//!
//! ```text
//!   allocs - frees = blocks in users' hands, or kept by other heaps + blocks on the remote list
//!   allocs - frees + blocks on the free list + (capacity - extent) = capacity
//! ```
//!
//! The two lines of a descriptor: what only the owner touches, and what others read or write, so that a remote free
//! does not take the line of the owner's fast path away.

use crate::classes::{GRAIN, size_of_class, slices_of_class};
use crate::config::{self, CARVE, SLICE};
use crate::inbox::Node;
use crate::region;
use crate::sync::{Tally, shared_write};
use crate::word::{PageWord, Taken};
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

/// A free block: the link to the next one. The rest of the block is whatever it was.
#[repr(C)]
pub struct Block {
    /// The next free block of the same pageblock, or null.
    pub next: *mut Block,
}

/// What an allocation takes a block from: the beginning of a [`Page`], or of the kept blocks of a class.
#[repr(C)]
pub struct Stock {
    /// Blocks to hand out.
    pub free: *mut Block,
    /// Blocks handed out.
    pub allocs: Tally,
}

const _: () = assert!(core::mem::offset_of!(Page, free) == core::mem::offset_of!(Stock, free));
const _: () = assert!(core::mem::offset_of!(Page, allocs) == core::mem::offset_of!(Stock, allocs));

/// What a slice is used for ([`Shared::kind`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Nothing: free, cached, or the inside of a large object.
    Nothing = 0,
    /// The first slice of a pageblock.
    Blocks = 1,
    /// A further slice of a pageblock.
    Inside = 2,
    /// The first slice of a large object.
    Large = 3,
}

/// Which of its heap's lists a pageblock is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum List {
    /// None.
    None = 0,
    /// That of its class: it may have a block to give.
    Class = 1,
    /// That of full pageblocks.
    Full = 2,
}

/// `watch` of a pageblock in its class's list: its becoming empty is to be noticed. A number above it: so many blocks are on the
/// remote list, and when these are all that is left it is empty, too.
pub const WATCH_EMPTY: i64 = 0;
/// `watch` of a full pageblock: its next local free is to be noticed.
pub const WATCH_ALWAYS: i64 = i64::MAX;
/// `watch` of an empty pageblock that is kept: only a free that cannot be is to be noticed.
pub const WATCH_NEVER: i64 = -1;

/// The descriptor of a slice. All zeroes is a slice used for nothing.
#[repr(C, align(128))]
pub struct Page {
    // Owner only; the tallies are read by statistics.
    /// Blocks to hand out.
    pub free: *mut Block,
    /// Blocks handed out since the pageblock was opened.
    pub allocs: Tally,
    /// Blocks taken back: freed locally, or collected from the remote list.
    pub frees: Tally,
    /// A local free that leaves no more than this many blocks allocated takes the slow path.
    pub watch: i64,
    /// Neighbours in the list.
    pub next: *mut Page,
    /// Neighbours in the list.
    pub prev: *mut Page,
    /// Bytes that were there when the pageblock was opened. Immutable while open.
    pub found: u32,
    /// Blocks there is room for. Immutable while open.
    pub capacity: u32,
    /// Bytes of a block. Immutable while open.
    pub size: u32,
    /// Class. Immutable while open.
    pub class: u8,
    /// Which list it is in.
    pub list: List,
    /// Slices of the pageblock. Immutable while open.
    pub slices: u8,
    /// The last bits of `allocs` when the heap last looked whether the pageblock is used.
    pub swept: u8,

    /// What others use too.
    pub shared: Shared,
}

/// The part of a descriptor that any thread may read at any time.
///
/// References are made to this part only, never to a whole [`Page`], the rest of which its owner may be writing to.
#[repr(C)]
pub struct Shared {
    /// Owner, remotely freed blocks, announcement: see [`crate::word`].
    pub word: PageWord,
    /// Link in an inbox: written by the thread that pushes, read by the one that takes.
    inbox: AtomicPtr<Page>,
    /// A [`Kind`]. Written by the holder of the slice, except that freeing a large object swaps it, which decides who
    /// frees it.
    kind: AtomicU32,
    /// [`Kind::Inside`]: distance to the first slice.
    first: AtomicU32,
    /// [`Kind::Large`]: bytes the user may use.
    pub bytes: AtomicUsize,
    /// [`Kind::Large`]: slices claimed.
    pub run: AtomicUsize,
    /// 2^64 / size, rounded up. Immutable while open.
    reciprocal: u64,
    /// [`Kind::Blocks`]: the class.
    pub class: AtomicU32,
    /// [`Kind::Blocks`]: bytes of the blocks linked into the free list so far. Written by the owner. Relaxed: whoever has a block
    /// got it after it was counted here.
    linked: AtomicU32,
}

const _: () = assert!(size_of::<Page>() == region::DESCRIPTOR);
const _: () = assert!(core::mem::offset_of!(Page, shared) == 64);

impl Node for Page {
    unsafe fn link<'a>(this: *const Page) -> &'a AtomicPtr<Page> {
        // SAFETY: descriptors are never deallocated.
        unsafe { &(*this).shared.inbox }
    }
}

impl Shared {
    /// What the slice is used for. Relaxed: whoever has a block got it after the kind was set.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.kind.load(Ordering::Relaxed) {
            1 => Kind::Blocks,
            2 => Kind::Inside,
            3 => Kind::Large,
            _ => Kind::Nothing,
        }
    }

    /// Sets what the slice is used for. Holder of the slice only.
    pub fn set_kind(&self, kind: Kind) {
        shared_write();
        self.kind.store(kind as u32, Ordering::Relaxed);
    }

    /// Makes a large object end; `false` if it was none, or another thread was quicker. Acquire and release: what either
    /// thread did with the object is over before the winner gives the memory away.
    pub fn end_large(&self) -> bool {
        crate::sync::rmw();
        self.kind
            .compare_exchange(
                Kind::Large as u32,
                Kind::Nothing as u32,
                Ordering::AcqRel,
                Ordering::Relaxed,
            )
            .is_ok()
    }
}

impl Page {
    /// The descriptor of a slice below the limit of the region.
    #[inline(always)]
    pub fn of_slice(slice: usize) -> *mut Page {
        region::descriptor(slice).cast()
    }

    /// The number of the slice that a descriptor describes.
    #[inline(always)]
    pub fn slice(this: *const Page) -> usize {
        region::slice_of(this)
    }

    /// The descriptor of the pageblock that an address lies in, if it lies in one.
    pub fn around<T>(p: *const T) -> Option<*mut Page> {
        let page = Page::of_slice(region::place(p)?.slice());
        // SAFETY: descriptors below the limit always exist.
        match unsafe { (*page).shared.kind() } {
            Kind::Blocks => Some(page),
            Kind::Inside => Some(Page::first(page)),
            Kind::Large | Kind::Nothing => None,
        }
    }

    /// The descriptor of the pageblock that a slice of kind [`Kind::Inside`] belongs to.
    #[inline]
    pub fn first(this: *mut Page) -> *mut Page {
        // SAFETY: descriptors are never deallocated.
        let distance = unsafe { (*this).shared.first.load(Ordering::Relaxed) };
        this.wrapping_sub(distance as usize)
    }

    /// How many slices a pageblock of a class gets.
    pub fn slices_for(class: usize) -> usize {
        slices_of_class(class) << config::PAGE_MULTIPLIER.get()
    }

    /// Turns claimed slices into a pageblock of heap `owner`, with no block linked in yet; `found` bytes of them hold memory.
    ///
    /// # Safety
    /// `this` describes the first of `slices` slices that the caller has claimed.
    pub unsafe fn open(this: *mut Page, class: usize, slices: usize, found: usize, owner: u64) {
        let size = size_of_class(class);
        // SAFETY: the caller holds the slices, so nobody else uses the descriptors' owner fields.
        unsafe {
            (*this).free = ptr::null_mut();
            (*this).allocs.set(0);
            (*this).frees.set(0);
            (*this).watch = WATCH_EMPTY;
            (*this).next = ptr::null_mut();
            (*this).prev = ptr::null_mut();
            (*this).shared.linked.store(0, Ordering::Relaxed);
            (*this).found = found as u32;
            (*this).capacity = (slices * SLICE / size) as u32;
            (*this).size = size as u32;
            (*this).shared.reciprocal = u64::MAX / size as u64 + 1;
            (*this).class = class as u8;
            (*this).shared.class.store(class as u32, Ordering::Relaxed);
            (*this).list = List::None;
            (*this).slices = slices as u8;
            (*this).shared.set_kind(Kind::Blocks);
            for i in 1..slices {
                let inside = this.add(i);
                (*inside).shared.first.store(i as u32, Ordering::Relaxed);
                (*inside).shared.set_kind(Kind::Inside);
            }
            (*this).shared.word.open(owner);
        }
    }

    /// Turns an empty pageblock that is in no list and no inbox back into mere slices.
    ///
    /// # Safety
    /// The caller owns it.
    pub unsafe fn close(this: *mut Page) {
        // SAFETY: the caller owns the pageblock.
        unsafe {
            (*this).shared.word.close();
            for i in 0..usize::from((*this).slices) {
                (*this.add(i)).shared.set_kind(Kind::Nothing);
            }
        }
    }

    /// Whether a block starts at `offset` from the first byte that was ever handed out, or could have been (Lemire, Kaser &
    /// Kurz, *Faster remainder by direct computation*, 2019: n is a multiple of d if n * ceil(2^64 / d) mod 2^64 is less than
    /// that factor).
    ///
    /// # Safety
    /// `this` is a descriptor. Of one that is not an open pageblock's, the answer means nothing.
    #[inline(always)]
    pub unsafe fn is_start(this: *const Page, offset: usize) -> bool {
        // SAFETY: descriptors are never deallocated; the factor does not change while the pageblock is open.
        unsafe {
            let r = (*this).shared.reciprocal;
            offset < (*this).shared.linked.load(Ordering::Relaxed) as usize
                && (offset as u64).wrapping_mul(r) < r
        }
    }

    /// Bytes of the blocks linked into the free list so far.
    ///
    /// # Safety
    /// `this` is a descriptor.
    pub unsafe fn linked(this: *const Page) -> usize {
        // SAFETY: descriptors are never deallocated.
        unsafe { (*this).shared.linked.load(Ordering::Relaxed) as usize }
    }

    /// Blocks linked into the free list so far.
    ///
    /// # Safety
    /// `this` describes an open pageblock of the caller.
    pub unsafe fn extent(this: *const Page) -> u32 {
        // SAFETY: the caller owns the pageblock.
        unsafe { Page::linked(this) as u32 / (*this).size }
    }

    /// The first byte.
    #[inline]
    pub fn start(this: *const Page) -> *mut u8 {
        region::slice_start(Page::slice(this))
    }

    /// Blocks in users' hands, kept by other heaps, or on the remote list.
    ///
    /// # Safety
    /// The caller owns the pageblock.
    #[inline(always)]
    pub unsafe fn live(this: *const Page) -> i64 {
        // SAFETY: the caller owns the pageblock.
        unsafe { (*this).allocs.get().wrapping_sub((*this).frees.get()) as i64 }
    }

    /// Links fresh blocks into the empty free list. There are some.
    ///
    /// # Safety
    /// The caller owns the pageblock.
    pub unsafe fn extend(this: *mut Page) {
        // SAFETY: the caller owns the pageblock; the blocks from `extent` to `capacity` lie in its slices and have never
        // been handed out.
        unsafe {
            let size = (*this).size as usize;
            let extent = Page::extent(this);
            debug_assert!((*this).free.is_null() && extent < (*this).capacity);
            let n = ((CARVE / size).max(1) as u32).min((*this).capacity - extent);
            let first = Page::start(this).add(extent as usize * size);
            let mut p = first;
            for _ in 1..n {
                let next = p.add(size);
                (*p.cast::<Block>()).next = next.cast();
                p = next;
            }
            (*p.cast::<Block>()).next = ptr::null_mut();
            shared_write();
            let linked = (extent + n) * (*this).size;
            (*this).shared.linked.store(linked, Ordering::Relaxed);
            (*this).free = first.cast();
        }
    }

    /// Puts blocks taken from the remote list into the free list.
    ///
    /// # Safety
    /// The caller owns the pageblock and took the blocks from its word.
    pub unsafe fn collect(this: *mut Page, taken: Taken) {
        if taken.count == 0 {
            return;
        }
        // SAFETY: the blocks were pushed by threads that had them, with links to blocks pushed before; taking them has
        // acquired those links. All lie in the pageblock.
        unsafe {
            let head = Page::block_at(this, taken.head);
            if !(*this).free.is_null() {
                let mut last = head;
                while !(*last).next.is_null() {
                    last = (*last).next;
                }
                (*last).next = (*this).free;
            }
            (*this).free = head;
            (*this).frees.add(u64::from(taken.count));
        }
    }

    /// The block at a position of the word (which is not 0).
    #[inline]
    pub fn block_at(this: *const Page, position: u32) -> *mut Block {
        Page::start(this)
            .wrapping_add((position as usize - 1) * GRAIN)
            .cast()
    }

    /// The position of a block, as the word has it.
    #[inline]
    pub fn position(this: *const Page, block: *const Block) -> u32 {
        ((block.addr() - Page::start(this).addr()) / GRAIN) as u32 + 1
    }

    /// Checks the equation of the pageblock, and that both lists stay inside it. `Err` says what is wrong.
    ///
    /// # Safety
    /// The caller owns the pageblock. Others may free into it.
    pub unsafe fn verify(this: *const Page) -> Result<(), &'static str> {
        // SAFETY: the caller owns the pageblock.
        unsafe {
            let view = (*this).shared.word.inspect();
            let remote = if view.head() == 0 {
                ptr::null_mut()
            } else {
                Page::block_at(this, view.head())
            };
            let free = Page::length(this, (*this).free)?;
            if Page::length(this, remote)? != u64::from(view.count()) {
                return Err("the remote list is not as long as its count");
            }
            let live = Page::live(this);
            if live < i64::from(view.count()) {
                return Err("more blocks freed than allocated");
            }
            if live as u64 + free != u64::from(Page::extent(this)) {
                return Err("allocated and free blocks do not add up");
            }
            if Page::extent(this) > (*this).capacity {
                return Err("more blocks linked in than there is room for");
            }
            Ok(())
        }
    }

    /// The length of a list of free blocks, each of which must be a block of the pageblock that was linked in before.
    unsafe fn length(this: *const Page, mut block: *mut Block) -> Result<u64, &'static str> {
        let mut n = 0;
        // SAFETY: the caller owns the pageblock; a link is followed only after it was found to point to a block in it.
        unsafe {
            while !block.is_null() {
                let offset = block.addr().wrapping_sub(Page::start(this).addr());
                let size = (*this).size as usize;
                if offset >= Page::linked(this) || !offset.is_multiple_of(size) {
                    return Err("a link of a free list points outside of the pageblock");
                }
                n += 1;
                if n > u64::from((*this).capacity) {
                    return Err("a free list has a cycle");
                }
                block = (*block).next;
            }
        }
        Ok(n)
    }
}
