//! Every function of the C interface, and how each fails. This program links the library, so `libc::malloc` is its malloc.

use core::ffi::{c_int, c_void};
use core::ptr;
use samite_malloc as _;
use std::hint::black_box;

unsafe extern "C" {
    fn reallocarray(p: *mut c_void, n: usize, size: usize) -> *mut c_void;
    fn memalign(align: usize, size: usize) -> *mut c_void;
    fn valloc(size: usize) -> *mut c_void;
    fn pvalloc(size: usize) -> *mut c_void;
    fn cfree(p: *mut c_void);
    fn free_sized(p: *mut c_void, size: usize);
    fn free_aligned_sized(p: *mut c_void, align: usize, size: usize);
    fn malloc_usable_size(p: *mut c_void) -> usize;
    fn samite_malloc_trim() -> c_int;
    fn samite_malloc_verify() -> c_int;
}

/// The functions that the compiler knows, out of its sight: it would leave out calls whose results it thinks it can tell.
mod libc_hidden {
    use super::*;

    type Malloc = unsafe extern "C" fn(usize) -> *mut c_void;
    type Calloc = unsafe extern "C" fn(usize, usize) -> *mut c_void;
    type Realloc = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
    type Free = unsafe extern "C" fn(*mut c_void);

    pub unsafe fn malloc(size: usize) -> *mut c_void {
        // SAFETY: as for the function itself; so below.
        unsafe { black_box(libc::malloc as Malloc)(size) }
    }
    pub unsafe fn calloc(n: usize, size: usize) -> *mut c_void {
        // SAFETY: see above.
        unsafe { black_box(libc::calloc as Calloc)(n, size) }
    }
    pub unsafe fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
        // SAFETY: see above.
        unsafe { black_box(libc::aligned_alloc as Calloc)(align, size) }
    }
    pub unsafe fn realloc(p: *mut c_void, size: usize) -> *mut c_void {
        // SAFETY: see above.
        unsafe { black_box(libc::realloc as Realloc)(p, size) }
    }
    pub unsafe fn free(p: *mut c_void) {
        // SAFETY: see above.
        unsafe { black_box(libc::free as Free)(p) }
    }
}
use libc_hidden::{aligned_alloc, calloc, free, malloc, realloc};

fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap()
}

fn set_errno(e: c_int) {
    // SAFETY: the thread's own errno.
    unsafe { *libc::__errno_location() = e };
}

const SIZES: [usize; 14] = [
    0, 1, 15, 16, 17, 64, 65, 1000, 2048, 2049, 30_000, 65_536, 65_537, 9_000_000,
];
const TOO_MUCH: [usize; 4] = [usize::MAX, usize::MAX - 15, isize::MAX as usize, 1 << 60];

#[test]
fn blocks_are_aligned_usable_and_come_back() {
    // SAFETY: blocks are used within their size, and freed once.
    unsafe {
        for size in SIZES {
            let p = malloc(size);
            assert!(!p.is_null());
            assert_eq!(p.addr() % 16, 0);
            let usable = malloc_usable_size(p);
            assert!(usable >= size);
            ptr::write_bytes(p.cast::<u8>(), 0xAA, usable);
            free(p);
        }
        assert_eq!(malloc_usable_size(ptr::null_mut()), 0);
        free(ptr::null_mut());
        assert!(samite_malloc_verify() > 0);
    }
}

#[test]
fn calloc_gives_zeroes_also_where_others_wrote() {
    // SAFETY: as above.
    unsafe {
        for _ in 0..3 {
            for size in SIZES {
                let p = malloc(size);
                ptr::write_bytes(p.cast::<u8>(), 0x55, size);
                free(p);
                let q = calloc(1, size).cast::<u8>();
                assert!((0..size).all(|i| *q.add(i) == 0), "{size}");
                free(q.cast());
            }
        }
    }
}

#[test]
fn what_is_too_large_fails_with_enomem() {
    // SAFETY: nothing is allocated.
    unsafe {
        type Call = unsafe fn(usize) -> *mut c_void;
        let calls: [(&str, Call); 7] = [
            ("malloc", |n| malloc(n)),
            ("calloc", |n| calloc(1, n)),
            ("realloc", |n| realloc(ptr::null_mut(), n)),
            ("memalign", |n| {
                black_box(memalign as unsafe extern "C" fn(usize, usize) -> *mut c_void)(64, n)
            }),
            ("aligned_alloc", |n| aligned_alloc(4096, n)),
            ("valloc", |n| {
                black_box(valloc as unsafe extern "C" fn(usize) -> *mut c_void)(n)
            }),
            ("pvalloc", |n| {
                black_box(pvalloc as unsafe extern "C" fn(usize) -> *mut c_void)(n)
            }),
        ];
        for size in TOO_MUCH {
            for (name, call) in calls {
                set_errno(0);
                assert!(call(size).is_null(), "{name} {size}");
                assert_eq!(errno(), libc::ENOMEM, "{name} {size}");
            }
        }
    }
}

#[test]
fn products_that_overflow_fail_with_enomem() {
    // SAFETY: the block is freed once; the failed operations leave it alone.
    unsafe {
        for (n, size) in [(usize::MAX, 2), (1 << 33, 1 << 33), (2, usize::MAX / 2 + 1)] {
            set_errno(0);
            assert!(calloc(n, size).is_null());
            assert_eq!(errno(), libc::ENOMEM);
            let p = malloc(10).cast::<u8>();
            *p = 7;
            set_errno(0);
            assert!(reallocarray(p.cast(), n, size).is_null());
            assert_eq!(errno(), libc::ENOMEM);
            assert_eq!(*p, 7);
            free(p.cast());
        }
        let p = reallocarray(ptr::null_mut(), 100, 7);
        assert!(malloc_usable_size(p) >= 700);
        free(p);
    }
}

#[test]
fn realloc_keeps_contents_and_handles_zero_and_null() {
    // SAFETY: pointers are not used after realloc has taken them.
    unsafe {
        for from in SIZES {
            for to in SIZES {
                let mut p = malloc(from).cast::<u8>();
                for i in 0..from {
                    *p.add(i) = (i * 7) as u8;
                }
                p = realloc(p.cast(), to).cast();
                if to == 0 {
                    assert!(p.is_null());
                    continue;
                }
                assert!((0..from.min(to)).all(|i| *p.add(i) == (i * 7) as u8));
                free(p.cast());
            }
        }
        let p = realloc(ptr::null_mut(), 0);
        assert!(!p.is_null());
        free(p);
        let p = malloc(100).cast::<u8>();
        *p = 9;
        assert!(realloc(p.cast(), usize::MAX - 100).is_null());
        assert_eq!(*p, 9);
        free(p.cast());
    }
}

#[test]
fn alignments_are_kept() {
    // SAFETY: blocks are used within their size and freed once.
    unsafe {
        for shift in 0..25 {
            let align = 1usize << shift;
            for size in [1, 100, 4096, 70_000] {
                let mut blocks = vec![memalign(align, size), aligned_alloc(align, size)];
                if align >= 8 {
                    let mut p = ptr::null_mut();
                    assert_eq!(libc::posix_memalign(&mut p, align, size), 0);
                    blocks.push(p);
                }
                for p in blocks {
                    assert!(!p.is_null(), "{align} {size}");
                    assert_eq!(p.addr() % align, 0, "{align} {size}");
                    assert!(malloc_usable_size(p) >= size);
                    ptr::write_bytes(p.cast::<u8>(), 1, size);
                    free(p);
                }
            }
        }
        let p = memalign(48, 100);
        assert_eq!(p.addr() % 64, 0);
        free_aligned_sized(p, 64, 100);
        for size in [0, 1, 5000] {
            let (p, q) = (valloc(size), pvalloc(size));
            assert_eq!((p.addr() | q.addr()) % 4096, 0);
            assert!(malloc_usable_size(q) >= size.max(1).next_multiple_of(4096));
            cfree(p);
            free_sized(q, size);
        }
    }
}

#[test]
fn posix_memalign_reports_and_leaves_the_pointer_and_errno_alone() {
    let mark = ptr::without_provenance_mut::<c_void>(0x1234);
    let mut p = mark;
    set_errno(77);
    // SAFETY: the pointer is valid for a write.
    unsafe {
        for align in [0, 1, 3, 4, 24, 1000] {
            assert_eq!(libc::posix_memalign(&mut p, align, 8), libc::EINVAL);
        }
        assert_eq!(libc::posix_memalign(&mut p, 16, usize::MAX), libc::ENOMEM);
    }
    assert_eq!(p, mark);
    assert_eq!(errno(), 77);
    // SAFETY: nothing is allocated.
    unsafe {
        assert!(aligned_alloc(24, 48).is_null());
        assert_eq!(errno(), libc::EINVAL);
    }
}

#[test]
fn free_keeps_errno_even_when_it_gives_memory_back() {
    // SAFETY: freed once each.
    unsafe {
        for size in [1, 5000, 100_000, 300 << 20] {
            let p = malloc(size);
            set_errno(42);
            free(p);
            assert_eq!(errno(), 42);
        }
        samite_malloc_trim();
    }
}

#[test]
fn large_blocks_grow_without_copying() {
    // SAFETY: pointers are not used after realloc has taken them.
    unsafe {
        let before = samite_alloc::os::calls().remap;
        let mut size = 8 << 20;
        let mut p = malloc(size).cast::<u8>();
        *p = 1;
        *p.add(size - 1) = 2;
        // Neighbours, so that it cannot grow where it is.
        let mut others = vec![];
        for _ in 0..10 {
            others.push(malloc(4 << 20));
            let last = size - 1;
            size += size / 3;
            p = realloc(p.cast(), size).cast();
            assert_eq!((*p, *p.add(last)), (1, 2));
            *p.add(last) = 0;
            *p.add(size - 1) = 2;
            others.push(malloc(4 << 20));
        }
        assert!(samite_alloc::os::calls().remap > before);
        // The memory behind what was moved is ordinary memory.
        for o in &others {
            ptr::write_bytes(o.cast::<u8>(), 3, 4 << 20);
        }
        free(p.cast());
        let q = calloc(1, 100 << 20).cast::<u8>();
        assert!((0..100 << 20).step_by(4096).all(|i| *q.add(i) == 0));
        free(q.cast());
        for o in others {
            free(o);
        }
    }
}
