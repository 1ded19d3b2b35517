//! Exceptions: from where one is raised to the handler or recovery goal that runs next, and the contexts of errors.
//!
//! `throw/1` finds the innermost active `catch/3` by walking the continuation to its `CatchExit` frame; the catch has exited if it is
//! not there any more.

use crate::choice::Choice;
use crate::error::Throw;
use crate::internal::{Internal, code};
use crate::machine::{Machine, Outcome, memory_error, resume_of};
use crate::run::Go;
use samite_code::Predicate;
use samite_term::view::Args as TermArgs;
use samite_term::{Atom, Cell, Functor, atoms};

impl Machine {
    /// Handles a throw: the loop goes on in a recovery or cleanup goal, or stops.
    pub(crate) fn unwind(&mut self, t: Throw) -> Result<Go, Throw> {
        let ball = match t {
            Throw::Term(c) => self.record(c),
            Throw::Record(r) => *r,
            Throw::Halt(status) => return Ok(Go::Stop(Outcome::Halt(status))),
            Throw::Memory => memory_error(),
            Throw::Interrupted => return Ok(Go::Fail),
        };
        loop {
            let target = self.innermost_catch();
            // Handlers between here and there run first, the newest of them now.
            let mut b = self.b;
            while !b.is_null() && b.0 > target.0 {
                let alternative = b.alternative();
                if alternative == code(Internal::Collected) {
                    self.findall.pop();
                } else if alternative == code(Internal::Complete) {
                    self.tabling_abandon(b);
                } else if alternative == code(Internal::Resume) {
                    self.tabling.barrier = self.choices.at(b.arg_value(0));
                } else if alternative == code(Internal::Cleanup) {
                    self.set_b(b);
                    self.backtrack();
                    let cleanup = b.arg_value(0);
                    self.pop_choice();
                    self.cleanups -= 1;
                    let ball = match self.heap.instantiate(&ball) {
                        Ok(c) => c,
                        Err(_) => continue,
                    };
                    // The exception on its way wins over one of the handler.
                    let any = self.heap.variable()?;
                    let quiet = self.heap.structure(
                        Functor::new(atoms::CATCH, 3),
                        &[cleanup, any, Cell::atom(atoms::TRUE)],
                    )?;
                    return self.run_cleanup(quiet, Internal::Rethrow, &[ball]);
                }
                b = b.previous();
            }
            if target.is_null() {
                return Ok(Go::Stop(Outcome::Exception(ball)));
            }
            self.set_b(target);
            self.backtrack();
            let (catcher, recovery) = (target.arg_value(0), target.arg_value(1));
            self.pop_choice();
            let Ok(term) = self.heap.instantiate(&ball) else {
                continue;
            };
            let top = self.heap.trail.top();
            let hb = std::mem::replace(&mut self.heap.hb, self.heap.h);
            let caught = self.unify(catcher, term);
            if caught {
                self.heap.hb = hb;
                return self.call_goal(recovery, self.typein);
            }
            // SAFETY: undoing the bindings of the failed unification.
            unsafe { self.heap.trail.undo(top) };
            self.heap.hb = hb;
        }
    }

    /// The choicepoint of the innermost active `catch/3`; null if there is none.
    fn innermost_catch(&self) -> Choice {
        let mut f = self.k;
        while !f.is_null() {
            // SAFETY: K is a chain of frames.
            unsafe {
                if resume_of(*f) == code(Internal::CatchExit) {
                    let c = self.choices.at(*f.add(2));
                    if !self.tabling_is_stale(c) {
                        return c;
                    }
                }
                f = (*f.add(1)).frame();
            }
        }
        Choice(std::ptr::null_mut())
    }

    // --- contexts ---

    /// Fills the context of an error raised by a builtin: `context(system:Name/Arity, _)`.
    pub(crate) fn add_context(&mut self, t: Throw, p: &'static Predicate) -> Throw {
        let Throw::Term(ball) = t else {
            return t;
        };
        // What does the work of a library predicate of the same name speaks in its name.
        let mut functor = p.functor;
        if let Some(public) = functor.name().as_str().strip_prefix('$') {
            let named = Functor::new(Atom::new(public), functor.arity());
            if self.program().find(atoms::SYSTEM, named).is_some() {
                functor = named;
            }
        }
        let made = self.indicator(functor).and_then(|i| {
            if p.module == atoms::USER {
                Ok(i)
            } else {
                self.structure(":", &[Cell::atom(p.module), i])
            }
        });
        match made {
            Ok(i) => self.add_culprit_context(Throw::Term(ball), i),
            Err(_) => Throw::Term(ball),
        }
    }

    /// Fills an unbound context of `error(_, Context)` with `context(Culprit, _)`.
    pub(crate) fn add_culprit_context(&mut self, t: Throw, culprit: Cell) -> Throw {
        let Throw::Term(ball) = t else {
            return t;
        };
        if let Some((f, TermArgs::Compound(c))) = self.term(ball).callable()
            && f == Functor::new(atoms::ERROR, 2)
        {
            let context = c.arg(1).deref();
            if context.is_ref() {
                if let Ok(v) = self.heap.variable()
                    && let Ok(made) = self.structure("context", &[culprit, v])
                {
                    self.unify(context, made);
                }
            } else if let Some((g, TermArgs::Compound(c))) = self.term(context).callable()
                && g == Functor::new(atoms::CONTEXT, 2)
                && c.arg(0).is_var()
            {
                let v = c.arg(0).cell();
                self.unify(v, culprit);
            }
        }
        Throw::Term(ball)
    }
}
