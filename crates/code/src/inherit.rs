//! Import modules: where a module looks for what it neither defines nor imports.
//!
//! By default that is `user`; for `user` and the modules of libraries it is `system`. A module may be given
//! others ([`Inheritance::set`]), tried in their order, each with those it inherits from in its turn.
//!
//! Invariant: no module inherits from itself, directly or through others, so that [`Inheritance::walk`] ends.
//!
//! Any thread may call anything here. A program that never changes an import module pays one relaxed load.

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::common::Charge;
use samite_term::{Atom, HeldAtom, atoms};
use std::sync::atomic::{AtomicBool, Ordering};

/// See the module text.
#[derive(Default)]
pub struct Inheritance {
    /// Whether `own` has ever had an entry. It is never reset; a stale `false` is as if the lookup had come earlier.
    changed: AtomicBool,
    own: RwLock<FxHashMap<HeldAtom, Parents>>,
    /// Modules of Samite's libraries, loaded or not, by the names that they have now.
    libraries: RwLock<FxHashSet<HeldAtom>>,
    /// Libraries that were not loaded when a program took the name of their module for one of its own, and the names that they have instead.
    renamed: RwLock<FxHashMap<HeldAtom, HeldAtom>>,
}

struct Parents {
    modules: Vec<HeldAtom>,
    _charge: Charge,
}

impl Inheritance {
    /// Whether every module inherits as by default.
    #[inline]
    pub fn is_default(&self) -> bool {
        !self.changed.load(Ordering::Relaxed)
    }

    /// The import modules of `module`, in the order in which they are tried.
    pub fn of(&self, module: Atom) -> Vec<Atom> {
        match self.own.read().get(&module) {
            Some(own) => own.modules.iter().map(HeldAtom::get).collect(),
            None => self.by_default(module).into_iter().collect(),
        }
    }

    /// Modules that have been given import modules, and which.
    pub fn changes(&self) -> Vec<(Atom, Vec<Atom>)> {
        let own = self.own.read();
        let of = |(m, parents): (&HeldAtom, &Parents)| {
            (m.get(), parents.modules.iter().map(HeldAtom::get).collect())
        };
        own.iter().map(of).collect()
    }

    /// Says which modules are those of libraries.
    pub fn set_libraries(&self, modules: impl IntoIterator<Item = Atom>) {
        *self.libraries.write() = modules.into_iter().map(Atom::hold).collect();
    }

    /// Whether a module is that of a library (not `system`).
    pub fn is_library(&self, module: Atom) -> bool {
        self.libraries.read().contains(&module)
    }

    /// A program has a module of this name. Whether it was that of a library, which has another one from now on: other libraries use it as
    /// before.
    pub(crate) fn take_name(&self, module: Atom) -> bool {
        let mut libraries = self.libraries.write();
        if !libraries.remove(&module) {
            return false;
        }
        let other = Atom::of(&format!("library({})", module.as_str()));
        libraries.insert(other.hold());
        self.renamed.write().insert(module.hold(), other.hold());
        true
    }

    /// Whether a library has another name than in its text.
    pub fn renames(&self) -> bool {
        !self.renamed.read().is_empty()
    }

    /// The module of a library whose text calls it so.
    pub fn library_module(&self, named: Atom) -> Atom {
        (self.renamed.read().get(&named)).map_or(named, HeldAtom::get)
    }

    fn by_default(&self, module: Atom) -> Option<Atom> {
        match module {
            atoms::SYSTEM => None,
            atoms::USER => Some(atoms::SYSTEM),
            _ if self.is_library(module) => Some(atoms::SYSTEM),
            _ => Some(atoms::USER),
        }
    }

    /// What is charged for so many import modules of one, with its place in a table that doubles.
    pub fn bytes(modules: usize) -> usize {
        2 * size_of::<(Atom, Parents)>() + modules * size_of::<Atom>() + 2 * size_of::<usize>()
    }

    /// Gives `module` these import modules. False, and nothing is changed, if it would inherit from itself. Who calls it has asked for
    /// [`Inheritance::bytes`].
    #[must_use]
    pub fn set(&self, module: Atom, parents: Vec<Atom>) -> bool {
        let mut own = self.own.write();
        let mut pending = parents.clone();
        let mut seen: Vec<Atom> = Vec::new();
        while let Some(m) = pending.pop() {
            if m == module {
                return false;
            }
            if !seen.contains(&m) {
                seen.push(m);
                match own.get(&m) {
                    Some(own) => pending.extend(own.modules.iter().map(HeldAtom::get)),
                    None => pending.extend(self.by_default(m)),
                }
            }
        }
        let charge = Charge::new(Inheritance::bytes(parents.len()));
        let parents = Parents {
            modules: parents.into_iter().map(Atom::hold).collect(),
            _charge: charge,
        };
        own.insert(module.hold(), parents);
        self.changed.store(true, Ordering::Relaxed);
        true
    }

    /// The first result of `find` for `module` and what it inherits from, depth first.
    pub fn walk<T>(&self, module: Atom, find: &mut impl FnMut(Atom) -> Option<T>) -> Option<T> {
        if let Some(found) = find(module) {
            return Some(found);
        }
        if self.is_default() {
            return self
                .by_default(module)
                .and_then(|parent| self.walk(parent, find));
        }
        self.of(module)
            .into_iter()
            .find_map(|parent| self.walk(parent, find))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_tried_in_order_and_never_form_a_cycle() {
        let [a, b, c] = ["inherit_a", "inherit_b", "inherit_c"].map(Atom::of);
        let inheritance = Inheritance::default();
        assert!(inheritance.is_default());
        assert!(inheritance.set(a, vec![b, c]));
        assert!(!inheritance.is_default());
        assert!(!inheritance.set(b, vec![a]));
        assert!(!inheritance.set(atoms::SYSTEM, vec![a]));
        assert!(!inheritance.set(a, vec![a]));
        assert_eq!(inheritance.of(b), vec![atoms::USER]);
        let mut order = Vec::new();
        let none: Option<()> = inheritance.walk(a, &mut |m| {
            order.push(m);
            None
        });
        assert!(none.is_none());
        let rest = [atoms::USER, atoms::SYSTEM];
        assert_eq!(order, [&[a, b], &rest[..], &[c], &rest[..]].concat());
    }
}
