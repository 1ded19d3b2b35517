//! Allocation in the local heap, and the state that backtracking restores.
//!
//! Bump allocation in the nursery; what does not fit goes straight to the old generation, so allocating never collects:
//! collections happen at safe points only. The interpreter keeps `h` in a register and writes it back
//! before it calls anything that takes `&mut Heap`.
//!
//! Invariants:
//! - `start ≤ floor ≤ h ≤ end ≤ variables ≤ variables_top`, `floor ≤ hb ≤ h`, `floor ≤ soft_end`. From `variables` to `variables_top` lie attributed variables
//!   ([`crate::attributed`]); the first one since the nursery was empty makes room for them.
//! - The margin, `end - soft_end = MARGIN`, belongs to the instructions of clauses, whose words between two safe points the compiler
//!   counts: at a safe point that lets the program go on `h ≤ soft_end`, what is allocated here never raises `h` above `soft_end`,
//!   and the instructions up to the next safe point push at most `MARGIN` words. So `h ≤ end` always, wherever `h` is
//!   when a builtin begins and however much it makes. `SAMITE_NURSERY_STRESS` puts `soft_end` anywhere ([`Heap::renew`]) and looks.
//! - Backtracking never sets `h` below `floor`: something below it was captured since the last collection.
//! - A variable outside of `[hb, end)` is trailed when bound, any other cell there when assigned to.
//! - [`Heap::bytes`] `≤ limit + grace + credit` after each allocation. What counts is what is in use: objects of the old generation (those
//!   that are garbage too, until a major collection), the nursery up to `h`, trail and ages. A major collection needs as much
//!   again as survives it while it lasts, or is made in place ([`Heap::is_to_be_compacted`]).
//! - What is put into the old generation past the nursery asks for its collection itself ([`Heap::wants_major`]), because the nursery
//!   may never fill: at each safe point `old ≤ major_at`, and of values that replaced others (`replaced`) no more was made since the
//!   last major collection than was alive after it and on the trail, or [`REPLACED_AT_LEAST`].

use crate::age::Ages;
use crate::config::HeapConfig;
use crate::met::Met;
use crate::reserve::Reserve;
use crate::space::{Region, Space};
use crate::trail::Trail;
use samite_term::{Cell, Kind};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Memory could not be had: the thread's limit is reached or the system refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory;

/// Why a variable cannot be bound just so, and what has been done about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hindrance {
    /// There was no room on the trail: there is now.
    Full,
    /// There is no memory for more.
    Starved,
    /// Goals waited for it: they are woken ([`crate::attributed`]), and it is a plain variable.
    Awaited,
}

/// Words that the instructions of a clause may allocate between two safe points without asking.
pub const MARGIN: usize = 2048;
/// Words between the start of the nursery and `soft_end` under `SAMITE_NURSERY_STRESS`: less than this.
const CROWDED: u64 = 512;
/// Smallest nursery in bytes.
pub const MIN_NURSERY: usize = 4 * MARGIN * 8;

/// What [`Heap::poison`] writes: a mark of the collector that never occurs outside of a collection.
pub(crate) const POISON: Cell = Cell::header(Kind::Trailed, (1 << 48) - 1);

/// A state of the heap to go back to: [`Heap::mark`].
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    h: *mut Cell,
    hb: *mut Cell,
    trail: usize,
    old: OldMark,
    /// The end of the young attributed variables.
    variables_top: *mut Cell,
    /// What their chain begins with, if there has been one.
    woken: Cell,
}

/// A position in the old generation: [`Heap::old_mark`].
#[derive(Debug, Clone, Copy)]
pub struct OldMark {
    pub(crate) chunk: usize,
    pub(crate) top: *mut Cell,
}

/// Counters of one heap.
#[derive(Debug, Default, Clone, Copy)]
pub struct HeapStatistics {
    pub minor_collections: u64,
    pub major_collections: u64,
    pub nanoseconds: u64,
    /// Bytes of the old generation in use after the last major collection.
    pub live: usize,
}

/// The local heap of one worker.
#[derive(Debug)]
pub struct Heap {
    /// Next free cell of the nursery.
    pub(crate) h: *mut Cell,
    /// Variables at or above are newer than the newest choicepoint and not captured.
    pub(crate) hb: *mut Cell,
    /// Backtracking resets `h` to no less.
    pub(crate) floor: *mut Cell,
    start: *mut Cell,
    end: *mut Cell,
    /// Attributed variables of the nursery begin here, behind its end.
    variables: *mut Cell,
    variables_top: *mut Cell,
    /// Those below are captured, as what is below `floor` is.
    variables_floor: *mut Cell,
    pub(crate) nursery: Region,
    pub(crate) old: Space,
    pub(crate) trail: Trail,
    pub(crate) ages: Ages,
    pub(crate) config: HeapConfig,
    /// Old generation size (bytes mapped) at which the next collection is a major one.
    pub(crate) major_at: usize,
    /// Bytes made by [`Heap::instantiate_old`] since the last major collection.
    pub(crate) replaced: usize,
    pub statistics: HeapStatistics,
    /// Hundredths of the nursery that survived the last minor collection.
    pub(crate) survivors: usize,
    /// Nurseries adopted since.
    pub(crate) adopted: u32,
    /// Work list of unification, kept to save allocations.
    pub(crate) unify_work: Vec<crate::unify::Rest>,
    /// The same of [`Heap::copy_sharing`].
    pub(crate) copying: crate::share::Scratch,
    /// Where `SAMITE_NURSERY_STRESS` has come to.
    random: u64,
    /// Regions outside of the nursery that a captured continuation may refer to, although backtracking takes them off the trail.
    pub(crate) captured: Vec<(*mut Cell, usize)>,
    /// Bytes that may be taken above the limit: see [`Heap::on_credit`].
    credit: usize,
    /// The same, and kept at safe points: see [`Heap::set_grace`].
    grace: usize,
    /// See [`crate::reserve`].
    pub(crate) reserved: Reserve,
    /// Told by [`Heap::expect_alive`].
    pub(crate) known_alive: Option<usize>,
    /// Collections in a row that next to nothing survived.
    pub(crate) lean: u32,
    /// A binding could not be trailed, and was not made.
    pub(crate) starved: bool,
    /// Something small did not fit into what is left of the nursery: see [`Heap::is_filled`].
    filled: bool,
    /// The word to clear for the next safe point to be looked at ([`Heap::set_alarm`]).
    alarm: Option<&'static AtomicUsize>,
    /// See [`crate::met`].
    pub(crate) met: Met,
    /// See [`crate::attributed`].
    pub(crate) woke: bool,
    pub(crate) woken: Cell,
    /// The last round in which attributed variables were noted ([`Heap::note_attributed`]).
    pub(crate) rounds: i64,
}

/// One part in so many of the nursery is for attributed variables, if there are any. (Each takes [`VARIABLE_WORDS`]; what waits for it takes some ten times as many.)
const VARIABLES_PART: usize = 8;
/// Words of an attributed variable: its cell and what belongs to it.
pub(crate) const VARIABLE_WORDS: usize = 5;

/// A nursery of which no more than one part in so many is free is as good as full.
const FILLED_PART: usize = 8;

/// Bytes beyond the limit for what is to be done although memory is exhausted, at least.
const GRACE_AT_LEAST: usize = 64 << 10;
/// A collection for lack of memory has to leave one part in so many of the limit: else who has made endlessly much, all of it alive, is refused only after some
/// more that find next to nothing.
const GAINED_PART: usize = 32;

/// Size of the old generation at the first major collection: nothing is known of it, and what survives is copied beside it.
const FIRST_MAJOR: usize = 54 << 20;
/// Old generations smaller than this are not worth a later one.
pub(crate) const LEAST_MAJOR: usize = 60 << 20;
/// Bytes of values that replaced others which are not worth one.
const REPLACED_AT_LEAST: usize = 1 << 20;

impl Heap {
    /// A new heap; `None` if the system refuses the nursery.
    pub fn new(config: HeapConfig) -> Option<Heap> {
        Some(Heap::on(config, Region::map(config.nursery)?))
    }
    /// A new heap whose nursery is there, of the size that `config` says; what is in it does not matter.
    pub fn on(config: HeapConfig, nursery: Region) -> Heap {
        debug_assert!(nursery.words() * 8 == Region::rounded(config.nursery));
        let start = nursery.start();
        let mut heap = Heap {
            h: start,
            hb: start,
            floor: start,
            start,
            end: nursery.end(),
            variables: nursery.end(),
            variables_top: nursery.end(),
            variables_floor: nursery.end(),
            nursery,
            old: Space::default(),
            trail: Trail::default(),
            ages: Ages::default(),
            config,
            major_at: FIRST_MAJOR.min(config.limit / 2),
            replaced: 0,
            statistics: HeapStatistics::default(),
            survivors: 0,
            adopted: 0,
            unify_work: Vec::new(),
            random: config.crowded,
            captured: Vec::new(),
            copying: Default::default(),
            credit: 0,
            grace: 0,
            reserved: Reserve::default(),
            known_alive: None,
            lean: 0,
            starved: false,
            filled: false,
            alarm: None,
            met: Met::default(),
            woke: false,
            woken: Cell::ZERO,
            rounds: 0,
        };
        heap.renew();
        if config.first > 0 && config.crowded == 0 {
            heap.end = heap.end.min(start.wrapping_add(config.first / 8));
        }
        heap
    }
    /// Whether more of the nursery may have been used than its first part ([`HeapConfig`]).
    pub fn is_opened(&self) -> bool {
        // (Attributed variables lie at its far end.)
        self.end > self.start.wrapping_add(self.config.first / 8)
            || self.variables != self.nursery.end()
    }
    /// Takes the nursery out, as the last thing before the heap is dropped.
    pub fn take_nursery(&mut self) -> Region {
        self.nursery.take()
    }
    /// Makes the nursery, in which nothing is alive, empty. Under `SAMITE_NURSERY_STRESS` it also gets another end: only a few words may be
    /// made before the next safe point collects, so that builtins and clauses find `h` at any distance from `soft_end`.
    pub(crate) fn renew(&mut self) {
        self.h = self.start;
        self.hb = self.start;
        self.floor = self.start;
        self.filled = false;
        self.variables = self.nursery.end();
        self.variables_top = self.variables;
        self.variables_floor = self.variables;
        if self.config.crowded == 0 {
            let most = (self.config.limit / 4).max(MIN_NURSERY) / 8;
            self.end = self.variables.min(self.start.wrapping_add(most));
            return;
        }
        self.verify_canary();
        // xorshift64
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.end = self
            .start
            .wrapping_add(MARGIN + (self.random % CROWDED) as usize);
        self.canary().fill(POISON);
    }
    /// Before so many words are put at the start of the nursery, which is empty: its end is as far behind them as it was behind the start.
    pub(crate) fn make_room_at_start(&mut self, words: usize) {
        if self.config.crowded > 0 {
            self.verify_canary();
            self.end = self.end.wrapping_add(words).min(self.variables);
            self.canary().fill(POISON);
        }
        debug_assert!(self.has_nursery(words));
    }
    /// Cells behind an end that is not that of all there is room for, where nobody stores anything.
    fn canary(&mut self) -> &mut [Cell] {
        let behind = self.variables.min(self.end.wrapping_add(MARGIN));
        let cells = (behind as usize - self.end as usize) / 8;
        // SAFETY: inside the nursery's region, of which only what is below the end is in use.
        unsafe { std::slice::from_raw_parts_mut(self.end, cells) }
    }
    /// Checks that nothing was stored behind the end since [`Heap::renew`] put it there.
    fn verify_canary(&mut self) {
        assert!(
            self.canary().iter().all(|&c| c == POISON),
            "more than the margin was made between two safe points"
        );
    }
    /// Calls `f` with each word of objects on the heap, garbage too, and of the trail. Some only look like cells of terms.
    pub fn each_word(&self, f: &mut dyn FnMut(Cell)) {
        let young = [(self.start, self.h), (self.variables, self.variables_top)];
        let old = (0..self.old.chunks()).map(|i| self.old.chunk(i));
        for (start, end) in old.chain(young) {
            let words = (end as usize - start as usize) / 8;
            // SAFETY: between the start of a chunk or of the nursery and its top there are objects.
            unsafe { std::slice::from_raw_parts(start, words) }
                .iter()
                .for_each(|&c| f(c));
        }
        self.trail.words().iter().for_each(|&c| f(c));
        f(self.woken);
    }
    /// The state now, and from here on all bindings are trailed: for [`Heap::rollback`], [`Heap::unbind`] or [`Heap::commit`].
    pub fn mark(&mut self) -> Mark {
        let hb = std::mem::replace(&mut self.hb, self.h);
        Mark {
            h: self.h,
            hb,
            trail: self.trail.top(),
            old: self.old_mark(),
            variables_top: self.variables_top,
            woken: self.woken,
        }
    }
    /// Keeps what was done since `mark`.
    pub fn commit(&mut self, mark: Mark) {
        self.hb = mark.hb;
    }
    /// Undoes what was done since `mark`: bindings, and what was allocated in the nursery and at the end of the old generation, what the first attributed variable takes
    /// included.
    ///
    /// # Safety
    /// There was no collection since, nothing refers to what was allocated since but bindings that this undoes.
    pub unsafe fn rollback(&mut self, mark: Mark) {
        // SAFETY: promised by the caller.
        unsafe { self.trail.undo(mark.trail) };
        self.h = mark.h;
        self.hb = mark.hb;
        self.old.truncate(mark.old.chunk, mark.old.top);
        self.variables_top = mark.variables_top;
        self.woken = mark.woken;
    }
    /// Undoes the bindings made since `mark`; what was allocated stays.
    ///
    /// # Safety
    /// There was no collection since; nothing relies on the bindings.
    pub unsafe fn unbind(&mut self, mark: Mark) {
        // SAFETY: promised by the caller.
        unsafe { self.trail.undo(mark.trail) };
        self.hb = mark.hb;
    }
    /// H: the next free cell of the nursery.
    #[inline(always)]
    pub fn h(&self) -> *mut Cell {
        self.h
    }
    /// HB: variables at or above are newer than the newest choicepoint, and not trailed.
    #[inline(always)]
    pub fn hb(&self) -> *mut Cell {
        self.hb
    }
    /// Backtracking resets H to no less.
    #[inline(always)]
    pub fn floor(&self) -> *mut Cell {
        self.floor
    }
    #[inline(always)]
    pub fn trail(&self) -> &Trail {
        &self.trail
    }
    /// What is done with it beside reading is to be undone in the order in which it was done.
    #[inline(always)]
    pub fn trail_mut(&mut self) -> &mut Trail {
        &mut self.trail
    }
    /// Sets H.
    ///
    /// # Safety
    /// Below it the nursery is filled with objects, above it nothing is referred to.
    #[inline(always)]
    pub unsafe fn set_h(&mut self, h: *mut Cell) {
        self.h = h;
    }
    /// Sets HB.
    ///
    /// # Safety
    /// No choicepoint that may be gone back to is newer than a variable at or above it.
    #[inline(always)]
    pub unsafe fn set_hb(&mut self, hb: *mut Cell) {
        self.hb = hb;
    }
    /// Empties the nursery.
    ///
    /// # Safety
    /// Nothing refers to what is in it, and there is no choicepoint.
    pub unsafe fn forget_nursery(&mut self) {
        self.h = self.start;
        self.hb = self.start;
        self.floor = self.start;
        self.variables_top = self.variables;
        self.variables_floor = self.variables;
    }
    /// Start of the nursery.
    #[inline]
    pub fn start(&self) -> *mut Cell {
        self.start
    }
    /// End of the nursery.
    #[inline]
    pub fn end(&self) -> *mut Cell {
        self.end
    }
    /// Above this a safe point collects: [`MARGIN`] words below the end.
    #[inline]
    pub fn soft_end(&self) -> *mut Cell {
        self.end.wrapping_sub(MARGIN)
    }
    #[inline]
    pub fn in_nursery(&self, p: *const Cell) -> bool {
        (p as usize).wrapping_sub(self.start as usize) < self.end as usize - self.start as usize
    }
    /// Bytes in use: objects of both generations, trail, ages, handles.
    pub fn bytes(&self) -> usize {
        let nursery = self.young_words() * 8;
        let tables = self.trail.bytes() + self.ages.bytes() + self.met.bytes();
        self.old.used_bytes() + nursery + tables
    }
    /// The thread's memory limit in bytes.
    pub fn limit(&self) -> usize {
        self.config.limit
    }
    /// Sets the limit. The nursery is part of what it counts: it ends earlier than it could from the next collection on.
    pub fn set_limit(&mut self, bytes: usize) {
        self.config.limit = bytes;
        self.major_at = self.major_at.min(bytes);
    }
    /// Collect at every n-th safe point (0: only when needed).
    pub fn stress(&self) -> u32 {
        self.config.stress
    }
    /// Backtracking with a saved H.
    ///
    /// # Safety
    /// It was H when a choicepoint was made that is gone back to, and the bindings made since are undone.
    #[inline]
    pub unsafe fn reset_to(&mut self, saved: *mut Cell) {
        self.h = saved.max(self.floor);
    }
    /// Keeps everything allocated so far out of reach of backtracking, until the next collection. What was allocated outside of
    /// the nursery since the trail had height `from` stays remembered.
    pub fn capture(&mut self, from: usize) {
        debug_assert!(self.h <= self.soft_end());
        self.floor = self.h;
        self.hb = self.h;
        self.variables_floor = self.variables_top;
        self.trail.regions_since(from, &mut self.captured);
    }
    /// Gives pages of the nursery that hold nothing back to the system (before the thread blocks).
    pub fn trim(&mut self) {
        // (The attributed variables are behind what is free.)
        match self.has_no_young_variables() {
            true => self.nursery.discard_from(self.h),
            false => {
                self.nursery.discard(self.h, self.variables);
                self.nursery.discard_from(self.variables_top);
            }
        }
        if self.config.crowded > 0 {
            self.canary().fill(POISON);
        }
    }

    /// Room for an attributed variable in the nursery, if there is some.
    pub(crate) fn allocate_variable(&mut self) -> Option<*mut Cell> {
        if self.room_of_variables().is_empty() {
            self.make_room_for_variables();
        }
        if (self.nursery.end() as usize - self.variables_top as usize) < VARIABLE_WORDS * 8 {
            return None;
        }
        let p = self.variables_top;
        self.variables_top = p.wrapping_add(VARIABLE_WORDS);
        Some(p)
    }
    /// Before the first attributed variable since the nursery was empty: from now on there is room for them, unless too much of it is in use. (A nursery
    /// without any has no use for it: what is resident and holds nothing would be beside what the limit counts.)
    #[cold]
    fn make_room_for_variables(&mut self) {
        let words = (self.end as usize - self.start as usize) / 8 / VARIABLES_PART;
        let from = self.nursery.end().wrapping_sub(words);
        let end = self.end.min(from);
        let is_apart = self.config.crowded == 0 || from >= self.end.wrapping_add(MARGIN);
        if is_apart && end as usize >= self.h as usize + MARGIN * 8 {
            self.end = end;
            self.variables = from;
            self.variables_top = from;
            self.variables_floor = from;
            // Safe points compare with an end that is further.
            self.alert_if(true);
        }
    }
    /// There was none: the next safe point collects, if that makes some.
    pub(crate) fn ask_for_room_for_variables(&mut self) {
        self.filled = true;
        self.alert_if(self.is_filled());
    }
    fn is_full_of_variables(&self) -> bool {
        let left = self.nursery.end() as usize - self.variables_top as usize;
        left < VARIABLE_WORDS * 8 && !self.has_no_young_variables()
    }
    /// Whether there are no attributed variables in the nursery.
    pub(crate) fn has_no_young_variables(&self) -> bool {
        self.variables_top == self.variables
    }
    /// The attributed variables of the nursery, with what belongs to them.
    pub fn young_variables(&self) -> Range<*mut Cell> {
        self.variables..self.variables_top
    }
    /// Where there may be some.
    pub(crate) fn room_of_variables(&self) -> Range<usize> {
        self.variables as usize..self.nursery.end() as usize
    }
    /// Words in use of the nursery.
    pub(crate) fn young_words(&self) -> usize {
        let variables = self.variables_top as usize - self.variables as usize;
        (self.h as usize - self.start as usize + variables) / 8
    }
    /// All addresses at which there may be objects of the nursery.
    pub(crate) fn young_range(&self) -> Range<usize> {
        self.start as usize..self.variables_top as usize
    }
    /// Whether backtracking to a choicepoint that a collection has seen leaves nobody who could look at the cell at `p`: it was made since, and is not captured.
    pub(crate) fn is_backtracked(&self, p: *mut Cell) -> bool {
        let variables = self.variables_floor..self.variables_top;
        (self.floor..self.end).contains(&p) || variables.contains(&p)
    }
    /// Words of the nursery between its objects.
    pub(crate) fn gap(&self) -> usize {
        match self.has_no_young_variables() {
            true => 0,
            false => (self.variables as usize - self.h as usize) / 8,
        }
    }

    /// Makes the nursery a part of the old generation, and `region` the nursery.
    pub(crate) fn replace_nursery(&mut self, region: Region) {
        let gap = self.gap();
        // SAFETY: it is in the nursery, and holds nothing. (Objects of a cell each, which say nothing.)
        unsafe { std::slice::from_raw_parts_mut(self.h, gap) }.fill(Cell::ZERO);
        let top = match self.has_no_young_variables() {
            true => self.h,
            false => self.variables_top,
        };
        let full = std::mem::replace(&mut self.nursery, region);
        self.old.adopt(full, top);
        self.start = self.nursery.start();
        self.end = self.nursery.end();
        self.renew();
    }
    /// Puts `region` in the place of the nursery, in which there is nothing.
    pub(crate) fn swap_nursery(&mut self, region: Region) {
        self.nursery = region;
        self.start = self.nursery.start();
        self.end = self.nursery.end();
        self.renew();
    }
    /// The end of the old generation: what a collection moves goes behind it.
    pub fn old_mark(&self) -> OldMark {
        let (chunk, top) = self.old.mark();
        OldMark { chunk, top }
    }
    /// Words in objects of the old generation and on the trail: what a major collection costs.
    pub fn old_words(&self) -> usize {
        self.old.used_bytes() / 8 + self.trail.top()
    }
    /// Overwrites what a collection left in the nursery below `end`, and of its attributed variables, with marks that no reader accepts: a root that
    /// was forgotten is noticed at its next use. For torture runs.
    ///
    /// # Safety
    /// A collection has just emptied the nursery.
    pub unsafe fn poison(&mut self, end: *mut Cell, variables: Range<*mut Cell>) {
        debug_assert!(self.h == self.start && self.has_no_young_variables());
        for Range { start, end } in [self.start..end, variables] {
            debug_assert!(self.start <= start && end <= self.nursery.end());
            let words = (end as usize - start as usize) / 8;
            // SAFETY: the range is inside the nursery, which is empty.
            unsafe { std::slice::from_raw_parts_mut(start, words) }.fill(POISON);
        }
    }

    /// `words` cells in the nursery if they fit, else in the old generation, remembered.
    /// The caller fills them before the next safe point.
    #[inline]
    pub fn allocate(&mut self, words: usize) -> Result<*mut Cell, OutOfMemory> {
        match self.allocate_young(words) {
            Some(p) => Ok(p),
            None => self.allocate_old_remembered(words, usize::MAX),
        }
    }
    /// `words` cells in the nursery, if they fit below `soft_end`: the margin is not for those who can ask.
    #[inline]
    pub fn allocate_young(&mut self, words: usize) -> Option<*mut Cell> {
        // `h` may be above `soft_end`, by what instructions pushed.
        if self.has_nursery(words) {
            let p = self.h;
            self.h = p.wrapping_add(words);
            Some(p)
        } else {
            None
        }
    }
    /// Whether so many words more fit into the nursery.
    #[inline]
    pub fn has_nursery(&self, words: usize) -> bool {
        self.end as usize - self.h as usize >= (words + MARGIN) * 8
    }
    /// Whether the nursery is to be collected although `h` is below `soft_end`: what was asked for did not fit, and so little is left, or was for attributed
    /// variables, that it is not for its size. Else a loop that makes boxes only would leave the last words free for good, and have all it makes in the old generation.
    pub fn is_filled(&self) -> bool {
        self.filled && (self.has_little_room() || self.is_full_of_variables())
    }
    fn has_little_room(&self) -> bool {
        let words = (self.end as usize - self.start as usize) / 8;
        self.nursery_room() <= words / FILLED_PART
    }
    /// Words that fit into the nursery.
    pub(crate) fn nursery_room(&self) -> usize {
        ((self.end as usize).saturating_sub(self.h as usize) / 8).saturating_sub(MARGIN)
    }
    /// Gives back the end of what was allocated last in the nursery, from `from` on.
    ///
    /// # Safety
    /// Nothing refers to it.
    #[inline]
    pub unsafe fn give_back(&mut self, from: *mut Cell) {
        debug_assert!(self.in_nursery(from) && from <= self.h);
        self.h = from;
    }
    /// `words` cells in the old generation, remembered. `segment` as for [`Trail::push_region`].
    #[cold]
    pub(crate) fn allocate_old_remembered(
        &mut self,
        words: usize,
        segment: usize,
    ) -> Result<*mut Cell, OutOfMemory> {
        let p = self.allocate_old(words)?;
        if self.has_little_room() {
            self.filled = true;
            self.alert_if(true);
        }
        if self.trail.push_region(p, words, segment) {
            Ok(p)
        } else {
            Err(OutOfMemory)
        }
    }
    /// `words` cells in the old generation. What is stored there must not refer to the nursery.
    ///
    /// Refused if more would be in use than the limit allows, although much of that may be garbage: who can be called again asks
    /// for a major collection then, and who cannot allocates [`Heap::on_credit`].
    pub fn allocate_old(&mut self, words: usize) -> Result<*mut Cell, OutOfMemory> {
        if !self.has_room(words.saturating_mul(8)) {
            return Err(OutOfMemory);
        }
        if cfg!(debug_assertions) {
            self.reserved = Reserve::default();
        }
        let p = self.old.allocate(words).ok_or(OutOfMemory)?;
        self.alert_if(self.wants_major());
        Ok(p)
    }
    /// Whether the next collection should be a major one.
    pub fn wants_major(&self) -> bool {
        // What was replaced is garbage most likely; what is alive is moved, and the trail walked.
        let worth = self.statistics.live + self.trail.top() * 8;
        self.old.used_bytes() >= self.major_at
            || self.replaced >= worth.max(REPLACED_AT_LEAST)
            || self.met.is_due()
    }
    /// A major collection was wanted, and there is no memory for it: the next one when a little more was taken, so that who has just been
    /// refused something can go on with what he has.
    pub fn put_off_major(&mut self) {
        const LITTLE: usize = 256 << 10;
        let used = self.old.used_bytes();
        self.major_at = self.major_at.max(used + (used / 16).max(LITTLE));
        self.replaced = 0;
        self.met.put_off();
    }
    /// Whether so many bytes more may be in use.
    pub fn has_room(&self, bytes: usize) -> bool {
        let most = self.limit_and_grace().saturating_add(self.credit);
        bytes <= self.config.limit && self.bytes().saturating_add(bytes) <= most
    }
    /// Runs what cannot be done again after a collection: it may exceed the limit by as much again, and the next safe point
    /// ([`Heap::is_overdrawn`]) decides with what is alive then.
    pub fn on_credit<T>(&mut self, f: impl FnOnce(&mut Heap) -> T) -> T {
        let before = self.set_credit(true);
        let r = f(self);
        self.end_credit(before);
        r
    }
    /// Goes back to the credit of before.
    pub fn end_credit(&mut self, before: usize) {
        self.credit = before;
        self.alert_if(self.is_overdrawn());
    }
    /// Grants or ends credit (see [`Heap::on_credit`]); what there was before.
    pub fn set_credit(&mut self, granted: bool) -> usize {
        std::mem::replace(
            &mut self.credit,
            if granted { self.config.limit } else { 0 },
        )
    }
    /// Whether more is in use than the limit allows: a major collection is due.
    pub fn is_overdrawn(&self) -> bool {
        self.bytes() > self.limit_and_grace()
    }
    /// From now on so many bytes beyond the limit may be in use: for what is to be done although memory is exhausted.
    pub fn set_grace(&mut self, bytes: usize) {
        self.grace = bytes;
        // What is little more now is for the next collection, like what instructions push.
        let much = self.limit_and_grace().saturating_add(self.least_grace());
        self.alert_if(self.bytes() > much);
    }
    /// How many these are for a thread that holds so many bytes: a little more than these and than its limit. (What was made since the last
    /// collection may be alive, and beyond the limit already.)
    pub fn grace_for(&self, held: usize) -> usize {
        held.saturating_sub(self.config.limit) + self.least_grace()
    }
    fn least_grace(&self) -> usize {
        (self.config.limit / 64).max(GRACE_AT_LEAST)
    }
    /// Bytes that may be in use after a collection for lack of memory, for the next one not to follow soon.
    pub fn most_after_collection(&self) -> usize {
        match self.grace {
            0 => self.config.limit - self.config.limit / GAINED_PART,
            _ => self.limit_and_grace() - self.least_grace() / 2,
        }
    }
    /// Bytes that may be in use at a safe point.
    pub fn limit_and_grace(&self) -> usize {
        self.config.limit.saturating_add(self.grace)
    }
    /// Bytes beyond the limit that may be.
    pub fn grace(&self) -> usize {
        self.grace
    }
    /// Whether a binding could not be made for lack of memory since this was last asked: the thread must not go on.
    pub fn was_starved(&mut self) -> bool {
        std::mem::take(&mut self.starved)
    }
    /// The word that the thread's safe points compare `h` with: 0 makes them look.
    ///
    /// # Safety
    /// The word lives as long as the heap.
    pub unsafe fn set_alarm(&mut self, word: *const AtomicUsize) {
        // SAFETY: promised by the caller.
        self.alarm = unsafe { word.as_ref() };
    }
    pub(crate) fn alert_if(&self, condition: bool) {
        if condition && let Some(word) = self.alarm {
            word.store(0, Ordering::Relaxed);
        }
    }
}
