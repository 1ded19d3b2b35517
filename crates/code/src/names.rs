//! Names of clauses: what a clause reference (`assertz/2`, `clause/3`) is outside of the database.
//!
//! A name is a handle. A clause gets one when a reference to it is first asked for, and keeps it; the table here leads from names to
//! clauses and back. A name outlives its clause, and is not given to another one: what remains of
//! an erased clause is a name that leads nowhere, and takes no memory.
//!
//! Invariants:
//! 1. The table has exactly the clauses that have a name and are not erased: names are given, and taken off by whoever
//!    erases, under the lock of the predicate; a clause that nobody else has seen yet may get one without it.
//! 2. A name is taken off before its clause is retired. So a worker that entered ([`crate::reclaim::ReaderSlot::enter`]) before it looked
//!    up a name can use the clause up to its next safe point.
//! 3. Lock order: predicate, table. Each domain has its own.
//!
//! A name takes a place in the tables. Where these have one left, a clause gets its name although memory is full: to be erased by it, say, which
//! leaves the place to the next. Who names asks for the growth of the tables only, which is charged as long as they have that size.

use crate::domain::Domain;
use crate::predicate::Clause;
use rustc_hash::FxHashMap;
use samite_term::{Handle, HandleKind, common, growth};

/// The names of a domain's clauses.
#[derive(Default)]
pub(crate) struct Names {
    /// How many there have been.
    given: u64,
    clauses: FxHashMap<Handle, &'static Clause>,
    /// By the address of the clause.
    names: FxHashMap<usize, Handle>,
}

impl Names {
    fn bytes(&self) -> usize {
        growth::map_bytes(&self.clauses) + growth::map_bytes(&self.names)
    }
    fn new_name(&mut self) -> Handle {
        self.given += 1;
        Handle::new(HandleKind::Clause, self.given)
    }
    /// Room for one more; false: there is none.
    fn have_room(&mut self, ask: impl Fn(usize) -> bool) -> bool {
        let before = self.bytes();
        let room =
            growth::map_room(&mut self.clauses, &ask) && growth::map_room(&mut self.names, &ask);
        common::charge(self.bytes() - before);
        room
    }
}

fn key(clause: &Clause) -> usize {
    std::ptr::from_ref(clause) as usize
}

/// The name of a clause. One that was erased gets a name that leads nowhere. `None`: there is no room for it, as `ask` says. The caller has
/// entered.
pub fn name(clause: &'static Clause, ask: impl Fn(usize) -> bool) -> Option<Handle> {
    if clause.is_named()
        && let Some(&name) = clause.predicate.domain.names.read().names.get(&key(clause))
    {
        return Some(name);
    }
    let _w = clause.predicate.lock();
    if clause.is_erased() {
        return Some(clause.predicate.domain.names.write().new_name());
    }
    give(clause, ask)
}

/// Names a clause: the caller holds the lock of the predicate, or the clause is nobody else's yet.
fn give(clause: &'static Clause, ask: impl Fn(usize) -> bool) -> Option<Handle> {
    let mut names = clause.predicate.domain.names.write();
    if let Some(&name) = names.names.get(&key(clause)) {
        return Some(name);
    }
    if !names.have_room(ask) {
        return None;
    }
    let name = names.new_name();
    names.names.insert(key(clause), name);
    names.clauses.insert(name, clause);
    clause.set_named();
    Some(name)
}

/// Names a clause that is about to be added to its predicate. `None`: there is no room for that.
pub fn name_new(clause: &Clause, ask: impl Fn(usize) -> bool) -> Option<Handle> {
    // SAFETY: clauses are at home in boxes and their names are taken off before they are freed; the caller adds this one.
    give(unsafe { &*std::ptr::from_ref(clause) }, ask)
}

/// The clause with a name; `None` if it was erased. The caller has entered; see the invariants.
pub fn named(domain: &Domain, name: Handle) -> Option<&'static Clause> {
    domain.names.read().clauses.get(&name).copied()
}

/// Takes the name off a clause that was erased. Caller holds the lock of the predicate.
pub(crate) fn forget(clause: &Clause) {
    if !clause.is_named() {
        return;
    }
    let mut names = clause.predicate.domain.names.write();
    if let Some(name) = names.names.remove(&key(clause)) {
        names.clauses.remove(&name);
    }
    // A peak leaves nothing.
    if names.names.is_empty() && names.bytes() > growth::LITTLE {
        common::release(names.bytes());
        *names = Names {
            given: names.given,
            ..Names::default()
        };
    }
}
