//! Threads that stop wherever they are, in the middle of an operation included, stop nobody else.

mod common;

use common::alone;
use core::ffi::{c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};
use samite_malloc as _;
use std::thread;

const WORKERS: usize = 3;
static STOPPED: AtomicUsize = AtomicUsize::new(0);
static RESUMED: AtomicUsize = AtomicUsize::new(0);
static GATE: AtomicI32 = AtomicI32::new(-1);
static END: AtomicBool = AtomicBool::new(false);
static SLOTS: [AtomicPtr<c_void>; 512] = [const { AtomicPtr::new(ptr::null_mut()) }; 512];

/// Stops the thread until a byte comes through the gate.
extern "C" fn stop(_: c_int) {
    STOPPED.fetch_add(1, Ordering::SeqCst);
    let mut byte = 0u8;
    // SAFETY: reading from a pipe is allowed in a signal handler, and so is touching errno if it is put back.
    unsafe {
        let e = *libc::__errno_location();
        while libc::read(GATE.load(Ordering::SeqCst), (&raw mut byte).cast(), 1) != 1 {}
        *libc::__errno_location() = e;
    }
    RESUMED.fetch_add(1, Ordering::SeqCst);
}

/// Allocates, resizes, and swaps blocks with the other threads through the slots, so that most are freed by others.
fn churn(seed: usize, steps: usize) {
    let mut r = seed;
    for _ in 0..steps {
        r = r.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (slot, size) = ((r >> 33) % SLOTS.len(), 1 + (r >> 40) % 5000);
        let size = if r.is_multiple_of(101) {
            size * 64
        } else {
            size
        };
        // SAFETY: a block belongs to whoever swapped it out of its slot.
        unsafe {
            let mut p = libc::malloc(size);
            assert!(!p.is_null());
            ptr::write_bytes(p.cast::<u8>(), slot as u8, size);
            if r.is_multiple_of(7) {
                p = libc::realloc(p, size * 2);
                assert!(!p.is_null());
            }
            libc::free(SLOTS[slot].swap(p, Ordering::AcqRel));
        }
    }
}

#[test]
fn stopped_threads_stop_nobody_else() {
    alone("stopped_threads_stop_nobody_else", || {
        let mut pipe = [0; 2];
        // SAFETY: the array is valid for a write; the handler is a function of this program.
        unsafe {
            assert_eq!(libc::pipe(pipe.as_mut_ptr()), 0);
            GATE.store(pipe[0], Ordering::SeqCst);
            libc::signal(
                libc::SIGUSR1,
                stop as extern "C" fn(c_int) as libc::sighandler_t,
            );
            // The end of a test that hangs.
            libc::alarm(120);
        }
        let threads: Vec<_> = (0..WORKERS)
            .map(|t| {
                thread::spawn(move || {
                    let mut seed = t + 1;
                    while !END.load(Ordering::Relaxed) {
                        seed += WORKERS;
                        churn(seed, 100);
                    }
                })
            })
            .collect();
        for round in 1..=150 {
            for t in &threads {
                use std::os::unix::thread::JoinHandleExt;
                // SAFETY: the threads run until they are told to end.
                let failed = unsafe { libc::pthread_kill(t.as_pthread_t(), libc::SIGUSR1) };
                assert_eq!(failed, 0);
            }
            while STOPPED.load(Ordering::SeqCst) < round * WORKERS {
                thread::yield_now();
            }
            // All workers are stopped somewhere. This thread goes on, also with what they left in the slots.
            churn(round * 7919, 2000);
            if round % 10 == 0 {
                thread::spawn(move || churn(round, 500)).join().unwrap();
            }
            // SAFETY: the bytes are valid for a read.
            unsafe { libc::write(pipe[1], [0u8; WORKERS].as_ptr().cast(), WORKERS) };
            // Or one that is quick would take the byte of another.
            while RESUMED.load(Ordering::SeqCst) < round * WORKERS {
                thread::yield_now();
            }
        }
        END.store(true, Ordering::Relaxed);
        for t in threads {
            t.join().unwrap();
        }
        for slot in &SLOTS {
            // SAFETY: all other threads have ended.
            unsafe { libc::free(slot.swap(ptr::null_mut(), Ordering::AcqRel)) };
        }
        assert!(samite_alloc::verify::verify().is_ok());
    });
}
