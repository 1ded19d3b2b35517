//! Threads that start and end, thread-specific destructors, and forks in between.

mod common;

use common::{alone, alone_with, resident};
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use samite_malloc as _;
use std::collections::HashSet;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

#[test]
fn twenty_thousand_short_threads_leave_memory_where_it_was() {
    alone(
        "twenty_thousand_short_threads_leave_memory_where_it_was",
        || {
            let work = || {
                for i in 0..100usize {
                    drop(std::hint::black_box(vec![1u8; i * 37]));
                }
            };
            for _ in 0..50 {
                thread::spawn(work).join().unwrap();
            }
            let before = resident();
            for _ in 0..20_000 {
                thread::spawn(work).join().unwrap();
            }
            let after = resident();
            assert!(
                after < before + (1 << 20),
                "{before} bytes before, {after} after"
            );
        },
    );
}

#[test]
fn thousands_of_threads_at_once_leave_memory_where_it_was() {
    alone(
        "thousands_of_threads_at_once_leave_memory_where_it_was",
        || {
            const THREADS: usize = 2000;
            let round = || {
                let all = Arc::new(Barrier::new(THREADS + 1));
                let threads: Vec<_> = (0..THREADS)
                    .map(|i| {
                        let all = all.clone();
                        let work = move || {
                            let v = std::hint::black_box(vec![i as u8; 100 + i]);
                            all.wait();
                            assert!(v.iter().all(|&b| b == i as u8));
                        };
                        let builder = thread::Builder::new().stack_size(2 << 20);
                        builder.spawn(work).unwrap()
                    })
                    .collect();
                all.wait();
                // Not a scope, which ends before its threads are gone.
                for t in threads {
                    t.join().unwrap();
                }
            };
            let allocated = |s: &samite_alloc::stats::Stats| s.classes[6].allocations;
            let (before, first) = (resident(), samite_alloc::stats::collect());
            round();
            let after = resident();
            // Their heaps alone were 16 MB. (The stacks are large so that the C library keeps few of them.)
            assert!(
                after < before + (6 << 20),
                "{before} bytes before, {after} after"
            );
            // What they did is not forgotten.
            let then = samite_alloc::stats::collect();
            assert!(allocated(&then) >= allocated(&first) + 12);
            assert!(then.opened >= first.opened + THREADS as u64 / 2);
            round();
            assert!(samite_alloc::verify::verify().is_ok());
        },
    );
}

const THREADS: usize = 2000;

/// Threads that are there at the same time; the block that each of them leaves when it is gone.
#[expect(clippy::vec_box, reason = "each thread allocates its own")]
fn left_by_threads() -> Vec<Box<[usize; 20]>> {
    let all = Arc::new(Barrier::new(THREADS));
    let threads: Vec<_> = (0..THREADS)
        .map(|i| {
            let all = all.clone();
            let work = move || {
                let left = Box::new([i; 20]);
                all.wait();
                left
            };
            let builder = thread::Builder::new().stack_size(2 << 20);
            builder.spawn(work).unwrap()
        })
        .collect();
    let left: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    assert!(left.iter().enumerate().all(|(i, b)| b[0] == i));
    left
}

fn is_small(before: usize, more: usize) {
    let after = resident();
    assert!(
        after < before + more,
        "{before} bytes before, {after} after"
    );
}

/// When others free what threads have left, their heaps are empty: at a collection of memory, before somebody waits, and in the long run.
#[test]
fn what_thousands_of_ended_threads_left_goes_back() {
    let name = "what_thousands_of_ended_threads_left_goes_back";
    // (Nothing is kept for later.)
    alone_with(name, &[("SAMITE_MALLOC_RETAIN_MAX", "0")], || {
        let before = resident();
        drop(left_by_threads());
        samite_alloc::api::trim();
        is_small(before, 10 << 20);
        drop(left_by_threads());
        samite_alloc::api::settle();
        is_small(before, 10 << 20);
        drop(left_by_threads());
        for _ in 0..200 {
            let all: Vec<Box<[u8; 2000]>> = (0..5000).map(|_| Box::new([1; 2000])).collect();
            std::hint::black_box(all);
        }
        is_small(before, 10 << 20);
    });
}

/// What stays of them is put together: a block of each thread does not keep the memory of its heap.
#[test]
fn what_stays_of_ended_threads_is_put_together() {
    let name = "what_stays_of_ended_threads_is_put_together";
    alone_with(name, &[("SAMITE_MALLOC_RETAIN_MAX", "0")], || {
        let before = resident();
        let left = left_by_threads();
        samite_alloc::api::trim();
        // A page of memory for each, but no heap of 8 KB.
        is_small(before, THREADS * (8 << 10) + (2 << 20));
        // It is freed as before, into heaps that have taken it over.
        assert!(left.iter().enumerate().all(|(i, b)| b[0] == i));
        let again = left_by_threads();
        drop(left);
        assert!(again.iter().enumerate().all(|(i, b)| b[0] == i));
        drop(again);
        samite_alloc::api::settle();
        is_small(before, 10 << 20);
    });
}

#[test]
fn pageblocks_of_ended_threads_are_used_by_those_that_run() {
    alone(
        "pageblocks_of_ended_threads_are_used_by_those_that_run",
        || {
            // One thread leaves 20 MB of half-empty pageblocks behind; the main thread then needs 10 MB of the same class.
            let kept: Vec<Box<[u8; 512]>> = thread::spawn(|| {
                let all: Vec<_> = (0..40_000).map(|_| Box::new([1u8; 512])).collect();
                all.into_iter().step_by(2).collect()
            })
            .join()
            .unwrap();
            let before = samite_alloc::stats::collect();
            let more: Vec<Box<[u8; 512]>> = (0..19_000).map(|_| Box::new([2u8; 512])).collect();
            let after = samite_alloc::stats::collect();
            assert!(after.adoptions > before.adoptions);
            assert!(
                after.usage.in_use < before.usage.in_use + (2 << 20),
                "{} bytes in slices, then {}",
                before.usage.in_use,
                after.usage.in_use
            );
            assert!(kept.iter().all(|b| b[511] == 1) && more.iter().all(|b| b[0] == 2));
        },
    );
}

#[test]
fn blocks_of_others_do_not_go_round_for_ever() {
    alone("blocks_of_others_do_not_go_round_for_ever", || {
        // The main thread makes them and does nothing any more; another one replaces them again and again.
        let mut all: Vec<Box<[u8]>> = (0..5000)
            .map(|i| vec![1; 8 + i * 37 % 500].into_boxed_slice())
            .collect();
        let slice = |b: &[u8]| b.as_ptr().addr() >> 16;
        let others: HashSet<usize> = all.iter().map(|b| slice(b)).collect();
        let all = thread::spawn(move || {
            let mut r = 1usize;
            for _ in 0..400_000 {
                r = r.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let new = vec![1; 8 + (r >> 45) % 500].into_boxed_slice();
                let n = all.len();
                all[(r >> 33) % n] = new;
            }
            all
        })
        .join()
        .unwrap();
        let left = all.iter().filter(|b| others.contains(&slice(b))).count();
        assert!(left < 500, "{left} of 5000 blocks");
    });
}

#[test]
fn memory_freed_after_its_thread_ended_goes_back() {
    alone("memory_freed_after_its_thread_ended_goes_back", || {
        let before = resident();
        let kept: Vec<Box<[u8; 1000]>> =
            thread::spawn(|| (0..100_000).map(|_| Box::new([1u8; 1000])).collect())
                .join()
                .unwrap();
        assert!(resident() > before + (90 << 20));
        drop(kept);
        let after = resident();
        assert!(
            after < before + (10 << 20),
            "{before} bytes before, {after} after"
        );
    });
}

static ROUNDS: AtomicUsize = AtomicUsize::new(0);
static KEY: AtomicUsize = AtomicUsize::new(0);

extern "C" fn in_every_round(p: *mut c_void) {
    // SAFETY: the value is a block of 100 bytes, freed here and replaced by another one.
    unsafe {
        libc::free(p);
        let q = libc::malloc(100);
        ptr::write_bytes(q.cast::<u8>(), 1, 100);
        ROUNDS.fetch_add(1, Ordering::Relaxed);
        libc::pthread_setspecific(KEY.load(Ordering::Relaxed) as libc::pthread_key_t, q);
    }
}

#[test]
fn destructors_allocate_and_free_in_all_rounds() {
    let mut key = 0;
    // SAFETY: the destructor is a function of this program.
    unsafe { libc::pthread_key_create(&mut key, Some(in_every_round)) };
    KEY.store(key as usize, Ordering::Relaxed);
    for _ in 0..100 {
        thread::spawn(move || {
            // SAFETY: the value is what the destructor expects.
            unsafe { libc::pthread_setspecific(key, libc::malloc(100)) };
        })
        .join()
        .unwrap();
    }
    assert!(ROUNDS.load(Ordering::Relaxed) >= 400);
}

#[test]
fn an_ended_thread_still_allocates_and_frees() {
    thread::spawn(|| {
        let early = std::hint::black_box(vec![1u8; 300]);
        samite_alloc::thread::detach();
        drop(early);
        for i in 0..1000 {
            let v = std::hint::black_box(vec![i as u8; i * 100]);
            assert!(v.iter().all(|&b| b == i as u8));
        }
    })
    .join()
    .unwrap();
    assert!(samite_alloc::verify::verify().is_ok());
}

#[test]
fn children_of_forks_allocate_whatever_other_threads_were_doing() {
    alone(
        "children_of_forks_allocate_whatever_other_threads_were_doing",
        || {
            let stop = AtomicBool::new(false);
            thread::scope(|s| {
                for t in 0..3usize {
                    let stop = &stop;
                    s.spawn(move || {
                        let mut kept = vec![];
                        let mut i = t;
                        while !stop.load(Ordering::Relaxed) {
                            i += 1;
                            kept.push(vec![0u8; i * 97 % 5000]);
                            if kept.len() > 500 {
                                kept.clear();
                            }
                        }
                    });
                }
                for n in 0..300usize {
                    // SAFETY: the child allocates, starts a thread, and leaves without running destructors.
                    unsafe {
                        let child = libc::fork();
                        assert!(child >= 0);
                        if child == 0 {
                            libc::alarm(30);
                            let v: Vec<Vec<u8>> = (0..200).map(|i| vec![1; i * n % 9000]).collect();
                            let ok =
                                thread::spawn(move || v.iter().all(|v| v.iter().all(|&b| b == 1)))
                                    .join()
                                    .unwrap_or(false);
                            libc::_exit(if ok { 0 } else { 1 });
                        }
                        let mut status = 0;
                        assert_eq!(libc::waitpid(child, &mut status, 0), child);
                        assert_eq!(status, 0, "fork {n}");
                    }
                }
                stop.store(true, Ordering::Relaxed);
            });
        },
    );
}

#[test]
fn children_of_forks_use_the_memory_of_threads_that_vanished() {
    alone(
        "children_of_forks_use_the_memory_of_threads_that_vanished",
        || {
            const BLOCKS: usize = 100_000;
            let (made, park) = (Barrier::new(3), Barrier::new(3));
            let blocks = Mutex::new(vec![]);
            thread::scope(|s| {
                for _ in 0..2 {
                    s.spawn(|| {
                        let mine: Vec<Vec<u8>> = (0..BLOCKS).map(|_| vec![1; 200]).collect();
                        blocks.lock().unwrap().push(mine);
                        made.wait();
                        park.wait();
                    });
                }
                made.wait();
                let all = std::mem::take(&mut *blocks.lock().unwrap());
                // SAFETY: the child only allocates, and leaves without running destructors.
                unsafe {
                    let child = libc::fork();
                    if child == 0 {
                        let vacant = samite_alloc::stats::collect().vacant;
                        let before = samite_alloc::stats::collect().usage.in_use;
                        drop(all);
                        let again: Vec<Vec<u8>> = (0..2 * BLOCKS).map(|_| vec![2; 200]).collect();
                        let after = samite_alloc::stats::collect().usage.in_use;
                        let whole = again.iter().all(|v| v.iter().all(|&b| b == 2));
                        let sound = samite_alloc::verify::verify().is_ok();
                        let reused = after < before + before / 4;
                        libc::_exit(i32::from(!(vacant >= 2 && whole && sound && reused)));
                    }
                    let mut status = 0;
                    let waited = libc::waitpid(child, &mut status, 0);
                    park.wait();
                    assert_eq!(waited, child);
                    assert_eq!(status, 0);
                }
            });
        },
    );
}
