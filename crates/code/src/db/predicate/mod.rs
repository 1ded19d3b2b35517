//! Predicates and their clauses.
//!
//! A [`Predicate`] lives as long as the process; callers hold `&'static Predicate` and jump through `entry`. What stands
//! there is small entry code of its kind (undefined, static, dynamic, builtin, tabled).
//!
//! Clauses are kept in [`ClauseList`]s that readers walk without locks, under the logical update view (ISO 13211-1, 7.5.4):
//! a clause is visible to a call of generation `g` if `birth ≤ g < death`. Writers hold the predicate's lock.
//!
//! What readers may look at without the lock, each with a table of its states:
//!
//! | what | where |
//! |---|---|
//! | entry code: `entry`, `beside`, `body` | `entry.rs` |
//! | what it is said to be: `flags`, `function`, `meta`, `modes` | `properties.rs` |
//! | what the name is linked to: `link` | `import.rs` |
//! | the index: `indexed` | `indexed.rs` |
//! | the clauses: `list`, from list to list; `newest`, which only grows | `lists.rs`, [`super::view`] |
//!
//! Nobody else stores into these: they are changed by the named transitions there.
//!
//! Invariants:
//! 1. A list slot is written before the length (release) that makes it reachable (acquire); slots are never changed afterwards.
//! 2. `birth` and `death` are each set once, from `NEVER` to a generation; but a transaction's clause is born to it alone first, and then to all, or dies
//!    without having been: its `death` is 0 then, before all generations, and its `birth` says when it was not there yet (`Clause::be_nobodys`).
//! 3. What writers replace (a full list, an index, entry code, an erased clause) is retired, not freed; see [`super::reclaim`].

mod clause;
mod domain;
mod entry;
pub mod flag;
mod import;
mod incremental;
mod indexed;
mod lists;
mod meta;
mod properties;

use super::modes::{self, Mode};
use super::{chain, keys, list, nodes};
use crate::db::switch::Linked;
use crate::instr::Op;
use crate::sync::{AtomicPtr, AtomicU64, Mutex, MutexGuard};
use entry::EntryCode;
pub use entry::Marked;
pub(crate) use indexed::Indexed;
pub(crate) use lists::Leaving;
use samite_term::{Atom, Functor, HeldAtom, HeldFunctor};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

pub use super::key::{ANY_KEY, LIST_KEY, box_key, key_of};
pub use clause::{Clause, NEVER};
pub use domain::Domain;
#[cfg(test)]
pub(crate) use lists::empty;
pub use meta::{Meta, always_told, is_meta};

/// The clauses of a predicate, or those with one key.
pub type ClauseList = list::List<Clause>;
/// An index of a predicate.
pub type KeyIndex = keys::KeyIndex<Clause>;
/// The indexes of a predicate.
pub(crate) type Indexes = nodes::Indexes<Clause>;
/// What an index has for a key.
pub type Found = keys::Found<Clause>;
/// Modes of a tabled predicate.
pub type Declared = modes::Declared<Predicate>;
/// What is unlinked from a predicate in one step.
pub(crate) type Retired = chain::Retired<Clause>;

/// A predicate: name, arity, module, properties, clauses.
#[derive(Debug)]
pub struct Predicate {
    /// Code to jump to. Release when set, acquire not needed by the jump itself: the code words it reaches were
    /// published before, and dependent loads are ordered on all supported machines.
    entry: AtomicPtr<u64>,
    /// The entry code for all but the threads that load it again, while [`flag::RELOADING`] is set: `entry` leads through
    /// `Undefined`, which tells them apart. Or what follows `Meta`, to which `entry` leads while [`flag::QUALIFIES`] is set alone.
    beside: AtomicPtr<u64>,
    /// Code of the clauses of a tabled predicate, whose entry is the tabling machinery; null: to be linked.
    body: AtomicPtr<u64>,
    // It stays, and so do its name and that of its module.
    functor: HeldFunctor,
    module: HeldAtom,
    /// The program that it is one of.
    pub domain: &'static Domain,
    /// The predicate whose clauses a twin has; see [`super::twins`].
    main: Option<&'static Predicate>,
    flags: AtomicU32,
    /// Clauses in order, for dynamic and static predicates.
    list: AtomicPtr<ClauseList>,
    /// Its indexes, while calls walk its clauses.
    pub(crate) indexed: Indexed,
    /// The newest generation in which a clause of it died or a list of it was made, 0 at first; see [`super::view`].
    newest: AtomicU64,
    /// The generation of its newest change, or a later one before the next change; under the lock. See [`Predicate::modified`].
    modified: AtomicU64,
    /// What it means if it is not defined itself; null: nobody knows.
    link: AtomicPtr<Predicate>,
    /// The Rust function of a builtin (see the machine crate), as an address; 0: none.
    function: AtomicUsize,
    /// Entry code `[Undefined][self]`, which all of them have at first. Immutable after publication.
    undefined: [std::sync::atomic::AtomicU64; 2],
    /// The other entry code of the form `[op][self]` that it has had; see [`EntryCode`].
    entries: std::sync::atomic::AtomicPtr<EntryCode>,
    /// Writers' lock.
    lock: Mutex<Writer>,
    /// `meta_predicate` declaration; see [`Predicate::declare_meta`].
    meta: Meta,
    /// Modes of a tabled predicate, one for each argument, which live as long as the process; null: all arguments are ordinary.
    modes: std::sync::atomic::AtomicPtr<Declared>,
}

// There are many, of Samite's own too: a predicate is not to become larger unnoticed.
#[cfg(all(target_pointer_width = "64", not(loom)))]
const _: () = assert!(size_of::<Predicate>() <= 232);

/// What a thread sees of a predicate while it loads a file of it again; see [`super::twins`].
#[derive(Clone, Debug)]
pub(crate) struct Twin {
    pub predicate: &'static Predicate,
    /// The file that is being loaded.
    pub file: HeldAtom,
    /// The generation that it was made in.
    pub since: u64,
}

impl Twin {
    /// Whether a clause of the predicate is in the twin's list.
    pub fn has(&self, c: &Clause) -> bool {
        c.is_unread() == (c.file() == self.file)
    }
}

/// State of a predicate that only writers see.
#[derive(Debug, Default)]
pub struct Writer {
    /// Erased clauses that are still in the lists.
    pub(crate) erased: usize,
    /// Those of them that were held for snapshots when the lists were swept last.
    pub(crate) held: u32,
    /// Clauses not erased that only a transaction sees, so far.
    pub(crate) unborn: u32,
    /// How often transactions that have not ended have erased one.
    pub(crate) claimed: u32,
    /// How often clauses have come to the lists, or a twin has; it goes round.
    pub(crate) links: u32,
    /// File that defines the predicate, to wipe it on reload.
    pub file: Option<HeldAtom>,
    /// The load of that file that the clauses come from.
    pub session: i64,
    /// Loads in progress that have another definition of it for their threads.
    pub(crate) loaders: u32,
    /// Number of clauses not erased.
    pub live: usize,
    /// Those of them whose first argument is a variable.
    pub(crate) unkeyed: u32,
    /// See [`super::twins`].
    pub(crate) twins: Box<[Twin]>,
    /// Entry code of a static predicate, as far as it is not that of a clause.
    pub(crate) linked: Option<Box<Linked>>,
}

impl Writer {
    /// Number of clauses not erased that are everybody's.
    pub fn public(&self) -> usize {
        self.live - self.unborn as usize
    }
}

impl Predicate {
    /// What is charged for a new one: itself with its entry code, and its share of the table that it is found by.
    pub const BYTES: usize = size_of::<Predicate>() + 16 * size_of::<usize>();

    /// A new undefined predicate; its kind is set before others can find it, or under its lock.
    pub fn new(domain: &'static Domain, module: Atom, functor: Functor) -> &'static Predicate {
        Predicate::with_main(domain, module, functor, None)
    }
    /// A twin without clauses; see [`super::twins`].
    pub(crate) fn new_twin(main: &'static Predicate) -> &'static Predicate {
        Predicate::with_main(main.domain, main.module(), main.functor(), Some(main))
    }
    fn with_main(
        domain: &'static Domain,
        module: Atom,
        functor: Functor,
        main: Option<&'static Predicate>,
    ) -> &'static Predicate {
        let p: &'static Predicate = Box::leak(Box::new(Predicate {
            entry: AtomicPtr::new(std::ptr::null_mut()),
            beside: AtomicPtr::new(std::ptr::null_mut()),
            body: AtomicPtr::new(std::ptr::null_mut()),
            functor: functor.hold(),
            module: module.hold(),
            domain,
            main,
            flags: AtomicU32::new(0),
            list: AtomicPtr::new(lists::empty()),
            indexed: Indexed::new(),
            newest: AtomicU64::new(0),
            modified: AtomicU64::new(0),
            link: AtomicPtr::new(std::ptr::null_mut()),
            function: AtomicUsize::new(0),
            undefined: Default::default(),
            entries: Default::default(),
            lock: Mutex::new(Writer::default()),
            meta: Meta::default(),
            modes: Default::default(),
        }));
        for (to, from) in p.undefined.iter().zip(p.entry_words(Op::Undefined)) {
            to.store(from, Ordering::Relaxed);
        }
        p.set_entry_op(Op::Undefined);
        samite_term::common::charge(Predicate::BYTES);
        p
    }
    /// The predicate that its clauses are of: of a twin, the one that others see.
    pub fn main(&self) -> &Predicate {
        self.main.unwrap_or(self)
    }
    /// See [`super::twins`].
    pub fn is_twin(&self) -> bool {
        self.main.is_some()
    }
    #[inline]
    pub fn functor(&self) -> Functor {
        self.functor.get()
    }
    #[inline]
    pub fn module(&self) -> Atom {
        self.module.get()
    }
    pub fn name(&self) -> Atom {
        self.functor.name()
    }
    pub fn arity(&self) -> usize {
        self.functor.arity()
    }
    pub fn lock(&self) -> MutexGuard<'_, Writer> {
        self.lock.lock()
    }
    /// Whether somebody holds its lock: for assertions.
    fn is_locked(&self) -> bool {
        self.lock.is_locked()
    }
    /// The clauses, for readers.
    #[inline]
    pub fn clauses(&self) -> &'static ClauseList {
        // SAFETY: lists are retired, never freed while a reader may hold one (invariant 3).
        unsafe { &*self.list.load(Ordering::Acquire) }
    }
    /// See [`super::view`].
    #[inline]
    pub(crate) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Acquire)
    }
    /// Takes the generation at which clauses die. To be called under the lock, before they are left out of anything.
    pub(crate) fn next_death(&self) -> u64 {
        let g = self.domain.next_generation();
        // All that it may have been is older.
        self.newest.store(g, Ordering::Release);
        g
    }
    /// Clauses that it has too die at that generation, or a list of it was made then: to be called before they are left out of anything, and
    /// before anybody can find the list; under the lock, or for a twin that of its predicate.
    pub(crate) fn be_as_new_as(&self, g: u64) {
        if self.newest.load(Ordering::Relaxed) < g {
            // Two may do so of a twin.
            self.newest.fetch_max(g, Ordering::Release);
        }
    }
    /// When its clauses changed last, 0 if they never have. Two changes have different ones, the later the greater. Takes the lock: whoever sees a change
    /// does not get what was before it.
    pub fn modified(&self) -> u64 {
        let _writer = self.lock();
        self.modified.load(Ordering::Relaxed)
    }
    /// Clauses of it have come or, if there are `fewer`, died: tells who watches. Under the lock.
    #[inline]
    pub(crate) fn has_changed(&'static self, fewer: bool) {
        // (The change has taken one that nobody had before, and so will the next.)
        let now = self.domain.generation();
        self.modified.store(now, Ordering::Relaxed);
        self.domain.changed(self, fewer);
    }
    /// Name and arity as text.
    pub fn indicator(&self) -> String {
        format!("{}/{}", self.name().as_str(), self.arity())
    }
}
