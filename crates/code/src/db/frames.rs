//! Freeing erased clauses that continuations may return into, and superseded entry code of static predicates.
//!
//! A frame holds the address at which its clause goes on, a choicepoint of a disjunction the address of its alternative, one of a
//! static predicate an address in its entry code, which leads to clauses: all that must stay until no worker holds such an address.
//! They are found by asking: when enough clauses wait, they become a *batch*, and every worker looks once, at a safe point, through
//! its live frames and choicepoints for addresses in them. What nobody held when he looked is freed; the rest waits for the next
//! batch.
//!
//! Why looking once is enough: a clause comes here when no call that starts now can find it any more ([`super::reclaim`], and for
//! static predicates: their entry has been changed). A call that has found it runs it before the next safe point. From then on, only
//! who holds an address in its code can run it, and only running it makes new addresses of it; workers share no frames. So
//! a worker that held none at its safe point never will, and one that is started later neither. Clauses of static predicates come
//! here even if nothing could return into them: their callers publish no generation.
//!
//! A worker that blocks leaves behind what it holds ([`Resumables::park`]) so that others need not wait for it. It takes that back before it goes
//! on ([`ReaderSlot::resume`]): who asks later waits for it, and who asked before had changed what calls find.
//!
//! Locks: the [`Resumables`] before the workers, or before what a worker left behind.

use super::chain::Chain;
use super::readers::{Call, ReaderSlot, Readers};
use super::retire::{Node, Retire};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// So many items make a batch.
const BATCH: usize = if cfg!(loom) {
    1
} else if cfg!(debug_assertions) {
    64
} else {
    4096
};

/// Frames that may be looked through for each item.
const FRAMES_FOR_AN_ITEM: usize = 16;

/// What code addresses belong to, made by `Box::into_raw`.
enum Owner<C> {
    Node(*mut C),
    One(*mut dyn Retire),
}

impl<C: Node> Owner<C> {
    fn code(&self) -> Range<usize> {
        // SAFETY: what waits is freed by nobody else.
        unsafe {
            match *self {
                Owner::Node(p) => (*p).code(),
                Owner::One(p) => (*p).code(),
            }
        }
    }
}

/// What is found by no call any more.
pub(crate) struct Unlinked<C> {
    pub nodes: Chain<C>,
    pub others: Vec<*mut dyn Retire>,
}

impl<C: Node> Unlinked<C> {
    pub const fn new() -> Unlinked<C> {
        Unlinked {
            nodes: Chain::new(),
            others: Vec::new(),
        }
    }
    pub fn len(&self) -> usize {
        self.nodes.len() + self.others.len()
    }
    fn push(&mut self, owner: Owner<C>) {
        match owner {
            Owner::Node(p) => self.nodes.push(p),
            Owner::One(p) => self.others.push(p),
        }
    }
    fn pop(&mut self) -> Option<Owner<C>> {
        let node = self.nodes.pop().map(Owner::Node);
        node.or_else(|| self.others.pop().map(Owner::One))
    }
}

// SAFETY: what waits is reachable from here only.
unsafe impl<C> Send for Unlinked<C> {}

struct Item<C> {
    start: usize,
    end: usize,
    owner: Owner<C>,
    held: bool,
}

// SAFETY: what waits is reachable from here only.
unsafe impl<C> Send for Item<C> {}

/// What waits. Equation: an item is in at most one of the three lists. `batch` is empty if and only if `workers` is, between calls.
pub(crate) struct Resumables<C> {
    /// What came since the last batch began.
    fresh: Unlinked<C>,
    /// What was held in the last batch.
    held: Unlinked<C>,
    /// The present batch, in order of addresses; they do not overlap.
    batch: Vec<Item<C>>,
    /// Workers that have not looked yet.
    workers: Vec<Arc<ReaderSlot>>,
    /// Frames and clauses that workers have looked through since the last batch began.
    visited: usize,
}

impl<C: Node> Resumables<C> {
    pub fn new() -> Resumables<C> {
        Resumables {
            fresh: Unlinked::new(),
            held: Unlinked::new(),
            batch: Vec::new(),
            workers: Vec::new(),
            visited: 0,
        }
    }
    /// Calls `f` with each clause that waits.
    pub fn each(&self, f: &mut dyn FnMut(&C)) {
        self.fresh.nodes.each(f);
        self.held.nodes.each(f);
        for item in &self.batch {
            if let Owner::Node(c) = item.owner {
                // SAFETY: what waits is freed by nobody else.
                f(unsafe { &*c });
            }
        }
    }
    /// A worker holds these addresses.
    fn mark(&mut self, addresses: &[usize]) {
        for &a in addresses {
            let i = self.batch.partition_point(|item| item.end <= a);
            if let Some(item) = self.batch.get_mut(i)
                && item.start <= a
            {
                item.held = true;
            }
        }
    }
    /// Ends the batch if everybody has looked, and starts the next one if there is enough for it. Returns what nobody held.
    #[must_use]
    fn go_on(&mut self, readers: &Readers) -> Unlinked<C> {
        self.go_on_if(readers, Resumables::is_due)
    }
    /// The same, `due` saying whether there is enough.
    #[must_use]
    fn go_on_if(
        &mut self,
        readers: &Readers,
        mut due: impl FnMut(&Resumables<C>) -> bool,
    ) -> Unlinked<C> {
        let mut free = Unlinked::new();
        while self.workers.is_empty() {
            for item in std::mem::take(&mut self.batch) {
                if item.held {
                    self.held.push(item.owner);
                } else {
                    free.push(item.owner);
                }
            }
            if !due(self) {
                break;
            }
            self.visited = 0;
            self.fill_batch();
            if self.batch.is_empty() {
                break;
            }
            for w in readers.all() {
                let left = w.parked.lock();
                match left.as_deref() {
                    Some(addresses) => self.mark(addresses),
                    None => {
                        // Release: pairs with the acquire in `is_to_look`.
                        w.look.store(true, Ordering::Release);
                        drop(left);
                        w.call(Call::Look);
                        self.workers.push(w);
                    }
                }
            }
        }
        free
    }
    /// What waits becomes a batch, or as much of it as there is memory for; first what is fresh, so that the next one comes nearer.
    fn fill_batch(&mut self) {
        let mut room = self.fresh.len() + self.held.len();
        while self.batch.try_reserve_exact(room).is_err() {
            room /= 2;
        }
        while self.batch.len() < room
            && let Some(owner) = self.fresh.pop().or_else(|| self.held.pop())
        {
            let Range { start, end } = owner.code();
            self.batch.push(Item {
                start,
                end,
                owner,
                held: false,
            });
        }
        self.batch.sort_unstable_by_key(|item| item.start);
    }
    /// Whether enough waits for a batch. As much must be new as is asked for again, and as stacks are deep: so the work is in proportion
    /// to what is erased, and what waits for the next batch, to what stacks take.
    fn is_due(&self) -> bool {
        let stacks = self.visited / FRAMES_FOR_AN_ITEM;
        self.fresh.len() >= BATCH.max(self.held.len()).max(stacks)
    }
    /// A worker has looked, or ended.
    fn has_looked(&mut self, slot: &Arc<ReaderSlot>, addresses: &[usize]) {
        let before = self.workers.len();
        self.workers.retain(|w| !Arc::ptr_eq(w, slot));
        if self.workers.len() < before {
            self.mark(addresses);
        }
        slot.look.store(false, Ordering::Relaxed);
    }
    /// Takes over what no call can find any more: nothing refers to it but what runs until the next safe point, and addresses in its code that frames
    /// and choicepoints hold. Returns what nobody holds, here and below: to be released when the lock is not held.
    #[must_use]
    pub fn defer(&mut self, readers: &Readers, mut unlinked: Unlinked<C>) -> Unlinked<C> {
        while let Some(owner) = unlinked.pop() {
            self.fresh.push(owner);
        }
        self.go_on(readers)
    }
    /// Memory is missing: what waits is enough for a batch, unless one is on its way; also what was held when somebody looked last.
    #[must_use]
    pub fn hurry(&mut self, readers: &Readers) -> Unlinked<C> {
        let mut once = false;
        self.go_on_if(readers, |s| {
            let waits = s.fresh.len() + s.held.len() > 0;
            !std::mem::replace(&mut once, true) && waits
        })
    }
    /// The worker is at a safe point and holds these code addresses (and maybe others that cannot be freed); it has visited so many frames
    /// and clauses to find them.
    #[must_use]
    pub fn looked(
        &mut self,
        readers: &Readers,
        slot: &Arc<ReaderSlot>,
        addresses: &[usize],
        visited: usize,
    ) -> Unlinked<C> {
        self.visited += visited;
        self.has_looked(slot, addresses);
        self.go_on(readers)
    }
    /// The worker is about to block at a safe point, holding these addresses.
    #[must_use]
    pub fn park(
        &mut self,
        readers: &Readers,
        slot: &Arc<ReaderSlot>,
        addresses: Vec<usize>,
    ) -> Unlinked<C> {
        self.has_looked(slot, &addresses);
        *slot.parked.lock() = Some(addresses);
        self.go_on(readers)
    }
}

impl<C: Node> Unlinked<C> {
    /// Frees what nobody holds, as [`Resumables`] says.
    pub fn release(mut self) {
        while let Some(owner) = self.pop() {
            // SAFETY: made by `Box::into_raw`, found by no call any more, and no worker holds an address in its code (module text).
            unsafe {
                match owner {
                    Owner::Node(p) => drop(Box::from_raw(p)),
                    Owner::One(p) => drop(Box::from_raw(p)),
                }
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::db::retire::Fate;

    /// What is only counted.
    struct Never(*mut Never);

    impl Retire for Never {
        fn bytes(&self) -> usize {
            0
        }
        fn born(&self) -> Option<u64> {
            None
        }
        fn fate(&self) -> Fate {
            Fate::Frames
        }
        fn code(&self) -> Range<usize> {
            0..0
        }
    }

    impl Node for Never {
        fn lead_to(&self, _: *mut Never) {}
        fn next(&self) -> *mut Never {
            self.0
        }
        fn is_retired(&self) -> bool {
            true
        }
        fn is_erased(&self) -> bool {
            true
        }
    }

    #[test]
    fn deep_stacks_are_looked_through_for_many_items() {
        let item = || Owner::One(std::ptr::null_mut::<Never>());
        let mut waits = Vec::new();
        for depth in [0, BATCH * 100, BATCH * 200] {
            let mut state = Resumables::<Never>::new();
            state.visited = depth;
            while !state.is_due() {
                state.fresh.push(item());
            }
            assert!(state.fresh.len() * FRAMES_FOR_AN_ITEM >= depth);
            waits.push(state.fresh.len());
        }
        assert_eq!(waits[0], BATCH);
        assert_eq!(waits[2], 2 * waits[1]);
    }
}
