//! Who is called what: thread ids, and the names of threads, queues and mutexes.
//!
//! Threads and queues share one name space (as in SWI-Prolog), mutexes have their own. A *name* is an alias given by the
//! program, or the handle of what has no alias: of a queue or mutex the [`Tables::serial`] it was made with, an engine's too, of a thread its id and the how
//! manieth user of that id it is. So what is gone leaves nothing but the count of uses of an id.
//!
//! Invariants ([`Tables::verify`]): a thread's id is its index; every alias of a thread in `threads` leads to it, and its handle says its id
//! and `uses`; no name leads to a thread that is not there; an id is free, in use, or used up (`uses` cannot grow); free ids lie below
//! the length.
//!
//! Not synchronised: lives under the registry's lock.

use super::thread::ThreadControl;
use crate::error::{Reference, SchedError};
use crate::mutex::PrologMutex;
use crate::queue::MessageQueue;
use rustc_hash::FxHashMap;
use samite_term::{Atom, Handle, HandleKind, HeldAtom, common, growth};
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

/// What a queue or mutex is called.
#[derive(Debug)]
pub(crate) enum Name {
    Alias(HeldAtom),
    Handle(Handle),
}

impl Name {
    pub(crate) fn reference(&self) -> Reference {
        match self {
            Name::Alias(alias) => Reference::Name(alias.get()),
            Name::Handle(handle) => Reference::Handle(*handle),
        }
    }
    /// What the tables know a name by: the bits of its cell.
    pub(super) fn key(name: Reference) -> u64 {
        name.cell().0
    }
}

/// A queue that belongs to no thread, with its name.
#[derive(Debug)]
pub struct SharedQueue {
    pub(super) name: Name,
    /// Order of creation.
    pub(super) serial: u64,
    pub(super) queue: Arc<MessageQueue>,
}

impl SharedQueue {
    /// Its alias, or its handle if it has none.
    pub fn name(&self) -> Reference {
        self.name.reference()
    }
    pub fn alias(&self) -> Option<Atom> {
        self.name().alias()
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

/// An id.
#[derive(Default)]
struct Slot {
    thread: Option<Arc<ThreadControl>>,
    /// How many threads have had it and are gone.
    uses: u32,
}

/// What a thread is called in [`Tables::names`].
fn named_by_table(thread: &ThreadControl) -> Option<Reference> {
    let alias = thread.alias().map(Reference::from);
    alias.or_else(|| thread.is_engine().then(|| thread.handle().into()))
}

pub(super) struct Tables {
    threads: Vec<Slot>,
    free: BTreeSet<u32>,
    /// By [`Name::key`], as the mutexes: what is called so holds the name. Of threads the aliases only: a handle says where its thread is. An engine's does not.
    pub(super) names: FxHashMap<u64, Named>,
    pub(super) mutexes: FxHashMap<u64, Arc<PrologMutex>>,
}

impl Tables {
    pub(super) fn new() -> Tables {
        Tables {
            threads: Vec::new(),
            free: BTreeSet::new(),
            names: FxHashMap::default(),
            mutexes: FxHashMap::default(),
        }
    }
    /// A number that no other queue or mutex of this process gets.
    pub(super) fn serial() -> u64 {
        // Not loom's: nothing is ordered by it.
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }

    /// The name of a new queue or mutex: its alias, or a handle.
    pub(super) fn name(alias: Option<Atom>, kind: HandleKind, serial: u64) -> Name {
        match alias {
            Some(alias) => Name::Alias(alias.hold()),
            None => Name::Handle(Handle::new(kind, serial)),
        }
    }

    /// The smallest free id, with the handle of its next user. Errors: `TooManyThreads`, `NoMemory`.
    pub(super) fn reserve(&mut self) -> Result<(ThreadId, Handle), SchedError> {
        let number = match self.free.pop_first() {
            Some(number) => number,
            None => {
                let number = u32::try_from(self.threads.len() + 1)
                    .ok()
                    .filter(|&n| n <= Handle::MAX_THREAD)
                    .ok_or(SchedError::TooManyThreads)?;
                if !growth::vec_room(&mut self.threads, |n| common::may_take(n, 0)) {
                    return Err(SchedError::NoMemory);
                }
                self.threads.push(Slot::default());
                number
            }
        };
        let id = ThreadId(number);
        Ok((id, Handle::of_thread(number, self.threads[id.index()].uses)))
    }
    /// Nothing was made of what was reserved.
    pub(super) fn give_back(&mut self, id: ThreadId) {
        self.free.insert(id.number());
    }
    /// Enters a thread under the id reserved for it, and under its alias.
    pub(super) fn enter(&mut self, thread: &Arc<ThreadControl>) {
        self.threads[thread.id().index()].thread = Some(thread.clone());
        if let Some(name) = named_by_table(thread) {
            self.names
                .insert(Name::key(name), Named::Thread(thread.clone()));
        }
    }
    /// Forgets a thread; id and names are free.
    pub(super) fn remove(&mut self, thread: &Arc<ThreadControl>) {
        let slot = &mut self.threads[thread.id().index()];
        let old = slot.thread.take();
        debug_assert!(old.is_some_and(|t| Arc::ptr_eq(&t, thread)));
        if let Some(name) = named_by_table(thread) {
            self.names.remove(&Name::key(name));
        }
        // An id of which no handle is left is not used again.
        if slot.uses < Handle::LAST_USE {
            slot.uses += 1;
            self.free.insert(thread.id().number());
        }
    }
    pub(super) fn thread(&self, number: i64) -> Option<&Arc<ThreadControl>> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.threads.get(index)?.thread.as_ref()
    }
    /// What a name stands for.
    pub(super) fn named(&self, name: Reference) -> Option<Named> {
        let thread = match name {
            Reference::Number(n) => self.thread(n),
            Reference::Handle(h) if h.kind() == HandleKind::Thread => {
                let thread = self.thread(h.thread_id().into());
                thread.filter(|t| t.handle() == h)
            }
            Reference::Name(_) | Reference::Handle(_) => {
                return self.names.get(&Name::key(name)).cloned();
            }
        };
        thread.cloned().map(Named::Thread)
    }
    pub(super) fn holds(&self, thread: &Arc<ThreadControl>) -> bool {
        self.thread(thread.id().number().into())
            .is_some_and(|t| Arc::ptr_eq(t, thread))
    }
    pub(super) fn threads(&self) -> impl Iterator<Item = &Arc<ThreadControl>> {
        self.threads.iter().filter_map(|slot| slot.thread.as_ref())
    }
    pub(super) fn queues(&self) -> impl Iterator<Item = &Arc<SharedQueue>> {
        self.names.values().filter_map(|n| match n {
            Named::Queue(q) => Some(q),
            Named::Thread(_) => None,
        })
    }

    /// Checks the invariants of the module text. Panics with the first violation.
    pub(super) fn verify(&self) {
        for (i, slot) in self.threads.iter().enumerate() {
            let number = i as u32 + 1;
            let used_up = slot.uses == Handle::LAST_USE;
            assert!(
                slot.thread.is_none() == self.free.contains(&number) || used_up,
                "id {number} is lost"
            );
            let Some(t) = &slot.thread else { continue };
            assert_eq!(t.id().number(), number);
            assert!(t.is_engine() || t.handle() == Handle::of_thread(number, slot.uses));
            if let Some(name) = named_by_table(t) {
                let named = self.names.get(&Name::key(name));
                assert!(matches!(named, Some(Named::Thread(n)) if Arc::ptr_eq(n, t)));
            }
        }
        for (name, named) in &self.names {
            match named {
                Named::Thread(t) => assert!(self.holds(t), "a name of a thread that is gone"),
                Named::Queue(q) => assert_eq!(Name::key(q.name()), *name),
            }
        }
        let last = self.free.last().map_or(0, |&n| n as usize);
        assert!(last <= self.threads.len());
    }
}
