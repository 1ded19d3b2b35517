//! The allocator as Rust's `#[global_allocator]`.

use crate::api;
use crate::classes::GRAIN;
use core::alloc::{GlobalAlloc, Layout};

/// The allocator of the process. There is one, however many values of this type there are.
///
/// ```
/// #[global_allocator]
/// static A: samite_alloc::Samite = samite_alloc::Samite::new();
///
/// let v: Vec<u64> = (0..1000).collect();
/// assert_eq!(v.iter().sum::<u64>(), 499_500);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Samite;

impl Samite {
    /// The allocator.
    pub const fn new() -> Samite {
        Samite
    }
}

// SAFETY: blocks are disjoint, as large as asked for and aligned; the functions do not panic.
unsafe impl GlobalAlloc for Samite {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= GRAIN {
            api::allocate(layout.size())
        } else {
            api::allocate_aligned(layout.size(), layout.align())
        }
    }

    #[inline]
    unsafe fn dealloc(&self, p: *mut u8, _: Layout) {
        // SAFETY: the caller's promise.
        unsafe { api::free(p) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= GRAIN {
            return api::allocate_zeroed(layout.size());
        }
        let p = api::allocate_aligned(layout.size(), layout.align());
        if !p.is_null() {
            // SAFETY: just allocated with this size.
            unsafe { core::ptr::write_bytes(p, 0, layout.size()) };
        }
        p
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise. What is aligned to more than resizing keeps is moved by hand.
        unsafe {
            if layout.align() <= GRAIN {
                return api::resize(p, size);
            }
            let new = api::allocate_aligned(size, layout.align());
            if !new.is_null() {
                core::ptr::copy_nonoverlapping(p, new, layout.size().min(size));
                api::free(p);
            }
            new
        }
    }
}
