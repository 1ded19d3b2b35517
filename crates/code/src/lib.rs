//! Programs: what clauses compile to, how predicates keep them, how calls find them.
//!
//! | module | concept |
//! |---|---|
//! | [`instr`] | the instruction set |
//! | `instructions`, `fusions` | its rows; which of them are fused |
//! | [`fuse`] | fusing them, in the code of a clause |
//! | `listing` | code as lines of text |
//! | [`compile`] | from clause terms to instructions |
//! | [`neck`] | what stands between the head and the body of a clause |
//! | [`db`] | the database: predicates, clauses, indexes, reclamation |
//! | `code_block` | the code of a clause |
//! | [`program`] | the whole program: predicates by name, modules, operators, flags |
//! | [`sources`] | which files have a say in which predicates |
//! | [`inherit`] | where modules look for what they do not define |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod by_name;
mod code_block;
pub mod compile;
pub mod db;
pub mod fuse;
mod fusions;
pub mod inherit;
pub mod instr;
mod instructions;
mod listing;
pub mod neck;
pub mod operators;
pub mod program;
pub mod sources;
mod sync;

#[cfg(loom)]
mod loom_models;
#[cfg(loom)]
mod loom_transactions;

pub use code_block::CodeBlock;
pub use db::horn;
pub use db::predicate::{Clause, Domain, Predicate, flag};
pub use db::{
    changes, database, link as index, modes, predicate, readers, reclaim, sight, transaction,
    twins, view,
};
pub use program::Program;
