//! What a predicate is said to be: its flags ([`flag`]), and how they come and go.
//!
//! | flags | come by | go by |
//! |---|---|---|
//! | `BUILTIN`, `INLINE` and the others of a row; the function | `be_builtin`, once, before anybody can find it | never |
//! | `CONTROL` | `be_control`, the same | never |
//! | `SYSTEM` | both, and `seal` | never |
//! | `CORE` | a row, `be_core` | never |
//! | `LIBRARY` | `be_library` | never |
//! | `LOADING` | `be_library` | [`publish`](crate::db::database::publish) |
//! | `DEFINED`, `DYNAMIC`, `TABLED`, `THREAD_LOCAL` | what changes its kind ([`crate::db::kinds`]); `DEFINED` also `declare`, `define` | the same; [`abolish`](crate::db::database::abolish) |
//! | `RELOADING`, `NEW`, `QUALIFIES` | with its entry code: `entry.rs` | there |
//! | `WEAK_IMPORT`, `STRONG_IMPORT` | with its link: `import.rs` | there |
//! | `MULTIFILE`, `DISCONTIGUOUS`, `TOLD` | `declare` | `undeclare`, `abolish` |
//! | `DYNAMIC_BY_FILE` | `be_dynamic_by` | the same; what ends its being dynamic |
//! | `KEPT` | `keep` | never |
//! | `LISTENED` | `be_listened_to` | the same |
//!
//! *Invariant*: flags change under the predicate's lock only ([`Predicate::change`] asks for what is behind it), so what is asked for under the lock
//! and done then is one step. Readers take no lock.
//!
//! *Orderings.* All flags are one word: `flags` shows them as they were at one moment. It is released when it changes, and acquired by readers, who
//! see what was done before the flag came (the link before it is an import). The function of a builtin is read relaxed:
//! it was written before the entry code that leads to who reads it.

use super::meta::{TRANSPARENT, WRAPPED};
use super::{Declared, Mode, Predicate, Writer, flag};
use crate::db::modes::How;
use std::sync::atomic::Ordering;

/// What declarations may say of a predicate that do not change its kind.
const DECLARATIONS: u32 = flag::MULTIFILE | flag::DISCONTIGUOUS | flag::TOLD;

impl Predicate {
    #[inline]
    pub fn has(&self, flag: u32) -> bool {
        self.flags.load(Ordering::Acquire) & flag != 0
    }
    /// All flags, as they are at one moment.
    pub fn flags(&self) -> u32 {
        self.flags.load(Ordering::Acquire)
    }
    /// Takes some flags and gives others, in one step. The writer is that of this predicate, whose lock is held.
    #[inline]
    pub(crate) fn change(&self, _held: &Writer, gone: u32, new: u32) {
        debug_assert!(self.is_locked());
        let before = self.flags.load(Ordering::Relaxed);
        let after = before & !gone | new;
        if after != before {
            self.flags.store(after, Ordering::Release);
        }
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
    /// Whether its changes are part of transactions: what Samite's own libraries keep is everybody's at once.
    pub fn is_transactional(&self) -> bool {
        !self.is_library()
    }
    pub fn is_dynamic(&self) -> bool {
        self.has(flag::DYNAMIC)
    }
    /// Becomes a builtin of the machine, with the flags and meta-arguments of its row: the entry code jumps to a handler that calls the function
    /// at that address. Both stay.
    pub fn be_builtin(&'static self, row: u32, meta: &str, function: usize, code: &'static [u64]) {
        self.function.store(function, Ordering::Relaxed);
        let meta = (!meta.is_empty()).then_some(meta);
        self.be_of_system(flag::BUILTIN | row, meta, code);
    }
    /// Becomes a control construct: the entry code jumps to its handler. It stays.
    pub fn be_control(&'static self, is_core: bool, meta: &str, code: &'static [u64]) {
        let core = if is_core { flag::CORE } else { 0 };
        self.be_of_system(flag::BUILTIN | flag::CONTROL | core, Some(meta), code);
    }
    fn be_of_system(&'static self, flags: u32, meta: Option<&str>, code: &'static [u64]) {
        let w = self.lock();
        if let Some(meta) = meta {
            self.meta.set(Some(meta.as_bytes().to_vec()));
        }
        self.change(&w, 0, flags | flag::SYSTEM | flag::DEFINED);
        self.set_entry(code.as_ptr());
    }
    /// The address of a builtin's function; 0: it is none.
    #[inline]
    pub fn function(&self) -> usize {
        self.function.load(Ordering::Relaxed)
    }
    /// Is part of the system from now on: see [`flag::SYSTEM`].
    pub fn seal(&self) {
        self.change(&self.lock(), 0, flag::SYSTEM);
    }
    /// See [`flag::CORE`].
    pub fn be_core(&self) {
        self.change(&self.lock(), 0, flag::CORE);
    }
    /// Is a library's. With `loading` nobody but the loading thread is to call it until it is published. Whether it was not being loaded before.
    pub fn be_library(&self, loading: bool) -> bool {
        // (For each clause of a library.)
        let new = flag::LIBRARY | if loading { flag::LOADING } else { 0 };
        if self.flags() & new == new {
            return false;
        }
        let w = self.lock();
        let begins = loading && !self.has(flag::LOADING);
        self.change(&w, 0, new);
        begins
    }
    /// Is declared multifile, discontiguous, which defines it, or one of [`flag::TOLD`].
    pub fn declare(&self, declarations: u32) {
        debug_assert!(declarations & !DECLARATIONS == 0);
        let defines = match declarations & !flag::TOLD {
            0 => 0,
            _ => flag::DEFINED,
        };
        self.change(&self.lock(), 0, declarations | defines);
    }
    /// Takes such declarations back. What they have defined stays so.
    pub fn undeclare(&self, declarations: u32) {
        debug_assert!(declarations & !DECLARATIONS == 0);
        self.change(&self.lock(), declarations, 0);
    }
    /// What stands for a declared predicate is defined as that is.
    pub fn define(&self) {
        self.change(&self.lock(), 0, flag::DEFINED);
    }
    /// See [`flag::KEPT`].
    pub fn keep(&self) {
        self.change(&self.lock(), 0, flag::KEPT);
    }
    /// Somebody is to be told of its changes from now on, or nobody any more. See [`flag::LISTENED`].
    pub fn be_listened_to(&self, is_told: bool) {
        let w = self.lock();
        match is_told {
            true => self.change(&w, 0, flag::LISTENED),
            false => self.change(&w, flag::LISTENED, 0),
        }
    }
    /// It is about to be declared dynamic by a file, which is a reason only if it is not dynamic yet, or by a goal, which stays one.
    pub fn be_dynamic_by(&self, file: bool) {
        let w = self.lock();
        if !file {
            self.change(&w, flag::DYNAMIC_BY_FILE, 0);
        } else if !self.is_dynamic() {
            self.change(&w, 0, flag::DYNAMIC_BY_FILE);
        }
    }
    /// It was not, and has become dynamic because a file says so: what was set before that may have been taken back by the end of another load.
    pub fn has_become_dynamic_by_file(&self) {
        self.change(&self.lock(), 0, flag::DYNAMIC_BY_FILE);
    }
    /// What its meta-arguments are, if any are declared.
    #[inline]
    pub fn meta(&self) -> Option<&'static [u8]> {
        self.meta
            .get()
            .map(|spec| &spec[..self.arity().min(spec.len())])
    }
    /// What is said behind them.
    fn marks(&self) -> &'static [u8] {
        let spec = self.meta.get().unwrap_or_default();
        &spec[self.arity().min(spec.len())..]
    }
    /// Whether it runs with the module of its caller.
    pub fn is_transparent(&self) -> bool {
        self.marks().first() == Some(&TRANSPARENT)
    }
    /// Whether its calls are led to a wrapper.
    pub fn is_wrapped(&self) -> bool {
        self.marks().last() == Some(&WRAPPED)
    }
    /// Whether its first argument names what belongs to the module that is being loaded, if nobody names another one, as those of declarations do. So who
    /// calls it tells it the module in any case.
    pub fn is_about_module(&self) -> bool {
        matches!(self.meta(), Some([b'M', ..]))
    }
    /// Declares the meta-arguments of one that is no program's: who calls it tells them their module. Of programs: [`Predicate::declare_meta`].
    pub fn know_meta(&self, spec: Vec<u8>) {
        let _w = self.lock();
        self.meta.set(Some(spec));
    }
    /// How a tabled predicate is declared; `None`: without modes, and nothing else.
    pub fn modes(&self) -> Option<&'static Declared> {
        // SAFETY: null or a declaration, which stays. Acquire: pairs with the release in `set_modes`.
        unsafe { self.modes.load(Ordering::Acquire).as_ref() }
    }
    /// See [`Predicate::modes`].
    pub fn declare_modes(&'static self, modes: &[Mode], how: How) {
        self.set_modes(&self.lock(), modes, how);
    }
    /// The same under the lock.
    pub(crate) fn set_modes(&'static self, _held: &Writer, modes: &[Mode], how: How) {
        let declared = self
            .domain
            .modes
            .declare(self, modes, how)
            .map_or(std::ptr::null(), std::ptr::from_ref);
        debug_assert!(self.is_locked());
        self.modes.store(declared.cast_mut(), Ordering::Release);
    }
}
