//! Changing cells of the heap: bindings and assignments, and what of the trail they need.
//!
//! *Invariant*: a change that backtracking must undo, or that may make a cell outside the nursery refer into it, is on the trail when it has been made. One
//! for which the trail has no room is not made, and the next safe point hears of it ([`Heap::was_starved`]).

use crate::heap::{Heap, Hindrance};
use samite_term::{Cell, Tag};

/// Trail entries since the last collection that are worth another one.
const MERGE_AT: usize = 1 << 17;

impl Heap {
    /// Binds the unbound variable at `address` to `value`, trailing if needed.
    ///
    /// # Safety
    /// `address` is an unbound variable of this heap and `value` a term of it.
    #[inline]
    pub unsafe fn bind(&mut self, address: *mut Cell, value: Cell) {
        // SAFETY: promised by the caller.
        unsafe {
            while !self.bind_at_once(address, value) {
                if self.hindrance(address) == Hindrance::Starved {
                    return self.starve(address, Cell::to(Tag::Ref, address));
                }
            }
        }
    }
    /// The same, if it takes nothing but storing the value and a trail entry. If not nothing has been done, and [`Heap::hindrance`] is to be
    /// asked.
    ///
    /// # Safety
    /// As [`Heap::bind`].
    #[inline(always)]
    #[must_use]
    pub unsafe fn bind_at_once(&mut self, address: *mut Cell, value: Cell) -> bool {
        // SAFETY: promised by the caller.
        unsafe {
            if self.is_kept(address)
                && (*address != Cell::to(Tag::Ref, address)
                    || !self.trail.push_variable_at_once(address))
            {
                return false;
            }
            *address = value;
        }
        true
    }
    /// Why [`Heap::bind_at_once`] refuses, done away with if that is possible.
    ///
    /// # Safety
    /// As [`Heap::bind`].
    #[cold]
    #[inline(never)]
    pub unsafe fn hindrance(&mut self, address: *mut Cell) -> Hindrance {
        // SAFETY: promised by the caller.
        unsafe {
            if *address != Cell::to(Tag::Ref, address) {
                return self.wake(address);
            }
        }
        match self.trail.grow() {
            true => Hindrance::Full,
            false => Hindrance::Starved,
        }
    }
    /// Binds a variable again that a suspended computation had bound, and trails it. A collection that met the reference to an argument of a structure
    /// before the structure has made it one to a cell of its own, which leads to the argument.
    ///
    /// # Safety
    /// As [`Heap::bind`].
    pub unsafe fn bind_again(&mut self, address: *mut Cell, value: Cell) {
        // SAFETY: promised by the caller; references lead to cells.
        unsafe {
            let mut address = address;
            while (*address).is_ref() && (*address).ptr() != address {
                address = (*address).ptr();
            }
            *address = value;
            if !self.trail.push_variable(address) {
                self.starve(address, Cell::to(Tag::Ref, address));
            }
        }
    }
    /// Whether a change of the cell at `address` must be trailed: it is older than the newest choicepoint, or not in the nursery.
    #[inline]
    fn is_kept(&self, address: *mut Cell) -> bool {
        // Two comparisons with what is in memory, and no processor register.
        address < self.hb || address >= self.end()
    }
    /// A cut has dropped choicepoints, the newest of which was made when the trail was `from` high: takes entries off the trail that only
    /// these wanted. Without that, a choicepoint that is cut as soon as its clause is chosen leaves entries behind for the collector to undo.
    #[inline(never)]
    pub fn tidy_trail(&mut self, from: usize) {
        let (hb, end) = (self.hb, self.end());
        self.trail.tidy(from, |a| a < hb || a >= end);
    }
    /// The same for one entry, which it mostly is; false: there are more, or others.
    #[inline(always)]
    pub fn tidy_one(&mut self, from: usize) -> bool {
        let Some(a) = self.trail.only_variable(from) else {
            return false;
        };
        if !self.is_kept(a) {
            self.trail.forget_last();
        }
        true
    }
    /// A change cannot be trailed: it is undone, and the next safe point will know.
    ///
    /// # Safety
    /// The cell at `address` held `content`.
    #[cold]
    #[inline(never)]
    unsafe fn starve(&mut self, address: *mut Cell, content: Cell) {
        // SAFETY: promised by the caller.
        unsafe { *address = content };
        self.starved = true;
        self.alert_if(true);
    }
    /// Overwrites the cell at `address`, undone on backtracking. `segment` is the height of the trail at the newest choicepoint.
    ///
    /// Where many cells are overwritten in turn the trail grows until the next collection merges its entries; a thread that
    /// allocates nothing meanwhile has to ask for one ([`Heap::wants_merge`]).
    ///
    /// # Safety
    /// `address` is an argument cell of this heap and `value` a term of it.
    pub unsafe fn assign(&mut self, address: *mut Cell, value: Cell, segment: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            let old = std::mem::replace(&mut *address, value);
            if self.is_kept(address) && !self.trail.has_just_saved(address, segment) {
                // An unbound variable comes back as one: half an entry, and nothing to be merged later.
                let trailed = if old == Cell::to(Tag::Ref, address) {
                    self.trail.push_variable(address)
                } else {
                    self.trail.push_value(address, old)
                };
                if !trailed {
                    self.starve(address, old);
                }
            }
        }
    }
    /// Whether the trail has grown by so much since the last collection that another is worth it.
    pub fn wants_merge(&self) -> bool {
        self.trail.top() - self.trail.scanned() > MERGE_AT
    }
}
