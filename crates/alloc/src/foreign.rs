//! Blocks of other heaps that a thread has freed and may hand out again itself.
//!
//! A thread that frees blocks of others does not push each to its owner at once. It keeps a few of each class, as many as
//! [`limit`] says, and hands them out again like its own; only when there are more they go home, and neighbours on the list that belong to the same pageblock go with one CAS. Threads that swap blocks with each other then need no atomic
//! operations, and threads that only free need fewer. (The paper pushes each block by itself; per-thread lists of blocks
//! are Ghemawat & Menage's, *TCMalloc*; here they hold foreign blocks only and are bounded by bytes.)
//!
//! What is kept does not go round for ever: one time in [`BLEED`] it goes home instead of being handed out. So of the blocks that a
//! thread took over once a share goes home each time they come round, and only a flow of new ones keeps blocks here.
//!
//! To its pageblock a kept block is still allocated. The list looks to the fast path of allocation like a pageblock
//! ([`Stock`](crate::page::Stock)): when it is to be used, the direct table points to it instead of to a pageblock, at no cost to others. Sizes that
//! the direct table does not serve look at the list first.
//!
//! Owner of the heap only.

use crate::announce;
use crate::classes::CLASSES;
use crate::fault::{self, Fault};
use crate::heap::Heap;
use crate::kept::{DIRECT_CLASSES, Foreign, enough, limit};
use crate::page::{Block, Page};
use crate::word::Pushed;
use core::ptr;

/// Each so many times that there are blocks to be handed out they are sent home instead. Otherwise a thread that took over
/// others' blocks once and frees all that it allocates would have them among its own for ever: few of each pageblock, so that
/// it uses twice the pageblocks and changes the direct table all the time, which made it half as fast with 5000 random blocks.
/// Those who do exchange blocks pay a push for every so many times.
const BLEED: u32 = 4;

/// What came of keeping a block.
#[must_use]
pub enum Kept {
    /// It is kept.
    Few,
    /// It is kept, and [`many`] is to be called.
    Many,
    /// It was the last one kept already; nothing was done.
    Already,
}

/// Keeps a block of another heap's pageblock of a class.
///
/// # Safety
/// The caller owns the heap and had the block until now; there is such a class.
#[inline(always)]
pub unsafe fn keep(heap: *mut Heap, class: usize, block: *mut Block) -> Kept {
    // SAFETY: the caller owns the heap and the block.
    unsafe {
        let f = (&raw mut (*heap).foreign).cast::<Foreign>().add(class);
        if (*f).stock.free == block {
            return Kept::Already;
        }
        (*block).next = (*f).stock.free;
        (*f).stock.free = block;
        (*f).kept.add(1);
        if (*f).count() > u64::from((*f).watch) {
            Kept::Many
        } else {
            Kept::Few
        }
    }
}

/// There are as many kept blocks of a class as are watched for: first so many that handing them out is worth the change of
/// the direct table, later so many that they are sent home.
///
/// # Safety
/// The caller owns the heap.
pub unsafe fn many(heap: *mut Heap, class: usize) {
    // SAFETY: the caller owns the heap.
    unsafe {
        let f = &raw mut (*heap).foreign[class];
        if (*f).most == 0 {
            (*f).most = 2 * enough(class);
            Foreign::emptied(f, class);
        } else if (*f).watch + 1 < (*f).most {
            (*heap).turns = (*heap).turns.wrapping_add(1);
            if (*heap).turns.is_multiple_of(BLEED) {
                push_all(heap, class);
            } else {
                (*f).watch = (*f).most - 1;
                Heap::direct_to(heap, class, f.cast());
            }
        } else {
            send_home(heap, class);
        }
    }
}

/// A number that changes when the heap hands out blocks of a class, except that it may seem the same after the first
/// pageblock of the class has changed.
unsafe fn allocated(heap: *mut Heap, class: usize) -> u64 {
    // SAFETY: the caller owns the heap.
    unsafe {
        let head = (*heap).bins[class].head;
        let own = if head.is_null() {
            0
        } else {
            (*head).allocs.get()
        };
        own.wrapping_add((*heap).foreign[class].stock.allocs.get())
    }
}

/// Sends the blocks home of classes of which nothing was kept or handed out since the last time: each may be all that keeps its
/// pageblock from becoming empty.
///
/// # Safety
/// The caller owns the heap.
pub unsafe fn sweep(heap: *mut Heap) {
    for class in 0..CLASSES {
        // SAFETY: the caller owns the heap.
        unsafe {
            let f = &raw mut (*heap).foreign[class];
            if (*f).stock.free.is_null() {
                continue;
            }
            let now = (*f).traffic();
            if (*f).swept == now {
                send_home(heap, class);
            } else {
                (*f).swept = now;
            }
        }
    }
}

/// Sends all kept blocks home.
///
/// # Safety
/// The caller owns the heap.
pub unsafe fn send_all_home(heap: *mut Heap) {
    for class in 0..CLASSES {
        // SAFETY: the caller owns the heap.
        unsafe {
            if !(*heap).foreign[class].stock.free.is_null() {
                send_home(heap, class);
            }
        }
    }
}

/// Sends the kept blocks of a class home: each run of blocks of the same pageblock with one CAS.
///
/// How many are kept next time depends on what came of it. Long runs are cheap to send, and longer ones cheaper still. Blocks
/// from many pageblocks that nobody asked for meanwhile keep these pageblocks from becoming empty, so they are better sent
/// sooner.
unsafe fn send_home(heap: *mut Heap, class: usize) {
    // SAFETY: the caller owns the heap and with it the kept blocks.
    unsafe {
        let f = &raw mut (*heap).foreign[class];
        let total = (*f).count();
        let wanted = allocated(heap, class) != (*f).seen;
        (*f).seen = allocated(heap, class);
        let runs = push_all(heap, class);
        if runs * 4 <= total {
            (*f).most = ((*f).most * 2).min(limit(class));
        } else if runs * 2 > total {
            let least = if wanted { 2 * enough(class) } else { 1 };
            (*f).most = ((*f).most / 2).max(least);
        }
        Foreign::emptied(f, class);
    }
}

/// Pushes the kept blocks of a class to their pageblocks; in how many runs.
unsafe fn push_all(heap: *mut Heap, class: usize) -> u64 {
    // SAFETY: the caller owns the heap and with it the kept blocks.
    unsafe {
        let f = &raw mut (*heap).foreign[class];
        let mut block = (*f).stock.free;
        (*f).stock.free = ptr::null_mut();
        (*f).kept.set((*f).stock.allocs.get());
        (*f).swept = (*f).traffic();
        if class < DIRECT_CLASSES {
            Heap::set_direct(heap, class);
        }
        let mut runs = 0;
        while !block.is_null() {
            let Some(page) = Page::around(block) else {
                // Something wrote over the link.
                fault::report(Fault::Corruption, block);
                break;
            };
            let (first, mut last, mut n) = (block, block, 1);
            block = (*block).next;
            while !block.is_null() && Page::around(block) == Some(page) {
                last = block;
                n += 1;
                block = (*block).next;
            }
            push(heap, page, first, last, n);
            runs += 1;
        }
        Foreign::emptied(f, class);
        runs
    }
}

/// Pushes `n` linked blocks to their pageblock: one CAS, and a second one if the owner has to be told, and a note in `own` perhaps.
///
/// # Safety
/// The blocks are the caller's and of this pageblock; so is `own`.
pub unsafe fn push(own: *mut Heap, page: *mut Page, first: *mut Block, last: *mut Block, n: u32) {
    // SAFETY: the caller's promise. Who is to announce a pageblock has its link.
    unsafe {
        if let Some(owner) = push_run(page, first, last, n) {
            announce::announce(page, owner, own);
        }
    }
}

/// As [`push`], of one block, by a thread without a heap. The heap that it belongs to if nobody owns that at the moment, to be seen to.
///
/// # Safety
/// The block is the caller's and of this pageblock.
pub unsafe fn push_alone(page: *mut Page, block: *mut Block) -> Option<usize> {
    // SAFETY: as above.
    unsafe {
        let owner = push_run(page, block, block, 1)?;
        announce::deliver(page, owner)
    }
}

/// Pushes the blocks. Returns the owner if it is to be told.
unsafe fn push_run(page: *mut Page, first: *mut Block, last: *mut Block, n: u32) -> Option<u64> {
    let position = Page::position(page, first);
    // SAFETY: the blocks are the caller's until the push succeeds. Afterwards the pageblock may be closed by its owner,
    // except if it is to be announced (invariant 3 of heaps).
    unsafe {
        let pushed = (*page).shared.word.push(position, n, |head| {
            (*last).next = if head == 0 {
                ptr::null_mut()
            } else {
                Page::block_at(page, head)
            };
        });
        match pushed {
            Some(Pushed::Done) => None,
            Some(Pushed::Announce(owner)) => Some(owner),
            None => {
                fault::report(Fault::DoubleFree, first);
                None
            }
        }
    }
}
