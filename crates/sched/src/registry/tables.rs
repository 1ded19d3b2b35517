//! Who is called what: thread ids, and the names of threads, queues and mutexes.
//!
//! Threads and queues share one name space (as in SWI-Prolog), mutexes have their own. A *name* is an alias given by the
//! program, or a handle made by the registry for what has no alias (see [`Registry::new`](super::Registry::new)).
//!
//! Invariants ([`Tables::verify`]): a thread's id is its index; every alias and handle of a thread in `threads` leads to
//! it, and no name leads to a thread that is not there; an id is free or in use; free ids lie below the length.
//!
//! Not synchronised: lives under the registry's lock.

use super::thread::ThreadControl;
use crate::mutex::PrologMutex;
use crate::queue::MessageQueue;
use rustc_hash::FxHashMap;
use samite_term::Atom;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The id of a thread: a small integer from 1 up, used again after the thread was joined. Threads of any kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ThreadId(u32);

impl ThreadId {
    pub const fn number(self) -> u32 {
        self.0
    }
    /// The id with this number, whether such a thread exists or not.
    pub const fn from_number(number: u32) -> ThreadId {
        ThreadId(number)
    }
    fn index(self) -> usize {
        self.0 as usize - 1
    }
}

/// A queue that belongs to no thread, with its name.
#[derive(Debug)]
pub struct SharedQueue {
    pub(super) name: Atom,
    pub(super) has_alias: bool,
    /// Order of creation.
    pub(super) serial: u64,
    pub(super) queue: Arc<MessageQueue>,
}

impl SharedQueue {
    /// Its alias, or its handle if it has none.
    pub fn name(&self) -> Atom {
        self.name
    }
    pub fn alias(&self) -> Option<Atom> {
        self.has_alias.then_some(self.name)
    }
    pub fn queue(&self) -> &Arc<MessageQueue> {
        &self.queue
    }
}

/// What a name may stand for.
#[derive(Clone)]
pub(super) enum Named {
    Thread(Arc<ThreadControl>),
    Queue(Arc<SharedQueue>),
}

pub(super) struct Tables {
    threads: Vec<Option<Arc<ThreadControl>>>,
    free: BTreeSet<u32>,
    pub(super) names: FxHashMap<Atom, Named>,
    pub(super) mutexes: FxHashMap<Atom, Arc<PrologMutex>>,
    next_serial: u64,
}

impl Tables {
    pub(super) fn new() -> Tables {
        Tables {
            threads: Vec::new(),
            free: BTreeSet::new(),
            names: FxHashMap::default(),
            mutexes: FxHashMap::default(),
            next_serial: 0,
        }
    }
    /// A number that no other queue or mutex of this registry gets.
    pub(super) fn serial(&mut self) -> u64 {
        self.next_serial += 1;
        self.next_serial
    }

    /// The smallest free id.
    pub(super) fn reserve(&mut self) -> ThreadId {
        let number = self.free.pop_first().unwrap_or_else(|| {
            self.threads.push(None);
            u32::try_from(self.threads.len()).expect("too many threads")
        });
        ThreadId(number)
    }
    /// Enters a thread under the id reserved for it, and under its alias.
    pub(super) fn enter(&mut self, thread: &Arc<ThreadControl>) {
        self.threads[thread.id().index()] = Some(thread.clone());
        if let Some(alias) = thread.alias() {
            self.names.insert(alias, Named::Thread(thread.clone()));
        }
    }
    /// Forgets a thread; id and names are free.
    pub(super) fn remove(&mut self, thread: &Arc<ThreadControl>) {
        let old = self.threads[thread.id().index()].take();
        debug_assert!(old.is_some_and(|t| Arc::ptr_eq(&t, thread)));
        for name in [thread.alias.get(), thread.handle.get()]
            .into_iter()
            .flatten()
        {
            self.names.remove(name);
        }
        self.free.insert(thread.id().number());
    }
    pub(super) fn thread(&self, number: i64) -> Option<&Arc<ThreadControl>> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.threads.get(index)?.as_ref()
    }
    pub(super) fn holds(&self, thread: &Arc<ThreadControl>) -> bool {
        self.thread(thread.id().number().into())
            .is_some_and(|t| Arc::ptr_eq(t, thread))
    }
    pub(super) fn threads(&self) -> impl Iterator<Item = &Arc<ThreadControl>> {
        self.threads.iter().flatten()
    }
    pub(super) fn queues(&self) -> impl Iterator<Item = &Arc<SharedQueue>> {
        self.names.values().filter_map(|n| match n {
            Named::Queue(q) => Some(q),
            Named::Thread(_) => None,
        })
    }

    /// Checks the invariants of the module text. Panics with the first violation.
    pub(super) fn verify(&self) {
        for (i, t) in self.threads.iter().enumerate() {
            let number = i as u32 + 1;
            assert_eq!(
                t.is_none(),
                self.free.contains(&number),
                "id {number} is lost"
            );
            let Some(t) = t else { continue };
            assert_eq!(t.id().number(), number);
            for name in [t.alias.get(), t.handle.get()].into_iter().flatten() {
                let named = self.names.get(name);
                assert!(matches!(named, Some(Named::Thread(n)) if Arc::ptr_eq(n, t)));
            }
        }
        for (name, named) in &self.names {
            match named {
                Named::Thread(t) => assert!(self.holds(t), "a name of a thread that is gone"),
                Named::Queue(q) => assert_eq!(q.name, *name),
            }
        }
        let last = self.free.last().map_or(0, |&n| n as usize);
        assert!(last <= self.threads.len());
    }
}
