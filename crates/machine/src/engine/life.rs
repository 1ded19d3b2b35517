//! What a thread runs from its beginning to its end: one goal after another, with what the host does in between.
//!
//! The steps are not nested runs of the machine, so a thread can be left in the midst of any of them.

use crate::engine::going::{Go, Outcome};
use crate::engine::worker::OwnedWorker;
use crate::error::Throw;
use crate::state::program::Program;

/// See the module text.
pub(crate) trait Life: Send {
    /// What the worker is to run next; `last` is what has come of the step before. `None`: the thread has ended.
    fn next(&mut self, m: &mut OwnedWorker, last: Option<Outcome>) -> Option<Result<Go, Throw>>;
    /// When everybody has been told that it has ended.
    fn after(&self, program: &Program);
}
