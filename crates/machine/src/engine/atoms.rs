//! Collecting atoms: who asks which thread for what, and when. The steps, and why they suffice: [`samite_term::atom`].
//!
//! A collection is made on an OS thread of its own, for all programs of the process. In a *round* it asks every worker for its atoms:
//!
//! | a worker that | tells |
//! |---|---|
//! | runs | at its next safe point, where it answers others who ask ([`Worker::answer_reclaimers`]); or when it is about to block; or when it ends |
//! | blocks | nothing: the collection looks at it ([`ReaderSlot::go_away`]), and it does not come back meanwhile |
//! | waits for an engine that it has asked | nothing, as one that blocks |
//! | sleeps (an engine, a light thread) | nothing: who comes by takes it out of its turn and looks at it, or the collection does |
//!
//! What a worker tells: `engine/telling.rs`.
//!
//! *Equation*: a round is over if and only if no worker that was there when it began has `atoms_asked() != 0`.
//!
//! A thread that makes atoms faster than they are collected waits for that at its next safe point ([`Worker::await_collection`]).
//!
//! Used by safe points and `garbage_collect_atoms/0`; begun by whoever makes the atom that is enough ([`atom::set_hook`]).

use crate::engine::asleep::answer_for_sleepers;
use crate::engine::os_thread;
use crate::engine::telling::{ALL, ARE_TOO_MANY, OFF_HEAP, PASS};
use crate::engine::worker::Worker;
use crate::state::program::Program;
use parking_lot::{Condvar, Mutex, MutexGuard};
use samite_code::readers::ReaderSlot;
use samite_sched::{Attention, Interrupted};
use samite_term::{Atom, HoldsAtoms, atom};
use samite_world::clock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// At least so many bytes of atoms are made between two collections.
const LEAST: usize = if cfg!(debug_assertions) {
    1 << 20
} else {
    16 << 20
};
/// A collection is due when they take this part of what a program may have in common.
const PART: usize = 16;
/// Who makes atoms waits from so many times what a collection is begun at.
const TOO_MANY: usize = 3;

/// Who makes more than are collected waits for so long at most.
const PATIENCE: Duration = Duration::from_millis(500);
/// Between two looks at who has not told.
const LOOK: Duration = Duration::from_micros(200);
/// After so many who has not told is asked again.
const LOOKS: u32 = 32;
/// Stack of the thread that collects.
const STACK: usize = 256 << 10;

/// What collections there have been.
#[derive(Debug, Default)]
pub(crate) struct Statistics {
    collections: AtomicU64,
    /// Atoms that were freed.
    gained: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Statistics {
    /// Collections that have ended.
    pub fn collections(&self) -> u64 {
        self.collections.load(Ordering::Relaxed)
    }
    /// Atoms that they have freed.
    pub fn gained(&self) -> u64 {
        self.gained.load(Ordering::Relaxed)
    }
    /// What they have taken, beginning to end.
    pub fn seconds(&self) -> f64 {
        self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9
    }
}

/// The process's.
struct Collector {
    programs: Mutex<Vec<Weak<Program>>>,
    /// Whether one is on its way.
    runs: Mutex<bool>,
    over: Condvar,
    statistics: Statistics,
}

static COLLECTOR: Collector = Collector {
    programs: Mutex::new(Vec::new()),
    runs: Mutex::new(false),
    over: Condvar::new(),
    statistics: Statistics {
        collections: AtomicU64::new(0),
        gained: AtomicU64::new(0),
        nanoseconds: AtomicU64::new(0),
    },
};

/// Atoms of this program's threads are not to be collected without asking it. Before it has others than the calling one, which is outside until then
/// ([`atom::outside`]).
pub fn register(program: &Arc<Program>) {
    let mut programs = COLLECTOR.programs.lock();
    programs.retain(|p| p.strong_count() > 0);
    programs.push(Arc::downgrade(program));
    drop(programs);
    // (What the libraries' text has is there to stay.)
    atom::forget_fresh();
    atom::set_hook(begin);
    set_next(0);
}

/// A program may hold more, or less, than before.
pub(crate) fn limit_changed() {
    set_next(0);
}

/// When the next one is due, if so many bytes are left.
fn set_next(left: usize) {
    let mut limit = usize::MAX;
    for_each_program(&mut |p| limit = limit.min(p.heap_config.lock().limit));
    let least = LEAST.min(limit / PART);
    atom::set_enough(atom::stress().unwrap_or(least.max(left)));
}

/// What collections there have been.
pub(crate) fn statistics() -> &'static Statistics {
    &COLLECTOR.statistics
}

/// A thread that waits for a collection looks so often whether it is wanted for something else.
const HEARS: Duration = Duration::from_millis(10);

/// Has atoms collected, and waits for the end of that; the caller blocks ([`Worker::while_blocked`]). If a collection is on its way, waits for its end first, and then has another made only if so
/// many bytes have been made since. Given up if there is an event for the caller; what it has begun goes on.
fn collect(least: usize, attention: &Attention) -> Result<(), Interrupted> {
    let mut runs = COLLECTOR.runs.lock();
    let waits = *runs;
    over(&mut runs, attention)?;
    if waits && atom::fresh() < least {
        return Ok(());
    }
    *runs = true;
    // (Where everything is the seed's, there is one thread.)
    if samite_world::simulated::is_on() || !start() {
        drop(runs);
        let running = Running;
        collect_now();
        drop(running);
        return Ok(());
    }
    over(&mut runs, attention)
}

/// Waits for the end of the collection that is on its way.
fn over(runs: &mut MutexGuard<'_, bool>, attention: &Attention) -> Result<(), Interrupted> {
    while **runs {
        if attention.must_not_wait() {
            return Err(Interrupted);
        }
        COLLECTOR.over.wait_for(runs, HEARS);
    }
    Ok(())
}

/// Starts the thread that collects, once, and then says that nothing runs. Whether there is room for it.
fn start() -> bool {
    os_thread::spawn("atoms", STACK, || {
        let running = Running;
        collect_now();
        drop(running);
    })
}

/// Says so when a collection has ended, be it by a panic.
struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        *COLLECTOR.runs.lock() = false;
        COLLECTOR.over.notify_all();
    }
}

/// See [`samite_term::atom`].
fn collect_now() {
    let began = clock::now();
    let collection = atom::Collection::begin();
    round(OFF_HEAP);
    collection.mark_held();
    for_each_program(&mut |program| {
        let domain = program.code.domain;
        let reader = domain.register(Box::new(|_| ()));
        reader.enter();
        program.each_atom(&mut |a| a.mark());
        domain.publish(&reader, &[], None);
        domain.unregister(&reader);
    });
    round(ALL);
    let dead = collection.sweep();
    collection.end();
    round(PASS);
    let s = statistics();
    s.gained.fetch_add(dead.len() as u64, Ordering::Relaxed);
    // SAFETY: all have passed a safe point since.
    unsafe { atom::free(dead) };
    let (_, left) = Atom::statistics();
    set_next(left);
    ARE_TOO_MANY.store(false, Ordering::Relaxed);
    s.collections.fetch_add(1, Ordering::Relaxed);
    let time = clock::now().saturating_duration_since(began);
    s.nanoseconds
        .fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
}

/// Programs of the process, each with the calling thread as its own meanwhile.
fn for_each_program(f: &mut dyn FnMut(&Arc<Program>)) {
    let programs = COLLECTOR.programs.lock().clone();
    for program in programs.iter().filter_map(Weak::upgrade) {
        let _inside = program.code.account.enter();
        f(&program);
        drop(program);
    }
}

/// Asks every worker, and waits until all have told. Who was outside then is not any more.
fn round(what: usize) {
    atom::await_outside();
    let mut asked: Vec<Arc<ReaderSlot>> = Vec::new();
    for_each_program(&mut |program| {
        for slot in program.code.domain.workers() {
            slot.ask_for_atoms(what, |worker| {
                // SAFETY: a worker that blocks, and does not come back before this has returned ([`ReaderSlot::go_away`]).
                unsafe { (*worker.cast::<Worker>().cast_mut()).tell_of_atoms(what) };
            });
            asked.push(slot);
        }
    });
    for looks in 1.. {
        asked.retain(|slot| slot.atoms_asked() != 0);
        if asked.is_empty() {
            break;
        }
        if looks % LOOKS == 0 {
            asked.iter().for_each(|slot| slot.ask_again());
        }
        for_each_program(&mut |program| answer_for_sleepers(program));
        samite_world::threads::sleep(LOOK);
    }
}

/// Called by whoever makes atoms, when there are enough: begins a collection, unless one is on its way. Where there are too many, who makes
/// them waits for it.
fn begin() {
    // (Where each few are to be collected, nobody waits for that: tests want to see what they test.)
    let too_many = atom::fresh() / TOO_MANY >= atom::enough() && atom::stress().is_none();
    ARE_TOO_MANY.store(too_many, Ordering::Relaxed);
    let mut runs = COLLECTOR.runs.lock();
    if *runs || samite_world::simulated::is_on() {
        return;
    }
    let started = start();
    *runs = started;
    if !started {
        // Another time.
        atom::set_enough(atom::enough() + LEAST);
    }
}

impl Worker {
    /// At a safe point: if this thread makes atoms faster than they are collected, waits for the collection that is on its way.
    #[inline]
    pub(in crate::engine) fn await_collection(&mut self) {
        if self.collecting.awaits_atoms.take() {
            self.await_it();
        }
    }

    #[cold]
    fn await_it(&mut self) {
        self.while_blocked(|| {
            let mut runs = COLLECTOR.runs.lock();
            if *runs {
                COLLECTOR.over.wait_for(&mut runs, PATIENCE);
            }
        });
    }

    /// At a safe point, where memory is missing: collects atoms, if so many bytes of them have been made since that was done last.
    pub(in crate::engine) fn collect_fresh_atoms(&mut self, least: usize) {
        if atom::fresh() >= least {
            let attention = self.attention.clone();
            // (Who is wanted for something else does without.)
            let _ = self.while_blocked(|| collect(least, &attention));
        }
    }

    /// Collects atoms, in the midst of a builtin that has none in hand.
    pub(crate) fn collect_atoms(&mut self) -> Result<(), Interrupted> {
        let attention = self.attention.clone();
        self.while_blocked(|| collect(0, &attention))
    }
}
