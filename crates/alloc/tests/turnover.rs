//! Threads that come and go and leave a few blocks each: what they leave is filled up by those that come, so pageblocks that are
//! hardly used are as many as threads at the same time, however many there ever were. One test, because it counts the
//! pageblocks of the process.

use samite_alloc::{api, stats, verify};
use std::sync::Barrier;
use std::thread;

const ROUNDS: usize = if cfg!(miri) { 6 } else { 400 };
/// Threads at the same time, beside the one that goes on.
const THREADS: usize = if cfg!(miri) { 2 } else { 6 };
/// What each leaves for ever: the smallest class, so that one pageblock has room for all of it.
const KEPT: usize = 16;
/// What each leaves to be freed by the thread that goes on.
const PASSED: [usize; 8] = [16, 32, 48, 64, 128, 256, 512, 1024];

struct Block(*mut u8);
// SAFETY: a block may be used by any thread, one at a time.
unsafe impl Send for Block {}

fn block(size: usize) -> Block {
    let p = api::allocate(size);
    assert!(!p.is_null());
    Block(p)
}

fn free(b: Block) {
    // SAFETY: the block is the caller's and not used again.
    unsafe { api::free(b.0) };
}

/// Pageblocks in use, of the class of what is kept and of all.
fn pageblocks() -> (u64, u64) {
    let s = stats::collect();
    (
        s.classes[0].pageblocks,
        s.classes.iter().map(|c| c.pageblocks).sum(),
    )
}

#[test]
fn what_ended_threads_leave_is_filled_up() {
    let mut kept = vec![];
    let mut counts = vec![];
    for round in 0..2 * ROUNDS {
        let together = Barrier::new(THREADS);
        let left: Vec<_> = thread::scope(|s| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| {
                    s.spawn(|| {
                        let first = block(KEPT);
                        together.wait();
                        let passed = PASSED.map(block);
                        PASSED.map(block).into_iter().for_each(free);
                        (first, passed)
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        for (forever, passed) in left {
            kept.push(forever);
            passed.into_iter().for_each(free);
        }
        // The thread that goes on needs a pageblock of its own, of a class of which there is none.
        free(block(2048 + round % 8 * 4096));
        kept.push(block(KEPT));
        if round % ROUNDS == ROUNDS - 1 {
            counts.push(pageblocks());
        }
    }
    verify::verify().unwrap();
    let (once, twice) = (counts[0], counts[1]);
    let most = 2 * (THREADS as u64 + 1);
    assert!(
        once.0 <= most && twice.0 <= most,
        "{once:?} pageblocks after {ROUNDS} rounds of {THREADS} threads, {twice:?} after twice as many"
    );
    assert!(
        twice.1 <= once.1 + most,
        "all pageblocks: {once:?}, then {twice:?}"
    );
    kept.into_iter().for_each(free);
}
