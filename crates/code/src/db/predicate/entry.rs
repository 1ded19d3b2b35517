//! Where a call of a predicate goes: its entry code.
//!
//! | state | `entry` | `beside` | left by |
//! |---|---|---|---|
//! | plain | the code of its kind ([`crate::db::kinds`]) | not looked at | `begin_reloading`, `declare_meta` |
//! | [`flag::RELOADING`], maybe [`flag::QUALIFIES`] too | `Undefined`, which tells the loading threads from others | the code of its kind, for the others | `end_reloading`, the last of as many as have begun |
//! | [`flag::QUALIFIES`] alone | `Meta`, which tells the meta-arguments their module | the code of its kind, which follows it | `begin_reloading`, `declare_meta` |
//!
//! The kind's code is replaced by [`Predicate::set_entry`] and [`Predicate::set_entry_op`], which put it where the state has it, and by
//! [`Predicate::lead_to_library`]; that of a tabled predicate's clauses is apart ([`Predicate::body`]: null, to be linked, until `link` makes it, and again
//! after each change). All these are under the predicate's lock, or before anybody can find it.
//!
//! *Orderings.* Entry, beside and body are released when they are set: the words that they lead to were written before. A call need not
//! acquire for its jump, since loads through a pointer are ordered; who looks at more than those words does. Between the states: on the way
//! in the flag is set before the entry leads through the check, so that who comes there finds it (release and acquire of the flags); on the
//! way back the entry is set before the flag goes, so that who came by the old one and finds no flag takes the present one.

use super::meta::{TRANSPARENT, WRAPPED, is_meta};
use super::{Predicate, flag};
use crate::instr::{self, Op, word};
use crate::sync::AtomicPtr;
use std::sync::atomic::Ordering;

/// Entry code of a predicate. *Equation*: of each instruction there is at most one, however often the predicate becomes dynamic, static
/// or undefined again; they stay as long as the predicate, since threads may be about to jump to any of them.
#[derive(Debug)]
pub(super) struct EntryCode {
    words: [u64; 2],
    next: *const EntryCode,
}

/// Predicates that are marked as being loaded again as long as this is there, be it dropped by a panic.
#[derive(Debug)]
pub struct Marked(Vec<&'static Predicate>);

impl Marked {
    pub fn begin(of: Vec<&'static Predicate>) -> Marked {
        of.iter().for_each(|p| p.begin_reloading());
        Marked(of)
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        self.0.iter().for_each(|p| p.end_reloading());
    }
}

impl Predicate {
    #[inline(always)]
    pub fn entry(&self) -> *const u64 {
        self.entry.load(Ordering::Acquire)
    }
    /// Code of a tabled predicate's clauses; null if they have to be linked.
    pub fn body(&self) -> *const u64 {
        self.body.load(Ordering::Acquire)
    }
    pub(crate) fn set_body(&self, code: *const u64) {
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
    pub(crate) fn set_entry(&self, code: *const u64) {
        self.entry_slot().store(code as *mut u64, Ordering::Release);
    }
    /// Sets the entry to `[op][self]`, as [`Predicate::set_entry`].
    pub(crate) fn set_entry_op(&'static self, op: Op) {
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
    pub(super) fn entry_words(&'static self, op: Op) -> [u64; 2] {
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
    /// Lets calls tell threads apart that load the predicate again. Each call of this is followed by one of [`Predicate::end_reloading`] (see [`Marked`]).
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
        self.change(&w, 0, flag::RELOADING | new);
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
            self.change(&w, flag::DEFINED, 0);
            self.set_entry_op(Op::Undefined);
        }
        // The entry first: who comes through the old one and finds no flag takes the present one.
        let entry = match self.has(flag::QUALIFIES) {
            true => self.entry_code(Op::Meta),
            false => self.beside(),
        };
        self.entry.store(entry.cast_mut(), Ordering::Release);
        self.change(&w, flag::NEW | flag::RELOADING, 0);
    }
    /// A program declares meta-arguments, or takes back what it has declared, that it is transparent too: from now on they are told their module where the predicate is
    /// entered, whenever its callers were compiled.
    pub fn declare_meta(&'static self, spec: Option<Vec<u8>>) {
        let transparent = spec.is_some() && self.is_transparent();
        self.see_to(&self.lock(), spec, transparent, self.is_wrapped());
    }
    /// Both as they were declared before.
    pub fn declare_context(&'static self, spec: Option<Vec<u8>>, transparent: bool) {
        self.see_to(&self.lock(), spec, transparent, self.is_wrapped());
    }
    /// A program declares that it is transparent: it is told the module of its caller where it is entered.
    pub fn be_transparent(&'static self) {
        let spec = self.meta().map(<[u8]>::to_vec);
        self.see_to(&self.lock(), spec, true, self.is_wrapped());
    }
    /// Whether its calls are led to a wrapper.
    pub fn be_wrapped(&'static self, wrapped: bool) {
        let spec = self.meta().map(<[u8]>::to_vec);
        self.see_to(&self.lock(), spec, self.is_transparent(), wrapped);
    }
    /// What is seen to where it is entered.
    fn see_to(
        &'static self,
        w: &super::Writer,
        spec: Option<Vec<u8>>,
        transparent: bool,
        wrapped: bool,
    ) {
        let mut spec = spec;
        if transparent || wrapped {
            let all = spec.get_or_insert_with(|| vec![b'?'; self.arity()]);
            all.extend(transparent.then_some(TRANSPARENT));
            all.extend(wrapped.then_some(WRAPPED));
        }
        let seen_to = |s: u8| is_meta(s) || s == TRANSPARENT || s == WRAPPED;
        let has_some = spec.as_ref().is_some_and(|s| s.iter().any(|&s| seen_to(s)));
        self.meta.set(spec);
        if has_some == self.has(flag::QUALIFIES) {
            return;
        }
        let reloading = self.has(flag::RELOADING);
        let present = self.present_entry().cast_mut();
        if has_some {
            self.beside.store(present, Ordering::Release);
            self.change(w, 0, flag::QUALIFIES);
            if !reloading {
                let code = self.entry_code(Op::Meta);
                self.entry.store(code.cast_mut(), Ordering::Release);
            }
        } else {
            if !reloading {
                // Before the flag, as when a load ends.
                self.entry.store(present, Ordering::Release);
            }
            self.change(w, flag::QUALIFIES, 0);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::db::predicate::Domain;
    use samite_term::{Functor, atoms};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn marks_go_with_a_panic() {
        let domain = Domain::new();
        let new = |arity| Predicate::new(domain, atoms::USER, Functor::new(atoms::MAIN, arity));
        let of = [new(1), new(2)];
        let entry = of[0].entry();
        // One of them is being loaded again already.
        of[1].begin_reloading();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let _marked = Marked::begin(of.to_vec());
            assert!(of.iter().all(|p| p.has(flag::RELOADING)));
            panic!("a test's");
        }));
        assert!(result.is_err());
        assert!(!of[0].has(flag::RELOADING) && of[1].has(flag::RELOADING));
        assert_eq!(of[0].entry(), entry);
        of[1].end_reloading();
        assert!(!of[1].has(flag::RELOADING | flag::DEFINED));
    }
}
