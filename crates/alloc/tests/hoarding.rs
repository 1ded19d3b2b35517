//! A thread that goes on and frees what those that ended have left, but for a block here and there: it does not gather the pageblocks
//! of these. One test, because it counts the pageblocks of the process.

use samite_alloc::{api, stats, verify};
use std::thread;

const ROUNDS: usize = if cfg!(miri) { 4 } else { 1000 };
/// What each thread leaves, of several sizes: some pageblocks of each.
const LEFT: usize = if cfg!(miri) { 100 } else { 3000 };
const SIZES: [usize; 4] = [32, 64, 96, 160];
/// One of so many is not freed.
const STAYS: usize = 1500;

struct Block(*mut u8);
// SAFETY: a block may be used by any thread, one at a time.
unsafe impl Send for Block {}

fn free(b: Block) {
    // SAFETY: the block is the caller's and not used again.
    unsafe { api::free(b.0) };
}

fn pageblocks() -> u64 {
    let s = stats::collect();
    s.classes.iter().map(|c| c.pageblocks).sum()
}

#[test]
fn pageblocks_that_were_taken_over_go_back() {
    let mut kept = vec![];
    let mut counts = vec![];
    for round in 0..4 * ROUNDS {
        let left: Vec<Block> = thread::spawn(|| {
            let sizes = SIZES.iter().cycle().take(LEFT);
            sizes.map(|&size| Block(api::allocate(size))).collect()
        })
        .join()
        .unwrap();
        for (i, b) in left.into_iter().enumerate() {
            assert!(!b.0.is_null());
            if i % STAYS == round % STAYS {
                kept.push(b);
            } else {
                free(b);
            }
        }
        if round % ROUNDS == ROUNDS - 1 {
            counts.push(pageblocks());
        }
    }
    verify::verify().unwrap();
    // What stays takes three pageblocks in so many rounds if nothing lies between.
    let grown = counts[3].saturating_sub(counts[0]);
    assert!(
        grown <= 3 * (ROUNDS as u64 / 50 + 4),
        "pageblocks after each {ROUNDS} rounds: {counts:?}"
    );
    kept.into_iter().for_each(free);
}
