//! The texts of libraries, and what has been read of them again.

use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::{HeldAtom, Record};

/// What has been recalled.
#[derive(Debug, Default)]
pub struct Recalled {
    pub(crate) modules: FxHashSet<HeldAtom>,
    /// By the address of the clause.
    pub(crate) terms: FxHashMap<usize, &'static Record>,
}

/// A library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryText {
    /// `"lists"`, `"dcg/basics"`
    pub path: &'static str,
    pub module: &'static str,
    pub text: &'static str,
    /// Its terms; see [`samite_term::packed`].
    pub terms: &'static [u8],
    /// It is not loaded because a name of its exports is called.
    pub asked_for: bool,
}

impl LibraryText {
    /// Nobody asks for it by name: what SWI-Prolog has outside of its libraries, and parts of others.
    pub(crate) fn is_internal(&self) -> bool {
        self.module.starts_with('$')
    }

    /// The first part of its name: libraries in a folder belong to the library of that name, and together.
    pub(crate) fn folder(&self) -> &'static str {
        self.path.split('/').next().unwrap_or(self.path)
    }
}
