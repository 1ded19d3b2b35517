//! `compile_predicates/1`: dynamic predicates become static.

use super::Entry::{self, Det};
use super::reloading::key;
use crate::error::{Res, Throw};
use crate::machine::{Args, Machine};
use samite_code::{Predicate, database, flag};

pub const TABLE: &[Entry] = &[Det("$make_static", 1, make_static)];

/// `'$make_static'(:PI)`: the clauses are exchanged for linked copies in one step, with which the predicate is static. What other threads
/// assert while the copies are made is lost. Within a load of a file that was loaded before this is put off to its end, as all that others
/// see of such a load.
fn make_static(m: &mut Machine, a: Args) -> Res {
    let p = m.predicate_argument(a, 0)?;
    if !m.is_dynamic(p) {
        if m.is_defined(p) || m.pending_place(p).is_some() || m.imported_definition(p).is_some() {
            return Ok(true);
        }
        let i = m.qualified_indicator(p)?;
        return Err(m.existence_error("procedure", i));
    }
    if p.has(flag::THREAD_LOCAL | flag::SYSTEM) {
        let i = m.indicator_of(p)?;
        return Err(m.permission_error("modify", "static_procedure", i));
    }
    if let Some(load) = m.loads.iter_mut().rfind(|l| l.shadow(p).is_some()) {
        load.made_dynamic.remove(&key(p));
        load.made_static.push(p);
        return Ok(true);
    }
    m.compile_clauses(p)?;
    Ok(true)
}

impl Machine {
    /// A dynamic predicate becomes static; without clauses it is not defined any more.
    pub(super) fn compile_clauses(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        self.reader.enter();
        let mut copies = Vec::new();
        for c in p.view().clauses() {
            copies.extend(self.linked_copy(c, p)?);
        }
        database::make_static(p, copies, |_| true);
        database::undefine_if_empty(p);
        Ok(())
    }
}
