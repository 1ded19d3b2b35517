//! How a host runs queries on a worker.
//!
//! A query is a goal below a choicepoint `NoMore`, with a continuation `Solution`: the run ends at either. While one
//! runs, no other may be started; between two nothing of the last is left ([`OwnedWorker::reset`]).
//!
//! It is run as `once/1`: a solution cuts back to `NoMore`. So the cleanup handlers of goals that might have had more solutions have run when the
//! outcome is known, in the bindings of the solution, and what one of them throws is the outcome.
//!
//! For the embedding API and for the first goals of threads.

use crate::engine::going::Go;
use crate::engine::worker::OwnedWorker;
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::events::Masks;
use crate::state::internal::cells;
use crate::state::thread::NO_LIMIT;
use samite_term::{Cell, Record, TermRef};

impl OwnedWorker {
    /// Starts a query; run it with `Worker::drive`. The machine must not be running one.
    pub(in crate::engine) fn start(&mut self, goal: &Record) -> Result<(), Throw> {
        self.reset();
        self.b = Choice::NULL;
        let bottom = self.push_alternative(cells::NoMore {})?;
        self.b0 = self.b;
        let goal = self.heap.instantiate(goal)?;
        // The goal stays reachable through the frame for the host to read its bindings.
        let mark = self.choices.offset(bottom);
        self.push(cells::Solution { goal, mark })?;
        self.set_register(0, goal);
        Ok(())
    }
    /// Forgets the running query.
    pub(crate) fn reset(&mut self) {
        // SAFETY: undoing everything down to the empty trail restores the state before the query.
        unsafe { self.heap.trail_mut().undo(0) };
        self.b = Choice::NULL;
        self.b0 = self.b;
        self.k = std::ptr::null_mut();
        self.thread.results.open.clear();
        self.thread.results.bags.clear();
        self.thread.leaving.on_their_way.clear();
        self.end_redirections();
        self.set_masks(Masks::default());
        self.thread.leaving.cleanups = 0;
        self.thread.inference_limit = NO_LIMIT;
        self.thread.depth = Default::default();
        self.tabling_reset();
        // SAFETY: all that referred to it is gone.
        unsafe { self.heap.forget_nursery() };
    }
    /// Starts an engine's goal, of `Template-Goal`: where to go on, and the choicepoint below everything.
    pub(in crate::engine) fn start_engine(
        &mut self,
        pair: &Record,
    ) -> Result<(Result<Go, Throw>, Cell), Throw> {
        self.b = Choice::NULL;
        let bottom = self.push_alternative(cells::NoMore {})?;
        self.b0 = self.b;
        let pair = self.heap.instantiate(pair)?;
        let mark = self.choices.offset(bottom);
        let (template, goal) = match self.ctx().term(pair).callable() {
            Some((_, args)) => (args.get(0).cell(), args.get(1).cell()),
            None => (pair, pair),
        };
        self.push(cells::EngineAnswer { template, mark })?;
        self.set_register(0, goal);
        let module = self.thread.modules.typein.get();
        Ok((self.call_goal(goal, module), mark))
    }
}

/// The text of a term in `words`, which stay as they are meanwhile. False if that was given up ([`samite_syntax::write::write_term`]).
pub fn show(
    root: Cell,
    _words: &[u64],
    ops: &samite_syntax::ops::Operators,
    options: &samite_syntax::write::WriteOptions,
    out: &mut String,
) -> bool {
    // SAFETY: the term lies in `_words`, which is borrowed for the call.
    let t = unsafe { TermRef::new(root) };
    samite_syntax::write::write_term(out, t, ops, options)
}
