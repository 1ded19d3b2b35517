//! The trail: what backtracking must undo, and the collector's remembered set.
//!
//! Entries are cells, told apart by tag:
//! - `REF a`: the variable at `a` was bound; undo makes it unbound.
//! - `STR a`, preceded by a value: the cell at `a` was overwritten; undo stores the value back.
//! - `LST a`, preceded by a word count: the objects at `a` were allocated in the old generation and may refer to the nursery.
//!   Nothing to undo: after backtracking the region is garbage.
//!
//! Invariants: a cell outside of the nursery that may refer into the nursery is on the trail at an index of at least
//! [`Trail::scanned`]. A variable older than the newest choicepoint is trailed when bound.

use samite_term::{Cell, Kind, Tag};

/// See the module text.
#[derive(Debug, Default)]
pub struct Trail {
    pub(crate) entries: Vec<Cell>,
    /// Entries below this index were dealt with by the last collection.
    scanned: usize,
}

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
    /// Bytes reserved.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * 8
    }
    /// Records that the variable at `address` was bound.
    #[inline]
    pub fn push_variable(&mut self, address: *mut Cell) {
        self.entries.push(Cell::to(Tag::Ref, address));
    }
    /// Records that the cell at `address`, which held `old`, is overwritten.
    pub fn push_value(&mut self, address: *mut Cell, old: Cell) {
        self.entries.push(old);
        self.entries.push(Cell::to(Tag::Str, address));
    }
    /// Records a region of the old generation that may refer to the nursery.
    pub fn push_region(&mut self, start: *mut Cell, words: usize) {
        self.entries.push(Cell::header(Kind::Raw, words as u64));
        self.entries.push(Cell::to(Tag::Lst, start));
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
    /// The bindings of variables made since height `from`, oldest first: (variable, its present value). Value
    /// entries come as (cell, present content) too. For suspending a computation.
    ///
    /// # Safety
    /// As [`Trail::undo`].
    pub unsafe fn bindings_since(&self, from: usize, out: &mut Vec<(Cell, Cell)>) {
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_restores_in_reverse() {
        let mut cells = [Cell::ZERO; 2];
        let p = cells.as_mut_ptr();
        let mut t = Trail::default();
        // SAFETY: both addresses are in `cells`, which outlives the trail.
        unsafe {
            *p = Cell::to(Tag::Ref, p);
            t.push_variable(p);
            *p = Cell::small(1);
            t.push_value(p.add(1), Cell::ZERO);
            *p.add(1) = Cell::small(2);
            t.push_value(p.add(1), Cell::small(2));
            *p.add(1) = Cell::small(3);
            t.push_region(p, 2);
            t.undo(3);
            assert_eq!(*p.add(1), Cell::small(2));
            t.undo(0);
            assert_eq!(*p, Cell::to(Tag::Ref, p));
            assert_eq!(*p.add(1), Cell::ZERO);
        }
    }
}
