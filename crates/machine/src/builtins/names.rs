//! Which names there are: all atoms, and the functions of arithmetic.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Res;
use samite_arith::eval::CONSTANTS;
use samite_arith::table::{FUNCTIONS_1, FUNCTIONS_2, FUNCTIONS_3};
use samite_term::{Atom, Cell};

pub const TABLE: &[Entry] = &[
    // '$atoms'(-Atoms): those that text finds, in order of creation.
    det("$atoms", 1, |m, a| {
        // The table may grow meanwhile: the list has what was counted.
        let n = Atom::all().count();
        let list = m.heap.list_of(n, Atom::all().map(Cell::atom), Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    }),
    det("$arithmetic_functions", 2, arithmetic_functions),
];

/// `'$arithmetic_functions'(+Arity, -Names)`.
fn arithmetic_functions(m: &mut Ctx, a: Args) -> Res {
    let names = match m.int_arg(a, 0)? {
        0 => CONSTANTS,
        1 => FUNCTIONS_1,
        2 => FUNCTIONS_2,
        3 => FUNCTIONS_3,
        _ => return Ok(false),
    };
    let atoms = names.iter().map(|n| Cell::atom(Atom::new(n)));
    let list = m.heap.list_of(names.len(), atoms, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}
