//! What the engine asks of the builtins: a table that they fill in when they are installed, since they lie above it.
//!
//! It is code, the same for all programs of a process, and set before the first worker runs anything.

use super::ctx::Ctx;
use super::worker::Args;
use crate::engine::going::Go;
use crate::error::{Res, Throw};
use crate::state::program::Program;
use samite_code::Predicate;
use samite_code::compile::{CompileError, Compiled, Parts};
use samite_stream::StreamId;
use samite_term::{Atom, Cell};
use std::sync::{Arc, OnceLock};

/// See the module text.
pub(crate) struct Services {
    /// An undefined predicate is called: if a library exports one of that name, the way to load it and then call that.
    pub autoload: fn(&mut Ctx<'_>, &'static Predicate) -> Result<Option<Go>, Throw>,
    /// A predicate is called while the library that defines it is being loaded.
    pub call_unpublished: fn(&mut Ctx<'_>, &'static Predicate) -> Result<Go, Throw>,
    /// A call of the first has found the second, which its module inherits.
    pub bind_inherited: fn(&Ctx<'_>, &'static Predicate, &'static Predicate),
    /// What a call of a predicate does in a module that is defined nowhere: `error`, `fail` or `warning`.
    pub unknown_in: fn(&Ctx<'_>, Atom) -> Atom,
    /// Compiles a clause of a module, with so many bytes beside it.
    pub compile: Compile,
    /// `mutex_lock/1`.
    pub lock_mutex: fn(&mut Ctx<'_>, Args) -> Res,
    /// Gives back the mutex of this name, if the thread has used it last and holds it; else nothing is done.
    pub give_mutex_back: fn(&mut Ctx<'_>, Cell) -> bool,
    /// What nobody can name any more goes: this thread has parted with handles.
    pub end_unnamed: fn(&Arc<Program>),
    /// The output stream that argument `i` names.
    pub output: fn(&mut Ctx<'_>, Args, usize) -> Result<StreamId, Throw>,
}

/// Module, clause, bytes beside.
pub(crate) type Compile = fn(&Ctx<'_>, Atom, Parts<'_>, usize) -> Result<Compiled, CompileError>;

static SERVICES: OnceLock<Services> = OnceLock::new();

/// Fills in the table, if it was not.
pub(crate) fn offer(services: Services) {
    SERVICES.get_or_init(|| services);
}

/// The table.
///
/// # Panics
/// Nothing was installed, so there is nothing to run either.
pub(crate) fn services() -> &'static Services {
    SERVICES.get().expect("the builtins have been installed")
}
