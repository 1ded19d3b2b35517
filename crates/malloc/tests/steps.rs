//! Operations that are interrupted between instructions: after each by a signal handler that allocates and frees, or after some
//! by a fork of another thread, whose child goes on with what it finds.
//!
//! The processor's trap flag raises `SIGTRAP` after each instruction of the thread that has set it.
#![cfg(target_arch = "x86_64")]

mod common;

use common::{Slots, alone, alone_with, churn};
use core::arch::asm;
use core::ffi::{c_int, c_void};
use core::hint::black_box;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use samite_alloc::{api, stats, thread as own, verify};
use samite_malloc as _;
use std::thread;

/// Instructions so far.
static STEP: AtomicUsize = AtomicUsize::new(0);
/// Whether forks are to be made, rather than allocations in the handler, and after how many instructions each.
static FORK_EVERY: AtomicUsize = AtomicUsize::new(0);
/// Set by the handler when it waits for a fork, cleared when that was made.
static WAITING: AtomicBool = AtomicBool::new(false);
static DONE: AtomicBool = AtomicBool::new(false);
static SLOTS: Slots = common::no_slots();

extern "C" fn trap(_: c_int) {
    let n = STEP.fetch_add(1, Ordering::SeqCst);
    match FORK_EVERY.load(Ordering::SeqCst) {
        0 => churn(&SLOTS, n, 3),
        every if n.is_multiple_of(every) => {
            WAITING.store(true, Ordering::SeqCst);
            while WAITING.load(Ordering::SeqCst) {
                thread::yield_now();
            }
        }
        _ => {}
    }
}

/// Runs `f` with the handler after each of its instructions.
fn stepped(f: impl FnOnce()) {
    // SAFETY: sets and clears the trap flag; the handler returns.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
    f();
    // SAFETY: as above.
    unsafe { asm!("pushfq", "and qword ptr [rsp], ~0x100", "popfq") };
}

/// The operations, for a thread that has not allocated before.
extern "C" fn operations(_: *mut c_void) -> *mut c_void {
    // SAFETY: blocks are freed once, by whoever took them out of their slots.
    unsafe {
        stepped(|| libc::free(black_box(libc::malloc(100))));
        let mut several = [ptr::null_mut(); 120];
        stepped(|| {
            for p in &mut several {
                *p = black_box(libc::malloc(700));
            }
        });
        stepped(|| several.iter().for_each(|&p| libc::free(p)));
        // Blocks of the main thread, and of handlers.
        stepped(|| {
            for slot in &SLOTS[..100] {
                libc::free(slot.swap(ptr::null_mut(), Ordering::AcqRel));
            }
        });
        stepped(|| {
            for size in [40, 700, 3000, 100_000] {
                let p = libc::realloc(black_box(libc::malloc(size)), 2 * size);
                libc::free(black_box(p));
            }
        });
        stepped(|| {
            api::trim();
        });
        stepped(|| assert!(verify::verify().is_ok()));
        stepped(own::detach);
        // On a borrowed heap.
        stepped(|| libc::free(black_box(libc::malloc(100))));
    }
    DONE.store(true, Ordering::SeqCst);
    ptr::null_mut()
}

/// Has the operations run on a thread, and a child forked whenever it waits for one.
fn run() {
    common::on_signal(libc::SIGTRAP, trap);
    churn(&SLOTS, 1, 5000);
    // Heaps that nobody has would be taken over; one is to be made.
    while stats::collect().vacant > 0 {
        let before = stats::collect().vacant;
        thread::spawn(|| {
            churn(&SLOTS, 2, 10);
            loop {
                thread::park();
            }
        });
        while stats::collect().vacant >= before {
            thread::yield_now();
        }
    }
    // SAFETY: the arguments are as the functions want them; children leave without running destructors.
    unsafe {
        let mut t = 0;
        assert_eq!(
            libc::pthread_create(&mut t, ptr::null(), operations, ptr::null_mut()),
            0
        );
        while !DONE.load(Ordering::SeqCst) {
            if !WAITING.load(Ordering::SeqCst) {
                thread::yield_now();
                continue;
            }
            let child = libc::fork();
            if child == 0 {
                libc::alarm(30);
                churn(&SLOTS, 3, 300);
                let other = thread::spawn(|| churn(&SLOTS, 4, 300)).join();
                common::clear(&SLOTS);
                let sound = other.is_ok() && verify::verify().is_ok();
                libc::_exit(i32::from(!sound));
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            let step = STEP.load(Ordering::SeqCst);
            assert_eq!(status, 0, "forked after {step} instructions");
            WAITING.store(false, Ordering::SeqCst);
        }
        assert_eq!(libc::pthread_join(t, ptr::null_mut()), 0);
    }
    assert!(STEP.load(Ordering::SeqCst) > 10_000);
    common::clear(&SLOTS);
    assert!(verify::verify().is_ok());
}

#[test]
fn a_handler_may_allocate_after_any_instruction() {
    let name = "a_handler_may_allocate_after_any_instruction";
    // So short a delay that handlers see it pass within the operation that they interrupt.
    alone_with(name, &[("SAMITE_MALLOC_PURGE_DELAY", "1")], run);
}

#[test]
fn a_child_may_be_forked_after_any_instruction() {
    alone("a_child_may_be_forked_after_any_instruction", || {
        FORK_EVERY.store(499, Ordering::SeqCst);
        run();
    });
}
