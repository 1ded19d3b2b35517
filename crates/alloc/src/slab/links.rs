//! The links of pages in stacks, by the numbers of the pages, and not in the pages: so a link may be read at any time, and the memory of a page that is in no
//! stack may go.
//!
//! ```text
//! blocks[k]   null --first map of chunk k--> address      once; the loser of a race ends its own block, which nobody saw
//! ```
//!
//! A block stays until [`Links::clear`]. Used by [`supply`](super::supply) alone.

use super::source::PageSource;
use super::zeroed::Zeroed;
use crate::sync::{AtomicPtr, AtomicU64, Ordering, rmw};
use core::ptr::{NonNull, null_mut};

/// See the module text.
pub(super) struct Links {
    blocks: Zeroed<AtomicPtr<AtomicU64>>,
}

/// The links of so many pages, zero; `None` if there is no memory.
#[cfg(not(loom))]
fn block(pages: usize, source: &dyn PageSource) -> Option<NonNull<AtomicU64>> {
    let bytes = pages * size_of::<AtomicU64>();
    Some(source.map(bytes, align_of::<AtomicU64>())?.cast())
}

/// # Safety
/// From [`block`] with the same arguments, and not used any more.
#[cfg(not(loom))]
unsafe fn end(block: NonNull<AtomicU64>, pages: usize, source: &dyn PageSource) {
    // SAFETY: the caller's promise.
    unsafe { source.unmap(block.cast(), pages * size_of::<AtomicU64>()) };
}

/// Loom's atomics are not made by zeroing memory.
#[cfg(loom)]
fn block(pages: usize, _: &dyn PageSource) -> Option<NonNull<AtomicU64>> {
    let all: Box<[AtomicU64]> = (0..pages).map(|_| AtomicU64::new(0)).collect();
    NonNull::new(Box::into_raw(all).cast())
}

#[cfg(loom)]
unsafe fn end(block: NonNull<AtomicU64>, pages: usize, _: &dyn PageSource) {
    let all = core::ptr::slice_from_raw_parts_mut(block.as_ptr(), pages);
    // SAFETY: from `block`; the caller's promise.
    drop(unsafe { Box::from_raw(all) });
}

impl Links {
    /// None, for so many chunks; `None` if there is no memory.
    pub(super) fn new(chunks: usize, source: &dyn PageSource) -> Option<Links> {
        // SAFETY: zeroes are no blocks.
        let blocks = unsafe { Zeroed::new(chunks, source) }?;
        Some(Links { blocks })
    }

    /// Makes the links of a chunk of so many pages unless they are there.
    pub(super) fn ensure(&self, chunk: usize, pages: usize, source: &dyn PageSource) -> Option<()> {
        let slot = self.blocks.all().get(chunk)?;
        if !slot.load(Ordering::Acquire).is_null() {
            return Some(());
        }
        let new = block(pages, source)?;
        rmw();
        let published = slot.compare_exchange(
            null_mut(),
            new.as_ptr(),
            Ordering::Release,
            Ordering::Relaxed,
        );
        if published.is_err() {
            // SAFETY: made above, and nobody was told.
            unsafe { end(new, pages, source) };
        }
        Some(())
    }

    /// The link of a page of a chunk that was ever mapped.
    pub(super) fn of(&self, chunk: usize, at: usize) -> &AtomicU64 {
        let block = self.blocks.all()[chunk].load(Ordering::Acquire);
        debug_assert!(!block.is_null());
        // SAFETY: made before the chunk was mapped for the first time, with as many links as it has pages.
        unsafe { &*block.add(at) }
    }

    /// Ends all links; a chunk has as many pages as `pages` says.
    ///
    /// # Safety
    /// Nobody uses them after this, or clears them again.
    pub(super) unsafe fn clear(&mut self, pages: impl Fn(usize) -> usize, source: &dyn PageSource) {
        for (chunk, slot) in self.blocks.all().iter().enumerate() {
            // Relaxed: the caller alone has them.
            if let Some(block) = NonNull::new(slot.load(Ordering::Relaxed)) {
                // SAFETY: made with this many; the caller's promise.
                unsafe { end(block, pages(chunk), source) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.blocks.clear(source) };
    }
}
