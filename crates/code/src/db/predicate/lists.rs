//! The list of a predicate's clauses, for who holds its lock; and how it is retired.

use super::{Clause, ClauseList, Predicate, Retired};
use crate::db::clock::NONE;
use crate::db::list::{Owner, install};
use crate::db::retire::{Fate, Retire};
use crate::sync::{AtomicPtr, shared};
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;

shared! {
    /// The list of all predicates that have had no clause: without slots, it never changes. It is no program's.
    static EMPTY: LazyLock<ClauseList> = LazyLock::new(|| {
        // It has always been there.
        ClauseList::of(Vec::new(), 0, 0)
    });
}

/// The list of those without clauses. It is replaced as the others are, but stays.
pub(crate) fn empty() -> *mut ClauseList {
    std::ptr::from_ref::<ClauseList>(&EMPTY).cast_mut()
}

/// Lists that are retired together.
struct Lists(Vec<*mut ClauseList>);

impl Lists {
    fn each(&self) -> impl Iterator<Item = &ClauseList> {
        // SAFETY: what is retired is freed by this alone.
        self.0.iter().map(|&l| unsafe { &*l })
    }
}

impl Retire for Lists {
    fn bytes(&self) -> usize {
        self.each().map(ClauseList::bytes).sum()
    }
    fn born(&self) -> Option<u64> {
        self.each().map(ClauseList::since).min()
    }
    fn fate(&self) -> Fate {
        Fate::Free
    }
    fn code(&self) -> Range<usize> {
        0..0
    }
}

impl Drop for Lists {
    fn drop(&mut self) {
        for &list in &self.0 {
            // SAFETY: as above.
            drop(unsafe { Box::from_raw(list) });
        }
    }
}

impl Owner for Predicate {
    fn generation(&self) -> u64 {
        self.domain.generation()
    }
    fn oldest(&self) -> u64 {
        self.domain.oldest()
    }
    fn be_as_new_as(&self, g: u64) {
        Predicate::be_as_new_as(self, g);
    }
}

/// A predicate while clauses leave its lists: what is gone is asked for once, for all of them.
pub(crate) struct Leaving {
    pub predicate: &'static Predicate,
    /// See [`Domain::oldest`](super::Domain).
    pub oldest: u64,
}

impl Owner for Leaving {
    fn generation(&self) -> u64 {
        self.predicate.domain.generation()
    }
    fn oldest(&self) -> u64 {
        self.oldest
    }
    fn be_as_new_as(&self, g: u64) {
        self.predicate.be_as_new_as(g);
    }
}

impl Predicate {
    pub(crate) fn list_ptr(&self) -> &AtomicPtr<ClauseList> {
        &self.list
    }
    /// Retires what was unlinked from it just now, or from a twin, which is walked in the name of the predicate.
    pub(crate) fn retire(&self, what: Retired) {
        let address = std::ptr::from_ref(self.main()) as usize;
        self.domain.reclaimer.retire(address, what);
    }
    /// Retires a list that was replaced just now.
    pub(crate) fn retire_list(&self, list: *mut ClauseList) {
        if !std::ptr::eq(list, empty()) {
            self.retire(Retired::One(list));
        }
    }
    /// Retires lists of an index that were replaced just now.
    pub(crate) fn retire_lists(&self, lists: Vec<*mut ClauseList>) {
        if !lists.is_empty() {
            self.retire(Retired::One(Box::into_raw(Box::new(Lists(lists)))));
        }
    }
    /// What is to replace its list: the same without clauses that are gone; if it is to grow, at the end or the front, with room for one
    /// there. `None`: there is no memory for that, as was seen at once. How many have not been erased: `live`.
    pub(crate) fn compacted(
        &self,
        live: usize,
        grows: Option<bool>,
        oldest: u64,
    ) -> Option<Box<ClauseList>> {
        let n = match oldest {
            NONE => live,
            _ => self.clauses().count_kept(oldest),
        };
        let made = (self.domain.generation(), oldest);
        match grows {
            Some(at_end) => self.clauses().grown(n, at_end, made),
            None => self.clauses().swept(n, made),
        }
        .map(Box::new)
    }
    /// Replaces its list; returns the old one.
    pub(crate) fn install(&self, new: Box<ClauseList>) -> *mut ClauseList {
        install(self, &self.list, new)
    }
    /// Replaces its list by none, which takes no memory; returns the old one.
    pub(crate) fn clear(&self) -> *mut ClauseList {
        self.list.swap(empty(), Ordering::AcqRel)
    }
    /// A list of these clauses; `None` if there are none.
    pub(crate) fn list_of(&self, clauses: Vec<*mut Clause>) -> Option<ClauseList> {
        if clauses.is_empty() {
            return None;
        }
        let new = ClauseList::with_capacity(0, clauses.len(), self.domain.generation());
        for c in clauses {
            new.push(c, true);
        }
        Some(new)
    }
}
