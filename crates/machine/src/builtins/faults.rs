//! Faults made on purpose, for tests: what a panic looks like from a program, and what a system that refuses.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use samite_term::heavy::{self, HEAVY_BITS, Stop};
use samite_term::{Atom, Cell};
use samite_world::faults;

pub const TABLE: &[Entry] = &[
    // '$panic'(+Where): in the thread itself, in guarded work, in work that is done by a thread of its own, or such that the number
    // library makes where it is refused memory.
    det("$panic", 1, |m, a| {
        let place = m.atom_argument(a, 0)?;
        match place.as_str() {
            "guarded" => result(m, heavy::guard(fault)),
            "heavy" => result(m, heavy::run(HEAVY_BITS, fault)),
            "refused" => result(m, heavy::guard(|| panic!("out of memory"))),
            _ => Ok(fault()),
        }
    }),
    // '$inject_faults'(+Text): from now on calls of the system fail as Text says, which is of the form of SAMITE_FAULTS.
    det("$inject_faults", 1, |m, a| {
        let c = m.arg(a, 0);
        let text = m.text_arg(c)?;
        match faults::inject(&text) {
            true => Ok(true),
            false => Err(m.domain_error("faults", c)),
        }
    }),
    // '$fault_doors'(-Names): at which they may happen.
    det("$fault_doors", 1, |m, a| {
        let names: Vec<Cell> = faults::doors().map(|n| Cell::atom(Atom::new(n))).collect();
        let l = m.heap.list(&names, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, l))
    }),
    // '$end_faults'(-Met): they do not any more; how many have.
    det("$end_faults", 1, |m, a| {
        m.unify_int(a, 0, faults::end() as i64)
    }),
];

fn fault() -> bool {
    panic!("on purpose")
}

fn result(m: &mut Ctx, r: Result<bool, Stop>) -> crate::error::Res {
    r.map_err(|_| m.given_up())
}
