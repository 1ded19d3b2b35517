//! The engines of a program: Prolog threads that run when they are asked for their next answer, on the OS thread of who asks.
//!
//! An engine is found by what a program calls it, from its creation until it is destroyed or nobody can name it any more, although it may have
//! ended before. What runs it (a worker, which this floor does not know) lies in its [`Turn`]: who takes it out has the engine for itself. How it is
//! run: `engine/driver.rs`.
//!
//! ```text
//!  Fresh --> Started --> Ended(last answer given, not failed) --> Ended(failed or raised) --> not found
//! ```

use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use samite_code::readers::ReaderSlot;
use samite_sched::turn::Turn;
use samite_sched::{Reference, ThreadControl};
use samite_term::common::Held;
use samite_term::{Atom, HoldsAtoms, growth};
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// What runs an engine, while nobody runs it.
pub type Kept = Box<dyn Keeps>;

/// See [`Kept`].
pub trait Keeps: Any + Send {
    /// Says what it holds to whoever has asked.
    fn answer(&mut self) {}
}

/// What is kept as one of these.
pub fn kept_as<T: Keeps>(kept: Kept) -> Result<Box<T>, Kept> {
    if (&*kept as &dyn Any).is::<T>() {
        let kept: Box<dyn Any> = kept;
        Ok(kept.downcast().unwrap_or_else(|_| unreachable!()))
    } else {
        Err(kept)
    }
}

/// What lies in its turn while nobody runs it.
pub trait Sleeps: Send + Sync {
    fn turn(&self) -> &Turn<Kept>;
    /// Of its worker, if it has one already.
    fn reader(&self) -> Option<&Arc<ReaderSlot>>;
}

impl Sleeps for Engine {
    fn turn(&self) -> &Turn<Kept> {
        &self.turn
    }
    fn reader(&self) -> Option<&Arc<ReaderSlot>> {
        Some(&self.reader)
    }
}

/// An engine; see the module text.
pub struct Engine {
    pub control: Arc<ThreadControl>,
    pub turn: Turn<Kept>,
    pub reader: Arc<ReaderSlot>,
    /// What was posted, and is not fetched yet.
    pub posted: Mutex<Option<Held>>,
    /// It has given its last answer; who asks next is told that there are no more.
    pub exhausted: AtomicBool,
}

/// All of a program's.
#[derive(Default)]
pub struct Engines {
    /// By the cell that they are called by.
    all: RwLock<FxHashMap<u64, Arc<Engine>>>,
    pub asked: Arc<Asked>,
}

/// Those, light threads among them, that somebody who frees clauses has asked to say what they hold.
#[derive(Default)]
pub struct Asked {
    engines: Mutex<Vec<Weak<dyn Sleeps>>>,
    are_any: AtomicBool,
}

impl Engine {
    /// The key that it is found by: the cell that it is called by.
    pub fn key(&self) -> u64 {
        Reference::of_thread(&self.control).cell().0
    }
    /// Takes the fact that it is exhausted, if it is.
    pub fn take_exhausted(&self) -> bool {
        // Relaxed: only who is told acts on it.
        self.exhausted.swap(false, Ordering::Relaxed)
    }
}

impl Engines {
    /// Enters one under its name; false if there is no memory for that.
    pub fn enter(&self, key: u64, engine: &Arc<Engine>) -> bool {
        growth::insert(&mut self.all.write(), key, engine.clone()).is_ok()
    }
    pub fn find(&self, key: u64) -> Option<Arc<Engine>> {
        self.all.read().get(&key).cloned()
    }
    /// Takes this one out, not another one that has its alias by now. Whether it was there.
    pub fn remove(&self, engine: &Arc<Engine>) -> bool {
        let mut all = self.all.write();
        let key = engine.key();
        let is_there = all.get(&key).is_some_and(|e| Arc::ptr_eq(e, engine));
        if is_there {
            all.remove(&key);
        }
        is_there
    }
    /// All of them, by id.
    pub fn all(&self) -> Vec<Arc<Engine>> {
        let mut all: Vec<_> = self.all.read().values().cloned().collect();
        all.sort_by_key(|e| e.control.id());
        all
    }
    /// Takes out all.
    pub fn take_all(&self) -> Vec<Arc<Engine>> {
        let all = std::mem::take(&mut *self.all.write());
        all.into_values().collect()
    }
}

impl Asked {
    /// Somebody who frees clauses asks an engine for what it holds. Any thread, under locks of the database.
    pub fn add(&self, engine: Weak<dyn Sleeps>) {
        self.engines.lock().push(engine);
        // Release: who takes it off sees the entry.
        self.are_any.store(true, Ordering::Release);
    }
    /// Those that were asked since this was called last.
    #[inline]
    pub fn take(&self) -> Vec<Weak<dyn Sleeps>> {
        // Relaxed: looked at again at the next safe point.
        if !self.are_any.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let mut asked = self.engines.lock();
        self.are_any.store(false, Ordering::Relaxed);
        std::mem::take(&mut asked)
    }
}

impl HoldsAtoms for Engines {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for engine in self.all.read().values() {
            if let Some(posted) = &*engine.posted.lock() {
                posted.each_atom(f);
            }
        }
    }
}
