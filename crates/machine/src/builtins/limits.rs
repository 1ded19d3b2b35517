//! The limit of inferences of a thread (`call_with_inference_limit/3`).
//!
//! While there is one, every call is a safe point ([`Ctx::arm`]) where the count is compared with it. What exceeds it throws
//! the atom `inference_limit_exceeded` and moves the limit a little further: who catches the ball for another reason is stopped
//! again soon. A Setup and a cleanup handler, which must not be left half-way, have [`GRACE`] inferences more: what runs on for longer
//! is not one of those that matter.

use super::Entry::{self, Det};
use crate::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Throw;
use crate::state::thread::NO_LIMIT;
use samite_code::Predicate;
use samite_term::{Atom, Cell, View};

pub const TABLE: &[Entry] = &[
    Det("$inference_limit", 1, |m, a| {
        let limit = shown(m.thread.inference_limit);
        m.unify_int(a, 0, limit)
    }),
    // '$limit_inferences'(+N): no more than N from now on, or than there were to be already.
    Det("$limit_inferences", 1, |m, a| {
        let n = count(m, a, 0);
        let limit = m.inferences.saturating_add(n).min(m.thread.inference_limit);
        limit_to(m, limit);
        Ok(true)
    }),
    // '$pause_inference_limit'(+Outer, -Left): sets the limit around a goal, after a solution of it.
    Det("$pause_inference_limit", 2, |m, a| {
        let left = m.thread.inference_limit.saturating_sub(m.inferences);
        restore(m, a);
        m.unify_int(a, 1, shown(left))
    }),
    Det(RESTORE, 1, |m, a| {
        restore(m, a);
        Ok(true)
    }),
];

/// The builtin that ends a limit: it is called in any case.
const RESTORE: &str = "$restore_inference_limit";

/// Whether `p` is called to end a limit. Neither the limit nor an event may be in its way: the limit would stay for what comes after.
pub(crate) fn ends_limit(p: &Predicate) -> bool {
    p.name().as_str() == RESTORE
}

/// So many inferences after a limit was exceeded it is exceeded again.
const SLACK: u64 = 100;

/// What a Setup or a handler may do beyond the limit. To load a library takes about a thousand inferences.
const GRACE: u64 = 1_000_000;

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

impl Ctx<'_> {
    /// At the entry of a predicate: the exception, if there have been too many inferences.
    pub(crate) fn check_inferences(&mut self, p: &Predicate) -> Result<(), Throw> {
        let grace = if self.thread.events.masks.limit {
            GRACE
        } else {
            0
        };
        let limit = self.thread.inference_limit.saturating_add(grace);
        if self.inferences <= limit || ends_limit(p) {
            return Ok(());
        }
        self.thread.inference_limit = self.inferences + SLACK;
        let ball = Cell::atom(Atom::new("inference_limit_exceeded"));
        Err(Throw::Term(ball))
    }
}
