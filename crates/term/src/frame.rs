//! The header of a continuation frame, one cell: how many slots it has, and where to resume.
//!
//! Layout: `slots << 53 | (resume >> 3) << 8 | header(Kind::Frame)`. An instruction's address is a multiple of 8 and below 2^48, as all of user
//! space is on x86-64 and on arm64 under Linux; so the 45 bits that remain of it stand in bits 8 to 52.
//!
//! Equations, for `slots` up to [`MAX_SLOTS`] and such an address: `slots_of(header(resume, slots)) = slots`,
//! `resume_of(header(resume, slots)) = resume`.

use crate::cell::{Cell, Kind};

/// Bits of an address.
const ADDRESS_BITS: u32 = 48;
/// Where the number of slots begins: above the kind and what is kept of the address.
const SLOTS_SHIFT: u32 = 8 + ADDRESS_BITS - 3;

/// Largest number of slots in a frame.
pub const MAX_SLOTS: usize = (1 << (u64::BITS - SLOTS_SHIFT)) - 1;

/// The header of a frame.
#[inline(always)]
pub fn header(resume: *const u64, slots: usize) -> Cell {
    debug_assert!(slots <= MAX_SLOTS);
    debug_assert!((resume as u64) >> ADDRESS_BITS == 0 && resume.is_aligned());
    let bits = crate::cell::header(Kind::Frame);
    Cell((slots as u64) << SLOTS_SHIFT | (resume as u64 >> 3) << 8 | bits)
}

/// The number of slots that a header says.
#[inline(always)]
pub fn slots_of(header: Cell) -> usize {
    (header.0 >> SLOTS_SHIFT) as usize
}

/// The resume address that a header says.
#[inline(always)]
pub fn resume_of(header: Cell) -> *const u64 {
    let above = u64::BITS - SLOTS_SHIFT;
    ((header.0 << above >> (above + 8)) << 3) as *const u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each bit of an address and of a number of slots comes back where it was, and so do all of them together.
    #[test]
    fn headers_keep_slots_and_addresses() {
        let bits = |n: u32| (0..n).map(|i| 1u64 << i);
        let addresses = bits(ADDRESS_BITS).filter(|a| a % 8 == 0).chain([
            0,
            (1 << ADDRESS_BITS) - 8,
            0x7fff_ffff_fff8,
        ]);
        for address in addresses {
            let resume = address as *const u64;
            for slots in bits(MAX_SLOTS.count_ones()).chain([0, MAX_SLOTS as u64]) {
                let h = header(resume, slots as usize);
                assert!(h.is_kind(Kind::Frame));
                assert_eq!((slots_of(h), resume_of(h)), (slots as usize, resume));
            }
        }
    }
}
