//! Prolog text: from characters to terms ([`read`]) and back ([`mod@write`]).
//!
//! ISO 13211-1 clause 6 with SWI-Prolog 7's additions; where the standard is silent, SWI-Prolog's
//! behaviour. Terms come out as [`samite_term::Record`]s and go in as [`samite_term::TermRef`]s, so no
//! heap is known here. Neither direction recurses on the native stack: nesting costs heap memory, and
//! time is linear in the length of the text.
//!
//! | module | concept |
//! |---|---|
//! | [`chars`] | character classes |
//! | [`ops`] | operator tables |
//! | [`read`] | character sources, clauses, tokens, the operator-precedence parser |
//! | [`mod@write`] | `write_term/2` and its relatives, quoting, clause layout |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

pub mod chars;
pub mod ops;
pub mod read;
pub mod write;

pub use ops::{OpType, Operators};
