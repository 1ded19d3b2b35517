//! The abstract machine of Samite and its builtin predicates.
//!
//! | room | concept |
//! |---|---|
//! | [`engine`] | the machine: a worker, and what it does to run a Prolog thread |
//! | [`state`] | what a thread is, and a program |
//! | [`error`] | what builtins throw |
//! | [`builtins`] | the builtin predicates by topic |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod builtins;
#[cfg(debug_assertions)]
pub mod checks;
pub mod engine;
pub mod error;
pub mod state;

pub use engine::ctx::{Builtin, Ctx, Nondet};
pub use engine::going::{Outcome, Step};
pub use engine::worker::{Args, OwnedWorker, Worker};
pub use engine::{blocked, host, query};
pub use error::{Res, Throw};
pub use state::program::Program;
