//! The lists of one predicate or twin, whose lock is held: clauses come, are erased and swept out; the index follows.

use super::chain::Chain;
use super::clock::NONE;
use super::index::{add_to_index, retire_index, skip_in_index, sweep_index};
use super::key::ANY_KEY;
use super::list::{Entry, NoRoom, push};
use super::predicate::{Clause, ClauseList, Leaving, Predicate, Retired, Writer, flag};

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

/// A clause that is in its lists becomes visible, to a transaction alone if it has a generation of its. Under its predicate's lock.
#[inline]
pub(crate) fn be_born(raw: *mut Clause, within: Option<u64>) {
    // SAFETY: just made, published by the list; nobody frees it while the lock is held.
    let c = unsafe { &*raw };
    if within.is_some() || c.predicate.is_logged() {
        return be_born_with_log(c, within);
    }
    c.be_born(c.predicate.domain.next_generation());
    c.predicate.has_changed(false);
}

/// The same where tables are to hear of it, or to be the only ones.
#[cold]
#[inline(never)]
fn be_born_with_log(c: &Clause, within: Option<u64>) {
    let change = c.predicate.begin_change();
    c.be_born(within.unwrap_or_else(|| c.predicate.domain.next_generation()));
    if within.is_none() {
        c.predicate.has_changed(false);
    }
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
    let leaving = Leaving {
        predicate,
        oldest: predicate.domain.oldest(),
    };
    if let Some(old) = push(&leaving, predicate.list_ptr(), raw, Some(w.live), at_end)? {
        left_out(&leaving, w, old);
    }
    w.live += 1;
    w.links = w.links.wrapping_add(1);
    w.unkeyed += u32::from(key == ANY_KEY);
    add_to_index(predicate, raw, at_end, kept(w, leaving.oldest));
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
    w.unborn -= u32::from(clause.is_unborn());
    w.unkeyed -= u32::from(clause.key == ANY_KEY);
    debug_assert!(w.unkeyed as usize <= w.live);
    // (After its death has been taken.)
    let oldest = predicate.domain.oldest();
    predicate.clauses().skip_gone(oldest);
    skip_in_index(predicate, clause, kept(w, oldest), oldest);
    is_to_be_swept(w)
}

/// How many clauses an index is to be in proportion to: it has keys of those that are held for snapshots as well.
fn kept(w: &Writer, oldest: u64) -> usize {
    match oldest {
        NONE => w.live,
        _ => w.live + w.erased,
    }
}

/// Whether the erased clauses are so many that taking them out, and making the index again, is paid for by having erased them.
///
/// It may be that there is no memory for the list of the others. Then it is tried again after each 64th part of all clauses that has been
/// erased, and at the last one, when nothing needs memory: so what is refused is not in proportion to what is erased.
///
/// What had to be held for snapshots when they were swept last counts as if it had not been erased.
pub(super) fn is_to_be_swept(w: &Writer) -> bool {
    let all = w.live + w.erased;
    let others = w.live + w.held as usize;
    is_worth_sweeping(w) && (others == 0 || erased_since(w).is_multiple_of(1.max(all / 64)))
}

/// The same for who erases no more for now.
pub(super) fn is_worth_sweeping(w: &Writer) -> bool {
    let erased = erased_since(w);
    erased > 8 && erased > w.live + w.held as usize
}

/// Whether they are so many that taking them out is paid for where memory is wanted: those who are refused it again and again erase a share of the clauses each time.
pub(super) fn is_paid_by_want(w: &Writer) -> bool {
    erased_since(w) > (w.live + w.erased) / 64
}

/// How many have been erased beside what is held.
fn erased_since(w: &Writer) -> usize {
    w.erased.saturating_sub(w.held as usize)
}

/// Steps over what is gone at the front of a predicate, whose lock is held.
pub(super) fn skip_gone(predicate: &'static Predicate) {
    predicate.clauses().skip_gone(predicate.domain.oldest());
}

/// Takes clauses that are gone out of the lists and retires them.
pub(super) fn sweep(predicate: &'static Predicate, w: &mut Writer) {
    let oldest = predicate.domain.oldest();
    let old = match predicate.compacted(w.live, None, oldest) {
        Some(new) => predicate.install(new),
        None if w.live == 0 && oldest == NONE => predicate.clear(),
        // Another time.
        None => return,
    };
    left_out(&Leaving { predicate, oldest }, w, old);
}

/// A list has been replaced by one without the clauses that are gone. Nobody finds them any more, once they have left the indexes too.
fn left_out(leaving: &Leaving, w: &mut Writer, old: *mut ClauseList) {
    let predicate = leaving.predicate;
    if w.erased > 0 {
        sweep_index(leaving);
        let mut dead = Chain::new();
        // SAFETY: the list has been unlinked just now, and is retired below; nobody finds what is gone.
        unsafe { retire_gone(&mut dead, &*old, leaving.oldest) };
        w.erased -= dead.len();
        debug_assert!(w.erased == 0 || leaving.oldest != NONE);
        keep(predicate, w);
        predicate.retire(Retired::Chain(dead));
    }
    predicate.retire_list(old);
}

/// What is left of the erased clauses of a predicate, whose lock is held, is held for snapshots: it is swept again when one ends.
pub(crate) fn keep(predicate: &'static Predicate, w: &mut Writer) {
    if w.erased > 0 && w.held == 0 && !predicate.is_twin() {
        let mut keeping = predicate.domain.keeping.lock();
        if keeping.try_reserve(1).is_ok() {
            keeping.push(predicate);
        }
    }
    w.held = u32::try_from(w.erased).unwrap_or(u32::MAX);
}

/// Puts into a chain what is gone of a list.
///
/// # Safety
/// As [`Chain::retire`], for all of them.
pub(crate) unsafe fn retire_gone(dead: &mut Chain<Clause>, list: &ClauseList, oldest: u64) {
    for (pointer, c) in list.all() {
        if c.is_dead_to(oldest) {
            // (It may have been held.)
            c.forget_name();
            // SAFETY: the caller's promise.
            unsafe { dead.retire(pointer) };
        }
    }
}

/// Leaves a predicate, whose lock is held, without clauses; the list that it had, which is to be retired.
pub(super) fn take_all(predicate: &'static Predicate, w: &mut Writer) -> *mut ClauseList {
    (w.live, w.erased, w.unkeyed) = (0, 0, 0);
    (w.held, w.unborn) = (0, 0);
    w.links = w.links.wrapping_add(1);
    // As `put`.
    let index = predicate.indexed.take();
    let old = predicate.clear();
    retire_index(predicate, index);
    old
}

/// Gives a predicate or a twin, whose lock is held, another list.
pub(crate) fn put(predicate: &'static Predicate, w: &mut Writer, all: Vec<*mut Clause>) {
    put_list(predicate, w, predicate.list_of(all));
}

/// The same; `None`: an empty list.
pub(super) fn put_list(predicate: &'static Predicate, w: &mut Writer, all: Option<ClauseList>) {
    let clauses = || all.iter().flat_map(ClauseList::all);
    let alive = || clauses().filter(|(_, c)| !c.is_erased());
    w.live = alive().count();
    w.links = w.links.wrapping_add(1);
    w.erased = clauses().count() - w.live;
    w.unborn = alive().filter(|(_, c)| c.is_unborn()).count() as u32;
    w.unkeyed = alive().filter(|(_, c)| c.key == ANY_KEY).count() as u32;
    keep(predicate, w);
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
