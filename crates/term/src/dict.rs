//! Dicts: what their terms look like.
//!
//! A dict is a compound named [`atoms::DICT`], which no text finds; its arguments are the tag, then for each key its value and the key:
//!
//! ```text
//! Tag{a: 1, b: 2}    dict(Tag, 1, a, 2, b)
//! ```
//!
//! *Invariant*: of dicts that the reader or a builtin has made the keys are atoms and small integers, in the standard order, each once. So a key is
//! found by bisection, and dicts with the same keys are compounds that unify argument by argument. A program that gets hold of the name can make
//! other compounds of it (`compound_name_arguments/3`): what is looked for in these may not be found, no more.

use crate::atom::atoms;
use crate::cell::{Cell, Functor, MAX_ARITY};
use crate::order::constants;
use crate::view::{Compound, TermRef, View};
use std::cmp::Ordering;

/// Up to so many keys are looked at one by one.
const FEW: usize = 12;

/// A dict in a heap.
#[derive(Clone, Copy)]
pub struct Dict<'a>(Compound<'a>);

/// Whether terms of this functor are dicts.
#[inline]
pub fn is_dict(f: Functor) -> bool {
    f.name() == atoms::DICT && f.arity() % 2 == 1
}

/// The functor of dicts of so many keys.
pub fn functor(keys: usize) -> Functor {
    Functor::new(atoms::DICT, 1 + 2 * keys)
}

/// Whether a dict may have so many keys.
pub fn functor_fits(keys: usize) -> bool {
    keys <= (MAX_ARITY - 1) / 2
}

/// Whether this can be a key.
#[inline]
pub fn is_key(c: Cell) -> bool {
    c.is_small() || c.is_atom()
}

/// The standard order of two keys. (Of what is none, some order.)
#[inline]
pub fn order(x: Cell, y: Cell) -> Ordering {
    match (x.is_atom(), y.is_atom()) {
        // (Mostly both dicts have the key: then nobody compares texts.)
        _ if x == y => Ordering::Equal,
        (true, true) => constants(x.atom_of(), y.atom_of()),
        (false, false) => (x.0 as i64).cmp(&(y.0 as i64)),
        (x, y) => x.cmp(&y),
    }
}

impl<'a> Dict<'a> {
    /// The dict, if the term is one.
    pub fn of(t: TermRef<'a>) -> Option<Dict<'a>> {
        match t.view() {
            View::Compound(c) => Dict::of_compound(c),
            _ => None,
        }
    }
    /// The same of a compound.
    pub fn of_compound(c: Compound<'a>) -> Option<Dict<'a>> {
        is_dict(c.functor()).then_some(Dict(c))
    }
    pub fn tag(self) -> TermRef<'a> {
        self.0.arg(0)
    }
    /// How many keys it has.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(self) -> usize {
        self.0.arity() / 2
    }
    /// Key number `i`.
    #[inline]
    pub fn key(self, i: usize) -> Cell {
        self.0.arg(2 + 2 * i).deref()
    }
    /// The value of key number `i`.
    #[inline]
    pub fn value(self, i: usize) -> TermRef<'a> {
        self.0.arg(1 + 2 * i)
    }
    /// All of its arguments.
    pub fn args(self) -> &'a [Cell] {
        self.0.cells()
    }
    /// Keys and values in order.
    pub fn pairs(self) -> impl ExactSizeIterator<Item = (Cell, TermRef<'a>)> {
        (0..self.len()).map(move |i| (self.key(i), self.value(i)))
    }
    /// The number of a key; if the dict has it not, of the first that is greater.
    pub fn find(self, key: Cell) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        if high <= FEW
            && let Some(i) = (0..high).find(|&i| self.key(i) == key)
        {
            return Ok(i);
        }
        while low < high {
            let middle = usize::midpoint(low, high);
            match order(self.key(middle), key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }
    /// Whether the invariant holds, so that it reads back as what it is written as.
    pub fn is_ordered(self) -> bool {
        let keys = || (0..self.len()).map(|i| self.key(i));
        keys().all(is_key) && keys().is_sorted_by(|&x, &y| order(x, y) == Ordering::Less)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atom, RecordBuilder};

    #[test]
    fn keys_are_found_in_dicts_of_any_size() {
        let key = |i: usize| match i % 3 {
            0 => Cell::small(i as i64),
            1 => Cell::atom(Atom::of(&format!("k{i}"))),
            _ => Cell::small(-(i as i64)),
        };
        for n in 0..40 {
            let mut keys: Vec<Cell> = (0..n).map(key).collect();
            keys.sort_by(|&x, &y| order(x, y));
            let mut args = vec![Cell::NIL];
            for &k in &keys {
                args.extend([k, k]);
            }
            let mut b = RecordBuilder::new();
            let root = b.structure(functor(n), &args);
            let record = b.finish(root);
            let mut words = vec![0; record.heap_words()].into_boxed_slice();
            let root = record.instantiate(&mut words);
            // SAFETY: the words stay as they are.
            let dict = Dict::of(unsafe { TermRef::new(root) }).unwrap();
            assert!(dict.is_ordered());
            for (i, &k) in keys.iter().enumerate() {
                assert_eq!(dict.find(k), Ok(i));
                assert_eq!(dict.value(i).deref(), k);
            }
            let absent = Cell::atom(Atom::new("k"));
            let at = keys.partition_point(|&k| order(k, absent) == Ordering::Less);
            assert_eq!(dict.find(absent), Err(at));
        }
    }
}
