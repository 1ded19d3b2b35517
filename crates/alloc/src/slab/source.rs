//! Where a slab has its memory from.

use crate::os;
use core::ptr::NonNull;

/// A source of memory.
///
/// # Safety
/// `map` returns memory that nobody else uses, filled with zeros, with the size and alignment that were asked for,
/// which stays until it is given to `unmap`. Both may be called by any thread.
pub unsafe trait PageSource: Send + Sync {
    /// `bytes` of memory at a multiple of `align`; `None` if there is none. Both are powers of two, or multiples of the
    /// system's page.
    fn map(&self, bytes: usize, align: usize) -> Option<NonNull<u8>>;

    /// Takes memory back.
    ///
    /// # Safety
    /// It is from `map` with the same size, and not used any more.
    unsafe fn unmap(&self, start: NonNull<u8>, bytes: usize);

    /// The content of a range is no longer needed; what is read there next is either that or zeros.
    ///
    /// # Safety
    /// The range is part of what `map` returned, and nobody needs what is in it.
    unsafe fn purge(&self, start: NonNull<u8>, bytes: usize) {
        let _ = (start, bytes);
    }
}

/// Memory of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

// SAFETY: mappings are new, zeroed, and stay until they are unmapped.
unsafe impl PageSource for System {
    fn map(&self, bytes: usize, align: usize) -> Option<NonNull<u8>> {
        os::map(os::whole_pages(bytes), align.max(os::page_size()))
    }

    unsafe fn unmap(&self, start: NonNull<u8>, bytes: usize) {
        // SAFETY: passed on to the caller; the size is rounded as in `map`.
        unsafe { os::unmap(start, os::whole_pages(bytes)) };
    }

    unsafe fn purge(&self, start: NonNull<u8>, bytes: usize) {
        // SAFETY: passed on to the caller. A refusal leaves the content, which is allowed.
        let _ = unsafe { os::purge(start, bytes) };
    }
}
