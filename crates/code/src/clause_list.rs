//! Lists of clauses that grow at both ends under a writer's lock while readers walk them without one, and the
//! first-argument index of dynamic predicates, which maps keys to such lists.
//!
//! Invariants: slots between `from` and `to` are set and never change; a full list is replaced by a larger copy that
//! leaves erased clauses out. A reader takes the bounds once per call, so additions during the walk are not seen (they
//! would be invisible to its generation anyway). Erased clauses at the front are stepped over for later readers by raising
//! `from`; their slots stay set for readers that took the bounds before. What is then added in front is followed by a *jump* over them,
//! a slot with the index to go on at, so that a stack (`asserta/1`, `retract/1`) is walked and popped without visiting what it has lost.
//!
//! *Equation*: a jump at `i` to `t`: `i < t ≤ to`, and the clauses in `i+1 .. t` were erased before it was made. So whoever finds it in its
//! bounds, and a generation that no death before it exceeds ([`crate::view`]), misses none.
//!
//! Erased clauses elsewhere stay until they are more than the others ([`crate::database`]). Walks that look for the first matching clause
//! only would pass them again and again (a work list whose first entry stays: quadratic). So a reader that has passed several in a row leaves
//! a [`Hint`] in the slot of the first, in bits that no address has: how far to go on at least.
//!
//! *Equation*: a hint `d` at `i`: the clauses in `i .. i+d` are dead to [`ClauseList::hinted`], the newest generation of those who left hints,
//! and so to all younger ones; older walks go step by step, each slot once.
//! *Cost*: a row of erased clauses that a walk has passed is passed in a few steps, and so are two that meet when the clause between them is
//! erased: `FEW` and a few steps for each erasure since. (A hint is short of its row by 1/1024 of it at most, and is followed by one for the rest.)

use crate::index::spread;
use crate::predicate::{ANY_KEY, Clause, Predicate};
use crate::sync::{AtomicPtr, AtomicU64, AtomicUsize, shared};
use samite_term::common;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;

/// Most slots that a list gets for the erased clauses that were stepped over in the one before.
const CHURN: usize = 8;

/// So many erased clauses in a row are passed step by step.
const FEW: usize = if cfg!(loom) { 1 } else { 4 };

/// Bits of a slot that the address of a clause may have; addresses of processes are below this, and odd ones of no clause.
const ADDRESS: usize = (1 << HINT_SHIFT) - 1;
const HINT_SHIFT: u32 = 48;
/// The lowest bit says that there is no clause.
const JUMP: usize = 1;

/// What a slot holds that goes on at index `to`.
fn jump_to(to: usize) -> *mut Clause {
    std::ptr::without_provenance_mut(to << 1 | JUMP)
}

/// Where a slot goes on that holds no clause.
#[inline]
fn jump_of(slot: *mut Clause) -> Option<usize> {
    (slot.addr() & JUMP != 0).then(|| slot.addr() >> 1)
}

/// The clause of a slot that holds one.
#[inline]
fn clause_of(slot: *mut Clause) -> *mut Clause {
    slot.map_addr(|a| a & ADDRESS)
}

/// How many slots to go on by, at least: so many bits of the number, and how many are behind them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hint(u16);

impl Hint {
    const EXPONENT_BITS: u32 = 5;
    const DIGITS: u32 = u16::BITS - Hint::EXPONENT_BITS;

    /// The greatest that is not above `n`.
    fn up_to(n: usize) -> Hint {
        const { assert!(usize::BITS - Hint::DIGITS > 1 << Hint::EXPONENT_BITS) };
        let behind = (usize::BITS - n.leading_zeros()).saturating_sub(Hint::DIGITS);
        if behind >= 1 << Hint::EXPONENT_BITS {
            return Hint(u16::MAX);
        }
        Hint(((n >> behind) << Hint::EXPONENT_BITS) as u16 | behind as u16)
    }
    fn slots(self) -> usize {
        let behind = self.0 & ((1 << Hint::EXPONENT_BITS) - 1);
        usize::from(self.0 >> Hint::EXPONENT_BITS) << behind
    }
    /// That of a slot with a clause; of none it is 0.
    #[inline]
    fn of(slot: *mut Clause) -> Hint {
        Hint((slot.addr() >> HINT_SHIFT) as u16)
    }
    fn beside(self, clause: *mut Clause) -> *mut Clause {
        clause.map_addr(|a| a | usize::from(self.0) << HINT_SHIFT)
    }
}

#[cfg(test)]
thread_local! {
    /// Clauses that this thread has looked at in walks.
    pub(crate) static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    /// How often there is still no memory for a list.
    static REFUSALS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts what walks cost, for tests.
#[inline(always)]
fn step() {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
}

/// See the module text.
#[derive(Debug)]
pub struct ClauseList {
    slots: Box<[AtomicPtr<Clause>]>,
    from: AtomicUsize,
    to: AtomicUsize,
    /// Lowest slot ever used. Writers only.
    lowest: AtomicUsize,
    /// The newest generation of those who have left hints. Any reader, by [`ClauseList::leave_hints`].
    hinted: AtomicU64,
    /// The generation that it was made in.
    since: u64,
}

shared! {
    /// The list of all predicates that have had no clause: without slots, it never changes.
    static EMPTY: LazyLock<ClauseList> = LazyLock::new(|| {
        // It has always been there.
        ClauseList::of(Vec::new(), 0, 0)
    });
}

impl ClauseList {
    /// The list of those without clauses. It is replaced as the others are, but stays.
    pub(crate) fn empty() -> *mut ClauseList {
        std::ptr::from_ref::<ClauseList>(&EMPTY).cast_mut()
    }
    fn with_capacity(before: usize, after: usize, since: u64) -> ClauseList {
        ClauseList::of(Vec::with_capacity(before + after), before, since)
    }
    /// The same, if there is memory for it.
    fn if_room(before: usize, after: usize, since: u64) -> Option<ClauseList> {
        #[cfg(test)]
        if REFUSALS.get() > 0 {
            REFUSALS.set(REFUSALS.get() - 1);
            return None;
        }
        let mut slots = Vec::new();
        slots.try_reserve_exact(before + after).ok()?;
        Some(ClauseList::of(slots, before, since))
    }
    /// An empty list with as many slots as there is room for, made in that generation.
    fn of(mut slots: Vec<AtomicPtr<Clause>>, before: usize, since: u64) -> ClauseList {
        slots.resize_with(slots.capacity(), || AtomicPtr::new(std::ptr::null_mut()));
        let list = ClauseList {
            slots: slots.into_boxed_slice(),
            from: AtomicUsize::new(before),
            to: AtomicUsize::new(before),
            lowest: AtomicUsize::new(before),
            hinted: AtomicU64::new(0),
            since,
        };
        common::charge(list.bytes());
        list
    }
    /// The generation that it was made in: no reader of an older one has it.
    #[inline]
    pub fn since(&self) -> u64 {
        self.since
    }
    /// What tells it from other lists, while it is there.
    #[cfg(loom)]
    pub(crate) fn address(&self) -> usize {
        self.slots.as_ptr() as usize
    }
    /// First and one past the last index.
    #[inline]
    pub fn bounds(&self) -> (usize, usize) {
        // Acquire: pairs with the release stores in `push`.
        (
            self.from.load(Ordering::Acquire),
            self.to.load(Ordering::Acquire),
        )
    }
    /// The clause at an index that [`ClauseList::at`] found one at.
    #[inline]
    pub fn get(&self, i: usize) -> &'static Clause {
        let p = self.slots[i].load(Ordering::Relaxed);
        debug_assert!(jump_of(p).is_none());
        // SAFETY: slots inside the bounds are set (invariant), and clauses are only freed when no reader can hold them.
        unsafe { &*clause_of(p) }
    }
    /// What is at an index inside the bounds: a clause, or where to go on.
    #[inline]
    pub fn at(&self, i: usize) -> Result<&'static Clause, usize> {
        let p = self.slots[i].load(Ordering::Relaxed);
        match jump_of(p) {
            Some(to) => Err(to),
            // SAFETY: as in `get`.
            None => Ok(unsafe { &*clause_of(p) }),
        }
    }
    /// First index in `from..to` of a clause that `key` may match and generation `g` sees, or `to`; or where something is to be passed before.
    #[inline(always)]
    fn find_near(&self, from: usize, to: usize, key: u64, g: u64) -> Result<usize, usize> {
        let mut i = from;
        while i < to {
            step();
            match self.at(i) {
                Ok(c) if !c.is_dead_to(g) => {
                    if (c.key == key || c.key == ANY_KEY || key == ANY_KEY) && c.is_born_by(g) {
                        return Ok(i);
                    }
                    i += 1;
                }
                _ => return Err(i),
            }
        }
        Ok(to)
    }
    /// First index in `from..to` of a clause that `key` may match and generation `g` sees, or `to`.
    #[inline]
    pub(crate) fn find(&self, from: usize, to: usize, key: u64, g: u64) -> usize {
        let mut i = from;
        loop {
            match self.find_near(i, to, key, g) {
                Ok(found) => return found,
                Err(at) => i = self.pass(at, to, g),
            }
        }
    }
    /// The same if nothing is to be passed before, else `None`: for who keeps nothing on the native stack.
    #[inline(always)]
    pub fn find_at_once(&self, from: usize, to: usize, key: u64, g: u64) -> Option<usize> {
        self.find_near(from, to, key, g).ok()
    }
    /// The first index behind `from`, where a clause is dead to generation `g` or there is none, that has one that is not; at most `to`.
    #[cold]
    #[inline(never)]
    fn pass(&self, from: usize, to: usize, g: u64) -> usize {
        let (mut i, mut steps) = (from, 0);
        while i < to {
            step();
            // Acquire: pairs with the release in `leave_hints`; `hinted` is as new.
            let slot = self.slots[i].load(Ordering::Acquire);
            if let Some(target) = jump_of(slot) {
                i = target;
                continue;
            }
            let hint = Hint::of(slot);
            if hint.0 != 0 && self.hinted.load(Ordering::Relaxed) <= g {
                i += hint.slots();
            } else {
                // SAFETY: as in `get`.
                if !unsafe { &*clause_of(slot) }.is_dead_to(g) {
                    break;
                }
                i += 1;
            }
            steps += 1;
        }
        // (A hint may be of somebody who has seen the list longer, and a jump ends where it may.)
        let i = i.min(to);
        if steps > FEW {
            self.leave_hints(from, i, g);
        }
        i
    }
    /// The clauses from `from` to `to` are dead to generation `g`.
    fn leave_hints(&self, from: usize, to: usize, g: u64) {
        if cfg!(debug_assertions) {
            // (Some of them: lists may be long.)
            const SOME: usize = 100;
            let is_dead = |i| self.at(i).map_or(true, |c| c.is_dead_to(g));
            assert!((from..to.min(from + SOME)).all(is_dead));
            assert!((from.max(to.saturating_sub(SOME))..to).all(is_dead));
        }
        // Before the hints, which release it.
        self.hinted.fetch_max(g, Ordering::Relaxed);
        let mut i = from;
        while i + 1 < to {
            let slot = self.slots[i].load(Ordering::Relaxed);
            if let Some(target) = jump_of(slot) {
                i = target;
                continue;
            }
            let hint = Hint::up_to(to - i);
            // Others store the same clause here, with another hint.
            self.slots[i].store(hint.beside(clause_of(slot)), Ordering::Release);
            i += hint.slots();
        }
    }
    /// The clauses from `from` to `to`, without those that are jumped over, and the pointers that they are freed by.
    pub(crate) fn entries(
        &self,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = (*mut Clause, &'static Clause)> {
        let mut i = from;
        std::iter::from_fn(move || {
            while i < to {
                match self.at(i) {
                    Ok(c) => {
                        i += 1;
                        let slot = self.slots[i - 1].load(Ordering::Relaxed);
                        return Some((clause_of(slot), c));
                    }
                    Err(target) => i = target,
                }
            }
            None
        })
    }
    /// The clauses from `from` to `to`, without those that are jumped over.
    pub(crate) fn between(&self, from: usize, to: usize) -> impl Iterator<Item = &'static Clause> {
        self.entries(from, to).map(|(_, c)| c)
    }
    /// The clauses that are not erased. Caller holds the writer's lock.
    pub fn alive(&self) -> impl Iterator<Item = &'static Clause> {
        let (from, to) = self.bounds();
        self.between(from, to).filter(|c| !c.is_erased())
    }
    /// All clauses as [`ClauseList::entries`], those stepped over and jumped over too. Caller holds the writer's lock.
    pub(crate) fn all(&self) -> impl Iterator<Item = (*mut Clause, &'static Clause)> {
        let from = self.lowest.load(Ordering::Relaxed);
        let to = self.to.load(Ordering::Relaxed);
        (from..to).filter_map(|i| {
            let c = self.at(i).ok()?;
            Some((clause_of(self.slots[i].load(Ordering::Relaxed)), c))
        })
    }
    /// Adds a clause if there is room at that end. Caller holds the writer's lock.
    fn push(&self, clause: *mut Clause, at_end: bool) -> bool {
        if at_end {
            let to = self.to.load(Ordering::Relaxed);
            let Some(slot) = self.slots.get(to) else {
                return false;
            };
            slot.store(clause, Ordering::Relaxed);
            // Release: the slot before the bound.
            self.to.store(to + 1, Ordering::Release);
        } else {
            let from = self.from.load(Ordering::Relaxed);
            let mut lowest = self.lowest.load(Ordering::Relaxed);
            let wanted = if from == lowest { 1 } else { 2 };
            if lowest < wanted {
                return false;
            }
            if from != lowest {
                lowest -= 1;
                self.slots[lowest].store(jump_to(from), Ordering::Relaxed);
            }
            lowest -= 1;
            self.slots[lowest].store(clause, Ordering::Relaxed);
            self.lowest.store(lowest, Ordering::Relaxed);
            // Release: the slots before the bound.
            self.from.store(lowest, Ordering::Release);
        }
        true
    }
    /// Steps over erased clauses at the front. Caller holds the writer's lock.
    pub(crate) fn skip_erased(&self) {
        let (mut from, to) = self.bounds();
        while from < to {
            match self.at(from) {
                Ok(c) if c.is_erased() => from += 1,
                Ok(_) => break,
                Err(target) => from = target,
            }
        }
        self.from.store(from, Ordering::Release);
    }
    /// How many clauses are not erased. Caller holds the writer's lock.
    fn count_alive(&self) -> usize {
        self.alive().count()
    }
    /// A copy without erased clauses, of which there are `n` others, with room at one end; `None`: there is no memory for it.
    fn grown(&self, n: usize, at_end: bool, since: u64) -> Option<ClauseList> {
        let (from, to) = self.bounds();
        // What is taken away at the front while it grows goes on like that: a counter, a queue, a stack.
        let passed = from - self.lowest.load(Ordering::Relaxed);
        let room = n.max(1) + n / 2 + passed.min(CHURN);
        let list = if at_end {
            ClauseList::if_room(0, n + room, since)?
        } else {
            ClauseList::if_room(room, n, since)?
        };
        for (pointer, c) in self.entries(from, to) {
            if !c.is_erased() {
                list.push(pointer, true);
            }
        }
        debug_assert_eq!(list.len(), n);
        Some(list)
    }
    /// Slots between the bounds.
    pub fn len(&self) -> usize {
        let (from, to) = self.bounds();
        to - from
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Memory that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<ClauseList>() + size_of_val(&*self.slots)
    }
    /// Whether the next clause at this end needs a longer list, or may need one.
    #[inline]
    pub(crate) fn is_full(&self, at_end: bool) -> bool {
        if at_end {
            self.to.load(Ordering::Relaxed) == self.slots.len()
        } else {
            // As `push`: a jump may be needed too.
            self.lowest.load(Ordering::Relaxed) < 2
        }
    }
    /// Memory that growing takes, if the next clause at this end needs a longer list.
    pub fn growth(&self, at_end: bool) -> usize {
        if self.is_full(at_end) {
            4 * self.bytes()
        } else {
            0
        }
    }
}

impl Drop for ClauseList {
    fn drop(&mut self) {
        #[cfg(loom)]
        crate::loom_models::FREED_LISTS.with_borrow_mut(|all| all.push(self.address()));
        common::release(self.bytes());
    }
}

/// There was no memory for a longer list or a larger index; nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRoom;

/// Adds `clause` to the list behind `list`, one of the predicate's; returns the list it replaced, if any, to be retired. `live`: how many
/// clauses it has that are not erased, if that is known.
pub(crate) fn push(
    of: &Predicate,
    list: &AtomicPtr<ClauseList>,
    clause: *mut Clause,
    live: Option<usize>,
    at_end: bool,
) -> Result<Option<*mut ClauseList>, NoRoom> {
    let old = list.load(Ordering::Relaxed);
    // SAFETY: the caller holds the writer's lock, so the current list stays.
    let current = unsafe { &*old };
    if current.push(clause, at_end) {
        return Ok(None);
    }
    let n = live.unwrap_or_else(|| current.count_alive());
    let new = (current.grown(n, at_end, of.domain.generation())).ok_or(NoRoom)?;
    let pushed = new.push(clause, at_end);
    debug_assert!(pushed);
    Ok(Some(install(of, list, Box::new(new))))
}

/// What is to replace the list of a predicate: the same without erased clauses, of which there are `live` others, with room for one at that
/// end. `None`: there is no memory for that, as was seen at once.
pub(crate) fn compacted(of: &Predicate, live: usize, at_end: bool) -> Option<Box<ClauseList>> {
    // SAFETY: the caller holds the writer's lock.
    let current = unsafe { &*of.list_ptr().load(Ordering::Relaxed) };
    (current.grown(live, at_end, of.domain.generation())).map(Box::new)
}

/// Replaces the list behind `list`, one of the predicate's; returns the old one.
pub(crate) fn install(
    of: &Predicate,
    list: &AtomicPtr<ClauseList>,
    new: Box<ClauseList>,
) -> *mut ClauseList {
    of.be_as_new_as(new.since());
    list.swap(Box::into_raw(new), Ordering::AcqRel)
}

/// Replaces the list of a predicate by none, which takes no memory; returns the old one.
pub(crate) fn clear(of: &Predicate) -> *mut ClauseList {
    of.list_ptr().swap(ClauseList::empty(), Ordering::AcqRel)
}

/// Replaces the list of a predicate by one of these clauses; returns the old one.
pub(crate) fn replace(of: &Predicate, clauses: Vec<*mut Clause>) -> *mut ClauseList {
    if clauses.is_empty() {
        return clear(of);
    }
    let new = ClauseList::with_capacity(0, clauses.len(), of.domain.generation());
    for c in clauses {
        new.push(c, true);
    }
    install(of, of.list_ptr(), Box::new(new))
}

/// Key → clauses with that key, for predicates all of whose clauses have a key. Open addressing; slots are set once.
#[derive(Debug)]
pub struct KeyIndex {
    slots: Box<[AtomicPtr<Bucket>]>,
    used: AtomicUsize,
    /// The generation that it was made in; its lists are not older.
    since: u64,
}

/// The clauses of one key.
#[derive(Debug)]
pub struct Bucket {
    key: u64,
    pub(crate) list: AtomicPtr<ClauseList>,
}

impl KeyIndex {
    /// An empty index for so many keys, made in that generation; `None`: there is no memory for it.
    pub(crate) fn with_room(keys: usize, since: u64) -> Option<KeyIndex> {
        let n = (keys * 2).next_power_of_two().max(16);
        let mut slots = Vec::new();
        slots.try_reserve_exact(n).ok()?;
        slots.resize_with(n, || AtomicPtr::new(std::ptr::null_mut()));
        let index = KeyIndex {
            slots: slots.into_boxed_slice(),
            used: AtomicUsize::new(0),
            since,
        };
        common::charge(index.charged());
        Some(index)
    }
    /// See [`ClauseList::since`].
    pub(crate) fn since(&self) -> u64 {
        self.since
    }
    /// What is charged for it; its lists are charged by themselves.
    fn charged(&self) -> usize {
        size_of_val(&*self.slots) + self.keys() * size_of::<Bucket>()
    }
    /// Bytes of an index of so many keys, about, while it is made.
    pub(crate) fn bytes_for(keys: usize) -> usize {
        const LIST: usize = size_of::<ClauseList>() + 2 * size_of::<usize>();
        keys * (4 * size_of::<usize>() + size_of::<Bucket>() + LIST)
    }
    /// Memory that growing takes, if the next new key needs a larger one: all of it is made again.
    pub(crate) fn growth(&self) -> usize {
        let keys = self.keys();
        if self.is_full() {
            KeyIndex::bytes_for(2 * keys)
        } else {
            0
        }
    }
    pub(crate) fn is_full(&self) -> bool {
        (self.keys() + 1) * 2 > self.slots.len()
    }
    fn bucket(&self, key: u64) -> Result<&Bucket, usize> {
        let mask = self.slots.len() - 1;
        let mut i = spread(key) & mask;
        loop {
            // Acquire: pairs with the release in `add`.
            let b = self.slots[i].load(Ordering::Acquire);
            if b.is_null() {
                return Err(i);
            }
            // SAFETY: buckets live as long as some index that holds them; indexes are retired, not freed under readers.
            let b = unsafe { &*b };
            if b.key == key {
                return Ok(b);
            }
            i = (i + 1) & mask;
        }
    }
    /// The clauses with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&'static ClauseList> {
        let b = self.bucket(key).ok()?;
        // SAFETY: as in `Predicate::clauses`.
        Some(unsafe { &*b.list.load(Ordering::Acquire) })
    }
    /// Adds a clause of the predicate under its key; returns a list to retire. `Err` when the index is full and must be rebuilt, or can be
    /// no longer.
    pub(crate) fn add(
        &self,
        of: &Predicate,
        clause: *mut Clause,
        key: u64,
        at_end: bool,
    ) -> Result<Option<*mut ClauseList>, NoRoom> {
        match self.bucket(key) {
            Ok(b) => push(of, &b.list, clause, None, at_end),
            Err(i) => {
                if self.is_full() {
                    return Err(NoRoom);
                }
                // Nobody has seen the bucket: nothing is replaced, and nothing is to be retired.
                let list = ClauseList::with_capacity(0, 1, of.domain.generation());
                list.push(clause, true);
                of.be_as_new_as(list.since());
                let b = Box::new(Bucket {
                    key,
                    list: AtomicPtr::new(Box::into_raw(Box::new(list))),
                });
                self.slots[i].store(Box::into_raw(b), Ordering::Release);
                common::charge(size_of::<Bucket>());
                self.used.store(self.keys() + 1, Ordering::Relaxed);
                Ok(None)
            }
        }
    }
    /// Memory that it takes with its buckets, about.
    pub(crate) fn bytes(&self) -> usize {
        let list = size_of::<ClauseList>() + 2 * size_of::<usize>();
        self.charged() + self.keys() * list
    }
    pub(crate) fn keys(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

impl Drop for KeyIndex {
    fn drop(&mut self) {
        common::release(self.charged());
        for s in &self.slots {
            let b = s.load(Ordering::Relaxed);
            if !b.is_null() {
                // SAFETY: the index owns its buckets and their lists, and nobody reads a retired index any more.
                unsafe {
                    let b = Box::from_raw(b);
                    drop(Box::from_raw(b.list.load(Ordering::Relaxed)));
                }
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{ClauseList, Hint, REFUSALS, STEPS};
    use crate::database::{add, erase};
    use crate::domain::Domain;
    use crate::predicate::{ANY_KEY, Clause, Predicate};
    use crate::reclaim;
    use crate::view::view;
    use samite_term::{Atom, Functor};
    use std::collections::VecDeque;

    fn clause(p: &'static Predicate, line: u32) -> Box<Clause> {
        Box::new(Clause::new(p, u64::from(line) * 8, None, None, line))
    }

    /// The `n`-th clause.
    fn nth(p: &'static Predicate, n: usize) -> &'static Clause {
        p.visible_clauses().nth(n).unwrap()
    }

    const ROUNDS: u32 = if cfg!(miri) { 200 } else { 4000 };

    fn predicate(domain: &'static Domain) -> &'static Predicate {
        let p = Predicate::new(
            domain,
            Atom::from_index(2_000),
            Functor::new(Atom::from_index(2_001), 1),
        );
        crate::database::make_dynamic(p);
        p
    }

    /// Histories of additions at both ends and erasures, against a queue.
    #[test]
    fn lists_hold_what_was_added_and_not_erased() {
        let domain = Domain::new();
        let me = reclaim::register(domain, Box::new(|_| {}));
        let mut random: u32 = 17;
        for end in [1, 2, 5] {
            let p = predicate(domain);
            let mut model: VecDeque<u32> = VecDeque::new();
            for line in 1..ROUNDS {
                me.enter();
                random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
                let n = random >> 16;
                if n.is_multiple_of(2) {
                    let at_end = n / 2 % end == 1;
                    add(p, clause(p, line), at_end).unwrap();
                    if at_end {
                        model.push_back(line);
                    } else {
                        model.push_front(line);
                    }
                } else if !model.is_empty() {
                    // Most often the first.
                    let most = if (n / 2).is_multiple_of(4) {
                        model.len()
                    } else {
                        1
                    };
                    let which = (n / 8) as usize % most;
                    let erased = nth(p, which);
                    assert_eq!(model.remove(which), Some(erased.line()));
                    assert!(erase(erased, 1));
                }
                let found: Vec<u32> = p.visible_clauses().map(Clause::line).collect();
                assert_eq!(found, Vec::from(model.clone()));
                me.publish(&[], None);
            }
        }
        reclaim::unregister(&me);
    }

    /// A stack on top of many facts is neither copied nor walked as often as it is used.
    #[test]
    fn the_top_of_a_stack_is_found_at_once() {
        let domain = Domain::new();
        let me = reclaim::register(domain, Box::new(|_| {}));
        for below in [ROUNDS / 4, ROUNDS / 2, ROUNDS] {
            let p = predicate(domain);
            for line in 0..below {
                add(p, clause(p, line), true).unwrap();
            }
            let (mut copies, mut steps) = (0, 0);
            for line in below..2 * below {
                me.enter();
                let before = std::ptr::from_ref(p.clauses());
                add(p, clause(p, line), false).unwrap();
                let v = view(p, ANY_KEY);
                let top = v.list.get(v.find(v.from, ANY_KEY));
                assert_eq!(top.line(), line);
                assert!(erase(top, 1));
                let v = view(p, ANY_KEY);
                steps += v.find(v.from, ANY_KEY) - v.from;
                copies += usize::from(!std::ptr::eq(before, p.clauses()));
                me.publish(&[], None);
            }
            assert_eq!(steps, 0);
            assert!(copies <= 4, "{copies} copies of {below} clauses");
        }
        reclaim::unregister(&me);
    }

    /// Looks for the first clauses that a key may match, so many, as calls do; where in the list they are.
    fn first(p: &'static Predicate, key: u64, n: usize) -> Vec<&'static Clause> {
        let v = view(p, key);
        let mut at = v.find(v.from, key);
        let mut found = Vec::new();
        while at < v.to && found.len() < n {
            found.push(v.list.get(at));
            at = v.find(at + 1, key);
        }
        found
    }

    /// Work lists of which the first entries stay: what is behind them is taken in several orders, with and without an index, while as much
    /// is added or not. Clauses that are looked at, and list slots, for each that is taken, do not depend on how many there are.
    #[test]
    fn what_is_taken_behind_what_stays_is_not_walked_again() {
        let domain = Domain::new();
        let me = reclaim::register(domain, Box::new(|_| {}));
        let small: u32 = if cfg!(miri) { 100 } else { 2500 };
        // Which of the first ones is taken, how much is added for each, whether all have one key.
        let shapes = [(1, 0, false), (1, 1, false), (3, 1, true), (2, 0, true)];
        for (taken, added, one_key) in shapes {
            let mut costs = Vec::new();
            for n in [small, 2 * small, 4 * small] {
                let p = predicate(domain);
                let key = |line: u32| if one_key { 8 } else { u64::from(line + 1) * 8 };
                let new = |line| Box::new(Clause::new(p, key(line), None, None, line));
                let mut next = 0;
                let mut put = || {
                    add(p, new(next), true).unwrap();
                    next += 1;
                };
                (0..n).for_each(|_| put());
                let wanted = if one_key { 8 } else { ANY_KEY };
                let (mut steps, mut random) = (0, 11u32);
                for _ in 0..n - 8 {
                    me.enter();
                    random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
                    // Now and then one further behind, whatever the shape.
                    let at = taken + (random >> 16) as usize % 2;
                    let before = STEPS.get();
                    let found = first(p, wanted, at + 1);
                    steps += STEPS.get() - before;
                    assert!(erase(found[at], 1));
                    (0..added).for_each(|_| put());
                    me.publish(&[], None);
                    let w = p.lock();
                    assert!(w.erased <= w.live + w.live / 16 + 9);
                    assert!(p.clauses().slots.len() <= 8 * (w.live + 9).max(n as usize / 2));
                }
                costs.push(steps / (n as usize - 8));
            }
            assert!(costs.iter().all(|&c| c <= 16), "{costs:?} steps each");
        }
        reclaim::unregister(&me);
    }

    /// Clauses die in any order, and walks of several generations, of which some stay, leave hints and follow them: each sees what it saw.
    #[test]
    fn walks_of_all_generations_pass_only_what_is_dead_to_them() {
        let domain = Domain::new();
        let me = reclaim::register(domain, Box::new(|_| {}));
        let mut random: u32 = 3;
        let mut draw = move |n: usize| {
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (random >> 16) as usize % n
        };
        let n = if cfg!(miri) { 40 } else { 300 };
        for _ in 0..if cfg!(miri) { 2 } else { 30 } {
            let p = predicate(domain);
            // Nobody publishes: all lists and clauses stay.
            me.enter();
            for line in 0..n {
                add(p, clause(p, line + 1), draw(3) > 0).unwrap();
            }
            let mut views = Vec::new();
            for _ in 0..n - 1 {
                let v = p.view();
                let all: Vec<&Clause> = v.clauses().collect();
                assert!(erase(all[draw(all.len())], 1));
                let keys: Vec<u64> = all.iter().map(|c| c.key).collect();
                views.push((v, keys));
                for which in [views.len() - 1, draw(views.len()), draw(views.len())] {
                    let (v, keys) = &views[which];
                    let (mut at, mut found) = (v.find(v.from, ANY_KEY), Vec::new());
                    while at < v.to {
                        found.push(v.list.get(at).key);
                        at = v.find(at + 1, ANY_KEY);
                    }
                    assert_eq!(&found, keys);
                }
            }
            me.publish(&[], None);
        }
        reclaim::unregister(&me);
    }

    /// Erasing gives memory back although there is none for a list of what is left: it is not tried for each clause, and the last one, or all at
    /// once, needs none.
    #[test]
    fn what_is_erased_is_swept_out_without_memory() {
        let domain = Domain::new();
        let me = reclaim::register(domain, Box::new(|_| {}));
        for n in [ROUNDS, 2 * ROUNDS, 4 * ROUNDS] {
            let p = predicate(domain);
            let fill = || (0..n).for_each(|line| add(p, clause(p, line), true).unwrap());
            let swept = || std::ptr::eq(p.clauses(), ClauseList::empty());
            fill();
            REFUSALS.set(usize::MAX);
            me.enter();
            let all: Vec<_> = p.visible_clauses().collect();
            for c in all.into_iter().rev() {
                assert!(!swept() && erase(c, 1));
            }
            let tries = usize::MAX - REFUSALS.replace(0);
            assert!(tries <= 66, "{tries} for {n} clauses");
            assert!(swept() && p.lock().erased == 0);
            me.publish(&[], None);
            // Tried again when a 64th part more has been erased.
            fill();
            REFUSALS.set(2);
            me.enter();
            let all: Vec<_> = p.visible_clauses().collect();
            for c in all {
                assert!(erase(c, 1));
                let w = p.lock();
                assert!(w.erased <= 9.max(w.live + 8 * (n as usize / 64)));
            }
            assert_eq!(REFUSALS.get(), 0);
            me.publish(&[], None);
            fill();
            REFUSALS.set(usize::MAX);
            crate::database::wipe(p);
            assert!(swept() && p.lock().live == 0);
            REFUSALS.set(0);
        }
        reclaim::unregister(&me);
    }

    #[test]
    fn hints_are_little_short() {
        for n in (1..5000).chain((12..60).flat_map(|b| [(1 << b) - 1, 1 << b, 3 << (b - 1)])) {
            let hint = Hint::up_to(n).slots();
            assert!(hint >= 1 && hint <= n);
            assert!(hint >= n - n / 1024 || n > 2047 << 31, "{hint} for {n}");
        }
    }
}
