//! The table space of tabled evaluation: subgoal tries, subgoal frames and answer tries.
//!
//! The organisation is that of section II.A of Areias and Rocha, "An Efficient and Scalable Memory
//! Allocator for Multithreaded Tabled Evaluation of Logic Programs", in its no-sharing design (II.B); subgoal sharing (II.C) is in [`calls`]:
//!
//! ```text
//! predicate → table entry → subgoal trie → subgoal frame → answer trie
//!                (root)     SubgoalNode…      (root)       AnswerNode…   leaves chained in order of insertion
//! ```
//!
//! | module | concept |
//! |---|---|
//! | [`space`] | [`TableSpace`]: all tables of one thread, and every operation on them |
//! | [`node`] | trie nodes and the handles to them |
//! | [`frame`] | subgoal frames and table entries |
//! | [`trie`] | finding, inserting, walking, unlinking and freeing in a trie of either kind |
//! | `rows` | answers that need no trie: one behind the other |
//! | `seen` | whether a row is there already |
//! | `select` | answers by what a call has bound |
//! | [`moded`] | answers with a value that is updated in place |
//! | [`hash`] | the children of a node with many of them |
//! | [`joint`] | answers that several threads find together |
//! | [`calls`] | calls that threads share, each with a frame of its own |
//! | `scheme` | how threads put something into what they share |
//! | `handles` | the queues and mutexes that tokens name are counted |
//! | [`alloc`] | typed allocation behind one trait; the page allocator |
//! | [`stats`] | counting, in the paper's way |
//! | `walked` | the atoms among the tokens |
//! | [`verify`] | every invariant as an assertion |
//!
//! Differs from the paper in: a private table has no bucket array of threads, a thread has a table space of its own; short answers of one length are not in a trie, but rows, whose
//! nodes [`TableSpace::nodes_of_rows`] counts as if they were; pages are local and go back to the
//! system only all together; roots are part of the table entry and of the frame.
//!
//! Tokens are opaque 64-bit words. The evaluator turns the arguments of a call, and the bindings of its
//! variables in an answer (so-called substitution factoring), into sequences of tokens, such that
//! **no sequence is a prefix of another** in the same trie; a trie refuses (panics) otherwise.
//! It also decides when a table is complete; this crate only keeps the state.
//!
//! Architecture invariants: nothing here knows terms, heaps or the machine (but for `walked` and `handles`, which know tokens that are cells); nothing recurses on the native
//! stack, however deep a trie; nothing is atomic or shared: whoever owns the [`TableSpace`] is its only user, but
//! for the answers of complete tables, which do not change ([`Frozen`]), [`joint`] ones, and [`calls`].

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod alloc;
pub mod calls;
mod cursor;
pub mod frame;
mod frozen;
mod handles;
pub mod hash;
pub mod joint;
pub mod moded;
pub mod node;
mod renew;
mod rows;
mod scheme;
mod seen;
mod select;
pub mod space;
pub mod stats;
mod sync;
pub mod trie;
pub mod verify;
mod walked;
mod whole;

pub use alloc::{KindUse, Origin, PageAlloc, StructAlloc, StructType, all_kinds};
pub use calls::CommonCalls;
pub use cursor::{Cursor, Rows};
pub use frame::{FramePtr, State};
pub use frozen::Frozen;
pub use joint::{Added, JointRows, JointTable, MEMBERS, Memory, Run};
pub use node::{AnswerPtr, NodePtr};
pub use rows::{MOST_OF_ROW, is_row_token};
pub use scheme::{Contention, ContentionOfAll, TableSync};
pub use select::{Found, Key, Selections};
pub use space::TableSpace;
pub use stats::{Depth, Statistics};

#[cfg(test)]
extern crate self as samite_table;

/// The tests of `tests/model.rs` again, with the small chains, pages and regions of unit tests.
#[cfg(test)]
#[path = "../tests/model.rs"]
mod model;
