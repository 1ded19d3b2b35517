//! The builtins of the limit of inferences: [`crate::engine::limits`].

use super::{Entry, det};
use crate::engine::limits::shown;

pub const TABLE: &[Entry] = &[
    det("$inference_limit", 1, |m, a| {
        let limit = shown(m.thread.inference_limit);
        m.unify_int(a, 0, limit)
    }),
    // '$limit_inferences'(+N): no more than N from now on, or than there were to be already.
    det("$limit_inferences", 1, |m, a| {
        let most = m.int_arg(a, 0)?;
        m.limit_to(u64::try_from(most).unwrap_or(u64::MAX));
        Ok(true)
    }),
];
