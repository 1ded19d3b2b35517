//! Changing predicates: adding, erasing, wiping. Writers of one predicate exclude each other by its lock; readers are
//! never blocked (invariants in [`crate::predicate`]).

use crate::clause_list::{ClauseList, KeyIndex, compact, push};
use crate::instr::Op;
use crate::names;
use crate::predicate::{ANY_KEY, BOX_KEY, Clause, Predicate, Writer, flag, next_generation};
use crate::reclaim::{Retired, retire};
use std::sync::atomic::Ordering;

/// A dynamic predicate with more clauses than this gets an index when it is called with its first argument bound.
pub const INDEX_FROM: usize = 8;

/// Adds a clause; it is visible to calls that start afterwards.
pub fn add(predicate: &'static Predicate, clause: Box<Clause>, at_end: bool) {
    let key = clause.key;
    let mut w = predicate.lock();
    let raw = Box::into_raw(clause);
    if let Some(old) = push(predicate.list_ptr(), raw, at_end) {
        // Growing left the erased clauses out: nobody finds them any more, once the index is gone too.
        if w.erased > 0 {
            // SAFETY: the lock is held and the list was just replaced.
            let dead = erased_of(unsafe { &*old });
            drop_index(predicate);
            for c in dead {
                retire(Retired::Clause(c));
            }
            w.erased = 0;
        }
        retire(Retired::List(old));
    }
    let index = predicate.index_ptr().load(Ordering::Relaxed);
    if key == ANY_KEY || key == BOX_KEY {
        if !predicate.unindexable.swap(true, Ordering::Relaxed) && !index.is_null() {
            drop_index(predicate);
        }
    } else if !index.is_null() {
        // SAFETY: the lock is held, so the index stays.
        match unsafe { &*index }.add(raw, key, at_end) {
            Ok(None) => {}
            Ok(Some(old)) => retire(Retired::List(old)),
            Err(()) => build_index(predicate),
        }
    }
    w.live += 1;
    // SAFETY: just made, published by the list; nobody frees it while the lock is held.
    unsafe { &*raw }
        .birth
        .store(next_generation(), Ordering::Release);
    predicate.set_flag(flag::DEFINED);
    relink(predicate);
}

/// After a change: the entry code of the predicate's kind.
fn relink(predicate: &'static Predicate) {
    if predicate.has(flag::TABLED) {
        predicate.set_body(std::ptr::null());
    } else if predicate.is_dynamic() {
        predicate.set_entry_op(Op::Dynamic);
    } else if predicate.has(flag::LOADING) {
        // Half a definition is nobody's but the loader's, who comes here through the call of what is undefined.
        predicate.set_entry_op(Op::Undefined);
    } else {
        predicate.set_entry_op(Op::Link);
    }
}

/// Lets everybody call a predicate whose file is loaded.
pub fn publish(predicate: &'static Predicate) {
    let _w = predicate.lock();
    predicate.clear_flag(flag::LOADING);
    relink(predicate);
}

/// Makes a predicate tabled: calls go through the table space.
pub fn make_tabled(predicate: &'static Predicate) {
    // Against a thread that links it as what it was.
    let _w = predicate.lock();
    predicate.set_body(std::ptr::null());
    predicate.set_flag(flag::TABLED | flag::DEFINED);
    predicate.set_entry_op(Op::Tabled);
}

/// Makes a predicate dynamic, keeping its clauses.
pub fn make_dynamic(predicate: &'static Predicate) {
    // Against a thread that links it as what it was.
    let _w = predicate.lock();
    predicate.set_flag(flag::DYNAMIC | flag::DEFINED);
    relink(predicate);
}

/// Erases a clause; false if it was erased before.
pub fn erase(clause: &'static Clause) -> bool {
    let predicate = clause.predicate;
    let mut w = predicate.lock();
    if clause.is_erased() {
        return false;
    }
    clause.death.store(next_generation(), Ordering::Release);
    names::forget(clause);
    w.live -= 1;
    w.erased += 1;
    predicate.clauses().skip_erased();
    let index = predicate.index_ptr().load(Ordering::Relaxed);
    // SAFETY: the lock is held, so the index stays.
    if let Some(list) = unsafe { index.as_ref() }.and_then(|i| i.get(clause.key)) {
        list.skip_erased();
    }
    if !predicate.is_dynamic() {
        relink(predicate);
    }
    if w.erased > 8 && w.erased > w.live {
        sweep(predicate, &mut w);
    }
    true
}

/// Takes erased clauses out of the lists and retires them. The index is built again when it is next wanted.
fn sweep(predicate: &'static Predicate, w: &mut Writer) {
    let dead = erased_of(predicate.clauses());
    let old = compact(predicate.list_ptr());
    if !predicate.index_ptr().load(Ordering::Relaxed).is_null() {
        drop_index(predicate);
    }
    w.erased = 0;
    retire(Retired::List(old));
    for c in dead {
        retire(Retired::Clause(c));
    }
}

/// The erased clauses of a list.
fn erased_of(list: &ClauseList) -> Vec<*mut Clause> {
    let (from, to) = list.all_bounds();
    (from..to)
        .map(|i| list.get(i))
        .filter(|c| c.is_erased())
        .map(|c| std::ptr::from_ref(c).cast_mut())
        .collect()
}

fn drop_index(predicate: &Predicate) {
    let old = predicate
        .index_ptr()
        .swap(std::ptr::null_mut(), Ordering::AcqRel);
    if !old.is_null() {
        retire(Retired::Index(old));
    }
}

/// Builds (again) the first-argument index. Caller holds the lock.
fn build_index(predicate: &Predicate) {
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
        let index = KeyIndex::with_room(room);
        for i in from..to {
            let c = list.get(i);
            if c.is_erased() {
                continue;
            }
            match index.add(std::ptr::from_ref(c).cast_mut(), c.key, true) {
                Ok(None) => {}
                Ok(Some(unused)) => {
                    // SAFETY: a list of an index nobody has seen yet.
                    drop(unsafe { Box::from_raw(unused) });
                }
                Err(()) => {
                    room *= 2;
                    continue 'again;
                }
            }
        }
        let old = predicate
            .index_ptr()
            .swap(Box::into_raw(Box::new(index)), Ordering::AcqRel);
        if !old.is_null() {
            retire(Retired::Index(old));
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

/// Erases all clauses; returns how many there were.
pub fn wipe(predicate: &'static Predicate) -> usize {
    let mut w = predicate.lock();
    let list = predicate.clauses();
    let (from, to) = list.bounds();
    let g = next_generation();
    let live = w.live;
    for i in from..to {
        let c = list.get(i);
        if !c.is_erased() {
            c.death.store(g, Ordering::Release);
            names::forget(c);
            w.live -= 1;
            w.erased += 1;
        }
    }
    // Before the clauses are retired: no call finds them any more.
    if !predicate.is_dynamic() {
        relink(predicate);
    }
    sweep(predicate, &mut w);
    predicate.unindexable.store(false, Ordering::Relaxed);
    live
}

/// Wipes the predicate and makes it undefined.
pub fn abolish(predicate: &'static Predicate) {
    wipe(predicate);
    predicate.clear_flag(
        flag::DEFINED | flag::DYNAMIC | flag::TABLED | flag::MULTIFILE | flag::DISCONTIGUOUS,
    );
    predicate.set_entry_op(Op::Undefined);
}
