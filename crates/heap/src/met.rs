//! Handles of queues and mutexes that go with their last handle ([`samite_term::counted`]): those that this heap has met.
//!
//! *Invariant*: such a handle is put on the heap by who knows that it may be one, [`Heap::meet`], and nowhere else: with a record, by who makes
//! the object, who enumerates them, who reads a table or keys. So each that a cell, the trail or a root of this heap has is in `all`, and each in `all` is counted once.
//! (Code has none.)
//!
//! What is met goes when a major collection has not seen it ([`Heap::part`]): neither in the old generation, where then all is that is alive, nor on the
//! trail, nor among the roots. It looks at words, not at objects: a number that looks like a handle keeps it a little longer. Many that were
//! met ask for a major collection, as few of them may be alive, and each has memory elsewhere:
//!
//! ```text
//! |all| ≤ look_at,   look_at ≥ 2 · those that the last major collection saw, and old words / WORDS_FOR_ONE
//! ```
//!
//! Where there is no memory for the table a handle is pinned instead.

use crate::heap::Heap;
use samite_term::counted::Neighbours;
use samite_term::{Cell, Handle, Record, common, counted, growth};
use std::collections::HashMap;

/// So many are not worth a major collection.
const FEW: usize = if cfg!(miri) { 40 } else { 1000 };
/// Nor is one for so many words of the old generation.
const WORDS_FOR_ONE: usize = 256;

#[derive(Debug)]
struct Entry {
    handle: Handle,
    /// By the collection that looks at the heap.
    seen: bool,
}

/// See the module text.
#[derive(Debug)]
pub struct Met {
    /// By the handle's number.
    all: HashMap<u64, Entry, Neighbours>,
    look_at: usize,
    /// A major collection is wanted.
    due: bool,
}

impl Default for Met {
    fn default() -> Met {
        Met {
            all: HashMap::default(),
            look_at: FEW,
            due: false,
        }
    }
}

impl Met {
    /// Whether it is as a new one.
    pub(crate) fn is_new(&self) -> bool {
        self.all.is_empty() && self.look_at == FEW && !self.due
    }
    pub(crate) fn is_due(&self) -> bool {
        self.due
    }
    /// There was no memory for a major collection.
    pub(crate) fn put_off(&mut self) {
        self.due = false;
        self.look_at = self.look_at.max(2 * self.all.len());
    }
    /// Whether there are so many that a collection is to look at them.
    fn add(&mut self, handle: Handle) {
        if self.all.contains_key(&handle.number()) || !counted::retain(handle) {
            return;
        }
        if !growth::map_room(&mut self.all, common::system_has) {
            counted::pin(handle);
            counted::release(handle);
            return;
        }
        self.all.insert(
            handle.number(),
            Entry {
                handle,
                seen: false,
            },
        );
        if self.all.len() >= self.look_at && !self.due {
            // Those that programs have destroyed are not in need of a collection.
            self.all.retain(|_, e| counted::is_known(e.handle));
            self.due = self.all.len() > self.look_at / 2;
        }
    }
    /// One of them may be this.
    #[inline]
    pub fn see(&mut self, c: Cell) {
        if let Some(handle) = c.counted_handle()
            && let Some(e) = self.all.get_mut(&handle.number())
        {
            e.seen = true;
        }
    }
    fn part_with_unseen(&mut self, old_words: usize) {
        self.all.retain(|_, e| {
            let stays = std::mem::take(&mut e.seen);
            if !stays {
                counted::release(e.handle);
            }
            stays
        });
        let n = self.all.len();
        if self.all.capacity() > 2 * FEW
            && n < self.all.capacity() / 8
            && common::system_has(n * 64)
        {
            self.all.shrink_to(2 * n);
        }
        self.due = false;
        self.look_at = FEW.max(2 * n).max(old_words / WORDS_FOR_ONE);
    }
    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<(u64, Entry)>()
    }
}

impl Drop for Met {
    fn drop(&mut self) {
        let all = self.all.values();
        all.for_each(|e| counted::release(e.handle));
    }
}

impl Heap {
    /// A cell from elsewhere is put on the heap, or into a register: what it came from may go.
    #[inline]
    pub fn meet(&mut self, c: Cell) {
        if counted::are_any()
            && let Some(handle) = c.counted_handle()
        {
            self.meet_handle(handle);
        }
    }
    /// The handle of what was made for this heap's thread, who was counted for it until now.
    pub fn meet_new(&mut self, c: Cell) {
        if let Some(handle) = c.counted_handle() {
            self.meet_handle(handle);
            counted::release(handle);
        }
    }
    /// The same of a record.
    #[inline]
    pub(crate) fn meet_record(&mut self, record: &Record) {
        self.meet_words_of_record(record.words());
    }
    /// The same of a copy of its words.
    #[inline]
    pub(crate) fn meet_words_of_record(&mut self, words: &[u64]) {
        if counted::are_any() {
            self.meet_words(words);
        }
    }
    #[cold]
    #[inline(never)]
    fn meet_words(&mut self, words: &[u64]) {
        counted::each_in_words(words, |h| self.meet_handle(h));
    }
    fn meet_handle(&mut self, handle: Handle) {
        self.met.add(handle);
        self.alert_if(self.met.due);
    }
    /// Whether it has met any handle: then it is asked after a major collection which are left.
    pub fn has_met(&self) -> bool {
        !self.met.all.is_empty()
    }
    /// Those that it has met, to be told which the roots have, and given back ([`Heap::part`]) before anything is put on the heap.
    pub fn take_met(&mut self) -> Met {
        std::mem::take(&mut self.met)
    }
    /// Parts with the handles that were seen nowhere, after a major collection, when `met` has seen the roots.
    pub fn part(&mut self, mut met: Met) {
        debug_assert!(self.h == self.start() && self.met.all.is_empty());
        self.trail.entries.iter().for_each(|&c| met.see(c));
        for i in 0..self.old.chunks() {
            let (start, end) = self.old.chunk(i);
            let words = (end as usize - start as usize) / 8;
            // SAFETY: what is allocated of a chunk; nobody changes it meanwhile.
            let cells = unsafe { std::slice::from_raw_parts(start, words) };
            cells.iter().for_each(|&c| met.see(c));
        }
        met.part_with_unseen(self.old_words());
        self.met = met;
    }
    /// Whether a cell that was found on the heap may be there: see the invariant.
    pub(crate) fn may_have(&self, c: Cell) -> bool {
        c.counted_handle().is_none_or(|h| {
            self.met.all.contains_key(&h.number()) || !counted::is_known(h) || counted::is_pinned(h)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HeapConfig;
    use samite_term::HandleKind;
    use samite_term::counted::Grave;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn queue(grave: &Arc<Grave>) -> (Handle, Cell) {
        static NEXT: AtomicU64 = AtomicU64::new(1 << 41);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let h = Handle::new(HandleKind::MessageQueue, n);
        assert!(counted::enter(h, grave));
        (h, Cell::of_handle(h))
    }

    fn heap() -> Heap {
        Heap::new(HeapConfig::default()).expect("the system has the memory")
    }

    /// A major collection with one root.
    fn collect(h: &mut Heap, root: &mut Cell) {
        // SAFETY: the roots follow.
        let mut c = unsafe { h.collect_begin(crate::Generation::Major, 0..0) }.unwrap();
        // SAFETY: a term of this heap, or an immediate cell.
        unsafe { c.root(root) };
        c.finish();
        let mut met = h.take_met();
        met.see(*root);
        h.part(met);
    }

    #[test]
    fn what_is_seen_stays() {
        let grave = Arc::new(Grave::default());
        let mut h = heap();
        let cells: Vec<_> = (0..4).map(|_| queue(&grave)).collect();
        cells.iter().for_each(|&(_, c)| h.meet_new(c));
        // On the heap, the only root, on the trail, nowhere.
        let list = h.list_cell(cells[0].1, Cell::NIL).unwrap();
        let saved = h.structure(
            samite_term::Functor::new(samite_term::atoms::CALL, 1),
            &[cells[2].1],
        );
        let mut root = h.list_cell(saved.unwrap(), list).unwrap();
        collect(&mut h, &mut root);
        let left = |h: &Heap| {
            cells
                .iter()
                .map(|(x, _)| h.met.all.contains_key(&x.number()))
                .collect::<Vec<_>>()
        };
        assert_eq!(left(&h), [true, false, true, false]);
        assert_eq!(grave.len(), 2);
        root = cells[2].1;
        collect(&mut h, &mut root);
        assert_eq!(left(&h), [false, false, true, false]);
        drop(h);
        assert_eq!(grave.len(), 4);
    }

    /// What backtracking puts back is on the trail only.
    #[test]
    fn what_was_overwritten_stays_until_it_cannot_come_back() {
        let grave = Arc::new(Grave::default());
        let mut h = heap();
        let (handle, cell) = queue(&grave);
        h.meet_new(cell);
        let call = samite_term::Functor::new(samite_term::atoms::CALL, 1);
        let mut root = h.structure(call, &[cell]).unwrap();
        // In the old generation.
        collect(&mut h, &mut root);
        let height = h.trail().top();
        // SAFETY: the argument of a structure of this heap.
        unsafe { h.assign(root.ptr().add(1), Cell::NIL, height) };
        // SAFETY: the roots follow.
        let mut c = unsafe { h.collect_begin(crate::Generation::Major, 0..0) }.unwrap();
        // SAFETY: a term of this heap, and the height of the trail when a choicepoint would have been made.
        unsafe {
            c.root(&mut root);
            c.choicepoint(height);
        }
        c.finish();
        let met = h.take_met();
        h.part(met);
        assert!(h.met.all.contains_key(&handle.number()) && grave.is_empty());
        // SAFETY: nothing was made since that refers to what is undone.
        unsafe { h.trail.undo(height) };
        // SAFETY: as above.
        assert_eq!(unsafe { *root.ptr().add(1) }, cell);
        drop(h);
        assert_eq!(grave.len(), 1);
    }

    #[test]
    fn many_ask_for_a_collection_unless_they_are_gone() {
        let grave = Arc::new(Grave::default());
        let mut h = heap();
        for _ in 0..3 * FEW {
            let (handle, c) = queue(&grave);
            h.meet_new(c);
            counted::forget(handle);
        }
        assert!(!h.wants_major() && h.met.all.len() <= FEW);
        for _ in 0..FEW {
            h.meet_new(queue(&grave).1);
        }
        assert!(h.wants_major());
        collect(&mut h, &mut Cell::NIL.clone());
        assert!(!h.wants_major() && !h.has_met() && grave.len() == FEW);
        while let Some(handle) = grave.next() {
            assert!(counted::take(handle));
        }
    }
}
