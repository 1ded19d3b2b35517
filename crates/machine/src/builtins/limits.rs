//! The builtins of the limit of inferences: [`crate::engine::limits`].

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::limits::RESTORE;
use crate::engine::worker::Args;
use crate::state::thread::NO_LIMIT;
use samite_term::View;

pub const TABLE: &[Entry] = &[
    det("$inference_limit", 1, |m, a| {
        let limit = shown(m.thread.inference_limit);
        m.unify_int(a, 0, limit)
    }),
    // '$limit_inferences'(+N): no more than N from now on, or than there were to be already.
    det("$limit_inferences", 1, |m, a| {
        let n = count(m, a, 0);
        let limit = m.inferences.saturating_add(n).min(m.thread.inference_limit);
        limit_to(m, limit);
        Ok(true)
    }),
    // '$pause_inference_limit'(+Outer, -Left): sets the limit around a goal, after a solution of it.
    det("$pause_inference_limit", 2, |m, a| {
        let left = m.thread.inference_limit.saturating_sub(m.inferences);
        restore(m, a);
        m.unify_int(a, 1, shown(left))
    }),
    det(RESTORE, 1, |m, a| {
        restore(m, a);
        Ok(true)
    }),
];

/// Limits as integers of Prolog: -1 is none.
fn shown(limit: u64) -> i64 {
    match i64::try_from(limit) {
        Ok(n) if n < 1 << 59 => n,
        _ => -1,
    }
}

fn count(m: &Ctx, a: Args, i: usize) -> u64 {
    match m.view(a, i).view() {
        View::Int(n) => u64::try_from(n).unwrap_or(NO_LIMIT),
        _ => NO_LIMIT,
    }
}

fn limit_to(m: &mut Ctx, limit: u64) {
    m.thread.inference_limit = limit;
    m.arm();
}

fn restore(m: &mut Ctx, a: Args) {
    let outer = count(m, a, 0);
    limit_to(m, outer);
}
