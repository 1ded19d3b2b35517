//! Where a run goes on, and how it ends.

use samite_code::Predicate;
use samite_term::{Cell, Functor, Record, atoms};

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
}

/// One solution of a nondeterministic builtin.
#[derive(Debug)]
pub enum Step {
    /// No (more) solutions.
    Fail,
    /// The last solution.
    Last,
    /// A solution; call again with this state for the next one.
    More(Cell),
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
