//! Goals that run when backtracking has gone back over the call of `undo/1` that asked for them.
//!
//! A thread keeps them, oldest first, in `Thread::undos`; a global variable that is trailed says how many of them there are as far as the
//! execution has come. So what backtracking, or an exception, has left is found by comparing the two. While there are any, each call is a safe point
//! ([`Worker::arm`]), where that is looked at: a thread without such goals pays nothing.
//!
//! *Equation*: where no goal is due, the variable is the number of goals.

use crate::engine::worker::Worker;
use crate::error::Throw;
use samite_term::{Atom, Cell, growth};

/// The variable, and the predicate that runs what is due: `'$run_undos'(Goals)`, the newest first.
pub(crate) const UNDO: &str = "$undo";
const RUN: &str = "$run_undos";

impl Worker {
    /// How many goals there are as far as the execution has come.
    pub(crate) fn undos_here(&self) -> usize {
        let Some(variable) = self.thread.globals.get(&Atom::new(UNDO)) else {
            return 0;
        };
        // SAFETY: a global variable: a structure, whose first argument is its value.
        let value = unsafe { *variable.ptr().add(1) };
        match value.is_small() {
            true => usize::try_from(value.small_value()).unwrap_or(0),
            false => 0,
        }
    }
    /// The goal that runs those that are due.
    #[cold]
    pub(in crate::engine) fn due_undos(&mut self) -> Result<Option<Cell>, Throw> {
        let here = self.undos_here();
        if here >= self.thread.undos.len() {
            return Ok(None);
        }
        let due = self.thread.undos.len() - here;
        let mut goals = growth::with_room(due)?;
        for i in 0..due {
            let goal = self.thread.undos[here + due - 1 - i].clone();
            goals.push(self.heap.instantiate_on_credit(&goal)?);
        }
        let goals = self.heap.list(&goals, Cell::NIL)?;
        let run = self.structure(RUN, &[goals])?;
        // (Refused the memory for that they stay due.)
        self.thread.undos.truncate(here);
        Ok(Some(run))
    }
}
