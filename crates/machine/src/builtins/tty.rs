//! The size of the terminal.

use super::args::atom;
use super::files::system_text;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Res;
use samite_term::Cell;
use samite_world::descriptors;

pub const TABLE: &[Entry] = &[det("tty_size", 2, tty_size)];

/// `tty_size(-Rows, -Columns)`: of the terminal that output goes to.
fn tty_size(m: &mut Ctx, a: Args) -> Res {
    match descriptors::terminal_size() {
        Ok((rows, columns)) => Ok(m.unify_arg(a, 0, Cell::small(rows.into()))
            && m.unify_arg(a, 1, Cell::small(columns.into()))),
        Err(e) => Err(m.error_with_text(atom("system_error"), &system_text(&e))),
    }
}
