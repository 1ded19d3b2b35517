//! The lists of one predicate or twin, whose lock is held: clauses come, are erased and swept out; the index follows.

use super::chain::Chain;
use super::index::{add_to_index, retire_index, skip_in_index, sweep_index};
use super::key::ANY_KEY;
use super::list::{NoRoom, push};
use super::predicate::{Clause, ClauseList, Predicate, Retired, Writer, flag};

/// Why a clause was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no memory for longer lists.
    NoRoom,
    /// It is of a dynamic predicate's form, and the predicate has become static meanwhile.
    Static,
    /// It is a rule of single-sided unification and the predicate has other clauses, or the other way round.
    Mixed,
}

/// Whether a predicate or a twin, whose lock is held, has clauses that this one cannot stand among.
pub(crate) fn would_mix(predicate: &Predicate, w: &Writer, clause: &Clause) -> bool {
    w.live > 0 && predicate.has(flag::ONE_SIDED) != clause.is_one_sided()
}

/// A predicate or a twin, whose lock is held, gets clauses like this one.
#[inline]
fn be_like(predicate: &Predicate, w: &Writer, clause: &Clause) {
    match (predicate.has(flag::ONE_SIDED), clause.is_one_sided()) {
        (false, true) => predicate.change(w, 0, flag::ONE_SIDED),
        (true, false) => predicate.change(w, flag::ONE_SIDED, 0),
        _ => {}
    }
}

/// A clause is not added. The name that it may have goes with it.
#[cold]
#[allow(
    clippy::boxed_local,
    reason = "it is dropped where it is, not moved first"
)]
pub(crate) fn refuse(clause: Box<Clause>, why: Refused) -> Result<(), Refused> {
    clause.forget_name();
    Err(why)
}

/// A clause that is in its lists becomes visible. Under its predicate's lock.
pub(crate) fn be_born(raw: *mut Clause) {
    // SAFETY: just made, published by the list; nobody frees it while the lock is held.
    let c = unsafe { &*raw };
    let change = c.predicate.begin_change();
    c.be_born(c.predicate.domain.next_generation());
    c.predicate.has_changed(false);
    if let Some(change) = change {
        change.of(|i| c.key_in_head(i));
    }
}

/// Adds a clause to the list and the index of a predicate or a twin, whose lock is held.
#[inline]
pub(crate) fn link_in(
    predicate: &'static Predicate,
    w: &mut Writer,
    raw: *mut Clause,
    key: u64,
    at_end: bool,
) -> Result<(), NoRoom> {
    if w.live == 0 {
        // SAFETY: just made, and nobody frees it while the lock is held.
        be_like(predicate, w, unsafe { &*raw });
    }
    if let Some(old) = push(predicate, predicate.list_ptr(), raw, Some(w.live), at_end)? {
        left_out(predicate, w, old);
    }
    w.live += 1;
    w.unkeyed += usize::from(key == ANY_KEY);
    add_to_index(predicate, raw, at_end, w.live);
    Ok(())
}

/// Memory that the next clause at this end takes beside itself: longer lists, a larger index. For who can refuse to add it.
pub fn growth(predicate: &Predicate, at_end: bool) -> usize {
    predicate.clauses().growth(at_end) + predicate.indexed.get().map_or(0, |i| i.growth())
}

/// A clause of a predicate or a twin, whose lock is held, has been erased. Whether the erased clauses are to be taken out of its list.
#[inline]
pub(super) fn lose(predicate: &'static Predicate, w: &mut Writer, clause: &Clause) -> bool {
    w.live -= 1;
    w.erased += 1;
    w.unkeyed -= usize::from(clause.key == ANY_KEY);
    debug_assert!(w.unkeyed <= w.live);
    predicate.clauses().skip_erased();
    skip_in_index(predicate, clause, w.live);
    is_to_be_swept(w)
}

/// Whether the erased clauses are so many that taking them out, and making the index again, is paid for by having erased them.
///
/// It may be that there is no memory for the list of the others. Then it is tried again after each 64th part of all clauses that has been
/// erased, and at the last one, when nothing needs memory: so what is refused is not in proportion to what is erased.
fn is_to_be_swept(w: &Writer) -> bool {
    let all = w.live + w.erased;
    w.erased > 8 && w.erased > w.live && (w.live == 0 || w.erased.is_multiple_of(1.max(all / 64)))
}

/// Takes erased clauses out of the lists and retires them.
pub(super) fn sweep(predicate: &'static Predicate, w: &mut Writer) {
    let old = match predicate.compacted(w.live, true) {
        Some(new) => predicate.install(new),
        None if w.live == 0 => predicate.clear(),
        // Another time.
        None => return,
    };
    left_out(predicate, w, old);
}

/// A list has been replaced by one without the erased clauses. Nobody finds them any more, once they have left the indexes too.
fn left_out(predicate: &'static Predicate, w: &mut Writer, old: *mut ClauseList) {
    if w.erased > 0 {
        sweep_index(predicate);
        let mut dead = Chain::new();
        // SAFETY: the list has been unlinked just now, and is retired below; nobody finds its erased clauses.
        unsafe { retire_erased(&mut dead, &*old) };
        debug_assert!(dead.len() == w.erased);
        w.erased = 0;
        predicate.retire(Retired::Chain(dead));
    }
    predicate.retire_list(old);
}

/// Puts into a chain what has been erased in a list.
///
/// # Safety
/// As [`Chain::retire`], for all of them.
pub(crate) unsafe fn retire_erased(dead: &mut Chain<Clause>, list: &ClauseList) {
    for (pointer, c) in list.all() {
        if c.is_erased() {
            // SAFETY: the caller's promise.
            unsafe { dead.retire(pointer) };
        }
    }
}

/// Leaves a predicate, whose lock is held, without clauses; the list that it had, which is to be retired.
pub(super) fn take_all(predicate: &'static Predicate, w: &mut Writer) -> *mut ClauseList {
    (w.live, w.erased, w.unkeyed) = (0, 0, 0);
    // As `put`.
    let index = predicate.indexed.take();
    let old = predicate.clear();
    retire_index(predicate, index);
    old
}

/// Gives a predicate or a twin, whose lock is held, another list, without what has been erased.
pub(crate) fn put(predicate: &'static Predicate, w: &mut Writer, all: Vec<*mut Clause>) {
    put_list(predicate, w, predicate.list_of(all));
}

/// The same of a list in which nothing is erased; `None`: an empty one.
pub(super) fn put_list(predicate: &'static Predicate, w: &mut Writer, all: Option<ClauseList>) {
    let clauses = || all.iter().flat_map(ClauseList::all);
    w.live = clauses().count();
    w.erased = 0;
    w.unkeyed = clauses().filter(|(_, c)| c.key == ANY_KEY).count();
    if let Some((_, first)) = clauses().next() {
        be_like(predicate, w, first);
    }
    // First the index: who still has it has the old list.
    let index = predicate.indexed.take();
    let unlinked = match all {
        Some(all) => predicate.install(Box::new(all)),
        None => predicate.clear(),
    };
    predicate.retire_list(unlinked);
    retire_index(predicate, index);
}
