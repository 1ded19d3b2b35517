//! The checker: the equations of the allocator, evaluated over all it has.
//!
//! For tests, and for programs that suspect their own memory: it walks every free list of the calling thread's heap and
//! of the vacant heaps. Other threads may go on meanwhile, and free into these: a remote list only grows at its head until
//! its owner takes it, so from the head that was seen it is as long as the count that was seen with it.

use crate::classes::CLASSES;
use crate::heap::Heap;
use crate::page::{Kind, List, Page, WATCH_ALWAYS, WATCH_NEVER};
use crate::{adopt, heaps, region, thread};

/// Checks the calling thread's heap and all vacant heaps, pageblock by pageblock. Returns how many pageblocks were checked,
/// or what is wrong.
pub fn verify() -> Result<usize, &'static str> {
    let mut checked = 0;
    let own = thread::heap();
    // SAFETY: the heap of a thread is its own.
    if !own.is_null() && unsafe { Heap::enter(own) } {
        // SAFETY: as above.
        let result = unsafe { verify_heap(own) };
        // SAFETY: entered above.
        unsafe { Heap::exit(own) };
        checked += result?;
    }
    for id in 1..heaps::made() {
        if heaps::registry().is_vacant(id)
            && let Some(heap) = adopt::claim(id)
        {
            // SAFETY: claimed.
            let result = unsafe { verify_offers(heap).and_then(|()| verify_heap(heap)) };
            // SAFETY: claimed, and not used afterwards.
            unsafe { adopt::vacate(heap) };
            checked += result?;
        }
    }
    Ok(checked)
}

/// Checks a heap that the caller owns.
unsafe fn verify_heap(heap: *mut Heap) -> Result<usize, &'static str> {
    let mut result = Ok(0);
    // SAFETY: the caller owns the heap.
    unsafe {
        Heap::each_page(heap, |page| {
            if let Ok(n) = result {
                result = verify_page(heap, page).map(|()| n + 1);
            }
        });
    }
    result
}

/// Checks what a heap that was vacant said about itself.
unsafe fn verify_offers(heap: *mut Heap) -> Result<(), &'static str> {
    // SAFETY: the caller owns the heap.
    unsafe {
        let (id, bins) = ((*heap).id as usize, &(*heap).bins);
        if (0..CLASSES).any(|c| heaps::offers(id).has(c) == bins[c].head.is_null()) {
            return Err("a vacant heap does not offer what it has");
        }
    }
    Ok(())
}

unsafe fn verify_page(heap: *mut Heap, page: *mut Page) -> Result<(), &'static str> {
    // SAFETY: the caller owns the heap and so the pageblock.
    unsafe {
        if (*page).shared.kind() != Kind::Blocks {
            return Err("a pageblock in a list is not open");
        }
        if (*page).shared.word.view().owner() != (*heap).id {
            return Err("a pageblock in a list has another owner");
        }
        if (*page).list == List::None {
            return Err("a pageblock in a list does not know it");
        }
        if (*page).list == List::Full && !(*page).free.is_null() {
            return Err("a full pageblock has free blocks");
        }
        let remote = (*page).shared.word.inspect();
        let noticed = match (*page).watch {
            WATCH_NEVER => (*page).list == List::Class,
            WATCH_ALWAYS => false,
            n => n >= i64::from(remote.count()),
        };
        if remote.count() > 0 && !remote.queued() && !noticed {
            return Err("blocks on a remote list are overlooked");
        }
        let slice = Page::slice(page);
        if region::slices().used(slice / 64) & 1 << (slice % 64) == 0 {
            return Err("an open pageblock lies in a free slice");
        }
        Page::verify(page)
    }
}
