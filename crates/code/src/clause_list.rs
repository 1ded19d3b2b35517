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

use crate::index::spread;
use crate::predicate::{Clause, Predicate, generation};
use crate::sync::{AtomicPtr, AtomicUsize, shared};
use samite_term::common;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;

/// Most slots that a list gets for the erased clauses that were stepped over in the one before.
const CHURN: usize = 8;

/// What a slot holds that goes on at index `to`: no clause is at an odd address.
fn jump_to(to: usize) -> *mut Clause {
    std::ptr::without_provenance_mut(to << 1 | 1)
}

/// Where a slot goes on that holds no clause.
#[inline]
fn jump_of(slot: *mut Clause) -> Option<usize> {
    (slot.addr() & 1 != 0).then(|| slot.addr() >> 1)
}

/// See the module text.
#[derive(Debug)]
pub struct ClauseList {
    slots: Box<[AtomicPtr<Clause>]>,
    from: AtomicUsize,
    to: AtomicUsize,
    /// Lowest slot ever used. Writers only.
    lowest: AtomicUsize,
    /// The generation that it was made in.
    since: u64,
}

shared! {
    /// The list of all predicates that have had no clause: without slots, it never changes.
    static EMPTY: LazyLock<ClauseList> = LazyLock::new(|| {
        let mut list = ClauseList::of(Vec::new(), 0);
        // It has always been there.
        list.since = 0;
        list
    });
}

impl ClauseList {
    /// The list of those without clauses. It is replaced as the others are, but stays.
    pub(crate) fn empty() -> *mut ClauseList {
        std::ptr::from_ref::<ClauseList>(&EMPTY).cast_mut()
    }
    fn with_capacity(before: usize, after: usize) -> ClauseList {
        ClauseList::of(Vec::with_capacity(before + after), before)
    }
    /// The same, if there is memory for it.
    fn if_room(before: usize, after: usize) -> Option<ClauseList> {
        let mut slots = Vec::new();
        slots.try_reserve_exact(before + after).ok()?;
        Some(ClauseList::of(slots, before))
    }
    /// An empty list with as many slots as there is room for.
    fn of(mut slots: Vec<AtomicPtr<Clause>>, before: usize) -> ClauseList {
        slots.resize_with(slots.capacity(), || AtomicPtr::new(std::ptr::null_mut()));
        let list = ClauseList {
            slots: slots.into_boxed_slice(),
            from: AtomicUsize::new(before),
            to: AtomicUsize::new(before),
            lowest: AtomicUsize::new(before),
            since: generation(),
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
        unsafe { &*p }
    }
    /// What is at an index inside the bounds: a clause, or where to go on.
    #[inline]
    pub fn at(&self, i: usize) -> Result<&'static Clause, usize> {
        let p = self.slots[i].load(Ordering::Relaxed);
        match jump_of(p) {
            Some(to) => Err(to),
            // SAFETY: as in `get`.
            None => Ok(unsafe { &*p }),
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
                        return Some((self.slots[i - 1].load(Ordering::Relaxed), c));
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
            Some((self.slots[i].load(Ordering::Relaxed), c))
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
    /// A copy without erased clauses, with room at one end; `None`: there is no memory for it.
    fn grown(&self, at_end: bool) -> Option<ClauseList> {
        let (from, to) = self.bounds();
        let live = || self.entries(from, to).filter(|(_, c)| !c.is_erased());
        let n = live().count();
        // What is taken away at the front while it grows goes on like that: a counter, a queue, a stack.
        let passed = from - self.lowest.load(Ordering::Relaxed);
        let room = n.max(1) + n / 2 + passed.min(CHURN);
        let list = if at_end {
            ClauseList::if_room(0, n + room)?
        } else {
            ClauseList::if_room(room, n)?
        };
        for (pointer, _) in live() {
            list.push(pointer, true);
        }
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

/// Adds `clause` to the list behind `list`, one of the predicate's; returns the list it replaced, if any, to be retired.
pub(crate) fn push(
    of: &Predicate,
    list: &AtomicPtr<ClauseList>,
    clause: *mut Clause,
    at_end: bool,
) -> Result<Option<*mut ClauseList>, NoRoom> {
    let old = list.load(Ordering::Relaxed);
    // SAFETY: the caller holds the writer's lock, so the current list stays.
    let current = unsafe { &*old };
    if current.push(clause, at_end) {
        return Ok(None);
    }
    let new = current.grown(at_end).ok_or(NoRoom)?;
    let pushed = new.push(clause, at_end);
    debug_assert!(pushed);
    Ok(Some(install(of, list, Box::new(new))))
}

/// What is to replace the list of a predicate: the same without erased clauses, with room for one at that end. `None`: there is no
/// memory for that.
pub(crate) fn compacted(of: &Predicate, at_end: bool) -> Option<Box<ClauseList>> {
    // SAFETY: the caller holds the writer's lock.
    let current = unsafe { &*of.list_ptr().load(Ordering::Relaxed) };
    current.grown(at_end).map(Box::new)
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

/// Replaces the list of a predicate by one of these clauses; returns the old one.
pub(crate) fn replace(of: &Predicate, clauses: Vec<*mut Clause>) -> *mut ClauseList {
    if clauses.is_empty() {
        return of.list_ptr().swap(ClauseList::empty(), Ordering::AcqRel);
    }
    let new = ClauseList::with_capacity(0, clauses.len());
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
    /// An empty index for so many keys; `None`: there is no memory for it.
    pub(crate) fn with_room(keys: usize) -> Option<KeyIndex> {
        let n = (keys * 2).next_power_of_two().max(16);
        let mut slots = Vec::new();
        slots.try_reserve_exact(n).ok()?;
        slots.resize_with(n, || AtomicPtr::new(std::ptr::null_mut()));
        let index = KeyIndex {
            slots: slots.into_boxed_slice(),
            used: AtomicUsize::new(0),
            since: generation(),
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
            Ok(b) => push(of, &b.list, clause, at_end),
            Err(i) => {
                if self.is_full() {
                    return Err(NoRoom);
                }
                // Nobody has seen the bucket: nothing is replaced, and nothing is to be retired.
                let list = ClauseList::with_capacity(0, 1);
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
    use crate::database::{add, erase};
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

    fn predicate() -> &'static Predicate {
        let p = Predicate::new(
            Atom::from_index(2_000),
            Functor::new(Atom::from_index(2_001), 1),
        );
        crate::database::make_dynamic(p);
        p
    }

    /// Histories of additions at both ends and erasures, against a queue.
    #[test]
    fn lists_hold_what_was_added_and_not_erased() {
        let me = reclaim::register(Box::new(|_| {}));
        let mut random: u32 = 17;
        for end in [1, 2, 5] {
            let p = predicate();
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
                me.publish(&[], &[]);
            }
        }
        reclaim::unregister(&me);
    }

    /// A stack on top of many facts is neither copied nor walked as often as it is used.
    #[test]
    fn the_top_of_a_stack_is_found_at_once() {
        let me = reclaim::register(Box::new(|_| {}));
        for below in [ROUNDS / 4, ROUNDS / 2, ROUNDS] {
            let p = predicate();
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
                me.publish(&[], &[]);
            }
            assert_eq!(steps, 0);
            assert!(copies <= 4, "{copies} copies of {below} clauses");
        }
        reclaim::unregister(&me);
    }
}
