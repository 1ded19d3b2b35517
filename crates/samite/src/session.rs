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
use samite_syntax::read::{ReadError, parse_text};
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
    /// It is not the main thread: a program that ends waits for it only while it runs something.
    guest: bool,
}

/// A session that runs something, until this is dropped.
struct Busy<'a>(Option<&'a System>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        if let Some(system) = self.0 {
            system.registry.away();
        }
    }
}

impl Session {
    /// The program's main thread, which is the calling one.
    pub(crate) fn main(system: &System) -> Result<Session, Error> {
        let options = ThreadOptions {
            alias: Some(atoms::MAIN.hold()),
            ..ThreadOptions::default()
        };
        Session::new(system, options, false)
    }
    /// Another thread of the program for the calling thread.
    pub(crate) fn guest(system: &System) -> Result<Session, Error> {
        let options = ThreadOptions {
            detached: true,
            ..ThreadOptions::default()
        };
        let session = Session::new(system, options, true)?;
        system.registry.away();
        Ok(session)
    }
    fn new(system: &System, options: ThreadOptions, guest: bool) -> Result<Session, Error> {
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
            guest,
        })
    }
    /// The first solution of a goal given as text, without a full stop (what stands behind one is not looked at), which is read by the operators and flags
    /// of `user`. What it has bound is in the answer; nothing stays of it on the thread but what it has changed (facts, flags, global variables). An
    /// answer whose text is longer than a thread's memory may be is an exception, `error(resource_error(memory),_)`.
    pub fn run(&mut self, goal: &str) -> Result<Answer, Error> {
        self.inside(|m| {
            if let Some(status) = m.program.ending.status() {
                return Ok(Answer::Halted(status));
            }
            let operators = m.program.code.operators(atoms::USER);
            let flags = m.ctx().read_flags(atoms::USER);
            let read = match parse_text(goal, &operators, &flags) {
                Ok(read) if read.is_eof => return Err(Error::Syntax("there is no goal".into())),
                Ok(read) if !read.quasi.is_empty() => {
                    return Err(Error::Syntax("a goal has no quasi quotations".into()));
                }
                Ok(read) => read,
                Err(ReadError::Syntax(e)) => return Err(Error::Syntax(e.to_string())),
                Err(ReadError::Memory) => return Err(Error::OutOfMemory),
                Err(ReadError::Source(_)) => unreachable!("a text is no source that fails"),
            };
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
        if self.guest {
            self.system.registry.back();
        }
        let _busy = Busy(self.guest.then_some(&self.system));
        self.worker.come_inside();
        let done = f(&mut self.worker);
        self.worker.go_outside();
        done
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _inside = Inside::worker(&self.worker);
        if self.guest {
            self.system.registry.back();
        }
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
