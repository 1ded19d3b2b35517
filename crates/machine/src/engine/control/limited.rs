//! Goals within a limit of inferences: `'$within_inferences'(Goal, Inferences, Left)`, of which `call_with_inference_limit/3` is made.
//!
//! A limit belongs to a choicepoint `Limited`, which holds the one around it, and ends with it: when it is backtracked to, when an exception
//! passes it ([`super::exceptions`]), or when the goal succeeds. (The choicepoint of a goal that may have more solutions stays, and
//! passing it again changes nothing: limits are numbers of inferences since the thread began.) It takes no goal to end one, and there is no
//! safe point between its beginning or its end and that of the choicepoint, so neither it nor an event is ever in the way of its own end.

use crate::engine::going::Go;
use crate::engine::limits::shown;
use crate::engine::worker::{Args, Worker};
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::internal::{Internal, cells, code};
use crate::state::thread::NO_LIMIT;
use samite_term::{Cell, atoms};

impl Worker {
    /// `'$within_inferences'/3`: no more than so many inferences, or than there were to be already, until the goal has a solution.
    pub(in crate::engine) fn limited(&mut self) -> Result<Go, Throw> {
        let (goal, left) = (self.register(0), self.register(2));
        let most = self.ctx().int_arg(Args(0), 1)?;
        let outer = Cell::small(shown(self.thread.inference_limit));
        let c = self.push_alternative(cells::Limited { outer })?;
        let choicepoint = self.choices.offset(c);
        self.push(cells::LimitedExit {
            choicepoint,
            outer,
            left,
        })?;
        self.limit_to(u64::try_from(most).unwrap_or(0));
        self.call_goal(goal, self.thread.modules.typein.get())
    }

    /// The goal of `'$within_inferences'/3` succeeded: what is left of its inferences, or `!` if it has no more solutions.
    pub(in crate::engine) fn limited_exit(&mut self, c: Choice, outer: Cell, left: Cell) -> Go {
        let found = if self.thread.tabling.is_gone(c) {
            // It was suspended, and the limit ended then.
            Cell::small(shown(NO_LIMIT))
        } else {
            let rest = self.thread.inference_limit.saturating_sub(self.inferences);
            self.limit_again(outer);
            // (Of a continuation that was called again it may be gone, and something else in its place.)
            if self.b == c && c.alternative() == code(Internal::Limited) {
                self.pop_choice();
                Cell::atom(atoms::CUT)
            } else {
                Cell::small(shown(rest))
            }
        };
        if self.unify(left, found) {
            Go::Proceed
        } else {
            Go::Fail
        }
    }
}
