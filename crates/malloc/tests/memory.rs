//! Memory goes back to the system, and caches are bounded.

mod common;

use common::{alone, alone_with, in_child, is_child, resident};
use samite_malloc as _;
use std::thread;
use std::time::{Duration, Instant};

/// Allocates about 200 MB of small objects of mixed sizes, then frees them.
fn two_hundred_megabytes() {
    let all: Vec<Vec<u8>> = (0..1_000_000usize)
        .map(|i| vec![1; 16 + i * 7 % 370])
        .collect();
    assert!(resident() > 200 << 20);
    drop(all);
}

#[test]
fn two_hundred_megabytes_of_small_objects_go_back() {
    alone("two_hundred_megabytes_of_small_objects_go_back", || {
        let before = resident();
        two_hundred_megabytes();
        // Nothing runs meanwhile: whatever is to be given back has been, or never is.
        thread::sleep(Duration::from_secs(3));
        let after = resident();
        assert!(
            after <= before + before / 10 + (1 << 20),
            "{before} bytes before, {after} after"
        );
    });
}

#[test]
fn large_objects_go_back() {
    alone("large_objects_go_back", || {
        let before = resident();
        for size in [1 << 20, 30 << 20, 200 << 20] {
            let v = vec![1u8; size];
            assert!(resident() > before + size / 2);
            drop(v);
        }
        let after = resident();
        assert!(after < before + (3 << 20), "{before} before, {after} after");
    });
}

#[test]
fn what_was_retained_goes_back_after_a_while_of_small_work() {
    // On a slow machine, too, the first part must take less than the delay between its rounds.
    alone_with(
        "what_was_retained_goes_back_after_a_while_of_small_work",
        &[("SAMITE_MALLOC_PURGE_DELAY", "3000")],
        || {
            let before = resident();
            // Used again and again, so it is retained.
            for _ in 0..20 {
                drop(std::hint::black_box(vec![1u8; 20 << 20]));
            }
            assert!(resident() > before + (15 << 20));
            // From here on no slice is released or asked for: a few pageblocks fill and empty.
            let mut kept: Vec<Box<[u8; 100]>> = vec![];
            let end = Instant::now() + Duration::from_secs(60);
            while resident() > before + (3 << 20) {
                assert!(
                    Instant::now() < end,
                    "{} before, {} after",
                    before,
                    resident()
                );
                for _ in 0..100 {
                    kept.extend((0..1000).map(|_| Box::new([1; 100])));
                    kept.truncate(100);
                }
                thread::sleep(Duration::from_millis(10));
            }
        },
    );
}

#[test]
fn memory_that_is_used_again_and_again_stays() {
    let name = "memory_that_is_used_again_and_again_stays";
    alone_with(name, &[("SAMITE_MALLOC_PURGE_DELAY", "600000")], || {
        let round = || drop(std::hint::black_box(vec![1u8; 20 << 20]));
        for _ in 0..3 {
            round();
        }
        let purges = samite_alloc::os::calls().purge;
        for _ in 0..20 {
            round();
        }
        assert!(samite_alloc::os::calls().purge - purges <= 4);
    });
}

#[test]
fn retention_is_bounded_by_its_option() {
    let name = "retention_is_bounded_by_its_option";
    if is_child() {
        let before = resident();
        for _ in 0..30 {
            drop(std::hint::black_box(vec![1u8; 20 << 20]));
        }
        assert!(resident() < before + (6 << 20));
        return;
    }
    let out = in_child(name, &[("SAMITE_MALLOC_RETAIN_MAX", "4M")]);
    assert!(out.status.success(), "{out:?}");
}

#[test]
fn the_page_multiplier_makes_longer_pageblocks() {
    let name = "the_page_multiplier_makes_longer_pageblocks";
    if is_child() {
        let all: Vec<Box<[u8; 512]>> = (0..10_000).map(|_| Box::new([0; 512])).collect();
        let s = samite_alloc::stats::collect();
        let class = samite_alloc::classes::class_of(512);
        assert!(s.classes[class].live() >= 10_000);
        // 5 MB are 10 pageblocks of 512 KiB, where there would be 79 of 64 KiB.
        assert!(s.classes[class].pageblocks <= 12, "{:?}", s.classes[class]);
        drop(all);
        assert!(samite_alloc::verify::verify().is_ok());
        return;
    }
    let out = in_child(name, &[("SAMITE_MALLOC_PAGE_MULTIPLIER", "3")]);
    assert!(out.status.success(), "{out:?}");
}
