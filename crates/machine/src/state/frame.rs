//! Continuations: the layout of a frame.
//!
//! ```text
//! word 0    header: number of slots, resume address, kind (see [`samite_term::frame`])
//! word 1    parent: the continuation of the continuation
//! word 2..  the slots: what is live when the call returns
//! ```
//!
//! A frame is an object of the heap like any other, and immutable, but for the one in E (see `ARCHITECTURE.md`, Machine).
//! Who makes one without compiled code does it through [`Worker::make_frame`](crate::engine::worker::Worker::make_frame).

use samite_term::Cell;
pub use samite_term::frame::{header as frame_header, resume_of, slots_of};

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
