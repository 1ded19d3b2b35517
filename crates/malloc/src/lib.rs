//! The C interface of `samite-alloc`: a shared library to link with or to preload.
//!
//! Follows the GNU C library's manual, *Replacing malloc*, and POSIX: the whole family is replaced, failures give NULL with
//! `errno` set to `ENOMEM`, `free` keeps `errno`, `realloc(p, 0)` frees, sizes that overflow fail.
//!
//! C++'s `operator new` and `operator delete` are left to the C++ library, deliberately: its `new` of every form (plain,
//! array, aligned, nothrow) calls `malloc` or `aligned_alloc`, and when these give NULL runs the new handler and throws
//! `std::bad_alloc`, in the way that belongs to that library's exceptions; its `delete` of every form calls `free`. All
//! of them are thereby served by this allocator, with the semantics of C++ and no C++ compiler needed to build this.
//!
//! Every function may be called from any thread at any time, before thread-local set-up and after thread-specific
//! destructors included.

use core::ffi::{c_int, c_void};
use core::ptr;
use samite_alloc::{api, os};

mod control;

const LEAST_ALIGN: usize = 16;

fn set_errno(e: c_int) {
    // SAFETY: the address of errno is valid for the life of the thread.
    unsafe { *libc::__errno_location() = e };
}

/// Sizes beyond `PTRDIFF_MAX` fail, as in glibc: differences of pointers into the block could not be expressed.
#[inline(always)]
fn checked(p: *mut u8) -> *mut c_void {
    if p.is_null() {
        out_of_memory();
    }
    p.cast()
}

#[cold]
#[inline(never)]
fn out_of_memory() {
    set_errno(libc::ENOMEM);
}

/// C17 7.22.3.4.
#[unsafe(no_mangle)]
pub extern "C" fn malloc(size: usize) -> *mut c_void {
    let p = api::allocate_fast(size);
    if p.is_null() {
        return malloc_slow(size);
    }
    p.cast()
}

#[cold]
#[inline(never)]
extern "C" fn malloc_slow(size: usize) -> *mut c_void {
    checked(api::allocate_slow(size))
}

/// C17 7.22.3.2.
#[unsafe(no_mangle)]
pub extern "C" fn calloc(n: usize, size: usize) -> *mut c_void {
    match n.checked_mul(size) {
        Some(bytes) => checked(api::allocate_zeroed(bytes)),
        None => checked(ptr::null_mut()),
    }
}

/// C17 7.22.3.3. Errno is kept.
///
/// # Safety
/// `p` is null or a block of this allocator, which is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(p: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { api::free(p.cast()) }
}

/// C17 7.22.3.5; as in glibc, `realloc(p, 0)` frees `p` and gives NULL.
///
/// # Safety
/// As for [`free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(p: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe {
        if size == 0 && !p.is_null() {
            api::free(p.cast());
            return ptr::null_mut();
        }
        checked(api::resize(p.cast(), size))
    }
}

/// `realloc(p, n * size)`, failing if the product overflows.
///
/// # Safety
/// As for [`free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reallocarray(p: *mut c_void, n: usize, size: usize) -> *mut c_void {
    match n.checked_mul(size) {
        // SAFETY: the caller's promise.
        Some(bytes) => unsafe { realloc(p, bytes) },
        None => checked(ptr::null_mut()),
    }
}

fn aligned(align: usize, size: usize) -> *mut c_void {
    checked(api::allocate_aligned(size, align.max(LEAST_ALIGN)))
}

/// C17 7.22.3.1. An alignment that is no power of two fails with `EINVAL`.
#[unsafe(no_mangle)]
pub extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
    if !align.is_power_of_two() {
        set_errno(libc::EINVAL);
        return ptr::null_mut();
    }
    aligned(align, size)
}

/// Like [`aligned_alloc`], but an alignment that is no power of two is rounded up, as in glibc.
#[unsafe(no_mangle)]
pub extern "C" fn memalign(align: usize, size: usize) -> *mut c_void {
    match align.checked_next_power_of_two() {
        Some(a) => aligned(a, size),
        None => {
            set_errno(libc::EINVAL);
            ptr::null_mut()
        }
    }
}

/// POSIX. `*out` is written on success only, and errno is left alone.
///
/// # Safety
/// `out` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int {
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<*mut c_void>()) {
        return libc::EINVAL;
    }
    let p = api::allocate_aligned(size, align.max(LEAST_ALIGN));
    if p.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: the caller's promise.
    unsafe { *out = p.cast() };
    0
}

/// A block aligned to system pages.
#[unsafe(no_mangle)]
pub extern "C" fn valloc(size: usize) -> *mut c_void {
    aligned(os::page_size(), size)
}

/// A block of whole system pages.
#[unsafe(no_mangle)]
pub extern "C" fn pvalloc(size: usize) -> *mut c_void {
    match size.max(1).checked_next_multiple_of(os::page_size()) {
        Some(n) => aligned(os::page_size(), n),
        None => checked(ptr::null_mut()),
    }
}

/// C23 7.24.3.4: `free` of a block from malloc, calloc or realloc with its size.
///
/// # Safety
/// As for [`free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free_sized(p: *mut c_void, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { api::free_sized(p.cast(), size) }
}

/// C23 7.24.3.5: `free` of a block from aligned_alloc with its alignment and size.
///
/// # Safety
/// As for [`free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free_aligned_sized(p: *mut c_void, _align: usize, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { api::free_sized(p.cast(), size) }
}

/// An old name of [`free`].
///
/// # Safety
/// As for [`free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cfree(p: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { api::free(p.cast()) }
}

/// The bytes that may be used of a block; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn malloc_usable_size(p: *mut c_void) -> usize {
    api::usable_size(p.cast())
}

/// The names under which glibc exports the same functions to itself and a few others.
mod glibc {
    use super::*;

    /// See [`super::malloc`].
    #[unsafe(no_mangle)]
    pub extern "C" fn __libc_malloc(size: usize) -> *mut c_void {
        malloc(size)
    }
    /// See [`super::calloc`].
    #[unsafe(no_mangle)]
    pub extern "C" fn __libc_calloc(n: usize, size: usize) -> *mut c_void {
        calloc(n, size)
    }
    /// See [`super::realloc`].
    ///
    /// # Safety
    /// As there.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn __libc_realloc(p: *mut c_void, size: usize) -> *mut c_void {
        // SAFETY: the caller's promise.
        unsafe { realloc(p, size) }
    }
    /// See [`super::free`].
    ///
    /// # Safety
    /// As there.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn __libc_free(p: *mut c_void) {
        // SAFETY: the caller's promise.
        unsafe { free(p) }
    }
    /// See [`super::memalign`].
    #[unsafe(no_mangle)]
    pub extern "C" fn __libc_memalign(align: usize, size: usize) -> *mut c_void {
        memalign(align, size)
    }
    /// See [`super::valloc`].
    #[unsafe(no_mangle)]
    pub extern "C" fn __libc_valloc(size: usize) -> *mut c_void {
        valloc(size)
    }
    /// See [`super::pvalloc`].
    #[unsafe(no_mangle)]
    pub extern "C" fn __libc_pvalloc(size: usize) -> *mut c_void {
        pvalloc(size)
    }
}
