//! Telling owners about remote frees, and what an owner does about it: both ends of an inbox.
//!
//! Who frees into a heap that nobody owns has to see to it now and then, or nobody would for long. That is a larger matter (`adopt`), in the
//! midst of which more is announced; so it is only noted here, in the heap of whoever announces, and done when that thread's operation
//! comes to its end ([`Heap::orphan`]).

use crate::heap::Heap;
use crate::heaps;
use crate::page::{List, Page, WATCH_NEVER};
use crate::sync::{fence, rmw, shared_write};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A thread that frees into vacant heaps sorts the inbox of one after so many announcements, which gives back what has
/// become empty.
const TEND: u32 = 16;
/// After so many it takes over what is well used in a heap, so that it frees locally from then on. It does not do so at once, because a thread
/// that only frees would hoard what others could use.
const ADOPT: u32 = 256;

/// Announcements to vacant heaps since somebody has seen to all of these. (Relaxed: it steers, and protects nothing.)
static UNSEEN: AtomicUsize = AtomicUsize::new(0);

/// Whether there were so many; if so, the caller is about to see to them.
pub fn take_unseen(many: usize) -> bool {
    let is_due = UNSEEN.load(Relaxed) >= many;
    if is_due {
        shared_write();
        UNSEEN.store(0, Relaxed);
    }
    is_due
}

/// Puts an announced pageblock into the inbox of heap `owner`. The heap if nobody owns it at the moment: it is to be seen to, now and then.
///
/// # Safety
/// The caller set the announcement of the pageblock, or took it out of an inbox.
pub unsafe fn deliver(page: *mut Page, owner: u64) -> Option<usize> {
    let id = owner as usize;
    // SAFETY: descriptors are never deallocated; the pageblock is in no inbox, and nobody else delivers it.
    unsafe { heaps::inbox(id).push(page) };
    fence();
    let vacant = heaps::registry().is_vacant(id);
    if vacant {
        rmw();
        UNSEEN.fetch_add(1, Relaxed);
    }
    vacant.then_some(id)
}

/// As [`deliver`], by the owner of `own`, which notes when a heap that nobody owns is to be seen to.
///
/// # Safety
/// As for [`deliver`]; the caller owns `own`.
pub unsafe fn announce(page: *mut Page, owner: u64, own: *mut Heap) {
    // SAFETY: the caller's promise.
    unsafe {
        let vacant = deliver(page, owner);
        (*own).ticks += 1;
        if let Some(id) = vacant {
            (*own).orphaned += 1;
            if (*own).orphaned.is_multiple_of(TEND) {
                (*own).orphan = id as u32;
                (*own).takes_over |= (*own).orphaned.is_multiple_of(ADOPT);
            }
        }
    }
}

/// Sees to what others have freed: every pageblock in the inbox that has no block to give gets its blocks and its place
/// in the list of its class; what is empty is closed. `true` if there was anything.
pub unsafe fn sort_inbox(this: *mut Heap) -> bool {
    // SAFETY: the caller owns the heap; a pageblock found in the inbox and owned by this heap is the caller's.
    unsafe {
        let mut any = false;
        for page in heaps::inbox((*this).id as usize).take_all() {
            any = true;
            let owner = (*page).shared.word.view().owner();
            if owner != (*this).id {
                // It was given to another heap while its announcement was on the way.
                announce(page, owner, this);
                continue;
            }
            if (*page).list == List::Class && !(*page).free.is_null() {
                // There is no need of the blocks yet, and to join the lists would be a walk through blocks that lie in
                // the cache of whoever freed them.
                let n = i64::from((*page).shared.word.acknowledge());
                if n < Page::live(page) {
                    if (*page).watch != WATCH_NEVER {
                        (*page).watch = n;
                    }
                    continue;
                }
                Heap::collect(this, page);
            } else {
                let taken = (*page).shared.word.dequeue();
                Heap::collected(this, page, taken);
                if (*page).list == List::Full && !(*page).free.is_null() {
                    Heap::unlink(this, page);
                    Heap::to_class(this, page);
                }
            }
            if Page::live(page) == 0 && (*page).watch != WATCH_NEVER {
                Heap::emptied(this, page);
            }
        }
        any
    }
}
