//! Size classes: which block size serves a request, and how many slices a pageblock of that size has.
//!
//! As in the paper (Achilleas & Vagenas, *xmalloc*, 2021) the classes come in major groups of sub-classes with one step
//! each. Differs from it in: eight sub-classes per doubling, so at most 1/9 of a block above 256 bytes is waste (the
//! paper's three groups waste more at the start of each); no header, so a class is what the user gets; medium classes
//! up to 64 KiB continue the same formula.
//!
//! | sizes | step | classes |
//! |---|---|---|
//! | 1 … 256 | 16 | 0 … 15 |
//! | 2^b+1 … 2^(b+1), b = 8 … 15 | 2^(b-3) | 16 … 79 |
//!
//! Invariant: every class size is a multiple of 16, so every block is aligned to 16; and a class size that is a multiple
//! of a power of two `a` up to a slice gives blocks aligned to `a`, because pageblocks start at slices.
//! Waste, beyond the rounding to 16 bytes that alignment dictates, is below 12.5% for every size above 64 bytes.

use crate::config::SLICE;

/// Granularity and least alignment of blocks.
pub const GRAIN: usize = 16;
/// Number of size classes.
pub const CLASSES: usize = 80;
/// The largest size served through a thread's direct table.
pub const SMALL_MAX: usize = 2048;
/// The largest size served from pageblocks; larger objects get slices of their own.
pub const MEDIUM_MAX: usize = 64 * 1024;
/// A pageblock holds at least this many blocks.
const MIN_BLOCKS: usize = 8;

const _: () = assert!(size_of_class(CLASSES - 1) == MEDIUM_MAX);

/// The class that serves `size` bytes, which are at most [`MEDIUM_MAX`].
#[inline(always)]
pub const fn class_of(size: usize) -> usize {
    if size <= 256 {
        if size == 0 { 0 } else { (size - 1) / GRAIN }
    } else {
        let m = size - 1;
        let b = (usize::BITS - 1 - m.leading_zeros()) as usize;
        16 + (b - 8) * 8 + ((m >> (b - 3)) & 7)
    }
}

/// The block size of a class.
#[inline(always)]
pub const fn size_of_class(class: usize) -> usize {
    if class < 16 {
        (class + 1) * GRAIN
    } else {
        let k = class - 16;
        (9 + k % 8) << (5 + k / 8)
    }
}

/// Slices of a pageblock of a class, before the page multiplier.
pub const fn slices_of_class(class: usize) -> usize {
    (size_of_class(class) * MIN_BLOCKS)
        .next_power_of_two()
        .div_ceil(SLICE)
}

/// The smallest class of at least `size` bytes whose blocks are aligned to `align`, a power of two up to a slice.
#[inline]
pub const fn class_aligned(size: usize, align: usize) -> Option<usize> {
    if size > MEDIUM_MAX {
        return None;
    }
    // A class that holds the size rounded up is most often a multiple itself; the next power of two always is.
    let rounded = (size + align - 1) & !(align - 1);
    let mut class = class_of(rounded);
    while size_of_class(class) & (align - 1) != 0 {
        class += 1;
    }
    Some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Miri has no time for all sizes.
    const STEP: usize = if cfg!(miri) { 61 } else { 1 };

    #[test]
    fn every_size_has_the_least_class_that_holds_it() {
        for size in (1..=MEDIUM_MAX).step_by(STEP) {
            let c = class_of(size);
            assert!(size_of_class(c) >= size, "{size}");
            assert!(c == 0 || size_of_class(c - 1) < size, "{size}");
        }
        assert_eq!(class_of(0), 0);
    }

    #[test]
    fn waste_per_class_is_at_most_an_eighth_above_64_bytes() {
        for size in (65..=MEDIUM_MAX).step_by(STEP) {
            let block = size_of_class(class_of(size));
            let aligned = size.next_multiple_of(GRAIN);
            assert!((block - aligned) * 8 <= block, "{size} in {block}");
        }
        // On average over the sizes of a class the rounding is included.
        for c in 4..CLASSES {
            let (low, high) = (size_of_class(c - 1) + 1, size_of_class(c));
            let mean = (high - low) / 2;
            assert!(mean * 8 <= high, "class {c}");
        }
    }

    #[test]
    fn blocks_are_aligned_and_fill_their_pageblock() {
        for c in 0..CLASSES {
            let (size, bytes) = (size_of_class(c), slices_of_class(c) * SLICE);
            assert_eq!(size % GRAIN, 0);
            assert!(bytes / size >= MIN_BLOCKS, "class {c}");
            assert!((bytes % size) * 8 <= bytes, "class {c}");
        }
        assert_eq!(class_aligned(100, 64).map(size_of_class), Some(128));
        assert_eq!(class_aligned(5000, 4096).map(size_of_class), Some(8192));
        assert_eq!(class_aligned(1, 65536).map(size_of_class), Some(65536));
    }
}
