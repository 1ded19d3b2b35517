//! Names of clauses: what a clause reference (`assertz/2`, `clause/3`) is outside of the database.
//!
//! A name is a handle. A clause gets one when a reference to it is first asked for, and keeps it; the table here leads from names to
//! clauses and back. A name outlives its clause, and is not given to another one: what remains of
//! an erased clause is a name that leads nowhere, and takes no memory.
//!
//! Invariants:
//! 1. The table has exactly the clauses that have a name and are not erased: names are given, and taken off by whoever
//!    erases, under the lock of the predicate; a clause that nobody else has seen yet may get one without it.
//! 2. A name is taken off before its clause is retired. So a worker that entered ([`super::readers::ReaderSlot::enter`]) before it looked
//!    up a name can use the clause up to its next safe point.
//! 3. Lock order: predicate, table. Each program has its own.
//!
//! A name takes a place in the tables. Where these have one left, a clause gets its name although memory is full: to be erased by it, say, which
//! leaves the place to the next. Who names asks for the growth of the tables only, which is charged as long as they have that size.

use rustc_hash::FxHashMap;
use samite_term::{Handle, HandleKind, common, growth};

/// The names of a program's clauses.
pub(crate) struct Names<C: 'static> {
    /// How many there have been.
    given: u64,
    clauses: FxHashMap<Handle, &'static C>,
    /// By the address of the clause.
    names: FxHashMap<usize, Handle>,
}

impl<C> Default for Names<C> {
    fn default() -> Names<C> {
        Names {
            given: 0,
            clauses: FxHashMap::default(),
            names: FxHashMap::default(),
        }
    }
}

fn key<C>(clause: &C) -> usize {
    std::ptr::from_ref(clause) as usize
}

impl<C> Names<C> {
    fn bytes(&self) -> usize {
        growth::map_bytes(&self.clauses) + growth::map_bytes(&self.names)
    }
    /// Room for one more; false: there is none.
    fn have_room(&mut self, ask: impl Fn(usize) -> bool) -> bool {
        let before = self.bytes();
        let room =
            growth::map_room(&mut self.clauses, &ask) && growth::map_room(&mut self.names, &ask);
        common::charge(self.bytes() - before);
        room
    }
    /// A name that leads nowhere.
    pub fn new_name(&mut self) -> Handle {
        self.given += 1;
        Handle::new(HandleKind::Clause, self.given)
    }
    /// The name of a clause that has one.
    pub fn name(&self, clause: &C) -> Option<Handle> {
        self.names.get(&key(clause)).copied()
    }
    /// Names a clause, if it has no name. `None`: there is no room for it, as `ask` says.
    pub fn give(&mut self, clause: &'static C, ask: impl Fn(usize) -> bool) -> Option<Handle> {
        if let Some(name) = self.name(clause) {
            return Some(name);
        }
        if !self.have_room(ask) {
            return None;
        }
        let name = self.new_name();
        self.names.insert(key(clause), name);
        self.clauses.insert(name, clause);
        Some(name)
    }
    /// The clause with a name; `None` if it was erased.
    pub fn named(&self, name: Handle) -> Option<&'static C> {
        self.clauses.get(&name).copied()
    }
    /// Takes the name off a clause.
    pub fn forget(&mut self, clause: &C) {
        if let Some(name) = self.names.remove(&key(clause)) {
            self.clauses.remove(&name);
        }
        // A peak leaves nothing.
        if self.names.is_empty() && self.bytes() > growth::LITTLE {
            common::release(self.bytes());
            *self = Names {
                given: self.given,
                ..Names::default()
            };
        }
    }
}
