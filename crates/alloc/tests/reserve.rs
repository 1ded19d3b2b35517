//! Where the system gives no more addresses: small requests are served from the reserve until there is none, it is filled again as soon as there
//! is space, and addresses that nobody uses can be given back and had again. One test, because limit and reserve are the process's.
#![cfg(all(target_os = "linux", not(miri), not(loom)))]

use samite_alloc::{api, away, reserve, spare, verify};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const KEPT: usize = 4 << 20;
/// What the process may have beside what it has when the limit begins.
const MORE: usize = 48 << 20;
/// Longer than any run that the reserve is for.
const LONG: usize = 17 << 16;
/// More than the allocator takes from the system at once.
const STEP: usize = 5 << 20;
const SMALL: usize = 1000;

/// How often somebody was told that there is nothing.
static ENDS: AtomicUsize = AtomicUsize::new(0);

fn limit(bytes: libc::rlim_t) {
    // SAFETY: an all-zero limit is valid, and valid for writing.
    unsafe {
        let mut r: libc::rlimit = std::mem::zeroed();
        assert_eq!(libc::getrlimit(libc::RLIMIT_AS, &raw mut r), 0);
        r.rlim_cur = bytes.min(r.rlim_max);
        assert_eq!(libc::setrlimit(libc::RLIMIT_AS, &raw const r), 0);
    }
}

fn mapped() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').next().unwrap().parse::<usize>().unwrap() * 4096
}

/// Whether the system maps so many bytes.
fn can_map(bytes: usize) -> bool {
    // SAFETY: an anonymous mapping at an address of the kernel's choice aliases nothing; gone at once.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let p = libc::mmap(ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0);
        p != libc::MAP_FAILED && libc::munmap(p, bytes) == 0
    }
}

/// Requests until one is refused.
fn all_there_are(size: usize, into: &mut Vec<*mut u8>) {
    loop {
        let p = api::allocate(size);
        if p.is_null() {
            return;
        }
        // SAFETY: so long.
        unsafe { p.write_bytes(1, size) };
        into.push(p);
    }
}

fn free(all: &mut Vec<*mut u8>) {
    // SAFETY: allocated above, freed once.
    all.drain(..).for_each(|p| unsafe { api::free(p) });
}

#[test]
fn small_requests_live_on_the_reserve() {
    // Not from the allocator under test, and large enough.
    let mut long = Vec::with_capacity(1000);
    let mut small = Vec::with_capacity(200_000);
    // Found out under the limit, looked at when there is none: a failure has to be told, too.
    let mut found = [("", true); 9];
    let mut of_reserve = usize::MAX;
    reserve::at_the_end(|| {
        ENDS.fetch_add(1, Relaxed);
    });
    reserve::keep(KEPT);
    assert!(reserve::fill());
    limit((mapped() + MORE) as libc::rlim_t);
    for _ in 0..3 {
        let told = ENDS.load(Relaxed);
        all_there_are(LONG, &mut long);
        let untouched = reserve::held() == KEPT && reserve::is_full() && !can_map(STEP);
        all_there_are(SMALL, &mut small);
        of_reserve = of_reserve.min(small.len() * SMALL);
        let used_up = reserve::held() < 1 << 16 && reserve::least() == Some(reserve::held());
        let ended = ENDS.load(Relaxed) == told + 1;
        let short = !reserve::fill();
        free(&mut long);
        let filled = reserve::fill() && reserve::held() == KEPT;
        let consistent = reserve::verify().is_ok();
        free(&mut small);
        let _ = api::trim();
        let before = spare();
        let given = away::give_back(MORE / 2);
        let went = given >= MORE / 2 && spare() + given == before;
        let could_map = can_map(MORE / 2 - (1 << 16));
        let still_consistent = reserve::verify().is_ok();
        let round = [
            ("nothing large is of the reserve", untouched),
            ("small requests use it up", used_up),
            ("the end is told once", ended),
            ("what is used up is not full", short),
            ("what is free again fills it", filled),
            ("no slice is free twice", consistent),
            ("free slices are unmapped", went),
            ("others can map as much", could_map),
            ("no slice is free and away", still_consistent),
        ];
        for (all, this) in found.iter_mut().zip(round) {
            *all = (this.0, all.1 && this.1);
        }
    }
    limit(libc::RLIM_INFINITY);
    assert!(found.iter().all(|f| f.1), "{found:?}");
    // But for what a pageblock has beside its blocks.
    assert!(of_reserve >= KEPT / 8 * 7, "{of_reserve}");
    // Without a limit nothing is held.
    reserve::keep(0);
    assert_eq!(reserve::held(), 0);
    assert_eq!(reserve::verify(), Ok(()));
    verify::verify().unwrap();
}
