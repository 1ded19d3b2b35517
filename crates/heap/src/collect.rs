//! The collector: Cheney copying, cell by cell, in two generations.
//!
//! A minor collection moves what is reachable in the nursery to the end of the old generation; a major one moves
//! everything to a new old generation. After either the nursery is empty.
//!
//! How a cell is moved:
//! - A reference to an unbound variable may move that cell alone ([`Kind::ForwardAlone`]); when its structure moves later,
//!   the argument takes the content over and the lone cell becomes a reference to it (a bound one at the end, see `Collection::alone`), so
//!   that a cell has one new place, which the trail is told. A structure leaves [`Kind::Forward`] in every one of its cells.
//! - References to bound cells are short-circuited, unless the binding is on the trail: a trailed cell must keep its identity, for
//!   backtracking makes it a variable again. For the time of a collection such a cell holds [`Kind::Trailed`], its content is
//!   kept aside. What becomes of its trail entries: [`segments`].
//! - Frames and boxes are only ever referred to by their header, so only that is marked.
//!
//! Use: [`Heap::collect_begin`], [`Collection::root`] for every root cell of the present state, then for each choicepoint, from the
//! newest on, [`Collection::choicepoint`] and its root cells, and [`Collection::finish`]. Roots of a minor collection are those that
//! may refer to the nursery; the trail (from [`Trail::scanned`]) is handled here.
//!
//! A collection has mapped what it can need at worst before it changes anything, or fails ([`worst_case`]). Of its tables:
//!
//! ```text
//! alone  ≤  entries of the trail whose cell may move        kept  ≤  those of them, and of others, that save a value        saved, aged likewise
//! ```

mod compact;
mod segments;

use crate::age::Young;
use crate::heap::{Heap, LEAST_MAJOR, MARGIN, OutOfMemory};
use crate::reserve::Reserve;
use crate::space::{Region, Space};
use compact::Areas;
pub use compact::Compaction;
use rustc_hash::FxHashMap;
use samite_term::{Cell, Functor, Kind, Tag, frame};
use samite_world::clock;
use std::io::Write;
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
    /// Contents of bound cells that moved alone (trailed ones), by their new place; a mark of the argument that is to be referred to, once the structure
    /// has moved after all.
    alone: FxHashMap<usize, Cell>,
    /// Variables whose age is to be kept: (old address, age).
    aged: Vec<(usize, u64)>,
    young: Young,
    /// First trail entry that this collection looks at.
    trail_from: usize,
    /// Trail entries up to here, of cells that are newer than all choicepoints below: see [`segments`].
    newer_up_to: usize,
    /// Trail entries from here on have been dealt with, all below belong to choicepoints not yet seen.
    upper: usize,
    /// Whether trail entries were dropped.
    dropped: bool,
    /// Entries that keep a value in the segment being dealt with, by the address of their cell.
    kept: FxHashMap<usize, usize>,
    /// Room for [`TrailMap::moved`].
    moved: Vec<u32>,
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
    /// What a collection in place moved.
    areas: Option<Areas>,
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
            areas: None,
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
        if let Some(areas) = &self.areas {
            return areas.find(old);
        }
        if (old as usize).wrapping_sub(self.from_start) >= self.from_size {
            return Some(old);
        }
        // SAFETY: a cell of from-space: in the nursery, or in the chunks kept here.
        let mark = unsafe { *old };
        let moved = mark.is_hdr() && matches!(mark.kind(), Kind::Forward | Kind::ForwardAlone);
        moved.then(|| mark.frame())
    }

    /// After a collection in place: makes a root refer to where its object is now.
    ///
    /// # Safety
    /// It was a root of that collection, and has not been updated.
    #[inline]
    pub unsafe fn update(&self, root: &mut Cell) {
        if let Some(areas) = &self.areas {
            *root = areas.updated(*root);
        }
    }

    /// Whether roots are to be updated ([`TrailMap::update`]).
    pub fn is_of_roots(&self) -> bool {
        self.areas.as_ref().is_some_and(Areas::any_moves)
    }
}

/// Room for at least so many entries of a vector that each collection makes anew. Small ones come in few sizes: the allocator has memory for
/// each size apart, so that a different one at each collection would have as much of it resident.
pub fn of_few_sizes(n: usize) -> usize {
    const SMALL: usize = 1 << 15;
    if n < SMALL {
        n.next_power_of_two().max(64)
    } else {
        n
    }
}

/// Survivors of a minor collection, in hundredths of the nursery, from which on the next nurseries are adopted.
const ADOPTED_FROM: usize = 75;
/// After so many adopted nurseries one is collected, to see what survives now.
const ADOPTED_IN_TURN: u32 = 7;
/// Survivors, in hundredths, from which on the nursery grows, and up to which it shrinks, after so many collections in a row.
const GROWN_FROM: usize = 20;
const SHRUNK_UP_TO: usize = 2;
const SHRUNK_AFTER: u32 = 8;
/// The largest nursery that is made on our own account.
const LARGEST_NURSERY: usize = 16 << 20;
/// Smaller nurseries are not adopted: the system allows a process some ten thousands of mappings only.
const SMALLEST_ADOPTED: usize = 1 << 20;
/// Nor those of which more words are free than are left when an instruction finds them full.
const MOST_GAP: usize = 2 * MARGIN;
/// Nor more of those with next to nothing in them, as torture runs make them, than there are chunks up to this, until a major collection.
const MOST_IN_TORTURE: usize = 256;

impl Heap {
    /// Instead of a minor collection: the nursery becomes a part of the old generation as it is, garbage and all, and a new one
    /// is mapped. Done when nearly all would survive: copying it would only cost time. False: it was not, collect.
    ///
    /// The caller treats its roots as after a minor collection that moved nothing ([`TrailMap::nothing_moved`]).
    pub fn adopt_nursery(&mut self, generation: Generation) -> bool {
        let torture = self.config.stress > 0;
        let wanted = if torture {
            self.statistics.minor_collections % 13 == 12 && self.old.chunks() < MOST_IN_TORTURE
        } else {
            // Nor those that end behind a few words: there is hardly anything in them.
            self.survivors >= ADOPTED_FROM
                && self.config.nursery >= SMALLEST_ADOPTED
                && self.config.crowded == 0
        } && self.gap() <= MOST_GAP;
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
        let young = self.young();
        self.ages.adopted(&young);
        self.captured = Vec::new();
        self.replace_nursery(region);
        true
    }

    /// Whether the system has the memory for a major collection of a heap in which nothing is garbage, and for the collector's own
    /// tables. If it has not, one may do with less: [`Heap::expect_alive`].
    pub fn can_copy_all(&self) -> bool {
        let words = self.young_words() + self.old.used_bytes() / 8;
        let tables = self.trail.top() * TABLES_PER_ENTRY + SLACK;
        // Given back at once.
        Region::map_small_pages(worst_case(words) * 8 + tables).is_some()
    }

    /// No more than `words` are alive ([`crate::verify::live_words`]): the next collection, a major one, relies on it.
    pub fn expect_alive(&mut self, words: usize) {
        self.known_alive = Some(words);
    }

    /// After a collection that has let go of the nursery: gives it another size, where that makes less to copy.
    ///
    /// What is half done when the nursery is full survives it, and takes with it what its frames and variables refer to when it moves, alive
    /// or not. The larger the nursery, the less of all that is made is half done.
    pub fn adapt_nursery(&mut self) {
        let now = self.nursery.words() * 8;
        let most = LARGEST_NURSERY.min(self.config.limit / 16);
        let wanted = if self.survivors >= GROWN_FROM && self.survivors < ADOPTED_FROM {
            self.lean = 0;
            // What a larger nursery takes is at most what there is of the old generation.
            if now * 2 <= self.old.used_bytes() {
                now * 2
            } else {
                now
            }
        } else if self.survivors <= SHRUNK_UP_TO && now > self.config.nursery {
            self.lean += 1;
            if self.lean > SHRUNK_AFTER {
                now / 2
            } else {
                now
            }
        } else {
            now
        };
        let torture = self.config.stress > 0 || self.config.crowded > 0;
        let wanted = wanted.min(most).max(self.config.nursery);
        if wanted == now || torture || self.config.nursery < SMALLEST_ADOPTED {
            return;
        }
        debug_assert!(self.h == self.start());
        if let Some(region) = Region::map(wanted) {
            self.lean = 0;
            self.survivors = 0;
            self.swap_nursery(region);
        }
    }

    /// Starts a collection. Fails, with the heap untouched, if the system cannot give the memory that it may need.
    ///
    /// `newest`: the trail from the newest choicepoint on whose cells are not given as roots, because an earlier collection saw them, or from 0 if there is
    /// none, to the oldest that none has seen. What is young now and has entries there is newer than that choicepoint.
    ///
    /// # Safety
    /// Every root is given and the collection finished before the heap is used for anything else.
    pub unsafe fn collect_begin(
        &mut self,
        generation: Generation,
        newest: Range<usize>,
    ) -> Result<Collection<'_>, OutOfMemory> {
        let began = clock::now();
        self.reserved = Reserve::default();
        let nursery_words = self.young_words();
        let old_before = self.old.used_bytes();
        let major = generation == Generation::Major;
        let trail_from = match self.trail.scanned() {
            _ if major => 0,
            // Entries of the newest segment that an earlier collection kept are looked at again if they are few: the cells may have
            // been changed since.
            scanned if newest.start <= scanned && scanned - newest.start <= LOOKED_AT_AGAIN => {
                newest.start
            }
            scanned => scanned,
        };
        let entries = self.trail.top() - trail_from;
        let (mut saved, mut moved) = (Vec::new(), Vec::new());
        let room = saved
            .try_reserve_exact(of_few_sizes(entries))
            .and_then(|()| moved.try_reserve_exact(of_few_sizes(entries + 1)));
        room.map_err(|_| OutOfMemory)?;
        let mut aged = self.ages.room(major).ok_or(OutOfMemory)?;
        let (cells, values) = match major {
            true => self.trail.cells_within(trail_from, 0..usize::MAX),
            false => self.trail.cells_within(trail_from, self.young_range()),
        };
        let (mut alone, mut kept) = (FxHashMap::default(), FxHashMap::default());
        let room = alone
            .try_reserve(cells)
            .and_then(|()| kept.try_reserve(values));
        room.map_err(|_| OutOfMemory)?;
        let mut from_bytes = nursery_words * 8;
        let (from_start, from_size, from_space);
        if major {
            crate::address_space::before_copy(from_bytes + old_before);
            let region = match self.known_alive.take() {
                Some(words) => Region::map_at_last(worst_case(words) * 8),
                None => Region::map(worst_case(nursery_words + old_before / 8) * 8),
            };
            let to_space = Space::of(region.ok_or(OutOfMemory)?);
            // Everything but the space copied to is from-space; pointers into it are never scanned twice.
            from_start = 0;
            from_size = usize::MAX;
            from_space = std::mem::replace(&mut self.old, to_space);
            from_bytes += old_before;
        } else {
            if !self.old.reserve(worst_case(nursery_words)) {
                return Err(OutOfMemory);
            }
            from_start = self.young_range().start;
            from_size = self.young_range().len();
            from_space = Space::default();
        }
        let (scan_chunk, scan) = self.old.mark();
        let young = self.young();
        // SAFETY: nothing has been changed yet.
        unsafe {
            self.ages.of_unbound(&young, major, &mut aged);
        }
        let upper = self.trail.top();
        let mut c = Collection {
            heap: self,
            generation,
            from_start,
            from_size,
            saved,
            alone,
            aged,
            young,
            trail_from,
            newer_up_to: if major { 0 } else { newest.end },
            upper,
            dropped: false,
            kept,
            moved,
            from_space,
            from_bytes,
            old_before,
            scan_chunk,
            scan,
            began,
        };
        c.mark_trailed();
        if !major {
            c.remembered();
        }
        Ok(c)
    }
}

/// So many entries of the newest segment are looked at again.
const LOOKED_AT_AGAIN: usize = 1 << 12;
/// Bytes of the tables of a collection for each word of the trail: `saved` and `moved`, and the place of a cell in `alone` or `kept`, of which a half
/// or more may be empty.
const TABLES_PER_ENTRY: usize = 8 + 4 + 2 * 17 * 8 / 7;
/// Bytes that they may take beside what the trail tells.
const SLACK: usize = 4 << 20;

/// Words that the survivors of `words` take at most: a cell moves twice if a reference to it is met before its structure, and there
/// is another cell that holds the reference.
pub(crate) fn worst_case(words: usize) -> usize {
    words + words / 2 + (SLACK_OF_ROOTS)
}
/// Cells that are only referred to by roots outside of the heap.
const SLACK_OF_ROOTS: usize = 1 << 12;

impl Collection<'_> {
    pub fn generation(&self) -> Generation {
        self.generation
    }

    #[inline(always)]
    fn in_from(&self, p: *const Cell) -> bool {
        (p as usize).wrapping_sub(self.from_start) < self.from_size
    }

    #[inline]
    fn allocate(&mut self, words: usize) -> *mut Cell {
        // Enough was reserved.
        self.heap.old.allocate(words).unwrap_or_else(|| {
            let text = b"samite: out of memory in garbage collection\n";
            let _ = std::io::stderr().write_all(text);
            std::process::abort()
        })
    }

    /// Moves what `cell` refers to and updates `cell`.
    ///
    /// # Safety
    /// `cell` is a term, or a frame pointer, that was good when the collection began: what it refers to is of this heap. It has not been given to
    /// this collection before: once updated, it may lead into what is being made, which a major collection would take for what is left.
    #[inline]
    pub unsafe fn root(&mut self, cell: &mut Cell) {
        // SAFETY: promised by the caller.
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
                    tag @ (Tag::Str | Tag::Att) => {
                        let b = c.ptr();
                        if self.in_from(b) {
                            let f = *b;
                            *p = if f.is_kind(Kind::Forward) {
                                Cell::to(tag, f.frame())
                            } else {
                                let n = 1 + Functor::from_cell(f).arity();
                                Cell::to(tag, self.move_structure(b, n))
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
            } else if content.tag() == Tag::Att {
                // Such a cell is no argument of anything: see `crate::attributed`.
                content
            } else {
                debug_assert!(
                    self.alone.len() < self.alone.capacity(),
                    "more trailed cells than were counted"
                );
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
            let argument = Cell::header(Kind::Forward, to as u64);
            if let Some(content) = self.alone.get_mut(&(lone as usize)) {
                return std::mem::replace(content, argument);
            }
            // SAFETY: it was moved by this collection. Not yet scanned, it is a mark, which scanning turns into a reference as well; nobody looks at it
            // until then.
            unsafe {
                let scanned = !(*lone).is_hdr();
                debug_assert!(!scanned || *lone == Cell::to(Tag::Ref, lone));
                *lone = if scanned {
                    Cell::to(Tag::Ref, to)
                } else {
                    argument
                };
            }
            // Unbound: a mark that scanning turns into a reference to the argument itself.
            Cell::header(Kind::ForwardAlone, to as u64)
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

    /// Scans to the end, updates the trail, frees from-space. Heights saved elsewhere are to be mapped by the result.
    pub fn finish(mut self) -> TrailMap {
        self.choicepoint(self.trail_from);
        self.scan_all();
        for (lone, content) in std::mem::take(&mut self.alone) {
            if content.is_kind(Kind::Forward) {
                // SAFETY: both were moved by this collection.
                unsafe { *(lone as *mut Cell) = Cell::to(Tag::Ref, content.frame()) };
            }
        }
        let moved = self.sweep_trail();
        let map = TrailMap {
            from: self.trail_from,
            moved,
            from_start: self.from_start,
            from_size: self.from_size,
            _from_space: std::mem::take(&mut self.from_space),
            areas: None,
        };
        let aged = std::mem::take(&mut self.aged).into_iter();
        // SAFETY: nothing was allocated since.
        let moved = aged.filter_map(|(p, age)| unsafe {
            map.place(p as *mut Cell).map(|to| (to as usize, age))
        });
        let all = self.generation == Generation::Major;
        let words = self.young.words();
        self.heap.ages.moved(moved, all, words);
        self.release();
        map
    }

    fn release(self) {
        let (generation, from, old) = (self.generation, self.from_bytes, self.old_before);
        self.heap.end_collection(generation, from, old, self.began);
    }
}

impl Heap {
    /// What was alive is where it is to be: of `from_bytes`, of which the old generation had `old_before`.
    fn end_collection(
        &mut self,
        generation: Generation,
        from_bytes: usize,
        old_before: usize,
        began: Instant,
    ) {
        self.renew();
        self.captured = Vec::new();
        self.trail.shrink();
        if generation == Generation::Major {
            self.old.trim();
            let live = self.old.used_bytes();
            self.statistics.live = live;
            self.replaced = 0;
            self.statistics.major_collections += 1;
            // Where nearly everything survives, collecting the old generation often only costs time: it may grow to a third of
            // the limit first; and from there to the limit, where next to nothing was garbage.
            let grown = if live > from_bytes / 32 * 31 {
                live.saturating_mul(3)
            } else {
                live.saturating_mul(2)
            };
            let next = if live > from_bytes / 8 * 7 {
                live.saturating_mul(12)
                    .min(self.config.limit / 3)
                    .max(grown)
            } else {
                grown
            };
            self.major_at = next
                .max(LEAST_MAJOR)
                .min(self.config.limit.max(live + live / 4));
        } else {
            self.statistics.minor_collections += 1;
            let moved = self.old.used_bytes() - old_before;
            self.survivors = moved * 100 / from_bytes.max(1);
        }
        self.statistics.nanoseconds += clock::now().duration_since(began).as_nanos() as u64;
    }
}

/// Words of a frame: header, parent, slots.
#[inline]
pub fn frame_words(header: Cell) -> usize {
    if header.is_kind(Kind::Forward) {
        return 0;
    }
    2 + frame::slots_of(header)
}

#[cfg(test)]
mod tests;
