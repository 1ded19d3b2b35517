//! The indexes of a predicate: which there are, and which one a call uses.
//!
//! They are made on demand. A predicate with more than [`INDEX_FROM`] clauses gets one when a call comes that it would help: by the arguments that have keys
//! in the call ([`super::assess`] says which of them, how many together, and whether parts of them), and only if the memory that all threads have in
//! common has room for it, which it is counted in. Later calls with keys in the same arguments find it by their plan ([`super::nodes`]). Most calls need none: the index by the
//! first argument alone, if there is one, is asked first, and is good enough where it leads to few clauses.
//!
//! An index goes when it has too many keys of clauses that are gone, when it is full and nobody has used it since it was made, and when there is no memory for a larger one. A call that wants it makes it again.
//!
//! *Equation*: an index has, under the key that a clause has at its places, each clause of the predicate's list that has not been left out of that one, in the
//! same order; what matches every key under all keys; and what has keys at some of the places under those that have the same there ([`verify`] looks for each where
//! it is kept).
//!
//! *Bound*: the keys of an index ≤ [`KeyIndex::is_too_large_for`]'s of the clauses, its entries ≤ [`KeyIndex::refuses`]'s: where clauses that match every key
//! would make it more they are kept [apart](super::apart). *Cost*: making it again
//! takes as long as the additions since it was made or dropped took, or as many erasures. Plans are made
//! again when there are twice as many clauses, and when calls have been led to so many that looking for something better costs less.

use super::apart::Group;
use super::assess::{Advice, advise};
use super::key::{ANY_KEY, Part, joined};
use super::keys::{Completed, Keyed};
use super::list::{Entry, NoRoom};
use super::nodes;
use super::place::{Call, FILTERED, PARTS, Place};
use super::predicate::{Clause, ClauseList, Found, KeyIndex, Leaving, Predicate, Retired};
use samite_term::common;
use std::ptr;
use std::sync::atomic::Ordering;

/// A predicate with more clauses than this gets indexes.
pub const INDEX_FROM: usize = if cfg!(loom) { 2 } else { 8 };

/// A list of so many clauses is made for a call whatever else leads to.
const FEW_MADE: usize = 64;

/// A call that is to find clauses without a list finds them among so many.
const NEAR: usize = 64;

/// Keys that a new index has room for.
const FEW_KEYS: usize = if cfg!(loom) { 4 } else { 16 };

type Indexes = nodes::Indexes<Clause>;
type Node = nodes::Node<Clause>;
type Plan = nodes::Plan<Clause>;

/// What a clause has at the places of a node.
fn part_of(node: &Node, c: &Clause) -> Keyed {
    let mut key = ANY_KEY;
    let mut mask = 0u8;
    for (i, &p) in node.places.iter().enumerate() {
        match c.part_at(p) {
            Part::Never => return Keyed::Never,
            Part::Any => {}
            Part::Is(k) => {
                key = joined(key, k);
                mask |= 1 << i;
            }
        }
    }
    match mask {
        0 => Keyed::Any,
        _ if mask.count_ones() as usize == node.places.len() => Keyed::Is(key),
        _ => Keyed::Some(Group { mask, key }),
    }
}

/// Replaces the index by another one, or none. Caller holds the lock.
fn set(node: &Node, predicate: &'static Predicate, new: *mut KeyIndex) {
    let old = node.index.swap(new, Ordering::AcqRel);
    if !old.is_null() {
        predicate.retire(Retired::One(old));
    }
}

/// Builds it, again, or without the memory for it drops it. Caller holds the lock.
fn build(node: &Node, predicate: &'static Predicate) {
    let list = predicate.clauses();
    let (from, to) = list.bounds();
    let oldest = predicate.domain.oldest();
    let alive = list.count_kept(oldest);
    let mut replaced = Vec::new();
    let mut room = node.index().map_or(FEW_KEYS, |old| old.keys() * 2);
    let mut apart = false;
    let new = 'again: loop {
        let since = predicate.domain.generation();
        let Some(index) = KeyIndex::with_room(room, apart, since) else {
            break None;
        };
        for (pointer, c) in list.entries(from, to) {
            if c.is_dead_to(oldest) {
                continue;
            }
            let part = part_of(node, c);
            if index.refuses(part, alive) {
                drop(index);
                free(&mut replaced);
                apart = true;
                // (Keys that only calls have get places, too.)
                room = room.max(alive / 16);
                continue 'again;
            }
            let added = index.add(predicate, pointer, part, true, &mut replaced);
            if let Err(NoRoom) = added {
                if index.is_full() {
                    room *= 2;
                    drop(index);
                    free(&mut replaced);
                    continue 'again;
                }
                break 'again None;
            }
        }
        break Some(index);
    };
    free(&mut replaced);
    set(
        node,
        predicate,
        new.map_or(ptr::null_mut(), |i| Box::into_raw(Box::new(i))),
    );
}

/// A clause has come. Caller holds the lock.
fn add(node: &Node, predicate: &'static Predicate, raw: *mut Clause, at_end: bool, clauses: usize) {
    let Some(index) = node.index() else {
        return;
    };
    // SAFETY: just made, published by the list; nobody frees it while the lock is held.
    let part = part_of(node, unsafe { &*raw });
    if index.refuses(part, clauses) {
        return match index.is_wanted() {
            true => build(node, predicate),
            false => set(node, predicate, ptr::null_mut()),
        };
    }
    let mut replaced = Vec::new();
    let added = index.add(predicate, raw, part, at_end, &mut replaced);
    predicate.retire_lists(replaced);
    if added.is_err() {
        match index.is_full() && index.is_wanted() {
            true => build(node, predicate),
            false => set(node, predicate, ptr::null_mut()),
        }
    }
}

/// Makes a plan for calls with keys where this one has them, again if there is one. Caller holds the lock.
fn make_plan(
    indexes: &'static Indexes,
    list: &ClauseList,
    call: &Call,
    keyed: u64,
) -> &'static Plan {
    let Advice { best, simple } = advise(list, call);
    let nodes = [indexes.node(best), indexes.node(simple)];
    indexes.put_plan(keyed, nodes, list.len())
}

/// Frees lists of an index that nobody has seen.
fn free(replaced: &mut Vec<*mut ClauseList>) {
    for list in replaced.drain(..) {
        // SAFETY: as it says.
        drop(unsafe { Box::from_raw(list) });
    }
}

/// Whether an index of clauses of which so many match every key may help, or there is nothing that it could tell apart.
pub(super) fn may_help(any: usize, clauses: usize) -> bool {
    any == clauses || KeyIndex::may_hold(any, clauses)
}

/// Drops all indexes, if there are any. Caller holds the lock.
pub(crate) fn drop_index(predicate: &'static Predicate) {
    retire_index(predicate, predicate.indexed.take());
}

/// Retires indexes that were taken away. Caller holds the lock.
pub(crate) fn retire_index(predicate: &'static Predicate, old: *mut Indexes) {
    if !old.is_null() {
        predicate.retire(Retired::One(old));
    }
}

/// A clause has come to the list of a predicate, which has so many that count. Caller holds the lock.
#[inline]
pub(super) fn add_to_index(
    predicate: &'static Predicate,
    raw: *mut Clause,
    at_end: bool,
    clauses: usize,
) {
    if let Some(indexes) = predicate.indexed.get() {
        for node in indexes.nodes() {
            add(node, predicate, raw, at_end, clauses);
        }
    }
}

/// A clause of a predicate with so many others that count has been erased. Caller holds the lock.
#[inline]
pub(super) fn skip_in_index(
    predicate: &'static Predicate,
    clause: &Clause,
    clauses: usize,
    oldest: u64,
) {
    let nodes = predicate.indexed.get().into_iter().flat_map(Indexes::nodes);
    for node in nodes {
        if let Some(index) = node.index() {
            match index.is_too_large_for(clauses) {
                true => set(node, predicate, ptr::null_mut()),
                false => index.skip_gone(part_of(node, clause), oldest),
            }
        }
    }
}

/// What is gone leaves the indexes. Caller holds the lock.
pub(crate) fn sweep_index(leaving: &Leaving) {
    let predicate = leaving.predicate;
    let nodes = predicate.indexed.get().into_iter().flat_map(Indexes::nodes);
    for node in nodes {
        let Some(index) = node.index() else {
            continue;
        };
        let mut replaced = Vec::new();
        let many = index.is_too_large_for(predicate.clauses().len());
        let swept = match index.is_wanted() && !many {
            true => index.sweep(leaving, &mut replaced),
            false => Err(NoRoom),
        };
        predicate.retire_lists(replaced);
        if swept.is_err() {
            set(node, predicate, ptr::null_mut());
        }
        verify(node, predicate);
    }
}

/// Checks the equation in debug builds, for some clauses (there may be many): panics if it does not hold. Caller holds the lock.
fn verify(node: &Node, predicate: &'static Predicate) {
    const SOME: usize = 20;
    let Some(index) = node.index().filter(|_| cfg!(debug_assertions)) else {
        return;
    };
    // (One that is just coming is in the list first.)
    let born = predicate.clauses().alive().filter(|c| c.is_born());
    for c in born.take(SOME) {
        match part_of(node, c) {
            Keyed::Is(key) => assert!(index.has(key, c)),
            Keyed::Some(group) => assert!(index.has_in_group(group, c)),
            Keyed::Any | Keyed::Never => {}
        }
    }
}

/// What the index says that helps a call most, if one helps: it is built now if it is worth it. `None`: all clauses are to be looked at. The caller has entered.
pub(crate) fn find_by_index(predicate: &'static Predicate, call: &Call) -> Option<Found> {
    let mut found = None;
    if call.key != ANY_KEY
        && let Some(indexes) = predicate.indexed.get()
        && let Some(first) = indexes.first()
        && let Some(index) = first.index()
    {
        let by_first = match index.look_up(call.key) {
            None if finds_at_once(predicate, index, call) => {
                if !call.has_keys_behind_first() {
                    return None;
                }
                None
            }
            None => completed(predicate, first, call, call.key, usize::MAX),
            some => some,
        };
        match by_first {
            Some(Found::Many(list)) if list.len() > INDEX_FROM => found = by_first,
            None => {}
            _ => return by_first,
        }
    }
    find_by_plan(predicate, call, found)
}

/// The same where the first argument does not lead to few clauses: what that led to.
pub(super) fn find_by_plan(
    predicate: &'static Predicate,
    call: &Call,
    by_first: Option<Found>,
) -> Option<Found> {
    let keyed = call.keyed()?;
    let plan = match plan_of(predicate, call, keyed, by_first.is_some()) {
        Some(plan) => plan,
        None => {
            let inside = find_inside(predicate, call, number_of(predicate, &by_first));
            let any = || predicate.indexed.get()?.any_for(call);
            return inside
                .or_else(|| look_up(predicate, call, any()?, usize::MAX))
                .or(by_first);
        }
    };
    // SAFETY: null, or a node, which is there as long as its plan.
    let [best, simple] =
        (plan.nodes.each_ref()).map(|node| unsafe { node.load(Ordering::Acquire).as_ref() });
    let by = |node: Option<&'static Node>, most| look_up(predicate, call, node?, most);
    let found = by(best, FEW_MADE).or_else(|| {
        let found = by(simple, usize::MAX).or(by_first);
        // Making a list of many takes as long as looking at as many, of which the call may want the first only.
        match number_of(predicate, &found) / 4 {
            most if most > FEW_MADE => by(best, most).or(found),
            _ => found,
        }
    });
    plan.pay(number_of(predicate, &found));
    found
}

/// How many clauses there are to be looked at, if they are several.
fn number_of(predicate: &'static Predicate, found: &Option<Found>) -> usize {
    match found {
        None => predicate.clauses().len(),
        Some(Found::Many(list)) => list.len(),
        Some(_) => 0,
    }
}

/// What helps a call that has no plan as there are many, by what it has inside of a structure: an index that has that of all functors, if it leads to less than
/// half of so many clauses.
fn find_inside(predicate: &'static Predicate, call: &Call, clauses: usize) -> Option<Found> {
    let indexes = predicate.indexed.get()?;
    if clauses <= INDEX_FROM {
        return None;
    }
    let around = (0..call.arity.min(FILTERED)).find(|&i| {
        let place = Place::argument(i);
        call.has_keys_inside(&place, call.key_at(&place))
    })?;
    let parts = (0..PARTS).map(|i| Place::inside_any(around, i));
    for part in parts.filter(|part| call.key_at(part) != ANY_KEY) {
        let node = match indexes.known(&[part]) {
            Some(node) => node,
            None => {
                let _w = predicate.lock();
                // SAFETY: a node of indexes that are retired, not freed under who has entered.
                unsafe { &*indexes.node(vec![part]) }
            }
        };
        let found = look_up(predicate, call, node, usize::MAX);
        if found.is_some() && 2 * number_of(predicate, &found) <= clauses {
            return found;
        }
    }
    None
}

/// What a node has for a call; `None`: the call lacks a key, or there is no index.
///
/// No list of more than `most` clauses is made for it.
fn look_up(
    predicate: &'static Predicate,
    call: &Call,
    node: &'static Node,
    most: usize,
) -> Option<Found> {
    let key = node.key_of(call)?;
    let index = usable(predicate, node)?;
    match index.look_up(key) {
        None if finds_at_once(predicate, index, call) => None,
        None => completed(predicate, node, call, key, most),
        found => found,
    }
}

/// Whether a call whose key leads nowhere in an index yet does as well without a list: it would be one of many that do not stay, and the call finds two among the
/// first of all clauses. It may want no more than that, which is in no proportion to how many there are.
#[inline]
fn finds_at_once(predicate: &'static Predicate, index: &KeyIndex, call: &Call) -> bool {
    index.is_crowded(predicate.clauses().len()) && finds_two_near(predicate, call)
}
#[inline(never)]
fn finds_two_near(predicate: &'static Predicate, call: &Call) -> bool {
    let list = predicate.clauses();
    let (from, to) = list.bounds();
    let to = to.min(from + NEAR);
    let generation = predicate.domain.generation();
    let (mut at, mut found) = (from, 0);
    while found < 2 {
        at = list.find(at, to, call.key, generation);
        if at == to {
            return false;
        }
        found += usize::from(list.get(at).may_match(call));
        at += 1;
    }
    true
}

/// What the key of a call leads to that has not led anywhere yet; `None`: there is no memory for it, or no place, or it is too much.
#[cold]
fn completed(
    predicate: &'static Predicate,
    node: &'static Node,
    call: &Call,
    key: u64,
    most: usize,
) -> Option<Found> {
    let _w = predicate.lock();
    if let Ok(found) = completed_now(predicate, node, call, key, most) {
        return found;
    }
    if !node.index()?.is_full() {
        return None;
    }
    // It is full of keys that calls have, and no clause.
    match node.index()?.is_too_large_for(predicate.clauses().len()) {
        true => {
            set(node, predicate, ptr::null_mut());
            None
        }
        false => {
            build(node, predicate);
            completed_now(predicate, node, call, key, most).ok()?
        }
    }
}

/// The same, if the index has room for it. Caller holds the lock.
fn completed_now(
    predicate: &'static Predicate,
    node: &'static Node,
    call: &Call,
    key: u64,
    most: usize,
) -> Result<Option<Found>, NoRoom> {
    // (It may have been replaced.)
    let index = node.index().ok_or(NoRoom)?;
    let mut replaced = Vec::new();
    let group_of = |mask| node.group_of(call, mask);
    let completed = index.complete(predicate, key, group_of, most, &mut replaced);
    predicate.retire_lists(replaced);
    Ok(match completed? {
        Completed::Made => index.get(key),
        Completed::Rest => Some(index.rest()),
        Completed::TooMany => None,
    })
}

/// The plan of calls with keys in these arguments, made now if there is none, or if it is time for another one. `None`: there are many, and something else helps.
fn plan_of(
    predicate: &'static Predicate,
    call: &Call,
    keyed: u64,
    is_led: bool,
) -> Option<&'static Plan> {
    let clauses = predicate.clauses().len();
    let indexes = predicate.indexed.get();
    if let Some(indexes) = indexes {
        if let Some(plan) = indexes.plan(keyed, clauses) {
            return Some(plan);
        }
        if !indexes.has_room_for_plan(keyed) && (is_led || indexes.any_for(call).is_some()) {
            return None;
        }
    }
    let _w = predicate.lock();
    let indexes = match predicate.indexed.get() {
        Some(indexes) => indexes,
        None => {
            let new = Indexes::new(predicate.domain.generation());
            predicate.indexed.put(Box::new(new))
        }
    };
    // Somebody else may have made it meanwhile.
    let known = indexes.plan(keyed, clauses);
    Some(known.unwrap_or_else(|| make_plan(indexes, predicate.clauses(), call, keyed)))
}

/// The index of a node, built now if there is none and there is room for it.
fn usable(predicate: &'static Predicate, node: &'static Node) -> Option<&'static KeyIndex> {
    if let Some(index) = node.index() {
        return Some(index);
    }
    let clauses = predicate.clauses().len();
    // An index is no more than a help.
    if !common::may_take(KeyIndex::bytes_for(clauses), 0) {
        return None;
    }
    let _w = predicate.lock();
    if node.index().is_none() {
        build(node, predicate);
    }
    node.index()
}

/// What there is to say of an index.
#[derive(Debug)]
pub struct Shape {
    /// What it goes by: for each place the numbers of arguments, from 0 on, by which one comes there.
    pub places: Vec<Vec<u16>>,
    /// How many keys it has, and room for.
    pub keys: usize,
    pub slots: usize,
    /// How many clauses its keys lead to, all together.
    pub entries: usize,
    /// The memory that it takes, about.
    pub bytes: usize,
}

/// The indexes that a predicate has now, the oldest first.
pub fn shapes(predicate: &'static Predicate) -> Vec<Shape> {
    // (Under the lock none goes.)
    let _w = predicate.lock();
    let nodes = predicate.indexed.get().into_iter().flat_map(Indexes::nodes);
    let shape = |node: &'static Node| {
        let index = node.index()?;
        let mut places: Vec<Vec<u16>> = node.places.iter().map(|p| p.path().collect()).collect();
        places.sort_unstable();
        Some(Shape {
            places,
            keys: index.keys(),
            slots: index.slots(),
            entries: index.entries(),
            bytes: index.bytes(),
        })
    };
    let mut shapes: Vec<Shape> = nodes.filter_map(shape).collect();
    shapes.reverse();
    shapes
}

/// Where the newest of its indexes is, 0 if there is none.
#[cfg(all(test, not(loom)))]
pub(super) fn address(predicate: &'static Predicate) -> usize {
    let node = predicate.indexed.get().and_then(|i| i.nodes().next());
    node.and_then(Node::index)
        .map_or(0, |i| ptr::from_ref(i).addr())
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::db::database::{add, erase, make_dynamic};
    use crate::db::list::{REFUSALS, STEPS};
    use crate::db::predicate::Domain;
    use crate::db::view::found;
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
        put(p, key(i), i as u32, true);
    }

    fn put(p: &'static Predicate, key: u64, line: u32, at_end: bool) {
        let c = Box::new(Clause::new(p, key, None, None, line));
        add(p, c, at_end).expect("there is room");
    }

    fn keys(p: &'static Predicate) -> Option<usize> {
        p.indexed.get()?.keys()
    }

    fn lines(p: &'static Predicate, key: u64) -> Vec<u32> {
        found(p, key, usize::MAX)
            .into_iter()
            .map(Clause::line)
            .collect()
    }

    /// An index grows with its predicate as long as calls use it, and goes where nobody does.
    #[test]
    fn an_index_that_nobody_uses_is_not_made_again() {
        for used in [true, false] {
            let p = filled(20);
            assert_eq!(keys(p), None, "nobody has asked");
            assert_eq!(lines(p, key(3)), [3]);
            assert_eq!(keys(p), Some(20));
            // Full for the first time: it has been used, by that call.
            (20..200).for_each(|i| {
                one_more(p, i);
                if used {
                    assert_eq!(lines(p, key(i)), [i as u32]);
                }
            });
            assert_eq!(keys(p), used.then_some(200));
            assert_eq!(lines(p, key(150)), [150]);
            assert_eq!(keys(p), Some(200));
        }
    }

    /// Where erased clauses cannot be swept out for want of memory, the index does not keep their keys.
    #[test]
    fn an_index_is_in_proportion_to_its_clauses() {
        let n = 2000;
        let p = filled(n);
        let me = p.domain.register(Box::new(|_| {}));
        me.enter();
        assert_eq!(lines(p, key(3)), [3]);
        let all: Vec<&Clause> = p.visible_clauses().collect();
        REFUSALS.set(usize::MAX);
        for (i, c) in all.into_iter().enumerate() {
            assert!(erase(c, 1));
            let left = n as usize - 1 - i;
            assert!(keys(p).is_none_or(|keys| keys <= 64 + 4 * left));
        }
        REFUSALS.set(0);
        p.domain.publish(&me, &[], None);
        p.domain.unregister(&me);
    }

    /// While a snapshot holds erased clauses the index has their keys, and is not made again for each call.
    #[test]
    fn an_index_is_in_proportion_to_what_is_held() {
        let p = filled(20);
        let me = p.domain.register(Box::new(|_| {}));
        me.enter();
        let snapshot = p.domain.clock().begin_snapshot();
        let mut made = 0;
        for i in 20..1000 {
            one_more(p, i);
            made += usize::from(keys(p).is_none());
            assert_eq!(lines(p, key(i)), [i as u32]);
            assert!(erase(p.visible_clauses().last().expect("the one"), 1));
        }
        assert_eq!(made, 1, "by the first call");
        // What was held goes with the snapshot, and the index, which is too large for the others.
        (1000..3000).for_each(|i| one_more(p, i));
        assert_eq!(lines(p, key(2000)), [2000]);
        let all: Vec<&Clause> = p.visible_clauses().skip(2).collect();
        all.into_iter().for_each(|c| assert!(erase(c, 1)));
        assert!(keys(p).is_some_and(|keys| keys > 2000));
        p.domain.clock().end_snapshot(snapshot);
        crate::database::sweep_for_memory(p, true);
        assert_eq!(keys(p), None);
        p.domain.publish(&me, &[], None);
        p.domain.unregister(&me);
    }

    /// Nothing helped when the plan was made; then there is something, of the same number of clauses.
    #[test]
    fn what_does_not_help_is_looked_at_again() {
        let p = filled(0);
        let me = p.domain.register(Box::new(|_| {}));
        me.enter();
        (0..100).for_each(|line| put(p, key(0), line, true));
        assert_eq!(lines(p, key(0)).len(), 100);
        assert_eq!(keys(p), None);
        let all: Vec<&Clause> = p.visible_clauses().collect();
        all.into_iter().for_each(|c| assert!(erase(c, 1)));
        (1..=100).for_each(|i| one_more(p, i));
        let calls = (0..10_000).position(|_| {
            assert_eq!(lines(p, key(50)), [50]);
            keys(p).is_some()
        });
        assert!(calls.is_some_and(|n| n > 100), "{calls:?}");
        p.domain.publish(&me, &[], None);
        p.domain.unregister(&me);
    }

    /// Clauses that match every key, at both ends, and others come and go: what is found is what a walk over all finds. With many of both they are kept apart.
    #[test]
    fn what_matches_every_key_is_found_under_each() {
        let (_, few) = found_as_by_a_walk(30, 40);
        let (indexed, many) = found_as_by_a_walk(600, 3);
        assert!(
            few == 0 && (cfg!(miri) || many > 1000),
            "{few}, {many} of {indexed}"
        );
    }

    /// Many of them come while the lists of many keys are there: that they are bounded is no matter of look-ups.
    #[test]
    fn what_matches_every_key_does_not_fill_the_lists_of_all() {
        let p = filled(0);
        (0..4_000).for_each(|i| put(p, key(i), 0, true));
        (0..100).for_each(|_| put(p, ANY_KEY, 1, true));
        // As many as there may be.
        (0..1_200).for_each(|i| assert_eq!(lines(p, key(i)).len(), 101));
        for n in 0..1_000 {
            put(p, ANY_KEY, 2, n % 2 == 0);
            let entries = shapes(p).iter().map(|s| s.entries).max();
            assert!(entries.is_some_and(|e| e <= 64 + 32 * (4_100 + n + 1)));
        }
        assert_eq!(lines(p, key(7)).len(), 1_101);
    }

    /// Where many match every key, and there are many keys, no call makes a list that takes the place of others': it finds the first by going along all.
    #[test]
    fn the_first_of_many_that_match_every_key_is_found_without_a_list() {
        for (n, any_of) in [(500, 2), (2_000, 2), (2_000, 5), (2_000, 20)] {
            let p = filled(0);
            let is_any = |i| i % any_of == 0;
            for i in 0..n {
                let key = if is_any(i) { ANY_KEY } else { key(i) };
                put(p, key, i as u32, true);
            }
            let entries = || shapes(p).iter().map(|s| s.entries).max();
            let all_once = || (0..n).for_each(|i| assert_eq!(found(p, key(i), 1)[0].line(), 0));
            all_once();
            let (made, before) = (entries(), STEPS.get());
            all_once();
            assert_eq!(entries(), made);
            let steps = STEPS.get() - before;
            assert!(steps <= 4 * NEAR * n as usize, "{steps} steps of {n}");
            // All of them are found, all the same.
            let others = (0..n).filter(|&i| is_any(i) || i == 7).map(|i| i as u32);
            assert_eq!(lines(p, key(7)), others.collect::<Vec<_>>());
        }
    }

    /// With so many keys, and one of so many clauses that matches each: how often there was an index, and one that keeps these apart.
    fn found_as_by_a_walk(number_of_keys: u64, any_of: u64) -> (usize, usize) {
        let p = filled(0);
        let me = p.domain.register(Box::new(|_| {}));
        let mut at = 1u64;
        let mut draw = |n: u64| {
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((u128::from(at) * u128::from(n)) >> 64) as u64
        };
        let (mut was_indexed, mut was_apart) = (0, 0);
        for line in 0..if cfg!(miri) { 300 } else { 20_000 } {
            me.enter();
            // At first more come, then more go.
            match draw(if line % 1000 < 500 { 6 } else { 3 }) {
                0 => {
                    let n = p.visible_clauses().count() as u64;
                    let nth = p.visible_clauses().nth(draw(n.max(1)) as usize);
                    if let Some(c) = nth {
                        assert!(erase(c, 1));
                    }
                }
                1 => put(
                    p,
                    if draw(any_of) == 0 {
                        ANY_KEY
                    } else {
                        key(draw(number_of_keys))
                    },
                    line,
                    draw(2) == 0,
                ),
                _ => put(p, key(draw(number_of_keys)), line, draw(3) > 0),
            }
            // Mostly of those that were asked for lately, whose lists are there.
            let among = [5, number_of_keys + 5][draw(2) as usize];
            let of = key(draw(among));
            let all = p
                .visible_clauses()
                .filter(|c| c.key == of || c.key == ANY_KEY);
            assert_eq!(
                lines(p, of),
                all.map(Clause::line).collect::<Vec<_>>(),
                "at {line}"
            );
            was_indexed += usize::from(keys(p).is_some());
            let mut indexes = (p.indexed.get().into_iter()).flat_map(|i| i.nodes());
            was_apart += usize::from(indexes.any(|n| n.index().is_some_and(KeyIndex::is_apart)));
            let alive = p.visible_clauses().count();
            let entries = shapes(p).iter().map(|s| s.entries).max();
            // (Twice as many may be gone.)
            assert!(entries.unwrap_or(0) <= 64 + 32 * (3 * alive + 16));
            p.domain.publish(&me, &[], None);
        }
        assert!(was_indexed > 100, "{was_indexed}");
        p.domain.unregister(&me);
        (was_indexed, was_apart)
    }
}
