//! Safe points: collections, and events that others raised for this thread.

use crate::error::Throw;
use crate::internal::Internal;
use crate::machine::Machine;
use crate::run::Go;
use samite_code::Predicate;
use samite_sched::interrupt::Events;
use samite_term::{Atom, Cell, atoms};

impl Machine {
    /// A safe point at the entry of `p`: collects and handles events. `None`: go on with the entry.
    pub(crate) fn safe_point(&mut self, p: &'static Predicate) -> Result<Option<Go>, Throw> {
        let n = p.arity();
        self.check_inferences(p)?;
        let due = self.heap.h >= self.heap.soft_end();
        let stress = self.stress_due();
        if std::mem::take(&mut self.collection_wanted) {
            self.collect_generation(n, samite_heap::Generation::Major)?;
        } else if due || stress {
            self.collect(n)?;
        }
        if samite_code::reclaim::wanted() || samite_code::frames::wanted(&self.reader) {
            self.publish_generation();
        }
        if let Some((goal, module)) = self.pending.pop() {
            let frozen = self.goal_of(p)?;
            self.push_frame(Internal::Interrupted, &[frozen, Cell::atom(p.module)])?;
            self.arm();
            return self.run_ignoring(goal, module).map(Some);
        }
        let go = self.events(p)?;
        self.arm();
        Ok(go)
    }

    /// Handles the events raised for this thread, at the entry of `p`.
    fn events(&mut self, p: &'static Predicate) -> Result<Option<Go>, Throw> {
        let events = self.attention.take(Events::ALL);
        if events.is_empty() {
            return Ok(None);
        }
        if events.meets(Events::ABORT) {
            let ball = Cell::atom(atoms::ABORT);
            return Err(Throw::Term(ball));
        }
        if events.meets(Events::HALT) {
            return Err(Throw::Halt(
                crate::builtins::threads::exit_status().unwrap_or(1),
            ));
        }
        if events.meets(Events::INTERRUPT) {
            let goal = Cell::atom(Atom::new("$interrupt"));
            return self.run_before(goal, p).map(Some);
        }
        if events.meets(Events::SIGNAL)
            && let Some(goal) = self.thread.next_signal()
        {
            let goal = self.heap.instantiate(&goal)?;
            // More may be queued: look again at the next safe point.
            self.attention.raise(Events::SIGNAL);
            return self.run_before(goal, p).map(Some);
        }
        Ok(None)
    }

    /// Runs a goal (once, failure ignored) before the predicate that is about to be entered.
    fn run_before(&mut self, goal: Cell, p: &'static Predicate) -> Result<Go, Throw> {
        let frozen = self.goal_of(p)?;
        self.push_frame(Internal::Interrupted, &[frozen, Cell::atom(p.module)])?;
        self.run_ignoring(goal, atoms::USER)
    }

    /// A blocking builtin was interrupted: handles the events, then calls it again.
    pub(crate) fn interrupted(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        match self.events(p)? {
            Some(go) => Ok(go),
            None => Ok(Go::Enter(p)),
        }
    }

    /// A safe point at a return: nothing is live but the continuation.
    pub(crate) fn return_point(&mut self) -> Result<(), Throw> {
        let stress = self.stress_due();
        if self.heap.h >= self.heap.soft_end() || stress {
            self.collect(0)?;
        }
        Ok(())
    }

    fn stress_due(&mut self) -> bool {
        let every = self.heap.stress();
        if every == 0 {
            return false;
        }
        if self.stress_countdown <= 1 {
            self.stress_countdown = every;
            return true;
        }
        self.stress_countdown -= 1;
        false
    }
}
