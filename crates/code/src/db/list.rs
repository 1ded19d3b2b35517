//! Lists of clauses that grow at both ends under a writer's lock while readers walk them without one. Of clauses they know what a walk looks at
//! ([`Entry`]), of whom they belong to, what a reader must learn of a new list ([`Owner`]).
//!
//! Invariants: slots between `from` and `to` are set and never change; a full list is replaced by a larger copy that
//! leaves erased clauses out. A reader takes the bounds once per call, so additions during the walk are not seen (they
//! would be invisible to its generation anyway). Erased clauses at the front are stepped over for later readers by raising
//! `from`; their slots stay set for readers that took the bounds before. What is then added in front is followed by a *jump* over them,
//! a slot with the index to go on at, so that a stack (`asserta/1`, `retract/1`) is walked and popped without visiting what it has lost.
//!
//! *Equation*: a jump at `i` to `t`: `i < t ≤ to`, and the clauses in `i+1 .. t` were erased before it was made. So whoever finds it in its
//! bounds, and a generation that no death before it exceeds ([`super::view`]), misses none.
//!
//! Erased clauses elsewhere stay until they are more than the others ([`super::lists`]). Walks that look for the first matching clause
//! only would pass them again and again (a work list whose first entry stays: quadratic). So a reader that has passed several in a row leaves
//! a [`Hint`] in the slot of the first, in bits that no address has: how far to go on at least.
//!
//! *Equation*: a hint `d` at `i`: the clauses in `i .. i+d` are dead to [`List::hinted`], the newest generation of those who left hints,
//! and so to all younger ones; older walks go step by step, each slot once.
//! *Cost*: a row of erased clauses that a walk has passed is passed in a few steps, and so are two that meet when the clause between them is
//! erased: `FEW` and a few steps for each erasure since. (A hint is short of its row by 1/1024 of it at most, and is followed by one for the rest.)

use super::clock::{NONE, PRIVATE};
use super::key::ANY_KEY;
use super::retire::{Fate, Node, Retire};
use super::sight::Sight;
use super::stretches::FEW;
use crate::sync::{AtomicPtr, AtomicU64, AtomicUsize};
use samite_term::common;
use samite_term::growth;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// What a walk looks at of a clause.
pub trait Entry: Node + 'static {
    /// Its key, or [`ANY_KEY`].
    fn key(&self) -> u64;
    /// Whether generation `g` and later ones do not see it any more.
    fn is_dead_to(&self, g: u64) -> bool;
    /// Whether a call of a transaction's generation sees it.
    fn is_seen(&self, sight: &Sight, g: u64) -> bool;
    /// Whether it has been born by a generation.
    fn is_born_by(&self, g: u64) -> bool;
}

/// Whose a list is.
pub(crate) trait Owner {
    /// The present generation.
    fn generation(&self) -> u64;
    /// What has died by that generation may be left out: [`super::clock`].
    fn oldest(&self) -> u64;
    /// A list of its was made in that generation: said before anybody can find it; see [`super::view`].
    fn be_as_new_as(&self, g: u64);
}

/// Most slots that a list gets for the erased clauses that were stepped over in the one before.
const CHURN: usize = 8;

/// About so many clauses tell what the others are.
const SAMPLE: usize = 32;

/// Bits of a slot that the address of a clause may have; addresses of processes are below this, and odd ones of no clause.
const ADDRESS: usize = (1 << HINT_SHIFT) - 1;
const HINT_SHIFT: u32 = 48;
/// The lowest bit says that there is no clause.
const JUMP: usize = 1;

/// What a slot holds that goes on at index `to`.
fn jump_to<C>(to: usize) -> *mut C {
    std::ptr::without_provenance_mut(to << 1 | JUMP)
}

/// Where a slot goes on that holds no clause.
#[inline]
fn jump_of<C>(slot: *mut C) -> Option<usize> {
    (slot.addr() & JUMP != 0).then(|| slot.addr() >> 1)
}

/// The clause of a slot that holds one.
#[inline]
fn clause_of<C>(slot: *mut C) -> *mut C {
    slot.map_addr(|a| a & ADDRESS)
}

/// How many slots to go on by, at least: so many bits of the number, and how many are behind them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hint(u16);

impl Hint {
    const EXPONENT_BITS: u32 = 5;
    const DIGITS: u32 = u16::BITS - Hint::EXPONENT_BITS;

    /// The greatest that is not above `n`.
    pub(super) fn up_to(n: usize) -> Hint {
        const { assert!(usize::BITS - Hint::DIGITS > 1 << Hint::EXPONENT_BITS) };
        let behind = (usize::BITS - n.leading_zeros()).saturating_sub(Hint::DIGITS);
        if behind >= 1 << Hint::EXPONENT_BITS {
            return Hint(u16::MAX);
        }
        Hint(((n >> behind) << Hint::EXPONENT_BITS) as u16 | behind as u16)
    }
    pub(super) fn slots(self) -> usize {
        let behind = self.0 & ((1 << Hint::EXPONENT_BITS) - 1);
        usize::from(self.0 >> Hint::EXPONENT_BITS) << behind
    }
    /// That of a slot with a clause; of none it is 0.
    #[inline]
    fn of<C>(slot: *mut C) -> Hint {
        Hint((slot.addr() >> HINT_SHIFT) as u16)
    }
    fn beside<C>(self, clause: *mut C) -> *mut C {
        clause.map_addr(|a| a | usize::from(self.0) << HINT_SHIFT)
    }
}

#[cfg(test)]
thread_local! {
    /// Clauses that this thread has looked at in walks.
    pub(crate) static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    /// How often there is still no memory for a list.
    pub(super) static REFUSALS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts what walks cost, for tests.
#[inline(always)]
fn step() {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
}

/// See the module text.
#[derive(Debug)]
pub struct List<C> {
    slots: Box<[AtomicPtr<C>]>,
    from: AtomicUsize,
    to: AtomicUsize,
    /// Lowest slot ever used. Writers only.
    lowest: AtomicUsize,
    /// The newest generation of those who have left hints. Any reader, by [`List::leave_hints`].
    hinted: AtomicU64,
    /// What transactions know it by, 0 as long as none has asked: [`List::number`].
    number: AtomicU64,
    /// The generation that it was made in.
    since: u64,
}

impl<C> List<C> {
    /// Memory that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<List<C>>() + size_of_val(&*self.slots)
    }
    /// What tells it from other lists, while it is there.
    #[cfg(loom)]
    pub(crate) fn address(&self) -> usize {
        self.slots.as_ptr() as usize
    }
}

impl<C: Entry> List<C> {
    pub(super) fn with_capacity(before: usize, after: usize, since: u64) -> List<C> {
        List::of(Vec::with_capacity(before + after), before, since)
    }
    /// The same, if there is memory for it.
    pub(super) fn if_room(before: usize, after: usize, since: u64) -> Option<List<C>> {
        #[cfg(test)]
        if REFUSALS.get() > 0 {
            REFUSALS.set(REFUSALS.get() - 1);
            return None;
        }
        let mut slots = Vec::new();
        slots.try_reserve_exact(before + after).ok()?;
        Some(List::of(slots, before, since))
    }
    /// A list of `n` clauses that `fill` appends to its slots, with room for two more at each end; `None`: there is no memory for it.
    pub(super) fn filled(
        n: usize,
        fill: impl FnOnce(&mut Vec<AtomicPtr<C>>),
        since: u64,
    ) -> Option<List<C>> {
        const ROOM: usize = 2;
        let mut slots = Vec::new();
        slots.try_reserve_exact(n + 2 * ROOM).ok()?;
        slots.resize_with(ROOM, || AtomicPtr::new(std::ptr::null_mut()));
        fill(&mut slots);
        debug_assert_eq!(slots.len(), ROOM + n);
        let list = List::of(slots, ROOM, since);
        list.to.store(ROOM + n, Ordering::Relaxed);
        Some(list)
    }
    /// An empty list with as many slots as there is room for, made in that generation.
    pub(super) fn of(mut slots: Vec<AtomicPtr<C>>, before: usize, since: u64) -> List<C> {
        slots.resize_with(slots.capacity(), || AtomicPtr::new(std::ptr::null_mut()));
        let list = List {
            slots: slots.into_boxed_slice(),
            from: AtomicUsize::new(before),
            to: AtomicUsize::new(before),
            lowest: AtomicUsize::new(before),
            hinted: AtomicU64::new(0),
            number: AtomicU64::new(0),
            since,
        };
        common::charge(list.bytes());
        list
    }
    /// It is to be installed in a later generation than it was made in.
    pub(super) fn made_in(&mut self, since: u64) {
        self.since = since;
    }
    /// The generation that it was made in: no reader of an older one has it.
    #[inline]
    pub fn since(&self) -> u64 {
        self.since
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
    /// The clause at an index that [`List::at`] found one at.
    #[inline]
    pub fn get(&self, i: usize) -> &'static C {
        let p = self.slots[i].load(Ordering::Relaxed);
        debug_assert!(jump_of(p).is_none());
        // SAFETY: slots inside the bounds are set (invariant), and clauses are only freed when no reader can hold them.
        unsafe { &*clause_of(p) }
    }
    /// What is at an index inside the bounds: a clause, or where to go on.
    #[inline]
    pub fn at(&self, i: usize) -> Result<&'static C, usize> {
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
                    if (c.key() == key || c.key() == ANY_KEY || key == ANY_KEY) && c.is_born_by(g) {
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
        if g >= PRIVATE {
            return self.find_within(from, to, key, g);
        }
        let mut i = from;
        loop {
            match self.find_near(i, to, key, g) {
                Ok(found) => return found,
                Err(at) => i = self.pass(at, to, g),
            }
        }
    }
    /// The same for a call in a transaction. What it does not see is passed: what is dead to its snapshot by hints, as by others, and it leaves some; what
    /// the transaction itself has erased, or somebody else has added, by what it remembers of the list ([`Sight::passed`]).
    #[cold]
    #[inline(never)]
    fn find_within(&self, from: usize, to: usize, key: u64, g: u64) -> usize {
        let Some(sight) = Sight::of(g) else {
            return to;
        };
        let snapshot = sight.snapshot();
        // (What an older walk sees may have been erased since.)
        let is_newest = g == sight.now();
        let (mut i, mut steps) = (from, 0);
        // Where what is not seen begins, and within that what is dead to the snapshot.
        let (mut unseen, mut dead, mut dead_steps) = (from, from, 0);
        // What a nested transaction has erased of it; `None`: there is no memory to say so.
        let mut hidden: Option<Vec<(u64, usize)>> = Some(Vec::new());
        let note = |unseen: usize, end: usize, hidden: &Option<Vec<(u64, usize)>>| {
            if let Some(hidden) = hidden {
                sight.note_passed(self.number(), (unseen, end), hidden);
            }
        };
        while i < to {
            step();
            steps += 1;
            if steps % (FEW + 1) == 0
                && is_newest
                && let Some(after) = sight.passed(self.number(), i)
            {
                (i, dead, dead_steps) = (after, after, 0);
                continue;
            }
            // Acquire: as in `pass`.
            let slot = self.slots[i].load(Ordering::Acquire);
            if let Some(target) = jump_of(slot) {
                i = target;
                dead_steps += 1;
                continue;
            }
            let hint = Hint::of(slot);
            if hint.0 != 0 && self.hinted.load(Ordering::Relaxed) <= snapshot {
                i += hint.slots();
                dead_steps += 1;
                continue;
            }
            // SAFETY: as in `get`.
            let c = unsafe { &*clause_of(slot) };
            if c.is_dead_to(snapshot) {
                i += 1;
                dead_steps += 1;
                continue;
            }
            if dead_steps > FEW {
                self.leave_hints(dead, i, snapshot);
                dead_steps = 0;
            }
            if c.is_seen(sight, g) {
                if c.key() == key || c.key() == ANY_KEY || key == ANY_KEY {
                    break;
                }
                if is_newest && steps > FEW {
                    note(unseen, i, &hidden);
                }
                (unseen, steps) = (i + 1, 0);
                if hidden.as_ref().is_none_or(|h| !h.is_empty()) {
                    hidden = Some(Vec::new());
                }
            } else if is_newest
                && let Some(by) = sight.may_restore(std::ptr::from_ref(c).addr())
                && let Some(all) = &mut hidden
                && growth::push(all, (by, i)).is_err()
            {
                hidden = None;
            }
            i += 1;
            (dead, dead_steps) = (i, 0);
        }
        // (As in `pass`.)
        let i = i.min(to);
        if dead_steps > FEW && i > dead {
            self.leave_hints(dead, i, snapshot);
        }
        if is_newest && steps > FEW {
            note(unseen, i, &hidden);
        }
        i
    }
    /// A number that no other list has had.
    fn number(&self) -> u64 {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        match self.number.load(Ordering::Relaxed) {
            0 => {
                let new = NEXT.fetch_add(1, Ordering::Relaxed);
                let (order, failed) = (Ordering::Relaxed, Ordering::Relaxed);
                match self.number.compare_exchange(0, new, order, failed) {
                    Ok(_) => new,
                    Err(other) => other,
                }
            }
            number => number,
        }
    }
    /// The same if nothing is to be passed before, and the call is in no transaction, else `None`: for who keeps nothing on the native stack.
    #[inline(always)]
    pub fn find_at_once(&self, from: usize, to: usize, key: u64, g: u64) -> Option<usize> {
        if g >= PRIVATE {
            return None;
        }
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
    ) -> impl Iterator<Item = (*mut C, &'static C)> {
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
    pub(crate) fn between(&self, from: usize, to: usize) -> impl Iterator<Item = &'static C> {
        self.entries(from, to).map(|(_, c)| c)
    }
    /// The clauses that are not erased. Caller holds the writer's lock.
    pub fn alive(&self) -> impl Iterator<Item = &'static C> {
        let (from, to) = self.bounds();
        self.between(from, to).filter(|c| !c.is_erased())
    }
    /// The clauses that are not gone, as [`List::entries`]. Caller holds the writer's lock.
    ///
    /// (A snapshot is known by a generation that may be older than what it sees, so one that has been stepped over may be held again.)
    fn kept(&self, oldest: u64) -> impl Iterator<Item = (*mut C, &'static C)> {
        let first = match oldest {
            NONE => self.from.load(Ordering::Relaxed),
            _ => self.lowest.load(Ordering::Relaxed),
        };
        let to = self.to.load(Ordering::Relaxed);
        (first..to).filter_map(move |i| {
            let c = self.at(i).ok()?;
            let pointer = clause_of(self.slots[i].load(Ordering::Relaxed));
            (!c.is_dead_to(oldest)).then_some((pointer, c))
        })
    }
    /// How many clauses there are that are not gone. Caller holds the writer's lock.
    pub(super) fn count_kept(&self, oldest: u64) -> usize {
        self.kept(oldest).count()
    }
    /// Whether about half of the clauses or more are gone, by what a few of them are. Caller holds the writer's lock.
    pub(super) fn is_mostly_gone(&self, oldest: u64) -> bool {
        let from = self.lowest.load(Ordering::Relaxed);
        let to = self.to.load(Ordering::Relaxed);
        let few = (from..to).step_by(1.max((to - from) / SAMPLE));
        let (mut gone, mut all) = (0, 0);
        for c in few.filter_map(|i| self.at(i).ok()) {
            all += 1;
            gone += usize::from(c.is_dead_to(oldest));
        }
        all > 0 && gone * 2 >= all
    }
    /// All clauses as [`List::entries`], those stepped over and jumped over too. Caller holds the writer's lock, or has entered and does not need what is added
    /// meanwhile.
    pub(crate) fn all(&self) -> impl Iterator<Item = (*mut C, &'static C)> {
        // Acquire: the slots inside the bounds.
        let from = self.lowest.load(Ordering::Acquire);
        let to = self.to.load(Ordering::Acquire);
        (from..to).filter_map(|i| {
            let c = self.at(i).ok()?;
            Some((clause_of(self.slots[i].load(Ordering::Relaxed)), c))
        })
    }
    /// Adds a clause if there is room at that end. Caller holds the writer's lock.
    pub(super) fn push(&self, clause: *mut C, at_end: bool) -> bool {
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
            // Release: the slot before the bound.
            self.lowest.store(lowest, Ordering::Release);
            // Release: the slots before the bound.
            self.from.store(lowest, Ordering::Release);
        }
        true
    }
    /// Steps over clauses at the front that are gone. Caller holds the writer's lock.
    pub(crate) fn skip_gone(&self, oldest: u64) {
        let (mut from, to) = self.bounds();
        while from < to {
            match self.at(from) {
                Ok(c) if c.is_dead_to(oldest) => from += 1,
                Ok(_) => break,
                Err(target) => from = target,
            }
        }
        self.from.store(from, Ordering::Release);
    }
    /// A copy without clauses that are gone, of which there are `n` others, with room at one end, and at the other what there was: where clauses come at both ends in
    /// turn, each end gets its room once. `None`: there is no memory for it.
    pub(super) fn grown(&self, n: usize, at_end: bool, made: (u64, u64)) -> Option<List<C>> {
        self.copied(n, at_end, usize::MAX, made)
    }
    /// The same, with room at the end, but no more than this list has: where memory is missing that gives some back.
    pub(super) fn swept(&self, n: usize, made: (u64, u64)) -> Option<List<C>> {
        self.copied(n, true, self.slots.len(), made)
    }
    /// The same with so many slots at most, if that is enough for the clauses and what there was at the other end.
    fn copied(
        &self,
        n: usize,
        at_end: bool,
        slots: usize,
        (since, oldest): (u64, u64),
    ) -> Option<List<C>> {
        let (from, to) = self.bounds();
        // What is taken away at the front while it grows goes on like that: a counter, a queue, a stack.
        let passed = from - self.lowest.load(Ordering::Relaxed);
        let room = n.max(1) + n / 2 + passed.min(CHURN);
        let most = n / 2 + CHURN;
        let list = if at_end {
            let before = self.lowest.load(Ordering::Relaxed).min(most);
            let after = (n + room).min(slots.saturating_sub(before).max(n));
            List::if_room(before, after, since)?
        } else {
            let after = (self.slots.len() - to).min(most);
            List::if_room(room, n + after, since)?
        };
        for (pointer, _) in self.kept(oldest) {
            list.push(pointer, true);
        }
        debug_assert_eq!(list.len(), n);
        Some(list)
    }
    /// All slots.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.slots.len()
    }
    /// Slots between the bounds.
    pub fn len(&self) -> usize {
        let (from, to) = self.bounds();
        to - from
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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

impl<C: Entry> Retire for List<C> {
    fn bytes(&self) -> usize {
        List::bytes(self)
    }
    fn born(&self) -> Option<u64> {
        Some(self.since)
    }
    fn fate(&self) -> Fate {
        Fate::Free
    }
    fn code(&self) -> Range<usize> {
        0..0
    }
}

impl<C> Drop for List<C> {
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
pub(crate) fn push<C: Entry>(
    of: &impl Owner,
    list: &AtomicPtr<List<C>>,
    clause: *mut C,
    live: Option<usize>,
    at_end: bool,
) -> Result<Option<*mut List<C>>, NoRoom> {
    let old = list.load(Ordering::Relaxed);
    // SAFETY: the caller holds the writer's lock, so the current list stays.
    let current = unsafe { &*old };
    if current.push(clause, at_end) {
        return Ok(None);
    }
    let oldest = of.oldest();
    let live = live.filter(|_| oldest == NONE);
    let n = live.unwrap_or_else(|| current.count_kept(oldest));
    let new = (current.grown(n, at_end, (of.generation(), oldest))).ok_or(NoRoom)?;
    let pushed = new.push(clause, at_end);
    debug_assert!(pushed);
    Ok(Some(install(of, list, Box::new(new))))
}

/// Replaces the list behind `list`, one of the predicate's; returns the old one.
pub(crate) fn install<C: Entry>(
    of: &impl Owner,
    list: &AtomicPtr<List<C>>,
    new: Box<List<C>>,
) -> *mut List<C> {
    of.be_as_new_as(new.since());
    list.swap(Box::into_raw(new), Ordering::AcqRel)
}
