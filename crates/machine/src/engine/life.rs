//! What a thread runs from its beginning to its end: one goal after another, with what the host does in between.
//!
//! The steps are not nested runs of the machine, so a thread can be left in the midst of any of them.

use crate::engine::going::{Go, Outcome, memory_error};
use crate::engine::worker::OwnedWorker;
use crate::error::Throw;
use crate::state::program::Program;
use samite_sched::interrupt::Events;
use samite_term::{Record, atoms};

/// See the module text.
pub(crate) trait Life: Send {
    /// What the worker is to run next; `last` is what has come of the step before. `None`: the thread has ended.
    fn next(&mut self, m: &mut OwnedWorker, last: Option<Outcome>) -> Option<Result<Go, Throw>>;
    /// When everybody has been told that it has ended.
    fn after(&self, program: &Program);
}

impl OwnedWorker {
    /// Runs a thread on the calling OS thread, from beginning to end.
    pub(crate) fn live(&mut self, life: &mut dyn Life) {
        let mut last = None;
        while let Some(go) = life.next(self, last.take()) {
            last = Some(self.drive(go));
        }
    }
    /// Where a step begins that runs a goal once. Error: what has come of it.
    pub(crate) fn begin_goal(&mut self, goal: &Record) -> Result<Result<Go, Throw>, Outcome> {
        match self.start(goal) {
            Ok(()) => Ok(self.started_goal()),
            Err(_) => Err(Outcome::Exception(memory_error())),
        }
    }
    /// The same of a signal's goal, while nothing else runs.
    pub(crate) fn begin_signal(&mut self, goal: &Record) -> Result<Result<Go, Throw>, Outcome> {
        if self.start(goal).is_err() {
            return Err(Outcome::Exception(memory_error()));
        }
        self.thread.events.masks.signal = true;
        self.attention.raise(Events::SIGNAL);
        let goal = self.register(0);
        Ok(self.call_goal(goal, atoms::USER))
    }
}
