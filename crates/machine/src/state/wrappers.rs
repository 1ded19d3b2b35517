//! The wrappers of predicates (`wrap_predicate/4`): of each wrapped one those that it has, the innermost first. `builtins/wrapping.rs` alone changes
//! them; calls look where the predicate says that it has some ([`Predicate::is_wrapped`]).

use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use samite_code::Predicate;
use samite_term::{Atom, HeldAtom};

/// A wrapper: its name, and the predicate whose clause is its body.
#[derive(Clone, Debug)]
pub(crate) struct Wrapper {
    pub name: HeldAtom,
    pub body: &'static Predicate,
}

/// Of one program.
#[derive(Debug, Default)]
pub struct Wrappers {
    /// By the address of the wrapped predicate: predicates live as long as the process. None of the lists is empty.
    of: RwLock<FxHashMap<usize, Vec<Wrapper>>>,
}

fn key(p: &Predicate) -> usize {
    std::ptr::from_ref(p) as usize
}

impl Wrappers {
    /// Those of a predicate.
    pub(crate) fn of(&self, p: &Predicate) -> Vec<Wrapper> {
        self.of.read().get(&key(p)).cloned().unwrap_or_default()
    }
    /// The outermost one.
    pub(crate) fn outermost(&self, p: &Predicate) -> Option<&'static Predicate> {
        self.of.read().get(&key(p))?.last().map(|w| w.body)
    }
    /// The one within that of this name; none if that is the innermost one, or has been taken off.
    pub(crate) fn within(&self, p: &Predicate, name: Atom) -> Option<&'static Predicate> {
        let of = self.of.read();
        let all = of.get(&key(p))?;
        let at = all.iter().position(|w| w.name.get() == name)?;
        Some(all[at.checked_sub(1)?].body)
    }
    /// One that is there already stays where it is.
    pub(crate) fn add(&self, p: &'static Predicate, name: Atom, body: &'static Predicate) {
        let mut of = self.of.write();
        let all = of.entry(key(p)).or_default();
        if all.iter().all(|w| w.name.get() != name) {
            let name = name.hold();
            all.push(Wrapper { name, body });
        }
        p.be_wrapped(true);
    }
    /// Whether there was one.
    pub(crate) fn remove(&self, p: &'static Predicate, name: Atom) -> bool {
        let mut of = self.of.write();
        let Some(all) = of.get_mut(&key(p)) else {
            return false;
        };
        let Some(at) = all.iter().position(|w| w.name.get() == name) else {
            return false;
        };
        all.remove(at);
        if all.is_empty() {
            of.remove(&key(p));
            p.be_wrapped(false);
        }
        true
    }
}
