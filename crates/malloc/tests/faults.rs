//! Injected misuse of the heap: each is reported, by a hook, on standard error, or by the end of the process.

mod common;

use common::{in_child, is_child};
use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use samite_alloc::fault::{self, Fault};
use samite_malloc as _;
use std::hint::black_box;

type Free = unsafe extern "C" fn(*mut c_void);
type Malloc = unsafe extern "C" fn(usize) -> *mut c_void;

/// The functions out of the compiler's sight.
fn malloc(size: usize) -> *mut u8 {
    // SAFETY: no preconditions.
    unsafe { black_box(libc::malloc as Malloc)(size).cast() }
}

fn free(p: *mut u8) {
    // SAFETY: that some calls here are wrong is what the tests are about; the allocator notices.
    unsafe { black_box(libc::free as Free)(p.cast()) }
}

static KIND: AtomicI32 = AtomicI32::new(0);
static ADDRESS: AtomicUsize = AtomicUsize::new(0);

extern "C" fn note(kind: i32, address: *const c_void) -> bool {
    KIND.store(kind, Ordering::Relaxed);
    ADDRESS.store(address.addr(), Ordering::Relaxed);
    true
}

/// Calls `f` and says what the hook was called with.
fn caught(f: impl FnOnce()) -> Option<(i32, usize)> {
    KIND.store(0, Ordering::Relaxed);
    fault::set_hook(Some(note));
    f();
    fault::set_hook(None);
    match KIND.load(Ordering::Relaxed) {
        0 => None,
        kind => Some((kind, ADDRESS.load(Ordering::Relaxed))),
    }
}

fn expect(fault: Fault, p: *mut u8, f: impl FnOnce()) {
    assert_eq!(caught(f), Some((fault as i32, p.addr())));
}

/// Runs a scenario in a process of its own, because hooks and options are of the process.
fn scenario(name: &str, variables: &[(&str, &str)], f: impl FnOnce()) {
    if is_child() {
        return f();
    }
    let out = in_child(name, variables);
    assert!(
        out.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
}

#[test]
fn faults_are_found_without_hardening() {
    scenario("faults_are_found_without_hardening", &[], || {
        // Freed twice in a row.
        for size in [16, 100, 3000, 30_000] {
            let (p, q) = (malloc(size), malloc(size));
            free(p);
            expect(Fault::DoubleFree, p, || free(p));
            free(q);
        }
        // A large object freed twice.
        let p = malloc(1 << 20);
        free(p);
        assert!(caught(|| free(p)).is_some());
        // Inside of a block, of a pageblock in its later slices, of a large object.
        for (size, inside) in [
            (100, 8),
            (100, 16),
            (30_000, 64),
            (1 << 20, 16),
            (1 << 20, 65536),
        ] {
            let p = malloc(size);
            expect(Fault::InvalidPointer, p.wrapping_add(inside), || {
                free(p.wrapping_add(inside));
            });
            free(p);
        }
        // No memory of this allocator at all.
        let mut local = 0u8;
        expect(Fault::InvalidPointer, &raw mut local, || {
            free(&raw mut local)
        });
        let wild = core::ptr::without_provenance_mut(0xdead_beef_0000);
        expect(Fault::InvalidPointer, wild, || free(wild));
        // Below the limit, but never in use.
        let far = malloc(1 << 20).wrapping_add(40 << 20);
        if samite_alloc::api::usable_size(far) == 0 {
            assert!(caught(|| free(far)).is_some());
        }
        // The block of another thread, twice.
        let p = std::thread::spawn(|| {
            let p = malloc(48);
            let q = malloc(48);
            black_box(q);
            p.expose_provenance()
        })
        .join()
        .unwrap();
        let p: *mut u8 = core::ptr::with_exposed_provenance_mut(p);
        free(p);
        expect(Fault::DoubleFree, p, || free(p));
        assert!(samite_alloc::verify::verify().is_ok());
    });
}

/// Frees what looks like blocks of the pageblock of `p`, but never was one: not linked in yet, or too near to the end.
fn free_what_never_was_a_block(p: *mut u8, size: usize) {
    const SLICE: usize = 1 << 16;
    let start = p.addr() & !(SLICE - 1);
    let first = p.wrapping_sub(p.addr() - start);
    let (fits, last) = (SLICE / size, (SLICE - 1) / size);
    for i in [fits - 1, last] {
        let wrong = first.wrapping_add(i * size);
        expect(Fault::InvalidPointer, wrong, || free(wrong));
    }
}

#[test]
fn what_never_was_a_block_is_not_taken_for_one() {
    scenario("what_never_was_a_block_is_not_taken_for_one", &[], || {
        // The last of these do not divide a pageblock of 64 KiB.
        for size in [16, 112, 1024, 1408, 1792, 2048] {
            let p = malloc(size);
            free_what_never_was_a_block(p, size);
            // By another thread, too.
            let address = p.expose_provenance();
            std::thread::spawn(move || {
                black_box(malloc(1));
                free_what_never_was_a_block(core::ptr::with_exposed_provenance_mut(address), size);
            })
            .join()
            .unwrap();
            // None of them is handed out now.
            let blocks: Vec<*mut u8> = (0..10_000).map(|_| malloc(size)).collect();
            let mut sorted = blocks.clone();
            sorted.sort();
            assert!(sorted.windows(2).all(|w| w[1].addr() - w[0].addr() >= size));
            blocks.into_iter().for_each(free);
            free(p);
        }
        assert!(samite_alloc::verify::verify().is_ok());
    });
}

#[test]
fn more_frees_than_allocations_are_found_without_hardening() {
    scenario(
        "more_frees_than_allocations_are_found_without_hardening",
        &[],
        || {
            let blocks: Vec<*mut u8> = (0..100).map(|_| malloc(2000)).collect();
            let faults = caught(|| {
                for _ in 0..2 {
                    for &p in &blocks {
                        free(p);
                    }
                }
            });
            assert!(faults.is_some());
        },
    );
}

#[test]
fn hardened_mode_finds_every_fault() {
    scenario(
        "hardened_mode_finds_every_fault",
        &[("SAMITE_MALLOC_HARDENED", "1")],
        || {
            // Any block, any time after, among others.
            for size in [1, 16, 100, 2048, 5000, 60_000] {
                let blocks: Vec<*mut u8> = (0..50).map(|_| malloc(size)).collect();
                free(blocks[7]);
                free(blocks[30]);
                expect(Fault::DoubleFree, blocks[7], || free(blocks[7]));
                expect(Fault::InvalidPointer, blocks[9].wrapping_add(1), || {
                    free(blocks[9].wrapping_add(1));
                });
                for (i, p) in blocks.into_iter().enumerate() {
                    if i != 7 && i != 30 {
                        free(p);
                    }
                }
            }
            // By another thread.
            let p = malloc(100);
            let address = p.expose_provenance();
            std::thread::spawn(move || free(core::ptr::with_exposed_provenance_mut(address)))
                .join()
                .unwrap();
            expect(Fault::DoubleFree, p, || free(p));
            // Written to after it was freed.
            let p = malloc(200);
            free(p);
            // SAFETY: the memory exists; that it is written to is the fault.
            unsafe { *p.add(100) = 1 };
            expect(Fault::Corruption, p, || assert_eq!(malloc(200), p));
            // A size that is not the block's.
            unsafe extern "C" {
                fn free_sized(p: *mut c_void, size: usize);
            }
            let p = malloc(100);
            // SAFETY: the allocator notices.
            expect(Fault::WrongSize, p, || unsafe {
                free_sized(p.cast(), 5000)
            });
            free(p);
            assert!(samite_alloc::verify::verify().is_ok());
        },
    );
}

fn double_free() {
    let p = malloc(100);
    let q = malloc(100);
    free(p);
    free(p);
    free(q);
}

#[test]
fn a_fault_ends_the_process_by_default() {
    let name = "a_fault_ends_the_process_by_default";
    if is_child() {
        return double_free();
    }
    let out = in_child(name, &[]);
    assert!(!out.status.success());
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(text.contains("samite-malloc: double free: 0x"), "{text}");
}

#[test]
fn a_fault_can_be_reported_or_ignored() {
    let name = "a_fault_can_be_reported_or_ignored";
    if is_child() {
        return double_free();
    }
    let out = in_child(name, &[("SAMITE_MALLOC_ON_FAULT", "report")]);
    assert!(out.status.success());
    assert!(String::from_utf8_lossy(&out.stderr).contains("double free"));
    let out = in_child(name, &[("SAMITE_MALLOC_ON_FAULT", "ignore")]);
    assert!(out.status.success());
    assert!(!String::from_utf8_lossy(&out.stderr).contains("double free"));
}
