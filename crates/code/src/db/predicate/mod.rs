//! Predicates and their clauses.
//!
//! A [`Predicate`] lives as long as the process; callers hold `&'static Predicate` and jump through `entry`. What stands
//! there is small entry code of its kind (undefined, static, dynamic, builtin, tabled).
//!
//! Clauses are kept in [`ClauseList`]s that readers walk without locks, under the logical update view (ISO 13211-1, 7.5.4):
//! a clause is visible to a call of generation `g` if `birth ≤ g < death`. Writers hold the predicate's lock.
//!
//! Invariants:
//! 1. A list slot is written before the length (release) that makes it reachable (acquire); slots are never changed afterwards.
//! 2. `birth` and `death` are each set once, from `NEVER` to a generation.
//! 3. What writers replace (a full list, an index, entry code, an erased clause) is retired, not freed; see [`super::reclaim`].

mod clause;
mod domain;
pub mod flag;
mod lists;
mod meta;

use super::modes::{self, Mode};
use super::{chain, keys, list};
use crate::db::switch::Linked;
use crate::instr::{self, Op, word};
use crate::sync::{AtomicPtr, AtomicU64, Mutex, MutexGuard};
use samite_term::{Atom, Functor};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

pub use super::key::{ANY_KEY, BOX_KEY, LIST_KEY, key_of};
pub use clause::{Clause, NEVER};
pub use domain::Domain;
#[cfg(test)]
pub(crate) use lists::empty;
pub use meta::{Meta, always_told, is_meta};

/// The clauses of a predicate, or those with one key.
pub type ClauseList = list::List<Clause>;
/// The first-argument index of a dynamic predicate.
pub type KeyIndex = keys::KeyIndex<Clause>;
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
    pub functor: Functor,
    pub module: Atom,
    /// The program that it is one of.
    pub domain: &'static Domain,
    /// The predicate whose clauses a twin has; see [`super::twins`].
    main: Option<&'static Predicate>,
    flags: AtomicU32,
    /// Clauses in order, for dynamic and static predicates.
    list: AtomicPtr<ClauseList>,
    /// First-argument index of a dynamic predicate; null: none.
    index: AtomicPtr<KeyIndex>,
    /// The newest generation in which a clause of it died or a list of it was made, 0 at first; see [`super::view`].
    newest: AtomicU64,
    /// Whether a first-argument index cannot help (some clause that is not erased has a variable there).
    pub(crate) unindexable: AtomicBool,
    /// Where an undefined predicate of a module was found (imports, `user`, `system`); null: not looked up.
    pub link: AtomicPtr<Predicate>,
    /// Number in the table of thread-local predicates.
    pub local_id: AtomicU32,
    /// The Rust function of a builtin (see the machine crate), as an address; 0: none.
    pub function: AtomicUsize,
    /// Entry code `[Undefined][self]`, which all of them have at first. Immutable after publication.
    undefined: [std::sync::atomic::AtomicU64; 2],
    /// The other entry code of the form `[op][self]` that it has had; see [`EntryCode`].
    entries: std::sync::atomic::AtomicPtr<EntryCode>,
    /// Writers' lock.
    lock: Mutex<Writer>,
    /// `meta_predicate` declaration; see [`Predicate::declare_meta`].
    pub meta: Meta,
    /// Modes of a tabled predicate, one for each argument, which live as long as the process; null: all arguments are ordinary.
    modes: std::sync::atomic::AtomicPtr<Declared>,
}

// There are many, of Samite's own too: a predicate is not to become larger unnoticed.
#[cfg(all(target_pointer_width = "64", not(loom)))]
const _: () = assert!(size_of::<Predicate>() <= 224);

/// Entry code of a predicate. *Equation*: of each instruction there is at most one, however often the predicate becomes dynamic, static
/// or undefined again; they stay as long as the predicate, since threads may be about to jump to any of them.
#[derive(Debug)]
struct EntryCode {
    words: [u64; 2],
    next: *const EntryCode,
}

/// What a thread sees of a predicate while it loads a file of it again; see [`super::twins`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twin {
    pub predicate: &'static Predicate,
    /// The file that is being loaded.
    pub file: Atom,
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
    /// File that defines the predicate (index of an atom), to wipe it on reload.
    pub file: Option<Atom>,
    /// The load of that file that the clauses come from.
    pub session: i64,
    /// Loads in progress that have another definition of it for their threads.
    pub(crate) loaders: usize,
    /// Number of clauses not erased.
    pub live: usize,
    /// Those of them whose first argument an index cannot tell from others; `unindexable` is `unkeyed > 0`.
    pub(crate) unkeyed: usize,
    /// See [`super::twins`].
    pub(crate) twins: Box<[Twin]>,
    /// Entry code of a static predicate, as far as it is not that of a clause.
    pub(crate) linked: Option<Box<Linked>>,
}

impl Predicate {
    /// What is charged for a new one: itself with its entry code, and its share of the table that it is found by.
    pub const BYTES: usize = size_of::<Predicate>() + 16 * size_of::<usize>();

    /// A new undefined predicate; `entry` code must be set before it is published.
    pub fn new(domain: &'static Domain, module: Atom, functor: Functor) -> &'static Predicate {
        Predicate::with_main(domain, module, functor, None)
    }
    /// A twin without clauses; see [`super::twins`].
    pub(crate) fn new_twin(main: &'static Predicate) -> &'static Predicate {
        Predicate::with_main(main.domain, main.module, main.functor, Some(main))
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
            functor,
            module,
            domain,
            main,
            flags: AtomicU32::new(0),
            list: AtomicPtr::new(lists::empty()),
            index: AtomicPtr::new(std::ptr::null_mut()),
            newest: AtomicU64::new(0),
            unindexable: AtomicBool::new(false),
            link: AtomicPtr::new(std::ptr::null_mut()),
            local_id: AtomicU32::new(0),
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
    pub fn name(&self) -> Atom {
        self.functor.name()
    }
    pub fn arity(&self) -> usize {
        self.functor.arity()
    }
    #[inline(always)]
    pub fn entry(&self) -> *const u64 {
        self.entry.load(Ordering::Acquire)
    }
    /// Code of a tabled predicate's clauses; null if they have to be linked.
    pub fn body(&self) -> *const u64 {
        self.body.load(Ordering::Acquire)
    }
    pub fn set_body(&self, code: *const u64) {
        self.body.store(code as *mut u64, Ordering::Release);
    }
    /// The entry for those who do not load the predicate again.
    pub fn beside(&self) -> *const u64 {
        self.beside.load(Ordering::Acquire)
    }
    /// What an entry for everybody is kept in.
    fn entry_slot(&self) -> &AtomicPtr<u64> {
        if self.has(flag::RELOADING | flag::QUALIFIES) {
            &self.beside
        } else {
            &self.entry
        }
    }
    /// Sets the entry to code that lives as long as it is the entry, and then as [`super::frames`] says. Under the lock, or before others
    /// see the predicate.
    pub fn set_entry(&self, code: *const u64) {
        self.entry_slot().store(code as *mut u64, Ordering::Release);
    }
    /// Sets the entry to `[op][self]`, as [`Predicate::set_entry`].
    pub fn set_entry_op(&'static self, op: Op) {
        // (Not by the instruction: what leads to a library may be the like code of another predicate.)
        let code = self.entry_code(op);
        if !std::ptr::eq(self.present_entry(), code) {
            self.set_entry(code);
        }
    }
    /// The entry for everybody, where the meta-arguments have been told their module.
    pub fn present_entry(&self) -> *const u64 {
        self.entry_slot().load(Ordering::Acquire)
    }
    /// The words `[op][self]`.
    fn entry_words(&'static self, op: Op) -> [u64; 2] {
        let instruction = word(op, self.arity() as u16, 0, 0);
        [instruction, std::ptr::from_ref(self) as u64]
    }
    /// The predicate's entry code with this instruction, made when it is first wanted.
    #[inline]
    pub(crate) fn entry_code(&'static self, op: Op) -> *const u64 {
        if op == Op::Undefined {
            return self.undefined.as_ptr().cast();
        }
        self.other_entry_code(op)
    }
    /// The same of any other instruction.
    fn other_entry_code(&'static self, op: Op) -> *const u64 {
        let mut new: Option<Box<EntryCode>> = None;
        loop {
            // Acquire: pairs with the release below.
            let newest = self.entries.load(Ordering::Acquire);
            let mut next = newest.cast_const();
            // SAFETY: null, or entry code, which is neither changed nor freed once it is in the list.
            while let Some(code) = unsafe { next.as_ref() } {
                if instr::op(code.words[0]) == op {
                    return code.words.as_ptr();
                }
                next = code.next;
            }
            let words = self.entry_words(op);
            let mut code = new.take().unwrap_or_else(|| {
                let next = newest;
                Box::new(EntryCode { words, next })
            });
            code.next = newest;
            let raw = Box::into_raw(code);
            match (self.entries).compare_exchange(newest, raw, Ordering::Release, Ordering::Relaxed)
            {
                // SAFETY: as above.
                Ok(_) => return unsafe { (*raw).words.as_ptr() },
                // SAFETY: just made, and nobody has seen it.
                Err(_) => new = Some(unsafe { Box::from_raw(raw) }),
            }
        }
    }
    /// A call of an undefined predicate has found its definition in a library: the entry leads there, unless it has been defined meanwhile.
    pub fn lead_to_library(&self, code: *const u64) {
        let _w = self.lock();
        if !self.has(flag::DEFINED) {
            self.set_entry(code);
        }
    }
    /// Lets calls tell threads apart that load the predicate again. Each call of this is followed by one of [`Predicate::end_reloading`].
    pub fn begin_reloading(&'static self) {
        let mut w = self.lock();
        w.loaders += 1;
        if w.loaders > 1 {
            return;
        }
        let present = self.present_entry().cast_mut();
        self.beside.store(present, Ordering::Release);
        // Calls by name must find what is new. Before the entry, so that who comes through that knows why; at once, as it is not defined
        // for others.
        let new = match self.has(flag::DEFINED) {
            true => 0,
            false => flag::NEW | flag::DEFINED,
        };
        self.set_flag(flag::RELOADING | new);
        let code = self.entry_code(Op::Undefined);
        self.entry.store(code.cast_mut(), Ordering::Release);
    }
    /// The new definition is in place, or given up.
    pub fn end_reloading(&'static self) {
        let mut w = self.lock();
        w.loaders -= 1;
        if w.loaders > 0 {
            return;
        }
        let declared = flag::DYNAMIC | flag::ANNOUNCED;
        if self.has(flag::NEW) && w.live == 0 && !self.has(declared) {
            // With `RELOADING` and `NEW` still there: it is undefined for others all the time.
            self.clear_flag(flag::DEFINED);
            self.set_entry_op(Op::Undefined);
        }
        // The entry first: who comes through the old one and finds no flag takes the present one.
        let entry = match self.has(flag::QUALIFIES) {
            true => self.entry_code(Op::Meta),
            false => self.beside(),
        };
        self.entry.store(entry.cast_mut(), Ordering::Release);
        self.clear_flag(flag::NEW | flag::RELOADING);
    }
    /// A program declares meta-arguments, or takes the declaration back: from now on they are told their module where the predicate is
    /// entered, whenever its callers were compiled.
    pub fn declare_meta(&'static self, spec: Option<Vec<u8>>) {
        let _w = self.lock();
        let has_some = spec.as_ref().is_some_and(|s| s.iter().any(|&s| is_meta(s)));
        self.meta.set(spec);
        if has_some == self.has(flag::QUALIFIES) {
            return;
        }
        let reloading = self.has(flag::RELOADING);
        let present = self.present_entry().cast_mut();
        if has_some {
            self.beside.store(present, Ordering::Release);
            self.set_flag(flag::QUALIFIES);
            if !reloading {
                let code = self.entry_code(Op::Meta);
                self.entry.store(code.cast_mut(), Ordering::Release);
            }
        } else {
            if !reloading {
                // Before the flag, as when a load ends.
                self.entry.store(present, Ordering::Release);
            }
            self.clear_flag(flag::QUALIFIES);
        }
    }
    /// Means what `target` does unless it is defined itself; `weak`: as part of a whole module.
    pub fn import(&self, target: &'static Predicate, weak: bool) {
        let raw = std::ptr::from_ref(target).cast_mut();
        let before = self.link.swap(raw, Ordering::AcqRel);
        if weak && before == raw && self.has(flag::STRONG_IMPORT) {
            return;
        }
        self.clear_flag(flag::WEAK_IMPORT | flag::STRONG_IMPORT);
        self.set_flag(if weak {
            flag::WEAK_IMPORT
        } else {
            flag::STRONG_IMPORT
        });
    }
    /// Means from now on what a call of it has found elsewhere, unless it is imported, or defined itself. Whether it did not before.
    pub fn bind(&self, target: &'static Predicate) -> bool {
        let raw = std::ptr::from_ref(target).cast_mut();
        let (null, order) = (std::ptr::null_mut(), Ordering::SeqCst);
        // (What is bound already is the usual case.)
        self.link.load(Ordering::Relaxed).is_null()
            && self.link.compare_exchange(null, raw, order, order).is_ok()
    }
    /// Undoes [`Predicate::bind`] to this one.
    pub fn unbind(&self, target: &'static Predicate) {
        let raw = std::ptr::from_ref(target).cast_mut();
        let (null, order) = (std::ptr::null_mut(), Ordering::SeqCst);
        let _ = self.link.compare_exchange(raw, null, order, order);
    }
    /// Is not imported any more.
    pub fn forget_import(&self) {
        self.clear_flag(flag::WEAK_IMPORT | flag::STRONG_IMPORT);
        self.link.store(std::ptr::null_mut(), Ordering::Release);
    }
    #[inline]
    pub fn has(&self, flag: u32) -> bool {
        self.flags.load(Ordering::Acquire) & flag != 0
    }
    /// All flags, as they are at one moment.
    pub fn flags(&self) -> u32 {
        self.flags.load(Ordering::Acquire)
    }
    pub fn set_flag(&self, flag: u32) {
        self.flags.fetch_or(flag, Ordering::AcqRel);
    }
    pub fn clear_flag(&self, flag: u32) {
        self.flags.fetch_and(!flag, Ordering::AcqRel);
    }
    pub fn is_defined(&self) -> bool {
        self.has(flag::DEFINED | flag::BUILTIN | flag::CONTROL)
    }
    /// Whether the entry code may be that of other predicates too, which refer to this one: a library's. Neither it nor what it leads
    /// to can be freed.
    pub(crate) fn is_copied(&self) -> bool {
        self.is_library()
    }
    /// Whether it is one of Samite's own.
    pub fn is_library(&self) -> bool {
        self.has(flag::LIBRARY | flag::SYSTEM)
    }
    pub fn is_dynamic(&self) -> bool {
        self.has(flag::DYNAMIC)
    }
    /// The modes of a tabled predicate; `None`: all arguments are ordinary.
    pub fn modes(&self) -> Option<&'static Declared> {
        if !self.has(flag::MODED) {
            return None;
        }
        // SAFETY: null or a declaration, which stays. Acquire: pairs with the release in `set_modes`.
        unsafe { self.modes.load(Ordering::Acquire).as_ref() }
    }
    /// See [`Predicate::modes`].
    pub fn set_modes(&'static self, modes: &[Mode]) {
        let declared = self
            .domain
            .modes
            .declare(self, modes)
            .map_or(std::ptr::null(), std::ptr::from_ref);
        self.modes.store(declared.cast_mut(), Ordering::Release);
        if modes.is_empty() {
            self.clear_flag(flag::MODED);
        } else {
            self.set_flag(flag::MODED);
        }
    }
    pub fn lock(&self) -> MutexGuard<'_, Writer> {
        self.lock.lock()
    }
    /// The clauses, for readers.
    #[inline]
    pub fn clauses(&self) -> &'static ClauseList {
        // SAFETY: lists are retired, never freed while a reader may hold one (invariant 3).
        unsafe { &*self.list.load(Ordering::Acquire) }
    }
    pub(crate) fn index_ptr(&self) -> &AtomicPtr<KeyIndex> {
        &self.index
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
    /// Name and arity as text.
    pub fn indicator(&self) -> String {
        format!("{}/{}", self.name().as_str(), self.arity())
    }
}
