//! Predicates that change hands, and kinds that nobody asks for any more.
//!
//! A predicate that is neither multifile nor thread-local is one file's: another file that defines it takes it over, with all clauses that it had.
//! Of static ones that is seen to by what every load does ([`super::reloading`]); of dynamic ones, whose asserted clauses stay when their
//! own file is loaded again, here.
//!
//! *Equation*: with no load in progress, a predicate is dynamic if a file that has a say in it declares it so, or a goal has made it so.
//! ([`flag::DYNAMIC_BY_FILE`]: no goal has.)

use super::reloading::{Load, key};
use crate::machine::Machine;
use samite_code::Predicate;
use samite_code::predicate::{Clause, flag};
use samite_term::{Atom, atoms};

/// Whether a predicate is dynamic, and another file's, so that this file redefines it. To be called in the database.
pub(super) fn is_dynamic_of_other(p: &'static Predicate, file: Atom) -> bool {
    p.is_dynamic()
        && !p.has(flag::MULTIFILE | flag::THREAD_LOCAL | flag::KEPT)
        && clause_of_other(p, file).is_some()
}

/// Whether a predicate is static, and another file's, so that this file redefines it. To be called in the database.
pub(super) fn is_static_of_other(p: &'static Predicate, file: Atom) -> bool {
    !p.has(flag::DYNAMIC | flag::MULTIFILE | flag::THREAD_LOCAL | flag::KEPT)
        && clause_of_other(p, file).is_some()
}

/// Whether a predicate is dynamic, and not because files say so.
pub(super) fn is_dynamic_by_goal(p: &Predicate) -> bool {
    p.is_dynamic() && !p.has(flag::DYNAMIC_BY_FILE)
}

/// The first clause of another file. To be called in the database.
pub(super) fn clause_of_other(p: &'static Predicate, file: Atom) -> Option<&'static Clause> {
    let mut clauses = p.visible_clauses();
    clauses.find(|c| c.file() != atoms::NIL && c.file() != file)
}

impl Machine {
    /// A predicate is this file's alone from now on.
    pub(super) fn take_over(&self, p: &'static Predicate, file: Atom) {
        self.program().sources.lock().take_over(file, p);
    }

    /// Before a predicate is declared dynamic, by a file or by a goal that nobody is loading.
    pub(super) fn dynamic_by_file(&self, p: &'static Predicate) {
        if self.loads.is_empty() || self.loading_system {
            p.clear_flag(flag::DYNAMIC_BY_FILE);
        } else if !p.is_dynamic() {
            p.set_flag(flag::DYNAMIC_BY_FILE);
        }
    }

    /// A load has ended: what only other files or earlier versions have declared dynamic, and has clauses of this one alone, is static.
    pub(super) fn settle_kinds(&mut self, load: &Load) {
        let (of, alone) = self.defined_by(load.file);
        for p in of {
            let settled = !p.is_dynamic()
                || !p.has(flag::DYNAMIC_BY_FILE)
                || p.has(flag::MULTIFILE | flag::THREAD_LOCAL | flag::KEPT)
                || load.has(p, "dynamic")
                || load.made_dynamic.contains(&key(p))
                || !alone.contains(&key(p));
            if !settled {
                // Without the memory for it, it stays as it is.
                _ = self.make_static_if(p, |c| c.file() == load.file && !p.has(flag::RELOADING));
            }
        }
    }
}
