//! What builtins do with terms and arguments.

use crate::engine::telling::ARE_TOO_MANY;
use crate::engine::worker::{Args, Worker};
use crate::error::Throw;
use crate::state::room::has_common_room;
use samite_heap::copy::Attributes;
use samite_heap::{Heap, copy, unify};
use samite_sched::interrupt::Events;
use samite_term::{Atom, Cell, Functor, Record, TermRef};
use std::sync::atomic::Ordering;

impl Worker {
    /// The copy of a term, if there is room for it beside the heap.
    pub(in crate::engine) fn record_beside_heap(&mut self, t: Cell) -> Option<Record> {
        let beside = self.memory() - self.heap.bytes();
        let room = |heap: &Heap, bytes: usize| heap.has_room(beside.saturating_add(bytes));
        // SAFETY: a term of this heap.
        unsafe { copy::record_within(&mut self.heap, t, Attributes::Kept, room) }
    }

    /// Argument `i` of a builtin, dereferenced.
    #[inline]
    pub(crate) fn arg(&self, a: Args, i: usize) -> Cell {
        // SAFETY: numbers of registers are below `REGISTERS`; arguments are terms of this heap.
        unsafe { samite_term::view::deref(*self.x.get_unchecked(a.0 + i)) }
    }
    /// Register `i`.
    #[inline]
    pub(in crate::engine) fn register(&self, i: usize) -> Cell {
        // SAFETY: numbers of registers are below `REGISTERS`.
        unsafe { *self.x.get_unchecked(i) }
    }
    #[inline]
    pub(crate) fn set_register(&mut self, i: usize, c: Cell) {
        // SAFETY: numbers of registers are below `REGISTERS`.
        unsafe { *self.x.get_unchecked_mut(i) = c }
    }
    #[inline]
    pub(crate) fn deref(&self, c: Cell) -> Cell {
        // SAFETY: cells handled by the machine are terms of its heap.
        unsafe { samite_term::view::deref(c) }
    }
    /// A view of a term.
    ///
    /// # Safety
    /// It is not used once anything was collected or undone: not across a safe point or backtracking.
    #[inline]
    pub(crate) unsafe fn term<'a>(&self, c: Cell) -> TermRef<'a> {
        // SAFETY: a term of this heap; promised by the caller.
        unsafe { TermRef::new(c) }
    }
    /// Unifies two terms.
    #[inline]
    pub(crate) fn unify(&mut self, a: Cell, b: Cell) -> bool {
        // SAFETY: terms of this heap.
        unsafe { unify::unify(&mut self.heap, a, b) }
    }
    /// Overwrites an argument cell, undone on backtracking.
    ///
    /// # Safety
    /// As [`Heap::assign`].
    pub(crate) unsafe fn assign(&mut self, address: *mut Cell, value: Cell) {
        let segment = self.segment();
        // SAFETY: promised by the caller.
        unsafe { self.heap.assign(address, value, segment) };
        if !self.collecting.merge_wanted && self.heap.wants_merge() {
            self.collecting.merge_wanted = true;
            self.arm();
        }
    }
    /// The height of the trail at the newest choicepoint.
    pub(crate) fn segment(&self) -> usize {
        if self.b.is_null() { 0 } else { self.b.trail() }
    }
    /// A copy of a term outside of the heap, however large it is, with its attributes.
    pub(crate) fn record(&mut self, t: Cell) -> Result<Record, Throw> {
        // SAFETY: a term of this heap.
        unsafe { copy::record(&mut self.heap, t, Attributes::Kept) }.ok_or(Throw::Memory)
    }
    /// The same without.
    pub(crate) fn record_plain(&mut self, t: Cell) -> Result<Record, Throw> {
        // SAFETY: a term of this heap.
        unsafe { copy::record(&mut self.heap, t, Attributes::Dropped) }.ok_or(Throw::Memory)
    }
    /// A copy of a term outside of the heap that is this thread's, and as large as its memory lets it be.
    pub(crate) fn record_whole(&mut self, t: Cell) -> Result<Record, Throw> {
        // SAFETY: a term of this heap.
        let record =
            unsafe { copy::record_within(&mut self.heap, t, Attributes::Kept, Heap::has_room) };
        self.check_given_up()?;
        record.ok_or(Throw::Memory)
    }
    /// The same for what all threads have in common, where `beside` bytes are made with it.
    pub(crate) fn record_shared(&mut self, t: Cell, beside: usize) -> Result<Record, Throw> {
        self.record_common(t, Attributes::Kept, beside)
    }
    /// The same without attributes: of a clause.
    pub(crate) fn record_of_clause(&mut self, t: Cell, beside: usize) -> Result<Record, Throw> {
        self.record_common(t, Attributes::Dropped, beside)
    }
    fn record_common(
        &mut self,
        t: Cell,
        attributes: Attributes,
        beside: usize,
    ) -> Result<Record, Throw> {
        let beyond = self.thread.beyond_limit();
        let room = |_: &Heap, bytes: usize| has_common_room(bytes + beside, beyond);
        // SAFETY: a term of this heap.
        let record = unsafe { copy::record_within(&mut self.heap, t, attributes, room) };
        self.check_given_up()?;
        let record = record.ok_or(Throw::Memory)?;
        self.room(record.len() * 8 + beside)?;
        Ok(record)
    }
    /// The atom of a text that a program made.
    pub(crate) fn atom_of_text(&self, text: &str) -> Result<Atom, Throw> {
        let atom = Atom::new_if(text, |bytes| self.room(bytes).is_ok()).ok_or(Throw::Memory)?;
        if ARE_TOO_MANY.load(Ordering::Relaxed) {
            // It waits at its next safe point.
            self.collecting.awaits_atoms.set(true);
            self.attention.raise(Events::COLLECT);
        }
        Ok(atom)
    }
    /// The structure of that name with these arguments; an atom if there are none.
    pub(crate) fn structure(&mut self, name: &str, args: &[Cell]) -> Result<Cell, Throw> {
        let f = Functor::new(Atom::of(name), args.len());
        if args.is_empty() {
            return Ok(Cell::atom(f.name()));
        }
        Ok(self.heap.structure(f, args)?)
    }
}
