//! What a builtin can throw, and the constructors of ISO error terms (13211-1, 7.12).
//!
//! A [`Throw`] holds a term on the machine's heap; it must reach the machine's loop before the next safe point.

use samite_heap::OutOfMemory;
use samite_term::growth::Refused;
use samite_term::{Cell, Functor, Record, RecordBuilder, atoms};

/// Why a builtin did not return.
#[derive(Debug)]
pub enum Throw {
    /// A Prolog exception: a term on the heap.
    Term(Cell),
    /// A Prolog exception outside of the heap.
    Record(Box<Record>),
    /// `halt/1`.
    Halt(i32),
    /// The thread's memory is exhausted.
    Memory,
    /// A blocking builtin that is called through a frame was interrupted: run the pending events, then call it again.
    Interrupted,
    /// Something has to be done before: run this goal (a term on the heap) in `system`, then call the builtin again. The builtin has changed nothing
    /// that the second call needs, and does not ask for the same again. It is one that is called through a frame.
    First(Cell),
    /// What is left of a deterministic builtin: this goal (a term on the heap), in `system`, in its place. One that is called in place says in
    /// its row that it may leave a goal (`pure_or_goal`).
    Rest(Cell),
}

impl From<Refused> for Throw {
    fn from(_: Refused) -> Throw {
        Throw::Memory
    }
}

impl From<OutOfMemory> for Throw {
    fn from(_: OutOfMemory) -> Throw {
        Throw::Memory
    }
}

/// Result of a deterministic builtin: true, false, or an exception.
pub type Res = Result<bool, Throw>;

/// `error(Formal, _)`.
pub(crate) fn error_record(formal: impl FnOnce(&mut RecordBuilder) -> Cell) -> Record {
    let mut b = RecordBuilder::new();
    let formal = formal(&mut b);
    let v = b.variable();
    let e = b.structure(Functor::new(atoms::ERROR, 2), &[formal, v]);
    b.finish(e)
}
