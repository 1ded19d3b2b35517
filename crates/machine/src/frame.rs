//! Continuations: the layout of a frame.
//!
//! ```text
//! word 0    header: number of slots (12 bits) | resume address / 8 (44 bits) | kind (8 bits)
//! word 1    parent: the continuation of the continuation
//! word 2..  the slots: what is live when the call returns
//! ```
//!
//! A frame is an object of the heap like any other, and immutable, but for the one in E (see `ARCHITECTURE.md`, Machine).
//! Who makes one without compiled code does it through [`Worker::make_frame`](crate::worker::Worker::make_frame).

use samite_term::{Cell, Kind};

/// The header of a frame.
#[inline(always)]
pub fn frame_header(resume: *const u64, slots: usize) -> Cell {
    let bits = samite_term::cell::header(Kind::Frame);
    Cell(((slots as u64) << 52) | ((resume as u64 >> 3) << 8) | bits)
}

/// Writes a frame.
///
/// # Safety
/// There is room for it at `f`.
pub(crate) unsafe fn write_frame(
    f: *mut Cell,
    resume: *const u64,
    parent: *mut Cell,
    slots: &[Cell],
) {
    // SAFETY: promised by the caller.
    unsafe {
        *f = frame_header(resume, slots.len());
        *f.add(1) = Cell::frame_ptr(parent);
        for (i, &s) in slots.iter().enumerate() {
            *f.add(2 + i) = s;
        }
    }
}

/// The number of slots in a frame header.
#[inline(always)]
pub fn slots_of(header: Cell) -> usize {
    (header.0 >> 52) as usize
}

/// The resume address of a frame header.
#[inline(always)]
pub fn resume_of(header: Cell) -> *const u64 {
    ((header.0 << 12 >> 20) << 3) as *const u64
}
