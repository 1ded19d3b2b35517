//! The choicepoint stack of a thread.
//!
//! One contiguous region that doubles when it is full, and then may move ([`Worker::grow_choices`] tells who holds addresses):
//! what is stored in frames and registers are byte offsets from its base. A `Choice` in a local variable is good until the next push.
//!
//! [`Worker::grow_choices`]: crate::engine::worker::Worker
//!
//! A choicepoint is, from its address up: the alternative (code address), the previous choicepoint, `H`, trail height, `K`
//! (a frame-pointer cell), `B0`, number of arguments and the *scanned*, *known* and *left* bits, then the arguments (cells).
//!
//! Invariants: a choicepoint below one with the scanned bit set has it too, and refers to nothing in the nursery. One below one with
//! the known bit has it too: what they read of the database stands in [`crate::engine::pins`].

use super::internal::Alternative;
use samite_heap::space::Region;
use samite_term::{Cell, Handle, HandleKind};
use std::ops::Range;

/// The handle of the choicepoint at the stack's base.
const CHOICEPOINT: u64 = Cell::of_handle(Handle::new(HandleKind::Choicepoint, 0)).0;

/// Where in the stack the choicepoint of an offset is: of two the newer one's place is the higher.
#[inline(always)]
pub fn place(offset: Cell) -> i64 {
    offset.0 as i64 >> 8
}

/// Whether a cell is a choicepoint's offset.
pub fn is_offset(c: Cell) -> bool {
    c.0 & 0xff == CHOICEPOINT
}

/// As [`ChoiceStack::at`] reads it, `offset` with a mark: a soft cut of it cuts nothing, since what it was is gone.
pub fn marked_gone(offset: Cell) -> Cell {
    Cell(offset.0 & !0xff | GONE)
}

/// See [`marked_gone`].
#[inline(always)]
pub fn is_marked_gone(offset: Cell) -> bool {
    offset.0 & 0xff == GONE
}

/// The handle of the barrier 0.
const GONE: u64 = Cell::of_handle(Handle::new(HandleKind::Barrier, 0)).0;

/// Address of a choicepoint.
pub type ChoicePtr = *mut Cell;

/// Words before the arguments.
pub const HEADER: usize = 7;
const ALTERNATIVE: usize = 0;
const PREVIOUS: usize = 1;
const TOP: usize = 2;
const TRAIL: usize = 3;
const FRAME: usize = 4;
const BARRIER: usize = 5;
const SIZE: usize = 6;
const SCANNED: u64 = 1 << 63;
const KNOWN: u64 = 1 << 62;
const LEFT: u64 = 1 << 61;

/// A choicepoint in the stack, or none. Newer ones are greater.
///
/// *Invariant*: it is one as long as it is in use: only the stack makes them, and when it moves all are told ([`Choice::moved`]). All methods but
/// [`Choice::is_null`] require that there is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Choice(ChoicePtr);

impl Default for Choice {
    fn default() -> Self {
        Choice::NULL
    }
}

impl Choice {
    /// None.
    pub const NULL: Choice = Choice(std::ptr::null_mut());

    /// Its address.
    #[inline(always)]
    pub fn address(self) -> usize {
        self.0 as usize
    }
    /// The same choicepoint, in a stack that has moved from `old` to `base`.
    ///
    /// # Safety
    /// It has.
    pub(crate) unsafe fn moved(self, old: usize, base: ChoicePtr) -> Choice {
        if self.is_null() {
            self
        } else {
            Choice(base.wrapping_byte_add(self.address() - old))
        }
    }
    #[inline(always)]
    fn word(self, i: usize) -> *mut u64 {
        self.0.wrapping_add(i).cast()
    }
    #[inline(always)]
    fn get(self, i: usize) -> u64 {
        // SAFETY: a `Choice` is the address of a choicepoint in a live stack.
        unsafe { *self.word(i) }
    }
    #[inline(always)]
    fn set(self, i: usize, v: u64) {
        // SAFETY: as in `get`.
        unsafe { *self.word(i) = v }
    }
    #[inline(always)]
    pub fn alternative(self) -> *const u64 {
        self.get(ALTERNATIVE) as *const u64
    }
    #[inline(always)]
    pub fn set_alternative(self, code: *const u64) {
        self.set(ALTERNATIVE, code as u64);
    }
    #[inline(always)]
    pub fn previous(self) -> Choice {
        Choice(self.get(PREVIOUS) as ChoicePtr)
    }
    /// Of the trail, `top` high: from the newest that a collection has seen of this one and those below on, or from 0, to the oldest that none has seen.
    pub fn newest_segment_scanned(self, top: usize) -> Range<usize> {
        let (mut b, mut end) = (self, top);
        while !b.is_null() && !b.is_scanned() {
            end = b.trail();
            b = b.previous();
        }
        match b.is_null() {
            true => 0..end,
            false => b.trail()..end,
        }
    }
    #[inline(always)]
    pub fn top(self) -> *mut Cell {
        self.get(TOP) as *mut Cell
    }
    /// `H`; null once a collection has seen the choicepoint: backtracking then goes to the start of the nursery.
    pub fn set_top(self, h: *mut Cell) {
        self.set(TOP, h as u64);
    }
    #[inline(always)]
    pub fn trail(self) -> usize {
        self.get(TRAIL) as usize
    }
    pub fn set_trail(self, height: usize) {
        self.set(TRAIL, height as u64);
    }
    /// The continuation.
    #[inline(always)]
    pub fn frame(self) -> *mut Cell {
        Cell(self.get(FRAME)).frame()
    }
    /// The continuation's cell, for the collector.
    pub fn frame_cell(self) -> *mut Cell {
        self.0.wrapping_add(FRAME)
    }
    /// The stack was moved: so are the choicepoints this one refers to.
    pub(crate) fn relocate(self, moved: &impl Fn(Choice) -> Choice) {
        self.set(PREVIOUS, moved(self.previous()).0 as u64);
        self.set(BARRIER, moved(self.barrier()).0 as u64);
    }
    #[inline(always)]
    pub fn barrier(self) -> Choice {
        Choice(self.get(BARRIER) as ChoicePtr)
    }
    /// Number of arguments.
    #[inline(always)]
    pub fn size(self) -> usize {
        // The bits are above.
        self.get(SIZE) as u32 as usize
    }
    pub fn is_scanned(self) -> bool {
        self.get(SIZE) & SCANNED != 0
    }
    pub fn set_scanned(self) {
        self.set(SIZE, self.get(SIZE) | SCANNED);
    }
    /// See [`crate::engine::pins`].
    pub fn is_known(self) -> bool {
        self.get(SIZE) & KNOWN != 0
    }
    pub fn set_known(self) {
        self.set(SIZE, self.get(SIZE) | KNOWN);
    }
    /// Of a cleanup choicepoint: an exception that was raised inside its goal is on its way.
    pub fn is_left(self) -> bool {
        self.get(SIZE) & LEFT != 0
    }
    pub fn set_left(self) {
        self.set(SIZE, self.get(SIZE) | LEFT);
    }
    /// The choicepoint got arguments that the collector has not seen.
    pub fn clear_scanned(self) {
        self.set(SIZE, self.get(SIZE) & !SCANNED);
    }
    /// Address of argument `i`.
    #[inline(always)]
    pub fn arg(self, i: usize) -> *mut Cell {
        self.0.wrapping_add(HEADER + i)
    }
    /// The arguments of one of the machine's own, by name.
    #[inline]
    pub fn cells<A: Alternative>(self) -> A {
        A::read(|i| self.arg_value(i))
    }
    #[inline(always)]
    pub fn arg_value(self, i: usize) -> Cell {
        // SAFETY: as in `get`; `i` is below `size`.
        unsafe { *self.arg(i) }
    }
    /// Whether there is no choicepoint here: below the bottom one.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// What a new choicepoint holds besides its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Saved {
    pub alternative: *const u64,
    pub top: *mut Cell,
    pub trail: usize,
    pub frame: *mut Cell,
    pub barrier: Choice,
}

/// The stack; see the module text.
#[derive(Debug)]
pub struct ChoiceStack {
    region: Region,
    /// A word before that of the region: arguments are read two at a time.
    end: *mut Cell,
}

fn end_of(region: &Region) -> *mut Cell {
    region.end().wrapping_sub(1)
}

/// Bytes of a new stack. Small in debug builds, so that tests see it grow.
const INITIAL: usize = if cfg!(debug_assertions) {
    4 << 10
} else {
    16 << 10
};

impl ChoiceStack {
    /// A small stack; `None` if the system refuses.
    pub fn new() -> Option<ChoiceStack> {
        Region::map_small_pages(INITIAL).map(ChoiceStack::on)
    }
    /// A stack in a region that is there.
    pub fn on(region: Region) -> ChoiceStack {
        let end = end_of(&region);
        ChoiceStack { region, end }
    }
    /// Takes the region out, as the last thing before the stack is dropped.
    pub fn take_region(&mut self) -> Region {
        self.region.take()
    }
    /// Whether a region is as large as that of a new stack.
    pub fn is_initial(region: &Region) -> bool {
        region.words() * 8 == INITIAL
    }
    /// Makes room for `needed` bytes from the base; false if that is above `limit` or the system refuses. The base may move.
    pub(crate) fn grow(&mut self, needed: usize, limit: usize) -> bool {
        if needed > limit {
            return false;
        }
        let bytes = (self.region.words() * 16).min(limit).max(needed + 8);
        let done = self.region.resize(bytes);
        self.end = end_of(&self.region);
        done
    }
    /// Gives back what a peak took; addresses stay.
    pub(crate) fn shrink(&mut self, newest: Choice) {
        let wanted = (2 * self.bytes(newest)).max(INITIAL);
        if self.region.words() * 8 / 4 > wanted && self.region.resize(wanted) {
            self.end = end_of(&self.region);
        }
    }
    #[inline(always)]
    pub fn base(&self) -> ChoicePtr {
        self.region.start()
    }
    /// Pushes a choicepoint with room for `n` arguments, to be filled by the caller; `None` if the stack is full.
    #[inline(always)]
    pub fn push(&self, newest: Choice, n: usize, s: Saved) -> Option<Choice> {
        let at = if newest.is_null() {
            self.base()
        } else {
            newest.arg(newest.size())
        };
        self.push_at(at, newest, n, s)
    }
    /// As [`ChoiceStack::push`], at an address not below the top of the stack.
    #[inline(always)]
    pub fn push_at(&self, at: ChoicePtr, newest: Choice, n: usize, s: Saved) -> Option<Choice> {
        if at.wrapping_add(HEADER + n) > self.end {
            return None;
        }
        let c = Choice(at);
        c.set(ALTERNATIVE, s.alternative as u64);
        c.set(PREVIOUS, newest.0 as u64);
        c.set(TOP, s.top as u64);
        c.set(TRAIL, s.trail as u64);
        c.set(FRAME, Cell::frame_ptr(s.frame).0);
        c.set(BARRIER, s.barrier.0 as u64);
        c.set(SIZE, n as u64);
        Some(c)
    }
    /// A choicepoint as a handle, for registers and frames.
    #[inline(always)]
    pub fn offset(&self, c: Choice) -> Cell {
        let o = if c.is_null() {
            -8
        } else {
            c.0 as i64 - self.base() as i64
        };
        Cell((o as u64) << 8 | CHOICEPOINT)
    }
    /// The choicepoint of an offset.
    #[inline(always)]
    pub fn at(&self, offset: Cell) -> Choice {
        let o = place(offset);
        if o < 0 {
            Choice::NULL
        } else {
            Choice((self.base() as i64 + o) as ChoicePtr)
        }
    }
    /// Bytes in use.
    pub fn bytes(&self, newest: Choice) -> usize {
        if newest.is_null() {
            0
        } else {
            newest.arg(newest.size()) as usize - self.base() as usize
        }
    }
    /// The words of all choicepoints.
    pub fn words(&self, newest: Choice) -> &[Cell] {
        // SAFETY: the part of the stack in use.
        unsafe { std::slice::from_raw_parts(self.base(), self.bytes(newest) / 8) }
    }
    /// Gives unused pages back to the system.
    pub fn trim(&self, newest: Choice) {
        let top = if newest.is_null() {
            self.base()
        } else {
            newest.arg(newest.size())
        };
        self.region.discard_from(top);
    }
}
