//! Modes of the arguments of tabled predicates (`:- table path(_, _, min)`).
//!
//! Arguments that are not [`Mode::Index`] do not tell calls apart: of their values in the answers that agree in the others,
//! the table keeps one, which each new answer is joined with.

use samite_term::Atom;
use std::ops::Deref;
use std::sync::Arc;

/// What becomes of the values of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// All of them are kept: an ordinary argument.
    Index,
    First,
    Last,
    /// The least in the standard order of terms.
    Min,
    Max,
    Sum,
    /// `call(module:name, Old, New, Joined)`.
    Lattice {
        module: Atom,
        name: Atom,
    },
    /// The new one if `call(module:name, Old, New)`.
    Order {
        module: Atom,
        name: Atom,
    },
}

/// The modes of a predicate's arguments; none if all are ordinary.
#[derive(Debug, Clone, Default)]
pub struct Modes(Option<Arc<Vec<Mode>>>);

impl Modes {
    pub fn new(modes: &[Mode]) -> Modes {
        Modes((!modes.is_empty()).then(|| Arc::new(modes.to_vec())))
    }
}

impl Deref for Modes {
    type Target = [Mode];
    fn deref(&self) -> &[Mode] {
        self.0.as_ref().map_or(&[], |m| m)
    }
}
