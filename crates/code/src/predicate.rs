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
//! 3. What writers replace (a full list, an index, entry code, an erased clause) is retired, not freed; see [`crate::reclaim`].

use crate::clause_list::{ClauseList, KeyIndex};
use crate::code_block::{Code, CodeBlock};
use crate::domain::Domain;
use crate::index::Linked;
use crate::instr::{self, Op, word};
use crate::modes::{self, Declared, Mode};
use crate::origins;
use crate::sync::{AtomicPtr, AtomicU64, Mutex, MutexGuard};
use crate::twins::Twin;
use crate::view::{View, view};
use samite_term::{Atom, Cell, Functor, Record, Tag, atoms};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// A generation that has not come.
pub const NEVER: u64 = u64::MAX;

/// A clause. Immutable but for `death`, the code of a dynamic clause, which is made when it first runs, and whether it has a name.
#[derive(Debug)]
pub struct Clause {
    pub predicate: &'static Predicate,
    /// First-argument key, see [`key_of`]; [`ANY_KEY`] if the first argument is a variable.
    pub key: u64,
    pub birth: AtomicU64,
    /// [`NEVER`], or the generation that does not see it any more, and who erased it: a worker's number, in the lowest bits.
    death: AtomicU64,
    code: Code,
    /// The term `Head :- Body`, kept for dynamic predicates.
    pub record: Option<Record>,
    /// What the clause is: the bits of [`WHAT`]. Below them where it was read ([`origins`]), [`atoms::NIL`] if it was not, and the line
    /// where it starts, 0 if unknown; when it has been retired, the address of the next clause in its chain ([`crate::chain`]).
    about: std::sync::atomic::AtomicU64,
}

/// Bits of a clause's death that say who erased it.
const WORKER_BITS: u32 = u16::BITS;

/// The clause was made for a static predicate, whose entry code jumps to its clauses.
const LINKED: u64 = 1 << 63;
/// The clause has, or had, a name; see [`crate::names`].
const NAMED: u64 = 1 << 62;
/// The clause was read by a load in progress: only the twin that the loading thread sees has it; see [`crate::twins`].
const UNREAD: u64 = 1 << 61;
/// The clause has a body.
const RULE: u64 = 1 << 60;
/// The clause waits to be freed.
const RETIRED: u64 = 1 << 59;
const WHAT: u64 = !(RETIRED - 1);
/// The line is above the file.
const LINE_SHIFT: u32 = u32::BITS;
const MOST_LINE: u32 = ((RETIRED - 1) >> LINE_SHIFT) as u32;

impl Clause {
    pub fn new(
        predicate: &'static Predicate,
        key: u64,
        record: Option<Record>,
        block: Option<CodeBlock>,
        line: u32,
    ) -> Clause {
        let c = Clause {
            predicate,
            key,
            birth: AtomicU64::new(NEVER),
            death: AtomicU64::new(NEVER),
            code: Code::default(),
            record,
            about: Clause::place(atoms::NIL.index(), line).into(),
        };
        samite_term::common::charge(c.bytes());
        if let Some(b) = block {
            samite_term::common::charge(c.code.set(b));
        }
        c
    }
    /// An origin and a line in [`Clause::about`].
    fn place(origin: u32, line: u32) -> u64 {
        u64::from(line.min(MOST_LINE)) << LINE_SHIFT | u64::from(origin)
    }
    fn about(&self) -> u64 {
        self.about.load(Ordering::Relaxed)
    }
    /// File that the clause belongs to; [`atoms::NIL`] if to none, or if it waits to be freed.
    pub fn file(&self) -> Atom {
        match self.about() {
            about if about & RETIRED != 0 => atoms::NIL,
            about => origins::of(self.predicate.domain, about as u32).0,
        }
    }
    /// The text that its line is one of: the file, or one that it includes.
    pub fn text(&self) -> Atom {
        match self.about() {
            about if about & RETIRED != 0 => atoms::NIL,
            about => origins::of(self.predicate.domain, about as u32).1,
        }
    }
    /// Says so of a new clause.
    pub fn set_file(&mut self, file: Atom, text: Atom) {
        let origin = origins::origin(self.predicate.domain, file, text);
        let place = Clause::place(origin, self.line());
        let about = self.about.get_mut();
        *about = *about & WHAT | place;
    }
    /// Line of the source file where the clause starts; 0 if unknown, or if the clause waits to be freed.
    pub fn line(&self) -> u32 {
        match self.about() {
            about if about & RETIRED != 0 => 0,
            about => ((about & !WHAT) >> LINE_SHIFT) as u32,
        }
    }
    /// Whether it was made for a static predicate, whose entry code jumps to its clauses.
    pub fn is_linked(&self) -> bool {
        self.about() & LINKED != 0
    }
    /// Says so of a new clause.
    pub fn set_linked(&mut self) {
        *self.about.get_mut() |= LINKED;
    }
    /// Whether it has a body.
    pub fn is_rule(&self) -> bool {
        self.about() & RULE != 0
    }
    /// Says so of a new clause.
    pub fn set_rule(&mut self) {
        *self.about.get_mut() |= RULE;
    }
    /// Whether it is of no file, and has come after that generation.
    pub(crate) fn is_asserted_since(&self, g: u64) -> bool {
        self.file() == atoms::NIL && self.birth.load(Ordering::Relaxed) > g
    }
    /// Whether nobody but the thread that loads its file sees it yet; see [`crate::twins`].
    pub(crate) fn is_unread(&self) -> bool {
        self.about() & UNREAD != 0
    }
    /// Under the predicate's lock.
    pub(crate) fn set_unread(&self, unread: bool) {
        if unread {
            self.about.fetch_or(UNREAD, Ordering::Relaxed);
        } else {
            self.about.fetch_and(!UNREAD, Ordering::Relaxed);
        }
    }
    /// Whether it has, or had, a name; see [`crate::names`].
    pub(crate) fn is_named(&self) -> bool {
        self.about.load(Ordering::Acquire) & NAMED != 0
    }
    /// Release: pairs with the acquire in `is_named`.
    pub(crate) fn set_named(&self) {
        self.about.fetch_or(NAMED, Ordering::Release);
    }
    /// Whether it waits to be freed.
    pub(crate) fn is_retired(&self) -> bool {
        self.about() & RETIRED != 0
    }
    /// It waits to be freed, before that one. For [`crate::chain`].
    pub(crate) fn lead_to(&self, next: *mut Clause) {
        let address = next.expose_provenance() as u64;
        debug_assert!(address & WHAT == 0);
        let what = self.about() & WHAT | RETIRED;
        self.about.store(what | address, Ordering::Relaxed);
    }
    /// The next one that waits, or null. For [`crate::chain`].
    pub(crate) fn next_retired(&self) -> *mut Clause {
        debug_assert!(self.is_retired());
        std::ptr::with_exposed_provenance_mut((self.about() & !WHAT) as usize)
    }
    /// Gives a clause its code that was made without; a second one is dropped (two threads compiled at once).
    pub fn set_code(&self, block: CodeBlock) {
        debug_assert!(self.is_compiled_late());
        samite_term::common::charge_unasked(self.code.set(block));
    }
    /// Whether it gets its code when it is first called: facts of dynamic predicates do.
    fn is_compiled_late(&self) -> bool {
        self.record.is_some() && !self.is_rule() && !self.is_linked()
    }
    /// Entry of the code; null if the clause has not been compiled yet.
    #[inline]
    pub fn code(&self) -> *const u64 {
        self.code.entry()
    }
    /// Whether a call of generation `g` sees the clause.
    #[inline]
    pub fn visible(&self, g: u64) -> bool {
        self.birth.load(Ordering::Acquire) <= g
            && g < self.death.load(Ordering::Acquire) >> WORKER_BITS
    }
    /// Whether generation `g` and later ones do not see it any more.
    #[inline]
    pub(crate) fn is_dead_to(&self, g: u64) -> bool {
        self.death.load(Ordering::Acquire) >> WORKER_BITS <= g
    }
    /// Whether it has been born by a generation.
    pub(crate) fn is_born_by(&self, g: u64) -> bool {
        self.birth.load(Ordering::Acquire) <= g
    }
    /// Whether continuations and choicepoints may refer to the code.
    pub fn is_resumable(&self) -> bool {
        self.code.is_resumable()
    }
    /// Addresses of the code; empty if it has none.
    pub fn code_range(&self) -> std::ops::Range<usize> {
        self.code.range()
    }
    pub fn is_erased(&self) -> bool {
        self.death.load(Ordering::Acquire) != NEVER
    }
    /// Generation `g` does not see it any more; once, under the predicate's lock. Release: pairs with the acquires in `visible`,
    /// `is_erased` and `erased_by`.
    pub(crate) fn die(&self, g: u64, by: u16) {
        let death = g << WORKER_BITS | u64::from(by);
        self.death.store(death, Ordering::Release);
    }
    /// Whether this worker erased it.
    pub fn erased_by(&self, worker: u16) -> bool {
        let death = self.death.load(Ordering::Acquire);
        death != NEVER && death as u16 == worker && worker != 0
    }
    /// Bytes held by the clause. Changes once, when it gets its code.
    pub fn bytes(&self) -> usize {
        let record = self.record.as_ref().map_or(0, |r| r.len() * 8);
        size_of::<Clause>() + record + self.code.bytes()
    }
}

// As large as a block of the allocator: there may be millions.
const _: () = assert!(size_of::<Clause>() == 64);

impl Drop for Clause {
    fn drop(&mut self) {
        let late = if self.is_compiled_late() {
            self.code.bytes()
        } else {
            0
        };
        samite_term::common::release(self.bytes() - late);
        if late > 0 {
            samite_term::common::release_unasked(late);
        }
        #[cfg(loom)]
        crate::loom_models::FREED.set(crate::loom_models::FREED.get() + 1);
    }
}

/// Key of a first argument that is a variable: matches every key.
pub const ANY_KEY: u64 = 0;
/// Key of boxed values (floats, big numbers, strings): all alike, unification tells them apart.
pub const BOX_KEY: u64 = Tag::Box as u64;

/// The key of a dereferenced first argument: the cell of an atom or small integer, the functor of a compound.
///
/// # Safety
/// `c` is a dereferenced term of a live heap.
#[inline]
pub unsafe fn key_of(c: Cell) -> u64 {
    match c.tag() {
        Tag::Int | Tag::Con => c.0,
        // SAFETY: a structure starts with its functor.
        Tag::Str => unsafe { (*c.ptr()).0 },
        Tag::Lst => LIST_KEY,
        Tag::Box => BOX_KEY,
        _ => ANY_KEY,
    }
}

/// Key of a list cell.
pub const LIST_KEY: u64 = Functor::new(samite_term::atoms::DOT, 2).bits();

/// Properties of a predicate, bits of [`Predicate::has`].
pub mod flag {
    pub const DYNAMIC: u32 = 1;
    pub const MULTIFILE: u32 = 1 << 1;
    pub const DISCONTIGUOUS: u32 = 1 << 2;
    /// Part of the system: cannot be changed or redefined by users.
    pub const SYSTEM: u32 = 1 << 3;
    /// Builtin or control predicate.
    pub const BUILTIN: u32 = 1 << 4;
    /// The builtin is pure and deterministic: it may run in place, which is no safe point.
    pub const INLINE: u32 = 1 << 5;
    /// With `INLINE`: it may leave a goal behind, which runs in its stead.
    pub const LEAVES_GOAL: u32 = 1 << 25;
    pub const TABLED: u32 = 1 << 6;
    pub const THREAD_LOCAL: u32 = 1 << 7;
    /// Has or had clauses, or was declared.
    pub const DEFINED: u32 = 1 << 8;
    /// From a library file, may be overridden in `user`.
    pub const LIBRARY: u32 = 1 << 9;
    /// Users cannot define one of this name in their own modules.
    pub const CORE: u32 = 1 << 11;
    /// Has clauses from a library file that is still being loaded: only the loading thread may call it.
    pub const LOADING: u32 = 1 << 12;
    /// Tabled with modes.
    pub const MODED: u32 = 1 << 13;
    /// A control construct that the compiler expands.
    pub const CONTROL: u32 = 1 << 10;
    /// A file that defines it is being loaded again: the loading thread sees another definition; see [`Predicate::beside`].
    pub const RELOADING: u32 = 1 << 14;
    /// Declared by the system's own files, for programs.
    pub const KEPT: u32 = 1 << 16;
    /// Imported, unless it is defined: as part of a whole module, or by name.
    pub const WEAK_IMPORT: u32 = 1 << 17;
    pub const STRONG_IMPORT: u32 = 1 << 18;
    /// With `RELOADING`: it was not defined before.
    pub const NEW: u32 = 1 << 15;
    /// Dynamic because a file says so, and for no other reason.
    pub const DYNAMIC_BY_FILE: u32 = 1 << 24;
    /// Its entry tells its meta-arguments their module: those of programs; see [`Predicate::declare_meta`].
    pub const QUALIFIES: u32 = 1 << 19;
    /// A builtin with no other effect than a unification at its end.
    pub const MAKES_TERMS: u32 = 1 << 28;
    /// A builtin that adds to what threads have in common, and is refused memory before it has changed anything.
    pub const REFUSES_FIRST: u32 = 1 << 26;
    /// A builtin that may lower the memory limit.
    pub const LOWERS_LIMIT: u32 = 1 << 27;
    /// What its file says of it, and nobody but `predicate_property/2` asks for.
    pub const PUBLIC: u32 = 1 << 20;
    pub const VOLATILE: u32 = 1 << 21;
    pub const NOPROFILE: u32 = 1 << 22;
    /// Its file was read with the flag `generate_debug_info` off.
    pub const NODEBUG: u32 = 1 << 23;
    pub const TOLD: u32 = PUBLIC | VOLATILE | NOPROFILE | NODEBUG;
}

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
    /// The predicate whose clauses a twin has; see [`crate::twins`].
    main: Option<&'static Predicate>,
    flags: AtomicU32,
    /// Clauses in order, for dynamic and static predicates.
    list: AtomicPtr<ClauseList>,
    /// First-argument index of a dynamic predicate; null: none.
    index: AtomicPtr<KeyIndex>,
    /// The newest generation in which a clause of it died or a list of it was made, 0 at first; see [`crate::view`].
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

/// Whether an argument with this specifier of a `meta_predicate` declaration depends on the module of the call; the others are modes.
pub fn is_meta(specifier: u8) -> bool {
    matches!(specifier, b'0'..=b'9' | b':' | b'^' | b'/' | b'm' | b'M')
}
/// Whether such an argument is told the module of the call even if it names one.
pub fn always_told(specifier: u8) -> bool {
    matches!(specifier, b'm' | b'M')
}

/// A `meta_predicate` declaration: argument specifiers, e.g. `"2?"`.
#[derive(Debug, Default)]
pub struct Meta(std::sync::atomic::AtomicPtr<Vec<u8>>);

/// All declarations that there have been, each once: readers take no lock, so what was declared stays, whoever declares it how often.
static DECLARATIONS: parking_lot::Mutex<BTreeMap<&[u8], &'static Vec<u8>>> =
    parking_lot::Mutex::new(BTreeMap::new());

/// The declaration with these specifiers.
fn declaration(spec: Vec<u8>) -> &'static Vec<u8> {
    let mut all = DECLARATIONS.lock();
    if let Some(known) = all.get(&spec[..]) {
        return known;
    }
    samite_term::common::charge(size_of::<Vec<u8>>() + spec.len() + 4 * size_of::<usize>());
    let new: &'static Vec<u8> = Box::leak(Box::new(spec));
    all.insert(new, new);
    new
}

impl Meta {
    pub fn get(&self) -> Option<&'static [u8]> {
        // SAFETY: null or a declaration, which lives as long as the process. Acquire: pairs with the release in `set`.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }.map(Vec::as_slice)
    }
    /// Declares, or takes the declaration back. Of programs' predicates: [`Predicate::declare_meta`].
    pub fn set(&self, spec: Option<Vec<u8>>) {
        let raw = spec.map_or(std::ptr::null(), |s| std::ptr::from_ref(declaration(s)));
        self.0.store(raw.cast_mut(), Ordering::Release);
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
    /// See [`crate::twins`].
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
    /// A twin without clauses; see [`crate::twins`].
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
            list: AtomicPtr::new(ClauseList::empty()),
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
    /// See [`crate::twins`].
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
    /// Sets the entry to code that lives as long as it is the entry, and then as [`crate::frames`] says. Under the lock, or before others
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
    pub(crate) fn entry_code(&'static self, op: Op) -> *const u64 {
        if op == Op::Undefined {
            return self.undefined.as_ptr().cast();
        }
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
        let declared = flag::DYNAMIC | flag::MULTIFILE | flag::DISCONTIGUOUS;
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
        let declared = modes::declare(self, modes).map_or(std::ptr::null(), std::ptr::from_ref);
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
    pub(crate) fn list_ptr(&self) -> &AtomicPtr<ClauseList> {
        &self.list
    }
    pub(crate) fn index_ptr(&self) -> &AtomicPtr<KeyIndex> {
        &self.index
    }
    /// Its clauses as they are now, in order. For whom: see [`view`].
    pub fn visible_clauses(&'static self) -> impl Iterator<Item = &'static Clause> {
        self.view().clauses()
    }
    /// All of its clauses as they are now. For whom: see [`view`].
    pub fn view(&'static self) -> View {
        view(self, ANY_KEY)
    }
    /// See [`crate::view`].
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
