//! Atoms that outlive a safe point: [`HeldAtom`] and [`HeldFunctor`], counted in the atom's entry of the table (`atom/life.rs`).
//!
//! The count says how many holders there are, not where; what is held in great numbers (the terms of clauses,
//! messages, answers) is not counted but walked, see [`crate::atom`].

use crate::atom::{self, Atom};
use crate::cell::{Cell, Functor, Kind};
use crate::counted;
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

/// An atom for as long as this lives: what is kept beyond a safe point, or where other threads see it. It is an [`Atom`] to all who borrow it.
#[repr(transparent)]
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeldAtom(Atom);

// SAFETY: it is counted in the entry, atomically, so the entry stays for whoever has it.
unsafe impl Send for HeldAtom {}
// SAFETY: as above.
unsafe impl Sync for HeldAtom {}

impl HeldAtom {
    /// The atom, for as long as an [`Atom`] is good.
    #[inline]
    pub const fn get(&self) -> Atom {
        self.0
    }
}

impl Atom {
    /// Holds it: until that is dropped the atom is there.
    #[inline]
    pub fn hold(self) -> HeldAtom {
        atom::hold(self);
        HeldAtom(self)
    }
    /// How many hold it; `None`: it stays, whoever holds it.
    pub fn holders(self) -> Option<usize> {
        atom::holders(self)
    }
}

impl From<Atom> for HeldAtom {
    fn from(a: Atom) -> HeldAtom {
        a.hold()
    }
}

impl Clone for HeldAtom {
    fn clone(&self) -> HeldAtom {
        self.0.hold()
    }
}

impl Drop for HeldAtom {
    #[inline]
    fn drop(&mut self) {
        atom::release(self.0);
    }
}

/// A functor whose name is held.
#[repr(transparent)]
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeldFunctor(Functor);

// SAFETY: as of `HeldAtom`.
unsafe impl Send for HeldFunctor {}
// SAFETY: as of `HeldAtom`.
unsafe impl Sync for HeldFunctor {}

impl HeldFunctor {
    /// The functor, for as long as an [`Atom`] is good.
    #[inline]
    pub const fn get(&self) -> Functor {
        self.0
    }
}

impl Functor {
    /// Holds its name.
    #[inline]
    pub fn hold(self) -> HeldFunctor {
        atom::hold(self.name());
        HeldFunctor(self)
    }
}

impl From<Functor> for HeldFunctor {
    fn from(f: Functor) -> HeldFunctor {
        f.hold()
    }
}

impl Clone for HeldFunctor {
    fn clone(&self) -> HeldFunctor {
        self.0.hold()
    }
}

impl Drop for HeldFunctor {
    #[inline]
    fn drop(&mut self) {
        atom::release(self.0.name());
    }
}

/// A constant, or the header of a structure, whose atom is held if it has one, or which counts for its queue or mutex: what is kept under one, or has
/// one for its value.
#[repr(transparent)]
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeldCell(Cell);

impl HeldCell {
    /// The cell, for as long as an [`Atom`] is good.
    #[inline]
    pub const fn get(&self) -> Cell {
        self.0
    }
}

impl Cell {
    /// The atom that a word of a term has: of a constant that is no handle, or of a functor. No other cell has one.
    #[inline]
    pub const fn atom_in(self) -> Option<Atom> {
        if self.is_kind(Kind::Functor) {
            Some(Functor::from_cell(self).name())
        } else if self.is_atom() || self.is_blob() {
            Some(self.atom_of())
        } else {
            None
        }
    }
    /// Holds the atom that it has, or is counted for the object whose handle it is.
    pub fn hold(self) -> HeldCell {
        match self.atom_in() {
            Some(a) => atom::hold(a),
            None => {
                if let Some(handle) = self.counted_handle() {
                    counted::retain(handle);
                }
            }
        }
        HeldCell(self)
    }
}

impl Clone for HeldCell {
    fn clone(&self) -> HeldCell {
        self.0.hold()
    }
}

impl Drop for HeldCell {
    fn drop(&mut self) {
        match self.0.atom_in() {
            Some(a) => atom::release(a),
            None => {
                if let Some(handle) = self.0.counted_handle() {
                    counted::release(handle);
                }
            }
        }
    }
}

/// Does not compile of a type that has an [`Atom`]: for what other threads see, `const _: () = is_shared::<T>();`.
pub const fn is_shared<T: Send + Sync>() {}

/// The same for what is its owner's alone, and lives on beyond a safe point.
pub const fn is_kept<T: Send>() {}

/// What a held one has of the borrowed: that is all it is, to a map as well.
macro_rules! borrowed {
    ($held:ident, $borrowed:ident) => {
        impl Deref for $held {
            type Target = $borrowed;
            #[inline]
            fn deref(&self) -> &$borrowed {
                &self.0
            }
        }
        impl Borrow<$borrowed> for $held {
            fn borrow(&self) -> &$borrowed {
                &self.0
            }
        }
        impl PartialEq<$borrowed> for $held {
            #[inline]
            fn eq(&self, other: &$borrowed) -> bool {
                self.0 == *other
            }
        }
        impl PartialEq<$held> for $borrowed {
            #[inline]
            fn eq(&self, other: &$held) -> bool {
                *self == other.0
            }
        }
        impl fmt::Debug for $held {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

borrowed!(HeldAtom, Atom);
borrowed!(HeldFunctor, Functor);
borrowed!(HeldCell, Cell);

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::atom::atoms;
    use crate::cell::Tag;
    use crate::handle::{Handle, HandleKind};
    use rustc_hash::FxHashMap;

    #[test]
    fn holders_are_counted() {
        let a = Atom::of("held: counted");
        assert_eq!(a.holders(), Some(0));
        let one = a.hold();
        let two = one.clone();
        let functor = Functor::new(a, 3).hold();
        assert_eq!(a.holders(), Some(3));
        assert!(one == two && one == a && functor.name() == a && functor.arity() == 3);
        drop(one);
        drop(functor.clone());
        assert_eq!(a.holders(), Some(2));
        drop((two, functor));
        assert_eq!(a.holders(), Some(0));
    }

    #[test]
    fn what_is_known_at_compile_time_is_not_counted() {
        let held = atoms::CALL.hold();
        assert_eq!(atoms::CALL.holders(), None);
        drop(held);
        assert_eq!(atoms::CALL.holders(), None);
    }

    #[test]
    fn what_has_an_atom_holds_it() {
        let a = Atom::of("held: cell");
        let all = [Cell::atom(a), Cell::blob(a), Functor::new(a, 2).cell()].map(Cell::hold);
        let others = [
            Cell::small(a.index() as i64),
            Cell::pointer(Tag::Ref, u64::from(a.index()) << 8),
            Cell::of_handle(Handle::new(HandleKind::Stream, a.index().into())),
        ]
        .map(Cell::hold);
        assert_eq!(a.holders(), Some(3));
        drop((all.clone(), others.clone()));
        drop(all);
        assert_eq!(a.holders(), Some(0));
        drop(others);
        assert_eq!(a.holders(), Some(0));
    }

    #[test]
    fn a_map_of_held_ones_is_asked_with_borrowed_ones() {
        let a = Atom::of("held: key");
        let mut map: FxHashMap<HeldAtom, u8> = FxHashMap::default();
        map.insert(a.hold(), 1);
        // The second key is dropped.
        map.insert(a.hold(), 2);
        assert_eq!((map.get(&a), a.holders()), (Some(&2), Some(1)));
        map.remove(&a);
        assert_eq!(a.holders(), Some(0));
    }

    /// Four threads hold and release the same atoms, and pass some on.
    #[test]
    fn no_holder_is_lost_between_threads() {
        let names: Vec<String> = (0..50).map(|i| format!("held: thread {i}")).collect();
        let rounds = if cfg!(miri) { 20 } else { 5_000 };
        let left: Vec<Vec<HeldAtom>> = std::thread::scope(|s| {
            let threads: Vec<_> = (0..4usize)
                .map(|t| {
                    let names = &names;
                    s.spawn(move || {
                        let mut held: Vec<HeldAtom> = Vec::new();
                        for i in 0..rounds {
                            let a = Atom::of(&names[(i * 7 + t) % 50]);
                            held.push(a.hold());
                            if i % 3 == 0 {
                                held.push(held[i % held.len()].clone());
                            }
                            if held.len() > 100 {
                                held.drain(..70);
                            }
                        }
                        held
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let all: Vec<HeldAtom> = left.into_iter().flatten().collect();
        for name in &names {
            let a = Atom::of(name);
            let held = all.iter().filter(|h| **h == a).count();
            assert_eq!(a.holders(), Some(held), "{name}");
        }
        drop(all);
        for name in &names {
            assert_eq!(Atom::of(name).holders(), Some(0), "{name}");
        }
    }
}
