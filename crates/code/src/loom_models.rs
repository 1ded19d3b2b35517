//! Loom models: every interleaving of a few threads over the real code.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p samite-code --release loom`
//!
//! A predicate `r/1` has one fact more than it needs: writers put in a new one before they erase an old one, so no reader may find
//! none, nor a fact twice. Clauses that frames come back to are modelled with [`Runner`]s, which do what the machine does at safe points
//! and where it blocks (`answer_calls` and `blocked.rs` there).

#![cfg_attr(not(test), allow(dead_code, unused_imports))]

use crate::code_block::CodeBlock;
use crate::db::database::{self, INDEX_FROM};
use crate::db::frames::Unlinked;
use crate::db::link as index;
use crate::db::predicate::{ANY_KEY, Clause, ClauseList, Domain, Predicate, flag};
use crate::db::readers::{Call, ReaderSlot};
use crate::db::reclaim::Pin;
use crate::db::twins;
use crate::db::view::{end_of, found};
use crate::instr::{self, Op};
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread::spawn;
use samite_term::{Atom, Functor, atoms};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

thread_local! {
    /// Clauses freed by this thread of the system: all threads of a model are one.
    pub(crate) static FREED: Cell<usize> = const { Cell::new(0) };
    /// And where lists of clauses were that have been freed.
    pub(crate) static FREED_LISTS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Explores with at most this many preemptions, which bounds the time.
pub(crate) fn explore(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    // (An index is many steps.)
    builder.max_branches = 10_000;
    builder.check(model);
}

/// A dynamic predicate with facts for these keys.
pub(crate) fn predicate(keys: &[u64]) -> &'static Predicate {
    let p = Predicate::new(Domain::new(), atoms::USER, Functor::new(atoms::MAIN, 1));
    database::make_dynamic(p);
    for &k in keys {
        add(p, k, true);
    }
    p
}

/// A fact of the file that all of [`predicate`] are of.
fn clause_of_file(p: &'static Predicate, key: u64) -> Box<Clause> {
    clause(p, key, key as u32)
}

fn clause(p: &'static Predicate, key: u64, line: u32) -> Box<Clause> {
    Box::new(Clause::new(p, key, None, None, line))
}

pub(crate) fn add(p: &'static Predicate, key: u64, at_end: bool) -> &'static Clause {
    let c = clause(p, key, key as u32);
    // SAFETY: the models look at a clause only while it cannot have been freed.
    let r: &'static Clause = unsafe { &*std::ptr::from_ref(&*c) };
    database::add(p, c, at_end).unwrap();
    r
}

/// A worker of the domain that the predicate is of.
pub(crate) fn worker(p: &Predicate) -> Arc<ReaderSlot> {
    p.domain.register(Box::new(|_| {}))
}

/// The keys of the clauses that a call sees.
fn seen(p: &'static Predicate, key: u64) -> Vec<u64> {
    let found = found(p, key, usize::MAX);
    found.into_iter().map(|c| c.key).collect()
}

/// More keys than can do without an index, besides those below.
fn crowd() -> Vec<u64> {
    (100..100 + INDEX_FROM as u64).collect()
}

#[test]
fn loom_a_reader_finds_the_new_fact_or_the_old_one() {
    explore(3, || {
        let p = predicate(&[]);
        let old = add(p, 1, true);
        let writer = spawn(move || {
            add(p, 1, true);
            assert!(database::erase(old, 1));
        });
        let me = worker(p);
        me.enter();
        let found = seen(p, ANY_KEY);
        assert!(!found.is_empty() && found.len() <= 2, "{found:?}");
        p.domain.publish(&me, &[], None);
        writer.join().unwrap();
        assert_eq!(seen(p, ANY_KEY).len(), 1);
        p.domain.unregister(&me);
    });
}

#[test]
fn loom_a_reader_finds_a_fact_put_in_front() {
    explore(3, || {
        let p = predicate(&[]);
        let old = add(p, 1, true);
        let writer = spawn(move || {
            add(p, 1, false);
            assert!(database::erase(old, 1));
        });
        let me = worker(p);
        me.enter();
        assert!(!seen(p, ANY_KEY).is_empty());
        p.domain.publish(&me, &[], None);
        writer.join().unwrap();
        p.domain.unregister(&me);
    });
}

/// A stack: what is put in front after a pop is followed by a jump over what was popped.
#[test]
fn loom_a_reader_finds_what_lies_below_in_a_stack() {
    explore(3, || {
        let p = predicate(&[1]);
        let top = add(p, 2, false);
        let writer = spawn(move || {
            assert!(database::erase(top, 1));
            add(p, 3, false);
        });
        let me = worker(p);
        me.enter();
        let found = seen(p, ANY_KEY);
        assert!(
            [vec![2, 1], vec![1], vec![3, 1]].contains(&found),
            "{found:?}"
        );
        p.domain.publish(&me, &[], None);
        writer.join().unwrap();
        assert_eq!(seen(p, ANY_KEY), [3, 1]);
        p.domain.unregister(&me);
    });
}

/// Readers of several generations walk over erased clauses behind one that stays, and leave hints for each other, while the next ones die: each
/// finds all that its generation sees.
#[test]
fn loom_hints_lead_past_nothing_that_is_alive() {
    explore(3, || {
        let p = predicate(&[1]);
        let dead = [2, 3].map(|k| add(p, k, true));
        let next = add(p, 4, true);
        add(p, 5, true);
        for c in dead {
            assert!(database::erase(c, 1));
        }
        let reader = spawn(move || {
            let me = worker(p);
            me.enter();
            let found = seen(p, ANY_KEY);
            assert!(found == [1, 4, 5] || found == [1, 5], "{found:?}");
            p.domain.unregister(&me);
        });
        let me = worker(p);
        me.enter();
        assert_eq!(seen(p, ANY_KEY), [1, 4, 5]);
        assert!(database::erase(next, 1));
        assert_eq!(seen(p, ANY_KEY), [1, 5]);
        reader.join().unwrap();
        p.domain.publish(&me, &[], None);
        p.domain.unregister(&me);
    });
}

/// The reader, or the other reader, builds the index meanwhile, without the clauses that are erased.
#[test]
fn loom_an_index_is_built_while_facts_come_and_go() {
    explore(2, || {
        let p = predicate(&crowd());
        let old = add(p, 1, true);
        let writer = spawn(move || {
            add(p, 1, true);
            assert!(database::erase(old, 1));
        });
        let builder = spawn(move || {
            let me = worker(p);
            me.enter();
            assert_eq!(seen(p, 100), [100]);
            p.domain.unregister(&me);
        });
        let me = worker(p);
        me.enter();
        assert!(!seen(p, 1).is_empty());
        writer.join().unwrap();
        builder.join().unwrap();
        p.domain.unregister(&me);
    });
}

/// A call sees all of the old or all of the new clauses.
#[test]
fn loom_an_exchange_is_one_step() {
    explore(3, || {
        let p = predicate(&[1, 2]);
        let loader = spawn(move || {
            database::exchange(
                p,
                |_| true,
                vec![clause(p, 3, 3), clause(p, 4, 4)],
                Default::default(),
            )
            .unwrap();
        });
        let me = worker(p);
        me.enter();
        let found = seen(p, ANY_KEY);
        assert!(found == [1, 2] || found == [3, 4], "{found:?}");
        p.domain.publish(&me, &[], None);
        loader.join().unwrap();
        assert_eq!(seen(p, ANY_KEY), [3, 4]);
        p.domain.unregister(&me);
    });
}

/// So is the end of a load, with what was read before; what another thread asserts meanwhile is there in both.
#[test]
fn loom_the_end_of_a_twin_is_one_step() {
    explore(2, || {
        let p = predicate(&[1, 2]);
        let twin = twins::open(p, None, atoms::NIL);
        let asserter = spawn(move || {
            let mut c = clause(p, 5, 5);
            c.set_file(atoms::DOT, atoms::DOT);
            database::add(p, c, true).unwrap();
        });
        let loader = spawn(move || {
            let me = worker(p);
            me.enter();
            twins::add(twin, p, clause_of_file(p, 3)).unwrap();
            let found = seen(twin, ANY_KEY);
            assert!(
                [&[3][..], &[3, 5], &[5, 3]].contains(&&found[..]),
                "{found:?}"
            );
            twins::close(
                p,
                twin,
                vec![clause_of_file(p, 4)],
                Default::default(),
                false,
            )
            .unwrap();
            p.domain.unregister(&me);
        });
        let me = worker(p);
        me.enter();
        let found = seen(p, ANY_KEY);
        let possible = [&[1, 2][..], &[1, 2, 5], &[3, 4], &[3, 4, 5]];
        assert!(possible.contains(&&found[..]), "{found:?}");
        p.domain.publish(&me, &[], None);
        asserter.join().unwrap();
        loader.join().unwrap();
        assert_eq!(seen(p, ANY_KEY), [3, 4, 5]);
        p.domain.unregister(&me);
    });
}

/// A walk over a predicate from its first clause, where there is one, that has been published.
struct Walker {
    domain: &'static Domain,
    slot: Arc<ReaderSlot>,
    list: &'static ClauseList,
    at: usize,
    end: usize,
    pin: Pin,
    /// How often a list has been freed where its list is.
    before: usize,
}

fn freed_lists(list: &ClauseList) -> usize {
    FREED_LISTS.with_borrow(|all| all.iter().filter(|&&l| l == list.address()).count())
}

impl Walker {
    fn begin(p: &'static Predicate) -> Option<Walker> {
        let slot = worker(p);
        slot.enter();
        let v = p.view();
        let before = freed_lists(v.list);
        let (at, generation) = (v.find(v.from, ANY_KEY), v.generation);
        if at == v.to {
            p.domain.unregister(&slot);
            return None;
        }
        let end = end_of(v.list, at, v.to, generation);
        let pin = Pin::at(std::ptr::from_ref(p) as usize, generation);
        p.domain.publish(&slot, &[], [pin]);
        Some(Walker {
            domain: p.domain,
            slot,
            list: v.list,
            at,
            end,
            pin,
            before,
        })
    }
    /// The keys of what it sees, which is still there.
    fn walk(&self) -> Vec<u64> {
        assert_eq!(
            freed_lists(self.list),
            self.before,
            "the list of a walk is freed"
        );
        let seen = self.list.between(self.at, self.end);
        seen.filter(|c| c.visible(self.pin.since))
            .map(|c| c.key)
            .collect()
    }
    fn end(self) {
        self.domain.publish(&self.slot, &[self.pin], None);
        self.domain.unregister(&self.slot);
    }
}

/// What a walk still wants is not freed, and is when the walk has ended.
#[test]
fn loom_what_a_walk_wants_stays() {
    explore(3, || {
        let p = predicate(&[1, 2]);
        let start = FREED.get();
        let writer = spawn(move || {
            let me = worker(p);
            database::wipe(p);
            p.domain.free_unreachable();
            p.domain.unregister(&me);
        });
        let before = FREED.get();
        if let Some(walk) = Walker::begin(p) {
            assert_eq!(walk.walk(), [1, 2]);
            assert_eq!(FREED.get(), before);
            writer.join().unwrap();
            assert_eq!(walk.walk(), [1, 2]);
            walk.end();
        } else {
            writer.join().unwrap();
        }
        p.domain.free_unreachable();
        assert_eq!(FREED.get(), start + 2);
    });
}

/// What comes and goes after a walk has begun is freed while the walk stays, and what the walk sees is not. Its list, which may be one
/// that is made while the walk begins, stays too.
#[test]
fn loom_what_comes_and_goes_above_a_walk_does_not_stay() {
    explore(3, || {
        let p = predicate(&[1]);
        let start = FREED.get();
        let writer = spawn(move || {
            let me = worker(p);
            // Each makes the list grow.
            let births = [2, 3].map(|k| add(p, k, true).born_at());
            database::wipe(p);
            add(p, 4, true);
            database::wipe(p);
            p.domain.unregister(&me);
            births
        });
        if let Some(walk) = Walker::begin(p) {
            let seen = walk.walk();
            let births = writer.join().unwrap();
            p.domain.free_unreachable();
            assert_eq!(walk.walk(), seen);
            // One that had taken its generation, but was not born when the walk began, is behind its end.
            let older = births.iter().filter(|&&b| b <= walk.pin.since).count();
            let kept = if seen[0] == 1 { 1 + older } else { 1 };
            assert!(kept == seen.len() || kept == seen.len() + 1);
            assert_eq!(FREED.get(), start + 4 - kept);
            walk.end();
        } else {
            writer.join().unwrap();
        }
        p.domain.free_unreachable();
        assert_eq!(FREED.get(), start + 4);
    });
}

/// A predicate stops being dynamic while another thread, which took it for dynamic, adds a clause that entry code must not jump to: who
/// calls it is led to a walk, or to what is undefined, and flags, entry code and clauses agree afterwards (they are verified under
/// the lock).
#[test]
fn loom_no_entry_code_leads_to_what_was_asserted() {
    explore(3, || {
        let p = predicate(&[1]);
        let adder = spawn(move || {
            database::add(p, clause(p, 2, 2), true).unwrap();
        });
        let wiper = spawn(move || database::abolish(p, 0, |_, _| true));
        let me = worker(p);
        me.enter();
        // SAFETY: entry code is at least one word.
        let op = || instr::op(unsafe { *p.entry() });
        let mut now = op();
        assert!([Op::Dynamic, Op::Undefined].contains(&now), "{now:?}");
        // As a caller that read an older entry.
        index::link(p);
        now = op();
        assert!([Op::Dynamic, Op::Undefined].contains(&now), "{now:?}");
        p.domain.publish(&me, &[], None);
        adder.join().unwrap();
        wiper.join().unwrap();
        assert_eq!(op() == Op::Dynamic, p.has(flag::DYNAMIC));
        assert!(p.is_dynamic() || seen(p, ANY_KEY).is_empty());
        p.domain.unregister(&me);
    });
}

/// A worker that runs code: what the machine does around [`crate::frames`] and the events that ask for it, with one frame, in which there
/// is an address or none.
struct Runner {
    domain: &'static Domain,
    slot: Arc<ReaderSlot>,
    /// Events: what [`crate::db::readers::Waker`] raises, and safe points take.
    called: Arc<AtomicUsize>,
    frame: Vec<usize>,
}

/// The entry of a predicate: an address in the code of a clause, or 0.
type Entry = Arc<AtomicUsize>;

impl Runner {
    fn new(p: &Predicate) -> Runner {
        // Somebody else has asked for something before.
        let called = Arc::new(AtomicUsize::new(1 << Call::Publish as usize));
        let raised = called.clone();
        let slot = p.domain.register(Box::new(move |call| {
            raised.fetch_or(1 << call as usize, Ordering::AcqRel);
        }));
        Runner {
            domain: p.domain,
            slot,
            called,
            frame: Vec::new(),
        }
    }
    /// Calls what is at the entry, from a safe point: it makes a frame that comes back to the clause, and comes to the next safe point.
    fn call(&mut self, entry: &Entry, live: usize) {
        // Relaxed, as the machine reads entries.
        let at = entry.load(Ordering::Relaxed);
        if at != 0 {
            assert_eq!(FREED.get(), live, "a clause that was called is freed");
            self.frame = vec![at];
        }
        self.safe_point();
    }
    /// First what was asked for is taken, then it is answered.
    fn safe_point(&mut self) {
        if self.called.swap(0, Ordering::AcqRel) != 0 {
            self.answer();
        }
    }
    fn answer(&mut self) {
        if self.slot.is_asked() || self.slot.is_to_look() {
            self.domain.publish(&self.slot, &[], None);
        }
        if self.slot.is_to_look() {
            self.domain
                .looked(&self.slot, &self.frame, self.frame.len());
        }
    }
    /// Blocks in the system, until whatever others do while it is there.
    fn block(&mut self, meanwhile: impl FnOnce()) {
        self.domain.park(&self.slot, self.frame.clone());
        self.domain.publish(&self.slot, &[], None);
        meanwhile();
        self.slot.resume();
    }
    /// Returns through the frame, into the clause.
    fn returns(&mut self, live: usize) {
        if !self.frame.is_empty() {
            assert_eq!(FREED.get(), live, "a clause that is returned into is freed");
            self.frame.clear();
        }
    }
}

/// A clause that frames refer to, off every list.
fn clause_with_code(p: &'static Predicate) -> (*mut Clause, usize) {
    let block = CodeBlock {
        words: vec![0; 2],
        resumable: true,
        records: vec![],
    };
    let c = Box::new(Clause::new(p, 1, None, Some(block), 1));
    let at = c.code_range().start;
    (Box::into_raw(c), at)
}

fn erase(entry: &Entry, clause: *mut Clause) {
    entry.store(0, Ordering::Release);
    let mut unlinked = Unlinked::new();
    unlinked.nodes.push(clause);
    // SAFETY: it has not been freed.
    let domain = unsafe { &*clause }.predicate.domain;
    domain.reclaimer.defer(unlinked);
}

/// An erased clause stays as long as a frame of a thread that runs, or blocks, comes back to it, and goes when none does.
#[test]
fn loom_what_frames_come_back_to_stays() {
    for blocks in [false, true] {
        explore(3, move || {
            let p = predicate(&[]);
            let live = FREED.get();
            let (clause, at) = clause_with_code(p);
            let entry: Entry = Arc::new(AtomicUsize::new(at));
            let clause = clause as usize;
            let mut me = Runner::new(p);
            let theirs = entry.clone();
            let eraser = spawn(move || erase(&theirs, clause as *mut Clause));
            me.call(&entry, live);
            if blocks {
                me.block(loom::thread::yield_now);
                me.safe_point();
            }
            me.returns(live);
            me.safe_point();
            me.call(&entry, live);
            me.returns(live);
            eraser.join().unwrap();
            // Whoever is called comes to a safe point; what was held in that batch goes with the next one.
            me.safe_point();
            if FREED.get() == live {
                p.domain.hurry();
                me.safe_point();
            }
            assert_eq!(FREED.get(), live + 1, "it is never freed");
            p.domain.unregister(&me.slot);
        });
    }
}

/// A thread that waits for ever keeps what its frames come back to, and nothing else; one that ends, nothing.
#[test]
fn loom_who_blocks_or_ends_keeps_nothing_else() {
    for ends in [false, true] {
        explore(3, move || {
            let p = predicate(&[]);
            let live = FREED.get();
            let (held, at) = clause_with_code(p);
            let (other, _) = clause_with_code(p);
            let (held, other) = (held as usize, other as usize);
            let mut blocked = Runner::new(p);
            blocked.call(&Arc::new(AtomicUsize::new(at)), live);
            let slot = blocked.slot.clone();
            let blocking = spawn(move || {
                if ends {
                    p.domain.unregister(&blocked.slot);
                } else {
                    p.domain.park(&blocked.slot, blocked.frame.clone());
                    p.domain.publish(&blocked.slot, &[], None);
                }
            });
            let gone: Entry = Arc::new(AtomicUsize::new(0));
            erase(&gone, held as *mut Clause);
            erase(&gone, other as *mut Clause);
            blocking.join().unwrap();
            p.domain.hurry();
            assert_eq!(FREED.get(), live + 1 + usize::from(ends));
            if !ends {
                p.domain.unregister(&slot);
                p.domain.hurry();
                assert_eq!(FREED.get(), live + 2);
            }
        });
    }
}

/// Who is asked to publish while it comes to a safe point, or blocks, publishes; the last one frees.
#[test]
fn loom_what_is_asked_for_is_answered() {
    for blocks in [false, true] {
        explore(3, move || {
            let p = predicate(&[1, 2]);
            let live = FREED.get();
            let mut me = Runner::new(p);
            let writer = spawn(move || {
                let me = worker(p);
                database::wipe(p);
                p.domain.unregister(&me);
            });
            me.slot.enter();
            let found = seen(p, ANY_KEY);
            assert!(found.is_empty() || found == [1, 2]);
            if blocks {
                me.block(loom::thread::yield_now);
            } else {
                me.safe_point();
            }
            writer.join().unwrap();
            me.safe_point();
            assert_eq!(FREED.get(), live + 2);
            p.domain.unregister(&me.slot);
        });
    }
}
