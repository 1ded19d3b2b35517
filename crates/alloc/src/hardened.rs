//! Hardened mode: every block is checked on every operation.
//!
//! A bitmap beside the heap has one bit per grain of 16 bytes, set at the start of each block in use. It is exact: a free
//! of anything but the start of a block in use is found, whatever the block's contents are. Free blocks are filled with
//! a pattern behind their link; a pattern that has changed when the block is handed out again means that somebody wrote
//! into freed memory.
//!
//! The mode costs the fast paths nothing when it is off: a heap made in hardened mode has an id of its own that no
//! pageblock matches and an empty direct table, so that all operations take the slow paths, which ask.

use crate::fault::{self, Fault};
use crate::page::Block;
use crate::region;
use core::sync::atomic::Ordering;

/// What free blocks are filled with.
const FILL: u8 = 0xDF;

/// Notes that a block is in use, and checks that nobody has written to it. Returns the block.
///
/// # Safety
/// `p` is a block of `size` bytes that was just taken out of a free list.
pub unsafe fn allocated(p: *mut u8, size: usize) -> *mut u8 {
    let Some(place) = region::place(p) else {
        fault::report(Fault::Corruption, p);
        return core::ptr::null_mut();
    };
    let (word, bit) = region::shadow(place);
    crate::sync::rmw();
    // Relaxed: the bit is the whole information.
    if word.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
        fault::report(Fault::Corruption, p);
        return core::ptr::null_mut();
    }
    // SAFETY: the block is the caller's. Memory that was never handed out is zero and not filled.
    unsafe {
        let body = core::slice::from_raw_parts(p, size);
        let body = &body[size_of::<Block>()..];
        let first = body.first().copied().unwrap_or(0);
        if (first != FILL && first != 0) || body.iter().any(|&b| b != first) {
            fault::report(Fault::Corruption, p);
        }
    }
    p
}

/// Notes that a block is free, and fills it.
///
/// # Safety
/// `p` is the start of a block of `size` bytes, in use or not.
pub unsafe fn freed(p: *mut u8, size: usize) -> Result<(), Fault> {
    let place = region::place(p).ok_or(Fault::InvalidPointer)?;
    let (word, bit) = region::shadow(place);
    crate::sync::rmw();
    if word.fetch_and(!bit, Ordering::Relaxed) & bit == 0 {
        return Err(Fault::DoubleFree);
    }
    let link = size_of::<Block>();
    // SAFETY: the bit was set, so the block was in use and is now the caller's.
    unsafe { core::ptr::write_bytes(p.add(link), FILL, size - link) };
    Ok(())
}

/// Whether a block is in use.
pub fn in_use(p: *const u8) -> bool {
    region::place(p).is_some_and(|place| {
        let (word, bit) = region::shadow(place);
        word.load(Ordering::Relaxed) & bit != 0
    })
}
