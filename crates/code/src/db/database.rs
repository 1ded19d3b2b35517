//! Changing predicates: adding, erasing, wiping, exchanging. Writers of one predicate exclude each other by its lock; readers are
//! never blocked (invariants in [`super::predicate`] and [`super::view`]). What kind of predicate it becomes thereby: [`super::kinds`].

use super::chain::Chain;
use super::exchange::{New, exchange_raw};
use super::kinds::{self, relink};
use super::lists::{
    be_born, is_paid_by_want, link_in, lose, refuse, skip_gone, sweep, take_all, would_mix,
};
use super::predicate::{Clause, Predicate, Retired, Writer, flag};
use super::sweep;
use crate::instr::Op;
use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::Atom;
use samite_term::growth;

pub use super::index::INDEX_FROM;
pub use super::kinds::{
    end_thread_local, look_again, make_dynamic, make_dynamic_if_empty, make_tabled,
    make_thread_local, make_untabled, publish, undefine_if_empty,
};
pub use super::lists::{Refused, growth};

/// Adds a clause; it is visible to calls that start afterwards. If it is refused it is dropped.
pub fn add(
    predicate: &'static Predicate,
    clause: Box<Clause>,
    at_end: bool,
) -> Result<(), Refused> {
    add_within(predicate, clause, at_end, None)
}

/// The same; with a generation of a transaction only that sees it.
pub(crate) fn add_within(
    predicate: &'static Predicate,
    clause: Box<Clause>,
    at_end: bool,
    within: Option<u64>,
) -> Result<(), Refused> {
    let key = clause.key;
    let mut w = predicate.lock();
    if !kinds::takes(predicate, &w, &clause) {
        return refuse(clause, Refused::Static);
    }
    if would_mix(predicate, &w, &clause) {
        return refuse(clause, Refused::Mixed);
    }
    if !w.twins.is_empty() && sweep::make_room(predicate, &mut w, at_end).is_err() {
        return refuse(clause, Refused::NoRoom);
    }
    let dynamic = !clause.is_linked();
    let raw = Box::into_raw(clause);
    if link_in(predicate, &mut w, raw, key, at_end).is_err() {
        // SAFETY: just made, and nobody has seen it.
        return refuse(unsafe { Box::from_raw(raw) }, Refused::NoRoom);
    }
    for t in &w.twins {
        let linked = link_in(t.predicate, &mut t.predicate.lock(), raw, key, at_end);
        debug_assert!(linked.is_ok(), "there is room in all lists");
    }
    if within.is_some() {
        w.unborn += 1;
        for t in &w.twins {
            t.predicate.lock().unborn += 1;
        }
    }
    be_born(raw, within);
    kinds::has_got(predicate, &w, dynamic);
    Ok(())
}

/// Erases a clause, for a worker ([`ReaderSlot::number`](super::readers::ReaderSlot::number)); false if it was erased before: one
/// caller gets true.
pub fn erase(clause: &'static Clause, by: u16) -> bool {
    let predicate = clause.predicate;
    let mut w = predicate.lock();
    if clause.is_erased() {
        return false;
    }
    let change = predicate.begin_change();
    let g = predicate.next_death();
    for t in &w.twins {
        t.predicate.be_as_new_as(g);
    }
    clause.die(g, by);
    predicate.has_changed(true);
    if let Some(change) = change {
        change.of(|i| clause.key_in_head(i));
    }
    let full = bury(predicate, &mut w, clause);
    if !predicate.is_dynamic() {
        relink(predicate, &w);
    }
    if full {
        sweep_lists(predicate, &mut w);
    }
    true
}

/// A clause of a predicate, whose lock is held, has died. Whether the lists are to be swept.
#[inline]
pub(crate) fn bury(predicate: &'static Predicate, w: &mut Writer, clause: &Clause) -> bool {
    clause.let_name_go();
    let mut full = !clause.is_unread() && lose(predicate, w, clause);
    for t in &w.twins {
        full |= t.has(clause) && lose(t.predicate, &mut t.predicate.lock(), clause);
    }
    full
}

/// Takes what is gone out of the lists of a predicate, whose lock is held.
pub(crate) fn sweep_lists(predicate: &'static Predicate, w: &mut Writer) {
    if w.twins.is_empty() {
        sweep(predicate, w);
    } else {
        sweep::sweep_all(predicate, w);
    }
}

/// What is gone leaves the lists of a predicate and its twins, however little it is if `all`, and else if it is some share of them: somebody wants the memory that it takes.
/// (What is left of it, for older snapshots, counts no more.)
pub fn sweep_for_memory(predicate: &'static Predicate, all: bool) {
    if predicate.is_twin() {
        return;
    }
    let mut w = predicate.lock();
    if w.erased > w.held as usize && (all || is_paid_by_want(&w)) {
        skip_gone(predicate);
        sweep_lists(predicate, &mut w);
    }
}

/// Erases all clauses, in one step.
pub fn wipe(predicate: &'static Predicate) {
    wipe_raw(predicate, &mut predicate.lock(), 0);
}

/// [`wipe`] of a predicate whose lock is held. As [`exchange_raw`] of all clauses for none, without memory for it.
fn wipe_raw(predicate: &'static Predicate, w: &mut Writer, by: u16) {
    let without_snapshots = predicate.domain.clock().without_snapshots();
    if !w.twins.is_empty() || without_snapshots.is_none() {
        drop(without_snapshots);
        let done = exchange_raw(predicate, w, &|_| true, &New::default());
        debug_assert!(done.is_ok(), "what only takes away is not refused");
        return;
    }
    if w.live == 0 && w.erased == 0 {
        return;
    }
    let change = predicate.begin_change();
    let old = take_all(predicate, w);
    relink(predicate, w);
    let g = predicate.next_death();
    let mut dead = Chain::new();
    // SAFETY: just unlinked, and retired below.
    for (pointer, c) in unsafe { &*old }.all() {
        if !c.is_erased() {
            c.die(g, by);
        }
        // (One that was erased under a snapshot has kept it.)
        c.forget_name();
        // SAFETY: nobody finds the list any more.
        unsafe { dead.retire(pointer) };
    }
    predicate.has_changed(true);
    if let Some(change) = change {
        change.of_any();
    }
    predicate.retire(Retired::Chain(dead));
    predicate.retire_list(old);
}

/// Exchanges in one step the clauses for which `dies` holds for new ones, which take the place of the first of them, or if there is none
/// come before all others: a call sees either
/// all of the old or all of the new clauses, and those that run go on with the old ones.
///
/// The step is the replacement of the list: the new clauses are born before it is made, so that they are visible to whoever finds it, and
/// the others die when nobody can find the old list any more. What a load in progress has read for itself is not theirs and stays, and so does what a
/// transaction has added that has not ended.
///
/// Refused: there is no memory for longer lists. The predicate is as before, and the new clauses are dropped.
pub fn exchange(
    predicate: &'static Predicate,
    dies: impl Fn(&Clause) -> bool,
    new: Vec<Box<Clause>>,
    behind: FxHashSet<Atom>,
) -> Result<(), growth::Refused> {
    let mut w = predicate.lock();
    let dies = |c: &Clause| c.is_left_to_loads() && dies(c);
    let mut new = New::of(new)?;
    new.behind = behind;
    let done = exchange_raw(predicate, &mut w, &dies, &new);
    if done.is_err() {
        new.discard(predicate);
    }
    done
}

/// [`exchange`] of clauses for none, which is not refused: without memory for new lists they are erased one after another.
pub fn withdraw(predicate: &'static Predicate, dies: impl Fn(&Clause) -> bool) {
    let done = exchange(predicate, dies, Vec::new(), FxHashSet::default());
    debug_assert!(done.is_ok(), "what only takes away is not refused");
}

/// Whether a predicate is static.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeStatic {
    Yes,
    /// A clause has been added of which there is no copy.
    NotYet,
    /// A transaction that has not ended has added one: it cannot be among others' before that, nor can the transaction add it to a static predicate. Or it has
    /// erased one, of which there would be a copy then.
    InTransaction,
}

/// Makes a dynamic predicate static, in one step: its clauses are exchanged for `copies` of them, all linked, in their order. Refused: nothing has
/// changed. Caller holds the lock.
pub fn make_static(
    predicate: &'static Predicate,
    w: &mut Writer,
    copies: &mut FxHashMap<*const Clause, Box<Clause>>,
) -> Result<MadeStatic, growth::Refused> {
    if w.unborn > 0 || w.claimed > 0 {
        return Ok(MadeStatic::InTransaction);
    }
    let alive = || predicate.clauses().alive().map(std::ptr::from_ref);
    if !alive().all(|c| copies.contains_key(&c)) {
        return Ok(MadeStatic::NotYet);
    }
    let mut first = growth::with_room(copies.len())?;
    first.extend(alive().filter_map(|c| copies.remove(&c)).map(Box::into_raw));
    let new = New {
        first,
        ..New::default()
    };
    if exchange_raw(predicate, w, &|c| !c.is_unread(), &new).is_err() {
        new.discard(predicate);
        return Err(growth::Refused);
    }
    kinds::be_static(predicate, w);
    sweep::verify(predicate, w);
    Ok(MadeStatic::Yes)
}

/// Bytes that an exchange makes beside the clauses, for each: its lists, while they double, and the new list of the predicate.
pub const EXCHANGED: usize = 64;

/// Wipes the predicate and makes it undefined, if that still holds of it. `by`: the worker that a walk of its own shall find the clauses in
/// nevertheless, or 0.
pub fn abolish(
    predicate: &'static Predicate,
    by: u16,
    if_still: impl Fn(&Predicate, &Writer) -> bool,
) {
    let mut w = predicate.lock();
    if !if_still(predicate, &w) {
        return;
    }
    let change = predicate.begin_change();
    // Undefined first, then without clauses: no call finds it defined and empty.
    kinds::be_untabled(predicate, &w);
    let kind = flag::THREAD_LOCAL | flag::DYNAMIC | flag::DYNAMIC_BY_FILE;
    let declared = flag::MULTIFILE | flag::DISCONTIGUOUS | flag::TOLD;
    predicate.change(&w, kind | declared, 0);
    kinds::be_undefined(predicate, &w);
    predicate.set_entry_op(Op::Undefined);
    wipe_raw(predicate, &mut w, by);
    predicate.set_entry_op(Op::Undefined);
    if let Some(change) = change {
        change.of_any();
    }
    kinds::verify(predicate, &w, true);
}
