//! The list of the blocks of others that a heap keeps of a class, as a part of the heap; what is done with it, and why, is in `foreign`.
//!
//! Owner of the heap only, but for the tallies, which anybody may read.

use crate::classes::{SMALL_MAX, class_of, size_of_class};
use crate::page::Stock;
use crate::sync::Tally;

/// Classes that the direct table serves.
pub const DIRECT_CLASSES: usize = class_of(SMALL_MAX) + 1;
/// Bytes kept of a class at most, within the bounds of blocks that follow.
const KEEP: usize = 8192;
/// The same of the classes beyond the direct table.
const KEEP_MEDIUM: usize = 128 << 10;

/// The kept blocks of a class. All zeroes is none.
#[repr(C)]
pub struct Foreign {
    /// The list, and how many blocks were handed out from it.
    pub stock: Stock,
    /// How many blocks were handed out from the list or are on it.
    pub kept: Tally,
    /// What `foreign::allocated` was when the list was last sent home.
    pub seen: u64,
    /// [`Foreign::traffic`] when a `foreign::sweep` last found blocks on the list, or when they were last sent home: if it is the same, nothing was
    /// kept or handed out since.
    pub swept: u64,
    /// With more blocks than this on the list there is something to be done about them: see `foreign::many`.
    pub watch: u32,
    /// Most blocks to keep; learned, see `foreign::send_home`. 0 before the first time.
    pub most: u32,
}

impl Foreign {
    /// How many blocks are on the list.
    #[inline]
    pub fn count(&self) -> u64 {
        self.kept.get().wrapping_sub(self.stock.allocs.get())
    }
    /// Grows with each block that is kept and each that is handed out, until the list is sent home: blocks that came and went leave a
    /// trace.
    #[inline]
    pub fn traffic(&self) -> u64 {
        self.kept.get().wrapping_add(self.stock.allocs.get())
    }

    /// The list has become empty: from now on, blocks are to be handed out when there are enough.
    ///
    /// # Safety
    /// `this` is that of a class of the caller's heap.
    pub unsafe fn emptied(this: *mut Foreign, class: usize) {
        // SAFETY: the caller owns it.
        unsafe { (*this).watch = (*this).most.min(enough(class)).max(1) - 1 };
    }
}

/// Most blocks ever kept of a class.
pub fn limit(class: usize) -> u32 {
    let size = size_of_class(class);
    let n = if class < DIRECT_CLASSES {
        (KEEP / size).clamp(16, 64)
    } else {
        (KEEP_MEDIUM / size).clamp(2, 16)
    };
    n as u32
}

/// So many kept blocks of a class are worth the change of the direct table, if it serves the class.
pub fn enough(class: usize) -> u32 {
    if class < DIRECT_CLASSES {
        (limit(class) / 16).max(2)
    } else {
        1
    }
}
