//! Memory from the operating system, in whole pages, and back to it.
//!
//! Under Miri the global allocator stands in for the system.

use samite_term::common;
use std::ptr::NonNull;

/// A piece of memory from [`map`]: address and size.
#[derive(Debug)]
pub struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

impl Mapping {
    /// First byte.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }
    /// Number of bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// `bytes` of memory filled with zeros, aligned to `align`; both are powers of two, at least a page of the system. `None` if the system
/// has no more.
pub fn map(bytes: usize, align: usize) -> Option<Mapping> {
    debug_assert!(bytes.is_power_of_two() && align.is_power_of_two());
    let more = if align > PAGE { align } else { 0 };
    let start = common::mapped(bytes.checked_add(more)?, || imp::map(bytes, align))?;
    Some(Mapping { start, bytes })
}

/// As [`map`], aligned to [`HUGE`], for memory that will soon be used densely: asks for huge pages.
pub fn map_huge(bytes: usize) -> Option<Mapping> {
    let m = map(bytes, HUGE)?;
    imp::advise_huge(m.start, bytes);
    Some(m)
}

impl Drop for Mapping {
    fn drop(&mut self) {
        imp::unmap(self.start, self.bytes);
    }
}

/// Granularity of the system, or a multiple of it on common machines.
pub const PAGE: usize = 4096;
/// Size of a huge page on common machines.
pub const HUGE: usize = if cfg!(any(test, miri)) {
    1 << 14
} else {
    1 << 21
};

#[cfg(not(miri))]
mod imp {
    use std::ptr::NonNull;

    pub fn map(bytes: usize, align: usize) -> Option<NonNull<u8>> {
        if align <= super::PAGE {
            return raw_map(bytes);
        }
        // More than needed, then give back what is in front and behind.
        let start = raw_map(bytes.checked_add(align)?)?;
        let front = start.align_offset(align);
        // SAFETY: front < align, and bytes + align were mapped.
        let aligned = unsafe { start.add(front) };
        if front > 0 {
            unmap(start, front);
        }
        if align > front {
            // SAFETY: as above: aligned + bytes is inside of what was mapped.
            unmap(unsafe { aligned.add(bytes) }, align - front);
        }
        Some(aligned)
    }

    pub fn advise_huge(start: NonNull<u8>, bytes: usize) {
        #[cfg(target_os = "linux")]
        // SAFETY: changes how the mapping is backed, not what is in it. Refusing is no error.
        unsafe {
            libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (start, bytes);
    }

    fn raw_map(bytes: usize) -> Option<NonNull<u8>> {
        // SAFETY: a new private mapping at an address of the kernel's choice overlaps nothing.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return None;
        }
        NonNull::new(p.cast())
    }

    pub fn unmap(start: NonNull<u8>, bytes: usize) {
        // SAFETY: only called for (parts of) mappings made above that nobody uses any more.
        let r = unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
        debug_assert_eq!(r, 0);
    }
}

#[cfg(miri)]
mod imp {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    // The alignment is not kept in a mapping; the largest that is asked for does for all.
    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, super::HUGE).unwrap()
    }

    pub fn map(bytes: usize, align: usize) -> Option<NonNull<u8>> {
        assert!(align <= super::HUGE);
        // SAFETY: the size is not zero.
        NonNull::new(unsafe { alloc_zeroed(layout(bytes)) })
    }

    pub fn advise_huge(_: NonNull<u8>, _: usize) {}

    pub fn unmap(start: NonNull<u8>, bytes: usize) {
        // SAFETY: from `map` with the same size.
        unsafe { dealloc(start.as_ptr(), layout(bytes)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_aligned_zeroed_and_writable() {
        for (bytes, align) in [(4096, 4096), (8192, HUGE), (4 * HUGE, HUGE)] {
            let m = if bytes > HUGE {
                map_huge(bytes)
            } else {
                map(bytes, align)
            }
            .unwrap();
            assert_eq!(m.start().addr().get() % align, 0);
            // SAFETY: the mapping has this many bytes and lives on.
            let all = unsafe { std::slice::from_raw_parts_mut(m.start().as_ptr(), bytes) };
            assert!(all.iter().all(|&b| b == 0));
            all[0] = 1;
            all[bytes - 1] = 2;
        }
    }
}
