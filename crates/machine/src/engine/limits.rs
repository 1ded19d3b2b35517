//! The limit of inferences of a thread. Who sets one is [`super::control::limited`].
//!
//! While there is one, every call is a safe point ([`Worker::arm`]) where the count is compared with it. What exceeds it throws
//! the atom `inference_limit_exceeded` and moves the limit a little further: who catches the ball for another reason is stopped
//! again soon. A Setup and a cleanup handler, which must not be left half-way, have [`GRACE`] inferences more: what runs on for longer
//! is not one of those that matter.

use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::thread::NO_LIMIT;
use samite_term::{Atom, Cell};

/// So many inferences after a limit was exceeded it is exceeded again.
const SLACK: u64 = 100;

/// What a Setup or a handler may do beyond the limit. To load a library takes about a thousand inferences.
const GRACE: u64 = 1_000_000;

/// Limits as integers of Prolog: -1 is none.
pub(crate) fn shown(limit: u64) -> i64 {
    match i64::try_from(limit) {
        Ok(n) if n < 1 << 59 => n,
        _ => -1,
    }
}

impl Worker {
    /// At the entry of a predicate: the exception, if there have been too many inferences.
    pub(in crate::engine) fn check_inferences(&mut self) -> Result<(), Throw> {
        let grace = if self.thread.events.masks.limit {
            GRACE
        } else {
            0
        };
        let limit = self.thread.inference_limit.saturating_add(grace);
        if self.inferences <= limit {
            return Ok(());
        }
        self.thread.inference_limit = self.inferences + SLACK;
        let ball = Cell::atom(Atom::new("inference_limit_exceeded"));
        Err(Throw::Term(ball))
    }

    /// No more than so many inferences from now on, or than there were to be already.
    pub(crate) fn limit_to(&mut self, most: u64) {
        let limit = self.inferences.saturating_add(most);
        self.thread.inference_limit = limit.min(self.thread.inference_limit);
        self.arm();
    }

    /// The limit that is in a choicepoint or frame is in force.
    pub(in crate::engine) fn limit_again(&mut self, outer: Cell) {
        let limit = outer.small_value();
        self.thread.inference_limit = u64::try_from(limit).unwrap_or(NO_LIMIT);
        self.arm();
    }
}
