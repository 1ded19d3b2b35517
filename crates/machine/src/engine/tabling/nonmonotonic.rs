//! What needs all answers of its goal at once, over tables that are incomplete: negation, conditions, `findall/3` and what is made of them.
//!
//! A goal that is suspended fails for now, and so a `\+` around it succeeds, the else branch of a condition is taken, a `findall/3`
//! returns what it has. That is right if the goal has no (more) solutions in the end, and only then. When it is resumed and gets to the
//! end of the `\+`, condition or `findall/3`, this was wrong, and an error is raised, which takes the whole component with it: so
//! no answer that rests on a wrong assumption is ever seen.
//!
//! Without such an error the answers are those of the well-founded semantics. Let O be what the rules derive if everything negated in
//! the component counts as false: no model has more true or undefined atoms of the component. If no negated atom is in O, all of
//! them are false in the well-founded model, and the model is O; this is what was computed. And a list to which nothing was added later is
//! made of solutions that do not depend on it.
//!
//! A cut is no such thing: like in SWI-Prolog it removes the alternatives that are there, and answers that come later are not stopped by it; nor is
//! a condition without an else branch, `once/1`. Loops that are driven by failure and keep their results in
//! destructive assignments must look for themselves (`'$resumption'/1`), as those of library(aggregate) do.

use super::tabled;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::choice::Choice;
use samite_code::Predicate;
use samite_term::{Atom, Cell, atoms};

impl Worker {
    /// A condition with an else branch, or a negated goal, has succeeded and goes back to `to`: too late if it was suspended.
    #[inline]
    pub(in crate::engine) fn decided(&mut self, to: Choice) -> Result<(), Throw> {
        if self.thread.tabling.is_gone(to) {
            return Err(self.incomplete_error("negate"));
        }
        Ok(())
    }

    /// The error of a resumed continuation that was taken to have no more solutions.
    #[cold]
    pub(crate) fn incomplete_error(&mut self, action: &str) -> Throw {
        match self.incomplete_error_term(action) {
            Ok(t) | Err(t) => t,
        }
    }

    /// The error of a call by what runs apart from its table and, in that, apart from another evaluation of it.
    #[cold]
    pub(super) fn apart_error(&mut self, p: &Predicate) -> Throw {
        let why = "the goal of a signal or a cleanup handler depends on a table under evaluation, and that in its turn";
        match self.error_about("evaluate", Some(p), why) {
            Ok(t) | Err(t) => t,
        }
    }

    /// The error of a call in a transaction that would leave the transaction to wait.
    #[cold]
    pub(super) fn transaction_error(&mut self, p: &Predicate) -> Throw {
        let why = "the goal of a transaction depends on a table that was under evaluation when the transaction began";
        match self.error_about("evaluate", Some(p), why) {
            Ok(t) | Err(t) => t,
        }
    }

    fn incomplete_error_term(&mut self, action: &str) -> Result<Throw, Throw> {
        let resumed = self.thread.tabling.resumed();
        let why = match action {
            "collect" => {
                "a solution came after all had been collected, because the goal depends on a table under evaluation"
            }
            _ => {
                "the goal succeeded after it had been taken to fail, because it depends on a table under evaluation"
            }
        };
        self.error_about(action, resumed.map(tabled::predicate), why)
    }

    fn error_about(
        &mut self,
        action: &str,
        p: Option<&Predicate>,
        why: &str,
    ) -> Result<Throw, Throw> {
        let culprit = match p {
            Some(p) => {
                let indicator = self.indicator(p.functor())?;
                self.structure(":", &[Cell::atom(p.module()), indicator])?
            }
            None => Cell::atom(atoms::TRUE),
        };
        let kind = Cell::atom(Atom::new("incomplete_table"));
        let formal = self.structure(
            "permission_error",
            &[Cell::atom(Atom::of(action)), kind, culprit],
        )?;
        let any = self.heap.variable()?;
        let context = self.structure("context", &[any, Cell::atom(Atom::of(why))])?;
        let error = self.structure("error", &[formal, context])?;
        Ok(Throw::Term(error))
    }
}
