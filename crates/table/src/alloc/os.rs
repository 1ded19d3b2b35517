//! Pieces of memory from the operating system, in whole pages, which go back to it when they are dropped. What the system has is asked for first
//! ([`common`]); it may be told to refuse ([`Door::Tables`]).

use samite_alloc::os;
use samite_term::common;
use samite_world::faults::{self, Door};
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
    // Until it is aligned, a mapping is longer.
    let most = bytes.checked_add(align - page())?;
    if faults::check(Door::Tables).is_err() {
        return None;
    }
    let start = common::mapped(most, || os::map(bytes, align))?;
    Some(Mapping { start, bytes })
}

/// As [`map`], aligned to [`HUGE`], for memory that will soon be used densely: asks for huge pages.
pub fn map_huge(bytes: usize) -> Option<Mapping> {
    let m = map(bytes, HUGE)?;
    // SAFETY: a mapping of ours.
    unsafe { os::huge_pages(m.start, bytes) };
    Some(m)
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped above in this length, and whoever has it knows of nobody who uses it.
        let unmapped = unsafe { os::unmap(self.start, self.bytes) };
        debug_assert!(unmapped);
    }
}

/// The least piece: a page of the system.
pub fn page() -> usize {
    os::page_size()
}
/// Size of a huge page on common machines.
pub const HUGE: usize = if cfg!(any(test, miri)) {
    1 << 14
} else {
    1 << 21
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_aligned_zeroed_and_writable() {
        for (bytes, align) in [(page(), page()), (2 * page(), HUGE), (4 * HUGE, HUGE)] {
            let m = if bytes > HUGE {
                map_huge(bytes)
            } else {
                map(bytes, align)
            }
            .unwrap();
            assert_eq!(m.start().addr().get() % align, 0);
            // SAFETY: the mapping has this many bytes and lives on.
            let all = unsafe { std::slice::from_raw_parts_mut(m.start().as_ptr(), bytes) };
            let step = if cfg!(miri) { 4001 } else { 1 };
            assert!(all.iter().step_by(step).all(|&b| b == 0));
            all[0] = 1;
            all[bytes - 1] = 2;
        }
    }
}
