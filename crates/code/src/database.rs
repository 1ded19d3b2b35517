//! Changing predicates: adding, erasing, wiping, exchanging. Writers of one predicate exclude each other by its lock; readers are
//! never blocked (invariants in [`crate::predicate`] and [`crate::view`]). What kind of predicate it becomes thereby: [`crate::kinds`].

use crate::chain::Chain;
use crate::clause_list::{ClauseList, KeyIndex, NoRoom, clear, compacted, install, push, replace};
use crate::kinds::{self, relink};
use crate::names;
use crate::predicate::{ANY_KEY, BOX_KEY, Clause, NEVER, Predicate, Writer};
use crate::reclaim::{Retired, retire};
use crate::twins;
use rustc_hash::FxHashMap;
use samite_term::{common, growth};
use std::sync::atomic::Ordering;

pub use crate::kinds::{
    abolish, end_thread_local, make_dynamic, make_dynamic_if_empty, make_tabled, make_thread_local,
    make_untabled, publish, undefine_if_empty,
};

/// Why a clause was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no memory for longer lists.
    NoRoom,
    /// It is of a dynamic predicate's form, and the predicate has become static meanwhile.
    Static,
}

/// A dynamic predicate with more clauses than this gets an index when it is called with its first argument bound.
pub const INDEX_FROM: usize = 8;

/// Adds a clause; it is visible to calls that start afterwards. If it is refused it is dropped.
pub fn add(
    predicate: &'static Predicate,
    clause: Box<Clause>,
    at_end: bool,
) -> Result<(), Refused> {
    let key = clause.key;
    let mut w = predicate.lock();
    if !kinds::takes(predicate, &w, &clause) {
        return refuse(clause, Refused::Static);
    }
    if !w.twins.is_empty() && twins::make_room(predicate, &mut w, at_end).is_err() {
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
    be_born(raw);
    kinds::has_got(predicate, &w, dynamic);
    Ok(())
}

/// A clause is not added. The name that it may have goes with it.
#[cold]
pub(crate) fn refuse(clause: Box<Clause>, why: Refused) -> Result<(), Refused> {
    names::forget(&clause);
    Err(why)
}

/// A clause that is in its lists becomes visible. Under its predicate's lock.
pub(crate) fn be_born(raw: *mut Clause) {
    // SAFETY: just made, published by the list; nobody frees it while the lock is held.
    let c = unsafe { &*raw };
    c.birth
        .store(c.predicate.domain.next_generation(), Ordering::Release);
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
    if let Some(old) = push(predicate, predicate.list_ptr(), raw, Some(w.live), at_end)? {
        left_out(predicate, w, old);
    }
    let index = predicate.index_ptr().load(Ordering::Relaxed);
    if !has_own_key(key) {
        w.unkeyed += 1;
        if !predicate.unindexable.swap(true, Ordering::Relaxed) && !index.is_null() {
            drop_index(predicate);
        }
    } else if !index.is_null() {
        // SAFETY: the lock is held, so the index stays.
        match unsafe { &*index }.add(predicate, raw, key, at_end) {
            Ok(None) => {}
            Ok(Some(old)) => retire(predicate, Retired::List(old)),
            Err(NoRoom) => build_index(predicate),
        }
    }
    w.live += 1;
    Ok(())
}

/// Memory that the next clause at this end takes beside itself: longer lists, a larger index. For who can refuse to add it.
pub fn growth(predicate: &Predicate, at_end: bool) -> usize {
    // SAFETY: an index is retired, not freed under workers that have entered.
    let index = unsafe { predicate.index_ptr().load(Ordering::Acquire).as_ref() };
    predicate.clauses().growth(at_end) + index.map_or(0, KeyIndex::growth)
}

/// Whether an index can tell clauses with this key from others.
fn has_own_key(key: u64) -> bool {
    key != ANY_KEY && key != BOX_KEY
}

/// Erases a clause, for a worker ([`ReaderSlot::number`](crate::reclaim::ReaderSlot::number)); false if it was erased before: one
/// caller gets true.
pub fn erase(clause: &'static Clause, by: u16) -> bool {
    let predicate = clause.predicate;
    let mut w = predicate.lock();
    if clause.is_erased() {
        return false;
    }
    let g = predicate.next_death();
    for t in &w.twins {
        t.predicate.be_as_new_as(g);
    }
    clause.die(g, by);
    names::forget(clause);
    let mut full = !clause.is_unread() && lose(predicate, &mut w, clause);
    for t in &w.twins {
        full |= t.has(clause) && lose(t.predicate, &mut t.predicate.lock(), clause);
    }
    if !predicate.is_dynamic() {
        relink(predicate, &w);
    }
    if full {
        if w.twins.is_empty() {
            sweep(predicate, &mut w);
        } else {
            twins::sweep(predicate, &mut w);
        }
    }
    true
}

/// A clause of a predicate or a twin, whose lock is held, has been erased. Whether the erased clauses are to be taken out of its list.
#[inline]
fn lose(predicate: &'static Predicate, w: &mut Writer, clause: &Clause) -> bool {
    w.live -= 1;
    w.erased += 1;
    if !has_own_key(clause.key) {
        w.unkeyed -= 1;
        predicate
            .unindexable
            .store(w.unkeyed > 0, Ordering::Relaxed);
    }
    debug_assert!(w.unkeyed <= w.live);
    predicate.clauses().skip_erased();
    let index = predicate.index_ptr().load(Ordering::Relaxed);
    // SAFETY: the lock is held, so the index stays.
    if let Some(list) = unsafe { index.as_ref() }.and_then(|i| i.get(clause.key)) {
        list.skip_erased();
    }
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

/// Takes erased clauses out of the lists and retires them. The index is built again when it is next wanted.
fn sweep(predicate: &'static Predicate, w: &mut Writer) {
    let old = match compacted(predicate, w.live, true) {
        Some(new) => install(predicate, predicate.list_ptr(), new),
        None if w.live == 0 => clear(predicate),
        // Another time.
        None => return,
    };
    left_out(predicate, w, old);
}

/// A list has been replaced by one without the erased clauses. Nobody finds them any more, once the index is gone too.
fn left_out(predicate: &'static Predicate, w: &mut Writer, old: *mut ClauseList) {
    if w.erased > 0 {
        drop_index(predicate);
        let mut dead = Chain::new();
        // SAFETY: the list has been unlinked just now, and is retired below; nobody finds its erased clauses.
        unsafe { retire_erased(&mut dead, &*old) };
        debug_assert!(dead.len() == w.erased);
        w.erased = 0;
        retire(predicate, Retired::Clauses(dead));
    }
    retire(predicate, Retired::List(old));
}

/// Puts into a chain what has been erased in a list.
///
/// # Safety
/// As [`Chain::retire`], for all of them.
pub(crate) unsafe fn retire_erased(dead: &mut Chain, list: &ClauseList) {
    for (pointer, c) in list.all() {
        if c.is_erased() {
            // SAFETY: the caller's promise.
            unsafe { dead.retire(pointer) };
        }
    }
}

pub(crate) fn drop_index(predicate: &'static Predicate) {
    let old = predicate
        .index_ptr()
        .swap(std::ptr::null_mut(), Ordering::AcqRel);
    if !old.is_null() {
        retire(predicate, Retired::Index(old));
    }
}

/// Builds (again) the first-argument index, or without the memory for it drops it. Caller holds the lock.
fn build_index(predicate: &'static Predicate) {
    let list = predicate.clauses();
    let (from, to) = list.bounds();
    let old = predicate.index_ptr().load(Ordering::Relaxed);
    let keys = if old.is_null() {
        16
    } else {
        // SAFETY: the lock is held.
        unsafe { &*old }.keys() * 2
    };
    let mut room = keys;
    'again: loop {
        let Some(index) = KeyIndex::with_room(room, predicate.domain.generation()) else {
            return drop_index(predicate);
        };
        for (pointer, c) in list.entries(from, to) {
            if c.is_erased() {
                continue;
            }
            match index.add(predicate, pointer, c.key, true) {
                Ok(None) => {}
                Ok(Some(unused)) => {
                    // SAFETY: a list of an index nobody has seen yet.
                    drop(unsafe { Box::from_raw(unused) });
                }
                Err(NoRoom) if index.is_full() => {
                    room *= 2;
                    continue 'again;
                }
                Err(NoRoom) => return drop_index(predicate),
            }
        }
        let old = predicate
            .index_ptr()
            .swap(Box::into_raw(Box::new(index)), Ordering::AcqRel);
        if !old.is_null() {
            retire(predicate, Retired::Index(old));
        }
        return;
    }
}

/// The index of a dynamic predicate, built now if it is worth it.
#[inline]
pub fn index_of(predicate: &'static Predicate) -> Option<&'static KeyIndex> {
    let p = predicate.index_ptr().load(Ordering::Acquire);
    if !p.is_null() {
        // SAFETY: indexes are retired, not freed under readers.
        return Some(unsafe { &*p });
    }
    if predicate.unindexable.load(Ordering::Relaxed) || predicate.clauses().len() <= INDEX_FROM {
        return None;
    }
    // An index is no more than a help.
    if !common::may_take(KeyIndex::bytes_for(predicate.clauses().len()), 0) {
        return None;
    }
    let _w = predicate.lock();
    if predicate.index_ptr().load(Ordering::Acquire).is_null()
        && !predicate.unindexable.load(Ordering::Relaxed)
    {
        build_index(predicate);
    }
    let p = predicate.index_ptr().load(Ordering::Acquire);
    // SAFETY: as above.
    (!p.is_null()).then(|| unsafe { &*p })
}

/// Erases all clauses, in one step.
pub fn wipe(predicate: &'static Predicate) {
    wipe_raw(predicate, &mut predicate.lock(), 0);
}

/// [`wipe`] of a predicate whose lock is held. As [`exchange_raw`] of all clauses for none, without memory for it.
pub(crate) fn wipe_raw(predicate: &'static Predicate, w: &mut Writer, by: u16) {
    if !w.twins.is_empty() {
        exchange_raw(predicate, w, &|_| true, &New::default());
        return;
    }
    if w.live == 0 && w.erased == 0 {
        return;
    }
    let old = take_all(predicate, w);
    relink(predicate, w);
    let g = predicate.next_death();
    let mut dead = Chain::new();
    // SAFETY: just unlinked, and retired below.
    for (pointer, c) in unsafe { &*old }.all() {
        if !c.is_erased() {
            c.die(g, by);
            names::forget(c);
        }
        // SAFETY: nobody finds the list any more.
        unsafe { dead.retire(pointer) };
    }
    retire(predicate, Retired::Clauses(dead));
    retire(predicate, Retired::List(old));
}

/// Leaves a predicate, whose lock is held, without clauses; the list that it had, which is to be retired.
fn take_all(predicate: &'static Predicate, w: &mut Writer) -> *mut ClauseList {
    (w.live, w.erased, w.unkeyed) = (0, 0, 0);
    // As `put`.
    let index = predicate
        .index_ptr()
        .swap(std::ptr::null_mut(), Ordering::AcqRel);
    let old = clear(predicate);
    predicate.unindexable.store(false, Ordering::Relaxed);
    if !index.is_null() {
        retire(predicate, Retired::Index(index));
    }
    old
}

/// Exchanges in one step the clauses for which `dies` holds for new ones, which take the place of the first of them, or if there is none
/// come before all others: a call sees either
/// all of the old or all of the new clauses, and those that run go on with the old ones.
///
/// The step is the replacement of the list: the new clauses are born before it is made, so that they are visible to whoever finds it, and
/// the others die when nobody can find the old list any more. What a load in progress has read for itself is not theirs and stays.
pub fn exchange(
    predicate: &'static Predicate,
    dies: impl Fn(&Clause) -> bool,
    new: Vec<Box<Clause>>,
) {
    let mut w = predicate.lock();
    let dies = |c: &Clause| !c.is_unread() && dies(c);
    exchange_raw(predicate, &mut w, &dies, &New::of(new));
}

/// Makes a dynamic predicate static, in one step: its clauses are exchanged for `copies` of them, all linked, in their order. Answers
/// whether it did: not if a clause has been added of which there is no copy. Refused: nothing has changed. (The caller has asked for what the
/// exchange itself makes, [`EXCHANGED`] bytes for each copy.)
pub fn make_static(
    predicate: &'static Predicate,
    copies: &mut FxHashMap<*const Clause, Box<Clause>>,
) -> Result<bool, growth::Refused> {
    let mut w = predicate.lock();
    let alive = || predicate.clauses().alive().map(std::ptr::from_ref);
    if !alive().all(|c| copies.contains_key(&c)) {
        return Ok(false);
    }
    let mut first = growth::with_room(copies.len())?;
    first.extend(alive().filter_map(|c| copies.remove(&c)).map(Box::into_raw));
    let new = New {
        first,
        ..New::default()
    };
    exchange_raw(predicate, &mut w, &|c| !c.is_unread(), &new);
    kinds::be_static(predicate, &w);
    twins::verify(predicate, &w);
    Ok(true)
}

/// Bytes that an exchange makes beside the clauses, for each: its lists, while they double, and the new list of the predicate.
pub const EXCHANGED: usize = 64;

/// Clauses that come by an exchange, made by `Box::into_raw`.
#[derive(Default)]
pub(crate) struct New {
    /// In the place of the first that dies. If none does: with a generation, before the first that was there by then, else before all.
    pub first: Vec<*mut Clause>,
    /// After a clause that stays, which all lists have.
    pub after: FxHashMap<*mut Clause, Vec<*mut Clause>>,
    pub since: Option<u64>,
}

impl New {
    fn of(clauses: impl IntoIterator<Item = Box<Clause>>) -> New {
        New {
            first: clauses.into_iter().map(Box::into_raw).collect(),
            ..New::default()
        }
    }
    fn is_empty(&self) -> bool {
        self.first.is_empty() && self.after.is_empty()
    }
    fn all(&self) -> impl Iterator<Item = *mut Clause> {
        (self.first.iter())
            .chain(self.after.values().flatten())
            .copied()
    }
}

/// [`exchange`] of a predicate, whose lock is held, and its twins, of which each gets those of the new clauses that it may have.
pub(crate) fn exchange_raw(
    predicate: &'static Predicate,
    w: &mut Writer,
    dies: &dyn Fn(&Clause) -> bool,
    new: &New,
) {
    let twins = std::mem::take(&mut w.twins);
    let plan = |p| Plan::new(p, dies, new.since);
    let mut plans = vec![plan(predicate)];
    plans.extend(twins.iter().map(|t| plan(t.predicate)));
    if !new.is_empty() || plans.iter().any(|p| !p.old.is_empty()) {
        let now = predicate.domain.generation();
        for c in new.all() {
            // SAFETY: nobody frees them while the lock is held.
            let birth = unsafe { &(*c).birth };
            // What a twin had has been born, and walks over the twin may be at it.
            if birth.load(Ordering::Relaxed) == NEVER {
                birth.store(now, Ordering::Relaxed);
            }
        }
        let (mut old, mut dead) = (Vec::new(), Chain::new());
        let mut plans = plans.into_iter();
        if let Some(plan) = plans.next() {
            plan.carry_out(predicate, w, &|_| true, new, &mut old, &mut dead);
        }
        for (plan, t) in plans.zip(&twins) {
            let mut own = t.predicate.lock();
            let has = |c: &Clause| t.has(c);
            plan.carry_out(t.predicate, &mut own, &has, new, &mut old, &mut dead);
        }
        // Before the clauses are retired: no call of a static predicate finds them any more.
        if new.is_empty() && w.live == 0 {
            relink(predicate, w);
        } else {
            // SAFETY: as above.
            let dynamic = new.all().any(|c| !unsafe { &*c }.is_linked());
            kinds::has_got(predicate, w, dynamic);
        }
        let g = predicate.next_death();
        for t in &twins {
            t.predicate.be_as_new_as(g);
        }
        for (pointer, c) in old {
            if !c.is_erased() {
                c.die(g, 0);
                names::forget(c);
            }
            // SAFETY: it has been left out of all lists.
            unsafe { dead.retire(pointer) };
        }
        if !dead.is_empty() {
            retire(predicate, Retired::Clauses(dead));
        }
    }
    w.twins = twins;
}

/// What an exchange makes of the list of a predicate or a twin.
struct Plan {
    /// What stays.
    all: Vec<*mut Clause>,
    old: Vec<(*mut Clause, &'static Clause)>,
    /// Where the new ones come.
    place: usize,
}

impl Plan {
    fn new(
        predicate: &'static Predicate,
        dies: &dyn Fn(&Clause) -> bool,
        since: Option<u64>,
    ) -> Plan {
        let list = predicate.clauses();
        let (from, to) = list.bounds();
        let alive = list.entries(from, to).filter(|(_, c)| !c.is_erased());
        let (mut all, mut old, mut place) = (Vec::new(), Vec::new(), None);
        let mut older = None;
        for (pointer, c) in alive {
            if dies(c) {
                place.get_or_insert(all.len());
                old.push((pointer, c));
            } else {
                if since.is_some_and(|g| !c.is_asserted_since(g)) {
                    older.get_or_insert(all.len());
                }
                all.push(pointer);
            }
        }
        let place = place.or(older).unwrap_or(0);
        Plan { all, old, place }
    }
    /// Replaces the list, which has those of the new clauses for which `has` holds. What it had goes to `old`, if it has not been
    /// erased, or to `dead`.
    fn carry_out(
        mut self,
        predicate: &'static Predicate,
        w: &mut Writer,
        has: &dyn Fn(&Clause) -> bool,
        new: &New,
        old: &mut Vec<(*mut Clause, &'static Clause)>,
        dead: &mut Chain,
    ) {
        // SAFETY: nobody frees them while the lock is held.
        let has = |c: &*mut Clause| has(unsafe { &**c });
        let after = |c: *mut Clause| new.after.get(&c).into_iter().flatten().filter(|c| has(c));
        if !new.after.is_empty() {
            let before: usize = (self.all[..self.place].iter())
                .map(|&c| after(c).count())
                .sum();
            let stay = std::mem::take(&mut self.all);
            for c in stay {
                self.all.push(c);
                self.all.extend(after(c));
            }
            self.place += before;
        }
        let first = new.first.iter().filter(|c| has(c));
        self.all.splice(self.place..self.place, first.copied());
        // SAFETY: they have been erased, and are left out below, and of the lists of all others before they are given away.
        unsafe { retire_erased(dead, predicate.clauses()) };
        old.extend(self.old);
        put(predicate, w, self.all);
    }
}

/// Gives a predicate or a twin, whose lock is held, another list, without what has been erased.
pub(crate) fn put(predicate: &'static Predicate, w: &mut Writer, all: Vec<*mut Clause>) {
    w.live = all.len();
    w.erased = 0;
    // SAFETY: clauses of the predicate, whose lock is held.
    w.unkeyed = all
        .iter()
        .filter(|&&c| !has_own_key(unsafe { (*c).key }))
        .count();
    // First the index: who still has it has the old list.
    let index = predicate
        .index_ptr()
        .swap(std::ptr::null_mut(), Ordering::AcqRel);
    let unlinked = replace(predicate, all);
    predicate
        .unindexable
        .store(w.unkeyed > 0, Ordering::Relaxed);
    retire(predicate, Retired::List(unlinked));
    if !index.is_null() {
        retire(predicate, Retired::Index(index));
    }
}
