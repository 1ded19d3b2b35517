//! Giving heaps up, taking them over, and seeing to those that nobody owns.
//!
//! The paper (Achilleas & Vagenas, *xmalloc*, 2021) marks the pageblocks of a thread that ends as orphans, each to be
//! adopted by the next thread that frees remotely into it. Here the heap itself becomes vacant, in one step, and is taken
//! over as a whole by a thread that starts. What is in a vacant heap is there for all: a thread that needs a pageblock of a
//! class takes over one of that class, and a thread that frees much remotely into it those that are well used.
//!
//! Invariant, for programs whose threads come and go and leave a few blocks each:
//!
//! ```text
//!   a pageblock is opened  =>  none of its class with a block to give was found in a vacant heap
//!   a thread takes over    =>  it needs the pageblock now, or a quarter of its blocks are in use
//!   a thread merges        =>  it gives back, of each class, pageblocks that it does not allocate from and that are hardly used
//!   somebody settles       =>  fewer than WORTH announcements came to vacant heaps since these were seen to
//! ```
//!
//! So a thread that goes on for long does not gather what those that ended have left, and threads that start fill
//! it up: of pageblocks that are hardly used there are as many as there were threads at the same time, not as many as there
//! ever were.
//!
//! ```text
//!   remote free                                         end of thread
//!   -----------                                         -------------
//!   push block (word: QUEUED)                           trim the heap, inbox included
//!   push pageblock into the owner's inbox               vacate the heap
//!   fence                                               fence
//!   heap vacant? then, now and then, claim it           inbox not empty? then claim the heap and start over
//!   and sort its inbox, or merge it
//! ```
//!
//! With the fences one of the two sees what the other did, so what is freed while a thread ends is not overlooked by both.
//! If both see it, one of them wins the claim. What lies in the inbox of a vacant heap is found by whoever takes it over.
//!
//! Taking over changes the owner of a pageblock from one heap of the thread to another. A pageblock whose
//! announcement is still on the way then arrives in the inbox of its former heap; whoever sorts that inbox delivers it
//! again, to the heap that its word names by then.

use crate::classes::CLASSES;
use crate::heap::{Heap, heap};
use crate::page::{List, Page};
use crate::sync::fence;
use crate::{announce, foreign, heaps, region, supply};

/// Vacant heaps looked at for a pageblock before one is opened, at least, if there are so many: the next search goes on where this
/// one ended.
const SEARCH: u32 = 64;
/// Vacant heaps seen to at a time, by whoever looks around.
const SEEN_TO: usize = 8;
/// So many announcements to vacant heaps are worth seeing to.
const WORTH: usize = if cfg!(miri) { 2 } else { 32 };
/// Pageblocks that are put together in one vacant heap.
const TOGETHER: usize = 32;
/// Pageblocks of a class looked at for what can be given back, at each merge: the last of the list, where those stand that were full.
const GIVE: usize = 32;

/// Takes over one pageblock of a class from a vacant heap, if one is found that has any. `own` has none.
///
/// # Safety
/// The caller owns `own`.
pub unsafe fn adopt_one(own: *mut Heap, class: usize) -> bool {
    // SAFETY: the caller owns its heap, and what it claims.
    unsafe {
        debug_assert!((*own).bins[class].head.is_null());
        let mut from = (*own).searched as usize;
        let wanted = |id| heaps::offers(id).has(class);
        let found = heaps::registry().claim_stocked(&mut from, SEARCH, wanted);
        (*own).searched = from as u32;
        let Some(id) = found else {
            return false;
        };
        let other = claimed(id);
        let page = (*other).bins[class].head;
        if !page.is_null() {
            if (*page).shared.word.view().count() > 0 {
                // The announcement of these may have been acknowledged: then only `watch` knows of them.
                Heap::collect(other, page);
            }
            take_over(own, other, page);
            (*own).counts.adoptions.add(1);
            (*own).counts.adopted.add(1);
        }
        if heaps::inbox(id).is_empty() {
            if (*other).bins[class].head.is_null() {
                heaps::offers(id).withdraw(class);
            }
        } else {
            announce::sort_inbox(other);
            Heap::offer(other);
        }
        leave_offered(other, true);
        !page.is_null()
    }
}

/// Moves a pageblock of heap `other` to heap `own`. What is on its remote list is announced, because nobody watches for it
/// afterwards.
///
/// # Safety
/// The caller owns both heaps.
unsafe fn take_over(own: *mut Heap, other: *mut Heap, page: *mut Page) {
    // SAFETY: the caller owns both heaps.
    unsafe {
        let (full, remote) = ((*page).list == List::Full, (*page).shared.word.view());
        debug_assert!(
            remote.count() == 0 || remote.queued(),
            "remote frees would be overlooked"
        );
        Heap::unlink(other, page);
        (*page).shared.word.give((*other).id, (*own).id);
        if full {
            (*page).list = List::Full;
            (*own).full.push_back(page);
        } else {
            Heap::to_class(own, page);
        }
    }
}

/// Takes heap `id` over if nobody owns it; the caller's operation on it begins.
pub fn claim(id: usize) -> Option<*mut Heap> {
    if heaps::registry().claim(id) {
        // SAFETY: claimed.
        Some(unsafe { claimed(id) })
    } else {
        None
    }
}

/// Begins an operation on a heap that was just claimed.
unsafe fn claimed(id: usize) -> *mut Heap {
    let heap = heap(id as u64);
    // SAFETY: the caller owns the heap; if it was not made yet, or was retired, it is all zeroes.
    unsafe {
        let entered = Heap::enter(heap);
        debug_assert!(entered, "a vacant heap is busy");
        if !Heap::is_made(heap) {
            Heap::make(id as u64);
        }
    }
    heap
}

/// Sees to the vacant heap that the owner of `own` freed into, if it has a note that this is due ([`announce`]). Whether it had.
///
/// # Safety
/// The caller owns `own`, and has entered it.
pub unsafe fn tend(own: *mut Heap) -> bool {
    // SAFETY: the heap of the caller; a claimed heap is the caller's.
    unsafe {
        let id = core::mem::take(&mut (*own).orphan) as usize;
        if id == 0 {
            return false;
        }
        let takes_over = core::mem::take(&mut (*own).takes_over);
        if takes_over && let Some(other) = claim(id) {
            merge(own, other);
        } else {
            tend_to(id);
        }
        true
    }
}

/// Gives back what has become empty in heap `id`, if nobody owns it.
pub fn tend_to(id: usize) {
    if let Some(other) = claim(id) {
        // SAFETY: a claimed heap is the caller's.
        unsafe {
            announce::sort_inbox(other);
            leave(other, true);
        }
    }
}

/// Sees to a few of the vacant heaps that somebody has freed into, all the way: what is empty goes, and so does the memory of a heap with nothing left. Of many
/// threads that ended at the same time each may have left a block that another one frees, once. The first heaps, which keep their memory, are
/// seen to by [`tend`] alone.
///
/// # Safety
/// The caller owns `own`, and has entered it.
pub unsafe fn tend_some(own: *mut Heap) {
    // SAFETY: the heap of the caller.
    let from = unsafe { &mut (*own).tended };
    let mut id = (*from as usize).max(heaps::WARM);
    for _ in 0..SEEN_TO {
        let dirty = core::iter::successors(heaps::registry().next_stocked(id), |&i| {
            heaps::registry().next_stocked(i + 1)
        })
        .take(SEARCH as usize)
        .find(|&i| !heaps::inbox(i).is_empty());
        let Some(found) = dirty else {
            id += SEARCH as usize;
            break;
        };
        tend_wholly(found);
        id = found + 1;
    }
    *from = if id < heaps::made() { id as u32 } else { 0 };
}

/// The same of all vacant heaps, and puts what is left of many into few.
pub fn tend_all() {
    tend_where(|_| true);
}

/// For who is about to wait, or has something longer to do: sees to all vacant heaps that somebody has freed into, if that was much. Threads that
/// ended at the same time leave the program what they held, though it does not allocate any more.
///
/// What it costs, the walk past the vacant heaps with something in them, is shared by so many frees.
pub fn settle() {
    if announce::take_unseen(WORTH) {
        tend_where(|id| !heaps::inbox(id).is_empty());
        supply::idle();
    }
}

/// Sees to the vacant heaps of which `wanted` says that. What is left in those that can give their memory back is put together in some of them, a
/// few pageblocks in each: who takes over such a heap looks at all of them when it ends.
fn tend_where(wanted: impl Fn(usize) -> bool) {
    let mut from = 0;
    let mut filled: Option<(*mut Heap, usize)> = None;
    while let Some(id) = heaps::registry().next_stocked(from) {
        from = id + 1;
        if !wanted(id) {
            continue;
        }
        if id < heaps::WARM {
            tend_wholly(id);
            continue;
        }
        let Some(other) = claim(id) else {
            continue;
        };
        // SAFETY: claimed heaps are the caller's.
        unsafe {
            let stocked = trim(other);
            let mut pages = 0;
            Heap::each_page(other, |_| pages += 1);
            match filled {
                Some((into, n)) if n + pages <= TOGETHER => {
                    Heap::each_page(other, |page| take_over(into, other, page));
                    filled = Some((into, n + pages));
                    leave(other, false);
                }
                _ if pages > 0 => {
                    if let Some((before, _)) = filled.replace((other, pages)) {
                        leave(before, true);
                    }
                }
                _ => leave(other, stocked),
            }
        }
    }
    if let Some((last, _)) = filled {
        // SAFETY: as above.
        unsafe { leave(last, true) };
    }
}

/// Closes what is empty in heap `id`, if nobody owns it.
fn tend_wholly(id: usize) {
    if let Some(other) = claim(id) {
        // SAFETY: a claimed heap is the caller's.
        unsafe {
            let stocked = trim(other);
            leave(other, stocked);
        }
    }
}

/// Moves the pageblocks of `other` that [`are well used`](well_used) to `own`, and leaves `other` vacant with the rest.
///
/// # Safety
/// The caller owns both heaps.
unsafe fn merge(own: *mut Heap, other: *mut Heap) {
    // SAFETY: the caller owns both heaps.
    unsafe {
        debug_assert!(own != other);
        trim(other);
        let (mut moved, mut left) = (0, false);
        Heap::each_page(other, |page| {
            if well_used(page) {
                take_over(own, other, page);
                moved += 1;
            } else {
                left = true;
            }
        });
        if moved > 0 {
            (*own).counts.adoptions.add(1);
            (*own).counts.adopted.add(moved);
        }
        // What was well used when it was taken over, and has been freed since but for a little: threads that start will fill it up.
        left |= give_back(own, other);
        leave(other, left);
    }
}

/// Moves pageblocks of `own` with a few blocks in use to `other`, but none from which `own` allocates. Whether there were any.
///
/// # Safety
/// The caller owns both heaps.
unsafe fn give_back(own: *mut Heap, other: *mut Heap) -> bool {
    let mut given = false;
    for class in 0..CLASSES {
        // SAFETY: the caller owns both heaps and their pageblocks.
        unsafe {
            let mut page = (*own).bins[class].tail;
            for _ in 0..GIVE {
                if page.is_null() || page == (*own).bins[class].head {
                    break;
                }
                let previous = (*page).prev;
                // As in `adopt_one`.
                if (*page).shared.word.view().count() > 0 {
                    Heap::collect(own, page);
                }
                if Page::live(page) > 0 && !well_used(page) {
                    take_over(other, own, page);
                    given = true;
                }
                page = previous;
            }
        }
    }
    given
}

/// Whether at least a quarter of a pageblock's blocks are in use.
///
/// # Safety
/// The caller owns the pageblock.
unsafe fn well_used(page: *const Page) -> bool {
    // SAFETY: the caller owns the pageblock.
    unsafe { (*page).list == List::Full || Page::live(page) * 4 >= i64::from((*page).capacity) }
}

/// Collects and closes everything that is not in use. `true` if pageblocks are left.
pub unsafe fn trim(this: *mut Heap) -> bool {
    // SAFETY: the caller owns the heap.
    unsafe {
        foreign::send_all_home(this);
        announce::sort_inbox(this);
        let mut left = false;
        let mut page = (*this).full.head;
        while !page.is_null() {
            let next = (*page).next;
            if (*page).shared.word.view().count() > 0 {
                Heap::collect(this, page);
                Heap::unlink(this, page);
                Heap::to_class(this, page);
            } else {
                left = true;
            }
            page = next;
        }
        for class in 0..CLASSES {
            let mut page = (*this).bins[class].head;
            while !page.is_null() {
                let next = (*page).next;
                if (*page).shared.word.view().count() > 0 {
                    Heap::collect(this, page);
                }
                if Page::live(page) == 0 && !(*page).shared.word.view().queued() {
                    Heap::close(this, page);
                } else {
                    left = true;
                }
                page = next;
            }
        }
        Heap::flush_cache(this);
        left
    }
}

/// Gives a heap up, after collecting what is in its inbox and closing what is empty. Ends the caller's operation on it.
///
/// # Safety
/// The caller owns the heap, has entered it, and does not use it afterwards.
pub unsafe fn vacate(this: *mut Heap) {
    // SAFETY: the caller owns the heap.
    unsafe {
        let mut stocked = trim(this);
        if tend(this) {
            stocked = trim(this);
        }
        leave(this, stocked);
    }
}

/// Gives a heap up, and looks again whether something was announced meanwhile. As `vacate`; `stocked` says whether there are
/// pageblocks in it.
///
/// # Safety
/// As for [`vacate`].
pub unsafe fn leave(this: *mut Heap, stocked: bool) {
    // SAFETY: the caller owns the heap.
    unsafe {
        Heap::offer(this);
        leave_offered(this, stocked);
    }
}

/// As [`leave`], of a heap that says what it offers already.
unsafe fn leave_offered(this: *mut Heap, mut stocked: bool) {
    // SAFETY: the caller owns the heap, and owns it again after a successful claim.
    unsafe {
        let id = (*this).id as usize;
        loop {
            if stocked {
                Heap::exit(this);
            } else {
                Heap::retire(this);
            }
            heaps::registry().vacate(id, stocked);
            fence();
            if heaps::inbox(id).is_empty() || claim(id).is_none() {
                return;
            }
            stocked = trim(this);
            Heap::offer(this);
        }
    }
}

/// Takes over a vacant heap, or makes a new one, and enters it. Null if there is no memory for one.
pub fn acquire() -> *mut Heap {
    if !region::initialise() {
        return core::ptr::null_mut();
    }
    // SAFETY: a claimed heap is the caller's, and a new one its maker's.
    unsafe {
        if let Some(id) = heaps::registry().claim_any() {
            return claimed(id);
        }
        heaps::make().map_or(core::ptr::null_mut(), |id| claimed(id))
    }
}
