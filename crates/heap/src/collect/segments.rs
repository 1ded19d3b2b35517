//! The trail in a collection: what is remembered, and what becomes of the entries of each segment.
//!
//! The state after backtracking to a choicepoint is another than the present one, so a cell may be wanted with a content of then only.
//! The present state is scanned first; then, for each choicepoint from the newest on, the entries of the segment above it are dealt
//! with before its own cells are. What holds for an entry of a cell that would be moved:
//! - The cell was not reached: nobody looks at it before backtracking undoes the entry. It is undone now, and dropped (*early reset*:
//!   Appleby, Carlsson, Haridi, Sahlin, "Garbage collection for Prolog based on WAM", CACM 31(6), 1988). What it was bound to is not
//!   kept alive by it.
//! - The cell was reached: the entry stays, unless an older one of the segment is of the same cell. A value that it saves is
//!   wanted from this choicepoint on.
//!
//! Below the oldest choicepoint that no earlier collection has seen there are, in a minor collection, cells that are newer than each choicepoint from there
//! on: those of the nursery, unless they were captured. After backtracking to one of these nobody can look at them, so their entries are dropped, and say nothing of
//! their identity. (Most bindings of such cells have none. They are left by choicepoints that were cut, and by attributed variables, each binding of which is trailed.)
//!
//! Of cells that do not move (the old generation in a minor collection) nothing is known: they count as reached. Differs from the
//! paper in: values saved by destructive assignment, generations.
//!
//! Invariant: entries at `upper` and above are final; an entry that was dropped is [`DROPPED`] in each of its words.

use super::*;
use crate::trail::Trail;

/// Values of a segment that there is always room for.
const ROOM_KEPT: usize = 64;

/// A word of an entry that is no longer needed.
pub(super) const DROPPED: Cell = Cell(0);

impl Collection<'_> {
    /// Replaces the content of every trailed from-space cell by a mark, so that it keeps its identity.
    pub(super) fn mark_trailed(&mut self) {
        let any_aged = !self.heap.ages.is_empty();
        let mut i = self.heap.trail.entries.len();
        while i > self.trail_from {
            i -= 1;
            let e = self.heap.trail.entries[i];
            match e.tag() {
                Tag::Lst => i -= 1,
                tag => {
                    if tag == Tag::Str {
                        i -= 1;
                    }
                    let p = e.ptr();
                    if self.is_newer(p, i) {
                        continue;
                    }
                    // SAFETY: trail invariant: trailed addresses are cells of this heap.
                    unsafe {
                        if self.in_from(p) && !(*p).is_kind(Kind::Trailed) {
                            let mark = Cell::header(Kind::Trailed, self.saved.len() as u64);
                            let content = std::mem::replace(&mut *p, mark);
                            self.saved.push(content);
                            if any_aged && content != Cell::to(Tag::Ref, p) {
                                self.keep_age(p);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Keeps the age of a variable that is bound at the moment.
    #[cold]
    fn keep_age(&mut self, p: *mut Cell) {
        let age = self.heap.ages.get(p as usize, &self.young);
        self.aged.extend(age.map(|age| (p as usize, age)));
    }

    /// Whether the cell at `p`, of the entry at index `i`, is newer than each choicepoint that this entry could be undone for.
    #[inline]
    fn is_newer(&self, p: *mut Cell, i: usize) -> bool {
        i < self.newer_up_to && self.heap.is_backtracked(p)
    }

    /// Whether `p` is a cell that may be moved and was not.
    ///
    /// # Safety
    /// `p` is the cell of a trail entry.
    #[inline]
    unsafe fn is_unreached(&self, p: *mut Cell) -> bool {
        // SAFETY: trailed cells of from-space hold marks.
        self.in_from(p) && unsafe { (*p).is_kind(Kind::Trailed) }
    }

    /// Updates the cells outside of the nursery that may refer into it. Updating one twice is harmless.
    pub(super) fn remembered(&mut self) {
        let mut i = self.upper;
        while i > self.trail_from {
            i -= 1;
            let e = self.heap.trail.entries[i];
            if e.tag() != Tag::Ref {
                i -= 1;
            }
            if e.tag() == Tag::Lst {
                let words = self.heap.trail.entries[i].payload() as usize;
                self.scan_region(e.ptr(), words);
            } else if !self.in_from(e.ptr()) {
                // SAFETY: trail invariant.
                unsafe { self.update(e.ptr()) };
            }
        }
        for (start, words) in std::mem::take(&mut self.heap.captured) {
            self.scan_region(start, words);
        }
    }

    /// Updates the objects of a region allocated outside of the nursery since the last collection.
    fn scan_region(&mut self, start: *mut Cell, words: usize) {
        let end = start.wrapping_add(words);
        let mut p = start;
        while p < end {
            // SAFETY: the region holds objects one after the other (trail invariant).
            p = unsafe { self.scan_cell(p) };
        }
    }

    /// The roots given so far are those of the state above the choicepoint with this height of the trail; its own cells follow.
    pub fn choicepoint(&mut self, height: usize) {
        let to = height.max(self.trail_from);
        if to >= self.upper {
            return;
        }
        self.scan_all();
        let values = self.undo_unreached(to);
        if values {
            self.keep_values(to);
        }
        self.upper = to;
    }

    fn drop_entry(&mut self, first: usize, words: usize) {
        self.heap.trail.entries[first..first + words].fill(DROPPED);
        self.dropped = true;
    }

    /// Early reset of the entries from `to` to `upper`, and merging of those that stay. Whether some of these save a value.
    fn undo_unreached(&mut self, to: usize) -> bool {
        let mut i = self.upper;
        while i > to {
            i -= 1;
            let e = self.heap.trail.entries[i];
            let p = e.ptr();
            match e.tag() {
                Tag::Lst => {
                    i -= 1;
                    self.drop_entry(i, 2);
                }
                Tag::Str => {
                    i -= 1;
                    if self.is_newer(p, i) {
                        self.drop_entry(i, 2);
                        continue;
                    }
                    // SAFETY: the cell of an entry.
                    if unsafe { self.is_unreached(p) } {
                        let old = self.heap.trail.entries[i];
                        // SAFETY: as above.
                        self.saved[unsafe { (*p).payload() } as usize] = old;
                        self.drop_entry(i, 2);
                    } else if let Some(newer) = self.kept.insert(p as usize, i) {
                        self.drop_entry(newer, 2);
                    }
                }
                _ if self.is_newer(p, i) => self.drop_entry(i, 1),
                _ => {
                    // SAFETY: the cell of an entry.
                    if unsafe { self.is_unreached(p) } {
                        // SAFETY: as above.
                        self.saved[unsafe { (*p).payload() } as usize] = e;
                        self.drop_entry(i, 1);
                    } else if !self.kept.is_empty()
                        && let Some(newer) = self.kept.remove(&(p as usize))
                    {
                        self.drop_entry(newer, 2);
                    }
                }
            }
        }
        let values = self.kept.len();
        // (Clearing costs what there is room for. After a segment with many values there may be thousands with few.)
        if self.kept.capacity() > ROOM_KEPT && self.kept.capacity() / 8 > values {
            self.kept = Default::default();
        } else {
            self.kept.clear();
        }
        values > 0
    }

    /// Moves the values that the entries from `to` to `upper` save.
    fn keep_values(&mut self, to: usize) {
        let mut i = self.upper;
        while i > to {
            i -= 1;
            if self.heap.trail.entries[i].tag() == Tag::Str {
                i -= 1;
                let mut old = self.heap.trail.entries[i];
                // SAFETY: an old value is a term of the heap.
                unsafe { self.update(&mut old) };
                self.heap.trail.entries[i] = old;
            }
        }
    }

    /// Takes out the entries that were dropped and updates the others. The result is [`TrailMap::moved`].
    pub(super) fn sweep_trail(&mut self) -> Vec<u32> {
        let entries = &mut self.heap.trail.entries;
        let mut i = entries.len();
        while i > self.trail_from {
            i -= 1;
            let e = entries[i];
            if e == DROPPED {
                continue;
            }
            let p = e.ptr();
            if (p as usize).wrapping_sub(self.from_start) < self.from_size {
                // SAFETY: from-space is still mapped, and the cell was reached.
                let mark = unsafe { *p };
                debug_assert!(
                    mark.is_kind(Kind::Forward) || mark.is_kind(Kind::ForwardAlone),
                    "an entry of a cell that was not reached"
                );
                entries[i] = Cell::to(e.tag(), mark.frame());
            }
            if e.tag() == Tag::Str {
                i -= 1;
            }
        }
        take_out_dropped(
            &mut self.heap.trail,
            self.trail_from,
            self.dropped,
            &mut self.moved,
        );
        std::mem::take(&mut self.moved)
    }
}

/// Takes the words of dropped entries out, from index `from` on, if there are any, and writes down where the others went. All entries are scanned then.
pub(super) fn take_out_dropped(trail: &mut Trail, from: usize, any: bool, moved: &mut Vec<u32>) {
    let entries = &mut trail.entries;
    if any {
        let mut to = from;
        for i in from..entries.len() {
            moved.push(to as u32);
            if entries[i] != DROPPED {
                entries[to] = entries[i];
                to += 1;
            }
        }
        moved.push(to as u32);
        entries.truncate(to);
    }
    let n = entries.len();
    trail.set_scanned(n);
}
