//! Predicates by their names, of all modules: for programs that ask which there are. It is made when somebody asks, and goes on from there.
//!
//! Invariant: the first `before.len()` predicates of the list that it is about are in it; `newest` leads to the last of these that has a name, and `before` from each to the one before it
//! with the same name.

use crate::Predicate;
use rustc_hash::FxHashMap;
use samite_term::{Atom, HeldAtom, common, growth};

/// See the module text. The list only grows.
#[derive(Default)]
pub(crate) struct ByName {
    newest: FxHashMap<HeldAtom, u32>,
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl ByName {
    fn bytes(&self) -> usize {
        growth::map_bytes(&self.newest) + growth::vec_bytes(&self.before)
    }
    /// Those of `all` that have a name, in their order.
    pub(crate) fn find(
        &mut self,
        all: &[&'static Predicate],
        name: Atom,
    ) -> Vec<&'static Predicate> {
        let had = self.bytes();
        let complete = self.go_on(all);
        common::charge(self.bytes() - had);
        if !complete {
            return all.iter().copied().filter(|p| p.name() == name).collect();
        }
        let mut found = Vec::new();
        let mut next = self.newest.get(&name).copied().unwrap_or(NONE);
        while next != NONE {
            found.push(all[next as usize]);
            next = self.before[next as usize];
        }
        found.reverse();
        found
    }
    /// Takes in what is new in the list; false: there is no memory for it.
    fn go_on(&mut self, all: &[&'static Predicate]) -> bool {
        let ask = |bytes| common::may_take(bytes, 0);
        for p in &all[self.before.len()..] {
            if !growth::vec_room(&mut self.before, ask) || !growth::map_room(&mut self.newest, ask)
            {
                return false;
            }
            let last = self
                .newest
                .insert(p.name().hold(), self.before.len() as u32);
            self.before.push(last.unwrap_or(NONE));
        }
        true
    }
}
