//! The new clauses of the predicates of a file that is being loaded, until they are put in place; for the loader.
//!
//! *Equation*: `places` has for each predicate that is pending its place in the list, and nothing else. So whether a predicate is pending,
//! which the loader asks for each term, takes the same time however many are.

use super::loading::key;
use rustc_hash::FxHashMap;
use samite_code::Predicate;
use samite_code::predicate::Clause;
use samite_term::HeldAtom;

/// The new clauses of a predicate, not yet in place.
pub(crate) struct Pending {
    pub predicate: &'static Predicate,
    #[allow(clippy::vec_box, reason = "clauses live in boxes of their own")]
    pub clauses: Vec<Box<Clause>>,
    /// So many of them are in its shadow. (A twin has taken them.)
    pub shown: usize,
    /// Text and line of the first one.
    pub place: Option<(HeldAtom, u32)>,
    /// They replace what other files have defined: all static predicates do, and dynamic ones of which others have clauses.
    pub alone: bool,
    /// It was another file's when its first clause was read: the clauses that it had go, whatever is declared below.
    pub redefines: bool,
    /// It was another file's that had it tabled.
    pub untables: bool,
}

impl Pending {
    /// What has been read is forgotten.
    pub fn clear(&mut self) {
        self.clauses.clear();
        (self.shown, self.place) = (0, None);
    }
}

/// See the module text. The predicate whose clauses are being read is last.
#[derive(Default)]
pub(crate) struct PendingList {
    pub(crate) all: Vec<Pending>,
    pub(crate) places: FxHashMap<usize, usize>,
}

impl PendingList {
    pub fn has(&self, p: &'static Predicate) -> bool {
        self.places.contains_key(&key(p))
    }
    pub fn get(&self, p: &'static Predicate) -> Option<&Pending> {
        self.places.get(&key(p)).map(|&at| &self.all[at])
    }
    pub fn get_mut(&mut self, p: &'static Predicate) -> Option<&mut Pending> {
        self.places.get(&key(p)).map(|&at| &mut self.all[at])
    }
    /// What is pending of a predicate that is read now.
    pub fn read_now(&mut self, p: &'static Predicate) -> Option<&mut Pending> {
        let last = self.all.len().checked_sub(1)?;
        let own = key(self.all[last].predicate);
        if own != key(p) {
            let at = std::mem::replace(self.places.get_mut(&key(p))?, last);
            self.places.insert(own, at);
            self.all.swap(at, last);
        }
        self.all.last_mut()
    }
    /// Of a predicate that is not pending.
    pub fn push(&mut self, pending: Pending) {
        let was = self.places.insert(key(pending.predicate), self.all.len());
        debug_assert!(was.is_none(), "a predicate is pending twice");
        self.all.push(pending);
    }
    pub fn last(&self) -> Option<&Pending> {
        self.all.last()
    }
    pub fn pop(&mut self) -> Option<Pending> {
        let last = self.all.pop()?;
        self.places.remove(&key(last.predicate));
        Some(last)
    }
    /// All of it; nothing is pending any more.
    pub fn take(&mut self) -> Vec<Pending> {
        if cfg!(debug_assertions) {
            self.verify();
        }
        std::mem::take(self).all
    }
    pub fn predicates(&self) -> Vec<&'static Predicate> {
        self.all.iter().map(|q| q.predicate).collect()
    }
    /// Checks the equation. Panics if it does not hold.
    pub(crate) fn verify(&self) {
        assert!(self.places.len() == self.all.len(), "pending twice, or not");
        for (at, pending) in self.all.iter().enumerate() {
            assert!(self.places.get(&key(pending.predicate)) == Some(&at));
        }
    }
}

/// Run by `tests/checks.rs`.
#[cfg(debug_assertions)]
pub(crate) mod checks {
    use super::*;
    use samite_term::{Atom, Functor};

    pub(crate) fn what_is_read_is_last() {
        let domain = samite_code::Domain::new();
        let all: Vec<&'static Predicate> = (0..5)
            .map(|i| Predicate::new(domain, Atom::new("m"), Functor::new(Atom::new("p"), i)))
            .collect();
        let mut list = PendingList::default();
        assert!(list.read_now(all[0]).is_none() && list.pop().is_none());
        for &predicate in &all[..4] {
            list.push(Pending {
                predicate,
                clauses: Vec::new(),
                shown: 0,
                place: None,
                alone: false,
                redefines: false,
                untables: false,
            });
        }
        list.verify();
        for i in [1, 1, 3, 0, 2] {
            let own = list.read_now(all[i]).map(|q| key(q.predicate));
            assert_eq!(own, Some(key(all[i])));
            list.verify();
        }
        assert!(list.read_now(all[4]).is_none() && !list.has(all[4]));
        list.verify();
        let own = |q: Option<&Pending>| q.map(|q| key(q.predicate));
        assert!(all[..4].iter().all(|p| own(list.get(p)) == Some(key(p))));
        assert_eq!(own(list.pop().as_ref()), Some(key(all[2])));
        assert!(!list.has(all[2]));
        assert_eq!(list.take().len(), 3);
        assert!(!list.has(all[0]) && list.last().is_none());
    }
}
