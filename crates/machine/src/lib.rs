//! The abstract machine of Samite and its builtin predicates.
//!
//! | module | concept |
//! |---|---|
//! | [`worker`] | the state of the machine: registers, heap, choicepoints of the thread that runs |
//! | [`thread`] | the state of a Prolog thread that is not the machine's |
//! | [`program`] | what all threads share |
//! | [`query`] | how a host runs queries |
//! | [`frame`] | continuations |
//! | `room` | asking for memory |
//! | [`run`] | the loop around the instructions |
//! | `ops` | the instructions |
//! | [`control`] | calling goals, exceptions, cleanup, events at safe points |
//! | [`internal`] | resume points and alternatives that are not compiled code |
//! | [`choice`] | the choicepoint stack |
//! | [`collect`] | when and from which roots to collect |
//! | [`dynamic`] | calls of dynamic predicates |
//! | `pins` | what choicepoints read of the database |
//! | [`tabling`] | SLG evaluation |
//! | `blocked` | what blocks in the system, and who need not wait for it |
//! | `long` | events in the middle of a long operation |
//! | `mapped` | what a machine maps before it begins, and for whom the last part of memory is not |
//! | `os_thread` | OS threads, and when to have no more of them |
//! | `results` | results of `findall/3` |
//! | [`arithmetic`] | between cells and the evaluator |
//! | [`ctx`] | what builtins get of the machine |
//! | [`error`] | what builtins throw |
//! | [`builtins`] | the builtin predicates by topic |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod arithmetic;
pub mod blocked;
pub mod builtins;
pub mod choice;
pub mod collect;
pub mod control;
pub mod ctx;
pub mod dynamic;
pub mod error;
pub mod frame;
pub mod internal;
mod long;
mod mapped;
mod ops;
mod os_thread;
mod pins;
pub mod program;
pub mod query;
mod results;
mod room;
pub mod run;
mod shadows;
mod standard_streams;
pub mod tabling;
mod terms;
pub mod thread;
pub mod worker;

pub use ctx::Ctx;
pub use error::{Res, Throw};
pub use program::Program;
pub use query::Outcome;
pub use run::{Builtin, Nondet, Step};
pub use worker::{Args, Worker};
