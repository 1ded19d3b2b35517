//! How predicates are declared to be tabled: modes of arguments (`:- table path(_, _, min)`), and whether calls read from tables of more general ones
//! (`:- table path/2 as subsumptive`).
//!
//! Arguments that are not [`Mode::Index`] do not tell calls apart: of their values in the answers that agree in the others,
//! the table keeps one, which each new answer is joined with.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use samite_term::HeldAtom;

/// What becomes of the values of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
        module: HeldAtom,
        name: HeldAtom,
    },
    /// The new one if `call(module:name, Old, New)`.
    Order {
        module: HeldAtom,
        name: HeldAtom,
    },
}

/// A declaration. It stays for as long as the process, as its predicate does: tables are known by its address, so that those made
/// under one declaration are not mistaken for those of another.
#[derive(Debug)]
pub struct Declared<P: 'static> {
    pub predicate: &'static P,
    /// None: all arguments are ordinary.
    pub modes: Vec<Mode>,
    pub subsumptive: bool,
    /// Tables are made anew when what they depend on has changed (`:- table path/2 as incremental`).
    pub incremental: bool,
    /// Threads share tables that are complete (`:- table path/2 as shared`).
    pub shared: bool,
    /// Threads share the trie of calls, and have tables of their own (`:- table path/2 as subgoal_shared`).
    pub subgoal_shared: bool,
    pub restraints: Restraints,
}

/// How deep the terms of calls and of answers may be, and how many answers a call may have (`:- table path/2 as max_answers(10)`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Restraints {
    pub subgoal: Option<u32>,
    pub answer: Option<u32>,
    pub answers: Option<u32>,
}

/// What is declared beside the modes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct How {
    /// See [`Declared::subsumptive`].
    pub subsumptive: bool,
    /// See [`Declared::incremental`].
    pub incremental: bool,
    /// See [`Declared::shared`].
    pub shared: bool,
    /// See [`Declared::subgoal_shared`].
    pub subgoal_shared: bool,
    /// See [`Declared::restraints`].
    pub restraints: Restraints,
}

impl<P> Declared<P> {
    /// What is declared beside the modes.
    pub fn how(&self) -> How {
        How {
            subsumptive: self.subsumptive,
            incremental: self.incremental,
            shared: self.shared,
            subgoal_shared: self.subgoal_shared,
            restraints: self.restraints,
        }
    }
}

/// The declarations of a program by the address of the predicate and what they declare: a file that is loaded again and again makes no new ones.
pub(crate) struct Known<P: 'static>(Mutex<Declarations<P>>);

type Declarations<P> = FxHashMap<(usize, Vec<Mode>, How), &'static Declared<P>>;

impl<P> Default for Known<P> {
    fn default() -> Known<P> {
        Known(Mutex::default())
    }
}

impl<P> Known<P> {
    /// The declaration of these modes for a predicate; `None` if all arguments are ordinary, and nothing else is declared.
    pub fn declare(
        &self,
        predicate: &'static P,
        modes: &[Mode],
        how: How,
    ) -> Option<&'static Declared<P>> {
        if modes.is_empty() && how == How::default() {
            return None;
        }
        let key = (std::ptr::from_ref(predicate).addr(), modes.to_vec(), how);
        let mut all = self.0.lock();
        let declared = all.entry(key).or_insert_with_key(|(_, modes, _)| {
            Box::leak(Box::new(Declared {
                predicate,
                modes: modes.clone(),
                subsumptive: how.subsumptive,
                incremental: how.incremental,
                shared: how.shared,
                subgoal_shared: how.subgoal_shared,
                restraints: how.restraints,
            }))
        });
        Some(declared)
    }
}
