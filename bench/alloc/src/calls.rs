//! The C functions, called so that the compiler cannot do without them, and the library they come from.
//!
//! Compilers know `malloc` and `free` and may drop a pair whose block nobody looks at. Every pointer therefore passes
//! through [`opaque`].

use std::arch::asm;
use std::ffi::{CStr, c_void};
use std::path::PathBuf;

/// The same pointer; the compiler no longer knows where it is from, and must assume that others look at the block.
#[inline(always)]
pub fn opaque(p: *mut u8) -> *mut u8 {
    let mut p = p;
    // SAFETY: no instruction at all; without `nomem` the compiler takes it for one that may access any memory.
    unsafe { asm!("/* {0} */", inout(reg) p, options(nostack, preserves_flags)) };
    p
}

/// `malloc`; null if there is no memory.
#[inline(always)]
pub fn malloc(size: usize) -> *mut u8 {
    // SAFETY: malloc may be called with any size.
    opaque(unsafe { libc::malloc(size) }.cast())
}

/// `calloc`.
#[inline(always)]
pub fn calloc(n: usize, size: usize) -> *mut u8 {
    // SAFETY: calloc may be called with any numbers.
    opaque(unsafe { libc::calloc(n, size) }.cast())
}

/// `posix_memalign`, with the pointer that it leaves (`before` if it fails), and its result.
#[inline(always)]
pub fn posix_memalign(align: usize, size: usize, before: *mut u8) -> (i32, *mut u8) {
    let mut p: *mut c_void = before.cast();
    // SAFETY: `p` is a live local; any alignment and size may be asked for.
    let result = unsafe { libc::posix_memalign(&raw mut p, align, size) };
    (result, opaque(p.cast()))
}

/// `realloc`.
///
/// # Safety
/// `p` is null or a live block of the C allocator, which the caller gives up if the result is not null (or `size` is 0).
#[inline(always)]
pub unsafe fn realloc(p: *mut u8, size: usize) -> *mut u8 {
    // SAFETY: passed on to the caller.
    opaque(unsafe { libc::realloc(opaque(p).cast(), size) }.cast())
}

/// `free`.
///
/// # Safety
/// `p` is null or a live block of the C allocator, which the caller gives up.
#[inline(always)]
pub unsafe fn free(p: *mut u8) {
    // SAFETY: passed on to the caller.
    unsafe { libc::free(opaque(p).cast()) }
}

/// The address of an optional C function, null if nothing loaded has it.
pub fn find(name: &CStr) -> *mut c_void {
    // SAFETY: a C string, and a handle that dlsym knows.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// As [`find`], but null unless the function is of the library that `malloc` is of: an allocator that is preloaded
/// may lack it, and the C library's own would not go together with it.
pub fn find_beside_malloc(name: &CStr) -> *mut c_void {
    let f = find(name);
    let base = |f| library(f).map(|info| info.dli_fbase);
    if !f.is_null() && base(f) == base(find(c"malloc")) {
        f
    } else {
        std::ptr::null_mut()
    }
}

/// What the dynamic linker knows of the library that an address is in.
fn library(address: *mut c_void) -> Option<libc::Dl_info> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is writable, and only read if the call says that it is filled.
    unsafe { (libc::dladdr(address, info.as_mut_ptr()) != 0).then(|| info.assume_init()) }
}

/// The file of the library that `malloc` comes from.
pub fn origin() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let name = library(find(c"malloc"))?.dli_fname;
    if name.is_null() {
        return None;
    }
    // SAFETY: the name is a C string that stays while the library is loaded.
    let name = unsafe { CStr::from_ptr(name) };
    std::fs::canonicalize(std::ffi::OsStr::from_bytes(name.to_bytes())).ok()
}

/// Sets the C error number.
pub fn set_errno(value: i32) {
    // SAFETY: the location belongs to this thread.
    unsafe { *libc::__errno_location() = value };
}

/// The C error number.
pub fn errno() -> i32 {
    // SAFETY: the location belongs to this thread.
    unsafe { *libc::__errno_location() }
}
