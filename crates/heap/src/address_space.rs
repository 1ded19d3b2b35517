//! Address space that is kept for those who cannot be refused.
//!
//! Under a limit of the process (`RLIMIT_AS`) memory ends for everybody at once: for heaps, whose growth may be refused and is
//! then an error of Prolog, and for every small thing that Rust code makes, whose refusal is the end of the process. So a part is left to
//! the latter, of [`kept`] bytes:
//!
//! ```text
//! whenever a region of a heap has been mapped, made larger, or a thread made, kept more bytes could be mapped
//! whenever the general allocator has grown, and enough of that cannot be mapped any more, nor is spare in it, is_short until it is
//! enough = half of kept, and as much as the general allocator takes at once: what is less than that is of no use to it
//! ```
//!
//! and while it is short, whoever adds to what is in common, or to results, is refused; who takes much at once asks [`has_room`]. The first holds without
//! a lock: a region is mapped together with what is to be left, and that is unmapped again; of two threads that do so at once, the second
//! succeeds only if there was room for the first one's surplus too. Where there is no limit nothing of this is done.
//!
//! From any thread, also from inside the allocator ([`check`]): nothing here allocates but [`left`].

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Most bytes that are kept, and the part of the limit that they are: a larger one of a small limit, for as much as the general
/// allocator takes at once.
const MOST: usize = 32 << 20;
const PART: usize = 16;
const PART_OF_LITTLE: usize = 4;

/// Less than enough of what is to be kept was there when somebody looked last. Relaxed throughout: a hint, looked at again before
/// anybody is refused.
static SHORT: AtomicBool = AtomicBool::new(false);

/// There was a limit when [`check`] looked last.
static LIMITED: AtomicBool = AtomicBool::new(false);

/// Bytes taken since somebody looked, and so many are enough to look again.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
const BETWEEN_CHECKS: usize = 1 << 20;

/// Bytes of address space that the process may have; `None` if there is no limit.
fn limit() -> Option<usize> {
    // SAFETY: an all-zero `rlimit` is valid, and valid for writing.
    let most = unsafe {
        let mut r: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_AS, &raw mut r) != 0 || r.rlim_cur == libc::RLIM_INFINITY {
            return None;
        }
        r.rlim_cur
    };
    usize::try_from(most).ok()
}

/// Bytes to be left to those who cannot be refused.
pub fn kept() -> usize {
    let whole_pages = |n: usize| n & !4095;
    let step = STEP.load(Ordering::Relaxed);
    limit().map_or(0, |most| {
        whole_pages((most / PART).max(step.min(most / PART_OF_LITTLE)).min(MOST))
    })
}

/// Bytes of address space that the process may still map; `None` if there is no limit.
pub fn left() -> Option<usize> {
    let most = limit()?;
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = pages.split(' ').next()?.parse().ok()?;
    Some(most.saturating_sub(pages * 4096))
}

/// Tells how many bytes the general allocator has mapped and does not use; null: nobody knows.
static SPARE: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// What the general allocator takes from the system at once, at least. Relaxed: set when the process begins.
static STEP: AtomicUsize = AtomicUsize::new(0);

/// From now on `spare` tells how many bytes the general allocator has and does not use, which takes `step` bytes from the system at least.
/// It does not allocate.
pub fn ask_allocator(spare: fn() -> usize, step: usize) {
    STEP.store(step, Ordering::Relaxed);
    // Release, paired with the acquire in `spare`: what it refers to was made before.
    SPARE.store(spare as *mut (), Ordering::Release);
}

/// Bytes that the general allocator has and does not use: it never unmaps anything.
pub(crate) fn spare() -> usize {
    let f = SPARE.load(Ordering::Acquire);
    if f.is_null() {
        return 0;
    }
    // SAFETY: only `ask_allocator` stores here, and stores a function of this type.
    unsafe { std::mem::transmute::<*mut (), fn() -> usize>(f)() }
}

/// Gives what the general allocator retains back to the system, and tells how much; null: nobody can.
static GIVE_BACK: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// From now on a collection that copies much first has `give_back` give up what the general allocator retains.
pub fn before_large_copies(give_back: fn() -> usize) {
    GIVE_BACK.store(give_back as *mut (), Ordering::Release);
}

/// Before so many bytes are copied: what is retained for later would come on top of the copy.
pub(crate) fn before_copy(bytes: usize) {
    const LARGE: usize = 8 << 20;
    let f = GIVE_BACK.load(Ordering::Acquire);
    if bytes >= LARGE && !f.is_null() {
        // SAFETY: only `before_large_copies` stores here, and stores a function of this type.
        let _ = unsafe { std::mem::transmute::<*mut (), fn() -> usize>(f)() };
    }
}

/// Whether so many bytes could be mapped now.
fn could_map(bytes: usize) -> bool {
    if bytes == 0 {
        return true;
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: an anonymous mapping at an address of the kernel's choice aliases nothing; it is gone before anybody knows of it.
    unsafe {
        let p = libc::mmap(ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0);
        if p == libc::MAP_FAILED {
            return false;
        }
        libc::munmap(p, bytes);
    }
    true
}

/// Whether so many bytes are there for a process that begins. Nothing is allocated.
pub fn has_room_to_start(bytes: usize) -> bool {
    limit().is_none() || could_map(bytes)
}

/// To be called when the general allocator has taken more from the system.
pub fn check() {
    // SAFETY: the address of errno is valid for the life of the thread. It is as before for whoever allocates.
    let errno = unsafe { &mut *libc::__errno_location() };
    let before = *errno;
    let kept = kept();
    LIMITED.store(kept > 0, Ordering::Relaxed);
    let enough = (kept / 2).max(STEP.load(Ordering::Relaxed).min(kept));
    let short = !could_map(enough) && spare() < kept;
    *errno = before;
    if short != SHORT.load(Ordering::Relaxed) {
        SHORT.store(short, Ordering::Relaxed);
    }
}

/// Whether what is kept is being used up, for somebody who is about to take so many bytes and can be refused.
#[inline]
pub fn is_short(bytes: usize) -> bool {
    if !LIMITED.load(Ordering::Relaxed) {
        return false;
    }
    is_short_now(bytes)
}

#[cold]
fn is_short_now(bytes: usize) -> bool {
    // The allocator says when it grows, but not how much of what it has is used again.
    let taken = TAKEN.fetch_add(bytes + 64, Ordering::Relaxed);
    if taken > BETWEEN_CHECKS || SHORT.load(Ordering::Relaxed) {
        TAKEN.store(0, Ordering::Relaxed);
        check();
    }
    SHORT.load(Ordering::Relaxed)
}

/// Whether so many bytes can be mapped, by the system itself. What others need is then left, or the general allocator has it.
pub fn has_room_to_map(bytes: usize) -> bool {
    let kept = kept();
    kept == 0 || could_map(bytes.saturating_add(kept)) || could_map(bytes) && spare() >= kept
}

/// Whether so many bytes can be mapped or allocated, by somebody else, and enough is left.
pub fn has_room(bytes: usize) -> bool {
    let kept = kept();
    if kept == 0 {
        return true;
    }
    let all = bytes.saturating_add(kept);
    could_map(all) || spare() >= all
}
