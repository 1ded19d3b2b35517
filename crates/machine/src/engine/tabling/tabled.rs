//! What a table is of: a predicate, and the modes that it was declared with when the table was made.
//!
//! A table outlives the declaration (a file is loaded again, `untable/1`), also while it is under evaluation; its answers are those of
//! its own. So the number that identifies the tables of a predicate in a [`TableSpace`](samite_table::TableSpace) is the address of
//! the declaration if that has modes, plus one, and else the address of the predicate. Both live as long as the process.

use samite_code::modes::{Mode, Restraints};
use samite_code::predicate::Declared;
use samite_code::predicate::Predicate;
use samite_heap::{Heap, OutOfMemory};
use samite_table::FramePtr;
use samite_term::{Cell, Functor, atoms};

/// The number of the tables of a predicate as it is declared now, or was.
pub(super) fn number(p: &'static Predicate, declared: Option<&'static Declared>) -> usize {
    match declared {
        None => std::ptr::from_ref(p).expose_provenance(),
        Some(d) => std::ptr::from_ref(d).expose_provenance() + 1,
    }
}

fn declared(number: usize) -> Option<&'static Declared> {
    // SAFETY: as the module text says: an odd one was made of the address of a declaration.
    (number % 2 == 1).then(|| unsafe { &*std::ptr::with_exposed_provenance(number - 1) })
}

/// The predicate of a table.
pub(super) fn predicate(frame: FramePtr) -> &'static Predicate {
    predicate_of(frame.pred())
}

/// The predicate that a [`number`] was made of.
pub(super) fn predicate_of(number: usize) -> &'static Predicate {
    match declared(number) {
        Some(d) => d.predicate,
        // SAFETY: as the module text says: an even one is the address of a predicate.
        None => unsafe { &*std::ptr::with_exposed_provenance(number) },
    }
}

/// The call of a predicate as a term, with its module.
pub(super) fn call(heap: &mut Heap, p: &Predicate, args: &[Cell]) -> Result<Cell, OutOfMemory> {
    let goal = match args {
        [] => Cell::atom(p.functor().name()),
        _ => heap.structure(p.functor(), args)?,
    };
    heap.structure(
        Functor::new(atoms::COLON, 2),
        &[Cell::atom(p.module()), goal],
    )
}

/// Whether a table is made anew when what it depends on has changed.
pub(super) fn is_incremental(frame: FramePtr) -> bool {
    declared(frame.pred()).is_some_and(|d| d.incremental)
}

/// Whether threads share a table when it is complete. (Not one that is made anew when things have changed: each thread sees to that.)
pub(super) fn is_shared(frame: FramePtr) -> bool {
    declared(frame.pred()).is_some_and(|d| d.shared && !d.incremental)
}

/// Whether threads share the trie of calls of tables with this [`number`].
pub(super) fn is_subgoal_shared(number: usize) -> bool {
    declared(number).is_some_and(|d| d.subgoal_shared)
}

/// The limits of a table's call and answers.
pub(super) fn restraints(frame: FramePtr) -> Restraints {
    declared(frame.pred()).map_or(Restraints::default(), |d| d.restraints)
}

/// The modes of the arguments of a table's call; none if all are ordinary.
pub(super) fn modes(frame: FramePtr) -> &'static [Mode] {
    declared(frame.pred()).map_or(&[], |d| &d.modes)
}
