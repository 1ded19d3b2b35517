//! The operations: allocate, free, resize, ask for the size. Everything the crate offers to Rust and to C goes through here.
//!
//! The fast paths are all in this file. An allocation of a small size reads the thread's heap, the pageblock for the
//! size, its first free block and that block's link. A free computes the descriptor from the address, compares its owner
//! with the thread's heap, checks that a block starts there, and links it. Neither makes an atomic read-modify-write.
//!
//! The slow paths have the C calling convention, because functions that have it do not unwind: so the fast paths can jump to them
//! and need no stack frame.
//!
//! None of these functions allocates otherwise, takes a lock, waits for another thread or touches `errno`.

use crate::classes::{GRAIN, MEDIUM_MAX, SMALL_MAX, class_aligned, class_of, size_of_class};
use crate::config::{self, SLICE};
use crate::fault::{self, Fault};
use crate::foreign::{self, Kept};
use crate::heap::Heap;
use crate::page::{Block, Kind, Page};
use crate::region::{self, Place};
use crate::{adopt, hardened, large, reserve, slow, supply, thread};
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

/// Allocates `size` bytes aligned to 16. Null if there is no memory.
#[inline(always)]
pub fn allocate(size: usize) -> *mut u8 {
    let block = allocate_fast(size);
    if block.is_null() {
        return allocate_slow(size);
    }
    block
}

/// The fast path of [`allocate`]: null if it has to be the slow one. Apart from it so that the C function needs no stack frame.
#[inline(always)]
pub fn allocate_fast(size: usize) -> *mut u8 {
    let heap = thread::heap_or_nobody();
    // SAFETY: the heap of a thread is its own, and so are the pageblocks in it; nobody's cannot be entered. The index is in
    // bounds because of the size. Invariant 4 of heaps: the entry is a pageblock.
    unsafe {
        if size > SMALL_MAX || !Heap::enter(heap) {
            return ptr::null_mut();
        }
        let page = *(*heap).direct.get_unchecked(size.div_ceil(GRAIN));
        let block = (*page).free;
        if !block.is_null() {
            let next = (*block).next;
            (*page).free = next;
            (*page).allocs.add(1);
            // The next allocation reads the link in it, which may lie in the cache of another thread that freed it.
            prefetch(next);
        }
        Heap::exit(heap);
        block.cast()
    }
}

/// Asks for a cache line; any address will do.
#[inline(always)]
fn prefetch(p: *const Block) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching reads nothing that the program could see.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(p.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}

/// What [`allocate`] does if [`allocate_fast`] gave nothing.
#[cold]
#[inline(never)]
pub extern "C" fn allocate_slow(size: usize) -> *mut u8 {
    let p = look_for(size);
    if p.is_null() && size <= MEDIUM_MAX {
        reserve::exhausted();
    }
    p
}

/// Memory that the fast path has not found; null if there is none, which nobody is told.
fn look_for(size: usize) -> *mut u8 {
    if size > MEDIUM_MAX {
        return allocate_large(size, SLICE).0;
    }
    allocate_class(class_of(size))
}

fn allocate_class(class: usize) -> *mut u8 {
    // SAFETY: the heap is the caller's.
    let block = thread::with_heap(|heap| unsafe { slow::allocate(heap, class) });
    match block {
        Some(block) if block.is_null() => allocate_scarce(class),
        Some(block) => allocated(block, class),
        // No heap is to be had, but there may be memory.
        None => allocate_large(size_of_class(class), SLICE).0,
    }
}

/// Memory for a class where there is none for a pageblock of it: a run for itself alone if that is shorter, or a block of a larger class.
#[cold]
#[inline(never)]
fn allocate_scarce(class: usize) -> *mut u8 {
    if Page::slices_for(class) > 1 {
        let (p, _) = allocate_large(size_of_class(class), SLICE);
        if !p.is_null() {
            return p;
        }
    }
    // SAFETY: the heap is the caller's.
    let found = thread::with_heap(|heap| unsafe { slow::allocate_larger(heap, class) });
    let (block, class) = found.unwrap_or((ptr::null_mut(), class));
    allocated(block, class)
}

/// A block that was just taken out of its pageblock's free list, as the user gets it.
#[inline]
fn allocated(block: *mut Block, class: usize) -> *mut u8 {
    if config::HARDENED.get() != 0 && !block.is_null() {
        // SAFETY: the block is the caller's.
        return unsafe { hardened::allocated(block.cast(), size_of_class(class)) };
    }
    block.cast()
}

fn allocate_large(size: usize, align: usize) -> (*mut u8, bool) {
    if !region::initialise() {
        return (ptr::null_mut(), false);
    }
    let heap = thread::heap();
    // SAFETY: the heap of a thread is its own.
    unsafe {
        if !heap.is_null() && Heap::enter(heap) {
            (*heap).counts.large.add(1);
            Heap::exit(heap);
        }
    }
    large::allocate(size, align)
}

/// Allocates `size` bytes of zeroes, aligned to 16. Null if there is no memory.
pub fn allocate_zeroed(size: usize) -> *mut u8 {
    if size > MEDIUM_MAX {
        let (p, zero) = allocate_large(size, SLICE);
        if !zero && !p.is_null() {
            // SAFETY: just allocated with at least this size.
            unsafe { ptr::write_bytes(p, 0, size) };
        }
        return p;
    }
    let p = allocate(size);
    if !p.is_null() {
        // SAFETY: as above.
        unsafe { ptr::write_bytes(p, 0, size) };
    }
    p
}

/// Allocates `size` bytes aligned to `align`, a power of two. Null if there is no memory.
pub fn allocate_aligned(size: usize, align: usize) -> *mut u8 {
    debug_assert!(align.is_power_of_two());
    if align <= GRAIN {
        return allocate(size);
    }
    if align <= SLICE
        && let Some(class) = class_aligned(size.max(1), align)
    {
        let size = size_of_class(class);
        return if size <= SMALL_MAX {
            allocate(size)
        } else {
            allocate_class(class)
        };
    }
    allocate_large(size, align.max(SLICE)).0
}

/// Frees a block. Null is allowed and does nothing.
///
/// # Safety
/// `p` came from a function of this file, has not been freed since, and is not used any more. (Violations are reported
/// where they are noticed.)
#[inline(always)]
pub unsafe fn free(p: *mut u8) {
    let Some(place) = region::place(p) else {
        return foreign(p);
    };
    let page = Page::of_slice(place.slice());
    let heap = thread::heap_or_nobody();
    // SAFETY: descriptors below the limit always exist. A pageblock owned by the thread's heap is the thread's own; nobody's
    // owns none and cannot be entered.
    unsafe {
        if Page::is_start(page, place.offset % SLICE) {
            let owner = (*page).shared.word.view().owner();
            if owner == (*heap).fast_id {
                if Heap::enter(heap) {
                    return free_local(heap, page, p.cast());
                }
            } else if owner != 0 {
                // Only open pageblocks have an owner, so there is a class.
                let class = (*page).shared.class.load(Relaxed) as usize;
                if config::HARDENED.get() == 0 && Heap::enter(heap) {
                    return free_foreign(heap, class, p.cast());
                }
            }
        }
        free_slow(p);
    }
}

/// Frees a block of a pageblock of `heap`, which the caller has entered, and exits it.
#[inline(always)]
unsafe fn free_local(heap: *mut Heap, page: *mut Page, block: *mut Block) {
    // SAFETY: the caller owns the heap and the pageblock, and the block is one of its blocks.
    unsafe {
        let next = (*page).free;
        if next == block {
            Heap::exit(heap);
            return free_again(block);
        }
        (*block).next = next;
        (*page).free = block;
        (*page).frees.add(1);
        if Page::live(page) <= (*page).watch {
            return free_watched(heap, page, block);
        }
        Heap::exit(heap);
    }
}

/// The end of a local free that is to be noticed.
#[cold]
#[inline(never)]
unsafe extern "C" fn free_watched(heap: *mut Heap, page: *mut Page, block: *mut Block) {
    // SAFETY: the caller owns the heap and the pageblock, whose first free block is `block`.
    unsafe {
        let fine = slow::watched(heap, page);
        if !fine {
            // More frees than allocations: this one or an earlier one was too many. Taken back.
            (*page).free = (*block).next;
            (*page).frees.add(u64::MAX);
        }
        Heap::exit(heap);
        if !fine {
            fault::report(Fault::DoubleFree, block);
        }
    }
}

/// Keeps a block of another heap in `heap`, which the caller has entered, and exits it.
#[inline(always)]
unsafe fn free_foreign(heap: *mut Heap, class: usize, block: *mut Block) {
    // SAFETY: the caller owns the heap and had the block.
    unsafe {
        match foreign::keep(heap, class, block) {
            Kept::Few => Heap::exit(heap),
            Kept::Many => free_many(heap, class),
            Kept::Already => {
                Heap::exit(heap);
                free_again(block);
            }
        }
    }
}

/// The end of a foreign free that made the kept blocks many.
#[cold]
#[inline(never)]
unsafe extern "C" fn free_many(heap: *mut Heap, class: usize) {
    // SAFETY: the caller owns the heap and has entered it.
    unsafe {
        foreign::many(heap, class);
        slow::upkeep(heap);
        Heap::exit(heap);
    }
}

#[cold]
#[inline(never)]
extern "C" fn free_again(block: *mut Block) {
    fault::report(Fault::DoubleFree, block);
}

#[cold]
#[inline(never)]
extern "C" fn foreign(p: *mut u8) {
    if !p.is_null() {
        fault::report(Fault::InvalidPointer, p);
    }
}

/// Frees a block whose size as asked for is known; hardened mode checks it.
///
/// # Safety
/// As for [`free`].
#[inline(always)]
pub unsafe fn free_sized(p: *mut u8, size: usize) {
    if config::HARDENED.get() != 0 && !p.is_null() && size > usable_size(p) {
        return fault::report(Fault::WrongSize, p);
    }
    // SAFETY: the caller's promise.
    unsafe { free(p) }
}

/// Collects what other threads freed of this thread's blocks and of those of threads that have ended, and gives all free memory back to the system; returns the
/// bytes of the latter.
pub fn trim() -> usize {
    let before = supply::usage().purged;
    let heap = thread::heap();
    // SAFETY: the heap of a thread is its own.
    unsafe {
        if !heap.is_null() && Heap::enter(heap) {
            adopt::trim(heap);
            slow::upkeep(heap);
            Heap::exit(heap);
        }
    }
    adopt::tend_all();
    supply::purge(0);
    supply::usage().purged - before
}

/// For a thread that is about to wait, or has something longer to do: gives back what threads that have ended have left, if others have freed much of it.
/// Next to nothing to do otherwise.
#[inline]
pub fn settle() {
    adopt::settle();
}

/// What an address is the start of.
enum Found {
    /// A block of this pageblock.
    Block(*mut Page),
    /// The large object with this descriptor.
    Large(*mut Page),
    /// Nothing.
    Nothing,
}

/// Looks up an address of the region.
fn find(place: Place) -> Found {
    let mut page = Page::of_slice(place.slice());
    // SAFETY: descriptors below the limit always exist; if the kind says that there is a pageblock, and the caller has a
    // block of it, it stays open.
    unsafe {
        match (*page).shared.kind() {
            Kind::Nothing => return Found::Nothing,
            Kind::Large if place.offset.is_multiple_of(SLICE) => return Found::Large(page),
            Kind::Large => return Found::Nothing,
            Kind::Inside => page = Page::first(page),
            Kind::Blocks => {}
        }
        let offset = place.offset - Page::slice(page) * SLICE;
        if Page::is_start(page, offset) {
            Found::Block(page)
        } else {
            Found::Nothing
        }
    }
}

/// Frees what the fast path did not: blocks of others, blocks beyond the first slice of a pageblock, large objects,
/// everything in hardened mode, in a signal handler that interrupted an operation, and what is no block at all.
#[cold]
#[inline(never)]
unsafe extern "C" fn free_slow(p: *mut u8) {
    let Some(place) = region::place(p) else {
        return foreign(p);
    };
    // SAFETY: the caller's promise; see `find`.
    unsafe {
        match find(place) {
            Found::Nothing => fault::report(Fault::InvalidPointer, p),
            Found::Large(page) => {
                if !large::free(page) {
                    fault::report(Fault::DoubleFree, p);
                }
            }
            Found::Block(page) => {
                if config::HARDENED.get() != 0
                    && let Err(f) = hardened::freed(p, block_size(page))
                {
                    return fault::report(f, p);
                }
                let heap = thread::heap();
                let owner = (*page).shared.word.view().owner();
                if !heap.is_null() && owner == (*heap).id && Heap::enter(heap) {
                    return free_local(heap, page, p.cast());
                }
                free_remote(page, p.cast());
            }
        }
    }
}

/// Frees a block of a pageblock that another heap owns, or that the caller's owns but is busy: small ones are kept to be handed
/// out again, or sent home later.
unsafe fn free_remote(page: *mut Page, block: *mut Block) {
    let mut own = thread::heap();
    if own.is_null() {
        own = thread::attach();
    }
    // SAFETY: the heap of a thread is its own; the block is the caller's and of this pageblock.
    unsafe {
        if !own.is_null() && !Heap::enter(own) {
            own = ptr::null_mut();
        }
        let class = (*page).shared.class.load(Relaxed) as usize;
        if !own.is_null() && config::HARDENED.get() == 0 {
            return free_foreign(own, class, block);
        }
        let again = (*page).shared.word.view().head() == Page::position(page, block);
        if own.is_null() {
            if !again && let Some(vacant) = foreign::push_alone(page, block) {
                adopt::tend_to(vacant);
            }
        } else {
            if !again {
                foreign::push(own, page, block, block, 1);
                slow::upkeep(own);
            }
            Heap::exit(own);
        }
        if again {
            free_again(block);
        }
    }
}

/// The size of the blocks of an open pageblock.
fn block_size(page: *const Page) -> usize {
    // SAFETY: descriptors below the limit always exist.
    size_of_class(unsafe { (*page).shared.class.load(Relaxed) } as usize)
}

/// The bytes that may be used of a block: at least what was asked for. 0 for null and for what is no block.
pub fn usable_size(p: *const u8) -> usize {
    match region::place(p).map(find) {
        Some(Found::Block(page)) => block_size(page),
        // SAFETY: descriptors always exist.
        Some(Found::Large(page)) => unsafe { (*page).shared.bytes.load(Relaxed) },
        _ => 0,
    }
}

/// Resizes a block to `size` bytes, keeping its contents up to the lesser size; it may move. Null if there is no memory,
/// and then the block is as it was. A null `p` is an allocation.
///
/// # Safety
/// As for [`free`], except that it may be null. The alignment of the result is 16.
pub unsafe fn resize(p: *mut u8, size: usize) -> *mut u8 {
    if p.is_null() {
        return allocate(size);
    }
    let Some(place) = region::place(p) else {
        fault::report(Fault::InvalidPointer, p);
        return ptr::null_mut();
    };
    // SAFETY: the caller's promise; see `find`.
    unsafe {
        let usable = match find(place) {
            Found::Nothing => {
                fault::report(Fault::InvalidPointer, p);
                return ptr::null_mut();
            }
            Found::Block(page) => {
                let usable = block_size(page);
                if config::HARDENED.get() != 0 && !hardened::in_use(p) {
                    fault::report(Fault::DoubleFree, p);
                    return ptr::null_mut();
                }
                if size <= usable && (size > usable / 2 || usable <= 4 * GRAIN) {
                    return p;
                }
                usable
            }
            Found::Large(page) => {
                if size > MEDIUM_MAX
                    && let Some(moved) = large::resize(page, size)
                {
                    return moved;
                }
                (*page).shared.bytes.load(Relaxed)
            }
        };
        let mut new = if size > usable {
            allocate(size)
        } else {
            allocate_fast(size)
        };
        if new.is_null() && size <= usable {
            new = look_for(size);
            if new.is_null() {
                // Shrinking never fails.
                return p;
            }
        }
        if new.is_null() {
            return new;
        }
        ptr::copy_nonoverlapping(p, new, usable.min(size));
        free(p);
        new
    }
}
