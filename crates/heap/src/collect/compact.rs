//! Major collections in place, for a heap so large that a copy beside it would exceed what the limit promises ([`Heap::is_to_be_compacted`]):
//! what is alive is marked, then moved towards the start of its chunk in the order in which it lies, cell by cell; what is behind it goes back to the system.
//! (Two bits for each word and a sum for each 64: Abuaiadh, Ossia, Petrank, Silbershtein, "An efficient parallel heap compaction algorithm", OOPSLA 2004, with
//! a word for a cell, no other thread, and a chunk that has next to no garbage left as it is.)
//!
//! The nursery is empty: a minor collection comes first. Use: [`Heap::compact_begin`], then roots and choicepoints as for a [`Collection`], which are marked;
//! [`Compaction::finish`] moves; then each root once again, to [`TrailMap::update`].
//!
//! - Each cell is marked by itself: of a structure of which only an argument is referred to this stays alone. An object whose header is marked is marked as
//!   a whole, so it stays together.
//! - References to bound cells are short-circuited as they are in a copy, unless the cell is on the trail.
//! - Trail entries are dealt with segment by segment, as in `segments`.
//!
//! Beside the heap it takes a 21st of it for the marks and up to a 16th for what is still to be looked at. Where there is no room for
//! that, what was marked is walked once more instead.
//!
//! ```text
//! marked(p)  =>  whatever the cell at p refers to is marked, or p is in what is to be looked at, or `overflow`
//! place(p) = start of the chunk + marked cells of the chunk below p        if the chunk is moved
//! ```

use super::segments::DROPPED;
use super::{Generation, TABLES_PER_ENTRY, TrailMap, frame_words, of_few_sizes};
use crate::heap::{Heap, OutOfMemory};
use crate::reserve::Reserve;
use crate::space::Region;
use samite_term::{Cell, Functor, Kind, Tag};
use samite_world::clock;
use std::time::Instant;

/// Heaps up to this are copied all the same.
const SMALL: usize = 8 << 20;
/// A chunk is left as it is if no more than one part in so many of it is garbage: less than a collection for lack of memory has to find.
const DENSE_PART: usize = 64;
/// How many areas are remembered ([`Areas::lately`]), and by which bits of an address: a chunk is mostly as large as a nursery.
const LATELY: usize = 64;
const LATELY_SHIFT: u32 = 22;
/// What is still to be looked at takes at most so small a part of the heap.
const WORK_PART: usize = 16;
/// Entries of it that there is room for in any case.
const LEAST_WORK: usize = 1 << 10;

/// One chunk.
#[derive(Debug, Clone, Copy)]
struct Area {
    start: usize,
    end: usize,
    /// Of its words in each of the tables.
    first: usize,
    /// Whether what is alive in it is moved.
    moves: bool,
}

/// The chunks of an old generation, in the order of their addresses, and for each 64 cells of them, one table behind the other: which are alive,
/// which are on the trail, how many of the same chunk are alive below (until all is marked: which have an entry in the segment being dealt with).
#[derive(Debug)]
pub(super) struct Areas {
    areas: Vec<Area>,
    tables: Region,
    /// Words of one table.
    length: usize,
    /// Areas that were asked for lately, by bits of the address: references go to and fro between chunks.
    lately: [std::cell::Cell<u32>; LATELY],
}

/// A place in the tables.
#[derive(Clone, Copy)]
struct Spot {
    word: usize,
    bit: u32,
}

impl Areas {
    fn of(heap: &Heap) -> Option<Areas> {
        let mut areas = Vec::new();
        areas.try_reserve_exact(heap.old.chunks()).ok()?;
        for i in 0..heap.old.chunks() {
            let (start, end) = heap.old.chunk(i);
            areas.push(Area {
                start: start as usize,
                end: end as usize,
                first: 0,
                moves: false,
            });
        }
        areas.sort_unstable_by_key(|a| a.start);
        let mut length = 0;
        for a in &mut areas {
            a.first = length;
            length += (a.end - a.start).div_ceil(8 * 64);
        }
        let tables = Region::map_at_last((3 * length * 8).max(8))?;
        Some(Areas {
            areas,
            tables,
            length,
            lately: [const { std::cell::Cell::new(0) }; LATELY],
        })
    }
    #[inline]
    fn word(&self, i: usize) -> u64 {
        assert!(i < 3 * self.length);
        // SAFETY: inside the mapping, which is zero at first and nobody else's.
        unsafe { *self.tables.start().cast::<u64>().add(i) }
    }
    #[inline]
    fn word_mut(&mut self, i: usize) -> &mut u64 {
        assert!(i < 3 * self.length);
        // SAFETY: as above.
        unsafe { &mut *self.tables.start().cast::<u64>().add(i) }
    }
    #[inline]
    fn live(&self, i: usize) -> u64 {
        self.word(i)
    }
    #[inline]
    fn trailed(&self, i: usize) -> u64 {
        self.word(self.length + i)
    }
    /// Whether this was already said of a cell: there is an entry of it in the segment being dealt with.
    #[inline]
    fn has_entry(&mut self, p: *const Cell) -> bool {
        let (_, s) = self.spot_of(p);
        let i = 2 * self.length + s.word;
        let known = self.word(i) >> s.bit & 1 == 1;
        *self.word_mut(i) |= 1 << s.bit;
        known
    }
    /// Forgets that of a cell, and of others with it.
    #[inline]
    fn forget_entry(&mut self, p: *const Cell) {
        let (_, s) = self.spot_of(p);
        let i = 2 * self.length + s.word;
        *self.word_mut(i) = 0;
    }
    #[inline]
    fn below(&self, i: usize) -> u64 {
        self.word(2 * self.length + i)
    }
    /// The area that a cell lies in.
    #[inline]
    fn area(&self, p: *const Cell) -> Option<Area> {
        let p = p as usize;
        let lately = &self.lately[(p >> LATELY_SHIFT) % LATELY];
        let a = *self.areas.get(lately.get() as usize)?;
        if p.wrapping_sub(a.start) < a.end - a.start {
            return Some(a);
        }
        let i = self
            .areas
            .partition_point(|a| a.start <= p)
            .checked_sub(1)?;
        let a = self.areas[i];
        if p >= a.end {
            return None;
        }
        lately.set(i as u32);
        Some(a)
    }
    #[inline]
    fn spot(&self, p: *const Cell) -> Option<(Area, Spot)> {
        let a = self.area(p)?;
        let i = (p as usize - a.start) / 8;
        let (word, bit) = (a.first + i / 64, (i % 64) as u32);
        Some((a, Spot { word, bit }))
    }
    /// The same of a cell that is in the old generation.
    #[inline]
    fn spot_of(&self, p: *const Cell) -> (Area, Spot) {
        let Some(spot) = self.spot(p) else {
            unreachable!("{p:?} is not in the old generation")
        };
        spot
    }
    fn is_live(&self, p: *const Cell) -> bool {
        self.spot(p)
            .is_some_and(|(_, s)| self.live(s.word) >> s.bit & 1 == 1)
    }
    fn is_trailed(&self, p: *const Cell) -> bool {
        self.spot(p)
            .is_some_and(|(_, s)| self.trailed(s.word) >> s.bit & 1 == 1)
    }
    /// Marks `n` cells from `p` on; whether the first `headers` of them were marked.
    #[inline]
    fn mark(&mut self, p: *const Cell, n: usize, headers: u32) -> bool {
        let (_, Spot { mut word, mut bit }) = self.spot_of(p);
        let mut known = true;
        for i in 0..headers {
            let (w, b) = (word + (bit + i) as usize / 64, (bit + i) % 64);
            known &= self.live(w) >> b & 1 == 1;
        }
        if known {
            return true;
        }
        let mut left = n as u64;
        while left > 0 {
            let here = left.min(u64::from(64 - bit));
            *self.word_mut(word) |= (u64::MAX >> (64 - here)) << bit;
            left -= here;
            (word, bit) = (word + 1, 0);
        }
        false
    }
    /// Where a cell that is alive is after the collection.
    #[inline]
    fn place(&self, p: *mut Cell) -> *mut Cell {
        let (a, s) = self.spot_of(p);
        debug_assert!(self.live(s.word) >> s.bit & 1 == 1, "it was not marked");
        if !a.moves {
            return p;
        }
        let below = self.live(s.word) & ((1 << s.bit) - 1);
        let before = self.below(s.word) as usize + below.count_ones() as usize;
        (a.start as *mut Cell).wrapping_add(before)
    }
    /// The same of a cell of which that is not known.
    pub(super) fn find(&self, p: *mut Cell) -> Option<*mut Cell> {
        self.is_live(p).then(|| self.place(p))
    }
    /// Whether anything is moved.
    pub(super) fn any_moves(&self) -> bool {
        self.areas.iter().any(|a| a.moves)
    }
    /// A value whose target is where it is after the collection.
    #[inline]
    pub(super) fn updated(&self, c: Cell) -> Cell {
        match c.tag() {
            Tag::Int | Tag::Con => c,
            Tag::Hdr if c.is_kind(Kind::FramePtr) && !c.frame().is_null() => {
                Cell::frame_ptr(self.place(c.frame()))
            }
            Tag::Hdr => c,
            tag => Cell::to(tag, self.place(c.ptr())),
        }
    }
}

/// A collection in progress; see the module text.
#[derive(Debug)]
pub struct Compaction<'h> {
    heap: &'h mut Heap,
    areas: Areas,
    /// Objects that were marked and whose cells have not been looked at.
    work: Vec<Cell>,
    /// The same of attributed variables, which wait until nothing else does: what waits for one of them refers to others, so that a chain of
    /// them would leave something of each waiting.
    attributed: Vec<Cell>,
    /// Something was marked for which there was no room there.
    overflow: bool,
    /// See [`super::Collection`].
    upper: usize,
    dropped: bool,
    moved: Vec<u32>,
    aged: Vec<(usize, u64)>,
    from_bytes: usize,
    began: Instant,
}

impl Heap {
    /// Whether a major collection is to be made in place: a copy of all there is would take more than the limit and a part of it. In torture
    /// runs each second one.
    pub fn is_to_be_compacted(&self) -> bool {
        if self.config.stress > 0 {
            return self.statistics.major_collections % 2 == 1;
        }
        let used = self.young_words() * 8 + self.old.used_bytes();
        let tables = self.trail.top() * TABLES_PER_ENTRY;
        let most = self.config.limit.saturating_add(self.config.limit / 8);
        self.bytes().saturating_add(used + tables) > most.saturating_add(SMALL)
    }

    /// Starts a major collection in place. Fails, with the heap untouched, if there is no memory for the marks.
    ///
    /// # Safety
    /// Every root is given, the collection finished, and every root updated before the heap is used for anything else.
    pub unsafe fn compact_begin(&mut self) -> Result<Compaction<'_>, OutOfMemory> {
        let began = clock::now();
        assert!(self.young_words() == 0, "the nursery is not empty");
        self.reserved = Reserve::default();
        let entries = self.trail.top();
        let (mut moved, mut work, mut attributed) = (Vec::new(), Vec::new(), Vec::new());
        let room = moved
            .try_reserve_exact(of_few_sizes(entries + 1))
            .and_then(|()| work.try_reserve_exact(LEAST_WORK))
            .and_then(|()| match self.has_had_attributed() {
                true => attributed.try_reserve_exact(LEAST_WORK),
                false => Ok(()),
            });
        room.map_err(|_| OutOfMemory)?;
        let aged = self.ages.room(true).ok_or(OutOfMemory)?;
        let areas = Areas::of(self).ok_or(OutOfMemory)?;
        let mut c = Compaction {
            from_bytes: self.old.used_bytes(),
            upper: entries,
            heap: self,
            areas,
            work,
            attributed,
            overflow: false,
            dropped: false,
            moved,
            aged,
            began,
        };
        c.mark_trailed();
        Ok(c)
    }
}

impl Compaction<'_> {
    /// Writes down which cells are on the trail.
    fn mark_trailed(&mut self) {
        let mut i = self.heap.trail.entries.len();
        while i > 0 {
            i -= 1;
            let e = self.heap.trail.entries[i];
            if e.tag() != Tag::Ref {
                i -= 1;
            }
            if e.tag() != Tag::Lst {
                let (_, s) = self.areas.spot_of(e.ptr());
                let n = self.areas.length;
                *self.areas.word_mut(n + s.word) |= 1 << s.bit;
            }
        }
    }

    /// Marks what a root refers to.
    ///
    /// # Safety
    /// As [`super::Collection::root`].
    #[inline]
    pub unsafe fn root(&mut self, cell: &mut Cell) {
        // SAFETY: promised by the caller.
        unsafe { self.look_at(cell) };
    }

    /// Marks what the cell at `p` refers to, which is then still to be looked at.
    unsafe fn look_at(&mut self, p: *mut Cell) {
        // SAFETY: pointers in valid terms point to objects of the heap.
        unsafe {
            let mut c = *p;
            while c.tag() == Tag::Ref {
                let t = c.ptr();
                let content = *t;
                let is_variable = content == c || content.tag() == Tag::Att;
                if is_variable || self.areas.is_trailed(t) {
                    break;
                }
                debug_assert!(!content.is_hdr(), "reference to {content:?}");
                c = content;
            }
            *p = c;
            let known = match c.tag() {
                Tag::Int | Tag::Con => return,
                Tag::Ref => self.areas.mark(c.ptr(), 1, 1),
                Tag::Str | Tag::Att => {
                    let n = 1 + Functor::from_cell(*c.ptr()).arity();
                    self.areas.mark(c.ptr(), n, 1)
                }
                Tag::Lst => self.areas.mark(c.ptr(), 2, 2),
                Tag::Box => {
                    self.areas.mark(c.ptr(), 1 + (*c.ptr()).box_words(), 1);
                    return;
                }
                Tag::Hdr if c.is_kind(Kind::FramePtr) && !c.frame().is_null() => {
                    self.areas.mark(c.frame(), frame_words(*c.frame()), 1)
                }
                Tag::Hdr => return,
            };
            if !known {
                self.add(c);
            }
        }
    }

    #[inline]
    fn add(&mut self, c: Cell) {
        let waiting = self.work.len() + self.attributed.len();
        let list = match c.tag() {
            Tag::Att => &mut self.attributed,
            _ => &mut self.work,
        };
        if list.len() == list.capacity() {
            let most = (self.from_bytes / 8 / WORK_PART).max(2 * LEAST_WORK);
            let more = list.len().min(most.saturating_sub(waiting));
            if more == 0 || list.try_reserve_exact(more).is_err() {
                self.overflow = true;
                return;
            }
        }
        list.push(c);
    }

    /// Looks at all that is to be looked at.
    fn mark_all(&mut self) {
        self.follow();
        while std::mem::take(&mut self.overflow) {
            self.look_at_all_marked();
            self.follow();
        }
    }

    /// The same, but for what there was no room for. Of a structure the last argument is followed last, of a frame its parent: so a long list, or
    /// stack, has one thing waiting and not one for each of its elements.
    fn follow(&mut self) {
        while let Some(c) = self.work.pop().or_else(|| self.attributed.pop()) {
            // SAFETY: an object of the heap that was marked as a whole.
            unsafe {
                match c.tag() {
                    Tag::Ref => self.look_at(c.ptr()),
                    Tag::Lst => {
                        self.look_at(c.ptr().add(1));
                        self.look_at(c.ptr());
                    }
                    Tag::Hdr => {
                        for i in 1..frame_words(*c.frame()) {
                            self.look_at(c.frame().add(i));
                        }
                    }
                    _ => {
                        for i in (1..=Functor::from_cell(*c.ptr()).arity()).rev() {
                            self.look_at(c.ptr().add(i));
                        }
                    }
                }
            }
        }
    }

    /// For want of room: looks once more at every cell that was marked.
    #[cold]
    fn look_at_all_marked(&mut self) {
        for i in 0..self.areas.areas.len() {
            let mut p = self.areas.areas[i].start as *mut Cell;
            while let Some(next) = self.next_live(i, p) {
                // SAFETY: it is a value, or heads an object that was marked as a whole.
                p = unsafe {
                    match (*next).is_hdr().then(|| (*next).kind()) {
                        None | Some(Kind::FramePtr) => {
                            self.look_at(next);
                            next.add(1)
                        }
                        Some(_) => next.add(1 + (*next).box_words()),
                    }
                };
                // (What was found may be much: it is followed at once.)
                if self.work.len() >= LEAST_WORK {
                    self.follow();
                }
            }
        }
    }

    /// The first cell of area `i` from `p` on that is alive.
    fn next_live(&self, i: usize, p: *mut Cell) -> Option<*mut Cell> {
        let a = self.areas.areas[i];
        let mut at = (p as usize - a.start) / 8;
        let n = (a.end - a.start) / 8;
        while at < n {
            let rest = self.areas.live(a.first + at / 64) >> (at % 64);
            if rest != 0 {
                at += rest.trailing_zeros() as usize;
                return Some((a.start as *mut Cell).wrapping_add(at));
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }

    /// See [`super::Collection::choicepoint`].
    pub fn choicepoint(&mut self, height: usize) {
        if height >= self.upper {
            return;
        }
        self.mark_all();
        if self.undo_unreached(height) {
            let mut i = self.upper;
            while i > height {
                i -= 1;
                if self.heap.trail.entries[i].tag() == Tag::Str {
                    i -= 1;
                    let saved: *mut Cell = &mut self.heap.trail.entries[i];
                    // SAFETY: an old value is a term of the heap; the trail does not change meanwhile.
                    unsafe { self.look_at(saved) };
                }
            }
        }
        self.upper = height;
    }

    fn drop_entry(&mut self, first: usize, words: usize) {
        self.heap.trail.entries[first..first + words].fill(DROPPED);
        self.dropped = true;
    }

    /// As the function of `segments`, with bits for a table of the cells that have an entry.
    fn undo_unreached(&mut self, to: usize) -> bool {
        let mut values = false;
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
                    if !self.areas.is_live(p) {
                        // SAFETY: trail invariant.
                        unsafe { *p = self.heap.trail.entries[i] };
                        self.drop_entry(i, 2);
                    } else {
                        values = true;
                        // The value comes second until the oldest entries are known: they are read in that order.
                        self.heap.trail.entries.swap(i, i + 1);
                    }
                }
                _ => {
                    if !self.areas.is_live(p) {
                        // SAFETY: trail invariant.
                        unsafe { *p = e };
                        self.drop_entry(i, 1);
                    }
                }
            }
        }
        if values {
            self.keep_oldest(to);
        }
        values
    }

    /// Of the entries from `to` to `upper`, of which those that save a value have it behind them, only the oldest of each cell stays.
    fn keep_oldest(&mut self, to: usize) {
        let mut i = to;
        while i < self.upper {
            let e = self.heap.trail.entries[i];
            if e == DROPPED {
                i += 1;
                continue;
            }
            let words = if e.tag() == Tag::Str { 2 } else { 1 };
            if self.areas.has_entry(e.ptr()) {
                self.drop_entry(i, words);
            } else if words == 2 {
                self.heap.trail.entries.swap(i, i + 1);
            }
            i += words;
        }
        // (Nobody asks after the last segment.)
        if to == 0 {
            return;
        }
        while i > to {
            i -= 1;
            let e = self.heap.trail.entries[i];
            if e != DROPPED {
                self.areas.forget_entry(e.ptr());
                i -= usize::from(e.tag() == Tag::Str);
            }
        }
    }

    /// Marks to the end and moves. Heights saved elsewhere, and all roots, are to be mapped by the result.
    pub fn finish(mut self) -> TrailMap {
        self.choicepoint(0);
        self.mark_all();
        // What of the trail's cells is not alive now was undone above, so ages and trail are of cells that are.
        self.keep_ages();
        let moves = self.count();
        if moves {
            for i in 0..self.areas.areas.len() {
                self.move_area(i);
            }
            self.give_back();
        }
        let moved = self.sweep_trail();
        let Compaction {
            heap,
            areas,
            aged,
            from_bytes,
            began,
            ..
        } = self;
        let aged = aged
            .into_iter()
            .map(|(p, age)| (areas.place(p as *mut Cell) as usize, age));
        heap.ages.moved(aged, true, 0);
        heap.end_collection(Generation::Major, from_bytes, 0, began);
        TrailMap {
            from: 0,
            moved,
            from_start: 0,
            from_size: 0,
            _from_space: Default::default(),
            areas: Some(areas),
        }
    }

    /// The ages of variables that are alive, by where they were.
    fn keep_ages(&mut self) {
        let Compaction {
            heap, areas, aged, ..
        } = self;
        for (p, age) in heap.ages.known() {
            let at = p as *mut Cell;
            if areas.is_live(at) {
                // SAFETY: it is alive.
                let content = unsafe { *at };
                let unbound = content == Cell::to(Tag::Ref, at) || content.tag() == Tag::Att;
                if unbound || areas.is_trailed(at) {
                    aged.push((p, age));
                }
            }
        }
    }

    /// How many are alive below each 64 cells, and which chunks are moved: whether any is.
    fn count(&mut self) -> bool {
        let mut any = false;
        for i in 0..self.areas.areas.len() {
            let a = self.areas.areas[i];
            let words = (a.end - a.start) / 8;
            let mut live = 0;
            for w in a.first..a.first + words.div_ceil(64) {
                let n = 2 * self.areas.length;
                *self.areas.word_mut(n + w) = live;
                live += u64::from(self.areas.live(w).count_ones());
            }
            let garbage = words - live as usize;
            let moves = match self.heap.config.stress {
                0 => garbage > words / DENSE_PART,
                _ => garbage > 0,
            };
            self.areas.areas[i].moves = moves;
            any |= moves;
        }
        any
    }

    /// Moves what is alive in an area, and updates it.
    fn move_area(&mut self, i: usize) {
        let a = self.areas.areas[i];
        let (mut p, mut to) = (a.start as *mut Cell, a.start as *mut Cell);
        while let Some(next) = self.next_live(i, p) {
            if !a.moves {
                to = next;
            }
            // SAFETY: cells of the chunk that were marked; `to` is not above `next`, and what lies there has been moved.
            unsafe {
                let c = *next;
                let boxed = match c.is_hdr() {
                    true => c.box_words(),
                    false => 0,
                };
                if boxed > 0 {
                    std::ptr::copy(next, to, 1 + boxed);
                } else {
                    *to = self.areas.updated(c);
                }
                (p, to) = (next.add(1 + boxed), to.add(1 + boxed));
            }
        }
    }

    /// What is behind that goes back to the system.
    fn give_back(&mut self) {
        let stress = self.heap.config.stress > 0;
        let areas = &self.areas;
        self.heap.old.shorten(|start, top| {
            let Some(a) = areas.area(start).filter(|a| a.moves) else {
                return top;
            };
            let last = a.first + (a.end - a.start).div_ceil(8 * 64) - 1;
            let live = areas.below(last) as usize + areas.live(last).count_ones() as usize;
            let end = start.wrapping_add(live);
            if stress {
                let words = (top as usize - end as usize) / 8;
                // SAFETY: nothing is left there.
                unsafe { std::slice::from_raw_parts_mut(end, words) }.fill(crate::heap::POISON);
            }
            end
        });
    }

    /// Takes out the entries that were dropped and updates the others. The result is [`TrailMap::moved`].
    fn sweep_trail(&mut self) -> Vec<u32> {
        let entries = &mut self.heap.trail.entries;
        let mut i = entries.len();
        while i > 0 {
            i -= 1;
            let e = entries[i];
            if e == DROPPED {
                continue;
            }
            entries[i] = Cell::to(e.tag(), self.areas.place(e.ptr()));
            if e.tag() == Tag::Str {
                i -= 1;
                entries[i] = self.areas.updated(entries[i]);
            }
        }
        super::segments::take_out_dropped(&mut self.heap.trail, 0, self.dropped, &mut self.moved);
        std::mem::take(&mut self.moved)
    }
}
