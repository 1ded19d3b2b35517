//! What kind a predicate is: undefined, static, dynamic, thread-local, tabled. Its flags, its entry code and the form of its clauses tell
//! it, and callers and writers look at any of the three. So they change together, here, under the predicate's lock.
//!
//! A clause has one of two forms. A *linked* one was compiled for a static predicate: it has code when it is added, entry code may jump
//! there, and it is freed when nobody holds an address in it ([`super::frames`]). One that is not linked is compiled when it first
//! runs, is found by walks only, and is freed when no walk can find it.
//!
//! *Equations*, of a predicate whose lock is held; its entry is that for everybody:
//! 1. not `DYNAMIC` → all its clauses are linked;
//! 2. `TABLED` and defined → the entry is `Tabled`; else there is no body, and
//! 3. `DYNAMIC` → the entry is `Dynamic`, and `DEFINED`;
//! 4. `THREAD_LOCAL` → `DYNAMIC`;
//! 5. neither `TABLED` nor `DYNAMIC` nor `DEFINED` → the entry is not one of this predicate's that leads to clauses;
//! 6. `QUALIFIES` → what is called is `Meta`, before the entry, but for those who load it again.
//!
//! A walk may meet clauses of both forms; entry code is made of linked ones alone. Callers read without the lock: what they have read
//! of the kind before is as if they had called before, since entry code of each kind can be run until the next safe point whatever the
//! predicate has become: `Link` looks again under the lock, `Dynamic` walks what there is, a static predicate's code and clauses are freed as
//! [`super::frames`] says.

use super::modes::How;
use super::predicate::{Clause, Predicate, Writer, flag};
use crate::instr::{self, Op};

/// Whether a predicate, whose lock is held, may get this clause: a dynamic predicate both forms, one without clauses too (it becomes
/// dynamic), a static one only linked ones.
pub(crate) fn takes(predicate: &Predicate, w: &Writer, clause: &Clause) -> bool {
    clause.is_linked() || predicate.is_dynamic() || w.live == 0
}

/// A predicate, whose lock is held, has got clauses, among them one for dynamic predicates.
#[inline]
pub(crate) fn has_got(predicate: &'static Predicate, w: &Writer, dynamic: bool) {
    if dynamic && !predicate.is_dynamic() {
        predicate.change(w, 0, flag::DYNAMIC);
    }
    predicate.change(w, 0, flag::DEFINED);
    relink(predicate, w);
}

/// After a change, under the lock: the entry code of the predicate's kind.
#[inline]
pub(crate) fn relink(predicate: &'static Predicate, w: &Writer) {
    if predicate.has(flag::TABLED) && is_defined(predicate, w) {
        predicate.set_body(std::ptr::null());
        predicate.set_entry_op(Op::Tabled);
    } else if predicate.is_dynamic() {
        predicate.set_entry_op(Op::Dynamic);
    } else if predicate.has(flag::LOADING) || !is_defined(predicate, w) {
        // Half a definition is nobody's but the loader's, who comes there through the call of what is undefined.
        predicate.set_entry_op(Op::Undefined);
    } else {
        predicate.set_entry_op(Op::Link);
    }
    verify(predicate, w, false);
}

/// Whether it is defined for everybody.
pub(crate) fn is_defined(predicate: &Predicate, w: &Writer) -> bool {
    predicate.has(flag::DEFINED) && (w.live > 0 || !predicate.has(flag::NEW))
}

/// Something that entry code is made of has changed: it is made again.
pub fn look_again(predicate: &'static Predicate) {
    let w = predicate.lock();
    if !predicate.has(flag::BUILTIN) && is_defined(predicate, &w) {
        relink(predicate, &w);
    }
}

/// Lets everybody call a predicate whose file is loaded.
pub fn publish(predicate: &'static Predicate) {
    let w = predicate.lock();
    predicate.change(&w, flag::LOADING, 0);
    relink(predicate, &w);
}

/// Makes a predicate tabled: calls go through the table space. That alone does not define it.
pub fn make_tabled(predicate: &'static Predicate) {
    let w = predicate.lock();
    predicate.change(&w, 0, flag::TABLED);
    relink(predicate, &w);
}

/// A predicate that has no clauses and that nothing declares to have any is undefined.
pub fn undefine_if_empty(predicate: &'static Predicate) {
    let w = predicate.lock();
    if w.live > 0 || predicate.has(flag::DYNAMIC | flag::ANNOUNCED) {
        return;
    }
    be_undefined(predicate, &w);
    relink(predicate, &w);
}

pub(super) fn be_undefined(predicate: &Predicate, w: &Writer) {
    if predicate.has(flag::RELOADING) {
        // Not defined for others; calls by name must find what the loader sees.
        predicate.change(w, 0, flag::NEW);
    } else {
        predicate.change(w, flag::DEFINED, 0);
    }
}

/// Undoes [`make_tabled`].
pub fn make_untabled(predicate: &'static Predicate) {
    let w = predicate.lock();
    be_untabled(predicate, &w);
    relink(predicate, &w);
    verify(predicate, &w, true);
}

pub(super) fn be_untabled(predicate: &'static Predicate, w: &Writer) {
    predicate.set_modes(w, &[], How::default());
    predicate.change(w, flag::TABLED, 0);
    predicate.set_body(std::ptr::null());
}

/// Makes a predicate dynamic, keeping its clauses.
pub fn make_dynamic(predicate: &'static Predicate) {
    be_dynamic(predicate, &predicate.lock());
}

/// Makes a predicate dynamic that has no clauses and is not announced, or is dynamic; false if it has become static with some, or so.
#[must_use]
pub fn make_dynamic_if_empty(predicate: &'static Predicate) -> bool {
    let w = predicate.lock();
    let fixed = predicate.has(flag::DEFINED) && (w.live > 0 || predicate.has(flag::ANNOUNCED));
    if fixed && !predicate.is_dynamic() {
        return false;
    }
    be_dynamic(predicate, &w);
    true
}

/// The same under the lock, whatever it has.
pub(crate) fn be_dynamic(predicate: &'static Predicate, w: &Writer) {
    predicate.change(w, 0, flag::DYNAMIC | flag::DEFINED);
    relink(predicate, w);
}

/// A predicate, whose lock is held, has got linked clauses for those that it had, and is static from now on.
pub(crate) fn be_static(predicate: &'static Predicate, w: &Writer) {
    predicate.change(w, flag::DYNAMIC | flag::DYNAMIC_BY_FILE, 0);
    relink(predicate, w);
    verify(predicate, w, true);
}

/// Gives each thread clauses of its own; false, and nothing is changed, if there are clauses, which nobody would see any more, or a thread
/// that loads the predicate again, which has some of them for itself.
#[must_use]
pub fn make_thread_local(predicate: &'static Predicate) -> bool {
    let w = predicate.lock();
    if !predicate.has(flag::THREAD_LOCAL) && (w.live > 0 || w.loaders > 0) {
        return false;
    }
    let kind = flag::THREAD_LOCAL | flag::DYNAMIC | flag::DEFINED;
    predicate.change(&w, 0, kind);
    relink(predicate, &w);
    true
}

/// Undoes [`make_thread_local`]: the predicate is undefined, unless it is declared otherwise.
pub fn end_thread_local(predicate: &'static Predicate) {
    let w = predicate.lock();
    if !predicate.has(flag::THREAD_LOCAL) {
        return;
    }
    let kind = flag::THREAD_LOCAL | flag::DYNAMIC | flag::DYNAMIC_BY_FILE;
    predicate.change(&w, kind, 0);
    if !predicate.has(flag::ANNOUNCED) {
        be_undefined(predicate, &w);
    }
    relink(predicate, &w);
    verify(predicate, &w, true);
}

/// Checks the equations in debug builds; the first one, which takes a look at all clauses, with `clauses`. Panics if they do not hold.
pub(super) fn verify(predicate: &'static Predicate, w: &Writer, clauses: bool) {
    if !cfg!(any(debug_assertions, loom)) || predicate.has(flag::BUILTIN) {
        return;
    }
    let has = |flag| predicate.has(flag);
    let entry = predicate.present_entry();
    // SAFETY: entry code is at least one word, and what is the entry now is not freed while the lock is held.
    let op = instr::op(unsafe { *entry });
    if has(flag::TABLED) && is_defined(predicate, w) {
        assert_eq!(op, Op::Tabled);
    } else {
        assert!(predicate.body().is_null(), "a body that nobody calls");
        assert!(op != Op::Tabled);
        assert_eq!(has(flag::DYNAMIC), op == Op::Dynamic);
        assert!(has(flag::DEFINED) || op == Op::Undefined);
    }
    // SAFETY: the same.
    let called = instr::op(unsafe { *predicate.entry() });
    assert!(
        op != Op::Meta && (has(flag::RELOADING) || has(flag::QUALIFIES) == (called == Op::Meta))
    );
    assert!(has(flag::DEFINED) || !has(flag::DYNAMIC));
    assert!(has(flag::DYNAMIC) || !has(flag::THREAD_LOCAL));
    if clauses && !has(flag::DYNAMIC) {
        let list = predicate.clauses();
        let (from, to) = list.bounds();
        let mut alive = list.between(from, to).filter(|c| !c.is_erased());
        assert!(alive.all(|c| c.is_linked() && !c.code().is_null()));
    }
}
