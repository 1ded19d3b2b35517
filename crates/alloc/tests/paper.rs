//! The tests of the paper (Achilleas & Vagenas, *xmalloc*, 2021, section *Our own tests*), on the functions the
//! allocator exports. Its *Atomic-LIFO* test is of a structure that differs here: see the loom models of slices and inbox.

use samite_alloc::api;
use std::collections::HashSet;
use std::sync::Barrier;
use std::sync::mpsc::channel;
use std::thread;

/// How much of a test Miri has time for.
const fn scale(n: usize) -> usize {
    if cfg!(miri) { n.div_ceil(400) } else { n }
}

/// A block and what was written to its ends.
struct Owned {
    p: *mut u8,
    size: usize,
    mark: u8,
}

// SAFETY: a block may be used by any thread, one at a time.
unsafe impl Send for Owned {}

impl Owned {
    fn new(size: usize, mark: u8) -> Owned {
        let p = api::allocate(size);
        assert!(!p.is_null());
        assert_eq!(p.addr() % 16, 0, "alignment of {size}");
        assert!(api::usable_size(p) >= size);
        // SAFETY: the block has at least `size` bytes.
        unsafe {
            p.write(mark);
            p.add(size - 1).write(mark);
        }
        Owned { p, size, mark }
    }
    fn check(&self) {
        // SAFETY: the block is ours.
        unsafe {
            assert_eq!(self.p.read(), self.mark);
            assert_eq!(self.p.add(self.size - 1).read(), self.mark);
        }
    }
    fn resize(&mut self, size: usize) {
        self.check();
        // SAFETY: the block is ours, and the old pointer is not used again.
        unsafe {
            self.p = api::resize(self.p, size);
            assert!(!self.p.is_null());
            assert_eq!(self.p.read(), self.mark, "contents after resizing");
            self.p.add(size - 1).write(self.mark);
        }
        self.size = size;
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.check();
        // SAFETY: the block is ours and not used again.
        unsafe { api::free(self.p) };
    }
}

/// Checks the equations of the heap of this thread and of those that ended.
fn verify() {
    samite_alloc::verify::verify().unwrap();
}

/// Xorshift: the same sequence for the same seed.
struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

const SIZES: [usize; 12] = [
    1, 16, 17, 100, 256, 1000, 2048, 2049, 9000, 33_000, 65_536, 200_000,
];

#[test]
fn class_integrity_malloc() {
    for size in (1..3000)
        .step_by(if cfg!(miri) { 97 } else { 1 })
        .chain(SIZES)
    {
        let blocks: Vec<Owned> = (0..scale(100).max(3))
            .map(|i| Owned::new(size, i as u8))
            .collect();
        let distinct: HashSet<_> = blocks.iter().map(|b| b.p).collect();
        assert_eq!(distinct.len(), blocks.len());
        let mut sorted: Vec<_> = blocks.iter().map(|b| b.p.addr()).collect();
        sorted.sort_unstable();
        for w in sorted.windows(2) {
            assert!(w[1] - w[0] >= size, "blocks of {size} bytes overlap");
        }
    }
    verify();
}

#[test]
fn class_integrity_realloc() {
    let mut b = Owned::new(1, 7);
    for size in (1..40_000).step_by(if cfg!(miri) { 1999 } else { 13 }) {
        b.resize(size);
    }
    for size in (1..40_000)
        .rev()
        .step_by(if cfg!(miri) { 1999 } else { 17 })
    {
        b.resize(size);
    }
    verify();
}

#[test]
fn local() {
    let start = Barrier::new(3);
    thread::scope(|s| {
        for t in 0..3u8 {
            let start = &start;
            s.spawn(move || {
                start.wait();
                for round in 0..scale(300).max(2) {
                    let size =
                        SIZES[round % SIZES.len()].min(if cfg!(miri) { 3000 } else { 1 << 20 });
                    let blocks: Vec<_> = (0..scale(500).max(4))
                        .map(|_| Owned::new(size, t))
                        .collect();
                    drop(blocks);
                }
            });
        }
    });
    verify();
}

#[test]
fn remote() {
    thread::scope(|s| {
        let mut senders = vec![];
        for _ in 0..3 {
            let (tx, rx) = channel::<Owned>();
            senders.push(tx);
            s.spawn(move || {
                for b in rx {
                    drop(b);
                }
            });
        }
        for i in 0..scale(60_000).max(60) {
            let size = SIZES[i % 9].min(if cfg!(miri) { 3000 } else { 1 << 20 });
            senders[i % 3].send(Owned::new(size, i as u8)).unwrap();
        }
    });
    verify();
}

fn shuffle(seed: u64, max: usize, steps: usize) {
    let mut r = Random(seed);
    let mut blocks: Vec<Option<Owned>> = (0..256).map(|_| None).collect();
    for i in 0..steps {
        let slot = r.below(256);
        match &mut blocks[slot] {
            empty @ None => *empty = Some(Owned::new(1 + r.below(max), i as u8)),
            Some(b) if r.below(4) == 0 => b.resize(1 + r.below(max)),
            full => *full = None,
        }
    }
}

#[test]
fn shuffle_small() {
    thread::scope(|s| {
        for t in 1..4 {
            s.spawn(move || shuffle(t * 77, 2048, scale(300_000)));
        }
    });
    verify();
}

#[test]
fn shuffle_all_sizes() {
    let max = if cfg!(miri) { 70_000 } else { 300_000 };
    thread::scope(|s| {
        for t in 1..4 {
            s.spawn(move || shuffle(t * 99, max, scale(60_000).min(60_000)));
        }
    });
    verify();
}

#[test]
fn adoption() {
    for round in 0..scale(100).max(2) {
        let (tx, rx) = channel::<Vec<Owned>>();
        let producer = thread::spawn(move || {
            for _ in 0..4 {
                tx.send(
                    (0..scale(2000).max(10))
                        .map(|i| Owned::new(SIZES[(i + round) % 8], i as u8))
                        .collect(),
                )
                .unwrap();
            }
        });
        producer.join().unwrap();
        let batches: Vec<_> = rx.iter().collect();
        // The producer is gone; its pageblocks are taken over while several threads free into them.
        thread::scope(|s| {
            for batch in batches {
                s.spawn(move || {
                    for (i, b) in batch.into_iter().enumerate() {
                        drop(b);
                        if i % 7 == 0 {
                            drop(Owned::new(48, 1));
                        }
                    }
                });
            }
        });
    }
    verify();
}
