//! Large objects: those beyond the largest class, each in a run of slices of its own.
//!
//! The paper's allocator asks the system for each of these. Here they come from the same slices as pageblocks do, so their
//! memory is retained and reused within the bounds of [`crate::supply`]; they grow in place where the slices behind are
//! free, and otherwise, from [`MOVE_MIN`] on, by moving their pages to a longer
//! run without copying where that is cheaper.
//!
//! A large object has no owner: any thread may free or resize it. Which thread ends it is decided by one CAS on its kind
//! ([`Page::end_large`]), so a second free is always found out.

use crate::config::{SEGMENT, SLICE, refused};
use crate::os::{self, Moved};
use crate::page::{Kind, Page};
use crate::region;
use crate::sources;
use crate::supply;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::Relaxed;

/// From this size on an object is moved by remapping.
pub const MOVE_MIN: usize = 1 << 20;

/// Allocates `size` bytes aligned to `align`, a power of two. The flag says whether the memory reads as zero. Null if
/// there is none.
pub fn allocate(size: usize, align: usize) -> (*mut u8, bool) {
    let none = (ptr::null_mut(), false);
    if refused(size.max(align)) {
        return none;
    }
    let n = size.max(1).div_ceil(SLICE);
    let Some(run) = sources::claim(n, align, n) else {
        return none;
    };
    // SAFETY: the run was just claimed.
    unsafe { publish(run.start, n, size) };
    (region::slice_start(run.start), run.dirty == 0)
}

/// Makes a claimed run a large object.
unsafe fn publish(start: usize, n: usize, size: usize) {
    let page = Page::of_slice(start);
    // SAFETY: descriptors are never deallocated; this one is the caller's.
    unsafe {
        (*page).shared.bytes.store(os::whole_pages(size), Relaxed);
        (*page).shared.run.store(n, Relaxed);
        (*page).shared.set_kind(Kind::Large);
    }
}

/// Frees a large object. `false` if it was none, or was freed by somebody else.
///
/// # Safety
/// `page` is a descriptor.
pub unsafe fn free(page: *mut Page) -> bool {
    // SAFETY: the one who ends the object has its run.
    unsafe {
        let n = (*page).shared.run.load(Relaxed);
        if !(*page).shared.end_large() {
            return false;
        }
        let start = Page::slice(page);
        supply::release(start, n, n);
    }
    true
}

/// Resizes a large object to more than the largest class without copying, if that is possible: returns where it is then.
///
/// # Safety
/// `page` is the descriptor of a large object of the caller.
pub unsafe fn resize(page: *mut Page, size: usize) -> Option<*mut u8> {
    if refused(size) {
        return None;
    }
    // SAFETY: the caller has the object, so its descriptor and run are the caller's.
    unsafe {
        let start = Page::slice(page);
        let n = (*page).shared.run.load(Relaxed);
        let want = size.div_ceil(SLICE);
        let p = region::slice_start(start);
        if want < n {
            (*page).shared.run.store(want, Relaxed);
            supply::release(start + want, n - want, n - want);
        } else if want > n {
            if !supply::claim_at(start + n, want - n) {
                return relocate(page, size);
            }
            (*page).shared.run.store(want, Relaxed);
        }
        (*page).shared.bytes.store(os::whole_pages(size), Relaxed);
        Some(p)
    }
}

/// Moves an object to a longer run, half as long again as is needed now, so that growing step by step moves it a
/// logarithmic number of times. Its pages are moved, unless the new run holds memory for most of it: that would be thrown away. So it
/// is never in memory twice but where the memory was there.
unsafe fn relocate(page: *mut Page, size: usize) -> Option<*mut u8> {
    // SAFETY: the caller has the object; the new run was claimed here.
    unsafe {
        let bytes = (*page).shared.bytes.load(Relaxed);
        if bytes < MOVE_MIN {
            return None;
        }
        let (start, n) = (Page::slice(page), (*page).shared.run.load(Relaxed));
        let want = size.div_ceil(SLICE);
        let len = want + want / 2;
        let (run, len) = match sources::claim(len, SEGMENT, want) {
            Some(r) => (r, len),
            None => (sources::claim(want, SLICE, want)?, want),
        };
        let (old, new) = (region::slice_start(start), region::slice_start(run.start));
        // In all cases the object is at its new place before the old one is given away.
        if run.dirty >= n - n / 4 {
            ptr::copy_nonoverlapping(old, new, bytes.min(size));
            (*page).shared.set_kind(Kind::Nothing);
            supply::release(start, n, n);
        } else {
            let (from, to) = (NonNull::new_unchecked(old), NonNull::new_unchecked(new));
            let moved = os::move_pages(from, n * SLICE, to, len * SLICE);
            (*page).shared.set_kind(Kind::Nothing);
            match moved {
                Moved::Yes => supply::release_clean(start, n),
                // The addresses are somebody else's now: the slices stay claimed for ever.
                Moved::HoleLost => {}
            }
        }
        publish(run.start, len, size);
        Some(new)
    }
}
