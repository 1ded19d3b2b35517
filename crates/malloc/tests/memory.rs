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

/// Allocates `bytes` in blocks of sizes in `sizes`, all of them written to, then frees them in order.
fn peak(bytes: usize, sizes: core::ops::Range<usize>) {
    let mut all: Vec<Vec<u8>> = vec![];
    let (mut sum, mut r) = (0, 1usize);
    while sum < bytes {
        r = r.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let size = sizes.start + (r >> 33) % sizes.len();
        all.push(vec![1; size]);
        sum += size;
    }
}

const SMALL: core::ops::Range<usize> = 200..1000;
const MEDIUM: core::ops::Range<usize> = 2000..62_000;
const MIB: usize = 1 << 20;

#[test]
fn a_program_that_idles_after_a_peak_is_small() {
    alone("a_program_that_idles_after_a_peak_is_small", || {
        let before = resident();
        for sizes in [SMALL, MEDIUM] {
            peak(300 * MIB, sizes.clone());
            thread::sleep(Duration::from_secs(2));
            let after = resident();
            assert!(
                after <= before + 8 * MIB,
                "{sizes:?}: {before} bytes before, {after} after"
            );
        }
    });
}

#[test]
fn a_program_that_idles_after_many_peaks_keeps_little() {
    let name = "a_program_that_idles_after_many_peaks_keeps_little";
    // Nothing is forgotten in between, so as much as may be is kept.
    alone_with(name, &[("SAMITE_MALLOC_PURGE_DELAY", "600000")], || {
        let before = resident();
        for sizes in [SMALL, MEDIUM] {
            for _ in 0..4 {
                peak(300 * MIB, sizes.clone());
            }
            let after = resident();
            assert!(
                after <= before + 70 * MIB,
                "{sizes:?}: {before} bytes before, {after} after"
            );
            // Threads that allocate at the same time, and end.
            for _ in 0..2 {
                let threads: Vec<_> = (0..4)
                    .map(|_| {
                        let sizes = sizes.clone();
                        thread::spawn(|| peak(75 * MIB, sizes))
                    })
                    .collect();
                for t in threads {
                    t.join().unwrap();
                }
            }
            let after = resident();
            assert!(
                after <= before + 72 * MIB,
                "{sizes:?}, threads: {before} bytes before, {after} after"
            );
        }
    });
}

#[test]
fn peaks_that_can_be_kept_are_hardly_given_back() {
    let name = "peaks_that_can_be_kept_are_hardly_given_back";
    alone_with(name, &[("SAMITE_MALLOC_PURGE_DELAY", "600000")], || {
        for sizes in [SMALL, MEDIUM] {
            let round = || peak(56 * MIB, sizes.clone());
            for _ in 0..5 {
                round();
            }
            let purged = samite_alloc::stats::collect().usage.purged;
            for _ in 0..10 {
                round();
            }
            let purged = samite_alloc::stats::collect().usage.purged - purged;
            assert!(purged <= 56 * MIB, "{sizes:?}: {purged} of 10 times 56 MB");
        }
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
