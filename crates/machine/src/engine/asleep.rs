//! Engines that sleep: between two answers, nobody runs them. So do light threads ([`crate::engine::carrier`]), between two runs.
//!
//! A sleeping engine's live terms are its continuation, its choicepoints and its trail; its registers are dead. It holds on to what its choicepoints walk
//! and its frames come back to, and says so when it is asked: who frees clauses asks all workers, and writes down the engines among them
//! ([`Asked`](crate::state::engines::Asked)); any thread that comes to a safe point takes each of these out of its turn, lets it answer, and puts it
//! back. One that was not there runs, and answers itself, at the latest when it is put back:
//!
//! ```text
//! asked  <  looked for, not there  <  put back  <  looks whether it was asked        (the second and third by the lock of its turn)
//! ```

use crate::engine::life::Life;
use crate::engine::worker::{OwnedWorker, Worker};
use crate::state::engines::{Engine, Keeps, Kept, Sleeps};
use crate::state::program::Program;
use samite_sched::registry::Status;
use samite_sched::timers::WaitEnd;
use samite_term::walked::KeptRecord;
use samite_term::{Cell, Handle, HandleKind};
use std::any::Any;

/// Inferences of an engine after which it gives memory back that holds nothing.
const BUSY: u64 = 100_000;

/// An engine's worker, and where it goes on.
pub(in crate::engine) struct Asleep {
    pub worker: OwnedWorker,
    pub next: Next,
    /// The choicepoint below its goal.
    pub bottom: Cell,
    /// Inferences when memory was given back last.
    pub trimmed: u64,
    /// Of a light thread, while nobody runs it.
    pub life: Option<Box<dyn Life>>,
    /// What ends its wait.
    pub wait_end: Option<WaitEnd>,
    /// It is not folded until it has made so many inferences.
    pub unfolded_until: u64,
}

impl Asleep {
    pub fn new(worker: OwnedWorker, next: Next) -> Asleep {
        Asleep {
            worker,
            next,
            bottom: Cell::ZERO,
            trimmed: 0,
            life: None,
            wait_end: None,
            unfolded_until: 0,
        }
    }
}

// SAFETY: what a worker has is in its own memory, in what is shared, or behind counted references; what is kept by OS thread is put in place by who runs
// it. An engine's is used by one thread at a time, who has it out of its turn.
unsafe impl Send for Asleep {}

/// Where an engine goes on.
pub(in crate::engine) enum Next {
    /// With its goal, of `Template-Goal`.
    Goal(KeptRecord),
    /// With the next solution.
    Backtrack,
    /// With its continuation.
    Continuation,
    /// With the first step of its life.
    Begin,
}

impl Worker {
    /// At a safe point: lets the sleeping engines say what they hold that were asked.
    pub(in crate::engine) fn answer_for_engines(&mut self) {
        answer_for_sleepers(&self.program);
    }
}

/// Lets those say what they hold that were asked and that nobody runs.
pub(in crate::engine) fn answer_for_sleepers(program: &Program) {
    for engine in program.engines.asked.take() {
        if let Some(engine) = engine.upgrade()
            && let Some(kept) = engine.turn().try_take()
        {
            answer_for(&*engine, kept);
        }
    }
}

/// An engine or light thread sleeps from now on.
pub(in crate::engine) fn put_back(sleeper: &dyn Sleeps, mut asleep: Box<Asleep>) {
    let worker = &mut asleep.worker;
    if worker.inferences.saturating_sub(asleep.trimmed) > BUSY {
        asleep.trimmed = worker.inferences;
        worker.trim();
    }
    let control = &worker.thread.control;
    control.set_size(worker.memory());
    control.set_suspended(control.is_engine());
    sleeper.turn().put_back(asleep);
    // Who asked before it was back has not found it.
    if sleeper
        .reader()
        .is_some_and(|r| r.is_asked() || r.is_to_look() || r.atoms_asked() != 0)
        && let Some(kept) = sleeper.turn().try_take()
    {
        answer_for(sleeper, kept);
    }
}

/// Says what a sleeping one holds.
fn answer_for(sleeper: &dyn Sleeps, mut kept: Kept) {
    kept.answer();
    sleeper.turn().put_back(kept);
}

impl Keeps for Asleep {
    fn answer(&mut self) {
        self.worker.answer_reclaimers();
    }
}

/// Whether a sleeping engine can be parted with without running anything.
pub(crate) fn ends_quietly(kept: &dyn Keeps) -> bool {
    (kept as &dyn Any)
        .downcast_ref::<Asleep>()
        .is_some_and(|asleep| {
            let thread = &asleep.worker.thread;
            thread.leaving.cleanups == 0
                && thread.io.redirected.is_empty()
                && !thread.control.has_exit_goals()
        })
}

/// Parts with an engine that has been taken out of its turn, running nothing.
pub(crate) fn part_with(program: &Program, engine: &Engine, kept: Kept) {
    let control = &engine.control;
    control.refuse_signals();
    control.conclude(Status::True);
    drop(kept);
    program.registry.finish_engine(control);
    program.registry.forget_engine(control);
    *engine.posted.lock() = None;
    engine.turn.end();
}

/// Parts with the engines that nobody can name any more, as far as they have nothing to run when they are destroyed.
pub(crate) fn part_with_quiet(program: &Program) {
    program
        .registry
        .end_unnamed_engines(&mut |handle| has_gone(program, handle));
}

/// Parts with an engine that nobody can name any more. False: it has something to run.
pub(crate) fn has_gone(program: &Program, handle: Handle) -> bool {
    debug_assert!(handle.kind() == HandleKind::Engine);
    let Some(engine) = program.engines.find(Cell::of_handle(handle).0) else {
        return true;
    };
    let Some(kept) = engine.turn.try_take() else {
        // It runs, for somebody who has just parted with it, unless it has gone.
        if engine.turn.is_gone() {
            program.engines.remove(&engine);
        }
        // (Or somebody says what it holds, as whoever collects atoms: it is there again soon.)
        return !engine.turn.is_looked_at();
    };
    if ends_quietly(&*kept) {
        program.engines.remove(&engine);
        part_with(program, &engine, kept);
        return true;
    }
    engine.turn.put_back(kept);
    false
}
