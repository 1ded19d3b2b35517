//! Owners of atoms that are walked, not counted ([`crate::held`]): what is made and dropped in great numbers. A count for each atom of each clause,
//! message and answer would be a write to memory that all threads share; so they keep words of terms, and tell of their atoms when somebody asks.
//!
//! *Invariants*: an owner tells of all its atoms, some of them more than once. It can be found at any safe point, from a program, a thread or an
//! owner that has it; on its way from one place to another it is in the hands of one thread, between two of its safe points.

use crate::atom::{self, Atom};
use crate::cell::{Cell, Tag};
use crate::common::Held;
use crate::held::HeldAtom;
use crate::record::Record;
use std::collections::HashMap;
use std::ops::Deref;

/// See the module text.
pub trait HoldsAtoms {
    /// Calls `f` with each of its atoms, those known at compile time included.
    fn each_atom(&self, f: &mut dyn FnMut(Atom));
}

/// An owner gets to where other threads find it: during a collection its atoms are marked, as who walks there may have passed already.
#[inline]
pub fn enter(owner: &impl HoldsAtoms) {
    if atom::is_collecting() {
        owner.each_atom(&mut |a| a.mark());
    }
}

/// The atoms of words that are laid out as those of a record: an object's raw words are skipped.
pub fn each_in_words(words: &[u64], f: &mut dyn FnMut(Atom)) {
    let mut i = 0;
    while let Some(&word) = words.get(i) {
        let c = Cell(word);
        if let Some(a) = c.atom_in() {
            f(a);
        }
        if c.tag() == Tag::Hdr {
            i += c.box_words();
        }
        i += 1;
    }
}

impl HoldsAtoms for Record {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        each_in_words(self.words(), f);
    }
}

impl HoldsAtoms for Held {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        Record::each_atom(self, f);
    }
}

/// Atoms that are counted although they are another's: of what is in nobody's hands that is walked.
#[derive(Debug, Default)]
pub struct KeptAtoms {
    _atoms: Box<[HeldAtom]>,
}

impl KeptAtoms {
    pub fn of(owner: &impl HoldsAtoms) -> KeptAtoms {
        let mut atoms = Vec::new();
        owner.each_atom(&mut |a| atoms.push(a.hold()));
        KeptAtoms {
            _atoms: atoms.into(),
        }
    }
}

/// A record whose atoms are counted, such as the goal of a thread that has not begun.
#[derive(Debug)]
pub struct KeptRecord {
    record: Held,
    _atoms: KeptAtoms,
}

impl KeptRecord {
    pub fn new(record: Held) -> KeptRecord {
        let atoms = KeptAtoms::of(&record);
        KeptRecord {
            record,
            _atoms: atoms,
        }
    }
}

impl Deref for KeptRecord {
    type Target = Record;
    fn deref(&self) -> &Record {
        &self.record
    }
}

impl<T: HoldsAtoms> HoldsAtoms for [T] {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.iter().for_each(|owner| owner.each_atom(f));
    }
}

/// Of the values; keys are held.
impl<K, T: HoldsAtoms, S> HoldsAtoms for HashMap<K, T, S> {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.values().for_each(|owner| owner.each_atom(f));
    }
}

impl<T: HoldsAtoms> HoldsAtoms for Option<T> {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        if let Some(owner) = self {
            owner.each_atom(f);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::atom::atoms;
    use crate::cell::Functor;
    use crate::handle::{Handle, HandleKind};
    use crate::number::Number;
    use crate::record::RecordBuilder;

    #[test]
    fn a_kept_record_counts() {
        let a = Atom::of("walked: kept");
        let kept = KeptRecord::new(Held::new(Record::immediate(Cell::atom(a))));
        assert_eq!((a.holders(), kept.root()), (Some(1), Cell::atom(a)));
        drop(kept);
        assert_eq!(a.holders(), Some(0));
    }

    fn atoms_of(owner: &dyn HoldsAtoms) -> Vec<Atom> {
        let mut all = Vec::new();
        owner.each_atom(&mut |a| all.push(a));
        all
    }

    /// Atoms, blobs' names and functors' names are told of; what only looks like one is not.
    #[test]
    fn a_record_tells_of_its_atoms() {
        let [a, b, c] = ["walked: a", "walked: b", "walked: c"].map(Atom::new);
        let mut r = RecordBuilder::new();
        // Bits of cells of an atom that is not there.
        let alike = Cell::atom(Atom::of("walked: alike")).0;
        let bits = r.number(&Number::Float(f64::from_bits(alike)));
        let text = r.string(std::str::from_utf8(&[5, 1, 0, 0, 0, 0, 0, 0]).unwrap());
        let variable = r.variable();
        let handle = Cell::of_handle(Handle::new(HandleKind::Stream, a.index().into()));
        let list = r.list(&[bits, text, variable, handle, Cell::blob(b)], Cell::NIL);
        let f = r.structure(Functor::new(c, 2), &[list, Cell::atom(a)]);
        let mut found = atoms_of(&r.finish(f));
        found.retain(|&a| a != atoms::NIL);
        found.sort_unstable();
        assert_eq!(found, [a, b, c]);
        assert_eq!(atoms_of(&Some(Record::immediate(Cell::atom(a)))), [a]);
    }
}
