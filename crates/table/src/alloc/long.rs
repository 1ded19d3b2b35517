//! Arrays that are too long for a page: of the general allocator, or from [`HUGE`] on mapped for themselves, with huge pages.
//!
//! What the system has is asked for first ([`common`]); it may be told to refuse ([`Door::Tables`]).

use samite_alloc::os;
use samite_term::common;
use samite_world::faults::{self, Door};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Size of a huge page on common machines.
const HUGE: usize = 1 << 21;
/// Alignment of all arrays: a cache line.
const ALIGN: usize = 64;

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, ALIGN).ok()
}

/// `bytes` of zeroes, a power of two; `None` if there is no memory.
pub(super) fn make(bytes: usize) -> Option<NonNull<u8>> {
    if faults::check(Door::Tables).is_err() {
        return None;
    }
    if bytes < HUGE {
        let layout = layout(bytes)?;
        // SAFETY: no array is empty.
        return common::mapped(bytes, || NonNull::new(unsafe { alloc_zeroed(layout) }));
    }
    // Until it is aligned, a mapping is longer.
    let most = bytes.checked_add(HUGE)?;
    let array = common::mapped(most, || os::map(bytes, HUGE))?;
    // SAFETY: a mapping of ours.
    unsafe { os::huge_pages(array, bytes) };
    Some(array)
}

/// Takes an array back.
///
/// # Safety
/// It is from [`make`] with the same size, was not freed since, and is not used any more.
pub(super) unsafe fn free(array: NonNull<u8>, bytes: usize) {
    // SAFETY: the caller's promise; the layout was one when the array was made.
    unsafe {
        if bytes < HUGE {
            dealloc(
                array.as_ptr(),
                Layout::from_size_align_unchecked(bytes, ALIGN),
            );
        } else {
            let unmapped = os::unmap(array, bytes);
            debug_assert!(unmapped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_array_is_aligned_zeroed_and_writable() {
        for bytes in [2048, HUGE / 2, HUGE, 4 * HUGE] {
            for _ in 0..2 {
                let array = make(bytes).unwrap();
                assert!(array.addr().get().is_multiple_of(ALIGN));
                // SAFETY: the array has this many bytes, and is freed once.
                unsafe {
                    let all = std::slice::from_raw_parts_mut(array.as_ptr(), bytes);
                    let step = if cfg!(miri) { 4001 } else { 1 };
                    assert!(all.iter().step_by(step).all(|&b| b == 0));
                    all[0] = 1;
                    all[bytes - 1] = 2;
                    free(array, bytes);
                }
            }
        }
        assert!(make(1 << 62).is_none());
    }
}
