//! The size of the terminal.

use super::Entry::{self, Det};
use super::files::system_text;
use super::streams::atom;
use crate::error::Res;
use crate::machine::{Args, Machine};
use samite_term::Cell;
use std::io;

pub const TABLE: &[Entry] = &[Det("tty_size", 2, tty_size)];

/// `tty_size(-Rows, -Columns)`: of the terminal that output goes to.
fn tty_size(m: &mut Machine, a: Args) -> Res {
    match size() {
        Ok((rows, columns)) => Ok(m.unify_arg(a, 0, Cell::small(rows.into()))
            && m.unify_arg(a, 1, Cell::small(columns.into()))),
        Err(e) => Err(m.error_with_text(atom("system_error"), &system_text(&e))),
    }
}

/// Rows and columns.
fn size() -> io::Result<(u16, u16)> {
    // SAFETY: all bits zero are a value of it.
    let mut size: libc::winsize = unsafe { std::mem::zeroed() };
    // SAFETY: the call writes the size, or nothing.
    match unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &mut size) } {
        0 => Ok((size.ws_row, size.ws_col)),
        _ => Err(io::Error::last_os_error()),
    }
}
