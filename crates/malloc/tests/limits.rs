//! Address space: limits of the process hold and can be used up, refusals cost nothing, other mappings are respected.

mod common;

use common::{alone, is_child};
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicI32, Ordering};
use samite_alloc::fault::{self, Fault};
use samite_malloc as _;
use std::sync::{Arc, Barrier};
use std::thread;

const MIB: usize = 1 << 20;

/// Allocates blocks of one mebibyte, up to `most`, until there are no more; frees them, and says how many there were.
fn mebibytes(most: usize) -> usize {
    let mut first: *mut c_void = ptr::null_mut();
    let mut n = 0;
    // SAFETY: each block begins with a link to the one before; all are freed once.
    unsafe {
        while n < most {
            let p = libc::malloc(MIB);
            if p.is_null() {
                assert_eq!(*libc::__errno_location(), libc::ENOMEM);
                break;
            }
            p.cast::<*mut c_void>().write(first);
            first = p;
            n += 1;
        }
        while !first.is_null() {
            let next = first.cast::<*mut c_void>().read();
            libc::free(first);
            first = next;
        }
    }
    n
}

/// Bytes of address space that the process uses.
fn address_space() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = text.split(' ').next().unwrap().parse().unwrap();
    pages * 4096
}

fn set_limit(bytes: usize) {
    let limit = libc::rlimit {
        rlim_cur: bytes as libc::rlim_t,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the structure is valid.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
}

/// Runs a scenario in a process that has had a limit from its beginning on.
fn limited(name: &str, kibibytes: usize, scenario: impl FnOnce()) {
    if is_child() {
        return scenario();
    }
    let out = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -v \"$0\"; exec \"$1\" --exact \"$2\" --nocapture --test-threads=1",
        ])
        .arg(kibibytes.to_string())
        .arg(std::env::current_exe().unwrap())
        .arg(name)
        .env("SCENARIO", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");
}

#[test]
fn a_limit_can_be_used_up() {
    limited("a_limit_can_be_used_up", 1 << 20, || {
        let rest = ((1 << 30) - address_space()) / MIB;
        for _ in 0..2 {
            let n = mebibytes(usize::MAX);
            // 17 slices each, and some descriptors.
            assert!(n * 17 / 16 > rest - rest / 32 - 8, "{n} of {rest}");
        }
        // What was freed can be had again, in one piece.
        drop(std::hint::black_box(vec![1u8; 500 << 20]));
    });
}

#[test]
fn a_small_limit_can_be_used_up_too() {
    limited("a_small_limit_can_be_used_up_too", 64 << 10, || {
        let rest = ((64 << 20) - address_space()) / MIB;
        let n = mebibytes(usize::MAX);
        assert!(n * 17 / 16 + 6 >= rest, "{n} of {rest}");
    });
}

#[test]
fn a_limit_set_while_running_holds() {
    alone("a_limit_set_while_running_holds", || {
        assert_eq!(mebibytes(100), 100);
        let before = address_space();
        set_limit(before + 200 * MIB);
        // There is room for a thread now.
        thread::Builder::new()
            .stack_size(16 * MIB)
            .spawn(|| assert_eq!(mebibytes(50), 50))
            .unwrap()
            .join()
            .unwrap();
        let n = mebibytes(1000);
        assert!((200..330).contains(&n), "{n}");
        assert!(address_space() <= before + 200 * MIB);
        // And more when it is lifted.
        set_limit(before + 600 * MIB);
        assert!(mebibytes(1000) > n + 300);
    });
}

#[test]
fn a_refusal_maps_nothing() {
    alone("a_refusal_maps_nothing", || {
        let refused = |size: usize| {
            let before = address_space();
            // SAFETY: nothing to free if it is refused.
            let p = std::hint::black_box(unsafe { libc::malloc(size) });
            assert!(p.is_null(), "{size}");
            // SAFETY: as above.
            let p = std::hint::black_box(unsafe { libc::aligned_alloc(64 * MIB, size) });
            assert!(p.is_null(), "{size}");
            assert!(
                address_space() < before + 8 * MIB,
                "{size}: {before} bytes before, {} after",
                address_space()
            );
        };
        drop(std::hint::black_box(vec![1u8; 100]));
        refused(1 << 45);
        set_limit(address_space() + 300 * MIB);
        refused(2 << 30);
        refused(400 * MIB);
    });
}

#[test]
fn there_are_as_many_heaps_as_threads() {
    const THREADS: usize = 1500;
    // (Half of that is needed, also where many threads find nothing free at the same moment: one grows the region for all.)
    limited("there_are_as_many_heaps_as_threads", 1 << 20, || {
        let all = Arc::new(Barrier::new(THREADS + 1));
        let threads: Vec<_> = (0..THREADS)
            .map(|i| {
                let all = all.clone();
                thread::Builder::new()
                    .stack_size(64 << 10)
                    .spawn(move || {
                        let v = std::hint::black_box(vec![i as u8; 100]);
                        all.wait();
                        assert!(v.iter().all(|&b| b == i as u8));
                        all.wait();
                    })
                    .unwrap()
            })
            .collect();
        all.wait();
        assert!(samite_alloc::stats::collect().heaps > THREADS);
        all.wait();
        for t in threads {
            t.join().unwrap();
        }
    });
}

extern "C" fn note(kind: i32, _: *const c_void) -> bool {
    KIND.store(kind, Ordering::Relaxed);
    true
}

static KIND: AtomicI32 = AtomicI32::new(0);

#[test]
fn other_mappings_where_the_heap_would_grow_are_left_alone() {
    alone(
        "other_mappings_where_the_heap_would_grow_are_left_alone",
        || {
            // Above the highest block so far, every third of the coming segments.
            let p = std::hint::black_box(vec![1u8; 3 << 20]);
            let top = (p.as_ptr().addr() + (64 << 20)).next_multiple_of(4 << 20);
            let mine: Vec<*mut u8> = (0..10)
                .map(|i| {
                    let at = ptr::without_provenance_mut::<c_void>(top + i * (12 << 20));
                    let prot = libc::PROT_READ | libc::PROT_WRITE;
                    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
                    // SAFETY: nothing is replaced; the mapping is written to within its size.
                    unsafe {
                        let p = libc::mmap(at, 8192, prot, flags, -1, 0).cast::<u8>();
                        assert_eq!(p.addr(), at.addr());
                        p.write_bytes(0x5a, 8192);
                        p
                    }
                })
                .collect();
            for size in [100_000, 3 << 20, 30 << 20] {
                let blocks: Vec<Vec<u8>> = (0..(200 << 20) / size).map(|_| vec![7; size]).collect();
                assert!(blocks.iter().all(|b| b[0] == 7 && b[size - 1] == 7));
            }
            for &p in &mine {
                // SAFETY: mapped above.
                let bytes = unsafe { std::slice::from_raw_parts(p, 8192) };
                assert!(bytes.iter().all(|&b| b == 0x5a));
                // Freeing what is in between is found out.
                fault::set_hook(Some(note));
                KIND.store(0, Ordering::Relaxed);
                // SAFETY: that the call is wrong is what is tested.
                unsafe { libc::free(p.cast()) };
                fault::set_hook(None);
                assert_eq!(KIND.load(Ordering::Relaxed), Fault::InvalidPointer as i32);
            }
            assert!(samite_alloc::verify::verify().is_ok());
        },
    );
}
