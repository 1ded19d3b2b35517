//! Atoms: a number of 32 bits for a text, the same in all threads ([`table`]), for as long as somebody has it.
//!
//! *Who has an atom*. An [`Atom`] is good until the next safe point of the thread that has it, and no other thread may have it: it is neither `Send`
//! nor `Sync`, so what threads share has none, nor has a static. At a safe point each atom that somebody will use again is
//!
//! ```text
//!   known at compile time (`atoms`), a name that the machine calls something by ([`Atom::new`]), or that of one ASCII character     they stay
//!   in a HeldAtom, HeldFunctor or HeldCell                              counted, crate::held
//!   in a word of a heap, a register, a choicepoint                      whose worker tells of it
//!   in words of terms off the heap                                      walked, crate::walked
//! ```
//!
//! An atom's number by itself ([`Atom::index`]), the bits of a cell or of a functor as a key hold nothing: who keeps these keeps the atom beside them.
//!
//! *Collecting them* ([`Collection`]) takes five steps, while all threads run. A *round* is over when each thread that runs has passed a safe point:
//!
//! ```text
//!   1 begin     who looks up a text, holds an atom, or makes a term off the heap, marks from now on
//!     a round:  each tells of what it has off its heap                      | what is put off a heap is marked now
//!   2 mark      what is held; what programs have off the heap               | all that is off the heap is marked now, and stays so
//!     a round:  each tells of what it has on its heap                       | so what it takes from there later is marked: all that is alive is
//!   3 sweep     what is not marked is taken out of the table
//!   4 end       nobody marks any more
//!     a round                                                               | nobody looks at what was taken out
//!   5 free
//! ```
//!
//! That is done by one thread of its own, and ordered by whoever knows the threads (`machine/engine/atoms.rs`). In between, an atom is in hands that are asked:
//! a thread tells at a safe point, one that sleeps or blocks is told of by another. Whoever is no program's thread, and is asked by nobody, has
//! atoms only within [`outside`].

mod life;
mod table;

pub use table::{AtomTable, Dead};

use parking_lot::{RwLock, RwLockReadGuard};
use std::marker::PhantomData;
use std::sync::OnceLock;
// (Not loom's: nothing is modelled here.)
use std::sync::atomic::{AtomicBool, Ordering};
use table::hash;

/// An atom: index of its text in the atom table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Atom(u32, PhantomData<*const ()>);

impl Atom {
    /// The atom of a name that the machine calls something by. It stays, whoever has it.
    pub fn new(name: &'static str) -> Atom {
        let atom = Atom::of(name);
        keep(atom);
        atom
    }
    /// The atom with this text, added if new.
    pub fn of(text: &str) -> Atom {
        Atom::from_index(table().intern(text))
    }
    /// The atom of one character; `None` as for [`Atom::new_if`].
    pub fn of_char_if(c: char, room: impl FnOnce(usize) -> bool) -> Option<Atom> {
        use std::sync::atomic::AtomicU32;
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
    /// How many atoms there are, and bytes that they take.
    pub fn statistics() -> (usize, usize) {
        table().statistics()
    }
    /// All atoms that text finds, in order of their numbers.
    pub fn all() -> impl Iterator<Item = Atom> {
        let (mut some, mut at) = (Vec::new().into_iter(), Some(0));
        std::iter::from_fn(move || {
            loop {
                if let Some(id) = some.next() {
                    return Some(Atom::from_index(id));
                }
                let (found, behind) = table().some_from(at?).unzip();
                (some, at) = (found.unwrap_or_default().into_iter(), behind);
            }
        })
    }
    /// During a collection: it is alive. Who puts it where other threads find it calls this.
    #[inline]
    pub fn mark(self) {
        if !is_known(self) {
            let table = table();
            if !table.entry(self.0).life.mark() {
                table.has_died(self.0);
            }
        }
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
        let table = table();
        let life = &table.entry(a.0).life;
        if is_collecting() {
            a.mark();
        }
        if cfg!(debug_assertions) && life.is_dying() {
            table.has_died(a.0);
        }
        life.hold();
    }
}

/// It stays, whoever holds it.
fn keep(a: Atom) {
    if !is_known(a) {
        table().entry(a.0).life.keep();
    }
}

/// One fewer holds it.
#[inline]
pub(crate) fn release(a: Atom) {
    if !is_known(a) {
        table().entry(a.0).life.release();
    }
}

/// How many hold it; `None`: it stays.
pub(crate) fn holders(a: Atom) -> Option<usize> {
    match is_known(a) {
        true => None,
        false => table().entry(a.0).life.holders(),
    }
}

/// Whether a collection is on: who puts a term where other threads find it marks its atoms.
#[inline]
pub fn is_collecting() -> bool {
    COLLECTING.load(Ordering::Acquire)
}

/// The table's, for who does not look at the table.
static COLLECTING: AtomicBool = AtomicBool::new(false);

/// Marks the atom of a word, if it looks like one of a term: of what is not known to be one.
pub fn mark_if_any(c: crate::Cell) {
    let number = match c.is_kind(crate::Kind::Functor) {
        true => c.0 >> 32,
        false if c.is_con() && c.0 & 0xf0 == 0 => c.0 >> 8,
        false => return,
    };
    let table = table();
    if number >= atoms::TEXTS.len() as u64 && number < u64::from(table.len()) {
        table.entry(number as u32).life.mark();
    }
}

/// The steps of a collection; see the module text. One at a time in a process.
pub struct Collection(());

impl Collection {
    /// The first step.
    pub fn begin() -> Collection {
        table().begin();
        COLLECTING.store(true, Ordering::SeqCst);
        Collection(())
    }
    /// Marks what is held.
    pub fn mark_held(&self) {
        table().mark_held();
    }
    /// Takes out what is not marked.
    pub fn sweep(&self) -> Dead {
        table().sweep()
    }
    /// Nobody marks any more.
    pub fn end(self) {
        COLLECTING.store(false, Ordering::SeqCst);
        table().end();
    }
}

/// The last step of a collection.
///
/// # Safety
/// Each thread that could have the atoms has passed a safe point since the sweep.
pub unsafe fn free(dead: Dead) {
    crate::positions::forget(&mut dead.ids().iter().map(|&id| Atom::from_index(id)));
    // SAFETY: promised by the caller.
    unsafe { table().free(dead, stress().is_none()) }
}

static STRESS: OnceLock<usize> = OnceLock::new();

/// For tests: a collection is due whenever so many bytes of atoms have been made, and the number of an atom that has died is not used again, so that who has it
/// still is found in debug builds.
pub fn set_stress(bytes: usize) {
    let _ = STRESS.set(bytes);
}

/// What [`set_stress`] was told.
pub fn stress() -> Option<usize> {
    STRESS.get().copied()
}

/// Bytes of the atoms that were made since the last collection began.
pub fn fresh() -> usize {
    table().fresh()
}

static HOOK: OnceLock<fn()> = OnceLock::new();

/// `hook` is called by whoever makes an atom when there are enough fresh ones ([`set_enough`]); it must be quick.
pub fn set_hook(hook: fn()) {
    let _ = HOOK.set(hook);
}

/// Those that there are now are not fresh: nobody collects for their sake.
pub fn forget_fresh() {
    table().forget_fresh();
}

/// From so many fresh bytes on the hook is called.
pub fn set_enough(bytes: usize) {
    table().set_enough(bytes);
}

/// What [`set_enough`] has set.
pub fn enough() -> usize {
    table().enough()
}

/// An atom more, and there are enough.
#[cold]
fn made_enough() {
    if let Some(hook) = HOOK.get() {
        hook();
    }
}

/// Held by who is no program's thread, and has atoms.
static OUTSIDE: RwLock<()> = RwLock::new(());

/// For as long as what is returned lives, a thread may have atoms that is no program's, or has none of its safe points yet. It must wait for no program's thread
/// meanwhile.
pub fn outside() -> RwLockReadGuard<'static, ()> {
    OUTSIDE.read_recursive()
}

/// Waits until each thread that was outside has been back.
pub fn await_outside() {
    drop(OUTSIDE.write());
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
            t.entry(id).life.keep();
            assert_eq!(id as usize, i, "well-known atom {text} is listed twice");
        }
        t
    })
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
    MAIN = "main"; THREAD = "thread"; THREAD_KIND = "thread_kind"; LIGHT = "light"; MEMORY_LIMIT = "memory_limit"; STACK_LIMIT = "stack_limit"; MESSAGE_QUEUE = "message_queue"; MUTEX = "mutex"; EXCEPTION = "exception"; TABLED_CALL = "$tabled_call";
    ATT = "att"; ATTRIBUTED = "$attributed"; WOKEN = "$woken"; WAKE = "$wake"; FREEZE = "freeze"; FROZEN_AND = "$and"; ATTR_UNIFY_HOOK = "attr_unify_hook";
    EXTERNAL_EXCEPTION = "external_exception"; ABORT = "$aborted"; UNKNOWN = "unknown"; BOOL = "bool"; PAIR = "pair";
    EXIT = "exit"; CLEANUP = "cleanup"; ORDER = "order"; KEY = "key"; INF = "inf"; NAN = "nan"; EPSILON = "epsilon"; PI = "pi"; E = "e";
    RESUME = "$resume"; FILE = "file"; LINE = "line"; ANSWER = "ret"; TNOT = "tnot"; DELAY = "$delay"; DEFAULT = "default"; EOF_ACTION = "eof_action"; SSU = "=>"; SSU_CHOICE = "?=>"; DOLLAR = "$"; MATCHING_RULE = "matching_rule"; NO_VALUE = "$no_value"; NO_CATCHER = "$no_catcher";
    ABS = "abs"; SIGN = "sign"; MSB = "msb"; GCD = "gcd"; TRUNCATE = "truncate"; MODULE = "module"; CHAR = "char"; CODE = "code";
    TERM_EXPANSION = "term_expansion"; GOAL_EXPANSION = "goal_expansion"; T = "t";
    LIBRARY_EXPANSION = "$library_expansion"; DOUBLE_QUOTES = "double_quotes"; BACK_QUOTES = "back_quotes"; VAR_PREFIX = "var_prefix"; QUASI_QUOTATIONS = "quasi_quotations"; ISO = "iso"; GENERATE_DEBUG_INFO = "generate_debug_info"; TRIE_NODE = "trienode"; OPTIMISE = "optimise"; OPTIMISE_DEBUG = "optimise_debug"; MUTEX_UNLOCK = "mutex_unlock"; RECORDS = "$records";
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn interning_is_stable() {
        let a = Atom::of("hello world");
        assert_eq!(a, Atom::of("hello world"));
        assert_eq!(a.as_str(), "hello world");
        assert_ne!(a, Atom::of("hello"));
        assert_eq!(Atom::existing("never seen before, surely"), None);
    }

    #[test]
    fn no_text_finds_what_is_reserved() {
        assert_ne!(Atom::of("[]"), atoms::NIL);
        assert_eq!(atoms::NIL.as_str(), "[]");
        assert_ne!(Atom::of("dict"), atoms::DICT);
        assert!(atoms::DICT.is_reserved() && !atoms::DOT.is_reserved());
        assert_eq!(Atom::of("call"), atoms::CALL);
    }
}
