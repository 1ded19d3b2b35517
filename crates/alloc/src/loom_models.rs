//! Loom models: every interleaving of a few threads over the real code of the shared words.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p samite-alloc --release loom`

use crate::aside::Aside;
use crate::inbox::{Inbox, Node};
use crate::registry::Registry;
use crate::slices::Slices;
use crate::sync::{AtomicPtr, AtomicU64, fence};
use crate::word::{PageWord, Pushed};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread::spawn;
use std::sync::Arc;

/// Explores with at most this many preemptions, which bounds the time.
fn explore(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// A pageblock with links of blocks where the real one has them in the blocks.
struct Pageblock {
    word: PageWord,
    links: [UnsafeCell<u32>; 4],
}

// SAFETY: a link is touched by whoever has the block, or took the list; loom checks that.
unsafe impl Sync for Pageblock {}
// SAFETY: as above.
unsafe impl Send for Pageblock {}

impl Pageblock {
    fn new() -> Arc<Pageblock> {
        let p = Pageblock {
            word: PageWord::new(),
            links: std::array::from_fn(|_| UnsafeCell::new(0)),
        };
        p.word.open(1);
        Arc::new(p)
    }
    /// Frees the block at a position remotely; `true` if the pageblock is to be announced.
    fn free(&self, position: u32) -> bool {
        let pushed = self.word.push(position, 1, |head| {
            // SAFETY: the block is the caller's.
            self.links[position as usize].with_mut(|l| unsafe { *l = head });
        });
        matches!(pushed, Some(Pushed::Announce(_)))
    }
    /// The positions on a list.
    fn list(&self, mut head: u32) -> Vec<u32> {
        let mut list = vec![];
        while head != 0 {
            list.push(head);
            // SAFETY: the list was taken by the caller.
            head = self.links[head as usize].with(|l| unsafe { *l });
        }
        list
    }
}

mod word {
    use super::*;

    #[test]
    fn loom_remote_frees_are_all_collected_once() {
        loom::model(|| {
            let p = Pageblock::new();
            let others: Vec<_> = [1, 2]
                .map(|b| {
                    let p = p.clone();
                    spawn(move || p.free(b))
                })
                .into();
            let early = p.word.take();
            let mut got = p.list(early.head);
            assert_eq!(got.len(), early.count as usize);
            let announced = others
                .into_iter()
                .map(|t| t.join().unwrap())
                .filter(|&a| a)
                .count();
            // The announcement outlives the collection, so it is made once.
            assert_eq!(announced, 1);
            let late = p.word.dequeue();
            got.extend(p.list(late.head));
            got.sort_unstable();
            assert_eq!(got, [1, 2]);
            assert!(!p.word.view().queued());
        });
    }

    #[test]
    fn loom_a_block_that_comes_back_during_a_push_does_no_harm() {
        // The owner takes block 1, hands it out, and it is freed remotely again, all while another thread pushes block 2
        // with block 1 as the head it saw: the same word, twice (the ABA case).
        loom::model(|| {
            let p = Pageblock::new();
            assert!(p.free(1));
            let pusher = {
                let p = p.clone();
                spawn(move || p.free(2))
            };
            let first = p.word.take();
            let mut got = p.list(first.head);
            if got.contains(&1) {
                got.retain(|&b| b != 1);
                p.free(1);
            }
            pusher.join().unwrap();
            got.extend(p.list(p.word.take().head));
            got.sort_unstable();
            assert_eq!(got, [1, 2]);
        });
    }

    #[test]
    fn loom_blocks_left_after_an_acknowledgement_are_announced_with_the_next() {
        // The owner leaves the blocks of the first announcement where they are. The text of the letter stands for what it
        // does with the pageblock's place in the inbox before, and the second pusher after: loom sees if they overlap.
        loom::model(|| {
            let p = Pageblock::new();
            let letters = Letters::new();
            let inbox = Arc::new(Inbox::new());
            assert!(p.free(1));
            letters.send(0, &inbox);
            let pusher = {
                let (p, letters, inbox) = (p.clone(), letters.clone(), inbox.clone());
                spawn(move || {
                    let announce = p.free(2);
                    if announce {
                        letters.send(0, &inbox);
                    }
                    announce
                })
            };
            assert_eq!(read(&inbox), [1]);
            let left = p.word.acknowledge();
            let again = pusher.join().unwrap();
            assert_eq!(left, if again { 1 } else { 2 });
            assert_eq!(p.word.view().queued(), again);
            assert_eq!(read(&inbox).len(), usize::from(again));
            let mut got = p.list(p.word.take().head);
            got.sort_unstable();
            assert_eq!(got, [1, 2]);
        });
    }

    #[test]
    fn loom_a_change_of_owner_loses_no_block() {
        loom::model(|| {
            let p = Pageblock::new();
            let pusher = {
                let p = p.clone();
                spawn(move || {
                    p.word.push(3, 1, |head| {
                        // SAFETY: the block is this thread's.
                        p.links[3].with_mut(|l| unsafe { *l = head });
                    })
                })
            };
            p.word.give(1, 2);
            let told = pusher.join().unwrap();
            assert!(matches!(told, Some(Pushed::Announce(1 | 2))));
            assert_eq!(p.word.view().owner(), 2);
            assert_eq!(p.list(p.word.dequeue().head), [3]);
            p.word.close();
        });
    }
}

/// A node with a value that its pusher writes before, and the finder reads.
struct Letter {
    link: AtomicPtr<Letter>,
    text: UnsafeCell<u32>,
}

impl Node for Letter {
    unsafe fn link<'a>(this: *const Letter) -> &'a AtomicPtr<Letter> {
        // SAFETY: letters outlive the model's threads.
        unsafe { &(*this).link }
    }
}

/// Letters that are never deallocated while the model runs.
struct Letters([Letter; 2]);
// SAFETY: a letter is touched by its pusher before the push and by its finder after; loom checks that.
unsafe impl Sync for Letters {}
// SAFETY: as above.
unsafe impl Send for Letters {}

impl Letters {
    fn new() -> Arc<Letters> {
        Arc::new(Letters([(); 2].map(|()| Letter {
            link: AtomicPtr::new(std::ptr::null_mut()),
            text: UnsafeCell::new(0),
        })))
    }
    fn send(&self, i: usize, inbox: &Inbox<Letter>) {
        let letter = &self.0[i];
        // SAFETY: the letter is the caller's until it is pushed, once.
        unsafe {
            letter.text.with_mut(|t| *t = i as u32 + 1);
            inbox.push((&raw const *letter).cast_mut());
        }
    }
}

fn read(inbox: &Inbox<Letter>) -> Vec<u32> {
    inbox
        .take_all()
        // SAFETY: a letter found in an inbox is the finder's.
        .map(|l| unsafe { (*l).text.with(|t| *t) })
        .collect()
}

mod inbox {
    use super::*;

    #[test]
    fn loom_every_letter_is_found_once() {
        loom::model(|| {
            let letters = Letters::new();
            let inbox = Arc::new(Inbox::new());
            let pushers: Vec<_> = [0, 1]
                .map(|i| {
                    let (letters, inbox) = (letters.clone(), inbox.clone());
                    spawn(move || letters.send(i, &inbox))
                })
                .into();
            let mut got = read(&inbox);
            for t in pushers {
                t.join().unwrap();
            }
            got.extend(read(&inbox));
            got.sort_unstable();
            assert_eq!(got, [1, 2]);
        });
    }

    #[test]
    fn loom_a_letter_may_be_pushed_elsewhere_while_the_batch_is_read() {
        loom::model(|| {
            let letters = Letters::new();
            let (first, second) = (Arc::new(Inbox::new()), Inbox::new());
            letters.send(0, &first);
            let pusher = {
                let (letters, first) = (letters.clone(), first.clone());
                spawn(move || letters.send(1, &first))
            };
            let mut n = 0;
            for l in first.take_all() {
                // SAFETY: found, and pushed once.
                unsafe { second.push(l) };
                n += 1;
            }
            pusher.join().unwrap();
            assert_eq!(read(&second).len(), n);
            assert_eq!(read(&first).len(), 2 - n);
        });
    }
}

struct Bits {
    a: [AtomicU64; 1],
    b: [AtomicU64; 1],
}

impl Bits {
    fn new() -> Arc<Bits> {
        Arc::new(Bits {
            a: [AtomicU64::new(0)],
            b: [AtomicU64::new(0)],
        })
    }
    fn registry(&self) -> Registry<'_> {
        Registry::new(&self.a, &self.b)
    }
}

mod registry {
    use super::*;

    #[test]
    fn loom_a_vacant_heap_is_claimed_by_one_who_sees_what_was_left_in_it() {
        struct Heap(UnsafeCell<u32>);
        // SAFETY: touched by the owner only; loom checks that.
        unsafe impl Sync for Heap {}
        // SAFETY: as above.
        unsafe impl Send for Heap {}
        loom::model(|| {
            let bits = Bits::new();
            let heap = Arc::new(Heap(UnsafeCell::new(0)));
            let claimers: Vec<_> = [1, 2]
                .map(|i| {
                    let (bits, heap) = (bits.clone(), heap.clone());
                    spawn(move || {
                        let registry = bits.registry();
                        let claimed = if i == 1 {
                            registry.claim_any()
                        } else {
                            registry.claim_stocked(&mut 0, 1, |_| true)
                        };
                        let won = claimed == Some(5);
                        if won {
                            // SAFETY: claimed.
                            heap.0.with_mut(|h| unsafe {
                                assert_eq!(*h, 7);
                                *h += 1;
                            });
                        }
                        won
                    })
                })
                .into();
            // SAFETY: owned by this thread until it is vacated.
            heap.0.with_mut(|h| unsafe { *h = 7 });
            bits.registry().vacate(5, true);
            let won = claimers.into_iter().map(|t| t.join().unwrap());
            assert!(won.filter(|&w| w).count() <= 1);
        });
    }

    /// The handshake of `adopt`: a thread announces while the owner ends.
    #[test]
    fn loom_what_is_announced_while_a_thread_ends_is_not_overlooked() {
        loom::model(|| {
            let bits = Bits::new();
            let letters = Letters::new();
            let inbox = Arc::new(Inbox::new());
            let found = Arc::new(AtomicU32::new(0));
            let leave = |bits: &Bits, inbox: &Inbox<Letter>, found: &AtomicU32| {
                loop {
                    found.fetch_add(read(inbox).len() as u32, Relaxed);
                    bits.registry().vacate(5, true);
                    fence();
                    if inbox.is_empty() || !bits.registry().claim(5) {
                        return;
                    }
                }
            };
            let freer = {
                let (bits, inbox, found) = (bits.clone(), inbox.clone(), found.clone());
                spawn(move || {
                    letters.send(0, &inbox);
                    fence();
                    if bits.registry().is_vacant(5) && bits.registry().claim(5) {
                        leave(&bits, &inbox, &found);
                    }
                })
            };
            leave(&bits, &inbox, &found);
            freer.join().unwrap();
            assert_eq!(found.load(Relaxed), 1);
            assert!(bits.registry().is_vacant(5));
        });
    }
}

mod slices {
    use super::*;

    struct Map {
        free: [AtomicU64; 3],
        dirty: [AtomicU64; 3],
        /// What the holders of slices 0 and 1 of each segment write to them.
        memory: [UnsafeCell<u32>; 6],
    }
    // SAFETY: memory is touched by the holder of its slice; loom checks that.
    unsafe impl Sync for Map {}
    // SAFETY: as above.
    unsafe impl Send for Map {}

    impl Map {
        /// All slices but the first two of each segment are taken.
        fn new() -> Arc<Map> {
            Arc::new(Map {
                free: std::array::from_fn(|_| AtomicU64::new(3)),
                dirty: std::array::from_fn(|_| AtomicU64::new(0)),
                memory: std::array::from_fn(|_| UnsafeCell::new(0)),
            })
        }
        fn slices(&self) -> Slices<'_> {
            Slices::new(&self.free, &self.dirty)
        }
        fn write(&self, slice: usize) {
            // SAFETY: the slice was claimed by the caller.
            self.memory[slice / 64 * 2 + slice % 64].with_mut(|m| unsafe { *m += 1 });
        }
    }

    #[test]
    fn loom_slices_have_one_holder_at_a_time() {
        explore(3, || {
            let map = Map::new();
            let work = |map: &Map| {
                if let Some(run) = map.slices().claim_in(0, 1, 1, false) {
                    map.slices().take_dirty(run.start, 1);
                    map.write(run.start);
                    map.slices().set_dirty(run.start, 1);
                    map.slices().release(run.start, 1);
                }
            };
            let others: Vec<_> = [1, 2]
                .map(|_| {
                    let map = map.clone();
                    spawn(move || work(&map))
                })
                .into();
            work(&map);
            for t in others {
                t.join().unwrap();
            }
            assert_eq!(map.slices().used(0), !3);
        });
    }

    #[test]
    fn loom_purging_excludes_allocating() {
        loom::model(|| {
            let map = Map::new();
            map.slices().claim_at(0, 1);
            map.slices().set_dirty(0, 1);
            map.slices().release(0, 1);
            let allocator = {
                let map = map.clone();
                spawn(move || {
                    let run = map.slices().claim_in(0, 1, 1, false);
                    if let Some(run) = run {
                        let dirty = map.slices().take_dirty(run.start, 1);
                        map.write(run.start);
                        return dirty;
                    }
                    0
                })
            };
            let ours = map.slices().claim_rest(0);
            let mut purged = 0;
            for slice in [0, 1] {
                if ours & 1 << slice != 0 {
                    purged += map.slices().take_dirty(slice, 1);
                    map.write(slice);
                }
            }
            map.slices().release_bits(0, ours);
            assert_eq!(
                purged + allocator.join().unwrap(),
                1,
                "the slice was dirty once"
            );
        });
    }

    /// A map of slices set aside beside the others, and its count.
    struct Two {
        map: Arc<Map>,
        aside: [AtomicU64; 3],
        counted: AtomicU64,
    }

    impl Two {
        fn new() -> Arc<Two> {
            Arc::new(Two {
                map: Map::new(),
                aside: std::array::from_fn(|_| AtomicU64::new(0)),
                counted: AtomicU64::new(0),
            })
        }
        fn free(&self) -> Slices<'_> {
            self.map.slices()
        }
        fn aside(&self) -> Aside<'_> {
            Aside::new(Slices::new(&self.aside, &self.map.dirty), &self.counted)
        }
        /// Sets free slices aside until there are `most`, as the reserve does.
        fn set_aside(&self, most: usize) {
            let bits = self.free().claim_some(0, |n| self.aside().count(n, most));
            for slice in [0, 1] {
                if bits & 1 << slice != 0 {
                    self.map.write(slice);
                }
            }
            self.aside().put(0, bits);
        }
        /// Takes a slice out of the map at hand, and gives it to everybody.
        fn use_up(&self) -> bool {
            let Some((run, left)) = self.aside().claim(0, 1, 1) else {
                return false;
            };
            assert!(left < 2, "the count is never below what is there");
            self.map.write(run.start);
            self.free().release(run.start, 1);
            true
        }
        fn verify(&self) {
            let (free, aside) = (!self.free().used(0), !self.aside().map().used(0));
            assert_eq!(free & aside, 0, "a slice is to be had twice");
            assert_eq!(free | aside, 3, "a slice is lost");
            let counted = self.counted.load(Relaxed);
            assert_eq!(counted, u64::from(aside.count_ones()));
        }
    }

    #[test]
    fn loom_a_slice_is_free_or_set_aside_and_counted() {
        explore(3, || {
            let two = Two::new();
            let filler = {
                let two = two.clone();
                spawn(move || two.set_aside(2))
            };
            let user = {
                let two = two.clone();
                spawn(move || {
                    two.use_up();
                    if let Some(run) = two.free().claim_in(0, 1, 1, false) {
                        two.map.write(run.start);
                        two.free().release(run.start, 1);
                    }
                })
            };
            two.set_aside(1);
            two.use_up();
            filler.join().unwrap();
            user.join().unwrap();
            two.verify();
        });
    }

    #[test]
    fn loom_what_is_let_go_is_free_again() {
        explore(3, || {
            let two = Two::new();
            two.set_aside(2);
            let user = {
                let two = two.clone();
                spawn(move || two.use_up())
            };
            let bits = two.aside().claim_rest(0);
            two.free().release_bits(0, bits);
            let used = user.join().unwrap();
            assert_eq!(bits.count_ones() + u32::from(used), 2);
            two.verify();
        });
    }

    #[test]
    fn loom_of_two_overlapping_long_runs_at_least_one_is_had() {
        explore(3, || {
            let map = Map::new();
            // Free: all of segments 0 and 1, and the first slices of segment 2.
            map.slices().release_bits(0, !3);
            map.slices().release_bits(1, !3);
            let other = {
                let map = map.clone();
                spawn(move || map.slices().claim_at(64, 66))
            };
            let ours = map.slices().claim_at(0, 128);
            let theirs = other.join().unwrap();
            assert!(ours || theirs);
            assert!(!(ours && theirs));
            // The loser left nothing behind.
            assert_eq!(map.slices().used(0), if ours { !0 } else { 0 });
            assert_eq!(map.slices().used(2), if theirs { !0 } else { !3 });
        });
    }
}
