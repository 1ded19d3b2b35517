//! Signal handlers that allocate and free in the middle of allocations and frees of their own thread.

mod common;

use common::{Slots, alone, churn};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use samite_malloc as _;
use std::thread;

const WORKERS: usize = 2;
const SIGNALS: usize = 5_000;
static HANDLED: AtomicUsize = AtomicUsize::new(0);
static END: AtomicBool = AtomicBool::new(false);
static SLOTS: Slots = common::no_slots();

/// Allocates a little, and frees blocks that the interrupted operation's thread, others, and other handlers have made.
extern "C" fn handler(_: c_int) {
    // SAFETY: errno is the thread's own.
    unsafe {
        let e = *libc::__errno_location();
        churn(&SLOTS, HANDLED.fetch_add(1, Ordering::SeqCst), 10);
        *libc::__errno_location() = e;
    }
}

#[test]
fn handlers_may_allocate_and_free() {
    alone("handlers_may_allocate_and_free", || {
        common::on_signal(libc::SIGUSR1, handler);
        let threads: Vec<_> = (0..WORKERS)
            .map(|t| {
                thread::spawn(move || {
                    let mut seed = t + 1;
                    while !END.load(Ordering::Relaxed) {
                        seed += WORKERS;
                        churn(&SLOTS, seed, 100);
                    }
                    assert_eq!(samite_alloc::verify::verify().err(), None);
                })
            })
            .collect();
        while HANDLED.load(Ordering::SeqCst) < SIGNALS {
            common::interrupt(&threads);
        }
        END.store(true, Ordering::Relaxed);
        for t in threads {
            t.join().unwrap();
        }
        common::clear(&SLOTS);
        assert_eq!(samite_alloc::verify::verify().err(), None);
    });
}
