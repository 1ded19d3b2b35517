//! Copies within a heap in which some variables are renamed only, as `copy_term_nat/4` makes them.
//!
//! As long as a copy is made ([`crate::share`]) the variables that stay are constants that no term has, which say which of them each is. So what has no others is the
//! same in the copy as in the original, as what is ground is. Then the words that are new are looked through for such constants.

use crate::copy::Attributes;
use crate::heap::{Heap, OutOfMemory};
use crate::share::{Copied, Ground};
use samite_term::growth;
use samite_term::{Cell, Kind, Tag};
use std::ops::Range;

impl Heap {
    /// A copy without attributes of a term in which the unbound variables `kept` stay what they are. `None` as of [`Heap::copy_sharing`].
    ///
    /// # Safety
    /// As [`Heap::copy_sharing`]; the variables are references to themselves, or to their attributes, each once.
    pub unsafe fn copy_keeping(
        &mut self,
        term: Cell,
        kept: &[Cell],
        room: impl Fn(&Heap, usize) -> bool,
    ) -> Result<Option<Cell>, OutOfMemory> {
        // As long as it is made they are constants that no term has: the numbers of those that are kept.
        let mut before = growth::with_room(kept.len()).map_err(|_| OutOfMemory)?;
        for (i, v) in kept.iter().enumerate() {
            // SAFETY: the cell of a variable of this heap, which is restored below.
            unsafe {
                before.push(*v.ptr());
                *v.ptr() = Cell::header(Kind::Raw, i as u64);
            }
        }
        // SAFETY: promised by the caller. Such constants are copied like others.
        let copied = unsafe { self.copied(term, Ground::Shared, Attributes::Dropped, room) };
        for (v, &old) in kept.iter().zip(&before) {
            // SAFETY: as above.
            unsafe { *v.ptr() = old };
        }
        let Some(Copied { root, words }) = copied? else {
            return Ok(None);
        };
        // SAFETY: what was just allocated and filled; whoever is old there is remembered. A variable alone is one of these, or new.
        unsafe {
            let Range { start, end } = words;
            let mut p = start;
            while p < end {
                let c = *p;
                if c.is_kind(Kind::Raw) {
                    *p = kept[c.payload() as usize];
                }
                let skipped = match c.tag() {
                    Tag::Hdr => c.box_words(),
                    _ => 0,
                };
                p = p.add(1 + skipped);
            }
        }
        Ok(Some(match root.is_kind(Kind::Raw) {
            true => kept[root.payload() as usize],
            false => root,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HeapConfig;
    use samite_term::view::deref;
    use samite_term::{Atom, Functor};

    /// Each second variable of a list stays, wherever it is; the others are new, each one everywhere; what has none is not copied; the term is as it was.
    #[test]
    fn what_is_kept_stays() {
        // Small, and of more words than are copied depth-first.
        let sizes: &[usize] = if cfg!(miri) { &[6] } else { &[6, 40_000] };
        for (&n, is_cyclic) in sizes.iter().flat_map(|n| [(n, false), (n, true)]) {
            let config = HeapConfig {
                nursery: 1 << 17,
                limit: 1 << 28,
                stress: 0,
                ..HeapConfig::default()
            };
            let mut h = Heap::new(config).unwrap();
            let f = Functor::new(Atom::new("f"), 2);
            let vars: Vec<Cell> = (0..n).map(|_| h.variable().unwrap()).collect();
            let number = h.float(1.5).unwrap();
            let made = vars.iter().map(|&v| h.structure(f, &[v, number]).unwrap());
            let parts: Vec<Cell> = made.collect();
            let list = h.list(&parts, Cell::NIL).unwrap();
            let term = h.structure(f, &[list, list]).unwrap();
            if is_cyclic {
                // SAFETY: a structure of this heap.
                unsafe { *term.ptr().add(2) = term };
            }
            let kept: Vec<Cell> = vars.iter().copied().skip(1).step_by(2).collect();
            // SAFETY: a term of this heap, and its variables.
            let copy = unsafe { h.copy_keeping(term, &kept, |_, _| true) };
            let copy = copy.unwrap().unwrap();
            // SAFETY: terms of this heap.
            unsafe {
                assert_ne!(copy, term);
                let second = deref(*copy.ptr().add(2));
                let first = deref(*copy.ptr().add(1));
                assert_eq!(second, if is_cyclic { copy } else { first });
                let mut at = first;
                for (i, (&v, &part)) in vars.iter().zip(&parts).enumerate() {
                    assert_eq!(deref(v), v);
                    let new = deref(*at.ptr());
                    let variable = deref(*new.ptr().add(1));
                    assert_eq!(variable == v, i % 2 == 1);
                    assert!(variable.is_ref());
                    assert_eq!(new == part, i % 2 == 1);
                    assert_eq!(deref(*new.ptr().add(2)), number);
                    at = deref(*at.ptr().add(1));
                }
                assert_eq!(at, Cell::NIL);
            }
        }
    }

    /// A variable alone, kept or not.
    #[test]
    fn a_variable_alone() {
        let mut h = Heap::new(HeapConfig::default()).unwrap();
        let v = h.variable().unwrap();
        // SAFETY: a variable of this heap.
        let (kept, new) = unsafe {
            let kept = h.copy_keeping(v, &[v], |_, _| true);
            (kept, h.copy_keeping(v, &[], |_, _| true))
        };
        assert_eq!(kept.unwrap(), Some(v));
        assert_ne!(new.unwrap(), Some(v));
    }
}
