//! Models of the protocol: every interleaving of a few threads over the real code of `table.rs`, made of loom's locks.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p samite-term --release loom`
//!
//! A registry in small has one object, under a lock: who looks for all finds it there, and is counted afterwards, as one that enumerates is.

use super::Neighbours;
use crate::handle::{Handle, HandleKind};
use loom::sync::Mutex;
use loom::thread::spawn;
use std::collections::HashMap;
use std::sync::Arc;
use table::{Count, Grave, Table};

/// The same text as that of the process's table.
#[path = "table.rs"]
#[allow(clippy::duplicate_mod)]
mod table;

/// See [`super::sync`].
mod sync {
    pub use loom::sync::atomic::{AtomicUsize, Ordering};
    pub use loom::sync::{Mutex, MutexGuard};
}

struct System {
    table: Table<1>,
    grave: Arc<Grave>,
    handle: Handle,
    /// The registry's: what is there.
    object: Mutex<bool>,
    /// So often it was freed.
    freed: Mutex<usize>,
}

/// With an object that the caller is counted for.
fn system() -> Arc<System> {
    let s = System {
        table: Table {
            shards: [Mutex::new(HashMap::with_hasher(Neighbours::new()))],
            entries: Count(sync::AtomicUsize::new(0)),
        },
        grave: Arc::default(),
        handle: Handle::new(HandleKind::Mutex, 7),
        object: Mutex::new(true),
        freed: Mutex::new(0),
    };
    assert!(s.table.enter(s.handle, &s.grave));
    Arc::new(s)
}

impl System {
    /// As `Registry::bury`.
    fn bury(&self) {
        while !self.grave.is_empty()
            && let Some(handle) = self.grave.next()
        {
            let mut object = self.object.lock().unwrap();
            if self.table.take(handle) {
                assert!(*object, "it is freed twice");
                *object = false;
                drop(object);
                *self.freed.lock().unwrap() += 1;
            }
        }
    }
    /// Whoever is counted finds the object.
    fn is_there(&self) {
        assert!(*self.object.lock().unwrap(), "freed in somebody's hands");
        assert_eq!(*self.freed.lock().unwrap(), 0);
        assert!(self.table.is_known(self.handle));
    }
    /// Looks for all objects, and uses what it finds.
    fn enumerate(&self) {
        let found = *self.object.lock().unwrap();
        if found && self.table.retain(self.handle) {
            self.is_there();
            self.table.release(self.handle);
        }
    }
    fn drop_one(&self) {
        self.is_there();
        self.table.release(self.handle);
    }
    /// It has gone, once, when nobody has it and somebody has looked.
    fn is_gone(&self) {
        self.bury();
        assert!(!*self.object.lock().unwrap() && *self.freed.lock().unwrap() == 1);
        assert!(!self.table.are_any() && self.grave.entered() == 0);
        self.grave.verify();
    }
}

fn explore(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(4);
    builder.check(model);
}

/// The last handle goes, two look into the grave, one of which has just enumerated it.
#[test]
fn loom_what_is_enumerated_stays_and_what_nobody_has_goes_once() {
    explore(|| {
        let s = system();
        let other = s.clone();
        let t = spawn(move || {
            other.enumerate();
            other.bury();
        });
        s.drop_one();
        s.bury();
        t.join().unwrap();
        s.is_gone();
    });
}

/// Handed on through what is locked: who gets it sees that there are objects, and counts before the giver is done.
#[test]
fn loom_a_handle_that_is_handed_on_is_counted() {
    explore(|| {
        let s = system();
        let message = Arc::new(Mutex::new(None));
        let (other, got) = (s.clone(), message.clone());
        let t = spawn(move || {
            if let Some(handle) = got.lock().unwrap().take() {
                assert!(other.table.are_any() && other.table.retain(handle));
                // (The message was counted.)
                other.table.release(handle);
                other.drop_one();
            }
            other.bury();
        });
        assert!(s.table.retain(s.handle));
        *message.lock().unwrap() = Some(s.handle);
        s.table.release(s.handle);
        s.bury();
        t.join().unwrap();
        let left = message.lock().unwrap().take();
        if left.is_some() {
            s.drop_one();
        }
        s.is_gone();
    });
}

/// A program destroys it while its last handle goes: it is out of the table once, and waits no more.
#[test]
fn loom_destroying_meets_the_last_release() {
    explore(|| {
        let s = system();
        let other = s.clone();
        let t = spawn(move || {
            let mut object = other.object.lock().unwrap();
            if std::mem::take(&mut *object) {
                other.table.forget(other.handle);
                drop(object);
                *other.freed.lock().unwrap() += 1;
            }
        });
        s.table.release(s.handle);
        s.bury();
        t.join().unwrap();
        s.is_gone();
    });
}

/// Pinned while it waits: it stays.
#[test]
fn loom_what_is_pinned_in_time_stays() {
    explore(|| {
        let s = system();
        let other = s.clone();
        let t = spawn(move || {
            let found = *other.object.lock().unwrap();
            if found && other.table.retain(other.handle) {
                other.table.pin(other.handle);
                other.table.release(other.handle);
                true
            } else {
                false
            }
        });
        s.drop_one();
        s.bury();
        let pinned = t.join().unwrap();
        s.bury();
        assert_eq!(*s.object.lock().unwrap(), pinned);
        assert_eq!(s.table.is_pinned(s.handle), pinned);
        s.grave.verify();
    });
}
