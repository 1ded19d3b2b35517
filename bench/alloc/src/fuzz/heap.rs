//! The C functions under test behind one trait, so that tests of the fuzzer can put a faulty one in between.

use samite_bench_alloc::calls;
use std::ffi::c_void;
use std::sync::OnceLock;

/// Signature of `free_sized`.
type FreeSized = unsafe extern "C" fn(*mut c_void, usize);
/// Signature of `free_aligned_sized`.
type FreeAlignedSized = unsafe extern "C" fn(*mut c_void, usize, usize);

/// The functions of `stdlib.h` and `malloc.h`. Pointers passed in are live blocks of this heap (or null where C allows
/// that), which the caller gives up as the C functions say.
#[allow(
    clippy::missing_safety_doc,
    reason = "the trait's text says it for all methods"
)]
pub trait Heap: Sync {
    fn malloc(&self, size: usize) -> *mut u8 {
        calls::malloc(size)
    }
    fn calloc(&self, n: usize, size: usize) -> *mut u8 {
        calls::calloc(n, size)
    }
    unsafe fn realloc(&self, p: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: passed on to the caller.
        unsafe { calls::realloc(p, size) }
    }
    unsafe fn reallocarray(&self, p: *mut u8, n: usize, size: usize) -> *mut u8 {
        // SAFETY: passed on to the caller.
        calls::opaque(unsafe { libc::reallocarray(p.cast(), n, size) }.cast())
    }
    unsafe fn free(&self, p: *mut u8) {
        // SAFETY: passed on to the caller.
        unsafe { calls::free(p) }
    }
    fn posix_memalign(&self, align: usize, size: usize, before: *mut u8) -> (i32, *mut u8) {
        calls::posix_memalign(align, size, before)
    }
    fn aligned_alloc(&self, align: usize, size: usize) -> *mut u8 {
        // SAFETY: any numbers may be asked for.
        calls::opaque(unsafe { libc::aligned_alloc(align, size) }.cast())
    }
    fn memalign(&self, align: usize, size: usize) -> *mut u8 {
        // SAFETY: any numbers may be asked for.
        calls::opaque(unsafe { libc::memalign(align, size) }.cast())
    }
    fn usable(&self, p: *mut u8) -> usize {
        // SAFETY: only reads what the allocator knows of a live block.
        unsafe { libc::malloc_usable_size(p.cast()) }
    }
    /// `valloc` or `pvalloc`, if the library has it.
    fn valloc(&self, whole_pages: bool, size: usize) -> Option<*mut u8> {
        let name = if whole_pages { c"pvalloc" } else { c"valloc" };
        let f = calls::find_beside_malloc(name);
        if f.is_null() {
            return None;
        }
        // SAFETY: these functions have had this signature since they exist.
        let f: unsafe extern "C" fn(usize) -> *mut c_void = unsafe { std::mem::transmute(f) };
        // SAFETY: any size may be asked for.
        Some(calls::opaque(unsafe { f(size) }.cast()))
    }
    /// `free_sized`; `free` if the library has none.
    unsafe fn free_sized(&self, p: *mut u8, size: usize) {
        static F: OnceLock<Option<FreeSized>> = OnceLock::new();
        let f = F.get_or_init(|| {
            let f = calls::find_beside_malloc(c"free_sized");
            // SAFETY: the signature is that of C23.
            (!f.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, FreeSized>(f) })
        });
        // SAFETY: passed on to the caller.
        unsafe {
            match f {
                Some(f) => f(p.cast(), size),
                None => self.free(p),
            }
        }
    }
    /// `free_aligned_sized`; `free` if the library has none.
    unsafe fn free_aligned_sized(&self, p: *mut u8, align: usize, size: usize) {
        static F: OnceLock<Option<FreeAlignedSized>> = OnceLock::new();
        let f = F.get_or_init(|| {
            let f = calls::find_beside_malloc(c"free_aligned_sized");
            // SAFETY: the signature is that of C23.
            (!f.is_null())
                .then(|| unsafe { std::mem::transmute::<*mut c_void, FreeAlignedSized>(f) })
        });
        // SAFETY: passed on to the caller.
        unsafe {
            match f {
                Some(f) => f(p.cast(), align, size),
                None => self.free(p),
            }
        }
    }
}

/// The C library's heap, or whatever is preloaded.
pub struct CHeap;

impl Heap for CHeap {}
