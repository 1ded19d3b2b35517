//! What `samite_malloc.h` offers beyond the standard.

use core::ffi::c_int;
use samite_alloc::api;

/// glibc's name for giving free memory back to the system; the padding is ignored. 1 if any was given back.
#[unsafe(no_mangle)]
pub extern "C" fn malloc_trim(_pad: usize) -> c_int {
    c_int::from(api::trim() > 0)
}
