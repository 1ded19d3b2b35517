//! Cleanup handlers, and goals run for their effect.
//!
//! A handler that a cut sets off runs at the next safe point.

use crate::choice::Choice;
use crate::error::Throw;
use crate::internal::{Internal, code};
use crate::machine::Machine;
use crate::run::Go;
use samite_term::{Atom, Cell};

impl Machine {
    /// Runs a goal as `ignore(once(Goal))`, then returns to the continuation.
    pub(crate) fn run_ignoring(&mut self, goal: Cell, module: Atom) -> Result<Go, Throw> {
        let mark = self.choices.offset(self.b);
        self.push_choice(code(Internal::IgnoreFailure), &[])?;
        self.push_frame(Internal::OnceExit, &[mark])?;
        self.call_goal(goal, module)
    }

    /// Runs a cleanup handler, then goes on at `then` with the given slots.
    pub(super) fn run_cleanup(
        &mut self,
        goal: Cell,
        then: Internal,
        slots: &[Cell],
    ) -> Result<Go, Throw> {
        self.push_frame(then, slots)?;
        let module = self.typein;
        self.run_ignoring(goal, module)
    }

    /// Cleanup choicepoints above `to` are cut off: their handlers become pending.
    pub(crate) fn cut_cleanups(&mut self, to: Choice) {
        let mut b = self.b;
        while b.0 > to.0 {
            if b.alternative() == code(Internal::Cleanup) {
                self.pending.push((b.arg_value(0), self.typein));
                self.cleanups -= 1;
            }
            b = b.previous();
        }
        if !self.pending.is_empty() {
            self.arm();
        }
    }
}
