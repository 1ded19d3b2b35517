//! Structures that the general allocator gives, each by itself: what the page allocator is compared with (paper, section V).
//!
//! Nothing knows where they are but whoever has them, so they are given back one by one ([`StructAlloc::frees_singly`](super::StructAlloc::frees_singly)).

use super::pages::size_of_kind;
use samite_alloc::slab::Kind;
use samite_world::faults::{self, Door};
use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

/// No structure is aligned to more: a line of the cache.
const MOST_ALIGN: usize = 64;

/// As [`StructAlloc`](super::StructAlloc) wants it.
fn layout(kind: Kind) -> Layout {
    let size = size_of_kind(kind);
    let align = (1 << size.trailing_zeros()).min(MOST_ALIGN);
    // SAFETY: a power of two, and no structure is nearly as long as the address space.
    unsafe { Layout::from_size_align_unchecked(size, align) }
}

/// A structure, not initialised; `None` if there is no memory.
pub(super) fn make(kind: Kind) -> Option<NonNull<u8>> {
    if faults::check(Door::Tables).is_err() {
        return None;
    }
    // SAFETY: no structure is empty.
    NonNull::new(unsafe { alloc(layout(kind)) })
}

/// Takes one back.
///
/// # Safety
/// It is from [`make`] of the same type, was not freed since, and is not used any more.
pub(super) unsafe fn free(kind: Kind, p: NonNull<u8>) {
    // SAFETY: the caller's promise.
    unsafe { dealloc(p.as_ptr(), layout(kind)) };
}
