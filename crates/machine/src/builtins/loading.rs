//! What a thread loads: the loader's part of its state.

use super::imports::Renewal;
use super::reloading::Load;
use rustc_hash::FxHashMap;
use samite_code::Predicate;
use samite_term::packed::Packed;
use samite_term::{Atom, Functor, Record};

/// What a thread loads.
#[derive(Default)]
pub(crate) struct Loading {
    /// Loads in progress, the innermost last.
    pub loads: Vec<Load>,
    /// Files that others load, to wait for when this thread has loaded all: without them what it uses is not whole.
    pub unfinished: Vec<Atom>,
    /// Imports of files that it is making again.
    pub renewals: Vec<Renewal>,
    /// Whether a library is being loaded.
    pub system: bool,
    /// The libraries whose terms are being read, the innermost last.
    pub texts: Vec<Packed<'static>>,
    /// Predicates of that library, which others may call when it is loaded.
    pub unpublished: Vec<&'static Predicate>,
    /// Terms of clauses of the library whose text is being read again, by the clause's address; see [`super::recalled`].
    pub recalling: FxHashMap<usize, Record>,
    /// Session and predicate of the last clause looked at by `'$clause_problem'/4`.
    pub last_clause: (i64, Option<(Atom, Functor)>),
    /// Bytes that all threads had in common when a library began to load.
    pub held_before: usize,
}
