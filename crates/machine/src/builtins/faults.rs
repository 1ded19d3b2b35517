//! Faults of the system itself, made on purpose: what a panic looks like from a program, for tests.

use super::Entry::{self, Det};
use crate::machine::Machine;
use samite_term::heavy::{self, HEAVY_BITS, Stop};

pub const TABLE: &[Entry] = &[
    // '$panic'(+Where): in the thread itself, in guarded work, in work that is done by a thread of its own, or such that the number
    // library makes where it is refused memory.
    Det("$panic", 1, |m, a| {
        let place = m.atom_argument(a, 0)?;
        match place.as_str() {
            "guarded" => result(m, heavy::guard(fault)),
            "heavy" => result(m, heavy::run(HEAVY_BITS, fault)),
            "refused" => result(m, heavy::guard(|| panic!("out of memory"))),
            _ => Ok(fault()),
        }
    }),
];

fn fault() -> bool {
    panic!("on purpose")
}

fn result(m: &mut Machine, r: Result<bool, Stop>) -> crate::error::Res {
    r.map_err(|_| m.given_up())
}
