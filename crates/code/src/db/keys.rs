//! An index: from keys to the clauses that calls with this key may match.
//!
//! A key has one clause, which is found without a list, or a list. Clauses that match every key are in the lists of all keys, and in one of their own, for
//! keys that no other clause has. So a call finds one list, in the order of the clauses; how many copies that takes is bounded ([`KeyIndex::refuses`]).
//! Where they are too many, an index is made that keeps them [apart](super::apart): a key leads to a list when it has been looked up, and all that there are go
//! when they have too many entries. Clauses with keys at some of the places are among those that match every key, or have groups of their own there; then keys that no
//! clause has, and that belong to a group with some, get places, too.
//!
//! Invariants: the keys of slots are set once; an index that is full is replaced by a larger one, and the old one retired. What a key leads to is replaced
//! under the lock of the predicate, by what has the same clauses but for erased ones, and some more that are not born yet.

use super::apart::{Apart, By, Group};
use super::key::{ANY_KEY, spread_by};
use super::list::{Entry, List, NoRoom, Owner, install};
use super::retire::{Fate, Retire};
use crate::sync::{AtomicPtr, AtomicU64, AtomicUsize};
use parking_lot::Mutex;
use samite_term::cell::TAG_MASK;
use samite_term::common;
use samite_world::random;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a clause has at the places of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyed {
    /// Every call may match.
    Any,
    /// Calls with this key.
    Is(u64),
    /// Calls whose keys at some of the places are these.
    Some(Group),
    /// None.
    Never,
}

/// See the module text. Open addressing.
#[derive(Debug)]
pub struct KeyIndex<C> {
    slots: Box<[Slot<C>]>,
    used: AtomicUsize,
    /// Clauses that all keys lead to, about: how many entries the lists have.
    entries: AtomicUsize,
    /// Those that match every key; null: there are none.
    others: AtomicPtr<List<C>>,
    /// What it has of each key, apart from these. (Nobody waits: the predicate's lock is held by whoever asks.)
    apart: Option<Mutex<Apart<C>>>,
    /// There are groups there: what a key that has no place may match is to be looked at.
    has_groups: AtomicBool,
    /// Somebody has looked something up since it was made.
    wanted: AtomicBool,
    /// The generation that it was made in; its lists are not older.
    since: u64,
    /// What keys are mixed with: who chooses them does not know it.
    seed: u64,
}

/// A key and what it leads to: null, a clause, or a list ([`LIST`]).
#[derive(Debug)]
struct Slot<C> {
    /// [`ANY_KEY`]: it is free.
    key: AtomicU64,
    to: AtomicPtr<C>,
}

/// So many keys that follow each other (atoms and integers made one after the other) have their places side by side, in a line of the cache (64 bytes), or two: who
/// looks for all of them seldom waits for the memory. Keys that differ elsewhere only are apart by as many places, for what does not fit there.
const NEAR: usize = 4;
/// What tells them apart in a key.
const NEAR_BITS: u64 = (NEAR as u64 - 1) << TAG_MASK.count_ones();

/// Set in the address of a list.
const LIST: usize = 1;

fn of_list<C>(list: *mut List<C>) -> *mut C {
    list.cast::<C>().map_addr(|a| a | LIST)
}

/// What a key leads to.
#[derive(Debug)]
pub enum Found<C: 'static> {
    Nothing,
    One(&'static C),
    Many(&'static List<C>),
}

/// What has become of a key that has led nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Completed {
    /// It leads to what it has.
    Made,
    /// Nothing but what matches every key may match it.
    Rest,
    /// It would have to lead to more clauses than are worth making a list.
    TooMany,
}

/// What a slot holds, for who holds the lock.
enum To<C> {
    Nothing,
    One(*mut C),
    Many(*mut List<C>),
}

impl<C> Clone for Found<C> {
    fn clone(&self) -> Found<C> {
        *self
    }
}

impl<C> Copy for Found<C> {}

/// An index may have so many times as many keys as there are clauses, and a few more: else what it has of clauses that are gone takes more than it is worth.
const MOST_KEYS: usize = 4;
/// Its lists may have so many times as many entries as there are clauses, and a few more: those that match every key are in all of them.
const MOST_ENTRIES: usize = 32;
const FEW: usize = 64;
/// Where one of so many clauses matches every key, going along all of them costs hardly more than along those; where one of so many does, it still costs less than
/// a list for each call.
const LARGE_PART: usize = 8;
const PART: usize = 32;

/// What keys are mixed with in this process.
fn seed() -> u64 {
    match cfg!(loom) {
        // Models are run again and again, and the same each time.
        true => 0,
        false => random::of_process(),
    }
}

/// Where lists that are replaced go, to be retired.
pub(crate) type Replaced<C> = Vec<*mut List<C>>;

impl<C> Slot<C> {
    fn to(&self) -> To<C> {
        // (Under the lock.)
        let p = self.to.load(Ordering::Relaxed);
        if p.is_null() {
            To::Nothing
        } else if p.addr() & LIST == 0 {
            To::One(p)
        } else {
            To::Many(p.map_addr(|a| a & !LIST).cast())
        }
    }
    fn set(&self, to: *mut C) {
        // Release: pairs with the acquire in `get`.
        self.to.store(to, Ordering::Release);
    }
}

impl<C> KeyIndex<C> {
    /// What is charged for it; its lists are charged by themselves.
    fn charged(&self) -> usize {
        let apart = self.apart.as_ref().map_or(0, |_| Apart::<C>::BYTES);
        self.slots.len() * (size_of::<Slot<C>>() + apart)
    }
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }
    pub(crate) fn keys(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
    pub(crate) fn entries(&self) -> usize {
        self.entries.load(Ordering::Relaxed)
    }
    fn count(&self, entries: usize) {
        self.entries.store(entries, Ordering::Relaxed);
    }
    /// Its lists.
    fn lists(&self) -> impl Iterator<Item = *mut List<C>> {
        let of_keys = self.slots.iter().filter_map(|s| match s.to() {
            To::Many(list) => Some(list),
            _ => None,
        });
        let others = self.others.load(Ordering::Relaxed);
        of_keys.chain((!others.is_null()).then_some(others))
    }
}

impl<C: Entry> KeyIndex<C> {
    /// An empty index for so many keys, made in that generation, that keeps what matches every key apart, or not; `None`: there is no memory for it.
    pub(crate) fn with_room(keys: usize, apart: bool, since: u64) -> Option<KeyIndex<C>> {
        let n = (keys * 2).next_power_of_two();
        let mut slots = Vec::new();
        slots.try_reserve_exact(n).ok()?;
        slots.resize_with(n, || Slot {
            key: AtomicU64::new(ANY_KEY),
            to: AtomicPtr::new(ptr::null_mut()),
        });
        let apart = match apart {
            true => Some(Mutex::new(Apart::with_slots(n)?)),
            false => None,
        };
        let index = KeyIndex {
            apart,
            has_groups: AtomicBool::new(false),
            slots: slots.into_boxed_slice(),
            used: AtomicUsize::new(0),
            entries: AtomicUsize::new(0),
            others: AtomicPtr::new(ptr::null_mut()),
            wanted: AtomicBool::new(false),
            since,
            seed: spread_by(seed(), since) as u64,
        };
        common::charge(index.charged());
        Some(index)
    }
    /// Bytes of an index of so many clauses, about, while it is made.
    pub(crate) fn bytes_for(clauses: usize) -> usize {
        clauses * 4 * size_of::<Slot<C>>()
    }
    /// Memory that growing takes, if the next new key needs a larger one: all of it is made again.
    pub(crate) fn growth(&self) -> usize {
        let keys = self.keys();
        if self.is_full() {
            Self::bytes_for(2 * keys)
        } else {
            0
        }
    }
    pub(crate) fn is_full(&self) -> bool {
        (self.keys() + 1) * 2 > self.slots.len()
    }
    /// The slot of a key, or the free one where it belongs.
    fn slot(&self, key: u64) -> (&Slot<C>, bool) {
        let (i, found) = self.place(key);
        (&self.slots[i], found)
    }
    /// Where it is.
    #[inline]
    fn place(&self, key: u64) -> (usize, bool) {
        debug_assert!(key != ANY_KEY);
        let mask = self.slots.len() - 1;
        let near = (key & NEAR_BITS) >> TAG_MASK.count_ones();
        let mut i =
            (spread_by(self.seed, key & !NEAR_BITS).wrapping_mul(NEAR) | near as usize) & mask;
        loop {
            let slot = &self.slots[i];
            // Acquire: pairs with the release in `add`: what it leads to was set before.
            match slot.key.load(Ordering::Acquire) {
                k if k == key => return (i, true),
                ANY_KEY => return (i, false),
                _ => i = (i + 1) & mask,
            }
        }
    }
    fn used(&self) -> impl Iterator<Item = &Slot<C>> {
        let is_used = |s: &&Slot<C>| s.key.load(Ordering::Relaxed) != ANY_KEY;
        self.slots.iter().filter(is_used)
    }
    fn others(&self) -> Option<&'static List<C>> {
        // SAFETY: as in `get`.
        unsafe { self.others.load(Ordering::Acquire).as_ref() }
    }
    /// What a key leads to, for a call; `None`: that is to be made ([`KeyIndex::complete`]).
    #[inline]
    pub fn look_up(&self, key: u64) -> Option<Found<C>> {
        // (One store: it stays as it is.)
        if !self.wanted.load(Ordering::Relaxed) {
            self.wanted.store(true, Ordering::Relaxed);
        }
        self.get(key)
    }
    /// Whether it has been of use since it was made.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }
    /// Whether it has too many keys for so many clauses.
    pub(crate) fn is_too_large_for(&self, clauses: usize) -> bool {
        self.keys() > FEW + MOST_KEYS * clauses
    }
    /// Whether a clause would give its lists too many entries for so many clauses, or be one of too many that belong into groups.
    pub(crate) fn refuses(&self, what: Keyed, clauses: usize) -> bool {
        if self.apart.is_some() {
            return false;
        }
        let others = self.others().map_or(0, List::len);
        let more = match what {
            Keyed::Some(_) if Self::groups(others) => return true,
            Keyed::Any | Keyed::Some(_) => self.keys(),
            Keyed::Is(_) | Keyed::Never => others,
        };
        more > 0 && self.entries() + more > FEW + MOST_ENTRIES * clauses
    }
    /// Whether what a key leads to that has led nowhere is so large a part of so many clauses that a list of it saves little; or is a part of them, and a list would
    /// take the place of those that others use: calls that go from key to key would make one each, and each forget another's.
    pub(crate) fn is_crowded(&self, clauses: usize) -> bool {
        let others = self.others().map_or(0, List::len);
        self.apart.is_some()
            && others > FEW
            && (others * LARGE_PART >= clauses
                || others * PART >= clauses
                    && self.entries() + others > FEW + MOST_ENTRIES * clauses)
    }
    /// Whether so many clauses with keys at some of the places are too many to be looked at by each call.
    pub(crate) fn groups(clauses: usize) -> bool {
        clauses >= FEW
    }
    /// Whether it would have room for all clauses, of which so many match every key, if the others have a key each.
    pub(crate) fn may_hold(any: usize, clauses: usize) -> bool {
        any * (clauses - any) <= FEW + (MOST_ENTRIES - 1) * clauses
    }
    /// What a key leads to; `None`: that has not been made.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Found<C>> {
        let (slot, found) = self.slot(key);
        let to = match found {
            true => slot.to.load(Ordering::Acquire),
            false => ptr::null_mut(),
        };
        // SAFETY: as in `Predicate::clauses`; so are the clauses.
        unsafe {
            if to.is_null() {
                // (Where there are such clauses a key that is there leads to a list.)
                // (Relaxed: whose generation has clauses of groups has read it since they were put there.)
                let is_known =
                    self.apart.is_none() || !found && !self.has_groups.load(Ordering::Relaxed);
                return is_known.then(|| self.rest());
            }
            Some(match to.addr() & LIST {
                0 => Found::One(&*to),
                _ => Found::Many(&*to.map_addr(|a| a & !LIST).cast()),
            })
        }
    }
    /// What matches every key.
    pub(crate) fn rest(&self) -> Found<C> {
        self.others().map_or(Found::Nothing, Found::Many)
    }
    /// Makes the list that a key leads to, where what matches every key is apart. Others may go for it. `group_of` are the groups that the key belongs to, by their masks.
    /// Not if it would have more than `most` clauses. `Err` also if it has no place, and the index is full.
    #[cold]
    pub(crate) fn complete(
        &self,
        of: &impl Owner,
        key: u64,
        group_of: impl Fn(u8) -> Group,
        most: usize,
        replaced: &mut Replaced<C>,
    ) -> Result<Completed, NoRoom> {
        let (i, found) = self.place(key);
        let slot = &self.slots[i];
        let Some(apart) = &self.apart else {
            return Ok(if found {
                Completed::Made
            } else {
                Completed::Rest
            });
        };
        if !matches!(slot.to(), To::Nothing) {
            return Ok(Completed::Made);
        }
        let mut apart = apart.lock();
        let groups: Vec<Group> = apart.masks().map(group_of).collect();
        if !found && !apart.has_any(&groups) {
            return Ok(Completed::Rest);
        }
        // (Whether they have been erased is not looked at: there may be many, anywhere.)
        let n = apart.merged(i, &groups).0;
        if n > most {
            return Ok(Completed::TooMany);
        }
        if !found && self.is_full() {
            return Err(NoRoom);
        }
        let since = of.generation();
        if self.has_too_many(&apart, n) {
            self.drop_made(&mut apart, replaced);
        }
        apart.verify(i);
        let fill = |slots: &mut Vec<_>| apart.merge_into(i, &groups, slots);
        let list = List::filled(n, fill, since).ok_or(NoRoom)?;
        if apart.note_made(i, &groups).is_err() {
            self.drop_made(&mut apart, replaced);
            return Err(NoRoom);
        }
        debug_assert_eq!(list.len(), n);
        of.be_as_new_as(since);
        slot.set(of_list(Box::into_raw(Box::new(list))));
        if !found {
            slot.key.store(key, Ordering::Release);
            self.used.store(self.keys() + 1, Ordering::Relaxed);
        }
        self.count(self.entries() + n);
        Ok(Completed::Made)
    }
    /// Whether its lists have too many entries with so many more.
    fn has_too_many(&self, apart: &Apart<C>, more: usize) -> bool {
        self.entries() + more > FEW + MOST_ENTRIES * apart.clauses()
    }
    /// The lists of keys go that what matches every key is apart from.
    fn drop_made(&self, apart: &mut Apart<C>, replaced: &mut Replaced<C>) {
        for made in apart.take_made() {
            let slot = &self.slots[made];
            if let To::Many(list) = slot.to() {
                slot.set(ptr::null_mut());
                replaced.push(list);
            }
        }
        self.count(0);
    }
    /// Whether a call with the key may find the clause, for those who check.
    pub(crate) fn has(&self, key: u64, clause: *const C) -> bool {
        if let Some(apart) = &self.apart {
            let (i, found) = self.place(key);
            if !found || !apart.lock().merged(i, &[]).1.any(|c| ptr::eq(c, clause)) {
                return false;
            }
        }
        match self.get(key) {
            None => true,
            Some(Found::Nothing) => false,
            Some(Found::One(one)) => ptr::eq(one, clause),
            Some(Found::Many(list)) => list.alive().any(|one| ptr::eq(one, clause)),
        }
    }
    /// The same of a clause with keys at some of the places.
    pub(crate) fn has_in_group(&self, group: Group, clause: *const C) -> bool {
        match &self.apart {
            Some(apart) => apart.lock().has_in_group(group, clause),
            None => self
                .others()
                .is_some_and(|l| l.alive().any(|c| ptr::eq(c, clause))),
        }
    }
    /// Adds a clause of the predicate. `Err` when the index is full and must be rebuilt, or can be no longer.
    pub(crate) fn add(
        &self,
        of: &impl Owner,
        clause: *mut C,
        what: Keyed,
        at_end: bool,
        replaced: &mut Replaced<C>,
    ) -> Result<(), NoRoom> {
        match (what, &self.apart) {
            (Keyed::Never, _) => Ok(()),
            (Keyed::Any, _) | (Keyed::Some(_), None) => {
                self.add_everywhere(of, clause, at_end, replaced)
            }
            (Keyed::Some(group), Some(apart)) => {
                self.add_to_group(of, clause, group, at_end, &mut apart.lock(), replaced)
            }
            (Keyed::Is(key), _) => {
                let (i, found) = self.place(key);
                let slot = &self.slots[i];
                if !found && self.is_full() {
                    return Err(NoRoom);
                }
                if let Some(apart) = &self.apart {
                    (apart.lock().push(By::Slot(i), clause, at_end)).map_err(|_| NoRoom)?;
                    match (found, slot.to()) {
                        (true, To::Many(_)) => self.put(of, slot, clause, at_end, replaced)?,
                        (true, _) => {}
                        (false, _) => {
                            slot.key.store(key, Ordering::Release);
                            self.used.store(self.keys() + 1, Ordering::Relaxed);
                        }
                    }
                    return Ok(());
                }
                if found {
                    return self.put(of, slot, clause, at_end, replaced);
                }
                let to = match self.others() {
                    None => clause,
                    Some(others) => {
                        let oldest = of.oldest();
                        let n = others.count_kept(oldest);
                        let made = (of.generation(), oldest);
                        let list = others.grown(n, at_end, made).ok_or(NoRoom)?;
                        list.push(clause, at_end);
                        self.count(self.entries() + n);
                        of.be_as_new_as(list.since());
                        of_list(Box::into_raw(Box::new(list)))
                    }
                };
                slot.set(to);
                slot.key.store(key, Ordering::Release);
                self.used.store(self.keys() + 1, Ordering::Relaxed);
                self.count(self.entries() + 1);
                Ok(())
            }
        }
    }
    /// Adds a clause to what a key leads to.
    fn put(
        &self,
        of: &impl Owner,
        slot: &Slot<C>,
        clause: *mut C,
        at_end: bool,
        replaced: &mut Replaced<C>,
    ) -> Result<(), NoRoom> {
        match slot.to() {
            To::Nothing => slot.set(clause),
            // SAFETY: clauses that an index has are not freed while the lock is held. (Who may yet want the erased one looks again: `view`.)
            To::One(c) if unsafe { (*c).is_dead_to(of.oldest()) } => slot.set(clause),
            To::One(c) => {
                let list = List::if_room(0, 4, of.generation()).ok_or(NoRoom)?;
                let (first, second) = if at_end { (c, clause) } else { (clause, c) };
                list.push(first, true);
                list.push(second, true);
                of.be_as_new_as(list.since());
                slot.set(of_list(Box::into_raw(Box::new(list))));
            }
            To::Many(list) => {
                // SAFETY: the list is the index's.
                let current = unsafe { &*list };
                if !current.push(clause, at_end) {
                    let oldest = of.oldest();
                    let n = current.count_kept(oldest);
                    let made = (of.generation(), oldest);
                    let new = current.grown(n, at_end, made).ok_or(NoRoom)?;
                    let pushed = new.push(clause, at_end);
                    debug_assert!(pushed);
                    self.count((self.entries() + n).saturating_sub(current.len()));
                    of.be_as_new_as(new.since());
                    slot.set(of_list(Box::into_raw(Box::new(new))));
                    replaced.push(list);
                }
            }
        }
        self.count(self.entries() + 1);
        Ok(())
    }
    /// Adds a clause of a group.
    fn add_to_group(
        &self,
        of: &impl Owner,
        clause: *mut C,
        group: Group,
        at_end: bool,
        apart: &mut Apart<C>,
        replaced: &mut Replaced<C>,
    ) -> Result<(), NoRoom> {
        let is_known = apart.masks().any(|mask| mask == group.mask);
        (apart.push(By::Group(group), clause, at_end)).map_err(|_| NoRoom)?;
        self.has_groups.store(true, Ordering::Relaxed);
        if !is_known || self.has_too_many(apart, apart.made_of(group).len()) {
            self.drop_made(apart, replaced);
        }
        for &made in apart.made_of(group) {
            self.put(of, &self.slots[made], clause, at_end, replaced)?;
        }
        Ok(())
    }
    /// Adds a clause that matches every key.
    fn add_everywhere(
        &self,
        of: &impl Owner,
        clause: *mut C,
        at_end: bool,
        replaced: &mut Replaced<C>,
    ) -> Result<(), NoRoom> {
        let of_all = match &self.apart {
            Some(apart) => {
                let mut apart = apart.lock();
                (apart.push(By::All, clause, at_end)).map_err(|_| NoRoom)?;
                if self.has_too_many(&apart, apart.made().len()) {
                    self.drop_made(&mut apart, replaced);
                }
                for &made in apart.made() {
                    self.put(of, &self.slots[made], clause, at_end, replaced)?;
                }
                None
            }
            None => Some(self.used()),
        };
        for slot in of_all.into_iter().flatten() {
            match slot.to() {
                To::Many(_) => self.put(of, slot, clause, at_end, replaced)?,
                // A list in any case: that of a key that comes to nothing is looked for among the others.
                To::Nothing | To::One(_) => {
                    let list = List::if_room(2, 2, of.generation()).ok_or(NoRoom)?;
                    if let To::One(c) = slot.to() {
                        list.push(c, true);
                    }
                    list.push(clause, at_end);
                    of.be_as_new_as(list.since());
                    slot.set(of_list(Box::into_raw(Box::new(list))));
                    self.count(self.entries() + 1);
                }
            }
        }
        let old = self.others.load(Ordering::Relaxed);
        // SAFETY: null, or the index's.
        let new = match unsafe { old.as_ref() } {
            Some(others) if others.push(clause, at_end) => return Ok(()),
            Some(others) => {
                let oldest = of.oldest();
                let n = others.count_kept(oldest);
                others.grown(n, at_end, (of.generation(), oldest))
            }
            None => List::if_room(1, 3, of.generation()),
        };
        let new = new.ok_or(NoRoom)?;
        let pushed = new.push(clause, at_end);
        debug_assert!(pushed);
        let old = install(of, &self.others, Box::new(new));
        replaced.extend((!old.is_null()).then_some(old));
        Ok(())
    }
    /// A clause of it has been erased: steps over it, if it is at the front, and gone.
    pub(crate) fn skip_gone(&self, what: Keyed, oldest: u64) {
        match what {
            Keyed::Never => {}
            Keyed::Some(_) if self.apart.is_some() => {}
            Keyed::Any | Keyed::Some(_) => {
                self.others().into_iter().for_each(|l| l.skip_gone(oldest));
            }
            Keyed::Is(key) => {
                if let Some(Found::Many(list)) = self.get(key) {
                    list.skip_gone(oldest);
                }
            }
        }
    }
    /// Leaves out what is gone.
    pub(crate) fn sweep(&self, of: &impl Owner, replaced: &mut Replaced<C>) -> Result<(), NoRoom> {
        let oldest = of.oldest();
        if let Some(apart) = &self.apart {
            let mut apart = apart.lock();
            // SAFETY: as in `put`.
            apart.retain(|c| unsafe { !(*c).is_dead_to(oldest) });
            self.drop_made(&mut apart, replaced);
        }
        // What a list without its clauses that are gone is; null: nothing is left; `None`: it is as it was.
        let swept = |list: *mut List<C>| {
            // SAFETY: the list is the index's.
            let old = unsafe { &*list };
            let n = old.count_kept(oldest);
            if n == old.all().count() {
                return Ok(None);
            }
            if n == 0 {
                return Ok(Some(ptr::null_mut()));
            }
            let new = old.swept(n, (of.generation(), oldest)).ok_or(NoRoom)?;
            of.be_as_new_as(new.since());
            Ok(Some(Box::into_raw(Box::new(new))))
        };
        let others = self.others.load(Ordering::Relaxed);
        if !others.is_null()
            && let Some(new) = swept(others)?
        {
            self.others.store(new, Ordering::Release);
            replaced.push(others);
        }
        let mut entries = 0;
        for slot in self.used() {
            match slot.to() {
                To::Nothing => {}
                // SAFETY: as in `put`.
                To::One(c) if unsafe { (*c).is_dead_to(oldest) } => slot.set(ptr::null_mut()),
                To::One(_) => entries += 1,
                To::Many(list) => {
                    let mut now = list;
                    if let Some(new) = swept(list)? {
                        slot.set(if new.is_null() {
                            ptr::null_mut()
                        } else {
                            of_list(new)
                        });
                        replaced.push(list);
                        now = new;
                    }
                    // SAFETY: null, or the index's.
                    entries += unsafe { now.as_ref() }.map_or(0, List::len);
                }
            }
        }
        self.count(entries);
        Ok(())
    }
    /// Whether it keeps what matches every key apart.
    #[cfg(all(test, not(loom)))]
    pub(crate) fn is_apart(&self) -> bool {
        self.apart.is_some()
    }
    /// Memory that it takes with its lists, about.
    pub(crate) fn bytes(&self) -> usize {
        self.charged() + self.entries() * 2 * size_of::<usize>()
    }
}

impl<C: Entry> Retire for KeyIndex<C> {
    fn bytes(&self) -> usize {
        KeyIndex::bytes(self)
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

impl<C> Drop for KeyIndex<C> {
    fn drop(&mut self) {
        common::release(self.charged());
        for list in self.lists() {
            // SAFETY: the index owns its lists, and nobody reads a retired index any more.
            drop(unsafe { Box::from_raw(list) });
        }
    }
}
