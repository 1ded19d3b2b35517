//! What a call sees of a predicate's clauses: the only way from a predicate to a list of its clauses for those who do not hold its lock.
//!
//! A reader takes a generation `g`, then the list of the predicate or of a key, then its bounds. Meanwhile writers leave erased clauses
//! out of all of these: they raise the lower bound of a list, replace a list or an index by one without them. Whoever had read the
//! generation before would miss clauses that are visible to it. So:
//!
//! 1. *Equation*: a list, bounds and index of a predicate hold each clause with `g < death` for every `g` ≥ [`Predicate::newest`]
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
//! | `next_generation` (read-modify-write), after the change | [`Domain::generation`](super::predicate::Domain::generation) | all changes of that generation and older ones, an index dropped for a clause without a key included: so that one is impossible may be read relaxed |
//! | `newest`, before anything is left out and before a new list | [`Predicate::newest`], after the bounds | with 3. above: a reader of what came after it (a list, an index, a lower bound: all stored with release) sees it |
//! | list, index, list of a key | `clauses`, `index_of`, `KeyIndex::get` | the slots of the list, the lists of the index |
//! | upper or lower bound of a list | `bounds` | the slots within (relaxed themselves), and the clauses in them |
//! | `birth`, after the clause is in the list; `death` | `Clause::visible` | nothing more: a clause is in the list before it is visible, and stays until nobody can hold it |
//! | `RELOADING`, then the entry; at the end the entry, then the flag taken back | the entry, then the flag | who came through the old entry knows why, or finds the present one |
//!
//! `entered` and the lists are ordered by fences: see [`super::reclaim`]. All other loads and stores are under the predicate's lock.

use super::index::index_of;
use super::list::Entry;
use super::predicate::{ANY_KEY, Clause, ClauseList, Predicate};

/// A list of clauses, its bounds, and the generation to look at the clauses with.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub list: &'static ClauseList,
    pub from: usize,
    pub to: usize,
    pub generation: u64,
}

/// The clauses that may match a first-argument key, as they are now. The caller has entered
/// ([`ReaderSlot::enter`](super::readers::ReaderSlot::enter)) or holds the lock.
#[inline]
pub fn view(p: &'static Predicate, key: u64) -> View {
    loop {
        let generation = p.domain.generation();
        let view = look(p, key, generation);
        // Ordered after the loads of list and bounds, which acquire.
        if p.newest() <= generation {
            debug_assert!(view.list.since() <= generation);
            return view;
        }
    }
}

/// One round of [`view`].
#[inline]
fn look(p: &'static Predicate, key: u64, generation: u64) -> View {
    let found = if key == ANY_KEY { None } else { index_of(p) };
    let list = match found {
        Some(index) => index.look_up(key),
        None => Some(p.clauses()),
    };
    match list {
        Some(list) => {
            let (from, to) = list.bounds();
            View {
                list,
                from,
                to,
                generation,
            }
        }
        None => View {
            list: p.clauses(),
            from: 0,
            to: 0,
            generation,
        },
    }
}

impl View {
    /// First index in `from..to` of a visible clause that `key` may match.
    #[inline]
    pub fn find(&self, from: usize, key: u64) -> usize {
        find(self.list, from, self.to, key, self.generation)
    }
    /// The visible clauses, in order.
    pub fn clauses(self) -> impl Iterator<Item = &'static Clause> {
        self.list
            .between(self.from, self.to)
            .filter(move |c| c.visible(self.generation))
    }
}

/// First index in `from..to` of a clause of `list` that `key` may match and generation `g` sees.
#[inline]
pub fn find(list: &ClauseList, from: usize, to: usize, key: u64, g: u64) -> usize {
    list.find(from, to, key, g)
}

/// Where a walk of generation `g` that is at a clause it sees, at `at`, ends in truth: behind the last clause that had been born by `g`.
///
/// Clauses come at the ends of a list, each born before the next one comes, or with the list. So all that came after `g` and before the
/// bounds were read are at the back, but for those in front of what the walk has passed.
pub fn end_of(list: &ClauseList, at: usize, to: usize, g: u64) -> usize {
    let is_younger = |i| list.at(i).is_ok_and(|c: &Clause| !c.is_born_by(g));
    let mut end = to;
    while end > at + 1 && is_younger(end - 1) {
        end -= 1;
    }
    if cfg!(debug_assertions) {
        // (Some of them: lists may be long.)
        const SOME: usize = 100;
        assert!(list.since() <= g);
        // (It was visible: it may have died since, at a generation that had been taken by then.)
        assert!(list.get(at).is_born_by(g));
        assert!(!(at..end.min(at + SOME)).any(is_younger));
        assert!(!(at.max(end.saturating_sub(SOME))..end).any(is_younger));
    }
    end
}

impl Predicate {
    /// Its clauses as they are now, in order. For whom: see [`view`].
    pub fn visible_clauses(&'static self) -> impl Iterator<Item = &'static Clause> {
        self.view().clauses()
    }
    /// All of its clauses as they are now. For whom: see [`view`].
    pub fn view(&'static self) -> View {
        view(self, ANY_KEY)
    }
}
