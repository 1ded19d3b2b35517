//! The numbers of the statistics against what was done.

mod common;

use common::alone;
use samite_alloc::classes::class_of;
use samite_alloc::stats;
use samite_malloc as _;
use std::hint::black_box;

#[test]
fn numbers_are_those_of_what_was_done() {
    alone("numbers_are_those_of_what_was_done", || {
        let class = class_of(1500);
        let before = stats::collect();
        let mut kept: Vec<Vec<u8>> = (0..500).map(|_| black_box(vec![0; 1500])).collect();
        for _ in 0..10_000 {
            drop(black_box(vec![0u8; 1500]));
        }
        kept.truncate(400);
        let after = stats::collect();
        let (a, b) = (before.classes[class], after.classes[class]);
        assert_eq!(b.allocations - a.allocations, 10_500);
        assert_eq!(b.frees - a.frees, 10_100);
        assert_eq!(b.live() - a.live(), 400);
        assert!(after.live_bytes() - before.live_bytes() >= 400 * 1500);
        assert!(after.usage.peak >= after.usage.in_use);

        let large = black_box(vec![1u8; 1 << 20]);
        let with = stats::collect();
        assert_eq!(with.large_live - after.large_live, 1);
        assert_eq!(with.large_bytes - after.large_bytes, 1 << 20);
        drop(large);
        assert_eq!(stats::collect().large_live, after.large_live);

        // Freed by another thread: counted as freed at once, as collected when the owner has them.
        std::thread::spawn(move || drop(kept)).join().unwrap();
        let end = stats::collect();
        assert_eq!(end.classes[class].live(), a.live());
        let again: Vec<Vec<u8>> = (0..500).map(|_| black_box(vec![0; 1500])).collect();
        assert!(stats::collect().collected >= before.collected + 100);
        drop(again);
        assert!(stats::heap_stats(1).is_some_and(|h| h.owned && h.opened > 0));
        assert!(stats::heap_stats(0).is_none());
    });
}
