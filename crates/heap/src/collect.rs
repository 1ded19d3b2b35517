//! The collector: Cheney copying, cell by cell, in two generations.
//!
//! A minor collection moves what is reachable in the nursery to the end of the old generation; a major one moves
//! everything to a new old generation. After either the nursery is empty.
//!
//! How a cell is moved:
//! - A reference to an unbound variable may move that cell alone ([`Kind::ForwardAlone`]); when its structure moves later,
//!   the argument takes the content over and the lone cell becomes a reference to it (at the end, see `Collection::fixups`), so
//!   that a cell has one new place, which the trail is told. A structure leaves [`Kind::Forward`] in every one of its cells.
//! - References to bound cells are short-circuited, unless the binding is on the trail: a trailed cell must keep its identity, for
//!   backtracking makes it a variable again. For the time of a collection such a cell holds [`Kind::Trailed`], its content is
//!   kept aside. Trail entries whose cell nobody reached are dropped.
//! - Frames and boxes are only ever referred to by their header, so only that is marked.
//!
//! Use: [`Heap::collect_begin`], [`Collection::root`] for every root cell, [`Collection::finish`]. Roots of a minor
//! collection are those that may refer to the nursery; the trail (from [`Trail::scanned`]) is handled here.

use crate::heap::{FIRST_MAJOR, Heap, OutOfMemory};
use crate::space::{Region, Space};
use rustc_hash::FxHashMap;
use samite_term::{Cell, Functor, Kind, Tag};
use std::ops::Range;
use std::time::Instant;

/// What a collection moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// The nursery only.
    Minor,
    /// Everything.
    Major,
}

/// A collection in progress.
#[derive(Debug)]
pub struct Collection<'h> {
    heap: &'h mut Heap,
    generation: Generation,
    from_start: usize,
    from_size: usize,
    /// Contents of trailed cells, indexed by the payload of their mark.
    saved: Vec<Cell>,
    /// Contents of bound cells that moved alone (trailed ones), by their new place.
    alone: FxHashMap<usize, Cell>,
    /// Lone cells whose structure moved after all: (lone cell, argument that it refers to).
    fixups: Vec<(*mut Cell, *mut Cell)>,
    /// Variables whose age is to be kept: (old address, age).
    aged: Vec<(usize, u64)>,
    nursery_in_use: Range<usize>,
    /// First trail entry that this collection looks at.
    trail_from: usize,
    /// The old generation being left by a major collection.
    from_space: Space,
    /// Bytes in objects of the generations collected when the collection began.
    from_bytes: usize,
    /// Bytes in objects of the old generation when it began.
    old_before: usize,
    /// Next cell to scan, in chunk `scan_chunk`.
    scan_chunk: usize,
    scan: *mut Cell,
    began: Instant,
}

/// Where trail heights and single cells went: [`TrailMap::height`], [`TrailMap::place`].
#[derive(Debug)]
pub struct TrailMap {
    from: usize,
    /// New index of the old entry `from + i`.
    moved: Vec<u32>,
    from_start: usize,
    from_size: usize,
    /// Kept mapped for the marks in it.
    _from_space: Space,
}

impl TrailMap {
    /// The map of a collection that moved nothing.
    pub fn nothing_moved() -> TrailMap {
        TrailMap {
            from: 0,
            moved: Vec::new(),
            from_start: 0,
            from_size: 0,
            _from_space: Space::default(),
        }
    }

    /// The new height of a trail height saved before the collection.
    pub fn height(&self, old: usize) -> usize {
        if old <= self.from || self.moved.is_empty() {
            old
        } else {
            self.moved[old - self.from] as usize
        }
    }

    /// The new place of a cell of the heap; `None` if the collection did not reach it.
    ///
    /// # Safety
    /// Nothing was allocated since the collection.
    pub unsafe fn place(&self, old: *mut Cell) -> Option<*mut Cell> {
        if (old as usize).wrapping_sub(self.from_start) >= self.from_size {
            return Some(old);
        }
        // SAFETY: a cell of from-space: in the nursery, or in the chunks kept here.
        let mark = unsafe { *old };
        let moved = mark.is_hdr() && matches!(mark.kind(), Kind::Forward | Kind::ForwardAlone);
        moved.then(|| mark.frame())
    }
}

/// Survivors of a minor collection, in hundredths of the nursery, from which on the next nurseries are adopted.
const ADOPTED_FROM: usize = 75;
/// After so many adopted nurseries one is collected, to see what survives now.
const ADOPTED_IN_TURN: u32 = 7;
/// Smaller nurseries are not adopted: the system allows a process some ten thousands of mappings only.
const SMALLEST_ADOPTED: usize = 1 << 20;

impl Heap {
    /// Whether the next collection should be a major one.
    pub fn wants_major(&self) -> bool {
        self.old.bytes() >= self.major_at
    }

    /// Instead of a minor collection: the nursery becomes a part of the old generation as it is, garbage and all, and a new one
    /// is mapped. Done when nearly all would survive: copying it would only cost time. False: it was not, collect.
    ///
    /// The caller treats its roots as after a minor collection that moved nothing ([`TrailMap::nothing_moved`]).
    pub fn adopt_nursery(&mut self, generation: Generation) -> bool {
        let torture = self.config.stress > 0;
        let wanted = if torture {
            self.statistics.minor_collections % 13 == 12
        } else {
            // Nor those that end behind a few words: there is hardly anything in them.
            self.survivors >= ADOPTED_FROM
                && self.config.nursery >= SMALLEST_ADOPTED
                && self.config.crowded == 0
        };
        if generation != Generation::Minor || !wanted || self.adopted >= ADOPTED_IN_TURN {
            self.adopted = 0;
            return false;
        }
        let Some(region) = (match torture {
            true => Region::map_small_pages(self.config.nursery),
            false => Region::map_huge(self.config.nursery),
        }) else {
            return false;
        };
        self.adopted += 1;
        self.statistics.minor_collections += 1;
        let n = self.trail.entries.len();
        self.trail.set_scanned(n);
        let nursery = self.nursery_in_use();
        self.ages.adopted(&nursery);
        self.replace_nursery(region);
        true
    }

    /// Starts a collection. Fails, with the heap untouched, if the system cannot give the memory to copy into.
    pub fn collect_begin(&mut self, generation: Generation) -> Result<Collection<'_>, OutOfMemory> {
        let began = Instant::now();
        let nursery_words = (self.h as usize - self.start() as usize) / 8;
        let (from_start, from_size, from_space, trail_from);
        let old_before = self.old.used_bytes();
        let mut from_bytes = nursery_words * 8;
        match generation {
            Generation::Minor => {
                if !self.old.reserve(nursery_words.max(1)) {
                    return Err(OutOfMemory);
                }
                from_start = self.start() as usize;
                from_size = self.end() as usize - from_start;
                from_space = Space::default();
                trail_from = self.trail.scanned();
            }
            Generation::Major => {
                // Everything but the space copied to is from-space; pointers into it are never scanned twice.
                from_start = 0;
                from_size = usize::MAX;
                from_space = std::mem::take(&mut self.old);
                from_bytes += old_before;
                trail_from = 0;
            }
        }
        let (scan_chunk, scan) = self.old.mark();
        let nursery_in_use = self.nursery_in_use();
        let all = generation == Generation::Major;
        // SAFETY: nothing has been changed yet.
        let aged = unsafe { self.ages.of_unbound(&nursery_in_use, all) };
        let mut c = Collection {
            heap: self,
            generation,
            from_start,
            from_size,
            saved: Vec::new(),
            alone: FxHashMap::default(),
            fixups: Vec::new(),
            aged,
            nursery_in_use,
            trail_from,
            from_space,
            from_bytes,
            old_before,
            scan_chunk,
            scan,
            began,
        };
        c.mark_trailed();
        Ok(c)
    }
}

impl Collection<'_> {
    pub fn generation(&self) -> Generation {
        self.generation
    }

    #[inline(always)]
    fn in_from(&self, p: *const Cell) -> bool {
        (p as usize).wrapping_sub(self.from_start) < self.from_size
    }

    /// Replaces the content of every trailed from-space cell by a mark, so that it keeps its identity.
    fn mark_trailed(&mut self) {
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
        let age = self.heap.ages.get(p as usize, &self.nursery_in_use);
        self.aged.extend(age.map(|age| (p as usize, age)));
    }

    #[inline]
    fn allocate(&mut self, words: usize) -> *mut Cell {
        // A minor collection has reserved enough. A major one that is refused memory half-way cannot go on:
        // it is the one place where the process ends for lack of memory.
        self.heap.old.allocate(words).unwrap_or_else(|| {
            eprintln!("samite: out of memory in garbage collection");
            std::process::abort()
        })
    }

    /// Moves what `cell` refers to and updates `cell`. Each root cell of a major collection must be given once.
    #[inline]
    pub fn root(&mut self, cell: &mut Cell) {
        // SAFETY: the caller gives a term (or frame pointer) of this heap.
        unsafe { self.update(cell) }
    }

    /// See [`Collection::root`].
    ///
    /// # Safety
    /// `*p` is a term, frame pointer or raw cell of this heap whose pointers have not been updated yet.
    unsafe fn update(&mut self, p: *mut Cell) {
        // SAFETY: pointers in valid terms point to objects of the heap; from-space stays mapped
        // until the end of the collection; marks left there say where an object went.
        unsafe {
            let mut c = *p;
            loop {
                match c.tag() {
                    Tag::Int | Tag::Con => {
                        *p = c;
                        return;
                    }
                    Tag::Ref => {
                        let t = c.ptr();
                        if !self.in_from(t) {
                            *p = c;
                            return;
                        }
                        let content = *t;
                        match content.tag() {
                            Tag::Hdr => {
                                *p = match content.kind() {
                                    Kind::Forward | Kind::ForwardAlone => {
                                        Cell::to(Tag::Ref, content.frame())
                                    }
                                    Kind::Trailed => {
                                        let saved = self.saved[content.payload() as usize];
                                        self.move_alone(t, saved)
                                    }
                                    other => unreachable!("reference to a {other:?}"),
                                };
                                return;
                            }
                            Tag::Ref if content != c => c = content,
                            Tag::Ref | Tag::Att => {
                                *p = self.move_alone(t, content);
                                return;
                            }
                            _ => c = content,
                        }
                    }
                    Tag::Str => {
                        let b = c.ptr();
                        if self.in_from(b) {
                            let f = *b;
                            *p = if f.is_kind(Kind::Forward) {
                                Cell::to(Tag::Str, f.frame())
                            } else {
                                let n = 1 + Functor::from_cell(f).arity();
                                Cell::to(Tag::Str, self.move_structure(b, n))
                            };
                        } else {
                            *p = c;
                        }
                        return;
                    }
                    Tag::Lst => {
                        let b = c.ptr();
                        if self.in_from(b) {
                            let first = *b;
                            *p = if first.is_kind(Kind::Forward) {
                                Cell::to(Tag::Lst, first.frame())
                            } else {
                                Cell::to(Tag::Lst, self.move_list(b))
                            };
                        } else {
                            *p = c;
                        }
                        return;
                    }
                    Tag::Box => {
                        let b = c.ptr();
                        *p = if self.in_from(b) {
                            let n = (*b).box_words() + 1;
                            Cell::to(Tag::Box, self.move_raw(b, n))
                        } else {
                            c
                        };
                        return;
                    }
                    Tag::Att => {
                        let t = c.ptr();
                        *p = c;
                        if self.in_from(t) {
                            let content = *t;
                            let alone = match content.is_hdr().then(|| content.kind()) {
                                Some(Kind::Forward | Kind::ForwardAlone) => {
                                    Cell::to(Tag::Ref, content.frame())
                                }
                                Some(Kind::Trailed) => {
                                    let saved = self.saved[content.payload() as usize];
                                    self.move_alone(t, saved)
                                }
                                _ => self.move_alone(t, content),
                            };
                            *p = Cell::to(Tag::Att, alone.ptr());
                        }
                        return;
                    }
                    Tag::Hdr => {
                        if c.is_kind(Kind::FramePtr) {
                            let b = c.frame();
                            if !b.is_null() && self.in_from(b) {
                                let n = frame_words(*b);
                                *p = Cell::frame_ptr(self.move_raw(b, n));
                                return;
                            }
                        }
                        *p = c;
                        return;
                    }
                }
            }
        }
    }

    /// Moves one cell with the given content; returns the reference to its new place.
    unsafe fn move_alone(&mut self, from: *mut Cell, content: Cell) -> Cell {
        let to = self.allocate(1);
        let reference = Cell::to(Tag::Ref, to);
        // SAFETY: `to` was just allocated; `from` is a from-space cell.
        unsafe {
            // An unbound variable must not look through the old place, which may be overwritten when its structure moves:
            // a mark that scanning turns into a reference to itself.
            *to = if content == Cell::to(Tag::Ref, from) {
                Cell::header(Kind::ForwardAlone, to as u64)
            } else {
                self.alone.insert(to as usize, content);
                content
            };
            *from = Cell::header(Kind::ForwardAlone, to as u64);
        }
        reference
    }

    /// Moves a structure of `n` cells, marking each.
    #[inline]
    unsafe fn move_structure(&mut self, from: *mut Cell, n: usize) -> *mut Cell {
        let to = self.allocate(n);
        // SAFETY: both are `n` cells long; the first is the functor.
        unsafe {
            *to = *from;
            *from = Cell::header(Kind::Forward, to as u64);
            for i in 1..n {
                self.move_cell(from.add(i), to.add(i));
            }
        }
        to
    }

    /// Moves a list cell, marking both cells.
    #[inline]
    unsafe fn move_list(&mut self, from: *mut Cell) -> *mut Cell {
        let to = self.allocate(2);
        // SAFETY: both are two cells long.
        unsafe {
            self.move_cell(from, to);
            self.move_cell(from.add(1), to.add(1));
        }
        to
    }

    /// Moves one cell of a structure that moves.
    #[inline(always)]
    unsafe fn move_cell(&mut self, from: *mut Cell, to: *mut Cell) {
        // SAFETY: promised by the caller.
        unsafe {
            let content = *from;
            *to = if content.is_hdr() {
                self.content_of(content, to)
            } else {
                content
            };
            *from = Cell::header(Kind::Forward, to as u64);
        }
    }

    /// What a cell of a structure holds whose mark is `mark`.
    #[cold]
    fn content_of(&mut self, mark: Cell, to: *mut Cell) -> Cell {
        if mark.is_kind(Kind::Trailed) {
            self.saved[mark.payload() as usize]
        } else if mark.is_kind(Kind::ForwardAlone) {
            let lone = mark.frame();
            self.fixups.push((lone, to));
            // Unbound: a mark that scanning turns into a reference to the argument itself.
            let unbound = Cell::header(Kind::ForwardAlone, to as u64);
            self.alone.get(&(lone as usize)).copied().unwrap_or(unbound)
        } else {
            mark
        }
    }

    /// Moves an object that is only referred to by its header.
    unsafe fn move_raw(&mut self, from: *mut Cell, n: usize) -> *mut Cell {
        // SAFETY: `from` is a header of an object of `n` words, or its mark.
        unsafe {
            if (*from).is_kind(Kind::Forward) {
                return (*from).frame();
            }
            let to = self.allocate(n);
            std::ptr::copy_nonoverlapping(from, to, n);
            *from = Cell::header(Kind::Forward, to as u64);
            to
        }
    }

    /// Scans everything moved and not yet scanned.
    fn scan_all(&mut self) {
        while self.scan_chunk < self.heap.old.chunks() {
            let (start, mut top) = self.heap.old.chunk(self.scan_chunk);
            let mut p = if self.scan.is_null() {
                start
            } else {
                self.scan
            };
            while p < top {
                while p < top {
                    // SAFETY: between `scan` and `top` lie moved objects, one after the other.
                    p = unsafe { self.scan_cell(p) };
                }
                top = self.heap.old.chunk(self.scan_chunk).1;
            }
            if self.scan_chunk + 1 == self.heap.old.chunks() {
                self.scan = p;
                return;
            }
            self.scan_chunk += 1;
            self.scan = std::ptr::null_mut();
        }
    }

    /// Scans one cell or skips one raw object; returns the next address.
    #[inline]
    unsafe fn scan_cell(&mut self, p: *mut Cell) -> *mut Cell {
        // SAFETY: the caller points at a moved object.
        unsafe {
            let c = *p;
            if c.is_hdr() {
                match c.kind() {
                    Kind::ForwardAlone | Kind::Forward => {
                        *p = Cell::to(Tag::Ref, c.frame());
                    }
                    Kind::FramePtr => self.update(p),
                    _ => return p.add(1 + c.box_words()),
                }
            } else {
                self.update(p);
            }
            p.add(1)
        }
    }

    /// Updates trail, scans to the end, frees from-space. Heights saved elsewhere are to be mapped by the result.
    pub fn finish(mut self) -> TrailMap {
        let old_len = self.heap.trail.entries.len();
        // Values kept by the trail, and cells outside from-space that may refer into it.
        let mut i = old_len;
        while i > self.trail_from {
            i -= 1;
            let e = self.heap.trail.entries[i];
            match e.tag() {
                Tag::Lst => {
                    i -= 1;
                    let words = self.heap.trail.entries[i].payload() as usize;
                    if self.generation == Generation::Minor {
                        self.scan_region(e.ptr(), words);
                    }
                }
                tag => {
                    let p = e.ptr();
                    if tag == Tag::Str {
                        i -= 1;
                        let mut old = self.heap.trail.entries[i];
                        // SAFETY: an old value is a term of the heap.
                        unsafe { self.update(&mut old) };
                        self.heap.trail.entries[i] = old;
                    }
                    if !self.in_from(p) {
                        // SAFETY: trail invariant; in a minor collection updating twice is harmless.
                        unsafe { self.update(p) };
                    }
                }
            }
        }
        self.scan_all();
        for (lone, argument) in std::mem::take(&mut self.fixups) {
            // SAFETY: both were moved by this collection.
            unsafe { *lone = Cell::to(Tag::Ref, argument) };
        }
        let moved = self.sweep_trail(old_len);
        let map = TrailMap {
            from: self.trail_from,
            moved,
            from_start: self.from_start,
            from_size: self.from_size,
            _from_space: std::mem::take(&mut self.from_space),
        };
        let aged = std::mem::take(&mut self.aged).into_iter();
        // SAFETY: nothing was allocated since.
        let moved = aged.filter_map(|(p, age)| unsafe {
            map.place(p as *mut Cell).map(|to| (to as usize, age))
        });
        let all = self.generation == Generation::Major;
        let words = self.nursery_in_use.len() / 8;
        self.heap.ages.moved(moved, all, words);
        self.release();
        map
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

    /// Drops entries whose cell was not reached and updates the others.
    /// The result is [`TrailMap::moved`].
    fn sweep_trail(&mut self, old_len: usize) -> Vec<u32> {
        let entries = &mut self.heap.trail.entries;
        // Entries are read downwards (values precede their address), so find the starts first.
        let mut keep = vec![true; old_len - self.trail_from];
        let mut dropped = false;
        let mut i = old_len;
        while i > self.trail_from {
            i -= 1;
            let e = entries[i];
            let p = e.ptr();
            let two = e.tag() != Tag::Ref;
            let mut live = true;
            if e.tag() == Tag::Lst {
                live = false;
            } else if (p as usize).wrapping_sub(self.from_start) < self.from_size {
                // SAFETY: from-space is still mapped.
                let mark = unsafe { *p };
                match mark.kind() {
                    Kind::Forward | Kind::ForwardAlone => {
                        entries[i] = Cell::to(e.tag(), mark.frame());
                    }
                    _ => live = false,
                }
            }
            if !live {
                keep[i - self.trail_from] = false;
                dropped = true;
            }
            if two {
                i -= 1;
                keep[i - self.trail_from] = live;
            }
        }
        let mut moved = Vec::new();
        if dropped {
            let mut to = self.trail_from;
            moved.reserve(keep.len() + 1);
            for (k, &kept) in keep.iter().enumerate() {
                moved.push(to as u32);
                if kept {
                    entries[to] = entries[self.trail_from + k];
                    to += 1;
                }
            }
            moved.push(to as u32);
            entries.truncate(to);
        }
        let n = entries.len();
        self.heap.trail.set_scanned(n);
        moved
    }

    fn release(self) {
        let heap = &mut *self.heap;
        heap.renew();
        if self.generation == Generation::Major {
            let live = heap.old.used_bytes();
            heap.statistics.live = live;
            heap.statistics.major_collections += 1;
            // Where nearly everything survives, collecting the old generation often only costs time: it may grow to a third of
            // the limit first.
            let twice = live.saturating_mul(2);
            let next = if live > self.from_bytes / 8 * 7 {
                live.saturating_mul(12)
                    .min(heap.config.limit / 3)
                    .max(twice)
            } else {
                twice
            };
            heap.major_at = next
                .max(FIRST_MAJOR)
                .min(heap.config.limit.max(live + live / 4));
        } else {
            heap.statistics.minor_collections += 1;
            let moved = heap.old.used_bytes() - self.old_before;
            heap.survivors = moved * 100 / self.from_bytes.max(1);
        }
        heap.statistics.nanoseconds += self.began.elapsed().as_nanos() as u64;
    }
}

/// Words of a frame: header, parent, slots.
#[inline]
pub fn frame_words(header: Cell) -> usize {
    if header.is_kind(Kind::Forward) {
        return 0;
    }
    2 + (header.0 >> 52) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::HeapConfig;
    use samite_term::{Atom, TermRef};

    fn heap() -> Heap {
        Heap::new(HeapConfig {
            nursery: 1 << 16,
            limit: 1 << 30,
            stress: 0,
            ..HeapConfig::default()
        })
        .unwrap()
    }

    fn collect(h: &mut Heap, g: Generation, roots: &mut [Cell]) -> TrailMap {
        let mut c = h.collect_begin(g).unwrap();
        for r in roots {
            c.root(r);
        }
        c.finish()
    }

    fn show(c: Cell) -> String {
        // SAFETY: test terms are live.
        match unsafe { TermRef::new(c) }.view() {
            samite_term::View::Int(i) => i.to_string(),
            samite_term::View::Atom(a) => a.as_str().to_owned(),
            samite_term::View::Var(_) => "_".to_owned(),
            samite_term::View::Str(s) => format!("{s:?}"),
            samite_term::View::Float(f) => f.to_string(),
            samite_term::View::List(h, t) => format!("[{}|{}]", show(h.cell()), show(t.cell())),
            samite_term::View::Compound(c) => {
                let args: Vec<_> = c.args().map(|a| show(a.cell())).collect();
                format!("{}({})", c.name().as_str(), args.join(","))
            }
            _ => "?".to_owned(),
        }
    }

    #[test]
    fn terms_survive_both_generations() {
        let mut h = heap();
        let v = h.variable().unwrap();
        let s = h.string("some text").unwrap();
        let f = h.float(2.5).unwrap();
        let l = h.list(&[v, s, f, v], Cell::NIL).unwrap();
        let t = h
            .structure(Functor::new(Atom::new("t"), 2), &[l, Cell::small(7)])
            .unwrap();
        let mut roots = [t, v];
        let before = show(t);
        for g in [Generation::Minor, Generation::Major, Generation::Major] {
            collect(&mut h, g, &mut roots);
            assert_eq!(show(roots[0]), before);
            // SAFETY: `roots[1]` is a live variable; sharing must have survived.
            unsafe { h.bind(samite_term::view::deref(roots[1]).ptr(), Cell::small(1)) };
            assert!(show(roots[0]).starts_with("t([1|"));
            // SAFETY: undoing our own binding.
            unsafe { h.trail.undo(0) };
        }
    }

    #[test]
    fn trailed_bindings_are_not_short_circuited() {
        let mut h = heap();
        let v = h.variable().unwrap();
        let t = h
            .structure(Functor::new(Atom::new("f"), 2), &[v, v])
            .unwrap();
        h.hb = h.h; // a choicepoint
        // SAFETY: `v` is unbound and older than the choicepoint.
        unsafe { h.bind(v.ptr(), Cell::small(3)) };
        assert_eq!(h.trail.top(), 1);
        let mut roots = [t];
        collect(&mut h, Generation::Minor, &mut roots);
        assert_eq!(show(roots[0]), "f(3,3)");
        // SAFETY: backtracking to the choicepoint.
        unsafe { h.trail.undo(0) };
        assert_eq!(show(roots[0]), "f(_,_)");
    }

    /// A trailed argument reached by a reference first and by its structure later has one new place.
    #[test]
    fn a_trailed_argument_is_undone_for_everybody() {
        for generation in [Generation::Minor, Generation::Major] {
            let mut h = heap();
            let p = h.allocate(2).unwrap();
            // SAFETY: two fresh cells, made a list cell whose head is unbound in place.
            let (list, v) = unsafe {
                *p = Cell::to(Tag::Ref, p);
                *p.add(1) = Cell::NIL;
                (Cell::to(Tag::Lst, p), Cell::to(Tag::Ref, p))
            };
            h.hb = h.h; // a choicepoint
            // SAFETY: `v` is unbound and older than the choicepoint.
            unsafe { h.bind(v.ptr(), Cell::small(3)) };
            let mut roots = [v, list, v];
            collect(&mut h, generation, &mut roots);
            assert_eq!(roots.map(show), ["3", "[3|[]]", "3"]);
            // SAFETY: backtracking to the choicepoint.
            unsafe { h.trail.undo(0) };
            assert_eq!(roots.map(show), ["_", "[_|[]]", "_"]);
            // SAFETY: the first root is an unbound variable.
            unsafe { h.bind(samite_term::view::deref(roots[0]).ptr(), Cell::small(4)) };
            assert_eq!(roots.map(show), ["4", "[4|[]]", "4"]);
        }
    }

    #[test]
    fn dead_trail_entries_are_dropped_and_heights_mapped() {
        let mut h = heap();
        let a = h.variable().unwrap();
        let b = h.variable().unwrap();
        h.hb = h.h;
        // SAFETY: both are unbound and older than the choicepoint.
        unsafe {
            h.bind(a.ptr(), Cell::small(1));
            h.bind(b.ptr(), Cell::small(2));
        }
        let mut roots = [b];
        let map = collect(&mut h, Generation::Minor, &mut roots);
        assert_eq!((map.height(0), map.height(1), map.height(2)), (0, 0, 1));
        assert_eq!(h.trail.top(), 1);
    }

    #[test]
    fn old_cells_bound_to_young_terms_are_remembered() {
        let mut h = heap();
        let v = h.variable().unwrap();
        let mut roots = [v];
        collect(&mut h, Generation::Minor, &mut roots);
        let t = h.list(&[Cell::small(1)], Cell::NIL).unwrap();
        // SAFETY: the root is an unbound variable in the old generation.
        unsafe { h.bind(samite_term::view::deref(roots[0]).ptr(), t) };
        collect(&mut h, Generation::Minor, &mut []);
        assert_eq!(show(roots[0]), "[1|[]]");
    }

    #[test]
    fn big_objects_in_the_old_generation_are_scanned() {
        let mut h = heap();
        let young = h.list(&[Cell::small(5)], Cell::NIL).unwrap();
        let items = vec![young; 5_000];
        let l = h.list(&items, Cell::NIL).unwrap();
        assert!(!h.in_nursery(l.ptr()));
        let mut roots = [l];
        collect(&mut h, Generation::Minor, &mut roots);
        assert!(show(roots[0]).starts_with("[[5|[]]|[[5|[]]|"));
        assert_eq!(h.trail.top(), 0);
    }

    #[test]
    fn a_nursery_where_everything_survives_is_adopted() {
        let mut h = Heap::new(HeapConfig {
            nursery: SMALLEST_ADOPTED,
            limit: 1 << 30,
            stress: 0,
            ..HeapConfig::default()
        })
        .unwrap();
        let mut roots = [Cell::NIL];
        let mut adopted = 0;
        for _ in 0..100 {
            while h.h < h.soft_end() {
                roots[0] = h.list_cell(Cell::small(1), roots[0]).unwrap();
            }
            if h.adopt_nursery(Generation::Minor) {
                adopted += 1;
                assert_eq!(h.h, h.start());
                assert!(!h.in_nursery(roots[0].ptr()) && h.old.contains(roots[0].ptr()));
            } else {
                collect(&mut h, Generation::Minor, &mut roots);
            }
        }
        // The first collection shows that all survives; after some adoptions it is asked again.
        assert!((80..100).contains(&adopted), "{adopted}");
        collect(&mut h, Generation::Major, &mut roots);
        let (mut length, mut c) = (0, roots[0]);
        while c.tag() == Tag::Lst {
            length += 1;
            // SAFETY: a live list cell.
            c = unsafe { *c.ptr().add(1) };
        }
        assert!(length > 100 * (SMALLEST_ADOPTED / 16 - 2 * crate::heap::MARGIN));
        // Garbage is not adopted again.
        for i in 0..10 {
            while h.h < h.soft_end() {
                h.variable().unwrap();
            }
            if !h.adopt_nursery(Generation::Minor) {
                collect(&mut h, Generation::Minor, &mut roots);
            } else {
                assert!(i < ADOPTED_IN_TURN);
            }
        }
        assert_eq!(h.survivors, 0);
    }

    #[test]
    fn a_lone_variable_and_its_structure_meet_again() {
        let mut h = heap();
        let p = h.allocate(2).unwrap();
        // SAFETY: two fresh cells, made a list cell whose head is unbound.
        let (l, v) = unsafe {
            *p = Cell::to(Tag::Ref, p);
            *p.add(1) = Cell::NIL;
            (Cell::to(Tag::Lst, p), Cell::to(Tag::Ref, p))
        };
        let mut roots = [v, l, v];
        collect(&mut h, Generation::Major, &mut roots);
        // SAFETY: the first root is an unbound variable.
        unsafe { h.bind(samite_term::view::deref(roots[0]).ptr(), Cell::small(9)) };
        assert_eq!(show(roots[1]), "[9|[]]");
        assert_eq!(show(roots[2]), "9");
    }
}
