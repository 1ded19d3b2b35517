//! Where a run goes on, and how it ends.

use crate::state::engines::{Engine, Kept};
use samite_code::Predicate;
use samite_term::{Cell, Functor, Record, atoms};
use std::sync::Arc;

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    /// A solution.
    True,
    False,
    Exception(Record),
    Halt(i32),
}

/// Where the loop goes next.
#[derive(Debug)]
pub enum Go {
    /// Run the code here.
    Code(*const u64),
    /// Enter a predicate: its arguments are in the registers. A safe point.
    Enter(&'static Predicate),
    /// Return to the continuation.
    Proceed,
    /// Backtrack.
    Fail,
    /// Leave the loop.
    Stop(Outcome),
    /// Leave the loop, to come back to it: [`crate::engine::driver`].
    Leave(Box<Leave>),
}

/// Why a run ends.
#[derive(Debug)]
pub enum Stopped {
    Ended(Outcome),
    Left(Box<Leave>),
}

/// Why the loop is left that will be gone on with.
pub enum Leave {
    /// Another thread is to run first.
    Ask(Ask),
    /// An engine has an answer, after which it backtracks. There are no more if it is the last.
    Answer { record: Record, last: bool },
    /// An engine has an answer, after which it goes on.
    Yield(Record),
    /// Whoever runs this engine is to look at its own events. It goes on after that.
    Wanted,
    /// A light thread's slice is over.
    MakeWay,
    /// A light thread waits. The predicate that it waits in is called again after that.
    Suspended,
}

/// An engine is asked for something; it has been taken out of its turn.
pub struct Ask {
    pub engine: Arc<Engine>,
    pub kept: Kept,
    pub what: Wish,
    /// The predicate that asks, its arguments in the registers. Called again if the engine is left before it has replied.
    pub by: &'static Predicate,
}

/// What an engine is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Its next answer: argument 1 of the predicate.
    Next,
    /// The same as a term that says what came of it.
    Reified,
    /// Its end.
    End,
}

impl std::fmt::Debug for Leave {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Leave::Ask(_) => "ask",
            Leave::Answer { .. } => "answer",
            Leave::Yield(_) => "yield",
            Leave::Wanted => "wanted",
            Leave::MakeWay => "make way",
            Leave::Suspended => "suspended",
        })
    }
}

/// One solution of a nondeterministic builtin.
#[derive(Debug)]
pub enum Step {
    /// No (more) solutions.
    Fail,
    /// The last solution.
    Last,
    /// A solution; call again with this state for the next one. When that is read, nothing may have been made: it lies where that comes to lie.
    More(Cell),
    /// The same, and all that has been made until now stays as long as there are solutions: later states may refer to it.
    Kept(Cell),
}

/// `error(resource_error(memory), _)`.
pub fn memory_error() -> Record {
    let mut b = samite_term::RecordBuilder::new();
    let m = b.structure(
        Functor::new(atoms::RESOURCE_ERROR, 1),
        &[Cell::atom(atoms::MEMORY)],
    );
    let v = b.variable();
    let e = b.structure(Functor::new(atoms::ERROR, 2), &[m, v]);
    b.finish(e)
}
