//! What a Prolog term is in Samite: tagged cells, atoms, numbers, and records (terms outside any
//! heap). The ground floor of the workspace: no other Samite crate is known here.
//!
//! | module | concept |
//! |---|---|
//! | [`common`] | the count of memory that all threads have in common |
//! | [`cell`] | the 64-bit tagged cell, functors, object headers |
//! | [`atom`] | the concurrent atom table |
//! | [`bignum`] | division, roots, powers and text of big integers |
//! | [`counted`] | handles of objects that go with their last handle |
//! | [`heavy`] | work on numbers that may take long |
//! | [`held`] | atoms that are kept, counted |
//! | [`handle`] | constants that stand for objects of the system |
//! | [`number`] | integers, rationals, floats and their cells |
//! | [`panics`] | what panics say |
//! | [`positions`] | characters of a text by number |
//! | [`record`] | a term flattened into one relocatable block, off every heap |
//! | [`slots`] | tables that hand out numbers for what they hold |
//! | [`view`] | safe, borrowed reading of a term in a heap |
//! | [`common`], [`growth`] | counting what threads have in common; asking before it grows |
//! | [`dict`] | what dicts look like |
//! | [`cycle`] | walks over terms that may be cyclic |
//! | [`packed`] | the terms of a text as bytes, for libraries that are read when Samite is built |
//! | [`walked`] | owners of many atoms, which tell of them when they are asked |
//! | [`order`] | standard order of terms |
//! | [`variant`] | the variant check |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod atom;
pub mod bignum;
pub mod cell;
pub mod common;
pub mod counted;
pub mod cycle;
pub mod dict;
pub mod frame;
pub mod growth;
pub mod handle;
pub mod heavy;
pub mod held;
mod ntt;
pub mod number;
pub mod order;
pub mod packed;
pub mod panics;
pub mod positions;
pub mod prefix;
pub mod record;
pub mod slots;
mod sync;
pub mod variant;
pub mod view;
pub mod walked;

pub use atom::{Atom, atoms};
pub use cell::{Cell, Functor, Kind, Tag};
pub use handle::{Handle, HandleKind};
pub use held::{HeldAtom, HeldCell, HeldFunctor};
pub use number::Number;
pub use record::{Record, RecordBuilder};
pub use view::{TermRef, View};
pub use walked::HoldsAtoms;
