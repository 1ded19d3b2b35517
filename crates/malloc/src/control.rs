//! What `samite_malloc.h` offers beyond the standard.

use core::ffi::c_int;
use samite_alloc::{api, fault, stats, verify};

/// Gives free memory back to the system; 1 if any was given back.
///
/// Not under glibc's name `malloc_trim`: programs call that often because there memory does not go back by itself, and would
/// pay for faulting in again what is kept on purpose. It stays glibc's, which finds nothing to do.
#[unsafe(no_mangle)]
pub extern "C" fn samite_malloc_trim() -> c_int {
    c_int::from(api::trim() > 0)
}

/// Writes statistics to a file descriptor: text, or JSON if `json` is not 0.
#[unsafe(no_mangle)]
pub extern "C" fn samite_malloc_stats(fd: c_int, json: c_int) {
    if json != 0 {
        stats::write_json(fd);
    } else {
        stats::write_text(fd);
    }
}

/// Sets what is called when the heap is found to be misused; NULL removes it.
#[unsafe(no_mangle)]
pub extern "C" fn samite_malloc_set_fault_hook(hook: Option<fault::Hook>) {
    fault::set_hook(hook);
}

/// Checks the heap of the calling thread and those that no thread has: the number of pageblocks checked, or -1 if something is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn samite_malloc_verify() -> c_int {
    verify::verify().map_or(-1, |n| n.min(c_int::MAX as usize) as c_int)
}

/// Atomic read-modify-writes and writes to shared cache lines so far, in a library built with the feature `count`:
/// returns 1 and fills in both numbers, or returns 0.
///
/// # Safety
/// Both pointers are valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samite_malloc_traffic(rmw: *mut u64, writes: *mut u64) -> c_int {
    match samite_alloc::traffic() {
        Some((a, b)) => {
            // SAFETY: the caller's promise.
            unsafe {
                *rmw = a;
                *writes = b;
            }
            1
        }
        None => 0,
    }
}
