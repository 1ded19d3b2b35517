//! The indexes of a predicate as data: nodes, each an index by some places, and plans, which say for calls with keys at certain places which nodes help them. What
//! is made when, and what becomes of it: [`super::index`].
//!
//! *Invariant*: what has been put here stays until all of it is retired at once, but for the [`KeyIndex`] of a node, which is replaced under the lock of the
//! predicate, and the old one retired. So readers go along the nodes and plans without a lock.

use super::apart::Group;
use super::key::{ANY_KEY, joined};
use super::keys::KeyIndex;
use super::list::Entry;
use super::place::{Call, Place};
use super::retire::{Fate, Retire};
use crate::sync::AtomicPtr;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Plans of a predicate, at most.
const MOST_PLANS: usize = 64;
/// A plan is not held against that it leads to so few clauses.
const SOME: usize = 16;
/// Clauses in a sample by which plans are made.
pub(super) const SAMPLE: usize = 1024;
/// So many times as many as there are, or as making a plan takes, have calls been led to before it is made again.
const PATIENCE: usize = 64;
/// At most so many times as often, where nothing was found to help before.
const MOST_PATIENCE: usize = 4;

/// See the module text.
#[derive(Debug)]
pub(crate) struct Indexes<C: Entry> {
    /// The node of the first argument alone, if it is among them.
    first: AtomicPtr<Node<C>>,
    nodes: AtomicPtr<Node<C>>,
    plans: AtomicPtr<Plan<C>>,
    /// How many there are.
    number: AtomicUsize,
    /// Plans that had to make room for others.
    replaced: AtomicUsize,
    /// The generation that they were begun in.
    since: u64,
}

/// An index by some places.
#[derive(Debug)]
pub(super) struct Node<C: Entry> {
    pub(super) places: Box<[Place]>,
    /// Null: it has been dropped, and is made again when it is wanted.
    pub(super) index: AtomicPtr<KeyIndex<C>>,
    next: *mut Node<C>,
}

/// Which indexes help calls with keys at certain places: the first of these by whose places the call has keys.
#[derive(Debug)]
pub(super) struct Plan<C: Entry> {
    /// The places; see [`Call::keyed`].
    keyed: AtomicU64,
    pub(super) nodes: [AtomicPtr<Node<C>>; 2],
    /// Clauses that there were when it was made.
    clauses: AtomicUsize,
    /// Those that calls have been led to since, where these were not few; and how many are enough to look again whether something helps more.
    paid: AtomicUsize,
    enough: AtomicUsize,
    next: *mut Plan<C>,
}

// SAFETY: shared as the module text says.
unsafe impl<C: Entry> Send for Indexes<C> {}
// SAFETY: as above.
unsafe impl<C: Entry> Sync for Indexes<C> {}

impl<C: Entry> Node<C> {
    /// The key of a call; `None`: it lacks one of them.
    pub(super) fn key_of(&self, call: &Call) -> Option<u64> {
        let mut key = ANY_KEY;
        for &p in &self.places {
            match call.key_at(&p) {
                ANY_KEY => return None,
                k => key = joined(key, k),
            }
        }
        Some(key)
    }
    /// The group of a mask that its key belongs to.
    pub(super) fn group_of(&self, call: &Call, mask: u8) -> Group {
        let places = self.places.iter().enumerate();
        let key = (places.filter(|(i, _)| mask & 1 << i != 0))
            .fold(ANY_KEY, |key, (_, p)| joined(key, call.key_at(p)));
        Group { mask, key }
    }
    /// The index, if there is one. For who has entered, or holds the lock.
    pub(super) fn index(&self) -> Option<&'static KeyIndex<C>> {
        // SAFETY: retired, not freed under them.
        unsafe { self.index.load(Ordering::Acquire).as_ref() }
    }
}

impl<C: Entry> Plan<C> {
    /// Whether it need not be made again, for so many clauses.
    fn is_good_for(&self, clauses: usize) -> bool {
        clauses < 2 * self.clauses.load(Ordering::Relaxed)
            && self.paid.load(Ordering::Relaxed) < self.enough.load(Ordering::Relaxed)
    }
    /// It has led a call to so many clauses.
    pub(super) fn pay(&self, clauses: usize) {
        if clauses > SOME {
            // (Some of what several threads pay at once may be lost.)
            let paid = self.paid.load(Ordering::Relaxed);
            self.paid
                .store(paid.saturating_add(clauses), Ordering::Relaxed);
        }
    }
}

impl<C: Entry> Indexes<C> {
    pub(super) fn new(since: u64) -> Indexes<C> {
        Indexes {
            first: AtomicPtr::new(ptr::null_mut()),
            nodes: AtomicPtr::new(ptr::null_mut()),
            plans: AtomicPtr::new(ptr::null_mut()),
            number: AtomicUsize::new(0),
            replaced: AtomicUsize::new(0),
            since,
        }
    }
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'static Node<C>> {
        let mut at = self.nodes.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: the module's invariant.
            let node: &'static Node<C> = unsafe { at.as_ref() }?;
            at = node.next;
            Some(node)
        })
    }
    pub(super) fn plans(&self) -> impl Iterator<Item = &'static Plan<C>> {
        let mut at = self.plans.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: the module's invariant.
            let plan: &'static Plan<C> = unsafe { at.as_ref() }?;
            at = plan.next;
            Some(plan)
        })
    }
    pub(super) fn plan(&self, keyed: u64, clauses: usize) -> Option<&'static Plan<C>> {
        let plan = self.plan_for(keyed)?;
        plan.is_good_for(clauses).then_some(plan)
    }
    fn plan_for(&self, keyed: u64) -> Option<&'static Plan<C>> {
        self.plans()
            .find(|p| p.keyed.load(Ordering::Relaxed) == keyed)
    }
    /// A node by which a call can be led, for who has no plan.
    pub(super) fn any_for(&self, call: &Call) -> Option<&'static Node<C>> {
        let fit = self.nodes().filter(|n| n.key_of(call).is_some());
        fit.max_by_key(|n| n.places.len())
    }
    /// The node of these places.
    pub(super) fn known(&self, places: &[Place]) -> Option<&'static Node<C>> {
        self.nodes().find(|n| *n.places == *places)
    }
    /// The node of these places, a new one if there is none. Caller holds the lock.
    pub(super) fn node(&self, places: Vec<Place>) -> *mut Node<C> {
        if places.is_empty() {
            return ptr::null_mut();
        }
        if let Some(node) = self.known(&places) {
            return ptr::from_ref(node).cast_mut();
        }
        let is_first = *places == [Place::argument(0)];
        let node = Box::into_raw(Box::new(Node {
            places: places.into_boxed_slice(),
            index: AtomicPtr::new(ptr::null_mut()),
            next: self.nodes.load(Ordering::Relaxed),
        }));
        self.nodes.store(node, Ordering::Release);
        if is_first {
            self.first.store(node, Ordering::Release);
        }
        node
    }
    /// The node of the first argument alone.
    pub(super) fn first(&self) -> Option<&'static Node<C>> {
        // SAFETY: null, or one of the nodes.
        unsafe { self.first.load(Ordering::Acquire).as_ref() }
    }
    /// Whether there may be another plan, but in place of one.
    pub(super) fn has_room_for_plan(&self, keyed: u64) -> bool {
        self.number.load(Ordering::Relaxed) < MOST_PLANS || self.plan_for(keyed).is_some()
    }
    /// Puts a plan for calls with keys at certain places, in place of the one before, or of one for others where there are many; made when there were so many
    /// clauses. Caller holds the lock. (Who is just looking at what is replaced is led by an index that helps others: if it has keys for it, they are right.)
    pub(super) fn put_plan(
        &self,
        keyed: u64,
        nodes: [*mut Node<C>; 2],
        clauses: usize,
    ) -> &'static Plan<C> {
        let enough = PATIENCE.saturating_mul(clauses.max(SAMPLE));
        let victim = || {
            let all = self.number.load(Ordering::Relaxed);
            let nth = self.replaced.fetch_add(1, Ordering::Relaxed);
            (all >= MOST_PLANS)
                .then(|| self.plans().nth(nth % all))
                .flatten()
        };
        if let Some(plan) = self.plan_for(keyed).or_else(victim) {
            let before = plan.nodes.each_ref().map(|n| n.load(Ordering::Relaxed));
            let is_same = plan.keyed.load(Ordering::Relaxed) == keyed && before == nodes;
            // Looking again for nothing costs less and less, down to what is little beside calls; the clauses may have become others meanwhile.
            let enough = match is_same {
                true => (plan.enough.load(Ordering::Relaxed).saturating_mul(2))
                    .clamp(enough, enough.saturating_mul(MOST_PATIENCE)),
                false => enough,
            };
            for (place, node) in plan.nodes.iter().zip(nodes) {
                place.store(node, Ordering::Release);
            }
            plan.enough.store(enough, Ordering::Relaxed);
            plan.paid.store(0, Ordering::Relaxed);
            plan.clauses.store(clauses, Ordering::Relaxed);
            plan.keyed.store(keyed, Ordering::Release);
            return plan;
        }
        let plan = Box::into_raw(Box::new(Plan {
            keyed: AtomicU64::new(keyed),
            nodes: nodes.map(AtomicPtr::new),
            clauses: AtomicUsize::new(clauses),
            paid: AtomicUsize::new(0),
            enough: AtomicUsize::new(enough),
            next: self.plans.load(Ordering::Relaxed),
        }));
        self.plans.store(plan, Ordering::Release);
        self.number.fetch_add(1, Ordering::Relaxed);
        // SAFETY: it has just been put there.
        unsafe { &*plan }
    }
    /// What they take, about.
    pub(super) fn bytes(&self) -> usize {
        let of_nodes: usize = (self.nodes().filter_map(Node::index))
            .map(|i| i.bytes())
            .sum();
        size_of::<Indexes<C>>() + of_nodes
    }
    /// Memory that the next clause takes in them beside itself.
    pub(super) fn growth(&self) -> usize {
        (self.nodes().filter_map(Node::index))
            .map(|i| i.growth())
            .sum()
    }
    /// Keys of the largest one.
    #[cfg(all(test, not(loom)))]
    pub(super) fn keys(&self) -> Option<usize> {
        (self.nodes().filter_map(Node::index))
            .map(|i| i.keys())
            .max()
    }
}

impl<C: Entry> Drop for Indexes<C> {
    fn drop(&mut self) {
        let mut node = self.nodes.load(Ordering::Relaxed);
        while !node.is_null() {
            // SAFETY: made by `Box::into_raw`, and nobody reads retired indexes any more.
            unsafe {
                let n = Box::from_raw(node);
                let index = n.index.load(Ordering::Relaxed);
                if !index.is_null() {
                    drop(Box::from_raw(index));
                }
                node = n.next;
            }
        }
        let mut plan = self.plans.load(Ordering::Relaxed);
        while !plan.is_null() {
            // SAFETY: as above.
            plan = unsafe { Box::from_raw(plan) }.next;
        }
    }
}

impl<C: Entry> Retire for Indexes<C> {
    fn bytes(&self) -> usize {
        Indexes::bytes(self)
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
