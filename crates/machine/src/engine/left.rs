//! Engines that a thread has left for an event, in the midst of what others may wait for: the load of a file.
//!
//! The event may be over soon, and the thread asks the engine again, which goes on. But what the event throws may leave the call that would ask again. Then nobody may
//! ever ask, and who waits for the file would wait for ever. So the engine is *given up*: the system destroys it, and what ends with it are its load and its claims, in their
//! order. (In SWI-Prolog the exception itself goes through the engine, and destroys it.)
//!
//! *Equation*: an engine in [`EngineState::left`](crate::state::thread::EngineState) sleeps, or another thread has asked it since; the call that asks it again is newer than the
//! choicepoint `above`, and the entry goes when it does so, or when an exception goes to that choicepoint or an older one.
//!
//! Written by the driver, which leaves engines and asks them, and by exceptions; the thread's own.

use super::services::services;
use super::worker::Worker;
use crate::state::thread::LeftEngine;
use samite_sched::registry::ThreadControl;
use samite_term::{Cell, growth};
use std::sync::Arc;

impl Worker {
    /// This thread leaves engines, the first of which it has asked, and each other one the one before it: remembers those that others may wait for.
    pub(in crate::engine) fn is_to_ask_again<'e>(
        &mut self,
        mut engines: impl Iterator<Item = &'e Arc<ThreadControl>>,
    ) {
        let Some(first) = engines.next() else {
            return;
        };
        let above = self.choices.offset(self.b);
        let loads = &self.program.registry.loads;
        let left = &mut self.thread.engine.left;
        for engine in std::iter::once(first).chain(engines) {
            // (Without the memory to remember it, it is as if it had given an answer.)
            if loads.has_any(engine.id()) && growth::have(left, 1).is_ok() {
                left.push(LeftEngine {
                    engine: engine.clone(),
                    asked: first.id(),
                    above,
                });
            }
        }
    }

    /// This thread asks that engine.
    pub(in crate::engine) fn asks_again(&mut self, engine: &ThreadControl) {
        self.thread.engine.left.retain(|l| l.asked != engine.id());
    }

    /// An exception goes to the choicepoint at that offset: the engines are given up that would have been asked again before.
    #[cold]
    #[inline(never)]
    pub(in crate::engine) fn give_left_up(&mut self, target: Cell) {
        let to = self.choices.at(target);
        let registry = &self.program.registry;
        let mut any = false;
        while let Some(last) = self.thread.engine.left.last()
            && to <= self.choices.at(last.above)
            && let Some(last) = self.thread.engine.left.pop()
        {
            if last.engine.is_suspended() && registry.loads.has_any(last.engine.id()) {
                registry.give_engine_up(last.engine);
                any = true;
            }
        }
        if any {
            (services().end_unnamed)(&self.program);
        }
    }
}
