//! Heaps: the pageblocks of one owner, sorted by class, and what the owner does with these alone. Whatever has to do with
//! other heaps is above: `announce`, `foreign`, `adopt`, `slow`.
//!
//! A heap belongs to one thread at a time, or to none ([`crate::registry`]). It outlives its threads: a thread that starts
//! takes over a vacant heap with everything in it. Heaps are the paper's local heaps and local queues (Achilleas &
//! Vagenas, *xmalloc*, 2021); differs from them in: a full pageblock leaves its class's list, so an allocation looks
//! at the first pageblock of the list only.
//!
//! ```text
//!             opened                 no block left, no remote frees, fully linked in
//!   slices ----------> class list ------------------------------------------------> full list
//!     ^                  |  ^  ^                                                      |    |
//!     +------------------+  |  +--- local free (watch = ALWAYS) ----------------------+    |
//!       last block freed    +------ found in the inbox after a remote free -----------------+
//! ```
//!
//! Invariants:
//! 1. Every open pageblock is in exactly one list of the heap its word names as owner.
//! 2. A pageblock in the full list has no free block; its next local free takes the slow path, its next remote free
//!    announces it. So no free block is ever forgotten, unless the thread that is to announce it stops before it does.
//! 3. A pageblock whose announcement is set is never closed: somebody may be about to write its link.
//! 4. `direct` has for each small class the first pageblock of its list, or its kept foreign blocks, or [`EMPTY`].
//!
//! Everything here is called by the owner of the heap only, except the inbox's push.

use crate::classes::{CLASSES, SMALL_MAX, size_of_class};
use crate::config::{self, CACHE_SLOTS, SLICE};
use crate::counts::{self, Counts, Past};
use crate::kept::{DIRECT_CLASSES, Foreign};
use crate::page::{List, Page, Stock, WATCH_ALWAYS, WATCH_EMPTY, WATCH_NEVER};
use crate::sync::Tally;
use crate::word::{OWNER_LIMIT, Taken};
use crate::{heaps, region, sources, supply};
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering, compiler_fence};

/// Entries of the direct table: one per multiple of 16 bytes up to [`SMALL_MAX`].
pub const DIRECT: usize = SMALL_MAX / 16 + 1;

/// A pageblock without blocks, so that the fast path need not ask whether there is a pageblock. Never written to.
struct Empty(UnsafeCell<MaybeUninit<Page>>);
// SAFETY: it is only read.
unsafe impl Sync for Empty {}
static EMPTY: Empty = Empty(UnsafeCell::new(MaybeUninit::zeroed()));

/// The pageblock that stands for none in [`Heap::direct`].
#[inline]
pub fn empty() -> *mut Stock {
    EMPTY.0.get().cast()
}

/// The beginning of a [`Heap`] that is always busy and owns nothing: what the fast paths find in a thread without a heap, so that
/// they need not ask whether there is one. Never written to.
#[repr(C, align(64))]
pub struct Nobody {
    busy: AtomicU32,
    fast_id: u64,
}

/// See [`Nobody`].
pub static NOBODY: Nobody = Nobody {
    busy: AtomicU32::new(1),
    fast_id: !0,
};

/// [`NOBODY`] as the fast paths have it.
#[inline(always)]
pub fn nobody() -> *mut Heap {
    (&raw const NOBODY).cast_mut().cast()
}

const _: () = assert!(
    core::mem::offset_of!(Heap, busy) == core::mem::offset_of!(Nobody, busy)
        && core::mem::offset_of!(Heap, fast_id) == core::mem::offset_of!(Nobody, fast_id)
);

/// A list of pageblocks.
#[repr(C)]
pub struct PageList {
    /// The first.
    pub head: *mut Page,
    /// The last.
    pub tail: *mut Page,
}

impl PageList {
    /// Adds a pageblock at the end. Owner only, as all of these.
    pub unsafe fn push_back(&mut self, page: *mut Page) {
        // SAFETY: the pageblocks of a list belong to the caller's heap.
        unsafe {
            (*page).next = ptr::null_mut();
            (*page).prev = self.tail;
            if self.tail.is_null() {
                self.head = page;
            } else {
                (*self.tail).next = page;
            }
        }
        self.tail = page;
    }

    unsafe fn remove(&mut self, page: *mut Page) {
        // SAFETY: as above.
        unsafe {
            let (next, prev) = ((*page).next, (*page).prev);
            if prev.is_null() {
                self.head = next;
            } else {
                (*prev).next = next;
            }
            if next.is_null() {
                self.tail = prev;
            } else {
                (*next).prev = prev;
            }
        }
    }
}

/// The pageblocks of one owner. Zeroed memory plus [`Heap::make`] is an empty heap.
#[repr(C, align(64))]
pub struct Heap {
    /// Whether an operation of the owner is under way: see [`Heap::enter`].
    busy: AtomicU32,
    /// `id`, or an id that no pageblock has if every operation is to take the slow path.
    pub fast_id: u64,
    /// The id: what the words of its pageblocks name as owner.
    pub id: u64,
    /// What to take a block of each small size from, by size in grains.
    pub direct: [*mut Stock; DIRECT],
    /// The pageblocks of each class that may have a block to give.
    pub bins: [PageList; CLASSES],
    /// The full pageblocks.
    pub full: PageList,
    /// Free slices kept, by number.
    cache: [u32; CACHE_SLOTS],
    cached: u32,
    /// Slow paths taken, and announcements made, since somebody looked around.
    pub ticks: u32,
    /// Announcements made to heaps that nobody owns.
    pub orphaned: u32,
    /// One of these heaps, which is to be seen to; 0: none is.
    pub orphan: u32,
    /// Whether what is well used in it is to be taken over then.
    pub takes_over: bool,
    /// Where among the vacant heaps to look for a pageblock next, in words of the registry.
    pub searched: u32,
    /// Which of the vacant heaps is to be seen to next (`adopt::tend_some`).
    pub tended: u32,
    /// Times that kept blocks of others became enough to be handed out.
    pub turns: u32,
    /// Bytes of memory in pageblocks that are not watched for becoming empty, as of when that was decided.
    kept: usize,
    /// What closed pageblocks of each class allocated in their time. All of it was freed.
    pub closed: [Tally; CLASSES],
    /// Blocks of other heaps kept to be handed out again.
    pub foreign: [Foreign; CLASSES],
    /// What this heap did.
    pub counts: Counts,
}

const _: () = assert!(size_of::<Heap>() <= heaps::HEAP_STRIDE);
const _: () = assert!(config::HEAPS as u64 <= OWNER_LIMIT);

/// The heap with an id that was given out.
#[inline]
pub fn heap(id: u64) -> *mut Heap {
    heaps::memory(id as usize).cast()
}

impl Heap {
    /// Fills in a heap made from zeroed memory.
    ///
    /// # Safety
    /// The caller owns the heap `id` and it is all zeroes.
    pub unsafe fn make(id: u64) -> *mut Heap {
        let this = heap(id);
        // SAFETY: the caller owns it.
        unsafe {
            (*this).fast_id = if config::HARDENED.get() != 0 { !0 } else { id };
            (*this).direct = [empty(); DIRECT];
            // Last: the child of a fork takes what has an id to be whole.
            compiler_fence(Ordering::SeqCst);
            (*this).id = id;
        }
        this
    }

    /// Begins an operation of the owner. `false` if one is under way already: then the caller is a signal handler, or was
    /// left by one that never returned, and must do without this heap. Every operation that changes what only the owner may
    /// change comes between this and [`Heap::exit`].
    ///
    /// Plain loads and stores are enough, because a handler that comes between them has exited again before they go on.
    ///
    /// # Safety
    /// The caller owns the heap. So in all functions below.
    #[inline(always)]
    pub unsafe fn enter(this: *mut Heap) -> bool {
        // SAFETY: heaps are never deallocated.
        let busy = unsafe { &(*this).busy };
        // Relaxed: read by others in the child of a fork only, when there are no others.
        if busy.load(Ordering::Relaxed) != 0 {
            return false;
        }
        busy.store(1, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        true
    }

    /// Ends what [`Heap::enter`] began.
    #[inline(always)]
    pub unsafe fn exit(this: *mut Heap) {
        compiler_fence(Ordering::SeqCst);
        // SAFETY: heaps are never deallocated.
        unsafe { (*this).busy.store(0, Ordering::Relaxed) };
    }

    /// Ends what [`Heap::enter`] began, for good: a heap without pageblocks may give its memory back, and is to be made again.
    pub unsafe fn retire(this: *mut Heap) {
        // SAFETY: the caller owns the heap.
        unsafe {
            let id = (*this).id as usize;
            Heap::exit(this);
            if id >= heaps::WARM {
                let past = Heap::past(this);
                if heaps::retire(id) {
                    counts::keep(&past);
                }
            }
        }
    }

    /// What a heap without pageblocks did: all that was allocated in it was freed.
    unsafe fn past(this: *mut Heap) -> Past {
        // SAFETY: the caller owns the heap.
        unsafe {
            Past {
                classes: core::array::from_fn(|i| {
                    (*this).closed[i].get() + (*this).foreign[i].stock.allocs.get()
                }),
                counts: (*this).counts.numbers(),
            }
        }
    }

    /// Whether [`Heap::make`] has been here since its memory was zeroes.
    pub unsafe fn is_made(this: *mut Heap) -> bool {
        // SAFETY: the memory is there.
        unsafe { (*this).id != 0 }
    }

    /// Whether an operation is under way.
    pub unsafe fn is_busy(this: *mut Heap) -> bool {
        // SAFETY: heaps are never deallocated.
        unsafe { (*this).busy.load(Ordering::Relaxed) != 0 }
    }

    /// The first pageblock of a class's list, if it has a free block or can be made to have one; null: there is none.
    pub unsafe fn first_with_block(this: *mut Heap, class: usize) -> *mut Page {
        // SAFETY: the caller owns the heap.
        unsafe {
            loop {
                let page = (*this).bins[class].head;
                if page.is_null() || !(*page).free.is_null() {
                    return page;
                }
                if (*page).shared.word.view().count() > 0 {
                    Heap::collect(this, page);
                } else if Page::extent(page) < (*page).capacity {
                    Page::extend(page);
                } else {
                    Heap::to_full(this, page);
                    continue;
                }
                return page;
            }
        }
    }

    /// Takes the remotely freed blocks of a pageblock.
    pub unsafe fn collect(this: *mut Heap, page: *mut Page) {
        // SAFETY: the caller owns the heap and the pageblock.
        unsafe {
            let taken = (*page).shared.word.take();
            Heap::collected(this, page, taken);
        }
    }

    /// The remote list of a pageblock was taken.
    pub unsafe fn collected(this: *mut Heap, page: *mut Page, taken: Taken) {
        // SAFETY: the caller owns the heap and the pageblock.
        unsafe {
            (*this).counts.collected.add(u64::from(taken.count));
            Page::collect(page, taken);
            if (*page).list == List::Class && (*page).watch != WATCH_NEVER {
                (*page).watch = WATCH_EMPTY;
            }
        }
    }

    /// Opens a pageblock of a class. `false` if there is no memory.
    pub unsafe fn open_page(this: *mut Heap, class: usize) -> bool {
        let slices = Page::slices_for(class);
        // SAFETY: the caller owns the heap; the slices are claimed or from its cache.
        unsafe {
            let (start, found) = if slices == 1 && (*this).cached > 0 {
                (*this).cached -= 1;
                ((*this).cache[(*this).cached as usize] as usize, SLICE)
            } else {
                match sources::claim(slices, SLICE, 1) {
                    Some(s) => (s.start, s.dirty * SLICE),
                    None => return false,
                }
            };
            if config::HARDENED.get() != 0 {
                // Hardened mode expects of fresh blocks that they are zero.
                ptr::write_bytes(region::slice_start(start), 0, slices * SLICE);
            }
            let page = Page::of_slice(start);
            Page::open(page, class, slices, found, (*this).id);
            (*this).counts.opened.add(1);
            Heap::to_class(this, page);
        }
        true
    }

    /// Puts a pageblock that is in no list at the end of its class's.
    pub unsafe fn to_class(this: *mut Heap, page: *mut Page) {
        // SAFETY: the caller owns the heap and the pageblock.
        unsafe {
            let class = (*page).class as usize;
            (*page).list = List::Class;
            (*page).watch = WATCH_EMPTY;
            (*this).bins[class].push_back(page);
            if (*this).bins[class].head == page {
                Heap::set_direct(this, class);
            }
        }
    }

    unsafe fn to_full(this: *mut Heap, page: *mut Page) {
        // SAFETY: the caller owns the heap and the pageblock.
        unsafe {
            Heap::unlink(this, page);
            (*page).list = List::Full;
            (*page).watch = WATCH_ALWAYS;
            (*this).full.push_back(page);
        }
    }

    /// Takes a pageblock out of its list.
    pub unsafe fn unlink(this: *mut Heap, page: *mut Page) {
        // SAFETY: the caller owns the heap and the pageblock.
        unsafe {
            if (*page).watch == WATCH_NEVER {
                (*this).kept -= Heap::weight(page).min((*this).kept);
            }
            match (*page).list {
                List::Class => {
                    let class = (*page).class as usize;
                    let first = (*this).bins[class].head == page;
                    (*this).bins[class].remove(page);
                    if first {
                        Heap::set_direct(this, class);
                    }
                }
                List::Full => (*this).full.remove(page),
                List::None => {}
            }
            (*page).list = List::None;
        }
    }

    /// Makes the fast path take blocks of a class from its first pageblock.
    pub unsafe fn set_direct(this: *mut Heap, class: usize) {
        // SAFETY: the caller owns the heap.
        unsafe {
            let head = (*this).bins[class].head;
            let hardened = (*this).fast_id != (*this).id;
            let stock = if head.is_null() || hardened {
                empty()
            } else {
                head.cast()
            };
            Heap::direct_to(this, class, stock);
        }
    }

    /// Makes the fast path take blocks of a class from `stock`, if there is a fast path for the class.
    pub unsafe fn direct_to(this: *mut Heap, class: usize, stock: *mut Stock) {
        if class >= DIRECT_CLASSES {
            return;
        }
        // Size 0 is served like 1.
        let low = if class == 0 {
            0
        } else {
            size_of_class(class - 1) / 16 + 1
        };
        for i in low..=size_of_class(class) / 16 {
            // SAFETY: the caller owns the heap; the sizes of these classes have entries.
            unsafe { *(*this).direct.get_unchecked_mut(i) = stock };
        }
    }

    /// Bytes of memory that a pageblock keeps while it is open: also what was there before. That counts half, because closing such
    /// a pageblock most often only hands its memory to the next one.
    fn weight(page: *const Page) -> usize {
        // SAFETY: the callers own the pageblock.
        unsafe { Page::linked(page).max((*page).found as usize / 2) }
    }

    /// Decides about an empty pageblock in its class's list: the last one is kept, within bounds; others are closed.
    pub unsafe fn emptied(this: *mut Heap, page: *mut Page) {
        // SAFETY: the caller owns the heap and the pageblock.
        unsafe {
            let bin = &(*this).bins[(*page).class as usize];
            let only = bin.head == page && bin.tail == page;
            if (*page).shared.word.view().queued() {
                // Invariant 3. It will be looked at again when it is found in the inbox.
                return;
            }
            if only && (*this).kept + Heap::weight(page) <= config::THREAD_CACHE.get() {
                (*page).watch = WATCH_NEVER;
                (*this).kept += Heap::weight(page);
            } else {
                Heap::close(this, page);
            }
        }
    }

    /// Looks through the pageblocks that are kept: those in use are watched again, those that nobody used since the last
    /// time are closed.
    pub unsafe fn sweep(this: *mut Heap) {
        let mut kept = 0;
        for class in 0..CLASSES {
            // SAFETY: the caller owns the heap. A kept pageblock is the first of its list: it was alone when it became kept.
            unsafe {
                let page = (*this).bins[class].head;
                if page.is_null() || (*page).watch != WATCH_NEVER {
                    continue;
                }
                if (*page).shared.word.view().count() > 0 {
                    Heap::collect(this, page);
                }
                let now = (*page).allocs.get() as u8;
                if Page::live(page) > 0 {
                    (*page).watch = WATCH_EMPTY;
                } else if (*page).swept == now && !(*page).shared.word.view().queued() {
                    // In one of 256 cases it was used after all: a pageblock is opened for nothing.
                    Heap::close(this, page);
                } else {
                    (*page).swept = now;
                    kept += Heap::weight(page);
                }
            }
        }
        // SAFETY: the caller owns the heap.
        unsafe {
            // Added up afresh, because kept pageblocks grow when they are used.
            (*this).kept = kept;
        }
    }

    /// Turns an empty, unannounced pageblock back into slices, and gives these to the cache or to everybody.
    pub unsafe fn close(this: *mut Heap, page: *mut Page) {
        // SAFETY: the caller owns the heap and the pageblock, of which no block is in use.
        unsafe {
            Heap::unlink(this, page);
            (*this).closed[(*page).class as usize].add((*page).allocs.get());
            let (start, slices) = (Page::slice(page), usize::from((*page).slices));
            // Hardened mode wrote to all of it.
            let touched = match config::HARDENED.get() {
                0 => Page::linked(page).div_ceil(SLICE),
                _ => slices,
            };
            Page::close(page);
            let room = (config::THREAD_CACHE.get() / 2 / SLICE).min(CACHE_SLOTS);
            if slices == 1 && ((*this).cached as usize) < room {
                (*this).cache[(*this).cached as usize] = start as u32;
                (*this).cached += 1;
            } else {
                supply::release(start, slices, touched);
            }
        }
    }

    /// Gives the cached slices to everybody.
    pub unsafe fn flush_cache(this: *mut Heap) {
        // SAFETY: the caller owns the heap, and so the slices in its cache.
        unsafe {
            while (*this).cached > 0 {
                (*this).cached -= 1;
                supply::release((*this).cache[(*this).cached as usize] as usize, 1, 1);
            }
        }
    }

    /// Says which classes others find a pageblock of here when nobody owns the heap.
    pub unsafe fn offer(this: *mut Heap) {
        // SAFETY: the caller owns the heap.
        unsafe {
            let bins = &(*this).bins;
            heaps::offers((*this).id as usize).set(|class| !bins[class].head.is_null());
        }
    }

    /// Calls `f` with every pageblock of the heap.
    pub unsafe fn each_page(this: *mut Heap, mut f: impl FnMut(*mut Page)) {
        // SAFETY: the caller owns the heap; `f` may unlink the pageblock it is called with.
        unsafe {
            for i in 0..=CLASSES {
                let mut page = if i < CLASSES {
                    (*this).bins[i].head
                } else {
                    (*this).full.head
                };
                while !page.is_null() {
                    let next = (*page).next;
                    f(page);
                    page = next;
                }
            }
        }
    }
}
