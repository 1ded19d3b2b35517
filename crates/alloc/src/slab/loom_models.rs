//! Loom models: every interleaving of a few threads over the real code, with the invariants checked at the end.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p samite-alloc --release --lib loom`

use super::{Kind, Local, Slab, Type};
use loom::thread::spawn;
use std::ptr::NonNull;
use std::sync::Arc;

const TYPES: [Type; 2] = [
    Type {
        name: "small",
        size: 64,
    },
    // IN_PAGE of them fit.
    Type {
        name: "large",
        size: 128,
    },
];
const LARGE: Kind = Kind::new(1);
const IN_PAGE: usize = 4;

/// Explores with at most this many preemptions, which bounds the time.
fn explore(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

fn slab() -> Arc<Slab> {
    Arc::new(Slab::new(&TYPES).unwrap())
}

fn attach(slab: &Arc<Slab>) -> Local<Arc<Slab>> {
    Slab::attach(slab.clone()).unwrap()
}

/// A structure that another thread may free.
struct Gift(NonNull<u8>);
// SAFETY: structures may be freed by any thread.
unsafe impl Send for Gift {}

fn gift(local: &mut Local<Arc<Slab>>) -> Gift {
    Gift(local.alloc(LARGE).unwrap())
}

fn free(local: &mut Local<Arc<Slab>>, gift: Gift) {
    // SAFETY: a gift is a live structure of this type, and is used up.
    unsafe { local.free(LARGE, gift.0) };
}

/// Structures that fill a page.
fn full_page(local: &mut Local<Arc<Slab>>) -> Vec<Gift> {
    let gifts = (0..IN_PAGE).map(|_| gift(local)).collect();
    assert_eq!(local.slab().stats(LARGE).capacity, IN_PAGE);
    gifts
}

/// All threads are joined, all locals dropped: every invariant holds, and so many structures are left.
fn settled(slab: &Slab, live: usize) {
    // SAFETY: nobody else uses the slab.
    unsafe { slab.verify() };
    assert_eq!(slab.stats(LARGE).live, live);
}

/// Empty pages on the void stack.
fn void_pages(slab: &Slab) -> usize {
    let mut n = 0;
    slab.void.each(&slab.supply, |_| n += 1);
    n
}

#[test]
fn loom_a_stack_survives_pop_pop_push() {
    explore(4, || {
        let slab = slab();
        for page in [(); 3].map(|()| slab.new_page().unwrap()) {
            // SAFETY: pages of a living slab.
            slab.void.push(unsafe { page.as_ref() }, &slab.supply);
        }
        let other = {
            let slab = slab.clone();
            spawn(move || {
                let first = slab.void_page().unwrap();
                let second = slab.void_page().unwrap();
                // SAFETY: as above. The page that was on top is on top again, over another one.
                unsafe {
                    slab.void.push(first.as_ref(), &slab.supply);
                    second.as_ref().number()
                }
            })
        };
        // SAFETY: as above.
        let mine = slab
            .void_page()
            .map(|p| unsafe { p.as_ref() }.number())
            .unwrap();
        let theirs = other.join().unwrap();
        assert_ne!(mine, theirs);
        assert_eq!(void_pages(&slab), 1);
        slab.void.each(&slab.supply, |p| {
            // SAFETY: as above.
            let left = unsafe { p.as_ref() }.number();
            assert!(left != mine && left != theirs);
        });
    });
}

#[test]
fn loom_two_threads_claim_two_pages_of_one_chunk() {
    explore(4, || {
        let slab = slab();
        let other = {
            let slab = slab.clone();
            // SAFETY: a page of a living slab.
            spawn(move || unsafe { slab.new_page().unwrap().as_ref() }.number())
        };
        // SAFETY: as above.
        let mine = unsafe { slab.new_page().unwrap().as_ref() }.number();
        let mut both = [mine, other.join().unwrap()];
        both.sort_unstable();
        assert_eq!(both, [0, 1]);
    });
}

#[test]
fn loom_a_page_freed_by_owner_and_another_is_emptied_once() {
    explore(4, || {
        let slab = slab();
        let mut owner = attach(&slab);
        let (p, q) = (gift(&mut owner), gift(&mut owner));
        let other = {
            let slab = slab.clone();
            spawn(move || free(&mut attach(&slab), p))
        };
        free(&mut owner, q);
        // The page, wherever it is now, serves again.
        let again = gift(&mut owner);
        other.join().unwrap();
        free(&mut owner, again);
        drop(owner);
        settled(&slab, 0);
        assert_eq!(slab.stats(LARGE).pages, 0);
    });
}

#[test]
fn loom_a_full_page_gets_room_from_another_while_its_owner_needs_some() {
    explore(4, || {
        let slab = slab();
        let mut owner = attach(&slab);
        let mut gifts = full_page(&mut owner);
        let other = {
            let (slab, p) = (slab.clone(), gifts.remove(0));
            spawn(move || free(&mut attach(&slab), p))
        };
        // In the full page if the other has freed, else in a new one.
        gifts.push(gift(&mut owner));
        other.join().unwrap();
        owner.verify();
        for gift in gifts {
            free(&mut owner, gift);
        }
        drop(owner);
        settled(&slab, 0);
        assert_eq!(slab.stats(LARGE).pages, 0);
    });
}

#[test]
fn loom_structures_freed_while_their_owner_leaves_are_not_lost() {
    explore(4, || {
        let slab = slab();
        let mut owner = attach(&slab);
        let mut gifts = full_page(&mut owner);
        let other = {
            let slab = slab.clone();
            let (p, q) = (gifts.remove(0), gifts.remove(0));
            spawn(move || {
                let mut local = attach(&slab);
                free(&mut local, p);
                free(&mut local, q);
            })
        };
        drop(owner);
        other.join().unwrap();
        settled(&slab, 2);
        // Whatever became of the page, its room is found.
        let mut last = attach(&slab);
        gifts.push(gift(&mut last));
        assert_eq!(slab.pages(), 1);
        for gift in gifts {
            free(&mut last, gift);
        }
        drop(last);
        settled(&slab, 0);
    });
}

#[test]
fn loom_all_structures_freed_while_their_owner_leaves_are_not_lost() {
    explore(4, || {
        let slab = slab();
        let mut owner = attach(&slab);
        let gifts = full_page(&mut owner);
        let other = {
            let slab = slab.clone();
            spawn(move || {
                let mut local = attach(&slab);
                gifts.into_iter().for_each(|gift| free(&mut local, gift));
            })
        };
        drop(owner);
        other.join().unwrap();
        settled(&slab, 0);
        let mut last = attach(&slab);
        let mine = gift(&mut last);
        assert_eq!(slab.pages(), 1);
        free(&mut last, mine);
        drop(last);
        settled(&slab, 0);
        assert_eq!(slab.stats(LARGE).pages, 0);
    });
}

#[test]
fn loom_a_page_is_adopted_by_free_or_by_pop() {
    explore(4, || {
        let slab = slab();
        let mut first = attach(&slab);
        let (p, q) = (gift(&mut first), gift(&mut first));
        free(&mut first, q);
        drop(first);
        let other = {
            let slab = slab.clone();
            spawn(move || free(&mut attach(&slab), p))
        };
        let mut local = attach(&slab);
        let mine = gift(&mut local);
        other.join().unwrap();
        free(&mut local, mine);
        drop(local);
        settled(&slab, 0);
    });
}

#[test]
fn loom_two_threads_pop_what_a_third_has_left() {
    explore(3, || {
        let slab = slab();
        let mut first = attach(&slab);
        let (p, q) = (gift(&mut first), gift(&mut first));
        free(&mut first, q);
        drop(first);
        let others: Vec<_> = (0..2)
            .map(|_| {
                let slab = slab.clone();
                spawn(move || {
                    let mut local = attach(&slab);
                    gift(&mut local)
                })
            })
            .collect();
        let both: Vec<Gift> = others.into_iter().map(|t| t.join().unwrap()).collect();
        assert!(both[0].0 != both[1].0 && both[0].0 != p.0 && both[1].0 != p.0);
        settled(&slab, 3);
    });
}

#[test]
fn loom_two_threads_free_into_a_page_that_is_nobodys() {
    explore(4, || {
        let slab = slab();
        let mut first = attach(&slab);
        let (p, q) = (gift(&mut first), gift(&mut first));
        drop(first);
        let other = {
            let slab = slab.clone();
            spawn(move || free(&mut attach(&slab), p))
        };
        free(&mut attach(&slab), q);
        other.join().unwrap();
        settled(&slab, 0);
    });
}

#[test]
fn loom_a_page_given_back_is_claimed_once_and_late_readers_do_no_harm() {
    explore(3, || {
        let slab = slab();
        let page = slab.new_page().unwrap();
        // SAFETY: a page of a living slab.
        slab.void.push(unsafe { page.as_ref() }, &slab.supply);
        let thread = |give: bool| {
            let slab = slab.clone();
            spawn(move || {
                // One of them pops it; the other may still be reading its link.
                let mut had = slab.void.pop(&slab.supply);
                if let (Some(page), true) = (had, give) {
                    // SAFETY: popped, so this thread's alone.
                    unsafe { slab.supply.give_back(page, slab.source()) };
                    had = None;
                }
                had.or_else(|| slab.new_page()).map(|p| p.addr().get())
            })
        };
        let threads = [thread(true), thread(true)];
        let [a, b] = threads.map(|t| t.join().unwrap().unwrap());
        assert_ne!(a, b);
        assert!(slab.supply.claimed() as usize - slab.supply.given_back() == 2);
    });
}

#[test]
fn loom_a_chunk_goes_when_all_its_pages_are_given_back() {
    explore(3, || {
        let slab = slab();
        // The first chunk stays; the next one has two pages.
        let pages: Vec<_> = (0..3).map(|_| slab.new_page().unwrap()).collect();
        let thread = |number: u32| {
            let slab = slab.clone();
            spawn(move || {
                let page = slab.supply.page(number);
                // SAFETY: nobody else has the page, and nothing is in it.
                unsafe { slab.supply.give_back(page, slab.source()) };
            })
        };
        let threads = [thread(1), thread(2)];
        // Meanwhile somebody claims one of them, or a new one, and writes to it.
        let claiming = {
            let slab = slab.clone();
            spawn(move || {
                let mine = slab.new_page().unwrap();
                // SAFETY: just claimed.
                unsafe {
                    mine.as_ref().word().open(1);
                    mine.as_ref().header(|h| h.used = 7);
                    mine.as_ref().number()
                }
            })
        };
        threads.map(|t| t.join().unwrap());
        let mine = slab.supply.page(claiming.join().unwrap());
        // SAFETY: as above.
        unsafe {
            assert_eq!(mine.as_ref().header(|h| h.used), 7);
            assert_eq!(mine.as_ref().word().view().owner(), 1);
        }
        // None is lost: those that there are now are different.
        let mut all: Vec<_> = (0..2).map(|_| slab.new_page().unwrap()).collect();
        all.extend([pages[0], mine]);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 4);
    });
}
