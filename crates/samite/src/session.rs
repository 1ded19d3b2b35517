//! A thread of the host that runs goals of a program.
//!
//! To the program it is a detached thread of its own: it has global variables, flags, facts of thread-local predicates and a queue of messages, and others
//! can signal it while it runs a goal. Between two goals nobody waits for it: what others erase meanwhile is freed.

use crate::Error;
use crate::answer::Answer;
use crate::system::System;
use samite_machine::host::Inside;
use samite_machine::{Outcome, OwnedWorker};
use samite_sched::registry::{Status, ThreadControl, ThreadOptions};
use samite_syntax::read::{ReadFlags, parse_text};
use samite_term::atoms;
use samite_world::threads;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// See the module text. It is made, used and dropped by one thread of the host:
///
/// ```compile_fail
/// fn elsewhere(session: samite::Session) {
///     std::thread::spawn(move || drop(session));
/// }
/// ```
pub struct Session {
    // Both are dropped by `drop`, inside of the program.
    worker: ManuallyDrop<OwnedWorker>,
    pub(crate) thread: ManuallyDrop<Arc<ThreadControl>>,
    system: System,
}

impl Session {
    /// A thread of the program for the calling thread. The program's account is entered.
    pub(crate) fn new(system: &System, options: ThreadOptions) -> Result<Session, Error> {
        let inside = Inside::program(system.code.account);
        let refused = |_| Error::OutOfMemory;
        let thread = system.registry.create_thread(options).map_err(refused)?;
        thread.set_system_id(threads::number());
        let Some(worker) = OwnedWorker::new(Arc::clone(system), thread.clone()) else {
            system.registry.abandon(&thread, Status::False);
            return Err(Error::OutOfMemory);
        };
        let mut worker = ManuallyDrop::new(worker);
        worker.go_outside();
        drop(inside);
        Ok(Session {
            worker,
            thread: ManuallyDrop::new(thread),
            system: system.clone(),
        })
    }
    /// The first solution of a goal given as text, without a full stop. What it has bound is in the answer; nothing stays of it on the thread but
    /// what it has changed (facts, flags, global variables).
    pub fn run(&mut self, goal: &str) -> Result<Answer, Error> {
        self.inside(|m| {
            if let Some(status) = m.program.ending.status() {
                return Ok(Answer::Halted(status));
            }
            let operators = m.program.code.operators(atoms::USER);
            let read = parse_text(goal, &operators, &ReadFlags::default())
                .map_err(|e| Error::Syntax(format!("{e:?}")))?;
            let (outcome, bindings) = m.first_answer(&read.record);
            if let Outcome::Halt(status) = outcome {
                let thread = m.thread.control.clone();
                return Ok(Answer::Halted(m.program.end(&thread, status)));
            }
            // Who is told that the program ends is told by an exception.
            if let (Outcome::Exception(_), Some(status)) = (&outcome, m.program.ending.status()) {
                return Ok(Answer::Halted(status));
            }
            Ok(Answer::new(&m.program, outcome, bindings))
        })
    }
    /// Does something with the worker, inside of the program.
    pub(crate) fn inside<T>(&mut self, f: impl FnOnce(&mut OwnedWorker) -> T) -> T {
        let _inside = Inside::worker(&self.worker);
        self.worker.come_inside();
        let done = f(&mut self.worker);
        self.worker.go_outside();
        done
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _inside = Inside::worker(&self.worker);
        self.worker.come_inside();
        self.thread.refuse_signals();
        self.thread.conclude(Status::True);
        // SAFETY: nobody uses it after this.
        unsafe { ManuallyDrop::drop(&mut self.worker) };
        self.system.registry.finish(&self.thread);
        // SAFETY: the same.
        unsafe { ManuallyDrop::drop(&mut self.thread) };
    }
}
