//! Programs: what clauses compile to, how predicates keep them, how calls find them.
//!
//! | module | concept |
//! |---|---|
//! | [`instr`] | the instruction set |
//! | `instructions` | its rows |
//! | `listing` | code as lines of text |
//! | [`compile`] | from clause terms to instructions |
//! | [`predicate`] | predicates, clauses, generations |
//! | `code_block` | the code of a clause |
//! | [`modes`] | modes of the arguments of tabled predicates |
//! | [`clause_list`] | lists and the index that readers use without locks |
//! | [`index`] | first-argument switches of static predicates |
//! | [`database`] | adding and erasing clauses |
//! | `kinds` | undefined, static, dynamic, tabled: flags, entry code and the form of the clauses together |
//! | [`twins`] | what a thread sees of a dynamic predicate whose file it loads again |
//! | [`view`] | what a call sees of a predicate's clauses |
//! | [`domain`] | what the predicates of one program have in common: generations, readers, what waits to be freed |
//! | [`program`] | the whole program: predicates by name, modules, operators, flags |
//! | [`sources`] | which files have a say in which predicates |
//! | [`inherit`] | where modules look for what they do not define |
//! | `chain` | erased clauses that wait to be freed, linked through themselves |
//! | [`reclaim`] | freeing what readers may still hold |
//! | `limbo` | what waits to be freed, and the walks that it waits for |
//! | [`names`] | references to clauses |
//! | [`frames`] | freeing clauses that continuations may return into |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod chain;
pub mod clause_list;
mod code_block;
pub mod compile;
pub mod database;
pub mod domain;
pub mod frames;
pub mod index;
pub mod inherit;
pub mod instr;
mod instructions;
mod kinds;
mod limbo;
mod listing;
pub mod modes;
pub mod names;
pub mod operators;
mod origins;
pub mod predicate;
pub mod program;
pub mod reclaim;
pub mod sources;
mod sync;
pub mod twins;
pub mod view;

#[cfg(loom)]
mod loom_models;

pub use code_block::CodeBlock;
pub use domain::Domain;
pub use predicate::{Clause, Predicate, flag};
pub use program::Program;
