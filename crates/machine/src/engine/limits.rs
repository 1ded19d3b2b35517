//! The limit of inferences of a thread. Who sets one is [`super::control::limited`].
//!
//! While there is one, every call is a safe point ([`Worker::arm`]) where the count is compared with it. What exceeds it throws
//! the atom `inference_limit_exceeded` and moves the limit a little further: who catches the ball for another reason is stopped
//! again soon. A Setup and a cleanup handler, which must not be left half-way, have [`GRACE`] inferences more: what runs on for longer
//! is not one of those that matter.
//!
//! Slices that are counted (`samite_sched::ready`) are looked at in the same place.

use crate::engine::long;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::thread::NO_LIMIT;
use samite_sched::carrier;
use samite_sched::interrupt::Events;
use samite_term::{Atom, Cell};
use samite_world::simulated;

/// So many inferences after a limit was exceeded it is exceeded again.
const SLACK: u64 = 100;

/// What a Setup or a handler may do beyond the limit. To load a library takes about a thousand inferences.
const GRACE: u64 = 1_000_000;

/// In a simulated run every so manieth slice begins with a major collection.
const COLLECTIONS: u64 = 64;

/// Limits as integers of Prolog: -1 is none.
pub(crate) fn shown(limit: u64) -> i64 {
    match i64::try_from(limit) {
        Ok(n) if n < 1 << 59 => n,
        _ => -1,
    }
}

impl Worker {
    /// A thread begins to run, or goes on: so does its slice, if slices are counted.
    pub(crate) fn begin_slice(&mut self) {
        let calls = self.program.light.slice();
        if calls > 0 {
            self.thread.slice_end = self.inferences.saturating_add(calls);
            self.collecting.wanted |= simulated::is_on() && simulated::below(COLLECTIONS) == 0;
            self.arm();
        }
    }

    /// In a slice that is counted a failure is a call, or who goes back and forth would never be stopped.
    pub(in crate::engine) fn count_failure(&mut self) {
        if self.thread.slice_end != NO_LIMIT {
            self.thread.slice_end -= 1;
        }
    }

    /// At the entry of a predicate: has the thread make way for others if its slice is over. An engine's runner makes way.
    pub(in crate::engine) fn count_slice(&mut self) {
        if self.inferences <= self.thread.slice_end {
            return;
        }
        self.begin_slice();
        match long::runner() {
            Some(runner) if self.thread.engine.driven => runner.attention().raise(Events::SLICE),
            _ => self.attention.raise(Events::SLICE),
        }
    }

    /// The thread's slice is over, and its OS thread is its own: lets others run, if it takes turns with them.
    pub(in crate::engine) fn make_way_here(&mut self) {
        if !carrier::others_wait() {
            return;
        }
        self.leave_readers();
        carrier::make_way();
        self.after_wait();
    }

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
