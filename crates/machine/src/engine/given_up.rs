//! A long operation that was given up: why, from then until the machine hears of it. [`super::long`] gives operations up; this is below all that asks.

use crate::engine::by_thread::ByThread;
use crate::engine::worker::Worker;
use crate::error::Throw;
use samite_term::{Cell, Record, atoms};

/// What ended an operation.
pub(in crate::engine) enum Ending {
    Ball(Record),
    Halt(i32),
    /// It was an engine's, and the thread that asked the engine is to end what it does: the engine ends, as in an abort.
    ForRunner,
    /// It was refused memory for its own use.
    NoMemory,
    /// It panicked: a fault of the program that runs it.
    Fault(Record),
}

thread_local! {
    static ENDING: ByThread<Ending> = const { ByThread::empty() };
}

/// The operation at hand has ended so, or has not.
pub(in crate::engine) fn set(ending: Option<Ending>) {
    ENDING.with(|e| e.set(ending));
}

/// Whether an event has ended an operation, which therefore has no result.
pub(crate) fn has_given_up() -> bool {
    ENDING.with(|e| e.with(|e| e.is_some()))
}

/// Whether an operation was given up because it was refused memory, which is forgotten: it can be begun again.
pub(crate) fn take_refusal() -> bool {
    let refused = ENDING.with(|e| e.with(|e| matches!(e, Some(Ending::NoMemory))));
    if refused {
        set(None);
    }
    refused
}

impl Worker {
    /// Before a change that others see, and that depends on a walk over terms: fails if the walk was given up.
    pub(crate) fn check_given_up(&self) -> Result<(), Throw> {
        if self.attention_wanted() && has_given_up() {
            return Err(Throw::Memory);
        }
        Ok(())
    }

    /// Why an operation has no result: what ended it, or else that memory is exhausted.
    pub(crate) fn given_up(&mut self) -> Throw {
        match ENDING.with(ByThread::take) {
            Some(Ending::Ball(ball) | Ending::Fault(ball)) => Throw::Record(Box::new(ball)),
            Some(Ending::ForRunner) => {
                self.thread.engine.ends_for_runner = true;
                let abort = Record::immediate(Cell::atom(atoms::ABORT));
                Throw::Record(Box::new(abort))
            }
            Some(Ending::Halt(status)) => Throw::Halt(status),
            Some(Ending::NoMemory) | None => Throw::Memory,
        }
    }
}
