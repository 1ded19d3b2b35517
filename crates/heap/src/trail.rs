//! The trail: what backtracking must undo, and the collector's remembered set.
//!
//! Entries are cells, told apart by tag:
//! - `REF a`: the variable at `a` was bound or overwritten; undo makes it unbound.
//! - `STR a`, preceded by a value: the cell at `a` was overwritten; undo stores the value back.
//! - `LST a`, preceded by a word count: the objects at `a` were allocated in the old generation and may refer to the nursery.
//!   Nothing to undo: after backtracking the region is garbage.
//!
//! The entries between the heights of two choicepoints that follow each other are a *segment*. Invariants:
//! - A cell outside of the nursery that may refer into the nursery is on the trail at an index of at least [`Trail::scanned`].
//! - A cell older than the newest choicepoint is in the newest segment if it was changed since that choicepoint; one that is
//!   newer need not be on the trail.
//! - Of the entries of one cell in one segment only the oldest matters for backtracking: a collection drops the others
//!   (`collect/segments.rs`), so the trail is bounded by the changed cells that are alive and not by the number of changes.

use rustc_hash::FxHashMap;
use samite_term::growth::{self, Refused};
use samite_term::{Cell, Kind, Tag};

/// Room for so many entries is kept.
const KEPT: usize = 1 << 15;

/// Most entries that a cut looks at.
const TIDIED: usize = 8;

/// See the module text.
#[derive(Debug, Default)]
pub struct Trail {
    pub(crate) entries: Vec<Cell>,
    /// Entries below this index were dealt with by the last collection.
    scanned: usize,
}

/// Up to so many entries the trail doubles when it is full; then it grows by half.
const DOUBLED: usize = 1 << 17;

impl Trail {
    /// Current height, kept in choicepoints.
    #[inline]
    pub fn top(&self) -> usize {
        self.entries.len()
    }
    #[inline]
    pub fn scanned(&self) -> usize {
        self.scanned
    }
    pub(crate) fn set_scanned(&mut self, n: usize) {
        self.scanned = n;
    }
    /// All entries, and the words that belong to them.
    pub fn words(&self) -> &[Cell] {
        &self.entries
    }
    /// Bytes reserved.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * 8
    }
    /// Makes room for two entries; false if there is no memory for them.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow(&mut self) -> bool {
        // A small one doubles: after each collection that has given it back it grows again, through few sizes.
        let n = self.entries.capacity();
        let more = if n < DOUBLED { n.max(64) } else { n / 2 };
        self.entries.try_reserve_exact(more).is_ok() || self.entries.try_reserve(2).is_ok()
    }
    /// Makes room for so many entries; false if there is no memory for them.
    pub fn reserve(&mut self, entries: usize) -> bool {
        let e = &mut self.entries;
        e.try_reserve(entries).is_ok() || e.try_reserve_exact(entries).is_ok()
    }
    /// Records that the variable at `address` was bound. False: there is no memory, the binding must not be made.
    #[inline]
    #[must_use]
    pub fn push_variable(&mut self, address: *mut Cell) -> bool {
        if self.entries.len() == self.entries.capacity() && !self.grow() {
            return false;
        }
        self.entries.push(Cell::to(Tag::Ref, address));
        true
    }
    /// The same, if there is room for it.
    #[inline(always)]
    #[must_use]
    pub(crate) fn push_variable_at_once(&mut self, address: *mut Cell) -> bool {
        let n = self.entries.len();
        if n == self.entries.capacity() {
            return false;
        }
        // SAFETY: there is room for one more.
        unsafe {
            *self.entries.as_mut_ptr().add(n) = Cell::to(Tag::Ref, address);
            self.entries.set_len(n + 1);
        }
        true
    }
    /// The variable whose entry is the only one from index `from` on, if a collection has not seen it.
    #[inline(always)]
    pub(crate) fn only_variable(&self, from: usize) -> Option<*mut Cell> {
        let n = self.entries.len();
        if n != from + 1 || from < self.scanned {
            return None;
        }
        // SAFETY: it is the last index.
        let e = unsafe { *self.entries.get_unchecked(from) };
        (e.tag() == Tag::Ref).then(|| e.ptr())
    }
    /// Takes off the last entry, which is a variable's.
    #[inline(always)]
    pub(crate) fn forget_last(&mut self) {
        let n = self.entries.len();
        debug_assert!(n > self.scanned);
        self.entries.truncate(n - 1);
    }
    /// After a cut: takes out those variables from index `from` on that need no entry any more, if these are few and no other entries are among
    /// them. (What is looked at again by each of many nested cuts must be bounded.)
    pub(crate) fn tidy(&mut self, from: usize, is_needed: impl Fn(*mut Cell) -> bool) {
        let from = from.max(self.scanned);
        let n = self.entries.len();
        if from >= n || n - from > TIDIED {
            return;
        }
        let newest = &mut self.entries[from..];
        // (A value that was saved may look like a variable's entry, but what follows it does not.)
        if newest.iter().any(|e| e.tag() != Tag::Ref) {
            return;
        }
        let mut to = 0;
        for i in 0..newest.len() {
            let e = newest[i];
            newest[to] = e;
            to += usize::from(is_needed(e.ptr()));
        }
        self.entries.truncate(from + to);
    }
    fn push_two(&mut self, first: Cell, second: Cell) -> bool {
        if self.entries.capacity() - self.entries.len() < 2 && !self.grow() {
            return false;
        }
        self.entries.push(first);
        self.entries.push(second);
        true
    }
    /// Records that the cell at `address`, which held `old`, is overwritten; false as for [`Trail::push_variable`].
    #[must_use]
    pub fn push_value(&mut self, address: *mut Cell, old: Cell) -> bool {
        // That is a variable's: where it lies is found by its entry, not by what it holds, which may be moved alone.
        debug_assert!(old != Cell::to(Tag::Ref, address));
        self.push_two(old, Cell::to(Tag::Str, address))
    }
    /// Records a region of the old generation that may refer to the nursery; false as for [`Trail::push_variable`]. It joins the one before it if that is the
    /// last entry, at `segment` or above: the height at the newest choicepoint, or `usize::MAX` where that is not known. (What is made after a
    /// choicepoint is left by backtracking to it, while what was made before stays.)
    #[must_use]
    pub fn push_region(&mut self, start: *mut Cell, words: usize, segment: usize) -> bool {
        let n = self.entries.len();
        if n >= 2 && n - 2 >= segment.max(self.scanned) && self.entries[n - 1].tag() == Tag::Lst {
            let before = self.entries[n - 2].payload() as usize;
            if self.entries[n - 1].ptr().wrapping_add(before) == start {
                self.entries[n - 2] = Cell::header(Kind::Raw, (before + words) as u64);
                return true;
            }
        }
        self.push_two(
            Cell::header(Kind::Raw, words as u64),
            Cell::to(Tag::Lst, start),
        )
    }
    /// Whether the last entry, at `from` or above, is the value of the cell at `address`: then it can be overwritten again.
    #[inline]
    pub(crate) fn has_just_saved(&self, address: *mut Cell, from: usize) -> bool {
        self.entries.len() > from.max(self.scanned)
            && self.entries.last() == Some(&Cell::to(Tag::Str, address))
    }
    /// Gives back what a peak took, when a collection has found that little of it is needed.
    pub(crate) fn shrink(&mut self) {
        let n = self.entries.len();
        if self.entries.capacity() / 8 > n.max(KEPT / 8) {
            self.entries.shrink_to((2 * n).max(KEPT));
        }
    }
    /// How many entries from an index on are of cells in a range, and how many of all save a value.
    pub(crate) fn cells_within(
        &self,
        from: usize,
        range: std::ops::Range<usize>,
    ) -> (usize, usize) {
        let (mut cells, mut values) = (0, 0);
        let mut i = self.entries.len();
        while i > from {
            i -= 1;
            let e = self.entries[i];
            match e.tag() {
                Tag::Lst => i -= 1,
                tag => {
                    cells += usize::from(range.contains(&(e.ptr() as usize)));
                    if tag == Tag::Str {
                        values += 1;
                        i -= 1;
                    }
                }
            }
        }
        (cells, values)
    }
    /// Checks that no cell has two entries that save a value in one segment; `heights` are those of the choicepoints, descending.
    /// For right after a major collection.
    pub fn verify_merged(&self, heights: impl Iterator<Item = usize>) {
        let mut i = self.entries.len();
        for height in heights.chain(std::iter::once(0)) {
            let mut seen = rustc_hash::FxHashSet::default();
            while i > height {
                i -= 1;
                let e = self.entries[i];
                if e.tag() != Tag::Ref {
                    i -= 1;
                    assert!(
                        e.tag() == Tag::Str,
                        "a region on the trail of an empty nursery"
                    );
                    assert!(seen.insert(e.ptr()), "a cell is saved twice in a segment");
                }
            }
            assert_eq!(i, height, "an entry lies in two segments");
        }
    }
    /// Undoes everything above height `to`.
    ///
    /// # Safety
    /// The trailed addresses must still be valid: `to` is the height saved with the state that is being restored.
    #[inline]
    pub unsafe fn undo(&mut self, to: usize) {
        while self.entries.len() > to {
            // SAFETY: the length is above `to`, so not 0.
            let e = unsafe { self.entries.pop().unwrap_unchecked() };
            match e.tag() {
                // SAFETY: promised by the caller.
                Tag::Ref => unsafe { *e.ptr() = e },
                Tag::Str => {
                    // A value entry is two words.
                    let old = self.entries.pop().unwrap_or(Cell::ZERO);
                    // SAFETY: promised by the caller.
                    unsafe { *e.ptr() = old };
                }
                _ => {
                    self.entries.pop();
                }
            }
        }
        if self.scanned > to {
            self.scanned = to;
        }
    }
    /// The regions recorded since height `from`, and since the last collection: (start, words).
    pub(crate) fn regions_since(&self, from: usize, out: &mut Vec<(*mut Cell, usize)>) {
        let mut i = self.entries.len();
        while i > from.max(self.scanned) {
            i -= 1;
            let e = self.entries[i];
            if e.tag() != Tag::Ref {
                i -= 1;
                if e.tag() == Tag::Lst {
                    out.push((e.ptr(), self.entries[i].payload() as usize));
                }
            }
        }
    }
    /// The bindings of variables made since height `from`, oldest first: (variable, its present value). Value
    /// entries come as (cell, present content) too. For suspending a computation.
    ///
    /// # Safety
    /// As [`Trail::undo`].
    pub unsafe fn bindings_since(
        &self,
        from: usize,
        out: &mut Vec<(Cell, Cell)>,
    ) -> Result<(), Refused> {
        growth::have(out, self.entries.len() - from)?;
        let first = out.len();
        let mut i = self.entries.len();
        while i > from {
            i -= 1;
            let e = self.entries[i];
            match e.tag() {
                Tag::Ref => {
                    // SAFETY: promised by the caller.
                    out.push((e, unsafe { *e.ptr() }));
                }
                Tag::Str => {
                    i -= 1;
                    // SAFETY: promised by the caller.
                    out.push((e, unsafe { *e.ptr() }));
                }
                _ => i -= 1,
            }
        }
        out[first..].reverse();
        Ok(())
    }
    /// As [`Trail::bindings_since`], for a computation that will be made again in stages: `heights`, ascending and not below
    /// `from`, are those of some of its choicepoints, and become the numbers of the first elements of `out` after each. Of a cell
    /// that was overwritten several times each entry comes with the content that it had then.
    ///
    /// # Safety
    /// As [`Trail::undo`].
    pub unsafe fn log_since(
        &self,
        from: usize,
        heights: &mut [usize],
        out: &mut Vec<(Cell, Cell)>,
    ) -> Result<(), Refused> {
        let first = out.len();
        let mut contents: FxHashMap<u64, Cell> = FxHashMap::default();
        let mut older = heights.len();
        let mut i = self.entries.len();
        while i > from {
            while older > 0 && heights[older - 1] >= i {
                older -= 1;
                heights[older] = out.len();
            }
            i -= 1;
            let e = self.entries[i];
            // SAFETY: promised by the caller.
            let content = || unsafe { *e.ptr() };
            match e.tag() {
                Tag::Ref => {
                    let newer = contents.remove(&e.address());
                    growth::push(out, (e, newer.unwrap_or_else(content)))?;
                }
                Tag::Str => {
                    i -= 1;
                    let mut newer = None;
                    if older > 0 || !contents.is_empty() {
                        newer = growth::insert(&mut contents, e.address(), self.entries[i])?;
                    }
                    growth::push(out, (e, newer.unwrap_or_else(content)))?;
                }
                _ => i -= 1,
            }
        }
        heights[..older].fill(out.len());
        out[first..].reverse();
        for h in heights {
            *h = first + out.len() - *h;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regions that follow each other are one entry, unless a choicepoint or a collection is between them.
    #[test]
    fn regions_of_one_segment_are_joined() {
        let mut cells = [Cell::ZERO; 20];
        let p = cells.as_mut_ptr();
        let regions = |t: &Trail| {
            let mut all = Vec::new();
            t.regions_since(0, &mut all);
            all.reverse();
            all.into_iter()
                .map(|(at, words)| ((at as usize - p as usize) / 8, words))
                .collect::<Vec<_>>()
        };
        let mut t = Trail::default();
        for (at, words, segment) in [(0, 2, 0), (2, 3, 0), (5, 1, 2), (6, 1, 2), (8, 1, 2)] {
            assert!(t.push_region(p.wrapping_add(at), words, segment));
        }
        assert_eq!(regions(&t), [(0, 5), (5, 2), (8, 1)]);
        assert!(t.push_region(p.wrapping_add(9), 1, usize::MAX));
        assert_eq!(regions(&t), [(0, 5), (5, 2), (8, 1), (9, 1)]);
        let n = t.top();
        t.set_scanned(n);
        assert!(t.push_region(p.wrapping_add(10), 1, 0));
        assert_eq!(regions(&t), [(10, 1)]);
    }

    #[test]
    fn undo_restores_in_reverse() {
        let mut cells = [Cell::ZERO; 2];
        let p = cells.as_mut_ptr();
        let mut t = Trail::default();
        // SAFETY: both addresses are in `cells`, which outlives the trail.
        unsafe {
            *p = Cell::to(Tag::Ref, p);
            assert!(t.push_variable(p));
            *p = Cell::small(1);
            assert!(t.push_value(p.add(1), Cell::ZERO));
            *p.add(1) = Cell::small(2);
            assert!(t.push_value(p.add(1), Cell::small(2)));
            *p.add(1) = Cell::small(3);
            assert!(t.push_region(p, 2, usize::MAX));
            t.undo(3);
            assert_eq!(*p.add(1), Cell::small(2));
            t.undo(0);
            assert_eq!(*p, Cell::to(Tag::Ref, p));
            assert_eq!(*p.add(1), Cell::ZERO);
        }
    }
}
