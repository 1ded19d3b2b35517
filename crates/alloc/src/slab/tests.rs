//! Tests of the slab on small pages. `verify` runs after every step of the random ones.

use super::page::HEADER;
use super::{Kind, Local, MAX_LOCALS, PAGE, PageSource, Slab, System, Type};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};

const TYPES: [Type; 3] = [
    Type {
        name: "node",
        size: 32,
    },
    Type {
        name: "frame",
        size: 72,
    },
    Type {
        name: "header",
        size: 128,
    },
];
const NODE: Kind = Kind::new(0);
const FRAME: Kind = Kind::new(1);
const WIDE: Kind = Kind::new(2);
const KINDS: [Kind; 3] = [NODE, FRAME, WIDE];

/// More on real machines than under Miri.
const fn times(n: usize) -> usize {
    if cfg!(miri) { n / 200 } else { n }
}

fn slab() -> Arc<Slab> {
    Arc::new(Slab::new(&TYPES).unwrap())
}

fn attach(slab: &Arc<Slab>) -> Local<Arc<Slab>> {
    Slab::attach(slab.clone()).unwrap()
}

/// Checks the slab while no thread but this one uses it.
fn verify(slab: &Slab) {
    // SAFETY: tests call this when other threads are joined or blocked.
    unsafe { slab.verify() };
}

fn in_page(kind: Kind) -> usize {
    let size = TYPES[kind.index()].size;
    (PAGE - HEADER.next_multiple_of(1 << size.trailing_zeros())) / size
}

#[test]
fn structures_are_apart_aligned_and_reused() {
    let slab = slab();
    let mut local = attach(&slab);
    for kind in KINDS {
        let size = TYPES[kind.index()].size;
        let n = in_page(kind) * 5 + 1;
        let mut all: Vec<NonNull<u8>> = (0..n).map(|_| local.alloc(kind).unwrap()).collect();
        for p in &all {
            assert!(p.addr().get().is_multiple_of(1 << size.trailing_zeros()));
            // SAFETY: just allocated with this size.
            unsafe { p.write_bytes(0xff, size) };
        }
        local.verify();
        all.sort();
        assert!(
            all.windows(2)
                .all(|w| w[1].addr().get() - w[0].addr().get() >= size)
        );
        assert_eq!(slab.stats(kind).live, n);
        assert_eq!(slab.stats(kind).pages, 6);
        for &p in &all {
            // SAFETY: each is freed once.
            unsafe { local.free(kind, p) };
        }
        local.verify();
        let mut again: Vec<NonNull<u8>> = (0..n).map(|_| local.alloc(kind).unwrap()).collect();
        again.sort();
        assert_eq!(slab.stats(kind).pages, 6);
        for p in again {
            // SAFETY: as above.
            unsafe { local.free(kind, p) };
        }
        let stats = slab.stats(kind);
        assert_eq!((stats.live, stats.peak, stats.peak_pages), (0, n, 6));
        assert_eq!(stats.allocated, 2 * n as u64);
        verify(&slab);
    }
}

#[test]
fn empty_pages_serve_another_type() {
    let slab = slab();
    let mut local = attach(&slab);
    for round in 0..6 {
        let kind = KINDS[round % 3];
        let all: Vec<_> = (0..in_page(kind) * 10)
            .map(|_| local.alloc(kind).unwrap())
            .collect();
        for p in all {
            // SAFETY: freed once.
            unsafe { local.free(kind, p) };
        }
        local.verify();
    }
    // Even the page that a type keeps is given when another needs it.
    assert_eq!(slab.pages(), 10);
    drop(local);
    verify(&slab);
    assert_eq!(KINDS.map(|k| slab.stats(k).pages), [0; 3]);
    assert_eq!(slab.trim(), 10);
    verify(&slab);
}

#[test]
fn a_thread_hands_its_pages_over() {
    let slab = slab();
    let mut first = attach(&slab);
    // One full page and one with a single structure.
    let all: Vec<_> = (0..in_page(NODE) + 1)
        .map(|_| first.alloc(NODE).unwrap())
        .collect();
    drop(first);
    verify(&slab);
    let mut second = attach(&slab);
    // The page with room is found through the stack of its type.
    let more = second.alloc(NODE).unwrap();
    assert_eq!((slab.pages(), slab.stats(NODE).adopted), (2, 1));
    // The full one is adopted by whoever frees into it.
    // SAFETY: freed once.
    unsafe { second.free(NODE, all[0]) };
    assert_eq!(slab.stats(NODE).adopted, 2);
    second.verify();
    for p in all[1..].iter().chain([&more]) {
        // SAFETY: freed once.
        unsafe { second.free(NODE, *p) };
    }
    assert_eq!(slab.stats(NODE).live, 0);
    drop(second);
    verify(&slab);
    assert_eq!((slab.stats(NODE).pages, slab.pages()), (0, 2));
}

#[test]
fn a_page_in_a_stack_keeps_its_type() {
    let slab = slab();
    let mut first = attach(&slab);
    let p = first.alloc(NODE).unwrap();
    let q = first.alloc(NODE).unwrap();
    drop(first);
    // The page is in the stack; freeing adopts and empties it.
    let mut second = attach(&slab);
    // SAFETY: each is freed once.
    unsafe {
        second.free(NODE, p);
        second.free(NODE, q);
    }
    verify(&slab);
    // Another type must not get it as long as it can be popped as a page of nodes.
    second.alloc(FRAME).unwrap();
    verify(&slab);
    assert_eq!(slab.pages(), 2);
    // Its owner leaves it: not pushed twice.
    drop(second);
    verify(&slab);
    let mut third = attach(&slab);
    third.alloc(NODE).unwrap();
    verify(&slab);
    assert_eq!(slab.pages(), 2);
}

#[test]
fn structures_freed_by_others_come_back() {
    let slab = slab();
    let (mut owner, mut other) = (attach(&slab), attach(&slab));
    let mut round = |owner: &mut Local<_>| {
        let all: Vec<_> = (0..in_page(NODE) * 20)
            .map(|_| owner.alloc(NODE).unwrap())
            .collect();
        for p in all {
            // SAFETY: freed once.
            unsafe { other.free(NODE, p) };
        }
        other.verify();
    };
    round(&mut owner);
    for _ in 0..times(40) {
        round(&mut owner);
        owner.verify();
    }
    verify(&slab);
    let stats = slab.stats(NODE);
    assert_eq!(stats.live, 0);
    // What is freed behind the owner's back costs at most as many pages as are ever in use, and half of that again.
    assert!(stats.peak_pages <= 30, "{stats:?}");
    assert_eq!(stats.remote_frees, stats.allocated);
}

#[test]
fn the_last_structures_freed_by_others_leave_no_page_behind() {
    let slab = slab();
    let (mut owner, mut other) = (attach(&slab), attach(&slab));
    let all: Vec<_> = (0..in_page(NODE) * 4)
        .map(|_| owner.alloc(NODE).unwrap())
        .collect();
    for p in all {
        // SAFETY: freed once.
        unsafe { other.free(NODE, p) };
    }
    drop(owner);
    verify(&slab);
    assert_eq!(slab.stats(NODE).pages, 0);
}

#[test]
fn a_thread_releases_all_it_has() {
    let slab = slab();
    let (mut first, mut local) = (attach(&slab), attach(&slab));
    // A page that stays in its stack, adopted; full ones; one with structures freed by another thread.
    let p = first.alloc(FRAME).unwrap();
    first.alloc(FRAME).unwrap();
    drop(first);
    // SAFETY: freed once.
    unsafe { local.free(FRAME, p) };
    let all: Vec<_> = (0..in_page(NODE) * 5 + 3)
        .map(|_| local.alloc(NODE).unwrap())
        .collect();
    let mut other = attach(&slab);
    for p in &all[..7] {
        // SAFETY: freed once.
        unsafe { other.free(NODE, *p) };
    }
    let wide = other.alloc(WIDE).unwrap();
    local.alloc(WIDE).unwrap();
    assert_eq!(local.balance(NODE), all.len() as i64);
    assert_eq!((local.balance(FRAME), other.balance(NODE)), (-1, -7));
    assert_eq!((local.pages(NODE), local.pages(FRAME)), (6, 1));
    // SAFETY: what is in the local's pages is not used any more; the other thread has freed what it frees.
    unsafe { local.release_all() };
    local.verify();
    verify(&slab);
    assert_eq!(KINDS.map(|k| slab.stats(k).live), [0, 0, 1]);
    // The page in the stack keeps its type.
    assert_eq!(KINDS.map(|k| local.pages(k)), [0, 1, 0]);
    // SAFETY: freed once; it was not in a page of the local.
    unsafe { other.free(WIDE, wide) };
    drop(local);
    let local = attach(&slab);
    assert_eq!(local.balance(NODE), 0);
    verify(&slab);
}

/// A source with a limit, which notes what is mapped.
struct Limited {
    left: AtomicUsize,
    mapped: AtomicUsize,
}

// SAFETY: passes on what the system's source does, or nothing.
unsafe impl PageSource for Limited {
    fn map(&self, bytes: usize, align: usize) -> Option<NonNull<u8>> {
        let take = |left: usize| left.checked_sub(bytes);
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        self.mapped.fetch_add(1, Ordering::Relaxed);
        System.map(bytes, align)
    }
    unsafe fn unmap(&self, start: NonNull<u8>, bytes: usize) {
        self.mapped.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: passed on.
        unsafe { System.unmap(start, bytes) }
    }
}

#[test]
fn exhausted_memory_is_none_and_all_is_unmapped_at_the_end() {
    static SOURCE: Limited = Limited {
        left: AtomicUsize::new(if cfg!(miri) { 1 << 17 } else { 1 << 20 }),
        mapped: AtomicUsize::new(0),
    };
    let slab = Arc::new(Slab::with_source(&TYPES, &SOURCE).unwrap());
    let mut local = attach(&slab);
    let mut all = Vec::new();
    while let Some(p) = local.alloc(WIDE) {
        all.push(p);
    }
    assert!(all.len() > times(1000));
    assert_eq!(local.alloc(NODE), None);
    local.verify();
    for p in all.drain(..) {
        // SAFETY: freed once.
        unsafe { local.free(WIDE, p) };
    }
    // It goes on, also with another type.
    assert!(local.alloc(NODE).is_some());
    verify(&slab);
    drop(local);
    assert!(SOURCE.mapped.load(Ordering::Relaxed) > 1);
    drop(slab);
    assert_eq!(SOURCE.mapped.load(Ordering::Relaxed), 0);
    SOURCE.left.store(1000, Ordering::Relaxed);
    assert!(Slab::with_source(&TYPES, &SOURCE).is_none());
}

#[test]
fn pages_go_back_and_their_numbers_are_used_again() {
    let slab = slab();
    let mut local = attach(&slab);
    let n = in_page(NODE) * if cfg!(miri) { 60 } else { 1000 };
    let mut pages = 0;
    for _ in 0..3 {
        let all: Vec<_> = (0..n).map(|_| local.alloc(NODE).unwrap()).collect();
        pages = slab.pages();
        assert_eq!(pages, n / in_page(NODE));
        for p in all {
            // SAFETY: freed once.
            unsafe { local.free(NODE, p) };
        }
        local.verify();
        verify(&slab);
        // Few are kept: by the thread, by the type, by the slab.
        assert!(slab.pages() < 30, "{}", slab.pages());
        assert!(slab.kept_pages() < 20);
    }
    drop(local);
    assert_eq!(slab.trim(), slab.kept_pages());
    assert_eq!(slab.pages(), 0);
    verify(&slab);
    // Nothing new was claimed: all numbers are below those of the first time.
    assert!(slab.supply.claimed() as usize <= pages);
}

#[test]
fn ids_are_limited_and_used_again() {
    let slab = slab();
    let mut locals: Vec<_> = (0..MAX_LOCALS).map(|_| attach(&slab)).collect();
    assert!(Slab::attach(slab.clone()).is_none());
    let p = locals[7].alloc(NODE).unwrap();
    locals.swap_remove(7);
    let mut again = attach(&slab);
    assert!(Slab::attach(slab.clone()).is_none());
    // SAFETY: freed once.
    unsafe { again.free(NODE, p) };
    assert_eq!((slab.stats(NODE).live, slab.stats(NODE).peak), (0, 1));
}

#[test]
#[should_panic(expected = "no such type")]
fn a_type_that_the_slab_has_not_is_refused() {
    attach(&slab()).alloc(Kind::new(3));
}

/// Random operations of several locals on one thread, with a look at every invariant after each.
#[test]
fn random_operations_keep_the_invariants() {
    let seeds = if cfg!(miri) { 1..2 } else { 1..40 };
    for seed in seeds {
        random_operations(seed, if cfg!(miri) { 40 } else { 1500 });
    }
}

fn random_operations(seed: u64, steps: usize) {
    let mut state = seed;
    // Knuth's MMIX generator; the high bits are the good ones.
    let mut below = move |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n
    };
    let slab = slab();
    let mut locals: Vec<Local<Arc<Slab>>> = (0..3).map(|_| attach(&slab)).collect();
    let mut live: Vec<(NonNull<u8>, Kind, u8)> = Vec::new();
    let mut limit = 100;
    for step in 0..steps {
        if step % 300 == 0 {
            limit = below(300);
        }
        let who = below(locals.len());
        match below(100) {
            0 => drop(locals.swap_remove(who)),
            1 => locals.push(attach(&slab)),
            2 => {
                slab.trim();
            }
            3 if below(30) == 0 => {
                // A thread drops all it has: what is in its pages.
                let pages = live.iter().map(|(p, ..)| super::page::Page::of(*p));
                let owner = locals[who].id();
                // SAFETY: pages stay while the slab lives.
                let gone: Vec<bool> = pages
                    .map(|p| unsafe { (*p).word().view().owner() } == owner)
                    .collect();
                let mut gone = gone.iter();
                live.retain(|_| !gone.next().unwrap());
                // SAFETY: the model has forgotten them.
                unsafe { locals[who].release_all() };
            }
            n if n < 52 && live.len() < limit => {
                let kind = KINDS[below(3)];
                let p = locals[who].alloc(kind).unwrap();
                let stamp = below(256) as u8;
                // SAFETY: just allocated with this size.
                unsafe { p.write_bytes(stamp, TYPES[kind.index()].size) };
                live.push((p, kind, stamp));
            }
            _ if !live.is_empty() => {
                let (p, kind, stamp) = live.swap_remove(below(live.len()));
                let size = TYPES[kind.index()].size;
                // SAFETY: a live structure of this size, freed once.
                unsafe {
                    assert!(
                        (0..size).all(|i| p.add(i).read() == stamp),
                        "seed {seed} step {step}"
                    );
                    locals[who].free(kind, p);
                }
            }
            _ => {}
        }
        if locals.is_empty() {
            locals.push(attach(&slab));
        }
        verify(&slab);
        locals.iter().for_each(Local::verify);
        for kind in KINDS {
            let n = live.iter().filter(|(_, k, _)| *k == kind).count();
            assert_eq!(slab.stats(kind).live, n, "seed {seed} step {step}");
            // Each structure in use is found by the owner of its page.
            for local in &locals {
                let owned = |&&(p, k, _): &&(NonNull<u8>, Kind, u8)| {
                    let page = super::page::Page::of(p);
                    // SAFETY: pages stay while the slab lives.
                    k == kind && unsafe { (*page).word().view().owner() } == local.id()
                };
                let mut wanted: Vec<_> = live.iter().filter(owned).map(|(p, ..)| *p).collect();
                let mut found = Vec::new();
                // SAFETY: no other thread does anything.
                unsafe { local.each_in_use(kind, |p| found.push(p)) };
                wanted.sort();
                found.sort();
                assert_eq!(found, wanted, "seed {seed} step {step}");
            }
        }
    }
    for (p, kind, _) in live {
        // SAFETY: freed once.
        unsafe { locals[0].free(kind, p) };
    }
    drop(locals);
    verify(&slab);
    // A page that was adopted by a free stays in its stack; all others are void.
    let mut local = attach(&slab);
    for kind in KINDS {
        let n = in_page(kind) * (slab.stats(kind).pages + 1);
        let all: Vec<_> = (0..n).map(|_| local.alloc(kind).unwrap()).collect();
        for p in all {
            // SAFETY: freed once.
            unsafe { local.free(kind, p) };
        }
    }
    drop(local);
    verify(&slab);
    assert_eq!(KINDS.map(|k| slab.stats(k).pages), [0; 3]);
}

/// Threads allocate, free their own and each other's structures, end, and are followed by others.
#[test]
fn threads_share_a_slab() {
    const THREADS: usize = 4;
    let slab = slab();
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..THREADS)
        .map(|_| mpsc::channel::<(usize, Kind, u8)>())
        .unzip();
    let barrier = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for (t, inbox) in receivers.into_iter().enumerate() {
            let (slab, senders, barrier) = (&slab, senders.clone(), &barrier);
            scope.spawn(move || {
                let mut rng = t as u64 + 1;
                let mut below = move |n: usize| {
                    rng = rng
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    ((rng >> 33) as usize) % n
                };
                let mut local = attach(slab);
                let mut own: Vec<(usize, Kind, u8)> = Vec::new();
                let take = |local: &mut Local<_>, (p, kind, stamp): (usize, Kind, u8)| {
                    let p = NonNull::new(std::ptr::with_exposed_provenance_mut::<u8>(p)).unwrap();
                    // SAFETY: the structure was allocated with this type and stamped, and is freed once.
                    unsafe {
                        let size = TYPES[kind.index()].size;
                        assert!((0..size).all(|i| p.add(i).read() == stamp), "overwritten");
                        local.free(kind, p);
                    }
                };
                for step in 0..times(60_000) {
                    let kind = KINDS[below(3)];
                    if own.len() < 200 && below(5) < 3 {
                        let p = local.alloc(kind).unwrap();
                        let stamp = below(256) as u8;
                        // SAFETY: just allocated with this size.
                        unsafe { p.write_bytes(stamp, TYPES[kind.index()].size) };
                        own.push((p.as_ptr().expose_provenance(), kind, stamp));
                    } else if let Some(last) = own.len().checked_sub(1) {
                        let at = below(last + 1);
                        let one = own.swap_remove(at);
                        match below(3) {
                            0 => senders[below(THREADS)].send(one).unwrap(),
                            _ => take(&mut local, one),
                        }
                    }
                    while let Ok(one) = inbox.try_recv() {
                        take(&mut local, one);
                    }
                    if step % 5000 == 4999 {
                        // This thread's structures outlive its part of the slab.
                        drop(local);
                        local = attach(slab);
                    }
                }
                own.into_iter().for_each(|one| take(&mut local, one));
                drop(senders);
                // Everything has been sent before anybody takes the rest.
                barrier.wait();
                while let Ok(one) = inbox.try_recv() {
                    take(&mut local, one);
                }
            });
        }
    });
    verify(&slab);
    assert_eq!(KINDS.map(|k| slab.stats(k).live), [0; 3]);
}

/// Threads that only take from and give to the void stack, and the directory.
#[test]
fn threads_share_pages() {
    let slab = slab();
    std::thread::scope(|scope| {
        for t in 0..4 {
            let slab = &slab;
            scope.spawn(move || {
                for round in 0..times(2000) {
                    let mut local = attach(slab);
                    let kind = KINDS[(t + round) % 3];
                    let all: Vec<_> = (0..in_page(kind) * 3)
                        .map(|_| local.alloc(kind).unwrap())
                        .collect();
                    for p in all {
                        // SAFETY: freed once.
                        unsafe { local.free(kind, p) };
                    }
                }
            });
        }
    });
    verify(&slab);
    assert_eq!(KINDS.map(|k| slab.stats(k).pages), [0; 3]);
    assert!(
        slab.pages() <= 4 * 3,
        "{} pages for 4 times 3",
        slab.pages()
    );
}
