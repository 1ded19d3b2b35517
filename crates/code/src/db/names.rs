//! Names of clauses: what a clause reference (`assertz/2`, `clause/3`) is outside of the database.
//!
//! A name is a handle. A clause gets one when a reference to it is first asked for, and keeps it. Its number leads to a place of the table here
//! ([`samite_term::slots`]), which leads to the clause; the clause knows its place. A name outlives its clause, and is not given to another one: what remains of
//! an erased clause is a name that leads nowhere, and takes no memory.
//!
//! A clause has no word for its place. It keeps it where it had its origin ([`crate::db::origins`]), which is in the table as long.
//!
//! Invariants:
//! 1. The table has exactly the clauses that have a name and are not erased: names are given, and taken off by whoever
//!    erases, under the lock of the predicate; a clause that nobody else has seen yet may get one without it.
//! 2. A name is taken off before its clause is retired. So a worker that entered ([`super::readers::ReaderSlot::enter`]) before it looked
//!    up a name can use the clause up to its next safe point.
//! 3. Lock order: predicate, table. Each program has its own.
//! 4. A clause says that it has a place, and which, exactly as long as the table has it there: to whoever holds the table's lock.
//!
//! Where the table has a place left, a clause gets its name although memory is full: to be erased by it, say, which
//! leaves the place to the next. Who names asks for the growth of the table only, which is charged as long as it has that size.

use samite_term::slots::Slots;
use samite_term::{Handle, HandleKind, common};

/// A clause that has a name.
struct Named<C: 'static> {
    clause: &'static C,
    origin: u32,
}

/// The names of a program's clauses.
pub(crate) struct Names<C: 'static>(Slots<Named<C>>);

impl<C> Default for Names<C> {
    fn default() -> Names<C> {
        Names(Slots::default())
    }
}

impl<C> Names<C> {
    /// A name that leads nowhere.
    pub fn new_name(&mut self) -> Handle {
        Handle::new(HandleKind::Clause, self.0.number_of_nothing())
    }
    /// The name that leads to a place.
    pub fn name(&self, place: u32) -> Handle {
        Handle::new(HandleKind::Clause, self.0.number(place))
    }
    /// A place for a clause that has none. `None`: there is no room for it, as `ask` says.
    pub fn give(
        &mut self,
        clause: &'static C,
        origin: u32,
        ask: impl Fn(usize) -> bool,
    ) -> Option<u32> {
        let before = self.0.bytes();
        if !self.0.have_room(ask) {
            return None;
        }
        common::charge(self.0.bytes() - before);
        Some(self.0.insert(Named { clause, origin }))
    }
    /// The clause with a name; `None` if it was erased.
    pub fn named(&self, name: Handle) -> Option<&'static C> {
        self.0.get(name.number()).map(|n| n.clause)
    }
    /// The origin of the clause at a place.
    pub fn origin(&self, place: u32) -> Option<u32> {
        self.0.at(place).map(|n| n.origin)
    }
    /// Takes a clause out of its place; its origin.
    pub fn forget(&mut self, place: u32, clause: &C) -> Option<u32> {
        let named = self.0.remove(place)?;
        debug_assert!(std::ptr::eq(named.clause, clause), "invariant 4");
        let before = self.0.bytes();
        // A peak leaves nothing.
        self.0.shrink();
        common::release(before - self.0.bytes());
        Some(named.origin)
    }
}
