//! The first-argument index of dynamic predicates: when there is one.
//!
//! An index is made when a call could use it, of a predicate with more than [`INDEX_FROM`] clauses all of which have a key, and only if the memory that all threads
//! have in common has room for it, which it is counted in. It goes when it cannot help any more (a clause without a key), when it has too many keys of
//! clauses that are gone, when it is full and nobody has used it since it was made, and when there is no memory for a larger one. A call that wants it
//! makes it again.
//!
//! *Bound*: the keys of an index ≤ [`super::keys::KeyIndex::is_too_large_for`]'s of the clauses. *Cost*: making it again takes as long as the additions since it was
//! made or dropped took, or as many erasures.

use super::list::NoRoom;
use super::predicate::{KeyIndex, Predicate, Retired};
use samite_term::common;

/// A dynamic predicate with more clauses than this gets an index when it is called with its first argument bound.
pub const INDEX_FROM: usize = 8;

/// Drops the index, if there is one. Caller holds the lock.
pub(crate) fn drop_index(predicate: &'static Predicate) {
    let old = predicate.indexed.take();
    if !old.is_null() {
        predicate.retire(Retired::One(old));
    }
}

/// The index is full: it is made again, larger, if anybody has used it. Caller holds the lock.
pub(super) fn grow_index(predicate: &'static Predicate) {
    let index = predicate.indexed.get();
    if index.is_some_and(|index| index.is_wanted()) {
        build_index(predicate);
    } else {
        drop_index(predicate);
    }
}

/// Builds (again) the first-argument index, or without the memory for it drops it. Caller holds the lock.
fn build_index(predicate: &'static Predicate) {
    let list = predicate.clauses();
    let (from, to) = list.bounds();
    let mut room = predicate.indexed.get().map_or(16, |old| old.keys() * 2);
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
        let old = predicate.indexed.put(Box::new(index));
        if !old.is_null() {
            predicate.retire(Retired::One(old));
        }
        return;
    }
}

/// The index of a dynamic predicate, built now if it is worth it.
#[inline]
pub fn index_of(predicate: &'static Predicate) -> Option<&'static KeyIndex> {
    if let Some(index) = predicate.indexed.get() {
        return Some(index);
    }
    if predicate.indexed.is_impossible() || predicate.clauses().len() <= INDEX_FROM {
        return None;
    }
    // An index is no more than a help.
    if !common::may_take(KeyIndex::bytes_for(predicate.clauses().len()), 0) {
        return None;
    }
    let _w = predicate.lock();
    if predicate.indexed.get().is_none() && !predicate.indexed.is_impossible() {
        build_index(predicate);
    }
    predicate.indexed.get()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::db::database::{add, erase, make_dynamic};
    use crate::db::list::REFUSALS;
    use crate::db::predicate::{Clause, Domain};
    use crate::db::view::view;
    use samite_term::{Functor, atoms};

    fn filled(n: u64) -> &'static Predicate {
        let functor = Functor::new(atoms::MAIN, 1);
        let p = Predicate::new(Domain::new(), atoms::USER, functor);
        make_dynamic(p);
        (0..n).for_each(|i| one_more(p, i));
        p
    }

    fn key(i: u64) -> u64 {
        (i + 1) * 8
    }

    fn one_more(p: &'static Predicate, i: u64) {
        let c = Box::new(Clause::new(p, key(i), None, None, 0));
        add(p, c, true).expect("there is room");
    }

    fn has_index(p: &'static Predicate) -> bool {
        p.indexed.get().is_some()
    }

    /// An index grows with its predicate as long as calls use it, and goes where nobody does.
    #[test]
    fn an_index_that_nobody_uses_is_not_made_again() {
        for used in [true, false] {
            let p = filled(20);
            assert!(!has_index(p), "nobody has asked");
            assert_eq!(view(p, key(3)).clauses().count(), 1);
            assert!(has_index(p));
            // Full for the first time: it has been used, by that call.
            (20..200).for_each(|i| {
                one_more(p, i);
                if used {
                    assert_eq!(view(p, key(i)).clauses().count(), 1);
                }
            });
            assert_eq!(has_index(p), used);
            assert_eq!(view(p, key(150)).clauses().count(), 1);
            assert!(has_index(p));
        }
    }

    /// Where erased clauses cannot be swept out for want of memory, the index does not keep their keys.
    #[test]
    fn an_index_is_in_proportion_to_its_clauses() {
        let n = 2000;
        let p = filled(n);
        let me = p.domain.register(Box::new(|_| {}));
        me.enter();
        assert_eq!(view(p, key(3)).clauses().count(), 1);
        let all: Vec<&Clause> = p.visible_clauses().collect();
        REFUSALS.set(usize::MAX);
        for (i, c) in all.into_iter().enumerate() {
            assert!(erase(c, 1));
            let left = n as usize - 1 - i;
            let index = p.indexed.get();
            assert!(index.is_none_or(|index| index.keys() <= 64 + 4 * left));
        }
        REFUSALS.set(0);
        p.domain.publish(&me, &[], None);
        p.domain.unregister(&me);
    }
}
