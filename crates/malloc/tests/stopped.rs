//! Threads that stop wherever they are, in the middle of an operation included, stop nobody else.

mod common;

use common::{Slots, alone, churn};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use samite_malloc as _;
use std::thread;

const WORKERS: usize = 3;
static STOPPED: AtomicUsize = AtomicUsize::new(0);
static RESUMED: AtomicUsize = AtomicUsize::new(0);
static GATE: AtomicI32 = AtomicI32::new(-1);
static END: AtomicBool = AtomicBool::new(false);
static SLOTS: Slots = common::no_slots();

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

#[test]
fn stopped_threads_stop_nobody_else() {
    alone("stopped_threads_stop_nobody_else", || {
        let mut pipe = [0; 2];
        // SAFETY: the array is valid for a write.
        unsafe {
            assert_eq!(libc::pipe(pipe.as_mut_ptr()), 0);
            GATE.store(pipe[0], Ordering::SeqCst);
        }
        common::on_signal(libc::SIGUSR1, stop);
        let threads: Vec<_> = (0..WORKERS)
            .map(|t| {
                thread::spawn(move || {
                    let mut seed = t + 1;
                    while !END.load(Ordering::Relaxed) {
                        seed += WORKERS;
                        churn(&SLOTS, seed, 100);
                    }
                })
            })
            .collect();
        for round in 1..=150 {
            common::interrupt(&threads);
            while STOPPED.load(Ordering::SeqCst) < round * WORKERS {
                thread::yield_now();
            }
            // All workers are stopped somewhere. This thread goes on, also with what they left in the slots.
            churn(&SLOTS, round * 7919, 2000);
            if round % 10 == 0 {
                thread::spawn(move || churn(&SLOTS, round, 500))
                    .join()
                    .unwrap();
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
        common::clear(&SLOTS);
        assert!(samite_alloc::verify::verify().is_ok());
    });
}
