//! `compile_predicates/1`: dynamic predicates become static.

use super::Entry::{self, Det};
use crate::error::Res;
use crate::machine::{Args, Machine};
use samite_code::{database, flag};

pub const TABLE: &[Entry] = &[Det("$make_static", 1, make_static)];

/// `'$make_static'(:PI)`: the clauses are exchanged for linked copies in one step, with which the predicate is static. What other threads
/// assert while the copies are made is lost.
fn make_static(m: &mut Machine, a: Args) -> Res {
    let p = m.predicate_argument(a, 0)?;
    if !m.is_dynamic(p) {
        return Ok(true);
    }
    if p.has(flag::THREAD_LOCAL | flag::SYSTEM) {
        let i = m.indicator_of(p)?;
        return Err(m.permission_error("modify", "static_procedure", i));
    }
    let own = m.own(p);
    m.reader.enter();
    let mut copies = Vec::new();
    for c in own.view().clauses() {
        copies.extend(m.linked_copy(c, own)?);
    }
    database::make_static(own, copies, |_| true);
    Ok(true)
}
