//! What a call sees of a predicate's clauses: the only way from a predicate to a list of its clauses for those who do not hold its lock.
//!
//! A reader takes a generation `g`, then the list of the predicate or of a key, then its bounds. Meanwhile writers leave erased clauses
//! out of all of these: they raise the lower bound of a list, replace a list or an index by one without them. Whoever had read the
//! generation before would miss clauses that are visible to it. So:
//!
//! 1. *Equation*: a list, bounds and indexes of a predicate hold each clause with `g < death` for every `g` ≥ [`Predicate::newest`]
//!    at the time they were read, and none of its lists was made after that ([`ClauseList::since`]).
//! 2. Writers set `newest` after they have taken the generation of a death and before they leave anything out, all under the lock; and
//!    when they have made a list, before anybody can find it.
//! 3. A reader that finds `newest` > `g` after it has the bounds starts again. What it saw left out was left out after that
//!    death's generation had been taken, so the next `g` is at least as new: each round costs a writer an erasure or a list.
//!
//! So by the generation of a reader it is known what it may hold ([`super::limbo`]): no list that is younger.
//!
//! A predicate that is exchanged as a whole ([`super::database::exchange`]) needs nothing more here: the clauses of the new list are
//! visible to whoever takes it, and the old ones die when the old list is gone.

//! What the orderings pair with (a writer's store, release | a reader's load, acquire | what the reader then sees):
//!
//! | store | load | seen |
//! |---|---|---|
//! | `next_generation` (read-modify-write), after the change | [`Domain::generation`](super::predicate::Domain::generation) | all changes of that generation and older ones, an index that was dropped included |
//! | `newest`, before anything is left out and before a new list | [`Predicate::newest`], after the bounds | with 3. above: a reader of what came after it (a list, an index, a lower bound: all stored with release) sees it |
//! | list, index, what a key leads to | `clauses`, `Indexed::get`, `KeyIndex::get` | the slots of the list, what is in the index |
//! | upper or lower bound of a list | `bounds` | the slots within (relaxed themselves), and the clauses in them |
//! | `birth`, after the clause is in the list; `death` | `Clause::visible` | nothing more: a clause is in the list before it is visible, and stays until nobody can hold it |
//! | `RELOADING`, then the entry; at the end the entry, then the flag taken back | the entry, then the flag | who came through the old entry knows why, or finds the present one |
//!
//! `entered` and the lists are ordered by fences: see [`super::reclaim`]. All other loads and stores are under the predicate's lock.

use super::index::{INDEX_FROM, find_by_index, find_by_plan};
use super::list::Entry;
use super::predicate::{ANY_KEY, Clause, ClauseList, Found, Predicate};
use super::readers::ReaderSlot;
use super::sight::{Sight, is_private};

pub use super::place::Call;

/// A list of clauses, its bounds, and the generation to look at the clauses with.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub list: &'static ClauseList,
    pub from: usize,
    pub to: usize,
    pub generation: u64,
}

/// What a call may match.
#[derive(Clone, Copy, Debug)]
pub enum Matches {
    Nothing,
    /// This clause alone, and no walk is to be kept.
    One(&'static Clause),
    /// Of these, those that the key of the first argument may match, and [`Clause::may_match`].
    Some(View),
}

/// The clauses that a call may match, as they are now. The caller has entered
/// ([`ReaderSlot::enter`](super::readers::ReaderSlot::enter)) or holds the lock.
#[inline]
pub fn matches(reader: &ReaderSlot, p: &'static Predicate, call: &Call) -> Matches {
    match sight_on(reader, p) {
        None => matches_now(p, call),
        Some(sight) => matches_within(sight, p, call),
    }
}

/// What a reader in a transaction sees a predicate with. What Samite's own libraries keep for themselves is no part of transactions.
#[inline]
fn sight_on(reader: &ReaderSlot, p: &Predicate) -> Option<&'static Sight> {
    reader.sight().filter(|_| p.is_transactional())
}

/// The same in a transaction: nothing that its snapshot sees is left out of any list meanwhile.
#[cold]
#[inline(never)]
fn matches_within(sight: &Sight, p: &'static Predicate, call: &Call) -> Matches {
    look(p, call, generation_within(sight, p))
}

/// The generation that a call in a transaction reads with.
///
/// Who changes a predicate takes a generation, and then says so in the clause. So when it is looked at for the first time, those have done so who had taken one
/// by the snapshot's.
fn generation_within(sight: &Sight, p: &'static Predicate) -> u64 {
    if sight.is_new_to(std::ptr::from_ref(p).addr()) {
        drop(p.main().lock());
    }
    sight.now()
}

/// [`matches`] in no transaction.
#[inline]
pub(crate) fn matches_now(p: &'static Predicate, call: &Call) -> Matches {
    loop {
        let generation = p.domain.generation();
        let found = look(p, call, generation);
        // Ordered after the loads of list and bounds, which acquire.
        if p.newest() <= generation {
            return found;
        }
    }
}

/// One round of [`matches`].
#[inline]
fn look(p: &'static Predicate, call: &Call, generation: u64) -> Matches {
    let all = p.clauses();
    let found = match all.len() > INDEX_FROM {
        true => find_by_index(p, call),
        false => None,
    };
    match found {
        None => Matches::Some(View::of(all, generation)),
        Some(found) => of_found(found, call, generation),
    }
}

/// The first clauses that calls with a key find, so many, as they find them.
#[cfg(any(test, loom))]
pub(crate) fn found(p: &'static Predicate, key: u64, most: usize) -> Vec<&'static Clause> {
    let v = match matches_now(p, &Call::with_key(key)) {
        Matches::Nothing => return Vec::new(),
        Matches::One(c) => return vec![c],
        Matches::Some(v) => v,
    };
    let mut at = v.find(v.from, key);
    let mut found = Vec::new();
    while at < v.to && found.len() < most {
        found.push(v.list.get(at));
        at = v.find(at + 1, key);
    }
    found
}

/// The same by an index for a call whose first argument leads to many clauses; `None`: there is none that helps.
pub fn matches_by_index(p: &'static Predicate, call: &Call) -> Option<Matches> {
    loop {
        let generation = p.domain.generation();
        let found = find_by_plan(p, call, None)?;
        let found = of_found(found, call, generation);
        // As in `matches`.
        if p.newest() <= generation {
            return Some(found);
        }
    }
}

/// What is found by an index.
fn of_found(found: Found, call: &Call, generation: u64) -> Matches {
    match found {
        Found::Nothing => Matches::Nothing,
        Found::Many(list) => Matches::Some(View::of(list, generation)),
        Found::One(c) => match c.visible(generation) && may_be(c.key, call.key) {
            true => Matches::One(c),
            false => Matches::Nothing,
        },
    }
}

/// Whether keys are of terms that may unify.
fn may_be(a: u64, b: u64) -> bool {
    a == b || a == ANY_KEY || b == ANY_KEY
}

impl View {
    fn of(list: &'static ClauseList, generation: u64) -> View {
        let (from, to) = list.bounds();
        View {
            list,
            from,
            to,
            generation,
        }
    }
    /// First index in `from..to` of a visible clause that `key` may match.
    #[inline]
    pub fn find(&self, from: usize, key: u64) -> usize {
        find(self.list, from, self.to, key, self.generation)
    }
    /// The same of a clause that a call may match by all that can be known before.
    pub fn find_match(&self, from: usize, call: &Call) -> usize {
        let mut at = self.find(from, call.key);
        while at < self.to && !self.list.get(at).may_match(call) {
            at = self.find(at + 1, call.key);
        }
        at
    }
    /// The visible clauses, in order.
    pub fn clauses(self) -> impl Iterator<Item = &'static Clause> {
        self.list
            .between(self.from, self.to)
            .filter(move |c| c.visible(self.generation))
    }
    /// The same for a reader that has entered, as calls walk: what they have passed is passed at once.
    pub fn walked(self) -> impl Iterator<Item = &'static Clause> {
        let mut next = self.from;
        std::iter::from_fn(move || {
            let at = self.find(next, ANY_KEY);
            next = at + 1;
            (at < self.to).then(|| self.list.get(at))
        })
    }
}

/// Memory that a predicate takes with its clauses, as far as a reader, which has entered, sees them, and their list, about.
pub fn bytes(p: &'static Predicate, reader: &ReaderSlot) -> usize {
    let clauses = p.view_of(reader).walked().map(Clause::bytes).sum::<usize>();
    size_of::<Predicate>() + p.clauses().bytes() + clauses
}

/// First index in `from..to` of a clause of `list` that `key` may match and generation `g` sees.
#[inline]
pub fn find(list: &ClauseList, from: usize, to: usize, key: u64, g: u64) -> usize {
    list.find(from, to, key, g)
}

/// Where a walk of generation `g` that is at a clause it sees, at `at`, ends in truth: behind the last clause that had been born by `g`.
///
/// Clauses come at the ends of a list, each born before the next one comes, or with the list. So all that came after `g` and before the
/// bounds were read are at the back, but for those in front of what the walk has passed. (Those of a transaction that has not ended may be in between. A walk
/// in a transaction ends where it ends.)
pub fn end_of(list: &ClauseList, at: usize, to: usize, g: u64) -> usize {
    let is_younger = |i| list.at(i).is_ok_and(|c: &Clause| !c.is_born_by(g));
    let mut end = to;
    if is_private(g) {
        return end;
    }
    while end > at + 1 && is_younger(end - 1) {
        end -= 1;
    }
    if cfg!(debug_assertions) {
        // (Some of them: lists may be long.)
        const SOME: usize = 100;
        assert!(list.since() <= g);
        // (It was visible: it may have died since, at a generation that had been taken by then.)
        assert!(list.get(at).is_born_by(g));
        let came_late = |i| is_younger(i) && list.at(i).is_ok_and(|c| !c.is_transacted());
        assert!(!(at..end.min(at + SOME)).any(came_late));
        assert!(!(at.max(end.saturating_sub(SOME))..end).any(came_late));
    }
    end
}

impl Predicate {
    /// Its clauses as that reader sees them now.
    pub fn view_of(&'static self, reader: &ReaderSlot) -> View {
        match sight_on(reader, self) {
            None => self.view(),
            Some(sight) => View::of(self.clauses(), generation_within(sight, self)),
        }
    }
    /// The same, in order. For whom: see [`view`].
    pub fn visible_clauses(&'static self) -> impl Iterator<Item = &'static Clause> {
        self.view().clauses()
    }
    /// All of its clauses as they are now for those who are in no transaction. For whom: see [`view`].
    pub fn view(&'static self) -> View {
        loop {
            let generation = self.domain.generation();
            let view = View::of(self.clauses(), generation);
            // As in `matches`.
            if self.newest() <= generation {
                debug_assert!(view.list.since() <= generation);
                return view;
            }
        }
    }
}
