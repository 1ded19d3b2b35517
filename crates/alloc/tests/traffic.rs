//! The counting build (`--features count`): what the cores say to each other per operation.
//!
//! One test, because the counts are of the process.
#![cfg(feature = "count")]

use core::sync::atomic::{AtomicPtr, Ordering};
use samite_alloc::{api, traffic};
use std::sync::Barrier;

fn rmw() -> u64 {
    traffic().unwrap().0
}

#[test]
fn local_operations_need_no_atomic_and_remote_frees_at_most_two() {
    // Local, once the pageblocks are there: none at all, whatever the order of frees.
    let mut blocks = Vec::with_capacity(1000);
    let mut round = |reverse: bool| {
        for i in 0..1000 {
            blocks.push(api::allocate(1 + i % 2048));
        }
        if reverse {
            blocks.reverse();
        }
        for p in blocks.drain(..) {
            // SAFETY: allocated above, freed once.
            unsafe { api::free(p) };
        }
    };
    round(false);
    round(true);
    // Pageblocks that become empty go to the thread's cache, and what that cannot hold to everybody: some traffic per
    // pageblock, none per block.
    let before = rmw();
    for i in 0..100 {
        round(i % 2 == 0);
    }
    let spent = rmw() - before;
    assert!(spent < 100_000 / 10, "{spent} for 100,000 pairs");

    // Pairs that stay within a pageblock: exactly none.
    let keep = api::allocate(64);
    let before = rmw();
    for _ in 0..100_000 {
        // SAFETY: freed once each.
        unsafe { api::free(api::allocate(64)) };
    }
    assert_eq!(rmw(), before);

    // Remote: at most two per pair, for small blocks and for medium ones.
    for size in [16, 200, 2048, 3000, 20_000] {
        let n = 1000u64;
        let before = rmw();
        let all: Vec<usize> = (0..n)
            .map(|_| api::allocate(size).expose_provenance())
            .collect();
        std::thread::spawn(move || {
            for p in all {
                // SAFETY: allocated by the other thread, freed once.
                unsafe { api::free(core::ptr::with_exposed_provenance_mut(p)) };
            }
        })
        .join()
        .unwrap();
        let spent = rmw() - before;
        assert!(spent <= 2 * n, "{spent} for {n} pairs of {size} bytes");
    }
    // SAFETY: freed once.
    unsafe { api::free(keep) };

    // In a ring, too, where each thread makes blocks for the next one and frees those of the one before.
    for size in [48, 1000, 3000, 9000, 12_000, 20_000, 60_000] {
        for batch in [1, 8, 40] {
            let (pairs, spent) = ring(size, batch);
            assert!(
                spent <= 2 * pairs,
                "{spent} for {pairs} pairs of {size} bytes, {batch} at a time"
            );
        }
    }
}

const THREADS: usize = 3;
const MOST: usize = 40;

/// Read-modify-writes of so many pairs in a ring of threads, once it has been running for a while.
fn ring(size: usize, batch: usize) -> (u64, u64) {
    let slots: [[AtomicPtr<u8>; MOST]; THREADS] =
        [const { [const { AtomicPtr::new(core::ptr::null_mut()) }; MOST] }; THREADS];
    let barrier = Barrier::new(THREADS);
    let rounds = 2000 / batch;
    let run = |t: usize| {
        let mut before = 0;
        for round in 0..2 * rounds {
            if round == rounds {
                barrier.wait();
                before = rmw();
            }
            for slot in &slots[t][..batch] {
                slot.store(api::allocate(size), Ordering::Relaxed);
            }
            barrier.wait();
            for slot in &slots[(t + 1) % THREADS][..batch] {
                // SAFETY: allocated by the neighbour, who is past the barrier; freed once.
                unsafe { api::free(slot.load(Ordering::Relaxed)) };
            }
            barrier.wait();
        }
        barrier.wait();
        rmw() - before
    };
    let spent = std::thread::scope(|s| {
        let run = &run;
        let others: Vec<_> = (1..THREADS).map(|t| s.spawn(move || run(t))).collect();
        let spent = run(0);
        for t in others {
            t.join().unwrap();
        }
        spent
    });
    ((rounds * batch * THREADS) as u64, spent)
}
