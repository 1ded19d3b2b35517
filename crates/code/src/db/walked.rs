//! The atoms of a program's clauses, found by walking ([`samite_term::walked`]): those in lists, of twins too, and those that wait to be freed, which
//! readers may still look at, and continuations return into.
//!
//! What predicates, modules, operators and files are called is not among them: that is counted. Nor are the keys of indexes and switches, each
//! of which is that of a clause.

use super::predicate::{Clause, Domain, Predicate};
use samite_term::{Atom, HoldsAtoms};

impl HoldsAtoms for Predicate {
    /// By who has entered ([`super::readers::ReaderSlot::enter`]), so that writers need not wait. What they add meanwhile is marked by them, and what they take
    /// out is told of where it waits to be freed.
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.clauses().all().for_each(|(_, c)| c.each_atom(f));
        let twins: Vec<&'static Predicate> = {
            let w = self.lock();
            w.twins.iter().map(|twin| twin.predicate).collect()
        };
        twins.iter().for_each(|twin| twin.each_atom(f));
    }
}

impl HoldsAtoms for Domain {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.reclaimer
            .each_waiting(&mut |c: &Clause| c.each_atom(f));
    }
}
