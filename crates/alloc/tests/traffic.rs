//! The counting build (`--features count`): what the cores say to each other per operation.
//!
//! One test, because the counts are of the process.
#![cfg(feature = "count")]

use samite_alloc::{api, traffic};

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
}
