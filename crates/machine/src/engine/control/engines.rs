//! What engines are asked for, and what they answer: the predicates that leave the loop for another thread, or for whoever runs this one.
//!
//! They take the engine out of its turn, or look whether this is one, and say the rest to [`crate::engine::driver`]. Errors are those of SWI-Prolog, but
//! that an engine is not asked for anything by what runs in it or above it: there it waits for itself for ever.

use crate::engine::going::{Ask, Go, Leave, Wish};
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::engines::Engine;
use crate::state::internal::cells;
use samite_code::Predicate;
use samite_sched::Reference;
use samite_sched::turn::Refused;
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, HandleKind, atoms};
use std::sync::Arc;

impl Worker {
    /// The engine that a program calls so. Errors as of SWI-Prolog.
    pub(crate) fn engine_named(&mut self, name: Cell) -> Result<Arc<Engine>, Throw> {
        let name = self.deref(name);
        if let Some(engine) = self.program.engines.find(name.0) {
            return Ok(engine);
        }
        let is_thread = |r| self.program.registry.thread(r).is_ok();
        match Reference::from_cell(name) {
            Some(Reference::Handle(h)) if h.kind() == HandleKind::Engine => {}
            Some(r @ Reference::Name(_)) if !is_thread(r) => {}
            _ => return Err(self.type_error("engine", name)),
        }
        Err(self.existence_error("engine", name))
    }

    /// Posts a term to an engine, which has fetched the last.
    pub(crate) fn post_to_engine(&mut self, engine: &Engine, t: Cell) -> Result<(), Throw> {
        let name = self.register(0);
        let record = self.record_shared(t, Held::OVERHEAD)?;
        let mut posted = engine.posted.lock();
        if posted.is_some() {
            drop(posted);
            return Err(self.permission_error("post_to", "engine", name));
        }
        *posted = Some(Held::new(record));
        Ok(())
    }

    /// `engine_next(E, T)`, `engine_next_reified(E, R)`, `engine_post(E, T, R)`, `engine_destroy(E)`.
    pub(in crate::engine) fn ask_engine(
        &mut self,
        p: &'static Predicate,
        what: Wish,
    ) -> Result<Go, Throw> {
        match self.taken_out(p, what) {
            Ok(Ok(ask)) => Ok(Go::Leave(Box::new(Leave::Ask(ask)))),
            Ok(Err(go)) => Ok(go),
            Err(Throw::Interrupted) => self.interrupted(p),
            Err(t) if what == Wish::Reified => self.reified_error(p, t),
            Err(t) => Err(t),
        }
    }

    /// What is to be asked, or where to go on if nothing is.
    fn taken_out(
        &mut self,
        mut p: &'static Predicate,
        what: Wish,
    ) -> Result<Result<Ask, Go>, Throw> {
        let name = self.register(0);
        let engine = self.engine_named(name)?;
        if p.arity() == 3 {
            let posted = self.register(1);
            self.post_to_engine(&engine, posted)?;
            // Once is enough: from here on it is as if its answer had been asked for.
            let reply = self.register(2);
            self.set_register(1, reply);
            let next = Functor::new(Atom::new("engine_next"), 2);
            p = self.program.code.callee(atoms::SYSTEM, next);
        }
        // (What the engine waits for is not known.)
        self.thread.tabling.step_out();
        let attention = self.attention.clone();
        let runner = self.thread.engine.runner;
        let mut waited = false;
        let taken = engine.turn.take(runner, &attention, || {
            waited = true;
            self.before_wait();
        });
        if waited {
            self.after_wait();
        }
        let refused = match taken {
            Ok(kept) => {
                return Ok(Ok(Ask {
                    engine,
                    kept,
                    what,
                    by: p,
                }));
            }
            Err(refused) => refused,
        };
        Err(match refused {
            Refused::Gone if what == Wish::End => {
                if self.program.engines.remove(&engine) {
                    self.program.registry.forget_engine(&engine.control);
                    return Ok(Err(Go::Proceed));
                }
                self.existence_error("engine", name)
            }
            Refused::Gone if engine.take_exhausted() => {
                return Ok(Err(match what {
                    Wish::Reified => self.reify(Cell::atom(Atom::new("no"))),
                    _ => Go::Fail,
                }));
            }
            Refused::Gone => self.existence_error("engine", name),
            Refused::Own => {
                let action = match what {
                    Wish::End => "destroy",
                    Wish::Next | Wish::Reified => "resume",
                };
                self.permission_error(action, "engine", name)
            }
            Refused::Interrupted => Throw::Interrupted,
            Refused::NoMemory => Throw::Memory,
        })
    }

    /// The error of what was asked for as a term.
    fn reified_error(&mut self, p: &'static Predicate, t: Throw) -> Result<Go, Throw> {
        match self.add_context(t, p) {
            Throw::Term(error) => {
                let reified = self.structure("exception", &[error])?;
                Ok(self.reify(reified))
            }
            t => Err(t),
        }
    }

    /// The reply to `engine_next_reified/2`.
    pub(in crate::engine) fn reify(&mut self, reply: Cell) -> Go {
        let to = self.register(1);
        match self.unify(to, reply) {
            true => Go::Proceed,
            false => Go::Fail,
        }
    }

    /// `engine_yield(T)`.
    pub(in crate::engine) fn yield_answer(&mut self) -> Result<Go, Throw> {
        if !self.thread.engine.driven {
            let what = [
                Cell::atom(Atom::new("execute")),
                Cell::atom(Atom::new("vmi")),
                Cell::atom(Atom::new("I_YIELD")),
            ];
            let f = Functor::new(atoms::PERMISSION_ERROR, 3);
            let formal = self.heap.structure(f, &what)?;
            return Err(self.error_with_message(formal, "not an engine"));
        }
        let record = self.record(self.register(0))?;
        Ok(Go::Leave(Box::new(Leave::Yield(record))))
    }

    /// An engine's goal has a solution.
    pub(in crate::engine) fn engine_answer(&mut self, f: cells::EngineAnswer) -> Result<Go, Throw> {
        let last = self.b == self.choices.at(f.mark);
        let record = self.record(f.template)?;
        Ok(Go::Leave(Box::new(Leave::Answer { record, last })))
    }
}
