//! Where heaps are: their numbers, their memory, and which of them have an owner.
//!
//! ```text
//!   DIRECTORY[k] --> | inbox 64k .. 64k+63 | heap 64k | heap 64k+1 | ...
//!                      one page              HEAP_STRIDE bytes each
//! ```
//!
//! A block of heaps is mapped when the first of its ids is needed and stays for ever; the loser of a race unmaps its own, which
//! nobody saw. So there are as many heaps as threads, whatever the region is and wherever the limits are.
//!
//! Any thread may announce something to any heap at any time, owned or not, so inboxes are apart from what they belong to:
//! the memory of a heap that has nothing in it goes back to the system when its owner gives it up ([`retire`]), and reads as
//! zero afterwards, which is a heap that was not made yet. The first [`WARM`] keep their memory: ids are taken from below,
//! so these are what a program uses whose threads come and go.
//!
//! Orderings: a block is published with release and found with acquire; the number of heaps is raised with release after
//! the block is there.

use crate::classes::CLASSES;
use crate::config::{HEAPS, SLICE};
use crate::inbox::Inbox;
use crate::os;
use crate::page::Page;
use crate::registry::Registry;
use crate::sync::{AtomicU64, rmw, shared_write};
use crate::{region, sources, supply};
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Bytes from one heap to the next.
pub const HEAP_STRIDE: usize = 8192;
/// Heaps that are mapped together.
const BLOCK: usize = 64;
/// Bytes of their inboxes, each on a line of its own.
const INBOXES: usize = BLOCK * size_of::<Line>();
/// Heaps with ids below this keep their memory when nobody owns them.
pub const WARM: usize = if cfg!(miri) { 2 } else { 128 };

/// What others see of a heap, on a cache line of its own: they write to the inbox.
#[repr(C, align(64))]
struct Line {
    inbox: Inbox<Page>,
    offers: Offers,
}

/// Which classes a vacant heap has pageblocks of with a block to give, perhaps: one bit each. A hint, written by the owner
/// before it gives the heap up, so that searchers do not claim heaps for nothing; of a heap with an owner it means nothing.
#[derive(Debug)]
pub struct Offers([AtomicU64; CLASSES.div_ceil(64)]);

impl Offers {
    /// Whether there is one of a class. Relaxed, as in `set`: a hint; whoever claims the heap sees what is there.
    pub fn has(&self, class: usize) -> bool {
        self.0[class / 64].load(Ordering::Relaxed) & 1 << (class % 64) != 0
    }

    /// Says that there is none of a class any more. Owner only.
    pub fn withdraw(&self, class: usize) {
        let word = &self.0[class / 64];
        shared_write();
        word.store(
            word.load(Ordering::Relaxed) & !(1 << (class % 64)),
            Ordering::Relaxed,
        );
    }

    /// Says of which classes there are. Owner only.
    pub fn set(&self, has: impl Fn(usize) -> bool) {
        for (i, word) in self.0.iter().enumerate() {
            let classes = i * 64..CLASSES.min(i * 64 + 64);
            let bits = classes.fold(0, |bits, c| bits | u64::from(has(c)) << (c % 64));
            if word.load(Ordering::Relaxed) != bits {
                shared_write();
                word.store(bits, Ordering::Relaxed);
            }
        }
    }
}

static DIRECTORY: [AtomicPtr<u8>; HEAPS / BLOCK] =
    [const { AtomicPtr::new(ptr::null_mut()) }; HEAPS / BLOCK];
/// Heaps made so far, not counting the unused id 0.
static MADE: AtomicUsize = AtomicUsize::new(0);
static VACANT: [AtomicU64; HEAPS / 64] = [const { AtomicU64::new(0) }; HEAPS / 64];
static STOCKED: [AtomicU64; HEAPS / 64] = [const { AtomicU64::new(0) }; HEAPS / 64];

const _: () = assert!(HEAPS.is_multiple_of(BLOCK));

/// The registry of heaps made so far, in whole words.
pub fn registry() -> Registry<'static> {
    let n = made().div_ceil(64);
    Registry::new(&VACANT[..n], &STOCKED[..n])
}

/// How many heap ids were given out, counting the unused id 0.
pub fn made() -> usize {
    match MADE.load(Ordering::Acquire) {
        0 => 0,
        n => n + 1,
    }
}

/// The block that heap `id`, which was given out, lies in.
#[inline]
fn block(id: usize) -> *mut u8 {
    DIRECTORY[id / BLOCK].load(Ordering::Acquire)
}

/// The memory of heap `id`, which was given out.
#[inline]
pub fn memory(id: usize) -> *mut u8 {
    block(id).wrapping_add(INBOXES + id % BLOCK * HEAP_STRIDE)
}

/// The inbox of heap `id`, which was given out.
#[inline]
pub fn inbox(id: usize) -> &'static Inbox<Page> {
    &line(id).inbox
}

/// What heap `id`, which was given out, offers if it is vacant.
#[inline]
pub fn offers(id: usize) -> &'static Offers {
    &line(id).offers
}

#[inline]
fn line(id: usize) -> &'static Line {
    // SAFETY: the block is mapped and stays; zeroed memory is an empty inbox, and no offer.
    unsafe { &*block(id).cast::<Line>().add(id % BLOCK) }
}

/// Makes a new heap: its id, 1 or more. The caller owns it. `None` if there are no more, or there is no memory.
pub fn make() -> Option<usize> {
    let mut seen = MADE.load(Ordering::Relaxed);
    loop {
        let id = seen + 1;
        ensure(DIRECTORY.get(id / BLOCK)?)?;
        rmw();
        match MADE.compare_exchange_weak(seen, id, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return Some(id),
            Err(now) => seen = now,
        }
    }
}

/// Maps a block unless it is there.
fn ensure(slot: &AtomicPtr<u8>) -> Option<()> {
    if !slot.load(Ordering::Acquire).is_null() {
        return Some(());
    }
    let bytes = os::whole_pages(INBOXES + BLOCK * HEAP_STRIDE);
    let Some(new) = os::map(bytes, os::page_size()) else {
        return ensure_from_slices(slot, bytes);
    };
    rmw();
    let published = slot.compare_exchange(
        ptr::null_mut(),
        new.as_ptr(),
        Ordering::Release,
        Ordering::Relaxed,
    );
    if published.is_err() {
        // SAFETY: mapped above, and nobody was told.
        unsafe { os::unmap(new, bytes) };
    }
    Some(())
}

/// The same where the system maps nothing any more: a thread without a heap would take a slice for each request.
#[cold]
fn ensure_from_slices(slot: &AtomicPtr<u8>, bytes: usize) -> Option<()> {
    let n = bytes.div_ceil(SLICE);
    let run = sources::claim(n, SLICE, n)?;
    let new = region::slice_start(run.start);
    // SAFETY: the slices were just claimed.
    unsafe { ptr::write_bytes(new, 0, bytes) };
    rmw();
    let published =
        slot.compare_exchange(ptr::null_mut(), new, Ordering::Release, Ordering::Relaxed);
    if published.is_err() {
        // SAFETY: claimed above, and nobody was told.
        unsafe { supply::release(run.start, n, n) };
    }
    Some(())
}

/// Gives the memory of a heap back to the system: it is zeroes, and so to be made again. `false` if it keeps its memory.
///
/// # Safety
/// The caller owns the heap, of which nothing is needed any more.
pub unsafe fn retire(id: usize) -> bool {
    // Where pages are larger than heaps, heaps keep theirs.
    let whole = (INBOXES | HEAP_STRIDE) & (os::page_size() - 1) == 0;
    // SAFETY: the caller's promise. Others read tallies in it at most, and may find zeroes.
    id >= WARM
        && whole
        && NonNull::new(memory(id)).is_some_and(|p| unsafe { os::purge(p, HEAP_STRIDE) })
}
