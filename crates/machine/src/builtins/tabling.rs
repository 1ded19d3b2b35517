//! What tabling offers as builtins.

use super::{Entry, det};
use samite_term::Cell;

pub const TABLE: &[Entry] = &[
    // '$resumption'(-N): changes when the continuation that follows is resumed.
    det("$resumption", 1, |m, a| {
        let n = m.thread.tabling.resumption();
        m.unify_int(a, 0, n as i64)
    }),
    // '$same_resumption'(+N): raises an error if it has changed.
    det("$same_resumption", 1, |m, a| {
        let n = Cell::small(m.thread.tabling.resumption() as i64);
        if m.arg(a, 0) == n {
            return Ok(true);
        }
        Err(m.incomplete_error("collect"))
    }),
];
