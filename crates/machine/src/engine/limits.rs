//! The limit of inferences of a thread (`call_with_inference_limit/3`).
//!
//! While there is one, every call is a safe point ([`Worker::arm`]) where the count is compared with it. What exceeds it throws
//! the atom `inference_limit_exceeded` and moves the limit a little further: who catches the ball for another reason is stopped
//! again soon. A Setup and a cleanup handler, which must not be left half-way, have [`GRACE`] inferences more: what runs on for longer
//! is not one of those that matter.

use crate::engine::worker::Worker;
use crate::error::Throw;
use samite_code::Predicate;
use samite_term::{Atom, Cell};

/// The builtin that ends a limit: it is called in any case.
pub(crate) const RESTORE: &str = "$restore_inference_limit";

/// Whether `p` is called to end a limit. Neither the limit nor an event may be in its way: the limit would stay for what comes after.
pub(crate) fn ends_limit(p: &Predicate) -> bool {
    p.name().as_str() == RESTORE
}

/// So many inferences after a limit was exceeded it is exceeded again.
const SLACK: u64 = 100;

/// What a Setup or a handler may do beyond the limit. To load a library takes about a thousand inferences.
const GRACE: u64 = 1_000_000;

impl Worker {
    /// At the entry of a predicate: the exception, if there have been too many inferences.
    pub(in crate::engine) fn check_inferences(&mut self, p: &Predicate) -> Result<(), Throw> {
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
