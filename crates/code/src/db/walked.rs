//! The atoms of a program's clauses, found by walking ([`samite_term::walked`]): those in lists, of twins too, and those that wait to be freed, which
//! readers may still look at, and continuations return into.
//!
//! What predicates, modules, operators and files are called is not among them: that is counted. Nor are the keys of indexes and switches, each
//! of which is that of a clause.

use super::predicate::{Clause, Domain, Predicate};
use samite_term::{Atom, HoldsAtoms};

impl HoldsAtoms for Predicate {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let w = self.lock();
        self.clauses().all().for_each(|(_, c)| c.each_atom(f));
        for twin in &w.twins {
            twin.predicate.each_atom(f);
        }
    }
}

impl HoldsAtoms for Domain {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.reclaimer
            .each_waiting(&mut |c: &Clause| c.each_atom(f));
    }
}
