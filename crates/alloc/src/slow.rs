//! The slow paths of allocation and local free: where a heap gets blocks from when its lists have none, and what is done now and then.
//!
//! ```text
//!   allocate:  kept blocks of others --none--> first pageblock of the class --none--> inbox --none--> a vacant heap --none--> a new pageblock
//! ```
//!
//! Owner of the heap only, who has entered it. What is due comes at the beginning or the end of an operation ([`upkeep`]), never in its midst.

use crate::classes::{CLASSES, size_of_class};
use crate::config::INBOX_PERIOD;
use crate::heap::Heap;
use crate::kept::{DIRECT_CLASSES, Foreign};
use crate::page::{Block, List, Page, Stock};
use crate::{adopt, announce, foreign, supply};
use core::ptr;

/// Takes a block of a class. Null if there is no memory.
pub unsafe fn allocate(this: *mut Heap, class: usize) -> *mut Block {
    // SAFETY: the caller owns the heap, and so the pageblocks in its lists.
    unsafe {
        // The list the fast path found empty, if there is one, was that of the pageblock, or that of the kept blocks.
        let stock = (&raw mut (*this).foreign[class]).cast::<Stock>();
        let block = (*stock).free;
        if !block.is_null() {
            Heap::direct_to(this, class, stock);
            (*stock).free = (*block).next;
            (*stock).allocs.add(1);
            return block;
        }
        if class < DIRECT_CLASSES && (*this).direct[size_of_class(class) / 16] == stock {
            Foreign::emptied(stock.cast(), class);
            Heap::set_direct(this, class);
        }
        let mut page = (*this).bins[class].head;
        if page.is_null() || (*page).free.is_null() {
            page = find(this, class);
            if page.is_null() {
                return ptr::null_mut();
            }
        }
        let block = (*page).free;
        (*page).free = (*block).next;
        (*page).allocs.add(1);
        block
    }
}

/// Takes a block of a larger class that the heap has a free one of: the block and its class. Null if there is none.
#[cold]
pub unsafe fn allocate_larger(this: *mut Heap, class: usize) -> (*mut Block, usize) {
    // SAFETY: the caller owns the heap, and so the pageblocks in its lists.
    unsafe {
        for larger in class + 1..CLASSES {
            let page = Heap::first_with_block(this, larger);
            if !page.is_null() {
                let block = (*page).free;
                (*page).free = (*block).next;
                (*page).allocs.add(1);
                return (block, larger);
            }
        }
        (ptr::null_mut(), class)
    }
}

/// The first pageblock of the class's list, after making sure that it has a free block. Null if there is no memory.
#[cold]
unsafe fn find(this: *mut Heap, class: usize) -> *mut Page {
    // SAFETY: the caller owns the heap.
    unsafe {
        tick(this);
        loop {
            let page = Heap::first_with_block(this, class);
            if !page.is_null() {
                return page;
            }
            if announce::sort_inbox(this) && !(*this).bins[class].head.is_null() {
                continue;
            }
            if adopt::adopt_one(this, class) {
                continue;
            }
            if !Heap::open_page(this, class) {
                return ptr::null_mut();
            }
        }
    }
}

/// Part of the slow paths that open or sort pageblocks: counts them, for [`upkeep`].
///
/// # Safety
/// The caller owns the heap. So in all functions here.
#[inline]
unsafe fn tick(this: *mut Heap) {
    // SAFETY: the caller owns the heap.
    unsafe {
        (*this).ticks += 1;
        upkeep(this);
    }
}

/// Does what is due: looks into the inbox now and then, so that a thread that only
/// frees, or always has free blocks, collects too; after memory that was retained for long; after a vacant heap that was freed into.
#[inline]
pub unsafe fn upkeep(this: *mut Heap) {
    // SAFETY: the caller owns the heap.
    unsafe {
        if (*this).ticks >= INBOX_PERIOD {
            look_around(this);
        }
        if (*this).orphan != 0 {
            adopt::tend(this);
        }
    }
}

/// What [`upkeep`] does now and then.
#[cold]
#[inline(never)]
unsafe fn look_around(this: *mut Heap) {
    // SAFETY: the caller owns the heap.
    unsafe {
        (*this).ticks = 0;
        announce::sort_inbox(this);
        Heap::sweep(this);
        foreign::sweep(this);
        adopt::tend_some(this);
        supply::idle();
    }
}

/// After a local free that left the watched number of blocks allocated, or less. `false` if more blocks were freed
/// than allocated; nothing was done then.
#[cold]
#[inline(never)]
pub unsafe fn watched(this: *mut Heap, page: *mut Page) -> bool {
    // SAFETY: the caller owns the heap and the pageblock.
    unsafe {
        let live = Page::live(page);
        if live < 0 {
            return false;
        }
        if (*page).list == List::Full {
            Heap::unlink(this, page);
            Heap::to_class(this, page);
        }
        let remote = (*page).shared.word.view();
        if live > 0 && live == i64::from(remote.count()) && !remote.queued() {
            Heap::collect(this, page);
        }
        if Page::live(page) == 0 {
            Heap::emptied(this, page);
        }
        tick(this);
    }
    true
}
