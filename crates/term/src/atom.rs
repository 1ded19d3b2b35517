//! The atom table: text ↔ 32-bit index, for all threads.
//!
//! Looking up is lock-free: one acquire load of the current [`Index`], a linear probe over atomic
//! slots, a comparison with the entry's text. Adding takes the writer's mutex. Entries are never moved, and not freed yet: atoms are not
//! collected. What they will be collected by is kept already:
//!
//! *Who has an atom*. An [`Atom`] is good until the next safe point of the thread that has it, and no other thread may have it: it is neither `Send`
//! nor `Sync`, so what threads share has none, nor has a static. At a safe point each atom that somebody will use again is
//!
//! ```text
//!   known at compile time (`atoms`), or that of one ASCII character     they stay
//!   in a HeldAtom, HeldFunctor or HeldCell                              counted, crate::held
//!   in a word of a heap, a register, a choicepoint                      a collector sees it there
//!   in words of terms off the heap                                      walked, crate::walked
//! ```
//!
//! An atom's number by itself ([`Atom::index`]), the bits of a cell or of a functor as a key hold nothing: who keeps these keeps the atom beside them.
//!
//! Invariants:
//! 1. An entry is written before its index is stored (release) in a slot; whoever reads the slot
//!    (acquire) sees the whole entry.
//! 2. A slot goes from 0 to `index + 1` once and never changes again.
//! 3. An `Index` is immutable in size; a larger one is filled before it is published (release), the old one is
//!    kept until the table goes, so a reader may finish its probe on it. Sizes double: the old ones
//!    together are at most as large as the current one.
//! 4. Some slots are free, half of them where memory is not refused, so every probe ends.
//! 5. Who can be refused an atom leaves places to those who cannot:
//!
//! ```text
//! after an atom that could be refused    places left in segments and index  >=  KEPT - threads that add one at the same moment
//! ```
//!
//!    So tables are made larger before they are full, at the cost of somebody who can be told that there is no memory; what the machine itself names
//!    (errors, options, files) finds a place then. These are some hundred names; work within a guard ([`crate::heavy`]) can be refused, and a
//!    program's texts are made atoms by [`Atom::new_if`] alone.
//!
//! The table itself is [`AtomTable`] (several may exist in tests and loom models); [`Atom::new`] uses the process's.

use crate::growth::{self, MUCH};
use crate::held::Holders;
use crate::sync::{AtomicPtr, AtomicU32, Mutex, MutexGuard, Ordering};
use crate::{common, heavy};
use std::hash::Hasher;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// An atom: index of its text in the atom table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Atom(u32, PhantomData<*const ()>);

impl Atom {
    /// The atom with this text, added if new.
    pub fn new(text: &str) -> Atom {
        Atom::from_index(table().intern(text))
    }
    /// The atom of one character; `None` as for [`Atom::new_if`].
    pub fn of_char_if(c: char, room: impl FnOnce(usize) -> bool) -> Option<Atom> {
        // Not one of loom's: nothing is modelled here.
        use std::sync::atomic::{AtomicU32, Ordering};
        /// 1 + index of the atoms of ASCII characters that were asked for; 0 of the others.
        static ASCII: [AtomicU32; 128] = [const { AtomicU32::new(0) }; 128];
        let make = || Atom::new_if(c.encode_utf8(&mut [0; 4]), room);
        let Some(known) = ASCII.get(c as usize) else {
            return make();
        };
        // Acquire and release: who sees the index sees the entry.
        match known.load(Ordering::Acquire) {
            0 => {
                let atom = make()?;
                // It stays, as it does here.
                keep(atom);
                known.store(1 + atom.0, Ordering::Release);
                Some(atom)
            }
            n => Some(Atom::from_index(n - 1)),
        }
    }
    /// The atom with this text; `None` if there is none yet and `room` refuses the bytes that it adds to the memory in common, or the
    /// system those that the table grows by.
    pub fn new_if(text: &str, room: impl FnOnce(usize) -> bool) -> Option<Atom> {
        table().intern_if(text, room).map(Atom::from_index)
    }
    /// The atom with this text, if there is one already.
    pub fn existing(text: &str) -> Option<Atom> {
        table().lookup(text, hash(text)).map(Atom::from_index)
    }
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }
    /// The atom of an index that came from [`Atom::index`]. Of another one it is an atom without a text: who asks for it panics.
    #[inline]
    pub const fn from_index(index: u32) -> Atom {
        Atom(index, PhantomData)
    }
    /// The empty list, or the name of dicts: no text finds it, so that no program can make it out of one.
    #[inline]
    pub const fn is_reserved(self) -> bool {
        self.0 <= atoms::DICT.0
    }
    pub fn as_str(self) -> &'static str {
        table().text(self.0)
    }
    /// Number of atoms in the table and bytes of their text.
    pub fn statistics() -> (usize, usize) {
        let t = table();
        let n = t.len.load(Ordering::Relaxed);
        let bytes = (0..n).map(|i| t.text(i).len()).sum();
        (n as usize, bytes)
    }
    /// All atoms that text finds, in order of creation.
    pub fn all() -> impl Iterator<Item = Atom> {
        let t = table();
        let n = t.len.load(Ordering::Acquire);
        (0..n)
            .map(Atom::from_index)
            .filter(|a| Atom::existing(a.as_str()) == Some(*a))
    }
}

impl std::fmt::Debug for Atom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.as_str())
    }
}

/// Whether an atom is one of those known at compile time, which stay and have no holders.
#[inline]
const fn is_known(a: Atom) -> bool {
    (a.0 as usize) < atoms::TEXTS.len()
}

/// One more holds it. For [`crate::held`], as the following.
#[inline]
pub(crate) fn hold(a: Atom) {
    if !is_known(a) {
        table().entry(a.0).holders.hold();
    }
}

/// It stays, whoever holds it.
fn keep(a: Atom) {
    if !is_known(a) {
        table().entry(a.0).holders.keep();
    }
}

/// One fewer holds it.
#[inline]
pub(crate) fn release(a: Atom) {
    if !is_known(a) {
        table().entry(a.0).holders.release();
    }
}

/// How many hold it; `None`: it stays.
pub(crate) fn holders(a: Atom) -> Option<usize> {
    match is_known(a) {
        true => None,
        false => table().entry(a.0).holders.count(),
    }
}

fn table() -> &'static AtomTable {
    static TABLE: OnceLock<AtomTable> = OnceLock::new();
    TABLE.get_or_init(|| {
        let t = AtomTable::new();
        for (i, text) in atoms::TEXTS.iter().enumerate() {
            let id = if Atom::from_index(i as u32).is_reserved() {
                t.add_unlisted(text)
            } else {
                t.intern(text)
            };
            assert_eq!(id as usize, i, "well-known atom {text} is listed twice");
        }
        t
    })
}

fn hash(text: &str) -> u32 {
    let mut h = rustc_hash::FxHasher::default();
    h.write(text.as_bytes());
    // The index has at most 2^32 slots, found by the low bits.
    h.finish() as u32
}

/// log2 of the number of entries in the first segment.
const FIRST: u32 = if cfg!(loom) { 1 } else { 10 };
const SEGMENTS: usize = 32 - FIRST as usize;
const INITIAL_SLOTS: usize = if cfg!(loom) { 4 } else { 4096 };

/// Places that are left to those who cannot be refused (invariant 5).
const KEPT: usize = if cfg!(loom) { 1 } else { 1024 };

struct Entry {
    text: &'static str,
    hash: u32,
    holders: Holders,
}

struct Index {
    slots: Box<[AtomicU32]>,
}

impl Index {
    /// An empty one; `None`: the system has no room for it.
    fn new(slots: usize) -> Option<Index> {
        let mut places = Vec::new();
        places.try_reserve_exact(slots).ok()?;
        places.resize_with(slots, || AtomicU32::new(0));
        Some(Index {
            slots: places.into_boxed_slice(),
        })
    }
    /// Whether with so many atoms more than half of it would be used.
    fn is_small_for(&self, atoms: usize) -> bool {
        atoms * 2 > self.slots.len()
    }
    /// Whether so many atoms can be looked for in it, if slowly.
    fn holds(&self, atoms: usize) -> bool {
        atoms <= self.slots.len() - self.slots.len().div_ceil(8)
    }
}

/// The system has no room for who cannot be told so: work within a guard is abandoned, else the process ends.
fn refused<T>() -> T {
    growth::must(false);
    std::alloc::handle_alloc_error(std::alloc::Layout::new::<Entry>())
}

/// A table of texts; see the module text.
pub struct AtomTable {
    /// Segment `s` holds `2^FIRST` (s = 0) or `2^(FIRST+s-1)` entries; null until needed. Immutable once set.
    segments: [AtomicPtr<Entry>; SEGMENTS],
    /// Entries published so far.
    len: AtomicU32,
    index: AtomicPtr<Index>,
    /// Under this lock: every write. Holds the retired indexes and the number of listed entries.
    writer: Mutex<Writer>,
}

struct Writer {
    retired: Vec<*mut Index>,
    listed: usize,
}

// SAFETY: the raw pointers are owned by the table: indexes and segments are only freed in `drop`.
unsafe impl Send for AtomTable {}
// SAFETY: see the invariants in the module text; all shared words are atomic or under the lock.
unsafe impl Sync for AtomTable {}

/// Segment and offset of an entry.
fn place(id: u32) -> (usize, usize) {
    let high = id >> FIRST;
    if high == 0 {
        (0, id as usize)
    } else {
        let s = 32 - high.leading_zeros();
        (s as usize, (id - (1 << (s + FIRST - 1))) as usize)
    }
}

/// Bytes that an entry takes, with its slots in the index.
fn entry_bytes(text: &str) -> usize {
    size_of::<Entry>() + 2 * size_of::<u32>() + text.len()
}

fn segment_len(s: usize) -> usize {
    if s == 0 {
        1 << FIRST
    } else {
        1 << (s + FIRST as usize - 1)
    }
}

impl Default for AtomTable {
    fn default() -> Self {
        AtomTable::new()
    }
}

impl AtomTable {
    pub fn new() -> AtomTable {
        AtomTable {
            segments: std::array::from_fn(|_| AtomicPtr::new(std::ptr::null_mut())),
            len: AtomicU32::new(0),
            index: AtomicPtr::new(Box::into_raw(Box::new(
                Index::new(INITIAL_SLOTS).unwrap_or_else(refused),
            ))),
            writer: Mutex::new(Writer {
                retired: Vec::new(),
                listed: 0,
            }),
        }
    }

    fn entry(&self, id: u32) -> &Entry {
        let (s, i) = place(id);
        // Acquire: pairs with the release store in `grow`; the segment is initialised up to every published id.
        let segment = self.segments[s].load(Ordering::Acquire);
        // SAFETY: invariant 1: an id is only known after its entry was written into its segment.
        unsafe { &*segment.add(i) }
    }

    /// The text of an index returned by [`AtomTable::intern`]. Panics if there is none such: anybody can make an [`Atom`] of any number.
    pub fn text(&self, id: u32) -> &'static str {
        assert!(id < self.len.load(Ordering::Acquire), "no atom {id}");
        self.entry(id).text
    }

    /// Lock-free: the index of `text`, if listed.
    #[inline]
    pub fn lookup(&self, text: &str, hash: u32) -> Option<u32> {
        let index = self.index();
        let mask = index.slots.len() - 1;
        let mut i = hash as usize & mask;
        loop {
            // Acquire: pairs with the release store in `list` (invariant 1).
            match index.slots[i].load(Ordering::Acquire) {
                0 => return None,
                slot => {
                    let e = self.entry(slot - 1);
                    if e.hash == hash && e.text == text {
                        return Some(slot - 1);
                    }
                }
            }
            i = (i + 1) & mask;
        }
    }

    /// The index of `text`, added if new.
    fn intern(&self, text: &str) -> u32 {
        let h = hash(text);
        match self.lookup(text, h) {
            Some(id) => id,
            None if heavy::is_guarded() => {
                let added = self.add_if(text, h, common::system_has);
                added.unwrap_or_else(refused)
            }
            None => {
                // What is kept is there for this; it is not used while the system has more.
                let growth = self.growth();
                if growth > 0 && common::system_has(growth) {
                    self.grow(&mut self.lock());
                }
                self.add_listed(text.to_owned(), h).unwrap_or_else(refused)
            }
        }
    }

    /// The same, unless it is to be added and `room` refuses so many bytes more.
    fn intern_if(&self, text: &str, room: impl FnOnce(usize) -> bool) -> Option<u32> {
        let h = hash(text);
        match self.lookup(text, h) {
            Some(id) => Some(id),
            None => self.add_if(text, h, room),
        }
    }

    /// Adds a text that a look-up did not find, for somebody who can be refused.
    fn add_if(&self, text: &str, h: u32, room: impl FnOnce(usize) -> bool) -> Option<u32> {
        let growth = self.growth();
        let bytes = entry_bytes(text) + growth;
        let mut own = String::new();
        let mut take =
            || own.try_reserve_exact(text.len()).is_ok() && (growth == 0 || self.grow_to_keep());
        let taken = match bytes < MUCH {
            true => room(bytes) && take(),
            false => growth::asking(bytes, room, take),
        };
        if !taken {
            return None;
        }
        own.push_str(text);
        self.add_listed(own, h)
    }

    /// The index of a text that a look-up did not find; `None`: the system has no room for the tables, and what was kept is used up.
    fn add_listed(&self, text: String, h: u32) -> Option<u32> {
        let mut w = self.lock();
        if let Some(id) = self.lookup(&text, h) {
            return Some(id);
        }
        if !self.has_places(&w, 1) {
            self.grow(&mut w);
            if !self.has_places(&w, 1) {
                return None;
            }
        }
        let id = self.add(text, h)?;
        w.listed += 1;
        list(self.index(), h, id, Ordering::Release);
        Some(id)
    }

    fn lock(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn index(&self) -> &Index {
        // Acquire: pairs with the release store in `grow_index`, so the slots of the index are visible.
        // SAFETY: invariant 3: an index lives as long as the table.
        unsafe { &*self.index.load(Ordering::Acquire) }
    }

    /// The segment that is to be there when the next atom is added, for the kept places to be.
    fn segment_ahead(&self) -> usize {
        place(self.len.load(Ordering::Relaxed) + KEPT as u32).0
    }

    /// What the tables are to grow by before the next atom is added.
    fn growth(&self) -> usize {
        let mut bytes = 0;
        let s = self.segment_ahead();
        if self.segments[s].load(Ordering::Relaxed).is_null() {
            bytes += segment_len(s) * size_of::<Entry>();
        }
        let index = self.index();
        if index.is_small_for(self.len.load(Ordering::Relaxed) as usize + 1) {
            bytes += 2 * size_of_val(&*index.slots);
        }
        bytes
    }

    /// Whether there are places for so many more atoms. Caller holds the writer's lock.
    fn has_places(&self, w: &Writer, atoms: usize) -> bool {
        let last = self.len.load(Ordering::Relaxed) + (atoms - 1) as u32;
        let segment = &self.segments[place(last).0];
        !segment.load(Ordering::Relaxed).is_null() && self.index().holds(w.listed + atoms)
    }

    /// Grows the tables; whether what is kept is there beside a place for one more.
    fn grow_to_keep(&self) -> bool {
        let mut w = self.lock();
        self.grow(&mut w);
        self.has_places(&w, KEPT + 1)
    }

    /// Makes the tables as large as they are to be before the next atom is added, as far as the system has room. Caller holds the writer's
    /// lock.
    fn grow(&self, w: &mut Writer) {
        let (first, _) = place(self.len.load(Ordering::Relaxed));
        for s in first..=self.segment_ahead() {
            if self.segments[s].load(Ordering::Relaxed).is_null() {
                let mut v: Vec<Entry> = Vec::new();
                if v.try_reserve_exact(segment_len(s)).is_err() {
                    break;
                }
                // Release: publishes the allocation to `entry`.
                self.segments[s].store(v.as_mut_ptr(), Ordering::Release);
                std::mem::forget(v);
            }
        }
        if self.index().is_small_for(w.listed + 1) {
            self.grow_index(w);
        }
    }

    /// An entry that no look-up finds.
    fn add_unlisted(&self, text: &str) -> u32 {
        self.grow(&mut self.lock());
        let _w = self.lock();
        self.add(text.to_owned(), hash(text))
            .unwrap_or_else(refused)
    }

    /// Appends an entry; `None` if there is no place for it. Caller holds the writer's lock.
    fn add(&self, text: String, hash: u32) -> Option<u32> {
        let id = self.len.load(Ordering::Relaxed);
        assert!(id < u32::MAX / 2, "atom table full");
        let (s, i) = place(id);
        let segment = self.segments[s].load(Ordering::Relaxed);
        if segment.is_null() {
            return None;
        }
        let text: &'static str = Box::leak(text.into_boxed_str());
        crate::common::charge(entry_bytes(text));
        // SAFETY: slot `i` of the segment is unused: ids are handed out once, under the lock.
        unsafe {
            segment.add(i).write(Entry {
                text,
                hash,
                holders: Holders::none(),
            })
        };
        // Release: `Atom::all` reads entries below `len` without going through a slot.
        self.len.store(id + 1, Ordering::Release);
        Some(id)
    }

    /// Publishes an index of twice the size, unless the system has no room. Caller holds the writer's lock.
    fn grow_index(&self, w: &mut Writer) {
        let old = self.index();
        let Some(new) = Index::new(old.slots.len() * 2) else {
            return;
        };
        for slot in &old.slots {
            let s = slot.load(Ordering::Relaxed);
            if s != 0 {
                list(&new, self.entry(s - 1).hash, s - 1, Ordering::Relaxed);
            }
        }
        // Release: pairs with the acquire load in `index`.
        let new = Box::into_raw(Box::new(new));
        w.retired.push(self.index.swap(new, Ordering::AcqRel));
    }
}

impl Drop for AtomTable {
    fn drop(&mut self) {
        let w = self.writer.lock().unwrap_or_else(|e| e.into_inner());
        let current = self.index.load(Ordering::Relaxed);
        for &p in w.retired.iter().chain(std::iter::once(&current)) {
            // SAFETY: nobody reads a table that is being dropped; each index was made by `Box::into_raw`.
            drop(unsafe { Box::from_raw(p) });
        }
        for (s, seg) in self.segments.iter().enumerate() {
            let p = seg.load(Ordering::Relaxed);
            if !p.is_null() {
                // SAFETY: made in `add` with this capacity; entries have no destructor.
                drop(unsafe { Vec::from_raw_parts(p, 0, segment_len(s)) });
            }
        }
    }
}

/// Stores `id` in the first free slot of its probe sequence.
fn list(index: &Index, hash: u32, id: u32, order: Ordering) {
    let mask = index.slots.len() - 1;
    let mut i = hash as usize & mask;
    while index.slots[i].load(Ordering::Relaxed) != 0 {
        i = (i + 1) & mask;
    }
    index.slots[i].store(id + 1, order);
}

macro_rules! well_known {
    ($($name:ident = $text:expr;)*) => {
        /// Atoms with a fixed index, known at compile time.
        pub mod atoms {
            use super::Atom;
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Position { $($name),* }
            $(#[doc = concat!("The atom `", $text, "`.")]
              pub const $name: Atom = Atom::from_index(Position::$name as u32);)*
            pub(super) const TEXTS: &[&str] = &[$($text),*];
        }
    };
}

well_known! {
    NIL = "[]"; DICT = "dict"; DOT = "[|]"; ISO_DOT = "."; CURLY = "{}"; COMMA = ","; SEMICOLON = ";"; ARROW = "->"; SOFT_ARROW = "*->";
    NECK = ":-"; QUERY = "?-"; DCG_ARROW = "-->"; BAR = "|"; NOT = "\\+"; CUT = "!"; TRUE = "true"; FALSE = "false";
    FAIL = "fail"; EQUALS = "="; NOT_EQUALS = "\\="; ARG = "arg"; IDENTICAL = "=="; NOT_IDENTICAL = "\\=="; LESS = "@<"; GREATER = "@>";
    LESS_EQ = "@=<"; GREATER_EQ = "@>="; UNIV = "=.."; IS = "is"; NUM_EQ = "=:="; NUM_NE = "=\\="; NUM_LT = "<"; NUM_LE = "=<";
    NUM_GT = ">"; NUM_GE = ">="; PLUS = "+"; MINUS = "-"; STAR = "*"; SLASH = "/"; INT_DIV = "//"; POWER = "**"; CARET = "^";
    SHIFT_LEFT = "<<"; SHIFT_RIGHT = ">>"; BIT_AND = "/\\"; BIT_OR = "\\/"; BACKSLASH = "\\"; COLON = ":"; MOD = "mod"; REM = "rem";
    DIV = "div"; RDIV = "rdiv"; XOR = "xor"; MIN = "min"; MAX = "max"; CALL = "call"; CATCH = "catch"; FINDALL = "findall"; ERROR = "error";
    USER = "user"; SYSTEM = "system"; VAR = "var"; ATOM = "atom"; ATOMIC = "atomic"; CALLABLE = "callable"; COMPOUND = "compound"; INTEGER = "integer";
    NUMBER = "number"; FLOAT = "float"; RATIONAL = "rational"; STRING = "string"; LIST = "list"; CODES = "codes"; CHARS = "chars"; EMPTY = "";
    VARN = "$VAR"; END_OF_FILE = "end_of_file"; TYPE_ERROR = "type_error"; DOMAIN_ERROR = "domain_error"; EXISTENCE_ERROR = "existence_error";
    PERMISSION_ERROR = "permission_error"; INSTANTIATION_ERROR = "instantiation_error"; UNINSTANTIATION_ERROR = "uninstantiation_error";
    RESOURCE_ERROR = "resource_error"; REPRESENTATION_ERROR = "representation_error"; EVALUATION_ERROR = "evaluation_error";
    SYNTAX_ERROR = "syntax_error"; CONTEXT = "context"; PROCEDURE = "procedure"; STREAM = "stream"; MEMORY = "memory"; EVALUABLE = "evaluable";
    ZERO_DIVISOR = "zero_divisor"; UNDEFINED = "undefined"; FLOAT_OVERFLOW = "float_overflow"; NOT_LESS_THAN_ZERO = "not_less_than_zero";
    CHARACTER = "character"; CHARACTER_CODE = "character_code"; IN_CHARACTER = "in_character"; IN_CHARACTER_CODE = "in_character_code"; BYTE = "byte";
    IN_BYTE = "in_byte"; PREDICATE_INDICATOR = "predicate_indicator"; MODIFY = "modify"; ACCESS = "access"; STATIC_PROCEDURE = "static_procedure";
    PRIVATE_PROCEDURE = "private_procedure"; READ = "read"; WRITE = "write"; APPEND = "append"; UPDATE = "update"; INPUT = "input"; OUTPUT = "output";
    OPEN = "open"; CREATE = "create"; SOURCE_SINK = "source_sink"; ALIAS = "alias"; TEXT = "text"; BINARY = "binary"; BINARY_STREAM = "binary_stream";
    TEXT_STREAM = "text_stream"; PAST_END_OF_STREAM = "past_end_of_stream"; USER_INPUT = "user_input"; USER_OUTPUT = "user_output"; USER_ERROR = "user_error";
    ON = "on"; OFF = "off"; DYNAMIC = "dynamic"; XFX = "xfx"; XFY = "xfy"; YFX = "yfx"; FY = "fy"; FX = "fx"; XF = "xf"; YF = "yf";
    MAIN = "main"; THREAD = "thread"; MESSAGE_QUEUE = "message_queue"; MUTEX = "mutex"; EXCEPTION = "exception"; TABLED_CALL = "$tabled_call";
    ATT = "att"; ATTRIBUTED = "$attributed"; WOKEN = "$woken"; WAKE = "$wake"; FREEZE = "freeze"; FROZEN_AND = "$and";
    EXTERNAL_EXCEPTION = "external_exception"; ABORT = "$aborted"; UNKNOWN = "unknown"; BOOL = "bool"; PAIR = "pair";
    EXIT = "exit"; CLEANUP = "cleanup"; ORDER = "order"; KEY = "key"; INF = "inf"; NAN = "nan"; EPSILON = "epsilon"; PI = "pi"; E = "e";
    RESUME = "$resume"; FILE = "file"; LINE = "line"; ANSWER = "ret"; TNOT = "tnot"; DELAY = "$delay"; DEFAULT = "default"; EOF_ACTION = "eof_action"; SSU = "=>"; SSU_CHOICE = "?=>"; DOLLAR = "$"; MATCHING_RULE = "matching_rule"; NO_VALUE = "$no_value"; NO_CATCHER = "$no_catcher";
    ABS = "abs"; SIGN = "sign"; MSB = "msb"; GCD = "gcd"; TRUNCATE = "truncate"; MODULE = "module"; CHAR = "char"; CODE = "code";
    TERM_EXPANSION = "term_expansion"; GOAL_EXPANSION = "goal_expansion"; T = "t";
    LIBRARY_EXPANSION = "$library_expansion"; DOUBLE_QUOTES = "double_quotes"; BACK_QUOTES = "back_quotes"; VAR_PREFIX = "var_prefix"; ISO = "iso"; GENERATE_DEBUG_INFO = "generate_debug_info"; TRIE_NODE = "trienode"; OPTIMISE = "optimise"; OPTIMISE_DEBUG = "optimise_debug";
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn interning_is_stable() {
        let a = Atom::new("hello world");
        assert_eq!(a, Atom::new("hello world"));
        assert_eq!(a.as_str(), "hello world");
        assert_ne!(a, Atom::new("hello"));
        assert_eq!(Atom::existing("never seen before, surely"), None);
    }

    #[test]
    fn no_text_finds_what_is_reserved() {
        assert_ne!(Atom::new("[]"), atoms::NIL);
        assert_eq!(atoms::NIL.as_str(), "[]");
        assert_ne!(Atom::new("dict"), atoms::DICT);
        assert!(atoms::DICT.is_reserved() && !atoms::DOT.is_reserved());
        assert_eq!(Atom::new("call"), atoms::CALL);
    }

    /// Whoever can be refused is, before the places that are kept are used; others find one.
    #[test]
    fn who_can_be_refused_leaves_places() {
        let t = AtomTable::new();
        let refuses = |bytes: usize| bytes < 40_000;
        let mut n = 0;
        while t.intern_if(&format!("a{n}"), refuses).is_some() {
            n += 1;
            assert!(t.has_places(&t.lock(), KEPT - 1), "after {n}");
        }
        assert!(n > 500, "{n}");
        assert_eq!(t.intern_if("a7", |_| false), Some(7));
        for i in 0..KEPT - 1 {
            assert!(
                t.add_listed(format!("b{i}"), hash(&format!("b{i}")))
                    .is_some()
            );
        }
        assert_eq!(t.text(7), "a7");
    }

    #[test]
    fn many_atoms_from_many_threads_agree() {
        let n = if cfg!(miri) { 40 } else { 20_000 };
        let t = AtomTable::new();
        let ids: Vec<Vec<u32>> = std::thread::scope(|s| {
            let hs: Vec<_> = (0..4)
                .map(|_| s.spawn(|| (0..n).map(|i| t.intern(&format!("a{i}"))).collect()))
                .collect();
            hs.into_iter().map(|h| h.join().unwrap()).collect()
        });
        for v in &ids[1..] {
            assert_eq!(*v, ids[0]);
        }
        for (i, &id) in ids[0].iter().enumerate() {
            assert_eq!(t.text(id), format!("a{i}"));
        }
    }
}

/// `RUSTFLAGS="--cfg loom" cargo test -p samite-term --release loom`
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    #[test]
    fn loom_two_writers_agree_while_the_index_grows() {
        loom::model(|| {
            let t = Arc::new(AtomTable::new());
            t.intern("x");
            let t2 = t.clone();
            let h = loom::thread::spawn(move || (t2.intern("a"), t2.intern("b")));
            let b = t.intern("b");
            let (a2, b2) = h.join().unwrap();
            assert_eq!(b, b2);
            assert_ne!(a2, b2);
            assert_eq!(t.intern("a"), a2);
            assert_eq!(t.text(b), "b");
        });
    }

    #[test]
    fn loom_a_reader_never_sees_a_half_written_entry() {
        loom::model(|| {
            let t = Arc::new(AtomTable::new());
            let t2 = t.clone();
            let h = loom::thread::spawn(move || t2.intern("abc"));
            if let Some(id) = t.lookup("abc", hash("abc")) {
                assert_eq!(t.text(id), "abc");
            }
            let id = h.join().unwrap();
            assert_eq!(t.lookup("abc", hash("abc")), Some(id));
        });
    }
}
